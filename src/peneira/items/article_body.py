"""The body of an article: its paragraphs and the headings between them.

``body_text`` is the one way in. Where the description of the page has the text of the article, the lines that it has
are the body; else those of the block with the most prose.
"""

from __future__ import annotations

from collections.abc import Sequence

from peneira.items.claims import normal_form
from peneira.items.lines import Line
from peneira.items.page_view import PageView

# A paragraph has this many characters; shorter lines count as prose only between paragraphs
MIN_PARAGRAPH_CHARS = 60
MAX_LINK_SHARE = 0.4
# The share of a script's text that must be on the page for the page to be read by it
MIN_SHOWN_SHARE = 0.6
MIN_BODY_CHARS = 300
_SKIPPED = frozenset("figure figcaption aside nav footer header form button table iframe blockquote-footer address".split())
_SKIPPED_WORDS = frozenset(
    "caption captions credit copyright byline author share sharing social advert advertisement ads promo teaser related "
    "newsletter subscribe paywall tags taglist meta breadcrumb comments rating toc tableofcontents signup outbrain taboola "
    "recommended readmore infobox widget sponsored disclaimer timestamp dateline".split()
)
_HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})


def body_text(view: PageView, described: str = "") -> str:
    """Return the body of an article, a line for each paragraph and heading; "" if the page has none.

    ``described``: the text of the article in the data of the page, if there is one.
    """
    lines = _lines_of(view, described) or _densest(view)
    return "\n".join(line.text for line in lines)


def _lines_of(view: PageView, described: str) -> list[Line]:
    """Return the lines of the page that are in the text of a script, if they make up most of it."""
    whole = normal_form(described)
    if len(whole) < MIN_BODY_CHARS:
        return []
    found = [line for line in view.lines if len(form := normal_form(line.text)) > 20 and form in whole]
    seen: dict[str, Line] = {}
    for line in found:
        seen.setdefault(normal_form(line.text), line)
    if sum(map(len, seen)) < MIN_SHOWN_SHARE * len(whole):
        return []
    return sorted(seen.values())


def _densest(view: PageView) -> list[Line]:
    """Return the prose of the block that has most of it."""
    prose = [line for line in view.lines if len(line.text) >= MIN_PARAGRAPH_CHARS and _is_prose(view, line)]
    if not prose:
        return []
    scores: dict[int, float] = {}
    for line in prose:
        points, i = float(len(line.text)), view.parents[line.block]
        for _ in range(5):
            if i < 0:
                break
            scores[i] = scores.get(i, 0.0) + points
            points, i = points * 0.75, view.parents[i]
    best = max(scores, key=lambda i: (scores[i], i))
    inside = view.lines.within(best)
    return _between(view, inside, prose)


def _is_prose(view: PageView, line: Line) -> bool:
    if view.around[line.start] or _is_skipped(view, line):
        return False
    return _link_share(view, line) <= MAX_LINK_SHARE


def _is_skipped(view: PageView, line: Line) -> bool:
    page = view.page
    i = line.start
    for _ in range(7):
        i = view.parents[i]
        if i < 0 or page.name(i) in ("body", "article", "main"):
            return False
        if page.name(i) in _SKIPPED or not _SKIPPED_WORDS.isdisjoint(view.class_words(i)):
            return True
    return False


def _link_share(view: PageView, line: Line) -> float:
    page = view.page
    linked = 0
    for row in range(line.start, line.end):
        if page.lists.tag[row] == 0 and any(page.name(i) == "a" for _, i in zip(range(3), page.ancestors(row), strict=False)):
            linked += len(page.text[row].strip())
    return linked / max(len(line.text), 1)


def _between(view: PageView, lines: Sequence[Line], prose: Sequence[Line]) -> list[Line]:
    """Return the paragraphs of a block, with the headings and short lines that stand between two of them."""
    starts = {line.start for line in prose}
    numbers = [k for k, line in enumerate(lines) if line.start in starts]
    if not numbers:
        return []
    kept = []
    for k in range(numbers[0], numbers[-1] + 1):
        line = lines[k]
        name = view.page.name(line.block)
        is_kept = line.start in starts or (
            name in (*_HEADINGS, "p", "li", "blockquote", "strong")
            and not view.around[line.start]
            and not _is_skipped(view, line)
            and _link_share(view, line) <= MAX_LINK_SHARE
        )
        if is_kept:
            kept.append(line)
    return kept
