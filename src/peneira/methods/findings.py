"""The result of a method that can hit a limit."""

from __future__ import annotations

from dataclasses import dataclass

from peneira.limits import Cut
from peneira.result import Region


@dataclass(frozen=True, slots=True)
class Findings:
    """The regions of a page, best first, and the limits that were hit on the way."""

    regions: list[Region]
    cuts: tuple[Cut, ...] = ()
