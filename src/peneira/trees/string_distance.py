"""Edit distance of strings of symbols (Levenshtein 1966), bit-parallel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence


class Pattern:
    """A string of symbols, prepared for comparison with others."""

    __slots__ = ("counts", "masks", "symbols")

    def __init__(self, symbols: Sequence[Hashable]) -> None:
        self.symbols = tuple(symbols)
        self.counts = Counter(self.symbols)
        self.masks: dict[Hashable, int] | None = None

    def __len__(self) -> int:
        return len(self.symbols)

    def distance(self, other: Pattern) -> int:
        """Return the smallest number of insertions, deletions and substitutions between the two strings.

        Myers 1999 as simplified by Hyyrö 2003, on Python's long integers: one step per symbol of ``other``, each on
        len(self) / 64 machine words.
        """
        if not self.symbols or not other.symbols:
            return max(len(self.symbols), len(other.symbols))
        masks = self._position_masks()
        full = (1 << len(self.symbols)) - 1
        last = 1 << (len(self.symbols) - 1)
        rises, falls, distance = full, 0, len(self.symbols)
        for symbol in other.symbols:
            equal = masks.get(symbol, 0)
            carried = (((equal & rises) + rises) ^ rises) | equal | falls
            up = falls | (full & ~(carried | rises))
            down = rises & carried
            if up & last:
                distance += 1
            elif down & last:
                distance -= 1
            up = ((up << 1) | 1) & full
            rises = ((down << 1) & full) | (full & ~(carried | up))
            falls = up & carried
        return distance

    def is_within(self, other: Pattern, share: float) -> bool:
        """Return whether the distance is at most ``share`` of the longer string; cheap if the strings differ a lot."""
        if self.symbols == other.symbols:
            return True
        allowed = share * max(len(self.symbols), len(other.symbols))
        if abs(len(self.symbols) - len(other.symbols)) > allowed or self._min_distance(other) > allowed:
            return False
        return self.distance(other) <= allowed

    def _min_distance(self, other: Pattern) -> int:
        """Return a lower bound of the distance, from the symbols that are more frequent in one string."""
        missing = sum(
            count - other.counts[symbol] for symbol, count in self.counts.items() if count > other.counts[symbol]
        )
        return max(missing, missing + len(other.symbols) - len(self.symbols))

    def _position_masks(self) -> dict[Hashable, int]:
        if self.masks is None:
            positions: dict[Hashable, list[int]] = {}
            for k, symbol in enumerate(self.symbols):
                positions.setdefault(symbol, []).append(k)
            self.masks = {symbol: sum(1 << k for k in indexes) for symbol, indexes in positions.items()}
        return self.masks
