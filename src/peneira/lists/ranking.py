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

from peneira.lists import relations
from peneira.lists.box_features import with_boxes
from peneira.lists.candidates import Candidates, candidates
from peneira.lists.features import CandidateFeatures, FeatureTable
from peneira.lists.page_features import PageFeatures
from peneira.ml.forest import Forest
from peneira.ml.running_sums import RunningSums
from peneira.page import Page

Numbers = NDArray[np.float64]
Rows = NDArray[np.int64]
Flags = NDArray[np.bool_]

MODELS = files("peneira.lists") / "models"
# So many of the screened candidates are compared with each other
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
FORESTS = ("screen", "choice", "trust", "members")
# Where a browser has shown the page, the choice looks at boxes too: these take the place of the others
BOXED = {"choice": "boxed_choice", "trust": "boxed_trust"}


@dataclass(frozen=True, slots=True)
class Models:
    """The forests that decide."""

    screen: Forest
    choice: Forest
    trust: Forest
    members: Forest


@cache
def shipped(*, boxed: bool = False) -> Models:
    """Return the models that ship with peneira; ``boxed``: for pages that a browser has shown, if any."""
    there = boxed and all((MODELS / f"{name}.json").is_file() for name in BOXED.values())
    return Models(*(_shipped_forest(BOXED.get(name, name) if there else name) for name in FORESTS))


@cache
def _shipped_forest(name: str) -> Forest:
    return Forest.from_json((MODELS / f"{name}.json").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Screened:
    """All candidates of a page with their figures and first scores."""

    facts: PageFeatures
    found: Candidates
    figures: FeatureTable
    scores: Numbers


@dataclass(frozen=True, slots=True)
class Ranking:
    """The finalists, best first: their figures by name, the scores of the choice, and trust.

    The first has the highest score, unless another list was trusted more, or the page hides it.
    """

    found: Candidates
    figures: Mapping[str, NDArray[np.generic]]
    scores: Numbers
    trust: Numbers
    hidden: Flags


def screened(page: Page, screen: Forest) -> Screened:
    """Return the candidates of a page, each scored by itself."""
    sums = RunningSums(page)
    facts = PageFeatures(page, sums)
    found = candidates(page, sums)
    figures = CandidateFeatures(facts, found).figures() if len(found) else {}
    scores = screen.predict(table(figures, screen)) if len(found) else np.zeros(0)
    return Screened(facts, found, figures, scores)


def ranked(first: Screened, models: Models) -> Ranking:
    """Return the best candidates, scored beside each other."""
    finalists = np.argsort(-first.scores, kind="stable")[:FINALISTS]
    found = first.found.chosen(finalists)
    if not len(found):
        return Ranking(found, {}, np.zeros(0), np.zeros(0), np.zeros(0, dtype=np.bool_))
    related = relations.relations(len(first.facts.page), found)
    figures = finalist_features(related, found.counts, first.scores[finalists], rows_of(first.figures, finalists))
    figures = with_boxes(first.facts.page, found, figures)
    scores = models.choice.predict(table(figures, models.choice))
    order = np.argsort(-scores, kind="stable")
    found, scores, figures = found.chosen(order), scores[order], rows_of(figures, order)
    page_figures = (first.facts.prose_share, first.facts.is_article)
    trusted = confidence_features(page_figures, related["apart"][np.ix_(order, order)], figures, scores)
    trust = models.trust.predict(table(trusted, models.trust))
    ceiling = np.where(_is_prose(figures), PROSE_TRUST, 1.0)
    ranking = Ranking(found, figures, scores, np.clip(trust, 0.0, ceiling), is_hidden(first.facts.page, found))
    return best_first(ranking, related["apart"][order[0], order])


def is_hidden(page: Page, found: Candidates) -> Flags:
    """Return which lists the page hides: most of their records begin with what no reader sees."""
    share = np.add.reduceat(page.hidden[found.starts].astype(np.float64), found.first) / found.counts
    return np.asarray(share > MOSTLY)


def best_first(ranking: Ranking, rivals: Flags) -> Ranking:
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
    return Ranking(ranking.found.chosen(order), rows_of(ranking.figures, order), *rows)


def _is_prose(figures: FeatureTable) -> NDArray[np.bool_]:
    """Return which lists are paragraphs of running text: nothing else in them, and long."""
    names = ("is_p", "longs_any", "texts_one", "links_any")
    paragraph, long, single, linked = (np.asarray(figures[name], dtype=np.float64) for name in names)
    return np.asarray((paragraph > 0) & (long > PROSE_SHARE) & (single > PROSE_SHARE) & (linked < 1 - PROSE_SHARE))


def finalist_features(
    related: Mapping[str, Flags], counts: Rows, scores: Numbers, figures: FeatureTable
) -> FeatureTable:
    """Return the figures of the finalists: their own, and how they relate. ``scores`` are those of the screen."""
    share = np.asarray(figures["share"], dtype=np.float64)
    table = relations.relation_figures(related, scores, share, counts)
    return dict(zip(relations.NAMES, table.T, strict=True)) | figures


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


def rows_of(figures: Mapping[str, NDArray[np.generic]], which: Rows) -> FeatureTable:
    """Return the figures of some candidates."""
    return {name: column[which] for name, column in figures.items()}


def table(figures: Mapping[str, NDArray[np.generic]], forest: Forest) -> Numbers:
    """Return the figures that a forest asks for, a row per candidate."""
    return np.column_stack([figures[name] for name in forest.names]).astype(np.float64)
