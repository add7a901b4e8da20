"""What labels say about column candidates of detail pages: whether one names a value, and whether a value is a cell of
a table of numbers or a part of a sentence."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from peneira.columns.labels import MAX_LABEL_WORDS
from peneira.columns.role_words import named_roles
from peneira.items.labelled_values import role_of_label
from peneira.wrappers.candidate_scoring import COLONS, is_after_label
from peneira.wrappers.column_candidates import ColumnCandidate
from peneira.xpath.selectors import TEXT, Step

_WORD = re.compile(r"\w+")
MIN_PLURAL_CHARS = 4
LABEL_ENDS = " :：=\xa0"
_CELL_TAGS = frozenset({"td", "th"})
_HEADING_TAGS = frozenset({"h1", "h2", "h3"})


@dataclass(frozen=True, slots=True)
class LabelOptions:
    """How labels count; ``peneira bench wrappers`` measures the effect."""

    # A label, and one whose words name a role of columns or a field of items
    label_factor: float = 1.3
    role_label_factor: float = 1.7
    # The heading of a part of the page
    heading_factor: float = 1.2
    # The same value on all pages, in a table whose other values differ: it differs on other pages of the site
    constant_in_table_factor: float = 2.0
    min_varying_in_table: int = 2
    # Any other one; one that is the label of something else, as in a row of headers
    constant_factor: float = 0.6
    constant_label_factor: float = 0.2
    # The second and further cells after a label, and the first one of several: statistics
    further_cell_factor: float = 0.5
    first_cell_factor: float = 0.8
    # A link or a bold word in a sentence that begins with the same words on several pages
    sentence_factor: float = 0.5
    min_sentence_words: int = 3


OPTIONS = LabelOptions()

# The label and all that leads from it to the value, without its words
_Layout = tuple[Step, ...]


class LabelEvidence:
    """What the labels of all candidates say about each."""

    def __init__(self, candidates: Sequence[ColumnCandidate]) -> None:
        self._cells_after: dict[Step, set[int]] = defaultdict(set)
        self._varying: Counter[_Layout] = Counter()
        constants = [candidate for candidate in candidates if candidate.is_constant]
        self._constant_labels = {candidate.selector.label for candidate in constants}
        self._constant_values = {texts[0] for candidate in constants for texts in candidate.texts if texts}
        for candidate in candidates:
            if (cell := _cell_after_label(candidate)) is not None:
                self._cells_after[cell[0]].add(cell[1])
            if is_after_label(candidate.selector) and not candidate.is_constant:
                self._varying[_layout(candidate)] += 1

    def factor(self, candidate: ColumnCandidate) -> float:
        """Return by what a score is multiplied because of its label."""
        if not is_labelled(candidate):
            return 1.0
        if _is_heading(candidate):
            return OPTIONS.heading_factor
        if self._is_in_sentence(candidate):
            return OPTIONS.sentence_factor
        factor = OPTIONS.role_label_factor if names_role(candidate.label) else OPTIONS.label_factor
        if candidate.is_constant:
            factor *= self._constant_factor(candidate)
        cell = _cell_after_label(candidate)
        if cell is not None and len(self._cells_after[cell[0]]) > 1:
            is_first = cell[1] == min(self._cells_after[cell[0]])
            factor *= OPTIONS.first_cell_factor if is_first else OPTIONS.further_cell_factor
        return factor

    def _constant_factor(self, candidate: ColumnCandidate) -> float:
        value = next(filter(None, candidate.texts))[0]
        if value in self._constant_labels or candidate.selector.label in self._constant_values:
            return OPTIONS.constant_label_factor
        is_tabled = self._varying[_layout(candidate)] >= OPTIONS.min_varying_in_table
        return OPTIONS.constant_in_table_factor if is_tabled else OPTIONS.constant_factor

    def _is_in_sentence(self, candidate: ColumnCandidate) -> bool:
        """Return whether the words before a value are no label but the beginning of a sentence."""
        label = candidate.label.rstrip("\xa0 ")
        if label.endswith(COLONS) or is_after_label(candidate.selector):
            return False
        return label[:1].islower() or len(label.split()) >= OPTIONS.min_sentence_words


def is_labelled(candidate: ColumnCandidate) -> bool:
    """Return whether a value is found by its label, or stands after a few words with a colon."""
    label = candidate.label
    return bool(candidate.selector.label) or (label.endswith(COLONS) and len(label.split()) <= MAX_LABEL_WORDS)


def _is_heading(candidate: ColumnCandidate) -> bool:
    """Return whether a value is found by the heading of the part of the page that it is in."""
    return any(step.text and step.name in _HEADING_TAGS for step in candidate.selector.steps)


def is_own_value(candidate: ColumnCandidate) -> bool:
    """Return whether a value has a label that finds it alone: a list of other things would repeat the label."""
    return is_after_label(candidate.selector) and (candidate.is_single or candidate.is_list)


def label_stem(label: str) -> str:
    """Return the words of a label without signs, case and plural."""
    words = _WORD.findall(label.casefold().replace("(s)", ""))
    return " ".join(word.removesuffix("s") if len(word) >= MIN_PLURAL_CHARS else word for word in words)


def names_role(label: str) -> bool:
    """Return whether the words of a label name a role of columns or a field of items."""
    bare = label.strip(LABEL_ENDS)
    return bool(bare) and (bool(role_of_label(bare)[0]) or 1.0 in named_roles(bare).values())


def _cell_after_label(candidate: ColumnCandidate) -> tuple[Step, int] | None:
    """Return the label before the cells of a table or several links, and which of them it is; None for other values."""
    steps = candidate.selector.steps
    for label, value in pairwise(steps):
        if label.text and value.axis == "nth-sibling" and (value.name in _CELL_TAGS or value.name == "a"):
            return label, value.position
    return None


def _layout(candidate: ColumnCandidate) -> _Layout:
    """Return the steps from the element of a label on, as they are for all labels of a table."""
    steps = candidate.selector.steps
    at = next((k for k, step in enumerate(steps) if step.label), 0)
    name = steps[at].name if steps[at].name != TEXT else ""
    return (Step("descendant", name or "*"), *steps[at + 1 :])
