"""How far the training of a language model is: a progress bar on a terminal, elsewhere a line per epoch."""

from __future__ import annotations

import sys

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from peneira_research.reports.console import console


class TrainingProgress:
    """A progress bar on a terminal; elsewhere a line per epoch."""

    def __init__(self, epochs: int) -> None:
        self.epochs = epochs
        self.console = console(sys.stderr)
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("loss {task.fields[loss]:.3f}"))
        is_terminal = self.console.is_terminal
        self.bar = Progress(*columns, TimeRemainingColumn(), console=self.console, disable=not is_terminal)
        self.task = self.bar.add_task("language model", total=None, loss=0.0)

    def __enter__(self) -> TrainingProgress:
        self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.stop()

    def update(self, done: int, total: int, loss: float) -> None:
        """Show the batches done of all, and the mean loss of the epoch so far."""
        self.bar.update(self.task, completed=done, total=total, loss=loss)
        epoch, rest = divmod(done * self.epochs, total)
        if not rest and not self.console.is_terminal:
            self.console.print(f"epoch {epoch} of {self.epochs}: loss {loss:.3f}")
