"""What the cells of lines have in common: their kind, their links, and whether their texts differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

from peneira.lists.arrangements import Pieces
from peneira.lists.cell_kinds import CellKind, CellReader
from peneira.lists.cell_lines import Line

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


def filled_cells(reader: CellReader, line: Line) -> dict[int, int]:
    """Return the cells of a line that hold anything, by their columns."""
    return {column: cell for column, cell in line.cells.items() if reader.kind(cell) is not CellKind.EMPTY}


def all_filled(reader: CellReader, lines: Sequence[Line]) -> list[int]:
    """Return the cells of lines that hold anything."""
    return [cell for line in lines for cell in filled_cells(reader, line).values()]


def texts_of(reader: CellReader, cells: Sequence[int]) -> list[str]:
    """Return the visible texts of cells."""
    return [reader.page.visible_text(cell) for cell in cells]


def are_distinct(texts: Sequence[str], min_share: float = MIN_DISTINCT) -> bool:
    """Return whether most texts differ from all others."""
    return len(set(texts)) >= min_share * len(texts)


def common_kind(reader: CellReader, lines: Sequence[Line], min_share: float | None = None) -> CellKind | None:
    """Return the kind of the cells of lines, None if they, or the cells of some column, are of other kinds.

    ``min_share``: the least share of that kind; by default all of the cells of one line, most of those of several.
    """
    columns: dict[int, Counter[CellKind]] = {}
    for line in lines:
        for column, cell in filled_cells(reader, line).items():
            columns.setdefault(column, Counter())[reader.kind(cell)] += 1
    counts: Counter[CellKind] = Counter()
    for own in columns.values():
        counts.update(own)
    kind, count = max(counts.items(), key=lambda item: (item[1], item[0]))
    if count < (min_share or (MIN_ALIKE if len(lines) > 1 else 1.0)) * counts.total():
        return None
    are_other = (own.total() > 1 and 2 * own[kind] < own.total() for own in columns.values())
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
