"""Training and judging the region model: which candidate region of a page holds its records, and little else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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
from peneira_research.squeezed_text import squeeze
from peneira_research.training.folds import FOLDS
from peneira_research.training.oblivious_trees import BoostingOptions, fit_oblivious_trees

# A region keeps the records if it has this share of the anchors
MIN_KEPT = 0.95
OPTIONS = BoostingOptions(trees=160, depth=6, rate=0.08)


@dataclass(frozen=True, slots=True)
class RegionExample:
    """A page's candidate regions and their targets: 0 without the records, else the share of the region they fill."""

    id: str
    site: str
    candidates: RegionCandidates
    target: Numbers


def region_examples(pages: Sequence[GoldPage]) -> Iterator[RegionExample]:
    """Yield an example of each page with gold: anchors for a list, long paragraphs for an article."""
    for gold in pages:
        page = read_page(gold.body())
        rows = prose_rows(page) if gold.is_negative else anchor_rows(page, gold.anchors or ())
        if len(rows):
            found = region_candidates(page)
            yield RegionExample(gold.id, gold.site, found, _target(page, found, rows))


def prose_rows(page: Page) -> NDArray[np.int64]:
    """Return the long paragraphs of a page."""
    long = np.flatnonzero(page.seen & (page.text_chars >= PROSE_CHARS))
    return np.array([i for i in long.tolist() if page.name(i) == "p"], dtype=np.int64)


def anchor_rows(page: Page, anchors: Sequence[str]) -> NDArray[np.int64]:
    """Return the rows of the anchors, in order; anchors that are not found are left out.

    Titles also occur in menus and headings: of the first and the last occurrences in order, the closest together count.
    """
    rows = np.flatnonzero((page.tag == 0) & ~page.silent)
    texts = [squeeze(page.text[i]) for i in rows.tolist()]
    text, keys = "".join(texts), [squeeze(anchor) for anchor in anchors]
    first = _positions(text, keys)
    mirrored = _positions(text[::-1], [key[::-1] for key in reversed(keys)])
    last = [len(text) - 1 - position for position in reversed(mirrored)]
    nearest = min((first, last), key=lambda found: (-len(found), max(found, default=0) - min(found, default=0)))
    ends = np.cumsum([len(piece) for piece in texts])
    return rows[np.searchsorted(ends, nearest, side="right")].astype(np.int64)


def _positions(text: str, keys: Sequence[str]) -> list[int]:
    positions: list[int] = []
    start = 0
    for key in keys:
        position = text.find(key, start) if key else -1
        if position >= 0:
            positions.append(position)
            start = position + len(key)
    return positions


def _target(page: Page, found: RegionCandidates, rows: NDArray[np.int64]) -> Numbers:
    nodes = running_sum(~page.silent)
    inside = (rows[None] >= found.start[:, None]) & (rows[None] < found.end[:, None])
    kept = inside.mean(axis=1)
    total = max(int(nodes[-1]), 1)
    needed = (nodes[rows.max() + 1] - nodes[rows.min()]) / total
    size = (nodes[found.end] - nodes[found.start]) / total
    tight = (needed + 0.01) / (np.maximum(size, needed) + 0.01)
    target: Numbers = np.where(kept >= MIN_KEPT, tight, 0.3 * np.maximum(kept - 0.5, 0))
    return target


def train_region_model(examples: Sequence[RegionExample], options: BoostingOptions = OPTIONS) -> Forest:
    """Return the model that predicts the target of a candidate region; every page has the same weight."""
    filled = [example for example in examples if len(example.candidates)]
    weight = np.concatenate([np.full(len(example.candidates), 1 / len(example.candidates)) for example in filled])
    return fit_oblivious_trees(
        np.concatenate([example.candidates.features for example in filled]),
        np.concatenate([example.target for example in filled]),
        weight * len(weight) / weight.sum(),
        FEATURES,
        options,
    )


def cross_validated(
    examples: Sequence[RegionExample],
    folds: Mapping[str, int],
    options: BoostingOptions = OPTIONS,
    on_fold: Callable[[int], None] = lambda fold: None,
) -> dict[str, Numbers]:
    """Return the scores of the candidate regions of each page by a model trained without its fold.

    ``folds``: the fold of each site (``corpora_folds``). ``on_fold`` is called with the number of each fold when it is
    done.
    """
    scores: dict[str, Numbers] = {}
    for fold in range(FOLDS):
        model = train_region_model([example for example in examples if folds[example.site] != fold], options)
        for example in examples:
            if folds[example.site] == fold:
                regions = example.candidates
                scores[example.id] = model.predict(regions.features) if len(regions) else np.zeros(0)
        on_fold(fold)
    return scores
