"""A whole training of the thesis's model, from examples to weights, with a progress bar on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from peneira.bench.content import Paths
from peneira.bench.content_pages import Example
from peneira.bench.edrew import DEFAULT_SETTINGS, Settings, train_classifier, train_language_model, with_classifier
from peneira.bench.report import console
from peneira.content.language import LanguageModel


def train_edrew(
    chosen: Sequence[Example], settings: Settings = DEFAULT_SETTINGS, *, checkpoint: Path | None = None
) -> tuple[LanguageModel, list[float], list[float]]:
    """Return the model, and the losses of the language model and of the classifier after each epoch."""
    distinct = sorted({path for example in chosen for path in example.paths})
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("loss {task.fields[loss]:.3f}"))
    shown = console(sys.stderr)
    with Progress(*columns, TimeRemainingColumn(), console=shown, disable=not shown.is_terminal) as bar:
        task = bar.add_task(f"{len(distinct)} paths", total=None, loss=0.0)
        language, losses = train_language_model(
            distinct,
            settings,
            checkpoint=checkpoint,
            tell=lambda done, total, loss: bar.update(task, completed=done, total=total, loss=loss),
        )
    paths = Paths(chosen, language)
    classifier, classifier_losses = train_classifier(paths.embedded, *paths.weights(chosen), settings)
    return with_classifier(language, classifier), losses, classifier_losses
