"""Learning detail pages: what is found by one selector on all learning pages, and differs from page to page.

Every text is proposed with the selectors that could find it. A proposal is judged by what it reads on all pages; of
those that read the same texts, the one that may be expected to live longest is kept. The best are taken one by one, as
long as each reads enough texts that no other has.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, islice

from peneira.columns.builder import language_of
from peneira.columns.names import MIN_USUAL_SHARE, NameSources, name_columns
from peneira.columns.outline import SEPARATORS
from peneira.columns.value_patterns import common_pattern, value_pattern
from peneira.page import Page
from peneira.types.column_types import InferredType, infer_type
from peneira.wrappers.column_candidates import MAX_LABELLED_TEXTS, Place, Rows
from peneira.wrappers.detail_links import image_places, link_places
from peneira.wrappers.saved_columns import ADDRESS_TYPES, ColumnReader, SavedColumn, stats_of
from peneira.wrappers.wrapper import Baseline, Wrapper, column_reader
from peneira.xpath.anchors import Anchors
from peneira.xpath.finder import Finder, normalize_space
from peneira.xpath.proposals import Proposer
from peneira.xpath.selectors import TEXT, Selector
from peneira.xpath.stability import stability

MAX_COLUMNS = 80
# A list with more texts on a page is no list of values of one thing
MAX_ITEMS = 60
# Of the texts that a column reads, so many must be read by no better column
MIN_NEW = 0.4
MIN_SCORE = 0.15
# The elements around a value that may name it
STEPS_FOR_NAME = 3
# The label of a place with such a score is a label
SURE_SCORE = 0.4
# On so many of the pages the same words must stand before a value to be its label
LABELLED_SHARE = 0.8
# Of selectors that read the same, one that starts from a label is rather kept: it also names the column
LABEL_BONUS = 0.03
# A list this short and always equally long is a tuple
MAX_TURNS = 6
MIN_PAGES_OF_TURNS = 4
# A list of so many items a page takes from the score of places that pick one of them
MIN_LISTED = 3
ITEM_FACTOR = 0.5
ITEM_SHARE = 0.8
LABEL_TAGS = frozenset({"td", "th", "dt"})


def places(readers: Sequence[ColumnReader]) -> list[Place]:
    """Return the places of the pages that make columns, in the order of the page."""
    finders = [reader.finder for reader in readers]
    anchors = Anchors(finders)
    images = image_places(readers, anchors)
    texts = _text_places(finders, anchors)[: MAX_COLUMNS - len(images)]
    links = link_places(readers, anchors, texts)[: MAX_COLUMNS - len(images) - len(texts)]
    return sorted([*images, *texts, *links], key=_turn)


def _text_places(finders: Sequence[Finder], anchors: Anchors) -> list[Place]:
    """Return the places of texts that make columns, the best first."""
    judge = _Judge(finders, anchors)
    found = [judge.place(selector, rows) for selector, rows in _distinct(finders, anchors)]
    ranked = sorted(
        (one for one in _without_labels(_demoted(list(filter(None, found)))) if one.score >= MIN_SCORE),
        key=lambda one: (-one.score, str(one.selector)),
    )
    return _taken(ranked)


def _distinct(finders: Sequence[Finder], anchors: Anchors) -> list[tuple[Selector, tuple[Rows, ...]]]:
    """Return the most stable of the selectors that lead to the same rows."""
    support: Counter[Selector] = Counter()
    for finder in finders:
        support.update(set(Proposer(finder, anchors).selectors()))
    least = min(2, len(finders))
    best: dict[tuple[Rows, ...], tuple[float, int, Selector]] = {}
    for selector, count in support.items():
        if count < least:
            continue
        rows = tuple(tuple(finder.rows(selector)) for finder in finders)
        if not any(rows) or max(map(len, rows)) > MAX_ITEMS:
            continue
        own = (stability(selector) + LABEL_BONUS * bool(selector.label), -len(selector.steps), selector)
        known = best.get(rows)
        if known is None or own[:2] > known[:2] or (own[:2] == known[:2] and str(own[2]) < str(known[2])):
            best[rows] = own
    return [(selector, rows) for rows, (_, _, selector) in best.items()]


class _Judge:
    """Judges places by what all pages have there."""

    def __init__(self, finders: Sequence[Finder], anchors: Anchors) -> None:
        self._finders, self._anchors = finders, anchors
        self._texts = [_texts_by_row(finder) for finder in finders]
        self._orders = [list(texts) for texts in self._texts]

    def place(self, selector: Selector, rows: tuple[Rows, ...]) -> Place | None:
        """Return the place with its score; None for what is the template's."""
        texts = tuple(
            tuple(text for row in those if (text := known.get(row, "")))
            for known, those in zip(self._texts, rows, strict=True)
        )
        filled = [one for one in texts if one]
        if not filled or (len(filled) > 1 and len(set(filled)) == 1 and not (all(rows) and _is_announced(selector))):
            return None
        is_list = max(map(len, rows)) > 1 and self._is_list(rows)
        score = self._score(selector, rows, filled, is_list=is_list)
        return Place(selector, rows, texts, score, is_list, self._label(selector, rows))

    def _score(
        self,
        selector: Selector,
        rows: tuple[Rows, ...],
        filled: Sequence[tuple[str, ...]],
        *,
        is_list: bool,
    ) -> float:
        fixed = _fixed_share(filled)
        apart = 1.0 if is_list or max(map(len, rows)) == 1 or _is_short(selector, filled) else 0.4
        fill = len(filled) / len(rows)
        vary = (len(set(filled)) - 1) / max(len(filled) - 1, 1) if len(rows) > 1 else 1.0
        looks = Counter(value_pattern(those[0]) for those in filled)
        alike = max(looks.values()) / len(filled)
        single = sum(len(those) == 1 for those in filled) / len(filled)
        seen = self._seen(rows)
        context = 1.0 if _is_held(selector) else self._context(rows)[1]
        return (
            fill
            * (0.6 + 0.4 * vary)
            * (1 - fixed) ** 2
            * (0.5 + 0.5 * alike)
            * (0.6 + 0.4 * single)
            * (0.5 + 0.5 * context)
            * (0.3 + 0.7 * seen)
            * (0.3 + 0.7 * stability(selector))
            * apart
        )

    def _is_list(self, rows: tuple[Rows, ...]) -> bool:
        """Tell whether the rows are one list on each page: each in a child of its own below one node."""
        lists = [(finder, those) for finder, those in zip(self._finders, rows, strict=True) if len(those) > 1]
        if not all(_are_apart(finder, those) for finder, those in lists) or self._is_tuple(rows):
            return False
        before = [self._before(page, row) for page, those in enumerate(rows) for row in those[1:]]
        return sum(map(self._anchors.is_fixed, before)) <= 0.5 * len(before)

    def _is_tuple(self, rows: tuple[Rows, ...]) -> bool:
        """Tell whether a list is short, always equally long, and of plain texts: then each has a meaning of its own."""
        lengths = {len(those) for those in rows if those}
        filled = [(finder.page, those[0]) for finder, those in zip(self._finders, rows, strict=True) if those]
        if len(lengths) > 1 or max(lengths) > MAX_TURNS or len(filled) < MIN_PAGES_OF_TURNS:
            return False
        return not any(page.name(page.lists.parent[row]) == "a" for page, row in filled)

    def _context(self, rows: tuple[Rows, ...]) -> tuple[str, float]:
        """Return the text that mostly stands before the place, and on which share of the pages it does."""
        before = Counter(self._before(page, those[0]) for page, those in enumerate(rows) if those)
        text, times = max(before.items(), key=lambda item: (item[1], item[0]))
        return text, times / sum(before.values())

    def _label(self, selector: Selector, rows: tuple[Rows, ...]) -> str:
        """Return the label of a place: that of its selector, or the words that stand before it on nearly all pages."""
        if selector.label:
            return selector.label
        text, share = self._context(rows)
        return text if share >= LABELLED_SHARE and self._anchors.is_label(text) else ""

    def _before(self, page: int, row: int) -> str:
        """Return the text before a row, signs that only separate left out."""
        order = self._orders[page]
        at = bisect_left(order, row)
        return normalize_space(self._finders[page].page.text[order[at - 1]]) if at else ""

    def _seen(self, rows: tuple[Rows, ...]) -> float:
        """Return the share of the rows that readers see."""
        flags = [
            bool(finder.page.seen[row]) for finder, those in zip(self._finders, rows, strict=True) for row in those
        ]
        return sum(flags) / len(flags)


