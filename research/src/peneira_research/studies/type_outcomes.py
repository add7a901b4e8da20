"""Verdicts on pages of known type: on which of them a main list is claimed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

from peneira.extraction import extract
from peneira.lists.ranking import Models
from peneira.methods import DEFAULT_METHOD
from peneira.sources.html import read_page
from peneira_research.corpora.typed_pages import PAGE_TYPES, PageType, TypedPage
from peneira_research.studies.page_outcomes import MIN_CONFIDENCE, method_by
from peneira_research.workers import in_processes

# Pages that a process is given at once: the models of all folds are sent along each time
PAGES_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class TypeOutcome:
    """What the default method says of a page of known type. ``confidence``: of its main list, None without one."""

    id: str
    corpus: str
    site: str
    type: PageType
    verdict: str | None = None
    confidence: float | None = None
    records: int = 0
    error: str | None = None


@dataclass(frozen=True, slots=True)
class TypeMetrics:
    """Pages of one type: the share with a main list, and with one of ``MIN_CONFIDENCE`` or more; pages by verdict."""

    pages: int
    main_list: float
    claimed_list: float
    verdicts: Mapping[str, int]
    errors: int


def type_outcomes(
    pages: Sequence[TypedPage], *, unseen: Mapping[str, Models] | None = None, jobs: int = 1
) -> Iterator[TypeOutcome]:
    """Yield the outcome of each page, in order. ``unseen``: models by site, in place of those that ship."""
    task = partial(type_outcome, unseen=unseen or {})
    return map(task, pages) if jobs == 1 else in_processes(task, pages, jobs=jobs, chunk=PAGES_AT_ONCE)


def type_outcome(page: TypedPage, unseen: Mapping[str, Models] = MappingProxyType({})) -> TypeOutcome:
    """Return what is said of one page; a failure is an outcome without a verdict."""
    blank = TypeOutcome(page.id, page.corpus, page.site, page.type)
    try:
        result = extract(read_page(page.body, url=page.url), method=method_by(DEFAULT_METHOD, unseen.get(page.site)))
    except Exception as error:  # a failure on one page must not stop the others
        return replace(blank, error=f"{type(error).__name__}: {error}")
    main = result.main
    return replace(
        blank,
        verdict=result.verdict,
        confidence=main.confidence if main else None,
        records=len(main.records) if main else 0,
    )


def metrics_by_type(outcomes: Sequence[TypeOutcome]) -> dict[PageType, TypeMetrics]:
    """Return the metrics of each type that there are pages of, in the order of ``PAGE_TYPES``."""
    by_type: dict[PageType, list[TypeOutcome]] = {}
    for outcome in outcomes:
        by_type.setdefault(outcome.type, []).append(outcome)
    return {page_type: type_metrics(by_type[page_type]) for page_type in PAGE_TYPES if page_type in by_type}


def type_metrics(outcomes: Sequence[TypeOutcome]) -> TypeMetrics:
    """Return the metrics of pages, at least one."""
    confidences = [outcome.confidence for outcome in outcomes if outcome.confidence is not None]
    verdicts = Counter(outcome.verdict for outcome in outcomes if outcome.verdict is not None)
    return TypeMetrics(
        pages=len(outcomes),
        main_list=len(confidences) / len(outcomes),
        claimed_list=sum(confidence >= MIN_CONFIDENCE for confidence in confidences) / len(outcomes),
        verdicts=dict(verdicts.most_common()),
        errors=sum(outcome.error is not None for outcome in outcomes),
    )
