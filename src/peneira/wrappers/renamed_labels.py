"""Finding columns of detail pages again whose labels were renamed: which new texts stand where the labels stood.

A label that is on none of the changed pages has become another text, or is gone. Texts that many of the pages have, in
an element of the same kind, may have taken its place: the columns after it then read values of the old type and
patterns, in as many pages. Labels keep their order, so that old and new ones are aligned as two sequences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from peneira.budget import check_budget
from peneira.trees.alignment import increasing_pairs
from peneira.wrappers.saved_columns import (
    MAX_SAMPLE_CHARS,
    ColumnReader,
    Reading,
    SavedColumn,
    alike_share,
    stats_of,
    value_pattern,
    varies_less,
)
from peneira.xpath.finder import normalize_space
from peneira.xpath.selectors import TEXT, Selector, Step, can_quote


@dataclass(frozen=True, slots=True)
class RenamingOptions:
    """When a text is a renamed label; ``peneira bench wrappers --drift`` measures the effect."""

    # A label has at most this many characters
    max_chars: int = 60
    # A new label is on this share of the pages that had the old one, and on two pages at least
    min_pages: float = 0.4
    # The columns after it have this share of their former values, of which this share is of the old type and patterns
    min_fill: float = 0.5
    min_alike: float = 0.5
    # What pairs of labels score at least, 0..1
    min_score: float = 0.5
    # A label that is still on this share of the pages that had it was not renamed
    max_left: float = 0.2


OPTIONS = RenamingOptions()


@dataclass(frozen=True, slots=True)
class _Label:
    """A label that columns start from: its text, the step that tests it, and the numbers of the columns."""

    text: str
    step: Step
    columns: tuple[int, ...]


def relabelled(columns: Sequence[SavedColumn], readers: Sequence[ColumnReader]) -> dict[int, SavedColumn]:
    """Return the columns whose labels were renamed as the new labels find them, by number.

    ``columns`` are those of detail pages, in the order of the page; each of the readers has one changed page.
    """
    labels = _labels(columns)
    lost = [label for label in labels if _is_lost(label, columns, readers)]
    if not lost or len(readers) < 2:
        return {}
    known = {label.text for label in labels}
    kinds = {(label.step.name, bool(label.step.text_prefix)) for label in lost}
    texts = {kind: _texts_of_kind(readers, *kind) for kind in kinds}
    places = _placed(labels, lost, known, texts, readers)
    sequence = sorted({text for text, _ in places}, key=lambda text: min(at for other, at in places if other == text))
    scores = [[_score(label, text, columns, readers, lost, texts) for text in sequence] for label in labels]
    found: dict[int, SavedColumn] = {}
    for i, j in increasing_pairs(scores):
        if labels[i] in lost and sequence[j] != labels[i].text:
            for k in labels[i].columns:
                moved = _moved(columns[k], labels[i], sequence[j], readers)
                if moved is not None:
                    found[k] = moved
    return found


def _labels(columns: Sequence[SavedColumn]) -> list[_Label]:
    """Return the labels that the first readings of columns start from, in the order of the columns."""
    found: dict[tuple[str, str, bool], list[int]] = {}
    steps: dict[tuple[str, str, bool], Step] = {}
    for k, column in enumerate(columns):
        step = next((step for step in reversed(column.selector.steps) if step.label), None)
        if step is not None and column.source == "page":
            key = (step.label, step.name, bool(step.text_prefix))
            found.setdefault(key, []).append(k)
            steps.setdefault(key, step)
    return [_Label(key[0], steps[key], tuple(numbers)) for key, numbers in found.items()]


def _is_lost(label: _Label, columns: Sequence[SavedColumn], readers: Sequence[ColumnReader]) -> bool:
    column = columns[label.columns[0]]
    at = max(k for k, step in enumerate(column.selector.steps) if step.label == label.text)
    selector = Selector(column.selector.steps[: at + 1], column.selector.is_relative)
    count = sum(bool(reader.finder.rows(selector)) for reader in readers)
    return count <= OPTIONS.max_left * _expected(label, columns, len(readers))


def _expected(label: _Label, columns: Sequence[SavedColumn], pages: int) -> float:
    return max(columns[k].stats.fill for k in label.columns) * pages


def _texts_of_kind(readers: Sequence[ColumnReader], name: str, is_prefix: bool) -> Mapping[str, list[float]]:
    """Return the texts that could be labels of one kind, with their place on each page that has them, 0..1."""
    places: dict[str, list[float]] = {}
    for reader in readers:
        page, seen = reader.page, set()
        for row in reader.finder.texts_in(0):
            text = normalize_space(page.text[row])
            if is_prefix:
                text, colon, rest = text.partition(":")
                text = text + colon if colon and rest else ""
            is_kind = name in (TEXT, "*") or any(page.name(e) == name for e in reader.finder.elements_with_only(row))
            if text and len(text) <= OPTIONS.max_chars and can_quote(text) and is_kind and text not in seen:
                seen.add(text)
                places.setdefault(text, []).append(row / len(page))
    return places


def _placed(
    labels: Sequence[_Label],
    lost: Sequence[_Label],
    known: set[str],
    texts: Mapping[tuple[str, bool], Mapping[str, list[float]]],
    readers: Sequence[ColumnReader],
) -> list[tuple[str, float]]:
    """Return the texts that may be labels, old ones that are left and new ones, with their places."""
    least = min(2, len(readers))
    new = [
        (text, fmean(places))
        for kind in dict.fromkeys((label.step.name, bool(label.step.text_prefix)) for label in lost)
        for text, places in texts[kind].items()
        if len(places) >= least and text not in known
    ]
    left = {label.text for label in labels if label not in lost}
    rows: dict[str, list[float]] = {}
    for reader in readers:
        for row in reader.finder.texts_in(0):
            text = normalize_space(reader.page.text[row])
            if text in left:
                rows.setdefault(text, []).append(row / len(reader.page))
    return [*new, *((text, fmean(places)) for text, places in rows.items())]


def _score(
    label: _Label,
    text: str,
    columns: Sequence[SavedColumn],
    readers: Sequence[ColumnReader],
    lost: Sequence[_Label],
    texts: Mapping[tuple[str, bool], Mapping[str, list[float]]],
) -> float:
    """Return how likely a text is the new form of a label, 0..1; a label that is left is sure to be itself."""
    if label not in lost:
        return float(text == label.text)
    check_budget()
    places = texts[label.step.name, bool(label.step.text_prefix)].get(text, ())
    expected = _expected(label, columns, len(readers))
    if len(places) < OPTIONS.min_pages * expected:
        return 0.0
    scores = [_column_score(columns[k], label, text, readers) for k in label.columns]
    score = fmean(scores)
    return score if score >= OPTIONS.min_score else 0.0


def _column_score(column: SavedColumn, label: _Label, text: str, readers: Sequence[ColumnReader]) -> float:
    """Return how well the values after a new label are those of a column, 0..1."""
    moved = _with_label(column, label, text)
    values = [found.texts for reader in readers if (found := reader.values(moved)) is not None]
    expected = column.stats.fill * len(readers)
    if not values or len(values) < OPTIONS.min_fill * expected:
        return 0.0
    firsts = [own[0] for own in values]
    alike = alike_share(column, firsts)
    if alike < OPTIONS.min_alike or varies_less(column, values):
        return 0.0
    stats = stats_of(values, len(readers))
    patterns = {pattern.casefold() for pattern in column.stats.patterns}
    shared = sum(value_pattern(first).casefold() in patterns for first in firsts) / len(firsts)
    samples = bool(set(column.stats.samples) & {first[:MAX_SAMPLE_CHARS] for first in firsts})
    closeness = 1 - abs(stats.fill - column.stats.fill), 1 - abs(stats.distinct - column.stats.distinct)
    length = _length_ratio(column.stats.samples, stats.samples)
    return 0.25 * alike + 0.2 * shared + 0.15 * samples + 0.15 * closeness[0] + 0.1 * closeness[1] + 0.15 * length


def _length_ratio(samples: Sequence[str], others: Sequence[str]) -> float:
    if not samples or not others:
        return 0.0
    first, second = (fmean(map(len, texts)) + 1 for texts in (samples, others))
    return min(first, second) / max(first, second)


def _with_label(column: SavedColumn, label: _Label, text: str) -> SavedColumn:
    """Return a column whose first reading starts from another label."""
    reading = column.readings[0]
    steps = tuple(
        replace(step, text=text if step.text else "", text_prefix=text if step.text_prefix else "")
        if step.label == label.text
        else step
        for step in reading.selector.steps
    )
    selector = Selector(steps, reading.selector.is_relative)
    return replace(column, readings=(Reading(selector, reading.label, reading.cut),))


def _moved(column: SavedColumn, label: _Label, text: str, readers: Sequence[ColumnReader]) -> SavedColumn | None:
    """Return a column as its new label finds it, None if that does not read its values."""
    if not _column_score(column, label, text, readers):
        return None
    moved = _with_label(column, label, text)
    texts = [found.texts for reader in readers if (found := reader.values(moved)) is not None]
    return replace(moved, stats=replace(stats_of(texts, len(readers)), samples=column.stats.samples))
