"""A table: named, typed columns and rows of cells. Written out by ``peneira.output``, whose ``schema`` has the rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, BinaryIO, Literal, TextIO, TypeAlias, cast

from peneira.account import Account
from peneira.errors import ColumnError
from peneira.files import FilePath, binary_file, text_file
from peneira.kernels import compiled
from peneira.lazy import load
from peneira.node_paths import OWN_XPATH, PageNode, keep_node_alone, with_xpath_of_node
from peneira.preview import counted, html_table, shortened
from peneira.values import ColumnType, Role, Value

if TYPE_CHECKING:
    from pandas import DataFrame
    from pyarrow import Table as ArrowTable

cell_making = compiled("cell_making")

ColumnKey: TypeAlias = tuple[str, int]
# What a dictionary of a record has: values, and a list of dictionaries for nested records
RecordDict: TypeAlias = "dict[str, Value | list[RecordDict]]"
_Content: TypeAlias = tuple[str, Value, tuple[str, ...], "tuple[tuple[_Content, ...], ...]"] | None


@with_xpath_of_node
@dataclass(frozen=True, slots=True)
class Cell:
    """One value of one record. ``text`` is as the page shows it; ``items`` are the parts of a repeated sub-item.

    ``value`` is the text read as ``type``; that of a text is the text itself. ``source``: what the cell was read from,
    "page" for what a reader sees, else the kind of data inside the page ("json-ld", "microdata"). A cell of nested
    records has them as the rows of ``table``; ``items`` are their texts.
    """

    text: str
    xpath: str
    type: ColumnType = "text"
    value: Value = None
    items: tuple[str, ...] = ()
    confidence: float = 1.0
    source: str = "page"
    table: Table | None = None
    node: PageNode | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        keep_node_alone(self)
        if self.value is None and self.type == "text":
            object.__setattr__(self, "value", self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        if self.table is not None:
            return f"<Cell {shortened(self.text, 60)!r}, {counted(len(self.table), 'record')}>"
        typed = "" if self.type == "text" else f", {self.type} {shortened(str(self.value), 40)}"
        return f"<Cell {shortened(self.text, 60)!r}{typed}>"


# In the order of the fields
CELL_SLOTS = tuple(Cell.__dict__[OWN_XPATH if item.name == "xpath" else item.name] for item in fields(Cell))
_SET_TEXT, _SET_XPATH, _SET_TYPE, _SET_VALUE, _SET_ITEMS, _SET_CONFIDENCE, _SET_SOURCE, _SET_TABLE, _SET_NODE = (
    cast("Callable[[Cell, object], None]", slot.__set__) for slot in CELL_SLOTS
)


def node_cell(
    text: str, type: ColumnType, value: Value, items: tuple[str, ...], confidence: float, node: PageNode
) -> Cell:
    """Return a cell of a node of the page: the same as ``Cell(...)`` gives, in a third of the time."""
    value = text if value is None and type == "text" else value
    if cell_making is not None:
        values = (text, "", type, value, items, confidence, "page", None, node)
        made: Cell = cell_making.filled(Cell, CELL_SLOTS, values)
        return made
    cell = object.__new__(Cell)
    _SET_TEXT(cell, text)
    _SET_XPATH(cell, "")
    _SET_TYPE(cell, type)
    _SET_VALUE(cell, value)
    _SET_ITEMS(cell, items)
    _SET_CONFIDENCE(cell, confidence)
    _SET_SOURCE(cell, "page")
    _SET_TABLE(cell, None)
    _SET_NODE(cell, node)
    return cell


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its machine name, the words of the page behind the name, and the share of records that have it.

    ``is_template``: it says nothing of its own, as its text is the page's template or stands in another column too.
    ``role``: what the column is to a reader ("title", "price"), "" where that is not known. ``source``: as of its
    cells. ``columns``: those of the nested records, in a column of the type "records". ``label``: the label or table
    header that the page gives the column, "" if none. ``part``: the kind of a part of a text, "" for a whole text.
    """

    name: str
    caption: str
    fill: float
    path: str = ""
    type: ColumnType = "text"
    confidence: float = 1.0
    is_template: bool = False
    role: Role | Literal[""] = ""
    source: str = "page"
    columns: tuple[Column, ...] = ()
    label: str = ""
    part: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of equal length under named columns; None where a record has no such cell.

    Each ``to_`` method takes a path or an open file; a path is written whole or not at all. Those that write return
    an ``Account`` of what was written and what was not.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell | None, ...], ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        size = f"{counted(len(self.rows), 'row')}, {counted(len(self.columns), 'column')}"
        return f"<Table {size}: {shortened(', '.join(self.names))}>"

    def _repr_html_(self) -> str:
        """Return the first rows as an HTML table, which notebooks show."""
        return html_table(self.names, [["" if cell is None else cell.text for cell in row] for row in self.rows])

    @property
    def names(self) -> tuple[str, ...]:
        """The column names, in order."""
        return tuple(column.name for column in self.columns)

    def select(self, names: Sequence[str]) -> Table:
        """Return the columns of these names, in this order."""
        indexes = [self._index(name) for name in names]
        return Table(
            tuple(self.columns[k] for k in indexes), tuple(tuple(row[k] for k in indexes) for row in self.rows)
        )

    def rename(self, names: Mapping[str, str]) -> Table:
        """Return the table with new names for some columns; no two columns may end up with the same name."""
        for old in names:
            self._index(old)
        renamed = tuple(replace(column, name=names.get(column.name, column.name)) for column in self.columns)
        times = Counter(column.name.casefold() for column in renamed)
        for new in names.values():
            if times[new.casefold()] > 1:
                raise ColumnError(new, "two columns would have this name")
        return Table(renamed, self.rows)

    def distinct(self, *, apart_from: Collection[str] = ()) -> Table:
        """Return the table without rows that equal an earlier row in all columns except ``apart_from``."""
        compared = [k for k, name in enumerate(self.names) if name not in apart_from]
        first: dict[tuple[_Content, ...], tuple[Cell | None, ...]] = {}
        for row in self.rows:
            first.setdefault(tuple(_content(row[k]) for k in compared), row)
        return Table(self.columns, tuple(first.values()))

    def _index(self, name: str) -> int:
        if name not in self.names:
            raise ColumnError(name, f"no such column; there are {', '.join(self.names) or 'none'}")
        return self.names.index(name)

    def to_csv(self, file: FilePath | TextIO, *, bom: bool = False, raw: bool = False) -> Account:
        """Write the texts as CSV with a header row. ``raw`` leaves cells that a spreadsheet would run as they are."""
        with text_file(file) as opened:
            return cast("Account", load("peneira.output.delimited:write_csv")(self, opened, bom=bom, raw=raw))

    def to_tsv(self, file: FilePath | TextIO, *, bom: bool = False, raw: bool = False) -> Account:
        """Write the texts as tab-separated values, otherwise as CSV."""
        with text_file(file) as opened:
            return cast("Account", load("peneira.output.delimited:write_tsv")(self, opened, bom=bom, raw=raw))

    def to_json(self, file: FilePath | TextIO) -> Account:
        """Write one JSON array with an object per record."""
        with text_file(file) as opened:
            return cast("Account", load("peneira.output.json_objects:write_json")(self, opened))

    def to_jsonl(self, file: FilePath | TextIO) -> Account:
        """Write JSON Lines, one object per record."""
        with text_file(file) as opened:
            return cast("Account", load("peneira.output.json_objects:write_jsonl")(self, opened))

    def to_markdown(self, file: FilePath | TextIO) -> Account:
        """Write the texts as a Markdown table."""
        with text_file(file) as opened:
            return cast("Account", load("peneira.output.markdown:write_markdown")(self, opened))

    def to_parquet(self, file: FilePath | BinaryIO) -> Account:
        """Write a Parquet file (extra ``parquet``)."""
        with binary_file(file) as opened:
            return cast("Account", load("peneira.output.columnar:write_parquet")(self, opened))

    def to_feather(self, file: FilePath | BinaryIO) -> Account:
        """Write an Arrow file, also called Feather (extra ``parquet``)."""
        with binary_file(file) as opened:
            return cast("Account", load("peneira.output.columnar:write_feather")(self, opened))

    def to_xlsx(self, file: FilePath | BinaryIO, *, raw: bool = False) -> Account:
        """Write an Excel workbook (extra ``xlsx``). Text stays text, whatever it starts with."""
        with binary_file(file) as opened:
            return cast("Account", load("peneira.output.spreadsheet:write_xlsx")(self, opened, raw=raw))

    def to_sqlite(self, path: FilePath, *, table_name: str | None = None, append: bool = False) -> Account:
        """Write a new table into an SQLite database, by default named after the file. Its other tables stay.

        ``append``: add to a table of that name with the same columns.
        """
        write = load("peneira.output.database:write_sqlite")
        return cast("Account", write(self, path, table_name=table_name, append=append))

    def to_postgres(self, address: str, *, table_name: str | None = None, append: bool = False) -> Account:
        """Write a new table into a PostgreSQL database (extra ``postgres``), by default named ``records``.

        ``append``: add to a table of that name with the same columns.
        """
        write = load("peneira.output.postgres_table:write_postgres")
        return cast("Account", write(self, address, table_name=table_name, append=append))

    def to_dicts(self) -> list[RecordDict]:
        """Return the records as dictionaries of values by column name; a record without a cell has None there.

        Nested records are a list of such dictionaries.
        """
        names = self.names
        return [{name: _plain(cell) for name, cell in zip(names, row, strict=True)} for row in self.rows]

    def to_arrow(self) -> ArrowTable:
        """Return the records as an Arrow table (extra ``parquet``)."""
        return load("peneira.output.columnar:arrow_table")(self)[0]

    def to_pandas(self) -> DataFrame:
        """Return the records as a pandas frame (extra ``pandas``)."""
        return load("peneira.output.data_frame:data_frame")(self)


