"""Records whose pieces are not together on the page: below each other in several rows, or in several containers.

Three arrangements are recognized, all by lines of cells (``cell_lines.py``). *Interleaved* rows: a row of pictures, a
row of titles, a row of prices, and so on. *Columns*: a comparison table, where each row has a label. *Containers*: all
heads in one element, all bodies in the next. The cells of one line are of one kind (``cell_kinds.py``), those of
different lines are of different kinds; an ordinary table has it the other way round. Where the evidence is weak, nothing
is recognized.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from peneira.lists.cell_kinds import PICTURE_KINDS, TEXT_KINDS, CellKind, CellReader
from peneira.lists.cell_lines import Block, Line, blocks_of
from peneira.page import Page

ArrangementKind = Literal["interleaved", "columns", "containers"]
# The cells of a record, one per line; None where the line has none
Pieces = tuple[int | None, ...]
Items = Sequence[Line | None]

# Lines per group of interleaved rows, and lines before and after the groups (sorting, pages) that may be left out
MAX_GROUP_LINES = 6
MAX_TRIMMED_LINES = 2
# At least this share of the filled cells of a line, or of the lines at one place of the groups, is of one kind
MIN_ALIKE = 0.75
# Titles differ; "Add to cart" does not
MIN_DISTINCT = 0.7
# At least this share of the cells of a group stands below each other
MIN_ALIGNED = 0.8
# Two pieces of a record link to the same page; at least this share of the records shows it
MIN_LINKED = 0.6
# With fewer cells per line, prices and texts alone may be cells of one record
MIN_WIDE = 3
# A comparison table has labels in most of its rows, all different, and few rows of mixed cells
MIN_COMPARED_LINES = 3
MIN_LABELLED = 0.6
MIN_DISTINCT_LABELS = 0.9
MAX_LABEL_CHARS = 60
MIN_COMPARED_KINDS = 3
# Heads and bodies are the main content: at least this share of the text of the page
MIN_PAGE_SHARE = 0.25
MAX_HEAD_CHARS = 120
# A body that repeats its head is a record of its own
MAX_REPEATED_HEADS = 0.3
_HEADING_TAGS = frozenset("dt h1 h2 h3 h4 h5 h6 legend summary".split())
_FRAME_TAGS = frozenset("aside footer header nav".split())


@dataclass(frozen=True, slots=True)
class Section:
    """Records that are placed together, where their first line is."""

    first: Line
    records: tuple[Pieces, ...]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Records in pieces: ``kinds`` is what the lines of a record hold, ``lines`` are all lines with pieces.

    ``labels``: the cells that name the lines of a comparison table.
    """

    kind: ArrangementKind
    kinds: tuple[CellKind, ...]
    lines: tuple[Line, ...]
    sections: tuple[Section, ...]
    labels: Pieces = ()

    @property
    def span(self) -> tuple[int, int]:
        """The first row of the page that belongs to it, and the top of its last line."""
        return self.lines[0].top, self.lines[-1].top


def find_arrangements(page: Page) -> list[Arrangement]:
    """Return the arrangements on a page that do not overlap, in document order."""
    if not len(page):
        return []
    reader = CellReader(page)
    found = [arrangement for block in blocks_of(page) for arrangement in _in_block(reader, block)]
    kept: list[Arrangement] = []
    end = 0
    for arrangement in sorted(found, key=lambda each: each.span):
        if arrangement.span[0] >= end:
            kept.append(arrangement)
            end = page.lists.end[arrangement.span[1]]
    return kept


def _in_block(reader: CellReader, block: Block) -> Iterator[Arrangement]:
    items = [item for item in block.items if item is None or _is_filled(reader, item)]
    compared = _columns(reader, items)
    if compared is not None:
        yield compared
        return
    found = False
    for run in [items] if block.is_table else _runs(reader.page, items):
        interleaved = _interleaved(reader, run)
        if interleaved is not None:
            found = True
            yield interleaved
    if not found and not block.is_table:
        yield from _containers(reader, items)


def _is_filled(reader: CellReader, line: Line) -> bool:
    return any(reader.kind(cell) is not CellKind.EMPTY for cell in line.cells.values())


def _filled(reader: CellReader, line: Line) -> dict[int, int]:
    return {column: cell for column, cell in line.cells.items() if reader.kind(cell) is not CellKind.EMPTY}