def _is_held(selector: Selector) -> bool:
    """Tell whether a selector ends at an element with a hook and counts nothing: then what stands before is chance."""
    elements = [step for step in selector.steps if step.name != TEXT and not step.name.startswith("@")]
    return any(not step.is_tag_only for step in elements[-2:]) and not any(step.position > 1 for step in selector.steps)


def _is_short(selector: Selector, filled: Sequence[tuple[str, ...]]) -> bool:
    """Tell whether the texts are all that stands after a label, and few."""
    return bool(selector.label) and sum(map(len, filled)) <= MAX_LABELLED_TEXTS * len(filled)


def _fixed_share(filled: Sequence[tuple[str, ...]]) -> float:
    """Return how many of the texts all of several pages have at the place."""
    if len(filled) < 2:
        return 0.0
    common = set(filled[0]).intersection(*filled[1:])
    every = [text for those in filled for text in those]
    return sum(text in common for text in every) / len(every)


def _are_apart(finder: Finder, rows: Rows) -> bool:
    """Tell whether rows lie in different children of the node that holds them all."""
    ends = finder.page.lists.end
    parents = finder.page.lists.parent
    holder = parents[rows[0]]
    while ends[holder] <= rows[-1]:
        holder = parents[holder]
    tops = set()
    for row in rows:
        top = row
        while parents[top] != holder:
            top = parents[top]
        tops.add(top)
    return len(tops) == len(rows)


