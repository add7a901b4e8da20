"""The one way from a source to an ``Extraction``, for the library and the command line alike.

A source is read as it was sent, or rendered where it needs it (``peneira.sources.rendering``); a method finds the lists
of the page; columns are computed for the lists that are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from peneira.budget import Budget
from peneira.collection_pause import paused_collection
from peneira.columns.builder import ColumnBuilder, language_of
from peneira.columns.embedded_columns import EmbeddedColumns
from peneira.columns.roles import RoleModels
from peneira.columns.site_groups import PageOrigin, group_sites, page_origin
from peneira.findings import Findings, confidence_of
from peneira.limits import DEFAULT_LIMITS, Limits
from peneira.lists.paging import find_paging
from peneira.lists.rearranged import with_columns_of_pieces
from peneira.methods import DEFAULT_METHOD, MIN_LIST_PROBABILITY, Method
from peneira.methods import method as method_named
from peneira.node_paths import own_xpath
from peneira.page import Page
from peneira.preview import counted
from peneira.reasons import DeferredReasons, Reason, ReasonCode
from peneira.result import DeferredPaging, Extraction, PageType, Paging, Region, Regions, Verdict
from peneira.sources.inputs import Source, source_of
from peneira.sources.rendering import Render, Renderer
from peneira.texts.blocked_pages import blocked_reason
from peneira.texts.navigation import is_link_list
from peneira.texts.page_comparison import PageJudge, PageSummary
from peneira.texts.page_type import verdict_without_list
from peneira.texts.script_shell import script_shell_reason

if TYPE_CHECKING:
    from peneira.sources.browser import Browser

MAX_REGIONS = 20

# A page that says that it is blocked is so, unless it has a list of at least this confidence that is not all links
MIN_UNBLOCKED_CONFIDENCE = 0.5

# A page that shows more text than this shows its records too: of 1168 pages of wcxb without a list, none below it has
# something like a list in its data, and 9 above it have
MAX_CARRIER_CHARS = 2500


def extract(
    page: bytes | str | Path | Page,
    *,
    url: str | None = None,
    method: str | Method = DEFAULT_METHOD,
    limits: Limits = DEFAULT_LIMITS,
    render: Render = "never",
    browser: Browser | None = None,
) -> Extraction:
    """Return the lists of records of a page: HTML bytes, HTML text, a ``Path`` or a ``Page``.

    ``url`` makes links absolute; nothing is fetched. A page beyond ``limits`` gives a result with status "partial".
    ``render``: "always" renders the page in a browser first, "auto" where it is a shell that scripts fill. To extract
    from the page at a URL, give what ``Browser.open`` returns; a rendered page is not rendered again.
    """
    is_rendered = isinstance(page, Page) and page.layout is not None
    renderer = Renderer(render, limits=limits, browser=browser)
    with Extractor(method, Renderer(limits=limits) if is_rendered else renderer) as extractor:
        return extractor.extract(source_of(page, url=url)).result


def extract_all(
    pages: Iterable[bytes | str | Path | Page],
    *,
    method: str | Method = DEFAULT_METHOD,
    limits: Limits = DEFAULT_LIMITS,
) -> list[Extraction]:
    """Return the lists of records of several pages; the main lists of pages of one site have the same columns.

    A field has one name and type on all pages of its site, and is empty on a page without it. A site is a host: that
    of ``Page.url``, else the one that the page names; pages without any are of one site where their markup is much the
    same. A page that cannot be read raises its error. ``method`` and ``limits`` are those of ``extract``.
    """
    from peneira.columns.site_schema import with_site_schema  # of several pages only

    results: list[Extraction] = []
    origins: list[PageOrigin] = []
    languages: list[str] = []
    with Extractor(method, Renderer(limits=limits)) as extractor:
        for page in pages:
            extracted = extractor.extract(source_of(page))
            main = extracted.result.main
            results.append(extracted.result)
            origins.append(page_origin(extracted.reading.page, [main] if main is not None else []))
            languages.append(language_of(extracted.reading.page))
    sites: dict[int, list[int]] = {}
    for k, site in enumerate(group_sites(origins)):
        if results[k].main is not None:
            sites.setdefault(site, []).append(k)
    for members in sites.values():
        language = next((languages[k] for k in members if languages[k]), "")
        lists = [main for k in members if (main := results[k].main) is not None]
        for k, main in zip(members, with_site_schema(lists, language=language), strict=True):
            results[k] = _with_main(results[k], main)
    return results


def _with_main(result: Extraction, main: Region) -> Extraction:
    regions = result.regions
    others = regions.with_main(main) if isinstance(regions, Regions) else (main, *regions[1:])
    return replace(result, main=main, regions=others)


@dataclass(frozen=True, slots=True)
class Reading:
    """One source as it was read: its page, and how it was rendered or why not, if there is anything to say."""

    source: Source
    page: Page
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Extracted:
    """One source, as it was read and what was found on it."""

    reading: Reading
    result: Extraction


class PageReader:
    """Reads sources into pages, one after the other, in a ``with`` block: a browser that was started ends with it."""

    def __init__(self, renderer: Renderer) -> None:
        self.renderer = renderer

    def __enter__(self) -> PageReader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.renderer.__exit__(kind, error, trace)

    def read(self, source: Source) -> Reading:
        """Return the page of a source, rendered if it is a shell that scripts fill and a browser shows more text."""
        return self._read(source, PageJudge(_summary_without_list))

    def _read(self, source: Source, judge: PageJudge, *, needs_boxes: bool = False) -> Reading:
        page, reasons = self.renderer.read(source, judge, needs_boxes=needs_boxes)
        return Reading(source, page, reasons)


class Extractor(PageReader):
    """Extracts from sources one after the other, by one method."""

    def __init__(self, method: str | Method, renderer: Renderer) -> None:
        super().__init__(renderer)
        self.method = method if isinstance(method, Method) else method_named(method)

    def __enter__(self) -> Extractor:
        return self

    def extract(self, source: Source) -> Extracted:
        """Return the page of a source and the lists on it; a shell that scripts fill is rendered if that shows more."""
        results: dict[int, Extraction] = {}
        limits = self.renderer.limits
        budget = Budget(limits)

        def result_of(page: Page) -> Extraction:
            if id(page) not in results:
                # a rendered page is a second one, and starts with a budget of its own
                with paused_collection():
                    results[id(page)] = lists_of(page, self.method, budget if page.layout is None else Budget(limits))
            return results[id(page)]

        judge = PageJudge(lambda page: _summary(page, result_of(page)))
        with budget.running():
            reading = self._read(source, judge, needs_boxes=self.method.needs_boxes)
        result = result_of(reading.page)
        return Extracted(reading, replace(result, reasons=_with_rendering(reading.reasons, result.reasons)))


def _summary_without_list(page: Page) -> PageSummary:
    verdict, reason = verdict_without_list(page)
    return PageSummary(page, verdict, str(reason))


def _summary(page: Page, result: Extraction) -> PageSummary:
    """Return what was found on a page, for a comparison with the same page read in another way."""
    guess = result.regions[0] if result.regions else None
    return PageSummary(page, result.verdict, str(result.reasons[0]), result.main, guess)


def _with_rendering(rendering: Sequence[Reason], reasons: Sequence[Reason]) -> Sequence[Reason]:
    """Return all reasons: that a page was rendered comes first, that it could not be comes last."""
    if not rendering:
        return reasons
    first = [reason for reason in rendering if reason.code == ReasonCode.RENDERED]
    return (*first, *reasons, *(reason for reason in rendering if reason not in first))


def lists_of(
    page: Page, method: Method, budget: Budget | None = None, role_models: RoleModels | None = None
) -> Extraction:
    """Return the lists of records of a page, as far as the budget goes. ``role_models``: None for those that ship."""
    budget = budget or Budget(DEFAULT_LIMITS)
    found = budget.attempt(
        lambda: method.findings(page) if len(page) else Findings([]), Findings([]), "lists were not looked for"
    )
    lists = found.regions if len(found.regions) <= MAX_REGIONS else found.regions[:MAX_REGIONS]
    regions: Sequence[Region] = _with_columns(page, lists, budget, role_models) if lists else ()
    verdict: Verdict = "list"
    why: Reason | None = None
    page_types = found.page_types
    without_main = budget.attempt(
        lambda: _verdict_without_main(page, lists, found.page_types),
        None if lists else _UNDECIDED,
        "what kind of page it is was not decided",
    )
    has_main = without_main is None
    if without_main is not None:
        verdict, why = without_main
        if method.name == DEFAULT_METHOD and (
            carried := budget.attempt(
                lambda: _carried_list(page, verdict), None, "the data of the page was not searched for a list"
            )
        ):
            verdict, why, has_main, page_types = "list", None, True, {}
            lists, regions = [carried, *lists], (carried, *regions)
    main = regions[0] if has_main else None
    return Extraction(
        verdict=verdict,
        regions=regions,
        main=main,
        method=method.name,
        url=page.url,
        cuts=(*page.cuts, *found.cuts, *budget.cuts),
        reasons=_reasons(main, lists, verdict, page_types, why),
        verdict_confidence=_verdict_confidence(verdict, page_types),
        deferred_paging=DeferredPaging(
            lambda: budget.attempt(lambda: find_paging(page, main), _UNKNOWN_PAGING, "other pages were not looked for")
        ),
        later_cuts=budget.cuts,
    )


_UNKNOWN_PAGING = Paging(
    confidence=0.0, reasons=(Reason(ReasonCode.PAGING, "a limit was hit before links to other pages were looked for"),)
)
_UNDECIDED: tuple[Verdict, Reason] = (
    "other",
    Reason(ReasonCode.NO_LIST, "a limit was hit before the page could be judged"),
)


def _with_columns(page: Page, lists: Sequence[Region], budget: Budget, role_models: RoleModels | None) -> Regions:
    """Return the lists with their columns, which are computed as they are asked for, as far as the budget goes."""
    columns, embedded = ColumnBuilder(page, role_models), EmbeddedColumns(page)

    def fill(own: Page, region: Region) -> Region:
        if own is page:
            return embedded.join(columns.fill(region))
        return EmbeddedColumns(own).join(ColumnBuilder(own, role_models).fill(region))

    def filled(region: Region) -> Region:
        if region.columns:
            return region
        left_out = "the columns of the lists were not filled in"
        complete = budget.attempt(lambda: with_columns_of_pieces(page, region, fill), None, left_out)
        if complete is not None:
            return complete
        reason = Reason(ReasonCode.COLUMNS_LEFT_OUT, f"{left_out}: a limit")
        return replace(region, xpath=own_xpath(region), reasons=(*region.reasons, reason))

    return Regions(lists, filled)


def _verdict_without_main(
    page: Page, lists: Sequence[Region], page_types: Mapping[PageType, float]
) -> tuple[Verdict, Reason] | None:
    """Return what a page without a main list is, and why; None if its first list is the main one."""
    if not lists or page_types.get("list", 1.0) < MIN_LIST_PROBABILITY:
        return verdict_without_list(page, page_types)
    if shell := script_shell_reason(page, lists[0]):
        return "script-shell", shell
    is_doubtful = lists[0].confidence < MIN_UNBLOCKED_CONFIDENCE or is_link_list(page, lists[0])
    if page_types and is_doubtful and (blocked := blocked_reason(page)):
        return "blocked", blocked
    return None


def _verdict_confidence(verdict: Verdict, page_types: Mapping[PageType, float]) -> float | None:
    known = {name: round(probability, 3) for name, probability in page_types.items()}
    return next((probability for name, probability in known.items() if name == verdict), None)


def _carried_list(page: Page, verdict: Verdict) -> Region | None:
    """Return the list that a page carries in its data and does not show."""
    if verdict == "blocked" or not len(page) or len(page.visible_text(page.body)) > MAX_CARRIER_CHARS:
        return None
    from peneira.columns.state_records import records_from_state  # few pages carry a list

    return records_from_state(page)


def _reasons(
    main: Region | None,
    regions: Sequence[Region],
    verdict: Verdict,
    page_types: Mapping[PageType, float],
    why: Reason | None,
) -> Sequence[Reason]:
    """Return why there is no main list, or why this list is the main one and by how much it leads."""
    if why is not None:
        return (why, _no_list(regions, verdict, page_types))
    assert main is not None  # a page without a main list says why
    if len(regions) == 1:
        return main.reasons
    margin = main.confidence - confidence_of(regions, 1)
    lead = Reason.deferred(
        ReasonCode.MARGIN,
        lambda: f"the next list, {_size(regions[1])}, is behind by {margin:.2f}",
        round(margin, 4),
    )
    own = main.reasons
    return DeferredReasons(lambda: (*own, lead))


def _size(region: Region) -> str:
    return f"{len(region.records)} records at {region.xpath}"


def _no_list(regions: Sequence[Region], verdict: Verdict, page_types: Mapping[PageType, float]) -> Reason:
    if not regions:
        return Reason(ReasonCode.NO_LIST, "nothing that has text repeats")
    probability = page_types.get("list", 1.0)
    if probability >= MIN_LIST_PROBABILITY and verdict == "script-shell":
        return Reason(ReasonCode.NO_LIST, f"the best list, {_size(regions[0])}, is its menu", regions[0].confidence)
    best = f"the best of {counted(len(regions), 'list')} has a confidence of {regions[0].confidence:.2f}"
    if probability >= MIN_LIST_PROBABILITY:
        return Reason(ReasonCode.NO_LIST, best, regions[0].confidence)
    message = f"a list with a probability of {probability:.2f}, a main list needs {MIN_LIST_PROBABILITY:.2f}; {best}"
    return Reason(ReasonCode.NO_LIST, message, round(probability, 4))
