"""Texts for screen readers that say with words what the page shows beside them: "Original price was: 39 €."

Shops hide the amounts that they show from screen readers, and say each again in a text of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from peneira.character_search import character_search
from peneira.page import Page, attribute_column

# A longer text is no value
MAX_VALUE_CHARS = 40
MAX_SPOKEN_CHARS = 120
# A value in more rows than this is none
MAX_ROWS = 24
_TELLING_TAGS = frozenset({"a", "h1", "h2", "h3", "h4", "h5", "h6"})
_HAS_DIGIT = character_search("", digits=True)


def spoken_again(page: Page) -> Iterator[int]:
    """Yield the elements right after a value that is hidden from screen readers, if they say it with words around it
    and nothing else. A link or a heading is for all readers: "Chapter 3" after a 3."""
    rows, values, known = attribute_column(page, "aria-hidden")
    if "true" not in known:
        return
    ends, tags = page.lists.end, page.lists.tag
    telling = {code for code, name in enumerate(page.tag_names) if name in _TELLING_TAGS}
    for row in rows[values == known.index("true")].tolist():
        after = ends[row]
        while after < len(page) and tags[after] == 0 and not page.text[after].strip():
            after += 1
        if after - row > MAX_ROWS or after >= len(page) or tags[after] == 0 or ends[after] - after > MAX_ROWS:
            continue
        value = _text(page, row, ends[row])
        if (
            value
            and len(value) <= MAX_VALUE_CHARS
            and _HAS_DIGIT(value)
            and telling.isdisjoint(tags[after : ends[after]])
            and _says(_text(page, after, ends[after]), value)
        ):
            yield after


def _says(text: str, value: str) -> bool:
    """Return whether a text is the value and words."""
    rest = text.replace(value, "", 1)
    return rest != text and len(text) <= MAX_SPOKEN_CHARS and any(map(str.isalpha, rest)) and not _HAS_DIGIT(rest)


def _text(page: Page, start: int, stop: int) -> str:
    return "".join("".join([page.text[row] for row in range(start, stop) if page.lists.tag[row] == 0]).split())
