"""One table for several sites: their columns are one where they have the same role, or the same label or header.

Names that were made of class words or of nothing (``text_2``) say nothing across sites: such columns stay apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from peneira.columns.names import snake_case
from peneira.table import Column

_Key: TypeAlias = tuple[str, ...]


def joined_names(sites: Sequence[tuple[str, Sequence[Column]]]) -> list[dict[str, str]]:
    """Return for each site, given by name and columns, the new name of each column: equal where columns are one."""
    name_of: dict[_Key, str] = {}
    taken: set[str] = set()
    renames: list[dict[str, str]] = []
    for site, columns in sites:
        names: dict[str, str] = {}
        own: set[_Key] = set()
        for column in columns:
            key = _key(site, column)
            if key in own:  # the second of a label within a site
                key = ("", site, column.name)
            own.add(key)
            if key not in name_of:
                name_of[key] = _free_name(column.name, site, taken)
                taken.add(name_of[key])
            names[column.name] = name_of[key]
        renames.append(names)
    return renames


def _key(site: str, column: Column) -> _Key:
    if column.role:
        return "role", column.role
    if column.label:
        address = column.type if column.type in ("url", "image") else ""
        return "label", column.label.casefold(), address, column.part
    return "", site, column.name


def _free_name(name: str, site: str, taken: set[str]) -> str:
    """Return the name, with the site behind it and then a number where another column has it."""
    if name not in taken:
        return name
    longer = f"{name}_{snake_case(site) or 'site'}"
    number, free = 1, longer
    while free in taken:
        number += 1
        free = f"{longer}_{number}"
    return free
