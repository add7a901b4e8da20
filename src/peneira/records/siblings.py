"""Groups of similar siblings: children of one parent that share their tag and most of their tag paths.

This is the baseline that every better method has to beat: the group that holds the largest mass of text wins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from peneira.page import Page

LEAST_RECORDS = 2
# Below these a group is no list: its members share too little, or one member is not like the rest
LEAST_SIMILARITY = 0.5
LEAST_LIKENESS = 0.3


@dataclass(frozen=True, slots=True)
class Group:
    """Siblings that resemble each other. ``similarity`` is the mean share of tag paths in common, 0..1."""

    parent: int
    members: tuple[int, ...]
    chars: int
    similarity: float

    @property
    def score(self) -> float:
        """The mass of text, discounted by how unlike the members are."""
        return self.chars * self.similarity**2


def sibling_groups(page: Page) -> list[Group]:
    """Return the groups of similar siblings of a page, best first."""
    groups = [
        group for parent, members in _same_tag_siblings(page) if (group := _similar(page, parent, members)) is not None
    ]
    return sorted(groups, key=lambda group: (-group.score, group.parent, group.members))


def _same_tag_siblings(page: Page) -> Iterator[tuple[int, list[int]]]:
    by_parent: dict[tuple[int, int], list[int]] = {}
    inside = (page.seen & (page.tag != 0) & (page.text_chars > 0)).nonzero()[0].tolist()
    tags, parents = page.tag.tolist(), page.parent.tolist()
    for i in inside:
        if i > page.body:
            by_parent.setdefault((parents[i], tags[i]), []).append(i)
    for (parent, _), members in by_parent.items():
        if len(members) >= LEAST_RECORDS:
            yield parent, members


def _similar(page: Page, parent: int, members: Sequence[int]) -> Group | None:
    paths = [frozenset(page.path[i : int(page.end[i])].tolist()) for i in members]
    likeness = _likeness(paths)
    kept = [i for i, like in zip(members, likeness, strict=True) if like >= LEAST_LIKENESS]
    if len(kept) < LEAST_RECORDS:
        return None
    similarity = sum(like for like in likeness if like >= LEAST_LIKENESS) / len(kept)
    if similarity < LEAST_SIMILARITY:
        return None
    return Group(parent, tuple(kept), int(page.text_chars[kept].sum()), similarity)


def _likeness(paths: Sequence[frozenset[int]]) -> list[float]:
    """Return for each set its overlap with the paths that at least half of the sets have."""
    counts = Counter(path for those in paths for path in those)
    common = {path for path, count in counts.items() if 2 * count >= len(paths)}
    return [len(those & common) / len(those | common) for those in paths]
