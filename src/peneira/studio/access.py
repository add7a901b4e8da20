"""Who may use the server: by the host and origin that a request names, and by a token.

There are no cookies. A token comes in the header ``Authorization``, as ``Bearer`` from programs and as the password of
``Basic`` from browsers, which ask for it themselves and send it to this host and port alone.
"""

from __future__ import annotations

import hmac
from base64 import b64decode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from time import monotonic
from urllib.parse import urlsplit

MIN_TOKEN_CHARS = 16
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
# Paths that say nothing and need no token: whether the server is up
OPEN_PATHS = frozenset({"/healthz"})
# Wrong tokens from one address within a minute, before it has to wait
MAX_WRONG_TOKENS = 10
WINDOW_S = 60.0
_MAX_REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is refused: the status, a code, and a message for whoever made it."""

    status: int
    code: str
    message: str
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class RateWindow:
    """Counts events of an address within a minute; addresses that were seen longest ago are forgotten first."""

    limit: int
    clock: Callable[[], float] = monotonic
    _events: dict[str, list[float]] = field(default_factory=dict)

    def is_spent(self, address: str) -> bool:
        """Return whether an address has used up its events."""
        return len(self._recent(address)) >= self.limit

    def note(self, address: str) -> None:
        """Count one event."""
        recent = self._recent(address)
        self._events.pop(address, None)
        self._events[address] = [*recent, self.clock()][-self.limit :]
        while len(self._events) > _MAX_REMEMBERED:
            del self._events[next(iter(self._events))]

    def _recent(self, address: str) -> list[float]:
        start = self.clock() - WINDOW_S
        return [at for at in self._events.get(address, ()) if at > start]


@dataclass(slots=True)
class Access:
    """The rules of one server. ``names``: further host names by which it may be called, for a proxy in front of it."""

    token: str | None = None
    names: frozenset[str] = frozenset()
    is_loopback: bool = True
    requests_per_minute: int = 1200
    clock: Callable[[], float] = monotonic
    wrong_tokens: RateWindow = field(init=False)
    requests: RateWindow = field(init=False)

    def __post_init__(self) -> None:
        self.wrong_tokens = RateWindow(MAX_WRONG_TOKENS, self.clock)
        self.requests = RateWindow(self.requests_per_minute, self.clock)

    def refusal(self, method: str, path: str, headers: Mapping[str, str], client: str) -> Refusal | None:
        """Return why a request is refused, None if it is not. Names of headers are in small letters."""
        host = headers.get("host", "")
        if not self.is_own_host(host):
            return Refusal(
                421, "wrong-host", "this server does not answer to that name; start it with --name to allow it"
            )
        if _is_foreign(method, headers, host):
            return Refusal(403, "cross-site", "requests from other sites are refused")
        if path in OPEN_PATHS:
            return None
        if self.token is not None and (refused := self._token_refusal(headers, client)):
            return refused
        if method not in SAFE_METHODS:
            if self.requests.is_spent(client):
                return Refusal(429, "too-many-requests", "too many requests; wait a minute", {"retry-after": "60"})
            self.requests.note(client)
        return None

    def is_own_host(self, host: str) -> bool:
        """Return whether the server answers to a Host header: a name that leads here by somebody else's doing is none.

        An address cannot be rebound, so that any will do where the server is open to a network.
        """
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name == "localhost" or name in self.names:
            return True
        try:
            address = ip_address(name)
        except ValueError:
            return False
        return address.is_loopback or not self.is_loopback

    def _token_refusal(self, headers: Mapping[str, str], client: str) -> Refusal | None:
        if self.wrong_tokens.is_spent(client):
            return Refusal(429, "too-many-tokens", "too many wrong tokens; wait a minute", {"retry-after": "60"})
        given = token_of(headers.get("authorization", ""))
        if given is not None and hmac.compare_digest(given.encode(), (self.token or "").encode()):
            return None
        if given is not None:
            self.wrong_tokens.note(client)
        message = "this server needs its token: Authorization: Bearer TOKEN, or as the password in a browser"
        return Refusal(401, "token-needed", message, {"www-authenticate": 'Basic realm="peneira", charset="UTF-8"'})


def token_of(header: str) -> str | None:
    """Return the token in an Authorization header, None if there is none."""
    scheme, _, value = header.partition(" ")
    if scheme.lower() == "bearer":
        return value.strip()
    if scheme.lower() != "basic":
        return None
    try:
        return b64decode(value, validate=True).decode().partition(":")[2]
    except ValueError:
        return ""


def _is_foreign(method: str, headers: Mapping[str, str], host: str) -> bool:
    """Return whether a page of another origin makes this request; following a link here is not that."""
    origin = headers.get("origin")
    if origin is not None and not _is_same(origin, host):
        return True
    if headers.get("sec-fetch-site", "none") in ("none", "same-origin"):
        return False
    is_link = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest", "document") == "document"
    return not (method in SAFE_METHODS and is_link)


def _is_same(origin: str, host: str) -> bool:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()
