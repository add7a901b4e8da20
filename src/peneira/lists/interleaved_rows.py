"""Interleaved rows: a row of pictures, a row of titles, a row of prices, and again; each record is a cell of each.

The rows of a *group* belong together, and rows at the same place of their groups hold the same kind of cells. A row
with a single wide cell, or anything else between rows, separates groups.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from peneira.columns.table_grid import MAX_COLUMN_SPAN, span_of
from peneira.lists.arrangements import Arrangement, ArrangementSpec, Section
from peneira.lists.cell_kinds import TEXT_KINDS, CellKind, CellReader
from peneira.lists.cell_lines import (
    MIN_ALIKE,
    MIN_LINKED,
    MIN_WIDE,
    Line,
    Pieces,
    all_filled,
    are_distinct,
    are_repeated,
    common_kind,
    filled_cells,
    kind_of,
    linked_share,
    texts_of,
)
from peneira.lists.line_blocks import Block
from peneira.lists.line_groups import MAX_TRIMMED_LINES, Items, Kinds, Segment, groupings, lines_at
from peneira.lists.merged_records import are_merged
from peneira.page import Page

# At least this share of the cells of a group stands below each other
MIN_ALIGNED = 0.8
TITLE_KINDS = TEXT_KINDS | {CellKind.CARD}


def interleaved_rows(reader: CellReader, block: Block, expected: ArrangementSpec | None) -> list[Arrangement]:
    """Return the arrangements of interleaved rows in a block; those of ``expected`` kinds need less evidence."""
    found = []
    for run in [block.items] if block.is_table else _runs(reader.page, block.items):
        kinds = kinds_of_lines(reader, run, expected)
        arrangement = _interleaved(reader, run, kinds, expected) if kinds else None
        if arrangement is not None:
            found.append(arrangement)
    return found


def _runs(page: Page, items: Items) -> Iterator[Items]:
    """Yield the runs of lines with the same tags, with what stands between them."""
    run: list[Line | None] = []
    last: tuple[str, ...] = ()
    for item in items:
        tags = last if item is None else _tags(page, item)
        if tags != last:
            yield run
            run, last = [], tags
        run.append(item)
    yield run


def _tags(page: Page, line: Line) -> tuple[str, ...]:
    return page.name(line.top), page.name(line.node), page.name(next(iter(line.cells.values())))


def kinds_of_lines(reader: CellReader, items: Items, expected: ArrangementSpec | None) -> dict[int, CellKind | None]:
    """Return the kind of each line, None for a mixed one; nothing at all if the lines cannot be groups.

    Groups have lines of two kinds, few that are mixed, and something that shows which cells belong together.
    """
    lines = [item for item in items if item is not None]
    max_mixed = len(lines) - max(2, MIN_ALIKE * (len(lines) - 2 * MAX_TRIMMED_LINES))
    kinds: dict[int, CellKind | None] = {}
    for line in lines if max_mixed >= 0 else ():
        kinds[line.node] = kind = kind_of(reader, line, MIN_ALIKE)
        max_mixed -= kind is None
        if max_mixed < 0:
            return {}
    known = set(kinds.values()) - {None, CellKind.CONTROL}
    if len(known) < 2 or known.isdisjoint(TITLE_KINDS):
        return {}
    has_goods = CellKind.PICTURE in known or CellKind.PRICE in known
    return kinds if expected is not None or has_goods or _share_links(reader, lines) else {}


def _share_links(reader: CellReader, lines: Sequence[Line]) -> bool:
    """Return whether two lines link to the same page."""
    targets: set[str] = set()
    for line in lines:
        own = set().union(*map(reader.links, line.cells.values()))
        if not targets.isdisjoint(own):
            return True
        targets |= own
    return False


def _interleaved(
    reader: CellReader, items: Items, kinds: Kinds, expected: ArrangementSpec | None
) -> Arrangement | None:
    arrangements = (_arrangement(reader, segments, expected) for segments in groupings(items, kinds))
    return next((arrangement for arrangement in arrangements if arrangement is not None), None)


def _arrangement(
    reader: CellReader, segments: Sequence[Segment], expected: ArrangementSpec | None
) -> Arrangement | None:
    """Return the records of groups of lines, if there is enough evidence that the lines are groups."""
    groups = [group for segment in segments for group in segment]
    phases = [lines_at(segments, place) for place in range(len(groups[0]))]
    known: list[CellKind] = []
    for lines_of_place in phases:
        kind = common_kind(reader, lines_of_place)
        if kind is None:
            return None
        known.append(kind)
    if len(set(known) - {CellKind.CONTROL}) < 2:
        return None
    titles = _title_places(reader, phases, known)
    if not titles or len(phases[titles[0]]) < len(groups):
        return None
    sections = tuple(_section(reader, segment, titles[0]) for segment in segments)
    records = [pieces for section in sections for pieces in section.records]
    lines = tuple(line for group in groups for line in group if line is not None)
    arrangement = Arrangement("interleaved", tuple(known), lines, sections)
    width = max(len(filled_cells(reader, line)) for line in phases[titles[0]])
    is_known = arrangement.spec == expected or _is_evident(reader, known, records, len(groups), width)
    if not is_known or not _are_aligned(reader, phases, records):
        return None
    return None if are_merged(reader, known, titles, records) else arrangement


def _title_places(reader: CellReader, phases: Sequence[Sequence[Line]], kinds: Sequence[CellKind]) -> list[int]:
    """Return the places of the groups with texts that differ."""
    places = [place for place, kind in enumerate(kinds) if kind in TITLE_KINDS]
    return [place for place in places if are_distinct(texts_of(reader, all_filled(reader, phases[place])))]


def _section(reader: CellReader, segment: Segment, title: int) -> Section:
    records: list[Pieces] = []
    for group in segment:
        titles = group[title]
        assert titles is not None
        cells = [line.cells if line is not None and _is_as_wide(reader, line, titles) else {} for line in group]
        records += [tuple(own.get(column) for own in cells) for column in sorted(filled_cells(reader, titles))]
    first = next(line for line in segment[0] if line is not None)
    return Section(first, tuple(records))


def _is_as_wide(reader: CellReader, line: Line, titles: Line) -> bool:
    """Return whether a line takes as many columns as the titles, or fills the same: any of its cells may be missing."""
    if _width(reader, line) == _width(reader, titles):
        return True
    return filled_cells(reader, line).keys() == filled_cells(reader, titles).keys()


def _width(reader: CellReader, line: Line) -> int:
    """Return the number of columns that a line takes."""
    page, spanning = reader.page, reader.spanning
    return max(
        column + (span_of(page, cell, "colspan", MAX_COLUMN_SPAN) if cell in spanning else 1)
        for column, cell in line.cells.items()
    )


def _are_aligned(reader: CellReader, phases: Sequence[Sequence[Line]], records: Sequence[Pieces]) -> bool:
    """Return whether nearly all filled cells are in a record, and most records have a cell in most lines."""
    used = {cell for pieces in records for cell in pieces if cell is not None}
    filled = [cell for lines in phases for cell in all_filled(reader, lines)]
    missing = len(records) * len(phases) - len(used.intersection(filled))
    is_covered = len(used.intersection(filled)) >= MIN_ALIGNED * len(filled)
    return is_covered and missing <= (1 - MIN_ALIGNED) * len(records) * len(phases)


def _is_evident(
    reader: CellReader, kinds: Sequence[CellKind], records: Sequence[Pieces], groups: int, width: int
) -> bool:
    """Return whether lines are groups: pieces share links, or there are pictures or prices beside the titles."""
    if width < 2 or are_repeated(reader, records):
        return False
    if linked_share(reader, records) >= MIN_LINKED:
        return True
    has_picture, has_title = CellKind.PICTURE in kinds, not TEXT_KINDS.isdisjoint(kinds)
    if groups == 1:
        pictures = [pieces[kinds.index(CellKind.PICTURE)] for pieces in records] if has_picture else [None]
        are_pictured = all(cell is not None and reader.kind(cell) is CellKind.PICTURE for cell in pictures)
        return are_pictured and has_title and width >= MIN_WIDE and not _link_apart(reader, records)
    if has_picture and has_title:
        return True
    return width >= MIN_WIDE and CellKind.PRICE in kinds


def _link_apart(reader: CellReader, records: Sequence[Pieces]) -> bool:
    """Return whether several pieces of the records have links: to different pages, as nothing else is asked here."""
    pieces = ([cell for cell in own if cell is not None and reader.links(cell)] for own in records)
    return any(len(linking) > 1 for linking in pieces)
