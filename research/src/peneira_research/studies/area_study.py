"""The evaluation of the rendering-area paper: accuracy beside other methods (Table III), ablation (Table IV),
and sensitivity (Figures 4 and 5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from pathlib import Path
from statistics import fmean

import numpy as np

from peneira.extraction import extract
from peneira.methods.area import PUBLISHED, Parameters, RegionSelector
from peneira.methods.area_contents import ContentSelector
from peneira.page import Page
from peneira.texts.cleaning import Filtering, kept_rows
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.corpora.rendered_pages import Snapshots
from peneira_research.scores.element_score import element_of, is_right, is_text_right
from peneira_research.scores.resampling import Difference, Interval, difference, interval
from peneira_research.squeezed_text import page_text, squeeze
from peneira_research.studies.kept_results import NOTHING_KEPT, KeptResults

CORPORA = ("tpsf", "yamada", "zhao1", "modern", "modern2")
ABLATIONS: Mapping[str, Parameters] = {
    "as published": replace(PUBLISHED, infer_boxes=False),
    "with mended boxes": PUBLISHED,
    "without area": replace(PUBLISHED, use_area=False),
    "without height": replace(PUBLISHED, use_height=False),
    "without width": replace(PUBLISHED, use_width=False),
    "without area of parent": replace(PUBLISHED, use_parent=False),
    "without records in other subtrees": replace(PUBLISHED, use_climbing=False),
}
# Accuracy in percent on the paper's two collections, WEBV and WEBT: its Tables II and III, and its ablation, Table IV
PUBLISHED_ACCURACY: Mapping[str, tuple[float, float | None]] = {
    "area": (91.3, 91.8),
    "tag path filter": (87.0, None),
    "xpath-rank": (87.0, None),
    "as published": (91.3, 91.8),
    "without area": (87.0, 91.8),
    "without height": (87.0, 87.7),
    "without width": (87.0, 90.5),
    "without area of parent": (0.0, 4.6),
    "without records in other subtrees": (78.3, 90.0),
}
# Table III and beyond it; our models have seen the pages in training
METHODS = ("area", "area+", "tag path filter", "xpath-rank", "auto")
_COUNTS = tuple(range(1, 11))
_SHARES = tuple(round(0.05 * k, 2) for k in range(1, 11))


@dataclass(frozen=True, slots=True)
class AreaOutcome:
    """Which variants of the method select the right element of a page."""

    corpus: str
    id: str
    is_right: tuple[bool, ...]
    site: str = ""


def sweeps() -> dict[str, dict[float, Parameters]]:
    """Return the values of each parameter that are tried, the others left as published."""
    return {
        "#min": {k: replace(PUBLISHED, min_children=k) for k in _COUNTS},
        "delta_max": {k: replace(PUBLISHED, distance=float(k)) for k in _COUNTS},
        "%area": {share: replace(PUBLISHED, area=share) for share in _SHARES},
        "%height": {share: replace(PUBLISHED, height=share) for share in _SHARES},
        "%width": {share: replace(PUBLISHED, width=share) for share in _SHARES},
        "%parent": {share: replace(PUBLISHED, parent=share) for share in _SHARES},
    }


def area_outcomes(
    pages: Sequence[GoldPage],
    variants: Sequence[Parameters],
    folder: Path,
    *,
    jobs: int = 1,
    keep: KeptResults = NOTHING_KEPT,
) -> Iterator[AreaOutcome]:
    """Yield for each page with anchors and a snapshot which variants are right."""
    snapshots = Snapshots(folder)
    used = [page for page in pages if page.anchors and not page.is_partial and snapshots.file(page.body()).exists()]
    task = partial(_outcome, variants=tuple(variants), folder=folder)
    return keep.each("area", AreaOutcome, task, used, key=attrgetter("id"), jobs=jobs)


def _outcome(gold: GoldPage, variants: Sequence[Parameters], folder: Path) -> AreaOutcome:
    page = Snapshots(folder).page(gold.body())
    chooser, text, anchors = RegionSelector(page), page_text(page), gold.anchors or ()
    nodes = [chooser.select(parameters).node for parameters in variants]
    is_node_right = {node: is_right(page, node, anchors, text) for node in set(nodes)}
    return AreaOutcome(gold.corpus, gold.id, tuple(is_node_right[node] for node in nodes), gold.site)


def method_outcomes(
    pages: Sequence[GoldPage], folder: Path, *, jobs: int = 1, keep: KeptResults = NOTHING_KEPT
) -> Iterator[AreaOutcome]:
    """Yield for each page with anchors and a snapshot which of ``METHODS`` are right."""
    snapshots = Snapshots(folder)
    used = [page for page in pages if page.anchors and not page.is_partial and snapshots.file(page.body()).exists()]
    task = partial(_method_outcome, folder=folder)
    return keep.each("methods", AreaOutcome, task, used, key=attrgetter("id"), jobs=jobs)


def _method_outcome(gold: GoldPage, folder: Path) -> AreaOutcome:
    page = Snapshots(folder).page(gold.body())
    text, anchors = page_text(page), gold.anchors or ()
    right = {
        "area": is_right(page, RegionSelector(page).select(PUBLISHED).node, anchors, text),
        "area+": is_right(page, ContentSelector(page).select(PUBLISHED).node, anchors, text),
        "tag path filter": is_text_right(_kept_text(page), anchors, text),
    }
    for name in ("xpath-rank", "auto"):
        main = extract(page, method=name).main
        right[name] = main is not None and is_right(page, element_of(page, main), anchors, text)
    return AreaOutcome(gold.corpus, gold.id, tuple(right[name] for name in METHODS), gold.site)


def _kept_text(page: Page) -> str:
    """Return the text that the published tag path filter keeps, squeezed."""
    kept = kept_rows(page, Filtering("program"))
    rows = np.flatnonzero(kept & (page.tag == 0) & ~page.silent).tolist()
    return squeeze("".join(page.text[i] for i in rows))


def accuracy(outcomes: Sequence[AreaOutcome], variant: int) -> dict[str, float]:
    """Return the share of pages on which a variant is right, by corpus and over all."""
    names = [*dict.fromkeys(outcome.corpus for outcome in outcomes), "all"]
    return {
        name: fmean(outcome.is_right[variant] for outcome in outcomes if name in (outcome.corpus, "all"))
        for name in names
    }


def bounds(outcomes: Sequence[AreaOutcome], variant: int) -> Interval:
    """Return the share of all pages on which a variant is right, with its interval (bootstrap over sites)."""
    return interval([float(o.is_right[variant]) for o in outcomes], [f"{o.corpus}/{o.site}" for o in outcomes])


def gain(outcomes: Sequence[AreaOutcome], variant: int, reference: int = 0) -> Difference:
    """Return the paired difference of a variant to another one."""
    return difference(
        [float(o.is_right[variant]) for o in outcomes],
        [float(o.is_right[reference]) for o in outcomes],
        [f"{o.corpus}/{o.site}" for o in outcomes],
    )
