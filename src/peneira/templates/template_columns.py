"""From the data of records to columns: what stands at one place of the template is one column."""

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

# A text that more of the records have is template, not data (Moura 2018, section 4.1); of two records nothing is said
MAX_COMMON_SHARE = 0.8
MIN_RECORDS_FOR_TEMPLATE = 3
MAX_COLUMNS = 80
_LINKS = {"href": "url", "src": "image"}

# A place of the template, the attribute read there ("" for text), and the label it stands under ("" for none)
Slot = tuple[int, str, str]
Values = dict[Slot, list[DataText]]
# Texts of the template, with the attribute they are read from
CommonTexts = frozenset[tuple[str, str]]
NO_TEXTS: CommonTexts = frozenset()


def template_texts(records: Sequence[Iterable[DataText]]) -> CommonTexts:
    """Return the texts that more than 80 % of the records have."""
    if len(records) < MIN_RECORDS_FOR_TEMPLATE:
        return NO_TEXTS
    counts = Counter(text for record in records for text in {(one.attribute, one.text) for one in record})
    return frozenset(text for text, count in counts.items() if count > MAX_COMMON_SHARE * len(records))


def values_of(record: Data, template: CommonTexts = NO_TEXTS, labels: Labels = NO_LABELS) -> Values:
    """Return the texts of a record by their slot, without those of the template."""
    values: Values = {}
    for label, one in labelled_texts(record, labels):
        if (one.attribute, one.text) not in template and one.text != label:
            values.setdefault((one.slot, one.attribute, label), []).append(one)
    return values


def slots_in_order(records: Sequence[Values], *, least: float) -> list[Slot]:
    """Return the slots that so many records have, each as early as its mean turn in the records that have it."""
    turns: dict[Slot, list[float]] = {}
    for values in records:
        for turn, slot in enumerate(values):
            turns.setdefault(slot, []).append(turn / len(values))
    filled = [slot for slot, where in turns.items() if len(where) >= least]
    return sorted(filled, key=lambda slot: (sum(turns[slot]) / len(turns[slot]), slot))


def cells_of(page: Page, values: Values, names: Mapping[Slot, str]) -> dict[str, Cell]:
    """Return the cells of a record under the names of their slots; several values of one slot are items."""
    return {name: _cell(page, values[slot]) for slot, name in names.items() if slot in values}


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
