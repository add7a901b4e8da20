"""``peneira.text``: the main text of any page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from peneira.arrays import Integers as Rows
from peneira.budget import Budget
from peneira.collection_pause import paused_collection
from peneira.limits import DEFAULT_LIMITS, Cut, LimitedText, Limits
from peneira.ml.running_sums import inside_tags
from peneira.page import Flags, Page
from peneira.sources.html import read_page
from peneira.texts.block_model import BlockDecision, BlockModels, decide
from peneira.texts.block_selection import NO_RECORD, without_equals, without_quoted, without_repeats
from peneira.texts.blocked_pages import MAX_BLOCKED_CHARS, blocked_reason
from peneira.texts.described_text import described_text
from peneira.texts.element_names import NAMING_ATTRIBUTES
from peneira.texts.markup_words import attribute_words
from peneira.texts.named_parts import are_quotes
from peneira.texts.page_title import main_heading, page_title
from peneira.texts.tag_kinds import HEADING_TAGS
from peneira.texts.text_rendering import rendered_text

# Types of pages that are written item by item
LIST_TYPES = ("collection", "listing", "forum")
# Words for the comments of readers, in the class or id of the element that holds them
COMMENT_WORDS = frozenset("comment comments commentlist disqus respond replies".split())
# On such pages each entry says all of it
REPEATING_TYPE = "documentation"
# Such pages say short things again on purpose, too
PROSE_TYPE = "article"
# On such pages what readers write is the content
DISCUSSION_TYPE = "forum"
# A page with less content to be expected, and that in doubt, has menus alone: of 10 such pages of WCXB, 6 have no text
MIN_EXPECTED_WORDS, MIN_EXPECTED_F1 = 20, 0.35
# On a page with fewer words, all of them are what it says
MIN_MENU_WORDS = 50
# A part of a thread with fewer words in a row is no post
MIN_POST_WORDS = 4
# What belongs to the form of a comment, not to the comment
_FORM_TAGS = frozenset("form button label nav".split())


@dataclass(frozen=True, slots=True)
class MainText:
    """The main text of a page, the comments below it, and how sure that is.

    ``title``: the main heading (``page_title``), else the title of the document. ``type``: the most probable type
    of the page, "" where it has no text. ``confidence``: the share of the words that should be right, by the model's
    own probabilities. ``reason``: why the page shows no text, "" where it shows some. ``description``: how a page
    that shows no text describes itself to programs, "" if it does not: often the beginning of what scripts would show.
    """

    text: str
    comments: str
    title: str
    type: str
    confidence: float
    reason: str = ""
    description: str = ""
    cuts: tuple[Cut, ...] = ()


def text(
    source: bytes | str | Path | Page,
    url: str | None = None,
    *,
    markdown: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> LimitedText:
    """Return the main text of a page of any type in reading order, "" if it shows none.

    The text has ``cuts`` and ``status``, as an ``Extraction`` has.

    Headings, paragraphs, lists, tables, code and quotes, without menus, adverts, related items and comments.
    ``markdown``: with links, emphasis and tables. ``url`` makes links absolute.
    """
    with Budget(limits).running(), paused_collection():
        page = read_page(source, url=url, limits=limits)
        found = main_text(page, markdown=markdown, with_comments=False)
    return LimitedText(found.text, found.cuts)


def main_text(
    page: Page, *, markdown: bool = False, with_comments: bool = True, models: BlockModels | None = None
) -> MainText:
    """Return the main text of a page with what is known about it. ``models``: None for those that ship."""
    budget = Budget(DEFAULT_LIMITS)
    found = budget.attempt(
        lambda: _main_text(page, models, markdown=markdown, with_comments=with_comments),
        MainText("", "", "", "", 0.0, "a limit was hit", cuts=page.cuts),
        "the main text was not looked for",
    )
    return replace(found, cuts=(*found.cuts, *budget.cuts))


def _main_text(page: Page, models: BlockModels | None, *, markdown: bool, with_comments: bool) -> MainText:
    decision = decide(page, models)
    if reason := _blocked(decision):
        return MainText("", "", page_title(decision.blocks), "", 0.0, reason, cuts=page.cuts)
    if reason := _no_text(page, decision):
        described = described_text(page) if decision.counts.sum() < MIN_MENU_WORDS else ""
        if described or not _is_short(decision):
            return MainText("", "", page_title(decision.blocks), "", 0.0, reason, described, page.cuts)
    by_item = decision.type in LIST_TYPES
    posts = _posts(decision) if markdown else []

    def written(flags: Flags) -> str:
        kept = np.flatnonzero(flags).tolist()
        return rendered_text(decision.blocks, kept, markdown=markdown, by_item=by_item, posts=posts)

    confidence, title = round(decision.expected_f1, 4), page_title(decision.blocks)
    text = written(_read_once(decision))
    if markdown and (heading := _heading(decision)):
        text = f"{heading}\n\n{text}"
    comments = written(comment_blocks(decision) & ~decision.kept) if with_comments else ""
    return MainText(text, comments, title, decision.type, confidence, cuts=page.cuts)


def _posts(decision: BlockDecision) -> list[int]:
    """Return the rows where the posts of a thread begin; none where most of the text is outside the main list."""
    regions, blocks = decision.regions, decision.blocks
    if decision.type != DISCUSSION_TYPE or not len(regions):
        return []
    page = blocks.page
    holder = int(regions.ancestor[regions.score.argmax()])
    inside = (blocks.rows >= holder) & (blocks.rows < page.lists.end[holder]) & decision.kept
    if 2 * decision.counts[inside].sum() < decision.counts[decision.kept].sum():
        return []
    starts = np.fromiter(page.children(holder), np.int64)
    longest = np.zeros(len(starts) + 1)
    np.maximum.at(longest, np.searchsorted(starts, blocks.rows[inside], side="right"), decision.counts[inside])
    # short lines between posts belong to the post before them
    return [holder, *starts[longest[1:] >= MIN_POST_WORDS].tolist()]


def _read_once(decision: BlockDecision) -> Flags:
    """Return the kept blocks without repeats; a page that explains a program repeats itself on purpose."""
    if decision.type == REPEATING_TYPE:
        return decision.kept
    kept, counts, blocks = decision.kept, decision.counts, decision.blocks
    # first the quotes: where the newest post is on top, they stand before what they quote
    if decision.type == DISCUSSION_TYPE:
        kept = without_quoted(kept, are_quotes(blocks), counts, blocks)
    is_heading = inside_tags(blocks.page, HEADING_TAGS)[blocks.rows]
    if decision.type != PROSE_TYPE:
        once = without_equals(kept, counts, blocks, _records(decision))
        # a section has its heading also where a list of contents says the same; headings of items say their links again
        kept = once if decision.type in LIST_TYPES else kept & is_heading | once
    if decision.type == DISCUSSION_TYPE:
        # the headings of posts say what the thread is about: "Re: Pump stops"
        kept = kept & ~is_heading | without_equals(kept & is_heading, counts, blocks, np.zeros(len(blocks), np.int64))
    return without_repeats(kept, counts, blocks)


def _records(decision: BlockDecision) -> Rows:
    """Return the record of the main list that each block is in, by its first row, else `NO_RECORD`."""
    regions, blocks = decision.regions, decision.blocks
    records = np.full(len(blocks), NO_RECORD)
    if len(regions):
        best = int(regions.score.argmax())
        starts = np.fromiter(blocks.page.children(int(regions.ancestor[best])), np.int64)
        is_inside = (blocks.rows >= regions.start[best]) & (blocks.rows < regions.end[best])
        records[is_inside] = starts[np.searchsorted(starts, blocks.rows[is_inside], side="right") - 1]
    return records


def _heading(decision: BlockDecision) -> str:
    """Return the heading of a Markdown text: the main heading of the page, "" if it is in the text already."""
    heading = main_heading(decision.blocks)[:1]
    if not heading or decision.kept[heading[0]]:
        return ""
    return rendered_text(decision.blocks, heading, markdown=True)


def _no_text(page: Page, decision: BlockDecision) -> str:
    """Return why a page may have no main text, "" if it surely has one."""
    if not len(decision.blocks):
        return f"no visible text among {len(page)} nodes"
    expected_words = (decision.probability * decision.counts).sum()
    is_doubtful = expected_words < MIN_EXPECTED_WORDS and decision.expected_f1 < MIN_EXPECTED_F1
    return f"none of {len(decision.blocks)} blocks of text looks like content" if is_doubtful else ""


def _blocked(decision: BlockDecision) -> str:
    """Return why a page refuses access, "" if it does not."""
    blocks = decision.blocks
    if not len(blocks) or int(blocks.lengths.sum()) > MAX_BLOCKED_CHARS:
        return ""
    # a form beside the text may ask for a captcha
    has_text = decision.counts[decision.kept].sum() >= MIN_MENU_WORDS
    text = " ".join(blocks.strings[k] for k in np.flatnonzero(decision.kept).tolist()) if has_text else None
    return str(blocked_reason(blocks.page, text) or "")


def _is_short(decision: BlockDecision) -> bool:
    """Return whether a page shows so few words that all of them are what it says."""
    return bool(0 < decision.counts.sum() < MIN_MENU_WORDS)


def comment_blocks(decision: BlockDecision) -> Flags:
    """Return the blocks in an element for comments of readers; none on a page that is a discussion itself."""
    blocks, page = decision.blocks, decision.blocks.page
    if not len(blocks) or decision.type == DISCUSSION_TYPE:
        return np.zeros(len(blocks), dtype=np.bool_)
    roots = [
        i
        for i, attrs in enumerate(page.attrs)
        if attrs and i > page.body and any(_is_comment(attrs[name]) for name in NAMING_ATTRIBUTES if name in attrs)
    ]
    inside = page.flags_below(roots)[blocks.rows]
    return np.asarray(inside & ~inside_tags(page, _FORM_TAGS)[blocks.rows])


def _is_comment(value: str) -> bool:
    return not COMMENT_WORDS.isdisjoint(attribute_words(value))