def _is_announced(selector: Selector) -> bool:
    """Tell whether a label says that there is a value here, even if all pages have the same one."""
    label = next((step for step in selector.steps if step.text), None)
    if label is None:
        return False
    return label.name in LABEL_TAGS or label.text.endswith((":", "："))


def _texts_by_row(finder: Finder) -> dict[int, str]:
    page = finder.page
    found = {row: " ".join(page.text[row].split()) for row in finder.texts_in(0)}
    return {row: text for row, text in found.items() if not SEPARATORS.issuperset(text)}


def _without_labels(found: Sequence[Place]) -> list[Place]:
    """Return the places, those with less score whose texts are the labels of others."""
    labels = {
        place.selector.label.rstrip(" :")
        for place in found
        if _is_announced(place.selector) and place.score >= SURE_SCORE
    }
    result = []
    for place in found:
        every = [text for those in place.texts for text in those]
        share = sum(text.rstrip(" :") in labels for text in every) / len(every)
        result.append(replace(place, score=place.score * (1 - share)))
    return result


def _demoted(found: Sequence[Place]) -> list[Place]:
    """Return the places, those with less score that pick single items out of a list, or out of that of their label."""
    listed: dict[str, set[tuple[int, int]]] = {}
    for place in found:
        if place.is_list and (place.selector.label or sum(map(len, place.rows)) >= MIN_LISTED * len(place.filled)):
            listed.setdefault(place.selector.label, set()).update(place.own)
    every = set().union(*listed.values())
    result = []
    for place in found:
        rows = listed.get(place.selector.label, set()) if place.is_labelled else every
        is_item = place.is_single and len(place.own & rows) > ITEM_SHARE * len(place.own)
        result.append(replace(place, score=place.score * ITEM_FACTOR) if is_item else place)
    return result


