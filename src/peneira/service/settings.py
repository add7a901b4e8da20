"""What a service may do on behalf of its callers: which addresses it reaches, how much it reads, where wrappers are."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

from peneira.limits import Limits
from peneira.worker import WorkerLimits

MEBIBYTE = 1024 * 1024


def data_folder() -> Path:
    """Return the folder for data of this user's programs, in the place that the system has for it."""
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "peneira"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "peneira"
    named = os.environ.get("XDG_DATA_HOME", "")
    return (Path(named) if Path(named).is_absolute() else home / ".local" / "share") / "peneira"


def default_library() -> Path:
    """Return the folder of saved wrappers."""
    return data_folder() / "wrappers"


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """The limits of one request and of the whole service. A caller of the service cannot change them.

    ``workers``: pages that are worked on at once; ``fetchers``: pages that are fetched at once; ``max_waiting``:
    requests that may wait for either; ``max_pages``: pages of one request; ``max_together_bytes``: those of pages that
    are looked at together. ``allow_private``: whether callers may name private addresses.
    """

    library: Path = field(default_factory=default_library)
    allow_private: bool = False
    max_bytes: int = 16 * MEBIBYTE
    seconds: float = 30.0
    workers: int = 2
    fetchers: int = 16
    max_waiting: int = 256
    max_pages: int = 200
    max_together_bytes: int = 64 * MEBIBYTE
    worker_bytes: int = 1536 * MEBIBYTE

    @property
    def limits(self) -> Limits:
        """The limits on one page."""
        return Limits(bytes=self.max_bytes, nodes=500_000, seconds=self.seconds)

    @property
    def worker_limits(self) -> WorkerLimits:
        """What the work on one request may take; pages have smaller limits, which give partial results."""
        return WorkerLimits(seconds=2 * self.seconds, memory_bytes=self.worker_bytes)
