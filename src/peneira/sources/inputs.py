"""Sources of pages: HTML, files, URLs, standard input, each to be read as it was sent or as a browser renders it.

The library makes a source of what it is given (``source_of``), the command line of what the user names
(``named_sources``): files, folders, globs, ``.html.gz``, ``-``, URLs, hosts without a scheme.
"""

from __future__ import annotations

import codecs
import glob
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from peneira.credentials import checked_url, without_credentials
from peneira.errors import InputError
from peneira.limits import Limits
from peneira.page import Page
from peneira.sources.fetch_options import DEFAULT_OPTIONS, FetchOptions
from peneira.sources.html import read_file, read_page
from peneira.sources.packed_files import CODINGS

if TYPE_CHECKING:
    from peneira.sources.browser import Browser
    from peneira.sources.network import Resolver

STDIN = "-"
_HTML_ENDINGS = (".html", ".htm", ".xhtml")
PAGE_ENDINGS = (*_HTML_ENDINGS, *(ending + coding for ending in _HTML_ENDINGS for coding in CODINGS))
# www.example.com, example.com/path, example.com:8000/path
_HOST = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?(?P<path>/.*)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Source:
    """A page that can be read in two ways. ``name`` is what messages call it, ``url`` its address where known.

    ``sent`` returns the page as it was sent or saved, ``rendered`` as a browser renders it, with a screenshot if asked.
    """

    name: str
    url: str | None
    sent: Callable[[Limits], Page]
    rendered: Callable[[Browser, bool], Page]


def source_of(page: bytes | str | Path | Page, *, url: str | None = None) -> Source:
    """Return the source of HTML bytes, HTML text, a file or a ``Page``."""
    url = checked_url(url)
    name = str(page) if isinstance(page, Path) else url or "the page"
    return Source(
        name,
        url or (page.url if isinstance(page, Page) else None),
        lambda limits: read_page(page, url=url, limits=limits),
        lambda browser, screenshot: browser.read(page, url=url, screenshot=screenshot, name=name),
    )


def named_sources(
    names: Sequence[str], *, url: str | None = None, options: FetchOptions = DEFAULT_OPTIONS
) -> list[Source]:
    """Return the sources that a user names; a folder or a glob gives one per page in it, in order of their names.

    ``url`` is the address of local pages. What cannot be read raises its error when the source is read.
    """
    url = checked_url(url)
    resolver = _shared_resolver()
    return [_named_source(name, url, options, resolver) for given in names for name in _expanded(given)]


def web_source(url: str, *, options: FetchOptions = DEFAULT_OPTIONS) -> Source:
    """Return the source of the page at a URL, whatever that looks like; names are looked up once for it."""
    return _web_source(url, None, options, _shared_resolver())


def _shared_resolver() -> Callable[[], Resolver]:
    """Return a function that returns the resolver of one run, made when first needed."""

    @cache
    def resolver() -> Resolver:
        from peneira.sources.network import Resolver  # imports ssl

        return Resolver()

    return resolver


def is_url(name: str) -> bool:
    """Return whether a name has the scheme of a URL: two letters or more, as one is a Windows drive."""
    scheme, separator, _ = name.partition("://")
    return bool(separator) and len(scheme) > 1 and scheme.isalnum()


def is_collection(name: str) -> bool:
    """Return whether a name may stand for several pages: a folder or a glob."""
    return _is_folder(name) or (glob.has_magic(name) and not is_url(name) and not Path(name).exists())


def _expanded(name: str) -> list[str]:
    """Return the pages of a folder or a glob; any other name, and one without pages, is returned alone."""
    if _is_folder(name):
        pages = [path for path in Path(name).rglob("*") if path.name.lower().endswith(PAGE_ENDINGS) and path.is_file()]
        return sorted(map(str, pages), key=Path) or [name]
    if is_collection(name):
        found = glob.glob(name, recursive=True)  # noqa: PTH207 - a pattern may start anywhere
        return sorted(path for path in found if Path(path).is_file()) or [name]
    return [name]


def _named_source(name: str, url: str | None, options: FetchOptions, resolver: Callable[[], Resolver]) -> Source:
    address = web_address(name)
    if address is not None:
        return _web_source(address, url, options, resolver)
    title = "standard input" if name == STDIN else name
    # standard input can be read once, and a page may be read twice: as it was sent, and rendered
    body = cache(_stdin_bytes) if name == STDIN else partial(_file_bytes, name)
    return Source(
        title,
        url,
        lambda limits: read_page(body(limits), url=url, limits=limits),
        lambda browser, screenshot: browser.read(body(browser.limits), url=url, screenshot=screenshot, name=title),
    )


def _web_source(address: str, url: str | None, options: FetchOptions, resolver: Callable[[], Resolver]) -> Source:
    def sent(limits: Limits) -> Page:
        from peneira.sources.fetch import fetch  # imports ssl and http
        from peneira.sources.network import Network

        fetched = fetch(address, limits=limits, options=options, network=Network(resolve=resolver()))
        return read_page(fetched.body, url=url or fetched.url, charset=fetched.charset, limits=limits)

    def rendered(browser: Browser, screenshot: bool) -> Page:
        return browser.open(address, screenshot=screenshot, resolver=resolver())

    name = without_credentials(address)
    return Source(name, name, sent, rendered)


def web_address(name: str) -> str | None:
    """Return the URL that a name means, None where it means something local."""
    if is_url(name):
        return name
    host = _HOST.fullmatch(name)
    if host is None or (name.lower().endswith(PAGE_ENDINGS) and not name.lower().startswith("www.")):
        return None
    is_web = name.lower().startswith("www.") or bool(host["path"])
    return f"https://{name}" if is_web and not Path(name.partition("/")[0]).exists() else None


def _is_folder(name: str) -> bool:
    """Return whether a name is that of a folder. The empty name, which Python takes for the current one, is not."""
    return bool(name) and name != STDIN and not is_url(name) and Path(name).is_dir()


def _stdin_bytes(limits: Limits) -> bytes:
    if sys.stdin is None:
        raise InputError("standard input is closed; name a file or a URL")
    return _not_binary("standard input", sys.stdin.buffer.read(limits.bytes + 1))


def _file_bytes(name: str, limits: Limits) -> bytes:
    if not name:
        raise InputError("the name of a page is empty")
    if _is_folder(name):
        raise InputError(
            f"{name}: no page in this folder ({', '.join(_HTML_ENDINGS)}, also packed as {', '.join(CODINGS)})"
        )
    if glob.has_magic(name) and not Path(name).exists():
        raise InputError(f"{name}: no file matches this pattern")
    if _HOST.fullmatch(name) and not name.lower().endswith(PAGE_ENDINGS) and not Path(name).exists():
        raise InputError(f"{name}: no such file; if it is a URL, write https://{name}")
    return _not_binary(name, read_file(Path(name), limits))


def _not_binary(name: str, body: bytes) -> bytes:
    head = body[:1024]
    if b"\x00" in head and not head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InputError(f"{name}: looks like a binary file, not an HTML page")
    return body
