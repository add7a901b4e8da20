"""Texts that are the name of a page and not the page itself: what people write by mistake."""

from __future__ import annotations

import re
from pathlib import Path

from peneira.credentials import without_credentials
from peneira.errors import ArgumentError

MAX_NAME_CHARS = 2000
_URL = re.compile(r"(?:(?:https?|file)://|www\.)\S+", re.IGNORECASE)
_HOST_PATH = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{2,}/\S*", re.IGNORECASE)
_FILE = re.compile(r"\S+\.x?html?(?:\.(?:gz|br|zst))?", re.IGNORECASE)


def refuse_name(text: str) -> None:
    """Raise ``ArgumentError`` if a text given as HTML is a URL or the name of a file; it says what to write instead."""
    name = text.strip()
    if not name or len(name) > MAX_NAME_CHARS or "<" in name:
        return
    is_file = _is_file(name)
    if not is_file and (_URL.fullmatch(name) or (_HOST_PATH.fullmatch(name) and not _FILE.fullmatch(name))):
        name = without_credentials(name)
        url = name if "://" in name else f"https://{name}"
        raise ArgumentError(
            f"{name!r} is a URL, and nothing is fetched here: give the HTML and url={url!r}, or the page that "
            f"peneira.Browser().open({url!r}) returns"
        )
    if is_file or _FILE.fullmatch(name):
        instead = f"the paths of pathlib.Path().glob({name!r})" if "*" in name else f"pathlib.Path({name!r})"
        raise ArgumentError(f"{name!r} is the name of a file, not HTML: write {instead}")


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # too long, or a NUL byte
        return False
