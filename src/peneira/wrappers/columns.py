"""From the data of records to columns: what stands at one place of the template is one column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from urllib.parse import urljoin

from peneira.model import Cell
from peneira.page import Page
from peneira.table import Column
from peneira.wrappers.data import Data, DataText, texts

# A text that more of the records have is template, not data (Moura 2018, section 4.1); of two records nothing is said
MOST_COMMON_SHARE = 0.8
LEAST_RECORDS_FOR_TEMPLATE = 3
MOST_COLUMNS = 80
_LINKS = {"href": "url", "src": "image"}
_PLAIN_NAMES = {"h1": "title", "h2": "title", "h3": "title", "h4": "title", "time": "date"}
_WORD = re.compile(r"[A-Za-z][A-Za-z]+")

# A place of the template and the attribute read there, "" for text
Slot = tuple[int, str]
Values = dict[Slot, list[DataText]]


def template_texts(records: Sequence[Iterable[DataText]]) -> frozenset[str]:
    """Return the texts that more than 80 % of the records have."""
    if len(records) < LEAST_RECORDS_FOR_TEMPLATE:
        return frozenset()
    counts = Counter(text for record in records for text in {one.text for one in record})
    return frozenset(text for text, count in counts.items() if count > MOST_COMMON_SHARE * len(records))


def values_of(record: Data, template: frozenset[str] = frozenset()) -> Values:
    """Return the texts of a record by their slot, without those of the template."""
    values: Values = {}
    for one in texts(record, attributes=True):
        if one.text not in template:
            values.setdefault((one.slot, one.attribute), []).append(one)
    return values


def slots_in_order(records: Sequence[Values], *, least: float) -> list[Slot]:
    """Return the slots that so many records have, each as early as its mean turn in the records that have it."""
    turns: dict[Slot, list[float]] = {}
    for values in records:
        for turn, slot in enumerate(values):
            turns.setdefault(slot, []).append(turn / len(values))
    filled = [slot for slot, where in turns.items() if len(where) >= least]
    return sorted(filled, key=lambda slot: (sum(turns[slot]) / len(turns[slot]), slot))


def cells_of(page: Page, values: Values, names: dict[Slot, str]) -> dict[str, Cell]:
    """Return the cells of a record under the names of their slots; several values of one slot are items."""
    return {names[slot]: _cell(page, those) for slot, those in values.items() if slot in names}


def _cell(page: Page, values: Sequence[DataText]) -> Cell:
    is_link = values[0].attribute in _LINKS
    shown = tuple(_absolute(page, one.text) if is_link else one.text for one in values)
    items = shown if len(shown) > 1 else ()
    return Cell(" ".join(shown), page.xpath(values[0].row), "url" if is_link else "text", items=items)


def _absolute(page: Page, target: str) -> str:
    try:
        return urljoin(page.url or "", target)
    except ValueError:
        return target


def columns_of(page: Page, records: Sequence[Values], slots: Sequence[Slot]) -> tuple[Column, ...]:
    """Return the columns of the slots, named by the first record that has each."""
    samples = {slot: next(values[slot][0] for values in records if slot in values) for slot in slots}
    names = _unique([_name(page, samples[slot]) for slot in slots])
    return tuple(
        Column(
            name,
            caption=page.name(samples[slot].row),
            fill=sum(slot in values for values in records) / len(records),
            path=page.xpath(samples[slot].row),
            type="url" if slot[1] in _LINKS else "text",
        )
        for slot, name in zip(slots, names, strict=True)
    )


def _name(page: Page, sample: DataText) -> str:
    """Return a name: the class words nearest to the value, a heading, or the kind of value."""
    kind = _LINKS.get(sample.attribute, sample.attribute.removeprefix("data-")) or "text"
    row = sample.row
    for _ in range(3):
        name = page.name(row)
        attrs = page.attrs[row]
        words = _WORD.findall(attrs.get("itemprop") or attrs.get("class") or "")
        if words or name in _PLAIN_NAMES:
            base = "_".join(words[:3]).lower() if words else _PLAIN_NAMES[name]
            return base if not sample.attribute or base == kind else f"{base}_{kind}"
        row = int(page.parent[row])
        if row < 0:
            break
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
