"""Parts of an HTML page: tables and drawings as text, without scripts and without anything that is loaded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

# Colours that people who see colours differently can tell apart (Okabe and Ito 2008)
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7b3294", "#444444", "#8c6d31", "#b10026")
WIDTH_PX, HEIGHT_PX, LEFT_PX, BELOW_PX, TOP_PX = 560, 330, 52, 44, 26
# Cells with so much text are sentences, and no numbers
MIN_SAID = 30


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table; ``share`` (0..1) shades it, ``note`` (its interval) is shown below it."""

    text: str
    share: float | None = None
    note: str = ""


def table(head: Sequence[str], rows: Sequence[Sequence[Cell | str]]) -> str:
    """Return a table; the first column holds names, and columns with sentences are written from the left."""
    made = [[Cell(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    said = {k for row in made for k, cell in enumerate(row) if k and len(cell.text) >= MIN_SAID}
    heads = "".join(f"<th{_class(k in said)}>{escape(text)}</th>" for k, text in enumerate(head))
    body = "".join(f"<tr>{''.join(_cell(cell, k, k in said) for k, cell in enumerate(row))}</tr>" for row in made)
    return f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>'


def _class(is_said: bool) -> str:
    return ' class="said"' if is_said else ""


def _cell(cell: Cell, column: int, is_said: bool) -> str:
    if column == 0:
        return f"<th>{escape(cell.text)}</th>"
    shade = "" if cell.share is None else f' style="background:rgba(0,114,178,{max(cell.share - 0.4, 0) * 0.6:.2f})"'
    note = f"<small>{escape(cell.note)}</small>" if cell.note else ""
    return f"<td{_class(is_said)}{shade}>{escape(cell.text)}{note}</td>"


def folded(title: str, content: str) -> str:
    """Return content that is shown when its title is clicked."""
    return f"<details><summary>{escape(title)}</summary>{content}</details>"


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis of a drawing: what it shows, from where to where, and the marks on it."""

    label: str
    low: float
    high: float
    marks: Sequence[float]

    def place(self, value: float) -> float:
        """Return where a value lies, 0..1."""
        return (value - self.low) / (self.high - self.low)


Points = Sequence[tuple[float, float]]


def lines(
    x: Axis,
    y: Axis,
    series: Mapping[str, Points],
    bounds: Mapping[str, Points] | None = None,
    *,
    diagonal: bool = False,
) -> str:
    """Return a drawing of lines, one for each name, with their names beside it.

    ``bounds``: for each point of a name the interval of its value, drawn as an upright line. ``diagonal``: as for dots.
    """
    parts = [_diagonal(x, y)] if diagonal else []
    for k, (name, points) in enumerate(series.items()):
        places = [_at(x, y, point) for point in points]
        colour = COLOURS[k % len(COLOURS)]
        path = " ".join(f"{left:.1f},{top:.1f}" for left, top in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{left:.1f}" cy="{top:.1f}" r="3" fill="{colour}"/>' for left, top in places]
        for (value, _), (low, high) in zip(points, (bounds or {}).get(name, ()), strict=False):
            (left, bottom), (_, top) = _at(x, y, (value, low)), _at(x, y, (value, high))
            places_of_line = f'x1="{left:.1f}" x2="{left:.1f}" y1="{bottom:.1f}" y2="{top:.1f}"'
            parts.append(f'<line {places_of_line} stroke="{colour}" opacity=".5"/>')
    return _drawing(x, y, "".join(parts)) + _legend(list(series))


def dots(x: Axis, y: Axis, named: Mapping[str, tuple[float, float]], *, diagonal: bool = False) -> str:
    """Return a drawing of one dot for each name; ``diagonal`` draws where both values are equal."""
    parts = [_diagonal(x, y)] if diagonal else []
    taken: list[tuple[float, float]] = []
    for k, (name, point) in enumerate(named.items()):
        left, top = _at(x, y, point)
        label = _free_height(left, top, taken)
        title = f"<title>{escape(name)}: {point[0]:.3g}, {point[1]:.3g}</title>"
        colour = COLOURS[k % len(COLOURS)] if not diagonal else COLOURS[0]
        parts.append(f'<circle cx="{left:.1f}" cy="{top:.1f}" r="4" fill="{colour}" fill-opacity=".8">{title}</circle>')
        if not diagonal:
            parts.append(f'<text x="{left + 7:.1f}" y="{label + 4:.1f}">{escape(name)}</text>')
    return _drawing(x, y, "".join(parts))


def _diagonal(x: Axis, y: Axis) -> str:
    (a, b), (c, d) = _at(x, y, (x.low, x.low)), _at(x, y, (x.high, x.high))
    return f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}" stroke="#999" stroke-dasharray="4"/>'


def _free_height(left: float, top: float, taken: list[tuple[float, float]]) -> float:
    """Return a height for a label where no other one is near."""
    while any(abs(left - x) < 70 and abs(top - y) < 12 for x, y in taken):
        top += 12
    taken.append((left, top))
    return top


def _at(x: Axis, y: Axis, point: tuple[float, float]) -> tuple[float, float]:
    inner_width, inner_height = WIDTH_PX - LEFT_PX - 90, HEIGHT_PX - BELOW_PX - TOP_PX
    return LEFT_PX + x.place(point[0]) * inner_width, TOP_PX + (1 - y.place(point[1])) * inner_height


def _drawing(x: Axis, y: Axis, inside: str) -> str:
    parts = []
    for mark in x.marks:
        left, bottom = _at(x, y, (mark, y.low))
        parts.append(f'<line class="grid" x1="{left:.1f}" x2="{left:.1f}" y1="{TOP_PX}" y2="{bottom:.1f}"/>')
        parts.append(f'<text text-anchor="middle" x="{left:.1f}" y="{bottom + 16:.1f}">{mark:g}</text>')
    for mark in y.marks:
        left, top = _at(x, y, (x.low, mark))
        right, _ = _at(x, y, (x.high, mark))
        parts.append(f'<line class="grid" x1="{left:.1f}" x2="{right:.1f}" y1="{top:.1f}" y2="{top:.1f}"/>')
        parts.append(f'<text text-anchor="end" x="{left - 6:.1f}" y="{top + 4:.1f}">{mark:g}</text>')
    parts.append(f'<text x="{LEFT_PX}" y="{HEIGHT_PX - 6}">{escape(x.label)}</text>')
    parts.append(f'<text x="4" y="10">{escape(y.label)}</text>')
    label = escape(f"{y.label} over {x.label}", quote=True)
    return f'<svg role="img" aria-label="{label}" viewBox="0 0 {WIDTH_PX} {HEIGHT_PX}">{"".join(parts)}{inside}</svg>'


def _legend(names: Sequence[str]) -> str:
    items = (
        f'<span><i style="background:{COLOURS[k % len(COLOURS)]}"></i>{escape(name)}</span>'
        for k, name in enumerate(names)
    )
    return f'<p class="legend">{"".join(items)}</p>'


STYLE = """
:root { color-scheme: light }
body { font: 16px/1.5 system-ui, sans-serif; color: #1b1b1b; max-width: 76rem; margin: 2rem auto; padding: 0 1.2rem }
h1 { font-size: 1.9rem; margin-bottom: .2rem } h2 { margin: 2.6rem 0 .4rem; border-bottom: 2px solid #0072b2 }
nav { columns: 17rem; font-size: .92rem } nav a { display: block } p { max-width: 60rem }
.run { color: #555; font-size: .85rem }
code { background: #f2f4f6; padding: .1em .3em; border-radius: 3px; overflow-wrap: anywhere }
.wide { overflow-x: auto } table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid #e4e7ea; white-space: nowrap;
  vertical-align: top } .said { text-align: left; white-space: normal; min-width: 14rem }
tbody th, thead th:first-child { text-align: left; font-weight: 600 } thead th { background: #f2f4f6 }
svg { width: 100%; max-width: 46rem; height: auto; font: 12px system-ui, sans-serif } .grid { stroke: #e4e7ea }
.legend span { margin-right: 1rem } .legend i { display: inline-block; width: .8em; height: .8em; margin-right: .35em }
.missing { color: #8a4b00 } small { display: block; color: #667; font-size: .72rem } summary { cursor: pointer }
"""


def page(title: str, intro: str, sections: Sequence[tuple[str, str, str]]) -> str:
    """Return the whole page of sections (id, title, content); a policy forbids that it loads or runs anything."""
    links = " ".join(f'<a href="#{name}">{escape(heading)}</a>' for name, heading, _ in sections)
    body = "".join(
        f'<section id="{name}"><h2>{escape(heading)}</h2>{content}</section>' for name, heading, content in sections
    )
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}</style></head>'
        f"<body><h1>{escape(title)}</h1>{intro}<nav>{links}</nav>{body}</body></html>\n"
    )
