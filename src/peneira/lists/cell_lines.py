"""Lines of cells: elements with two children or more, all of one tag, such as table rows.

What the cells of lines have in common tells whether they are pieces of records: their kind, their links, their texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, permutations

from peneira.lists.cell_kinds import CellKind, CellReader

EMPTY = CellKind.EMPTY

# The cells of a record, one per line; None where the line has none
Pieces = tuple[int | None, ...]

# At least this share of the filled cells of a line, or of the lines at one place of the groups, is of one kind
MIN_ALIKE = 0.75
# Titles differ; "Add to cart" does not
MIN_DISTINCT = 0.7
# With fewer cells per line, prices and texts alone may be cells of one record
MIN_WIDE = 3
# Two pieces of a record link to the same page; at least this share of the records shows it
MIN_LINKED = 0.6
# A piece that repeats the text of another is a record of its own, as where a page has its list in two layouts
MAX_REPEATED = 0.3


@dataclass(frozen=True, slots=True)
class Line:
    """A line: the element that has the cells, the outermost element around it that holds nothing else, and its cells
    by their columns."""

    node: int
    top: int
    cells: dict[int, int]


def filled_cells(reader: CellReader, line: Line) -> dict[int, int]:
    """Return the cells of a line that hold anything, by their columns."""
    kinds = zip(line.cells.items(), reader.kinds(line.cells.values()), strict=True)
    return {column: cell for (column, cell), kind in kinds if kind is not EMPTY}


def all_filled(reader: CellReader, lines: Sequence[Line]) -> list[int]:
    """Return the cells of lines that hold anything."""
    return [cell for line in lines for cell in filled_cells(reader, line).values()]


def texts_of(reader: CellReader, cells: Sequence[int]) -> list[str]:
    """Return the visible texts of cells."""
    return [reader.page.visible_text(cell) for cell in cells]


def are_distinct(texts: Sequence[str], min_share: float = MIN_DISTINCT) -> bool:
    """Return whether most texts differ from all others."""
    return len(set(texts)) >= min_share * len(texts)


def kind_of(reader: CellReader, line: Line, min_share: float = 1.0) -> CellKind | None:
    """Return the kind of at least this share of the filled cells of a line, None if there is none."""
    kinds = [kind for kind in reader.kinds(line.cells.values()) if kind is not EMPTY]
    most_common = max(kinds, key=kinds.count)
    return most_common if kinds.count(most_common) >= min_share * len(kinds) else None


def common_kind(reader: CellReader, lines: Sequence[Line]) -> CellKind | None:
    """Return the kind of most cells of lines, of all if it is one line; None if some column is of other kinds."""
    if len(lines) == 1:
        return kind_of(reader, lines[0])
    columns: dict[int, list[CellKind]] = {}
    for line in lines:
        for column, kind in zip(line.cells, reader.kinds(line.cells.values()), strict=True):
            if kind is not EMPTY:
                columns.setdefault(column, []).append(kind)
    counts = Counter(chain.from_iterable(columns.values()))
    kind, count = max(counts.items(), key=lambda item: (item[1], item[0]))
    if count < MIN_ALIKE * counts.total():
        return None
    are_other = (len(own) > 1 and 2 * own.count(kind) < len(own) for own in columns.values())
    return None if any(are_other) else kind


def linked_share(reader: CellReader, records: Sequence[Pieces]) -> float:
    """Return the share of the records of which two pieces link to the same page, which no other record links to."""
    linked = [[reader.links(cell) for cell in pieces if cell is not None] for pieces in records]
    times = Counter(target for links in linked for target in set().union(*links))
    shared = sum(
        any(times[target] == 1 for target, count in Counter(t for own in links for t in own).items() if count > 1)
        for links in linked
    )
    return shared / max(len(records), 1)


def are_repeated(reader: CellReader, records: Sequence[Pieces]) -> bool:
    """Return whether pieces of many records repeat the texts of other pieces of the same record."""
    repeated = 0
    for pieces in records:
        texts = [text.lower() for text in texts_of(reader, [cell for cell in pieces if cell is not None]) if text]
        repeated += any(text in other for text, other in permutations(texts, 2))
    return repeated > MAX_REPEATED * len(records)
