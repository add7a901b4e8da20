"""Which candidate is the main list of the page: screening, ranking, page type, confidence, each by a learned forest.

*Screening* scores every candidate by its own features. The best of them, the finalists, are scored again with features
that compare them with each other: *quality* is the expected record score, about 0..1, as that of screening; *ranking*
only orders the finalists of one page and has no scale. Which part of the page is the main list is decided by quality,
how that list is cut by ranking and quality together: one cut is compared with another of the same records much more
often than one list with another, so ranking learns little of the latter. The *type* of the page comes from what it
declares and how its text is made up, with the features of the best list. The *confidence* in a list is the probability
that the page has a main list, that it is this one, and that it is cut into the right records (a record score of 0.9 or
more).
``peneira train records`` trains the forests.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers, table_of
from peneira.lists import relations
from peneira.lists.box_features import with_box_features
from peneira.lists.candidates import Candidates, find_candidates, kernel
from peneira.lists.false_lists import is_false
from peneira.lists.features import CandidateFeatures, FeatureMatrix, FeatureTable
from peneira.lists.page_features import PageFeatures
from peneira.lists.page_type_features import page_type_features
from peneira.ml.forest import Forest, has_forest, read_forest
from peneira.ml.running_sums import RunningSums
from peneira.page import Page
from peneira.result import PAGE_TYPES, PageType

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]

# not importlib.resources, which imports tempfile, shutil and lzma
MODELS = Path(__file__).with_name("models")
MODEL_NAMES = ("screening", "ranking", "quality", "confidence", "members")
# A forest for each type of page, named by it
PAGE_TYPE_MODEL = "page_type_{}"
CALIBRATION = "calibration.json"
# The models that replace the others on rendered pages
RENDERED_MODELS = {name: f"rendered_{name}" for name in ("ranking", "quality", "confidence")}
# How many of the screened candidates are compared with each other
FINALISTS = 30
# Weight of quality beside ranking: scores of the ranking deviate by about 1.2 within a page, record scores by .3
QUALITY_WEIGHT = 5.0
# No type of page is ruled out altogether
MIN_TYPE_SCORE = 0.001
# Nor is any list entirely certain
MIN_ODDS = 1e-4
# The row of the list with the highest score
FIRST = np.zeros(1, dtype=np.int64)
# What says that a list is in the frame of the page
FRAME_FEATURES = ("in_nav", "in_footer", "in_frame_role", "outside_main")
# The features of the confidence in a list beside those of its page, its relations and its own
CONFIDENCE_FEATURES = ("final_score", "final_gap", "final_rank", "rival_gap", "quality", "quality_gap")
# The lead of a list without a rival over its rival: more than any list has
NO_RIVAL_GAP = 100.0


@dataclass(frozen=True, slots=True)
class RankingOptions:
    """The thresholds of the rules that correct the forests."""

    # The confidence in what is no list, as paragraphs of prose and pagers, is at most this
    max_false_confidence: float = 0.1
    # A list in the frame of the page, as its footer, is replaced by another in the main part unless its quality is
    # higher by at least this
    min_frame_lead: float = 0.05
    # A list that the page hides is replaced by a visible one of at least this confidence, and this share of its own:
    # a tab or an accordion hides its list too, and what is visible is then a handful of boxes
    min_visible_confidence: float = 0.1
    min_visible_share: float = 0.5
    # A list is hidden if more than this share of its records is
    min_hidden_share: float = 0.5


DEFAULT_OPTIONS = RankingOptions()


@dataclass(frozen=True, slots=True)
class Calibration:
    """A curve that turns products of probabilities into confidence: a straight line between their log odds."""

    scale: float = 1.0
    shift: float = 0.0

    def __call__(self, products: Numbers) -> Numbers:
        clipped = np.minimum(np.maximum(products, MIN_ODDS), 1 - MIN_ODDS)
        log_odds = np.log(clipped / (1 - clipped))
        return np.asarray(1 / (1 + np.exp(-(self.scale * log_odds + self.shift))))


NO_CALIBRATION = Calibration()


@dataclass(frozen=True, slots=True)
class Models:
    """The forests: for screening, ranking, quality, confidence, which members of a list are records, and page types.

    Ranking and quality use the same features, and so do all types of pages.
    """

    screening: Forest
    ranking: Forest
    quality: Forest
    confidence: Forest
    members: Forest
    page_types: Mapping[PageType, Forest]
    calibration: Calibration = NO_CALIBRATION


@cache
def shipped_models(*, rendered: bool = False) -> Models:
    """Return the models that ship with peneira; ``rendered``: those for rendered pages, if there are any."""
    use_rendered = rendered and all(has_forest(MODELS, name) for name in RENDERED_MODELS.values())
    forests = {name: _shipped_forest(RENDERED_MODELS.get(name, name) if use_rendered else name) for name in MODEL_NAMES}
    page_types = {name: _shipped_forest(PAGE_TYPE_MODEL.format(name)) for name in PAGE_TYPES}
    calibration = Calibration(**json.loads((MODELS / CALIBRATION).read_text(encoding="utf-8")))
    return Models(**forests, page_types=page_types, calibration=calibration)


@cache
def _shipped_forest(name: str) -> Forest:
    return read_forest(MODELS, name)


@dataclass(frozen=True, slots=True)
class ScreenedCandidates:
    """All candidates of a page with their features and screening scores."""

    page_features: PageFeatures
    candidates: Candidates
    features: FeatureTable
    scores: Numbers


class Confidences:
    """The confidence in each of some lists, computed when it is asked for: few of them are.

    ``score``: returns the confidence in the lists of some rows.
    """

    def __init__(self, values: Numbers, rows: Integers, score: Callable[[Integers], Numbers]) -> None:
        self._values, self._rows, self._score = values, rows, score

    @classmethod
    def unknown(cls, count: int, score: Callable[[Integers], Numbers]) -> Confidences:
        """Return those of lists of which none is known yet."""
        return cls(np.full(count, np.nan), np.arange(count), score)

    @classmethod
    def known(cls, values: Numbers) -> Confidences:
        """Return confidences that need not be computed."""
        return cls(values, np.arange(len(values)), lambda rows: values[rows])

    def of(self, lists: Sequence[int]) -> Numbers:
        """Return the confidence in some of the lists."""
        wanted = np.array(lists, dtype=np.int64)
        missing = wanted[np.isnan(self._values[wanted])]
        if len(missing):
            self._values[missing] = self._score(self._rows[missing])
        return self._values[wanted]

    def take(self, order: Integers) -> Confidences:
        """Return those of the same lists in another order."""
        return Confidences(self._values[order], self._rows[order], self._score)

    def with_first(self, confidence: float) -> Confidences:
        """Return the same with another confidence in the first list."""
        values = self._values.copy()
        values[0] = confidence
        return Confidences(values, self._rows, self._score)


@dataclass(frozen=True, slots=True)
class RankedCandidates:
    """The finalists, best first: their features by name, scores, quality, confidence, and whether the page hides them.

    The first is the best cut of the list with the highest quality, unless the page hides it.
    ``page_types``: how probable each type of page is; empty where there is nothing to rank.
    """

    candidates: Candidates
    features: Mapping[str, NDArray[np.generic]]
    scores: Numbers
    quality: Numbers
    confidence: Confidences
    hidden: Flags
    page_types: Mapping[PageType, float] = field(default_factory=dict)


def screen_candidates(page: Page, forest: Forest) -> ScreenedCandidates:
    """Return the candidates of a page, each scored by its own features."""
    sums = RunningSums(page)
    page_features = PageFeatures(page, sums)
    candidates = find_candidates(page, sums)
    features = CandidateFeatures(page_features, candidates).features() if len(candidates) else {}
    scores = predictions(features, forest) if len(candidates) else np.zeros(0)
    return ScreenedCandidates(page_features, candidates, features, scores)


def rank_finalists(screened: ScreenedCandidates, models: Models) -> RankedCandidates:
    """Return the best candidates, scored in comparison with each other."""
    page, page_features = screened.page_features.page, screened.page_features
    finalists = (-screened.scores).argsort(kind="stable")[:FINALISTS]
    candidates = screened.candidates.take(finalists)
    if not len(candidates):
        none = np.zeros(0)
        return RankedCandidates(candidates, {}, none, none, Confidences.known(none), np.zeros(0, dtype=np.bool_))
    own_features, own_scores = take_rows(screened.features, finalists), screened.scores[finalists]
    of_page = page_type_features(page_features)
    features: FeatureTable
    if isinstance(own_features, FeatureMatrix) and page.layout is None:
        features, disjoint = _compiled_features(len(page), candidates, own_scores, own_features, of_page)
    else:
        related = relations.relations(len(page), candidates)
        disjoint = related["disjoint"]
        features = finalist_features(related, candidates.counts, own_scores, own_features)
        features = with_box_features(page, candidates, features)
    scores, quality = finalist_scores(features, models.ranking, models.quality)
    order = best_list_first(scores, quality, disjoint)
    candidates, features = candidates.take(order), take_rows(features, order)
    scores, quality, disjoint = scores[order], quality[order], _square(disjoint, order)
    features = confidence_features(of_page, disjoint, features, scores, quality)
    page_types = _page_types(features, models, is_false=is_false(page, page_features.sums, candidates, features, 0))

    def confidence(rows: Integers) -> Numbers:
        is_right = predictions(take_rows(features, rows), models.confidence)
        are_false = [is_false(page, page_features.sums, candidates, features, k) for k in rows.tolist()]
        ceiling = np.where(are_false, DEFAULT_OPTIONS.max_false_confidence, 1.0)
        return np.minimum(models.calibration(is_right * page_types["list"]), ceiling)

    confidences = Confidences.unknown(len(order), confidence)
    hidden = is_hidden(page, candidates)
    ranked = RankedCandidates(candidates, features, scores, quality, confidences, hidden, page_types)
    return visible_first(main_part_first(ranked, disjoint))


def finalist_scores(features: FeatureTable, ranking: Forest, quality: Forest) -> tuple[Numbers, Numbers]:
    """Return the scores of the finalists, by ranking and quality together, and their quality alone."""
    expected = predictions(features, quality)
    return predictions(features, ranking) + QUALITY_WEIGHT * expected, expected


def best_list_first(scores: Numbers, quality: Numbers, disjoint: Flags) -> Integers:
    """Return the finalists by their scores, but first the best cut of the list with the highest quality.

    The quality of a list is the highest of its cuts. ``disjoint``: which finalists are other lists.
    """
    order = (-scores).argsort(kind="stable")
    if kernel is not None:
        kernel.put_best_list_first(order, quality, disjoint.view(np.uint8))
        return order
    best, best_quality = int(order[0]), -np.inf
    left = np.ones(len(scores), dtype=np.bool_)
    for cut in order.tolist():
        if not left[cut]:
            continue
        left &= disjoint[cut]
        list_quality = float(quality[~disjoint[cut]].max())
        if list_quality > best_quality:
            best, best_quality = cut, list_quality
    return np.concatenate(([best], order[order != best]))


def _square(flags: Flags, order: Integers) -> Flags:
    """Return a matrix of flags with its rows and its columns in another order."""
    return flags[order[:, None], order]


def _page_types(features: FeatureTable, models: Models, *, is_false: bool) -> dict[PageType, float]:
    """Return how probable each type of page is, from the features of the page and of its best list; the sum is 1.

    ``is_false``: the best list is none (``false_lists.py``), so that the page is hardly a list.
    """
    names, forests = list(models.page_types), list(models.page_types.values())
    forest, ends = forests[0].joined_with(forests[1:])
    scores = predictions_of_first(features, forest, ends).tolist()
    positive = {name: min(max(score, MIN_TYPE_SCORE), 1.0) for name, score in zip(names, scores, strict=True)}
    if is_false:
        others = sum(positive.values()) - positive["list"]
        positive["list"] = min(positive["list"], DEFAULT_OPTIONS.max_false_confidence * others)
    return {name: score / sum(positive.values()) for name, score in positive.items()}


def is_hidden(page: Page, candidates: Candidates) -> Flags:
    """Return which lists the page hides: most of their records begin with a hidden node."""
    if not page.hidden.any():
        return np.zeros(len(candidates), dtype=np.bool_)
    share = np.add.reduceat(page.hidden[candidates.starts].astype(np.float64), candidates.first) / candidates.counts
    return np.asarray(share > DEFAULT_OPTIONS.min_hidden_share)


def main_part_first(ranked: RankedCandidates, disjoint: Flags) -> RankedCandidates:
    """Return the ranking, its first list, if it is in the frame of the page, replaced by one of nearly its quality.

    That is the other list with the highest score in the main part. ``disjoint``: which finalists are other lists.
    """
    frames = [np.asarray(ranked.features[name]) for name in FRAME_FEATURES]
    if not any(column[0] > 0 for column in frames):
        return ranked
    is_rival = disjoint[0] & ~np.logical_or.reduce([column > 0 for column in frames])
    if not is_rival.any():
        return ranked
    other = int(np.where(is_rival, ranked.scores, -np.inf).argmax())
    lead = float(ranked.quality[~disjoint[0]].max() - ranked.quality[~disjoint[other]].max())
    return reordered(ranked, other) if lead < DEFAULT_OPTIONS.min_frame_lead else ranked


def visible_first(ranked: RankedCandidates) -> RankedCandidates:
    """Return the ranking, its first list, if the page hides it, replaced by a visible one with enough confidence."""
    if not ranked.hidden[0]:
        return ranked
    confidence = ranked.confidence.of(range(len(ranked.candidates)))
    min_visible = max(DEFAULT_OPTIONS.min_visible_confidence, DEFAULT_OPTIONS.min_visible_share * float(confidence[0]))
    visible = ~ranked.hidden & (confidence >= min_visible)
    return reordered(ranked, int(visible.argmax())) if visible.any() else ranked


def reordered(ranked: RankedCandidates, first: int) -> RankedCandidates:
    """Return the ranking with one of its lists in first place."""
    order = np.array([first, *(k for k in range(len(ranked.candidates)) if k != first)])
    return replace(
        ranked,
        candidates=ranked.candidates.take(order),
        features=take_rows(ranked.features, order),
        scores=ranked.scores[order],
        quality=ranked.quality[order],
        confidence=ranked.confidence.take(order),
        hidden=ranked.hidden[order],
    )


def finalist_features(
    related: Mapping[str, Flags], counts: Integers, scores: Numbers, features: FeatureTable
) -> FeatureTable:
    """Return the features of the finalists: how they relate, and their own. ``scores`` are the screening scores."""
    share = np.asarray(features["share"], dtype=np.float64)
    matrix = relations.relation_features(related, scores, share, counts)
    return {**dict(zip(relations.RELATION_FEATURES, matrix.T, strict=True)), **features}


def _compiled_features(
    rows: int, candidates: Candidates, scores: Numbers, own: FeatureMatrix, of_page: Mapping[str, float]
) -> tuple[FeatureMatrix, Flags]:
    """Return a table with the features of the finalists, and which of them are other lists.

    Its first columns are for ``confidence_features``, which writes them.
    """
    names = _finalist_names(tuple(of_page), own.names)
    matrix = np.empty((len(scores), len(names)))
    first, last = len(names) - len(own.names) - len(relations.RELATION_FEATURES), len(names) - len(own.names)
    matrix[:, last:] = own.matrix
    share = np.ascontiguousarray(own["share"])
    disjoint = relations.write_relations(rows, candidates, scores, share, matrix[:, first:last])
    return FeatureMatrix(names, matrix), disjoint


@cache
def _finalist_names(of_page: tuple[str, ...], own: tuple[str, ...]) -> tuple[str, ...]:
    return (*CONFIDENCE_FEATURES, *of_page, *relations.RELATION_FEATURES, *own)


def confidence_features(
    of_page: Mapping[str, float], disjoint: Flags, features: FeatureTable, scores: Numbers, quality: Numbers
) -> FeatureTable:
    """Return what the confidence in each of the finalists is computed from; they come best first.

    ``of_page``: see ``page_type_features``; ``disjoint``: which finalists are other lists.
    """
    count = len(scores)
    lead, quality_lead = _lead(scores, disjoint), _lead(quality, disjoint)
    columns = (scores, scores - scores.max(), np.arange(count), lead, quality, quality_lead)
    own = dict(zip(CONFIDENCE_FEATURES, columns, strict=True))
    if isinstance(features, FeatureMatrix):  # which has the columns
        for k, column in enumerate(own.values()):
            features.matrix[:, k] = column
        features.matrix[:, len(own) : len(own) + len(of_page)] = list(of_page.values())
        return features
    page = np.broadcast_to(np.array(list(of_page.values())), (count, len(of_page)))
    return {**own, **dict(zip(of_page, page.T, strict=True)), **features}


def _lead(values: Numbers, disjoint: Flags) -> Numbers:
    """Return by how much each of the finalists leads over the best of the other lists."""
    if kernel is not None:
        leads: Numbers = kernel.leads(values, disjoint.view(np.uint8), NO_RIVAL_GAP)
        return leads
    rival = np.where(disjoint, values[:, None], -np.inf).max(axis=0)
    return np.where(disjoint.any(axis=0), values - rival, NO_RIVAL_GAP)


def take_rows(features: FeatureTable, rows: Integers) -> FeatureTable:
    """Return the features of some candidates, in the order of ``rows``."""
    if isinstance(features, FeatureMatrix):
        return features.take(rows)
    return {name: column[rows] for name, column in features.items()}


def predictions(features: FeatureTable, forest: Forest) -> Numbers:
    """Return what a forest predicts of each candidate."""
    if isinstance(features, FeatureMatrix):
        return features.scores(forest)
    return forest.predict(feature_matrix(features, forest))


def predictions_of_first(features: FeatureTable, forest: Forest, ends: NDArray[np.int64]) -> Numbers:
    """Return what each group of the trees of a forest predicts of the first candidate."""
    if isinstance(features, FeatureMatrix):
        return forest.of_columns(features.names).predict_groups(features.matrix[0], ends)
    return forest.predict_groups(feature_matrix(take_rows(features, FIRST), forest)[0], ends)


def feature_matrix(features: FeatureTable, forest: Forest) -> Numbers:
    """Return the features that a forest uses, a row per candidate."""
    if isinstance(features, FeatureMatrix):
        return features.of_forest(forest.names)
    return table_of([features[name] for name in forest.names])
