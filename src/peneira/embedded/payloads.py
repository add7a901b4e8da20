"""State that is packed: arrays whose values are indexes into the same array, and functions called with the values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from peneira.embedded.items import Number
from peneira.embedded.literals import Json, Name, with_strings_replaced

# Values of these kinds stand around another value: ["Reactive", 1]
_WRAPPERS = frozenset({"Reactive", "ShallowReactive", "Ref", "ShallowRef", "EmptyRef", "EmptyShallowRef"})
_PLAIN = frozenset({"Date", "URL", "BigInt"})
_MAX_WRAPPERS = 8


def without_references(value: Json) -> Json:
    """Return the first value of an array (``__NUXT_DATA__``) in which all others stand as indexes.

    The result may contain itself, as the state of a page may.
    """
    if not isinstance(value, list) or not value:
        return value
    packed = value
    unpacked: list[Json] = [_container(entry) for entry in packed]
    for entry, target in zip(packed, unpacked, strict=True):
        if isinstance(entry, dict) and isinstance(target, dict):
            target.update({key: _at(packed, unpacked, index) for key, index in entry.items()})
        elif isinstance(entry, list) and isinstance(target, list):
            indexes = entry[1:] if entry and entry[0] == "Set" else entry
            target.extend(_at(packed, unpacked, index) for index in indexes)
    return _at(packed, unpacked, Number("0"))


def _container(entry: Json) -> Json:
    """Return an empty container for a container, else the value itself."""
    if isinstance(entry, dict):
        return {}
    return [] if isinstance(entry, list) else entry


def _at(packed: Sequence[Json], unpacked: Sequence[Json], index: Json) -> Json:
    """Return the value at an index, without what stands around it."""
    for _ in range(_MAX_WRAPPERS):
        if not isinstance(index, Number) or not index.isdecimal() or len(index) > len(str(len(packed))):
            return None
        position = int(index)
        if position >= len(packed):
            return None
        match packed[position]:
            case [str(kind), str(inner), *_] if kind in _PLAIN and not isinstance(kind, Number):
                return inner
            case [str(kind), inner, *_] if kind in _WRAPPERS and not isinstance(kind, Number):
                index = inner
            case _:
                return unpacked[position]
    return None


def with_arguments(value: Json, names: Sequence[str], arguments: Json) -> Json:
    """Return the value with the arguments of a call in place of the names of its parameters."""
    if not isinstance(arguments, list):
        return value
    given: Mapping[str, Json] = dict(zip(names, arguments, strict=False))
    return with_strings_replaced(value, lambda text: given.get(text) if isinstance(text, Name) else text)
