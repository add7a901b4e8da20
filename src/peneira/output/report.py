"""A report on one page as a self-contained HTML file: screenshot, reasons, lists and table.

Nothing of the page runs or is loaded in it: all texts are escaped, the screenshot is embedded, and the content security
policy of the file forbids the browser everything else.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from peneira.budget import Budget
from peneira.limits import DEFAULT_LIMITS, Cut, Limits
from peneira.output.overlay import ASIDE_COLOUR, annotated_svg, column_colours, marks_of, png_size
from peneira.page import Page
from peneira.reasons import Reason
from peneira.result import Cell, Extraction, Region
from peneira.values import ColumnType

# Longer texts of cells are cut, and further rows left out: the file stays quick to open
MAX_CHARS = 300
MAX_ROWS = 500
# A list with less confidence is marked for a look
MIN_GOOD_CONFIDENCE = 0.8
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
_STYLE = """
:root{color-scheme:light dark;--ink:#1c2128;--soft:#59636e;--line:#d5dae0;--ground:#f6f8fa;--card:#fff;--stripe:#f8fafc;
--good:#1a7f4b;--poor:#9a5b00}
@media(prefers-color-scheme:dark){:root{--ink:#e6eaf0;--soft:#9aa4b0;--line:#323a45;--ground:#0f1318;--card:#171c23;
--stripe:#1c222b;--good:#4cc38a;--poor:#f0a53a}}
*{box-sizing:border-box}
body{font:15px/1.5 system-ui,"DejaVu Sans",sans-serif;margin:0;background:var(--ground);color:var(--ink)}
main{margin:0 auto;max-width:1400px;padding:28px 24px 60px}
h1{font-size:22px;line-height:1.3;margin:0 0 12px;overflow-wrap:anywhere}h2{font-size:17px;margin:36px 0 10px}
.facts{display:flex;flex-wrap:wrap;gap:8px;margin:0;padding:0;list-style:none}
.facts li{background:var(--card);border:1px solid var(--line);border-radius:99px;padding:2px 12px}
.facts b{font-weight:600}.good{color:var(--good)}.poor{color:var(--poor)}
.cuts{border-left:4px solid var(--poor);background:var(--card);margin:14px 0 0;padding:8px 14px 8px 30px}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;overflow:auto;max-height:85vh}
.card svg{display:block;max-width:100%;height:auto;margin:0 auto}
.note{color:var(--soft);margin:8px 0 0}
table{border-collapse:separate;border-spacing:0;font-size:13.5px;width:max-content;min-width:100%}
th,td{border-bottom:1px solid var(--line);padding:6px 12px;text-align:left;vertical-align:top;min-width:60px;
max-width:380px;overflow-wrap:anywhere}
tr:last-child td{border-bottom:0}tbody tr:nth-child(even){background:var(--stripe)}
thead th{position:sticky;top:0;background:var(--card);white-space:nowrap;z-index:1}
th small{display:block;color:var(--soft);font-weight:400}
.dot{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:6px}
.number{text-align:right;font-variant-numeric:tabular-nums;min-width:0}td.number{white-space:nowrap}
.index{color:var(--soft)}code{font-size:12.5px;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:6px 18px;margin:0;padding:14px 18px}
dt{font-weight:600}dd{margin:0;overflow-wrap:anywhere}
@media(max-width:640px){main{padding:18px 14px 40px}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:8px}}
@media print{.card{max-height:none;overflow:visible}}
""".strip()
_NUMBER_TYPES: frozenset[ColumnType] = frozenset({"integer", "number", "money", "percent", "quantity", "duration"})
# In a narrow window the screenshot stays at least this wide, and is scrolled
_MIN_SCREENSHOT_PX = 720


def report(page: Page, result: Extraction, name: str, *, limits: Limits = DEFAULT_LIMITS) -> str:
    """Return the report on one page as HTML; with its screenshot where a browser has rendered the page.

    A section for which there is no time left is left out, and the report says so among the cuts.
    """
    title = escape(name)
    budget = Budget(limits)
    sections = {
        "The page": lambda: _screenshot(page, result),
        "Records": lambda: _records(result.main) if result.main else '<p class="note">None.</p>',
        "Lists of the page": lambda: _lists(result.regions),
        "Why": lambda: _reasons(result.reasons),
    }
    written = [
        _section(heading, budget.attempt(section, "", f'the section "{heading}" of this report'))
        for heading, section in sections.items()
    ]
    parts = [f"<h1>{title}</h1>{_summary(result)}{_cuts([*result.cuts, *budget.cuts])}", *written]
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
        f'content="{POLICY}"><meta name="viewport" content="width=device-width"><title>{title}</title>'
        f"<style>{_STYLE}</style><body><main>{''.join(parts)}</main></body></html>\n"
    )


def _section(title: str, content: str) -> str:
    return f"<section><h2>{title}</h2>{content}</section>" if content else ""


def _summary(result: Extraction) -> str:
    main = result.main
    entries = [
        ("verdict", result.verdict, "good" if main else "poor"),
        ("status", result.status, "good" if result.status == "complete" else "poor"),
        ("method", result.method, ""),
    ]
    if main:
        entries.insert(1, ("records", str(len(main.records)), ""))
        entries.insert(2, ("columns", str(len(main.table.columns)), ""))
        entries.insert(
            3, ("confidence", f"{main.confidence:.2f}", "good" if main.confidence >= MIN_GOOD_CONFIDENCE else "poor")
        )
    items = "".join(f'<li>{label} <b class="{kind}">{escape(value)}</b></li>' for label, value, kind in entries)
    return f'<ul class="facts">{items}</ul>'


def _cuts(cuts: Sequence[Cut]) -> str:
    items = "".join(f"<li>{escape(str(cut))}</li>" for cut in cuts)
    return f'<ul class="cuts">{items}</ul>' if items else ""


def _reasons(reasons: Sequence[Reason]) -> str:
    rows = "".join(f"<dt>{escape(_words(reason.name))}</dt><dd>{escape(str(reason))}</dd>" for reason in reasons)
    return f'<div class="card"><dl>{rows}</dl></div>' if rows else ""


def _words(name: str) -> str:
    return name.replace("_", " ")


def _screenshot(page: Page, result: Extraction) -> str:
    layout = page.layout
    if layout is None or layout.screenshot is None:
        return ""
    width, height = png_size(layout.screenshot)
    min_width = f"<style>.card svg{{min-width:{min(width, _MIN_SCREENSHOT_PX)}px}}</style>"
    note = ""
    if height + 1 < layout.height_px or width + 1 < layout.width_px:
        whole = f"{layout.width_px:,.0f} x {layout.height_px:,.0f}"
        note = f'<p class="note">The screenshot shows {width:,} x {height:,} of {whole} pixels.</p>'
    return f'{min_width}<div class="card">{annotated_svg(layout.screenshot, marks_of(page, result))}</div>{note}'


def _records(region: Region) -> str:
    table, colours = region.table, column_colours(region)
    kinds = [' class="number"' if column.type in _NUMBER_TYPES else "" for column in table.columns]
    head = "".join(
        f'<th{kind}><span class="dot" style="background:{colours.get(column.name, ASIDE_COLOUR)}"></span>'
        f"{escape(column.name)}<small>{escape(column.type)}</small></th>"
        for kind, column in zip(kinds, table.columns, strict=True)
    )
    rows = "".join(
        f'<tr><td class="number index">{number}</td>'
        + "".join(f"<td{kind}>{_cell(cell) if cell else ''}</td>" for kind, cell in zip(kinds, row, strict=True))
        + "</tr>"
        for number, row in enumerate(table.rows[:MAX_ROWS], start=1)
    )
    rest = len(table.rows) - MAX_ROWS
    more = f'<p class="note">{rest} more records are not shown.</p>' if rest > 0 else ""
    return _table(f'<th class="number">#</th>{head}', rows) + more


def _lists(regions: Sequence[Region]) -> str:
    rows = "".join(
        f'<tr><td class="number index">{number}</td><td class="number">{region.confidence:.2f}</td>'
        f'<td class="number">{len(region.records)}</td><td><code>{escape(region.xpath)}</code></td>'
        f"<td>{escape(_short(region.records[0].text)) if region.records else ''}</td></tr>"
        for number, region in enumerate(regions, start=1)
    )
    head = (
        '<th class="number">#</th><th class="number">confidence</th><th class="number">records</th><th>element</th>'
        "<th>first record</th>"
    )
    return _table(head, rows) if rows else ""


def _table(head: str, rows: str) -> str:
    return f'<div class="card"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def _cell(cell: Cell) -> str:
    """Return the text of a cell; nested records have a line each."""
    if cell.table is None:
        return escape(_short(cell.text))
    return "<br>".join(escape(line) for line in _short("\n".join(cell.items)).split("\n"))


def _short(text: str) -> str:
    return text if len(text) <= MAX_CHARS else text[: MAX_CHARS - 1] + "…"
