"""The columns of a table in place of its records: on a terminal a table, when piped one JSON document."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass

import click

from peneira.account import Account
from peneira.cli.output import Output
from peneira.files import text_file
from peneira.table import Cell, Column, Table

_FORMATS = ("table", "json")
_FILL_DIGITS = 4


@dataclass(frozen=True, slots=True)
class ColumnList:
    """A list of columns, written to the given output."""

    output: Output

    @property
    def format(self) -> str:
        """The format by option or by the ending of the file; by default a table on a terminal, JSON when piped."""
        if self.output.named_format is None and self.output.path is None:
            return "table" if sys.stdout.isatty() else "json"
        return self.output.format

    def check(self) -> None:
        """Refuse what cannot be written, before any page is fetched."""
        self.output.check()
        if self.format not in _FORMATS:
            raise click.UsageError(f"--types is written as {' or '.join(_FORMATS)}, not as {self.format}")

    def write(self, table: Table) -> Account:
        """Write the name, type, caption and fill of each column; return the account, which never drops one."""
        with text_file(self.output.path or sys.stdout) as file:
            if self.format == "table":
                from peneira.output.terminal import print_table  # imports rich

                print_table(_as_table(table.columns), file)
            else:
                json.dump([_as_object(column) for column in table.columns], file, ensure_ascii=False, indent=2)
                file.write("\n")
        if self.output.path is not None:
            click.echo(f"{self.output.path}: {len(table.columns)} columns", err=True)
        return Account(len(table.columns), len(table.columns))


def _as_object(column: Column) -> dict[str, str | float]:
    fill = round(column.fill, _FILL_DIGITS)
    return {"name": column.name, "type": column.type, "caption": column.caption, "fill": fill}


def _as_table(columns: tuple[Column, ...]) -> Table:
    head = tuple(Column(name, caption=name, fill=1.0) for name in ("name", "type", "caption", "fill"))
    rows = [(column.name, column.type, column.caption, f"{column.fill:.0%}") for column in columns]
    return Table(head, tuple(tuple(Cell(text, xpath="") for text in row) for row in rows))
