"""One page and what was found on it as a self-contained HTML file: picture, reasons, lists, table.

Nothing of the page runs or is loaded in it: all texts are escaped, the picture is inside, and the file forbids the
browser everything else.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from peneira.model import Extraction, Reason, Region
from peneira.output.overlay import drawing, marks_of
from peneira.page import Page

# The longest text of a cell, and the most rows that are shown
MOST_CHARS = 300
MOST_ROWS = 500
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
_STYLE = """
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,"DejaVu Sans",sans-serif;margin:0 auto;max-width:1400px;padding:24px}
h1{font-size:22px;margin:0 0 4px;overflow-wrap:anywhere}h2{font-size:17px;margin:32px 0 8px}
.facts{color:#777;margin:0}
ul.reasons{padding-left:20px}ul.reasons b{font-weight:600}
.scroll{overflow:auto;max-height:85vh;border:1px solid #8886;border-radius:6px}
.scroll svg{display:block;max-width:100%;height:auto}
table{border-collapse:collapse;font-size:13px;width:100%}
th,td{border:1px solid #8884;padding:4px 8px;text-align:left;vertical-align:top;max-width:360px;overflow-wrap:anywhere}
th{position:sticky;top:0;background:Canvas}
td.number,th.number{text-align:right;white-space:nowrap}code{font-size:12px;overflow-wrap:anywhere}
""".strip()


def report(page: Page, result: Extraction, name: str) -> str:
    """Return the report on one page as HTML; with its picture where a browser has shown the page."""
    title = escape(name)
    parts = [
        f"<h1>{title}</h1>{_facts(result)}",
        _section("Why", _reasons(result.reasons)),
        _section("The page", _picture(page, result)),
        _section("Records", _records(result.main) if result.main else "<p>None.</p>"),
        _section("Lists of the page", _lists(result.regions)),
    ]
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
        f'content="{POLICY}"><meta name="viewport" content="width=device-width"><title>{title}</title>'
        f"<style>{_STYLE}</style><body>{''.join(parts)}</body></html>\n"
    )


def _section(title: str, content: str) -> str:
    return f"<h2>{title}</h2>{content}" if content else ""


def _facts(result: Extraction) -> str:
    told = [f"verdict: {result.verdict}", f"status: {result.status}", f"method: {result.method}"]
    if result.main:
        told.append(f"{len(result.main.records)} records, confidence {result.main.confidence:.2f}")
    told += [f"partial: {cut}" for cut in result.cuts]
    return f'<p class="facts">{escape(" · ".join(told))}</p>'


def _reasons(reasons: Sequence[Reason]) -> str:
    rows = "".join(f"<li><b>{escape(reason.name)}</b>: {escape(str(reason))}</li>" for reason in reasons)
    return f'<ul class="reasons">{rows}</ul>' if rows else ""


def _picture(page: Page, result: Extraction) -> str:
    if page.layout is None or page.layout.picture is None:
        return ""
    return f'<div class="scroll">{drawing(page.layout.picture, marks_of(page, result))}</div>'


def _records(region: Region) -> str:
    table = region.table
    head = "".join(f"<th>{escape(name)}</th>" for name in table.names)
    rows = "".join(
        f'<tr><td class="number">{number}</td>'
        + "".join(f"<td>{escape(_short(cell.text)) if cell else ''}</td>" for cell in row)
        + "</tr>"
        for number, row in enumerate(table.rows[:MOST_ROWS], start=1)
    )
    rest = len(table.rows) - MOST_ROWS
    more = f"<p>{rest} more records are not shown.</p>" if rest > 0 else ""
    return f'<div class="scroll"><table><tr><th class="number">#</th>{head}</tr>{rows}</table></div>{more}'


def _lists(regions: Sequence[Region]) -> str:
    rows = "".join(
        f'<tr><td class="number">{number}</td><td class="number">{region.confidence:.2f}</td>'
        f'<td class="number">{len(region.records)}</td><td><code>{escape(region.xpath)}</code></td>'
        f"<td>{escape(_short(region.records[0].text)) if region.records else ''}</td></tr>"
        for number, region in enumerate(regions, start=1)
    )
    head = '<tr><th class="number">#</th><th>confidence</th><th>records</th><th>element</th><th>first record</th></tr>'
    return f"<table>{head}{rows}</table>" if rows else ""


def _short(text: str) -> str:
    return text if len(text) <= MOST_CHARS else text[: MOST_CHARS - 1] + "…"
