"""What the author of a page calls its elements: class, id, role and itemprop, read once for all features."""

from __future__ import annotations

import numpy as np

from peneira.kept_property import kept_property
from peneira.page import Codes, Page, attribute_codes, attribute_column
from peneira.texts.known_names import Names, NumberedNames

NAMING_ATTRIBUTES = ("class", "id", "role", "itemprop")


class ElementNames:
    """The names of the elements below the body. ``code`` has a number per row, equal for equal names, 0 for none.

    ``distinct`` has the names by that number. The attributes of the root and the body describe the whole page, so they
    are left out. ``unread``: the elements, anywhere, that the page hides from screen readers.
    """

    def __init__(self, page: Page) -> None:
        codes = attribute_codes(page, frozenset(NAMING_ATTRIBUTES))
        codes[: page.body + 1] = 0
        self.code: Codes = codes
        # the first row of each code: that written last; row 0, which has no names, for a code of the head alone
        first = np.zeros(int(codes.max(initial=0)) + 1, dtype=np.int64)
        first[codes[::-1]] = np.arange(len(codes))[::-1]
        first[0] = 0
        if hasattr(page.attrs, "values"):
            self.distinct: list[Names] = page.attrs.values(first.tolist(), NAMING_ATTRIBUTES)
            self.distinct[0] = ()
        else:
            self.distinct = [_names(page, row) for row in first.tolist()]
        rows, values, known = attribute_column(page, "aria-hidden")
        is_hidden = np.array([value == "true" for value in known], dtype=np.bool_)
        self.unread: list[int] = rows[is_hidden[values]].tolist()

    @kept_property
    def numbered(self) -> NumberedNames:
        """The distinct names, with their numbers among those of other pages."""
        return NumberedNames.of(self.distinct)


def _names(page: Page, row: int) -> Names:
    attrs = page.attrs[row] if row > page.body else {}
    return tuple([attrs[name] for name in NAMING_ATTRIBUTES if name in attrs])
