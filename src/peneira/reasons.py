"""Why an extraction, a check or a healing came out as it did."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """One piece of evidence: what was looked at, what was found in words, and the number behind it if there is one."""

    name: str
    detail: str
    value: float | None = None

    def __str__(self) -> str:
        return self.detail
