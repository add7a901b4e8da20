"""Reads the pages of one site. Written by ``peneira export``; needs parsel, which comes with Scrapy, and not peneira.

In a spider:  yield from read(page_of(response.text), response.url)
Alone:        rows = list(read(page_of(html), url))

``page_of`` builds the tree that browsers build, with selectolax (pip install selectolax). Without it, and for selectors
that parsel or Scrapy made (``read(response.selector, url)``), libxml2 builds the tree: of broken markup another one.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple
from urllib.parse import urljoin

from lxml import etree
from parsel import Selector

NOT_ADDRESSES = ("javascript:", "data:", "about:", "#", "vbscript:")
# HTML parsers differ in whether they insert these
OPTIONAL_TAGS = ("tbody", "colgroup")
# A comment may stand within a text, which goes on after it
EVENTS = ("start", "end", "comment", "pi")
# The tag of the element that joins the siblings of a record
JOINED = "record"

# An XPath that finds nothing
NOTHING = "//*[false()]"
ROW_GROUPS = ("thead", "tbody", "tfoot")
# A column that none of so many records has is read by a spare reading, if that reads at least this share of the values
# that there were, this share of them has the old patterns, and at most this share is in another column
MIN_RECORDS = 3
MIN_FILL_SHARE = 0.6
MIN_ALIKE = 0.8
MAX_SHARED = 0.3
LETTERS, DIGITS = re.compile(r"[^\W\d_]+"), re.compile(r"\d+")
# Characters that lxml cannot hold, and names of elements that it can
UNSTORABLE = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
XML_NAME = re.compile(r"[A-Za-z][\w.-]*", re.ASCII)
HTML_SPACES = " \t\n\r\f"
# Characters that are not seen
ZERO_WIDTH = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
# Where the address of an image may be, and those of several sizes
SOURCES = (
    "src",
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "data-image",
    "data-img",
    "data-original-src",
)
SOURCE_SETS = ("srcset", "data-srcset", "data-lazy-srcset")
LINKS = ("data-href", "data-url", "data-link")
PLACEHOLDER = re.compile(
    r"^(?:data:|about:|javascript:|#|$)|(?:blank|pixel|spacer|placeholder|loading|lazy|transparent|1x1)[\w-]{0,200}\.\w{3,4}$",
    re.IGNORECASE,
)
# Dates in lower-case texts; a word in them must be the name of a month
WORD = r"[^\s\d.,;:()\[\]/|-]{2,20}"
DATE = re.compile(
    r"\b(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})"
    rf"|\d{{1,2}}(?:st|nd|rd|th|\.|º)?\s+(?:de\s+)?(?P<month>{WORD})\.?,?\s+(?:de\s+)?\d{{4}}"
    r"|(?P<day_and_year>\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}))\b"
)
MONTH_BEFORE = re.compile(rf"\b({WORD})\.?\s+$")
HIDING = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE)
NUMBER = re.compile(r"\d[\d.,]*\d|\d")
MAX_CHARS = 4_000
MAX_MARKS = 200
STRIPPED = " \t\n,;:|·•-–—"

# A text, a list of texts or of nested records, or None where a value is missing, by the name of the column
Row = dict[str, Any]
# An lxml element
Element = Any
# Kind, text, index, whether it is part of the value; and a start, an end, whether separators are removed
Mark = tuple[str, str, int, bool]
Cut = tuple[Mark | None, Mark | None, bool]
# XPath, a text to remove before the value, the part of the text that is the value
Reading = tuple[str, str, Cut | None]


@dataclass(frozen=True)
class Site:
    """Where the values of the pages are.

    ``columns``: name, readings of which the first that finds something counts, whether all texts found are values,
    whether the value is a heading above the record, the columns of nested records. ``types``: what the texts are;
    ``left_out``: columns of data inside the page, which XPaths cannot read.
    ``core``: the columns that identify a page, and ``min_core`` the share of them that it has at least.
    ``records``: the XPaths of the records, the usual ones first; empty for pages that are one record each.
    ``max_nodes``: how many sibling nodes a record has at most. ``shape``: the fewest and the most elements of each kind
    in a record. ``min_score``: the least share of the core columns plus similarity to the shape.
    ``skips``: how the texts of non-records start that stand among records. ``keys``: columns whose values differ.
    ``spares``: readings of columns that are empty on a page, whether they are lists, the patterns of their values, how
    many records had one and how many differed. ``headers``: of columns of tables the header, its number, and the
    readings before and after the position of the cell.
    """

    columns: Sequence[tuple[str, Sequence[Reading], bool, bool, Any]] = ()
    types: Mapping[str, str] = field(default_factory=dict)
    left_out: Sequence[str] = ()
    core: Sequence[str] = ()
    min_core: float = 0.0
    separators: str = ""
    inline_tags: Collection[str] = ()
    silent_tags: Collection[str] = ()
    formatting_tags: Collection[str] = ()
    months: Collection[str] = ()
    records: Sequence[Sequence[str]] = ()
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
    spares: Mapping[str, tuple[Sequence[Reading], bool, Sequence[str], float, float]] = field(default_factory=dict)
    headers: Mapping[str, tuple[str, int, Sequence[Any]]] = field(default_factory=dict)


class Found(NamedTuple):
    """A record: its values, its first node, its share of the core columns, its similarity to the shape, and itself."""

    row: Row
    head: Element
    core: float
    shape: float
    record: Selector


SITE = Site()


def page_of(html: str) -> Selector:
    """Return a page as browsers build it; without selectolax as libxml2 does."""
    try:
        from selectolax.lexbor import LexborHTMLParser
    except ImportError:
        return Selector(text=html)
    root = LexborHTMLParser(html).root
    return Selector(text=html) if root is None else Selector(root=tree_of(root))


def tree_of(root: Any) -> Element:
    """Return the nodes of selectolax as a tree of lxml, text for text."""
    top = etree.Element(root.tag)
    pending = [(root, top)]
    while pending:
        node, element = pending.pop()
        for name, value in node.attributes.items():
            try:
                element.set(name, UNSTORABLE.sub(" ", value or ""))
            except ValueError:  # names that XML cannot have, which no selector tests
                continue
        last = None
        child = node.first_child
        while child is not None:
            if child.is_element_node:
                name = child.tag if XML_NAME.fullmatch(child.tag) else "x"
                last = etree.SubElement(element, name)
                pending.append((child, last))
            elif child.is_comment_node:
                last = etree.Comment("")
                element.append(last)
            elif child.is_text_node:
                text = UNSTORABLE.sub(" ", child.text_content or "")
                if last is None:
                    element.text = (element.text or "") + text
                else:
                    last.tail = (last.tail or "") + text
            child = child.next
    return top


def read(page: Selector, url: str = "", site: Site = SITE) -> Iterator[Row]:
    """Yield the records of a page; nothing for a page of another template."""
    base = urljoin(url, page.xpath("//base/@href").get(""))
    found = best_records(under_headers(site, page), page, base) if site.records else []
    rows = [each.row for each in found] if site.records else [row_of(site, page, base)]
    present = sum(any(row.get(name) is not None for row in rows) for name in site.core)
    if not site.core or present >= site.min_core * len(site.core):
        fill_by_spares(site, found, base)
        yield from rows


def fill_by_spares(site: Site, found: Sequence[Found], base: str) -> None:
    """Read the columns that no record has by their spare readings, if what these read looks like the column."""
    if len(found) < MIN_RECORDS:
        return
    for name, (readings, is_list, patterns, fill, distinct) in site.spares.items():
        if any(each.row.get(name) is not None for each in found):
            continue
        for reading in readings:
            values = [value_of(site, each.record, base, [reading], is_list, ()) for each in found]
            pairs = [(each.row, value) for each, value in zip(found, values, strict=True) if value is not None]
            forms = [tuple(value) if is_list else (value,) for _, value in pairs]
            if len(pairs) < MIN_FILL_SHARE * fill * len(found) or not pairs:
                continue
            if distinct > MAX_SHARED and len(set(forms)) == 1:
                continue
            shared = sum(
                form in [tuple(own) if isinstance(own, list) else (own,) for own in row.values() if is_plain(own)]
                for (row, _), form in zip(pairs, forms, strict=True)
            )
            alike = sum(value_pattern(form[0]) in patterns for form in forms) if patterns else len(forms)
            if shared <= MAX_SHARED * len(pairs) and alike >= MIN_ALIKE * len(pairs):
                for row, value in pairs:
                    row[name] = value
                break


def is_plain(value: Any) -> bool:
    """Return whether a value is a text or a list of texts."""
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(each, str) for each in value))


def value_pattern(text: str) -> str:
    """Return the pattern of a value: words are a or A, numbers are 9."""
    masked = DIGITS.sub("9", LETTERS.sub(lambda match: "A" if match[0].isupper() else "a", text[:200]))
    return re.sub(r"[Aa](?:\s+[Aa])+", "a a", " ".join(masked.split()))[:24]


def under_headers(site: Site, page: Selector) -> Site:
    """Return the site with the columns of a table as they are under its headers on a page."""
    xpaths = [others[0] for others in site.records] if site.headers else []
    heads: Sequence[Selector] = next((found for xpath in xpaths if (found := page.xpath(xpath))), ())
    texts = headers_over(site, heads[len(heads) // 2].root) if heads else []
    if not texts:
        return site
    known = {text for text, _, _ in site.headers.values()}
    if len(site.headers) > 1 and not known.intersection(texts):
        return replace(site, columns=[], records=[[NOTHING]])  # a table of other things
    columns = []
    for name, readings, is_list, is_above, inner in site.columns:
        text, number, parts = site.headers.get(name, ("", 0, ()))
        is_there = bool(text) and texts[number : number + 1] != [text]
        if is_there and text in texts:
            shift = texts.index(text) - number
            readings = [
                (f"{before}[{max(position + shift, 1)}]{after}" if position else before, label, cut)
                for before, position, after, label, cut in parts
            ]
        elif is_there and number < len(texts) and texts[number] in known:
            readings = []
        columns.append((name, readings, is_list, is_above, inner))
    return replace(site, columns=columns)


def headers_over(site: Site, row: Element) -> list[str]:
    """Return the texts over the cells of a table row, "" for those that stand twice; [] if there are none."""
    table = next((node for node in row.iterancestors() if node.tag not in ROW_GROUPS), None)
    if row.tag != "tr" or table is None or table.tag != "table":
        return []
    cells: list[Element] = []
    for above in table.xpath("(./tr | ./thead/tr | ./tbody/tr | ./tfoot/tr)[position() <= 4]"):
        own = above.xpath("./td | ./th")
        are_headers = len(own) > 1 and 2 * sum(cell.tag == "th" for cell in own) > len(own)
        if above.getparent().tag != "thead" and not are_headers:
            break
        cells = own
    if any(cell.get(name, "1") != "1" for cell in cells for name in ("colspan", "rowspan")):
        return []
    texts = [" ".join(text_of(site, cell).split()) for cell in cells]
    return [text if texts.count(text) == 1 else "" for text in texts]


def best_records(site: Site, page: Selector, base: str) -> list[Found]:
    """Return the records at the usual XPath; if there are few, those at an alternative with more than twice as many."""
    usual = records_at(site, page, base, site.records[0], is_usual=True)
    usual = [] if are_parts(site, usual) else usual
    if len(usual) <= site.few_records:
        for xpaths in site.records[1:]:
            elsewhere = records_at(site, page, base, xpaths, is_usual=False)
            if len(elsewhere) > 2 * len(usual):
                usual = elsewhere
                break
    return usual


def records_at(site: Site, page: Selector, base: str, xpaths: Sequence[str], *, is_usual: bool) -> list[Found]:
    """Return the records at any of the XPaths."""
    heads = page.xpath(" | ".join(xpaths))
    above = headings(site, page)
    nodes = {head.root for head in heads}
    kept: list[Found] = []
    for head in heads:
        root = head.root if site.max_nodes == 1 else joined(site, head.root, nodes)
        record = head if root is head.root else type(head)(root=root, type="html")
        if site.skips and " ".join(text_of(site, record.root).split())[: site.max_skip_chars] in site.skips:
            continue
        row = row_of(site, record, base)
        row.update(values_above(site, above, head.root))
        core = sum(row.get(name) is not None for name in site.core) / len(site.core) if site.core else 1.0
        shape = shape_similarity(site, record.root)
        is_elsewhere = core >= site.min_core_elsewhere and shape >= site.min_shape_elsewhere
        if (core + shape >= site.min_score) if is_usual else is_elsewhere:
            keep(kept, Found(row, head.root, core, shape, record))
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
    values_of_keys = [
        [str(found.row[name]) for found in records if found.row.get(name) is not None] for name in site.keys
    ]
    repeats = any(len(set(values)) < site.min_distinct * len(values) for values in values_of_keys)
    return repeats and sum(found.shape for found in records) / len(records) < site.min_mean_shape


def joined(site: Site, head: Element, heads: Collection[Element]) -> Element:
    """Return a record of several siblings as one element; a single one as it is."""
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
    return record if count > 1 else head


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


def row_of(site: Site, context: Selector, base: str, columns: Sequence[Any] | None = None) -> Row:
    """Return the values of a record by the name of the column."""
    return {
        name: None if is_above else value_of(site, context, base, readings, is_list, inner)
        for name, readings, is_list, is_above, inner in (site.columns if columns is None else columns)
    }


def value_of(
    site: Site, context: Selector, base: str, readings: Sequence[Reading], is_list: bool, inner: Sequence[Any]
) -> Any:
    """Return what the first reading that finds something gives: a text, all of them for a list; None if none does."""
    for xpath, label, cut in readings:
        found = context.xpath(xpath)
        if inner:
            rows = [row_of(site, item, base, inner) for item in found]
            rows = [row for row in rows if any(value is not None for value in row.values())]
            if rows:
                return rows
            continue
        texts = [text for each in found if (text := text_at(site, each, base, xpath, label, cut))]
        if texts:
            return texts if is_list else texts[0]
    return None


def text_at(site: Site, found: Selector, base: str, xpath: str, label: str, cut: Cut | None) -> str:
    """Return the value at a node, "" if there is none."""
    attribute = xpath.rpartition("/@")[2] if "/@" in xpath.rpartition("]")[2] else ""
    if isinstance(found.root, str):
        text = " ".join(found.root.split())
        text = address(text, attribute, base) if attribute else text
    else:
        text = spaced(site, found.root, " ".join(text_of(site, found.root).split()))
    if not attribute and all(character in site.separators for character in text):
        return ""
    text = text.removeprefix(label).strip() if label else text
    return part_of(site, text, cut) if cut and text else text


def address(text: str, attribute: str, base: str) -> str:
    """Return the value of an attribute, an address made absolute, "" for one that leads nowhere."""
    if attribute in SOURCE_SETS:
        text = largest(text)
    if attribute in SOURCE_SETS or attribute in SOURCES:
        return "" if PLACEHOLDER.search(text) else urljoin(base, text)
    if attribute == "href":
        return "" if not text or text.lower().startswith(NOT_ADDRESSES) else urljoin(base, text)
    return urljoin(base, text) if attribute in LINKS and text else text


def largest(candidates: str) -> str:
    """Return the address of the largest image of a set of sizes."""
    best, best_size = "", -1.0
    for candidate in re.split(r",\s+|,(?=https?:|/)", candidates.strip()):
        url, _, size = candidate.strip().rstrip(",").partition(" ")
        digits = size.strip().rstrip("wx")
        number = float(digits) if re.fullmatch(r"\d+(?:\.\d+)?", digits) else 1.0
        if url and number > best_size:
            best, best_size = url, number
    return best


def part_of(site: Site, text: str, cut: Cut) -> str:
    """Return the part of a text between two marks, "" if one is not there."""
    start, end, is_trimmed = cut
    text = text[:MAX_CHARS]
    first, last = 0, len(text)
    if start is not None:
        found = marks(site, start, text)
        if not -len(found) <= start[2] < len(found):
            return ""
        first = found[start[2]][0 if start[3] else 1]
    if end is not None:
        found = [span for span in marks(site, end, text) if span[0] >= first]
        if not -len(found) <= end[2] < len(found):
            return ""
        last = found[end[2]][1 if end[3] else 0]
    value = text[first:last]
    if not is_trimmed:
        return value.strip()
    value = value.strip(STRIPPED)
    if value[:1] in ")]." or value[-1:] in "([":
        value = value.lstrip(")].").rstrip("([").strip(STRIPPED)
    return value


def marks(site: Site, mark: Mark, text: str) -> list[tuple[int, int]]:
    """Return where the marks of a kind stand in a text."""
    if mark[0] == "date":
        lower = text.lower()
        return list(dates_in(site, lower if len(lower) == len(text) else text))
    if mark[0] == "number":
        return [match.span() for match in NUMBER.finditer(text)]
    found: list[tuple[int, int]] = []
    at = text.find(mark[1]) if mark[1] else -1
    while at >= 0 and len(found) < MAX_MARKS:
        found.append((at, at + len(mark[1])))
        at = text.find(mark[1], at + len(mark[1]))
    return found


def dates_in(site: Site, text: str) -> Iterator[tuple[int, int]]:
    """Yield where the dates of a lower-case text begin and end."""
    start = 0
    while match := DATE.search(text, start):
        first: int | None = match.start()
        if match["day_and_year"]:
            offset = max(start, match.start() - 24)
            month = MONTH_BEFORE.search(text[offset : match.start()])
            first = offset + month.start() if month and month[1] in site.months else None
        elif match["month"] is not None and match["month"] not in site.months:
            first = None
        if first is not None:
            yield first, match.end()
        start = match.start() + 1 if first is None else match.end()


def headings(site: Site, page: Selector) -> list[tuple[str, list[tuple[int, str]], dict[Element, int]]]:
    """Return for each column of headings above records their places on the page and their texts."""
    columns = [(name, readings) for name, readings, _, is_above, _ in site.columns if is_above]
    if not columns:
        return []
    order = {node: k for k, node in enumerate(page.root.getroottree().iter())}
    found = []
    for name, readings in columns:
        for xpath, label, cut in readings:
            rows = [(order[each.root], text_at(site, each, "", xpath, label, cut)) for each in page.xpath(xpath)]
            if rows:
                found.append((name, rows, order))
                break
    return found


def values_above(site: Site, above: Sequence[Any], head: Element) -> Row:
    """Return the headings above a record: of each column the last that stands before it."""
    row: Row = {}
    for name, rows, order in above:
        before = [text for place, text in rows if place < order[head]]
        row[name] = (before[-1] or None) if before else None
    return row


def spaced(site: Site, element: Element, text: str) -> str:
    """Return a text with a space between texts of different elements that are glued."""
    pieces = [(piece, parent) for piece, parent in text_pieces(element) if piece.strip()]
    if len(pieces) + sum(1 for node in element.iter() if isinstance(node.tag, str)) < 4:
        return text
    parts: list[str] = []
    done = last_end = 0
    last: Element = None
    for raw, parent in pieces:
        piece = " ".join(raw.split())
        start = text.find(piece, last_end)
        if start < 0:
            continue
        is_glued = 0 < start == last_end and text[start - 1].isalnum() and text[start].isalnum()
        if is_glued and last is not None and are_apart(site, last, parent, piece):
            parts.append(text[done:start])
            done = start
        last_end, last = start + len(piece), parent
    return " ".join((*parts, text[done:])) if parts else text


def text_pieces(element: Element) -> Iterator[tuple[str, Element]]:
    """Yield the texts in an element, each with the element that holds it."""
    for event, node in etree.iterwalk(element, events=EVENTS):
        if event == "start" and node.text:
            yield node.text, node
        if event != "start" and node is not element and node.tail:
            yield node.tail, node.getparent()


def are_apart(site: Site, first: Element, second: Element, piece: str) -> bool:
    """Return whether two texts are in elements of their own, one after the other, and not formatting within a word."""
    if second.tag == "sup" and piece.isdigit():
        return True
    if first is second or first in second.iterancestors() or second in first.iterancestors():
        return False
    return not all(node.tag in site.formatting_tags and not node.get("class") for node in (first, second))


def text_of(site: Site, element: Element) -> str:
    """Return the text of an element, with spaces around blocks and none around inline elements.

    What the page hides is left out, unless the element is hidden itself.
    """
    parts: list[str] = []
    shows_all = any(is_hidden(node) for node in (element, *element.iterancestors()))
    skipped: Element = None
    for event, node in etree.iterwalk(element, events=EVENTS):
        if not isinstance(node.tag, str):
            if skipped is None:
                parts.append(words(node.tail))
            continue
        if skipped is None and event == "start" and not shows_all and is_hidden(node):
            skipped = node
        if skipped is None:
            if node.tag not in site.inline_tags:
                parts.append(" ")
            if event == "start" and node.tag not in site.silent_tags:
                parts.append(words(node.text))
        if event == "end" and skipped is node:
            skipped = None
        if event == "end" and node is not element and skipped is None:
            parts.append(words(node.tail))
    return "".join(parts).translate(ZERO_WIDTH)


def words(text: str | None) -> str:
    """Return a text of the page; of one with nothing but spaces, others than those of HTML count for nothing."""
    if text is None or not text.isspace() or not text.strip(HTML_SPACES):
        return text or ""
    return " " if text[0] in HTML_SPACES else ""


def is_hidden(node: Element) -> bool:
    """Return whether the page hides an element by an attribute or its own style."""
    return node.get("hidden") is not None or HIDING.search(node.get("style") or "") is not None
