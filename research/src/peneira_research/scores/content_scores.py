"""How well content is separated from noise: over texts (SWDE), and over elements (modern pages)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peneira_research.corpora.content_examples import ContentExample
from peneira_research.corpora.gold_texts import GOLD, NOISE, element_labels

Numbers = NDArray[np.float64]
# Examples with the predicted probability of each text to be content
Predictions = Sequence[tuple[ContentExample, Numbers]]


@dataclass(frozen=True, slots=True)
class Confusion:
    """The confusion matrix of gold and noise, kept or lost."""

    gold_kept: int = 0
    gold_lost: int = 0
    noise_kept: int = 0
    noise_lost: int = 0

    def __add__(self, other: Confusion) -> Confusion:
        return Confusion(
            self.gold_kept + other.gold_kept,
            self.gold_lost + other.gold_lost,
            self.noise_kept + other.noise_kept,
            self.noise_lost + other.noise_lost,
        )

    @property
    def precision(self) -> float:
        return self.gold_kept / max(self.gold_kept + self.noise_kept, 1)

    @property
    def recall(self) -> float:
        return self.gold_kept / max(self.gold_kept + self.gold_lost, 1)

    @property
    def f1(self) -> float:
        return _f1(self.gold_kept, self.noise_kept, self.gold_lost)

    @property
    def noise_f1(self) -> float:
        return _f1(self.noise_lost, self.gold_lost, self.noise_kept)

    @property
    def macro_f1(self) -> float:
        return (self.f1 + self.noise_f1) / 2

    @property
    def weighted_f1(self) -> float:
        gold, noise = self.gold_kept + self.gold_lost, self.noise_kept + self.noise_lost
        return (gold * self.f1 + noise * self.noise_f1) / max(gold + noise, 1)


def _f1(right: int, wrong: int, missed: int) -> float:
    return 2 * right / max(2 * right + wrong + missed, 1)


@dataclass(frozen=True, slots=True)
class TextScore:
    """Scores over the texts of many pages: ``kept`` is the share of texts kept, ``auc`` the area under ROC.

    ``kept_at_90`` is the share of texts kept by the threshold that keeps nine tenths of the gold.
    """

    pages: int
    confusion: Confusion
    kept: float
    auc: float
    kept_at_90: float

    def metrics(self) -> dict[str, float]:
        """Return the metrics by name."""
        confusion = self.confusion
        return {
            "pages": self.pages, "auc": self.auc, "gold_kept": confusion.recall, "texts_kept": self.kept,
            "texts_at_90": self.kept_at_90,
            "precision": confusion.precision, "recall": confusion.recall, "f1": confusion.f1,
            "macro_f1": confusion.macro_f1, "weighted_f1": confusion.weighted_f1,
        }  # fmt: skip


def text_score(predictions: Predictions, threshold: float) -> TextScore:
    """Return the scores over texts, all pages taken together."""
    labels = np.concatenate([example.gold.labels for example, _ in predictions])
    probabilities = np.concatenate([of_page for _, of_page in predictions])
    kept = probabilities >= threshold
    return TextScore(
        len(predictions),
        confusion(labels, kept),
        float(kept.mean()),
        roc_auc(labels, probabilities),
        kept_at_recall(labels, probabilities, 0.9),
    )


def kept_at_recall(labels: NDArray[np.int8], probabilities: Numbers, recall: float) -> float:
    """Return the share of texts kept by the highest threshold that keeps this share of the gold."""
    gold = np.sort(probabilities[labels == GOLD])
    if not len(gold):
        return float("nan")
    return float((probabilities >= gold[int((1 - recall) * len(gold))]).mean())


def confusion(labels: NDArray[np.int8], kept: NDArray[np.bool_]) -> Confusion:
    """Return the confusion matrix; texts without a label are left out."""
    gold, noise = labels == GOLD, labels == NOISE
    pairs = ((gold, kept), (gold, ~kept), (noise, kept), (noise, ~kept))
    return Confusion(*(int((label & outcome).sum()) for label, outcome in pairs))


def roc_auc(labels: NDArray[np.int8], probabilities: Numbers) -> float:
    """Return the area under the ROC curve: how often gold has a higher probability than noise; a tie counts half."""
    used = labels >= 0
    values, index = np.unique(probabilities[used], return_inverse=True)
    gold = np.bincount(index, labels[used] == GOLD, len(values))
    noise = np.bincount(index, labels[used] == NOISE, len(values))
    below = np.cumsum(noise) - noise
    pairs = float(gold.sum() * noise.sum())
    return float((gold * (below + noise / 2)).sum() / pairs) if pairs else float("nan")


@dataclass(frozen=True, slots=True)
class ElementScore:
    """Scores over elements: the mean F1 over sites, and all pages taken together."""

    pages: int
    sites: int
    f1_by_site: float
    confusion: Confusion

    def metrics(self) -> dict[str, float]:
        """Return the metrics by name."""
        confusion = self.confusion
        return {
            "pages": self.pages, "sites": self.sites, "f1_by_site": self.f1_by_site, "precision": confusion.precision,
            "recall": confusion.recall, "f1": confusion.f1,
        }  # fmt: skip


def element_score(predictions: Predictions, threshold: float) -> ElementScore:
    """Return the scores over elements; a site's F1 is the mean of its pages'."""
    by_site: Mapping[str, list[float]] = defaultdict(list)
    total = Confusion()
    for example, probabilities in predictions:
        of_page = _element_confusion(example, probabilities, threshold)
        by_site[example.site].append(of_page.f1)
        total += of_page
    means = [sum(f1) / len(f1) for f1 in by_site.values()]
    return ElementScore(len(predictions), len(means), sum(means) / max(len(means), 1), total)


def _element_confusion(example: ContentExample, probabilities: Numbers, threshold: float) -> Confusion:
    """Return the confusion matrix of a page. An element's probability is the mean of its texts' weighted by length.

    A value that the page repeats counts once: it is kept if one of the elements that it fills is.
    """
    elements, lengths = example.element_ids, example.lengths
    labels = element_labels(example.gold, elements, lengths)
    kept = np.bincount(elements, lengths * probabilities) / np.bincount(elements, lengths) >= threshold
    found = [bool(kept[elements[list(texts)]].any()) for texts in example.gold.repeated]
    return confusion(labels, kept) + Confusion(gold_kept=sum(found), gold_lost=len(found) - sum(found))