def _taken(ranked: Sequence[Place]) -> list[Place]:
    """Return the places that read enough that no better one reads."""
    chosen: list[Place] = []
    said: set[tuple[tuple[str, ...], ...]] = set()
    read = _Read()
    for place in ranked:
        own = place.own
        texts = tuple(tuple(sorted(set(those))) for those in place.texts)
        if texts in said or len(own - read.before(place)) < MIN_NEW * len(own):
            continue
        said.add(texts)
        read.add(place, own)
        chosen.append(place)
        if len(chosen) == MAX_COLUMNS:
            break
    return chosen


class _Read:
    """What the chosen places read: single texts, those with labels among them, several at once, lists by label."""

    def __init__(self) -> None:
        self.singles: set[tuple[int, int]] = set()
        self.labelled: set[tuple[int, int]] = set()
        self.several: set[tuple[int, int]] = set()
        self.lists: dict[str, set[tuple[int, int]]] = {}

    def before(self, place: Place) -> set[tuple[int, int]]:
        """Return the texts that a place may not read again."""
        label = place.selector.label
        if place.is_single:
            lists = [rows for of, rows in self.lists.items() if of == label or not place.is_labelled]
            return self.singles.union(*lists)
        if place.is_mixture:
            return self.several | self.singles
        return self.several if place.is_list or label else self.several | self.labelled

    def add(self, place: Place, own: set[tuple[int, int]]) -> None:
        """Note what a place reads."""
        if place.is_single:
            self.singles |= own
            if place.is_labelled:
                self.labelled |= own
        else:
            self.several |= own
            if place.is_list:
                self.lists.setdefault(place.selector.label, set()).update(own)


def _turn(place: Place) -> tuple[float, str]:
    firsts = [those[0] for those in place.rows if those]
    return sum(firsts) / len(firsts), str(place.selector)


def learn_details(pages: Sequence[Page]) -> Wrapper:
    """Return the wrapper of detail pages of one template."""
    readers = [column_reader(page) for page in pages]
    found = places(readers)
    named = name_columns([_evidence(place, readers) for place in found])
    language = language_of(pages[0])
    fields = tuple(_field(place, *named[k], language) for k, place in enumerate(found))
    return Wrapper("detail", fields, Baseline(len(pages)), url=pages[0].url or "")


def _field(place: Place, name: str, caption: str, language: str) -> SavedColumn:
    is_list = any(len(texts) > 1 for texts in place.texts)
    address = ADDRESS_TYPES.get(place.selector.attribute)
    if is_list:
        typing = InferredType("list", 1.0)
    else:
        typing = (
            InferredType(address, 1.0) if address else infer_type(_firsts(place), caption=caption, language=language)
        )
    return SavedColumn(
        name, caption or name, place.selector, typing, stats_of(place.texts, len(place.texts)), is_list=is_list
    )


def _naming_label(place: Place) -> str:
    """Return the label as a name: that of the selector, or words with a colon before the value."""
    is_sure = bool(place.selector.label) or place.label.endswith((":", "："))
    return place.label.rstrip(" :：=\xa0") if is_sure else ""


def _firsts(place: Place) -> list[str]:
    return [texts[0] for texts in place.texts if texts]


def _evidence(place: Place, readers: Sequence[ColumnReader]) -> NameSources:
    """Return what is known of a column for its name, from the first page that has it."""
    k = next(k for k, rows in enumerate(place.rows) if rows)
    page, row = readers[k].page, place.rows[k][0]
    around = page.ancestors(row) if page.is_text(row) else chain((row,), page.ancestors(row))
    above = list(islice(around, STEPS_FOR_NAME))
    elements = tuple((page.name(one), tuple(page.attrs[one].get("class", "").split())) for one in above)
    prop = next((page.attrs[one]["itemprop"] for one in above if page.attrs[one].get("itemprop")), "")
    rare = sum(map(bool, place.rows)) < MIN_USUAL_SHARE * len(place.rows)
    return NameSources(
        prop=prop,
        label=_naming_label(place),
        attribute=place.selector.attribute,
        pattern=common_pattern(_firsts(place)),
        is_linked=page.name(above[0]) == "a" if above else False,
        elements=elements,
        priority=(rare,),
    )
