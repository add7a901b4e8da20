"""Cells returned: how much of the table that ``extract`` makes of a page a wrapper of its site gives again.

On the learning page a cell is returned if the column of its name has the same text. On other pages, where ``extract``
may call columns otherwise, it is enough that the record has the text in any column, shown or not. A column of another
page is *known* if the table of the learning page had one in the same place, by tags and classes, shown or not: cells of
other columns no wrapper of that page could know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

from peneira.extraction import extract
from peneira.result import Region
from peneira.sources.html import read_page
from peneira.table import Cell
from peneira.wrappers.learning import learn
from peneira_research.corpora.gold_pages import GoldPage

# Other pages of a site that are looked at
MAX_OTHER_PAGES = 5


@dataclass(frozen=True, slots=True)
class Returned:
    """Cells and records of tables, and how many of them were returned.

    ``shown_cells``: those returned in a column that the wrapper shows; ``known_cells``: those of columns in places that
    the learning page had too, and ``returned_known_cells`` of them.
    """

    cells: int = 0
    returned_cells: int = 0
    records: int = 0
    returned_records: int = 0
    shown_cells: int = 0
    known_cells: int = 0
    returned_known_cells: int = 0

    def __add__(self, other: Returned) -> Returned:
        return Returned(*(own + more for own, more in zip(astuple(self), astuple(other), strict=True)))


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
    places = frozenset(column.path for column in main.all_columns or main.columns)
    for gold in pages[1 : 1 + MAX_OTHER_PAGES]:
        other = read_page(gold.body(), url=gold.url)
        expected = extract(other).main
        if expected is None:
            continue
        found = wrapper.extract(other).main
        score = returned(expected, found, by_name=False, places=places)
        others += score
        fitting += score if found is not None else Returned()
    return SiteCells(first.corpus, first.site, own, others, fitting, len(wrapper.columns), len(wrapper.notes))


def returned(
    expected: Region, found: Region | None, *, by_name: bool, places: frozenset[str] = frozenset()
) -> Returned:
    """Return how much of a table is in another of the same page. ``places``: the paths of known columns."""
    by_row = {start: record for record in found or () for start, _ in record.ranges[:1]}
    shown_names = frozenset(column.name for column in found.columns) if found is not None else frozenset()
    total = Returned(records=len(expected))
    for record in expected:
        other = next((by_row[start] for start, _ in record.ranges if start in by_row), None)
        total += Returned(returned_records=int(other is not None))
        values = {name: _texts(cell) for name, cell in other.fields.items()} if other is not None else {}
        shown = {texts for name, texts in values.items() if name in shown_names}
        anywhere = set(values.values())
        for column in expected.columns:
            if column.name in record:
                texts = _texts(record[column.name])
                is_right = values.get(column.name) == texts if by_name else texts in anywhere
                is_known = column.path in places
                total += Returned(
                    cells=1,
                    returned_cells=int(is_right),
                    shown_cells=int(texts in shown),
                    known_cells=int(is_known),
                    returned_known_cells=int(is_known and is_right),
                )
    return total


def _texts(cell: Cell) -> tuple[str, ...]:
    return cell.items or (cell.text,)
