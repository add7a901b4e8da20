"""Evaluating selectors on a page: which rows of its table they select."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from peneira.budget import check_budget
from peneira.kept_property import kept_property
from peneira.page import Page, attribute_column
from peneira.xpath.selectors import TEXT, Selector, Step

# A selector that selects more rows than this selects nothing: it no longer means what it did
MAX_ROWS = 20_000
# How many texts of an element are joined to test how its text starts
MAX_PREFIX_TEXTS = 3
# The rows of a step are put in order by their parents when so many times as many were looked at
MAX_LOOKS = 3
# Texts of so many contents are searched for one after the other
MAX_SEARCHES = 5
_SIBLING_AXES = ("nth-sibling", "following-sibling")

StepTest = tuple[str, str, str, str, str, str, int, str, int]


def normalize_space(text: str) -> str:
    """Return what XPath's ``normalize-space()`` makes of a text: unlike ``str.split`` it keeps non-breaking spaces."""
    for blank in "\t\r\n\f":
        text = text.replace(blank, " ")
    return " ".join([part for part in text.split(" ") if part]) if "  " in text else text.strip(" ")


def _normalized(texts: list[str]) -> list[str]:
    """Return ``normalize_space`` of many texts: blanks are replaced in all of them at once."""
    joined = "\0".join(texts)
    for blank in "\t\r\n\f":
        joined = joined.replace(blank, " ")
    parts = joined.split("\0")
    if len(parts) != len(texts):  # a text has the character, which no parser leaves in one
        return list(map(normalize_space, texts))
    return [
        part.strip(" ") if "  " not in part else " ".join([word for word in part.split(" ") if word]) for part in parts
    ]


# Labels may be in several nodes in these elements, in at most so many with at most so many characters
PARTED_TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "th", "td", "dt", "b", "strong", "label"})
MAX_PARTS = 4
MAX_PARTED_CHARS = 60


class _MatchingRows:
    """The rows that pass the test of a step; the position of each is that among the siblings that pass it."""

    def __init__(self, page: Page, rows: Sequence[int]) -> None:
        self.page, self.rows = page, rows
        self._looked_at = 0

    @kept_property
    def _by_parent(self) -> dict[int, list[int]]:
        parents = self.page.lists.parent
        by_parent: dict[int, list[int]] = {}
        for row in self.rows:
            by_parent.setdefault(parents[row], []).append(row)
        return by_parent

    def children(self, parents: Iterable[int], position: int) -> list[int]:
        """Return the children of rows; with a position, only the child at it."""
        if self._looked_at > MAX_LOOKS * len(self.rows):
            by_parent = self._by_parent
            siblings = [by_parent[parent] for parent in parents if parent in by_parent]
            if position:
                return [own[position - 1] for own in siblings if len(own) >= position]
            return [row for own in siblings for row in own]
        rows, parent_of, ends = self.rows, self.page.lists.parent, self.page.lists.end
        found: list[int] = []
        for parent in parents:
            first = bisect_right(rows, parent)
            last = bisect_left(rows, ends[parent], first) if parent >= 0 else len(rows)
            self._looked_at += last - first
            own = [row for row in rows[first:last] if parent_of[row] == parent]
            found += own[position - 1 : position] if position else own
        return found

    def inside(self, spans: Sequence[tuple[int, int]], position: int) -> list[int]:
        """Return the rows inside spans that do not overlap."""
        rows = self.rows
        inner = [row for start, end in spans for row in rows[bisect_left(rows, start) : bisect_left(rows, end)]]
        return [row for row in inner if self._positions[row] == position] if position else inner

    @kept_property
    def _positions(self) -> dict[int, int]:
        return {row: position for own in self._by_parent.values() for position, row in enumerate(own, 1)}


class _AttributeRows:
    """The rows with an attribute, by its values, of a class by its words."""

    def __init__(self, page: Page, attribute: str) -> None:
        self._rows, self._codes, self._values = attribute_column(page, attribute)
        self._are_words = attribute == "class"

    def having(self, value: str) -> list[int]:
        """Return the rows with a value, in document order."""
        if self._are_words:
            has_value = [value in own and value in own.split() for own in self._values]
        else:
            has_value = [value == own for own in self._values]
        rows: list[int] = self._rows[np.array(has_value, dtype=np.bool_)[self._codes]].tolist()
        return rows


