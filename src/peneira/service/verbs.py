"""What the service does with pages: one function per verb, which runs in a worker process and returns plain values.

Each function imports what it needs: the server itself starts without finders, models and wrappers.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from peneira.errors import ArgumentError, InputError
from peneira.limits import Limits
from peneira.output.documents import (
    Document,
    check_document,
    content_document,
    cut_documents,
    extraction_document,
    healing_document,
    item_document,
    text_document,
)
from peneira.page import Page
from peneira.result import Extraction, Region
from peneira.service.table_files import table_file
from peneira.table import Table

if TYPE_CHECKING:
    from peneira.wrappers.drift import CheckReport
    from peneira.wrappers.wrapper import Fallback, PageKind, Wrapper

# What a row of a parsed page takes, as its text and its attributes have it
BYTES_PER_ROW = 200


@dataclass(frozen=True, slots=True)
class PageToRead:
    """A page on its way to a worker: its HTML as it was sent, or the page where a browser has rendered it."""

    name: str
    html: bytes | str = b""
    url: str | None = None
    charset: str | None = None
    page: Page | None = None

    @property
    def size(self) -> int:
        """About how many bytes the page takes on its way."""
        return len(self.html) if self.page is None else BYTES_PER_ROW * len(self.page)

    def read(self, limits: Limits) -> Page:
        """Return the page."""
        if self.page is not None:
            return self.page
        from peneira.sources.html import read_page

        return read_page(self.html, url=self.url, charset=self.charset, limits=limits)


def extracted(
    given: PageToRead, limits: Limits, *, method: str = "auto", region: int | None = None
) -> tuple[Extraction, Region | None]:
    """Return what was found on a page, and the list that was asked for: the main one without a number."""
    from peneira.extraction import extract

    result = extract(given.read(limits), method=method, limits=limits)
    if region is None:
        return result, result.main
    if region > len(result.regions):
        raise ArgumentError(f"region={region} is not on this page, which has {len(result.regions)} lists")
    return result, result.regions[region - 1]


def extract_page(
    given: PageToRead, limits: Limits, method: str = "auto", region: int | None = None, all_columns: bool = False
) -> Document:
    """Return the records of a page, and what is known about them."""
    result, chosen = extracted(given, limits, method=method, region=region)
    return extraction_document(given.name, result, chosen, None if chosen is None else _table(chosen, all_columns))


def extract_file(
    given: PageToRead,
    limits: Limits,
    format_name: str,
    method: str = "auto",
    region: int | None = None,
    all_columns: bool = False,
) -> bytes:
    """Return the records of a page alone, as a file."""
    result, chosen = extracted(given, limits, method=method, region=region)
    if chosen is None:
        raise InputError(f"no list of records: {result.reasons[0] if result.reasons else result.verdict}")
    return table_file(_table(chosen, all_columns), format_name)


def _table(region: Region, all_columns: bool) -> Table:
    return region.full_table if all_columns else region.table


def item_page(given: PageToRead, limits: Limits) -> Document:
    """Return the one thing that a page is about."""
    from peneira.items.builder import item_of

    return item_document(given.name, item_of(given.read(limits)))


def text_page(given: PageToRead, limits: Limits, markdown: bool = False) -> Document:
    """Return the main text of a page."""
    from peneira.texts.main_text import main_text

    page = given.read(limits)
    return {"source": given.name, **text_document(main_text(page, markdown=markdown), page.url)}


def clean_page(given: PageToRead, limits: Limits) -> Document:
    """Return a page without its noise, as HTML."""
    from peneira.texts.cleaning import clean

    page = given.read(limits)
    html = clean(page)
    return {
        "source": given.name,
        "url": page.url,
        "html": str(html),
        "status": html.status,
        "cuts": cut_documents(html.cuts),
    }


def content_page(given: PageToRead, limits: Limits, min_probability: float | None = None) -> Document:
    """Return the texts of a page that are its content."""
    from peneira.texts.content import content
    from peneira.texts.content_model import DEFAULT_MODEL

    page = given.read(limits)
    contents = content(page, min_probability=min_probability)
    return {"source": given.name, **content_document(contents, page.url, DEFAULT_MODEL, contents.cuts)}


def apply_page(given: PageToRead, limits: Limits, wrapper: str, otherwise: Fallback = "nothing") -> Document:
    """Return the records of a page, read with a wrapper."""
    from peneira.wrappers.store import loads

    result = loads(wrapper).extract(given.read(limits), otherwise=otherwise)
    main = result.main
    return extraction_document(given.name, result, main, None if main is None else main.table)


def learn_pages(
    given: Sequence[PageToRead], limits: Limits, kind: PageKind | None = None
) -> tuple[Wrapper, Table | None]:
    """Return a wrapper learned from pages, and what it reads from the first."""
    from peneira.wrappers.learning import learn

    pages = [each.read(limits) for each in given]
    wrapper = learn(pages, kind=kind, limits=limits)
    main = wrapper.extract(pages[0]).main
    return wrapper, None if main is None else main.table


def check_pages(given: Sequence[PageToRead], limits: Limits, wrapper: str) -> tuple[Document, CheckReport]:
    """Return whether pages still fit a wrapper: ok, degraded, broken or other-template, and why."""
    from peneira.wrappers.store import loads

    report = loads(wrapper).check([each.read(limits) for each in given])
    return check_document(names_of(given), report), report


def heal_pages(given: Sequence[PageToRead], limits: Limits, wrapper: str) -> tuple[Document, Wrapper | None]:
    """Return what became of a wrapper that is learned again from changed pages, and the new one if it is accepted."""
    from peneira.wrappers.store import loads

    healing = loads(wrapper).heal([each.read(limits) for each in given])
    made = healing.wrapper if healing.accepted else None
    return {**healing_document(healing), "wrapper": None if made is None else wrapper_document(made)}, made


def wrapper_document(wrapper: Wrapper) -> Document:
    """Return a wrapper as its file has it."""
    from peneira.wrappers.store import dumps

    document: Document = json.loads(dumps(wrapper))
    return document


def names_of(given: Sequence[PageToRead]) -> str:
    """Return what several pages are called together."""
    return given[0].name if len(given) == 1 else f"{len(given)} pages"
