"""How much of a page cleaning removes, and whether the records are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from peneira.ml.forest import Numbers
from peneira.page import Flags, Page
from peneira.texts.region_candidates import RegionCandidates
from peneira.texts.region_filter import PROSE_CHARS, Scorer, learned_score
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.squeezed_text import squeeze

# The main region is kept if this share of the anchors is still in the page
MIN_ANCHORS = 0.95


@dataclass(frozen=True, slots=True)
class CleaningScore:
    """What cleaning did to a page. ``anchors`` and ``prose``: the shares of them kept; None for a page without them."""

    corpus: str
    id: str
    nodes: int
    kept_nodes: int
    anchors: float | None
    prose: float | None

    @property
    def is_main_kept(self) -> bool:
        """Whether the records are still in the page."""
        return self.anchors is not None and self.anchors >= MIN_ANCHORS

    @property
    def cut(self) -> float:
        """The share of nodes that are removed."""
        return 1 - self.kept_nodes / max(self.nodes, 1)


def cleaning_score(gold: GoldPage, page: Page, keep: Flags) -> CleaningScore:
    """Return what is kept of a page with only the rows of ``keep``."""
    body = slice(page.body, int(page.end[page.body]))
    counted = ~page.silent[body]
    return CleaningScore(
        gold.corpus,
        gold.id,
        int(counted.sum()),
        int((counted & keep[body]).sum()),
        kept_anchors(page, gold.anchors, keep) if gold.anchors else None,
        _kept_prose(page, keep) if gold.is_negative else None,
    )


def kept_anchors(page: Page, anchors: Sequence[str], keep: Flags) -> float:
    """Return the share of the anchors that the text of the kept rows still has."""
    rows = np.flatnonzero(keep & (page.tag == 0) & ~page.silent).tolist()
    text = squeeze("".join(page.text[i] for i in rows))
    return sum(squeeze(anchor) in text for anchor in anchors) / len(anchors)


def _kept_prose(page: Page, keep: Flags) -> float | None:
    """Return the share of the characters of long paragraphs that are in kept ones."""
    long = [i for i in range(len(page)) if page.name(i) == "p" and page.seen[i] and page.text_chars[i] > PROSE_CHARS]
    total = sum(int(page.text_chars[i]) for i in long)
    kept = sum(len(page.text[k].strip()) for i in long for k in range(i, int(page.end[i])) if keep[k] and page.seen[k])
    return min(kept / total, 1.0) if total else None


def scorer_of(scores: Mapping[str, Numbers] | None, page_id: str) -> Scorer:
    """Return the scorer of a page: the shipped model, or ``scores`` of a model trained without the page's site.

    Pages without scores, as they have no gold rows, are scored by the shipped model.
    """
    if scores is None or page_id not in scores:
        return learned_score

    def score(page: Page, found: RegionCandidates) -> Numbers:
        return scores[page_id]

    return score