def _plain(cell: Cell | None) -> Value | list[RecordDict]:
    if cell is None:
        return None
    return cell.value if cell.table is None else cell.table.to_dicts()


def _content(cell: Cell | None) -> _Content:
    """Return the content of a cell, without its position and confidence."""
    if cell is None:
        return None
    rows = () if cell.table is None else cell.table.rows
    return cell.text, cell.value, cell.items, tuple(tuple(map(_content, row)) for row in rows)


def stack(key_names: Sequence[str], tables: Sequence[tuple[tuple[str, ...], Table]]) -> Table:
    """Return the tables under each other: the union of their columns, key columns in front that tell them apart."""
    columns: dict[ColumnKey, list[tuple[Column, int]]] = {}
    for _, table in tables:
        for key, column in zip(_column_keys(table), table.columns, strict=True):
            columns.setdefault(key, []).append((column, len(table.rows)))
    total = sum(len(table.rows) for _, table in tables)
    keys = tuple(Column(name, caption=name, fill=1.0) for name in key_names)
    rows: list[tuple[Cell | None, ...]] = []
    for key_texts, table in tables:
        index = {key: k for k, key in enumerate(_column_keys(table))}
        key_cells = tuple(Cell(text, xpath="") for text in key_texts)
        rows.extend((*key_cells, *(row[index[key]] if key in index else None for key in columns)) for row in table.rows)
    joined = Table((*keys, *(_joined(same, total) for same in columns.values())), tuple(rows))
    return _with_joined_records(joined)


