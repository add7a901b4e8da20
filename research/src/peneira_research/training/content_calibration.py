"""Calibrates the content models on sites that they have not seen, and chooses the threshold from which a text is kept.

The curves are fitted on the modern pages and on the user's own labels, where most of what is content is gold. SWDE
labels three to five values of a page and has no say there; its values count when the threshold is chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peneira.texts.content_calibration import ContentCalibration, Curve
from peneira_research.corpora.content_examples import ContentExample
from peneira_research.corpora.gold_texts import GOLD
from peneira_research.scores.content_scores import Predictions, element_score, text_score
from peneira_research.training.content_models import (
    FOLDS,
    example_probabilities,
    site_folds,
    train_page_model,
    train_site_model,
)

Numbers = NDArray[np.float64]

# Steps of equal weight in all texts and in gold that shares are measured in before the curve is made to rise
STEPS = 200
DIGITS = 4
# How many pages of its site the second model sees when it is calibrated
SITE_PAGES = 2
# The corpus whose gold is a small part of the content
PARTLY_LABELLED = "swde"
THRESHOLDS = tuple(k / 100 for k in range(1, 81))


@dataclass(frozen=True, slots=True)
class UnseenPredictions:
    """What models say of the pages of sites that they have not seen, page by page, and the fold of each page."""

    page: Predictions
    site: Predictions
    folds: Mapping[tuple[str, str], int]

    def without(self, fold: int) -> UnseenPredictions:
        """Return the predictions of the other folds."""
        return UnseenPredictions(self._other(self.page, fold), self._other(self.site, fold), self.folds)

    def _other(self, predictions: Predictions, fold: int) -> Predictions:
        return [pair for pair in predictions if self.folds[pair[0].corpus, pair[0].site] != fold]


def unseen_predictions(examples: Sequence[ContentExample]) -> UnseenPredictions | None:
    """Return what models trained without the fold of a page say of it; None if there are fewer sites than folds."""
    folds = site_folds(examples)
    if len(set(folds.values())) < FOLDS:
        return None
    page: list[tuple[ContentExample, Numbers]] = []
    site: list[tuple[ContentExample, Numbers]] = []
    for fold in range(FOLDS):
        train = [e for e in examples if folds[e.corpus, e.site] != fold]
        held_out = [e for e in examples if folds[e.corpus, e.site] == fold]
        page_model = train_page_model(train)
        page += [(e, example_probabilities(e, page_model)) for e in held_out]
        if any(e.site_features for e in train):
            site_model = train_site_model(train)
            site += [(e, example_probabilities(e, site_model, SITE_PAGES)) for e in held_out if e.site_features]
    return UnseenPredictions(page, site, folds)


def calibrated(unseen: UnseenPredictions) -> ContentCalibration:
    """Return the curves of both models and the one threshold for both corpora."""
    page = fitted_curve(unseen.page)
    site = fitted_curve(unseen.site) if unseen.site else Curve()
    return ContentCalibration(page, site, best_threshold([(e, page(scores)) for e, scores in unseen.page]))


def fitted_curve(predictions: Predictions) -> Curve:
    """Return the rising curve through the shares of gold, by pooling neighbours that fall (Ayer et al. 1955)."""
    whole = [pair for pair in predictions if pair[0].corpus != PARTLY_LABELLED]
    scores, gold, weights = _labelled(whole or predictions)
    order = np.argsort(scores, kind="stable")
    scores, gold, weights = scores[order], gold[order], weights[order]
    # most texts are clearly noise: steps of equal weight in gold as well, so that the upper end is as fine
    shares = (np.cumsum(weights) / weights.sum(), np.cumsum(weights * gold) / max(float((weights * gold).sum()), 1e-12))
    all_steps, gold_steps = (np.minimum(share * STEPS, STEPS - 1).astype(np.int64) for share in shares)
    _, step = np.unique(all_steps + gold_steps, return_inverse=True)
    totals = np.asarray(np.bincount(step, weights), dtype=np.float64)
    blocks = _pooled(np.bincount(step, weights * scores) / totals, np.bincount(step, weights * gold) / totals, totals)
    inside = [(round(score, DIGITS), round(share, DIGITS)) for score, share in blocks]
    knots = dict([(0.0, inside[0][1]), *inside, (1.0, inside[-1][1])])
    return Curve(tuple(knots), tuple(knots.values()))


def _pooled(scores: Numbers, shares: Numbers, weights: Numbers) -> list[tuple[float, float]]:
    """Return mean score and share of each block of neighbours, joined until the shares rise."""
    blocks: list[tuple[float, float, float]] = []
    for score, share, weight in zip(scores.tolist(), shares.tolist(), weights.tolist(), strict=True):
        own = (score, share, weight)
        while blocks and blocks[-1][1] >= own[1]:
            before = blocks.pop()
            total = before[2] + own[2]
            own = (
                (before[0] * before[2] + own[0] * own[2]) / total,
                (before[1] * before[2] + own[1] * own[2]) / total,
                total,
            )
        blocks.append(own)
    return [(score, share) for score, share, _ in blocks]


def _labelled(predictions: Predictions) -> tuple[Numbers, Numbers, Numbers]:
    """Return score, label and weight of each text that has a label; each corpus has the same weight in all."""
    scores, gold, weights = [], [], []
    for corpus in dict.fromkeys(example.corpus for example, _ in predictions):
        own = [(example.gold.labels, found) for example, found in predictions if example.corpus == corpus]
        labels = np.concatenate([of_page for of_page, _ in own])
        found = np.concatenate([of_page for _, of_page in own])
        used = labels >= 0
        scores.append(found[used])
        gold.append((labels[used] == GOLD).astype(np.float64))
        weights.append(np.full(int(used.sum()), 1.0 / max(int(used.sum()), 1)))
    return np.concatenate(scores), np.concatenate(gold), np.concatenate(weights)


def best_threshold(predictions: Predictions) -> float:
    """Return the threshold that is best for both corpora together.

    For modern pages the F1 of elements counts, as their gold is nearly whole; for SWDE, which labels few of the
    contents, the share of the gold kept above the share of all texts kept.
    """
    return max(THRESHOLDS, key=lambda threshold: round(_joint_score(predictions, threshold), 6))


def _joint_score(predictions: Predictions, threshold: float) -> float:
    swde = [pair for pair in predictions if pair[0].corpus == PARTLY_LABELLED]
    others = [pair for pair in predictions if pair[0].corpus != PARTLY_LABELLED]
    total = 0.0
    if swde:
        score = text_score(swde, threshold)
        total += score.confusion.recall - score.kept
    if others:
        total += element_score(others, threshold).f1_by_site
    return total


@dataclass(frozen=True, slots=True)
class ReliabilityBand:
    """Texts whose stated probability is in a band: how many, their mean probability, and the share that is gold."""

    corpus: str
    low: float
    high: float
    texts: int
    stated: float
    gold: float


BANDS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)


def reliability(unseen: UnseenPredictions) -> Iterator[ReliabilityBand]:
    """Yield how true calibrated probabilities are, by corpus.

    The curve of a page is fitted on the folds of other sites.
    """
    stated: list[tuple[ContentExample, Numbers]] = []
    for fold in range(FOLDS):
        curve = fitted_curve(unseen.without(fold).page)
        stated += [(e, curve(s)) for e, s in unseen.page if unseen.folds[e.corpus, e.site] == fold]
    for corpus in dict.fromkeys(example.corpus for example, _ in stated):
        scores, gold, weights = _labelled([pair for pair in stated if pair[0].corpus == corpus])
        band = np.minimum(np.searchsorted(BANDS, scores, side="right") - 1, len(BANDS) - 2)
        for k in range(len(BANDS) - 1):
            own = band == k
            total = weights[own].sum()
            if total:
                means = [float((values[own] * weights[own]).sum() / total) for values in (scores, gold)]
                yield ReliabilityBand(corpus, BANDS[k], BANDS[k + 1], int(own.sum()), *means)
