"""Healing: a wrapper learned again from changed pages, with the old columns recognized under their old names.

A column is recognized by its role, its label, its name, its place or its values. A new wrapper is accepted only if a
check of it on the pages passes and every core column is found again, with values of the old type and patterns; files
are replaced only when the user asks for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from statistics import fmean

from peneira.columns.builder import with_columns
from peneira.columns.embedded_columns import visible_part
from peneira.errors import InputError
from peneira.page import Page
from peneira.preview import counted, shortened
from peneira.reasons import Reason, ReasonCode
from peneira.result import Record, Region
from peneira.wrappers.candidate_selection import MAX_COLUMNS
from peneira.wrappers.corrections import new_names
from peneira.wrappers.drift import CheckReport, CheckVerdict, check
from peneira.wrappers.list_page import FoundList, found_list, top_rows
from peneira.wrappers.record_finder import CORE_FILL, RecordFinder
from peneira.wrappers.record_shapes import element_counts, shape_similarity
from peneira.wrappers.relocation import Place, column_fits, relocated
from peneira.wrappers.saved_columns import MAX_SAMPLE_CHARS, Reading, SavedColumn, alike_share
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
    # Two columns are the same if the weights of the evidence add up to at least this
    min_column_match: float = 2.5
    # A column that shares more of its values with another is that one
    max_shared: float = 0.5
    # A core column is found again if this share of its values has the old type and patterns
    min_verified: float = 0.5


@dataclass(frozen=True, slots=True)
class MatchWeights:
    """How much each kind of evidence adds to the match of two columns."""

    samples: float = 4.0
    selector: float = 4.0
    label: float = 3.0
    role: float = 2.5
    caption: float = 1.5
    name: float = 1.5
    place: float = 1.5
    order: float = 1.0
    spares: float = 3.0
    patterns: float = 1.0
    type: float = 0.5


# Of so many columns of changed detail pages the old ones are found again; further ones are added up to the usual number
MAX_DETAIL_COLUMNS = 120
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


def heal_template(old: Wrapper, pages: Sequence[Page]) -> Healing:
    """Return the wrapper of one template learned again from pages with content."""
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
    pairs = _pairs(wanted, new.fields, values, spare_values)
    paired = _with_old_cuts(old, new, pairs, kept, places)
    lost = [k for k, column in enumerate(old.fields) if column.name not in kept and k not in paired]
    moved = _moved(old, places, lost, [values[new.fields[n].name] for n in pairs.values()])
    columns, changes = _renamed(old, new, pairs, kept, {**paired, **moved})
    wrapper = replace(_with_columns(new, columns, pages), corrections=old.corrections)
    report = check(wrapper, pages)
    core = {column.name: column for column in old.fields if column.stats.fill >= CORE_FILL or not old.core}
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
    return alike_share(column, texts) >= OPTIONS.min_still_alike


def _pairs(
    old: Sequence[SavedColumn | None],
    new: Sequence[SavedColumn],
    values: Mapping[str, set[str]],
    spare_values: Sequence[set[str]],
) -> dict[int, int]:
    """Return the number of the new column for each old column that is found again, the best matches first.

    ``spare_values``: what the spare selectors of the old columns read. A new column with the caption of another old
    column is not taken.
    """
    captions = {column.caption for column in old if column is not None}
    scored = sorted(
        (
            (-score - WEIGHTS.order * _same_order(k / len(old), n / len(new)), k, n)
            for k, column in enumerate(old)
            if column is not None
            for n, other in enumerate(new)
            if other.source == "page"
            and (other.caption == column.caption or other.caption not in captions)
            and (score := _column_match(column, other, values[other.name], spare_values[k])) >= OPTIONS.min_column_match
        ),
    )
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, k, n in scored:
        if k not in pairs and n not in taken:
            pairs[k] = n
            taken.add(n)
    return pairs


def _same_order(old: float, new: float) -> float:
    """Return how close two columns are in the order of their wrappers, 0..1: between equals the order decides."""
    return max(0.0, 1 - 4 * abs(old - new))


def _spare_values(column: SavedColumn, places: Sequence[Place]) -> set[str]:
    """Return what the spare selectors of a column read, cut to the length of samples."""
    if not column.spares:
        return set()
    spare = replace(column, readings=tuple(Reading(selector) for selector in column.spares))
    found = (reader.values(spare, rows) for reader, rows in places)
    return {text[:MAX_SAMPLE_CHARS] for values in found if values is not None for text in values.texts}


def _column_match(column: SavedColumn, other: SavedColumn, values: set[str], spare_values: set[str]) -> float:
    """Return how much evidence there is that two columns are the same."""
    if column.selector.attribute != other.selector.attribute:
        return 0.0
    samples = column.stats.samples
    sample_share = sum(sample in values for sample in samples) / len(samples) if samples else 0.0
    label = column.selector.label or column.label
    score = WEIGHTS.samples * sample_share + WEIGHTS.selector * (column.selector == other.selector)
    score += WEIGHTS.label * (bool(label) and label == (other.selector.label or other.label))
    score += WEIGHTS.spares * len(spare_values & values) / max(len(spare_values), 1)
    score += WEIGHTS.role * (bool(column.role) and column.role == other.role)
    score += WEIGHTS.place * (_tags(column.selector) == _tags(other.selector))
    score += WEIGHTS.caption * (column.caption == other.caption) + WEIGHTS.name * (column.name == other.name)
    score += WEIGHTS.type * (column.typing.type == other.typing.type) - (column.is_list != other.is_list)
    patterns = set(column.stats.patterns)
    return score + WEIGHTS.patterns * len(patterns & set(other.stats.patterns)) / max(len(patterns), 1)


def _tags(selector: Selector) -> tuple[str, ...]:
    """Return the tags on the way to a column, which change less often than classes."""
    return tuple(step.name for step in selector.steps)


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
