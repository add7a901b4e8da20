"""A wrapper for other tools: its selectors as XPath or CSS, or a module for Scrapy that reads pages as it does."""

from __future__ import annotations

from pprint import pformat

from peneira.columns.outline import SEPARATORS
from peneira.page import INLINE_TAGS, SILENT_TAGS
from peneira.wrappers.record_members import (
    FEW_RECORDS,
    MIN_CORE_ELSEWHERE,
    MIN_DISTINCT,
    MIN_MEAN_SHAPE,
    MIN_PARTS,
    MIN_SHAPE_ELSEWHERE,
    RecordFinder,
)
from peneira.wrappers.record_shapes import MAX_COUNTED
from peneira.wrappers.wrapper import Wrapper
from peneira.xpath.selectors import Selector

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
    known: dict[str, object] = {
        "columns": [(one.name, str(one.selector), one.label, one.is_list) for one in wrapper.fields],
        "core": [one.name for one in wrapper.core],
        "min_core": wrapper.min_fit,
        "separators": "".join(sorted(SEPARATORS)),
        "inline": sorted(INLINE_TAGS),
        "silent": sorted(SILENT_TAGS),
    }
    records = wrapper.records
    if records is not None:
        known |= {
            "records": [str(records.selector), *map(str, records.others)],
            "nodes": records.nodes,
            "shape": dict(records.shape),
            "min_fit": records.least,
            "skips": list(records.skips),
            "keys": [one.name for one in RecordFinder(records, wrapper.fields).keys],
            "fewest": FEW_RECORDS * wrapper.baseline.fewest_records,
            "min_core_elsewhere": MIN_CORE_ELSEWHERE,
            "min_shape_elsewhere": MIN_SHAPE_ELSEWHERE,
            "min_parts": MIN_PARTS,
            "min_distinct": MIN_DISTINCT,
            "min_mean_shape": MIN_MEAN_SHAPE,
            "most_counted": MAX_COUNTED,
        }
    written = {name: pformat(value, width=118, compact=True) for name, value in known.items()}
    template = _DETAIL if records is None else _LIST
    return _HEAD + (_CONSTANTS + template).format(**written) + _VALUES


_HEAD = '''"""Reads the pages of one site. Made by peneira from a wrapper; needs parsel, which comes with Scrapy.

In a spider:  yield from read(response.selector, response.url)
Alone:        rows = list(read(parsel.Selector(text=html), url))
"""

from copy import deepcopy
from urllib.parse import urljoin

from lxml import etree
'''

_CONSTANTS = """
# name, XPath, words to leave out before the value, whether all texts found are values
COLUMNS = {columns}
# The columns by which a page is known, and which share of them it has at least
CORE = {core}
MIN_CORE = {min_core}
SEPARATORS = set({separators})
INLINE = set({inline})
SILENT = set({silent})
NO_ADDRESS = ("javascript:", "data:", "about:", "#", "vbscript:")
"""

_DETAIL = '''

def read(page, url=""):
    """Yield the values of a page, None where one is missing; nothing for a page of another template."""
    row = row_of(page, urljoin(url, page.xpath("//base/@href").get("")))
    if not CORE or sum(row[name] is not None for name in CORE) >= MIN_CORE * len(CORE):
        yield row


'''

_LIST = '''
# Where the records are, first the usual way; how many sibling nodes one has at most
RECORDS = {records}
NODES = {nodes}
# The elements of a record, the fewest and the most; how much of these and of the columns it has at least, as two shares
SHAPE = {shape}
MIN_FIT = {min_fit}
# How texts begin that stand among records and are none; columns that tell records apart; few records
SKIPS = {skips}
KEYS = {keys}
FEW = {fewest}


def read(page, url=""):
    """Yield the records of a page: texts, lists of texts, None where one is missing; none for another template."""
    base = urljoin(url, page.xpath("//base/@href").get(""))
    rows = list(best_rows(page, base))
    if not CORE or sum(any(row[name] is not None for row in rows) for name in CORE) >= MIN_CORE * len(CORE):
        yield from rows


def best_rows(page, base):
    usual = rows_at(page, base, RECORDS[0], is_usual=True)
    usual = [] if are_parts(usual) else usual
    if len(usual) <= FEW:
        for xpath in RECORDS[1:]:
            rows = rows_at(page, base, xpath, is_usual=False)
            if len(rows) > 2 * len(usual):
                usual = rows
                break
    return [row for row, _, _ in usual]


def rows_at(page, base, xpath, *, is_usual):
    """Return the records at an XPath, each with its first node and how much of a record it has."""
    heads = page.xpath(xpath)
    nodes = {{head.root for head in heads}}
    kept = []
    for head in heads:
        record = head if NODES == 1 else type(head)(root=joined(head.root, nodes), type="html")
        if SKIPS and " ".join(text_of(record.root).split())[:120] in SKIPS:
            continue
        row = row_of(record, base)
        share = sum(row[name] is not None for name in CORE) / len(CORE) if CORE else 1.0
        shape = likeness(record.root)
        elsewhere = share >= {min_core_elsewhere} and shape >= {min_shape_elsewhere}
        if (share + shape >= MIN_FIT) if is_usual else elsewhere:
            keep(kept, (row, head.root, (share, shape)))
    return kept


def keep(kept, one):
    """Add a record; of two that lie in each other the better one stays."""
    around = set(one[1].iterancestors())
    while kept and kept[-1][1] in around and sum(one[2]) >= sum(kept[-1][2]):
        kept.pop()
    if not kept or kept[-1][1] not in around:
        kept.append(one)


def are_parts(rows):
    """Tell whether rows are parts of other records: values that told records apart repeat in them."""
    if len(rows) < {min_parts}:
        return False
    values = [[str(row[name]) for row, _, _ in rows if row[name] is not None] for name in KEYS]
    repeats = any(len(set(those)) < {min_distinct} * len(those) for those in values)
    return repeats and sum(fit[1] for _, _, fit in rows) / len(rows) < {min_mean_shape}


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


def likeness(record):
    """Return the share of the elements of a record that its shape explains, of those that it has or should have."""
    if not SHAPE:
        return 1.0
    deepest = max(kind.count("/") for kind in SHAPE)
    counts = {{}}
    tops = list(record) if record.tag == "record" else [record]
    waiting = [(top, top.tag) for top in tops if isinstance(top.tag, str)]
    if record.tag == "record":
        counts["text"] = sum(bool((top.tail or "").strip()) for top in tops)
    while waiting:
        node, kind = waiting.pop()
        if node.tag not in ("tbody", "colgroup"):
            counts[kind] = counts.get(kind, 0) + 1
        for below in node:
            if isinstance(below.tag, str):
                path = kind if below.tag in ("tbody", "colgroup") else kind + "/" + below.tag
                if path.count("/") <= deepest:
                    waiting.append((below, path))
    same = other = 0
    for kind, (fewest, most) in SHAPE.items():
        number = min(counts.get(kind, 0), {most_counted})
        same += min(number, most)
        other += max(fewest - number, number - most, 0)
    other += sum(min(number, {most_counted}) for kind, number in counts.items() if kind not in SHAPE)
    return same / max(same + other, 1)


'''

_VALUES = '''def row_of(context, base):
    return {name: value(context, *rest, base) for name, *rest in COLUMNS}


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
