"""Healing: a wrapper learned anew from changed pages, with the old columns found again under their old names.

A column is the same if its label, its name or its values say so. A new wrapper is accepted only if a check of it on the
pages passes and most of the old columns are found again; nothing is ever replaced without being asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from statistics import fmean

from peneira.columns.builder import with_columns
from peneira.page import Page
from peneira.result import Extraction, Reason, Record, Region
from peneira.wrappers.drift import UNTYPED, CheckReport, check
from peneira.wrappers.record_members import RecordFinder
from peneira.wrappers.record_shapes import counts_of, likeness
from peneira.wrappers.saved_columns import MAX_SAMPLE_CHARS, MAX_SHAPES, SavedColumn, shape_of
from peneira.wrappers.wrapper import Wrapper, column_reader

# What speaks for two columns being one: each sample found again, an equal label, caption, name, type, shape of values
_BY_SAMPLES, _BY_LABEL, _BY_CAPTION, _BY_NAME, _BY_TYPE, _BY_SHAPES, _BY_SELECTOR = 4.0, 3.0, 1.5, 1.5, 0.5, 1.0, 4.0
MIN_LIKENESS = 2.5
# So many of the columns that mattered must be found again
MIN_KEPT = 0.6
# A list is the old one by so much of the shape of its records and of the samples, two shares added up; so many lists of
# a page are looked at, and so many records of each
MIN_AFFINITY = 0.5
MAX_LISTS = 8
MAX_RECORDS = 20
# With fewer than this share of the fewest records on a learning page it is another list
MIN_RECORDS = 0.34
# A column that has so many of its former values, and so many of them as they used to look, is left alone
STILL_FILLED = 0.8
STILL_ALIKE = 0.7


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a column: its old and new name and selector, empty where there is none."""

    old: str
    new: str
    old_selector: str = ""
    new_selector: str = ""

    def __str__(self) -> str:
        if not self.new:
            return f"- {self.old}: lost, was at {self.old_selector}"
        if not self.old:
            return f"+ {self.new}: new, at {self.new_selector}"
        if self.old_selector == self.new_selector:
            return f"  {self.old}: as it was"
        return f"~ {self.old}: moved from {self.old_selector} to {self.new_selector}"


@dataclass(frozen=True, slots=True)
class Healing:
    """A wrapper learned anew, what became of each column, its check, and whether it may take the old one's place."""

    wrapper: Wrapper
    changes: tuple[Change, ...]
    report: CheckReport
    accepted: bool
    reason: Reason


def lists_again(old: Wrapper, pages: Sequence[Page]) -> list[tuple[Page, Region]]:
    """Return the list of each page that is likest to the old one, with its columns; pages without such are left out.

    The lists of a page are those of ``peneira.extract``, and what the old wrapper itself still finds.
    """
    from peneira.extraction import extract

    found = []
    for page in pages:
        own = _own_list(old, page)
        lists = [*([own] if own else []), *_first_lists(extract(page))]
        scored = [(_affinity(old, page, one), -k, one) for k, one in enumerate(lists)]
        best = max(scored, key=lambda row: row[:2], default=None)
        if best is not None and best[0] >= MIN_AFFINITY:
            region = best[2]
            found.append((page, region if region.columns else with_columns(page, region)))
    return found


def _first_lists(result: Extraction) -> list[Region]:
    return list(islice(result.regions, MAX_LISTS))


def _own_list(old: Wrapper, page: Page) -> Region | None:
    """Return what the old wrapper finds on a page, its columns apart; None if these are few."""
    rows = old.found_records(column_reader(page))
    if len(rows) < max(2, MIN_RECORDS * old.baseline.fewest_records):
        return None
    spans = [(row.top_rows[0], page.lists.end[row.top_rows[-1]]) for row in rows]
    records = tuple(Record((span,), page.text_of(*span), page.xpath(span[0])) for span in spans)
    return Region(page.xpath(max(page.lists.parent[spans[0][0]], 0)), records, 1.0)


