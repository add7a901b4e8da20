"""Tables in few tokens: one line per record, cells between bars, what repeats said once.

A model reads the table, not the page: numbers and dates are written as their type, a text that repeats the one above is
a ditto mark, the beginning that all addresses share is in the head. Columns of addresses and of long texts are left out
unless they are asked for; what was left out is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from os.path import commonprefix

from peneira.output.schema import spelled
from peneira.preview import counted, shortened
from peneira.result import Region
from peneira.table import Cell, Column, Table

MAX_ROWS = 50
MAX_CELL_CHARS = 50
# A title says which record it is, so that more of it is kept
MAX_TITLE_CHARS = 100
MAX_ADDRESS_CHARS = 2000
MAX_COLUMNS = 12
# All rows together; a model asks for those that follow
MAX_TABLE_CHARS = 60_000
# A beginning that all addresses of a column share is said once, if it is at least this long
MIN_PREFIX_CHARS = 12
# A column whose texts are longer in this share of the records is one of long texts
MAX_LONG_SHARE = 0.5
# Shorter texts take no more tokens than a ditto mark
MIN_DITTO_CHARS = 4
DITTO = '"'
_ADDRESSES = ("url", "image")
# Types whose values are shorter and clearer than the texts of the page
_TYPED = ("integer", "number", "date", "datetime")


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What of a table is written. ``columns``: these alone, by name; else the first ones that are not addresses."""

    max_rows: int = MAX_ROWS
    max_cell_chars: int = MAX_CELL_CHARS
    offset: int = 0
    columns: tuple[str, ...] = ()


def compact_table(table: Table, options: TableOptions) -> str:
    """Return the rows of a table in few tokens: a line of names, then a line per record; and what was left out."""
    names = list(options.columns) or _default_columns(table)
    chosen = table.select(names)
    rows = [[_text(cell) for cell in row] for row in chosen.rows[options.offset : options.offset + options.max_rows]]
    prefixes = [_prefix([row[k] for row in rows], column.type) for k, column in enumerate(chosen.columns)]
    heads = [_head(column, prefix) for column, prefix in zip(chosen.columns, prefixes, strict=True)]
    limits = [_max_chars(column, options) for column in chosen.columns]
    written = [
        [shortened(text[len(prefix) :], limit) for text, prefix, limit in zip(row, prefixes, limits, strict=True)]
        for row in _with_dittos(rows, prefixes)
    ]
    lines = ["|".join(heads), *_bounded("|".join(row).rstrip("|") for row in written)]
    notes = []
    end = options.offset + len(lines) - 1
    if end < len(table.rows):
        notes.append(f"({counted(len(table.rows) - end, 'record')} more: offset={end})")
    others = [name for name in table.names if name not in names]
    if others:
        notes.append(f"(other columns: {', '.join(others)})")
    if any(DITTO in line.split("|") for line in lines[1:]):
        notes.append(f"({DITTO}: as above)")
    return "\n".join([*lines, *notes])


def _bounded(lines: Iterable[str]) -> Iterator[str]:
    """Yield the first of the lines, as many as fit into an answer."""
    chars = 0
    for line in lines:
        chars += len(line) + 1
        if chars > MAX_TABLE_CHARS:
            break
        yield line


def _with_dittos(rows: Sequence[Sequence[str]], prefixes: Sequence[str]) -> list[list[str]]:
    """Return the rows with a mark in place of texts that repeat the one above, behind the prefix of their column."""
    above: Sequence[str] = [""] * len(prefixes)
    written = []
    for row in rows:
        cells = zip(row, above, prefixes, strict=True)
        written.append(
            [
                f"{prefix}{DITTO}" if text == before and len(text) >= MIN_DITTO_CHARS else text
                for text, before, prefix in cells
            ]
        )
        above = row
    return written


def region_line(region: Region) -> str:
    """Return the size and confidence of a list."""
    return f"{counted(len(region), 'record')}, confidence {region.confidence:.2f}"


def _default_columns(table: Table) -> list[str]:
    named = [column.name for column in table.columns if column.type not in _ADDRESSES]
    short = [name for name in named if name == "title" or not _is_long(table, name)]
    return (short or named or list(table.names))[:MAX_COLUMNS]


def _is_long(table: Table, name: str) -> bool:
    """Return whether a column has long texts, of which a cell would show the beginning alone."""
    k = table.names.index(name)
    texts = [cell.text for row in table.rows if (cell := row[k]) is not None]
    return sum(len(text) > MAX_CELL_CHARS for text in texts) > MAX_LONG_SHARE * len(texts)


def _head(column: Column, prefix: str) -> str:
    typed = column.name if column.type in ("text", column.name) else f"{column.name}:{column.type}"
    return f"{typed} ({prefix}…)" if prefix else typed


def _max_chars(column: Column, options: TableOptions) -> int:
    if column.type in _ADDRESSES:  # a part of an address leads nowhere
        return MAX_ADDRESS_CHARS
    is_title = column.name == "title" and options.max_cell_chars == MAX_CELL_CHARS
    return MAX_TITLE_CHARS if is_title else options.max_cell_chars


def _text(cell: Cell | None) -> str:
    if cell is None:
        return ""
    text = cell.text
    if cell.type in _ADDRESSES and isinstance(cell.value, str):
        text = cell.value
    if cell.type in _TYPED and cell.value is not None:
        text = spelled(cell.value)
        if isinstance(cell.value, datetime):
            text = text.replace("T", " ", 1).removesuffix(":00")
    text = " ".join(text.replace("|", "/").split())
    return f"{text}{text}" if text == DITTO else text


def _prefix(texts: Sequence[str], type_: str) -> str:
    filled = [text for text in texts if text]
    if type_ not in _ADDRESSES or not 2 <= len(filled) == len(texts):
        return ""
    prefix = commonprefix(filled)  # noqa: RUF071 - characters are meant, not folders
    return prefix if len(prefix) >= MIN_PREFIX_CHARS else ""
