"""A whole training of the thesis's model, from examples to weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from peneira.texts.edrew import LanguageModel
from peneira.texts.retps import DEFAULT_VOCABULARY, Vocabulary
from peneira_research.corpora.content_examples import ContentExample
from peneira_research.training.edrew_classifier import train_classifier, with_classifier
from peneira_research.training.edrew_language import OnBatch, train_language_model
from peneira_research.training.edrew_settings import DEFAULT_SETTINGS, EdrewSettings
from peneira_research.training.path_embeddings import PathEmbeddings


def train_edrew(
    examples: Sequence[ContentExample],
    settings: EdrewSettings = DEFAULT_SETTINGS,
    *,
    vocabulary: Vocabulary = DEFAULT_VOCABULARY,
    checkpoint: Path | None = None,
    on_batch: OnBatch | None = None,
) -> tuple[LanguageModel, list[float], list[float]]:
    """Return the model, and the losses of the language model and of the classifier after each epoch.

    ``vocabulary``: the tokens of the examples' paths, which the model keeps for the pages that it will read.
    """
    distinct = sorted({path for example in examples for path in example.paths})
    language, losses = train_language_model(distinct, settings, checkpoint=checkpoint, on_batch=on_batch)
    paths = PathEmbeddings(examples, language)
    classifier, classifier_losses = train_classifier(paths.embedded, *paths.path_weights(examples), settings)
    model = replace(with_classifier(language, classifier), vocabulary=vocabulary)
    return model, losses, classifier_losses
