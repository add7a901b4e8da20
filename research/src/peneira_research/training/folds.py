"""Folds for cross-validation: pages of one site, of one owner, or of one template are wholly in one of them.

Sites recur under other names, and software recurs over sites: a model that saw one forum has seen all forums of that
software. So a figure is of unseen pages only if the folds are dealt by host and by template, over all corpora together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from peneira.errors import CorpusError
from peneira.sources.html import read_page
from peneira_research.corpora.gold_pages import Corpora
from peneira_research.corpora.page_origin import Origin, page_origin, signature
from peneira_research.corpora.typed_pages import typed_pages
from peneira_research.workers import in_processes

Site = TypeVar("Site", str, tuple[str, str])

# Of the figures on unseen pages, for all models of lists and of their columns
FOLDS = 5
# Pages that share this much of their markup are of one template. Of the pairs of sites above it, those looked at are of
# one software (vBulletin .22 and .24, the court sites' Drupal .40), and pairs that are not begin at .17. Of all 3,230
# pages the largest group is then one of 528, recipes and blogs made with WordPress; the next has 43
MIN_SHARED_MARKUP = 0.2


@dataclass(frozen=True, slots=True)
class Group(Generic[Site]):
    """Sites that belong together, in order, and how many pages of each corpus they have."""

    sites: tuple[Site, ...]
    pages: Mapping[str, int]

    @property
    def size(self) -> int:
        """The number of pages."""
        return sum(self.pages.values())


def corpora_folds(corpora: Corpora, *, folds: int = FOLDS, jobs: int) -> dict[str, int]:
    """Return the fold of each site of all list pages and of all pages of known type: for every unseen figure."""
    groups = group_sites(site_origins(corpora, jobs=jobs))
    if len(groups) < folds:
        raise CorpusError(
            f"{corpora.root}: {len(groups)} groups of sites by host and template, {folds} folds need more"
        )
    return deal_groups(groups, folds)


def site_origins(corpora: Corpora, *, jobs: int) -> Iterator[tuple[str, Origin]]:
    """Yield the site and the origin of each list page, also of the further corpora, and of each page of known type."""
    pages = list(_pages(corpora))
    origins = map(_origin, pages) if jobs == 1 else in_processes(_origin, pages, jobs=jobs)
    return zip((page.site for page in pages), origins, strict=True)


def group_sites(pages: Iterable[tuple[Site, Origin]]) -> list[Group[Site]]:
    """Return the groups of sites that share a host or a template, the largest first, in whatever order pages come."""
    ordered = sorted(pages, key=lambda page: (page[0], page[1].corpus, page[1].owner, page[1].template))
    joined = _DisjointSets(len(ordered))
    for same in _same_site_or_owner(ordered):
        for k in same[1:]:
            joined.join(same[0], k)
    for a, b in _same_template([origin for _, origin in ordered]):
        joined.join(a, b)
    members: defaultdict[int, list[int]] = defaultdict(list)
    for k in range(len(ordered)):
        members[joined.first(k)].append(k)
    groups = [_group([ordered[k] for k in rows]) for rows in members.values()]
    return sorted(groups, key=lambda group: (-group.size, group.sites))


def deal_groups(groups: Sequence[Group[Site]], folds: int) -> dict[Site, int]:
    """Return the fold of each site. The largest groups are dealt first, each to the fold that has least of its corpora.

    A fold is chosen by the pages of each corpus that it has already, so that every corpus is spread over the folds.
    """
    totals: Counter[str] = Counter()
    for group in groups:
        totals.update(group.pages)
    loads: list[Counter[str]] = [Counter() for _ in range(folds)]
    fold_of: dict[Site, int] = {}
    for group in groups:
        costs = [_cost(group, load, totals) for load in loads]
        fold = costs.index(min(costs))
        loads[fold].update(group.pages)
        fold_of.update(dict.fromkeys(group.sites, fold))
    return fold_of


@dataclass(frozen=True, slots=True)
class _FoldPage:
    corpus: str
    site: str
    url: str | None
    body: bytes


def _pages(corpora: Corpora) -> Iterator[_FoldPage]:
    for gold in corpora.all_pages():
        yield _FoldPage(gold.corpus, gold.site, gold.url, gold.body())
    for typed in typed_pages(corpora):
        if not typed.gold_id:
            yield _FoldPage(typed.corpus, typed.site, typed.url, typed.body)


def _origin(page: _FoldPage) -> Origin:
    return page_origin(read_page(page.body), page.body, corpus=page.corpus, url=page.url)


def _cost(group: Group[Site], load: Mapping[str, int], totals: Mapping[str, int]) -> tuple[float, int]:
    shares = sum(pages * load.get(corpus, 0) / totals[corpus] for corpus, pages in group.pages.items())
    return round(shares, 9), sum(load.values())


def _group(pages: Sequence[tuple[Site, Origin]]) -> Group[Site]:
    return Group(tuple(sorted({site for site, _ in pages})), Counter(origin.corpus for _, origin in pages))


def _same_site_or_owner(pages: Sequence[tuple[Site, Origin]]) -> Iterator[list[int]]:
    """Yield the pages of each site, and those of each owner that is known."""
    by_site: defaultdict[Site, list[int]] = defaultdict(list)
    by_owner: defaultdict[str, list[int]] = defaultdict(list)
    for k, (site, origin) in enumerate(pages):
        by_site[site].append(k)
        if origin.owner:
            by_owner[origin.owner].append(k)
    yield from by_site.values()
    yield from by_owner.values()


def _same_template(origins: Sequence[Origin]) -> Iterator[tuple[int, int]]:
    """Yield pairs of pages of one template. O(pages squared), in arrays: a second for 2000 pages."""
    known = [k for k, origin in enumerate(origins) if origin.template]
    if not known:
        return
    signatures = np.stack([signature(origins[k]) for k in known])
    for a in range(len(known) - 1):
        shared = (signatures[a + 1 :] == signatures[a]).mean(axis=1)
        for b in np.flatnonzero(shared >= MIN_SHARED_MARKUP).tolist():
            yield known[a], known[a + 1 + b]


class _DisjointSets:
    """Numbers joined into sets, each known by its smallest (union-find)."""

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))

    def first(self, k: int) -> int:
        """Return the smallest number of the set."""
        while self._parent[k] != k:
            self._parent[k] = self._parent[self._parent[k]]
            k = self._parent[k]
        return k

    def join(self, a: int, b: int) -> None:
        """Make one set of the sets of two numbers."""
        low, high = sorted((self.first(a), self.first(b)))
        self._parent[high] = low
