"""The cells of columns that are not shown, made when they are first asked for.

A list has about three times as many columns as are shown, and most users read those only.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple, Protocol

from peneira.budget import spend
from peneira.columns.raw_columns import WHOLE, RawColumn, RawValue
from peneira.columns.spaced_texts import MIN_ROWS, spaced_text
from peneira.kernels import compiled
from peneira.node_paths import NODE_SLOTS, PageNode, own_xpath
from peneira.page import Page
from peneira.result import RECORD_SLOTS, Record
from peneira.table import CELL_SLOTS, Cell, node_cell
from peneira.types.column_types import InferredType
from peneira.values import ColumnType, Value

cell_making = compiled("cell_making")

_ADDRESS_TYPES = frozenset({"url", "image"})
# The cells of so many records are made one by one; whoever asks for more reads the whole list
MAX_SINGLE_RECORDS = 2


class NamedColumn(NamedTuple):
    """A raw column with its name and type. ``nested``: the cells of nested records, by record."""

    name: str
    column: RawColumn
    type: InferredType
    nested: Mapping[int, Cell]

    def texts(self, page: Page) -> Iterator[tuple[int, str, bool]]:
        """Yield the records that have a cell, with its text, and whether that is an address."""
        column = self.column
        is_address = not column.is_list and self.type.type in _ADDRESS_TYPES
        if column.nested:
            for record, cell in self.nested.items():
                yield record, cell.text, is_address and len(column.values.get(record, ())) == 1
            return
        may_be_glued, ends = _may_be_glued(column), page.lists.end
        for record, values in column.values.items():
            if len(values) > 1 or column.is_list:
                yield record, ", ".join([value.text for value in values]), is_address and len(values) == 1
                continue
            text, row, _, _ = values[0]
            if may_be_glued and text and ends[row] - row >= MIN_ROWS:
                text = spaced_text(page, row, text)
            yield record, text, is_address

    def cell(self, page: Page, record: int) -> Cell | None:
        """Return the cell of a record, None if it has none."""
        if self.column.nested:
            return self.nested.get(record)
        values = self.column.values.get(record)
        return None if values is None else _cell(page, self.column, values, self.type, record)

    def cells(self, page: Page) -> Mapping[int, Cell]:
        """Return the cells of all records that have one."""
        if self.column.nested:
            return self.nested
        return _cells(page, self.column, self.type)


class HiddenCells(Protocol):
    """What can read the cells of hidden columns."""

    def has_any(self, names: Collection[object]) -> bool:
        """Return whether a hidden column has one of the names."""

    def cells(self, record: int) -> dict[str, Cell]:
        """Return the cells of a record by column."""


class HiddenColumns:
    """The columns of a region that are not shown, and the page that their cells are read from.

    ``make``: gives the columns, which are named when one is first asked for; ``shown``: the names of the others.
    """

    def __init__(self, page: Page, make: Callable[[], Sequence[NamedColumn]], shown: frozenset[str]) -> None:
        self.page, self.shown = page, shown
        self._make: Callable[[], Sequence[NamedColumn]] | None = make
        self._columns: Sequence[NamedColumn] = ()
        self._asked = 0  # how many records were asked for
        self._cells: list[tuple[str, Mapping[int, Cell]]] | None = None

    @property
    def columns(self) -> Sequence[NamedColumn]:
        """The hidden columns."""
        if (make := self._make) is not None:
            self._columns, self._make = make(), None
        return self._columns

    def has_any(self, names: Collection[object]) -> bool:
        """Return whether a hidden column has one of the names."""
        return not self.shown.issuperset(names) and any(column.name in names for column in self.columns)

    def cells(self, record: int) -> dict[str, Cell]:
        """Return the cells of a record by column."""
        self._asked += 1
        if self._asked <= MAX_SINGLE_RECORDS:
            single = ((column.name, column.cell(self.page, record)) for column in self.columns)
            return {name: cell for name, cell in single if cell is not None}
        if self._cells is None:
            self._cells = [(column.name, column.cells(self.page)) for column in self.columns]
        return {name: cell for name, cells in self._cells if (cell := cells.get(record)) is not None}

    def texts(self) -> Iterator[tuple[int, str, bool]]:
        """Yield the texts of all cells, each with its record, and whether they are addresses."""
        for column in self.columns:
            yield from column.texts(self.page)


class DeferredCells(Mapping[str, Cell]):
    """The cells of a record by column; those of hidden columns are made when one of them is asked for.

    It equals a dict of the same cells, and is copied and pickled as one, without the page.
    """

    __slots__ = ("_cells", "_hidden", "_record")

    def __init__(self, cells: dict[str, Cell], hidden: HiddenCells, record: int) -> None:
        self._cells, self._record = cells, record
        self._hidden: HiddenCells | None = hidden

    def _all(self) -> dict[str, Cell]:
        hidden = self._hidden
        if hidden is not None:
            self._cells = {**self._cells, **hidden.cells(self._record)}
            self._hidden = None
        return self._cells

    def made_and_hidden(self) -> tuple[Mapping[str, Cell], HiddenColumns | None, int]:
        """Return the cells that are made, the columns of the others, if there are any, and the record."""
        hidden = self._hidden
        if isinstance(hidden, HiddenColumns):
            return self._cells, hidden, self._record
        return self._all(), None, self._record

    def copy(self) -> dict[str, Cell]:
        """Return a dict of all cells."""
        return dict(self._all())

    def _cells_with(self, name: object) -> dict[str, Cell]:
        """Return the cells, all of them if a hidden column has the name."""
        hidden = self._hidden
        return (
            self._all() if hidden is not None and name not in self._cells and hidden.has_any((name,)) else self._cells
        )

    def __getitem__(self, name: str) -> Cell:
        return self._cells_with(name)[name]

    def get(self, name: str, default: Cell | None = None) -> Cell | None:  # type: ignore[override]
        """Return the cell of a column, the default where the record has none."""
        return self._cells_with(name).get(name, default)

    def row_of(self, names: Sequence[str]) -> tuple[Cell | None, ...]:
        """Return the cells of some columns, None where the record has none."""
        hidden = self._hidden
        cells = self._cells if hidden is None or not hidden.has_any(names) else self._all()
        return tuple(map(cells.get, names))

    def __contains__(self, name: object) -> bool:
        return name in self._cells_with(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __repr__(self) -> str:
        return repr(self._all())

    def __reduce__(self) -> tuple[type[dict[str, Cell]], tuple[dict[str, Cell]]]:
        return dict, (self._all(),)


def record_cells(
    page: Page, shown: Sequence[NamedColumn], hidden: Callable[[], Sequence[NamedColumn]] | None, records: int
) -> list[Mapping[str, Cell]]:
    """Return the cells of each record by column, the shown columns first. ``hidden``: gives the others, if any."""
    cells: list[dict[str, Cell]] = [{} for _ in range(records)]
    for column in shown:
        spend("cells", len(column.column.values))
        own = column.cells(page)
        if cell_making is not None:
            cell_making.add_cells(cells, column.name, own)
            continue
        for record, cell in own.items():
            cells[record][column.name] = cell
    if hidden is None:
        return list(cells)
    others = HiddenColumns(page, hidden, frozenset(column.name for column in shown))
    return [DeferredCells(own, others, record) for record, own in enumerate(cells)]


def records_with_cells(
    records: Sequence[Record], cells: Sequence[Mapping[str, Cell]], nested: Sequence[tuple[Record, ...]]
) -> tuple[Record, ...]:
    """Return the records with these cells and nested records."""
    if cell_making is not None:
        made: tuple[Record, ...] = cell_making.records_with_cells(Record, RECORD_SLOTS, records, cells, nested)
        return made
    return tuple(
        Record(record.ranges, record.text, own_xpath(record), record.confidence, own_cells, own_nested, record.node)
        for record, own_cells, own_nested in zip(records, cells, nested, strict=True)
    )


def _cell(page: Page, column: RawColumn, values: Sequence[RawValue], column_type: InferredType, record: int) -> Cell:
    """Return a cell; a text that cannot be read as the type of its column is of type "text"."""
    node = PageNode(page.paths, values[0].row)
    text = _text(page, column, values)
    if len(values) == 1 and not column.is_list:
        value: Value = text if column_type.type in _ADDRESS_TYPES else column_type.value(text)
        if value is None and (machine_text := column.machine_texts.get(record)):
            value = column_type.value(machine_text)
        cell_type: ColumnType = "text" if value is None else column_type.type
        return node_cell(text, cell_type, value, (), values[0].confidence, node)
    items = tuple([value.text for value in values])
    return node_cell(text, "list", items, items, min([value.confidence for value in values]), node)


def _cells(page: Page, column: RawColumn, column_type: InferredType) -> dict[int, Cell]:
    """Return the cells of all records that have one, as ``_cell`` makes them; each distinct text is read once."""
    paths, ends, own_type, read = page.paths, page.lists.end, column_type.type, column_type.value
    is_read, is_address = own_type != "text", own_type in _ADDRESS_TYPES
    may_be_glued = _may_be_glued(column)
    if cell_making is not None:
        made: dict[int, Cell] = cell_making.cells_of_values(
            Cell,
            CELL_SLOTS,
            PageNode,
            NODE_SLOTS,
            paths,
            column.values,
            own_type,
            read if is_read and not is_address else None,
            column.machine_texts,
            partial(spaced_text, page) if may_be_glued else None,
            ends,
            MIN_ROWS,
            column.is_list,
        )
        return made
    known: dict[str, Value] = {}
    cells: dict[int, Cell] = {}
    for record, values in column.values.items():
        if column.is_list or len(values) > 1:
            cells[record] = _cell(page, column, values, column_type, record)
            continue
        text, row, confidence, _ = values[0]
        if may_be_glued and text and ends[row] - row >= MIN_ROWS:
            text = spaced_text(page, row, text)
        value: Value = text if is_address else None
        if is_read and not is_address:
            if text in known:
                value = known[text]
            else:
                value = known[text] = read(text)
            if value is None and (machine_text := column.machine_texts.get(record)):
                value = read(machine_text)
        cell_type: ColumnType = "text" if value is None else own_type
        cells[record] = node_cell(text, cell_type, value, (), confidence, PageNode(paths, row))
    return cells


def _text(page: Page, column: RawColumn, values: Sequence[RawValue]) -> str:
    if len(values) > 1 or column.is_list:
        return ", ".join([value.text for value in values])
    text = values[0].text
    return spaced_text(page, values[0].row, text) if text and _may_be_glued(column) else text


def _may_be_glued(column: RawColumn) -> bool:
    """Return whether the values are the texts of whole elements, whose parts may stand side by side."""
    return column.attribute in ("", WHOLE) and not column.part


def copied_cells(cells: Mapping[str, Cell]) -> dict[str, Cell]:
    """Return a dict of all cells of a record."""
    return cells.copy() if isinstance(cells, DeferredCells) else dict(cells)


def texts_of(rows: Sequence[Mapping[str, Cell]]) -> Iterator[tuple[int, str, bool]]:
    """Yield the texts of all cells of some records, each with the number of its record among them, and whether they are
    addresses, without making any cell."""
    numbers: dict[int, dict[int, int]] = {}  # by columns and record
    hidden_columns: dict[int, HiddenColumns] = {}
    for number, cells in enumerate(rows):
        if isinstance(cells, DeferredCells):
            cells, hidden, record = cells.made_and_hidden()
            if hidden is not None:
                hidden_columns[id(hidden)] = hidden
                numbers.setdefault(id(hidden), {})[record] = number
        for cell in cells.values():
            yield number, cell.text, cell.type in _ADDRESS_TYPES
    for key, hidden in hidden_columns.items():
        own = numbers[key]
        for record, text, is_address in hidden.texts():
            if record in own:
                yield own[record], text, is_address
