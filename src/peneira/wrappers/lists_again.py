"""Finding the list of a wrapper again on changed pages: the one whose records are built like the old ones and hold
some of their values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from statistics import fmean

from peneira.columns.builder import with_columns
from peneira.columns.embedded_columns import visible_part
from peneira.page import Page
from peneira.result import Record, Region
from peneira.wrappers.list_page import FoundList, found_list, top_rows
from peneira.wrappers.record_shapes import Shape, element_counts, record_shape, shape_similarity
from peneira.wrappers.saved_columns import value_pattern
from peneira.wrappers.wrapper import Wrapper, column_reader

# A list is the old one if its shape similarity plus the share of the samples in it is at least this
MIN_LIST_MATCH = 0.5
# A list whose columns are all like the old ones matches as one whose records have this shape similarity
LIKENESS_WEIGHT = 0.8
# How many lists of a page are compared, and how many records of each
MAX_LISTS = 8
MAX_RECORDS = 20
# With less than this share of the fewest records on a learning page it is another list
MIN_RECORDS_SHARE = 0.34


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A list of a changed page, the numbers of elements of its first records, and how well it matches the old one."""

    found: FoundList
    counts: tuple[Counter[str], ...]
    match: float


def find_lists_again(old: Wrapper, pages: Sequence[Page]) -> list[FoundList]:
    """Return the list of each page that is most similar to the old one, with its columns; pages without are left out.

    Compared are the lists of ``peneira.extract``, and what the old wrapper itself still finds. Of the lists of a page
    that match about as well, the one is taken that is built like the best match on all pages.
    """
    by_page = [_candidates(old, page) for page in pages]
    best = max((candidate for own in by_page for candidate in own), key=lambda each: each.match, default=None)
    if best is None:
        return []
    shape = record_shape(best.counts)
    lists = []
    for own in by_page:
        good = [candidate for candidate in own if candidate.match >= MIN_LIST_MATCH]
        if good:
            found = max(good, key=lambda each: each.match + _mean_similarity(each.counts, shape)).found
            region = found.region if found.region.columns else with_columns(found.page, found.region)
            lists.append(replace(found, region=region))
    return lists


def _candidates(old: Wrapper, page: Page) -> list[_Candidate]:
    """Return the lists of a page that could be the old one, what the old wrapper finds first."""
    from peneira.extraction import extract

    by_old = _list_by_old(old, old.readable_page(page))
    result = extract(page)
    regions = [region for region in islice(result.regions, MAX_LISTS) if visible_part(region)]
    lists = [*([by_old] if by_old else []), *(found_list(page, region) for region in regions)]
    candidates = []
    for found in lists:
        records = found.region.records[:MAX_RECORDS]
        counts = tuple(element_counts(found.page, top_rows(found.page, record)) for record in records)
        likeness = (
            _column_likeness(old, result.main) if found.region is result.main and result.main is not None else 0.0
        )
        candidates.append(_Candidate(found, counts, _list_match(old, found, counts, likeness)))
    return candidates


def _column_likeness(old: Wrapper, region: Region) -> float:
    """Return the share of the core columns of which a list has one with the same role, or the same type and patterns.

    It tells a list of which all tags have changed.
    """
    looks = []
    for column in region.columns:
        texts = [record[column.name].text for record in region.records[:MAX_RECORDS] if column.name in record]
        looks.append((column.role, column.type, {value_pattern(text) for text in texts}))
    core = old.core
    alike = sum(
        any(
            (column.role and column.role == role)
            or (column.typing.type == kind and not patterns.isdisjoint(column.stats.patterns))
            for role, kind, patterns in looks
        )
        for column in core
    )
    return alike / max(len(core), 1)


def _mean_similarity(counts: Sequence[Counter[str]], shape: Shape) -> float:
    return fmean(shape_similarity(own, shape) for own in counts) if counts else 0.0


def _list_by_old(old: Wrapper, page: Page) -> FoundList | None:
    """Return the list that the old wrapper finds on a page that it can read, without columns; None if it is short."""
    found = old.found_records(column_reader(page))
    if len(found) < max(2, MIN_RECORDS_SHARE * old.baseline.min_records):
        return None
    spans = [(record.top_rows[0], page.lists.end[record.top_rows[-1]]) for record in found]
    records = tuple(Record((span,), page.text_of(*span), "", node=page.node(span[0])) for span in spans)
    region = Region("", records, 1.0, node=page.node(max(page.lists.parent[spans[0][0]], 0)))
    return FoundList(page, region, old.arrangement)


def _list_match(old: Wrapper, found: FoundList, counts: Sequence[Counter[str]], likeness: float) -> float:
    """Return how well a list matches the old one: by the shape of its records or its columns, the samples in it, and
    its length."""
    region = found.region
    text = "\n".join(record.text for record in region.records)
    samples = [sample for column in old.fields if not column.selector.attribute for sample in column.stats.samples]
    sample_share = sum(sample in text for sample in samples) / len(samples) if samples else 0.0
    length = min(1.0, len(region.records) / max(MIN_RECORDS_SHARE * old.baseline.min_records, 1))
    similarity = _mean_similarity(counts, old.records.shape if old.records else {})
    return (max(similarity, LIKENESS_WEIGHT * likeness) + sample_share) * length
