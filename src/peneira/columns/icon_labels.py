"""What the icon in front of a text says: ``<i title="Beds"></i> 3``, ``<svg><title>Beds</title></svg> 3``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from peneira.columns.labels import MAX_LABEL_WORDS, normalized_label
from peneira.columns.raw_columns import RawColumn
from peneira.columns.role_words import named_roles
from peneira.columns.value_patterns import value_pattern
from peneira.page import Page
from peneira.values import Role

# The icons of this many records show whether all say the same
MAX_RECORDS = 3
# Longer texts have no icon that says what they are
MAX_WORDS, MAX_CHARS = 5, 40
# An icon stands in front of the text, or of one of this many elements that begin with it
MAX_LEVELS = 3
# Larger elements are no icons, nor those after as many others
MAX_ROWS = 12
MAX_SIBLINGS = 8
# What these are is plain without an icon, which must name such a role: before a date stands a "Calendar"
_PLAIN: Mapping[str, frozenset[Role]] = {
    "date": frozenset({"date", "end_date"}),
    "money": frozenset({"price", "old_price", "discount", "salary"}),
}
_SPOKEN = ("title", "aria-label")
# What these say is what they do
_CONTROL_TAGS = frozenset({"a", "button", "input"})


def set_icon_labels(page: Page, columns: Sequence[RawColumn]) -> None:
    """Set the labels of texts that have none, and have an icon in front of them that says the same in each record."""
    for column in columns:
        if column.attribute or column.is_list or column.slot.label:
            continue
        lists = list(column.values.values())
        values = [own[0] for own in lists[:: max(1, len(lists) // MAX_RECORDS)]]
        if not all(_is_number_or_date(value.text) for value in values):
            continue
        first = _icon_label(page, values[0].row)
        is_same = first and all(_icon_label(page, value.row) == first for value in values[1:])
        if is_same and column.distinct > 1 and _may_say(first, value_pattern(values[0].text)):
            column.slot.label = first


def _may_say(label: str, pattern: str) -> bool:
    return pattern not in _PLAIN or not _PLAIN[pattern].isdisjoint(named_roles(label))


def _is_number_or_date(text: str) -> bool:
    """Return whether a text may need an icon to tell what it is; before words, an icon is for what it does."""
    return len(text) <= MAX_CHARS and any(map(str.isdigit, text)) and len(text.split()) <= MAX_WORDS


def _icon_label(page: Page, row: int) -> str:
    """Return what the icon in front of a row says, "" if there is none."""
    parents = page.lists.parent
    row = _first_text(page, row)
    for _ in range(MAX_LEVELS):
        parent = parents[row]
        if parent <= 0:
            return ""
        if row > parent + 1:
            icon = _row_before(page, parent, row)
            return _spoken_by_icon(page, icon) if icon else ""
        row = parent
    return ""


def _first_text(page: Page, row: int) -> int:
    """Return the first text in an element that is not in a drawing, the row itself if there is none soon."""
    tags, ends = page.lists.tag, page.lists.end
    inner, stop = row, min(ends[row], row + MAX_ROWS)
    while inner < stop:
        if tags[inner] == 0:
            return inner
        inner = ends[inner] if page.tag_names[tags[inner]] in page.skipped_tags else inner + 1
    return row


def _row_before(page: Page, parent: int, row: int) -> int:
    """Return the child before a row, 0 if it is not among the first."""
    ends, child = page.lists.end, parent + 1
    for _ in range(MAX_SIBLINGS):
        if ends[child] == row:
            return child
        child = ends[child]
        if child >= row:
            break
    return 0


def _spoken_by_icon(page: Page, icon: int) -> str:
    """Return what an element without a text says to pointers and screen readers."""
    tags, ends, names = page.lists.tag, page.lists.end, page.tag_names
    if ends[icon] - icon > MAX_ROWS or tags[icon] == 0:
        return ""
    found = ""
    for row in range(icon, ends[icon]):
        if tags[row] == 0:
            if names[tags[page.lists.parent[row]]] != "title":
                return ""
            found = found or page.text[row]
        elif names[tags[row]] in _CONTROL_TAGS or page.attrs[row].get("role") == "button":
            return ""
        elif not found:
            found = next((text for name in _SPOKEN if (text := page.attrs[row].get(name, ""))), "")
    label = normalized_label(found)
    # "arrow-up" is the name of an icon
    is_label = 0 < len(label.split()) <= MAX_LABEL_WORDS and all(char.isalpha() or char == " " for char in label)
    return label if is_label else ""
