"""Which columns of a wrapper learned again are the old ones: by their values, labels, roles, places and order.

Evidence of the values and the labels decides first. What is left of a detail page is matched in the order of the page,
between the columns that are already matched, as two sequences are aligned: most redesigns keep the order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from peneira.columns.names import base_name
from peneira.trees.alignment import increasing_pairs
from peneira.wrappers.saved_columns import SavedColumn
from peneira.xpath.selectors import Selector


@dataclass(frozen=True, slots=True)
class MatchWeights:
    """How much each kind of evidence adds to the match of two columns."""

    samples: float = 4.0
    selector: float = 4.0
    label: float = 3.0
    header: float = 2.0
    role: float = 2.5
    caption: float = 1.5
    name: float = 1.5
    place: float = 1.5
    order: float = 1.0
    spares: float = 3.0
    patterns: float = 1.0
    type: float = 0.5


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """When two columns are the same; ``peneira bench wrappers --drift`` measures the effect."""

    # The weights of the evidence add up to at least this
    min_match: float = 2.5
    # Of columns matched by the order of the page, likeness adds up to at least this
    min_likeness: float = 2.2
    # A column with fewer distinct values has the same ones on other pages
    few_distinct: float = 0.34


WEIGHTS = MatchWeights()
OPTIONS = MatchOptions()
# Names that say nothing of what a column is
PLAIN_NAMES = frozenset({"text", "image", "link", "url", "number"})


def paired(
    old: Sequence[SavedColumn | None],
    new: Sequence[SavedColumn],
    values: Mapping[str, set[str]],
    spare_values: Sequence[set[str]],
) -> dict[int, int]:
    """Return the number of the new column for each old column that is found again, the best matches first.

    ``values``: what the new columns read; ``spare_values``: what the spare selectors of the old columns read. A new
    column with the caption of another old column is not taken.
    """
    captions = {column.caption for column in old if column is not None}
    scored = (
        (-score - WEIGHTS.order * _same_order(k / len(old), n / len(new)), k, n)
        for k, column in enumerate(old)
        if column is not None
        for n, other in enumerate(new)
        if other.source == "page"
        and (other.caption == column.caption or other.caption not in captions)
        and (score := column_match(column, other, values[other.name], spare_values[k])) >= OPTIONS.min_match
    )
    return _best_first(scored)


def paired_in_order(
    old: Sequence[SavedColumn | None],
    new: Sequence[SavedColumn],
    values: Mapping[str, set[str]],
    spare_values: Sequence[set[str]],
) -> dict[int, int]:
    """Return the same for columns that are in the order of the page: the rest is aligned between the sure matches."""
    scored = (
        (-score - WEIGHTS.order * _same_order(k / len(old), n / len(new)), k, n)
        for k, column in enumerate(old)
        if column is not None
        for n, other in enumerate(new)
        if strong_match(column, other, values[other.name], spare_values[k]) >= OPTIONS.min_match - WEIGHTS.type
        and (score := column_match(column, other, values[other.name], spare_values[k])) >= OPTIONS.min_match
    )
    pairs = _best_first(scored)
    bounds = [(-1, -1), *_increasing(sorted(pairs.items())), (len(old), len(new))]
    taken = set(pairs.values())
    for (k_start, n_start), (k_end, n_end) in pairwise(bounds):
        left = [k for k in range(k_start + 1, k_end) if old[k] is not None and k not in pairs]
        right = [n for n in range(n_start + 1, n_end) if n not in taken]
        if left and right:
            likeness = [[_likeness(old[k], new[n], values[new[n].name]) for n in right] for k in left]
            for i, j in increasing_pairs([[max(score, 0.0) for score in row] for row in likeness]):
                pairs[left[i]] = right[j]
                taken.add(right[j])
    return pairs


def is_sure(column: SavedColumn, other: SavedColumn, values: Mapping[str, set[str]], spare_values: set[str]) -> bool:
    """Return whether selectors or roles say that two columns are the same, not only samples, place and order."""
    by_spares = 2 * len(spare_values & values[other.name]) > len(spare_values)
    by_role = bool(column.role) and column.role == other.role
    return column.selector == other.selector or by_spares or by_role


def have_other_tags(old: Sequence[SavedColumn], new: Sequence[SavedColumn]) -> bool:
    """Return whether hardly any column is in elements of the same tags as before: all of the markup has changed."""
    known = {tags_of(column.selector) for column in new}
    texts = [column for column in old if column.readings and not column.selector.attribute]
    return 4 * sum(tags_of(column.selector) in known for column in texts) <= len(texts)


def _best_first(scored: Iterable[tuple[float, int, int]]) -> dict[int, int]:
    """Return pairs, the lowest scores first, with no number of either side twice."""
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, k, n in sorted(scored):
        if k not in pairs and n not in taken:
            pairs[k] = n
            taken.add(n)
    return pairs


def _increasing(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest part of pairs sorted by their first numbers whose second numbers increase too."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for i, (_, n) in enumerate(pairs):
        at = bisect_left(ends, n)
        before.append(last[at - 1] if at else -1)
        if at == len(ends):
            ends.append(n)
            last.append(i)
        else:
            ends[at], last[at] = n, i
    chain: list[tuple[int, int]] = []
    i = last[-1] if last else -1
    while i >= 0:
        chain.append(pairs[i])
        i = before[i]
    return chain[::-1]


def _likeness(column: SavedColumn | None, other: SavedColumn, values: set[str]) -> float:
    """Return how alike two columns are by their place and their values, above the least that is needed; -1 for not."""
    if column is None or other.source != "page" or column.selector.attribute != other.selector.attribute:
        return -1.0
    own, new = column.stats, other.stats
    if own.distinct < OPTIONS.few_distinct and own.samples and not set(own.samples) & values:
        return -1.0
    patterns = set(own.patterns)
    score = 0.5 * (column.typing.type == other.typing.type) - (column.is_list != other.is_list)
    score += tags_of(column.selector) == tags_of(other.selector)
    score += len(patterns & set(new.patterns)) / max(len(patterns), 1)
    score += 0.5 * (1 - abs(own.fill - new.fill)) + 0.5 * (1 - abs(own.distinct - new.distinct))
    score += _length_ratio(own.samples, new.samples)
    return score - OPTIONS.min_likeness + 0.001


def _length_ratio(samples: Sequence[str], others: Sequence[str]) -> float:
    if not samples or not others:
        return 0.0
    first, second = (fmean(map(len, texts)) + 1 for texts in (samples, others))
    return min(first, second) / max(first, second)


def _same_order(old: float, new: float) -> float:
    """Return how close two columns are in the order of their wrappers, 0..1: between equals the order decides."""
    return max(0.0, 1 - 4 * abs(old - new))


def strong_match(column: SavedColumn, other: SavedColumn, values: set[str], spare_values: set[str]) -> float:
    """Return how much evidence of values, labels, roles and names there is that two columns are the same."""
    if column.selector.attribute != other.selector.attribute:
        return 0.0
    stats = column.stats
    sample_share = sum(sample in values for sample in stats.samples) / len(stats.samples) if stats.samples else 0.0
    if not sample_share and stats.samples and stats.distinct < OPTIONS.few_distinct:
        return 0.0
    label = column.selector.label or column.label
    is_named = base_name(column.name) not in PLAIN_NAMES
    score = WEIGHTS.samples * sample_share + WEIGHTS.selector * (column.selector == other.selector)
    score += WEIGHTS.label * (bool(label) and label == (other.selector.label or other.label))
    score += WEIGHTS.header * same_header(column, other)
    score += WEIGHTS.spares * len(spare_values & values) / max(len(spare_values), 1)
    score += WEIGHTS.role * (bool(column.role) and column.role == other.role)
    return score + is_named * (
        WEIGHTS.caption * (column.caption == other.caption) + WEIGHTS.name * (column.name == other.name)
    )


def column_match(column: SavedColumn, other: SavedColumn, values: set[str], spare_values: set[str]) -> float:
    """Return how much evidence there is that two columns are the same."""
    if column.selector.attribute != other.selector.attribute:
        return 0.0
    samples = column.stats.samples
    sample_share = sum(sample in values for sample in samples) / len(samples) if samples else 0.0
    label = column.selector.label or column.label
    score = WEIGHTS.samples * sample_share + WEIGHTS.selector * (column.selector == other.selector)
    score += WEIGHTS.label * (bool(label) and label == (other.selector.label or other.label))
    score += WEIGHTS.header * same_header(column, other)
    score += WEIGHTS.spares * len(spare_values & values) / max(len(spare_values), 1)
    score += WEIGHTS.role * (bool(column.role) and column.role == other.role)
    score += WEIGHTS.place * (tags_of(column.selector) == tags_of(other.selector))
    score += WEIGHTS.caption * (column.caption == other.caption) + WEIGHTS.name * (column.name == other.name)
    score += WEIGHTS.type * (column.typing.type == other.typing.type) - (column.is_list != other.is_list)
    patterns = set(column.stats.patterns)
    return score + WEIGHTS.patterns * len(patterns & set(other.stats.patterns)) / max(len(patterns), 1)


def same_header(column: SavedColumn, other: SavedColumn) -> bool:
    """Return whether two columns have the same header in a table."""
    return column.header is not None and other.header is not None and column.header.text == other.header.text


def tags_of(selector: Selector) -> tuple[str, ...]:
    """Return the tags on the way to a column, which change less often than classes."""
    return tuple(step.name for step in selector.steps)
