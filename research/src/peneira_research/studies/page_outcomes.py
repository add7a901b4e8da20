"""Methods on gold pages: one outcome per page and method, an error among the possible outcomes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType

from peneira.extraction import extract
from peneira.lists.auto import find_lists
from peneira.lists.ranking import Models
from peneira.methods import DEFAULT_METHOD, Method
from peneira.methods import method as method_named
from peneira.page import Page
from peneira.result import Extraction
from peneira.sources.html import read_page
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.corpora.rendered_pages import Snapshots
from peneira_research.peers import records_by
from peneira_research.scores.element_score import element_of, is_right
from peneira_research.scores.record_score import score
from peneira_research.scores.table_score import score_cut
from peneira_research.squeezed_text import page_text
from peneira_research.studies.kept_results import NOTHING_KEPT, KeptResults

# From this confidence on, a list counts as a claim that the page has a list
MIN_CONFIDENCE = 0.5
# A page is right from this F1 on
RIGHT = 0.9


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a method on a page; scores are None where the page has no anchors, 0 where the method failed.

    ``confidence`` is that of the main list; ``confident_lists`` counts all lists from ``MIN_CONFIDENCE`` on.
    ``region_right``: whether the element of the main list holds the gold records and little else. ``texts``, ``whole``,
    ``astray``, ``out_of_phase``: of the table score, where the gold has the fields of all records.
    """

    method: str
    corpus: str
    id: str
    site: str
    is_partial: bool
    is_negative: bool
    anchors: int | None
    expected: int | None
    records: int = 0
    verdict: str | None = None
    status: str | None = None
    confidence: float | None = None
    confident_lists: int = 0
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    scale: float | None = None
    exact_count: bool | None = None
    region_right: bool | None = None
    texts: int | None = None
    whole: int | None = None
    astray: int | None = None
    out_of_phase: bool | None = None
    error: str | None = None

    @property
    def is_counted(self) -> bool:
        """Whether the page counts in the mean F1."""
        return self.f1 is not None and not self.is_partial

    @property
    def is_right(self) -> bool:
        """Whether the records found are those of the gold."""
        return (self.f1 or 0.0) >= RIGHT


def run_methods(
    pages: Sequence[GoldPage],
    methods: Sequence[str],
    *,
    jobs: int = 1,
    unseen: Mapping[str, Models] | None = None,
    snapshots: Path | None = None,
    peers: Sequence[str] = (),
    keep: KeptResults = NOTHING_KEPT,
) -> Iterator[tuple[Outcome, ...]]:
    """Yield the outcomes of each page, one per method, in the order of the pages whatever the number of jobs.

    ``unseen``: models by site, used for the default method in place of those that ship. ``snapshots``: the folder of
    rendered pages, which are then used for all methods. ``peers``: other extractors, beside the methods.
    """
    for name in methods:
        method_named(name)
    task = partial(page_outcomes, methods=tuple(methods), unseen=unseen or {}, snapshots=snapshots, peers=peers)
    return keep.each("records", tuple[Outcome, ...], task, pages, key=attrgetter("id"), jobs=jobs)


def page_outcomes(
    gold: GoldPage,
    methods: Sequence[str],
    unseen: Mapping[str, Models] = MappingProxyType({}),
    snapshots: Path | None = None,
    peers: Sequence[str] = (),
) -> tuple[Outcome, ...]:
    """Return the outcome of each method on one page, which is read once."""
    try:
        page = Snapshots(snapshots).page(gold.body()) if snapshots else read_page(gold.body())
        text = page_text(page) if gold.anchors else ""
    except Exception as error:
        return tuple(_failed(gold, name, error) for name in (*methods, *peers))
    own = (_outcome(gold, page, text, method_by(name, unseen.get(gold.site))) for name in methods)
    return (*own, *(_peer_outcome(gold, text, name) for name in peers))


def method_by(name: str, models: Models | None) -> Method:
    """Return the method of that name; the default one by these models, unless there are none."""
    known = method_named(name)
    if name != DEFAULT_METHOD or models is None:
        return known
    return replace(known, find=partial(find_lists, models=models))


def _outcome(gold: GoldPage, page: Page, text: str, method: Method) -> Outcome:
    blank = _blank(gold, method.name)
    try:
        result = extract(page, method=method)
        outcome = _scored(blank, gold, result, text)
        if result.main is None or not gold.anchors:
            return outcome
        element = element_of(page, result.main)
        return replace(outcome, region_right=is_right(page, element, gold.anchors, text))
    except Exception as error:  # a failure on one page must not stop the others
        return _failed(gold, method.name, error)


def _peer_outcome(gold: GoldPage, text: str, name: str) -> Outcome:
    """Return the records of another extractor; as it states no confidence, any record is a claim of a list."""
    records = records_by(name, gold.body())
    outcome = replace(
        _blank(gold, name),
        records=len(records),
        confident_lists=int(bool(records)),
        exact_count=None if gold.expected is None else len(records) == gold.expected,
    )
    return _with_scores(outcome, gold, records, text)


def _blank(gold: GoldPage, method: str) -> Outcome:
    return Outcome(
        method=method,
        corpus=gold.corpus,
        id=gold.id,
        site=gold.site,
        is_partial=gold.is_partial,
        is_negative=gold.is_negative,
        anchors=None if gold.anchors is None else len(gold.anchors),
        expected=gold.expected,
    )


def _scored(blank: Outcome, gold: GoldPage, result: Extraction, text: str) -> Outcome:
    records = [record.text for record in result.main.records] if result.main else []
    outcome = replace(
        blank,
        records=len(records),
        verdict=result.verdict,
        status=result.status,
        confidence=result.main.confidence if result.main else None,
        confident_lists=sum(region.confidence >= MIN_CONFIDENCE for region in result.regions),
        exact_count=None if gold.expected is None else len(records) == gold.expected,
        region_right=False if gold.anchors else None,
    )
    return _with_scores(outcome, gold, records, text)


def _with_scores(outcome: Outcome, gold: GoldPage, records: Sequence[str], text: str) -> Outcome:
    if not gold.anchors:
        return outcome
    scored = score(records, gold.anchors, text)
    outcome = replace(outcome, precision=scored.precision, recall=scored.recall, f1=scored.f1, scale=scored.scale)
    return _with_cut(outcome, gold, records)


def _with_cut(outcome: Outcome, gold: GoldPage, records: Sequence[str]) -> Outcome:
    if not gold.has_fields:
        return outcome
    cut = score_cut(gold.anchors or (), gold.fields, records)
    return replace(outcome, texts=cut.texts, whole=cut.whole, astray=cut.astray, out_of_phase=cut.is_out_of_phase)


def _failed(gold: GoldPage, method: str, error: Exception) -> Outcome:
    blank = _with_cut(_blank(gold, method), gold, [])
    zero = 0.0 if blank.anchors else None
    return replace(
        blank,
        precision=zero,
        recall=zero,
        f1=zero,
        scale=None if zero is None else 1.0,
        exact_count=None if blank.expected is None else False,
        region_right=False if blank.anchors else None,
        error=f"{type(error).__name__}: {error}",
    )
