"""From records to columns: what stands at the same place in every record is one column.

The records are read into outlines, equal outlines are aligned once, and every slot of the alignment that holds values
is a column: its texts, and each attribute that says something. ColumnBuilder that tell nothing (a text of the template,
values that another column has already) are marked as template: they are kept, but no column by default.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from peneira.columns.data_attributes import LABEL_ATTRIBUTES
from peneira.columns.names import MIN_USUAL_SHARE, NameSources, name_columns
from peneira.columns.outline import MEDIUM, Reader
from peneira.columns.slot_alignment import Slot
from peneira.columns.slot_values import CELL, GROUP, Draft, Found, Texts, drafts_of
from peneira.columns.table_grid import Grid, grid_of
from peneira.columns.text_parts import common_label, parts_of, without_label
from peneira.columns.urls import base_url
from peneira.columns.value_patterns import common_pattern, is_label
from peneira.page import Page
from peneira.result import Cell, Reason, Record, Region
from peneira.table import Column
from peneira.values import ColumnType, Value

if TYPE_CHECKING:
    from peneira.types.column_types import InferredType

# A text that more than this share of the records has is the template's
TEMPLATE_SHARE = 0.8
MAX_COLUMNS = 300
# So many values tell what a column looks like
SAMPLE = 50
# A column is held against so many others that share its first value
MAX_COMPARED = 16
_TYPES: Mapping[str, ColumnType] = {"href": "url", "src": "image"}


def typed(draft: Draft, caption: str, language: str) -> InferredType:
    """Return the type of a column: that of its attribute, or what its texts say; repeated sub-items are a list."""
    from peneira.types.column_types import InferredType, infer_type

    if draft.attribute in _TYPES:
        return InferredType(_TYPES[draft.attribute], 1.0)
    if draft.is_list:
        return InferredType("list", 1.0)
    return infer_type(
        [one.text for those in draft.values.values() for one in those], caption=caption, language=language
    )


def language_of(page: Page) -> str:
    """Return the language tag that the page gives itself, with the region that its address implies."""
    from peneira.types.notation import language_with_region

    given = page.attrs[0].get("lang", "") if len(page) else ""
    return language_with_region(given, urlsplit(page.url or "").hostname or "")


def with_columns(page: Page, region: Region) -> Region:
    """Return the region with its records' fields and columns filled in."""
    return ColumnBuilder(page).fill(region)


class ColumnBuilder:
    """The columns of the regions of one page, which share what was read of it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.base = base_url(page)
        self._reader: Reader | None = None

    def fill(self, region: Region) -> Region:
        """Return the region with its records' fields and columns filled in."""
        if not region.records:
            return region
        if self._reader is None:
            self._reader = Reader(self.page)
        grid = grid_of(self.page, [record.ranges[0][0] for record in region.records])
        all_drafts = drafts_of(self._reader, region.records, grid, self.base)
        drafts = _fullest(all_drafts)
        if len(drafts) < len(all_drafts):
            told = f"the {len(drafts)} fullest columns of {len(all_drafts)}; the others were left out"
            region = replace(region, reasons=(*region.reasons, Reason("columns", told, float(len(all_drafts)))))
        labels = _labels(drafts)
        for draft in drafts:
            _take_label(draft, labels.get(id(draft.slot), ""))
        drafts = [one for draft in drafts for one in (draft, *_parts(draft))]
        _mark_templates(drafts, len(region.records), grid)
        return _filled(self.page, region, drafts, grid)


def _labels(drafts: Sequence[Draft]) -> dict[int, str]:
    """Return the labels that attributes give to slots: the same in all records that have them."""
    found = {}
    for draft in drafts:
        if draft.attribute in LABEL_ATTRIBUTES and len(draft.values) > 1 and len(set(draft.texts().values())) == 1:
            found[id(draft.slot)] = next(iter(draft.texts().values()))
    return found


