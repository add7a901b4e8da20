"""Drift: whether pages still are what a wrapper was learned from, and if not, what is missing.

Pages are compared with what the learning pages had: how many records, which columns, of which types, with values that
look how. Texts of the template are not compared: sites change them without changing the data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean

from peneira.items.placeholders import is_no_value
from peneira.limits import Cut
from peneira.page import Page
from peneira.reasons import Reason, ReasonCode
from peneira.wrappers.record_finder import CORE_FILL, FoundRecord
from peneira.wrappers.record_shapes import element_counts, shape_similarity
from peneira.wrappers.saved_columns import MAX_PATTERNS, MAX_SAMPLE_CHARS, UNTYPED, SavedColumn, value_pattern
from peneira.wrappers.wrapper import EMPTY_PAGE, Wrapper, column_reader, fit_of, has_content

# Types whose values are compared by their patterns
COMPARED = frozenset(
    {"text", "integer", "number", "money", "percent", "quantity", "date", "datetime", "time", "rating"}
)


class CheckVerdict(StrEnum):
    """What a check concludes, the mildest first."""

    OK = "ok"
    DEGRADED = "degraded"
    BROKEN = "broken"
    OTHER_TEMPLATE = "other-template"


@dataclass(frozen=True, slots=True)
class DriftOptions:
    """When a difference from the learning pages is reported; ``peneira bench wrappers --drift`` measures the effect."""

    # Pages with a smaller mean share of the core columns have lost some
    min_ok_fit: float = 0.6
    # Too few records: this share of the fewest on a learning page, give or take half a record
    few_records: float = 0.5
    few_records_slack: float = 0.5
    # With fewer learning pages, a column that less than this share of the records had is not expected to have values
    min_pages_for_optional: int = 5
    min_optional_fill: float = 0.5
    # Records with a smaller mean shape similarity are built differently; the first records of a page are compared
    min_shape_similarity: float = 0.6
    max_compared_records: int = 50
    # An empty column is reported if it would be empty by chance with a smaller probability
    max_chance: float = 0.01
    # No column is taken to be filled more often, however full it was on the learning pages
    max_expected_fill: float = 0.95
    # A column with less than this share of its expected values is sparse, if there are this many records
    sparse_share: float = 0.4
    min_records_for_sparse: int = 8
    # A column has changed its type if less than this share of at least this many values can be read as the type
    min_typed_share: float = 0.5
    min_values_for_type: int = 3
    # Types that were less certain on the learning pages are not checked
    min_type_confidence: float = 0.8
    # Patterns of texts are compared if at least this many values, of this many pages, were learned from and this many
    # are there now, and a column has changed if fewer than this share has a pattern of before
    min_learned_values: int = 10
    min_pages_for_patterns: int = 3
    min_values_for_patterns: int = 5
    min_patterned_share: float = 0.2
    # A column has the values of another if this share of its values is among the other's samples, none among its own
    min_others_share: float = 0.6
    min_telling_chars: int = 3


OPTIONS = DriftOptions()


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The result of a check: the verdict, the reasons, and the number of records and of pages.

    ``cuts``: what limits cut from the pages, so that it was not checked.
    """

    verdict: CheckVerdict
    reasons: tuple[Reason, ...]
    records: int
    pages: int
    cuts: tuple[Cut, ...] = ()

    def __str__(self) -> str:
        return "\n".join([self.verdict, *(f"  {reason}" for reason in self.reasons)])


def check(wrapper: Wrapper, pages: Sequence[Page]) -> CheckReport:
    """Return whether pages fit a wrapper.

    ok; degraded: part of the data is lost; other-template: half of the pages or more are of another template; broken:
    nothing can be read from half of the pages or more, some of which are empty. Of a site of several templates, each
    page is checked with the template that fits it best, and the worst verdict counts.
    """
    if wrapper.others:
        return _check_site(wrapper, pages)
    pages = [wrapper.readable_page(page) for page in pages]
    found = [wrapper.found_records(column_reader(page)) if has_content(page) else [] for page in pages]
    fits = [
        fit_of(wrapper, records) if has_content(page) else EMPTY_PAGE
        for page, records in zip(pages, found, strict=True)
    ]
    unfit = [fit for fit in fits if _is_unfit(fit)]
    fitting = [(page, records) for page, records, fit in zip(pages, found, fits, strict=True) if not _is_unfit(fit)]
    records = [record for _, own in fitting for record in own]
    if 2 * len(unfit) >= len(pages):
        reasons = tuple(dict.fromkeys(unfit)) or (Reason(ReasonCode.PAGES, "there is no page to check"),)
        return CheckReport(_unfit_verdict(unfit, len(pages)), reasons, len(records), len(pages))
    reasons = (
        *_unfit_pages(unfit, len(pages)),
        *_few_records(wrapper, len(records), len(fitting)),
        *_changed_shapes(wrapper, fitting),
        *_lost_columns(wrapper, records),
        *_changed_types(wrapper, records),
        *_changed_values(wrapper, records),
    )
    if not reasons and sum(fit.value or 0.0 for fit in fits) < OPTIONS.min_ok_fit * len(fits):
        reasons = (_missing_core(wrapper, records),)
    verdict = CheckVerdict.DEGRADED if reasons else CheckVerdict.OK
    return CheckReport(verdict, reasons or tuple(dict.fromkeys(fits)), len(records), len(pages))


