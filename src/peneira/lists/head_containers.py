"""Heads and bodies in different containers: all headings in one element, all texts in the next, in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from peneira.lists.arrangements import Arrangement, ArrangementSpec, Section
from peneira.lists.cell_kinds import TEXT_KINDS, CellKind, CellReader
from peneira.lists.cell_lines import Block, Line
from peneira.lists.line_evidence import (
    MIN_LINKED,
    MIN_WIDE,
    are_distinct,
    are_repeated,
    common_kind,
    filled_cells,
    linked_share,
    texts_of,
)
from peneira.page import Page

# Heads and bodies are the main content: at least this share of the text of the page
MIN_PAGE_SHARE = 0.25
MAX_HEAD_CHARS = 120
_HEADING_TAGS = frozenset("dt h1 h2 h3 h4 h5 h6 legend summary".split())


def head_containers(reader: CellReader, block: Block, expected: ArrangementSpec | None) -> list[Arrangement]:
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
    kind, body_kind = common_kind(reader, [heads]), common_kind(reader, [bodies])
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
    return any(page.name(row) in _HEADING_TAGS for row in range(i, page.lists.end[i]))
