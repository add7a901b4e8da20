"""Texts in records that are no values: what links and buttons say, pagers, counters of pictures, icons, markup."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from itertools import islice

from peneira.character_search import character_search
from peneira.columns.candidate_columns import CandidateColumns
from peneira.columns.prose_blocks import HEADING_TAGS
from peneira.columns.prototypes import BUTTON_TAG
from peneira.columns.raw_columns import WHOLE, RawColumn
from peneira.columns.role_words import named_roles
from peneira.columns.slot_alignment import Slot, with_ancestors
from peneira.columns.value_patterns import CONJUNCTIONS
from peneira.late_patterns import late_pattern
from peneira.values import Role


@dataclass(frozen=True, slots=True)
class ControlOptions:
    """When a text is that of a control."""

    # Lists with fewer records are shown as they are
    min_records: int = 3
    # The share of the values that must be of a kind
    min_share: float = 0.8
    # Buttons that say at most this many things in all records: "Add to cart", "Pre-order"
    max_kinds_of_buttons: int = 3
    # Items of a list of links that are in this share of its records on average are a menu
    min_menu_share: float = 0.5
    # Elements around a word and the amount that it stands before
    max_levels: int = 3


OPTIONS = ControlOptions()

# What these hold is shown by browsers that cannot play or draw them
_FALLBACK_TAGS = frozenset({"video", "audio", "canvas", "object", "iframe"})
# Markup that was not read, and places that a script was to fill: {{ item.name }}
_MAY_BE_MARKUP = character_search("<{")
_MARKUP = late_pattern(r"<(?:iframe|script|a href|div|img|embed)\b|</\w+>|\{\{[^{}]+\}\}")
_FIRST_OF = late_pattern(r"1\s*(?:/|of|von|de|sur|di|van|av|z)\s*\d{1,3}")
_PAGER = late_pattern(r"(?:1[\s,|]+2|2[\s,|]+3|1\s*(?:\.{2,}|…)\s*\d)\b[\s\d.…,|»›>]*(?:[^\W\d_]+)?")
_LINK_TAGS = frozenset({"a", BUTTON_TAG})
_BUTTON_CLASSES = frozenset({"btn", "button"})
_PRICES: frozenset[Role] = frozenset({"price", "old_price"})
# A letter alone, also with a character that nobody sees: shops scatter those of "Sponsored" over elements
_ICON = late_pattern(r"[A-Za-z]|[^\w\s]{1,2}|\w[\u200b-\u200f\u2060-\u2064]+")


def is_control(k: int, candidates: CandidateColumns) -> bool:
    """Return whether a text that no header or label announces is none that a person would copy, or a part of one."""
    column, records = candidates.columns[k], candidates.records
    if column.part and not column.label and column.container is not None:
        return _is_pager(column.container, records)
    if column.attribute not in ("", WHOLE) or column.nested or column.part or records < OPTIONS.min_records:
        return False
    slots = list(with_ancestors(column.slot))
    tags = {slot.features.tag for slot in slots}
    if not _FALLBACK_TAGS.isdisjoint(tags):
        return True
    has_link = not _LINK_TAGS.isdisjoint(tags)
    is_link = has_link or id(column.slot) in candidates.linked
    if column.is_list:
        return is_link and _is_menu(column)
    if column.attribute == WHOLE and _has_only_badges(column, candidates):
        return True
    if _is_word_before_amount(k, candidates):
        return True
    texts = list(column.first_texts().values())
    if candidates.types[k].type == "text" and len(texts) > 1:
        is_button = has_link and any(map(_is_button, slots))
        kinds = len(set(texts))
        is_heading = not HEADING_TAGS.isdisjoint(tags)  # an event of every week
        is_button = is_button and kinds <= OPTIONS.max_kinds_of_buttons < len(texts)
        if (is_link and kinds == 1 and not is_heading) or (is_button and not _are_categories(slots, kinds, candidates)):
            return True
    if column.distinct == 1 and texts[0].lower() in CONJUNCTIONS:
        return True
    if _MAY_BE_MARKUP.in_most(texts, OPTIONS.min_share * len(texts)) and _are_alike(_MARKUP, texts, whole=False):
        return True
    return _is_pager(column, records) or (column.slot.column < 0 and _are_alike(_ICON, texts))


def _is_button(slot: Slot) -> bool:
    """Return whether an element is a button, or a link that looks like one."""
    features = slot.features
    return features.tag == BUTTON_TAG or (features.tag == "a" and not _BUTTON_CLASSES.isdisjoint(features.words))


def _are_categories(slots: Collection[Slot], kinds: int, candidates: CandidateColumns) -> bool:
    """Return whether links lead to as many pages as they have texts, wherever they stand: "Garden", "Kitchen"."""
    around = {id(slot) for slot in slots}
    links = [other for other in candidates.columns if other.attribute == "href" and id(other.slot) in around]
    return kinds > 1 and any(link.distinct == kinds for link in links)


def _is_word_before_amount(k: int, candidates: CandidateColumns) -> bool:
    """Return whether a text is the same in all its records, and an amount stands beside it in each: "Regular price"."""
    columns = candidates.columns
    column = columns[k]
    if column.attribute or column.distinct != 1 or column.container is None:
        return False
    records = column.values.keys()
    beside = [
        (n, other)
        for n, other in enumerate(columns)
        if candidates.types[n].type == "money" and not other.attribute and records <= other.values.keys()
    ]
    if any(
        n == k + 1 and other.values.keys() == records and other.container is column.container for n, other in beside
    ):
        return True
    if _PRICES.isdisjoint(named_roles(next(iter(column.first_texts().values())))):
        return False
    around = {id(slot) for slot in islice(with_ancestors(column.slot), OPTIONS.max_levels) if slot.parent is not None}
    return any(
        id(slot) in around
        for _, other in beside
        if other.values.keys() == records  # words that only some amounts have tell something: "Sale"
        for slot in islice(with_ancestors(other.slot), OPTIONS.max_levels)
    )


def _is_pager(column: RawColumn, records: int) -> bool:
    """Return whether texts are those of pagers or counters of pictures: "1 2 3 ... 9", "1 / 14"."""
    if records < OPTIONS.min_records or column.is_list:
        return False
    texts = list(column.first_texts().values())
    return _are_alike(_PAGER, texts) or (column.slot.column < 0 and _are_alike(_FIRST_OF, texts))


def _has_only_badges(column: RawColumn, candidates: CandidateColumns) -> bool:
    """Return whether a text is made of words that records have or have not, "pic map", and letters in place of a
    picture: "J Offline"."""
    inside = [other for other in candidates.columns if other.container is column]
    return len(inside) > 1 and all(
        other.attribute == ""
        and (len(set(other.cell_texts().values())) == 1 or _are_alike(_ICON, other.first_texts().values()))
        for other in inside
    )


def _is_menu(column: RawColumn) -> bool:
    """Return whether the items of a list of links are the same in most of its records: "Code", "Issues"."""
    counts = Counter(text for values in column.values.values() for text in {value.text for value in values})
    return len(column.values) > 1 and counts.total() >= OPTIONS.min_menu_share * len(counts) * len(column.values)


def _are_alike(pattern: re.Pattern[str], texts: Collection[str], *, whole: bool = True) -> bool:
    matches = pattern.fullmatch if whole else pattern.search
    possible, least = len(texts), OPTIONS.min_share * len(texts)
    for text in texts:
        if matches(text) is None:
            possible -= 1
            if possible < least:
                return False
    return True
