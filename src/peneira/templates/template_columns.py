"""From the data of records to columns: the texts of one template node form one column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from urllib.parse import urljoin

from peneira.columns.names import MAX_TEMPLATE_ELEMENTS, NameSources, name_template_columns
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
    return Cell(" ".join(texts), "", "url" if is_link else "text", items=items, node=page.node(values[0].row))


def _absolute(page: Page, target: str) -> str:
    try:
        return urljoin(page.url or "", target)
    except ValueError:
        return target


def columns_of(records: Sequence[tuple[Page, Values]], slots: Sequence[Slot]) -> tuple[Column, ...]:
    """Return the columns of the slots, named by the first record that has each."""
    samples = {slot: next((page, values[slot][0]) for page, values in records if slot in values) for slot in slots}
    names = name_template_columns([_name_sources(slot, *samples[slot]) for slot in slots])
    return tuple(
        _column(name, *samples[slot], fill=sum(slot in values for _, values in records) / len(records))
        for slot, name in zip(slots, names, strict=True)
    )


def _column(name: str, page: Page, sample: DataText, *, fill: float) -> Column:
    kind: ColumnType = "url" if sample.attribute in _LINKS else "text"
    return Column(name, caption=page.name(sample.row), fill=fill, path=page.xpath(sample.row), type=kind)


def _name_sources(slot: Slot, page: Page, sample: DataText) -> NameSources:
    """Return what the name of a slot is made of: its label, unless that is a turn, and the elements around a sample."""
    _, attribute, label = slot
    rows = islice(chain((sample.row,), page.ancestors(sample.row)), MAX_TEMPLATE_ELEMENTS)
    elements = tuple((page.name(row), _naming_words(page.attrs[row])) for row in rows)
    return NameSources(label="" if label.startswith(TURN) else label, attribute=attribute, elements=elements)


def _naming_words(attrs: Mapping[str, str]) -> tuple[str, ...]:
    return tuple((attrs.get("itemprop") or attrs.get("class") or "").split())
