"""Limits on markup for which an HTML5 parser takes very long or fills the memory, applied before parsing.

Parsing costs (open elements x tags) in the worst case and (attributes of a tag) squared, and formatting elements that
are not closed are opened again in every later block. 100,000 nested ``div`` or a tag of 100,000 attributes take lexbor
20 s each; 3,000 unclosed ``font`` make 4,500,000 nodes. All three are cut, and the cut is declared.

Which elements are open is computed from the tags alone. Where tags can be read in two ways, more elements are taken to
be open: a start tag counts wherever it stands, an end tag only where it closes something, and in a comment, a script or
an attribute only what was opened there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice

from peneira.budget import check_budget
from peneira.errors import LimitExceeded
from peneira.kernels import compiled, node_loops
from peneira.late_patterns import late_pattern
from peneira.limits import Cut, Limits
from peneira.page import NodeColumns, Rows
from peneira.preview import counted

markup_scan = compiled("markup_scan")
markup_survey = compiled("markup_survey")

# Void elements, elements whose end tag may be left out, and links, which a second one closes: none nests in itself
_VOID = frozenset("area base basefont bgsound br col embed frame hr img input link meta param source track wbr".split())
_UNCOUNTED = _VOID | frozenset(
    "p li dt dd td th tr tbody thead tfoot option colgroup caption html head body a nobr".split()
)
# The formatting elements of the HTML standard, section 13.2.4.2, but for a and nobr
_FORMATTING = frozenset("b big code em font i s small strike strong tt u".split())
_RAW_TEXT = frozenset("iframe noembed noframes script style textarea title xmp".split())
# As the kernel reads names: a zero after each
_VOID_NAMES, _RAW_TEXT_NAMES = ("".join(f"{name}\0" for name in sorted(names)).encode() for names in (_VOID, _RAW_TEXT))
_COMMENT = "!--"
# An end tag closes nothing below an element of higher rank (sections 13.2.4.2 and 13.2.6.4.7)
_RANK = {
    **dict.fromkeys(
        "address article aside blockquote button center details dir div dl fieldset figcaption figure footer form "
        "h1 h2 h3 h4 h5 h6 header hgroup listing main menu nav noscript ol pre search section summary ul".split(),
        1,
    ),
    **dict.fromkeys(("applet", "foreignobject", "marquee", "object", "select"), 2),
    "table": 3,
    "template": 4,
    **dict.fromkeys(_RAW_TEXT, 5),
}
_RANKS = 6

# A slash closes an element only inside an svg, and an svg surely goes on only while nothing but these tags comes
_SVG_TAGS = frozenset(
    "animate circle clippath defs ellipse g image line lineargradient mask path pattern polygon polyline "
    "radialgradient rect stop symbol text tspan use".split()
)

_TAG = late_pattern(r"<(/?)([a-z][^\s/>]*)|<!--(?:-?>)?|--!?>", re.IGNORECASE)
_ATTRIBUTE = r"""[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"?|'[^']*+'?|[^\s>"'][^\s>]*+)?+)?+[\s/]*+"""
_ATTRIBUTES = late_pattern(rf"[\s/]*+(?:{_ATTRIBUTE})*+")
_ONE_ATTRIBUTE = late_pattern(_ATTRIBUTE)
# Letters in both cases: IGNORECASE takes three times as long
_ANY_FORMATTING = "|".join("".join(f"[{letter}{letter.upper()}]" for letter in name) for name in sorted(_FORMATTING))
# A comment, a raw text element as a whole, or a tag with its attributes; the first two have no name in group 3
_ANY_ATTRIBUTES = rf"[\s/]*+(?:{_ATTRIBUTE})*+"
_PLAIN_TAG = late_pattern(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))"
    # most tags fail at the first letter, which saves the slow case-insensitive search
    rf"|<(?=[iInNsStTxX])(?i:({'|'.join(sorted(_RAW_TEXT))}))(?=[\s/>]){_ANY_ATTRIBUTES}>.*?(?:(?i:</\1)|\Z)"
    rf"|<(/?)([a-zA-Z][^\s/>]*)(?:>|{_ANY_ATTRIBUTES})",
    re.DOTALL,
)
_FORMATTING_START = late_pattern(rf"<(?:{_ANY_FORMATTING})(?=[\s/>])[\s/]*+(?:{_ATTRIBUTE})*+")
# The parser keeps at most three alike open ("Noah's Ark clause", section 13.2.4.3)
_MAX_ALIKE = 3

