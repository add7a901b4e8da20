"""Pages made (or broken) so that an HTML5 parser takes forever or fills the memory.

Parsing costs (open elements x tags) in the worst case and (attributes of a tag) squared, and formatting elements left
open are opened anew in every later block. 100,000 nested ``div`` or a tag of 100,000 attributes take lexbor 20 s each;
3,000 unclosed ``font`` make 4,500,000 nodes. All three are cut before parsing, and the cut is declared.
"""

from __future__ import annotations

import re
from itertools import accumulate

from peneira import kernels
from peneira.limits import Cut, Limits
from peneira.page import Rows

# Void elements, and elements whose end tag may be left out: counting their tags says nothing about depth
_UNCOUNTED = (
    "area|base|basefont|bgsound|br|col|embed|frame|hr|img|input|link|meta|param|source|track|wbr|"
    "p|li|dt|dd|td|th|tr|tbody|thead|tfoot|option|optgroup|rt|rp|colgroup|caption|html|head|body"
)
_NESTING_TAG = re.compile(rf"<(/?)(?!(?:{_UNCOUNTED})[\s/>])[a-z]", re.IGNORECASE)
# The formatting elements of the HTML standard, section 13.2.4.2, but for a and nobr, which a second one closes
_FORMATTING_TAG = re.compile(r"<(/?)(?:b|big|code|em|font|i|s|small|strike|strong|tt|u)(?=[\s/>])", re.IGNORECASE)
_TAG_TAIL = re.compile(r"[^>]*>?")
_STEP = {"": 1, "/": -1}

# Nested to the last tag, this many take lexbor half a second: not worth counting
_FEW_TAGS = 15_000
_LEAST_FORMATTING = 32
_LONG_TAG_CHARS = 65_536
_LONG_TAG = re.compile(rf"<[a-zA-Z][^<>]{{{_LONG_TAG_CHARS},}}")
_MOST_WORDS_IN_TAG = 4_096


def defused(html: str, limits: Limits, cuts: list[Cut]) -> str:
    """Return the HTML without what would blow the parser up; each thing left out is noted in ``cuts``."""
    if _has_long_tag(html):
        html = _LONG_TAG.sub(lambda match: _shortened(match.group(), cuts), html)
    tags = html.count("<")
    if tags > max(limits.depth, _FEW_TAGS):
        html = _unwrapped(html, _NESTING_TAG, limits.depth, "depth", cuts)
    most = max(_LEAST_FORMATTING, limits.nodes // max(tags, 1))
    if tags - 2 * html.count("</") > most:
        html = _unwrapped(html, _FORMATTING_TAG, most, "formatting", cuts)
    return html


def _has_long_tag(html: str) -> bool:
    """Tell whether there may be a long tag: a stretch without ``>`` that fills at least one step of half its length."""
    step = _LONG_TAG_CHARS // 2
    return any(html.find(">", at, at + step) < 0 for at in range(0, len(html) - step, step))


def _shortened(tag: str, cuts: list[Cut]) -> str:
    words = tag.split(None, _MOST_WORDS_IN_TAG)
    if len(words) <= _MOST_WORDS_IN_TAG:
        return tag
    cuts.append(Cut("attributes", _MOST_WORDS_IN_TAG, f"a tag of {len(tag)} characters was cut short"))
    return " ".join(words[:_MOST_WORDS_IN_TAG])


def _unwrapped(html: str, tags: re.Pattern[str], most: int, limit: str, cuts: list[Cut]) -> str:
    """Return the HTML without those tags that stand inside more than ``most`` open ones; their text stays."""
    if _nesting(html, tags) <= most:
        return html
    kept: list[str] = []
    depth = at = dropped = 0
    for match in tags.finditer(html):
        if match.start() < at:
            continue
        depth = max(depth + _STEP[match.group(1)], 0)
        if depth + (match.group(1) == "/") > most:
            kept.append(html[at : match.start()])
            tail = _TAG_TAIL.match(html, match.end())
            at = tail.end() if tail else match.end()
            dropped += 1
    cuts.append(Cut(limit, most, f"{dropped} tags nested deeper were unwrapped, their text kept"))
    return "".join((*kept, html[at:]))


def _nesting(html: str, tags: re.Pattern[str]) -> int:
    """Return an upper bound of how deep the tags nest: the largest rise of (start tags - end tags)."""
    steps = list(accumulate(map(_STEP.__getitem__, tags.findall(html)), initial=0))
    return max(here - lowest for here, lowest in zip(steps, accumulate(steps, min), strict=True))


def flattened(rows: Rows, limits: Limits, cuts: list[Cut]) -> Rows:
    """Return the rows with no node deeper than the limit: deeper elements unwrapped, their text hung one level up."""
    if len(rows.tag) <= limits.depth:
        return rows
    depths = kernels.depths_of(rows.parent)
    if max(depths) <= limits.depth:
        return rows
    shallow = Rows(tag_names=rows.tag_names)
    moved: list[int] = []
    for i, (tag, parent) in enumerate(zip(rows.tag, rows.parent, strict=True)):
        above = moved[parent] if parent >= 0 else -1
        if tag != 0 and depths[i] >= limits.depth:
            moved.append(above)
            continue
        moved.append(len(shallow.tag))
        shallow.tag.append(tag)
        shallow.parent.append(above)
        shallow.text.append(rows.text[i])
        shallow.attrs.append(rows.attrs[i])
        shallow.spaced.append(rows.spaced[i])
    left_out = f"{len(rows.tag) - len(shallow.tag)} elements nested deeper were unwrapped, their text kept"
    cuts.append(Cut("depth", limits.depth, left_out))
    return shallow
