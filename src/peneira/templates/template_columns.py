"""From the data of records to columns: the texts of one template node form one column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import urljoin

from peneira.page import Page
from peneira.result import Cell
from peneira.table import Column
from peneira.templates.label_pairs import NO_LABELS, TURN, Labels, labelled_texts
from peneira.templates.template_data import Data, DataText
from peneira.values import ColumnType

# A text in a larger share of the records is template, not data (Moura 2018, section 4.1); with fewer than three records
# the share means nothing
MAX_COMMON_SHARE = 0.8
MIN_RECORDS_FOR_TEMPLATE = 3
# Bounds the width of a table on pages whose records have no regular structure
MAX_COLUMNS = 80
_LINKS = {"href": "url", "src": "image"}
_PLAIN_NAMES = {"h1": "title", "h2": "title", "h3": "title", "h4": "title", "time": "date"}
_WORD = re.compile(r"[A-Za-z][A-Za-z]+")

# A template node, the attribute ("" for text), and the label ("" for none): the key of a column
Slot = tuple[int, str, str]
Values = dict[Slot, list[DataText]]
# Pairs of attribute ("" for text) and text that nearly all records have, so they are template
CommonTexts = frozenset[tuple[str, str]]
NO_TEXTS: CommonTexts = frozenset()


def common_texts_of(records: Sequence[Iterable[DataText]]) -> CommonTexts:
    """Return the texts that more than ``MAX_COMMON_SHARE`` of the records have."""
    if len(records) < MIN_RECORDS_FOR_TEMPLATE:
        return NO_TEXTS
    counts = Counter(key for record in records for key in {(text.attribute, text.text) for text in record})
    return frozenset(key for key, count in counts.items() if count > MAX_COMMON_SHARE * len(records))


def values_of(record: Data, common: CommonTexts = NO_TEXTS, labels: Labels = NO_LABELS) -> Values:
    """Return the texts of a record by slot, without common texts and labels."""
    values: Values = {}
    for label, text in labelled_texts(record, labels):
        if (text.attribute, text.text) not in common and text.text != label:
            values.setdefault((text.node, text.attribute, label), []).append(text)
    return values


def slots_in_order(records: Sequence[Values], *, min_records: float) -> list[Slot]:
    """Return the slots that at least ``min_records`` records have, sorted by their mean position in these records."""
    positions: dict[Slot, list[float]] = {}
    for values in records:
        for k, slot in enumerate(values):
            positions.setdefault(slot, []).append(k / len(values))
    filled = [slot for slot, own in positions.items() if len(own) >= min_records]
    return sorted(filled, key=lambda slot: (sum(positions[slot]) / len(positions[slot]), slot))


def cells_of(page: Page, values: Values, names: Mapping[Slot, str]) -> dict[str, Cell]:
    """Return the cells of a record by the names of their slots; several values of one slot become items."""
    return {name: _cell(page, values[slot]) for slot, name in names.items() if slot in values}


def _cell(page: Page, values: Sequence[DataText]) -> Cell:
    is_link = values[0].attribute in _LINKS
    texts = tuple(_absolute(page, value.text) if is_link else value.text for value in values)
    items = texts if len(texts) > 1 else ()
    return Cell(" ".join(texts), page.xpath(values[0].row), "url" if is_link else "text", items=items)


def _absolute(page: Page, target: str) -> str:
    try:
        return urljoin(page.url or "", target)
    except ValueError:
        return target


def columns_of(records: Sequence[tuple[Page, Values]], slots: Sequence[Slot]) -> tuple[Column, ...]:
    """Return the columns of the slots, named by the first record that has each."""
    samples = {slot: next((page, values[slot][0]) for page, values in records if slot in values) for slot in slots}
    names = _unique([_label_name(slot[2]) or _name(*samples[slot]) for slot in slots])
    return tuple(
        _column(name, *samples[slot], fill=sum(slot in values for _, values in records) / len(records))
        for slot, name in zip(slots, names, strict=True)
    )


def _column(name: str, page: Page, sample: DataText, *, fill: float) -> Column:
    kind: ColumnType = "url" if sample.attribute in _LINKS else "text"
    return Column(name, caption=page.name(sample.row), fill=fill, path=page.xpath(sample.row), type=kind)


def _label_name(label: str) -> str:
    """Return a name made of a label; a turn makes none."""
    return "" if label.startswith(TURN) else "_".join(re.findall(r"\w+", label.lower())[:4])


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
