"""Tables in few tokens: one line per record, cells between bars, what repeats in all records said once.

A model reads the table, not the page: long texts are cut, and columns of addresses are left out where there is a title
to ask for them by, unless they are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os.path import commonprefix

from peneira.preview import counted, shortened
from peneira.result import Region
from peneira.table import Column, Table

MAX_ROWS = 50
MAX_CELL_CHARS = 50
MAX_COLUMNS = 12
# A beginning that all addresses of a column share is said once, if it is at least this long
MIN_PREFIX_CHARS = 12
_ADDRESSES = ("url", "image")


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
    end = options.offset + options.max_rows
    rows = [[_text(cell.text if cell else "", options.max_cell_chars) for cell in row] for row in chosen.rows]
    rows = rows[options.offset : end]
    prefixes = [_prefix([row[k] for row in rows], column.type) for k, column in enumerate(chosen.columns)]
    heads = [_head(column, prefix) for column, prefix in zip(chosen.columns, prefixes, strict=True)]
    lines = ["|".join(heads)]
    lines += [
        "|".join(text[len(prefix) :] for text, prefix in zip(row, prefixes, strict=True)).rstrip("|") for row in rows
    ]
    left = len(table.rows) - options.offset - len(rows)
    if left > 0:
        lines.append(f"({counted(left, 'record')} more: offset={options.offset + len(rows)})")
    others = [name for name in table.names if name not in names]
    if others:
        lines.append(f"(other columns: {', '.join(others)})")
    return "\n".join(lines)


def region_line(region: Region) -> str:
    """Return the size and confidence of a list."""
    return f"{counted(len(region), 'record')}, confidence {region.confidence:.2f}"


def _default_columns(table: Table) -> list[str]:
    named = [column.name for column in table.columns if column.type not in _ADDRESSES]
    return (named or list(table.names))[:MAX_COLUMNS]


def _head(column: Column, prefix: str) -> str:
    typed = column.name if column.type in ("text", column.name) else f"{column.name}:{column.type}"
    return f"{typed} ({prefix}…)" if prefix else typed


def _text(text: str, max_chars: int) -> str:
    return shortened(text.replace("|", "/"), max_chars)


def _prefix(texts: Sequence[str], type_: str) -> str:
    filled = [text for text in texts if text]
    if type_ not in _ADDRESSES or not 2 <= len(filled) == len(texts):
        return ""
    prefix = commonprefix(filled)  # noqa: RUF071 - characters are meant, not folders
    return prefix if len(prefix) >= MIN_PREFIX_CHARS else ""
