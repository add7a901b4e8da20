"""Lists of pairs: where the items of a list begin with the same words on many pages, the words are labels.

``<tr><td>Height<td>1.98 m`` is one item of a list, but no item of a list of like things: what follows "Height" is a
column of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from peneira.wrappers.data import Data, DataItem, DataList, DataText, texts, within

# The words with which items of a list begin, by the list's slot
Labels = Mapping[tuple[int, ...], frozenset[str]]
NO_LABELS: Labels = {}

# So many of the records that have the list must have an item with the label, and two at least
LEAST_SHARE = 0.3
LEAST_RECORDS = 2
MOST_LABEL_CHARS = 60


def learn_labels(records: Sequence[Data]) -> Labels:
    """Return the labels of the lists in the records."""
    counts: dict[tuple[int, ...], Counter[str]] = {}
    having: Counter[tuple[int, ...]] = Counter()
    for record in records:
        seen: dict[tuple[int, ...], set[str]] = {}
        for part in within(record):
            if isinstance(part, DataList):
                words = seen.setdefault(part.slot, set())
                words.update(label for item in part.items if (label := _label(item)))
        having.update(seen.keys())
        for slot, words in seen.items():
            counts.setdefault(slot, Counter()).update(words)
    found = {}
    for slot, often in counts.items():
        least = max(LEAST_RECORDS, LEAST_SHARE * having[slot])
        labels = frozenset(word for word, count in often.items() if count >= least)
        if labels:
            found[slot] = labels
    return found


def _label(item: Data) -> str:
    """Return the first text of an item that has more than it, if it is short."""
    if not isinstance(item, DataItem):
        return ""
    first = next(texts(item), None)
    return first.text if first is not None and len(first.text) <= MOST_LABEL_CHARS else ""


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
            known = labels.get(part.slot, frozenset())
            for item in reversed(part.items):
                own = _label(item) if known else ""
                waiting.append((own if own in known else label, item))
