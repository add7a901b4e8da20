"""Regions whose records are the elements of one tag, with their columns."""

from __future__ import annotations

from peneira.columns.builder import with_columns
from peneira.page import Page
from peneira.result import Record, Region
from peneira.sources.html import read_page


def region_of(html: str, tag: str = "li", *, url: str | None = None, span: int = 1) -> Region:
    """Return the elements of a tag as records, ``span`` of them to a record, with their columns."""
    page = read_page(html, url=url)
    return with_columns(page, Region("/html[1]", records_at(page, _top_elements(page, tag), span), 1.0))


def _top_elements(page: Page, tag: str) -> list[int]:
    rows: list[int] = []
    for i in range(len(page)):
        if page.name(i) == tag and not (rows and i < page.end[rows[-1]]):
            rows.append(i)
    return rows


def records_at(page: Page, elements: list[int], span: int) -> tuple[Record, ...]:
    """Return records of ``span`` elements each."""
    groups = [elements[k : k + span] for k in range(0, len(elements), span)]
    return tuple(
        Record(tuple((i, int(page.end[i])) for i in group), page.text_of(group[0]), page.xpath(group[0]))
        for group in groups
    )


def columns(html: str, tag: str = "li", **how: object) -> dict[str, list[str]]:
    """Return the texts of the default columns by name, an empty string where a record has none."""
    region = region_of(html, tag, **how)  # type: ignore[arg-type]
    return {name: list(values) for name, values in zip(names(region), zip(*rows(region), strict=True), strict=True)}


def names(region: Region) -> tuple[str, ...]:
    """Return the names of the default columns."""
    return tuple(column.name for column in region.columns)


def rows(region: Region) -> tuple[tuple[str, ...], ...]:
    """Return the texts of the records under the default columns, an empty string where there is none."""
    return tuple(
        tuple(record.fields[name].text if name in record.fields else "" for name in names(region))
        for record in region.records
    )
