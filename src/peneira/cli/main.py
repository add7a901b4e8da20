"""The ``peneira`` command."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import signal
import sys
from collections.abc import Sequence
from threading import current_thread, main_thread
from types import FrameType
from typing import TYPE_CHECKING, cast

import click

from peneira.cli.messages import ClosedStream, Run, say, say_usage
from peneira.errors import PeneiraError
from peneira.lazy import load
from peneira.version import __version__

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

# The verbs in the order of the help, and where each is; its module is imported when it is called
VERBS = {
    "extract": "peneira.cli.extract:extract",
    "item": "peneira.cli.item:item",
    "text": "peneira.cli.text:text",
    "clean": "peneira.cli.clean:clean",
    "segment": "peneira.cli.clean:segment",
    "content": "peneira.cli.content:content",
    "render": "peneira.cli.render:render",
    "plot": "peneira.cli.plot:plot",
    "learn": "peneira.cli.learn:learn",
    "apply": "peneira.cli.wrapping:apply",
    "check": "peneira.cli.wrapping:check",
    "heal": "peneira.cli.wrapping:heal",
    "show": "peneira.cli.wrapping:show",
    "export": "peneira.cli.wrapping:export",
    "crawl": "peneira.cli.crawl:crawl",
    "track": "peneira.cli.track:track",
    "changes": "peneira.cli.track:changes",
    "join": "peneira.cli.join:join",
    "batch": "peneira.cli.batch:batch",
    "serve": "peneira.cli.serve:serve",
    "mcp": "peneira.cli.serve:mcp",
    "methods": "peneira.cli.methods:methods",
}
# Other packages add verbs under this group of entry points; peneira-research adds bench and train
ENTRY_POINTS = "peneira.commands"
# New objects before the garbage collector looks for cycles; Python's 700 take 5 % of the time of an extraction
COLLECTOR_THRESHOLD = 50_000
# Nothing failed, but a limit cut something off: standard error says what
EXIT_PARTIAL = 5


class Verbs(click.Group):
    """A group whose commands are imported when they are called, with what other packages add."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all verbs, our own first."""
        return [*VERBS, *sorted(added_verbs().keys() - VERBS.keys())]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the verb of that name, or None."""
        added = None if cmd_name in VERBS else added_verbs().get(cmd_name)
        if added is None and cmd_name not in VERBS:
            return None
        verb = load(VERBS[cmd_name]) if added is None else added.load()
        _collect_garbage_later()
        return cast("click.Command", verb)


def added_verbs() -> dict[str, EntryPoint]:
    """Return the verbs that other packages add, by name."""
    from importlib.metadata import entry_points  # imports zipfile and lzma, which no verb of our own needs

    return {added.name: added for added in entry_points(group=ENTRY_POINTS)}


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="peneira %(version)s")
def cli() -> None:
    """Sift structured records out of web pages: no examples, no rules per site, no language model.

    Data goes to standard output, messages to standard error. Exit code 2: wrong usage; 1: the job failed;
    5: a limit was hit, and the result is partial; of check: 3 degraded, 4 broken or of another template.

    \b
    Example:
      peneira extract https://example.com/jobs -o jobs.csv
    """


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line; an error of ours is one line on standard error and exit code 1."""
    if args is None:
        gc.disable()  # until the verb is imported
    sys.stdout = sys.stdout or ClosedStream()
    _write_any_character()
    end_on_signals()
    try:
        status = _status(args)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader went away: `peneira extract ... | head`
        status = _muted(0)
    except (PeneiraError, OSError) as error:  # OSError: the disk under standard output is full
        say(f"peneira: {error}")
        status = _muted(1)
    sys.exit(status)


def _collect_garbage_later() -> None:
    """Start the garbage collector of a command, and spare it the modules: they stay, and looking at them took 30 ms."""
    if not gc.isenabled():
        gc.freeze()
        gc.set_threshold(COLLECTOR_THRESHOLD)
        gc.enable()


def _status(args: Sequence[str] | None) -> int | str | None:
    """Run the command and return its exit status. Click's own handling would call a closed pipe a failure."""
    stdout = sys.stdout
    run = Run()
    try:
        result = cli.main(args, prog_name="peneira", standalone_mode=False, obj=run)
    except click.ClickException as error:
        say_usage(error)
        return error.exit_code
    except click.Abort:
        say("Aborted!")
        return 1
    except SystemExit as end:
        if sys.stdout is not stdout:  # click puts a wrapper there when the pipe is closed, and then exits with 1
            raise BrokenPipeError from None
        return end.code or _complete(run)
    return result if isinstance(result, int) and result else _complete(run)


def _complete(run: Run) -> int:
    """Return the exit status of a run in which nothing failed."""
    return EXIT_PARTIAL if run.is_partial else 0


def end_on_signals() -> None:
    """Make the signals that ask a program to end do so as an error does: temporary files are removed on the way."""
    if current_thread() is not main_thread():
        return
    for name in ("SIGTERM", "SIGHUP"):  # Windows has only the first
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)


def _end(number: int, _frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)  # a second one must not interrupt the clean-up
    sys.exit(128 + number)


def _muted(status: int) -> int:
    """Return the status; what is still to be written to standard output goes nowhere, or Python fails at its exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def _write_any_character() -> None:
    """Make piped data UTF-8 in every locale, as files are; a terminal of another encoding shows a ? for the rest."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        if sys.stdout.isatty():
            sys.stdout.reconfigure(errors="replace")
        else:
            sys.stdout.reconfigure(encoding="utf-8")
