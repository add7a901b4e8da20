"""Any number of pages made from the corpora, as files or as a WARC: what batch runs are measured on."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from itertools import chain, cycle, islice
from pathlib import Path

from peneira.errors import CorpusError
from peneira.files import replacing
from peneira_research.corpora.gold_pages import Corpora
from peneira_research.corpora.pages_without_gold import BarePage, bare_pages

# Pages of one site; the lists and SWDE have sites with thousands
MAX_PAGES_PER_SITE = 20
_FOLDER_PAGES = 1000


def many_pages(corpora: Corpora, count: int, max_bytes: int | None = None) -> Iterator[BarePage]:
    """Yield so many pages: all of the corpora up to a size, a few per site, over and over again."""
    every = bare_pages(corpora, pages_per_site=MAX_PAGES_PER_SITE)
    pages = (page for page in every if max_bytes is None or len(page.body) <= max_bytes)
    first = next(pages, None)
    if first is None:
        raise CorpusError(f"{corpora.root}: no pages to make others from")
    yield from islice(cycle(chain([first], pages)), count)


def write_files(corpora: Corpora, count: int, folder: Path, max_bytes: int | None = None) -> None:
    """Write pages as files, a thousand to a folder, with their addresses beside them where they are known."""
    for number, page in enumerate(many_pages(corpora, count, max_bytes)):
        path = folder / f"{number // _FOLDER_PAGES:04}" / f"{number:07}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(page.body)
        if page.url:
            path.with_name(f"{path.name}.url").write_text(page.url, encoding="utf-8")


def write_warc(corpora: Corpora, count: int, path: Path, max_bytes: int | None = None) -> None:
    """Write pages as a WARC, packed record by record."""
    with replacing(path) as temporary, temporary.open("wb") as file:
        for number, page in enumerate(many_pages(corpora, count, max_bytes)):
            url = page.url or f"https://{page.corpus}.example/{number}"
            file.write(gzip.compress(warc_record(url, page.body), compresslevel=1, mtime=0))


def warc_record(url: str, body: bytes) -> bytes:
    """Return a record with the response of a server that says nothing about the charset."""
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: {url}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"