def _texts(reader: CellReader, cells: Sequence[int]) -> list[str]:
    return [reader.page.visible_text(cell) for cell in cells]


def _are_distinct(texts: Sequence[str], share: float = MIN_DISTINCT) -> bool:
    return len(set(texts)) >= share * len(texts)


# --- interleaved rows ----------------------------------------------------------------------------------------------


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


def _interleaved(reader: CellReader, items: Items) -> Arrangement | None:
    kinds = {line.node: _common_kind(reader, [line], MIN_ALIKE) for line in items if line is not None}
    known = [kind for kind in kinds.values() if kind is not None]
    if len(known) < max(2, MIN_ALIKE * (len(kinds) - 2 * MAX_TRIMMED_LINES)) or len(set(known)) < 2:
        return None
    for run in _trimmed(items):
        for size in range(2, MAX_GROUP_LINES + 1):
            segments = _segments(run, size)
            are_periodic = bool(segments) and _are_periodic([[kinds[line.node] for line in own] for own in segments], size)
            arrangement = _groups(reader, segments, size) if are_periodic else None
            if arrangement is not None:
                return arrangement
    return None


def _trimmed(items: Items) -> Iterator[Items]:
    """Yield the lines without the first and last few, the fewest left out first."""
    cuts = [(start, stop) for start in range(MAX_TRIMMED_LINES + 1) for stop in range(MAX_TRIMMED_LINES + 1)]
    lines = [k for k, item in enumerate(items) if item is not None]
    for start, stop in sorted(cuts, key=sum):
        if len(lines) - start - stop >= 2:
            yield items[lines[start] : lines[len(lines) - 1 - stop] + 1]


def _segments(items: Items, size: int) -> list[list[Line]]:
    """Return the lines between separators, if each segment is made of groups of that size.

    A row with a single cell is a separator too, except in the last group, which may be one record.
    """
    last = items[-size:]
    is_short_group = all(item is not None and len(item.cells) == 1 for item in last)
    segments: list[list[Line]] = [[]]
    for k, item in enumerate(items):
        is_last = is_short_group and k >= len(items) - size
        if item is None or (len(item.cells) == 1 and not is_last):
            segments.append([])
        else:
            segments[-1].append(item)
    segments = [segment for segment in segments if segment]
    return segments if all(len(segment) % size == 0 for segment in segments) else []


def _are_periodic(segments: Sequence[Sequence[CellKind | None]], size: int) -> bool:
    """Return whether lines at the same place of their groups are of one kind, as far as most of them show."""
    for phase in range(size):
        counts = Counter(kind for kinds in segments for kind in kinds[phase::size])
        if max(counts.values()) < MIN_ALIKE * counts.total():
            return False
    return True


def _groups(reader: CellReader, segments: Sequence[Sequence[Line]], size: int) -> Arrangement | None:
    """Return the records of groups of that many lines, if there is enough evidence that the lines are groups."""
    phases = [[line for segment in segments for line in segment[phase::size]] for phase in range(size)]
    kinds = [_common_kind(reader, lines) for lines in phases]
    if None in kinds or len(set(kinds) - {CellKind.CONTROL}) < 2:
        return None
    known = [kind for kind in kinds if kind is not None]
    titles = [phase for phase in range(size) if known[phase] in TEXT_KINDS | {CellKind.CARD}]
    titles = [phase for phase in titles if _are_distinct(_texts(reader, _all_filled(reader, phases[phase])))]
    if not titles:
        return None
    sections = [_section(reader, segment, size, titles[0]) for segment in segments]
    records = [pieces for section in sections for pieces in section.records]
    groups = len(phases[0])
    width = max(len(_filled(reader, line)) for line in phases[titles[0]])
    if width < 2 or not _are_aligned(reader, phases, records) or not _is_evident(reader, known, records, groups, width):
        return None
    lines = tuple(line for segment in segments for line in segment)
    return Arrangement("interleaved", tuple(known), lines, tuple(sections))


def _all_filled(reader: CellReader, lines: Sequence[Line]) -> list[int]:
    return [cell for line in lines for cell in _filled(reader, line).values()]


