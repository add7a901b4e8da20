"""Healing: a wrapper learned again from changed pages, with the old columns recognized under their old names.

A column is recognized by its role, its label, its name, its place or its values. A new wrapper is accepted only if a
check of it on the pages passes and every core column is found again, with values of the old type and patterns; files
are replaced only when the user asks for it.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from peneira.columns.names import base_name
from peneira.errors import InputError
from peneira.limits import Cut
from peneira.page import Page
from peneira.preview import counted, shortened
from peneira.reasons import Reason, ReasonCode
from peneira.templates.tree_wrapper import TreeWrapper
from peneira.wrappers.column_file import MAX_READINGS
from peneira.wrappers.column_matching import PLAIN_NAMES, paired_in_order
from peneira.wrappers.columns_again import ColumnChange, free_name, values_by_column, with_fill, with_old_columns
from peneira.wrappers.drift import CheckReport, CheckVerdict, check
from peneira.wrappers.lists_again import MIN_RECORDS_SHARE, find_lists_again
from peneira.wrappers.page_templates import template_groups
from peneira.wrappers.record_finder import CORE_FILL
from peneira.wrappers.record_shapes import Shape
from peneira.wrappers.saved_columns import (
    MAX_SAMPLE_CHARS,
    UNTYPED,
    SavedColumn,
    alike_share,
    value_pattern,
    varies_less,
)
from peneira.wrappers.table_headers import header_over
from peneira.wrappers.wrapper import Wrapper, column_reader


@dataclass(frozen=True, slots=True)
class HealingOptions:
    """When a healed wrapper is the old one; ``peneira bench wrappers --drift`` measures the effect."""

    # Of variants of pages, those with this share of the values of the best one are as they were, if that has enough
    min_share_of_same: float = 0.95
    min_best_share: float = 0.6
    # Columns of detail pages with fewer distinct values say little; with fewer that say much, all full ones are core
    few_distinct: float = 0.34
    min_telling: int = 3
    # Records of lists have this share of the values of a core column that they had
    min_core_fill: float = 0.6
    # A core column is found again if this share of its values has the old type and patterns
    min_verified: float = 0.5
    # or, if it is under its old label or in the same elements, if this share is words, numbers or money as it was
    min_of_kind: float = 0.8


# Of so many columns of changed detail pages the old ones are found again; further ones are added up to the usual number
MAX_DETAIL_COLUMNS = 120
OPTIONS = HealingOptions()


@dataclass(frozen=True, slots=True, repr=False)
class Healing:
    """A wrapper learned again, the change of each column, its check, and whether it may replace the old one.

    ``cuts``: what limits cut from the pages, so that it was not learned from.
    """

    wrapper: Wrapper
    changes: tuple[ColumnChange, ...]
    report: CheckReport
    accepted: bool
    reason: Reason
    cuts: tuple[Cut, ...] = ()

    def __repr__(self) -> str:
        verdict = "accepted" if self.accepted else "refused"
        return f"<Healing {verdict}, {counted(len(self.changes), 'column')}: {shortened(str(self.reason))}>"


def heal_template(old: Wrapper, pages: Sequence[Page]) -> Healing:
    """Return the wrapper of one template learned again from pages with content.

    Where some of the pages are as before and others are not, as in a test of two variants, the others are learned and
    the wrapper reads both.
    """
    if old.tree is not None:
        return _heal_tree(old, old.tree, pages)
    same, changed = _variants(old, pages)
    if not same or not changed:
        return _heal(old, pages)
    healing = _heal(old, changed)
    both = _of_both(old, healing.wrapper, pages)
    return _judged(old, both, healing.changes, pages) if both is not None else _heal(old, pages)


def _heal_tree(old: Wrapper, tree: TreeWrapper, pages: Sequence[Page]) -> Healing:
    """Return a wrapper by a published method learned again by the same, with the old names of its columns."""
    from peneira.wrappers.learning import learn

    new = learn(pages, method=tree.method, kind=old.kind)
    if new.tree is None or new.kind != old.kind or not new.fields:
        return refused(old, pages, "nothing that differs between pages is on these pages any more")
    pairs = paired_in_order(old.fields, new.fields, values_by_column(new, pages), [set()] * len(old.fields))
    names = {n: old.fields[k] for k, n in pairs.items()}
    taken = {column.name for column in old.fields}
    columns: list[SavedColumn] = []
    changes = []
    for k, column in enumerate(old.fields):
        place = str(new.fields[pairs[k]].slot) if k in pairs else ""
        changes.append(ColumnChange(column.name, column.name if k in pairs else "", str(column.slot), place))
    for n, column in enumerate(new.fields):
        if n in names:
            columns.append(replace(column, name=names[n].name, caption=names[n].caption))
            continue
        name = free_name(column.name, taken)
        taken.add(name)
        columns.append(replace(column, name=name))
        changes.append(ColumnChange("", name, "", str(column.slot)))
    renamed = replace(new.tree, columns=tuple(column.column for column in columns))
    wrapper = replace(new, fields=tuple(columns), tree=renamed, corrections=old.corrections)
    return _judged(old, wrapper, tuple(changes), pages)


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
    return replace(both, fields=with_fill(both, pages))


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
    readable = [new.readable_page(page) for page in pages]
    wrapper, changes = with_old_columns(old, new, readable)
    return _judged(old, wrapper, changes, readable)


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


def _judged(old: Wrapper, wrapper: Wrapper, changes: tuple[ColumnChange, ...], pages: Sequence[Page]) -> Healing:
    """Return whether a wrapper may replace the old one: it passes its check and has the core columns."""
    report = check(wrapper, pages)
    core = {column.name: column for column in core_columns(old)}
    missing = _missing(core, wrapper, pages)
    share = 1 - len(missing) / max(len(core), 1)
    is_long = report.records >= MIN_RECORDS_SHARE * old.baseline.min_records * len(pages)
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
    values: dict[str, list[tuple[str, ...]]] = {name: [] for name in core}
    elsewhere: Counter[str] = Counter()
    records = [(page, record) for page in pages for record in wrapper.found_records(column_reader(page))]
    for page, record in records:
        for name, found in record.values.items():
            if name in values:
                values[name].append(found.texts)
                elsewhere[name] += wrapper.records is None and _is_under_other_header(core[name], page, found.row)
    # what is on all pages of a few things may be on few pages of others, but all records of a list are alike
    min_fill = OPTIONS.min_core_fill if wrapper.records is not None else 0.0
    known = {column.name: column for column in wrapper.fields}
    return [
        name
        for name, column in core.items()
        if name not in known
        or (column.source == "page" and not _is_verified(column, known[name], values[name]))
        or 2 * elsewhere[name] > len(values[name])
        or (column.source == "page" and len(values[name]) < min_fill * column.stats.fill * len(records))
    ]


def _is_under_other_header(column: SavedColumn, page: Page, row: int) -> bool:
    """Return whether a value is under another header of a table, which still has the header of the column."""
    if column.header is None:
        return False
    now, headers = header_over(page, row)
    return column.header.text in headers and (now is None or now.text != column.header.text)


def _is_verified(column: SavedColumn, again: SavedColumn, values: Sequence[tuple[str, ...]]) -> bool:
    """Return whether values are those of a column: most are alike, and where they differed they still do.

    Words differ in their patterns from page to page ("Apex", "Apex, Inc."), and so do numbers ("$980", "$1,980"): where
    a column is under its old label, or in the same elements under other classes, values of its kind are enough.
    """
    if not values or (varies_less(column, values) and values[0][0][:MAX_SAMPLE_CHARS] not in column.stats.samples):
        return False
    texts = [own[0] for own in values]
    if _alike_in_any_case(column, texts) >= OPTIONS.min_verified:
        return True
    kinds = set(map(_kind, column.stats.patterns))
    same = sum(_kind(value_pattern(text)) in kinds for text in texts)
    return _is_at_same_place(column, again) and same >= OPTIONS.min_of_kind * len(texts)


def _is_at_same_place(column: SavedColumn, again: SavedColumn) -> bool:
    """Return whether a column is found by the same label, or by the same tags, whatever their classes."""
    old, new = column.selector, again.selector
    if old.label or new.label:
        return old.label == new.label and [step.position for step in old.steps] == [step.position for step in new.steps]
    return [(step.axis, step.name) for step in old.steps] == [(step.axis, step.name) for step in new.steps]


def _kind(pattern: str) -> tuple[bool, bool]:
    """Return whether a pattern of values has words, and a sign of money."""
    return any(char.isalpha() for char in pattern), any(unicodedata.category(char) == "Sc" for char in pattern)


def _alike_in_any_case(column: SavedColumn, texts: Sequence[str]) -> float:
    """Return the share of values of the old type or patterns, with upper and lower case alike: "MSRP: $9" may be
    "Price: $9" now."""
    patterns = {pattern.casefold() for pattern in column.stats.patterns}
    cased = sum(value_pattern(text).casefold() in patterns for text in texts) / max(len(texts), 1)
    return max(cased, alike_share(column, texts))


def refused(old: Wrapper, pages: Sequence[Page], detail: str) -> Healing:
    """Return the old wrapper, with the reason why nothing could be learned."""
    changes = tuple(ColumnChange(column.name, "", str(column.selector)) for column in old.fields)
    return Healing(old, changes, check(old, pages), False, Reason(ReasonCode.REFUSED, detail, 0.0))
