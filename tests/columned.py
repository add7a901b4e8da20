"""Lists of records made of the elements of one tag, with their columns: what tests of columns look at."""

from __future__ import annotations

from peneira.columns.builder import with_columns
from peneira.page import Page
from peneira.result import Record, Region
from peneira.sources.html import read_page


def region_of(html: str, tag: str = "li", *, url: str | None = None, span: int = 1) -> Region:
    """Return the elements of a tag as records, ``span`` of them to a record, with their columns."""
    page = read_page(html, url=url)
    return with_columns(page, Region("/html[1]", records_at(page, _tops(page, tag), span), 1.0))


def _tops(page: Page, tag: str) -> list[int]:
    found: list[int] = []
    for i in range(len(page)):
        if page.name(i) == tag and not (found and i < page.end[found[-1]]):
            found.append(i)
    return found


def records_at(page: Page, tops: list[int], span: int) -> tuple[Record, ...]:
    """Return records of ``span`` elements each."""
    groups = [tops[k : k + span] for k in range(0, len(tops), span)]
    return tuple(
        Record(tuple((i, int(page.end[i])) for i in those), page.text_of(those[0]), page.xpath(those[0]))
        for those in groups
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
