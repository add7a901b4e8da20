"""Searching readings: selectors, labels and cuts that read the known values of a column again.

The best reading is the one that agrees in most records, the most stable of equals. Where it finds nothing, further
readings are searched for those records. A reading that is right wherever it finds something may also come first, if the
others are more often right then: the price of reduced items before that of all. What no reading gives is known to the
caller, who must say so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from peneira.wrappers.cut_learning import learn_cut
from peneira.wrappers.saved_columns import Reading
from peneira.xpath.selectors import Selector
from peneira.xpath.stability import stability

# A page number and a record number on that page
RecordKey = tuple[int, int]
Texts: TypeAlias = Mapping[RecordKey, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How far readings are searched for; ``peneira bench wrappers --lists`` measures the effect."""

    # A column has at most this many readings
    max_readings: int = 4
    # A further reading is right at least this often where it reads something
    min_precision: float = 0.7
    # A reading that comes first though others find more is right this often
    min_first_precision: float = 0.98
    # With this agreement no cut is looked for; cuts are learned for this many selectors
    enough: float = 0.995
    max_cut_selectors: int = 6
    # The text of a selector holds the values in this share of the records, else no cut of it is looked for
    min_contained: float = 0.5
    # What a selector loses of its stability where it finds several nodes in all records
    first_of_several: float = 0.12
    # A text before this share of the values is their label
    min_label_share: float = 0.8


OPTIONS = SearchOptions()


@dataclass(frozen=True, slots=True)
class Search:
    """What is searched: the wanted values by record, how a selector is read in all records, and what is proposed."""

    wanted: Texts
    read: Callable[[Selector], Texts]
    proposed: Callable[[Sequence[RecordKey]], Sequence[Selector]]
    is_list: bool = False
    is_attribute: bool = False
    # One reading without a cut is enough, as of a column that is not shown
    is_quick: bool = False
    # The share of the records in which a selector finds several nodes, of which the first is read
    ambiguity: Callable[[Selector], float] = lambda _selector: 0.0


@dataclass(frozen=True, slots=True)
class FoundReadings:
    """The readings of a column, and what they read by record. ``agreement``: the share of the records in which that is
    the wanted value, or rightly nothing."""

    readings: tuple[Reading, ...] = ()
    texts: Texts = field(default_factory=dict)
    agreement: float = 0.0


def search(task: Search) -> FoundReadings:
    """Return the readings of a column; none if nothing that is proposed reads any of its values."""
    best = _best(task, task.wanted, {})
    if best is None:
        return FoundReadings()
    found = _with_further(task, *best)
    if task.is_quick or found.agreement >= OPTIONS.enough:
        return found
    first = _surest(task)
    other = _with_further(task, *first) if first is not None else found
    return other if round(other.agreement, 2) > round(found.agreement, 2) else found


def _with_further(task: Search, reading: Reading, values: Texts) -> FoundReadings:
    """Return a reading of these values with further readings for the records in which it finds nothing."""
    readings, texts = [reading], dict(values)
    while not task.is_quick and len(readings) < OPTIONS.max_readings:
        missing = {key: value for key, value in task.wanted.items() if key not in texts}
        further = _best(task, missing, texts) if missing else None
        if further is None:
            break
        new = {key: value for key, value in further[1].items() if key not in texts}
        right = sum(task.wanted.get(key) == value for key, value in new.items())
        if not right or right < OPTIONS.min_precision * len(new):
            break
        readings.append(further[0])
        texts |= new
    return FoundReadings(tuple(readings), texts, agreement(texts, task.wanted))


def agreement(texts: Texts, wanted: Texts) -> float:
    """Return the share of the records in which the texts are as wanted, of those that have or want one."""
    right = sum(wanted.get(key) == value for key, value in texts.items())
    return right / max(len(texts.keys() | wanted.keys()), 1)


def _surest(task: Search) -> tuple[Reading, Texts] | None:
    """Return the reading without a cut that is right in most records, of those that are hardly ever wrong."""
    best: tuple[tuple[int, float, str], Reading, Texts] | None = None
    for selector in task.proposed(list(task.wanted)):
        found = task.read(selector)
        reading = Reading(selector, _label(task, found, task.wanted))
        texts = _values(reading, found)
        right = sum(task.wanted.get(key) == value for key, value in texts.items())
        if right and right >= OPTIONS.min_first_precision * len(texts):
            rank = right, stability(selector), str(selector)
            if best is None or rank > best[0]:
                best = rank, reading, texts
    return (best[1], best[2]) if best is not None else None


