"""The rows of records read into outlines, in plain Python; where a compiler is found, ``outline_scan.pyx`` does the
same. Tests check that both give equal results.

``peneira.columns.outline`` says what an outline is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

# The kinds of nodes of an outline
TEXT, MEDIA, BLOCK = 0, 1, 2
# What an element does to the flow of text around it
SKIPPED, BREAKING, MEDIUM, BLOCKING, INLINE = 0, 1, 2, 3, 4

# An inline element with two texts, one of them in an element, has at least this many rows, itself included
MIN_ROWS_OF_FIELDS = 4
# An amount in more rows than this is none
MAX_ROWS_OF_PRICE = 12


class RowScanner:
    """Reads the rows of records once, from first to last, into the parallel lists of an outline."""

    def __init__(
        self,
        columns: tuple[list[int], list[int], Sequence[str], Sequence[bool]],
        marks: tuple[list[bool], list[int], list[bool], list[bool], list[bool]],
        signatures: tuple[list[int], dict[int, int], list[bool], Callable[[int], int]],
        characters: tuple[frozenset[str], frozenset[str], frozenset[str]],
        patterns: tuple[Any, Any],
        outline: Any,
    ) -> None:
        """``columns``: tags, ends, texts and spaces of the rows; ``marks``: which rows are hidden, the flow of each
        tag, which rows contain a block and which a text, which have attributes that may hold data; ``signatures``: the
        keys of the rows, the numbers of the keys that are known, which numbers are formatting, and who is asked for
        others; ``characters``: separators, signs in and after numbers; ``patterns``: of a currency and of a price."""
        self.tags, self.ends, self.texts, self.spaced = columns
        self.hidden, self.flow, self.contains_block, self.has_text, self.has_data = marks
        self.keys, self.numbers, self.formatting, self.number_of_row = signatures
        self.separators, self.decimal_signs, self.unit_signs = characters
        self.currency, self.price = patterns
        self.kind, self.parent_offset, self.signature = outline.kind, outline.parent_offset, outline.signature
        self.row, self.end = outline.row, outline.end
        self.starts_line, self.has_attributes = outline.starts_line, outline.has_attributes
        self.attribute_rows: list[tuple[int, int]] = []
        self.root = 0
        self.last_text = -1  # the last text row that was read

    def begin(self, signature: int, row: int, end: int) -> int:
        """Append the root of a new record and return its number."""
        self.root = len(self.kind)
        self.attribute_rows = []
        return self.add(BLOCK, self.root, signature, row, end, True)

    def add(self, kind: int, parent: int, signature: int, row: int, end: int, starts_line: bool) -> int:
        """Append a node and return its number."""
        node = len(self.kind)
        self.kind.append(kind)
        self.parent_offset.append(node - parent)
        self.signature.append(signature)
        self.row.append(row)
        self.end.append(end)
        self.starts_line.append(starts_line)
        self.has_attributes.append(False)
        return node

    def add_attributes(self, node: int, row: int) -> None:
        """Note the attributes of a row that may hold data for a node of the record, if it has any."""
        if self.has_data[row]:
            self.has_attributes[node] = True
            self.attribute_rows.append((node - self.root, row))

    def number_of(self, row: int) -> int:
        """Return the number of a row's signature."""
        key = self.keys[row]
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = self.number_of_row(row)
        return number

    def scan(self, root: int, i: int, stop: int, is_hidden: bool) -> None:
        """Append the nodes of the rows ``i:stop`` below ``root``."""
        tags, ends = self.tags, self.ends
        parents, parent_ends = [root], [stop]
        starts_line = True
        joinable = -1  # the text node that the next text may join
        while i < stop:
            while i >= parent_ends[-1]:
                parents.pop()
                parent_ends.pop()
                joinable, starts_line = -1, True
            tag, end = tags[i], ends[i]
            flow = INLINE if tag == 0 else self.flow[tag]
            if flow == SKIPPED or (not is_hidden and self.hidden[i]):
                i = end
            elif flow == BREAKING:
                joinable, starts_line = -1, True
                i += 1
            elif flow == BLOCKING or self.contains_block[i] or (tag and self.holds_fields(i)):
                node = self.add(BLOCK, parents[-1], self.number_of(i), i, end, True)
                self.add_attributes(node, i)
                parents.append(node)
                parent_ends.append(end)
                joinable, starts_line = -1, True
                i += 1
            elif flow == MEDIUM or not self.has_text[i]:
                self.add_media(parents[-1], i, starts_line)
                if tags[end - 1] == 0:  # a text that counts as none, between two that do
                    joinable = -1
                i = end
            else:
                joinable = self.add_text(parents[-1], i, joinable, starts_line)
                starts_line = False
                i = end

    def add_media(self, parent: int, i: int, starts_line: bool) -> None:
        """Append an element with attributes and no text, if any of its attributes may hold data."""
        node = -1
        for row in range(i, self.ends[i]):
            if self.has_data[row]:
                if node < 0:
                    node = self.add(MEDIA, parent, self.number_of(i), i, self.ends[i], starts_line)
                self.add_attributes(node, row)

    def add_text(self, parent: int, i: int, joinable: int, starts_line: bool) -> int:
        """Append a text, or join it to the one before; return the text that the next one may join."""
        end, first = self.ends[i], i
        while self.tags[first] != 0:
            first += 1
        signature = self.number_of(i)
        if joinable >= 0 and self.continues(joinable, signature, first):
            self.end[joinable] = end
            node = joinable
        elif end - first == 1 and self.separators.issuperset(self.texts[first]):
            self.last_text = first
            return joinable
        else:
            node = self.add(TEXT, parent, signature, i, end, starts_line)
        for row in range(i, end):
            if self.tags[row] == 0:
                self.last_text = row
            else:
                self.add_attributes(node, row)
        return node

    def continues(self, node: int, signature: int, first: int) -> bool:
        """Return whether a text continues the one before: formatting in a word, digits of a number, an amount."""
        before, after = self.texts[self.last_text], self.texts[first]
        if not before or not after:
            return False
        last_char, first_char = before[-1], after[0]
        if first_char.isdigit() and self.currency.match(before.lstrip()):
            return True
        if last_char.isspace() or first_char.isspace():
            return False
        for row in range(self.last_text + 1, first + 1):
            if self.spaced[row]:
                return False
        if self.formatting[self.signature[node]] and self.formatting[signature]:
            return True
        if last_char.isdigit():
            # "12" and "€" are one amount, "$24" and "$29" are two
            return first_char in self.decimal_signs or (first_char in self.unit_signs and not after[1:2].isdigit())
        return last_char in self.decimal_signs and first_char.isdigit()

    def holds_fields(self, i: int) -> bool:
        """Return whether an inline element holds several texts, of which one or more are elements with a meaning."""
        tags, ends = self.tags, self.ends
        while ends[i] - i >= MIN_ROWS_OF_FIELDS:
            elements, texts, only, row = 0, 0, -1, i + 1
            while row < ends[i]:
                if tags[row] == 0:
                    texts += not self.separators.issuperset(self.texts[row])
                elif self.has_text[row]:
                    if self.formatting[self.number_of(row)]:
                        texts += 1
                    else:
                        elements += 1
                        if only < 0:
                            only = row
                row = ends[row]
            if elements > 1 or (elements and texts):
                return not self.is_price(i)
            if not elements:
                return False
            i = only  # an element around another one
        return False

    def is_price(self, i: int) -> bool:
        """Return whether an element is one amount, however its digits are marked up."""
        stop = min(self.ends[i], i + MAX_ROWS_OF_PRICE)
        texts = [self.texts[row] for row in range(i, stop) if self.tags[row] == 0]
        return self.price.fullmatch("".join(texts)) is not None
