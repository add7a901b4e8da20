"""Pages that carry their content in ``noscript``, for readers without scripts, and are filled by scripts otherwise."""

from __future__ import annotations

import numpy as np

from peneira.ml.running_sums import inside_tags
from peneira.page import Page, Rows

# Less text than this in noscript is a message, as that scripts are needed
MIN_CHARS = 400
_NEVER_READ = ("script", "style", "template", "head")


def readable_page(page: Page) -> Page:
    """Return the page with its ``noscript`` elements as ordinary ones where they hold most of its text, else the page.

    The rows are the same. Discussion software writes threads that way: all posts are in ``noscript``.
    """
    if "noscript" not in page.tag_names:
        return page
    is_text = page.tag == 0
    spare = inside_tags(page, ("noscript",)) & is_text & ~inside_tags(page, _NEVER_READ)
    spare_chars = _chars(page, np.flatnonzero(spare).tolist())
    if spare_chars < MIN_CHARS or spare_chars <= _chars(page, np.flatnonzero(is_text & ~page.silent).tolist()):
        return page
    names = list(page.tag_names)
    own = names.index("noscript")
    other = names.index("div") if "div" in names else own
    names[own] = "noscript" if other != own else "div"
    tag = [other if code == own else code for code in page.lists.tag]
    rows = Rows(names, tag, page.lists.parent, page.text, list(page.attrs), page.spaced)
    return Page(
        rows,
        url=page.url,
        encoding=page.encoding,
        encoding_reason=page.encoding_reason,
        doctype=page.doctype,
        cuts=page.cuts,
    )


def _chars(page: Page, rows: list[int]) -> int:
    return sum(len(page.text[i].strip()) for i in rows)
