"""Scoring column candidates of detail pages by what all learning pages have there."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from peneira.columns.outline import SEPARATORS
from peneira.columns.value_patterns import value_pattern
from peneira.wrappers.address_lines import are_address_lines
from peneira.wrappers.column_candidates import MAX_LABELLED_TEXTS, ColumnCandidate, PageRows
from peneira.xpath.anchors import Anchors
from peneira.xpath.finder import Finder, normalize_space
from peneira.xpath.selectors import TEXT, Selector
from peneira.xpath.stability import stability

LABEL_TAGS = frozenset({"td", "th", "dt", "label", "b", "strong", "h4", "h5", "h6"})
COLONS = (":", "：", "=")


@dataclass(frozen=True, slots=True)
class ScoringOptions:
    """How texts on several pages are judged; ``peneira bench wrappers`` measures the effect."""

    # The same text stands before a value on this share of the pages: it is its label
    min_label_share: float = 0.8
    # In a list at most this share of the items follows a fixed text: else these are labels of different values
    max_fixed_share: float = 0.5
    # A short list of the same length on at least this many pages is a tuple: each item has a meaning of its own
    max_tuple_items: int = 6
    min_tuple_pages: int = 4
    # The same text after a label on all pages: over the number of pages, as on few of them it is a coincidence
    constant_factor: float = 1.6
    # Texts at a position that nearly all pages have somewhere, as the entries of a menu that is longer on some pages
    template_factor: float = 0.3
    min_template_share: float = 0.8
    # Several texts that are neither a list nor the few after a label
    mixture_factor: float = 0.4


OPTIONS = ScoringOptions()


class CandidateScorer:
    """Makes candidates of selectors, with scores."""

    def __init__(self, finders: Sequence[Finder], anchors: Anchors) -> None:
        self._finders, self._anchors = finders, anchors
        self._texts = [_texts_by_row(finder) for finder in finders]
        self._text_rows = [list(texts) for texts in self._texts]

    def candidate(self, selector: Selector, rows: tuple[PageRows, ...]) -> ColumnCandidate | None:
        """Return the candidate of a selector that finds these rows; None if it reads fixed texts of the template."""
        texts = tuple(
            tuple(text for row in own if (text := by_row.get(row, "")))
            for by_row, own in zip(self._texts, rows, strict=True)
        )
        filled = [own for own in texts if own]
        if not filled:
            return None
        is_fixed = len(filled) > 1 and len(set(filled)) == 1
        if is_fixed and not is_after_label(selector):
            return None
        is_address = are_address_lines(filled)
        is_list = is_address or (max(map(len, rows)) > 1 and self._is_list(rows))
        score = self._score(selector, rows, filled, is_list=is_list, is_address=is_address)
        label = self._label(selector, rows)
        return ColumnCandidate(selector, rows, texts, score, is_list, label, is_address=is_address)

    def merged(self, first: ColumnCandidate, second: ColumnCandidate) -> ColumnCandidate:
        """Return the candidate that reads what either of two finds, of which no page has both."""
        rows = tuple(own or others for own, others in zip(first.rows, second.rows, strict=True))
        texts = tuple(own or others for own, others in zip(first.texts, second.texts, strict=True))
        is_list = first.is_list or second.is_list
        score = self._score(first.selector, rows, [own for own in texts if own], is_list=is_list, is_address=False)
        return replace(first, rows=rows, texts=texts, score=score, is_list=is_list, alternatives=(second.selector,))

    def _score(
        self,
        selector: Selector,
        rows: tuple[PageRows, ...],
        filled: Sequence[tuple[str, ...]],
        *,
        is_list: bool,
        is_address: bool,
    ) -> float:
        # all pages have the same value after a label: it is a value still
        is_constant = len(filled) > 1 and len(set(filled)) == 1
        is_labelled = is_after_label(selector)
        is_one_value = is_list or max(map(len, rows)) == 1 or _are_few_after_label(selector, filled)
        fill = len(filled) / len(rows)
        variety = (len(set(filled)) - 1) / max(len(filled) - 1, 1) if len(rows) > 1 else 1.0
        patterns = Counter(value_pattern(texts[0]) for texts in filled)
        similarity = max(patterns.values()) / len(filled)
        single = sum(len(texts) == 1 for texts in filled) / len(filled)
        context = 1.0 if _is_anchored(selector) else self._text_before(rows)[1]
        return (
            fill
            * (0.6 + 0.4 * variety)
            * (
                min(1.0, OPTIONS.constant_factor / len(filled))
                if is_constant
                else (1 - _fixed_share(filled)) ** (1 if is_labelled else 2)
            )
            * (0.5 + 0.5 * similarity)
            * (1.0 if is_address or (is_labelled and is_list) else 0.6 + 0.4 * single)
            * (0.5 + 0.5 * context)
            * (0.3 + 0.7 * self._seen_share(rows))
            * (0.3 + 0.7 * stability(selector))
            * (1.0 if is_one_value else OPTIONS.mixture_factor)
            * (OPTIONS.template_factor if _is_counted(selector) and self._are_of_template(filled) else 1.0)
        )

    def _are_of_template(self, filled: Sequence[tuple[str, ...]]) -> bool:
        """Return whether most of the texts are on nearly all pages: their place differs, not they."""
        texts = [text for texts in filled for text in texts]
        return sum(map(self._anchors.is_fixed, texts)) >= OPTIONS.min_template_share * len(texts)

    def _is_list(self, rows: tuple[PageRows, ...]) -> bool:
        """Return whether the rows are one list on each page: each in a child of its own below one node."""
        several = [(finder, own) for finder, own in zip(self._finders, rows, strict=True) if len(own) > 1]
        if not all(_are_in_different_children(finder, own) for finder, own in several) or self._is_tuple(rows):
            return False
        before = [self._before(page, row) for page, own in enumerate(rows) for row in own[1:]]
        return sum(map(self._anchors.is_fixed, before)) <= OPTIONS.max_fixed_share * len(before)

    def _is_tuple(self, rows: tuple[PageRows, ...]) -> bool:
        """Return whether a list is short, of the same length on all pages, and not of links: then items differ in
        meaning."""
        lengths = {len(own) for own in rows if own}
        firsts = [(finder.page, own[0]) for finder, own in zip(self._finders, rows, strict=True) if own]
        if len(lengths) > 1 or max(lengths) > OPTIONS.max_tuple_items or len(firsts) < OPTIONS.min_tuple_pages:
            return False
        return not any(page.name(page.lists.parent[row]) == "a" for page, row in firsts)

    def _text_before(self, rows: tuple[PageRows, ...]) -> tuple[str, float]:
        """Return the text that most often stands before the first row, and on which share of the pages."""
        before = Counter(self._before(page, own[0]) for page, own in enumerate(rows) if own)
        text, times = max(before.items(), key=lambda item: (item[1], item[0]))
        return text, times / sum(before.values())

    def _label(self, selector: Selector, rows: tuple[PageRows, ...]) -> str:
        """Return the label of its selector, or the text that stands before it on nearly all pages."""
        if selector.label:
            return selector.label
        text, share = self._text_before(rows)
        return text if share >= OPTIONS.min_label_share and self._anchors.is_label(text) else ""

    def _before(self, page: int, row: int) -> str:
        """Return the text before a row, without separators."""
        rows = self._text_rows[page]
        at = bisect_left(rows, row)
        return normalize_space(self._finders[page].page.text[rows[at - 1]]) if at else ""

    def _seen_share(self, rows: tuple[PageRows, ...]) -> float:
        """Return the share of the rows that are visible on the page."""
        flags = [bool(finder.page.seen[row]) for finder, own in zip(self._finders, rows, strict=True) for row in own]
        return sum(flags) / len(flags)


def is_after_label(selector: Selector) -> bool:
    """Return whether a label announces a value here, even if all pages have the same one."""
    label = next((step for step in selector.steps if step.label), None)
    if label is None:
        return False
    return label.label.rstrip().endswith(COLONS) or (bool(label.text) and label.name in LABEL_TAGS)


def _is_anchored(selector: Selector) -> bool:
    """Return whether a selector ends at an element with an anchor and counts nothing: the text before is irrelevant."""
    elements = [step for step in selector.steps if step.name != TEXT and not step.name.startswith("@")]
    return any(not step.is_tag_only for step in elements[-2:]) and not _is_counted(selector)


def _is_counted(selector: Selector) -> bool:
    """Return whether a selector takes the second or a later of several nodes."""
    return any(step.position > 1 for step in selector.steps)


def _are_few_after_label(selector: Selector, filled: Sequence[tuple[str, ...]]) -> bool:
    return bool(selector.label) and sum(map(len, filled)) <= MAX_LABELLED_TEXTS * len(filled)


def _fixed_share(filled: Sequence[tuple[str, ...]]) -> float:
    """Return the share of the texts that all of several pages have."""
    if len(filled) < 2:
        return 0.0
    common = set(filled[0]).intersection(*filled[1:])
    every = [text for texts in filled for text in texts]
    return sum(text in common for text in every) / len(every)


def _are_in_different_children(finder: Finder, rows: PageRows) -> bool:
    """Return whether rows lie in different children of the node that holds them all."""
    ends = finder.page.lists.end
    parents = finder.page.lists.parent
    holder = parents[rows[0]]
    while ends[holder] <= rows[-1]:
        holder = parents[holder]
    children = set()
    for row in rows:
        child = row
        while parents[child] != holder:
            child = parents[child]
        children.add(child)
    return len(children) == len(rows)


def _texts_by_row(finder: Finder) -> dict[int, str]:
    page = finder.page
    texts = {row: " ".join(page.text[row].split()) for row in finder.texts_in(0)}
    return {row: text for row, text in texts.items() if not SEPARATORS.issuperset(text)}