class Finder:
    """Evaluates selectors on one page, and caches what they have in common."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._matching: dict[StepTest, _MatchingRows] = {}
        # by the step itself, which is kept so that no other gets its number: its test takes longer to look up
        self._matching_step: dict[int, tuple[Step, _MatchingRows]] = {}
        self._selected: dict[tuple[Step, ...], list[int]] = {}
        self._by_attribute: dict[str, _AttributeRows] = {}
        self._by_tag: dict[str, list[int]] = {}
        self._values: dict[str, dict[int, str]] = {}
        self._searches = 0
        # of the records that were asked for last: the columns of a list are asked for one after the other
        self._records: Sequence[Sequence[int]] | None = None
        self._spans: tuple[list[tuple[int, int]], bool, bool] = [], False, False

    @kept_property
    def skipped(self) -> list[bool]:
        """Which rows lie in elements without values of their own: form controls with all options, frames, drawings."""
        codes = [code for code, name in enumerate(self.page.tag_names) if name in self.page.skipped_tags]
        roots = np.flatnonzero(np.isin(self.page.tag, codes)).tolist()
        flags: list[bool] = self.page.flags_below(roots).tolist()
        return flags

    def rows(self, selector: Selector) -> list[int]:
        """Return the rows that a selector selects from the document, in order."""
        return self._rows_after(selector.steps)

    def rows_in(self, top_rows: Sequence[int], selector: Selector) -> list[int]:
        """Return the rows that a selector selects from a record.

        A record of one topmost row is that row; several are read as the children of one element.
        """
        rows = list(top_rows)
        steps = selector.steps
        if len(top_rows) > 1 and steps:
            rows = self._first_step_of_siblings(top_rows, steps[0])
            steps = steps[1:]
        for step in steps:
            rows = self._step(rows, step)
        return rows

    def rows_in_each(self, records: Sequence[Sequence[int]], selector: Selector) -> list[list[int]]:
        """Return ``rows_in`` of each of some records, in one go where they stand one after the other."""
        steps = selector.steps
        spans, has_siblings, are_apart = self._spans_of(records)
        is_inside = bool(steps) and not any(
            step.axis in _SIBLING_AXES for step in (steps if has_siblings else steps[:1])
        )
        if not is_inside or not are_apart:
            return [self.rows_in(top_rows, selector) for top_rows in records]
        rows = [top_rows[0] for top_rows in records]
        if has_siblings:
            first = Selector(steps[:1], selector.is_relative)
            rows = [row for top_rows in records for row in self.rows_in(top_rows, first)]
            steps = steps[1:]
        for step in steps:
            if len(rows) > MAX_ROWS:
                return [self.rows_in(top_rows, selector) for top_rows in records]
            rows = self._step(rows, step)
        return _split(rows, spans)

    def _spans_of(self, records: Sequence[Sequence[int]]) -> tuple[list[tuple[int, int]], bool, bool]:
        """Return the rows of each of some records, whether any has siblings, and whether they follow each other."""
        if records is not self._records:
            spans = [(top_rows[0], self.page.lists.end[top_rows[-1]]) for top_rows in records]
            has_siblings = any(len(top_rows) > 1 for top_rows in records)
            are_apart = not any(start < end for (_, end), (start, _) in pairwise(spans))
            self._records, self._spans = records, (spans, has_siblings, are_apart)
        return self._spans

    def _first_step_of_siblings(self, top_rows: Sequence[int], step: Step) -> list[int]:
        matching = self._matching_rows(step)
        passing = set(matching.rows)
        own = [row for row in top_rows if row in passing]
        if step.position:
            own = own[step.position - 1 : step.position]
        if step.axis == "child":
            return own
        ends = self.page.lists.end
        inner = matching.inside([(row + 1, ends[row]) for row in top_rows], step.position)
        return sorted({*own, *inner})

    def _rows_after(self, steps: tuple[Step, ...]) -> list[int]:
        """Return the rows that steps select from the document, which is -1."""
        if not steps:
            return [-1]
        rows = self._selected.get(steps)
        if rows is None:
            rows = self._selected[steps] = self._step(self._rows_after(steps[:-1]), steps[-1])
        return rows

    def _step(self, rows: Sequence[int], step: Step) -> list[int]:
        check_budget()
        if not rows or len(rows) > MAX_ROWS:
            return []
        if step.name.startswith("@"):
            name = step.name[1:]
            values = self._values_of(name)
            return [row for row in rows if row in values]
        if step.axis == "nth-sibling":
            return sorted({sibling for row in rows if (sibling := self._nth_sibling(row, step)) >= 0})
        if step.axis == "following-sibling":
            # what follows the first of several siblings follows the others or is one of them
            first: dict[int, int] = {}
            for row in rows:
                parent = self.page.lists.parent[row]
                first[parent] = min(row, first.get(parent, row))
            return sorted({sibling for row in first.values() for sibling in self._following_siblings(row, step)})
        matching = self._matching_rows(step)
        if step.axis == "descendant":
            return matching.inside(_spans_inside(self.page, rows), step.position)
        children = matching.children(rows, step.position)
        return sorted(children) if len(rows) > 1 else children

    def attribute_values(self, name: str, row: int) -> Mapping[str, str]:
        """Return an attribute of a row, or nothing if it has none, as a mapping."""
        value = self._values_of(name).get(row)
        return {} if value is None else {name: value}

    def _values_of(self, name: str) -> dict[int, str]:
        """Return the values of an attribute by row."""
        found = self._values.get(name)
        if found is None:
            rows, codes, values = attribute_column(self.page, name)
            found = {row: values[code] for row, code in zip(rows.tolist(), codes.tolist(), strict=True)}
            self._values[name] = found
        return found

    def _nth_sibling(self, row: int, step: Step) -> int:
        """Return the n-th node after a row if it has the name of the step, else -1."""
        tags = self.page.lists.tag
        ends = self.page.lists.end
        parent = self.page.lists.parent[row]
        end = ends[parent] if parent >= 0 else len(self.page)
        at = row
        for _ in range(step.position):
            at = ends[at]
            if at >= end:
                return -1
        if step.name == TEXT:
            return at if tags[at] == 0 else -1
        return at if step.name in ("*", self.page.tag_names[tags[at]]) else -1

    def _following_siblings(self, row: int, step: Step) -> list[int]:
        parent = self.page.lists.parent[row]
        return [child for child in self.page.children(parent) if child > row and self.page.name(child) == step.name]

    def _matching_rows(self, step: Step) -> _MatchingRows:
        known = self._matching_step.get(id(step))
        if known is not None:
            return known[1]
        key = (
            step.name,
            step.id,
            step.itemprop,
            step.class_name,
            step.text,
            step.text_prefix,
            step.table_depth,
            step.child_class,
            step.child_count,
        )
        matching = self._matching.get(key)
        if matching is None:
            matching = self._matching[key] = _MatchingRows(self.page, self._passing_rows(step))
        self._matching_step[id(step)] = step, matching
        return matching

    def _passing_rows(self, step: Step) -> list[int]:
        rows, attribute = self._candidate_rows(step)
        if step.name not in ("*", TEXT):
            tag = self.page.tag_names.index(step.name) if step.name in self.page.tag_names else -1
            tags = self.page.lists.tag
            rows = [row for row in rows if tags[row] == tag]
        attrs = self.page.attrs
        if step.id and attribute != "id":
            rows = [row for row in rows if attrs[row].get("id") == step.id]
        if step.itemprop and attribute != "itemprop":
            rows = [row for row in rows if attrs[row].get("itemprop") == step.itemprop]
        if step.class_name and attribute != "class":
            rows = [row for row in rows if step.class_name in attrs[row].get("class", "").split()]
        if step.text_prefix:
            rows = [row for row in rows if normalize_space(self._start_of_text(row)).startswith(step.text_prefix)]
        if step.table_depth:
            rows = [row for row in rows if self._table_depth(row) == step.table_depth]
        if step.child_class:
            with_class = self._rows_by_attribute("class", step.child_class)
            parents = {self.page.lists.parent[row] for row in with_class}
            rows = [row for row in rows if row in parents]
        if step.child_count:
            rows = [row for row in rows if self._child_count(row) == step.child_count]
        return rows

    def _child_count(self, row: int) -> int:
        return sum(self.page.lists.tag[child] != 0 for child in self.page.children(row))

    def _table_depth(self, row: int) -> int:
        return sum(self.page.name(above) == "table" for above in self.page.ancestors(row))

    def _candidate_rows(self, step: Step) -> tuple[list[int], str]:
        """Return rows that include all that pass the test of a step, by the most selective part of the test.

        Also the attribute that they were found by, "" if it is none.
        """
        if step.text:
            rows = self._rows_with_text(step.text)
            return [row for row in rows if (self.page.lists.tag[row] == 0) == (step.name == TEXT)], ""
        if step.name == TEXT:
            return self._texts, ""
        for attribute, value in (("id", step.id), ("itemprop", step.itemprop), ("class", step.class_name)):
            if value:
                return self._rows_by_attribute(attribute, value), attribute
        return self._rows_of_tag(step.name), ""

    @property
    def _texts(self) -> list[int]:
        return self._rows_of_tag(TEXT)

    def _rows_of_tag(self, name: str) -> list[int]:
        """Return the elements of a name, of any for ``*``; or the texts that count."""
        rows = self._by_tag.get(name)
        if rows is None:
            page = self.page
            if name == TEXT:
                rows = np.flatnonzero((page.tag == 0) & ~page.silent).tolist()
            elif name == "*":
                rows = np.flatnonzero(page.tag != 0).tolist()
            else:
                rows = page.rows_of(name).tolist()
            self._by_tag[name] = rows
        return rows

    def _rows_by_attribute(self, attribute: str, value: str) -> list[int]:
        """Return the rows where an attribute has a value; a class has it among its words."""
        if attribute not in self._by_attribute:
            self._by_attribute[attribute] = _AttributeRows(self.page, attribute)
        return self._by_attribute[attribute].having(value)

    @kept_property
    def _texts_by_content(self) -> dict[str, list[int]]:
        by_content: dict[str, list[int]] = {}
        for row, text in zip(self._texts, _normalized(list(map(self.page.text.__getitem__, self._texts))), strict=True):
            by_content.setdefault(text, []).append(row)
        return by_content

    def _texts_that_are(self, text: str) -> Sequence[int]:
        """Return the texts with this content; a few are searched for, for more all texts are put in order once."""
        self._searches += 1
        if self._searches > MAX_SEARCHES:
            return self._texts_by_content.get(text, ())
        # blanks may be others than in the content, but a word is the same
        word, texts = max(text.split(" "), key=len), self.page.text
        return [row for row in self._texts if word in texts[row] and normalize_space(texts[row]) == text]

    def _rows_with_text(self, text: str) -> list[int]:
        """Return the text nodes with this text, and the elements that hold nothing but it, in one or a few nodes."""
        rows = list(self._elements_by_parted_text.get(text, ()))
        for row in self._texts_that_are(text):
            rows.append(row)
            rows.extend(self.elements_with_only(row))
        return sorted(set(rows))

    @kept_property
    def elements_in_parts(self) -> dict[int, str]:
        """The elements whose short text is in a few nodes, with that text: "Rating (<a>MPAA</a>)" in a heading."""
        ends, names, texts = self.page.lists.end, self.page.tag_names, self._texts
        found = {}
        for name in PARTED_TAGS.intersection(names):
            for row in self._rows_of_tag(name):
                first, last = bisect_left(texts, row), bisect_left(texts, ends[row])
                if 1 < last - first <= MAX_PARTS:
                    parts = (" " * bool(self.page.spaced[text]) + self.page.text[text] for text in texts[first:last])
                    found[row] = normalize_space("".join(parts))
        return {row: found[row] for row in sorted(found) if len(found[row]) <= MAX_PARTED_CHARS}

    @kept_property
    def _elements_by_parted_text(self) -> dict[str, list[int]]:
        by_text: dict[str, list[int]] = {}
        for row, text in self.elements_in_parts.items():
            by_text.setdefault(text, []).append(row)
        return by_text

    def elements_with_only(self, row: int) -> list[int]:
        """Return the elements around a text that hold no other text, innermost first."""
        elements = []
        ends = self.page.lists.end
        parents = self.page.lists.parent
        texts = self._texts
        at = parents[row]
        while at >= 0:
            first = bisect_left(texts, at)
            if bisect_left(texts, ends[at]) - first != 1:
                break
            elements.append(at)
            at = parents[at]
        return elements

    def texts_in(self, row: int) -> list[int]:
        """Return the texts in an element."""
        texts = self._texts
        return texts[bisect_left(texts, row) : bisect_left(texts, self.page.lists.end[row])]

    def _start_of_text(self, row: int) -> str:
        if self.page.lists.tag[row] == 0:
            return self.page.text[row]
        return "".join(self.page.text[text] for text in self.texts_in(row)[:MAX_PREFIX_TEXTS])


def _split(rows: list[int], spans: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return the rows of each of some spans that follow each other; all rows are in one of them, in order."""
    parts = []
    first = 0
    for _, end in spans:
        last = bisect_left(rows, end, first)
        parts.append(rows[first:last])
        first = last
    return parts


def _spans_inside(page: Page, rows: Sequence[int]) -> list[tuple[int, int]]:
    """Return the insides of rows as spans, without rows that lie within others. -1 is the document."""
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
