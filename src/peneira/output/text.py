"""Tables as CSV, JSON and JSON Lines. Equal tables give equal bytes."""

from __future__ import annotations

import csv
import json
import re
from typing import TextIO

from peneira.table import Table

# Spreadsheets run cells that start so as formulas (OWASP, "CSV injection"); a plain number is no formula
_FORMULA_START = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[+-]?\d[\d.,\s]*%?")


def write_csv(table: Table, file: TextIO) -> None:
    """Write the table as CSV; a cell that a spreadsheet would run as a formula gets a quote in front."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([_harmless(name) for name in table.names])
    writer.writerows([_harmless(cell) for cell in row] for row in table.rows)


def write_jsonl(table: Table, file: TextIO) -> None:
    """Write one JSON object per row."""
    for row in table.rows:
        file.write(json.dumps(_object(table, row), ensure_ascii=False) + "\n")


def write_json(table: Table, file: TextIO) -> None:
    """Write one JSON array of objects."""
    json.dump([_object(table, row) for row in table.rows], file, ensure_ascii=False, indent=2)
    file.write("\n")


def _object(table: Table, row: tuple[str, ...]) -> dict[str, str]:
    return {name: cell for name, cell in zip(table.names, row, strict=True) if cell}


def _harmless(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA_START) and not _NUMBER.fullmatch(cell) else cell
