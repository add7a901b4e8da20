"""How a run goes on, for whoever watches it: a bar on a terminal, a line of JSON per minute in a log."""

from __future__ import annotations

import json
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

from peneira.batch.inputs import PageInputs
from peneira.batch.run import STATUSES, Summary
from peneira.cli.messages import say

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

LINE_EVERY_S = 60.0
_BAR_EVERY_S = 0.2


class ProgressLines:
    """Says a line of JSON on standard error once a minute: pages by status, pages per second, seconds left."""

    def __init__(self, *, every_s: float = LINE_EVERY_S) -> None:
        self._every_s = every_s
        self._start = self._next = time.monotonic()
        self._next += every_s
        self._total_bytes: int | None = None

    def __enter__(self) -> ProgressLines:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def update(self, summary: Summary, inputs: PageInputs) -> None:
        """Say or show how the run goes on, if it is time to."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + self._every_s
        if self._total_bytes is None:
            self._total_bytes = inputs.total_bytes()
        seconds = max(now - self._start, 1e-9)
        share = inputs.share_read(self._total_bytes)
        self._show(summary, (summary.pages - summary.resumed) / seconds, share, seconds)

    def _show(self, summary: Summary, rate: float, share: float, seconds: float) -> None:
        left = round(seconds * (1 - share) / share) if share else None
        counts = {status: summary.statuses[status] for status in STATUSES}
        line = {"pages": summary.pages, **counts, "rows": summary.rows}
        say(json.dumps({**line, "pages_per_second": round(rate, 2), "seconds_left": left}))


class ProgressBar(ProgressLines):
    """Shows a bar with pages per second, failures and the time left."""

    def __init__(self) -> None:
        super().__init__(every_s=_BAR_EVERY_S)
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
        self._progress: Progress = Progress(*columns, console=Console(file=sys.stderr), transient=True)
        self._task: TaskID = self._progress.add_task("starting", total=1.0)

    def __enter__(self) -> ProgressBar:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def _show(self, summary: Summary, rate: float, share: float, seconds: float) -> None:
        words = f"{summary.pages:,} pages, {rate:.1f}/s, {summary.statuses['failed']:,} failed"
        self._progress.update(self._task, completed=share, description=words)


def progress() -> ProgressLines:
    """Return what suits standard error."""
    return ProgressBar() if sys.stderr is not None and sys.stderr.isatty() else ProgressLines()
