"""Small pages whose records are in pieces: rows of pictures, of titles and of prices below each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

NAMES = (
    "Copper kettle,Clay pot,Iron pan,Glass jug,Oak board,Steel sieve,Tin cup,Silk scarf,Wool hat,Red lamp,Blue vase"
).split(",")
MENU = "<ul class=menu>" + "".join(f"<li><a href=/{w}>{w}</a></li>" for w in "Home Shop About Help".split()) + "</ul>"


def price(k: int) -> str:
    return f"${k + 10}.90"


def group_rows(members: Sequence[int], width: int, price_of: Callable[[int], str] = price) -> list[str]:
    """Return the rows of one group: pictures, titles, prices; empty cells fill the row."""
    fillers = "<td></td>" * (width - len(members))
    contents = (
        [f"<a href=/p/{k}><img src=/i/{k}.jpg></a>" for k in members],
        [f"<a href=/p/{k}>{NAMES[k]}</a>" for k in members],
        [price_of(k) for k in members],
    )
    return [f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}{fillers}</tr>" for cells in contents]


def interleaved(count: int, width: int, *, separator: str = "", price_of: Callable[[int], str] = price) -> str:
    """Return a table with the records in groups of three rows."""
    groups = [range(first, min(count, first + width)) for first in range(0, count, width)]
    rows = ["".join(group_rows(group, width, price_of)) for group in groups]
    return f"{MENU}<table>{separator.join(rows)}</table>"


def as_divisions(html: str) -> str:
    """Return tables as divisions with classes."""
    for tag, name in (("table", "grid"), ("tr", "row"), ("td", "cell")):
        html = html.replace(f"<{tag}>", f"<div class={name}>").replace(f"</{tag}>", "</div>")
    return html


def comparison(label_tag: str = "th", names: Sequence[str] = NAMES[:3]) -> str:
    """Return a comparison table: a column for each product."""
    rows = {
        "": [f"<img src=/i/{k}.jpg>" for k in range(len(names))],
        "Model": [f"<a href=/p/{k}>{name}</a>" for k, name in enumerate(names)],
        "Price": [price(k) for k in range(len(names))],
        "Battery life": [f"{k + 3} hours" for k in range(len(names))],
        "Material": [f"made of {material}" for material in ("copper", "clay", "cast iron", "glass")[: len(names)]],
    }
    lines = (
        f"<tr><{label_tag}>{label}</{label_tag}>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
        for label, cells in rows.items()
    )
    return f"{MENU}<table>{''.join(lines)}</table>"
