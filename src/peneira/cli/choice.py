"""Which lists and columns of the pages the user wants."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar, cast

import click

from peneira.errors import ColumnError
from peneira.output.schema import field_names
from peneira.result import Extraction, Region
from peneira.table import Column, Table

Command = TypeVar("Command", bound=Callable[..., object])


@dataclass(frozen=True, slots=True)
class Choice:
    """Which lists: the main one, the n-th or all. Which columns: the default ones or the named ones, renamed or not."""

    region: int | None = None
    take_all: bool = False
    fields: tuple[str, ...] = ()
    renames: Mapping[str, str] = field(default_factory=dict)
    all_columns: bool = False
    dedupe: bool = False

    def lists(self, result: Extraction) -> Sequence[tuple[int, Region]]:
        """Return the chosen lists with their numbers; a list chosen by number is taken whatever its confidence."""
        if self.take_all:
            return list(enumerate(result.regions, start=1))
        if self.region is not None:
            return [(self.region, found) for found in result.regions[self.region - 1 : self.region]]
        return [] if result.main is None else [(1, result.main)]

    def table(self, region: Region) -> Table:
        """Return the records of a list as a table, with the default columns or all."""
        return region.full_table if self.all_columns else region.table

    def apply(self, table: Table, key_names: Sequence[str], *, known: Collection[str] = ()) -> Table:
        """Return the table of all pages with the chosen columns, names and rows; keys do not make a row distinct.

        ``known``: the columns of all sites; one of them that this table lacks is empty in it, not wrong usage.
        """
        named = zip(table.columns, field_names(table), strict=True)
        table = Table(tuple(replace(column, name=name) for column, name in named), table.rows)
        table = _with_empty(table, [name for name in self.fields if name in known and name not in table.names])
        renames = {old: new for old, new in self.renames.items() if old in table.names or old not in known}
        try:
            chosen = table.select(self.fields) if self.fields else table
            chosen = chosen.distinct(apart_from=key_names) if self.dedupe else chosen
            return chosen.rename(renames)
        except ColumnError as error:
            raise click.UsageError(str(error)) from error


def _with_empty(table: Table, names: Sequence[str]) -> Table:
    columns = tuple(Column(name, caption=name, fill=0.0) for name in names)
    return Table((*table.columns, *columns), tuple((*row, *(None for _ in columns)) for row in table.rows))


def choice_options(command: Command) -> Command:
    """Give a command the options about lists and columns; it gets them as ``choice``."""

    @functools.wraps(command)
    def with_choice(
        *args: object,
        region: int | None,
        take_all: bool,
        fields: tuple[str, ...],
        renames: Mapping[str, str],
        all_columns: bool,
        dedupe: bool,
        **others: object,
    ) -> object:
        if region is not None and take_all:
            raise click.UsageError("--region takes one list and --all every list: give one of them")
        return command(*args, choice=Choice(region, take_all, fields, renames, all_columns, dedupe), **others)

    decorated = functools.reduce(lambda made, option: option(made), reversed(_OPTIONS), with_choice)
    return cast("Command", decorated)


def column_names(_context: click.Context, _parameter: click.Parameter, given: str | None) -> tuple[str, ...]:
    """Return the names of columns that the user gives, separated by commas."""
    if given is None:
        return ()
    names = tuple(name.strip() for name in given.split(","))
    if "" in names:
        raise click.BadParameter(f"{given!r} has an empty name; write it as title,price")
    if twice := next((name for k, name in enumerate(names) if name in names[:k]), None):
        raise click.BadParameter(f"{twice} is named twice")
    return names


def _renames(_context: click.Context, _parameter: click.Parameter, given: Sequence[str]) -> Mapping[str, str]:
    renames: dict[str, str] = {}
    for pair in given:
        old, _, new = (part.strip() for part in pair.partition("="))
        if not old or not new:
            raise click.BadParameter(f"{pair!r} has no new name; write it as old=new")
        if old in renames:
            raise click.BadParameter(f"{old} is renamed twice")
        renames[old] = new
    return renames


_OPTIONS = (
    click.option(
        "--region",
        type=click.IntRange(min=1),
        metavar="N",
        help="Take the N-th best list, whatever its confidence.  [default: the main list]",
    ),
    click.option("--all", "take_all", is_flag=True, help="Take every list of the page, whatever its confidence."),
    click.option(
        "--fields",
        callback=column_names,
        metavar="A,B,...",
        help="Take these columns in this order; see --types for their names.",
    ),
    click.option(
        "--rename", "renames", callback=_renames, multiple=True, metavar="OLD=NEW", help="Rename a column. Repeatable."
    ),
    click.option(
        "--all-columns",
        is_flag=True,
        help="Show every column, also template text, fragments and what repeats another column.",
    ),
    click.option("--dedupe", is_flag=True, help="Drop records that equal an earlier record in all chosen columns."),
)
