"""What a method finds beside the lists: the limits that it hit, and what it knows of the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import overload

from peneira.budget import no_budget
from peneira.limits import Cut
from peneira.result import PageType, Region


@dataclass(frozen=True, slots=True)
class Findings:
    """The regions of a page, best first, and the limits that were hit on the way.

    ``page_types``: how probable each type of page is, empty where the method does not say.
    """

    regions: Sequence[Region]
    cuts: tuple[Cut, ...] = ()
    page_types: Mapping[PageType, float] = field(default_factory=dict)


class DeferredRegions(Sequence[Region]):
    """The regions of a page, of which only the first is made until another is asked for: few readers do.

    ``confidences``: those of all regions, which are known before. ``make_others``: makes all but the first. No limit
    ends it, as all of them were counted; it takes a third of the time in which the regions were found.
    """

    __slots__ = ("_make_others", "_regions", "confidences")

    def __init__(
        self, first: Region, confidences: Sequence[float], make_others: Callable[[], Sequence[Region]]
    ) -> None:
        self.confidences = confidences
        self._regions = [first]
        self._make_others: Callable[[], Sequence[Region]] | None = make_others

    def __len__(self) -> int:
        return len(self.confidences)

    @overload
    def __getitem__(self, index: int) -> Region: ...
    @overload
    def __getitem__(self, index: slice) -> list[Region]: ...
    def __getitem__(self, index: int | slice) -> Region | list[Region]:
        make = self._make_others
        if index != 0 and make is not None:
            with no_budget():
                # in this order: another thread finds all regions, or makes the same again
                self._regions = [self._regions[0], *make()]
            self._make_others = None
        return self._regions[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[list[Region]], tuple[list[Region]]]:
        return list, (list(self),)  # without the page, which another process need not get


def confidence_of(regions: Sequence[Region], index: int) -> float:
    """Return the confidence in a region, which is not made for it."""
    return regions.confidences[index] if isinstance(regions, DeferredRegions) else regions[index].confidence
