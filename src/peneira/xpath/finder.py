"""Reading selectors on a page: which rows they lead to."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from peneira.page import SKIPPED_TAGS, Page
from peneira.xpath.selectors import TEXT, Selector, Step

# A selector that leads to more rows has lost its way
MAX_ROWS = 20_000
_BLANK = " \t\r\n\f"

Test = tuple[str, str, str, str, str, str, int]


def normalize_space(text: str) -> str:
    """Return what ``normalize-space()`` makes of a text: a non-breaking space is no space to it."""
    return " ".join(part for part in _split(text) if part)


def _split(text: str) -> list[str]:
    for sign in "\t\r\n\f":
        text = text.replace(sign, " ")
    return text.split(" ")


class _Found:
    """The rows that pass one test, each with its place among its siblings that do."""

    def __init__(self, page: Page, rows: Sequence[int]) -> None:
        parents = page.lists.parent
        self.rows = rows
        self.below: dict[int, list[tuple[int, int]]] = {}
        for row in rows:
            those = self.below.setdefault(parents[row], [])
            those.append((row, len(those) + 1))

    def children(self, parents: Iterable[int], position: int) -> list[int]:
        """Return the children of rows, those at a position if one is given."""
        below = self.below
        return [row for one in parents for row, turn in below.get(one, ()) if position in (0, turn)]

    def inside(self, spans: Sequence[tuple[int, int]], position: int) -> list[int]:
        """Return the rows inside spans of rows that lie apart."""
        rows = self.rows
        found = [row for start, end in spans for row in rows[bisect_left(rows, start) : bisect_left(rows, end)]]
        return found if not position else self._at(found, position)

    def _at(self, rows: Sequence[int], position: int) -> list[int]:
        if not hasattr(self, "_turns"):
            self._turns = {row: turn for those in self.below.values() for row, turn in those}
        return [row for row in rows if self._turns[row] == position]


class Finder:
    """The selectors of one page, which share what they have in common."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._tests: dict[Test, _Found] = {}
        self._paths: dict[tuple[Step, ...], list[int]] = {}
        self._labels: dict[str, list[int]] | None = None
        self._by_tag: dict[str, list[int]] | None = None
        self._by_attribute: dict[str, dict[str, list[int]]] = {}

    @cached_property
    def skipped(self) -> list[bool]:
        """Which rows lie in what holds no values: controls that offer all possible ones, frames, drawings."""
        codes = [code for code, name in enumerate(self.page.tag_names) if name in SKIPPED_TAGS]
        roots = np.flatnonzero(np.isin(self.page.tag, codes)).tolist()
        flags: list[bool] = self.page.flags_below(roots).tolist()
        return flags

    def rows(self, selector: Selector) -> list[int]:
        """Return the rows that a selector leads to from the document, in order."""
        return self._rows(selector.steps)

    def rows_in(self, roots: Sequence[int], selector: Selector) -> list[int]:
        """Return the rows that a selector leads to from a record of these topmost rows.

        One row is itself the record; several are its children.
        """
        if len(roots) == 1:
            rows = list(roots)
            for step in selector.steps:
                rows = self._step(rows, step)
            return rows
        return self._rows_in_several(roots, selector)

    def _rows_in_several(self, roots: Sequence[int], selector: Selector) -> list[int]:
        if not selector.steps:
            return list(roots)
        first, *others = selector.steps
        rows = self._first_of(roots, first)
        for step in others:
            rows = self._step(rows, step)
        return rows

    def _first_of(self, roots: Sequence[int], step: Step) -> list[int]:
        found = self._test(step)
        among = [row for row in roots if row in self._passing(found)]
        if step.axis == "child":
            return among if not step.position else among[step.position - 1 : step.position]
        ends = self.page.lists.end
        inner = found.inside([(root + 1, ends[root]) for root in roots], step.position)
        return sorted({*(among if not step.position else among[step.position - 1 : step.position]), *inner})

    def _passing(self, found: _Found) -> set[int]:
        return set(found.rows)

    def _rows(self, steps: tuple[Step, ...]) -> list[int]:
        if not steps:
            return [-1]
        known = self._paths.get(steps)
        if known is None:
            known = self._paths[steps] = self._step(self._rows(steps[:-1]), steps[-1])
        return known

    def _step(self, rows: Sequence[int], step: Step) -> list[int]:
        if not rows or len(rows) > MAX_ROWS:
            return []
        if step.name.startswith("@"):
            name = step.name[1:]
            return [row for row in rows if name in self.page.attrs[row]]
        if step.axis == "next":
            return sorted({after for row in rows if (after := self._next(row, step)) >= 0})
        if step.axis == "after":
            return sorted({after for row in rows for after in self._after(row, step)})
        found = self._test(step)
        if step.axis == "child":
            return sorted(found.children(rows, step.position)) if len(rows) > 1 else found.children(rows, step.position)
        return found.inside(_apart(self.page, rows), step.position)

    def _next(self, row: int, step: Step) -> int:
        """Return the n-th node after a sibling if it is what the step wants, else -1."""
        tags = self.page.lists.tag
        ends = self.page.lists.end
        parents = self.page.lists.parent
        parent = parents[row]
        end = ends[parent] if parent >= 0 else len(self.page)
        at = row
        for _ in range(step.position):
            at = ends[at]
            if at >= end:
                return -1
        wanted = tags[at] == 0 if step.name == TEXT else step.name == "*" or self.page.tag_names[tags[at]] == step.name
        return at if wanted else -1

    def _after(self, row: int, step: Step) -> list[int]:
        parent = self.page.lists.parent[row]
        return [one for one in self.page.children(parent) if one > row and self.page.name(one) == step.name]

    def _test(self, step: Step) -> _Found:
        key = (step.name, step.id, step.itemprop, step.class_name, step.text, step.text_prefix, step.table_depth)
        found = self._tests.get(key)
        if found is None:
            found = self._tests[key] = _Found(self.page, self._passing_rows(step))
        return found

    def _passing_rows(self, step: Step) -> list[int]:
        rows = self._candidates(step)
        if step.name not in ("*", TEXT):
            tag = self.page.tag_names.index(step.name) if step.name in self.page.tag_names else -1
            tags = self.page.lists.tag
            rows = [row for row in rows if tags[row] == tag]
        attrs = self.page.attrs
        if step.id:
            rows = [row for row in rows if attrs[row].get("id") == step.id]
        if step.itemprop:
            rows = [row for row in rows if attrs[row].get("itemprop") == step.itemprop]
        if step.class_name:
            rows = [row for row in rows if step.class_name in attrs[row].get("class", "").split()]
        if step.text_prefix:
            rows = [row for row in rows if normalize_space(self._string(row)).startswith(step.text_prefix)]
        if step.table_depth:
            rows = [row for row in rows if self._tables_around(row) == step.table_depth]
        return rows

    def _tables_around(self, row: int) -> int:
        return sum(self.page.name(above) == "table" for above in self.page.ancestors(row))

    def _candidates(self, step: Step) -> list[int]:
        """Return the rows among which those of a step are, by the rarest thing that it asks for."""
        if step.text:
            rows = self._labelled(step.text)
            return [row for row in rows if (self.page.lists.tag[row] == 0) == (step.name == TEXT)]
        if step.name == TEXT:
            return self._tagged(TEXT)
        for attribute, value in (("id", step.id), ("itemprop", step.itemprop), ("class", step.class_name)):
            if value:
                return self._attributed(attribute).get(value, [])
        return self._tagged(step.name)

    def _tagged(self, name: str) -> list[int]:
        if self._by_tag is None:
            silent = self.page.silent.tolist()
            by_code: list[list[int]] = [[] for _ in self.page.tag_names]
            for row, tag in enumerate(self.page.lists.tag):
                if tag or not silent[row]:
                    by_code[tag].append(row)
            self._by_tag = dict(zip((TEXT, *self.page.tag_names[1:]), by_code, strict=True))
            self._by_tag["*"] = sorted(row for rows in by_code[1:] for row in rows)
        return self._by_tag.get(name, [])

    def _attributed(self, attribute: str) -> dict[str, list[int]]:
        known = self._by_attribute.get(attribute)
        if known is None:
            known = self._by_attribute[attribute] = {}
            for row, attrs in enumerate(self.page.attrs):
                if attrs and (value := attrs.get(attribute)):
                    for word in dict.fromkeys(value.split()) if attribute == "class" else (value,):
                        known.setdefault(word, []).append(row)
        return known

    def _labelled(self, words: str) -> list[int]:
        """Return the texts of these words, and the elements that hold nothing but such a text."""
        if self._labels is None:
            self._labels = {}
            for row in self._tagged(TEXT):
                self._labels.setdefault(normalize_space(self.page.text[row]), []).append(row)
        found = []
        for row in self._labels.get(words, ()):
            found.append(row)
            found.extend(self.alone_around(row))
        return sorted(set(found))

    def alone_around(self, row: int) -> list[int]:
        """Return the elements around a text that hold no other text, from the inside out."""
        found = []
        ends = self.page.lists.end
        parents = self.page.lists.parent
        texts = self._tagged(TEXT)
        at = parents[row]
        while at >= 0:
            first = bisect_left(texts, at)
            if bisect_left(texts, ends[at]) - first != 1:
                break
            found.append(at)
            at = parents[at]
        return found

    def texts_in(self, row: int) -> list[int]:
        """Return the texts in an element."""
        texts = self._tagged(TEXT)
        return texts[bisect_left(texts, row) : bisect_left(texts, self.page.lists.end[row])]

    def _string(self, row: int) -> str:
        if self.page.lists.tag[row] == 0:
            return self.page.text[row]
        return "".join(self.page.text[one] for one in self.texts_in(row)[:3])


def _apart(page: Page, rows: Sequence[int]) -> list[tuple[int, int]]:
    """Return the insides of rows as spans, those within others left out. -1 is the document."""
    ends = page.lists.end
    spans: list[tuple[int, int]] = []
    last = 0
    for row in rows:
        if row < 0:
            return [(0, len(page))]
        if row >= last:
            last = ends[row]
            spans.append((row + 1, last))
    return spans