def _with_joined_records(table: Table) -> Table:
    """Return the table with the nested records of one column under the same columns, on whatever page they stood."""
    columns, cells = list(table.columns), [list(row) for row in table.rows]
    for k, column in enumerate(columns):
        nested = [(n, cell.table) for n, row in enumerate(cells) if (cell := row[k]) is not None and cell.table]
        if column.type != "records":
            columns[k] = replace(column, columns=())
            continue
        if {inner.columns for _, inner in nested} == {column.columns}:
            continue
        inner = stack((), [((), inner) for _, inner in nested])
        columns[k] = replace(column, columns=inner.columns)
        start = 0
        for n, own in nested:
            part = Table(inner.columns, inner.rows[start : start + len(own)])
            cells[n][k] = replace(cast("Cell", cells[n][k]), table=part)
            start += len(own)
    return Table(tuple(columns), tuple(map(tuple, cells)))


def _column_keys(table: Table) -> list[ColumnKey]:
    """Return a unique key for each column: its name, and how many columns before it have the same name."""
    seen: Counter[str] = Counter()
    keys = []
    for name in table.names:
        keys.append((name, seen[name]))
        seen[name] += 1
    return keys


def _joined(columns: Sequence[tuple[Column, int]], total: int) -> Column:
    """Return one column for the columns of several tables, each with its number of rows."""
    filled = sum(column.fill * rows for column, rows in columns)
    return replace(
        columns[0][0],
        fill=filled / total if total else 0.0,
        type=joined_type({column.type for column, _ in columns}),
        confidence=min(column.confidence for column, _ in columns),
    )


def joined_type(types: set[ColumnType]) -> ColumnType:
    """Return a type that fits all values: integers and numbers are numbers, other mixtures are text."""
    typed = types - {"text"}
    if typed == {"integer", "number"}:
        return "number"
    return typed.pop() if len(typed) == 1 else "text"