def _common_kind(reader: CellReader, lines: Sequence[Line], min_share: float | None = None) -> CellKind | None:
    """Return the kind of the cells of lines, None if they, or the cells of some column, are of other kinds.

    ``min_share``: the least share of that kind; by default all of the cells of one line, most of those of several.
    """
    columns: dict[int, Counter[CellKind]] = {}
    for line in lines:
        for column, cell in _filled(reader, line).items():
            columns.setdefault(column, Counter())[reader.kind(cell)] += 1
    counts: Counter[CellKind] = Counter()
    for own in columns.values():
        counts.update(own)
    kind, count = max(counts.items(), key=lambda item: (item[1], item[0]))
    if count < (min_share or (MIN_ALIKE if len(lines) > 1 else 1.0)) * counts.total():
        return None
    are_other = (own.total() > 1 and 2 * own[kind] < own.total() for own in columns.values())
    return None if any(are_other) else kind


def _section(reader: CellReader, segment: Sequence[Line], size: int, title: int) -> Section:
    records: list[Pieces] = []
    for start in range(0, len(segment), size):
        group = segment[start : start + size]
        columns = sorted(_filled(reader, group[title]))
        records += [tuple(line.cells.get(column) for line in group) for column in columns]
    return Section(segment[0], tuple(records))


def _are_aligned(reader: CellReader, phases: Sequence[Sequence[Line]], records: Sequence[Pieces]) -> bool:
    """Return whether nearly all filled cells are in a record, and most records have a cell in most lines."""
    used = {cell for pieces in records for cell in pieces if cell is not None}
    filled = [cell for lines in phases for cell in _all_filled(reader, lines)]
    missing = len(records) * len(phases) - len(used.intersection(filled))
    is_covered = len(used.intersection(filled)) >= MIN_ALIGNED * len(filled)
    return is_covered and missing <= (1 - MIN_ALIGNED) * len(records) * len(phases)


def _is_evident(
    reader: CellReader, kinds: Sequence[CellKind], records: Sequence[Pieces], groups: int, width: int
) -> bool:
    if _linked_share(reader, records) >= MIN_LINKED:
        return True
    has_picture, has_title = CellKind.PICTURE in kinds, not TEXT_KINDS.isdisjoint(kinds)
    if groups == 1:
        return has_picture and has_title and width >= MIN_WIDE and not _link_apart(reader, records)
    if has_picture and has_title:
        return True
    return width >= MIN_WIDE and CellKind.PRICE in kinds


def _linked_share(reader: CellReader, records: Sequence[Pieces]) -> float:
    """Return the share of the records of which two pieces link to the same page, which no other record links to."""
    linked = [[reader.links(cell) for cell in pieces if cell is not None] for pieces in records]
    times = Counter(target for links in linked for target in set().union(*links))
    shared = sum(
        any(times[target] == 1 for target, count in Counter(t for own in links for t in own).items() if count > 1)
        for links in linked
    )
    return shared / max(len(records), 1)


def _link_apart(reader: CellReader, records: Sequence[Pieces]) -> bool:
    """Return whether several pieces of the records have links: to different pages, as nothing else is asked here."""
    pieces = ([cell for cell in own if cell is not None and reader.links(cell)] for own in records)
    return any(len(linking) > 1 for linking in pieces)


# --- columns of a comparison table ---------------------------------------------------------------------------------


def _columns(reader: CellReader, items: Items) -> Arrangement | None:
    lines = [item for item in items if item is not None and len(item.cells) >= MIN_WIDE]
    if len(lines) < max(MIN_COMPARED_LINES, MIN_ALIKE * sum(item is not None for item in items)):
        return None
    labels = [line.cells.get(0) for line in lines]
    if not _are_labels(reader, labels) or not all(_is_label_apart(reader.page, line) for line in lines):
        return None
    times = Counter(column for line in lines for column in _filled(reader, line) if column > 0)
    columns = sorted(column for column, count in times.items() if 2 * count >= len(lines))
    kinds = [_common_kind(reader, [_products(line, columns)]) for line in lines if _filled(reader, _products(line, columns))]
    known = [kind for kind in kinds if kind is not None]
    if len(columns) < 2 or len(known) < max(MIN_COMPARED_LINES, MIN_ALIKE * len(lines)):
        return None
    if not _are_compared(known) or not _has_names(reader, [_products(line, columns) for line in lines[:3]]):
        return None
    records = tuple(tuple(line.cells.get(column) for line in lines) for column in columns)
    return Arrangement("columns", tuple(dict.fromkeys(known)), tuple(lines), (Section(lines[0], records),), tuple(labels))


