"""Features of every block of a page for the content decision: those of texts, of its markup, its heading, its page."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from peneira.arrays import running_sum
from peneira.ml.forest import Numbers
from peneira.ml.running_sums import is_tag
from peneira.texts.attribute_keywords import GROUP_NAMES, TAG_BITS, unpack_bits
from peneira.texts.feature_columns import FeatureColumns, FeatureTable
from peneira.texts.page_texts import CHARS
from peneira.texts.region_filter import ScoredRegions
from peneira.texts.tag_kinds import OWN_TAGS, block_tables
from peneira.texts.text_blocks import TextBlocks
from peneira.texts.text_features import text_features

# Tags of elements around a block, beside those that features of texts know
AROUND_TAGS = tuple(
    "a article aside blockquote button details dialog dl figure footer form header li main nav ol p pre section table "
    "tr ul".split()
)
# "Boots (132)", a choice of a filter; a price; a date or a time
_COUNT = re.compile(r"[(\[] ?\d[\d.,]* ?[)\]]$", re.MULTILINE)
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}:\d\d\b|\b\d\d?[/.-]\d\d?[/.-]\d\d")
# Numbers are looked for first: most of a text has none, and a pattern that begins with a digit is fast
_NUMBER = re.compile(r"\d[\d:/.,-]*")
_SIGNS = frozenset("$€£¥₹")
_CURRENCY_AFTER = re.compile(r" ?(?:[$€£¥₹]|kr\b|zł|EUR|USD)")
# Of blocks, beside those of texts
MAX_FEATURES = 80
LIST_FEATURES = (
    "list_score in_best_list best_list best_list_share best_list_prices records record_chars record_blocks "
    "record_links record_share record_turn record_number record_slot"
).split()
OWN_FEATURES = (
    *(f"own_{name}" for name in OWN_TAGS),
    *(f"around_{name}" for name in AROUND_TAGS),
    *"aria_hidden own_texts own_links page_link_share".split(),
)
HEADING_FEATURES = tuple("heading_gap heading_level section_chars section_links section_turn".split())
TITLE_FEATURES = tuple("title_depth in_prose_root prose_share prose_depth".split())
PATTERN_FEATURES = tuple("has_count count_share has_price price_share has_date date_share".split())
BLOCK_FEATURES = (*OWN_FEATURES, *HEADING_FEATURES, *TITLE_FEATURES, *PATTERN_FEATURES, *LIST_FEATURES)
_GROUP_PLACES = running_sum(
    [len(group) for group in (OWN_FEATURES, HEADING_FEATURES, TITLE_FEATURES, PATTERN_FEATURES)]
).tolist()
_AROUND_BITS = np.array([TAG_BITS.index(name) for name in AROUND_TAGS], dtype=np.int64)
# Those that are logarithms, and of the features of lists those that are in the main list, and everywhere
_LOGS = np.array([BLOCK_FEATURES.index(name) for name in ("own_texts", "section_chars")])
_RECORD_LOGS = slice(LIST_FEATURES.index("record_chars"), LIST_FEATURES.index("record_blocks") + 1)
_RECORDS = LIST_FEATURES.index("records")
_PRICE = slice(PATTERN_FEATURES.index("has_price"), PATTERN_FEATURES.index("has_price") + 1)


def block_features(blocks: TextBlocks, regions: ScoredRegions, room: int = 0) -> FeatureTable:
    """Return the features of all blocks, none if the page has no text; ``room``: for how many others."""
    table = text_features(blocks, room + MAX_FEATURES)
    if len(blocks) and block_tables is not None:
        _write_features(blocks, regions, table.added(BLOCK_FEATURES))
    elif len(blocks):
        patterns = _pattern_features(blocks)
        table.add(
            {
                **_own_features(blocks),
                **_heading_features(blocks),
                **_title_features(blocks),
                **patterns,
                **_list_features(blocks, regions, patterns["has_price"]),
            }
        )
    return table


def _write_features(blocks: TextBlocks, regions: ScoredRegions, rows: Numbers) -> None:
    """Write ``BLOCK_FEATURES`` by the kernel; numpy takes the logarithms."""
    page, links, lengths, silent = blocks.page, blocks.link_shares, blocks.lengths, blocks.page.silent.view(np.uint8)
    _, inherited = blocks.keyword_bits
    own, heading, title, pattern = (rows[start:end] for start, end in pairwise(_GROUP_PLACES))
    block_tables.markup(
        own, page.tag, page.end, blocks.kinds, blocks.blocks, inherited, len(GROUP_NAMES), _AROUND_BITS, len(OWN_TAGS),
        blocks.names.unread, blocks.block_of, links, lengths,
    )  # fmt: skip
    block_tables.sections(heading, blocks.headings, blocks.heading_places[2], lengths, links)
    block_tables.titles(
        title, page.tag, page.parent, page.end, silent, blocks.kinds, page.body, blocks.rows, lengths, links,
        blocks.sums.table,
    )  # fmt: skip
    block_tables.patterns(pattern, blocks.strings, blocks.rows, page.path)
    logs = rows[_LOGS]
    rows[_LOGS] = np.log1p(logs, out=logs)
    lists = rows[_GROUP_PLACES[-1] :]
    if not len(regions):
        lists[:] = -1.0
        return
    start, end, ancestor = (
        column.astype(np.int64, copy=False) for column in (regions.start, regions.end, regions.ancestor)
    )
    low, high = block_tables.lists(
        lists, blocks.rows, lengths, links, blocks.styled_paths, pattern[_PRICE], start, end, ancestor, regions.score,
        page.end,
    )  # fmt: skip
    lists[_RECORDS] = np.log1p(lists[_RECORDS])
    lists[_RECORD_LOGS, low:high] = np.log1p(lists[_RECORD_LOGS, low:high])


def _own_features(blocks: TextBlocks) -> FeatureColumns:
    page, own = blocks.page, blocks.blocks
    codes = {name: code for code, name in enumerate(page.tag_names)}
    tag = page.tag[own]
    features: FeatureColumns = {f"own_{name}": tag == codes.get(name, -1) for name in OWN_TAGS}
    _, inherited = blocks.keyword_bits
    around = unpack_bits(inherited[own] >> np.uint64(len(GROUP_NAMES)), len(TAG_BITS))
    for name in AROUND_TAGS:
        features[f"around_{name}"] = around[:, TAG_BITS.index(name)]
    features["aria_hidden"] = page.flags_below(blocks.names.unread)[own]
    counts = np.bincount(blocks.block_of, minlength=len(blocks))
    features["own_texts"] = np.log1p(counts)
    features["own_links"] = blocks.link_shares
    features["page_link_share"] = np.full(
        len(blocks), float((blocks.link_shares * blocks.lengths).sum() / max(float(blocks.lengths.sum()), 1.0))
    )
    return features


def _heading_features(blocks: TextBlocks) -> FeatureColumns:
    """Return how far the nearest heading before each block is, its level, and what lies between two headings."""
    heading, _, levels = blocks.heading_places
    order = np.arange(len(blocks))
    known = heading >= 0
    section = np.cumsum(heading == order)
    chars = blocks.lengths.astype(np.float64)
    section_chars = np.bincount(section, chars)[section]
    link_chars = np.bincount(section, chars * blocks.link_shares)[section]
    return {
        "heading_gap": np.where(known, order - heading, -1),
        "heading_level": np.where(known, levels[heading], 0),
        "section_chars": np.log1p(section_chars),
        "section_links": link_chars / np.maximum(section_chars, 1),
        "section_turn": section / max(int(section[-1]), 1),
    }


def _title_features(blocks: TextBlocks) -> FeatureColumns:
    """Return where each block is relative to the elements that hold the title and most of the long text."""
    page, rows = blocks.page, blocks.rows
    chars = blocks.sums.table[:, CHARS]
    title = np.flatnonzero(is_tag(page, ("h1",)) & ~page.silent)[:1]
    shared = np.full(len(blocks), -1.0)
    if len(title):
        shared = _shared_depth(blocks, int(title[0]))
    prose = _prose_root(blocks)
    in_prose = (rows >= prose) & (rows < page.lists.end[prose])
    return {
        "title_depth": shared,
        "in_prose_root": in_prose,
        "prose_share": np.full(len(blocks), float((chars[page.end[prose]] - chars[prose]) / max(chars[-1], 1.0))),
        "prose_depth": _shared_depth(blocks, prose),
    }


def _shared_depth(blocks: TextBlocks, node: int) -> Numbers:
    """Return how many levels above ``node`` the element is that holds both it and each block."""
    page, rows = blocks.page, blocks.rows
    levels = np.full(len(rows), 99.0)
    above, level = node, 0
    while above >= 0:
        inside = (rows >= above) & (rows < page.lists.end[above]) & (levels == 99.0)
        levels[inside] = level
        above, level = page.lists.parent[above], level + 1
    return levels


def _prose_root(blocks: TextBlocks) -> int:
    """Return the deepest element that holds most of the long texts without links of the page."""
    page = blocks.page
    weight = np.zeros(len(page))
    long = (blocks.lengths >= 80) & (blocks.link_shares < 0.3)
    weight[blocks.rows[long]] = blocks.lengths[long]
    sums = running_sum(weight)
    node, total = page.body, sums[-1]
    if total <= 0:
        return node
    while True:
        below = next((k for k in page.children(node) if sums[page.lists.end[k]] - sums[k] > 0.6 * total), None)
        if below is None or page.is_text(below):
            return node
        node = below


def _pattern_features(blocks: TextBlocks) -> FeatureColumns:
    """Return which blocks look like a choice of a filter, a price or a date, and how many of the same path do."""
    _, group = np.unique(blocks.page.path[blocks.rows], return_inverse=True)
    sizes = np.bincount(group)
    joined = "\n".join(blocks.strings)
    ends = np.cumsum(blocks.lengths + 1)
    features: FeatureColumns = {}
    numbers = [match.span() for match in _NUMBER.finditer(joined)]
    found_by_name = {
        "count": [match.start() for match in _COUNT.finditer(joined)],
        "price": [start for start, end in numbers if _is_price(joined, start, end)],
        "date": [start for start, end in numbers if end - start > 3 and _DATE.search(joined, start, end + 1)],
    }
    for name, found in found_by_name.items():
        flags = np.zeros(len(blocks))
        flags[np.searchsorted(ends, found, side="right")] = 1.0
        features[f"has_{name}"] = flags
        features[f"{name}_share"] = (np.bincount(group, flags) / sizes)[group]
    return features


def _is_price(text: str, start: int, end: int) -> bool:
    """Return whether a sign or a code of a currency stands right before or after the number at ``start:end``."""
    before = text[start - 1 : start]
    if before in _SIGNS or (before == " " and text[start - 2 : start - 1] in _SIGNS):
        return True
    return text[end - 1].isdigit() and _CURRENCY_AFTER.match(text, end) is not None


def _list_features(blocks: TextBlocks, regions: ScoredRegions, has_price: Numbers) -> FeatureColumns:
    """Return how good the regions around each block are as the main list of the page (``region_filter.py``)."""
    size, scores = len(blocks), regions.score
    if not len(regions):
        return dict.fromkeys(LIST_FEATURES, np.full(size, -1.0))
    first, last = np.searchsorted(blocks.rows, regions.start), np.searchsorted(blocks.rows, regions.end)
    covering = np.full(size, -1.0)
    for k in np.argsort(scores, kind="stable").tolist():
        covering[first[k] : last[k]] = scores[k]
    best = int(scores.argmax())
    inside = np.zeros(size)
    inside[first[best] : last[best]] = 1.0
    inside[: first[best]] = -1.0
    low, high = first[best], last[best]
    words = blocks.lengths.astype(np.float64)
    share = float(words[low:high].sum() / max(float(words.sum()), 1.0))
    return {
        "list_score": covering,
        "in_best_list": inside,
        "best_list": np.full(size, float(scores[best])),
        "best_list_share": np.full(size, share),
        "best_list_prices": np.full(size, float(has_price[low:high].sum() / max(high - low, 1))),
        **_record_features(blocks, int(regions.ancestor[best])),
    }


def _record_features(blocks: TextBlocks, ancestor: int) -> FeatureColumns:
    """Return where each block is in its record: in the child of the element that holds the main list."""
    page, size = blocks.page, len(blocks)
    low, high = np.searchsorted(blocks.rows, (ancestor, page.lists.end[ancestor])).tolist()
    children = np.fromiter(page.children(ancestor), np.int64)
    number = np.searchsorted(children, blocks.rows[low:high], side="right") - 1
    chars = blocks.lengths[low:high].astype(np.float64)
    totals, counts = np.bincount(number, chars), np.bincount(number)
    links = np.bincount(number, chars * blocks.link_shares[low:high]) / np.maximum(totals, 1.0)
    before = running_sum(chars)[:-1]
    records = max(int((counts > 0).sum()), 1)
    slots = blocks.styled_paths[low:high]
    inside: FeatureColumns = {
        "record_chars": np.log1p(totals[number]),
        "record_blocks": np.log1p(counts[number]),
        "record_links": links[number],
        "record_share": chars / np.maximum(totals[number], 1.0),
        "record_turn": (before - before[np.searchsorted(number, number)]) / np.maximum(totals[number], 1.0),
        "record_number": number / max(len(children), 1),
        "record_slot": np.bincount(slots)[slots] / records if len(slots) else np.zeros(0),
    }
    features: FeatureColumns = {"records": np.full(size, np.log1p(records))}
    for name, column in inside.items():
        features[name] = np.full(size, -1.0)
        features[name][low:high] = column
    return features
