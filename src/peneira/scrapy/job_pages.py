"""The pages of a crawl on disk: what was fetched is not fetched again, however the crawl ended.

Each page is committed before it is read. A crawl that is started again takes the pages from here, at no cost to the
site, and goes on where none are left. Scrapy uses it as the storage of its HTTP cache.
"""

from __future__ import annotations

import json
import sqlite3
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from scrapy import Request, Spider
from scrapy.http import Headers, Response
from scrapy.responsetypes import responsetypes
from scrapy.settings import BaseSettings
from scrapy.utils.request import RequestFingerprinterProtocol
from w3lib.encoding import http_content_type_encoding

from peneira.errors import OutputError
from peneira.page import Page
from peneira.scrapy.download_handler import RENDER, TURNS
from peneira.scrapy.turned_pages import HTML_TYPE, KEY_SEPARATOR, load_pages
from peneira.sources.html import read_page

FILE_NAME = "pages.sqlite"
_SCHEMA = """CREATE TABLE IF NOT EXISTS pages (
  key TEXT PRIMARY KEY, url TEXT NOT NULL, status INTEGER NOT NULL, headers TEXT NOT NULL, flags TEXT NOT NULL,
  body BLOB NOT NULL, fetched_at REAL NOT NULL)"""


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A response as it was fetched, or a page as it was rendered."""

    url: str
    status: int
    headers: Mapping[str, list[str]]
    flags: tuple[str, ...]
    body: bytes
    fetched_at: float

    def page(self) -> Page:
        """Return the page, parsed."""
        content_type = (self.headers.get("Content-Type") or [""])[0]
        return read_page(self.body, url=self.url, charset=http_content_type_encoding(content_type))


class JobPages:
    """The pages in the folder of a crawl."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=NORMAL")
            self._connection.execute(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise OutputError(folder, f"cannot hold the pages of a crawl: {error}") from error

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def first_fetched_at(self) -> float | None:
        """Return when the oldest page was fetched, None without any."""
        found = self._connection.execute("SELECT min(fetched_at) FROM pages").fetchone()[0]
        return None if found is None else float(found)

    def __contains__(self, key: object) -> bool:
        stored = str(key).partition(KEY_SEPARATOR)[0]
        return self._connection.execute("SELECT 1 FROM pages WHERE key = ?", (stored,)).fetchone() is not None

    def get(self, key: str) -> StoredPage | None:
        """Return a page, None if it is not here; the key of one of several in a response ends in its number."""
        key, _, number = key.partition(KEY_SEPARATOR)
        row = self._connection.execute(
            "SELECT url, status, headers, flags, body, fetched_at FROM pages WHERE key = ?", (key,)
        ).fetchone()
        if row is None:
            return None
        url, status, headers, flags, body, fetched_at = row
        whole = StoredPage(
            url, status, json.loads(headers), tuple(json.loads(flags)), zlib.decompress(body), fetched_at
        )
        if not number:
            return whole
        pages, _ = load_pages(whole.body)
        own_url, html = pages[int(number)]
        return replace(whole, url=own_url, headers={"Content-Type": [HTML_TYPE]}, body=html)

    def put(self, key: str, page: StoredPage) -> None:
        """Keep a page; it is on disk when this returns."""
        self._connection.execute(
            "INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                key,
                page.url,
                page.status,
                json.dumps(page.headers),
                json.dumps(page.flags),
                zlib.compress(page.body, 6),
                page.fetched_at,
            ),
        )


@contextmanager
def open_job(folder: Path) -> Iterator[JobPages]:
    """Give the pages of a crawl."""
    with closing(JobPages(folder)) as pages:
        yield pages


class JobPageCache:
    """The storage of Scrapy's HTTP cache in the folder HTTPCACHE_DIR; rendered pages are apart from those sent."""

    def __init__(self, settings: BaseSettings) -> None:
        self._folder = Path(settings["HTTPCACHE_DIR"])
        self._pages: JobPages | None = None
        self._fingerprinter: RequestFingerprinterProtocol | None = None

    def open_spider(self, spider: Spider) -> None:
        """Open the file."""
        self._pages = JobPages(self._folder)
        self._fingerprinter = spider.crawler.request_fingerprinter

    def close_spider(self, spider: Spider) -> None:
        """Close the file."""
        if self._pages is not None:
            self._pages.close()

    def key(self, request: Request) -> str:
        """Return the key of a request."""
        assert self._fingerprinter is not None
        meta = request.meta
        rendered = f"-rendered-{meta[RENDER]}" if RENDER in meta else ""
        turned = f"-turned-{meta[TURNS]}" if TURNS in meta else ""
        return self._fingerprinter.fingerprint(request).hex() + rendered + turned

    def retrieve_response(self, spider: Spider, request: Request) -> Response | None:
        """Return the response to a request, None if there is none yet."""
        assert self._pages is not None
        key = self.key(request)
        found = self._pages.get(key)
        if found is None:
            return None
        request.meta["peneira_key"] = key
        headers = Headers(dict(found.headers))
        kind = responsetypes.from_args(headers=headers, url=found.url, body=found.body)
        return kind(found.url, status=found.status, headers=headers, body=found.body, flags=list(found.flags))

    def store_response(self, spider: Spider, request: Request, response: Response) -> None:
        """Keep the response to a request."""
        assert self._pages is not None
        key = self.key(request)
        request.meta["peneira_key"] = key
        headers = {
            name.decode("latin-1"): [value.decode("latin-1") for value in response.headers.getlist(name)]
            for name in response.headers
        }
        flags = tuple(response.flags)
        self._pages.put(key, StoredPage(response.url, response.status, headers, flags, response.body, time.time()))
