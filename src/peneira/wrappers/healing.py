"""Healing: a wrapper learned again from changed pages, with the old columns recognized under their old names.

A column is recognized by its role, its label, its name, its place or its values. A new wrapper is accepted only if a
check of it on the pages passes and every core column is found again, with values of the old type and patterns; files
are replaced only when the user asks for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from statistics import fmean

from peneira.columns.builder import with_columns
from peneira.columns.embedded_columns import visible_part
from peneira.columns.names import base_name
from peneira.errors import InputError
from peneira.page import Page
from peneira.preview import counted, shortened
from peneira.reasons import Reason, ReasonCode
from peneira.result import Record, Region
from peneira.wrappers.candidate_selection import MAX_COLUMNS
from peneira.wrappers.column_file import MAX_READINGS
from peneira.wrappers.column_matching import PLAIN_NAMES, paired, paired_in_order, same_header
from peneira.wrappers.corrections import new_names
from peneira.wrappers.drift import CheckReport, CheckVerdict, check
from peneira.wrappers.list_page import FoundList, found_list, top_rows
from peneira.wrappers.page_templates import template_groups
from peneira.wrappers.record_finder import CORE_FILL, RecordFinder
from peneira.wrappers.record_shapes import Shape, element_counts, shape_similarity
from peneira.wrappers.relocation import Place, column_fits, relocated
from peneira.wrappers.saved_columns import (
    ADDRESSES,
    MAX_PATTERNS,
    MAX_SAMPLE_CHARS,
    UNTYPED,
    ColumnReader,
    Reading,
    SavedColumn,
    alike_share,
    value_pattern,
)
from peneira.wrappers.wrapper import Wrapper, column_reader
from peneira.xpath.selectors import Selector


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
    # and this share of its former patterns, if these were few: a number beside the old one may be written otherwise
    min_still_patterned: float = 0.4
    # Of variants of pages, those with this share of the values of the best one are as they were, if that has enough
    min_share_of_same: float = 0.95
    min_best_share: float = 0.6
    # A column that shares more of its values with another is that one
    max_shared: float = 0.5
    # Columns of detail pages with fewer distinct values say little; with fewer that say much, all full ones are core
    few_distinct: float = 0.34
    min_telling: int = 3
    # A core column is found again if this share of its values has the old type and patterns
    min_verified: float = 0.5


# Of so many columns of changed detail pages the old ones are found again; further ones are added up to the usual number
MAX_DETAIL_COLUMNS = 120
OPTIONS = HealingOptions()


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


def heal_template(old: Wrapper, pages: Sequence[Page]) -> Healing:
    """Return the wrapper of one template learned again from pages with content.

    Where some of the pages are as before and others are not, as in a test of two variants, the others are learned and
    the wrapper reads both.
    """
    same, changed = _variants(old, pages)
    if not same or not changed:
        return _heal(old, pages)
    healing = _heal(old, changed)
    both = _of_both(old, healing.wrapper, pages)
    return _judged(old, both, healing.changes, pages) if both is not None else _heal(old, pages)


def _variants(old: Wrapper, pages: Sequence[Page]) -> tuple[list[Page], list[Page]]:
    """Return the pages that are as they were, and those that are not, where both differ in their elements."""
    groups = template_groups(pages)
    if len(groups) < 2:
        return [], list(pages)
    shares = [fmean(_column_share(old, pages[k]) for k in group) for group in groups]
    least = OPTIONS.min_share_of_same * max(shares)
    if max(shares) < OPTIONS.min_best_share:
        return [], list(pages)
    same = [pages[k] for group, share in zip(groups, shares, strict=True) if share >= least for k in group]
    return same, [pages[k] for group, share in zip(groups, shares, strict=True) if share < least for k in group]


def _column_share(wrapper: Wrapper, page: Page) -> float:
    """Return the share of the values that a page of the template has on average which this page has; 0 for none."""
    records = wrapper.found_records(column_reader(wrapper.readable_page(page)))
    expected = sum(column.stats.fill for column in wrapper.fields if column.source == "page")
    if not records or not expected:
        return 0.0
    return fmean(len(record.values) for record in records) / expected


def _of_both(old: Wrapper, new: Wrapper, pages: Sequence[Page]) -> Wrapper | None:
    """Return a wrapper that reads pages of the old form and of the new one; None if one wrapper cannot."""
    if old.arrangement != new.arrangement or old is new:
        return None
    known = {column.name: column for column in old.fields}
    columns = tuple(
        _read_by_both(known.pop(column.name), column) if column.name in known else column for column in new.fields
    )
    records = new.records
    if records is not None and old.records is not None:
        further = tuple(dict.fromkeys((*old.records.further, records.selector, *records.further)))
        records = replace(
            old.records,
            further=tuple(selector for selector in further if selector != old.records.selector),
            shape=_wider(old.records.shape, records.shape),
            min_score=min(old.records.min_score, records.min_score),
            max_nodes=max(old.records.max_nodes, records.max_nodes),
        )
    both = replace(old, fields=(*columns, *known.values()), records=records)
    return replace(both, fields=_with_fill(both, pages))


def _with_fill(wrapper: Wrapper, pages: Sequence[Page]) -> tuple[SavedColumn, ...]:
    """Return the columns as full as they are on pages, if that is less than before: optional parts differ by page."""
    found = [record for page in pages for record in wrapper.found_records(column_reader(page))]
    counts = Counter(name for record in found for name in record.values)
    columns = []
    for column in wrapper.fields:
        count = counts[column.name] if column.source == "page" else 0
        fill = min(column.stats.fill, round(count / len(found), 3)) if count else column.stats.fill
        columns.append(replace(column, stats=replace(column.stats, fill=fill)))
    return tuple(columns)


def _read_by_both(old: SavedColumn, new: SavedColumn) -> SavedColumn:
    if old.columns or new.columns or old.source != "page":
        return old
    readings = tuple(dict.fromkeys((*old.readings, *new.readings)))[:MAX_READINGS]
    return replace(old, readings=readings, is_list=old.is_list or new.is_list)


def _wider(first: Shape, second: Shape) -> Shape:
    """Return the shape of records of two forms."""
    kinds = sorted(first.keys() | second.keys())
    bounds = {kind: (first.get(kind, (0, 0)), second.get(kind, (0, 0))) for kind in kinds}
    return {kind: (min(a[0], b[0]), max(a[1], b[1])) for kind, (a, b) in bounds.items()}


def _heal(old: Wrapper, pages: Sequence[Page]) -> Healing:
    """Return the wrapper learned again from pages that are all of one form."""
    from peneira.wrappers.detail_pages import learn_details
    from peneira.wrappers.list_pages import learn_lists

    try:
        lists = find_lists_again(old, pages) if old.kind == "list" else []
        if old.kind == "list" and not lists:
            raise InputError("no list is like the old one")
        # among many columns are the old ones, which may not be the best of the changed pages
        new = learn_lists(lists) if lists else learn_details(pages, MAX_DETAIL_COLUMNS)
    except InputError:
        missing = "no list of records is" if old.kind == "list" else "nothing that differs between pages is"
        return refused(old, pages, f"{missing} on these pages any more")
    return healed(old, new, [new.readable_page(page) for page in pages])


def heal_site(old: Wrapper, pages: Sequence[Page]) -> Healing:
    """Return the wrapper of a site learned again: each template from the pages that fit it best, others stay."""
    templates = list(old.templates)
    groups: dict[int, list[Page]] = {}
    for page in pages:
        fits = [template.fit(page) for template in templates]
        best = max(range(len(fits)), key=lambda k: (fits[k].code == ReasonCode.FIT, fits[k].value or 0.0))
        groups.setdefault(best, []).append(page)
    healings = {k: heal_template(templates[k], own) for k, own in sorted(groups.items())}
    accepted = all(healing.accepted for healing in healings.values())
    for k, healing in healings.items():
        templates[k] = healing.wrapper if healing.accepted else templates[k]
    wrapper = replace(templates[0], others=tuple(templates[1:]))
    detail = "; ".join(f"{templates[k].kind} pages: {healing.reason}" for k, healing in healings.items())
    reason = Reason(ReasonCode.ACCEPTED if accepted else ReasonCode.REFUSED, detail)
    changes = tuple(change for healing in healings.values() for change in healing.changes)
    return Healing(wrapper, changes, check(wrapper, pages), accepted, reason)


def find_lists_again(old: Wrapper, pages: Sequence[Page]) -> list[FoundList]:
    """Return the list of each page that is most similar to the old one, with its columns; pages without are left out.

    Compared are the lists of ``peneira.extract``, and what the old wrapper itself still finds.
    """
    from peneira.extraction import extract

    lists = []
    for page in pages:
        by_old = _list_by_old(old, old.readable_page(page))
        regions = (region for region in islice(extract(page).regions, OPTIONS.max_lists) if visible_part(region))
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
    kept = _kept_columns(old, new, pages) | _kept_embedded(old, new, pages)
    values = _values(new, pages)
    places = _places(new, pages)
    spare_values = [_spare_values(column, places) for column in old.fields]
    wanted = [None if column.name in kept or column.source != "page" else column for column in old.fields]
    if new.records is None:
        pairs = paired_in_order(wanted, new.fields, values, spare_values)
    else:
        pairs = paired(wanted, new.fields, values, spare_values)
    again = _with_old_cuts(old, new, pairs, kept, places)
    lost = [k for k, column in enumerate(old.fields) if column.name not in kept and k not in again]
    moved = _moved(old, places, lost, [values[new.fields[n].name] for n in pairs.values()])
    columns, changes = _renamed(old, new, pairs, kept, {**again, **moved})
    wrapper = replace(_with_columns(new, columns, pages), corrections=old.corrections)
    wrapper = replace(wrapper, fields=_with_fill(wrapper, pages))
    return _judged(old, wrapper, changes, pages)


def _judged(old: Wrapper, wrapper: Wrapper, changes: tuple[ColumnChange, ...], pages: Sequence[Page]) -> Healing:
    """Return whether a wrapper may replace the old one: it passes its check and has the core columns."""
    report = check(wrapper, pages)
    core = {column.name: column for column in core_columns(old)}
    missing = _missing(core, wrapper, pages)
    share = 1 - len(missing) / max(len(core), 1)
    is_long = report.records >= OPTIONS.min_records * old.baseline.min_records * len(pages)
    accepted = report.verdict == CheckVerdict.OK and not missing and is_long
    detail = (
        f"the check says {report.verdict}; {len(core) - len(missing)} of the {len(core)} core columns are found again"
    )
    if missing:
        detail += f"; lost or different: {', '.join(missing)}"
    if not is_long:
        detail += f"; {report.records} records on {len(pages)} pages, where one had {old.baseline.min_records}"
    reason = Reason(ReasonCode.ACCEPTED if accepted else ReasonCode.REFUSED, detail, round(share, 3))
    return Healing(wrapper, changes, report, accepted, reason)


def core_columns(wrapper: Wrapper) -> list[SavedColumn]:
    """Return the columns without which a healed wrapper is not the old one.

    Of lists those that nearly all records had. A page of one thing also has what stands on all pages and says little: a
    column of it is core if it also has a role, a label or a type, and differs from page to page.
    """
    full = [column for column in wrapper.fields if column.stats.fill >= CORE_FILL]
    if wrapper.kind == "list":
        return full or list(wrapper.fields)
    telling = [column for column in full if column.stats.distinct > OPTIONS.few_distinct and _is_telling(column)]
    return telling if len(telling) >= OPTIONS.min_telling else full or list(wrapper.fields)


def _is_telling(column: SavedColumn) -> bool:
    is_named = bool(column.role or column.selector.label or column.typing.type not in UNTYPED)
    return is_named and base_name(column.name) not in PLAIN_NAMES


def _missing(core: Mapping[str, SavedColumn], wrapper: Wrapper, pages: Sequence[Page]) -> list[str]:
    """Return the core columns that the wrapper does not read, or reads with values of another type or pattern."""
    texts: dict[str, list[str]] = {name: [] for name in core}
    for page in pages:
        for record in wrapper.found_records(column_reader(page)):
            for name, found in record.values.items():
                if name in texts:
                    texts[name].append(found.texts[0])
    known = {column.name for column in wrapper.fields}
    return [
        name
        for name, column in core.items()
        if name not in known
        or (column.source == "page" and (not texts[name] or alike_share(column, texts[name]) < OPTIONS.min_verified))
    ]


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


def _renamed(
    old: Wrapper, new: Wrapper, pairs: Mapping[int, int], kept: set[str], moved: Mapping[int, SavedColumn]
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
        if is_embedded and other.name in taken:  # its name is what joins it to the records
            continue
        if n not in pairs.values() and (is_embedded or other.selector not in known) and len(columns) < MAX_COLUMNS:
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
