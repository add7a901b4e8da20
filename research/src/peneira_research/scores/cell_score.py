"""Cells returned: how much of the table that ``extract`` makes of a page a wrapper of its site gives again.

On the learning page a cell is returned if the column of its name has the same text. On other pages, where ``extract``
may call columns otherwise, it is enough that the record has the text in any column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from peneira.extraction import extract
from peneira.result import Record, Region
from peneira.sources.html import read_page
from peneira.table import Cell
from peneira.wrappers.learning import learn
from peneira_research.corpora.gold_pages import GoldPage

# Other pages of a site that are looked at
MAX_OTHER_PAGES = 5


@dataclass(frozen=True, slots=True)
class Returned:
    """Cells and records of tables, and how many of them were returned."""

    cells: int = 0
    returned_cells: int = 0
    records: int = 0
    returned_records: int = 0

    def __add__(self, other: Returned) -> Returned:
        return Returned(
            self.cells + other.cells,
            self.returned_cells + other.returned_cells,
            self.records + other.records,
            self.returned_records + other.returned_records,
        )


@dataclass(frozen=True, slots=True)
class SiteCells:
    """What a wrapper learned from the first page of a site returns there, on the other pages, and on those of them that
    are of its template according to it. ``notes``: what it says it does not read."""

    corpus: str
    site: str
    own: Returned
    others: Returned = Returned()
    fitting: Returned = Returned()
    columns: int = 0
    notes: int = 0
    error: str | None = None


def site_cells(pages: Sequence[GoldPage]) -> SiteCells | None:
    """Return the score of one list site, learned from its first page; None if that has no list."""
    first = pages[0]
    page = read_page(first.body(), url=first.url)
    main = extract(page).main
    if main is None:
        return None
    try:
        wrapper = learn([page], kind="list")
    except Exception as error:  # a failure on one site must not stop the others
        return SiteCells(first.corpus, first.site, returned(main, None, by_name=True), error=str(error))
    own = returned(main, wrapper.extract(page).main, by_name=True)
    others = fitting = Returned()
    for gold in pages[1 : 1 + MAX_OTHER_PAGES]:
        other = read_page(gold.body(), url=gold.url)
        expected = extract(other).main
        if expected is None:
            continue
        found = wrapper.extract(other).main
        score = returned(expected, found, by_name=False)
        others += score
        fitting += score if found is not None else Returned()
    return SiteCells(first.corpus, first.site, own, others, fitting, len(wrapper.columns), len(wrapper.notes))


def returned(expected: Region, found: Region | None, *, by_name: bool) -> Returned:
    """Return how much of a table is in another of the same page."""
    by_row = {start: record for record in found or () for start, _ in record.ranges[:1]}
    cells = right = records = 0
    for record in expected:
        other = next((by_row[start] for start, _ in record.ranges if start in by_row), None)
        records += other is not None
        own = {column.name: record[column.name] for column in expected.columns if column.name in record}
        cells += len(own)
        if other is not None:
            right += _same(own, other) if by_name else _anywhere(own, other)
    return Returned(cells, right, len(expected), records)


def _same(own: dict[str, Cell], other: Record) -> int:
    return sum(name in other and _texts(other[name]) == _texts(cell) for name, cell in own.items())


def _anywhere(own: dict[str, Cell], other: Record) -> int:
    values = {_texts(cell) for cell in other.fields.values()}
    return sum(_texts(cell) in values for cell in own.values())


def _texts(cell: Cell) -> tuple[str, ...]:
    return cell.items or (cell.text,)
