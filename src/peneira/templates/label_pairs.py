"""Lists whose items are not of one kind: pairs of label and value, and lists that are a tuple by their length.

``<tr><td>Height<td>1.98 m`` is an item of a list, but no item of a list of like things: what follows "Height" is a
column of its own. Items that begin with the same words in many records have these words as their label. Where no item
has a label but the list is equally long in all records, its items are told apart by their turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from peneira.templates.template_data import Data, DataItem, DataList, DataText, texts, within

ListSlot = tuple[int, ...]

# So many of the records that have the list must have an item with the label, and two at least
MIN_SHARE = 0.3
MIN_RECORDS = 2
MAX_LABEL_CHARS = 60
# An item with more texts is a section of a page, and what it begins with is a heading
MAX_LABELLED_TEXTS = 6
# Two or three records may well have lists of one length by chance
MIN_RECORDS_OF_ONE_LENGTH = 4
MAX_LENGTH = 20


@dataclass(frozen=True, slots=True)
class Labels:
    """By the slot of a list: the words with which its items begin, or how long it always is."""

    words: Mapping[ListSlot, frozenset[str]] = field(default_factory=dict)
    lengths: Mapping[ListSlot, int] = field(default_factory=dict)

    def of(self, found: DataList) -> list[str]:
        """Return the label of each item, "" where it has none."""
        known = self.words.get(found.slot)
        if known:
            return [label if (label := _label(item)) in known else "" for item in found.items]
        if self.lengths.get(found.slot) == len(found.items):
            return [f"{TURN}{turn}" for turn in range(1, len(found.items) + 1)]
        return [""] * len(found.items)


TURN = "#"
NO_LABELS = Labels()


def learn_labels(records: Sequence[Data]) -> Labels:
    """Return the labels of the lists in the records."""
    lists: dict[ListSlot, list[list[DataList]]] = {}
    for record in records:
        own: dict[ListSlot, list[DataList]] = {}
        for part in within(record):
            if isinstance(part, DataList):
                own.setdefault(part.slot, []).append(part)
        for slot, those in own.items():
            lists.setdefault(slot, []).append(those)
    words = {slot: found for slot, those in lists.items() if (found := _common_words(those))}
    lengths = {slot: length for slot, those in lists.items() if slot not in words and (length := _one_length(those))}
    return Labels(words, lengths)


def _common_words(lists: Sequence[Sequence[DataList]]) -> frozenset[str]:
    counts: Counter[str] = Counter()
    for own in lists:
        counts.update({label for one in own for item in one.items if (label := _label(item))})
    least = max(MIN_RECORDS, MIN_SHARE * len(lists))
    return frozenset(word for word, count in counts.items() if count >= least)


def _one_length(lists: Sequence[Sequence[DataList]]) -> int:
    """Return the length of a list that each record has once and of the same length; 0 if there is none."""
    lengths = {len(own[0].items) if len(own) == 1 else 0 for own in lists}
    length = max(lengths)
    are_short = all(_is_short(item) for own in lists for one in own for item in one.items)
    enough = len(lists) >= MIN_RECORDS_OF_ONE_LENGTH and 1 < length <= MAX_LENGTH
    return length if enough and len(lengths) == 1 and are_short else 0


def _is_short(item: Data) -> bool:
    return sum(1 for _ in texts(item)) <= MAX_LABELLED_TEXTS


def _label(item: Data) -> str:
    """Return the first text of an item that has more than it, but not much more."""
    if not isinstance(item, DataItem | DataList) or not _is_short(item):
        return ""
    first = next(texts(item), None)
    return first.text if first is not None and len(first.text) <= MAX_LABEL_CHARS else ""


def labelled_texts(record: Data, labels: Labels) -> Iterator[tuple[str, DataText]]:
    """Yield the texts of a record, attributes too, each with the label it stands under, "" for none."""
    waiting: list[tuple[str, Data]] = [("", record)]
    while waiting:
        label, part = waiting.pop()
        if isinstance(part, DataText):
            yield label, part
        elif isinstance(part, DataItem):
            waiting.extend((label, one) for one in reversed(part.parts))
        elif isinstance(part, DataList):
            own = zip(labels.of(part), part.items, strict=True)
            waiting.extend(reversed([(inner or label, item) for inner, item in own]))