def _take_label(draft: Draft, given: str) -> None:
    """Move a label that stands before the values into the draft, or the one that was given."""
    draft.label = "" if draft.attribute in LABEL_ATTRIBUTES else draft.slot.label or given
    if draft.attribute not in ("", GROUP):
        return
    texts = draft.texts()
    lead = draft.slot.face.lead
    draft.is_label = bool(lead) and all(is_label(text) or text.lower() == lead for text in set(texts.values()))
    name = common_label(texts)
    if name:
        draft.label = name
        draft.values = {
            record: [one._replace(text=without_label(one.text, name)) for one in those]
            for record, those in draft.values.items()
        }


def _parts(draft: Draft) -> Iterator[Draft]:
    """Yield the columns within a column."""
    if draft.attribute not in ("", GROUP) or draft.is_list:
        return
    for part in parts_of(draft.texts()):
        values = {record: [draft.values[record][0]._replace(text=text)] for record, text in part.texts.items()}
        yield Draft(draft.slot, draft.attribute, label=part.label, part=part.kind, values=values)


def _mark_templates(drafts: Sequence[Draft], records: int, grid: Grid) -> None:
    """Mark the columns of the template, and those whose values another column has in the same records."""
    ranked = sorted(drafts, key=_standing)
    repeated = _repeated([draft.all_texts() for draft in ranked])
    for rank, draft in enumerate(ranked):
        is_silent = rank in repeated or _is_template(draft.all_texts(), records)
        draft.is_template = draft.is_label or (is_silent and not _is_announced(draft, grid))


def _repeated(columns: Sequence[dict[int, Texts]]) -> set[int]:
    """Return the columns whose values a column before them has in the same records."""
    holders: dict[int, dict[Texts | None, list[int]]] = {}  # per record, the columns by what they have there
    found = set()
    for number, texts in enumerate(columns):
        first = min(texts)
        if first not in holders:
            own: dict[Texts | None, list[int]] = {}
            for other, those in enumerate(columns):
                own.setdefault(those.get(first), []).append(other)
            holders[first] = own
        same = [other for other in holders[first][texts[first]][:MAX_COMPARED] if other < number]
        if any(_is_within(texts, columns[other]) for other in same):
            found.add(number)
    return found


def _fullest(drafts: list[Draft]) -> list[Draft]:
    """Return the drafts, the emptiest left out where there are too many."""
    if len(drafts) <= MAX_COLUMNS:
        return drafts
    least = sorted(len(draft.values) for draft in drafts)[-MAX_COLUMNS]
    return [draft for draft in drafts if len(draft.values) >= least][:MAX_COLUMNS]


def _standing(draft: Draft) -> tuple[int, bool, bool]:
    """Return a key that puts the better of equal columns first: the fuller, a text, one of a text and not an image."""
    return -len(draft.values), draft.attribute != "", draft.slot.face.kind == MEDIUM


def _is_announced(draft: Draft, grid: Grid) -> bool:
    """Tell whether a header, a label or its place says that there is a field here, whatever its values."""
    if draft.attribute == GROUP:
        return True
    is_text = draft.attribute in ("", CELL)
    return is_text and not draft.part and bool(draft.label or grid.captions.get(draft.slot.column))


def _is_template(texts: Mapping[int, Texts], records: int) -> bool:
    return records > 1 and max(Counter(texts.values()).values()) > TEMPLATE_SHARE * records


def _is_within(texts: Mapping[int, Texts], other: Mapping[int, Texts]) -> bool:
    return all(other.get(record) == those for record, those in texts.items())


