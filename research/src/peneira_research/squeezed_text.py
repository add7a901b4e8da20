"""The form in which texts are compared: without white space, characters of no width, and case."""

from __future__ import annotations

import re

import numpy as np

from peneira.page import ZERO_WIDTH, Page

_BLANK = re.compile(rf"[\s{ZERO_WIDTH}]+")


def squeeze(text: str) -> str:
    """Return the text without white space, characters of no width, and case."""
    return _BLANK.sub("", text).lower()


def page_text(page: Page) -> str:
    """Return the squeezed text of the body, hidden nodes included, silent ones not; "" for a page of frames."""
    return element_text(page, page.body) if len(page) and page.name(page.body) == "body" else ""


def element_text(page: Page, node: int) -> str:
    """Return the squeezed text of an element, hidden nodes included, silent ones not."""
    inside = slice(node, int(page.end[node]))
    rows = np.flatnonzero((page.tag[inside] == 0) & ~page.silent[inside]) + node
    return squeeze("".join(page.text[row] for row in rows.tolist()))
