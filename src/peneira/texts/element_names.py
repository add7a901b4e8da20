"""What the author of a page calls its elements: class, id, role and itemprop, read once for all features."""

from __future__ import annotations

import numpy as np

from peneira.page import Page

NAMING_ATTRIBUTES = ("class", "id", "role", "itemprop")

# The naming attributes that an element has, in the order of NAMING_ATTRIBUTES
Names = tuple[str, ...]


class ElementNames:
    """The names of the elements below the body. ``code`` has a number per row, equal for equal names, 0 for none.

    ``distinct`` has the names by that number. The attributes of the root and the body describe the whole page, so they
    are left out. ``unread``: the elements, anywhere, that the page hides from screen readers.
    """

    def __init__(self, page: Page) -> None:
        self.code = [0] * len(page)
        self.distinct: list[Names] = [()]
        self.unread: list[int] = []
        numbers: dict[tuple[str | None, ...], int] = {(None, None, None, None): 0}
        code, body = self.code, page.body
        for i, attrs in enumerate(page.attrs):
            if not attrs:
                continue
            get = attrs.get
            if get("aria-hidden") == "true":
                self.unread.append(i)
            if i <= body:
                continue
            names = (get("class"), get("id"), get("role"), get("itemprop"))
            number = numbers.get(names)
            if number is None:
                number = numbers[names] = len(self.distinct)
                self.distinct.append(tuple(name for name in names if name is not None))
            code[i] = number


def body_elements(page: Page) -> list[int]:
    """Return the rows of the elements below the body."""
    start = page.body + 1
    return (np.flatnonzero(page.tag[start:]) + start).tolist()
