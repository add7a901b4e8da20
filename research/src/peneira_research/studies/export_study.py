"""Exports: whether the module that ``peneira export`` writes reads the same as the wrapper, with the real libraries.

The module is run with parsel and with the text of Scrapy's response, by its own ``page_of``, which builds the tree that
browsers build. *libxml2 alone*: with the tree of lxml's own parser, which is another one for broken markup. *As a
browser*: with peneira's table of nodes as a tree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import lxml.html
import parsel

from peneira.errors import ArgumentError
from peneira.page import Page
from peneira.result import Extraction
from peneira.sources.html import read_page
from peneira.table import Cell
from peneira.wrappers.export import scrapy_module
from peneira.wrappers.learning import learn
from peneira.wrappers.wrapper import Wrapper

# Pages of a site: those that are read, those that a wrapper of a detail site is learned from, and all that are needed
MAX_PAGES = 4
LEARNING_PAGES = 5
PAGES = LEARNING_PAGES + MAX_PAGES - 1

Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class ExportScore:
    """The values that ``apply`` gives on some pages of a site, and how many of them each library reads otherwise."""

    corpus: str
    site: str
    values: int = 0
    different: Mapping[str, int] = field(default_factory=dict)
    example: str = ""
    error: str | None = None


@dataclass(frozen=True, slots=True)
class SitePages:
    """The pages of a site, each with its address, the first few to learn from."""

    corpus: str
    site: str
    pages: Sequence[tuple[bytes, str]]
    is_detail: bool = False


def score_export(site: SitePages) -> ExportScore:
    """Return how the exported module of a site reads its pages."""
    pages = [read_page(body, url=url or None) for body, url in site.pages]
    learning = pages[: LEARNING_PAGES if site.is_detail else 1]
    try:
        wrapper = learn(learning, kind="detail" if site.is_detail else "list")
        module = _Module(wrapper)
    except ArgumentError as error:  # records in pieces: the export says that it cannot
        return ExportScore(site.corpus, site.site, error=f"not exported: {str(error)[:60]}")
    except Exception as error:  # a failure on one site must not stop the others
        return ExportScore(site.corpus, site.site, error=f"{type(error).__name__}: {error}")
    left_out = {column.name for column in wrapper.fields if column.source != "page"}
    values, example = 0, ""
    different = dict.fromkeys(LIBRARIES, 0)
    chosen = [0, *range(len(learning), len(pages))][:MAX_PAGES]
    for page, (body, _) in ((pages[k], site.pages[k]) for k in chosen):
        expected = rows_of(wrapper.extract(page), left_out)
        values += sum(map(len, expected))
        for name, selector_of in LIBRARIES.items():
            found = [
                {key: value for key, value in row.items() if value is not None}
                for row in module.rows(selector_of(module, page, body), page.url or "")
            ]
            count, first = differences(expected, found)
            different[name] += count
            example = f"{name}: {first}" if count else example
    return ExportScore(site.corpus, site.site, values, different, example)


class _Module:
    """An exported module, with its own way to build pages."""

    def __init__(self, wrapper: Wrapper) -> None:
        names: dict[str, Any] = {"__name__": "exported"}
        exec(compile(scrapy_module(wrapper), "exported.py", "exec", dont_inherit=True), names)
        self._read, self.page_of = names["read"], names["page_of"]

    def rows(self, selector: parsel.Selector, url: str) -> Rows:
        """Return the records of a page."""
        return list(self._read(selector, url))


def _by_parsel(module: _Module, page: Page, body: bytes) -> parsel.Selector:
    selector: parsel.Selector = module.page_of(_decoded(page, body))
    return selector


def _by_scrapy(module: _Module, page: Page, body: bytes) -> parsel.Selector:
    from scrapy.http import HtmlResponse

    text = _decoded(page, body)
    response = HtmlResponse(page.url or "https://a.example/", body=text.encode("utf-8", "replace"), encoding="utf-8")
    selector: parsel.Selector = module.page_of(response.text)
    return selector


def _by_libxml2(_module: _Module, page: Page, body: bytes) -> parsel.Selector:
    parser = lxml.html.HTMLParser(encoding="utf-8", huge_tree=True)
    return parsel.Selector(root=lxml.html.document_fromstring(_decoded(page, body).encode("utf-8", "replace"), parser))


def _decoded(page: Page, body: bytes) -> str:
    """Return the text of a page in the encoding that peneira decided on: encodings are not compared here."""
    return body.decode(page.encoding or "utf-8", "replace").replace("\0", "")


def _as_browser(_module: _Module, page: Page, _body: bytes) -> parsel.Selector:
    """Return the tree of lexbor itself as a tree of lxml."""
    return parsel.Selector(root=lxml_tree(page))


LIBRARIES: Mapping[str, Callable[[_Module, Page, bytes], parsel.Selector]] = {
    "parsel": _by_parsel,
    "scrapy": _by_scrapy,
    "libxml2 alone": _by_libxml2,
    "as a browser": _as_browser,
}


def lxml_tree(page: Page) -> Any:
    """Return the table of nodes of a page as a tree of lxml, text for text."""
    elements: dict[int, Any] = {}
    last: dict[int, Any] = {}
    root = None
    for row, attrs in enumerate(page.attrs):
        parent = page.lists.parent[row]
        if page.is_text(row):
            _add_text(elements[parent], last.get(parent), ("\n" if page.spaced[row] else "") + page.text[row])
            continue
        element = lxml.html.Element(page.name(row).encode("ascii", "ignore").decode() or "x")
        for name, value in attrs.items():
            _set(element, name, value)
        if parent < 0:
            root = element if root is None else root
        else:
            if page.spaced[row]:
                _add_text(elements[parent], last.get(parent), "\n")
            elements[parent].append(element)
            last[parent] = element
        elements[row] = element
    return root


def _set(element: Any, name: str, value: str) -> None:
    try:
        element.set(name, _storable(value))
    except ValueError:  # names that XML cannot have, which no selector tests
        return


def _storable(text: str) -> str:
    """Return a text with a space for each character that lxml cannot hold."""
    return "".join(each if (each >= " " or each in "\t\n\r") and each not in "\ufffe\uffff" else " " for each in text)


def _add_text(parent: Any, last: Any, text: str) -> None:
    clean = _storable(text)
    if last is None:
        parent.text = (parent.text or "") + clean
    else:
        last.tail = (last.tail or "") + clean


def rows_of(extraction: Extraction, left_out: set[str]) -> Rows:
    """Return the shown values of a page as an exported module gives them."""
    region = extraction.main
    if region is None:
        return []
    shown = [column.name for column in region.columns if column.name not in left_out]
    return [{name: _plain(record[name]) for name in shown if name in record} for record in region]


def _plain(cell: Cell) -> Any:
    if cell.table is not None:
        return [
            {column.name: _plain(own) for column, own in zip(cell.table.columns, row, strict=True) if own is not None}
            for row in cell.table.rows
        ]
    return [_without_controls(item) for item in cell.items] if cell.items else _without_controls(cell.text)


def _without_controls(text: str) -> str:
    """Return a text without the control characters that lxml cannot hold."""
    return " ".join("".join(each if each >= " " else " " for each in text).split())


def differences(expected: Rows, found: Rows) -> tuple[int, str]:
    """Return how many values differ, are missing or are too many, and the first of them."""
    if len(expected) != len(found):
        return max(sum(map(len, expected)), 1), f"{len(found)} records, not {len(expected)}"
    count, first = 0, ""
    for own, other in zip(expected, map(_without_none, found), strict=True):
        for name in own.keys() | other.keys():
            if own.get(name) != other.get(name):
                count += 1
                first = first or f"{name}: {str(other.get(name))[:60]!r}, not {str(own.get(name))[:60]!r}"
    return count, first


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_none(own) for name, own in value.items() if own is not None}
    if isinstance(value, list):
        return [_without_none(own) for own in value]
    return _without_controls(value) if isinstance(value, str) else value
