"""How well the links to other pages of a list were found: the next page, and the set of numbered pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from statistics import fmean

from peneira_research.corpora.paging_pages import PagingPage, without_fragment


@dataclass(frozen=True, slots=True)
class PagingOutcome:
    """What a method found on a page, against the gold. ``f1`` is None where neither has numbered pages."""

    id: str
    site: str
    method: str
    next: str | None
    previous: str | None
    is_next_right: bool
    is_previous_right: bool
    f1: float | None
    found: int
    expected: int
    common: int
    kind: str = ""
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class PagingMetrics:
    """The shares of pages whose next and previous link is right or rightly absent, and the F1 of numbered pages.

    ``numbered``: the mean over the pages that have any, in gold or as found. ``pooled``: over all addresses.
    """

    pages: int
    next: float
    previous: float
    numbered: float | None
    pooled: float | None


def score_paging(
    gold: PagingPage, method: str, next_url: str | None, previous_url: str | None, pages: Iterable[str]
) -> PagingOutcome:
    """Return the outcome of one page."""
    found = {without_fragment(url) for url in pages}
    common = len(found & gold.pages)
    f1 = 2 * common / (len(found) + len(gold.pages)) if found or gold.pages else None
    return PagingOutcome(
        id=gold.id,
        site=gold.site,
        method=method,
        next=next_url,
        previous=previous_url,
        is_next_right=_is_right(next_url, gold.next),
        is_previous_right=_is_right(previous_url, gold.previous),
        f1=f1,
        found=len(found),
        expected=len(gold.pages),
        common=common,
    )


def paging_metrics(outcomes: Sequence[PagingOutcome]) -> PagingMetrics:
    """Return the metrics over pages."""
    scores = [outcome.f1 for outcome in outcomes if outcome.f1 is not None]
    addresses = sum(outcome.found + outcome.expected for outcome in outcomes)
    return PagingMetrics(
        pages=len(outcomes),
        next=fmean(outcome.is_next_right for outcome in outcomes),
        previous=fmean(outcome.is_previous_right for outcome in outcomes),
        numbered=fmean(scores) if scores else None,
        pooled=2 * sum(outcome.common for outcome in outcomes) / addresses if addresses else None,
    )


def _is_right(url: str | None, gold: AbstractSet[str]) -> bool:
    return without_fragment(url) in gold if url else not gold
