"""URLs without the user name and password that may be in them: what is shown, stored or passed on has none."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from peneira.errors import ArgumentError

# What stands before the last @ of a host: "//user:password@"
_IN_TEXT = re.compile(r"//[^\s/?#]*@")
_IN_QUERY = re.compile(r"([?&](?:ssl)?password=)[^&#]*", re.IGNORECASE)
HIDDEN = "…"


def without_credentials(url: str) -> str:
    """Return the URL without user name and password; in what is no valid URL they are hidden."""
    if "@" not in url:
        return url
    try:
        parts = urlsplit(url.strip())  # space around an address is no part of it
        _ = parts.port  # a password with a slash in it looks like a port
    except ValueError:
        return hidden_credentials(url)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=host).geturl() if host != parts.netloc else url


def hidden_credentials(url: str) -> str:
    """Return a URL with a mark for everything before its last @, however broken it is, and for passwords after it."""
    masked = _IN_QUERY.sub(rf"\1{HIDDEN}", url)
    if "@" in url and "@" not in masked:  # it cannot be told where the password ends
        masked = url
    before, at, after = masked.rpartition("@")
    scheme, slashes, _ = before.partition("://")
    return f"{scheme}://{HIDDEN}@{after}" if slashes else f"{HIDDEN}@{after}" if at else after


def text_without_credentials(text: str) -> str:
    """Return a message of another program without the user names and passwords of the URLs in it."""
    return _IN_TEXT.sub(f"//{HIDDEN}@", text)


def checked_url(url: str | None) -> str | None:
    """Return the URL of a page without user name and password; raises ``ArgumentError`` if it is no valid URL."""
    if url is None:
        return None
    try:
        urlsplit(url)
    except ValueError as error:
        # the error may quote the user name and the password
        why = "" if "@" in url else f" ({error})"
        message = f"{hidden_credentials(url)!r} is not a valid URL{why}; check its host"
        raise ArgumentError(message) from (None if "@" in url else error)
    return without_credentials(url)
