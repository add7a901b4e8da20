"""The shape of a record: which elements it has, and how many of each at least and at most.

Tags outlive classes, so a record is still known by its shape when its classes are new; and a row of headings, an
advertisement or a table around the whole list, which a selector may also find, is known as none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from peneira.page import Page

Shape = Mapping[str, tuple[int, int]]

# Elements deeper in a record say little of it; so many kinds are enough, the outermost
MAX_DEPTH = 5
MAX_KINDS = 60
# Of a kind, more are as good as so many
MAX_COUNTED = 20
# A share of the records on either side may be odd ones
_ODD = 0.1
# Whether an element of these is there depends on the parser
_UNSURE_TAGS = frozenset({"tbody", "colgroup"})
# A record of more rows is counted by its first ones
MAX_ROWS = 2_000


def counts_of(page: Page, roots: Sequence[int], depth: int = MAX_DEPTH) -> Counter[str]:
    """Return how many elements of each kind a record of these topmost rows has; a kind is the tags from its top."""
    tags = page.lists.tag
    ends = page.lists.end
    parents = page.lists.parent
    names = page.tag_names
    counts: Counter[str] = Counter()
    for root in roots:
        if tags[root] == 0:
            counts["text"] += 1
            continue
        kinds = {root: (names[tags[root]], 1)}
        counts[names[tags[root]]] += 1
        at, end = root + 1, min(ends[root], root + MAX_ROWS)
        while at < end:
            if tags[at] == 0:
                at += 1
                continue
            kind, level = kinds[parents[at]]
            if level >= depth:
                at = ends[parents[at]]
                continue
            name = names[tags[at]]
            if name not in _UNSURE_TAGS:
                kind, level = f"{kind}/{name}", level + 1
                counts[kind] += 1
            kinds[at] = (kind, level)
            at += 1
    return counts


def shape_of(records: Sequence[Mapping[str, int]]) -> Shape:
    """Return the shape of records: the range of each kind, odd records left out."""
    if not records:
        return {}
    kinds = Counter(kind for counts in records for kind in counts)
    deepest = MAX_DEPTH
    while deepest > 1 and sum(_depth(kind) <= deepest for kind in kinds) > MAX_KINDS:
        deepest -= 1
    odd = int(_ODD * len(records))
    shape = {}
    for kind in sorted(kind for kind in kinds if _depth(kind) <= deepest):
        numbers = sorted(min(counts.get(kind, 0), MAX_COUNTED) for counts in records)
        shape[kind] = (numbers[odd], numbers[-1 - odd])
    return {kind: bounds for kind, bounds in shape.items() if bounds[1]}


def likeness(counts: Mapping[str, int], shape: Shape) -> float:
    """Return the share of a record's elements that its shape explains, of those that it has or should have; 0..1."""
    if not shape:
        return 1.0
    deepest = max(map(_depth, shape))
    same = other = 0
    for kind, (fewest, most) in shape.items():
        number = min(counts.get(kind, 0), MAX_COUNTED)
        same += min(number, most)
        other += max(fewest - number, number - most, 0)
    unknown = (kind for kind in counts if kind not in shape and _depth(kind) <= deepest)
    other += sum(min(counts[kind], MAX_COUNTED) for kind in unknown)
    return same / max(same + other, 1)


def _depth(kind: str) -> int:
    return kind.count("/") + 1
