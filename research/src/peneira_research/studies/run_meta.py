"""What a results file says about the run that made it: command, commit, corpora, versions."""

from __future__ import annotations

import platform
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from pathlib import Path

from peneira.errors import CorpusError
from peneira_research.corpora.gold_pages import Corpora


@dataclass(frozen=True, slots=True)
class RunMeta:
    """The command line without folders, the commit of the code ("+" if files were changed), a hash per corpus, the day.

    The sample is part of the command (``--every`` and the like).
    """

    command: str
    commit: str
    corpora: Mapping[str, str]
    peneira: str
    python: str
    date: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the command after ``peneira bench``, without what changes no result."""
        return without_options(shlex.split(self.command)[2:], EFFECTLESS)

    @property
    def every(self) -> int:
        """The sample: every so many pages, sites or rows; 1 for all."""
        for word, value in pairwise([*shlex.split(self.command), ""]):
            option, has_value, own_value = word.partition("=")
            if option == "--every":
                return int(own_value if has_value else value)
        return 1


def run_meta(corpora: Corpora | None, names: Sequence[str]) -> RunMeta:
    """Return what identifies this run; corpora that are not in the folder have no hash."""
    known = [name for name in names if _is_here(corpora, name)] if corpora else []
    return RunMeta(
        command_line(sys.argv),
        commit(),
        {name: corpora.digest(name) for name in known} if corpora else {},
        _own_version(),
        platform.python_version(),
        datetime.now(UTC).date().isoformat(),
    )


def _is_here(corpora: Corpora, name: str) -> bool:
    if corpora.archives(name):
        return True
    try:
        return corpora.has(name)
    except CorpusError:  # a folder with archives alone has no index of list pages
        return False


# Options that name a folder or a file, which say where someone's disk has them
FOLDERS = ("--corpora", "--folder", "--keep", "--output", "--snapshots", "-o")
# Options with a value that change no result
EFFECTLESS = ("--jobs", "--worst")


def command_line(arguments: Sequence[str]) -> str:
    """Return the command line without folders and files."""
    words = without_options(arguments[1:], FOLDERS)
    return shlex.join(["peneira", *("..." if "/" in word else word for word in words)])


def without_options(words: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Return the words without these options and their values."""
    kept = []
    is_value = False
    for word in words:
        if not is_value and word.split("=", 1)[0] not in names:
            kept.append(word)
        is_value = not is_value and word in names
    return tuple(kept)


def commit() -> str:
    """Return the commit of the code, with "+" if files were changed since; "unknown" outside of a repository."""
    folder = Path(__file__).parent
    try:
        found = subprocess.run(
            ["git", "rev-parse", "--short=12", "HEAD"], cwd=folder, capture_output=True, text=True, check=True
        ).stdout.strip()
        changed = subprocess.run(
            ["git", "status", "--porcelain", "--untracked-files=no"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{found}+" if changed else found


def _own_version() -> str:
    try:
        return version("peneira")
    except PackageNotFoundError:
        return "not installed"
