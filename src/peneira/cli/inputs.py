"""What the user names on the command line, as pages: files, folders, URLs, standard input."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from peneira.errors import InputError, PeneiraError
from peneira.limits import DEFAULT_LIMITS, Limits
from peneira.page import Page
from peneira.sources.fetch import DEFAULT_OPTIONS, FetchOptions, fetch
from peneira.sources.html import read_file, read_page

PAGE_SUFFIXES = frozenset({".html", ".htm", ".xhtml"})


@dataclass(frozen=True, slots=True)
class Outcome:
    """One input: its name and its page, or the error that stood in the way."""

    name: str
    page: Page | None = None
    error: PeneiraError | None = None


def expand(sources: Sequence[str]) -> list[str]:
    """Return the sources with each folder replaced by the pages in it, in order of their names; an empty one stays."""
    names: list[str] = []
    for source in sources:
        found: list[Path] = []
        if _is_folder(source):
            found = sorted(path for path in Path(source).rglob("*") if path.suffix.lower() in PAGE_SUFFIXES)
        names.extend(map(str, found) if found else [source])
    return names


def pages(
    names: Sequence[str],
    *,
    url: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    options: FetchOptions = DEFAULT_OPTIONS,
) -> Iterator[Outcome]:
    """Yield each input as a page or as the error that stood in the way."""
    for name in names:
        try:
            yield Outcome(name, page=static_page(name, url=url, limits=limits, options=options))
        except PeneiraError as error:
            yield Outcome(name, error=error)


def is_url(name: str) -> bool:
    """Tell whether a name is meant as a URL: it has a scheme of two letters or more (one letter is a Windows drive)."""
    scheme, separator, _ = name.partition("://")
    return bool(separator) and len(scheme) > 1 and scheme.isalnum()


def _is_folder(name: str) -> bool:
    """Tell whether a name is that of a folder. The empty name, which Python takes for the current one, is not."""
    return bool(name) and name != "-" and not is_url(name) and Path(name).is_dir()


def static_page(
    name: str,
    *,
    url: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    options: FetchOptions = DEFAULT_OPTIONS,
) -> Page:
    """Return an input as a page, as it was sent or saved."""
    if is_url(name):
        fetched = fetch(name, limits=limits, options=options)
        return read_page(fetched.body, url=url or fetched.url, charset=fetched.charset, limits=limits)
    return read_page(local_body(name, limits), url=url, limits=limits)


def local_body(name: str, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """Return the bytes of a file or of standard input."""
    if name == "-":
        return _refuse_binary("standard input", sys.stdin.buffer.read(limits.bytes + 1))
    if not name:
        raise InputError("the name of a page is empty")
    if _is_folder(name):
        raise InputError(f"{name}: no .html page in this folder")
    return _refuse_binary(name, read_file(Path(name), limits))


def _refuse_binary(name: str, body: bytes) -> bytes:
    head = body[:1024]
    if b"\x00" in head and not head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InputError(f"{name}: looks like a binary file, not an HTML page")
    return body
