"""The command as a process of its own: Scrapy's reactor runs once in a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TIMEOUT_S = 300


def command(*args: str | Path) -> list[str]:
    return [sys.executable, "-m", "peneira", *map(str, args)]


def run(*args: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command and return what came of it."""
    return subprocess.run(command(*args), cwd=cwd, capture_output=True, text=True, timeout=TIMEOUT_S)


def start(*args: str | Path, cwd: Path | None = None) -> subprocess.Popen[bytes]:
    """Start the command; who starts it ends it."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(
        command(*args), cwd=cwd, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
