"""How the columns of a table differ from those that are there already, in words."""

from __future__ import annotations

from collections.abc import Mapping

_MAX_NAMED = 5


def schema_difference(there: Mapping[str, str], new: Mapping[str, str]) -> str:
    """Return how columns with their types differ, "" where they are the same in any order."""
    parts = []
    if added := [name for name in new if name not in there]:
        parts.append(f"the new records have {_named(added)}, which it lacks")
    if missing := [name for name in there if name not in new]:
        parts.append(f"they lack {_named(missing)}")
    for name in new:
        if name in there and there[name] != new[name]:
            parts.append(f"{name} is {there[name]} there and {new[name]} here")
    return "; ".join(parts)


def _named(names: list[str]) -> str:
    more = f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
    return ", ".join(names[:_MAX_NAMED]) + more
