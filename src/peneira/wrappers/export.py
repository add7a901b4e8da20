"""A wrapper for other tools: its selectors as XPath or CSS, or a module for Scrapy that reads pages as it does."""

from __future__ import annotations

from pprint import pformat

from peneira.page import INLINE_TAGS, SILENT_TAGS
from peneira.records.outline import SEPARATORS
from peneira.wrappers.selectors import Selector
from peneira.wrappers.site import CORE_FILL, LEAST_RECORD_SHARE, LEAST_SHARE_ELSEWHERE, Wrapper

FORMS = ("xpath", "css", "scrapy")
_RECORDS = "records"


def exported(wrapper: Wrapper, form: str) -> str:
    """Return the wrapper in one of the forms."""
    return scrapy_module(wrapper) if form == "scrapy" else "\n".join(_lines(wrapper, form)) + "\n"


def _lines(wrapper: Wrapper, form: str) -> list[str]:
    """Return a line per selector: the name of the column, a tab, the selector; empty where CSS cannot say it."""
    named = [(one.name, one.selector) for one in wrapper.fields]
    if wrapper.records is not None:
        named.insert(0, (_RECORDS, wrapper.records.selector))
    return [f"{name}\t{_written(selector, form)}" for name, selector in named]


def _written(selector: Selector, form: str) -> str:
    return str(selector) if form == "xpath" else selector.css or ""


def scrapy_module(wrapper: Wrapper) -> str:
    """Return a Python module that reads the wrapper's pages with parsel, alone or in a Scrapy spider."""
    columns = [(one.name, str(one.selector), one.label, one.is_list) for one in wrapper.fields]
    core = [one.name for one in wrapper.fields if one.past.fill >= CORE_FILL]
    records = wrapper.records
    return _MODULE.format(
        records=pformat(_ways(wrapper), width=118),
        nodes=records.nodes if records else 1,
        columns=pformat(columns, width=118),
        core=pformat(core, width=118),
        separators=repr("".join(sorted(SEPARATORS))),
        inline=repr(" ".join(sorted(INLINE_TAGS))),
        silent=repr(" ".join(sorted(SILENT_TAGS))),
    )


def _ways(wrapper: Wrapper) -> list[tuple[str, float]]:
    """Return the ways to the records, and the share of the core columns that a record must have on each."""
    if wrapper.records is None:
        return []
    others = [(str(way), LEAST_SHARE_ELSEWHERE) for way in wrapper.records.others]
    return [(str(wrapper.records.selector), LEAST_RECORD_SHARE), *others]


_MODULE = '''"""Reads the pages of one site. Made by peneira from a wrapper; needs parsel, which comes with Scrapy.

In a spider:  yield from read(response.selector, response.url)
Alone:        rows = list(read(parsel.Selector(text=html), url))
"""

from copy import deepcopy
from urllib.parse import urljoin

from lxml import etree
from parsel import Selector

# Where the records are, and how many of the core columns one has at least; the first way that finds some is taken.
# Empty if a page is one record. A record has so many sibling nodes at most
RECORDS = {records}
NODES = {nodes}
# name, XPath, words to leave out before the value, whether all texts found are values
COLUMNS = {columns}
# The columns by which a record is known
CORE = {core}

SEPARATORS = set({separators})
INLINE = set({inline}.split())
SILENT = set({silent}.split())
NO_ADDRESS = ("javascript:", "data:", "about:", "#", "vbscript:")


def read(page, url=""):
    """Yield the records of a page: a dict of texts, lists of texts, and None where a value is missing."""
    base = urljoin(url, page.xpath("//base/@href").get(""))
    if not RECORDS:
        yield row_of(page, base)
    for xpath, least in RECORDS:
        rows = [row_of(context, base) for context in contexts(page.xpath(xpath))]
        rows = [row for row in rows if sum(row[name] is not None for name in CORE) >= least * len(CORE)]
        if rows:
            yield from rows
            return


def row_of(context, base):
    return {{name: value(context, *rest, base) for name, *rest in COLUMNS}}


def contexts(heads):
    if NODES == 1:
        return heads
    roots = {{head.root for head in heads}}
    return [Selector(root=joined(head.root, roots), type="html") for head in heads]


def joined(head, heads):
    """Return a record of several siblings as one element."""
    record, count, node = etree.Element("record"), 0, head
    while node is not None and count < NODES and (node is head or node not in heads):
        if isinstance(node.tag, str):
            copy = deepcopy(node)
            tail, copy.tail = copy.tail, None
            record.append(copy)
            count += 1
            if (tail or "").strip() and count < NODES:
                copy.tail = tail
                count += 1
        node = node.getnext()
    return record


def value(context, xpath, label, is_list, base):
    texts = []
    for found in context.xpath(xpath):
        text = found.root if isinstance(found.root, str) else text_of(found.root)
        text = " ".join(text.split())
        if xpath.endswith(("/@href", "/@src")):
            text = "" if text.lower().startswith(NO_ADDRESS) else urljoin(base, text)
        text = text.removeprefix(label).strip()
        if text and not set(text) <= SEPARATORS:
            texts.append(text)
    if not texts:
        return None
    return texts if is_list else texts[0]


def text_of(element):
    """Return the text of an element; blocks are apart, inline elements are not."""
    parts = []
    for event, node in etree.iterwalk(element, events=("start", "end")):
        if not isinstance(node.tag, str):
            continue
        if node.tag not in INLINE:
            parts.append(" ")
        if event == "start" and node.tag not in SILENT:
            parts.append(node.text or "")
        if event == "end" and node is not element:
            parts.append(node.tail or "")
    return "".join(parts)
'''
