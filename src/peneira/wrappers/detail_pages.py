"""Learning detail pages: columns are what one selector finds on all learning pages and differs from page to page.

Every text is proposed with the selectors that could find it. A proposal is scored by what it reads on all pages; of
proposals that read the same texts, the most stable is kept. The best are chosen one by one, as long as each reads
enough texts that no other reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, islice

from peneira.columns.builder import language_of
from peneira.columns.names import MIN_USUAL_SHARE, NameSources, name_columns
from peneira.columns.value_patterns import common_pattern
from peneira.page import Page
from peneira.types.column_types import InferredType, infer_type
from peneira.wrappers.candidate_scoring import CandidateScorer
from peneira.wrappers.candidate_selection import MAX_COLUMNS, select
from peneira.wrappers.column_candidates import ColumnCandidate, PageRows
from peneira.wrappers.detail_links import image_candidates, link_candidates
from peneira.wrappers.saved_columns import ADDRESS_TYPES, ColumnReader, Reading, SavedColumn, stats_of
from peneira.wrappers.wrapper import Baseline, Wrapper, column_reader
from peneira.xpath.anchors import Anchors
from peneira.xpath.finder import Finder
from peneira.xpath.proposals import Proposer
from peneira.xpath.selectors import Selector
from peneira.xpath.stability import stability

# A selector with more texts on a page does not read the values of one column
MAX_ITEMS = 60
# How many elements around a value may name it
MAX_NAMING_ELEMENTS = 3
# Of selectors that read the same, one that starts from a label is preferred: it also names the column
LABEL_BONUS = 0.03


def learn_details(pages: Sequence[Page]) -> Wrapper:
    """Return the wrapper of detail pages of one template."""
    readers = [column_reader(page) for page in pages]
    candidates = _column_candidates(readers)
    named = name_columns([_name_sources(candidate, readers) for candidate in candidates])
    language = language_of(pages[0])
    columns = tuple(_saved_column(candidate, *named[k], language) for k, candidate in enumerate(candidates))
    return Wrapper("detail", columns, Baseline(len(pages)), url=pages[0].url or "")


def _column_candidates(readers: Sequence[ColumnReader]) -> list[ColumnCandidate]:
    """Return the candidates that become columns, in the order of the page."""
    finders = [reader.finder for reader in readers]
    anchors = Anchors(finders)
    images = image_candidates(readers, anchors)
    texts = _text_candidates(finders, anchors)[: MAX_COLUMNS - len(images)]
    links = link_candidates(readers, anchors, texts)[: MAX_COLUMNS - len(images) - len(texts)]
    return sorted([*images, *texts, *links], key=_page_order)


def _text_candidates(finders: Sequence[Finder], anchors: Anchors) -> list[ColumnCandidate]:
    """Return the candidates of texts that become columns, the best first."""
    scorer = CandidateScorer(finders, anchors)
    proposed = [scorer.candidate(selector, rows) for selector, rows in _distinct_selectors(finders, anchors)]
    return select(list(filter(None, proposed)))


def _distinct_selectors(finders: Sequence[Finder], anchors: Anchors) -> list[tuple[Selector, tuple[PageRows, ...]]]:
    """Return the proposed selectors with the rows they find, the most stable of those that find the same rows."""
    support: Counter[Selector] = Counter()
    for finder in finders:
        support.update(set(Proposer(finder, anchors).selectors()))
    min_pages = min(2, len(finders))
    best: dict[tuple[PageRows, ...], tuple[float, int, Selector]] = {}
    for selector, count in support.items():
        if count < min_pages:
            continue
        rows = tuple(tuple(finder.rows(selector)) for finder in finders)
        if not any(rows) or max(map(len, rows)) > MAX_ITEMS:
            continue
        rank = (stability(selector) + LABEL_BONUS * bool(selector.label), -len(selector.steps), selector)
        known = best.get(rows)
        if known is None or rank[:2] > known[:2] or (rank[:2] == known[:2] and str(selector) < str(known[2])):
            best[rows] = rank
    return [(selector, rows) for rows, (_, _, selector) in best.items()]


def _page_order(candidate: ColumnCandidate) -> tuple[float, str]:
    firsts = [rows[0] for rows in candidate.filled]
    return sum(firsts) / len(firsts), str(candidate.selector)


def _saved_column(candidate: ColumnCandidate, name: str, caption: str, language: str) -> SavedColumn:
    is_list = any(len(texts) > 1 for texts in candidate.texts)
    address = ADDRESS_TYPES.get(candidate.selector.attribute)
    if is_list:
        typing = InferredType("list", 1.0)
    elif address:
        typing = InferredType(address, 1.0)
    else:
        typing = infer_type(candidate.first_texts, caption=caption, language=language)
    stats = stats_of(candidate.texts, len(candidate.texts))
    return SavedColumn(name, caption or name, (Reading(candidate.selector),), typing, stats, is_list)


def _naming_label(candidate: ColumnCandidate) -> str:
    """Return the label as a name: that of the selector, or a text with a colon before the value."""
    is_sure = bool(candidate.selector.label) or candidate.label.endswith((":", "："))
    return candidate.label.rstrip(" :：=\xa0") if is_sure else ""


def _name_sources(candidate: ColumnCandidate, readers: Sequence[ColumnReader]) -> NameSources:
    """Return what may name a column, from the first page that has it."""
    k = next(k for k, rows in enumerate(candidate.rows) if rows)
    page, row = readers[k].page, candidate.rows[k][0]
    around = page.ancestors(row) if page.is_text(row) else chain((row,), page.ancestors(row))
    above = list(islice(around, MAX_NAMING_ELEMENTS))
    elements = tuple((page.name(element), tuple(page.attrs[element].get("class", "").split())) for element in above)
    itemprops = (page.attrs[element].get("itemprop", "") for element in above)
    is_rare = len(candidate.filled) < MIN_USUAL_SHARE * len(candidate.rows)
    return NameSources(
        prop=next(filter(None, itemprops), ""),
        label=_naming_label(candidate),
        attribute=candidate.selector.attribute,
        pattern=common_pattern(candidate.first_texts),
        elements=elements,
        priority=(is_rare,),
    )
