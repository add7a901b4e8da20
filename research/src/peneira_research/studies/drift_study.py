"""Drift: verdicts of wrappers on own, foreign and deliberately changed pages, and how well they heal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from peneira.page import Page
from peneira.sources.html import read_page
from peneira.wrappers.learning import learn
from peneira.wrappers.store import dumps, loads
from peneira.wrappers.wrapper import Wrapper, column_reader
from peneira_research.corpora.archives import SwdePage
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.studies.mutations import MUTATIONS, column_to_remove, removed_rows
from peneira_research.workers import in_processes

# Pages that a wrapper is learned from, sites in the study, pages of each other site that a wrapper is checked on
LEARNING_PAGES = 10
MAX_SITES = 20
FOREIGN_PAGES = 10
# Pages that are changed and healed from: others than those that the wrapper was learned from
CHANGED_PAGES = 10

Values = list[dict[str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class MutationScore:
    """The result of one mutation: the verdict on the changed pages, whether healing was accepted, and the share of the
    original values that the healed wrapper extracts."""

    verdict: str
    accepted: bool
    equal_share: float


@dataclass(frozen=True, slots=True)
class DriftScore:
    """How often each verdict was given on pages of the site and of other sites, and the result of each mutation."""

    site: str
    own: Mapping[str, int]
    foreign: Mapping[str, int] = field(default_factory=dict)
    mutations: Mapping[str, MutationScore] = field(default_factory=dict)


def distinct_sites(sites: Sequence[Sequence[SwdePage]], max_sites: int = MAX_SITES) -> list[Sequence[SwdePage]]:
    """Return sites of different names, of all verticals in turn."""
    by_vertical: dict[str, list[Sequence[SwdePage]]] = {}
    for pages in sites:
        by_vertical.setdefault(pages[0].vertical, []).append(pages)
    chosen: dict[str, Sequence[SwdePage]] = {}
    for turn in range(max(map(len, by_vertical.values()), default=0)):
        for vertical_sites in by_vertical.values():
            if turn < len(vertical_sites):
                chosen.setdefault(vertical_sites[turn][0].site, vertical_sites[turn])
    return list(chosen.values())[:max_sites]


def score_detail_drift(sites: Sequence[Sequence[SwdePage]], *, jobs: int = 1) -> Iterator[DriftScore]:
    """Yield the score of each of these detail sites against the others."""
    task = partial(_score_detail, [pages[:FOREIGN_PAGES] for pages in sites])
    return map(task, sites) if jobs == 1 else in_processes(task, sites, jobs=jobs, chunk=1)


def _score_detail(others: Sequence[Sequence[SwdePage]], pages: Sequence[SwdePage]) -> DriftScore:
    first = pages[0]
    learning = [read_page(page.body) for page in pages[:LEARNING_PAGES]]
    wrapper = loads(dumps(learn(learning, kind="detail")))
    foreign = [page for site in others if site[0].site != first.site for page in site]
    return DriftScore(
        f"{first.vertical}-{first.site}",
        dict(Counter(wrapper.check(page.body).verdict for page in pages[LEARNING_PAGES:])),
        dict(Counter(wrapper.check(page.body).verdict for page in foreign)),
        _mutations(wrapper, [read_page(page.body) for page in pages[-CHANGED_PAGES:]]),
    )


def score_list_drift(sites: Sequence[Sequence[GoldPage]], *, jobs: int = 1) -> Iterator[DriftScore]:
    """Yield the score of each list site, learned from its first page, against the first pages of the others."""
    task = partial(_score_list, [pages[0] for pages in sites])
    return map(task, sites) if jobs == 1 else in_processes(task, sites, jobs=jobs, chunk=1)


def _score_list(others: Sequence[GoldPage], pages: Sequence[GoldPage]) -> DriftScore:
    first, *own = pages
    wrapper = loads(dumps(learn([read_page(first.body(), url=first.url)], kind="list")))
    return DriftScore(
        f"{first.corpus}-{first.site}",
        dict(Counter(wrapper.check(gold.body()).verdict for gold in own)),
        dict(Counter(wrapper.check(gold.body()).verdict for gold in others if gold.site != first.site)),
        _mutations(wrapper, [read_page(gold.body(), url=gold.url) for gold in own[:CHANGED_PAGES]]),
    )


def _mutations(wrapper: Wrapper, pages: Sequence[Page]) -> dict[str, MutationScore]:
    """Return the result of each mutation that applies: halving to lists, removing a column to several columns."""
    left_out = {"halved list"} if wrapper.records is None else set()
    left_out |= {"removed column"} if column_to_remove(wrapper) is None else set()
    return {name: _mutated(name, wrapper, pages) for name in MUTATIONS if name not in left_out}


def _mutated(name: str, wrapper: Wrapper, pages: Sequence[Page]) -> MutationScore:
    changed = [read_page(MUTATIONS[name](page, wrapper), url=page.url) for page in pages]
    verdict = wrapper.check(changed).verdict
    healing = wrapper.heal(changed)
    is_removed = name == "removed column"
    step = 2 if name == "halved list" else 1
    before = [values for page in pages for values in _values(wrapper, page, without_removed=is_removed)[::step]]
    after = values(healing.wrapper, changed)
    return MutationScore(verdict, healing.accepted, _equal_share(before, after))


def _values(wrapper: Wrapper, page: Page, *, without_removed: bool) -> Values:
    """Return the values of the records of a page, optionally without those of the removed column."""
    is_removed = page.flags_below(removed_rows(page, wrapper) if without_removed else [])
    rows = wrapper.found_records(column_reader(page))
    return [{name: found.texts for name, found in row.values.items() if not is_removed[found.row]} for row in rows]


def values(wrapper: Wrapper, pages: Sequence[Page]) -> Values:
    """Return the values of all records of the pages, by column."""
    rows = [row for page in pages for row in wrapper.found_records(column_reader(page))]
    return [{name: found.texts for name, found in row.values.items()} for row in rows]


def _equal_share(before: Values, after: Values) -> float:
    """Return the share of the values before that are in the same column after."""
    old, new = (Counter((name, texts) for row in rows for name, texts in row.items()) for rows in (before, after))
    return (old & new).total() / max(old.total(), 1)
