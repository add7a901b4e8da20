"""The texts of a table as a Markdown table, as GitHub reads it. No text of a page is read as markup."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TextIO

from peneira.account import NO_COLUMN, Account, Tally
from peneira.budget import spend
from peneira.output.characters import WITHOUT_NUL
from peneira.output.schema import field_names
from peneira.table import Table

_MARKUP = re.compile(r"[\\`*_\[\]<>|~&$]")
_NEWLINE = re.compile(r"\r\n?|\n")


def write_markdown(table: Table, file: TextIO) -> Account:
    """Write a Markdown table and return the account. A newline in a cell is ``<br>``."""
    tally = Tally()
    if not table.columns:
        tally.lose("records", NO_COLUMN, len(table.rows))
        return tally.account(len(table.rows), 0)
    file.write(_line(_escaped(name, tally) for name in field_names(table)))
    file.write(_line("---" for _ in table.columns))
    for row in table.rows:
        line = _line(_escaped(cell.text if cell else "", tally) for cell in row)
        spend("output_bytes", len(line))
        file.write(line)
    return tally.account(len(table.rows))


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _escaped(text: str, tally: Tally) -> str:
    return _NEWLINE.sub("<br>", _MARKUP.sub(r"\\\g<0>", WITHOUT_NUL.replace_forbidden(text, tally)))