def _affinity(old: Wrapper, page: Page, region: Region) -> float:
    """Return how much a list is the old one: by the shape of its records, the samples in it, and how many there are."""
    shape = old.records.shape if old.records else {}
    records = region.records[:MAX_RECORDS]
    alike = fmean(likeness(counts_of(page, _tops(page, record)), shape) for record in records) if records else 0.0
    text = "\n".join(record.text for record in region.records)
    samples = [sample for one in old.fields if not one.selector.attribute for sample in one.stats.samples]
    told = sum(sample in text for sample in samples) / len(samples) if samples else 0.0
    size = min(1.0, len(region.records) / max(MIN_RECORDS * old.baseline.fewest_records, 1))
    return (alike + told) * size


def _tops(page: Page, record: Record) -> list[int]:
    """Return the topmost rows of a record."""
    tops = []
    for start, end in record.ranges:
        at = start
        while at < end:
            tops.append(at)
            at = page.lists.end[at]
    return tops


def healed(old: Wrapper, new: Wrapper, pages: Sequence[Page]) -> Healing:
    """Return a newly learned wrapper with the names of the old one. What still reads well stays as it is."""
    well = _still_well(old, new, pages)
    pairs = _pairs([None if one.name in well else one for one in old.fields], new.fields, _values(new, pages))
    fields, changes = _renamed(old, new, pairs, well)
    wrapper = _with_fields(new, fields, pages)
    report = check(wrapper, pages)
    core = {one.name for one in old.core} or {one.name for one in old.fields}
    kept = len(core & (well | {old.fields[k].name for k in pairs})) / max(len(core), 1)
    is_long = report.records >= MIN_RECORDS * old.baseline.fewest_records * len(pages)
    accepted = report.verdict == "ok" and kept >= MIN_KEPT and is_long
    told = f"the check says {report.verdict}; {kept:.0%} of the {len(core)} columns that mattered are found again"
    if not is_long:
        told += f"; {report.records} records on {len(pages)} pages, where one had {old.baseline.fewest_records}"
    reason = Reason("accepted" if accepted else "refused", told, round(kept, 3))
    return Healing(wrapper, changes, report, accepted, reason)


def _with_fields(new: Wrapper, fields: tuple[SavedColumn, ...], pages: Sequence[Page]) -> Wrapper:
    """Return the wrapper with other columns, and with what its records have of these at least."""
    if new.records is None:
        return replace(new, fields=fields)
    readers = [column_reader(page) for page in pages]
    found = [(reader, row.top_rows) for reader in readers for row in new.found_records(reader)]
    return replace(new, fields=fields, records=RecordFinder(new.records, fields).with_least(found))


def refused(old: Wrapper, pages: Sequence[Page], why: str) -> Healing:
    """Return that nothing could be learned: the old wrapper stays."""
    changes = tuple(Change(one.name, "", str(one.selector)) for one in old.fields)
    return Healing(old, changes, check(old, pages), False, Reason("refused", why, 0.0))


def _values(wrapper: Wrapper, pages: Sequence[Page]) -> dict[str, set[str]]:
    """Return all values of each column on the pages, cut as samples are."""
    values: dict[str, set[str]] = {one.name: set() for one in wrapper.fields}
    for page in pages:
        for row in wrapper.found_records(column_reader(page)):
            for name, found in row.values.items():
                values[name].update(text[:MAX_SAMPLE_CHARS] for text in found.texts)
    return values


def _still_well(old: Wrapper, new: Wrapper, pages: Sequence[Page]) -> set[str]:
    """Return the columns that the old selectors still read as before, in the records that the new wrapper finds."""
    readers = [column_reader(page) for page in pages]
    if new.records is None:
        rows = [row for reader in readers for row in replace(new, fields=old.fields).found_records(reader)]
    else:
        members = RecordFinder(new.records, old.fields)
        rows = [members.row(reader, row.top_rows) for reader in readers for row in new.found_records(reader)]
    elsewhere = _values(new, pages)
    well = set()
    for one in old.fields:
        texts = [row.values[one.name].texts[0] for row in rows if one.name in row.values]
        is_full = len(texts) >= STILL_FILLED * one.stats.fill * len(rows)
        if texts and is_full and _look_as_before(one, texts) and not _has_moved(one, texts, old, new, elsewhere):
            well.add(one.name)
    return well


