"""Pages whose links to the other pages of a list are known, by CSS selectors made by hand."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from peneira.errors import CorpusError
from peneira_research.corpora.archives import archive_members
from peneira_research.corpora.page_origin import host_owner

_INDEX = "paging.jsonl"


@dataclass(frozen=True, slots=True)
class PagingPage:
    """A page and the addresses that its gold links have, without fragments; empty where it has no such link."""

    id: str
    site: str
    url: str
    body: bytes
    next: frozenset[str]
    previous: frozenset[str]
    pages: frozenset[str]


def paging_archive(root: Path) -> Path:
    """Return the archive of the corpus in the folder of the corpora."""
    return root / "paging" / "dev.tar.xz"


def read_paging(archive: Path) -> Iterator[PagingPage]:
    """Yield the pages of the archive, in its order. The index comes first."""
    entries: dict[str, Mapping[str, Any]] = {}
    for name, body in archive_members(archive):
        if name == _INDEX:
            entries = {entry["file"]: entry for entry in map(json.loads, body.decode().splitlines())}
        elif name in entries:
            yield _page(entries[name], body)


def paging_digest(archive: Path) -> str:
    """Return a hash of the corpus."""
    try:
        return hashlib.sha256(archive.read_bytes()).hexdigest()
    except OSError as error:
        raise CorpusError(f"{archive}: cannot be read: {error}") from error


def without_fragment(url: str) -> str:
    """Return an address as it is asked of a server."""
    return url.split("#", maxsplit=1)[0]


def _page(entry: Mapping[str, Any], body: bytes) -> PagingPage:
    gold = _GoldLinks(body.decode(entry["encoding"], "replace"), entry["url"])
    return PagingPage(
        id=entry["id"],
        site=host_owner(entry["url"]) or entry["id"],
        url=entry["url"],
        body=body,
        next=gold.addresses(entry["next"]),
        previous=gold.addresses(entry["prev"]),
        pages=gold.addresses(entry["page"]),
    )


class _GoldLinks:
    """The document as lxml reads it, with which the selectors were made."""

    def __init__(self, text: str, url: str) -> None:
        from lxml import html

        parser = html.HTMLParser(encoding="utf-8")
        self._document = html.document_fromstring(text.encode(), parser=parser)
        base = self._document.find(".//base")
        self._base = urljoin(url, base.get("href") or "") if base is not None else url

    def addresses(self, selectors: str) -> frozenset[str]:
        """Return the absolute addresses of the links that the selectors select, or that are in or around those."""
        links = (self._link(element) for part in selectors.split(",") for element in self._selected(part.strip()))
        hrefs = [(link.get("href") or "").strip() for link in links if link is not None]
        return frozenset(
            without_fragment(urljoin(self._base, href))
            for href in hrefs
            if href and not href.startswith("#") and not href.lower().startswith("javascript:")
        )

    def _selected(self, selector: str) -> list[Any]:
        from lxml.cssselect import CSSSelector
        from lxml.etree import XPathError

        try:
            return list(CSSSelector(selector)(self._document)) if selector else []
        except (SyntaxError, XPathError):  # cssselect's errors of parsing are syntax errors
            return []

    def _link(self, element: Any) -> Any:
        around = (ancestor for ancestor in (element, *element.iterancestors()) if ancestor.tag == "a")
        return next(around, None) if element.tag == "a" else next(around, next(element.iter("a"), None))
