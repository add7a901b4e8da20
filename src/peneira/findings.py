"""What a method finds beside the lists: the limits that it hit, and what it knows of the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from peneira.limits import Cut
from peneira.result import PageType, Region


@dataclass(frozen=True, slots=True)
class Findings:
    """The regions of a page, best first, and the limits that were hit on the way.

    ``page_types``: how probable each type of page is, empty where the method does not say.
    """

    regions: list[Region]
    cuts: tuple[Cut, ...] = ()
    page_types: Mapping[PageType, float] = field(default_factory=dict)