def _has_moved(
    one: SavedColumn, texts: Sequence[str], old: Wrapper, new: Wrapper, values: Mapping[str, set[str]]
) -> bool:
    """Tell whether a column is another now: the new one at its place has the caption of another old one, or a new one
    elsewhere has its own; or its samples are in a new one, and none in what its selector reads."""
    here = next((other.caption for other in new.fields if other.selector == one.selector), one.caption)
    if here != one.caption and here in {other.caption for other in old.fields}:
        return True
    if here != one.caption and one.caption in {other.caption for other in new.fields}:
        return True
    samples = set(one.stats.samples)
    if samples & {text[:MAX_SAMPLE_CHARS] for text in texts}:
        return False
    return any(2 * len(samples & found) > len(samples) for found in values.values())


def _look_as_before(one: SavedColumn, texts: Sequence[str]) -> bool:
    """Tell whether values are of the old type, and of the old shapes where there were few."""
    if len(one.stats.shapes) < MAX_SHAPES:
        alike = sum(shape_of(text) in one.stats.shapes for text in texts)
        if alike < STILL_ALIKE * len(texts):
            return False
    if one.typing.type in UNTYPED:
        return True
    return sum(one.typing.value(text) is not None for text in texts) >= STILL_ALIKE * len(texts)


def _pairs(
    old: Sequence[SavedColumn | None], new: Sequence[SavedColumn], values: dict[str, set[str]]
) -> dict[int, int]:
    """Return which old column is which new one, the likest first, each once."""
    scored = sorted(
        (
            (-score, k, n)
            for k, one in enumerate(old)
            if one is not None
            for n, other in enumerate(new)
            if (score := _likeness(one, other, values[other.name])) >= MIN_LIKENESS
        ),
    )
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, k, n in scored:
        if k not in pairs and n not in taken:
            pairs[k] = n
            taken.add(n)
    return pairs


def _likeness(one: SavedColumn, other: SavedColumn, values: set[str]) -> float:
    """Return how much speaks for two columns being the same."""
    if one.selector.attribute != other.selector.attribute:
        return 0.0
    samples = one.stats.samples
    found = sum(sample in values for sample in samples) / len(samples) if samples else 0.0
    label = one.selector.label or one.label
    score = _BY_SAMPLES * found + _BY_SELECTOR * (one.selector == other.selector)
    score += _BY_LABEL * (bool(label) and label == (other.selector.label or other.label))
    score += _BY_CAPTION * (one.caption == other.caption) + _BY_NAME * (one.name == other.name)
    score += _BY_TYPE * (one.typing.type == other.typing.type) - (one.is_list != other.is_list)
    shapes = set(one.stats.shapes)
    return score + _BY_SHAPES * len(shapes & set(other.stats.shapes)) / max(len(shapes), 1)


def _renamed(
    old: Wrapper, new: Wrapper, pairs: dict[int, int], well: set[str]
) -> tuple[tuple[SavedColumn, ...], tuple[Change, ...]]:
    """Return the columns, those found again first and under their old names, and what became of each."""
    fields: list[SavedColumn] = []
    changes: list[Change] = []
    for k, one in enumerate(old.fields):
        if one.name in well:
            fields.append(one)
            changes.append(Change(one.name, one.name, str(one.selector), str(one.selector)))
        elif k in pairs:
            other = new.fields[pairs[k]]
            fields.append(replace(other, name=one.name, caption=one.caption))
            changes.append(Change(one.name, one.name, str(one.selector), str(other.selector)))
        else:
            changes.append(Change(one.name, "", str(one.selector)))
    taken = {one.name for one in old.fields}
    known = {one.selector for one in fields}
    for n, other in enumerate(new.fields):
        if n not in pairs.values() and other.selector not in known:
            name = _free(other.name, taken)
            taken.add(name)
            fields.append(replace(other, name=name))
            changes.append(Change("", name, "", str(other.selector)))
    return tuple(fields), tuple(changes)


def _free(name: str, taken: set[str]) -> str:
    turn, free = 1, name
    while free in taken:
        turn += 1
        free = f"{name}_{turn}"
    return free
