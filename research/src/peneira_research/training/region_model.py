"""Training and judging the region model: which candidate region of a page holds its records, and little else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import running_sum
from peneira.ml.forest import Forest, Numbers
from peneira.page import Page
from peneira.sources.html import read_page
from peneira.texts.region_candidates import FEATURES, RegionCandidates, region_candidates
from peneira.texts.region_filter import PROSE_CHARS
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.scores.record_score import squeeze
from peneira_research.training.oblivious_trees import Training, fit

FOLDS = 5
# A region keeps the records if it has this share of the anchors
MIN_KEPT = 0.95
HOW = Training(trees=160, depth=6, rate=0.08)


@dataclass(frozen=True, slots=True)
class Example:
    """A page's region_candidates, and how good each is: 0 without the records, else the share of it that the records need."""

    id: str
    site: str
    found: RegionCandidates
    worth: Numbers


def examples(pages: Sequence[GoldPage]) -> Iterator[Example]:
    """Yield an example of each page with gold: anchors for a list, long paragraphs for an article."""
    for gold in pages:
        page = read_page(gold.body())
        rows = prose_rows(page) if gold.is_negative else anchor_rows(page, gold.anchors or ())
        if len(rows):
            found = region_candidates(page)
            yield Example(gold.id, gold.site, found, _worth(page, found, rows))


def prose_rows(page: Page) -> NDArray[np.int64]:
    """Return the long paragraphs of a page."""
    long = np.flatnonzero(page.seen & (page.text_chars >= PROSE_CHARS))
    return np.array([i for i in long.tolist() if page.name(i) == "p"], dtype=np.int64)


def anchor_rows(page: Page, anchors: Sequence[str]) -> NDArray[np.int64]:
    """Return the rows where the anchors stand, in order; anchors that are not found are left out.

    Titles also stand in menus and headings: of the first and the last places that keep the order, the closer count.
    """
    rows = np.flatnonzero((page.tag == 0) & ~page.silent)
    pieces = [squeeze(page.text[i]) for i in rows.tolist()]
    text, keys = "".join(pieces), [squeeze(anchor) for anchor in anchors]
    first = _places(text, keys)
    mirrored = _places(text[::-1], [key[::-1] for key in reversed(keys)])
    last = [len(text) - 1 - place for place in reversed(mirrored)]
    nearest = min((first, last), key=lambda places: (-len(places), max(places, default=0) - min(places, default=0)))
    ends = np.cumsum([len(piece) for piece in pieces])
    return rows[np.searchsorted(ends, nearest, side="right")].astype(np.int64)


def _places(text: str, keys: Sequence[str]) -> list[int]:
    places: list[int] = []
    start = 0
    for key in keys:
        place = text.find(key, start) if key else -1
        if place >= 0:
            places.append(place)
            start = place + len(key)
    return places


def _worth(page: Page, found: RegionCandidates, rows: NDArray[np.int64]) -> Numbers:
    nodes = running_sum(~page.silent)
    inside = (rows[None] >= found.start[:, None]) & (rows[None] < found.end[:, None])
    kept = inside.mean(axis=1)
    total = max(int(nodes[-1]), 1)
    needed = (nodes[rows.max() + 1] - nodes[rows.min()]) / total
    size = (nodes[found.end] - nodes[found.start]) / total
    tight = (needed + 0.01) / (np.maximum(size, needed) + 0.01)
    worth: Numbers = np.where(kept >= MIN_KEPT, tight, 0.3 * np.maximum(kept - 0.5, 0))
    return worth


def train(chosen: Sequence[Example], how: Training = HOW) -> Forest:
    """Return the model that tells the worth of a candidate; every page weighs the same."""
    filled = [example for example in chosen if len(example.found)]
    weight = np.concatenate([np.full(len(example.found), 1 / len(example.found)) for example in filled])
    return fit(
        np.concatenate([example.found.features for example in filled]),
        np.concatenate([example.worth for example in filled]),
        weight * len(weight) / weight.sum(),
        FEATURES,
        how,
    )


def cross_validated(
    chosen: Sequence[Example], how: Training = HOW, each: Callable[[int], None] = lambda fold: None
) -> dict[str, Numbers]:
    """Return the scores of the region_candidates of each page by a model that saw no page of its site."""
    fold_of = {site: k % FOLDS for k, site in enumerate(_shuffled({example.site for example in chosen}))}
    scores: dict[str, Numbers] = {}
    for fold in range(FOLDS):
        model = train([example for example in chosen if fold_of[example.site] != fold], how)
        for example in chosen:
            if fold_of[example.site] == fold:
                scores[example.id] = model.predict(example.found.features) if len(example.found) else np.zeros(0)
        each(fold)
    return scores


def _shuffled(sites: set[str]) -> list[str]:
    order = np.random.default_rng(1).permutation(len(sites))
    return [sorted(sites)[k] for k in order.tolist()]
