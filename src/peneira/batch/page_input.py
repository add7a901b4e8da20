"""One page of a run before it is read, in a form that can be sent to a worker."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from peneira.columns.site_groups import address_of
from peneira.errors import InputError
from peneira.limits import Cut, Limits
from peneira.page import Page
from peneira.sources.fetch_options import FetchOptions
from peneira.sources.html import read_file, read_page

_MAX_ADDRESS_BYTES = 10_000


@dataclass(frozen=True, slots=True)
class PageInput:
    """A page: ``body`` where it is known already, else the file at ``path``, else what is at ``url``.

    ``name``: what tables and messages call it, the same in every run. ``time``: when it was fetched, as a WARC says it.
    ``error``: why it cannot be read. ``missing``: what of it is not there, "" where it is whole. ``is_archive``: the
    file is no page, but has pages.
    """

    name: str
    url: str | None = None
    path: str = ""
    body: bytes | None = field(default=None, repr=False)
    charset: str | None = None
    time: str = ""
    error: str = ""
    missing: str = ""
    is_archive: bool = False

    def read(self, limits: Limits, fetching: FetchOptions) -> Page:
        """Return the page, with its address: the given one, else that beside the file, else the one it names itself."""
        if self.error:
            raise InputError(self.error)
        if self.body is not None:
            page = read_page(self.body, url=self.url, charset=self.charset, limits=limits)
        elif self.path:
            page = read_page(read_file(Path(self.path), limits), url=self.url or sidecar_url(self.path), limits=limits)
        else:
            page = self._fetched(limits, fetching)
        if self.missing:
            page.cuts = (*page.cuts, Cut("bytes", len(self.body or b""), self.missing))
        if page.url is None:
            page.url = address_of(page) or None
        return page

    def _fetched(self, limits: Limits, fetching: FetchOptions) -> Page:
        from peneira.sources.fetch import fetch  # imports ssl and http

        fetched = fetch(self.url or "", limits=limits, options=fetching)
        return read_page(fetched.body, url=fetched.url, charset=fetched.charset, limits=limits)


def sidecar_url(path: str) -> str | None:
    """Return the address that stands in a file beside a page: ``page.html.url`` or ``page.url``, None without one.

    Such a file holds the address alone, or it is a shortcut of Windows (``URL=...``).
    """
    for sidecar in (Path(f"{path}.url"), Path(path).with_suffix(".url")):
        try:
            with sidecar.open("rb") as file:
                lines = file.read(_MAX_ADDRESS_BYTES).decode("utf-8", "replace").split("\n")
        except OSError:
            continue
        for line in lines:
            address = line.strip().removeprefix("URL=")
            if is_address(address):
                return address
    return None


def is_address(text: str) -> bool:
    """Return whether a text is a URL of a page."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc) and text.isprintable() and " " not in text


def given_page(name: str, html: object, url: object) -> PageInput:
    """Return a page whose HTML is known, as bytes or text."""
    address = url if isinstance(url, str) and is_address(url) else None
    if isinstance(html, str):
        return PageInput(name, address, body=html.encode("utf-8", "replace"), charset="utf-8")
    if isinstance(html, bytes):
        return PageInput(name, address, body=html)
    return PageInput(name, address, error=f"{name or 'the row'}: has no HTML")


def listed_page(line: str, list_name: str, number: int, folder: Path) -> PageInput:
    """Return the page that a line of a list names: a URL, a path, or an object with ``url`` and ``path``.

    Paths are relative to the folder of the list.
    """
    where = f"{list_name}:{number}"
    if not line.startswith("{"):
        return PageInput(line, url=line) if is_address(line) else _local_page(line, None, folder)
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return PageInput(where, error=f"{where}: not a JSON object")
    url, path = entry.get("url"), entry.get("path")
    if (url is not None and not (isinstance(url, str) and is_address(url))) or not isinstance(path, str | None):
        return PageInput(where, error=f"{where}: url and path must be texts, and url an address")
    if path:
        return _local_page(path, url, folder)
    return PageInput(url, url=url) if url else PageInput(where, error=f"{where}: has neither url nor path")


def _local_page(path: str, url: str | None, folder: Path) -> PageInput:
    return PageInput(path, url=url, path=str(folder / path))
