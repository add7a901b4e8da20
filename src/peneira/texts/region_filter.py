"""What to keep of a page: the regions that the evidence says are content, and the rest pruned.

The tag path filter keeps the largest region. This one asks what is known of lists and menus: region_candidates are scored by a
small model over cheap figures (``evidence.py``), the best is kept, regions that score alike are joined to it, and prose
is never pruned from a page that is mostly prose.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files

import numpy as np

from peneira.ml.forest import Forest, Numbers
from peneira.ml.running_sums import RunningSums
from peneira.page import Flags, Page
from peneira.texts.region_candidates import RegionCandidates, region_candidates
from peneira.texts.tps import with_ancestors

# A region that scores this close to the best is content too: one list in several places
JOIN_MARGIN = 0.05
MAX_REGIONS = 3
PROSE_CHARS = 80
MIN_PROSE = 0.3  # of the text of the page
PROSE_TAGS = frozenset({"p", "blockquote"})

# The seam for other evidence, such as a content model: scores for all region_candidates of a page
Scorer = Callable[[Page, RegionCandidates], Numbers]


@cache
def region_model() -> Forest:
    """Return the model that ships with peneira; ``peneira train regions`` makes it."""
    return Forest.from_json((files("peneira.texts") / "models" / "regions.json").read_text(encoding="utf-8"))


def learned_score(page: Page, found: RegionCandidates) -> Numbers:
    """Return how much of each candidate is content and how little else is in it, about 0..1, as learned."""
    return region_model().predict(found.features)


def content_regions(
    page: Page, score: Scorer = learned_score, sums: RunningSums | None = None
) -> list[tuple[int, int]]:
    """Return the main regions as row ranges ``start:end``, best first; the whole body where nothing repeats."""
    found = region_candidates(page, sums)
    if not len(found):
        return [(page.body, int(page.end[page.body]))]
    scores = score(page, found)
    order = np.argsort(-scores, kind="stable")
    regions: list[tuple[int, int]] = []
    for k in order[scores[order] >= scores[order[0]] - JOIN_MARGIN].tolist():
        start, end = int(found.start[k]), int(found.end[k])
        if all(end <= taken_start or start >= taken_end for taken_start, taken_end in regions):
            regions.append((start, end))
        if len(regions) == MAX_REGIONS:
            break
    return regions


def content_rows(page: Page, score: Scorer = learned_score) -> Flags:
    """Return which rows of the body are content, with their ancestors."""
    sums = RunningSums(page)
    keep = np.zeros(len(page), dtype=np.bool_)
    for start, end in (*content_regions(page, score, sums), *_prose(page, sums)):
        keep[start:end] = True
    return with_ancestors(page, keep)


def _prose(page: Page, sums: RunningSums) -> list[tuple[int, int]]:
    """Return the long paragraphs of a page that is made of them; nothing where they are the smaller part."""
    chars = sums.of_subtrees(page, sums.chars)
    codes = [code for code, name in enumerate(page.tag_names) if name in PROSE_TAGS]
    long = np.flatnonzero(np.isin(page.tag, codes) & (chars >= PROSE_CHARS) & page.seen)
    if chars[long].sum() < MIN_PROSE * max(int(sums.chars[-1]), 1):
        return []
    return [(i, int(page.end[i])) for i in long.tolist()]
