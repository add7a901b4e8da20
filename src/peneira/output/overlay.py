"""A screenshot with outlines: the lists, records and cells found on the page, numbered."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Literal

import numpy as np

from peneira.budget import check_budget
from peneira.layout import Boxes
from peneira.page import Page
from peneira.result import Cell, Extraction, Record, Region

Kind = Literal["list", "aside", "record", "cell"]
Box = tuple[float, float, float, float]

# Colours that differ on white and on black, also for the colour-blind (Okabe and Ito 2008)
LIST_COLOUR = "#0072b2"
ASIDE_COLOUR = "#7a7a7a"
RECORD_COLOUR = "#d55e00"
CELL_COLOURS = ("#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#8f6bd0", "#a6611a")
FRAME_TAGS = ("iframe", "frame")
MARGIN_PX = 6.0
MIN_SIDE_PX = 3.0
# A list whose records fill less of the box around them is scattered
MIN_FILLED = 0.2
# Each label looks at those that are there
MAX_LABELS = 5_000
_LABEL_PX = 13
_CELL_LABEL_PX = 11
# The width of a bold letter as a share of its height
_CHAR_SHARE = 0.62


@dataclass(frozen=True, slots=True)
class Mark:
    """An outline on the screenshot, with its label."""

    kind: Kind
    box: Box
    label: str = ""
    colour: str = LIST_COLOUR


def marks_of(page: Page, result: Extraction, *, cells: bool = True) -> list[Mark]:
    """Return outlines of the main list with its records and cells, and of the other lists of the page."""
    if page.layout is None:
        return []
    boxes = _clipped(page, page.layout.extents(page.parent, page.depth))
    marks: list[Mark] = []
    for number, region in enumerate(result.regions, start=1):
        is_main = result.main is not None and number == 1
        marks += _list_marks(page, boxes, region, number, is_main)
        if is_main:
            marks += _record_marks(page, boxes, region)
            marks += _cell_marks(page, boxes, region) if cells else []
    return marks


def _clipped(page: Page, boxes: Boxes) -> Boxes:
    """Return the boxes clipped at the edges of their frames: the rest is visible only when the frame is scrolled."""
    frames = [k for k, name in enumerate(page.tag_names) if name in FRAME_TAGS]
    for i in np.flatnonzero(np.isin(page.tag, frames)).tolist():
        inner = boxes[i + 1 : int(page.end[i])]
        low, high = boxes[i, :2], boxes[i, :2] + boxes[i, 2:]
        start, end = np.clip(inner[:, :2], low, high), np.clip(inner[:, :2] + inner[:, 2:], low, high)
        inner[:] = np.hstack((start, end - start))
    return boxes


def column_colours(region: Region) -> dict[str, str]:
    """Return the colour in which the cells of each column are outlined."""
    return {column.name: CELL_COLOURS[k % len(CELL_COLOURS)] for k, column in enumerate(region.columns)}


def _list_marks(page: Page, boxes: Boxes, region: Region, number: int, is_main: bool) -> Iterator[Mark]:
    """Yield the outline of a list, or those of its records where they are scattered over the page."""
    own = [box for record in region.records if (box := _record_box(page, boxes, record))]
    around = _union(own)
    if around is None:
        return
    label = f"{number}: {len(region.records)} records"
    label += f", confidence {region.confidence:.2f}" if is_main else ""
    kind: Kind = "list" if is_main else "aside"
    colour = LIST_COLOUR if is_main else ASIDE_COLOUR
    if is_main or sum(map(_area, own)) >= MIN_FILLED * _area(around):
        yield Mark(kind, _grown(around, MARGIN_PX), label, colour)
        return
    for k, box in enumerate(own):
        yield Mark(kind, _grown(box, 2.0), "" if k else label, colour)


def _record_marks(page: Page, boxes: Boxes, region: Region) -> Iterator[Mark]:
    for number, record in enumerate(region.records, start=1):
        box = _record_box(page, boxes, record)
        if box is not None:
            yield Mark("record", box, str(number), RECORD_COLOUR)


def _cell_marks(page: Page, boxes: Boxes, region: Region) -> Iterator[Mark]:
    """Yield the cells of the columns, a colour per column; the first cell of a column has its name."""
    named: set[str] = set()
    colours = column_colours(region)
    for record in region.records:
        check_budget()
        outlined: set[Box] = set()
        for name, colour in colours.items():
            cell = record.fields.get(name)
            row = _row_of(page, record, cell) if cell else None
            box = _content_box(page, boxes, row) if row is not None else None
            if box and box not in outlined:  # parts of a text and attributes of an element are columns too
                outlined.add(box)
                yield Mark("cell", _grown(box, 1.0), "" if name in named else name, colour)
                named.add(name)


def _row_of(page: Page, record: Record, cell: Cell) -> int | None:
    """Return the node of a cell; one that was read from a file knows no more than its XPath."""
    if cell.node is not None:
        return cell.node.row
    rows = (i for start, end in record.ranges for i in range(start, end))
    return next((i for i in rows if page.xpath(i) == cell.xpath), None) if cell.xpath else None


def _record_box(page: Page, boxes: Boxes, record: Record) -> Box | None:
    """Return the smallest box around the nodes of a record."""
    return _union([tuple(boxes[i].tolist()) for i in page.top_rows(*record.ranges)])


def _content_box(page: Page, boxes: Boxes, row: int) -> Box | None:
    """Return the smallest box around the texts and images of a node: that of a block is as wide as the page."""
    rows = np.arange(row, int(page.end[row]))
    is_leaf = (page.tag[rows] == 0) | (page.end[rows] == rows + 1)
    leaves = [tuple(boxes[i].tolist()) for i in rows[is_leaf].tolist()]
    return _union(leaves) or _union([tuple(boxes[row].tolist())])


def _union(boxes: Sequence[Box]) -> Box | None:
    visible = [box for box in boxes if box[2] >= MIN_SIDE_PX and box[3] >= MIN_SIDE_PX]
    if not visible:
        return None
    left, top = min(box[0] for box in visible), min(box[1] for box in visible)
    right, bottom = max(box[0] + box[2] for box in visible), max(box[1] + box[3] for box in visible)
    return left, top, right - left, bottom - top


def _area(box: Box) -> float:
    return box[2] * box[3]


def _grown(box: Box, margin: float) -> Box:
    return box[0] - margin, box[1] - margin, box[2] + 2 * margin, box[3] + 2 * margin


def png_size(png: bytes) -> tuple[int, int]:
    """Return width and height of a PNG, which stand in its first chunk."""
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def annotated_svg(screenshot: bytes, marks: Sequence[Mark]) -> str:
    """Return the screenshot with its marks as SVG. Texts are escaped, and nothing in it is fetched or run."""
    width, height = png_size(screenshot)
    data = b64encode(screenshot).decode("ascii")
    order: dict[Kind, int] = {"cell": 0, "record": 1, "aside": 2, "list": 3}
    visible = [
        replace(mark, box=box)
        for mark in sorted(marks, key=lambda mark: order[mark.kind])
        if (box := _inside(mark.box, width, height))
    ]
    outlines = "".join(map(_outline, visible))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="system-ui, DejaVu Sans, sans-serif" font-weight="600" text-anchor="middle">'
        f'<image href="data:image/png;base64,{data}" width="{width}" height="{height}"/>'
        f"{outlines}{''.join(_labels(visible, width, height))}</svg>"
    )


_STROKES: dict[Kind, str] = {
    "list": 'stroke-width="3"',
    "aside": 'stroke-width="2" stroke-dasharray="8 5"',
    "record": 'stroke-width="2"',
    "cell": 'stroke-width="1.5" stroke-dasharray="4 2"',
}


def _inside(box: Box, width: int, height: int) -> Box | None:
    """Return the part of a box that is on the screenshot, None where there is none."""
    left, top = max(box[0], 1.5), max(box[1], 1.5)
    right, bottom = min(box[0] + box[2], width - 1.5), min(box[1] + box[3], height - 1.5)
    return (left, top, right - left, bottom - top) if right > left and bottom > top else None


def _outline(mark: Mark) -> str:
    fill = f'fill="{mark.colour}" fill-opacity=".07"' if mark.kind == "record" else 'fill="none"'
    x, y, wide, high = mark.box
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" rx="3" {fill} '
        f'stroke="{mark.colour}" {_STROKES[mark.kind]}/>'
    )


def _labels(marks: Sequence[Mark], width: int, height: int) -> Iterator[str]:
    """Yield the labels of the marks, each where it covers least of the other labels, then of the cells."""
    cells = np.array([mark.box for mark in marks if mark.kind == "cell"]).reshape(-1, 4)
    # labels of lists first, then records, then cells
    labelled = [mark for mark in reversed(marks) if mark.label][:MAX_LABELS]
    taken = np.zeros((len(labelled), 4))
    for count, mark in enumerate(labelled):
        check_budget()
        size = _CELL_LABEL_PX if mark.kind == "cell" else _LABEL_PX
        wide, high = len(mark.label) * size * _CHAR_SHARE + 8, size + 4.0
        spots = [_kept(x, y, wide, high, width, height) for x, y in _spots(mark, wide, high)]
        near = cells[np.abs(cells[:, 1] - mark.box[1]) < mark.box[3] + 2 * high] if mark.kind == "cell" else cells[:0]
        spot = min(spots, key=lambda spot: (_covered(spot, taken[:count]), _covered(spot, near)))
        taken[count] = spot
        yield (
            f'<rect x="{spot[0]:.1f}" y="{spot[1]:.1f}" width="{wide:.1f}" height="{high:g}" rx="3" '
            f'fill="{mark.colour}"/><text x="{spot[0] + wide / 2:.1f}" y="{spot[1] + size:.1f}" font-size="{size}" '
            f'fill="{_text_colour(mark.colour)}">{escape(_printable(mark.label))}</text>'
        )


def _spots(mark: Mark, wide: float, high: float) -> Iterator[tuple[float, float]]:
    """Yield the positions that the label of a mark may have, the best first."""
    x, y, box_wide, box_high = mark.box
    if mark.kind == "record":
        yield x + box_wide - wide, y
    elif mark.kind == "cell":
        yield x + box_wide + 1, y + (box_high - high) / 2
        yield x, y - high
        yield x, y + box_high
        yield x + box_wide - wide, y - high
    else:
        yield x, y - high
        yield x, y


def _kept(x: float, y: float, wide: float, high: float, width: int, height: int) -> Box:
    """Return a box moved onto the screenshot."""
    return min(max(x, 0.0), max(width - wide, 0.0)), min(max(y, 0.0), max(height - high, 0.0)), wide, high


def _covered(spot: Box, boxes: Boxes) -> float:
    """Return how much of the boxes a spot covers."""
    low, high = np.array(spot[:2]), np.array(spot[:2]) + spot[2:]
    sides = np.minimum(high, boxes[:, :2] + boxes[:, 2:]) - np.maximum(low, boxes[:, :2])
    return float(np.maximum(sides, 0.0).prod(axis=1).sum())


def _text_colour(colour: str) -> str:
    """Return black or white, whichever is read better on a colour (luminance after ITU-R BT.601)."""
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return "#000" if 0.299 * red + 0.587 * green + 0.114 * blue > 150 else "#fff"


def _printable(text: str) -> str:
    """Return a text without the characters that XML cannot hold."""
    return "".join(char if char.isprintable() else " " for char in text)


def standalone(svg: str) -> str:
    """Return an HTML page with nothing but the SVG, for a browser to render as PNG."""
    return f"<!doctype html><meta charset=utf-8><style>body{{margin:0}}svg{{display:block}}</style>{svg}"
