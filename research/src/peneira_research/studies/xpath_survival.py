"""The XPath of the rendering-area method as a product: saved from one page of a site, applied to the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from peneira.methods.area import PUBLISHED, RegionSelector
from peneira.page import Page
from peneira.xpath.finder import Finder
from peneira.xpath.selectors import parse_any_length
from peneira.xpath.unique_xpath import predicate_xpath
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.corpora.rendered_pages import Snapshots
from peneira_research.scores.element_score import is_right
from peneira_research.squeezed_text import page_text
from peneira_research.studies.kept_results import NOTHING_KEPT, KeptResults

SAVED = ("by position", "by attributes")
ANEW = "selected anew"


@dataclass(frozen=True, slots=True)
class Survival:
    """What became of the XPath of a site's first page on another of its pages: it selects the right element, a wrong
    one, or none; by the kind of the XPath, and for the method itself on that page."""

    corpus: str
    site: str
    id: str
    first_is_right: bool
    verdicts: Mapping[str, str]


def sites_of_several_pages(pages: Sequence[GoldPage]) -> list[list[GoldPage]]:
    """Return the scored pages of each site that has at least two of them."""
    sites: dict[tuple[str, str], list[GoldPage]] = {}
    for page in pages:
        if page.anchors and not page.is_partial:
            sites.setdefault((page.corpus, page.site), []).append(page)
    return [of_site for of_site in sites.values() if len(of_site) > 1]


def survivals(
    sites: Sequence[Sequence[GoldPage]], folder: Path, *, jobs: int = 1, keep: KeptResults = NOTHING_KEPT
) -> Iterator[list[Survival]]:
    """Yield the fate of each site's XPaths on its other pages; all pages must have a snapshot."""
    task = partial(_survivals, folder=folder)
    return keep.each("XPaths", list[Survival], task, sites, key=lambda pages: pages[0].id, jobs=jobs, chunk=1)


def _survivals(pages: Sequence[GoldPage], folder: Path) -> list[Survival]:
    snapshots = Snapshots(folder)
    used = [page for page in pages if snapshots.file(page.body()).exists()]
    if not used or used[0] is not pages[0]:
        return []
    first = snapshots.page(used[0].body())
    node = RegionSelector(first).select(PUBLISHED).node
    found = is_right(first, node, used[0].anchors or (), page_text(first))
    saved = dict(zip(SAVED, (first.xpath(node), predicate_xpath(first, node)), strict=True))
    rows = []
    for gold in used[1:]:
        page = snapshots.page(gold.body())
        finder, text = Finder(page), page_text(page)
        nodes = {kind: finder.rows(parse_any_length(xpath))[:1] for kind, xpath in saved.items()}
        nodes[ANEW] = [RegionSelector(page).select(PUBLISHED).node]
        verdicts = {kind: _verdict(page, selected, gold, text) for kind, selected in nodes.items()}
        rows.append(Survival(gold.corpus, gold.site, gold.id, found, verdicts))
    return rows


def _verdict(page: Page, selected: Sequence[int], gold: GoldPage, text: str) -> str:
    if not selected:
        return "none"
    return "right" if is_right(page, selected[0], gold.anchors or (), text) else "wrong"
