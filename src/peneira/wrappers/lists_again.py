"""Finding the list of a wrapper again on changed pages: the one whose records are built like the old ones and hold
some of their values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from statistics import fmean

from peneira.columns.builder import with_columns
from peneira.columns.embedded_columns import visible_part
from peneira.page import Page
from peneira.result import Record, Region
from peneira.wrappers.list_page import FoundList, found_list, top_rows
from peneira.wrappers.record_shapes import element_counts, shape_similarity
from peneira.wrappers.wrapper import Wrapper, column_reader

# A list is the old one if its shape similarity plus the share of the samples in it is at least this
MIN_LIST_MATCH = 0.5
# How many lists of a page are compared, and how many records of each
MAX_LISTS = 8
MAX_RECORDS = 20
# With less than this share of the fewest records on a learning page it is another list
MIN_RECORDS_SHARE = 0.34


def find_lists_again(old: Wrapper, pages: Sequence[Page]) -> list[FoundList]:
    """Return the list of each page that is most similar to the old one, with its columns; pages without are left out.

    Compared are the lists of ``peneira.extract``, and what the old wrapper itself still finds.
    """
    from peneira.extraction import extract

    lists = []
    for page in pages:
        by_old = _list_by_old(old, old.readable_page(page))
        regions = (region for region in islice(extract(page).regions, MAX_LISTS) if visible_part(region))
        candidates = [*([by_old] if by_old else []), *(found_list(page, region) for region in regions)]
        scored = [(_list_match(old, found), -k, found) for k, found in enumerate(candidates)]
        best = max(scored, key=lambda row: row[:2], default=None)
        if best is not None and best[0] >= MIN_LIST_MATCH:
            found = best[2]
            region = found.region if found.region.columns else with_columns(found.page, found.region)
            lists.append(replace(found, region=region))
    return lists


def _list_by_old(old: Wrapper, page: Page) -> FoundList | None:
    """Return the list that the old wrapper finds on a page that it can read, without columns; None if it is short."""
    found = old.found_records(column_reader(page))
    if len(found) < max(2, MIN_RECORDS_SHARE * old.baseline.min_records):
        return None
    spans = [(record.top_rows[0], page.lists.end[record.top_rows[-1]]) for record in found]
    records = tuple(Record((span,), page.text_of(*span), "", node=page.node(span[0])) for span in spans)
    region = Region("", records, 1.0, node=page.node(max(page.lists.parent[spans[0][0]], 0)))
    return FoundList(page, region, old.arrangement)


def _list_match(old: Wrapper, found: FoundList) -> float:
    """Return how well a list matches the old one: by the shape of its records, the samples in it, and its length."""
    page, region = found.page, found.region
    shape = old.records.shape if old.records else {}
    records = region.records[:MAX_RECORDS]
    similarities = [shape_similarity(element_counts(page, top_rows(page, record)), shape) for record in records]
    text = "\n".join(record.text for record in region.records)
    samples = [sample for column in old.fields if not column.selector.attribute for sample in column.stats.samples]
    sample_share = sum(sample in text for sample in samples) / len(samples) if samples else 0.0
    length = min(1.0, len(region.records) / max(MIN_RECORDS_SHARE * old.baseline.min_records, 1))
    return ((fmean(similarities) if similarities else 0.0) + sample_share) * length
