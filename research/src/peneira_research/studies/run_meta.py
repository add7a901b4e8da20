"""What a results file says about the run that made it: command, commit, corpora, versions."""

from __future__ import annotations

import platform
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from peneira_research.corpora.gold_pages import Corpora


@dataclass(frozen=True, slots=True)
class RunMeta:
    """The command line without folders, the commit of the code ("+" if files were changed), and a hash per corpus."""

    command: str
    commit: str
    corpora: Mapping[str, str]
    peneira: str
    python: str


def run_meta(corpora: Corpora, names: Sequence[str], command: str | None = None) -> RunMeta:
    """Return what identifies this run; ``command``: what to print in place of the command line of the process."""
    return RunMeta(
        command or command_line(sys.argv),
        commit(),
        {name: corpora.digest(name) for name in names},
        _own_version(),
        platform.python_version(),
    )


def command_line(arguments: Sequence[str]) -> str:
    """Return the command line with folders and files left out, as they say where someone's disk has them."""
    words = [Path(arguments[0]).name, *arguments[1:]] if arguments else []
    return shlex.join(["..." if "/" in word else word for word in words])


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
