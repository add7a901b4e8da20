"""A page to be rendered, and what came of it."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from peneira.limits import Cut
from peneira.sources.chromium import RenderOptions
from peneira.sources.egress import Policy
from peneira.sources.snapshot import Snapshot
from peneira.sources.urls import Target, display_url

# Takes a page and what was cut so far; returns Chromium's id of the node to be pressed for the next page, None to end
ChooseNode = Callable[[Snapshot, Sequence[Cut]], int | None]


@dataclass(frozen=True, slots=True)
class Login:
    """A user name and password, and the only origin that gets them: scripts of the page do not see them."""

    origin: str
    username: str
    password: str = field(repr=False)


def login_of(target: Target) -> Login | None:
    """Return the user name and password of a URL, None if it has none."""
    if target.credentials is None:
        return None
    username, _, password = b64decode(target.credentials).decode().partition(":")
    return Login(target.serialized_origin, username, password)


@dataclass(frozen=True, slots=True)
class RenderJob:
    """One page to be rendered: its URL, its HTML unless it is loaded from the URL, and what it may reach.

    The URL has no password in it: ``login`` has. ``choose_node`` is given each page that the browser turns to.
    """

    url: str
    html: bytes | None
    policy: Policy
    options: RenderOptions
    screenshot: bool = False
    name: str = ""
    login: Login | None = None
    choose_node: ChooseNode | None = None

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