# Nested to the last tag, this many take lexbor half a second: fewer need no check
_MIN_TAGS_TO_CHECK = 15_000
# The limit on open formatting elements is never below this: that few do no harm
_MIN_FORMATTING_LIMIT = 32
# The cost is squared: 100,000 attributes take 20 s, these 0.1 ms, and 20 MB of such tags 2 s
_MAX_ATTRIBUTES = 256
# Attributes of one tag, squared, that scripts may seem to have in total: as much takes lexbor a second
_MAX_SCRIPT_COST = 20_000**2
# Distance of the positions looked at: between two of them a tag can hide 512 more attributes
_STEP_CHARS = 1_024
# Each further body or html tag adds its attributes to the first, which costs (attributes so far): 100,000 take 49 s
_REPEATABLE_TAG = late_pattern(r"<(?:[bB][oO][dD][yY]|[hH][tT][mM][lL])(?=[\s/])")
_MAX_REPEATED_TAGS = 64
# Each option of a select costs (options before it): 40,000 take 5 s, these 0.2 s
_MAX_OPTIONS = 8_000
_OPTION_OR_SELECT = late_pattern(r"<(?:[oO][pP][tT][iI][oO][nN]|/?[sS][eE][lL][eE][cC][tT])(?=[\s/>])")
# Start tags that are parsed at most, for each node of the limit: the parser cannot be stopped
_START_TAGS_PER_NODE = 2
NODES_LEFT_OUT = "the nodes that come after were not read"
_ANY_START_TAG = late_pattern(r"<[a-zA-Z]")
_TOO_MANY_ATTRIBUTES = late_pattern(rf"[\s/]*+(?:{_ATTRIBUTE}){{{_MAX_ATTRIBUTES}}}")
_START_TAG = late_pattern(r"<[a-z][^\s/>]*+", re.IGNORECASE)
_CLOCK_EVERY_TAGS = 4_096
_MAX_END_TAG_CHARS = len("</noframes")


def is_harmless(body: bytes, text: Callable[[], str], limits: Limits) -> bool:
    """Return whether ``limit_markup`` surely leaves a page as it is, which nearly all pages are; compiled only.

    ``body``: the page in UTF-8; ``text``: makes its text, which is rarely needed.
    """
    if markup_survey is None:
        return False
    tags, repeatable, options, formatting, has_excess = markup_survey.survey(body, _MAX_ATTRIBUTES, _MAX_SCRIPT_COST)
    if tags > _START_TAGS_PER_NODE * limits.nodes or repeatable > _MAX_REPEATED_TAGS or options > _MAX_OPTIONS:
        return False
    if has_excess:
        return False
    depth = _depth_bound(text(), limits.depth) if tags > max(limits.depth, _MIN_TAGS_TO_CHECK) else tags
    is_deep = depth > limits.depth and tags > _MIN_TAGS_TO_CHECK
    if is_deep and markup_survey.nesting_level(body, limits.depth, _name_kinds()) > limits.depth:
        return False
    max_open = _max_open(tags, limits)
    if formatting <= max_open or not _may_explode(tags, depth, max_open, limits):
        return True
    return bool(markup_survey.formatting_level(body) <= max_open)


@cache
def _name_kinds() -> dict[bytes, int]:
    """Return what tag names are to the levels of nesting, as the kernel reads it."""
    flags = ((_UNCOUNTED, 1), (_SVG_TAGS, 2), (frozenset({"svg"}), 4), (_RAW_TEXT, 8))
    names = frozenset().union(_RANK, *(group for group, _ in flags))
    return {
        name.encode(): sum(bit for group, bit in flags if name in group) + (_RANK.get(name, 0) << 4) for name in names
    }