def _check_site(wrapper: Wrapper, pages: Sequence[Page]) -> CheckReport:
    templates = wrapper.templates
    groups: dict[int, list[Page]] = {}
    for page in pages:
        best = max(range(len(templates)), key=lambda k: _fit_rank(templates[k].fit(page)))
        groups.setdefault(best, []).append(page)
    reports = [check(templates[k], groups[k]) for k in sorted(groups)]
    if not reports:
        return check(templates[0], pages)
    worst = max(reports, key=lambda report: list(CheckVerdict).index(report.verdict))
    reasons = tuple(dict.fromkeys(reason for report in reports for reason in report.reasons))
    return CheckReport(
        worst.verdict, reasons, sum(report.records for report in reports), sum(report.pages for report in reports)
    )


def _fit_rank(fit: Reason) -> tuple[bool, float]:
    return not _is_unfit(fit), fit.value or 0.0


def _is_unfit(fit: Reason) -> bool:
    return fit == EMPTY_PAGE or fit.code == ReasonCode.OTHER_TEMPLATE


def _unfit_verdict(unfit: Sequence[Reason], pages: int) -> CheckVerdict:
    others = sum(fit.code == ReasonCode.OTHER_TEMPLATE for fit in unfit)
    return CheckVerdict.OTHER_TEMPLATE if others and 2 * others >= pages else CheckVerdict.BROKEN


def _unfit_pages(unfit: Sequence[Reason], pages: int) -> list[Reason]:
    detail = f"{len(unfit)} of {pages} pages are empty or of another template"
    return [Reason(ReasonCode.PAGES, detail, len(unfit) / pages)] if unfit else []


def _missing_core(wrapper: Wrapper, records: Sequence[FoundRecord]) -> Reason:
    present = {name for record in records for name in record.values}
    missing = [column.name for column in wrapper.core if column.name not in present]
    detail = f"{len(missing)} of {len(wrapper.core)} columns have no value: {', '.join(missing[:8])}"
    return Reason(ReasonCode.COLUMNS, detail)


def _few_records(wrapper: Wrapper, records: int, pages: int) -> list[Reason]:
    """Return a reason if the pages have far fewer records than the learning pages."""
    if wrapper.kind == "detail":
        return []
    baseline = wrapper.baseline
    mean = records / max(pages, 1)
    few = OPTIONS.few_records * baseline.min_records + OPTIONS.few_records_slack
    if mean > few or mean == baseline.min_records:
        return []
    fewest = f"{baseline.min_records} to " if baseline.min_records < baseline.max_records else ""
    detail = f"{mean:.4g} records a page, where there were {fewest}{baseline.max_records}"
    return [Reason(ReasonCode.RECORDS, detail, mean)]


def _changed_shapes(wrapper: Wrapper, pages: Sequence[tuple[Page, Sequence[FoundRecord]]]) -> list[Reason]:
    """Return a reason if the records have few of the elements that records of the learning pages had."""
    shape = wrapper.records.shape if wrapper.records else {}
    similarities = [
        shape_similarity(element_counts(page, record.top_rows), shape)
        for page, records in pages
        for record in records[: OPTIONS.max_compared_records]
    ]
    mean = fmean(similarities) if similarities else 1.0
    if not shape or mean >= OPTIONS.min_shape_similarity:
        return []
    return [Reason(ReasonCode.SHAPE, f"the records have {mean:.0%} of the elements that they had", round(mean, 3))]


