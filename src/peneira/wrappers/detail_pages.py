"""Learning detail pages: columns are what one selector finds on all learning pages and differs from page to page.

Every text is proposed with the selectors that could find it. A proposal is scored by what it reads on all pages; of
proposals that read the same texts, the most stable is kept. The best are chosen one by one, as long as each reads
enough texts that no other reads.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Literal, cast, get_args

from peneira.columns.builder import language_of
from peneira.columns.labels import MAX_LABEL_WORDS
from peneira.columns.names import MIN_USUAL_SHARE, NameSources, name_columns
from peneira.columns.value_patterns import common_pattern
from peneira.page import Page
from peneira.types.column_types import InferredType, infer_type
from peneira.values import Role
from peneira.wrappers.candidate_scoring import CandidateScorer
from peneira.wrappers.candidate_selection import MAX_COLUMNS, select
from peneira.wrappers.column_candidates import ColumnCandidate, PageRows
from peneira.wrappers.detail_links import image_candidates, link_candidates
from peneira.wrappers.detail_roles import FieldOfItem, ItemEvidence
from peneira.wrappers.label_evidence import is_own_value, label_stem
from peneira.wrappers.saved_columns import ADDRESS_TYPES, ColumnReader, Reading, SavedColumn, stats_of
from peneira.wrappers.table_headers import TableHeader, header_over
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
# Links beside texts: most lead to other things
MAX_LINKS = 4
# A label of at least this many columns is that of their block
MIN_BLOCK_COLUMNS = 2
_WEB_ADDRESS = re.compile(r"(?:https?://)?(?:[\w-]+\.)+[a-z]{2,6}(?::\d+)?(?:/\S*)?")
# A label has few digits ("MPG 2010"), a value many ("W 80-74")
MAX_LABEL_DIGITS = 2
# Of selectors that read the same, one that starts from a label is preferred: it also names the column
LABEL_BONUS = 0.03


# Stability, minus the number of steps, the selector
_Ranked = tuple[float, int, Selector]


def learn_details(pages: Sequence[Page], max_columns: int = MAX_COLUMNS) -> Wrapper:
    """Return the wrapper of detail pages of one template, with at most this many columns."""
    readers = [column_reader(page) for page in pages]
    evidence = ItemEvidence(pages)
    candidates = _column_candidates(readers, evidence, max_columns)
    fields = evidence.fields(candidates)
    labels = _naming_labels(candidates)
    named = name_columns(
        [
            _name_sources(candidate, readers, field, label)
            for candidate, field, label in zip(candidates, fields, labels, strict=True)
        ]
    )
    language = language_of(pages[0])
    columns = tuple(
        replace(_saved_column(candidate, *named[k], fields[k].name, language), header=_header(candidate, readers))
        for k, candidate in enumerate(candidates)
    )
    return Wrapper("detail", columns, Baseline(len(pages)), url=pages[0].url or "")


def _column_candidates(
    readers: Sequence[ColumnReader], evidence: ItemEvidence, max_columns: int
) -> list[ColumnCandidate]:
    """Return the candidates that become columns, in the order of the page."""
    finders = [reader.finder for reader in readers]
    anchors = Anchors(finders)
    images = image_candidates(readers, anchors)
    texts = _text_candidates(finders, anchors, evidence, max_columns)[: max_columns - len(images)]
    links = link_candidates(readers, anchors, texts)[: min(MAX_LINKS, max_columns - len(images) - len(texts))]
    return sorted([*images, *texts, *links], key=_page_order)


def _text_candidates(
    finders: Sequence[Finder], anchors: Anchors, evidence: ItemEvidence, max_columns: int
) -> list[ColumnCandidate]:
    """Return the candidates of texts that become columns, the best first."""
    scorer = CandidateScorer(finders, anchors)
    proposed = [
        replace(candidate, spares=spares)
        for selector, rows, spares in _distinct_selectors(finders, anchors)
        if (candidate := scorer.candidate(selector, rows)) is not None
    ]
    return select([*proposed, *_with_label_variants(proposed, scorer)], evidence.rescored, max_columns)


def _with_label_variants(candidates: Sequence[ColumnCandidate], scorer: CandidateScorer) -> list[ColumnCandidate]:
    """Return candidates for values whose label is now in the singular and now in the plural: "Director:", "Directors:".

    Of each label the best candidate is taken; no page has both.
    """
    best: dict[str, dict[str, ColumnCandidate]] = {}
    for candidate in candidates:
        label = candidate.selector.label
        if label and is_own_value(candidate):
            by_label = best.setdefault(label_stem(label), {})
            known = by_label.get(label)
            if known is None or (candidate.score, str(known.selector)) > (known.score, str(candidate.selector)):
                by_label[label] = candidate
    merged = []
    for by_label in best.values():
        if len(by_label) == 2:
            first, second = sorted(by_label.values(), key=lambda candidate: (-candidate.score, candidate.label))
            if not any(own and other for own, other in zip(first.rows, second.rows, strict=True)):
                merged.append(scorer.merged(first, second))
    return merged


def _varying_texts(candidates: Sequence[ColumnCandidate]) -> frozenset[str]:
    """Return the values of columns that differ between pages: none of them is the name of another column."""
    return frozenset(
        text for candidate in candidates if len(set(candidate.texts)) > 1 for texts in candidate.texts for text in texts
    )


def _distinct_selectors(
    finders: Sequence[Finder], anchors: Anchors
) -> list[tuple[Selector, tuple[PageRows, ...], tuple[Selector, ...]]]:
    """Return the proposed selectors with the rows they find, the most stable of those that find the same rows.

    With each comes the most stable one by other means: without ids and classes, which survives their change, and if
    that goes by a label, one without labels.
    """
    support: Counter[Selector] = Counter()
    for finder in finders:
        support.update(set(Proposer(finder, anchors).selectors()))
    min_pages = min(2, len(finders))
    best: dict[tuple[PageRows, ...], _Ranked] = {}
    bare: dict[tuple[PageRows, ...], _Ranked] = {}
    unlabelled: dict[tuple[PageRows, ...], _Ranked] = {}
    for selector, count in support.items():
        if count < min_pages:
            continue
        rows = tuple(tuple(finder.rows(selector)) for finder in finders)
        if not any(rows) or max(map(len, rows)) > MAX_ITEMS:
            continue
        bonus = LABEL_BONUS if 0 < len(selector.label.split()) <= MAX_LABEL_WORDS else 0.0
        rank = (stability(selector) + bonus, -len(selector.steps), selector)
        _keep_better(best, rows, rank)
        if not any(step.id or step.class_name for step in selector.steps):
            _keep_better(bare, rows, rank)
        if not selector.label:
            _keep_better(unlabelled, rows, rank)
    return [
        (selector, rows, _spares(selector, bare.get(rows), unlabelled.get(rows)))
        for rows, (_, _, selector) in best.items()
    ]


def _spares(selector: Selector, *ranked: _Ranked | None) -> tuple[Selector, ...]:
    """Return the selectors that find the same rows by other means, if there are any."""
    return tuple(dict.fromkeys(rank[2] for rank in ranked if rank is not None and rank[2] != selector))


def _keep_better(known: dict[tuple[PageRows, ...], _Ranked], rows: tuple[PageRows, ...], rank: _Ranked) -> None:
    old = known.get(rows)
    if old is None or rank[:2] > old[:2] or (rank[:2] == old[:2] and str(rank[2]) < str(old[2])):
        known[rows] = rank


def _page_order(candidate: ColumnCandidate) -> tuple[float, str]:
    firsts = [rows[0] for rows in candidate.filled]
    return sum(firsts) / len(firsts), str(candidate.selector)


def _saved_column(candidate: ColumnCandidate, name: str, caption: str, field: str, language: str) -> SavedColumn:
    is_list = any(len(texts) > 1 for texts in candidate.texts)
    address = ADDRESS_TYPES.get(candidate.selector.attribute)
    if is_list:
        typing = InferredType("list", 1.0)
    elif address:
        typing = InferredType(address, 1.0)
    else:
        typing = infer_type(candidate.first_texts, caption=caption, language=language)
    stats = stats_of(candidate.texts, len(candidate.texts))
    role: Role | Literal[""] = cast("Role", field) if field in get_args(Role) else ""
    readings = tuple(Reading(selector) for selector in (candidate.selector, *candidate.alternatives))
    return SavedColumn(name, caption or name, readings, typing, stats, is_list, role, spares=candidate.spares)


def _header(candidate: ColumnCandidate, readers: Sequence[ColumnReader]) -> TableHeader | None:
    """Return the header of the table over a column, the same on all pages that have it; healing looks for it."""
    headers = set()
    for reader, rows in zip(readers, candidate.rows, strict=True):
        if rows:
            headers.add(header_over(reader.page, rows[0])[0])
    return headers.pop() if len(headers) == 1 else None


def _naming_labels(candidates: Sequence[ColumnCandidate]) -> list[str]:
    """Return the label of each column as a name; none for a value that shows what it is under the label of a block."""
    values = _varying_texts(candidates)
    labels = [_naming_label(candidate, values) for candidate in candidates]
    counts = Counter(labels)
    return [
        own if counts[label] >= MIN_BLOCK_COLUMNS and (own := _name_of_contact(candidate)) else label
        for candidate, label in zip(candidates, labels, strict=True)
    ]


def _name_of_contact(candidate: ColumnCandidate) -> str:
    """Return "website", "phone" or "email" if that is what all texts are, else ""."""
    texts = candidate.first_texts
    if all(map(_WEB_ADDRESS.fullmatch, texts)):
        return "website"
    pattern = common_pattern(texts)
    return pattern if pattern in ("phone", "email") else ""


def _naming_label(candidate: ColumnCandidate, values: frozenset[str]) -> str:
    """Return the label as a name: that of the selector, or a text with a colon before the value; never a value."""
    has_colon = candidate.label.endswith((":", "："))
    is_sure = bool(candidate.selector.label) or has_colon
    has_digits = candidate.label[:1].isdigit() or sum(map(str.isdigit, candidate.label)) > MAX_LABEL_DIGITS
    is_value = has_digits or candidate.label in values
    if not is_sure or (is_value and not has_colon) or len(candidate.label.split()) > MAX_LABEL_WORDS:
        return ""
    return candidate.label.rstrip(" :：=\xa0")


def _name_sources(
    candidate: ColumnCandidate, readers: Sequence[ColumnReader], field: FieldOfItem, label: str
) -> NameSources:
    """Return what may name a column, from the first page that has it."""
    k = next(k for k, rows in enumerate(candidate.rows) if rows)
    page, row = readers[k].page, candidate.rows[k][0]
    around = page.ancestors(row) if page.is_text(row) else chain((row,), page.ancestors(row))
    above = list(islice(around, MAX_NAMING_ELEMENTS))
    elements = tuple((page.name(element), tuple(page.attrs[element].get("class", "").split())) for element in above)
    itemprops = (page.attrs[element].get("itemprop", "") for element in above)
    is_rare = len(candidate.filled) < MIN_USUAL_SHARE * len(candidate.rows)
    return NameSources(
        role=field.name,
        prop=next(filter(None, itemprops), ""),
        label=label or field.repeated.replace("_", " ") or _name_of_contact(candidate),
        attribute=candidate.selector.attribute,
        pattern=common_pattern(candidate.first_texts),
        elements=elements,
        priority=(is_rare,),
    )
