"""Proposals: the selectors by which a text of a page could be found again, from the page's anchors, labels and positions.

They are many, and most are bad. Which of them are columns is decided by what they read on all learning pages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from peneira.xpath.anchors import Anchors
from peneira.xpath.finder import Finder, normalize_space
from peneira.xpath.selectors import TEXT, Axis, Selector, Step

# A longer way is none that anybody would want
MAX_STEPS = 40
# Up to so many nodes after a label its values are looked for
MAX_AFTER_LABEL = 6
# The texts of an element after a label are also read one by one, the first few
MAX_TEXTS_APART = 4
_LEAD = re.compile(r"[^\W\d][^:=]{0,38}?\s?[:=]")
# Neighbours of one of these tags are items of one list, none the label of the other
_ITEM_TAGS = frozenset({"li", "tr", "a", "option"})
# So many siblings of one kind are a list
_MIN_ITEMS = 3
# Several of these in a line, after one label, are values of one kind
_RUN_TAGS = frozenset({"a", "span", "li", "dd"})
# HTML parsers differ in whether they put it there
_UNSURE_TAGS = frozenset({"tbody"})
_CELL_TAGS = frozenset({"td", "th"})

Steps = tuple[Step, ...]


class Proposer:
    """Proposes selectors for the texts of one page."""

    def __init__(self, finder: Finder, anchors: Anchors) -> None:
        self.finder, self.page, self.anchors = finder, finder.page, anchors
        self._turn_of = self.page.turn
        self._anchored: dict[int, tuple[Steps, Steps]] = {}
        self._positional: dict[int, Steps] = {}
        self._tags_below: dict[int, Counter[str]] = {}

    def selectors(self) -> Iterator[Selector]:
        """Yield all selectors of all texts, some more than once."""
        rows = self.finder.rows(Selector((Step("descendant", TEXT),)))
        body, end = self.page.body, self.page.lists.end[self.page.body]
        skipped = self.finder.skipped
        for row in rows:
            if body <= row < end and not skipped[row]:
                yield from (Selector(steps) for steps in self._of_text(row) if len(steps) > 1)

    def _of_text(self, row: int) -> Iterator[Steps]:
        text = normalize_space(self.page.text[row])
        parent = self.page.lists.parent[row]
        every, turn = Step("child", TEXT), Step("child", TEXT, position=self._turn_of(row))
        for steps in self._to_element(parent):
            yield (*steps, every)
            yield (*steps, turn)
        classed, counted = self._from_anchor(parent)
        yield (*classed, every)
        for steps in (counted, self._from_body(parent), self._loose(parent, counted)):
            yield (*steps, turn)
        lead = _LEAD.match(text)
        if lead and lead.end() < len(text) and "'" not in lead[0]:
            yield from self._leads(parent, lead[0])
        if self.anchors.is_label(text):
            yield from self._after_label(row, text)

    def _to_element(self, row: int) -> Iterator[Steps]:
        """Yield short ways to an element: by its own hook, by that of its parent, from the anchor above it."""
        step = self.anchors.step(self.page, row)
        above = self.page.lists.parent[row]
        anywhere = Step("descendant", step.name, itemprop=step.itemprop, class_name=step.class_name)
        if not step.is_tag_only:
            yield (anywhere,)
        if above > 0:
            outer = self.anchors.step(self.page, above)
            if not outer.is_tag_only:
                yield (Step("descendant", outer.name, itemprop=outer.itemprop, class_name=outer.class_name), step)
        anchor = self._anchor_above(row)
        if anchor is not None and not step.is_tag_only:
            yield (anchor, anywhere)

    def to_holder(self, row: int) -> Iterator[Steps]:
        """Yield the ways to an element that holds records: short ones, from an anchor, and by positions."""
        anchor = self.anchors.anchor(self.page, row)
        if anchor is not None:
            yield (anchor,)
        yield from self._to_element(row)
        yield from filter(None, (*self._from_anchor(row), self._from_body(row)))

    def _anchor_above(self, row: int) -> Step | None:
        for above in self.page.ancestors(row):
            anchor = self.anchors.anchor(self.page, above)
            if anchor is not None:
                return anchor
        return None

    def _from_anchor(self, row: int) -> tuple[Steps, Steps]:
        """Return the way from the nearest anchor by anchors, and the same with positions; empty where it is too long."""
        climbed: list[int] = []
        at = row
        while at not in self._anchored and len(climbed) <= MAX_STEPS:
            climbed.append(at)
            if self._starts(at):
                break
            at = self.page.lists.parent[at]
        if len(climbed) > MAX_STEPS:
            return (), ()
        for one in reversed(climbed):
            self._anchored[one] = self._way(one)
        return self._anchored[row]

    def _starts(self, row: int) -> bool:
        """Tell whether a way can start here."""
        is_top = self.page.lists.parent[row] < 0 or row == self.page.body
        return is_top or self.anchors.anchor(self.page, row) is not None

    def _way(self, row: int) -> tuple[Steps, Steps]:
        """Return the ways to a row, those to its parent being known."""
        anchor = self.anchors.anchor(self.page, row)
        if anchor is not None or self._starts(row):
            start = anchor or Step("descendant", self.page.name(row))
            return (start,), (start,)
        parent = self.page.lists.parent[row]
        classed, counted = self._anchored[parent]
        if not classed or len(classed) > MAX_STEPS:
            return (), ()
        if self.page.name(row) in _UNSURE_TAGS:
            return classed, counted
        step = replace(self.anchors.step(self.page, row), axis=self._axis(parent))
        return (*classed, step), (*counted, replace(step, position=self._turn(row, step)))

    def _axis(self, parent: int) -> Axis:
        return "descendant" if self.page.name(parent) in _UNSURE_TAGS else "child"

    def _loose(self, row: int, counted: Steps) -> Steps:
        """Return the way with positions but for the innermost step that is one of many siblings; or ()."""
        at = row
        for k in range(len(counted) - 1, 0, -1):
            if self.page.name(at) in _UNSURE_TAGS:
                at = self.page.lists.parent[at]
            if self._kin(at) >= _MIN_ITEMS and self.page.name(at) not in _CELL_TAGS:
                return (*counted[:k], replace(counted[k], position=0), *counted[k + 1 :])
            at = self.page.lists.parent[at]
        return ()

    def _kin(self, row: int) -> int:
        parent, name = self.page.lists.parent[row], self.page.name(row)
        if parent not in self._tags_below:
            self._tags_below[parent] = Counter(self.page.name(child) for child in self.page.children(parent))
        return self._tags_below[parent][name]

    def _turn(self, row: int, step: Step) -> int:
        """Return the place of a row among its siblings of the same hook."""
        if step.is_tag_only:
            return self._turn_of(row)
        turn = 0
        for sibling in self.page.siblings(row):
            attrs = self.page.attrs[sibling]
            same = self.page.name(sibling) == step.name
            if same and step.itemprop:
                same = attrs.get("itemprop") == step.itemprop
            elif same:
                same = step.class_name in attrs.get("class", "").split()
            turn += same
            if sibling == row:
                break
        return turn

    def _from_body(self, row: int) -> Steps:
        """Return the way from the body by positions, empty where it is too long."""
        if row in self._positional:
            return self._positional[row]
        steps: list[Step] = []
        at = row
        while at != self.page.body and self.page.lists.parent[at] >= 0 and len(steps) <= MAX_STEPS:
            if self.page.name(at) not in _UNSURE_TAGS:
                axis = self._axis(self.page.lists.parent[at])
                steps.append(Step(axis, self.page.name(at), position=self._turn_of(at)))
            at = self.page.lists.parent[at]
        steps.append(Step("descendant", self.page.name(at)))
        known = tuple(reversed(steps)) if len(steps) <= MAX_STEPS else ()
        self._positional[row] = known
        return known

    def _leads(self, parent: int, lead: str) -> Iterator[Steps]:
        step = self.anchors.step(self.page, parent)
        yield (
            Step("descendant", step.name, itemprop=step.itemprop, class_name=step.class_name),
            Step("child", TEXT, text_prefix=lead),
        )

    def _after_label(self, row: int, text: str) -> Iterator[Steps]:
        """Yield the ways to what follows the element that holds the label and nothing else."""
        around = self.finder.alone_around(row)
        holder = around[-1] if around else row
        name = self.page.name(holder) if around else TEXT
        label = Step("descendant", name, text=text)
        starts: list[Steps] = [(label,)]
        anchor = self._anchor_above(holder)
        if anchor is not None:
            starts.append((anchor, label))
        for turn, sibling in enumerate(self._following(holder), 1):
            if name in _ITEM_TAGS and self.page.name(sibling) == name and (name != "tr" or turn > 2):
                break
            if self._starts_run(sibling, turn):
                yield from ((*start, Step("after", self.page.name(sibling)), Step("child", TEXT)) for start in starts)
            for steps in self._at_sibling(sibling, turn):
                for start in starts:
                    yield (*start, *steps)

    def _starts_run(self, row: int, turn: int) -> bool:
        """Tell whether a node after a label is the first of several of its tag, with texts of their own."""
        name = self.page.name(row)
        return turn <= 2 and name in _RUN_TAGS and sum(self.page.name(one) == name for one in self._following(row)) > 0

    def _following(self, row: int) -> Iterator[int]:
        ends = self.page.lists.end
        parents = self.page.lists.parent
        end = ends[parents[row]] if parents[row] >= 0 else 0
        at = ends[row]
        for _ in range(MAX_AFTER_LABEL):
            if at >= end:
                return
            yield at
            at = ends[at]

    def _at_sibling(self, row: int, turn: int) -> Iterator[Steps]:
        if self.page.is_text(row):
            yield (Step("next", TEXT, position=turn),)
            return
        there = Step("next", self.page.name(row), position=turn)
        texts = self.finder.texts_in(row)
        if not texts:
            return
        yield (there, Step("descendant", TEXT))
        if len(texts) > 1:
            for text in texts[:MAX_TEXTS_APART]:
                yield (there, *self._inside(row, text))

    def _inside(self, top: int, row: int) -> Steps:
        """Return the way from an element to a text in it by positions."""
        steps = [Step("child", TEXT, position=self._turn_of(row))]
        at = self.page.lists.parent[row]
        while at != top and len(steps) <= MAX_STEPS:
            steps.append(Step("child", self.page.name(at), position=self._turn_of(at)))
            at = self.page.lists.parent[at]
        return tuple(reversed(steps))
