"""The one way from the command to a terminal or a log: what strangers wrote cannot steer it.

Everything that a verb says or prints goes through ``say`` and ``write_stdout``; ``tests/test_messages.py`` checks that.
"""

from __future__ import annotations

import errno
import io
import sys
from dataclasses import dataclass

import click

from peneira.safe_text import safe_line, safe_lines


def say(message: str) -> None:
    """Say one line on standard error, which may be a terminal or a log."""
    click.echo(safe_line(message), err=True)


class ClosedStream(io.TextIOBase):
    """In place of a standard output that is closed (``>&-``): what is written to it is an error, not a crash."""

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, "standard output is closed")

    @property
    def buffer(self) -> ClosedStream:
        return self


@dataclass(slots=True)
class Run:
    """One run of the command: ``is_partial`` where a limit cut something off, which the exit code says."""

    is_partial: bool = False


def say_partial(name: str, what: object) -> None:
    """Say on standard error what was left out of a page, and note that the result is partial."""
    say(f"{name}: partial: {what}")
    context = click.get_current_context(silent=True)
    run = context.find_object(Run) if context else None
    if run is not None:
        run.is_partial = True


def say_usage(error: click.ClickException) -> None:
    """Say on standard error what is wrong with the way the command is used, in the lines of click."""
    text = io.StringIO()
    error.show(text)
    click.echo(safe_lines(text.getvalue()), err=True, nl=False)


def write_stdout(text: str, *, end: str = "\n") -> None:
    """Write text to standard output: safe for a terminal, and exactly as it is where data is piped."""
    # not click.echo, which takes escape sequences out of piped data too
    sys.stdout.write((safe_lines(text) if sys.stdout.isatty() else text) + end)