def _is_label_apart(page: Page, line: Line) -> bool:
    """Return whether the first cell of a line is marked as another thing than the others, or the line is a table row."""
    if page.name(line.node) == "tr":
        return True
    first, *others = ((page.name(cell), page.attrs[cell].get("class", "")) for cell in line.cells.values())
    return first not in others


def _products(line: Line, columns: Sequence[int]) -> Line:
    return Line(line.node, line.top, {column: line.cells[column] for column in columns if column in line.cells})


def _are_labels(reader: CellReader, cells: Pieces) -> bool:
    filled = [cell for cell in cells if cell is not None and reader.kind(cell) is not CellKind.EMPTY]
    if len(filled) < MIN_LABELLED * len(cells) or any(reader.kind(cell) is not CellKind.TEXT for cell in filled):
        return False
    texts = _texts(reader, filled)
    return _are_distinct(texts, MIN_DISTINCT_LABELS) and max(map(len, texts)) <= MAX_LABEL_CHARS


def _are_compared(kinds: Sequence[CellKind]) -> bool:
    """Return whether lines are as unlike as the properties of products: pictures or prices, texts, and something else.

    Below a header, the rows of a table of numbers or of prices are all of one kind or two.
    """
    later = set(kinds[1:])
    has_goods = bool(PICTURE_KINDS & set(kinds)) or CellKind.PRICE in later
    return len(set(kinds)) >= MIN_COMPARED_KINDS and has_goods and len(later) >= 2 and bool(later & TEXT_KINDS)


def _has_names(reader: CellReader, lines: Sequence[Line]) -> bool:
    """Return whether one of the first lines has the names of the products: as many texts as cells, all different."""
    for line in lines:
        cells = list(line.cells.values())
        kinds = {reader.kind(cell) for cell in cells}
        if len(cells) > 1 and kinds <= TEXT_KINDS | {CellKind.CARD} and _are_distinct(_texts(reader, cells), 1.0):
            return True
    return False


# --- heads and bodies in different containers ----------------------------------------------------------------------


def _containers(reader: CellReader, items: Items) -> Iterator[Arrangement]:
    for heads, bodies in pairwise(items):
        if heads is not None and bodies is not None and _are_heads_and_bodies(reader, heads, bodies):
            records = tuple(zip(heads.cells.values(), bodies.cells.values(), strict=True))
            kinds = tuple(reader.kind(pieces[0]) for pieces in zip(*records, strict=True))
            yield Arrangement("containers", kinds, (heads, bodies), (Section(heads, records),))


def _are_heads_and_bodies(reader: CellReader, heads: Line, bodies: Line) -> bool:
    page, width = reader.page, len(heads.cells)
    if width < MIN_WIDE or len(bodies.cells) != width or _is_in_frame(page, heads.node):
        return False
    if not all(_filled(reader, line) == line.cells for line in (heads, bodies)):
        return False
    kind = _common_kind(reader, [heads])
    if kind not in TEXT_KINDS | {CellKind.PICTURE} or _common_kind(reader, [bodies]) in (None, CellKind.CONTROL):
        return False
    chars = int(page.text_chars[heads.node] + page.text_chars[bodies.node])
    if chars < MIN_PAGE_SHARE * int(page.text_chars[page.body]):
        return False
    records = list(zip(heads.cells.values(), bodies.cells.values(), strict=True))
    texts = [_texts(reader, pieces) for pieces in records]
    if not _are_distinct([body for _, body in texts], 1.0):
        return False
    is_linked = _linked_share(reader, records) >= MIN_LINKED
    if kind is CellKind.PICTURE:
        return is_linked
    if not _are_distinct([head for head, _ in texts], 1.0) or max(len(head) for head, _ in texts) > MAX_HEAD_CHARS:
        return False
    if sum(head.lower() in body.lower() for head, body in texts) > MAX_REPEATED_HEADS * width:
        return False
    are_headings = all(_has_heading(page, head) and not _has_heading(page, body) for head, body in records)
    return is_linked or are_headings


def _is_in_frame(page: Page, i: int) -> bool:
    return page.name(i) in _FRAME_TAGS or any(page.name(above) in _FRAME_TAGS for above in page.ancestors(i))


def _has_heading(page: Page, i: int) -> bool:
    return any(page.name(row) in _HEADING_TAGS for row in range(i, page.lists.end[i]))
