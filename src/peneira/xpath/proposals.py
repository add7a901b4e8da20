"""Proposals: the selectors that could find a text of a page again, from the page's anchors, labels and positions.

There are many, and most are bad. What they read on all learning pages decides which of them become columns.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from peneira.xpath.anchors import Anchors
from peneira.xpath.finder import Finder, normalize_space
from peneira.xpath.selectors import TEXT, Axis, Selector, Step


@dataclass(frozen=True, slots=True)
class ProposalOptions:
    """Limits of what is proposed."""

    # Longer paths break at the first change, and nobody can read them
    max_steps: int = 40
    # Values are looked for among this many nodes after a label
    max_after_label: int = 6
    # The texts of an element after a label are also proposed one by one, the first few
    max_single_texts: int = 4
    # An element around a text may say that it holds an address, so many levels up
    max_address_levels: int = 3
    # This many siblings of one tag are a list
    min_list_items: int = 3


OPTIONS = ProposalOptions()
# A label with its value in the same text: "Price: 12"
_LABEL_PREFIX = re.compile(r"[^\W\d][^:=]{0,38}?\s?[:=]")
# Classes of postal addresses, in English and in microformats
_ADDRESS_CLASS = re.compile(r"(?i)^adr$|address$|^addr$")
# Classes of a part of one, whose parent holds the others
_STREET_CLASS = re.compile(r"(?i)^street")
# Siblings of one of these tags are items of one list: none is the label of another
_ITEM_TAGS = frozenset({"li", "tr", "a", "option"})
# Several siblings of one of these tags after a label are its values
_VALUE_TAGS = frozenset({"a", "span", "li", "dd"})
# HTML parsers differ in whether they insert it
_OPTIONAL_TAGS = frozenset({"tbody"})
_CELL_TAGS = frozenset({"td", "th"})

Steps = tuple[Step, ...]


def anywhere(step: Step) -> Step:
    """Return a step that finds what another finds, without its position, among all descendants."""
    return Step("descendant", step.name, itemprop=step.itemprop, class_name=step.class_name)


class Proposer:
    """Proposes selectors for the texts of one page."""

    def __init__(self, finder: Finder, anchors: Anchors) -> None:
        self.finder, self.page, self.anchors = finder, finder.page, anchors
        self._position = self.page.position
        self._anchored: dict[int, tuple[Steps, Steps]] = {}
        self._positional: dict[int, Steps] = {}
        self._child_tags: dict[int, Counter[str]] = {}

    def selectors(self) -> Iterator[Selector]:
        """Yield all selectors of all texts, some more than once."""
        rows = self.finder.rows(Selector((Step("descendant", TEXT),)))
        body, end = self.page.body, self.page.lists.end[self.page.body]
        skipped = self.finder.skipped
        for row in rows:
            if body <= row < end and not skipped[row]:
                yield from (Selector(steps) for steps in self._paths_to_text(row) if len(steps) > 1)
        yield from map(Selector, self._paths_after_parted_labels())

    def _paths_after_parted_labels(self) -> Iterator[Steps]:
        for row, text in self.finder.elements_in_parts.items():
            if self.anchors.is_label(text):
                yield from self._paths_after_element(row, text)

    def _paths_to_text(self, row: int) -> Iterator[Steps]:
        text = normalize_space(self.page.text[row])
        parent = self.page.lists.parent[row]
        all_texts, this_text = Step("child", TEXT), Step("child", TEXT, position=self._position(row))
        for steps in self._short_paths(parent):
            yield (*steps, all_texts)
            yield (*steps, this_text)
        by_anchor, by_position = self._paths_from_anchor(parent)
        yield (*by_anchor, all_texts)
        for steps in (by_position, self._path_from_body(parent), self._path_to_all_items(parent, by_position)):
            yield (*steps, this_text)
        if self._siblings_of_tag(row) > 1:
            yield (*by_position, all_texts)
        yield from self._paths_to_address(row)
        prefix = _LABEL_PREFIX.match(text)
        if prefix and prefix.end() < len(text) and "'" not in prefix[0]:
            element = anywhere(self.anchors.step(self.page, parent))
            yield (element, Step("child", TEXT, text_prefix=prefix[0]))
        if self.anchors.is_label(text):
            yield from self._paths_after_label(row, text)

    def _paths_to_address(self, row: int) -> Iterator[Steps]:
        """Yield the path to all texts of the element around a text whose tag or class says that it is an address."""
        parents = self.page.lists.parent
        for above in islice(self.page.ancestors(row), OPTIONS.max_address_levels):
            named = self.page.attrs[above].get("class", "").split()
            if self.page.name(above) == "address" or any(_ADDRESS_CLASS.search(name) for name in named):
                yield (anywhere(self.anchors.step(self.page, above)), Step("descendant", TEXT))
            elif any(map(_STREET_CLASS.search, named)) and (path := self._paths_from_anchor(parents[above])[1]):
                yield (*path, Step("descendant", TEXT))

    def _short_paths(self, row: int) -> Iterator[Steps]:
        """Yield short paths to an element: by its own class, by that of its parent, from the anchor above it."""
        step = self.anchors.step(self.page, row)
        above = self.page.lists.parent[row]
        if not step.is_tag_only:
            yield (anywhere(step),)
        if above > 0:
            outer = self.anchors.step(self.page, above)
            if not outer.is_tag_only:
                yield (anywhere(outer), step)
        anchor = self._anchor_above(row)
        if anchor is not None and not step.is_tag_only:
            yield (anchor, anywhere(step))

    def paths_to_element(self, row: int) -> Iterator[Steps]:
        """Yield all paths to an element: by its own anchor, short ones, from an anchor above, and by positions."""
        anchor = self.anchors.anchor(self.page, row)
        if anchor is not None:
            yield (anchor,)
        yield from self._short_paths(row)
        yield from filter(None, (*self._paths_from_anchor(row), self._path_from_body(row)))

    def _anchor_above(self, row: int) -> Step | None:
        for above in self.page.ancestors(row):
            anchor = self.anchors.anchor(self.page, above)
            if anchor is not None:
                return anchor
        return None

    def _paths_from_anchor(self, row: int) -> tuple[Steps, Steps]:
        """Return the path from the nearest anchor by classes, and the same with positions; empty if it is too long."""
        climbed: list[int] = []
        at = row
        while at not in self._anchored and len(climbed) <= OPTIONS.max_steps:
            climbed.append(at)
            if self._is_start(at):
                break
            at = self.page.lists.parent[at]
        if len(climbed) > OPTIONS.max_steps:
            return (), ()
        for node in reversed(climbed):
            self._anchored[node] = self._paths_from_parent(node)
        return self._anchored[row]

    def _is_start(self, row: int) -> bool:
        """Return whether a path can start at a row: at the top of the page, or at an anchor."""
        is_top = self.page.lists.parent[row] < 0 or row == self.page.body
        return is_top or self.anchors.anchor(self.page, row) is not None

    def _paths_from_parent(self, row: int) -> tuple[Steps, Steps]:
        """Return the paths to a row, given those to its parent."""
        anchor = self.anchors.anchor(self.page, row)
        if anchor is not None or self._is_start(row):
            start = anchor or Step("descendant", self.page.name(row))
            return (start,), (start,)
        parent = self.page.lists.parent[row]
        by_class, by_position = self._anchored[parent]
        if not by_class or len(by_class) > OPTIONS.max_steps:
            return (), ()
        if self.page.name(row) in _OPTIONAL_TAGS:
            return by_class, by_position
        step = replace(self.anchors.step(self.page, row), axis=self._axis(parent))
        return (*by_class, step), (*by_position, replace(step, position=self._position_among_alike(row, step)))

    def _axis(self, parent: int) -> Axis:
        return "descendant" if self.page.name(parent) in _OPTIONAL_TAGS else "child"

    def _path_to_all_items(self, row: int, by_position: Steps) -> Steps:
        """Return the path without the position of the innermost step that is one of many siblings; () if none is."""
        at = row
        for k in range(len(by_position) - 1, 0, -1):
            if self.page.name(at) in _OPTIONAL_TAGS:
                at = self.page.lists.parent[at]
            if self._siblings_of_tag(at) >= OPTIONS.min_list_items and self.page.name(at) not in _CELL_TAGS:
                return (*by_position[:k], replace(by_position[k], position=0), *by_position[k + 1 :])
            at = self.page.lists.parent[at]
        return ()

    def _siblings_of_tag(self, row: int) -> int:
        parent, name = self.page.lists.parent[row], self.page.name(row)
        if parent not in self._child_tags:
            self._child_tags[parent] = Counter(self.page.name(child) for child in self.page.children(parent))
        return self._child_tags[parent][name]

    def _position_among_alike(self, row: int, step: Step) -> int:
        """Return the position of a row among the siblings that pass the same test."""
        if step.is_tag_only:
            return self._position(row)
        position = 0
        for sibling in self.page.siblings(row):
            attrs = self.page.attrs[sibling]
            is_alike = self.page.name(sibling) == step.name
            if is_alike and step.itemprop:
                is_alike = attrs.get("itemprop") == step.itemprop
            elif is_alike:
                is_alike = step.class_name in attrs.get("class", "").split()
            position += is_alike
            if sibling == row:
                break
        return position

    def _path_from_body(self, row: int) -> Steps:
        """Return the path from the body by positions, empty if it is too long."""
        if row in self._positional:
            return self._positional[row]
        steps: list[Step] = []
        at = row
        while at != self.page.body and self.page.lists.parent[at] >= 0 and len(steps) <= OPTIONS.max_steps:
            if self.page.name(at) not in _OPTIONAL_TAGS:
                axis = self._axis(self.page.lists.parent[at])
                steps.append(Step(axis, self.page.name(at), position=self._position(at)))
            at = self.page.lists.parent[at]
        steps.append(Step("descendant", self.page.name(at)))
        path = tuple(reversed(steps)) if len(steps) <= OPTIONS.max_steps else ()
        self._positional[row] = path
        return path

    def _paths_after_label(self, row: int, text: str) -> Iterator[Steps]:
        """Yield the paths to what follows the element that holds the label and nothing else."""
        around = self.finder.elements_with_only(row)
        yield from self._paths_after_element(around[-1] if around else row, text)

    def _paths_after_element(self, holder: int, text: str) -> Iterator[Steps]:
        name = TEXT if self.page.is_text(holder) else self.page.name(holder)
        label = Step("descendant", name, text=text)
        starts: list[Steps] = [(label,)]
        anchor = self._anchor_above(holder)
        if anchor is not None:
            starts.append((anchor, label))
        for position, sibling in enumerate(self._following(holder), 1):
            if name in _ITEM_TAGS and self.page.name(sibling) == name and (name != "tr" or position > 2):
                break
            if position <= 2 and self._starts_values(sibling):
                values = (Step("following-sibling", self.page.name(sibling)), Step("child", TEXT))
                yield from ((*start, *values) for start in starts)
            for steps in self._paths_in_sibling(sibling, position):
                for start in starts:
                    yield (*start, *steps)

    def _starts_values(self, row: int) -> bool:
        """Return whether a node is the first of several siblings that hold one value each."""
        name = self.page.name(row)
        return name in _VALUE_TAGS and any(self.page.name(sibling) == name for sibling in self._following(row))

    def _following(self, row: int) -> Iterator[int]:
        ends = self.page.lists.end
        parents = self.page.lists.parent
        end = ends[parents[row]] if parents[row] >= 0 else 0
        at = ends[row]
        for _ in range(OPTIONS.max_after_label):
            if at >= end:
                return
            yield at
            at = ends[at]

    def _paths_in_sibling(self, row: int, position: int) -> Iterator[Steps]:
        """Yield the steps from a label to the n-th node after it and to the texts in it."""
        if self.page.is_text(row):
            yield (Step("nth-sibling", TEXT, position=position),)
            return
        sibling = Step("nth-sibling", self.page.name(row), position=position)
        texts = self.finder.texts_in(row)
        if not texts:
            return
        yield (sibling, Step("descendant", TEXT))
        if len(texts) > 1:
            for text in texts[: OPTIONS.max_single_texts]:
                yield (sibling, *self._path_inside(row, text))

    def _path_inside(self, element: int, text: int) -> Steps:
        """Return the path from an element to a text in it by positions."""
        steps = [Step("child", TEXT, position=self._position(text))]
        at = self.page.lists.parent[text]
        while at != element and len(steps) <= OPTIONS.max_steps:
            above = self.page.lists.parent[at]
            if self.page.name(at) not in _OPTIONAL_TAGS:
                steps.append(Step(self._axis(above), self.page.name(at), position=self._position(at)))
            at = above
        return tuple(reversed(steps))
