"""The body of an article: its paragraphs and the headings between them.

``body_text`` is the one way in: the lines of the block with the most prose, else the main text.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from peneira.items.lines import Line
from peneira.items.page_view import PageView
from peneira.ml.running_sums import is_tag
from peneira.texts.main_text import main_text

# A paragraph has this many characters; shorter lines count as prose only between paragraphs
MIN_PARAGRAPH_CHARS = 60
MAX_LINK_SHARE = 0.4
# A page that shows less of the text that its data has keeps the rest from readers
MIN_SHOWN_SHARE = 0.33
# A block with less of the prose of the page is not all of the text
MIN_PROSE_SHARE = 0.5
_SKIPPED = ("figure", "figcaption", "aside", "header", "form", "button", "table", "address", "video", "audio")
_SKIPPED_WORDS = frozenset(
    "caption captions credit copyright byline author share sharing social advert advertisement ads promo teaser "
    "related newsletter subscribe tags taglist meta breadcrumb comments rating toc tableofcontents signup "
    "recommended readmore infobox widget sponsored disclaimer timestamp dateline".split()
)
_KEPT = frozenset({"h2", "h3", "h4", "h5", "h6", "p", "li", "blockquote"})
# What a paragraph counts for the blocks around its own, level by level
LEVEL_SHARE = 0.85
MAX_LEVELS = 8


def body_text(view: PageView, described: str = "", prose_chars: int = 0) -> str:
    """Return the body of an article, a line for each paragraph and heading; "" if the page has none.

    ``described``: the text of the article in the data of the page, which counts where the page shows little of it.
    ``prose_chars``: the characters of prose on the page. Where the block with the most has little of them, the text is
    spread over many blocks, and the content decision, which takes longer, says what belongs to it.
    """
    shown = "\n".join(line.text for line in _densest(view))
    if len(shown) < MIN_PROSE_SHARE * prose_chars:
        lines = main_text(view.page, with_comments=False).text.split("\n")
        shown = "\n".join(line for line in lines if line)
    return shown if len(shown) >= MIN_SHOWN_SHARE * len(described) else described


def _densest(view: PageView) -> list[Line]:
    """Return the prose of the block that has most of it."""
    skipped = (view.around | view.flags_of(_SKIPPED, _SKIPPED_WORDS)).tolist()
    own = [line for line in view.lines if not skipped[line.start]]
    linked = _linked_texts(view)
    prose = [line for line in own if len(line.text) >= MIN_PARAGRAPH_CHARS and _is_told(view, line, linked)]
    if not prose:
        return []
    scores: dict[int, float] = {}
    for line in prose:
        points, i = float(len(line.text)), view.parents[line.block]
        for _ in range(MAX_LEVELS):
            if i < 0:
                break
            scores[i] = scores.get(i, 0.0) + points
            points, i = points * LEVEL_SHARE, view.parents[i]
    best = max(scores, key=lambda i: (scores[i], i))
    end = view.ends[best]
    inside = [line for line in own if best <= line.start < end and _is_told(view, line, linked)]
    return _between(view, inside, prose)


def _is_told(view: PageView, line: Line, linked: Sequence[bool]) -> bool:
    """Return whether not too much of a line is links."""
    start, end = line.start, line.end
    if True not in linked[start:end]:
        return True
    texts = view.page.text
    chars = sum(len(texts[row].strip()) for row in range(start, end) if linked[row])
    return chars / max(len(line.text), 1) <= MAX_LINK_SHARE


def _linked_texts(view: PageView) -> list[bool]:
    """Return which rows are texts in a link, up to three levels above."""
    page = view.page
    is_link, parents = is_tag(page, ("a",)), np.maximum(page.parent, 0)
    above = parents[parents]
    linked: list[bool] = ((page.tag == 0) & (is_link[parents] | is_link[above] | is_link[parents[above]])).tolist()
    return linked


def _between(view: PageView, lines: Sequence[Line], prose: Sequence[Line]) -> list[Line]:
    """Return the paragraphs of a block, with the headings and short lines that stand between two of them."""
    starts = {line.start for line in prose}
    numbers = [k for k, line in enumerate(lines) if line.start in starts]
    if not numbers:
        return []
    inside = lines[numbers[0] : numbers[-1] + 1]
    return [line for line in inside if line.start in starts or view.page.name(line.block) in _KEPT]
