"""Disjoint sets of integers that are merged pair by pair (union-find)."""

from __future__ import annotations

from collections.abc import Iterable


class DisjointSets:
    """Sets of integers; at first every member is a set of its own."""

    def __init__(self, members: Iterable[int]) -> None:
        self._links = {member: member for member in members}

    def find(self, member: int) -> int:
        """Return the smallest member of the set that ``member`` belongs to."""
        root = member
        while self._links[root] != root:
            root = self._links[root]
        while self._links[member] != root:
            self._links[member], member = root, self._links[member]
        return root

    def union(self, a: int, b: int) -> None:
        """Merge the sets of two members."""
        low, high = sorted((self.find(a), self.find(b)))
        self._links[high] = low
