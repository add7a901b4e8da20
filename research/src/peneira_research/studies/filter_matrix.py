"""Every filter with every extractor: the record score of methods on what filters leave of a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter

import numpy as np

from peneira.extraction import extract
from peneira.page import Flags, Page
from peneira.sources.html import read_page
from peneira.texts.cleaned_rows import cleaned_rows
from peneira.texts.cleaning import Filtering, kept_rows, pruned_html
from peneira.texts.region_filter import content_rows
from peneira.texts.tps import VARIANTS, Variant
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.scores.record_score import score
from peneira_research.scores.resampling import Difference, Interval, difference, interval
from peneira_research.squeezed_text import page_text
from peneira_research.studies.kept_results import NOTHING_KEPT, KeptResults

NO_FILTER = "none"
# Variants of the published filter, two of them with Algorithm 6; the main regions of our filter; all that clean keeps
FILTERS = (NO_FILTER, *VARIANTS, "scan-on, Alg. 6", "program, Alg. 6", "main", "clean")
EXTRACTORS = ("mdr", "mdr-stm", "depta", "dsre", "autorm", "gstm", "xpath-rank", "auto")


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """The record score of one method on what one filter leaves of a page."""

    corpus: str
    id: str
    site: str
    filter: str
    method: str
    precision: float
    recall: float
    f1: float
    error: str | None = None


def run_matrix(
    pages: Sequence[GoldPage],
    *,
    filters: Sequence[str] = FILTERS,
    methods: Sequence[str] = EXTRACTORS,
    jobs: int = 1,
    keep: KeptResults = NOTHING_KEPT,
) -> Iterator[list[MatrixCell]]:
    """Yield the cells of each page, in the order of the pages; pages without anchors or whole gold have none."""
    task = partial(page_cells, filters=tuple(filters), methods=tuple(methods))
    return keep.each("matrix", list[MatrixCell], task, pages, key=attrgetter("id"), jobs=jobs)


def page_cells(gold: GoldPage, filters: Sequence[str], methods: Sequence[str]) -> list[MatrixCell]:
    """Return a cell for each filter and method."""
    if not gold.anchors or gold.is_partial:
        return []
    page = read_page(gold.body())
    text = page_text(page)
    cells: list[MatrixCell] = []
    found: dict[bytes, list[MatrixCell]] = {}
    for name in filters:
        keep = kept_by(page, name)
        same = keep.tobytes()  # filters often keep the same rows
        if same not in found:
            pruned = filtered_page(page, keep)
            found[same] = [_cell(gold, name, method, pruned, text) for method in methods]
        cells += [replace(cell, filter=name) for cell in found[same]]
    return cells


def kept_by(page: Page, name: str) -> Flags:
    """Return which rows a filter keeps; all that is outside of the body is kept."""
    keep = np.ones(len(page), dtype=np.bool_)
    if name != NO_FILTER and len(page):
        body = slice(page.body, int(page.end[page.body]))
        keep[body] = _FILTERS[name](page)[body]
    return keep


def filtered_page(page: Page, keep: Flags) -> Page:
    """Return what is kept of a page, read again; the page itself where all is kept."""
    return page if keep.all() else read_page(pruned_html(page, keep), url=page.url)


def _published(variant: Variant, complement: bool) -> Callable[[Page], Flags]:
    return lambda page: kept_rows(page, Filtering(variant, complement=complement))


_FILTERS: Mapping[str, Callable[[Page], Flags]] = {
    **{variant: _published(variant, False) for variant in VARIANTS},
    "scan-on, Alg. 6": _published("scan-on", True),
    "program, Alg. 6": _published("program", True),
    "main": content_rows,
    "clean": cleaned_rows,
}


def _cell(gold: GoldPage, name: str, method: str, page: Page, text: str) -> MatrixCell:
    blank = partial(MatrixCell, gold.corpus, gold.id, gold.site, name, method)
    try:
        main = extract(page, method=method).main
    except Exception as error:  # a failure on one page must not stop the others
        return blank(0.0, 0.0, 0.0, f"{type(error).__name__}: {error}")
    found = score([record.text for record in main.records] if main else [], gold.anchors or (), text)
    return blank(found.precision, found.recall, found.f1)


@dataclass(frozen=True, slots=True)
class Matrix:
    """The mean record scores by filter and method, and what each filter adds to a method without a filter."""

    f1: Mapping[tuple[str, str], Interval]
    precision: Mapping[tuple[str, str], Interval]
    recall: Mapping[tuple[str, str], Interval]
    gain: Mapping[tuple[str, str], Difference]


def matrix(cells: Sequence[MatrixCell]) -> Matrix:
    """Return the means of all cells with their intervals, and the paired differences to no filter."""
    groups: dict[tuple[str, str], list[MatrixCell]] = {}
    for cell in cells:
        groups.setdefault((cell.filter, cell.method), []).append(cell)

    def means(measure: Callable[[MatrixCell], float]) -> dict[tuple[str, str], Interval]:
        return {
            key: interval([measure(cell) for cell in row], [cell.site for cell in row]) for key, row in groups.items()
        }

    gains = {
        (name, method): difference(
            [cell.f1 for cell in row], [cell.f1 for cell in groups[NO_FILTER, method]], [cell.site for cell in row]
        )
        for (name, method), row in groups.items()
        if name != NO_FILTER and (NO_FILTER, method) in groups
    }
    return Matrix(
        means(lambda cell: cell.f1), means(lambda cell: cell.precision), means(lambda cell: cell.recall), gains
    )
