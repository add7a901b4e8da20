"""Candidate columns of a region: its raw columns with labels, parts, types, and what the models need to judge them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice

from peneira.budget import check_budget
from peneira.columns.column_evidence import ColumnEvidence, ColumnNames
from peneira.columns.column_features import MAX_SAMPLED, column_evidence
from peneira.columns.data_attributes import LABEL_ATTRIBUTES
from peneira.columns.double_headers import headers_of_parts
from peneira.columns.label_pairs import is_number, number_and_unit
from peneira.columns.labelled_texts import LabelledTexts, labelled_texts
from peneira.columns.labels import MIN_LABELLED_SHARE, common_label, is_bare_label, normalized_label, without_label
from peneira.columns.merged_columns import merge_columns
from peneira.columns.outline import MEDIA
from peneira.columns.prose_blocks import HEADING_TAGS
from peneira.columns.prototypes import BUTTON_TAG
from peneira.columns.raw_columns import GROUP, TEXT_ATTRIBUTES, WHOLE, RawColumn, RawValue
from peneira.columns.redundant_columns import repeated_columns
from peneira.columns.role_words import named_roles
from peneira.columns.slot_alignment import Slot
from peneira.columns.slot_surroundings import SlotSurroundings
from peneira.columns.table_grid import Grid
from peneira.columns.text_parts import text_parts
from peneira.columns.value_looks import look_shares
from peneira.columns.value_patterns import are_bylines, are_epochs
from peneira.columns.worded_amounts import worded_amounts
from peneira.late_patterns import late_pattern
from peneira.types.column_types import InferredType, infer_type
from peneira.types.quantities import parse_quantity
from peneira.values import ColumnType

# The type of what an attribute holds
URL_TYPES: Mapping[str, ColumnType] = {"href": "url", "src": "image"}
# Properties of a link or an image, which do not name the text inside
_NO_TEXT_PROPERTIES = frozenset({"", "url", "image", "sameAs", "thumbnailUrl", "contentUrl"})
_NO_PROPERTY = frozenset({""})
_LINK_TAGS, _BUTTON_TAGS = frozenset({"a"}), frozenset({BUTTON_TAG})
_TITLE_TAGS = _LINK_TAGS | HEADING_TAGS
# The attribute that gives programs the date that the text beside it says in words
MACHINE_ATTRIBUTE = "datetime"
_MACHINE_TYPES = frozenset({"date", "datetime", "money"})
_MOMENT_TYPES = frozenset({"date", "datetime", "time", "duration"})
# How the names of attributes that hold a moment as a number end; a candidate is no date, and an update-id no moment
_TIME_NAME = late_pattern(
    r"(?:time|(?<!candi)(?<!vali)date|stamp|epoch|unix|created|updated|modified|published|posted|-ts)"
    r"(?:[-_]?(?:at|on|utc|gmt|unix|s|ms|sec|seconds))?$"
)
# The share of the texts of an element that look like dates if the moment in its attribute is what they say
_MIN_DATES_SHARE = 0.5

# An amount, words and a second amount; longer texts are no amounts
_TWO_AMOUNTS = late_pattern(r"([^\w\s]?\d[\d.,]*[^\w\s]?)[^\W\d_]+([^\w\s]?\d[\d.,]*[^\w\s]?)")
MAX_AMOUNT_CHARS = 60
# This many texts show whether amounts are said twice
MAX_SAMPLED_AMOUNTS = 2
# A label for authors; the words of other languages before them stand for much else: "von", "di"
_BYLINE_WORD = "by"
_BYLINE_EDGES = " |·•"
_MAX_SHARE_OF_AUTHOR = 0.75
# Titles have so many words on average
MIN_TITLE_WORDS = 3.0


@dataclass(frozen=True, slots=True)
class CandidateColumns:
    """The candidate columns of a region with their types and the evidence on them.

    ``twin_of``: for a column whose values another column has in the same records, the number of that column.
    ``judged``: the columns that are neither twins nor labels nor split, by number; ``evidence`` is on these.
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
    around = SlotSurroundings(grid)
    labelled = {id(column): _labelled_texts(column, around) for column in raw}
    for column in raw:
        check_budget()
        _set_label(column, labels.get(id(column.slot), ""), labelled[id(column)], around)
    _share_labels_of_bylines(raw)
    _restore_case(raw)
    merged = merge_columns(raw, language)
    columns = [part for column in merged for part in (column, *_part_columns(column, labelled[id(column)]))]
    _set_containers(columns)
    _hide_pairs(columns)
    twin_of = {
        k: other for k, other in repeated_columns(columns).items() if not _are_headed_apart(columns, k, other, grid)
    }
    _set_epochs(columns)
    twin_of |= _set_machine_texts(columns)
    _set_amounts(columns)
    linked = _linked_slots(columns)
    names = _name_by_attributes([_names(column, around) for column in columns], columns, twin_of)
    for k, header in headers_of_parts(columns, [own.header for own in names]).items():
        names[k] = names[k]._replace(header=header)
    types = _types(columns, names, twin_of, language)
    judged = [k for k, column in enumerate(columns) if k not in twin_of and not (column.is_label or column.is_split)]
    evidence = column_evidence(columns, types, names, judged, linked, records)
    return CandidateColumns(records, columns, types, names, judged, evidence, twin_of, linked)


