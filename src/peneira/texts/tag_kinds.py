"""The kinds of the tags of a page, as the kernels of texts read them: what an element with a tag means to a reader."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import NDArray

from peneira.kernels import compiled
from peneira.page import INLINE_TAGS, TEXT, Page
from peneira.short_text_cache import cache_of_short_texts
from peneira.texts.retps import REPEATING_TAGS, SKIP_TAGS, WRAPPER_TAGS

text_tables = compiled("text_tables")
text_lines = compiled("text_lines")
block_tables = compiled("block_tables")

Kinds = NDArray[np.uint32]

HEADING_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6")
# Nothing in them is text of the page: choices of a control, drawings, and what is shown where a browser cannot
UNREAD_TAGS = frozenset("select datalist svg canvas iframe object video audio textarea math".split())
# Inline elements and line breaks: no edge of a block
JOINED_TAGS = INLINE_TAGS | {TEXT, "br", "wbr"}
# Inline elements that hold a value of their own when two of them stand side by side without white space
SEPARATE_TAGS = frozenset("a b label span strong time".split())
IMAGE_TAGS = ("img", "svg", "picture")
INPUT_TAGS = ("input", "button", "select", "textarea")
# Tags of the parent, of the block of a text, and of a block's own element that are features of their own
PARENT_TAGS = tuple("a b dd div h1 h3 li option p span strong td".split())
BLOCK_TAGS = ("li", "td", "p", "div", "dd")
OWN_TAGS = tuple("h1 h2 h3 h4 pre blockquote figcaption button th dt label address summary caption".split())

# By the names that the kernel has for its bits
_KINDS: Mapping[str, Collection[str]] = {
    "link": ("a",),
    "image": IMAGE_TAGS,
    "heading": HEADING_TAGS,
    "input": INPUT_TAGS,
    "skipped": SKIP_TAGS,
    "repeating": REPEATING_TAGS,
    "wrapper": WRAPPER_TAGS,
    "inline": INLINE_TAGS,
    "title": ("h1",),
    "unread": UNREAD_TAGS,
    "break": ("br",),
    "item": ("li",),
    "separate": SEPARATE_TAGS,
    "code": ("pre", "code"),
}
# Above the bits of the kinds: the numbers of a tag, from 1 on, among those that are features, and the first bit of each
_NUMBERED = ((PARENT_TAGS, 16), (BLOCK_TAGS, 21), (OWN_TAGS, 26))
# A page may make up names of tags
MAX_NAMES = 4096


@cache_of_short_texts(MAX_NAMES)
def _kinds_of(name: str) -> int:
    bits: int = sum((name in _KINDS[kind]) << k for k, kind in enumerate(text_tables.KINDS) if kind != "edge")
    bits |= (name not in JOINED_TAGS) << text_tables.KINDS.index("edge")
    return bits | sum((names.index(name) + 1) << shift for names, shift in _NUMBERED if name in names)


@cache_of_short_texts(MAX_NAMES)
def _heading_level(name: str) -> int:
    return HEADING_TAGS.index(name) + 1 if name in HEADING_TAGS else 0


def heading_levels(page: Page) -> NDArray[np.uint8]:
    """Return the level of each tag of a page that is a heading, by its code; 0 for others."""
    return np.fromiter(map(_heading_level, page.tag_names), np.uint8, len(page.tag_names))


def tag_kinds(page: Page) -> Kinds:
    """Return what each tag of a page is, by its code. Only where the kernel is compiled."""
    return np.fromiter(map(_kinds_of, page.tag_names), np.uint32, len(page.tag_names))