def _max_open(tags: int, limits: Limits) -> int:
    """Return how many formatting elements may be open on a page with so many tags."""
    return max(_MIN_FORMATTING_LIMIT, limits.nodes // max(tags, 1))


def _may_explode(tags: int, depth: int, max_open: int, limits: Limits) -> bool:
    """Return whether formatting elements may be opened again too often.

    At worst half of the tags are left open and the other half are blocks that open them again.
    """
    return depth > max_open and tags * tags > 4 * limits.nodes


def limit_markup(html: str, limits: Limits, cuts: list[Cut]) -> str:
    """Return the HTML without what would take the parser too long; what is left out is noted in ``cuts``."""
    html = _without_excess_tags(html, limits, cuts)
    html = _without_repeated_attributes(html, cuts)
    if _count_tags(html) > _MAX_OPTIONS:
        html = _without_excess_options(html, cuts)
    if _may_have_too_many_attributes(html):
        html = _without_excess_attributes(html, cuts)
    tags = _count_tags(html)
    depth = _depth_bound(html, limits.depth) if tags > max(limits.depth, _MIN_TAGS_TO_CHECK) else tags
    if depth > limits.depth and tags > _MIN_TAGS_TO_CHECK:
        html = _unwrapped(html, _nesting_levels(html), Cut("depth", limits.depth, ""), cuts)
    max_open = _max_open(tags, limits)
    if _may_explode(tags, depth, max_open, limits) and _MAX_ALIKE * _formatting_tags(html, max_open) > max_open:
        html = _unwrapped(html, _formatting_levels(html), Cut("formatting", max_open, ""), cuts)
    return html


def _count_tags(html: str) -> int:
    return int(markup_scan.count_tags(html)) if markup_scan is not None else html.count("<")


def _without_excess_tags(html: str, limits: Limits, cuts: list[Cut]) -> str:
    """Return the HTML up to the start tag from which on most probably all nodes are beyond the limit."""
    allowed = _START_TAGS_PER_NODE * limits.nodes
    if _count_tags(html) <= allowed:
        return html
    last = next(islice(_ANY_START_TAG.finditer(html), allowed, None), None)
    if last is None:
        return html
    cuts.append(Cut("nodes", limits.nodes, NODES_LEFT_OUT))
    return html[: last.start()]


def _without_repeated_attributes(html: str, cuts: list[Cut]) -> str:
    """Return the HTML without the attributes of body and html tags that are one of many."""
    if markup_scan is not None and markup_scan.count_repeatable(html) <= _MAX_REPEATED_TAGS:
        return html
    repeated = list(_REPEATABLE_TAG.finditer(html))
    if len(repeated) <= _MAX_REPEATED_TAGS:
        return html
    kept: list[str] = []
    at = 0
    for tag in repeated[_MAX_REPEATED_TAGS:]:
        if tag.start() >= at:
            kept.append(html[at : tag.end()])
            at = _attributes_end(html, tag.end())
    cuts.append(Cut("attributes", _MAX_REPEATED_TAGS, f"those of {len(kept)} further body and html tags were not read"))
    return "".join((*kept, html[at:]))


def _without_excess_options(html: str, cuts: list[Cut]) -> str:
    """Return the HTML without the tags of options beyond the limit of a select; their text stays."""
    kept: list[str] = []
    at = options = 0
    for tag in _OPTION_OR_SELECT.finditer(html):
        if tag[0][1] not in "oO":
            options = 0
            continue
        options += 1
        if options > _MAX_OPTIONS and tag.start() >= at:
            kept.append(html[at : tag.start()])
            at = _attributes_end(html, tag.end()) + 1
    if kept:
        cuts.append(Cut("options", _MAX_OPTIONS, f"{len(kept)} further tags were left out, their text kept"))
    return "".join((*kept, html[at:]))


def _depth_bound(html: str, limit: int) -> int:
    """Return how deep tags nest if an end tag closes only the element opened last, at most one more than ``limit``.

    This upper bound saves most large pages the slow count. It does not recognise CDATA in an svg.
    """
    if "<![CDATA[" in html and ("<svg" in html or "<math" in html):
        return limit + 1
    if markup_scan is not None:
        return int(markup_scan.depth_bound(html, limit, _VOID_NAMES, _RAW_TEXT_NAMES))
    deepest = 0
    stack: list[str] = []
    for _, slash, name in _PLAIN_TAG.findall(html):
        if slash:
            if stack and stack[-1] == name:
                stack.pop()
        elif name and name not in _VOID:
            stack.append(name)
            if len(stack) > deepest:
                deepest = len(stack)
                if deepest > limit:
                    break
    return deepest


def _may_have_too_many_attributes(html: str) -> bool:
    """Return whether a tag may have too many attributes: a long stretch, in quotes or not, reads as attributes."""
    if markup_scan is not None:
        return bool(markup_scan.may_have_too_many_attributes(html, _MAX_ATTRIBUTES, _STEP_CHARS))
    for quote in ("", '"', "'"):
        at = 0
        while at < len(html) and (start := html.find(quote, at) + len(quote)) >= at:
            end = _attributes_end(html, start)
            if _match_excess(html, start, end):
                return True
            at = max(at + _STEP_CHARS, end)
    return False


def _without_excess_attributes(html: str, cuts: list[Cut]) -> str:
    """Return the HTML without the attributes beyond the limit.

    "i<n" in a script looks like a tag with all the words after it. It is left as it is, unless there is so much of it
    that the parser would take long if it were a tag after all, as in a script of an SVG.
    """
    kept: list[str] = []
    scripts: list[tuple[int, int]] | None = None
    at = place = cost = 0
    while (tag := _next_excess(html, place)) is not None:
        scripts = _scripts(html) if scripts is None else scripts
        script_end = _end_of_script(scripts, tag.start)
        cost += tag.attributes**2 if script_end else 0
        if script_end and cost <= _MAX_SCRIPT_COST:
            place = script_end
            continue
        kept.append(html[at : tag.excess])
        # in a script, too, which may be one: its end tag must stay
        end_tag = html.rfind("</", max(tag.excess, tag.end - _MAX_END_TAG_CHARS), tag.end)
        at = end_tag if end_tag >= 0 else tag.end
        place = tag.end
    if kept:
        cuts.append(Cut("attributes", _MAX_ATTRIBUTES, f"what came after in {counted(len(kept), 'tag')} was not read"))
    return "".join((*kept, html[at:]))


@dataclass(frozen=True, slots=True)
class _LongTag:
    """A start tag with too many attributes: where they begin to be too many, where they end, and how many there are."""

    start: int
    excess: int
    end: int
    attributes: int


def _next_excess(html: str, place: int) -> _LongTag | None:
    """Return the next tag with too many attributes, or what looks like one."""
    if markup_scan is not None:
        start, excess, end, attributes = markup_scan.next_excess(html, place, _MAX_ATTRIBUTES)
        return _LongTag(start, excess, end, attributes) if start >= 0 else None
    while tag := _START_TAG.search(html, place):
        place = _attributes_end(html, tag.end())
        if match := _match_excess(html, tag.end(), place):
            attributes = sum(1 for _ in _ONE_ATTRIBUTE.finditer(html, tag.end(), place))
            return _LongTag(tag.start(), match.end(), place, attributes)
    return None


def _scripts(html: str) -> list[tuple[int, int]]:
    """Return where the contents of scripts begin and end, by the tags alone."""
    spans = (match.span() for match in _PLAIN_TAG.finditer(html) if (match[1] or "").lower() == "script")
    return list(spans)


def _end_of_script(scripts: list[tuple[int, int]], place: int) -> int:
    """Return where the script around a place ends, 0 if there is none."""
    k = bisect_right(scripts, (place, 0)) - 1
    return scripts[k][1] if k >= 0 and scripts[k][0] < place < scripts[k][1] else 0


def _formatting_tags(html: str, most: int) -> int:
    """Return how many different start tags of formatting elements there are; of more than ``most`` some number."""
    if markup_scan is not None:
        return len(markup_scan.formatting_tags(html, most))
    return len(set(_FORMATTING_START.findall(html)))


def _match_excess(html: str, start: int, end: int) -> re.Match[str] | None:
    return _TOO_MANY_ATTRIBUTES.match(html, start) if end - start > 2 * _MAX_ATTRIBUTES else None


def _attributes_end(html: str, start: int) -> int:
    if markup_scan is not None:
        return int(markup_scan.attributes_end(html, start))
    attributes = _ATTRIBUTES.match(html, start)
    return attributes.end() if attributes else start


def _unwrapped(html: str, levels: Iterator[tuple[re.Match[str], int]], limit: Cut, cuts: list[Cut]) -> str:
    """Return the HTML without the tags of a higher level than allowed; their text stays."""
    kept: list[str] = []
    at = dropped = 0
    for number, (match, level) in enumerate(levels):
        if number % _CLOCK_EVERY_TAGS == 0 and (late := _out_of_time()) is not None:
            cuts.append(replace(late, left_out="the rest of the page, whose nesting was not checked, was not read"))
            html = html[: max(at, match.start())]
            break
        if level > limit.allowed and match.start() >= at:
            kept.append(html[at : match.start()])
            at = _attributes_end(html, match.end()) + 1
            dropped += 1
    if dropped:
        cuts.append(replace(limit, left_out=f"{dropped} tags nested deeper were unwrapped, their text kept"))
    return "".join((*kept, html[at:]))


def _out_of_time() -> Cut | None:
    try:
        check_budget()
    except LimitExceeded as error:
        return Cut(error.limit, error.allowed, "")
    return None


def _nesting_levels(html: str) -> Iterator[tuple[re.Match[str], int]]:
    """Yield the tags that open or close a level of nesting, with that level."""
    stack: list[str] = []
    levels_of: dict[str, list[int]] = {}
    levels_of_rank: list[list[int]] = [[] for _ in range(_RANKS)]
    zone = floor = 0
    is_in_svg = False
    for match, name, tag_zone in _tags(html):
        if tag_zone != zone:
            zone, floor = tag_zone, len(stack) if tag_zone else 0
        is_in_svg = not tag_zone and (not match[1] if name == "svg" else is_in_svg and name in _SVG_TAGS)
        # of start tags alone, which are read once: "</g </g </g" has attributes to the end after every name
        if name in _UNCOUNTED or (is_in_svg and not match[1] and html[_attributes_end(html, match.end()) - 1] == "/"):
            continue
        own, rank = levels_of.setdefault(name, []), _RANK.get(name, 0)
        if not match[1]:
            own.append(len(stack))
            levels_of_rank[rank].append(len(stack))
            stack.append(name)
            yield match, len(stack)
        elif (
            own and own[-1] >= floor and not any(outer and outer[-1] > own[-1] for outer in levels_of_rank[rank + 1 :])
        ):
            level = own[-1]
            while len(stack) > level:
                closed = stack.pop()
                levels_of[closed].pop()
                levels_of_rank[_RANK.get(closed, 0)].pop()
            yield match, level + 1


def _formatting_levels(html: str) -> Iterator[tuple[re.Match[str], int]]:
    """Yield the tags of formatting elements, with the number of open ones: each is closed only by its own end tag."""
    opened: Counter[tuple[int, str]] = Counter()
    level = 0
    for match, name, zone in _tags(html):
        if name not in _FORMATTING:
            continue
        if not match[1]:
            opened[zone, name] += 1
            level += 1
            yield match, level
        elif opened[zone, name]:
            yield match, level
            opened[zone, name] -= 1
            level -= 1


def _tags(html: str) -> Iterator[tuple[re.Match[str], str, int]]:
    """Yield the tags with their names and zones: the start of the comment, raw text or attributes around them, or 0."""
    inside, zone = "", 0
    tag_start = tag_end = 0
    for match in _TAG.finditer(html):
        name = (match[2] or _COMMENT).lower()
        at = match.start()
        if name == _COMMENT:
            if inside == _COMMENT and match[0].endswith(">"):
                inside, zone = "", 0
            elif not inside and at >= tag_end and not match[0].endswith(">"):
                inside, zone = _COMMENT, match.end()
            continue
        if match[1] and name == inside:
            inside, zone = "", 0
        yield match, name, zone or (tag_start if at < tag_end else 0)
        if not match[1] and at >= tag_end:
            tag_start, tag_end = match.end(), _attributes_end(html, match.end())
            if name in _RAW_TEXT and not inside:
                inside, zone = name, match.end()


def limit_depth(rows: Rows | NodeColumns, limits: Limits, cuts: list[Cut]) -> Rows | NodeColumns:
    """Return the rows with no node deeper than the limit: deeper elements are unwrapped, their text moved up."""
    if len(rows.tag) <= limits.depth:
        return rows
    if isinstance(rows, NodeColumns):
        if int(rows.depth.max()) <= limits.depth:
            return rows
        rows = Rows(
            list(rows.tag_names), rows.tag.tolist(), rows.parent.tolist(), rows.text, list(rows.attrs), rows.spaced
        )
    depths = node_loops.depths_of(rows.parent)
    if max(depths) <= limits.depth:
        return rows
    shallow = Rows(tag_names=rows.tag_names)
    new_row: list[int] = []
    for i, (tag, parent) in enumerate(zip(rows.tag, rows.parent, strict=True)):
        above = new_row[parent] if parent >= 0 else -1
        if tag != 0 and depths[i] >= limits.depth:
            new_row.append(above)
            continue
        new_row.append(len(shallow.tag))
        shallow.tag.append(tag)
        shallow.parent.append(above)
        shallow.text.append(rows.text[i])
        shallow.attrs.append(rows.attrs[i])
        shallow.spaced.append(rows.spaced[i])
    left_out = f"{len(rows.tag) - len(shallow.tag)} elements nested deeper were unwrapped, their text kept"
    cuts.append(Cut("depth", limits.depth, left_out))
    return shallow
