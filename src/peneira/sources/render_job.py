"""A page to be rendered, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass

from peneira.limits import Cut
from peneira.sources.chromium import RenderOptions
from peneira.sources.egress import Policy
from peneira.sources.snapshot import Snapshot
from peneira.sources.urls import display_url


@dataclass(frozen=True, slots=True)
class RenderJob:
    """One page to be rendered: its URL, its HTML unless it is loaded from the URL, and what it may reach."""

    url: str
    html: bytes | None
    policy: Policy
    options: RenderOptions
    screenshot: bool = False
    name: str = ""

    @property
    def display_name(self) -> str:
        """What messages call the page: its name, else its URL without a password."""
        return self.name or display_url(self.url)


@dataclass(frozen=True, slots=True)
class RenderResult:
    """The snapshot of a rendered page, the limits that it hit, and its screenshot where one was wanted and taken."""

    snapshot: Snapshot
    cuts: list[Cut]
    screenshot: bytes | None
