"""Reads the pages of one site. Written by ``peneira export``; needs parsel, which comes with Scrapy, and not peneira.

In a spider:  yield from read(response.selector, response.url)
Alone:        rows = list(read(parsel.Selector(text=html), url))
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urljoin

from lxml import etree
from parsel import Selector

NOT_ADDRESSES = ("javascript:", "data:", "about:", "#", "vbscript:")
# HTML parsers differ in whether they insert these
OPTIONAL_TAGS = ("tbody", "colgroup")
# The tag of the element that joins the siblings of a record
JOINED = "record"

# A text, a list of texts, or None where a value is missing, by the name of the column
Row = dict[str, str | list[str] | None]
# An lxml element
Element = Any


@dataclass(frozen=True)
class Site:
    """Where the values of the pages are.

    ``columns``: name, XPath, a text to remove before the value, whether all texts found are values.
    ``core``: the columns that identify a page, and ``min_core`` the share of them that it has at least.
    ``records``: the XPaths of the records, the usual one first; empty for pages that are one record each.
    ``max_nodes``: how many sibling nodes a record has at most. ``shape``: the fewest and the most elements of each kind
    in a record. ``min_score``: the least share of the core columns plus similarity to the shape.
    ``skips``: how the texts of non-records start that stand among records. ``keys``: columns whose values differ.
    """

    columns: Sequence[tuple[str, str, str, bool]] = ()
    core: Sequence[str] = ()
    min_core: float = 0.0
    separators: str = ""
    inline_tags: Collection[str] = ()
    silent_tags: Collection[str] = ()
    records: Sequence[str] = ()
    max_nodes: int = 1
    shape: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    min_score: float = 0.0
    skips: Collection[str] = ()
    max_skip_chars: int = 0
    keys: Sequence[str] = ()
    few_records: float = 0.0
    min_core_elsewhere: float = 0.0
    min_shape_elsewhere: float = 0.0
    min_parts: int = 0
    min_distinct: float = 0.0
    min_mean_shape: float = 0.0
    max_counted: int = 0


class Found(NamedTuple):
    """A record: its values, its first node, its share of the core columns, and its similarity to the shape."""

    row: Row
    head: Element
    core: float
    shape: float


SITE = Site()


def read(page: Selector, url: str = "", site: Site = SITE) -> Iterator[Row]:
    """Yield the records of a page; nothing for a page of another template."""
    base = urljoin(url, page.xpath("//base/@href").get(""))
    rows = best_rows(site, page, base) if site.records else [row_of(site, page, base)]
    present = sum(any(row[name] is not None for row in rows) for name in site.core)
    if not site.core or present >= site.min_core * len(site.core):
        yield from rows


def best_rows(site: Site, page: Selector, base: str) -> list[Row]:
    """Return the records at the usual XPath; if there are few, those at an alternative with more than twice as many."""
    usual = records_at(site, page, base, site.records[0], is_usual=True)
    usual = [] if are_parts(site, usual) else usual
    if len(usual) <= site.few_records:
        for xpath in site.records[1:]:
            elsewhere = records_at(site, page, base, xpath, is_usual=False)
            if len(elsewhere) > 2 * len(usual):
                usual = elsewhere
                break
    return [found.row for found in usual]


def records_at(site: Site, page: Selector, base: str, xpath: str, *, is_usual: bool) -> list[Found]:
    """Return the records at an XPath."""
    heads = page.xpath(xpath)
    nodes = {head.root for head in heads}
    kept: list[Found] = []
    for head in heads:
        record = head if site.max_nodes == 1 else type(head)(root=joined(site, head.root, nodes), type="html")
        if site.skips and " ".join(text_of(site, record.root).split())[: site.max_skip_chars] in site.skips:
            continue
        row = row_of(site, record, base)
        core = sum(row[name] is not None for name in site.core) / len(site.core) if site.core else 1.0
        shape = shape_similarity(site, record.root)
        is_elsewhere = core >= site.min_core_elsewhere and shape >= site.min_shape_elsewhere
        if (core + shape >= site.min_score) if is_usual else is_elsewhere:
            keep(kept, Found(row, head.root, core, shape))
    return kept


def keep(kept: list[Found], found: Found) -> None:
    """Add a record; of two nested records the better one stays."""
    around = set(found.head.iterancestors())
    while kept and kept[-1].head in around and found.core + found.shape >= kept[-1].core + kept[-1].shape:
        kept.pop()
    if not kept or kept[-1].head not in around:
        kept.append(found)


def are_parts(site: Site, records: Sequence[Found]) -> bool:
    """Return whether these are parts of records of another template: the values of a key repeat in them."""
    if len(records) < site.min_parts:
        return False
    values_of_keys = [[str(found.row[name]) for found in records if found.row[name] is not None] for name in site.keys]
    repeats = any(len(set(values)) < site.min_distinct * len(values) for values in values_of_keys)
    return repeats and sum(found.shape for found in records) / len(records) < site.min_mean_shape


def joined(site: Site, head: Element, heads: Collection[Element]) -> Element:
    """Return a record of several siblings as one element."""
    record, count, node = etree.Element(JOINED), 0, head
    while node is not None and count < site.max_nodes and (node is head or node not in heads):
        if isinstance(node.tag, str):
            copy = deepcopy(node)
            tail, copy.tail = copy.tail, None
            record.append(copy)
            count += 1
            if (tail or "").strip() and count < site.max_nodes:
                copy.tail = tail
                count += 1
        node = node.getnext()
    return record


def shape_similarity(site: Site, record: Element) -> float:
    """Return the share of elements within the ranges of the shape, of all that are there or should be."""
    if not site.shape:
        return 1.0
    counts = element_counts(record, max(kind.count("/") for kind in site.shape))
    same = other = 0
    for kind, (fewest, most) in site.shape.items():
        number = min(counts.get(kind, 0), site.max_counted)
        same += min(number, most)
        other += max(fewest - number, number - most, 0)
    other += sum(min(number, site.max_counted) for kind, number in counts.items() if kind not in site.shape)
    return same / max(same + other, 1)


def element_counts(record: Element, max_depth: int) -> dict[str, int]:
    """Return how many elements of each kind a record has; a kind is the tags from its top, joined by slashes."""
    counts: dict[str, int] = {}
    tops = list(record) if record.tag == JOINED else [record]
    waiting = [(top, top.tag) for top in tops if isinstance(top.tag, str)]
    if record.tag == JOINED:
        counts["text"] = sum(bool((top.tail or "").strip()) for top in tops)
    while waiting:
        node, kind = waiting.pop()
        if node.tag not in OPTIONAL_TAGS:
            counts[kind] = counts.get(kind, 0) + 1
        for child in node:
            if isinstance(child.tag, str):
                path = kind if child.tag in OPTIONAL_TAGS else f"{kind}/{child.tag}"
                if path.count("/") <= max_depth:
                    waiting.append((child, path))
    return counts


def row_of(site: Site, context: Selector, base: str) -> Row:
    """Return the values of a record by the name of the column."""
    return {name: value_of(site, context, base, xpath, label, is_list) for name, xpath, label, is_list in site.columns}


def value_of(site: Site, context: Selector, base: str, xpath: str, label: str, is_list: bool) -> str | list[str] | None:
    """Return the first text at an XPath, or all of them for a list; None if there is none."""
    texts = []
    for found in context.xpath(xpath):
        text = found.root if isinstance(found.root, str) else text_of(site, found.root)
        text = " ".join(text.split())
        if xpath.endswith(("/@href", "/@src")):
            text = "" if text.lower().startswith(NOT_ADDRESSES) else urljoin(base, text)
        text = text.removeprefix(label).strip()
        if text and not all(character in site.separators for character in text):
            texts.append(text)
    if not texts:
        return None
    return texts if is_list else texts[0]


def text_of(site: Site, element: Element) -> str:
    """Return the text of an element, with spaces around blocks and none around inline elements."""
    parts: list[str] = []
    for event, node in etree.iterwalk(element, events=("start", "end")):
        if not isinstance(node.tag, str):
            continue
        if node.tag not in site.inline_tags:
            parts.append(" ")
        if event == "start" and node.tag not in site.silent_tags:
            parts.append(node.text or "")
        if event == "end" and node is not element:
            parts.append(node.tail or "")
    return "".join(parts)
