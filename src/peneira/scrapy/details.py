"""The pages of records, read: by a wrapper that is learned from the first few, and as items; joined to the records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from peneira.errors import PeneiraError
from peneira.items.builder import item_of
from peneira.page import Page
from peneira.reasons import ReasonCode
from peneira.result import Region
from peneira.scrapy.light_cells import light_cell
from peneira.table import Cell, Column, Table, joined_type
from peneira.wrappers.learning import learn
from peneira.wrappers.wrapper import Wrapper

# How many pages a wrapper is learned from; with fewer than two there is nothing to compare
LEARNING_PAGES = 8
MIN_LEARNING_PAGES = 3
# Two columns say the same if this share of the records that have both has the same text in both
MIN_SAME_SHARE = 0.9
PREFIX = "detail_"


@dataclass(frozen=True, slots=True)
class Details:
    """What the page of a record says: cells by column name, and the columns. ``fits``: it fits the wrapper."""

    cells: Mapping[str, Cell]
    columns: tuple[Column, ...]
    fits: bool = True


class DetailReader:
    """Reads pages of records: the fields of the item, and those that a wrapper finds beyond them."""

    def __init__(self, wrapper: Wrapper | None = None) -> None:
        self.wrapper = wrapper

    def learn(self, pages: Sequence[Page]) -> None:
        """Learn the template from the first pages; where nothing can be learned, items are read without it."""
        if len(pages) >= MIN_LEARNING_PAGES:
            try:
                self.wrapper = learn(list(pages), kind="detail")
            except PeneiraError:
                self.wrapper = None

    def read(self, page: Page) -> Details:
        """Return what a page says."""
        item = item_of(page)
        cells, columns, fits = dict(item.fields), list(item.columns), True
        if self.wrapper is not None:
            result = self.wrapper.extract(page)
            fits = not any(reason.code == ReasonCode.OTHER_TEMPLATE for reason in result.reasons)
            if result.main:
                for column, cell in _further(result.main, cells):
                    cells[column.name] = cell
                    columns.append(column)
        return Details({name: light_cell(cell) for name, cell in cells.items()}, tuple(columns), fits)


def _further(found: Region, known: Mapping[str, Cell]) -> list[tuple[Column, Cell]]:
    """Return the columns of a page that say something beyond the known cells, and beyond the lists among themselves.

    A template with a list in it also has the first values of the list in places of their own, and its first entry.
    """
    cells = [(column, cell) for column in found.columns if (cell := found[0].get(column.name)) is not None]
    texts = {cell.text for cell in known.values()}
    items = {item for column, cell in cells if column.type == "list" for item in cell.items or (cell.text,)}
    lists = {column.name: frozenset(cell.items or (cell.text,)) for column, cell in cells if column.type == "list"}
    mixed = {name for name in lists if _is_mixed(name, lists)}
    return [
        (column, cell)
        for column, cell in cells
        if column.name not in known
        and column.name not in mixed
        and cell.text not in texts
        and (column.type == "list" or cell.text not in items)
    ]


def _is_mixed(name: str, lists: Mapping[str, frozenset[str]]) -> bool:
    """Return whether the items of a list are those of several others: the parts of one entry."""
    own = lists[name]
    others = [items for other, items in lists.items() if other != name]
    return len(own) > 1 and own <= frozenset().union(*others) and not any(own <= items for items in others)


def join_details(table: Table, keys: Sequence[str | None], details: Mapping[str, Details]) -> Table:
    """Return the table with the columns of the records' own pages; a key is the address of a row's own page.

    A column of the pages that says the same as one of the list is left out; another of the same name gets a prefix.
    """
    found = [details.get(key) if key is not None else None for key in keys]
    if not any(found):
        return table
    names = Counter(column.name for each in found if each is not None for column in each.columns)
    own = {name: k for k, name in enumerate(table.names)}
    columns: list[Column] = []
    cells: list[list[Cell | None]] = []
    for name in names:
        values = [each.cells.get(name) if each is not None else None for each in found]
        if name in own and _is_same([row[own[name]] for row in table.rows], values):
            continue
        columns.append(_column(name, found, taken={*own, *(column.name for column in columns)}))
        cells.append(values)
    rows = tuple((*row, *(values[k] for values in cells)) for k, row in enumerate(table.rows))
    return Table((*table.columns, *columns), rows)


def _is_same(first: Sequence[Cell | None], second: Sequence[Cell | None]) -> bool:
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    same = sum(a.text == b.text or a.value == b.value for a, b in pairs)
    missing = sum(a is None and b is not None for a, b in zip(first, second, strict=True))
    return bool(pairs) and not missing and same >= MIN_SAME_SHARE * len(pairs)


def _column(name: str, found: Sequence[Details | None], taken: set[str]) -> Column:
    same = [column for each in found if each is not None for column in each.columns if column.name == name]
    chosen = name
    while chosen in taken:
        chosen = PREFIX + chosen
    return replace(
        same[0], name=chosen, fill=len(same) / len(found), type=joined_type({column.type for column in same})
    )
