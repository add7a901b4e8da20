"""The texts of a table as CSV and TSV, quoted as RFC 4180 says, with lines that end in a newline.

A missing cell is nothing between two delimiters, an empty text is ``""``. Formulas are guarded (``formulas``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from peneira.account import NO_COLUMN, Account, Tally
from peneira.budget import spend
from peneira.output.characters import WITHOUT_NUL
from peneira.output.formulas import guarded
from peneira.output.schema import field_names
from peneira.table import Table

_BOM = "\ufeff"


def write_csv(table: Table, file: TextIO, *, bom: bool = False, raw: bool = False) -> Account:
    """Write comma-separated values and return the account."""
    return _write(table, file, ",", bom=bom, raw=raw)


def write_tsv(table: Table, file: TextIO, *, bom: bool = False, raw: bool = False) -> Account:
    """Write tab-separated values and return the account."""
    return _write(table, file, "\t", bom=bom, raw=raw)


def _write(table: Table, file: TextIO, delimiter: str, *, bom: bool, raw: bool) -> Account:
    tally = Tally()
    if bom:
        file.write(_BOM)
    if not table.columns:
        tally.lose("records", NO_COLUMN, len(table.rows))
        return tally.account(len(table.rows), 0)
    file.write(_line(field_names(table), delimiter, raw, tally))
    for row in table.rows:
        line = _line([cell.text if cell else None for cell in row], delimiter, raw, tally)
        spend("output_bytes", len(line))
        file.write(line)
    return tally.account(len(table.rows))


def _line(texts: Sequence[str | None], delimiter: str, raw: bool, tally: Tally) -> str:
    cleaned = (None if text is None else WITHOUT_NUL.replace_forbidden(text, tally) for text in texts)
    guarded_texts = (text if raw or text is None else guarded(text) for text in cleaned)
    line = delimiter.join(_quoted(text, delimiter) for text in guarded_texts)
    return f"{line or _quoted('', delimiter)}\n"  # readers skip blank lines, and with them a record of one missing cell


def _quoted(text: str | None, delimiter: str) -> str:
    if text is None:
        return ""
    if text and not any(mark in text for mark in (delimiter, '"', "\r", "\n")):
        return text
    return '"' + text.replace('"', '""') + '"'
