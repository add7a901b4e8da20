"""The lists of several pages by site: one schema and one table for each site, kept apart unless the user asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal, TypeAlias

from peneira.cli.choice import Choice
from peneira.cli.messages import say
from peneira.columns.joined_sites import joined_names
from peneira.columns.site_groups import PageOrigin, group_sites
from peneira.output.schema import field_names
from peneira.preview import counted
from peneira.result import Region
from peneira.table import Column, Table, stack

SITE_MODES = ("apart", "joined", "nested")
Sites: TypeAlias = Literal["apart", "joined", "nested"]


@dataclass(frozen=True, slots=True)
class ChosenList:
    """A list that the user wants: the page it is from, its keys in the table, and itself.

    ``is_shared``: it has one schema with those of other pages, which lists beside the main one have not.
    """

    origin: PageOrigin
    language: str
    keys: tuple[str, ...]
    region: Region
    is_shared: bool = True


@dataclass(frozen=True, slots=True)
class SiteLists:
    """The lists of one site under one schema. ``name``: its host, or its number where that is not known."""

    name: str
    pages: int
    lists: tuple[ChosenList, ...]

    def table(self, key_names: Sequence[str], table_of: Callable[[Region], Table]) -> Table:
        """Return all records of the site in one table."""
        return stack(key_names, [(chosen.keys, table_of(chosen.region)) for chosen in self.lists])


@dataclass(frozen=True, slots=True)
class SiteTable:
    """The table of one site, as the user wants it."""

    name: str
    pages: int
    table: Table

    @property
    def heading(self) -> str:
        """What stands above the table where there are several."""
        return f"{self.name}: {counted(len(self.table), 'record')} of {counted(self.pages, 'page')}"


def by_site(lists: Sequence[ChosenList]) -> list[SiteLists]:
    """Return the lists by site, in the order of the first pages, each site under one schema."""
    groups: dict[int, list[ChosenList]] = {}
    for chosen, site in zip(lists, group_sites([chosen.origin for chosen in lists]), strict=True):
        groups.setdefault(site, []).append(chosen)
    return [_site(group, number) for number, group in enumerate(groups.values(), start=1)]


def _site(group: Sequence[ChosenList], number: int) -> SiteLists:
    language = next((chosen.language for chosen in group if chosen.language), "")
    shared = [chosen.region for chosen in group if chosen.is_shared]
    if len(shared) > 1:
        from peneira.columns.site_schema import with_site_schema  # of several pages only

        shared = with_site_schema(shared, language=language)
    regions = iter(shared)
    lists = tuple(replace(chosen, region=next(regions)) if chosen.is_shared else chosen for chosen in group)
    host = next((chosen.origin.host for chosen in group if chosen.origin.host), "")
    return SiteLists(host or f"site {number}", len({id(chosen.origin) for chosen in group}), lists)


def site_tables(sites: Sequence[SiteLists], choice: Choice, key_names: Sequence[str]) -> list[SiteTable]:
    """Return a table for each site, with the chosen columns and rows."""
    tables = [site.table(key_names, choice.table) for site in sites]
    known = {name for table in tables for name in field_names(table)}
    return [
        SiteTable(site.name, site.pages, chosen_rows(choice, table, key_names, known))
        for site, table in zip(sites, tables, strict=True)
    ]


def joined_table(sites: Sequence[SiteLists], choice: Choice, key_names: Sequence[str]) -> SiteTable:
    """Return one table for all sites, their columns joined by role and label alone."""
    columns = [(site.name, site.table((), choice.table).columns) for site in sites]
    parts = []
    for site, names in zip(sites, joined_names(columns), strict=True):
        for chosen in site.lists:
            table = choice.table(chosen.region)
            parts.append((chosen.keys, Table(_renamed(table.columns, names), table.rows)))
    table = chosen_rows(choice, stack(key_names, parts), key_names)
    return SiteTable("all sites", sum(site.pages for site in sites), table)


def _renamed(columns: Sequence[Column], names: Mapping[str, str]) -> tuple[Column, ...]:
    return tuple(replace(column, name=names.get(column.name, column.name)) for column in columns)


def chosen_rows(choice: Choice, table: Table, key_names: Sequence[str], known: set[str] | None = None) -> Table:
    """Return the table with the chosen columns and rows; report how many records were dropped."""
    chosen = choice.apply(table, key_names, known=known or ())
    if choice.dedupe:
        dropped = len(table.rows) - len(chosen.rows)
        say(f"{dropped} of {len(table.rows)} records dropped as equal to an earlier one")
    return chosen


def by_page(site: SiteTable, key_names: Sequence[str]) -> list[tuple[dict[str, str], Table]]:
    """Return the table of a site page by page, with what tells the pages apart, for output nested by source.

    The key columns are the first of the table.
    """
    count = len(key_names)
    columns = site.table.columns[count:]
    rows = groupby(site.table.rows, key=lambda row: tuple(cell.text if cell else "" for cell in row[:count]))
    return [
        (
            {"site": site.name, **dict(zip(key_names, keys, strict=True))},
            Table(columns, tuple(row[count:] for row in own)),
        )
        for keys, own in rows
    ]
