"""Arrays of similar objects, found anywhere in a value: what may be lists of records."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from peneira.embedded.literals import Json

MIN_RECORDS = 2
MAX_RECORDS = 2000
MAX_DEPTH = 40
# Values of a page that are looked at, level by level
MAX_VALUES = 400_000
# The share of an object's keys that most objects of the array have, and how many such keys there must be
MIN_COMMON_SHARE = 0.5
MIN_COMMON_KEYS = 2
# An object whose values are objects is a list by key if it looks more like one
MIN_KEYED_RECORDS = 3
MIN_KEYED_SHARE = 0.7
_ELEMENT_MARK = "$"
_ELEMENT_SIZE = 4

Objects: TypeAlias = "Sequence[Mapping[str, Json]]"


def record_arrays(value: Json, name: str = "") -> Iterator[tuple[str, Objects]]:
    """Yield path and objects of each array of similar objects; arrays at the same path are one, outermost first."""
    by_path: dict[str, list[dict[str, Json]]] = {}
    pending: deque[tuple[Json, str, int]] = deque([(value, name, 0)])
    seen: set[int] = set()
    values_left = MAX_VALUES
    while pending and values_left > 0:
        current, path, depth = pending.popleft()
        if not isinstance(current, (list, dict)) or id(current) in seen or depth > MAX_DEPTH:
            continue
        seen.add(id(current))
        values_left -= len(current)
        is_array = isinstance(current, list)
        by_path.setdefault(path, []).extend(_objects(current))
        for key, entry in current.items() if isinstance(current, dict) else (("", entry) for entry in current):
            if isinstance(entry, (list, dict)):
                pending.append((entry, path if is_array else f"{path}.{key}" if path else key, depth + 1))
    for path, objects in by_path.items():
        records = objects[:MAX_RECORDS]
        if len(records) >= MIN_RECORDS and _common_share(records) >= MIN_COMMON_SHARE:
            yield path, records


def _objects(value: list[Json] | dict[str, Json]) -> list[dict[str, Json]]:
    """Return the objects of an array, or of an object that is an array by key; none if it is mostly something else."""
    entries = value if isinstance(value, list) else list(value.values())
    objects = [record for entry in entries if (record := _object(entry)) is not None]
    if isinstance(value, list):
        return objects if 2 * len(objects) > len(entries) else []
    is_keyed = MIN_KEYED_RECORDS <= len(objects) == len(entries) and _common_share(objects) >= MIN_KEYED_SHARE
    return objects if is_keyed else []


def _object(entry: Json) -> dict[str, Json] | None:
    """Return an object; of an element of React (``["$", "li", key, {...}]``) its properties."""
    if isinstance(entry, list) and len(entry) >= _ELEMENT_SIZE and entry[0] == _ELEMENT_MARK:
        entry = entry[3]
    return entry if isinstance(entry, dict) else None


def _common_share(objects: Objects) -> float:
    """Return the share of keys, over all objects, that at least half of the objects have; 0 if those are too few."""
    counts = Counter(key for entry in objects for key in entry)
    common = {key for key, count in counts.items() if 2 * count >= len(objects)}
    if len(common) < MIN_COMMON_KEYS:
        # {"node": {...}}: one key, with the record below it
        is_wrapped = len(counts) == 1 and all(isinstance(below, dict) for entry in objects for below in entry.values())
        return 1.0 if is_wrapped else 0.0
    return sum(counts[key] for key in common) / sum(counts.values())
