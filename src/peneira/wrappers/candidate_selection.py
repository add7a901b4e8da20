"""Selecting the columns of detail pages among scored candidates: each must read enough new texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from peneira.wrappers.candidate_scoring import is_after_label
from peneira.wrappers.column_candidates import ColumnCandidate

# More columns are of no use to a reader: beyond this the candidates with the lowest scores are left out
MAX_COLUMNS = 30


@dataclass(frozen=True, slots=True)
class SelectionOptions:
    """Which candidates become columns; ``peneira bench wrappers`` measures the effect."""

    min_score: float = 0.15
    # This share of the texts that a column reads is read by no better column
    min_new: float = 0.4
    # The labels of candidates with this score are labels, so they are no values
    sure_score: float = 0.4
    # A list of at least this many items per page lowers the score of candidates with most of their texts in it
    min_list_items: int = 3
    item_share: float = 0.8
    item_factor: float = 0.5


OPTIONS = SelectionOptions()

Cells = set[tuple[int, int]]


def select(
    candidates: Sequence[ColumnCandidate],
    rescored: Callable[[Sequence[ColumnCandidate]], Sequence[ColumnCandidate]],
    max_columns: int = MAX_COLUMNS,
) -> list[ColumnCandidate]:
    """Return the candidates that become columns, the best first. ``rescored``: what is known of single candidates."""
    demoted = rescored(_with_labels_demoted(_with_items_demoted(candidates)))
    ranked = sorted(
        (candidate for candidate in demoted if candidate.score >= OPTIONS.min_score),
        key=lambda candidate: (-candidate.score, str(candidate.selector)),
    )
    return _with_new_texts(ranked, max_columns)


def _with_labels_demoted(candidates: Sequence[ColumnCandidate]) -> list[ColumnCandidate]:
    """Return the candidates, with lower scores where the texts are labels of other candidates."""
    labels = {
        candidate.selector.label.rstrip(" :")
        for candidate in candidates
        if is_after_label(candidate.selector) and candidate.score >= OPTIONS.sure_score
    }
    result = []
    for candidate in candidates:
        every = [text for texts in candidate.texts for text in texts]
        share = sum(text.rstrip(" :") in labels for text in every) / len(every)
        result.append(replace(candidate, score=candidate.score * (1 - share)))
    return result


def _with_items_demoted(candidates: Sequence[ColumnCandidate]) -> list[ColumnCandidate]:
    """Return the candidates, with lower scores for single items of a list (with the same label, if they have one)."""
    listed: dict[str, Cells] = {}
    for candidate in candidates:
        is_long = sum(map(len, candidate.rows)) >= OPTIONS.min_list_items * len(candidate.filled)
        if candidate.is_list and (candidate.selector.label or is_long):
            listed.setdefault(candidate.selector.label, set()).update(candidate.cells)
    every = set().union(*listed.values())
    result = []
    for candidate in candidates:
        items = listed.get(candidate.selector.label, set()) if candidate.is_labelled else every
        cells = candidate.cells
        is_item = candidate.is_single and len(cells & items) > OPTIONS.item_share * len(cells)
        result.append(replace(candidate, score=candidate.score * OPTIONS.item_factor) if is_item else candidate)
    return result


def _with_new_texts(ranked: Sequence[ColumnCandidate], max_columns: int) -> list[ColumnCandidate]:
    """Return the candidates that read enough texts that no better candidate reads."""
    chosen: list[ColumnCandidate] = []
    known_texts: set[tuple[tuple[str, ...], ...]] = set()
    read = _CellsRead()
    for candidate in ranked:
        cells = candidate.cells
        texts = tuple(tuple(sorted(set(own))) for own in candidate.texts)
        if texts in known_texts or len(cells - read.taken_from(candidate)) < OPTIONS.min_new * len(cells):
            continue
        known_texts.add(texts)
        read.add(candidate)
        chosen.append(candidate)
        if len(chosen) == max_columns:
            break
    return chosen


class _CellsRead:
    """What the chosen candidates read: single texts, of these the labelled ones, several at once, lists by label."""

    def __init__(self) -> None:
        self._single: Cells = set()
        self._labelled: Cells = set()
        self._several: Cells = set()
        self._lists: dict[str, Cells] = {}

    def taken_from(self, candidate: ColumnCandidate) -> Cells:
        """Return the texts that a candidate may not read again."""
        label = candidate.selector.label
        if candidate.is_single:
            lists = [cells for of, cells in self._lists.items() if of == label or not candidate.is_labelled]
            return self._single.union(*lists)
        if candidate.is_mixture:
            return self._several | self._single
        if candidate.is_list:
            return self._several
        return self._several | self._single if label else self._several | self._labelled

    def add(self, candidate: ColumnCandidate) -> None:
        """Record what a chosen candidate reads."""
        cells = candidate.cells
        if candidate.is_single:
            self._single |= cells
            if candidate.is_labelled:
                self._labelled |= cells
        else:
            self._several |= cells
            if candidate.is_list and not candidate.is_address:
                self._lists.setdefault(candidate.selector.label, set()).update(cells)