def _best(task: Search, wanted: Texts, known: Texts) -> tuple[Reading, Texts] | None:
    """Return the best reading of the wanted values, and what it reads where nothing is known yet."""
    candidates: list[tuple[Selector, Texts]] = []
    best: tuple[tuple[float, int, float, str], Reading, Texts] | None = None
    for selector in task.proposed(list(wanted)):
        read = task.read(selector)
        texts: Texts = {key: value for key, value in read.items() if key not in known} if known else read
        candidates.append((selector, texts))
        best = _better(best, Reading(selector, _label(task, texts, wanted)), texts, wanted, task.ambiguity)
    if not task.is_quick and (best is None or best[0][0] < OPTIONS.enough):
        for selector, wholes in _containing(candidates, wanted):
            pairs = _flat(wholes, wanted)
            learned = learn_cut(*pairs) if pairs else None
            if learned is not None:
                best = _better(best, Reading(selector, cut=learned[0]), wholes, wanted, task.ambiguity)
    return (best[1], best[2]) if best is not None and best[0][0] > 0 else None


def _better(
    best: tuple[tuple[float, int, float, str], Reading, Texts] | None,
    reading: Reading,
    texts: Texts,
    wanted: Texts,
    ambiguity: Callable[[Selector], float],
) -> tuple[tuple[float, int, float, str], Reading, Texts]:
    values = _values(reading, texts)
    rank = (
        round(agreement(values, wanted), 2),
        -(reading.cut is not None),
        # the first of several nodes is a position, which shifts
        round(stability(reading.selector) * (1 - OPTIONS.first_of_several * ambiguity(reading.selector)), 3),
        str(reading.selector),
    )
    return (rank, reading, values) if best is None or rank > best[0] else best


def _values(reading: Reading, texts: Texts) -> dict[RecordKey, tuple[str, ...]]:
    """Return the values that a reading takes from the texts of its selector, of the records that have some."""
    return {
        key: own
        for key, found in texts.items()
        if (own := tuple(filter(None, (reading.value(text) for text in found))))
    }


def _label(task: Search, texts: Texts, wanted: Texts) -> str:
    """Return the label that a reading removes from the texts of its selector."""
    return "" if task.is_list or task.is_attribute else _shared_label(texts, wanted)


def _containing(candidates: Sequence[tuple[Selector, Texts]], wanted: Texts) -> list[tuple[Selector, Texts]]:
    """Return the selectors whose texts hold the wanted values, but are more than these, the best first."""
    ranked = []
    for selector, texts in candidates:
        held = sum(_holds(texts[key], value) for key, value in wanted.items() if key in texts)
        if held >= OPTIONS.min_contained * len(wanted):
            chars = sum(len(text) for found in texts.values() for text in found)
            ranked.append((-held, len(texts), chars, -stability(selector), str(selector), selector, texts))
    ranked.sort(key=lambda row: row[:5])
    distinct: dict[tuple[int, int], tuple[Selector, Texts]] = {}
    for row in ranked:  # selectors that read the same have the same cut: the most stable is enough
        distinct.setdefault((row[1], row[2]), (row[5], row[6]))
    return list(distinct.values())[: OPTIONS.max_cut_selectors]


def _holds(found: Sequence[str], value: Sequence[str]) -> bool:
    return len(found) == len(value) and all(part in text for text, part in zip(found, value, strict=True))


def _flat(
    texts: Texts, wanted: Texts
) -> tuple[dict[tuple[RecordKey, int], str], dict[tuple[RecordKey, int], str]] | None:
    """Return whole texts and values one by one; those of records with other numbers of them are left out."""
    wholes: dict[tuple[RecordKey, int], str] = {}
    values: dict[tuple[RecordKey, int], str] = {}
    for key, found in texts.items():
        own = wanted.get(key, ())
        if own and len(own) != len(found):
            continue
        for k, text in enumerate(found):
            wholes[key, k] = text
            if own:
                values[key, k] = own[k]
    return (wholes, values) if values else None


def _shared_label(texts: Texts, wanted: Texts) -> str:
    """Return the text that stands before the values of most records, "" if there is none."""
    before: Counter[str] = Counter()
    for key, found in texts.items():
        value = wanted.get(key)
        if value is not None and found[0] != value[0] and found[0].endswith(value[0]):
            before[found[0].removesuffix(value[0]).strip()] += 1
    label, times = max(before.items(), key=lambda item: (item[1], item[0]), default=("", 0))
    return label if times >= OPTIONS.min_label_share * len(texts) else ""
