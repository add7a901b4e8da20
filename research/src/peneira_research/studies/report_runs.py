"""The runs behind ``peneira bench report``: one results file each, so that a report goes on where it stopped."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from peneira.errors import CorpusError
from peneira.files import text_file
from peneira_research.corpora.gold_pages import Corpora
from peneira_research.studies.area_study import CORPORA as AREA_CORPORA
from peneira_research.studies.run_meta import RunMeta, commit, run_meta

FORMAT = "peneira-bench-run"
VERSION = 1
# Methods of the scoreboard: all that need no browser
SCOREBOARD = ("auto", "mdr", "mdr-stm", "depta", "dsre", "tps+mdr", "main+mdr", "autorm", "gstm", "xpath-rank")

GSTM_CORPORA = ("yamada", "zhao1", "zhao3", "exalg", "clustvx", "modern", "alvarez", "modern2")


@dataclass(frozen=True, slots=True)
class Run:
    """A command of ``peneira bench`` whose JSON document is part of the report.

    ``corpora``: those that it reads, all of list pages where none is named; ``has_jobs``: it takes ``--jobs``;
    ``every``: it takes every so many pages; ``needs``: a package, without which it runs with the arguments ``without``.
    """

    name: str
    title: str
    arguments: tuple[str, ...]
    corpora: tuple[str, ...] = ()
    has_jobs: bool = False
    every: int = 1
    needs: str = ""
    without: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The words after ``peneira bench``."""
        return (*self.arguments, *(("--every", str(self.every)) if self.every > 1 else ()))

    @property
    def command(self) -> str:
        """The command as a person would type it."""
        words = [f'"{word}"' if " " in word else word for word in self.words]
        return f"peneira bench {' '.join(words)}"

    def sampled(self, every: int) -> Run:
        """Return the run on every so many pages, if that is a smaller sample than its own."""
        return replace(self, every=max(self.every, every))

    def possible(self) -> Run:
        """Return the run as it can be carried out with the packages that are installed."""
        is_whole = not self.needs or find_spec(self.needs) is not None
        return self if is_whole else replace(self, arguments=(*self.arguments, *self.without), needs="", without=())


def _methods(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for name in names for word in ("--method", name))


# What documents are compared with comes first, what takes longest last
RUNS = (
    Run("records", "Scoreboard", ("records", "--no-types", *_methods(SCOREBOARD)), has_jobs=True),
    Run("table2", "Tables 2, 3 and I of the tag path filter", ("table2",), ("tpsf",)),
    Run("area", "Rendering area beside other methods", ("area",), AREA_CORPORA, has_jobs=True),
    Run("survival", "XPaths of the rendering area on other pages", ("area", "--survival", "--styles"), has_jobs=True),
    Run("edrew", "EDREW by noise and by sites", ("edrew",), ("swde",), True, 4, "torch", ("--no-model",)),
    Run("gstm", "Tables 1 to 7 of the G-STM thesis", ("gstm", "--aligned-every", "4"), GSTM_CORPORA, has_jobs=True),
    Run("values", "Tables 8 and 9 of the G-STM thesis: records as sets of values", ("values",), ("modern",)),
    Run("margins", "Margin of the tag path filter", ("table2", "--margins"), ("tpsf",)),
    Run("ablation", "Rendering area without one step", ("area", "--ablate"), AREA_CORPORA, has_jobs=True),
    Run("text", "Main text beside other extractors", ("text",), ("wcxb",), has_jobs=True, every=12),
    Run(
        "speed",
        "Cost",
        ("speed", "--max-nodes", "0", "--max-records", "0", "--repeat", "3", *_methods(SCOREBOARD)),
        ("tpsf",),
    ),
    Run("matrix", "Every filter with every extractor", ("matrix",), has_jobs=True, every=16),
)


@dataclass(frozen=True, slots=True)
class RunFile:
    """The results of a run: what identifies it, when it was done, its document, and of what sample it is."""

    meta: RunMeta
    date: str
    document: dict[str, Any]
    every: int = 1


def run_path(folder: Path, run: Run) -> Path:
    """Return the results file of a run."""
    return folder / f"{run.name}.json"


def done(folder: Path, run: Run) -> RunFile | None:
    """Return the results of a run that is in the folder; None where there is none, or a broken one."""
    try:
        saved = json.loads(run_path(folder, run).read_text(encoding="utf-8"))
        if (saved["format"], saved["version"]) != (FORMAT, VERSION):
            return None
        return RunFile(RunMeta(**saved["meta"]), saved["date"], saved["document"], saved.get("every", run.every))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def is_current(found: RunFile) -> bool:
    """Return whether the results are of the code as it is."""
    return found.meta.commit == commit() and not found.meta.commit.endswith("+")


def carry_out(folder: Path, run: Run, corpora: Corpora, jobs: int) -> str | None:
    """Run a command in a process of its own and save its document; return the last line of its error, if it fails.

    On a terminal the command shows its own progress.
    """
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f"{run.name}.part"
    words = [sys.executable, "-m", "peneira", "bench", *run.words, "--corpora", str(corpora.root), "-o", str(part)]
    words += ["--jobs", str(jobs)] if run.has_jobs else []
    shown = None if sys.stderr.isatty() else subprocess.PIPE
    finished = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=shown, text=True, check=False)
    if finished.returncode:
        return ((finished.stderr or "").strip().splitlines() or [f"exit code {finished.returncode}"])[-1]
    save(folder, run, corpora, json.loads(part.read_text(encoding="utf-8")))
    part.unlink()
    return None


def save(folder: Path, run: Run, corpora: Corpora, document: dict[str, Any]) -> None:
    """Write the results file of a run."""
    names = _known(corpora, run.corpora or corpora.all_names)
    saved = {
        "format": FORMAT,
        "version": VERSION,
        "meta": asdict(run_meta(corpora, names, run.command)),
        "date": datetime.now(UTC).date().isoformat(),
        "every": run.every,
        "document": document,
    }
    with text_file(run_path(folder, run)) as file:
        file.write(json.dumps(saved, ensure_ascii=False) + "\n")


def _known(corpora: Corpora, names: tuple[str, ...]) -> list[str]:
    """Return the corpora that are in the folder."""
    found = [name for name in names if name in corpora.all_names or corpora.archives(name)]
    if not found:
        raise CorpusError(f"{corpora.root}: has none of {', '.join(names)}")
    return found
