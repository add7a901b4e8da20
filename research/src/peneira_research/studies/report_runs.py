"""The runs behind ``peneira bench report``: one results file each, so that a report goes on where it stopped."""

from __future__ import annotations

import gzip
import json
import shlex
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, TypeAlias

from peneira_research.corpora.gold_pages import Corpora
from peneira_research.studies.run_meta import RunMeta, commit, without_options

Plan: TypeAlias = Literal["hour", "full"]
# Methods of the scoreboard: all that need no browser
SCOREBOARD = ("auto", "mdr", "mdr-stm", "depta", "dsre", "tps+mdr", "main+mdr", "autorm", "gstm", "xpath-rank")
# Those that need the boxes of elements, and some beside them
RENDERED = ("area", "area+", "xpath-rank", "mdr", "autorm", "auto")


@dataclass(frozen=True, slots=True)
class Run:
    """A command of ``peneira bench`` whose results file is part of the report.

    ``hour``: the sample in the plan of that name, every so many pages; 0 if it is only in the full plan. ``options``:
    those of ``--jobs``, ``--keep``, ``--folder`` that the command takes. ``needs``: a package, without which it runs
    with the arguments ``without``. ``is_whole``: the command takes no sample.
    """

    name: str
    title: str
    arguments: tuple[str, ...]
    hour: int = 0
    options: tuple[str, ...] = ()
    every: int = 1
    needs: str = ""
    without: tuple[str, ...] = ()
    is_whole: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """The words after ``peneira bench``."""
        return (*self.arguments, *(("--every", str(self.every)) if self.every > 1 else ()))

    @property
    def command(self) -> str:
        """The command as a person would type it."""
        return shlex.join(["peneira", "bench", *self.words])

    def sampled(self, plan: Plan, every: int = 1) -> Run | None:
        """Return the run on the sample of a plan, or on every so many pages if these are fewer; None: not planned."""
        own = self.hour if plan == "hour" else 1
        return replace(self, every=1 if self.is_whole else max(own, every)) if own else None

    def possible(self) -> Run:
        """Return the run as it can be carried out with the packages that are installed."""
        is_whole = not self.needs or find_spec(self.needs) is not None
        return self if is_whole else replace(self, arguments=(*self.arguments, *self.without), needs="", without=())

    def has_made(self, meta: RunMeta) -> bool:
        """Return whether results are of this command, on whatever sample, with or without the package."""
        words = sorted(without_options(meta.words, ("--every",)))
        return words in (sorted(self.arguments), sorted((*self.arguments, *self.without)))


def _options(name: str, values: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for value in values for word in (name, value))


