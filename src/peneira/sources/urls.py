"""URLs taken apart and checked, and as messages may quote them."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass, field
from ipaddress import IPv6Address
from urllib.parse import quote, unquote, urlsplit

from peneira.credentials import hidden_credentials
from peneira.errors import FetchError, RefusedAddress

PORTS = {"http": 80, "https": 443}
_HOST_NAME = re.compile(r"[a-z0-9._-]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SAFE_IN_TARGET = "%/?:@!$&'()*+,;=[]"  # with %, what is encoded already stays as it is


@dataclass(frozen=True, slots=True)
class Target:
    """The parts of a URL, each ready to be sent. ``path`` includes the query; ``credentials`` are in no message."""

    scheme: str
    host: str
    port: int
    path: str
    credentials: str | None = field(default=None, repr=False)

    @property
    def origin(self) -> tuple[str, str, int]:
        return self.scheme, self.host, self.port

    @property
    def serialized_origin(self) -> str:
        """The origin as browsers write it."""
        return f"{self.scheme}://{self.netloc}"

    @property
    def netloc(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.netloc}{self.path}"


def parse_url(url: str, *, redirected_by: str = "") -> Target:
    """Return the parts of an http or https URL; any other is a ``FetchError``."""
    url = url.strip()
    displayed, via = display_url(url), f" (redirected by {redirected_by})" if redirected_by else ""
    if _CONTROL.search(url):
        raise FetchError(displayed, f"the URL has a line break or another control character in it{via}")
    try:
        scheme = urlsplit(url).scheme
        if scheme in PORTS:
            return _parts_of(url)
    except ValueError as error:  # its message may quote the password
        reason = f"not a valid URL, check its host and port{via}"
        raise FetchError(displayed, reason) from (None if "@" in url else error)
    if scheme:
        raise RefusedAddress(displayed, f"only URLs with http:// or https:// in front are fetched, not {scheme}:{via}")
    raise FetchError(displayed, f"the URL has no scheme, write it with https:// in front{via}")


def _parts_of(url: str) -> Target:
    parts = urlsplit(url)
    if "\\" in parts.netloc:  # browsers take it for a slash: they would go to another host than we check
        raise ValueError("a backslash in the host")
    path = quote(parts.path or "/", safe=_SAFE_IN_TARGET)
    if parts.query:
        path += "?" + quote(parts.query, safe=_SAFE_IN_TARGET)
    port = PORTS[parts.scheme] if parts.port is None else parts.port
    credentials = None
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        credentials = b64encode(pair.encode()).decode("ascii")
    return Target(parts.scheme, _ascii_host(parts.hostname or ""), port, path, credentials)


def _ascii_host(host: str) -> str:
    if ":" in host and "%" not in host:
        return str(IPv6Address(host))
    name = host.encode("idna").decode("ascii").lower()
    if not _HOST_NAME.fullmatch(name):
        raise ValueError("not a host name")
    return name


def display_url(url: str) -> str:
    """Return a URL for messages: printable, and with nothing in it that could be a password."""
    return printable(hidden_credentials(url))


def printable(text: str) -> str:
    """Return the text with a mark in place of characters that no terminal should get."""
    return "".join(char if char.isprintable() else "\ufffd" for char in text)
