"""What the tools for agents answer, as text of bounded size. These functions run in worker processes."""

from __future__ import annotations

from collections.abc import Sequence

from peneira.items.builder import item_of
from peneira.limits import Cut, Limits
from peneira.mcp.compact_table import TableOptions, compact_table, region_line
from peneira.preview import shortened
from peneira.result import Extraction, Region
from peneira.service.verbs import PageToRead, extracted, names_of
from peneira.texts.main_text import main_text
from peneira.wrappers.drift import CheckReport
from peneira.wrappers.store import loads

MAX_ITEM_CHARS = 400
MAX_ITEM_FIELDS = 40
MAX_LISTS = 6


def records_answer(given: PageToRead, limits: Limits, region: int | None, options: TableOptions) -> str:
    """Return the records of a page, what else is on it, and where its next page is."""
    result, chosen = extracted(given, limits, region=region)
    if chosen is None:
        why = result.reasons[0] if result.reasons else result.verdict
        return "\n".join(
            [f"No list of records: {result.verdict} ({why})", *_other_lists(result, None), *_cuts(result.cuts)]
        )
    return _read(result, chosen, options, _other_lists(result, chosen))


def applied_answer(given: PageToRead, limits: Limits, wrapper: str, options: TableOptions) -> str:
    """Return the records of a page, read with a wrapper."""
    result = loads(wrapper).extract(given.read(limits))
    if result.main is None:
        why = result.reasons[0] if result.reasons else result.verdict
        return f"Nothing was read: {why}"
    return _read(result, result.main, options, [])


def _read(result: Extraction, region: Region, options: TableOptions, others: Sequence[str]) -> str:
    lines = [region_line(region), compact_table(region.table, options), *others]
    if result.paging.onward:
        lines.append(f"next page: {result.paging.onward}")
    return "\n".join([*lines, *_cuts(result.cuts)])


def _other_lists(result: Extraction, chosen: Region | None) -> list[str]:
    regions: Sequence[Region] = getattr(result.regions, "unfilled", result.regions)
    others = [
        f"{k}: {region_line(region)}"
        for k, region in enumerate(regions[:MAX_LISTS], start=1)
        if chosen is None or region.xpath != chosen.xpath
    ]
    return [f"other lists (region=N): {'; '.join(others)}"] if others and chosen is None else []


def item_answer(given: PageToRead, limits: Limits) -> str:
    """Return the one thing that a page is about, a field per line."""
    item = item_of(given.read(limits))
    if item.kind is None:
        return f"No single thing: {item.reasons[0] if item.reasons else 'nothing to read'}"
    lines = [f"{item.kind}, confidence {item.confidence:.2f}"]
    for name, cell in list(item.fields.items())[:MAX_ITEM_FIELDS]:
        text = " | ".join(cell.items) if cell.items else cell.text
        lines.append(f"{name}: {shortened(text, MAX_ITEM_CHARS)}")
    left = len(item.fields) - MAX_ITEM_FIELDS
    if left > 0:
        lines.append(f"({left} more fields)")
    return "\n".join([*lines, *_cuts(item.cuts)])


def text_answer(given: PageToRead, limits: Limits, max_chars: int, offset: int) -> str:
    """Return a part of the main text of a page as Markdown, and how much is left."""
    found = main_text(given.read(limits), markdown=True, with_comments=False)
    if not found.text:
        described = f"\nThe page describes itself: {found.description}" if found.description else ""
        return f"No main text: {found.reason or 'the page shows none'}{described}"
    part = found.text[offset : offset + max_chars]
    left = len(found.text) - offset - len(part)
    more = [f"({left} characters more: offset={offset + len(part)})"] if left > 0 else []
    return "\n".join([part, *more, *_cuts(found.cuts)])


def check_answer(given: Sequence[PageToRead], limits: Limits, wrapper: str) -> tuple[str, str, CheckReport]:
    """Return whether pages still fit a wrapper, in words; what the pages are called; and the report."""
    report = loads(wrapper).check([each.read(limits) for each in given])
    lines = [f"{report.verdict}: {report.records} records on {report.pages} page(s)", *map(str, report.reasons)]
    return "\n".join(lines), names_of(given), report


def _cuts(cuts: Sequence[Cut]) -> list[str]:
    return [f"partial: {cut}" for cut in cuts]
