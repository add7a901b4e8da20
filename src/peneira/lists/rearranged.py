"""A page whose records are in pieces, rearranged: the pieces of each record stand together in an element of its own.

It is the page as it would be if each record were a row of a table, or an element of a list; everything that works on
pages works on it. What is found on it is mapped back to the page as it is, where a record then has several ranges.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from peneira.kept_property import kept_property
from peneira.layout import Boxes, Layout, Styles
from peneira.lists.arrangement_finder import find_arrangements
from peneira.lists.arrangements import Arrangement, ArrangementSpec, Section
from peneira.lists.cell_lines import Line, Pieces
from peneira.node_paths import PageNode
from peneira.page import NO_ATTRS, Page, Rows
from peneira.preview import counted
from peneira.reasons import Reason, ReasonCode
from peneira.result import Range, Record, Region
from peneira.table import Cell

# A row of the rearranged page that no row of the page as it is stands for
NEW_ROW = -1
# At least this share of the records of the main list are in pieces, or of its rows in records that are
MIN_SHARE = 0.5


class RearrangedPage:
    """A page with the pieces of its records put together, and what its rows are on the page as it is.

    ``page``: the rearranged page; ``origin``: the row of the whole page that each row was, -1 for new elements;
    ``records``: the new elements around the pieces of the records, and the arrangement of each.
    """

    def __init__(self, whole: Page, arrangements: Sequence[Arrangement]) -> None:
        self.whole = whole
        builder = _Builder(whole, arrangements)
        self.origin: tuple[int, ...] = tuple(builder.origin)
        self.records: dict[int, Arrangement] = builder.records
        self.page = Page(
            builder.rows,
            url=whole.url,
            encoding=whole.encoding,
            encoding_reason=whole.encoding_reason,
            doctype=whole.doctype,
            cuts=whole.cuts,
        )
        if whole.layout is not None:
            self.page.layout = _layout(whole.layout, self.page, self.origin)

    def to_whole_page(self, region: Region) -> Region:
        """Return a region of the rearranged page as a region of the whole page."""
        records = tuple(map(self._record, region.records))
        return replace(region, xpath="", records=records, node=self._old_node(region.node))

    def from_whole_page(self, region: Region) -> Region | None:
        """Return a region of the whole page as a region of this one, None if its records are not in pieces here."""
        rows = [self._row_of_first_piece.get(record.ranges[0][0]) for record in region.records]
        known = [row for row in rows if row is not None]
        if not known or len(known) < len(rows):
            return None
        parent = self.page.node(int(self.page.parent[known[0]]))
        records = zip(known, region.records, strict=True)
        elements = tuple(self._element(row, record) for row, record in records)
        return replace(region, xpath="", records=elements, node=parent)

    def main_lists(self, regions: Sequence[Region]) -> list[Region]:
        """Return the lists of this page as lists of the whole page, nothing if the main list is not in pieces.

        Where the main list is made of other parts of the records, the records are taken as they were arranged.
        """
        if not regions:
            return []
        arrangement = self._arrangement_of(regions[0])
        if arrangement is None:
            return []
        main, *others = regions
        if not self._is_in_pieces(main):
            main = self._as_arranged(main, arrangement)
            rows = [record.ranges[0] for record in main.records]
            others = [region for region in others if not _overlap(region, rows)]
        # the other candidates are named by their addresses, which are those of this page
        kept = [reason for reason in main.reasons if reason.code != ReasonCode.RUNNER_UP]
        main = replace(main, reasons=(reason_of(arrangement), *kept))
        return [self.to_whole_page(region) for region in (main, *others)]

    def _is_in_pieces(self, region: Region) -> bool:
        return all(record.ranges[0][0] in self.records and len(record.ranges) == 1 for record in region.records)

    def _arrangement_of(self, region: Region) -> Arrangement | None:
        """Return the arrangement that a list is of, None if most of the list is elsewhere."""
        inside: dict[int, int] = {}
        total = 0
        spans = [(row, self.page.lists.end[row]) for row in self.records]
        for start, end in (span for record in region.records for span in record.ranges):
            total += end - start
            for row, stop in _overlapping((start, end), spans):
                inside[row] = inside.get(row, 0) + min(end, stop) - max(start, row)
        if sum(inside.values()) < MIN_SHARE * total or not inside:
            return None
        return self.records[max(inside, key=lambda row: inside[row])]

    def _as_arranged(self, region: Region, arrangement: Arrangement) -> Region:
        """Return a list with all records of its arrangement in place of its own."""
        rows = [row for row, own in self.records.items() if own is arrangement]
        records = tuple(self._element(row, Record(((row, row),), "", "")) for row in rows)
        cut = Reason(ReasonCode.CUT, f"{len(records)} records, as they are arranged", float(len(records)))
        kept = [reason for reason in region.reasons if reason.code not in (ReasonCode.CUT, ReasonCode.LEFT_OUT)]
        parent = self.page.node(int(self.page.parent[rows[0]]))
        return replace(region, xpath="", records=records, reasons=(cut, *kept), node=parent)

    def _element(self, row: int, record: Record) -> Record:
        span = (row, self.page.lists.end[row])
        return replace(record, ranges=(span,), text=self.page.text_of(*span), xpath="", node=self.page.node(row))

    @kept_property
    def _row_of_first_piece(self) -> dict[int, int]:
        return {self._first_piece(row): row for row in self.records}

    def _first_piece(self, row: int) -> int:
        return next(old for old in self.origin[row : self.page.lists.end[row]] if old != NEW_ROW)

    def _old_node(self, node: PageNode | None) -> PageNode | None:
        """Return a node of this page as one of the whole page; of a new element its first piece."""
        if node is None:
            return None
        old = self.origin[node.row]
        if old == NEW_ROW:
            inside = (old for old in self.origin[node.row : self.page.lists.end[node.row]] if old != NEW_ROW)
            old = next(inside, self.origin[int(self.page.parent[node.row])])
        return self.whole.node(max(old, 0))

    def _record(self, record: Record) -> Record:
        return replace(
            record,
            ranges=tuple(span for start, end in record.ranges for span in self._old_ranges(start, end)),
            xpath="",
            fields={name: self._cell(cell) for name, cell in record.fields.items()},
            records=tuple(map(self._record, record.records)),
            node=self._old_node(record.node),
        )

    def _cell(self, cell: Cell) -> Cell:
        return cell if cell.node is None else replace(cell, xpath="", node=self._old_node(cell.node))

    def _old_ranges(self, start: int, end: int) -> Iterable[Range]:
        """Return the rows ``start:end`` of this page as ranges of the whole page."""
        old = [row for row in self.origin[start:end] if row != NEW_ROW]
        breaks = [0, *(k for k, (row, after) in enumerate(pairwise(old), start=1) if after != row + 1), len(old)]
        return ((old[first], old[stop - 1] + 1) for first, stop in pairwise(breaks))


def rearranged_page(page: Page, expected: ArrangementSpec | None = None) -> RearrangedPage | None:
    """Return the page with the pieces of its records put together, None if no records are in pieces.

    ``expected``: how the records of other pages of the template are arranged, which needs less evidence.
    """
    arrangements = find_arrangements(page, expected)
    return RearrangedPage(page, arrangements) if arrangements else None


def is_in_pieces(region: Region) -> bool:
    """Return whether records of a region have several ranges."""
    return any(len(record.ranges) > 1 for record in region.records)


def with_columns_of_pieces(page: Page, region: Region, fill: Callable[[Page, Region], Region]) -> Region:
    """Return a region of a page with its columns; ``fill`` is given the page where the records are whole elements."""
    rearranged = rearranged_page(page) if is_in_pieces(region) else None
    arranged = rearranged.from_whole_page(region) if rearranged is not None else None
    if rearranged is None or arranged is None:
        return fill(page, region)
    return rearranged.to_whole_page(fill(rearranged.page, arranged))


def reason_of(arrangement: Arrangement) -> Reason:
    """Return how the records of an arrangement were put together."""
    number = len(next(iter(arrangement.sections)).records[0])
    kinds = ", ".join(arrangement.kinds)
    message = {
        "interleaved": f"each record is {counted(number, 'cell')} in {counted(number, 'row')}: {kinds}",
        "columns": f"each record is a column of a table with {counted(number, 'row')}",
        "containers": f"each record is {counted(number, 'element')} in {counted(number, 'container')}: {kinds}",
    }[arrangement.kind]
    return Reason(ReasonCode.REARRANGED, message, float(number))


def _overlap(region: Region, ranges: Sequence[Range]) -> bool:
    own = (span for record in region.records for span in record.ranges)
    return any(True for span in own for _ in _overlapping(span, ranges))


def _overlapping(span: Range, ranges: Sequence[Range]) -> Iterator[Range]:
    """Yield the ranges that share rows with a span; they are in row order and do not overlap each other."""
    start, end = span
    first = bisect_right(ranges, start, key=lambda other: other[1])
    for k in range(first, len(ranges)):
        if ranges[k][0] >= end:
            return
        yield ranges[k]


class _Builder:
    """Copies the rows of a page; where a section starts, the elements of its records come first."""

    def __init__(self, page: Page, arrangements: Sequence[Arrangement]) -> None:
        self.page = page
        self.rows = Rows(tag_names=list(page.tag_names))
        self.origin: list[int] = []
        self.records: dict[int, Arrangement] = {}
        self._new_rows: dict[int, int] = {-1: -1}
        starts = {section.first.top: (own, section) for own in arrangements for section in own.sections}
        tops = {line.top for own in arrangements for line in own.lines}
        row = 0
        while row < len(page):
            if row in starts:
                self._add_section(*starts[row])
            if row in tops:
                row = page.lists.end[row]
                continue
            self._copy(row, self._new_rows[page.lists.parent[row]])
            row += 1

    def _copy(self, row: int, parent: int, tag: str = "") -> int:
        """Append a row of the page."""
        code = self._code(tag) if tag else self.page.lists.tag[row]
        new = self._append(code, parent, self.page.text[row], self.page.attrs[row], self.page.spaced[row], row)
        self._new_rows[row] = new
        return new

    def _add(self, tag: str, parent: int, attrs: Mapping[str, str] = NO_ATTRS) -> int:
        """Append a new element."""
        return self._append(self._code(tag), parent, "", attrs, True, NEW_ROW)

    def _append(self, code: int, parent: int, text: str, attrs: Mapping[str, str], spaced: bool, origin: int) -> int:
        rows = self.rows
        rows.tag.append(code)
        rows.parent.append(parent)
        rows.text.append(text)
        rows.attrs.append(attrs)
        rows.spaced.append(spaced)
        self.origin.append(origin)
        return len(self.origin) - 1

    def _code(self, tag: str) -> int:
        names = self.rows.tag_names
        if tag not in names:
            names.append(tag)
        return names.index(tag)

    def _add_section(self, arrangement: Arrangement, section: Section) -> None:
        parent = self._add_wrappers(section.first)
        tag, attrs = self._common_element(arrangement.lines)
        if arrangement.labels:
            parent = parent if tag == "tr" else self._add("table", parent)
            self._add_labels(arrangement.labels, parent)
            tag, attrs = "tr", NO_ATTRS
        for pieces in section.records:
            element = self._add(tag, parent, attrs)
            self.records[element] = arrangement
            self._add_pieces(pieces, element, are_cells=tag == "tr")

    def _add_wrappers(self, line: Line) -> int:
        """Append the elements around a line, such as its table, and return the row of the innermost."""
        above = [row for row in self.page.ancestors(line.node) if row >= line.top]
        parent = self._new_rows[self.page.lists.parent[line.top]]
        for row in reversed(above):
            parent = self._copy(row, parent)
        return parent

    def _common_element(self, lines: Sequence[Line]) -> tuple[str, Mapping[str, str]]:
        """Return the tag of the lines and the attributes that all of them have; div where the tags differ."""
        tags = {self.page.name(line.node) for line in lines}
        shared = dict(self.page.attrs[lines[0].node])
        for line in lines[1:]:
            attrs = self.page.attrs[line.node]
            shared = {name: value for name, value in shared.items() if attrs.get(name) == value}
        return (tags.pop(), shared) if len(tags) == 1 else ("div", NO_ATTRS)

    def _add_labels(self, labels: Pieces, parent: int) -> None:
        row = self._add("tr", parent)
        for cell in labels:
            self._add_piece(cell, row, "th") if cell is not None else self._add("th", row)

    def _add_pieces(self, pieces: Pieces, parent: int, *, are_cells: bool) -> None:
        for cell in pieces:
            if cell is not None:
                self._add_piece(cell, parent, "td" if are_cells else "")
            elif are_cells:  # so that the cells after it keep their columns
                self._add("td", parent)

    def _add_piece(self, cell: int, parent: int, tag: str) -> None:
        self._copy(cell, parent, tag)
        for row in range(cell + 1, self.page.lists.end[cell]):
            self._copy(row, self._new_rows[self.page.lists.parent[row]])


def _layout(layout: Layout, page: Page, origin: Sequence[int]) -> Layout:
    """Return the layout of a rearranged page: the box of a new element is the smallest around its pieces."""
    index = np.array(origin, dtype=np.int64)
    is_new = index == NEW_ROW
    boxes: Boxes = layout.boxes[np.maximum(index, 0)]
    has_box = layout.has_box[np.maximum(index, 0)]
    boxes[is_new], has_box[is_new] = 0.0, False
    boxes[is_new] = Layout(boxes, has_box, {}, 0.0, 0.0).extents(page.parent, page.depth)[is_new]
    has_box |= is_new & (boxes[:, 2] > 0) & (boxes[:, 3] > 0)
    # the styles of a new element are those of its first piece
    first = np.where(is_new, np.append(index[1:], 0), index)
    styled = np.maximum(first, 0)
    styles = {name: Styles(column.codes[styled], column.values) for name, column in layout.styles.items()}
    return Layout(boxes, has_box, styles, layout.width_px, layout.height_px)