_TIMED = ("page", "text", "clean", "content", "item", "wrapper", "extract auto", "cells auto")
_PAGES = ("--jobs", "--keep")
# What documents are compared with comes first, then the product; what only the full plan has is last
RUNS = (
    Run("records", "Scoreboard", ("records", "--no-types", "--peers", *_options("--method", SCOREBOARD)), 2, _PAGES),
    Run(
        "rendered",
        "Scoreboard on rendered pages",
        ("records", "--no-types", "--rendered", *_options("--method", RENDERED)),
        8,
        _PAGES,
    ),
    Run("table2", "Tables 2, 3 and I of the tag path filter", ("table2",), 1),
    Run("margins", "Margin of the tag path filter", ("table2", "--margins"), 1),
    Run("gstm", "Tables 1 to 7 of the G-STM thesis", ("gstm",), 1, _PAGES),
    Run("values", "Tables 8 and 9 of the G-STM thesis: records as sets of values", ("values",), 1),
    Run("area", "Rendering area beside other methods", ("area",), 1, _PAGES),
    Run("ablation", "Rendering area without one step, and its parameters", ("area", "--ablate", "--sweep"), 4, _PAGES),
    Run("survival", "XPaths of the rendering area on other pages", ("area", "--survival", "--styles"), 1, _PAGES),
    Run("matrix", "Every filter with every extractor", ("matrix",), 12, _PAGES),
    Run("edrew", "EDREW by noise and by sites", ("edrew",), 4, _PAGES, needs="torch", without=("--no-model",)),
    Run("paging", "Next and numbered pages", ("paging", "--cost"), 1, ("--jobs",)),
    Run("items", "Items of detail pages", ("items",), 4, ("--jobs",)),
    Run("items-swde", "Items of SWDE", ("items", "--corpus", "swde"), 1, ("--jobs",)),
    Run("join", "Joining", ("join",), 1, is_whole=True),
    Run("lists", "List sites by wrappers", ("wrappers", "--lists"), 4, ("--jobs",)),
    Run("cells", "Cells by wrappers", ("wrappers", "--cells"), 8, ("--jobs",)),
    Run("wrappers", "Detail sites by wrappers of five pages", ("wrappers", "--learning-pages", "5"), 8, ("--jobs",)),
    Run("drift", "Drift and healing", ("wrappers", "--drift"), 16, ("--jobs",)),
    Run("table", "Tables", ("table",), 2, ("--jobs",)),
    Run("text", "Main text beside other extractors", ("text",), 12, _PAGES),
    Run(
        "speed",
        "Cost",
        (
            *("speed", "--max-nodes", "0", "--max-records", "0", "--repeat", "3", "--peers"),
            *_options("--method", SCOREBOARD),
            *_options("--stage", (*_TIMED, *(f"records {name}" for name in SCOREBOARD))),
        ),
        16,
        ("--keep",),
    ),
    Run("export", "Exported wrappers", ("wrappers", "--export", "--max-sites", "2"), 0, ("--jobs",)),
    Run("clean", "Cleaning by folds", ("clean", "--unseen"), is_whole=True),
    Run("records-unseen", "Records on unseen sites", ("records", "--unseen"), 0, _PAGES),
    Run("table-unseen", "Tables on unseen sites", ("table", "--unseen", "--shipped-lists"), 0, ("--jobs",)),
    Run("text-unseen", "Main text on unseen sites", ("text", "--unseen"), 0, _PAGES),
    Run(
        "content",
        "Content by protocol",
        ("content",),
        0,
        ("--jobs",),
        needs="torch",
        without=("--no-edrew",),
        is_whole=True,
    ),
    Run("batch", "Batch runs", ("batch", "--as", "warc", "--kills", "3"), 0, ("--folder",), is_whole=True),
)


@dataclass(frozen=True, slots=True)
class RunFile:
    """The results of a run: what identifies it, and its document."""

    meta: RunMeta
    document: dict[str, Any]


def run_path(folder: Path, run: Run) -> Path:
    """Return the results file of a run."""
    return folder / f"{run.name}.json"


def done(folder: Path, run: Run) -> RunFile | None:
    """Return the results of a run that are in the folder; None where there are none, broken ones or those of another.

    A file that ``peneira bench ... -o`` wrote outside of the report counts if its command is that of the run. Where
    there is none, the file may be packed by gzip, as those behind the published page are.
    """
    path = run_path(folder, run)
    packed = path.with_suffix(".json.gz")
    try:
        saved = json.loads(path.read_bytes() if path.exists() else gzip.decompress(packed.read_bytes()))
        known = RunMeta.__dataclass_fields__
        meta = RunMeta(**{name: value for name, value in saved["meta"].items() if name in known})
        return RunFile(meta, saved) if meta.date and run.has_made(meta) else None
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError):
        return None


def is_current(found: RunFile) -> bool:
    """Return whether the results are of the code as it is."""
    return found.meta.commit == commit() and not found.meta.commit.endswith("+")


def carry_out(folder: Path, run: Run, corpora: Corpora, jobs: int, on_line: Callable[[str], None]) -> str | None:
    """Run a command in a process of its own; return the last line that it says, if it fails.

    On a terminal the command shows its own progress, elsewhere ``on_line`` is called with its lines.
    """
    folder.mkdir(parents=True, exist_ok=True)
    part, kept = folder / f"{run.name}.part", folder / f"{run.name}.kept"
    values = {"--jobs": str(jobs), "--keep": str(kept), "--folder": str(folder / run.name)}
    words = [sys.executable, "-m", "peneira", "bench", *run.words, "--corpora", str(corpora.root), "-o", str(part)]
    words += [word for option in run.options for word in (option, values[option])]
    last = f"{run.name} wrote no results"
    said = None if sys.stderr.isatty() else subprocess.PIPE
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=said, text=True) as process:
        for line in process.stderr or ():
            on_line(line.rstrip())
            last = line.strip() or last
    if process.returncode or not part.exists():
        return last
    part.replace(run_path(folder, run))
    kept.unlink(missing_ok=True)
    return None
