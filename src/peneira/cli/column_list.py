"""The columns of a table in place of its records: on a terminal a table, when piped one JSON document."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import click

from peneira.account import Account
from peneira.cli.messages import say, write_stdout
from peneira.cli.output import Output
from peneira.files import text_file
from peneira.table import Cell, Column, Table

ColumnObject: TypeAlias = "dict[str, str | float | list[ColumnObject]]"

SiteObject: TypeAlias = "dict[str, str | list[ColumnObject]]"

_FORMATS = ("table", "json")
_FILL_DIGITS = 4


@dataclass(frozen=True, slots=True)
class ColumnList:
    """A list of columns, written to the given output."""

    output: Output

    @property
    def format(self) -> str:
        """The format by option or by the ending of the file; by default a table on a terminal, JSON when piped."""
        if self.output.named_format is None and self.output.is_stdout:
            return "table" if sys.stdout.isatty() else "json"
        return self.output.format

    def check(self) -> None:
        """Refuse what cannot be written, before any page is fetched."""
        self.output.check()
        if self.format not in _FORMATS:
            raise click.UsageError(f"--types is written as {' or '.join(_FORMATS)}, not as {self.format}")

    def for_site(self, site: str) -> ColumnList:
        """Return the list of columns of one site of several."""
        return ColumnList(self.output.for_site(site))

    def write(self, table: Table) -> Account:
        """Write the name, type, caption and fill of each column; return the account, which never drops one."""
        document = json.dumps(_as_objects(table.columns), ensure_ascii=False, indent=2) + "\n"
        if self.output.path is None and self.format == "json":
            write_stdout(document, end="")
        else:
            with text_file(self.output.path or sys.stdout) as file:
                if self.format == "table":
                    from peneira.output.terminal import print_table  # imports rich

                    print_table(_as_table(table.columns), file)
                else:
                    file.write(document)
        if self.output.path is not None:
            say(f"{self.output.path}: {len(table.columns)} columns")
        return Account(len(table.columns), len(table.columns))


def columns_of_sites(sites: Sequence[tuple[str, Table]]) -> list[SiteObject]:
    """Return an object per site with its columns."""
    return [{"site": name, "columns": _as_objects(table.columns)} for name, table in sites]


def _as_objects(columns: tuple[Column, ...]) -> list[ColumnObject]:
    """Return an object per column; a column of nested records has theirs in ``columns``."""
    objects: list[ColumnObject] = []
    for column in columns:
        fill = round(column.fill, _FILL_DIGITS)
        nested: ColumnObject = {"columns": _as_objects(column.columns)} if column.columns else {}
        objects.append({"name": column.name, "type": column.type, "caption": column.caption, "fill": fill, **nested})
    return objects


def _named_columns(columns: tuple[Column, ...], outer: str = "") -> Iterator[tuple[str, Column]]:
    """Yield the columns with their names; those of nested records come after theirs, as "offers.price"."""
    for column in columns:
        yield outer + column.name, column
        yield from _named_columns(column.columns, f"{outer}{column.name}.")


def _as_table(columns: tuple[Column, ...]) -> Table:
    head = tuple(Column(name, caption=name, fill=1.0) for name in ("name", "type", "caption", "fill"))
    rows = [(name, column.type, column.caption, f"{column.fill:.0%}") for name, column in _named_columns(columns)]
    return Table(head, tuple(tuple(Cell(text, xpath="") for text in row) for row in rows))