def _filled(page: Page, region: Region, drafts: Sequence[Draft], grid: Grid) -> Region:
    linked = _linked(drafts)
    named = name_columns([_evidence(draft, grid, len(region.records), id(draft.slot) in linked) for draft in drafts])
    language = language_of(page)
    types = [typed(draft, caption, language) for draft, (_, caption) in zip(drafts, named, strict=True)]
    fields: list[dict[str, Cell]] = [{} for _ in region.records]
    xpath = _Addresses(page, region.records).of
    for draft, (name, _), typing in zip(drafts, named, types, strict=True):
        for record, those in draft.values.items():
            fields[record][name] = _cell(draft, those, typing, xpath(record, those[0].row))
    columns = tuple(
        Column(
            name,
            caption=caption or name,
            fill=len(draft.values) / len(region.records),
            path=_path(draft),
            type=typing.type,
            confidence=typing.confidence,
            is_template=draft.is_template,
        )
        for draft, (name, caption), typing in zip(drafts, named, types, strict=True)
    )
    records = tuple(replace(record, fields=cells) for record, cells in zip(region.records, fields, strict=True))
    shown = tuple(column for column in columns if not column.is_template)
    return replace(region, records=records, columns=shown, all_columns=columns)


def _linked(drafts: Sequence[Draft]) -> set[int]:
    """Return the slots that are links, and those of texts that are all a link holds."""
    linked = {id(draft.slot) for draft in drafts if draft.attribute == "href"}
    inside = Counter(id(draft.slot.parent) for draft in drafts if not draft.attribute and not draft.part)
    alone = {
        id(draft.slot) for draft in drafts if id(draft.slot.parent) in linked and inside[id(draft.slot.parent)] == 1
    }
    return linked | alone


class _Addresses:
    """The XPaths of rows below records, each built on that of its record."""

    def __init__(self, page: Page, records: Sequence[Record]) -> None:
        self._page, self._parents = page, page.lists.parent
        self._known = [{record.ranges[0][0]: record.xpath} for record in records]

    def of(self, record: int, row: int) -> str:
        """Return the XPath of a row."""
        known, parents = self._known[record], self._parents
        unknown, node = [], row
        while node not in known and node >= 0:
            unknown.append(node)
            node = parents[node]
        path = known.get(node, "")
        for node in reversed(unknown):
            path = known[node] = f"{path}/{self._page.xpath_step(node)}"
        return path


def _cell(draft: Draft, found: Sequence[Found], typing: InferredType, xpath: str) -> Cell:
    """Return a cell; one whose text does not read as the type of its column is text."""
    if len(found) == 1 and not draft.is_list:
        text = found[0].text
        value: Value = text if typing.type in _TYPES.values() else typing.value(text)
        return Cell(text, xpath, "text" if value is None else typing.type, value, confidence=found[0].fit)
    items = tuple(one.text for one in found)
    return Cell(", ".join(items), xpath, "list", items, items=items, confidence=min(one.fit for one in found))


def _evidence(draft: Draft, grid: Grid, records: int, is_linked: bool) -> NameSources:
    header = prop = ""
    steps = []
    for slot in _upwards(draft.slot):
        header = header or grid.captions.get(slot.column, "")
        prop = prop or slot.face.prop
        if slot.parent is not None:
            steps.append((slot.face.tag, slot.face.names))
    attribute = "" if draft.attribute == CELL else draft.attribute
    label, part = draft.label, "label" if draft.is_label else draft.part
    # what only some pages of a site have must not change the names of what all have
    standing = (draft.is_template, bool(draft.part), len(draft.values) < MIN_USUAL_SHARE * records)
    return NameSources(header, prop, label, attribute, part, _look(draft), is_linked, tuple(steps), standing)


def _look(draft: Draft) -> str:
    """Return what most of the values look like."""
    if draft.attribute:
        return ""
    sample = [found[0].text for found in islice(draft.values.values(), SAMPLE)]
    return common_pattern(sample)


def _upwards(slot: Slot | None) -> Iterator[Slot]:
    while slot is not None:
        yield slot
        slot = slot.parent


def _path(draft: Draft) -> str:
    steps = [_step(slot) for slot in _upwards(draft.slot) if slot.parent is not None]
    path = "/".join(reversed(steps))
    return f"{path}/@{draft.attribute}" if draft.attribute and draft.attribute != CELL else path


def _step(slot: Slot) -> str:
    return ".".join((slot.face.tag, *sorted(slot.face.words)))
