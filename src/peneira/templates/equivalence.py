"""Classes of things that are alike, grown pair by pair."""

from __future__ import annotations

from collections.abc import Sequence


class Classes:
    """Classes of numbers that grow together."""

    def __init__(self, members: Sequence[int]) -> None:
        self._links = {member: member for member in members}

    def of(self, member: int) -> int:
        """Return the class of a member: its smallest number."""
        root = member
        while self._links[root] != root:
            root = self._links[root]
        while self._links[member] != root:
            self._links[member], member = root, self._links[member]
        return root

    def join(self, one: int, other: int) -> None:
        """Make the classes of two members one."""
        low, high = sorted((self.of(one), self.of(other)))
        self._links[high] = low
