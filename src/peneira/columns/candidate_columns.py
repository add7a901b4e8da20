"""Candidate columns of a region: its raw columns with labels, parts, types, and what the models need to judge them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from peneira.columns.column_features import ColumnEvidence, ColumnNames, column_evidence
from peneira.columns.data_attributes import LABEL_ATTRIBUTES
from peneira.columns.labels import common_label, is_bare_label, without_label
from peneira.columns.raw_columns import GROUP, TEXT_ATTRIBUTES, WHOLE, RawColumn
from peneira.columns.redundant_columns import repeated_columns
from peneira.columns.slot_alignment import with_ancestors
from peneira.columns.table_grid import Grid
from peneira.columns.text_parts import text_parts
from peneira.types.column_types import InferredType, infer_type
from peneira.values import ColumnType

_URL_TYPES: Mapping[str, ColumnType] = {"href": "url", "src": "image"}
# Class words of elements this far around a value are near
NEAR_ELEMENTS = 1
FAR_ELEMENTS = 4


@dataclass(frozen=True, slots=True)
class CandidateColumns:
    """The candidate columns of a region with their types and the evidence on them.

    ``twin_of``: for a column whose values another column has in the same records, the number of that column.
    ``judged``: the columns that are neither twins nor labels, by number; ``evidence`` is on these, in their order.
    ``linked``: the ids of slots that are links, or texts that are all a link contains.
    """

    records: int
    columns: list[RawColumn]
    types: list[InferredType]
    names: list[ColumnNames]
    judged: list[int]
    evidence: list[ColumnEvidence]
    twin_of: dict[int, int]
    linked: set[int]


def candidate_columns(raw: Sequence[RawColumn], grid: Grid, records: int, language: str) -> CandidateColumns:
    """Return the candidates made of the raw columns of a region."""
    labels = _attribute_labels(raw)
    for column in raw:
        _set_label(column, labels.get(id(column.slot), ""))
    columns = [part for column in raw for part in (column, *_part_columns(column))]
    _set_containers(columns)
    twin_of = repeated_columns(columns)
    linked = _linked_slots(columns)
    names = [_names(column, grid) for column in columns]
    types = [_column_type(column, names[k], language) for k, column in enumerate(columns)]
    judged = [k for k, column in enumerate(columns) if k not in twin_of and not column.is_label]
    evidence = column_evidence(columns, types, names, judged, linked, records)
    return CandidateColumns(records, columns, types, names, judged, evidence, twin_of, linked)


def _attribute_labels(columns: Sequence[RawColumn]) -> dict[int, str]:
    """Return the labels of slots that are in an attribute: the same in all records that have it."""
    labels = {}
    for column in columns:
        if column.attribute in LABEL_ATTRIBUTES and len(column.values) > 1:
            texts = set(column.first_texts().values())
            if len(texts) == 1:
                labels[id(column.slot)] = texts.pop()
    return labels


def _set_label(column: RawColumn, attribute_label: str) -> None:
    """Set the label of a column; one that stands before the values is removed from them."""
    column.label = "" if column.attribute in LABEL_ATTRIBUTES else column.slot.label or attribute_label
    if column.attribute not in TEXT_ATTRIBUTES:
        return
    texts = column.first_texts()
    slot_label = column.slot.features.label
    column.is_label = bool(slot_label) and all(
        is_bare_label(text) or text.lower() == slot_label for text in set(texts.values())
    )
    label = common_label(texts)
    if label:
        column.label = label
        column.values = {
            record: [value._replace(text=without_label(value.text, label)) for value in values]
            for record, values in column.values.items()
        }


def _part_columns(column: RawColumn) -> Iterator[RawColumn]:
    """Yield the columns within a column."""
    if column.attribute not in ("", GROUP) or column.is_list:
        return
    for part in text_parts(column.first_texts()):
        values = {record: [column.values[record][0]._replace(text=text)] for record, text in part.texts.items()}
        yield RawColumn(
            column.slot, column.attribute, label=part.label, part=part.kind, container=column, values=values
        )


def _set_containers(columns: Sequence[RawColumn]) -> None:
    """Set for each text the column of the whole text around it."""
    wholes = {id(column.slot): column for column in columns if column.attribute == WHOLE and not column.part}
    for column in columns:
        if column.container is None and column.attribute in ("", WHOLE):
            slot = column.slot.parent if column.attribute == WHOLE else column.slot
            while slot is not None and column.container is None:
                column.container = wholes.get(id(slot))
                slot = slot.parent


def _linked_slots(columns: Sequence[RawColumn]) -> set[int]:
    """Return the slots that are links, and those of texts that are all a link contains."""
    links = {id(column.slot) for column in columns if column.attribute == "href"}
    texts_inside = Counter(id(column.slot.parent) for column in columns if not column.attribute and not column.part)
    only_texts = {
        id(column.slot)
        for column in columns
        if id(column.slot.parent) in links and texts_inside[id(column.slot.parent)] == 1
    }
    return links | only_texts


def _names(column: RawColumn, grid: Grid) -> ColumnNames:
    slots = list(with_ancestors(column.slot, column.top))
    inner = [slot for slot in slots if slot.parent is not None]
    words = [slot.features.ordered_words for slot in inner[:FAR_ELEMENTS]]
    return ColumnNames(
        label=column.label,
        header=next((header for slot in slots if (header := grid.headers.get(slot.column, ""))), ""),
        prop=next((slot.features.prop for slot in inner if slot.features.prop), ""),
        near=tuple(_element_word(word) for own in words[:NEAR_ELEMENTS] for word in own),
        far=tuple(_element_word(word) for own in words[NEAR_ELEMENTS:] for word in own),
        attribute=column.attribute.removeprefix("data-") if column.attribute.startswith("data-") else "",
    )


def _element_word(class_word: str) -> str:
    """Return the part of a class that names its element: "job-card__title--big" gives "title"."""
    return class_word.rpartition("__")[2].partition("--")[0]


def _column_type(column: RawColumn, names: ColumnNames, language: str) -> InferredType:
    """Return the type of a column: that of its attribute, "list" for repeated values, else the type of its texts."""
    if column.attribute in _URL_TYPES:
        return InferredType(_URL_TYPES[column.attribute], 1.0)
    if column.is_list:
        return InferredType("records" if column.nested else "list", 1.0)
    texts = [value.text for values in column.values.values() for value in values]
    return infer_type(texts, caption=names.label or names.header or names.prop, language=language)
