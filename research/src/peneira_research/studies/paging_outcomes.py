"""The paging of pages with gold, by our rules and by autopager where it is installed; and what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from typing import Any
from urllib.parse import urljoin

from peneira.extraction import extract
from peneira.lists import page_addresses, pager_links, paging_words
from peneira.lists.paging import find_paging
from peneira.page import Page
from peneira.result import Region
from peneira.sources.encoding import decode
from peneira_research.corpora.paging_pages import PagingPage
from peneira_research.scores.paging_score import PagingOutcome, score_paging
from peneira_research.studies.speed import PARSE, Stage, best_cpu_times
from peneira_research.workers import in_processes

# What is kept of labels, class names and addresses that were seen; the words themselves are read once in any case
_KEPT: tuple[Any, ...] = tuple(
    value
    for module in (pager_links, paging_words, page_addresses)
    for value in vars(module).values()
    if hasattr(value, "cache_parameters") and value.cache_parameters()["maxsize"] is not None
)

OURS = "peneira"
PEER = "autopager"
METHODS: tuple[str, ...] = (OURS, *((PEER,) if find_spec(PEER) else ()))


def paging_outcomes(
    pages: Sequence[PagingPage], methods: Sequence[str] = METHODS, *, jobs: int = 1
) -> Iterator[list[PagingOutcome]]:
    """Yield for each page the outcome of each method."""
    task = partial(_outcomes, methods=tuple(methods))
    return map(task, pages) if jobs == 1 else in_processes(task, pages, jobs=jobs)


def paging_cost(pages: Sequence[PagingPage], *, repeat: int = 3) -> dict[str, float]:
    """Return the CPU time of finding the paging after ``extract``, as a multiple of lexbor's parse of the pages.

    ``warm``: the labels and addresses of the page are known from an earlier turn; ``cold``: they are all new.
    """
    parse = 0.0
    spent = dict.fromkeys(("warm", "cold"), 0.0)
    for gold in pages:
        page = Page.from_html(gold.body, url=gold.url)
        main = extract(page).main

        def cold(_: object, page: Page = page, main: Region | None = main) -> None:
            for cached in _KEPT:
                cached.cache_clear()
            find_paging(page, main)

        def warm(_: object, page: Page = page, main: Region | None = main) -> None:
            find_paging(page, main)

        times = best_cpu_times(gold.body, (Stage("cold", cold), Stage("warm", warm)), repeat=repeat)
        parse += times[PARSE]
        spent = {name: spent[name] + times[name] for name in spent}
    return {name: seconds / parse if parse else 0.0 for name, seconds in spent.items()}


def _outcomes(gold: PagingPage, methods: Sequence[str]) -> list[PagingOutcome]:
    return [_ours(gold) if method == OURS else _autopager(gold) for method in methods]


def _ours(gold: PagingPage) -> PagingOutcome:
    paging = extract(gold.body, url=gold.url).paging
    outcome = score_paging(gold, OURS, paging.next, paging.previous, paging.pages.values())
    return replace(outcome, kind=paging.kind, confidence=paging.confidence)


def _autopager(gold: PagingPage) -> PagingOutcome:
    """Return what autopager finds. Its model was trained on these very pages, so that they are not new to it."""
    import autopager

    found: dict[str, list[str]] = {"NEXT": [], "PREV": [], "PAGE": []}
    try:
        links: Any = list(autopager.extract(decode(gold.body)[0]))
    except Exception:  # where a peer fails on a page, it finds nothing
        links = []
    for label, link in links:
        found.setdefault(label, []).append(link.attrib.get("href", ""))
    return _from_links(gold, found)


def _from_links(gold: PagingPage, found: dict[str, list[str]]) -> PagingOutcome:
    urls = {
        label: [urljoin(gold.url, href) for href in hrefs if href and not href.startswith(("#", "javascript:"))]
        for label, hrefs in found.items()
    }
    first = {label: next(iter(of_label), None) for label, of_label in urls.items()}
    return score_paging(gold, PEER, first["NEXT"], first["PREV"], urls["PAGE"])