def _types(
    columns: Sequence[RawColumn], names: Sequence[ColumnNames], twin_of: Mapping[int, int], language: str
) -> list[InferredType]:
    """Return the type of each column; a text that repeats another has the type of that one."""
    types: dict[int, InferredType] = {}
    for k in sorted(range(len(columns)), key=lambda k: k in twin_of):
        check_budget()
        other = types.get(twin_of.get(k, -1))
        is_text = columns[k].attribute not in (*URL_TYPES, MACHINE_ATTRIBUTE) and not columns[k].is_list
        is_like_other = other is not None and is_text and other.type not in URL_TYPES.values()
        types[k] = other if other is not None and is_like_other else _column_type(columns[k], names[k], language)
    return [types[k] for k in range(len(columns))]


def _attribute_labels(columns: Sequence[RawColumn]) -> dict[int, str]:
    """Return the labels of slots that are in an attribute: the same in all records that have it."""
    labels = {}
    for column in columns:
        if column.attribute in LABEL_ATTRIBUTES and len(column.values) > 1:
            texts = set(column.first_texts().values())
            if len(texts) == 1 and (label := texts.pop())[:1].isalnum():
                labels[id(column.slot)] = label
    return labels


def _labelled_texts(column: RawColumn, around: SlotSurroundings) -> LabelledTexts:
    """Return the labelled values that the texts of a column hold."""
    if column.attribute not in ("", GROUP) or column.is_list or column.slot.column >= 0:
        return LabelledTexts()
    if _is_in_button(column, around):
        return LabelledTexts()
    return labelled_texts(column.first_texts())


def _set_label(column: RawColumn, attribute_label: str, labelled: LabelledTexts, around: SlotSurroundings) -> None:
    """Set the label of a column; one that stands before or after the values is removed from them."""
    column.label = "" if column.attribute in LABEL_ATTRIBUTES else column.slot.label or attribute_label
    if column.attribute not in TEXT_ATTRIBUTES:
        return
    if _is_in_button(column, around):
        column.label = ""
        return
    texts = column.first_texts()
    is_constant = len(set(texts.values())) == 1
    is_link_for_all = is_constant and not column.slot.label and around.are_in(column.slot, _LINK_TAGS)
    if is_link_for_all or (is_constant and column.label in texts.values()):
        column.label = ""  # "Compare" with the title "Add to Compare", or a badge with its own text as its title
    slot_label = column.slot.features.label
    column.is_label = bool(slot_label) and all(
        is_bare_label(text) or text.lower() == slot_label for text in set(texts.values())
    )
    column.is_split = labelled.are_all
    is_heading = is_constant and around.are_in(column.slot, HEADING_TAGS)  # one title twice, with a colon in it
    label = "" if labelled.parts or is_heading else common_label(texts)
    if label and not _is_part_of_title(column, label, around):
        column.label = label
        _replace_texts(column, lambda text: _without_stop(without_label(text, label)))
    elif not column.label and (label := _byline_label(column)):
        column.label = label
        _replace_texts(
            column,
            lambda text: text[len(label) :].strip(_BYLINE_EDGES) if _starts_with(text, f"{label.lower()} ") else text,
        )
    elif not (column.label or column.attribute) and (worded := worded_amounts(texts)).label:
        column.label = worded.label
        by_text = {texts[record]: amount for record, amount in worded.amounts.items()}
        _replace_texts(column, lambda text: by_text.get(text, text))
    elif _is_measure(column.label) and all(map(is_number, texts.values())):
        unit = column.label
        column.label = ""
        _replace_texts(column, lambda text: f"{text} {unit}")
    elif column.attribute == WHOLE and slot_label:
        _replace_texts(
            column, lambda text: text[len(slot_label) :].lstrip() if _starts_with(text, slot_label) else text
        )
    elif slot_label and not column.label and _are_numbers_with_unit(texts.values()):
        column.label = slot_label
        _replace_texts(column, _without_unit)


def _byline_label(column: RawColumn) -> str:
    """Return the word before the names of authors, "By", "" if texts are no bylines. Nearly always the same author is
    no field that a label announces."""
    texts = column.first_texts().values()
    word = next(iter(texts), "")[: len(_BYLINE_WORD)]
    if word.lower() != _BYLINE_WORD or column.most > _MAX_SHARE_OF_AUTHOR * len(column.values):
        return ""
    return word if are_bylines(texts) else ""


