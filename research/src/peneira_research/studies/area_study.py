"""The evaluation of the rendering-area paper: accuracy, ablation (Table IV) and sensitivity (Figures 4 and 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import fmean

from peneira.methods.area import PUBLISHED, Parameters, RegionSelector
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.corpora.rendered_pages import Snapshots
from peneira_research.scores.element_score import is_right
from peneira_research.squeezed_text import page_text
from peneira_research.workers import in_processes

CORPORA = ("tpsf", "yamada", "zhao1")
ABLATIONS: Mapping[str, Parameters] = {
    "as published": replace(PUBLISHED, infer_boxes=False),
    "with mended boxes": PUBLISHED,
    "without area": replace(PUBLISHED, use_area=False),
    "without height": replace(PUBLISHED, use_height=False),
    "without width": replace(PUBLISHED, use_width=False),
    "without area of parent": replace(PUBLISHED, use_parent=False),
    "without records in other subtrees": replace(PUBLISHED, use_climbing=False),
}
_COUNTS = tuple(range(1, 11))
_SHARES = tuple(round(0.05 * k, 2) for k in range(1, 11))


@dataclass(frozen=True, slots=True)
class AreaOutcome:
    """Which variants of the method select the right element of a page."""

    corpus: str
    id: str
    is_right: tuple[bool, ...]


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
    pages: Sequence[GoldPage], variants: Sequence[Parameters], folder: Path, *, jobs: int = 1
) -> Iterator[AreaOutcome]:
    """Yield for each page with anchors and a snapshot which variants are right."""
    snapshots = Snapshots(folder)
    used = [page for page in pages if page.anchors and not page.is_partial and snapshots.file(page.body()).exists()]
    task = partial(_outcome, variants=tuple(variants), folder=folder)
    return map(task, used) if jobs == 1 else in_processes(task, used, jobs=jobs)


def _outcome(gold: GoldPage, variants: Sequence[Parameters], folder: Path) -> AreaOutcome:
    page = Snapshots(folder).page(gold.body())
    chooser, text, anchors = RegionSelector(page), page_text(page), gold.anchors or ()
    nodes = [chooser.select(parameters).node for parameters in variants]
    is_node_right = {node: is_right(page, node, anchors, text) for node in set(nodes)}
    return AreaOutcome(gold.corpus, gold.id, tuple(is_node_right[node] for node in nodes))


def accuracy(outcomes: Sequence[AreaOutcome], variant: int) -> dict[str, float]:
    """Return the share of pages on which a variant is right, by corpus and over all."""
    names = [*dict.fromkeys(outcome.corpus for outcome in outcomes), "all"]
    return {
        name: fmean(outcome.is_right[variant] for outcome in outcomes if name in (outcome.corpus, "all"))
        for name in names
    }
