"""Finding records whose pieces are not together on the page.

*Interleaved rows*: a row of pictures, a row of titles, and again. *Comparison tables*: each record is a column, and the
first cell of each row is the label of a property. *Heads and bodies*: all headings are in one element, all texts in the
next. The cells of one line are of one kind, those of different lines are of different kinds; an ordinary table has it
the other way round. Where the evidence is weak, nothing is found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from peneira.lists.arrangements import Arrangement, ArrangementSpec, Section
from peneira.lists.cell_kinds import GOODS_KINDS, PICTURE_KINDS, TEXT_KINDS, CellKind, CellReader
from peneira.lists.cell_lines import (
    MIN_ALIKE,
    MIN_LINKED,
    MIN_WIDE,
    Line,
    Pieces,
    are_distinct,
    are_repeated,
    filled_cells,
    kind_of,
    linked_share,
    texts_of,
)
from peneira.lists.interleaved_rows import TITLE_KINDS, interleaved_rows, kinds_of_lines
from peneira.lists.line_blocks import Block, blocks_of
from peneira.page import Page

# A comparison table has a label in most rows, all different, and few rows with mixed cells
MIN_LINES = 3
MIN_LABELLED = 0.6
MIN_DISTINCT_LABELS = 0.9
MAX_LABEL_CHARS = 60
MIN_KINDS = 3
# Heads and bodies are the main content: at least this share of the text of the page
MIN_PAGE_SHARE = 0.25
MAX_HEAD_CHARS = 120
_HEADING_TAGS = frozenset("dt h1 h2 h3 h4 h5 h6 legend summary".split())


def find_arrangements(page: Page, expected: ArrangementSpec | None = None) -> list[Arrangement]:
    """Return the arrangements on a page that do not overlap, in document order.

    ``expected``: an arrangement like this needs less evidence, such as a single group of lines.
    """
    if not len(page):
        return []
    reader = CellReader(page)
    found = [arrangement for block in blocks_of(reader) for arrangement in _in_block(reader, block, expected)]
    kept: list[Arrangement] = []
    end = 0
    for arrangement in sorted(found, key=lambda each: each.span):
        if arrangement.span[0] >= end:
            kept.append(arrangement)
            end = page.lists.end[arrangement.span[1]]
    return kept


def _in_block(reader: CellReader, block: Block, expected: ArrangementSpec | None) -> list[Arrangement]:
    """Return the arrangements in a block; empty lines are left out."""
    chars = reader.page.text_chars.data  # of which single numbers are read faster than from an array
    items = tuple(item for item in block.items if item is None or chars[item.node] or filled_cells(reader, item))
    block = replace(block, items=items)
    if block.is_table:
        if not (_compared_lines(reader, items, expected) or kinds_of_lines(reader, items, expected)):
            return []
        block = block.in_columns(reader.page)
    lines = _compared_lines(reader, block.items, expected)
    compared = _comparison_table(reader, lines, expected) if lines else None
    if compared is not None:
        return [compared]
    return interleaved_rows(reader, block, expected) or _heads_and_bodies(reader, block, expected)


def _compared_lines(reader: CellReader, items: Sequence[Line | None], expected: ArrangementSpec | None) -> list[Line]:
    """Return the lines that may be rows of a comparison table, nothing if they are few or lack labels or goods."""
    known = [item for item in items if item is not None]
    lines = [line for line in known if len(line.cells) >= MIN_WIDE]
    if len(lines) < max(MIN_LINES, MIN_ALIKE * len(known)):
        return []
    labels = [next(iter(line.cells.values())) for line in lines]
    labelled = sum(reader.kind(cell) is CellKind.TEXT for cell in labels)
    if labelled < MIN_LABELLED * len(lines) or not all(_is_label_apart(reader.page, line) for line in lines):
        return []
    kinds = (reader.kind(cell) for line in lines for cell in line.cells.values())
    return lines if expected is not None or any(kind in GOODS_KINDS for kind in kinds) else []


def _comparison_table(
    reader: CellReader, lines: Sequence[Line], expected: ArrangementSpec | None
) -> Arrangement | None:
    """Return the columns of lines as records, None if they are not the rows of a comparison table.

    The rows below the header of an ordinary table are all alike, those of a comparison table are not. ``expected``:
    where comparison tables are, it is enough that each row has a label and cells of one kind.
    """
    labels = tuple(line.cells.get(0) for line in lines)
    if not _are_labels(reader, labels):
        return None
    columns = _filled_columns(reader, lines)
    products = [_without_label(line, columns) for line in lines]
    kinds = [kind_of(reader, line) for line in products if filled_cells(reader, line)]
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
        if len(cells) > 1 and kinds <= TITLE_KINDS and are_distinct(texts_of(reader, cells), 1.0):
            return True
    return False


def _heads_and_bodies(reader: CellReader, block: Block, expected: ArrangementSpec | None) -> list[Arrangement]:
    """Return the pairs of neighbouring lines in a block that hold heads and bodies; ``expected`` ones may be small."""
    if block.is_table:
        return []
    is_expected = expected is not None and expected.kind == "containers"
    return [
        _arrangement(reader, heads, bodies)
        for heads, bodies in pairwise(block.items)
        if heads is not None and bodies is not None and (is_expected or _is_main_content(reader.page, heads, bodies))
        if _are_heads_and_bodies(reader, heads, bodies)
    ]


def _arrangement(reader: CellReader, heads: Line, bodies: Line) -> Arrangement:
    records = tuple(zip(heads.cells.values(), bodies.cells.values(), strict=True))
    kinds = tuple(reader.kind(cell) for cell in records[0])
    return Arrangement("containers", kinds, (heads, bodies), (Section(heads, records),))


def _is_main_content(page: Page, heads: Line, bodies: Line) -> bool:
    chars = int(page.text_chars[heads.node] + page.text_chars[bodies.node])
    return chars >= MIN_PAGE_SHARE * int(page.text_chars[page.body])


def _are_heads_and_bodies(reader: CellReader, heads: Line, bodies: Line) -> bool:
    width = len(heads.cells)
    if width < MIN_WIDE or len(bodies.cells) != width:
        return False
    if not all(filled_cells(reader, line) == line.cells for line in (heads, bodies)):
        return False
    kind, body_kind = kind_of(reader, heads), kind_of(reader, bodies)
    if kind not in TEXT_KINDS | {CellKind.PICTURE} or body_kind in (None, CellKind.CONTROL):
        return False
    records = list(zip(heads.cells.values(), bodies.cells.values(), strict=True))
    if not are_distinct(texts_of(reader, [body for _, body in records]), 1.0):
        return False
    if linked_share(reader, records) >= MIN_LINKED:
        return kind is CellKind.PICTURE or _are_heads(reader, records)
    return _are_headings(reader.page, records) and _are_heads(reader, records)


def _are_heads(reader: CellReader, records: Sequence[tuple[int, int]]) -> bool:
    """Return whether the first cells have short texts, all different, which the second do not repeat."""
    heads = texts_of(reader, [head for head, _ in records])
    is_short = max(map(len, heads)) <= MAX_HEAD_CHARS
    return is_short and are_distinct(heads, 1.0) and not are_repeated(reader, records)


def _are_headings(page: Page, records: Sequence[tuple[int, int]]) -> bool:
    """Return whether the first cells have heading tags, and the second have none."""
    return all(_has_heading(page, head) and not _has_heading(page, body) for head, body in records)


def _has_heading(page: Page, i: int) -> bool:
    return any(page.name(row) in _HEADING_TAGS for row in range(i, int(page.end[i])))