def _share_labels_of_bylines(columns: Sequence[RawColumn]) -> None:
    """Give the names in bylines, which are links as a rule, the label of the whole text: "By" and a link."""
    for whole in columns:
        if whole.attribute == WHOLE and whole.label.lower() == _BYLINE_WORD:
            for column in columns:
                if not (column.attribute or column.label) and column.first_texts() == whole.first_texts():
                    column.label = whole.label


def _is_part_of_title(column: RawColumn, label: str, around: SlotSurroundings) -> bool:
    """Return whether the words that all texts begin with are those of a series, not a label: links or headings such as
    "News of the week: A new bridge"."""
    if named_roles(label) or not around.are_in(column.slot, _TITLE_TAGS):
        return False
    rests = [without_label(text, label) for text in column.first_texts().values()]
    return sum(len(rest.split()) for rest in rests) >= MIN_TITLE_WORDS * len(rests)


def _is_in_button(column: RawColumn, around: SlotSurroundings) -> bool:
    """Return whether a text is what buttons say: "Save this event: X" has no label."""
    return around.are_in(column.slot, _BUTTON_TAGS) or (column.attribute == WHOLE and _has_only_buttons(column.slot))


def _has_only_buttons(slot: Slot) -> bool:
    """Return whether all texts in a slot are those of buttons."""
    pending = [slot]
    while pending:
        inner = pending.pop()
        if inner.features.tag == BUTTON_TAG or inner.kind == MEDIA:
            continue
        if not inner.children:
            return False
        pending.extend(inner.children)
    return True


def _restore_case(columns: Sequence[RawColumn]) -> None:
    """Set labels that stand beside their values as the page writes them; they were compared in lower case."""
    texts = [text for column in columns if column.is_label for text in dict.fromkeys(column.first_texts().values())]
    written = {normalized_label(text): text.rstrip(" :：") for text in reversed(texts)}
    for column in columns:
        column.label = written.get(column.label, column.label)


def _replace_texts(column: RawColumn, changed: Callable[[str], str]) -> None:
    column.values = {
        record: [RawValue(changed(text), row, confidence, item) for text, row, confidence, item in values]
        for record, values in column.values.items()
    }


def _without_stop(text: str) -> str:
    """Return a number without the stop of the sentence it ends: "Original price was: $30.00." has no other."""
    return text[:-1] if text.endswith(".") and text[-2:-1].isdigit() else text


def _is_measure(label: str) -> bool:
    """Return whether a label is a unit such as "m²", which belongs to its number."""
    return bool(label) and parse_quantity(f"1 {label}") is not None


def _starts_with(text: str, label: str) -> bool:
    return text[: len(label)].lower() == label and len(text) > len(label)


def _are_numbers_with_unit(texts: Collection[str]) -> bool:
    """Return whether nearly all texts are a number with its unit; a measure keeps its unit."""
    numbers = sum(number_and_unit(text) is not None and not parse_quantity(text) for text in texts)
    return numbers >= MIN_LABELLED_SHARE * len(texts)


def _without_unit(text: str) -> str:
    match = number_and_unit(text)
    return match[1] if match else text


def _part_columns(column: RawColumn, labelled: LabelledTexts) -> Iterator[RawColumn]:
    """Yield the columns within a column."""
    if column.attribute not in ("", GROUP) or column.is_list:
        return
    check_budget()
    for part in labelled.parts or text_parts(column.first_texts()):
        values = {record: [RawValue(text, *column.values[record][0][1:])] for record, text in part.texts.items()}
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


def _hide_pairs(columns: Sequence[RawColumn]) -> None:
    """Mark the whole texts that are labels and their values, which have columns of their own; not of table cells."""
    inside: dict[int, list[RawColumn]] = {}
    for column in columns:
        if column.container is not None and not column.part:
            inside.setdefault(id(column.container), []).append(column)
    for column in reversed(columns):  # the inner ones first
        if column.attribute == WHOLE and column.slot.column < 0 and (own := inside.get(id(column))):
            values = [part for part in own if not part.is_label]
            are_pairs = all(part.label or part.is_split for part in values)
            column.is_label = not values
            column.is_split = len(values) < min(2, len(own)) or are_pairs


def _are_headed_apart(columns: Sequence[RawColumn], k: int, other: int, grid: Grid) -> bool:
    """Return whether two columns are cells under headers of their own: equal values are no repetition then."""
    own, others = columns[k].slot.column, columns[other].slot.column
    return own >= 0 and others >= 0 and own != others and bool(grid.headers.get(own))


