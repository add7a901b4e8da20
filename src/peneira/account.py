"""How many records a writer has written, and what it had to leave out or change, with the reasons."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

Lost = Literal["records", "columns", "cells"]
NO_COLUMN = "they have no columns"


@dataclass(frozen=True, slots=True)
class Loss:
    """How many records or columns were left out, or cells changed, for one reason."""

    what: Lost
    count: int
    reason: str

    def __str__(self) -> str:
        return f"{self.count:,} {self.what[:-1] if self.count == 1 else self.what}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Account:
    """The records seen and written, and every loss with its reason."""

    seen: int
    written: int
    losses: tuple[Loss, ...] = ()

    @property
    def dropped(self) -> int:
        """The records that were seen and not written."""
        return self.seen - self.written

    def __str__(self) -> str:
        records = f"{self.written:,} record{'s' * (self.written != 1)} written"
        return "; ".join([records, *map(str, self.losses)])


class Tally:
    """Losses counted while a table is written."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[Lost, str]] = Counter()

    def lose(self, what: Lost, reason: str, count: int = 1) -> None:
        """Count a loss."""
        if count:
            self._counts[what, reason] += count

    def account(self, seen: int, written: int | None = None) -> Account:
        """Return the account; every record seen counts as written unless ``written`` says otherwise."""
        losses = tuple(Loss(what, count, reason) for (what, reason), count in sorted(self._counts.items()))
        return Account(seen, seen if written is None else written, losses)
