"""Healing: a wrapper learned again from changed pages, with the old columns recognized under their old names.

A column is recognized by its label, its name or its values. A new wrapper is accepted only if a check of it on the
pages passes and most of the old columns are found again; files are replaced only when the user asks for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from statistics import fmean

from peneira.columns.builder import with_columns
from peneira.columns.embedded_columns import visible_part
from peneira.page import Page
from peneira.preview import counted, shortened
from peneira.reasons import Reason, ReasonCode
from peneira.result import Record, Region
from peneira.wrappers.drift import UNTYPED, CheckReport, CheckVerdict, check
from peneira.wrappers.list_page import FoundList, found_list, top_rows
from peneira.wrappers.record_finder import RecordFinder
from peneira.wrappers.record_shapes import element_counts, shape_similarity
from peneira.wrappers.saved_columns import MAX_PATTERNS, MAX_SAMPLE_CHARS, SavedColumn, value_pattern
from peneira.wrappers.wrapper import Wrapper, column_reader


@dataclass(frozen=True, slots=True)
class HealingOptions:
    """When a list or a column is the old one; ``peneira bench wrappers --drift`` measures the effect."""

    # A list is the old one if its shape similarity plus the share of the samples in it is at least this
    min_list_match: float = 0.5
    # How many lists of a page are compared, and how many records of each
    max_lists: int = 8
    max_records: int = 20
    # With less than this share of the fewest records on a learning page it is another list
    min_records: float = 0.34
    # A column with this share of its former values, and this share of them of the old type and patterns, is kept
    min_still_filled: float = 0.8
    min_still_alike: float = 0.7
    # Two columns are the same if the weights of the evidence add up to at least this
    min_column_match: float = 2.5
    # This share of the core columns must be found again
    min_kept: float = 0.6


@dataclass(frozen=True, slots=True)
class MatchWeights:
    """How much each kind of evidence adds to the match of two columns."""

    samples: float = 4.0
    selector: float = 4.0
    label: float = 3.0
    caption: float = 1.5
    name: float = 1.5
    patterns: float = 1.0
    type: float = 0.5


OPTIONS = HealingOptions()
WEIGHTS = MatchWeights()


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


@dataclass(frozen=True, slots=True, repr=False)
class Healing:
    """A wrapper learned again, the change of each column, its check, and whether it may replace the old one."""

    wrapper: Wrapper
    changes: tuple[ColumnChange, ...]
    report: CheckReport
    accepted: bool
    reason: Reason

    def __repr__(self) -> str:
        verdict = "accepted" if self.accepted else "refused"
        return f"<Healing {verdict}, {counted(len(self.changes), 'column')}: {shortened(str(self.reason))}>"


def find_lists_again(old: Wrapper, pages: Sequence[Page]) -> list[FoundList]:
    """Return the list of each page that is most similar to the old one, with its columns; pages without are left out.

    Compared are the lists of ``peneira.extract``, and what the old wrapper itself still finds.
    """
    from peneira.extraction import extract

    lists = []
    for page in pages:
        by_old = _list_by_old(old, old.readable_page(page))
        regions = filter(None, map(visible_part, islice(extract(page).regions, OPTIONS.max_lists)))
        candidates = [*([by_old] if by_old else []), *(found_list(page, region) for region in regions)]
        scored = [(_list_match(old, found), -k, found) for k, found in enumerate(candidates)]
        best = max(scored, key=lambda row: row[:2], default=None)
        if best is not None and best[0] >= OPTIONS.min_list_match:
            found = best[2]
            region = found.region if found.region.columns else with_columns(found.page, found.region)
            lists.append(replace(found, region=region))
    return lists


def _list_by_old(old: Wrapper, page: Page) -> FoundList | None:
    """Return the list that the old wrapper finds on a page that it can read, without columns; None if it is short."""
    found = old.found_records(column_reader(page))
    if len(found) < max(2, OPTIONS.min_records * old.baseline.min_records):
        return None
    spans = [(record.top_rows[0], page.lists.end[record.top_rows[-1]]) for record in found]
    records = tuple(Record((span,), page.text_of(*span), "", node=page.node(span[0])) for span in spans)
    region = Region("", records, 1.0, node=page.node(max(page.lists.parent[spans[0][0]], 0)))
    return FoundList(page, region, old.arrangement)


def _list_match(old: Wrapper, found: FoundList) -> float:
    """Return how well a list matches the old one: by the shape of its records, the samples in it, and its length."""
    page, region = found.page, found.region
    shape = old.records.shape if old.records else {}
    records = region.records[: OPTIONS.max_records]
    similarities = [shape_similarity(element_counts(page, top_rows(page, record)), shape) for record in records]
    text = "\n".join(record.text for record in region.records)
    samples = [sample for column in old.fields if not column.selector.attribute for sample in column.stats.samples]
    sample_share = sum(sample in text for sample in samples) / len(samples) if samples else 0.0
    length = min(1.0, len(region.records) / max(OPTIONS.min_records * old.baseline.min_records, 1))
    return ((fmean(similarities) if similarities else 0.0) + sample_share) * length


def healed(old: Wrapper, new: Wrapper, pages: Sequence[Page]) -> Healing:
    """Return a newly learned wrapper with the names of the old one. Columns that still read well are kept."""
    kept = _kept_columns(old, new, pages)
    pairs = _pairs([None if column.name in kept else column for column in old.fields], new.fields, _values(new, pages))
    columns, changes = _renamed(old, new, pairs, kept)
    wrapper = _with_columns(new, columns, pages)
    report = check(wrapper, pages)
    core = {column.name for column in old.core} or {column.name for column in old.fields}
    share = len(core & (kept | {old.fields[k].name for k in pairs})) / max(len(core), 1)
    is_long = report.records >= OPTIONS.min_records * old.baseline.min_records * len(pages)
    accepted = report.verdict == CheckVerdict.OK and share >= OPTIONS.min_kept and is_long
    detail = f"the check says {report.verdict}; {share:.0%} of the {len(core)} core columns are found again"
    if not is_long:
        detail += f"; {report.records} records on {len(pages)} pages, where one had {old.baseline.min_records}"
    reason = Reason(ReasonCode.ACCEPTED if accepted else ReasonCode.REFUSED, detail, round(share, 3))
    return Healing(wrapper, changes, report, accepted, reason)


def _with_columns(new: Wrapper, columns: tuple[SavedColumn, ...], pages: Sequence[Page]) -> Wrapper:
    """Return the wrapper with other columns, and with the least score of its records for these."""
    if new.records is None:
        return replace(new, fields=columns)
    readers = [column_reader(page) for page in pages]
    known = [(reader, record.top_rows) for reader in readers for record in new.found_records(reader)]
    return replace(new, fields=columns, records=RecordFinder(new.records, columns).with_min_score(known))


def refused(old: Wrapper, pages: Sequence[Page], detail: str) -> Healing:
    """Return the old wrapper, with the reason why nothing could be learned."""
    changes = tuple(ColumnChange(column.name, "", str(column.selector)) for column in old.fields)
    return Healing(old, changes, check(old, pages), False, Reason(ReasonCode.REFUSED, detail, 0.0))


def _values(wrapper: Wrapper, pages: Sequence[Page]) -> dict[str, set[str]]:
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
    new_values = _values(new, pages)
    kept = set()
    for column in old.fields:
        texts = [record.values[column.name].texts[0] for record in records if column.name in record.values]
        is_full = len(texts) >= OPTIONS.min_still_filled * column.stats.fill * len(records)
        if texts and is_full and _are_alike(column, texts) and not _has_moved(column, texts, old, new, new_values):
            kept.add(column.name)
    return kept


def _has_moved(
    column: SavedColumn, texts: Sequence[str], old: Wrapper, new: Wrapper, values: Mapping[str, set[str]]
) -> bool:
    """Return whether the selector of a column now reads another column.

    Captions show it: the new column with this selector has the caption of another old column, or a new column elsewhere
    has the caption of this one. Or values do: most samples are in a new column, and the old selector reads none.
    """
    caption = next((other.caption for other in new.fields if other.selector == column.selector), column.caption)
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
    if len(column.stats.patterns) < MAX_PATTERNS:
        alike = sum(value_pattern(text) in column.stats.patterns for text in texts)
        if alike < OPTIONS.min_still_alike * len(texts):
            return False
    if column.typing.type in UNTYPED:
        return True
    return sum(column.typing.value(text) is not None for text in texts) >= OPTIONS.min_still_alike * len(texts)


def _pairs(
    old: Sequence[SavedColumn | None], new: Sequence[SavedColumn], values: Mapping[str, set[str]]
) -> dict[int, int]:
    """Return the number of the new column for each old column that is found again, the best matches first."""
    scored = sorted(
        (
            (-score, k, n)
            for k, column in enumerate(old)
            if column is not None
            for n, other in enumerate(new)
            if (score := _column_match(column, other, values[other.name])) >= OPTIONS.min_column_match
        ),
    )
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, k, n in scored:
        if k not in pairs and n not in taken:
            pairs[k] = n
            taken.add(n)
    return pairs


def _column_match(column: SavedColumn, other: SavedColumn, values: set[str]) -> float:
    """Return how much evidence there is that two columns are the same."""
    if column.selector.attribute != other.selector.attribute:
        return 0.0
    samples = column.stats.samples
    sample_share = sum(sample in values for sample in samples) / len(samples) if samples else 0.0
    label = column.selector.label or column.label
    score = WEIGHTS.samples * sample_share + WEIGHTS.selector * (column.selector == other.selector)
    score += WEIGHTS.label * (bool(label) and label == (other.selector.label or other.label))
    score += WEIGHTS.caption * (column.caption == other.caption) + WEIGHTS.name * (column.name == other.name)
    score += WEIGHTS.type * (column.typing.type == other.typing.type) - (column.is_list != other.is_list)
    patterns = set(column.stats.patterns)
    return score + WEIGHTS.patterns * len(patterns & set(other.stats.patterns)) / max(len(patterns), 1)


def _renamed(
    old: Wrapper, new: Wrapper, pairs: Mapping[int, int], kept: set[str]
) -> tuple[tuple[SavedColumn, ...], tuple[ColumnChange, ...]]:
    """Return the columns, first those found again, under their old names, and what became of each."""
    columns: list[SavedColumn] = []
    changes: list[ColumnChange] = []
    for k, column in enumerate(old.fields):
        selector = str(column.selector)
        if column.name in kept:
            columns.append(column)
            changes.append(ColumnChange(column.name, column.name, selector, selector))
        elif k in pairs:
            other = new.fields[pairs[k]]
            columns.append(replace(other, name=column.name, caption=column.caption))
            changes.append(ColumnChange(column.name, column.name, selector, str(other.selector)))
        else:
            changes.append(ColumnChange(column.name, "", selector))
    taken = {column.name for column in old.fields}
    known = {column.selector for column in columns}
    for n, other in enumerate(new.fields):
        if n not in pairs.values() and other.selector not in known:
            name = _free_name(other.name, taken)
            taken.add(name)
            columns.append(replace(other, name=name))
            changes.append(ColumnChange("", name, "", str(other.selector)))
    return tuple(columns), tuple(changes)


def _free_name(name: str, taken: set[str]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free