def _lost_columns(wrapper: Wrapper, records: Sequence[FoundRecord]) -> list[Reason]:
    """Return a reason for each column that is empty or sparse, and was not on the learning pages."""
    reasons = []
    are_few_pages = wrapper.baseline.pages < OPTIONS.min_pages_for_optional
    min_fill, min_fill_for_sparse = (OPTIONS.min_optional_fill, CORE_FILL) if are_few_pages else (0.0, 0.0)
    for column in wrapper.fields:
        usual = column.stats.fill
        if usual < min_fill or column.source != "page":
            continue
        filled = sum(column.name in record.values for record in records)
        expected = min(usual, OPTIONS.max_expected_fill)
        if not filled and (1 - expected) ** len(records) < OPTIONS.max_chance:
            detail = f"column {column.name} has no value; {usual:.0%} of the records had one"
            reasons.append(Reason(ReasonCode.EMPTY_COLUMN, detail))
        elif (
            usual >= min_fill_for_sparse
            and len(records) >= OPTIONS.min_records_for_sparse
            and 0 < filled < OPTIONS.sparse_share * expected * len(records)
        ):
            share = filled / len(records)
            detail = f"column {column.name} has a value in {share:.0%} of the records; {usual:.0%} had one"
            reasons.append(Reason(ReasonCode.SPARSE_COLUMN, detail, round(share, 3)))
    return reasons


def _changed_values(wrapper: Wrapper, records: Sequence[FoundRecord]) -> list[Reason]:
    """Return a reason for each column whose values no longer look like those of the learning pages, or are another's.

    Looks are compared where the values had few patterns, samples where another column has the same attribute.
    """
    learned = wrapper.baseline.pages * wrapper.baseline.min_records
    values = {column.name: _first_texts(column, records) for column in wrapper.fields}
    reasons = []
    for column in wrapper.fields:
        texts = values[column.name]
        if len(texts) < OPTIONS.min_values_for_patterns or column.typing.type != "text" or column.selector.attribute:
            continue
        patterns = column.stats.patterns
        strange = [text for text in texts if value_pattern(text) not in patterns]
        share = 1 - len(strange) / len(texts)
        is_known = wrapper.baseline.pages >= OPTIONS.min_pages_for_patterns and len(patterns) < MAX_PATTERNS
        is_known = is_known and learned * column.stats.fill >= OPTIONS.min_learned_values
        if patterns and is_known and share < OPTIONS.min_patterned_share:
            like = f"values like {column.stats.samples[0][:40]!r}" if column.stats.samples else "other values"
            detail = f"column {column.name} had {like}; {len(strange)} of {len(texts)} are not: {strange[0][:40]!r}"
            reasons.append(Reason(ReasonCode.CHANGED_VALUES, detail, round(share, 3)))
        elif (other := _whose_values(column, texts, wrapper.fields)) is not None:
            detail = f"column {column.name} has the values that {other.name} had, such as {texts[0][:40]!r}"
            reasons.append(Reason(ReasonCode.CHANGED_VALUES, detail))
    return reasons


def _first_texts(column: SavedColumn, records: Sequence[FoundRecord]) -> list[str]:
    return [record.values[column.name].texts[0] for record in records if column.name in record.values]


def _whose_values(column: SavedColumn, texts: Sequence[str], columns: Sequence[SavedColumn]) -> SavedColumn | None:
    """Return the column whose samples most of the values are, None if they are nobody's or partly its own."""
    own = set(column.stats.samples)
    starts = [text[:MAX_SAMPLE_CHARS] for text in texts]
    if not own or own.intersection(starts):
        return None
    for other in columns:
        samples = {sample for sample in other.stats.samples if len(sample) >= OPTIONS.min_telling_chars} - own
        if other.name != column.name and samples and other.selector.attribute == column.selector.attribute:
            count = sum(text in samples for text in starts)
            if count >= OPTIONS.min_others_share * len(texts):
                return other
    return None


def _changed_types(wrapper: Wrapper, records: Sequence[FoundRecord]) -> list[Reason]:
    """Return a reason for each column most of whose values can no longer be read as its type."""
    reasons = []
    for column in wrapper.fields:
        typing = column.typing
        if typing.type in UNTYPED or column.is_typed_elsewhere or typing.confidence < OPTIONS.min_type_confidence:
            continue
        texts = [text for text in _first_texts(column, records) if not is_no_value(text)]
        unread = [text for text in texts if typing.value(text) is None]
        read = len(texts) - len(unread)
        if len(texts) >= OPTIONS.min_values_for_type and read < OPTIONS.min_typed_share * len(texts):
            now = f"{len(unread)} of {len(texts)} values are not: {unread[0][:40]!r}"
            detail = f"column {column.name} was {typing.type}; {now}"
            reasons.append(Reason(ReasonCode.CHANGED_TYPE, detail, round(len(unread) / len(texts), 3)))
    return reasons
