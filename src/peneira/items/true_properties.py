"""Which label/value pairs of a page are properties of its item, not of menus, forms, consent or prose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from peneira.items.claims import normal_form
from peneira.items.labelled_values import MIN_ROWS, Pair
from peneira.items.page_view import PageView
from peneira.late_patterns import late_pattern
from peneira.ml.running_sums import is_tag
from peneira.page import Flags, Page
from peneira.result import ItemKind
from peneira.types.locales import currency_signs, weekday_names
from peneira.types.money import parse_price

# A paragraph of this many characters is told; of an article only tables above the first one are properties
MIN_TOLD_CHARS = 200
_TABLE_TAGS = ("td", "th", "dd")
# How many elements around a value are looked at for the link, button or label that holds it
MAX_HOLDERS = 4
_CONTROLS = frozenset({"button", "label", "option"})
_NO_PAGES = ("#", "javascript:")
_IMAGE_ADDRESS = late_pattern(r"\S+\.(?:jpe?g|png|gif|webp|svg|avif)(?:\?\S*)?", re.IGNORECASE)
_QUESTION_MARKS = ("?", "？", "؟")
# "Dishwasher safe?" with "Yes, on the top rack" is a property
MAX_ANSWER_WORDS = 5
# Rows of a converter of currencies
MIN_CURRENCIES = 2
MAX_SHORT_DAY = 3


def true_properties(view: PageView, pairs: Sequence[Pair], kind: ItemKind | None, *, is_sold: bool) -> list[Pair]:
    """Return the pairs that say something of the item, in document order."""
    if not pairs:
        return []
    buttons = _repeated_buttons(view, pairs)
    amounts = [pair for pair in pairs if _is_amount_of_currency(pair)]
    is_converter = len(amounts) >= MIN_CURRENCIES
    joined = set(_joined(pairs))
    header = _site_header(view)
    return [
        pair
        for pair in (_above_prose(view, pairs) if kind == "article" else pairs)
        if not header[pair.row]
        and pair not in buttons
        and joined.isdisjoint((normal_form(pair.label), normal_form(pair.value)))
        and _can_be_property(pair)
        and not (is_converter and pair in amounts)
        and not (is_sold and _is_opening_time(pair))
    ]


def _can_be_property(pair: Pair) -> bool:
    """Return whether label and value alone may be a property: not what is asked and answered at length, no name of
    itself, no address of an image."""
    label, value = pair.label, pair.value
    return not (
        (label.endswith(_QUESTION_MARKS) and len(value.split()) > MAX_ANSWER_WORDS)
        or normal_form(label) == normal_form(value)
        or _IMAGE_ADDRESS.fullmatch(value)
    )


def _is_amount_of_currency(pair: Pair) -> bool:
    """Return whether a label is the code of a currency and the value an amount, as in converters: "EUR", "92.10"."""
    label = pair.label
    is_code = len(label) == 3 and label.isupper() and currency_signs().get(label) == label
    return is_code and parse_price(pair.value.removesuffix(label)) is not None


def _is_opening_time(pair: Pair) -> bool:
    """Return whether a label is a day of the week, or several; of short names several, as "Sun" and "Sex" are words."""
    words = pair.label.casefold().replace(".", " ").replace("-", " ").replace("–", " ").split()
    is_clear = len(words) > 1 or any(len(word) > MAX_SHORT_DAY for word in words)
    return is_clear and all(word in weekday_names() for word in words)


def _repeated_buttons(view: PageView, pairs: Sequence[Pair]) -> set[Pair]:
    """Return the pairs whose values are controls that say the same in several rows: "How do I choose?"."""
    held: dict[str, list[Pair]] = {}
    for pair in pairs:
        if _is_held(view, pair.row):
            held.setdefault(normal_form(pair.value), []).append(pair)
    same = (own for own in held.values() if len({normal_form(pair.label) for pair in own}) >= MIN_ROWS)
    return {pair for own in same for pair in own}


def _is_held(view: PageView, row: int) -> bool:
    """Return whether a value is the text of a button, of a link to no other page, or of the label of a control."""
    page = view.page
    inside = [i for i in page.children(row) if page.text_chars[i]] if not page.is_text(row) else []
    around = [i for _, i in zip(range(MAX_HOLDERS), page.ancestors(row), strict=False)]
    return any(_is_control(page, i) for i in (row, *(inside if len(inside) == 1 else ()), *around))


def _is_control(page: Page, row: int) -> bool:
    name = page.name(row)
    return name in _CONTROLS or (name == "a" and page.attrs[row].get("href", "").startswith(_NO_PAGES))


def _joined(pairs: Sequence[Pair]) -> Iterator[str]:
    """Yield label and value of each pair as one text: what has such a text as its label or value is no pair."""
    for pair in pairs:
        yield normal_form(f"{pair.label} {pair.value}")


def _above_prose(view: PageView, pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs in tables above the first long paragraph below the heading, as articles on persons have them.

    Tables between paragraphs are about what the prose says, and rows of other markup are figures and teasers.
    """
    heading = view.heading_row
    is_tabled, is_entry = is_tag(view.page, _TABLE_TAGS), is_tag(view.page, (*_TABLE_TAGS, "dt", "li"))
    told = (
        line.start
        for line in view.lines
        if line.start > heading and len(line.text) >= MIN_TOLD_CHARS and not is_entry[line.block]
    )
    end = next(told, len(view.page))
    return [pair for pair in pairs if pair.row < end and is_tabled[pair.row]]


def _site_header(view: PageView) -> Flags:
    """Return the rows in headers that end before the heading of the item: those of the site."""
    heading, ends = view.heading_row, view.ends
    roots = [row for row in view.rows("header") if ends[row] <= heading]
    return view.page.flags_below(roots)
