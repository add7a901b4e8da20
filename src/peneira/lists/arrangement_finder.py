"""Finding records whose pieces are not together on the page: below each other in rows, or in several containers.

The cells of one line are of one kind, those of different lines are of different kinds; an ordinary table has it the
other way round. Where the evidence is weak, nothing is found.
"""

from __future__ import annotations

from dataclasses import replace

from peneira.lists.arrangements import Arrangement, ArrangementSpec
from peneira.lists.cell_kinds import CellReader
from peneira.lists.cell_lines import Block, blocks_of
from peneira.lists.comparison_tables import comparison_table
from peneira.lists.head_containers import head_containers
from peneira.lists.interleaved_rows import interleaved_rows
from peneira.lists.line_evidence import filled_cells
from peneira.page import Page

# What is in them is beside the content of a page
_FRAME_TAGS = frozenset("aside footer header nav".split())


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
    """Return the arrangements in a block of the content of a page; empty lines are left out."""
    if any(reader.page.name(i) in _FRAME_TAGS for i in (block.parent, *reader.page.ancestors(block.parent))):
        return []
    block = replace(block, items=tuple(item for item in block.items if item is None or filled_cells(reader, item)))
    compared = comparison_table(reader, block, expected)
    if compared is not None:
        return [compared]
    return interleaved_rows(reader, block, expected) or head_containers(reader, block, expected)
