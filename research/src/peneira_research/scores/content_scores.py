"""How well content is told from noise: over texts (SWDE), and over elements (modern pages: values of several texts)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peneira_research.corpora.content_pages import Example
from peneira_research.corpora.gold_texts import GOLD, NOISE, element_labels

Numbers = NDArray[np.float64]
Judged = Sequence[tuple[Example, Numbers]]


@dataclass(frozen=True, slots=True)
class Counted:
    """Right and wrong answers about gold (kept or lost) and noise (kept or not)."""

    gold_kept: int = 0
    gold_lost: int = 0
    noise_kept: int = 0
    noise_lost: int = 0

    def __add__(self, other: Counted) -> Counted:
        return Counted(
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
    counted: Counted
    kept: float
    auc: float
    kept_at_90: float

    def figures(self) -> dict[str, float]:
        """Return the figures by name."""
        one = self.counted
        return {
            "pages": self.pages, "auc": self.auc, "gold_kept": one.recall, "texts_kept": self.kept,
            "texts_at_90": self.kept_at_90,
            "precision": one.precision, "recall": one.recall, "f1": one.f1, "macro_f1": one.macro_f1,
            "weighted_f1": one.weighted_f1,
        }  # fmt: skip


def text_score(judged: Judged, threshold: float) -> TextScore:
    """Return the scores over texts, all pages taken together."""
    labels = np.concatenate([example.gold.labels for example, _ in judged])
    chance = np.concatenate([those for _, those in judged])
    kept = chance >= threshold
    return TextScore(
        len(judged), counted(labels, kept), float(kept.mean()), area(labels, chance), kept_for(labels, chance, 0.9)
    )


def kept_for(labels: NDArray[np.int8], chance: Numbers, share: float) -> float:
    """Return the share of texts that are kept where the threshold just keeps such a share of the gold."""
    gold = np.sort(chance[labels == GOLD])
    if not len(gold):
        return float("nan")
    return float((chance >= gold[int((1 - share) * len(gold))]).mean())


def counted(labels: NDArray[np.int8], kept: NDArray[np.bool_]) -> Counted:
    """Return the counts; what has no label does not count."""
    gold, noise = labels == GOLD, labels == NOISE
    pairs = ((gold, kept), (gold, ~kept), (noise, kept), (noise, ~kept))
    return Counted(*(int((which & how).sum()) for which, how in pairs))


def area(labels: NDArray[np.int8], chance: Numbers) -> float:
    """Return the area under the ROC curve: how often a gold text is ahead of a noise text; a tie counts half."""
    used = labels >= 0
    values, place = np.unique(chance[used], return_inverse=True)
    gold = np.bincount(place, labels[used] == GOLD, len(values))
    noise = np.bincount(place, labels[used] == NOISE, len(values))
    below = np.cumsum(noise) - noise
    pairs = float(gold.sum() * noise.sum())
    return float((gold * (below + noise / 2)).sum() / pairs) if pairs else float("nan")


@dataclass(frozen=True, slots=True)
class ElementScore:
    """Scores over elements: the mean F1 over sites, and all pages taken together."""

    pages: int
    sites: int
    f1_by_site: float
    counted: Counted

    def figures(self) -> dict[str, float]:
        """Return the figures by name."""
        one = self.counted
        return {
            "pages": self.pages, "sites": self.sites, "f1_by_site": self.f1_by_site, "precision": one.precision,
            "recall": one.recall, "f1": one.f1,
        }  # fmt: skip


def element_score(judged: Judged, threshold: float) -> ElementScore:
    """Return the scores over elements; a site's F1 is the mean of its pages'."""
    by_site: Mapping[str, list[float]] = defaultdict(list)
    total = Counted()
    for example, chance in judged:
        one = _elements_counted(example, chance, threshold)
        by_site[example.site].append(one.f1)
        total += one
    means = [sum(those) / len(those) for those in by_site.values()]
    return ElementScore(len(judged), len(means), sum(means) / max(len(means), 1), total)


def _elements_counted(example: Example, chance: Numbers, threshold: float) -> Counted:
    """Return the counts of a page. An element's chance is the mean of its texts', longer ones counting more.

    A value that the page says several times counts once: it is kept if one of the elements it fills is.
    """
    elements, lengths = example.elements, example.lengths
    labels = element_labels(example.gold, elements, lengths)
    kept = np.bincount(elements, lengths * chance) / np.bincount(elements, lengths) >= threshold
    found = [bool(kept[elements[list(those)]].any()) for those in example.gold.repeated]
    return counted(labels, kept) + Counted(gold_kept=sum(found), gold_lost=len(found) - sum(found))
