"""The tag paths of content examples as the language model embeds them, and classifiers trained on the embeddings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from peneira.texts.content_model import sigmoid
from peneira.texts.edrew import Entries, Float32Array, LanguageModel
from peneira_research.corpora.content_examples import ContentExample
from peneira_research.corpora.gold_texts import GOLD, NOISE
from peneira_research.training.content_models import page_weights
from peneira_research.training.edrew_classifier import embeddings, train_classifier
from peneira_research.training.edrew_settings import DEFAULT_SETTINGS, EdrewSettings

Numbers = NDArray[np.float64]
# The probability of each text of an example to be content
Probabilities = Callable[[ContentExample], Numbers]
Weights = Callable[[ContentExample], Numbers]


class PathEmbeddings:
    """The tag paths of all examples, embedded once by the language model; classifiers on them are trained as needed.

    The language model has read the paths of all sites, without labels, which gives it an advantage on unseen sites.
    """

    def __init__(self, examples: Sequence[ContentExample], language: LanguageModel) -> None:
        distinct: dict[Entries, int] = {}
        self.paths_of: dict[str, NDArray[np.int64]] = {}
        for example in examples:
            codes = np.array([distinct.setdefault(path, len(distinct)) for path in example.paths], dtype=np.int64)
            self.paths_of[_key(example)] = codes[example.path_ids]
        self.embedded = embeddings(language, list(distinct))
        self.language = language

    def trained(
        self,
        examples: Sequence[ContentExample],
        settings: EdrewSettings = DEFAULT_SETTINGS,
        weights: Weights = page_weights,
    ) -> Probabilities:
        """Return the predictions of a classifier trained on these examples; ``weights`` gives those of their texts."""
        classifier, _ = train_classifier(self.embedded, *self.path_weights(examples, weights), settings)
        scores = classified(self.embedded, classifier)
        return lambda example: scores[self.paths_of[_key(example)]]

    def upper_bound(self, examples: Sequence[ContentExample]) -> Probabilities:
        """Return for each text the share of gold among the texts of its path: the best that a path can predict."""
        gold, noise = self.path_weights(examples, lambda example: np.ones(len(example.lengths)))
        share = gold / np.maximum(gold + noise, 1)
        return lambda example: share[self.paths_of[_key(example)]]

    def path_weights(
        self, examples: Sequence[ContentExample], weights: Weights = page_weights
    ) -> tuple[Numbers, Numbers]:
        """Return per path the total weight of its gold texts and of its noise texts."""
        gold, noise = np.zeros(len(self.embedded)), np.zeros(len(self.embedded))
        for example in examples:
            weight, codes = weights(example), self.paths_of[_key(example)]
            np.add.at(gold, codes, weight * (example.gold.labels == GOLD))
            np.add.at(noise, codes, weight * (example.gold.labels == NOISE))
        return gold, noise


def classified(embedded: Float32Array, classifier: Mapping[str, Float32Array]) -> Numbers:
    """Return the probabilities of embedded paths."""
    hidden = np.maximum(embedded @ classifier["dense_weight"].T + classifier["dense_bias"], 0)
    return sigmoid((hidden @ classifier["output_weight"].T + classifier["output_bias"])[:, 0].astype(np.float64))


def _key(example: ContentExample) -> str:
    return f"{example.corpus}/{example.group}/{example.site}/{example.id}"