def _set_epochs(columns: Sequence[RawColumn]) -> None:
    """Turn attributes that hold seconds or milliseconds since 1970, data-timestamp="1700000000", into dates to read."""
    for column in columns:
        if not column.attribute.startswith("data-") or column.is_list or not _TIME_NAME.search(column.attribute):
            continue
        texts = column.all_texts()  # a record has several where its elements are one line
        if are_epochs(texts):
            _replace_texts(column, _moment)
            column.machine_texts = dict(column.first_texts()) if len(texts) == len(column.values) else {}


def _moment(text: str) -> str:
    """Return seconds or milliseconds since 1970 as a date to read."""
    seconds = int(text) // (1000 if len(text) > 10 else 1)
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def _set_machine_texts(columns: Sequence[RawColumn]) -> dict[int, int]:
    """Give texts the dates that their elements hold for programs; return the columns of these, which repeat them."""
    texts = {id(column.slot): k for k, column in enumerate(columns) if not column.attribute and not column.part}
    machine: dict[int, int] = {}
    for k, column in enumerate(columns):
        is_machine = column.attribute == MACHINE_ATTRIBUTE or bool(column.machine_texts)
        other = texts.get(id(column.slot)) if is_machine else None
        if other is None or (column.attribute != MACHINE_ATTRIBUTE and not _say_moments(columns[other])):
            continue
        if columns[other].values.keys() == column.values.keys() and not columns[other].is_list:
            columns[other].machine_texts = column.machine_texts or column.first_texts()
            machine[k] = other
    return machine


def _say_moments(column: RawColumn) -> bool:
    """Return whether texts say a moment in words: "3 hours ago", not the title of an item of that moment."""
    texts = list(islice(column.first_texts().values(), MAX_SAMPLED))
    return look_shares(texts)["date"] >= _MIN_DATES_SHARE or infer_type(texts).type in _MOMENT_TYPES


def _set_amounts(columns: Sequence[RawColumn]) -> None:
    """Give texts that say an amount a second time for screen readers, "$99.99 Price $ 99.99", that amount to read, and
    those that say something else beside it."""
    for column in columns:
        if column.attribute not in ("", WHOLE) or column.is_list:
            continue
        texts = column.first_texts()
        if not (column.attribute or column.part) and (amounts := worded_amounts(texts).amounts):
            column.machine_texts = dict(amounts)
        elif any(map(_amount, islice(texts.values(), MAX_SAMPLED_AMOUNTS))):
            column.machine_texts = {record: amount for record, text in texts.items() if (amount := _amount(text))}


def _amount(text: str) -> str:
    """Return the amount that a text says twice, "" if it does not."""
    if len(text) > MAX_AMOUNT_CHARS or not any(map(str.isdigit, text)):
        return ""
    match = _TWO_AMOUNTS.fullmatch("".join(text.split()))
    return match[1] if match and _digits(match[1]) == _digits(match[2]) else ""


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


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


def _names(column: RawColumn, around: SlotSurroundings) -> ColumnNames:
    header, props, near, far = around.names(column.slot, column.top)
    without = _NO_TEXT_PROPERTIES if column.attribute in TEXT_ATTRIBUTES else _NO_PROPERTY
    return ColumnNames(
        label=column.label,
        header=header,
        prop=next((prop for prop in props if prop not in without), ""),
        near=near,
        far=far,
        attribute=column.attribute.removeprefix("data-") if column.attribute.startswith("data-") else "",
    )


def _name_by_attributes(
    names: list[ColumnNames], columns: Sequence[RawColumn], twin_of: Mapping[int, int]
) -> list[ColumnNames]:
    """Return the names of the columns; a text that an attribute repeats for scripts, data-address, is called by it."""
    for twin, other in twin_of.items():
        column, text = columns[twin], columns[other]
        if not column.attribute.startswith("data-") or text.attribute not in TEXT_ATTRIBUTES or names[other].attribute:
            continue
        name = column.attribute.removeprefix("data-")
        if len(column.values) >= MIN_LABELLED_SHARE * len(text.values) and named_roles(name):
            names[other] = names[other]._replace(attribute=name)
    return names


def _column_type(column: RawColumn, names: ColumnNames, language: str) -> InferredType:
    """Return the type of a column: that of its attribute, "list" for repeated values, else the type of its texts."""
    if column.attribute in URL_TYPES:
        return InferredType(URL_TYPES[column.attribute], 1.0)
    if column.is_list:
        return InferredType("records" if column.nested else "list", 1.0)
    texts = column.all_texts()
    inferred = infer_type(texts, caption=names.label or names.header or names.prop, language=language)
    if column.machine_texts and inferred.type not in _MACHINE_TYPES:
        texts = [column.machine_texts.get(record, text) for record, text in column.first_texts().items()]
        of_machine = infer_type(texts, language=language)
        return of_machine if of_machine.type in _MACHINE_TYPES else inferred
    return inferred
