"""A whole training of the thesis's model, from examples to weights, with a progress bar on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from peneira.texts.edrew import LanguageModel
from peneira_research.corpora.content_pages import Example
from peneira_research.reports.report import console
from peneira_research.studies.content_protocols import Paths
from peneira_research.training.edrew_training import (
    DEFAULT_SETTINGS,
    Settings,
    train_classifier,
    train_language_model,
    with_classifier,
)


def train_edrew(
    chosen: Sequence[Example], settings: Settings = DEFAULT_SETTINGS, *, checkpoint: Path | None = None
) -> tuple[LanguageModel, list[float], list[float]]:
    """Return the model, and the losses of the language model and of the classifier after each epoch."""
    distinct = sorted({path for example in chosen for path in example.paths})
    with _Progress(settings) as progress:
        language, losses = train_language_model(distinct, settings, checkpoint=checkpoint, tell=progress.tell)
    paths = Paths(chosen, language)
    classifier, classifier_losses = train_classifier(paths.embedded, *paths.weights(chosen), settings)
    return with_classifier(language, classifier), losses, classifier_losses


class _Progress:
    """A progress bar on a terminal; elsewhere a line per epoch."""

    def __init__(self, settings: Settings) -> None:
        self.epochs = settings.epochs
        self.shown = console(sys.stderr)
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("loss {task.fields[loss]:.3f}"))
        self.bar = Progress(*columns, TimeRemainingColumn(), console=self.shown, disable=not self.shown.is_terminal)
        self.task = self.bar.add_task("language model", total=None, loss=0.0)

    def __enter__(self) -> _Progress:
        self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.stop()

    def tell(self, done: int, total: int, loss: float) -> None:
        """Show the batches done, those in all, and the loss of the epoch so far."""
        self.bar.update(self.task, completed=done, total=total, loss=loss)
        epoch, rest = divmod(done * self.epochs, total)
        if not rest and not self.shown.is_terminal:
            self.shown.print(f"epoch {epoch} of {self.epochs}: loss {loss:.3f}")
