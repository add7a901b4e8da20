"""Comparison tables: each record is a column, and the first cell of each row is the label of a property.

The cells of a row are of one kind, the rows are of several. In an ordinary table with row headers, the rows below the
header are all alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from peneira.lists.arrangements import Arrangement, ArrangementSpec, Pieces, Section
from peneira.lists.cell_kinds import PICTURE_KINDS, TEXT_KINDS, CellKind, CellReader
from peneira.lists.cell_lines import Block, Line
from peneira.lists.line_evidence import MIN_ALIKE, MIN_WIDE, are_distinct, common_kind, filled_cells, texts_of
from peneira.page import Page

MIN_LINES = 3
# Most rows have labels, all different, and few rows have mixed cells
MIN_LABELLED = 0.6
MIN_DISTINCT_LABELS = 0.9
MAX_LABEL_CHARS = 60
MIN_KINDS = 3


def comparison_table(reader: CellReader, block: Block, expected: ArrangementSpec | None) -> Arrangement | None:
    """Return the columns of a block as records, None if it is not a comparison table.

    ``expected``: where comparison tables are, it is enough that each row has a label and cells of one kind.
    """
    items = [item for item in block.items if item is not None]
    lines = [line for line in items if len(line.cells) >= MIN_WIDE]
    if len(lines) < max(MIN_LINES, MIN_ALIKE * len(items)):
        return None
    labels = tuple(line.cells.get(0) for line in lines)
    if not _are_labels(reader, labels) or not all(_is_label_apart(reader.page, line) for line in lines):
        return None
    columns = _filled_columns(reader, lines)
    products = [_without_label(line, columns) for line in lines]
    kinds = [common_kind(reader, [line]) for line in products if filled_cells(reader, line)]
    known = [kind for kind in kinds if kind is not None]
    if len(columns) < 2 or len(known) < max(MIN_LINES, MIN_ALIKE * len(lines)):
        return None
    is_expected = expected is not None and expected.kind == "columns"
    if not is_expected and not (_are_properties(known) and _has_names(reader, products[:3])):
        return None
    records = tuple(tuple(line.cells.get(column) for line in lines) for column in columns)
    return Arrangement("columns", tuple(dict.fromkeys(known)), tuple(lines), (Section(lines[0], records),), labels)


def _filled_columns(reader: CellReader, lines: Sequence[Line]) -> list[int]:
    """Return the columns with something in half of the lines or more, without the first."""
    times = Counter(column for line in lines for column in filled_cells(reader, line) if column > 0)
    return sorted(column for column, count in times.items() if 2 * count >= len(lines))


def _is_label_apart(page: Page, line: Line) -> bool:
    """Return whether the first cell of a line is marked otherwise than the others, or the line is a table row."""
    if page.name(line.node) == "tr":
        return True
    first, *others = ((page.name(cell), page.attrs[cell].get("class", "")) for cell in line.cells.values())
    return first not in others


def _without_label(line: Line, columns: Sequence[int]) -> Line:
    return Line(line.node, line.top, {column: line.cells[column] for column in columns if column in line.cells})


def _are_labels(reader: CellReader, cells: Pieces) -> bool:
    filled = [cell for cell in cells if cell is not None and reader.kind(cell) is not CellKind.EMPTY]
    if len(filled) < MIN_LABELLED * len(cells) or any(reader.kind(cell) is not CellKind.TEXT for cell in filled):
        return False
    texts = texts_of(reader, filled)
    return are_distinct(texts, MIN_DISTINCT_LABELS) and max(map(len, texts)) <= MAX_LABEL_CHARS


def _are_properties(kinds: Sequence[CellKind]) -> bool:
    """Return whether lines are as unlike as the properties of products: pictures or prices, texts, and something else.

    Below a header, the rows of a table of numbers or of prices are all of one kind or two.
    """
    later = set(kinds[1:])
    has_goods = bool(PICTURE_KINDS & set(kinds)) or CellKind.PRICE in later
    return len(set(kinds)) >= MIN_KINDS and has_goods and len(later) >= 2 and bool(later & TEXT_KINDS)


def _has_names(reader: CellReader, lines: Sequence[Line]) -> bool:
    """Return whether one of the first lines has the names of the products: as many texts as cells, all different."""
    for line in lines:
        cells = list(line.cells.values())
        kinds = {reader.kind(cell) for cell in cells}
        if len(cells) > 1 and kinds <= TEXT_KINDS | {CellKind.CARD} and are_distinct(texts_of(reader, cells), 1.0):
            return True
    return False
