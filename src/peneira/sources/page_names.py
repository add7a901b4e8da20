"""Texts that are the name of a page and not the page itself: what people write by mistake."""

from __future__ import annotations

import re
from pathlib import Path

from peneira.errors import ArgumentError

MAX_NAME_CHARS = 2000
_URL = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_FILE = re.compile(r"[^\n]*\.x?html?(?:\.gz)?", re.IGNORECASE)


def refuse_name(text: str) -> None:
    """Raise ``ArgumentError`` if a text given as HTML is a URL or the name of a file; it says what to write instead."""
    name = text.strip()
    if not name or len(name) > MAX_NAME_CHARS or "<" in name:
        return
    if _URL.fullmatch(name):
        raise ArgumentError(
            f"{name!r} is a URL, and nothing is fetched here: give the HTML and url={name!r}, or what "
            f"peneira.Browser().open({name!r}) returns; on the command line: peneira extract {name}"
        )
    if _FILE.fullmatch(name) or _is_file(name):
        raise ArgumentError(f"{name!r} is the name of a file, not HTML: write pathlib.Path({name!r})")


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # too long, or a NUL byte
        return False
