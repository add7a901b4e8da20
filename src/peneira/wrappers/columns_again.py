"""Finding the columns of a wrapper again in one that was learned from changed pages, under their old names.

A column is recognized by its role, its label, its name, its place or its values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from peneira.page import Page
from peneira.wrappers.candidate_selection import MAX_COLUMNS
from peneira.wrappers.column_matching import have_other_tags, is_sure, paired, paired_in_order, same_header
from peneira.wrappers.corrections import new_names
from peneira.wrappers.record_finder import RecordFinder
from peneira.wrappers.relocation import Place, column_fits, relocated
from peneira.wrappers.renamed_labels import relabelled
from peneira.wrappers.saved_columns import (
    ADDRESSES,
    MAX_PATTERNS,
    MAX_SAMPLE_CHARS,
    ColumnReader,
    Reading,
    SavedColumn,
    alike_share,
    value_pattern,
)
from peneira.wrappers.wrapper import Wrapper, column_reader
from peneira.xpath.selectors import Selector


@dataclass(frozen=True, slots=True)
class AgainOptions:
    """When a column is the old one; ``peneira bench wrappers --drift`` measures the effect."""

    # A column with this share of its former values, and this share of them of the old type and patterns, is kept
    min_still_filled: float = 0.8
    min_still_alike: float = 0.7
    # and this share of its former patterns, if these were few: a number beside the old one may be written otherwise
    min_still_patterned: float = 0.4
    # A column that shares more of its values with another is that one
    max_shared: float = 0.5


OPTIONS = AgainOptions()


@dataclass(frozen=True, slots=True)
class ColumnChange:
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


def with_old_columns(old: Wrapper, new: Wrapper, pages: Sequence[Page]) -> tuple[Wrapper, tuple[ColumnChange, ...]]:
    """Return a newly learned wrapper with the columns of the old one under their names, and what became of each.

    Columns that still read well are kept.
    """
    kept = _kept_columns(old, new, pages) | _kept_embedded(old, new, pages)
    values = values_by_column(new, pages)
    places = _places(new, pages)
    spare_values = [_spare_values(column, places) for column in old.fields]
    wanted = [None if column.name in kept or column.source != "page" else column for column in old.fields]
    if new.records is None:
        pairs = paired_in_order(wanted, new.fields, values, spare_values)
    else:
        pairs = paired(wanted, new.fields, values, spare_values)
        if not kept and have_other_tags(old.fields, new.fields):
            pairs = paired_in_order(wanted, new.fields, values, spare_values)
    pairs = {k: n for k, n in pairs.items() if not _is_taken(new.fields[n], old.fields[k], old, kept)}
    again = _with_old_cuts(old, new, pairs, kept, places)
    if new.records is None:
        sure = {k for k, n in pairs.items() if is_sure(old.fields[k], new.fields[n], values, spare_values[k])}
        again |= {k: column for k, column in _relabelled(old, kept, pages).items() if k not in sure}
        pairs = {k: n for k, n in pairs.items() if not _reads_elsewhere(again.get(k), new.fields[n])}
    lost = [k for k, column in enumerate(old.fields) if column.name not in kept and k not in again]
    moved = _moved(old, places, lost, [values[new.fields[n].name] for n in pairs.values()])
    found = {k: column for k, column in {**again, **moved}.items() if not _is_taken(column, old.fields[k], old, kept)}
    same = [*(column for column in old.fields if column.name in kept), *found.values()]
    repeated = _repetitions(new, same, places) if new.records is not None else set()
    columns, changes = _renamed(old, new, {*pairs.values(), *repeated}, kept, found)
    wrapper = replace(_with_columns(new, columns, pages), corrections=old.corrections)
    wrapper = replace(wrapper, fields=with_fill(wrapper, pages))
    return wrapper, changes


def _is_taken(found: SavedColumn, column: SavedColumn, old: Wrapper, kept: set[str]) -> bool:
    """Return whether a column that is found at a new place is there what another column is that stayed: two columns of
    one place, such as parts of one text, had that in common before."""
    selectors = {other.selector for other in old.fields if other.name in kept and other.source == "page"}
    return found.selector != column.selector and found.selector in selectors


def with_fill(wrapper: Wrapper, pages: Sequence[Page]) -> tuple[SavedColumn, ...]:
    """Return the columns as full as they are on pages, if that is less than before: optional parts differ by page."""
    found = [record for page in pages for record in wrapper.found_records(column_reader(page))]
    counts = Counter(name for record in found for name in record.values)
    columns = []
    for column in wrapper.fields:
        count = counts[column.name] if column.source == "page" else 0
        fill = min(column.stats.fill, round(count / len(found), 3)) if count else column.stats.fill
        columns.append(replace(column, stats=replace(column.stats, fill=fill)))
    return tuple(columns)


def _kept_embedded(old: Wrapper, new: Wrapper, pages: Sequence[Page]) -> set[str]:
    """Return the names of the old columns of data inside the pages that the records of the new wrapper still have."""
    embedded = tuple(column for column in old.fields if column.source != "page")
    if not embedded:
        return set()
    shown = (column for column in new.fields if column.source == "page")
    found = {
        name
        for page in pages
        for record in replace(new, fields=(*shown, *embedded)).extract(page).main or ()
        for name, cell in record.fields.items()
        if cell.source != "page"
    }
    return found & {column.name for column in embedded}


def _places(wrapper: Wrapper, pages: Sequence[Page]) -> list[Place]:
    """Return the records that a wrapper finds on pages, as places in which columns are read."""
    return [
        (reader, record.top_rows if wrapper.records is not None else None)
        for reader in map(column_reader, pages)
        for record in wrapper.found_records(reader)
    ]


def _with_old_cuts(
    old: Wrapper, new: Wrapper, pairs: Mapping[int, int], kept: set[str], places: Sequence[Place]
) -> dict[int, SavedColumn]:
    """Return the columns that are found again, by number; parts of texts are cut from the new place as from the old.

    A part whose text is found again at a new place is found again too, though nothing else tells it.
    """
    found: dict[int, SavedColumn] = {}
    place_of: dict[Selector, Selector] = {}
    for k, n in pairs.items():
        column, other = old.fields[k], new.fields[n]
        if column.selector.attribute == other.selector.attribute:
            place_of.setdefault(column.selector, other.selector)
        found[k] = replace(other, name=column.name, caption=column.caption, role=column.role)
    for k, column in enumerate(old.fields):
        place = place_of.get(column.selector)
        if column.name in kept or place is None or not column.readings or not (reading := column.readings[0]).cut:
            continue
        cut = replace(column, readings=(replace(reading, selector=place),))
        if column_fits(cut, places, alike_share):
            found[k] = cut
    return found


def _relabelled(old: Wrapper, kept: set[str], pages: Sequence[Page]) -> dict[int, SavedColumn]:
    """Return the columns whose labels were renamed, by number, as the new labels find them."""
    found = relabelled(old.fields, [column_reader(page) for page in pages])
    return {k: column for k, column in found.items() if column.name not in kept}


def _reads_elsewhere(column: SavedColumn | None, other: SavedColumn) -> bool:
    return column is not None and column.selector != other.selector


def _moved(
    old: Wrapper, places: Sequence[Place], lost: Sequence[int], taken: Sequence[set[str]]
) -> dict[int, SavedColumn]:
    """Return the lost columns that less strict selectors find again, by number. ``taken``: values of other columns."""
    moved: dict[int, SavedColumn] = {}
    for k in lost:
        found = relocated(old.fields[k], places, alike_share)
        if found is None:
            continue
        texts = {text[:MAX_SAMPLE_CHARS] for text in found.texts}
        if not any(len(texts & own) > OPTIONS.max_shared * len(texts) for own in taken):
            moved[k] = found.column
    return moved


def _with_columns(new: Wrapper, columns: tuple[SavedColumn, ...], pages: Sequence[Page]) -> Wrapper:
    """Return the wrapper with other columns, and with the least score of its records for these."""
    if new.records is None:
        return replace(new, fields=columns)
    readers = [column_reader(page) for page in pages]
    known = [(reader, record.top_rows) for reader in readers for record in new.found_records(reader)]
    return replace(new, fields=columns, records=RecordFinder(new.records, columns).with_min_score(known))


def values_by_column(wrapper: Wrapper, pages: Sequence[Page]) -> dict[str, set[str]]:
    """Return all values of each column on the pages, cut to the length of samples."""
    values: dict[str, set[str]] = {column.name: set() for column in wrapper.fields}
    for page in pages:
        for record in wrapper.found_records(column_reader(page)):
            for name, found in record.values.items():
                values[name].update(text[:MAX_SAMPLE_CHARS] for text in found.texts)
    return values


def _kept_columns(old: Wrapper, new: Wrapper, pages: Sequence[Page]) -> set[str]:
    """Return the columns that the old selectors still read as before, in the records that the new wrapper finds."""
    readers = [column_reader(page) for page in pages]
    if new.records is None:
        records = [record for reader in readers for record in replace(new, fields=old.fields).found_records(reader)]
    else:
        finder = RecordFinder(new.records, old.fields)
        found = ((reader, record.top_rows) for reader in readers for record in new.found_records(reader))
        records = [finder.record(reader, rows) for reader, rows in found]
    new_values = values_by_column(new, pages)
    kept = set()
    for column in old.fields:
        texts = [record.values[column.name].texts[0] for record in records if column.name in record.values]
        expected = column.stats.fill * _possible(column, readers, len(records))
        is_full = len(texts) >= OPTIONS.min_still_filled * expected
        if texts and is_full and _are_alike(column, texts) and not _has_moved(column, texts, old, new, new_values):
            kept.add(column.name)
    return kept


def _possible(column: SavedColumn, readers: Sequence[ColumnReader], records: int) -> int:
    """Return how many records may have a column: of detail pages those that have its label, where it goes by one."""
    if records != len(readers) or not column.selector.label:
        return records
    at = next(k for k, step in reversed(list(enumerate(column.selector.steps))) if step.label)
    label = Selector(column.selector.steps[: at + 1], column.selector.is_relative)
    return sum(bool(reader.finder.rows(label)) for reader in readers) if not label.is_relative else records


def _has_moved(
    column: SavedColumn, texts: Sequence[str], old: Wrapper, new: Wrapper, values: Mapping[str, set[str]]
) -> bool:
    """Return whether the selector of a column now reads another column.

    Captions show it: the new column with this selector has the caption of another old column, or a new column elsewhere
    has the caption of this one. Or values do: most samples are in a new column, and the old selector reads none.
    """
    now = next((other for other in new.fields if other.selector == column.selector), None)
    if column.header is not None and now is not None and not same_header(column, now):
        return True
    caption = column.caption if now is None else now.caption
    if caption != column.caption and caption in {other.caption for other in old.fields}:
        return True
    if caption != column.caption and column.caption in {other.caption for other in new.fields}:
        return True
    samples = set(column.stats.samples)
    if samples & {text[:MAX_SAMPLE_CHARS] for text in texts}:
        return False
    return any(2 * len(samples & own) > len(samples) for own in values.values())


def _are_alike(column: SavedColumn, texts: Sequence[str]) -> bool:
    """Return whether values have the old type, and the old patterns if there were few."""
    if alike_share(column, texts) < OPTIONS.min_still_alike:
        return False
    patterns = column.stats.patterns
    if column.typing.type in ADDRESSES or not 0 < len(patterns) < MAX_PATTERNS:
        return True
    return sum(value_pattern(text) in patterns for text in texts) >= OPTIONS.min_still_patterned * len(texts)


def _spare_values(column: SavedColumn, places: Sequence[Place]) -> set[str]:
    """Return what the spare selectors of a column read, cut to the length of samples."""
    if not column.spares:
        return set()
    spare = replace(column, readings=tuple(Reading(selector) for selector in column.spares))
    found = (reader.values(spare, rows) for reader, rows in places)
    return {text[:MAX_SAMPLE_CHARS] for values in found if values is not None for text in values.texts}


def _repetitions(new: Wrapper, columns: Sequence[SavedColumn], places: Sequence[Place]) -> set[int]:
    """Return the new columns, by number, that read in all records what one of the columns found again reads."""
    shown = [column for column in columns if column.source == "page"]
    return {
        n
        for n, other in enumerate(new.fields)
        if other.source == "page" and any(_read_the_same(other, column, places) for column in shown)
    }


def _read_the_same(column: SavedColumn, other: SavedColumn, places: Sequence[Place]) -> bool:
    if column.selector.attribute != other.selector.attribute:
        return False
    pairs = ((reader.values(column, rows), reader.values(other, rows)) for reader, rows in places)
    return all(own is None or (found is not None and own.texts == found.texts) for own, found in pairs)


def _renamed(
    old: Wrapper, new: Wrapper, paired: set[int], kept: set[str], moved: Mapping[int, SavedColumn]
) -> tuple[tuple[SavedColumn, ...], tuple[ColumnChange, ...]]:
    """Return the columns, first those found again, under their old names, and what became of each."""
    columns: list[SavedColumn] = []
    changes: list[ColumnChange] = []
    for k, column in enumerate(old.fields):
        selector = str(column.selector)
        if column.name in kept:
            columns.append(column)
            changes.append(ColumnChange(column.name, column.name, selector, selector))
        elif k in moved:
            columns.append(moved[k])
            changes.append(ColumnChange(column.name, column.name, selector, str(moved[k].selector)))
        else:
            changes.append(ColumnChange(column.name, "", selector))
    taken = {column.name for column in old.fields}
    taken.update(name for correction in old.corrections.steps for name in new_names(correction))
    known = {column.selector for column in columns}
    for n, other in enumerate(new.fields):
        is_embedded = other.source != "page"
        if is_embedded and other.name in taken:  # the old wrapper has it, or shows it on the page
            continue
        if n not in paired and (is_embedded or other.selector not in known) and len(columns) < MAX_COLUMNS:
            name = free_name(other.name, taken)
            taken.add(name)
            columns.append(replace(other, name=name))
            changes.append(ColumnChange("", name, "", str(other.selector)))
    return tuple(columns), tuple(changes)


def free_name(name: str, taken: set[str]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free
