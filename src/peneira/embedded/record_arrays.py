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
    """Yield the path and the objects of each array of similar objects, those of the outermost arrays first."""
    pending: deque[tuple[Json, str, int]] = deque([(value, name, 0)])
    seen: set[int] = set()
    values_left = MAX_VALUES
    while pending and values_left > 0:
        current, path, depth = pending.popleft()
        if not isinstance(current, (list, dict)) or id(current) in seen or depth > MAX_DEPTH:
            continue
        seen.add(id(current))
        values_left -= len(current)
        objects = _objects(current)
        if objects:
            yield path, objects
        below = current.items() if isinstance(current, dict) else ((str(k), entry) for k, entry in enumerate(current))
        is_array = isinstance(current, list)
        for key, entry in below:
            if isinstance(entry, (list, dict)):
                pending.append((entry, path if is_array else f"{path}.{key}" if path else key, depth + 1))


def _objects(value: list[Json] | dict[str, Json]) -> Objects:
    """Return the similar objects that a value consists of, none if it is no list of them."""
    if isinstance(value, dict):
        entries = list(value.values())[:MAX_RECORDS]
        objects = [entry for entry in entries if isinstance(entry, dict)]
        is_list = MIN_KEYED_RECORDS <= len(objects) == len(entries) and _common_share(objects) >= MIN_KEYED_SHARE
        return objects if is_list else ()
    objects = [record for entry in value[:MAX_RECORDS] if (record := _object(entry)) is not None]
    is_list = len(objects) >= MIN_RECORDS and 2 * len(objects) > len(value[:MAX_RECORDS])
    return objects if is_list and _common_share(objects) >= MIN_COMMON_SHARE else ()


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
        is_wrapped = len(counts) == 1 and all(isinstance(next(iter(entry.values())), dict) for entry in objects)
        return 1.0 if is_wrapped else 0.0
    return sum(counts[key] for key in common) / sum(counts.values())
