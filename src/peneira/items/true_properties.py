"""Which label/value pairs of a page are properties of its item, not of menus, forms, consent or prose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from peneira.items.claims import normal_form
from peneira.items.labelled_values import MIN_ROWS, Pair
from peneira.items.page_view import PageView
from peneira.late_patterns import late_pattern
from peneira.ml.running_sums import is_tag
from peneira.page import Flags
from peneira.result import ItemKind
from peneira.types.locales import currency_signs, weekday_names

# A paragraph of this many characters is told; of an article only tables above the first one are properties
MIN_TOLD_CHARS = 200
_TABLE_TAGS = ("td", "th", "dd")
# How many elements around a value are looked at for the link, button or label that holds it
MAX_HOLDERS = 4
_HOLDERS = frozenset({"a", "button", "label", "option"})
_IMAGE_ADDRESS = late_pattern(r"\S+\.(?:jpe?g|png|gif|webp|svg|avif)(?:\?\S*)?", re.IGNORECASE)
_QUESTION_MARKS = ("?", "？", "؟")


def true_properties(view: PageView, pairs: Sequence[Pair], kind: ItemKind | None, *, is_sold: bool) -> list[Pair]:
    """Return the pairs that say something of the item, in document order."""
    if not pairs:
        return []
    held: dict[str, set[str]] = {}
    for pair in pairs:
        if _is_held(view, pair.row):
            held.setdefault(normal_form(pair.value), set()).add(normal_form(pair.label))
    repeated = {value for value, labels in held.items() if len(labels) >= MIN_ROWS}
    joined = set(_joined(pairs))
    false_values = repeated | joined
    header = _site_header(view)
    return [
        pair
        for pair in (_above_prose(view, pairs) if kind == "article" else pairs)
        if not header[pair.row]
        and normal_form(pair.value) not in false_values
        and normal_form(pair.label) not in joined
        and _can_be_property(pair)
        and not (is_sold and _is_opening_time(pair))
    ]


def _can_be_property(pair: Pair) -> bool:
    """Return whether label and value alone may be a property: no question, no name of itself, no address of an image.

    A code of a currency before an amount is a line of a converter.
    """
    label, value = pair.label, pair.value
    return not (
        label.endswith(_QUESTION_MARKS)
        or normal_form(label) == normal_form(value)
        or _IMAGE_ADDRESS.fullmatch(value)
        or _is_currency(label)
    )


def _is_currency(label: str) -> bool:
    return len(label) == 3 and label.isupper() and currency_signs().get(label) == label


def _is_opening_time(pair: Pair) -> bool:
    """Return whether a label is a day of the week, or several."""
    words = pair.label.casefold().replace(".", " ").replace("-", " ").replace("–", " ").split()
    return bool(words) and all(word in weekday_names() for word in words)


def _is_held(view: PageView, row: int) -> bool:
    """Return whether a value is the text of a link, a button or a label of a control."""
    page = view.page
    if page.name(row) in _HOLDERS:
        return True
    inside = [i for i in page.children(row) if page.text_chars[i]] if not page.is_text(row) else []
    if len(inside) == 1 and page.name(inside[0]) in _HOLDERS:
        return True
    return any(page.name(i) in _HOLDERS for _, i in zip(range(MAX_HOLDERS), page.ancestors(row), strict=False))


def _joined(pairs: Sequence[Pair]) -> Iterator[str]:
    """Yield label and value of each pair as one text: what has such a text as its label or value is no pair."""
    for pair in pairs:
        yield normal_form(f"{pair.label} {pair.value}")


def _above_prose(view: PageView, pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs in tables above the first long paragraph below the heading, as articles on persons have them.

    Tables between paragraphs are about what the prose says, and rows of other markup are figures and teasers.
    """
    heading = view.heading_row
    is_paragraph, is_tabled = is_tag(view.page, ("p",)), is_tag(view.page, _TABLE_TAGS)
    told = (
        line.start
        for line in view.lines
        if line.start > heading and len(line.text) >= MIN_TOLD_CHARS and is_paragraph[line.block]
    )
    end = next(told, 0)
    return [pair for pair in pairs if pair.row < end and is_tabled[pair.row]]


def _site_header(view: PageView) -> Flags:
    """Return the rows in headers that end before the heading of the item: those of the site."""
    heading, ends = view.heading_row, view.ends
    roots = [row for row in view.rows("header") if ends[row] <= heading]
    return view.page.flags_below(roots)
