"""Drift: whether pages still are what a wrapper was learned from, and if not, what is missing.

What the learning pages had is the measure: how many records, which columns, of which types. Nothing is compared with
texts of the template, which sites change without changing the data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from peneira.page import Page
from peneira.result import Reason
from peneira.wrappers.record_members import CORE_FILL, Row
from peneira.wrappers.record_shapes import counts_of, likeness
from peneira.wrappers.wrapper import EMPTY_PAGE, Wrapper, column_reader, fit_of, has_content

CheckVerdict = Literal["ok", "degraded", "broken"]

# A page with fewer of the core columns has lost some
OK_FIT = 0.7
# Half as many records as the fewest on a learning page are too few, one more or less
FEW_RECORDS = 0.5
SLACK_RECORDS = 0.5
# What few pages had is chance: a column that only some of their records had is missed only if more pages had it so
MIN_PAGES_FOR_OPTIONAL = 5
MIN_OPTIONAL_FILL = 0.5
# Records with less of their shape are made otherwise; so many of a page are looked at
MIN_LIKENESS = 0.6
MAX_COMPARED = 50
# A column without any value is missed if chance alone would hardly leave it empty
MIN_CHANCE = 0.01
# No column is as sure as its learning pages say
MAX_FILL = 0.95
# A column with less than this share of its former values is sparse; told from so many records on
SPARSE_SHARE = 0.4
MIN_RECORDS_FOR_SPARSE = 8
# Values that no longer read as the type of their column: of one column, told from so many values on, or of all
MIN_TYPED_SHARE = 0.5
MIN_VALUES_FOR_TYPE = 3
# A type that fewer values bore out is not held against later pages
SURE_TYPE = 0.8
UNTYPED = frozenset({"text", "list", "url", "image"})


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What a check found: the verdict, why, and the number of records and of pages."""

    verdict: CheckVerdict
    reasons: tuple[Reason, ...]
    records: int
    pages: int

    def __str__(self) -> str:
        return "\n".join([self.verdict, *(f"  {reason}" for reason in self.reasons)])


def check(wrapper: Wrapper, pages: Sequence[Page]) -> CheckReport:
    """Return whether pages fit a wrapper: ok, degraded (some of it is lost) or broken (nothing can be read)."""
    read = [wrapper.found_records(column_reader(page)) if has_content(page) else [] for page in pages]
    fits = [fit_of(wrapper, rows) if has_content(page) else EMPTY_PAGE for page, rows in zip(pages, read, strict=True)]
    fitting = [
        (page, rows) for page, rows, fit in zip(pages, read, fits, strict=True) if (fit.value or 0.0) >= wrapper.min_fit
    ]
    good = [rows for _, rows in fitting]
    lost = [fit for fit in fits if (fit.value or 0.0) < wrapper.min_fit]
    records = sum(map(len, good))
    if 2 * len(lost) >= len(pages):
        told = dict.fromkeys(lost) or [Reason("pages", "there is no page to check")]
        return CheckReport("broken", tuple(told), records, len(pages))
    reasons = [
        *_unfit(lost, len(pages)),
        *_few_records(wrapper, good),
        *_odd_records(wrapper, fitting),
        *_lost_columns(wrapper, [row for rows in good for row in rows]),
        *_changed_types(wrapper, [row for rows in good for row in rows]),
    ]
    if not reasons and sum(fit.value or 0.0 for fit in fits) < OK_FIT * len(fits):
        reasons = [_thin(wrapper, good)]
    return CheckReport("degraded" if reasons else "ok", tuple(reasons or dict.fromkeys(fits)), records, len(pages))


def _unfit(lost: Sequence[Reason], pages: int) -> list[Reason]:
    told = f"{len(lost)} of {pages} pages are empty or of another template"
    return [Reason("pages", told, len(lost) / pages)] if lost else []


def _thin(wrapper: Wrapper, pages: Sequence[Sequence[Row]]) -> Reason:
    present = {name for rows in pages for row in rows for name in row.values}
    missing = [one.name for one in wrapper.core if one.name not in present]
    return Reason("columns", f"{len(missing)} of {len(wrapper.core)} columns have no value: {', '.join(missing[:8])}")


def _few_records(wrapper: Wrapper, pages: Sequence[Sequence[Row]]) -> list[Reason]:
    """Return a reason if the pages have far fewer records than those learned from."""
    if wrapper.records is None:
        return []
    baseline = wrapper.baseline
    mean = sum(map(len, pages)) / max(len(pages), 1)
    if mean > FEW_RECORDS * baseline.fewest_records + SLACK_RECORDS or mean == baseline.fewest_records:
        return []
    fewest = f"{baseline.fewest_records} to " if baseline.fewest_records < baseline.max_records else ""
    usual = f"{fewest}{baseline.max_records}"
    return [Reason("records", f"{mean:.4g} records a page, where there were {usual}", mean)]


def _odd_records(wrapper: Wrapper, pages: Sequence[tuple[Page, Sequence[Row]]]) -> list[Reason]:
    """Return a reason if what is read has little of the shape of the records learned from."""
    shape = wrapper.records.shape if wrapper.records else {}
    alike = [likeness(counts_of(page, row.top_rows), shape) for page, rows in pages for row in rows[:MAX_COMPARED]]
    mean = fmean(alike) if alike else 1.0
    if not shape or mean >= MIN_LIKENESS:
        return []
    return [Reason("shape", f"the records have {mean:.0%} of the elements that they had", round(mean, 3))]


def _lost_columns(wrapper: Wrapper, rows: Sequence[Row]) -> list[Reason]:
    """Return a reason for each column that is empty or sparse, though it was not."""
    reasons = []
    are_few = wrapper.baseline.pages < MIN_PAGES_FOR_OPTIONAL
    least, min_sparse = (MIN_OPTIONAL_FILL, CORE_FILL) if are_few else (0.0, 0.0)
    for one in wrapper.fields:
        if one.stats.fill < least:
            continue
        filled = sum(one.name in row.values for row in rows)
        expected = min(one.stats.fill, MAX_FILL)
        if not filled and (1 - expected) ** len(rows) < MIN_CHANCE:
            told = f"column {one.name} has no value; {one.stats.fill:.0%} of the records had one"
            reasons.append(Reason("empty", told))
        elif (
            one.stats.fill >= min_sparse
            and len(rows) >= MIN_RECORDS_FOR_SPARSE
            and 0 < filled < SPARSE_SHARE * expected * len(rows)
        ):
            share = filled / len(rows)
            told = f"column {one.name} has a value in {share:.0%} of the records; {one.stats.fill:.0%} had one"
            reasons.append(Reason("sparse", told, round(share, 3)))
    return reasons


def _changed_types(wrapper: Wrapper, rows: Sequence[Row]) -> list[Reason]:
    """Return a reason for each column whose values mostly do not read as its type any more."""
    reasons = []
    for one in wrapper.fields:
        if one.typing.type in UNTYPED or one.typing.confidence < SURE_TYPE:
            continue
        texts = [row.values[one.name].texts[0] for row in rows if one.name in row.values]
        wrong = [text for text in texts if one.typing.value(text) is None]
        if len(texts) >= MIN_VALUES_FOR_TYPE and len(texts) - len(wrong) < MIN_TYPED_SHARE * len(texts):
            now = f"{len(wrong)} of {len(texts)} values are not: {wrong[0][:40]!r}"
            told = f"column {one.name} was {one.typing.type}; {now}"
            reasons.append(Reason("type", told, round(len(wrong) / len(texts), 3)))
    return reasons
