"""The shape of a record: which elements it has, and how many of each at least and at most.

Tags change less often than classes, so the shape still identifies a record whose classes are new; and it tells records
from other matches of a selector, such as a row of headings, an advertisement or a table around the whole list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from peneira.page import Page

# Element kind, as the tags from the top of the record down to it ("tr/td/a"): the fewest and the most in a record
Shape = Mapping[str, tuple[int, int]]

# Deeper elements tell little about a record; the outermost kinds are enough
MAX_DEPTH = 5
MAX_KINDS = 60
# More elements of a kind than this count as this many
MAX_COUNTED = 20
# This share of the records at either end of a range is left out as outliers
_OUTLIER_SHARE = 0.1
# HTML parsers differ in whether they insert these
_OPTIONAL_TAGS = frozenset({"tbody", "colgroup"})
# A larger record is counted by its first rows
MAX_ROWS = 2_000


def element_counts(page: Page, top_rows: Sequence[int], depth: int = MAX_DEPTH) -> Counter[str]:
    """Return how many elements of each kind a record of these topmost rows has."""
    tags = page.lists.tag
    ends = page.lists.end
    parents = page.lists.parent
    names = page.tag_names
    counts: Counter[str] = Counter()
    for top in top_rows:
        if tags[top] == 0:
            counts["text"] += 1
            continue
        kinds = {top: (names[tags[top]], 1)}
        counts[names[tags[top]]] += 1
        at, end = top + 1, min(ends[top], top + MAX_ROWS)
        while at < end:
            if tags[at] == 0:
                at += 1
                continue
            kind, level = kinds[parents[at]]
            if level >= depth:
                at = ends[parents[at]]
                continue
            name = names[tags[at]]
            if name not in _OPTIONAL_TAGS:
                kind, level = f"{kind}/{name}", level + 1
                counts[kind] += 1
            kinds[at] = (kind, level)
            at += 1
    return counts


def record_shape(records: Sequence[Mapping[str, int]]) -> Shape:
    """Return the shape of records, given their element counts: the range of each kind, without outliers."""
    if not records:
        return {}
    kinds = Counter(kind for counts in records for kind in counts)
    depth = MAX_DEPTH
    while depth > 1 and sum(_depth(kind) <= depth for kind in kinds) > MAX_KINDS:
        depth -= 1
    outliers = int(_OUTLIER_SHARE * len(records))
    shape = {}
    for kind in sorted(kind for kind in kinds if _depth(kind) <= depth):
        numbers = sorted(min(counts.get(kind, 0), MAX_COUNTED) for counts in records)
        shape[kind] = (numbers[outliers], numbers[-1 - outliers])
    return {kind: bounds for kind, bounds in shape.items() if bounds[1]}


def shape_similarity(counts: Mapping[str, int], shape: Shape) -> float:
    """Return the share of elements within the ranges of a shape, of all that are there or should be; 0..1."""
    if not shape:
        return 1.0
    depth = max(map(_depth, shape))
    same = other = 0
    for kind, (fewest, most) in shape.items():
        number = min(counts.get(kind, 0), MAX_COUNTED)
        same += min(number, most)
        other += max(fewest - number, number - most, 0)
    unknown = (kind for kind in counts if kind not in shape and _depth(kind) <= depth)
    other += sum(min(counts[kind], MAX_COUNTED) for kind in unknown)
    return same / max(same + other, 1)


def _depth(kind: str) -> int:
    return kind.count("/") + 1
