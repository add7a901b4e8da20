"""Which candidate is the main list of the page: two learned rankings, and how far to trust the outcome.

The *screen* scores every candidate by its own figures. The *choice* scores the best of them again, now beside each
other. Scores of the screen are expected record scores, about 0..1; those of the choice only order the lists of one page
and have no scale. The *trust* in a list is the probability that it is the main list of the page and cut right (record
score of .9 or more). All are small forests, trained by ``peneira train records``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers
from peneira.lists import relations
from peneira.lists.box_features import with_box_features
from peneira.lists.candidates import Candidates, find_candidates
from peneira.lists.features import CandidateFeatures, FeatureTable
from peneira.lists.page_features import PageFeatures
from peneira.ml.forest import Forest
from peneira.ml.running_sums import RunningSums
from peneira.page import Page

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]

MODELS = files("peneira.lists") / "models"
# So many of the screen_candidates candidates are compared with each other
FINALISTS = 20
# Paragraphs of running text are no list, however alike they are: what share of them must be long, bare, without links
PROSE_SHARE = 0.7
PROSE_TRUST = 0.1
# How much more another list must be trusted than the one with the highest score to take its place
TRUSTED_MORE = 0.05
# A list that the page hides gives way to another from this trust on; most of the records must be hidden
MIN_SHOWN_TRUST = 0.1
MOSTLY = 0.5
# By how much a list without a rival is ahead of it: more than any list is of a rival
NO_RIVAL = 100.0
MODEL_NAMES = ("screening", "ranking", "confidence", "members")
# Where a browser has shown the page, the choice looks at boxes too: these take the place of the others
RENDERED_MODELS = {"ranking": "rendered_ranking", "confidence": "rendered_confidence"}


@dataclass(frozen=True, slots=True)
class Models:
    """The forests that decide."""

    screening: Forest
    ranking: Forest
    confidence: Forest
    members: Forest


@cache
def shipped_models(*, rendered: bool = False) -> Models:
    """Return the models that ship with peneira; ``rendered``: for pages that a browser has shown, if any."""
    there = rendered and all((MODELS / f"{name}.json").is_file() for name in RENDERED_MODELS.values())
    return Models(*(_shipped_forest(RENDERED_MODELS.get(name, name) if there else name) for name in MODEL_NAMES))


@cache
def _shipped_forest(name: str) -> Forest:
    return Forest.from_json((MODELS / f"{name}.json").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class ScreenedCandidates:
    """All candidates of a page with their figures and first scores."""

    facts: PageFeatures
    found: Candidates
    figures: FeatureTable
    scores: Numbers


@dataclass(frozen=True, slots=True)
class RankedCandidates:
    """The finalists, best first: their figures by name, the scores of the choice, and trust.

    The first has the highest score, unless another list was trusted more, or the page hides it.
    """

    found: Candidates
    figures: Mapping[str, NDArray[np.generic]]
    scores: Numbers
    trust: Numbers
    hidden: Flags


def screen_candidates(page: Page, screen: Forest) -> ScreenedCandidates:
    """Return the candidates of a page, each scored by itself."""
    sums = RunningSums(page)
    facts = PageFeatures(page, sums)
    found = find_candidates(page, sums)
    figures = CandidateFeatures(facts, found).features() if len(found) else {}
    scores = screen.predict(feature_matrix(figures, screen)) if len(found) else np.zeros(0)
    return ScreenedCandidates(facts, found, figures, scores)


def rank_finalists(first: ScreenedCandidates, models: Models) -> RankedCandidates:
    """Return the best candidates, scored beside each other."""
    finalists = np.argsort(-first.scores, kind="stable")[:FINALISTS]
    found = first.found.take(finalists)
    if not len(found):
        return RankedCandidates(found, {}, np.zeros(0), np.zeros(0), np.zeros(0, dtype=np.bool_))
    related = relations.relations(len(first.facts.page), found)
    figures = finalist_features(related, found.counts, first.scores[finalists], take_rows(first.figures, finalists))
    figures = with_box_features(first.facts.page, found, figures)
    scores = models.ranking.predict(feature_matrix(figures, models.ranking))
    order = np.argsort(-scores, kind="stable")
    found, scores, figures = found.take(order), scores[order], take_rows(figures, order)
    page_figures = (first.facts.prose_share, first.facts.is_article)
    trusted = confidence_features(page_figures, related["apart"][np.ix_(order, order)], figures, scores)
    trust = models.confidence.predict(feature_matrix(trusted, models.confidence))
    ceiling = np.where(_is_prose(figures), PROSE_TRUST, 1.0)
    ranking = RankedCandidates(found, figures, scores, np.clip(trust, 0.0, ceiling), is_hidden(first.facts.page, found))
    return best_first(ranking, related["apart"][order[0], order])


def is_hidden(page: Page, found: Candidates) -> Flags:
    """Return which lists the page hides: most of their records begin with what no reader sees."""
    share = np.add.reduceat(page.hidden[found.starts].astype(np.float64), found.first) / found.counts
    return np.asarray(share > MOSTLY)


def best_first(ranking: RankedCandidates, rivals: Flags) -> RankedCandidates:
    """Return the ranking; its first list may give way to the best of the other lists.

    ``rivals``: which are other lists than the first, not other cuts of it. A list that is trusted more comes first: a
    few records of many words can win the choice over hundreds of bare names, and both rankings together know better.
    A list that the page hides gives way to one that a reader sees, if that one can be trusted at all.
    """
    shown = ~ranking.hidden & (ranking.trust >= MIN_SHOWN_TRUST)
    trusted = rivals & (ranking.hidden <= ranking.hidden[0])
    best = int(trusted.argmax())
    if ranking.hidden[0] and shown.any():
        best = int(shown.argmax())
    elif not trusted.any() or ranking.trust[best] <= ranking.trust[0] + TRUSTED_MORE:
        return ranking
    order = np.array([best, *(k for k in range(len(rivals)) if k != best)])
    rows = (ranking.scores[order], ranking.trust[order], ranking.hidden[order])
    return RankedCandidates(ranking.found.take(order), take_rows(ranking.figures, order), *rows)


def _is_prose(figures: FeatureTable) -> NDArray[np.bool_]:
    """Return which lists are paragraphs of running text: nothing else in them, and long."""
    names = ("is_p", "longs_any", "texts_one", "links_any")
    paragraph, long, single, linked = (np.asarray(figures[name], dtype=np.float64) for name in names)
    return np.asarray((paragraph > 0) & (long > PROSE_SHARE) & (single > PROSE_SHARE) & (linked < 1 - PROSE_SHARE))


def finalist_features(
    related: Mapping[str, Flags], counts: Integers, scores: Numbers, figures: FeatureTable
) -> FeatureTable:
    """Return the figures of the finalists: their own, and how they relate. ``scores`` are those of the screen."""
    share = np.asarray(figures["share"], dtype=np.float64)
    feature_matrix = relations.relation_features(related, scores, share, counts)
    return dict(zip(relations.RELATION_FEATURES, feature_matrix.T, strict=True)) | figures


def confidence_features(
    page_figures: tuple[float, bool], apart: Flags, figures: FeatureTable, scores: Numbers
) -> FeatureTable:
    """Return what tells how far to trust each of the finalists, best first.

    ``page_figures``: the share of prose on the page, and whether it calls itself an article; ``apart``: which of them
    are other lists.
    """
    many = len(scores)
    rival = np.where(apart, scores[:, None], -np.inf).max(axis=0)
    gap = np.where(apart.any(axis=0), scores - rival, NO_RIVAL)
    return {
        "final_score": scores,
        "final_gap": scores - scores.max(),
        "final_rank": np.arange(many),
        "rival_gap": gap,
        "prose": np.full(many, page_figures[0]),
        "article": np.full(many, page_figures[1]),
        **figures,
    }


def take_rows(figures: Mapping[str, NDArray[np.generic]], which: Integers) -> FeatureTable:
    """Return the figures of some candidates."""
    return {name: column[which] for name, column in figures.items()}


def feature_matrix(figures: Mapping[str, NDArray[np.generic]], forest: Forest) -> Numbers:
    """Return the figures that a forest asks for, a row per candidate."""
    return np.column_stack([figures[name] for name in forest.names]).astype(np.float64)
