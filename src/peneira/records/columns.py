"""From records to columns: what stands at the same place in every record is one column.

The place of a value is the tag path from the record down to it, with class names, and its turn among values of the same
path. A record that lacks a value has no cell there; nothing shifts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from urllib.parse import urljoin

from peneira.model import Cell, Record, Region
from peneira.page import Page
from peneira.table import Column

# A column that fewer records have is noise of one record, not a field of all
LEAST_FILL = 0.1
MOST_COLUMNS = 60
_LINK_ATTRIBUTES = {"a": ("href", "url"), "img": ("src", "image")}
_WORD = re.compile(r"[A-Za-z][A-Za-z]+|\d+")
_PLAIN_NAMES = {"h1": "title", "h2": "title", "h3": "title", "h4": "title", "time": "date"}

Place = tuple[str, str, int]


def with_columns(page: Page, region: Region) -> Region:
    """Return the region with its records' fields and columns filled in."""
    values = [dict(_values(page, record)) for record in region.records]
    counts = Counter(place for record in values for place in record)
    needed = max(1.0, LEAST_FILL * len(values))
    places = [place for place in _in_order(values) if counts[place] >= needed][:MOST_COLUMNS]
    names = _unique([_name(place) for place in places])
    columns = tuple(
        Column(
            name,
            caption=place[0].rsplit("/", 1)[-1],
            fill=counts[place] / len(values),
            path=place[0],
            type="url" if place[1] else "text",
        )
        for place, name in zip(places, names, strict=True)
    )
    records = tuple(
        replace(
            record, fields={name: cells[place] for place, name in zip(places, names, strict=True) if place in cells}
        )
        for record, cells in zip(region.records, values, strict=True)
    )
    return replace(region, records=records, columns=columns)


def _values(page: Page, record: Record) -> Iterator[tuple[Place, Cell]]:
    """Yield the values of a record: one per element that holds text of its own, one per link and image."""
    turns: Counter[tuple[str, str]] = Counter()
    held_until = 0
    for start, end in record.ranges:
        for i in range(start, end):
            # a record that is hidden as a whole is read as the page would show it
            if page.silent[i] or (page.hidden[i] and not page.hidden[start]):
                continue
            name = page.name(i)
            attribute, _ = _LINK_ATTRIBUTES.get(name, ("", ""))
            target = page.attrs[i].get(attribute, "").strip() if attribute else ""
            if target and not target.startswith(("javascript:", "data:", "#")):
                yield _place(page, start, i, attribute, turns), Cell(_absolute(page, target), page.xpath(i), "url")
            if i < held_until or not _holds_text(page, i):
                continue
            held_until = int(page.end[i])
            text = page.text_of(i)
            if text:
                yield _place(page, start, i, "", turns), Cell(text, page.xpath(i))


def _holds_text(page: Page, i: int) -> bool:
    return page.is_text(i) or any(page.is_text(child) for child in page.children(i))


def _place(page: Page, start: int, i: int, attribute: str, turns: Counter[tuple[str, str]]) -> Place:
    steps = [_step(page, i)]
    node = i
    while node > start:
        node = int(page.parent[node])
        if node >= start:
            steps.append(_step(page, node))
    path = "/".join(reversed(steps))
    turns[path, attribute] += 1
    return path, attribute, turns[path, attribute]


def _step(page: Page, i: int) -> str:
    attrs = page.attrs[i]
    label = attrs.get("itemprop") or attrs.get("class") or ""
    words = [word for word in label.split() if not any(character.isdigit() for character in word)]
    return f"{page.name(i)}.{words[0]}" if words else page.name(i)


def _in_order(values: Sequence[dict[Place, Cell]]) -> list[Place]:
    """Return all places, each as early as its mean turn in the records that have it."""
    turns: dict[Place, list[float]] = {}
    for cells in values:
        for turn, place in enumerate(cells):
            turns.setdefault(place, []).append(turn / len(cells))
    return sorted(turns, key=lambda place: (sum(turns[place]) / len(turns[place]), place))


def _absolute(page: Page, target: str) -> str:
    try:
        return urljoin(page.url or "", target)
    except ValueError:
        return target


def _name(place: Place) -> str:
    """Return a name for what stands at the place: the class words or heading nearest to it, else the kind of value."""
    path, attribute, _ = place
    tag = path.rsplit("/", 1)[-1].partition(".")[0]
    kind = _LINK_ATTRIBUTES[tag][1] if attribute else "text"
    for step in reversed(path.split("/")[1:] or [path]):
        name, _, label = step.partition(".")
        words = _WORD.findall(label)
        if words or name in _PLAIN_NAMES:
            base = "_".join(words[:3]).lower() if words else _PLAIN_NAMES[name]
            return base if not attribute or base == kind else f"{base}_{kind}"
    return kind


def _unique(names: Sequence[str]) -> list[str]:
    seen: Counter[str] = Counter()
    taken = set(names)
    result = []
    for name in names:
        seen[name] += 1
        chosen = name
        while seen[name] > 1 and (chosen := f"{name}_{seen[name]}") in taken:
            seen[name] += 1
        taken.add(chosen)
        result.append(chosen)
    return result
