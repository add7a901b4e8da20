"""Redundant columns: those whose values another column has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from peneira.columns.outline import MEDIA
from peneira.columns.prose_blocks import HEADING_TAGS
from peneira.columns.raw_columns import TEXT_ATTRIBUTES, WHOLE, CellTexts, RawColumn
from peneira.columns.slot_alignment import with_ancestors

# Attributes that repeat a text for those who do not see it
SPOKEN_ATTRIBUTES = frozenset({"alt", "title", "aria-label"})
# Columns with the same first value that a column is compared with, which bounds the time
MAX_COMPARED_COLUMNS = 16


def repeated_columns(columns: Sequence[RawColumn]) -> dict[int, int]:
    """Return the columns whose values another column has in the same records, each with that column, by number."""
    order = sorted(range(len(columns)), key=lambda k: _rank(columns[k]))
    repeated = _repeated([columns[k].cell_texts() for k in order])
    repeated_by = {
        order[k]: order[other]
        for k, other in repeated.items()
        if not (_is_visible(columns[order[k]]) and _is_for_scripts(columns[order[other]]))
    }
    return {**repeated_by, **_written_otherwise(columns, repeated_by)}


def _is_visible(column: RawColumn) -> bool:
    return column.attribute in TEXT_ATTRIBUTES


def _is_for_scripts(column: RawColumn) -> bool:
    """Return whether the values are in an attribute that no reader sees, however many records have it."""
    return column.attribute.startswith("data-")


def _written_otherwise(columns: Sequence[RawColumn], repeated: Mapping[int, int]) -> dict[int, int]:
    """Return the attributes that are a text of their records but for signs: "2474300 €" for "2.474.300 €"."""
    texts = [k for k, column in enumerate(columns) if not column.attribute and not column.is_list and k not in repeated]
    if not texts:
        return {}
    written: dict[int, int] = {}
    firsts: dict[
        int, dict[int, str]
    ] = {}  # of a record that is asked for first: by text column, its letters and digits
    for k, column in enumerate(columns):
        if column.attribute not in SPOKEN_ATTRIBUTES or column.is_list or k in repeated:
            continue
        first, text = next(iter(column.first_texts().items()))
        if first not in firsts:
            firsts[first] = {
                other: _letters_and_digits(columns[other].values[first][0].text)
                for other in texts
                if first in columns[other].values
            }
        bare = _letters_and_digits(text)
        likely = [other for other, own_text in firsts[first].items() if own_text == bare]
        own = {record: _letters_and_digits(text) for record, text in column.first_texts().items()} if likely else {}
        if likely and all(own.values()):
            other = next((other for other in likely if _are_written(own, columns[other])), None)
            if other is not None:
                written[k] = other
    return written


def _are_written(own: Mapping[int, str], column: RawColumn) -> bool:
    """Return whether the texts of a column have these letters and digits in all their records."""
    values = column.values
    return all(record in values and _letters_and_digits(values[record][0].text) == text for record, text in own.items())


def _letters_and_digits(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


def _rank(column: RawColumn) -> tuple[bool, int, bool, bool, bool, bool, bool, int]:
    """Return a key that sorts the better of equal columns first: one without labels, the fuller one, a link rather than
    the address in words, a text, one that is not media, a heading, a table cell, the innermost of elements around the
    same text, whose class says what it is."""
    features = column.slot.features
    return (
        column.is_split,
        -len(column.values),
        column.attribute != "href",
        column.attribute != "",
        features.kind == MEDIA,
        features.tag not in HEADING_TAGS,
        column.slot.column < 0,
        -sum(1 for _ in with_ancestors(column.slot)) if column.attribute == WHOLE else 0,
    )


def _repeated(columns: Sequence[Mapping[int, CellTexts]]) -> dict[int, int]:
    """Return the columns whose values an earlier column has in the same records, each with that column."""
    holders: dict[int, dict[CellTexts | None, list[int]]] = {}  # by record and value, the columns that have it
    repeated: dict[int, int] = {}
    for number, texts in enumerate(columns):
        first = min(texts)
        if first not in holders:
            by_value: dict[CellTexts | None, list[int]] = {}
            for other, other_texts in enumerate(columns):
                by_value.setdefault(other_texts.get(first), []).append(other)
            holders[first] = by_value
        earlier = [other for other in holders[first][texts[first]][:MAX_COMPARED_COLUMNS] if other < number]
        holder = next((other for other in earlier if _contains(columns[other], texts)), None)
        if holder is not None:
            repeated[number] = holder
    return repeated


def _contains(texts: Mapping[int, CellTexts], part: Mapping[int, CellTexts]) -> bool:
    return all(texts.get(record) == value for record, value in part.items())
