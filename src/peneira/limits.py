"""Limits on how much of a page is read. A limit that was hit is declared in the result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

Status = Literal["complete", "partial"]
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that is read of one page and that one call may use. What lies beyond is left out; the result says so.

    ``seconds``: of CPU time, for the whole call. ``attributes``: of all tags of the page. ``pairs``: comparisons of two
    nodes or values. ``cells``: of all tables of a result. ``output_bytes``: of the texts and XPaths that ``content``
    and ``segment`` return.
    """

    bytes: int = 64 * 1024 * 1024
    # A node takes about a kilobyte while a page is read
    nodes: int = 500_000
    # Chromium flattens at 512. Parsing costs (depth x tags) in the worst case, so a bound keeps it linear
    depth: int = 1_024
    seconds: float = 60.0
    attributes: int = 4_000_000
    pairs: int = 2_000_000_000
    cells: int = 4_000_000
    output_bytes: int = 512 * 1024 * 1024

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if not getattr(self, name) > 0:
                raise ValueError(f"the limit on {name} must be above zero, not {getattr(self, name)!r}")


@dataclass(frozen=True, slots=True)
class Cut:
    """One limit that was hit: which, its value, and what was left out."""

    limit: str
    allowed: float
    left_out: str

    def __str__(self) -> str:
        return f"{self.limit} limit of {self.allowed:g}: {self.left_out}"


DEFAULT_LIMITS = Limits()


def status_of(cuts: Sequence[Cut]) -> Status:
    """Return "partial" where a limit was hit, else "complete"."""
    return "partial" if cuts else "complete"


class LimitedText(str):
    """A text made from a page, with the limits that were hit on the way (``cuts``)."""

    cuts: tuple[Cut, ...]

    def __new__(cls, text: str, cuts: Iterable[Cut] = ()) -> LimitedText:
        made = super().__new__(cls, text)
        made.cuts = tuple(cuts)
        return made

    @property
    def status(self) -> Status:
        """Whether a limit was hit: "partial" if a limit was hit: ``cuts`` says which, and what is missing."""
        return status_of(self.cuts)


class LimitedList(list[Item]):
    """A list of what is on a page, with the limits that were hit on the way (``cuts``)."""

    def __init__(self, items: Iterable[Item] = (), cuts: Iterable[Cut] = ()) -> None:
        super().__init__(items)
        self.cuts = tuple(cuts)

    @property
    def status(self) -> Status:
        """Whether a limit was hit: "partial" if a limit was hit: ``cuts`` says which, and what is missing."""
        return status_of(self.cuts)
