"""Lists whose items are different fields: pairs of label and value, and lists of a fixed length.

``<tr><td>Height<td>1.98 m`` is an item of a list, but the items are not values of one kind: the value of "Height" is a
column of its own. If items start with the same text in many records, that text is their label, unless several items
of one list do: these are records that all begin alike. If no item has a label but the list has the same length in all
records, the position of an item is its label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from peneira.templates.template_data import Data, DataItem, DataList, DataText, texts_in, walk_data

Repetition = tuple[int, ...]
# Starts the label of an item that is identified by its position: "#1", "#2"...
TURN = "#"


@dataclass(frozen=True, slots=True)
class LabelOptions:
    """What counts as a label, and which lists count as lists of a fixed length."""

    # of the records with the list, this share and at least two must have an item with the label
    min_share: float = 0.3
    min_records: int = 2
    # of the lists of several items with the label, this share must have it once only
    min_single_share: float = 0.5
    max_label_chars: int = 60
    # an item with more texts is a section of the page, and its first text is a heading
    max_item_texts: int = 6
    # two or three records may have lists of equal length by chance
    min_records_of_equal_length: int = 4
    # a longer list is taken as a list of like values, even if its length never changes
    max_length: int = 20


LABEL_OPTIONS = LabelOptions()


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of lists, by their repetition in the template: known first texts of items, or a fixed length.

    ``always`` are the template node, attribute and label of values that every list of their repetition had. They are
    not saved with a wrapper: they only tell its schema.
    """

    first_texts: Mapping[Repetition, frozenset[str]] = field(default_factory=dict)
    lengths: Mapping[Repetition, int] = field(default_factory=dict)
    always: frozenset[tuple[int, str, str]] = frozenset()

    def labels_at(self, repetition: Repetition) -> frozenset[str]:
        """Return all labels that items of a repetition can have."""
        turns = (f"{TURN}{position}" for position in range(1, self.lengths.get(repetition, 0) + 1))
        return self.first_texts.get(repetition) or frozenset(turns)

    def of(self, data_list: DataList) -> list[str]:
        """Return the label of each item, "" if it has none."""
        known = self.first_texts.get(data_list.repetition)
        if known:
            return [label if (label := _label(item)) in known else "" for item in data_list.items]
        if self.lengths.get(data_list.repetition) == len(data_list.items):
            return [f"{TURN}{position}" for position in range(1, len(data_list.items) + 1)]
        return [""] * len(data_list.items)


NO_LABELS = Labels()


def learn_labels(records: Sequence[Data]) -> Labels:
    """Return the labels of the lists in the records."""
    lists_of: dict[Repetition, list[list[DataList]]] = {}  # by repetition: the lists of each record that has any
    for record in records:
        own: dict[Repetition, list[DataList]] = {}
        for part in walk_data(record):
            if isinstance(part, DataList):
                own.setdefault(part.repetition, []).append(part)
        for repetition, lists in own.items():
            lists_of.setdefault(repetition, []).append(lists)
    first_texts = {key: labels for key, lists in lists_of.items() if (labels := _common_first_texts(lists))}
    lengths = {
        key: length for key, lists in lists_of.items() if key not in first_texts and (length := _fixed_length(lists))
    }
    found = Labels(first_texts, lengths)
    labelled = [lists for key, lists in lists_of.items() if key in first_texts or key in lengths]
    return replace(found, always=frozenset(slot for lists in labelled for slot in _in_every_list(lists, found)))


def _common_first_texts(lists: Sequence[Sequence[DataList]]) -> frozenset[str]:
    records: Counter[str] = Counter()
    several: Counter[str] = Counter()  # by label: the lists of several items with it
    singles: Counter[str] = Counter()
    for own in lists:
        counts = [Counter(label for item in data_list.items if (label := _label(item))) for data_list in own]
        records.update({label for count in counts for label in count})
        for data_list, count in zip(own, counts, strict=True):
            if len(data_list.items) > 1:
                several.update(count.keys())
                singles.update(label for label, times in count.items() if times == 1)
    min_count = max(LABEL_OPTIONS.min_records, LABEL_OPTIONS.min_share * len(lists))
    return frozenset(
        label
        for label, count in records.items()
        if count >= min_count and singles[label] >= LABEL_OPTIONS.min_single_share * several[label]
    )


def _in_every_list(lists: Sequence[Sequence[DataList]], labels: Labels) -> frozenset[tuple[int, str, str]]:
    return frozenset.intersection(
        *(
            frozenset((text.node, text.attribute, label) for label, text in labelled_texts(data_list, labels) if label)
            for own in lists
            for data_list in own
        )
    )


def _fixed_length(lists: Sequence[Sequence[DataList]]) -> int:
    """Return the length of a list that every record has once and with the same length; 0 if there is none."""
    lengths = {len(own[0].items) if len(own) == 1 else 0 for own in lists}
    length = max(lengths)
    are_short = all(_is_short(item) for own in lists for data_list in own for item in data_list.items)
    enough = len(lists) >= LABEL_OPTIONS.min_records_of_equal_length and 1 < length <= LABEL_OPTIONS.max_length
    return length if enough and len(lengths) == 1 and are_short else 0


def _is_short(item: Data) -> bool:
    return sum(1 for _ in texts_in(item)) <= LABEL_OPTIONS.max_item_texts


def _label(item: Data) -> str:
    """Return the first text of a short item, its possible label."""
    if not isinstance(item, DataItem | DataList) or not _is_short(item):
        return ""
    first = next(texts_in(item), None)
    return first.text if first is not None and len(first.text) <= LABEL_OPTIONS.max_label_chars else ""


def labelled_texts(record: Data, labels: Labels) -> Iterator[tuple[str, DataText]]:
    """Yield the texts and attribute values of a record, each with its label, "" if it has none."""
    stack: list[tuple[str, Data]] = [("", record)]
    while stack:
        label, part = stack.pop()
        if isinstance(part, DataText):
            yield label, part
        elif isinstance(part, DataItem):
            stack.extend((label, child) for child in reversed(part.parts))
        elif isinstance(part, DataList):
            labelled = zip(labels.of(part), part.items, strict=True)
            stack.extend(reversed([(item_label or label, item) for item_label, item in labelled]))
