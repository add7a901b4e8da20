"""Sections of ``bench report`` on the documents behind the published methods: their figures beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from peneira_research.reports.area_report import published as published_accuracy
from peneira_research.reports.edrew_report import FIGURES, published_text, ratio_name, ratios_of
from peneira_research.reports.gstm_report import HEADS, notes, rows_of
from peneira_research.reports.html_parts import Axis, Cell, lines, table
from peneira_research.scores.item_set_score import Counts
from peneira_research.scores.resampling import Interval, interval
from peneira_research.studies.edrew_study import EDREW, SEEN, UNSEEN, EdrewResult
from peneira_research.studies.gstm_tables import TableRow

Json = dict[str, Any]
SHARES = (0, 0.2, 0.4, 0.6, 0.8, 1.0)


def area_section(document: Json) -> str:
    """Return the accuracy of the rendering-area method, of others, or without one of its steps."""
    rows = document.get("methods") or document["accuracy"]
    corpora = list(next(iter(rows.values())))
    intervals, gains = document.get("intervals", {}), document.get("gains", {})
    cells: list[list[Cell | str]] = []
    for number, (name, accuracies) in enumerate(rows.items()):
        gap = gains.get(name)
        gain = f"{gap['mean']:+.3f} ({gap['low']:+.3f} to {gap['high']:+.3f})" if gap else ""
        shares = [_share_of(document.get("outcomes", ()), corpus, number, accuracies[corpus]) for corpus in corpora]
        total = intervals.get(name)
        bounds = f"{total['low']:.3f} to {total['high']:.3f}" if total else ""
        cells.append([name, *shares, bounds, gain, *published_accuracy(name)])
    text = (
        "<p>Share of the pages whose main data region is selected. The pages here were saved without their style "
        "sheets; WEBV and WEBT are the paper's own, with styles, in percent.</p>"
    )
    return text + table(["", *corpora, "95 %, all", "to the first", "WEBV", "WEBT"], cells)


def _share_of(outcomes: Sequence[Json], corpus: str, number: int, share: float) -> Cell:
    """Return the share of the pages of a corpus on which a variant is right, with its interval over sites."""
    chosen = [row for row in outcomes if corpus in (row["corpus"], "all")]
    values, sites = [float(row["is_right"][number]) for row in chosen], [row["site"] for row in chosen]
    return Cell(f"{share:.3f}", share, bounds_note(interval(values, sites)) if chosen else "")


def bounds_note(found: Interval) -> str:
    """Return an interval as text."""
    return f"{found.low:.3f} to {found.high:.3f}"


def sweep_section(document: Json) -> str:
    """Return the accuracy of the rendering-area method over each of its parameters (Figures 4 and 5 of the paper)."""
    text = "<h3>Sensitivity: Figures 4 and 5</h3><p>Share of the pages whose main data region is selected; the other "
    text += "parameters are as published.</p>"
    points: dict[str, list[tuple[float, float]]] = {}
    bounds: dict[str, list[tuple[float, float]]] = {}
    for row in document["sweep"]:
        points.setdefault(row["parameter"], []).append((row["value"], row["all"]))
        bounds.setdefault(row["parameter"], []).append((row["interval"]["low"], row["interval"]["high"]))
    for names, high in ((("#min", "delta_max"), 10), (("%area", "%height", "%width", "%parent"), 0.5)):
        series = {name: points[name] for name in names if name in points}
        marks = tuple(high * k / 5 for k in range(6))
        x, y = Axis(", ".join(names), 0, high, marks), Axis("share that is right", 0, 1, SHARES)
        text += lines(x, y, series, bounds)
    return text


def survival_section(document: Json) -> str:
    """Return what saved XPaths select on other pages, and how many pages carry style."""
    used = [row for row in document["survival"] if row["first_is_right"]]
    cells: list[list[Cell | str]] = []
    for corpus in (*dict.fromkeys(row["corpus"] for row in used), "all"):
        chosen = [row for row in used if corpus in (row["corpus"], "all")]
        kinds = list(chosen[0]["verdicts"]) if chosen else []
        sites = [f"{row['corpus']}/{row['site']}" for row in chosen]
        shares = [interval([float(row["verdicts"][kind] == "right") for row in chosen], sites) for kind in kinds]
        cells.append([corpus, str(len(chosen)), *(Cell(f"{x.mean:.3f}", x.mean, bounds_note(x)) for x in shares)])
    styles: list[list[Cell | str]] = [
        [row["corpus"], str(row["pages"]), *(f"{row[key] / row['pages']:.3f}" for key in _STYLE_KEYS)]
        for row in document["styles"]
    ]
    return (
        "<p>The XPath of a site's first page, where it was right, applied to its other pages.</p>"
        + table(["corpus", "pages", "by position", "by attributes", "selected anew"], cells)
        + "<h3>Pages that carry style</h3>"
        + table(["corpus", "pages", "style elements", "style attributes", "either", "name a sheet"], styles)
    )


_STYLE_KEYS = ("style_elements", "style_attributes", "either", "linked")


def edrew_section(document: Json) -> str:
    """Return the table of EDREW by noise and sites, that by vertical, and the figures."""
    results = [EdrewResult(**row) for row in document["rows"]]
    ratios = ratios_of(results)
    overall = {(r.sites, r.variant, r.ratio): r for r in results if r.part == "all"}
    rows: list[list[Cell | str]] = []
    for sites, variant in dict.fromkeys((sites, variant) for sites, variant, _ in overall):
        row = [overall.get((sites, variant, ratio)) for ratio in ratios]
        rows.append([f"{sites}: {variant}", *(_f1(result) for result in row)])
    parts: list[list[Cell | str]] = []
    columns = [(SEEN, EDREW, 1), (SEEN, EDREW, None), (UNSEEN, EDREW, 1), (UNSEEN, EDREW, None)]
    for part in dict.fromkeys(result.part for result in results):
        of_part = {(r.sites, r.variant, r.ratio): r for r in results if r.part == part}
        parts.append([part, published_text(part), *(_f1(of_part.get(column)) for column in columns)])
    heads = [f"{sites}, {ratio_name(ratio)}" for sites, _, ratio in columns]
    figures = "".join(_figure(number, document["figures"]) for number in FIGURES)
    return (
        f"<p>{document['pages']} pages of SWDE. F1 of gold, all contents together, by noise contents for each gold "
        "one. The published 97 names no ratio. "
        "<i>lookup</i>: a table of the training paths with their share of gold; <i>bound</i>: what no function of a "
        "path can exceed, as equal paths are gold here and noise there.</p>"
        + table(["", *map(ratio_name, ratios)], rows)
        + "<h3>F1 by vertical; published: Table 6, precision, recall and F1 in percent</h3>"
        + table(["", "published", *heads], parts)
        + figures
    )


def _f1(result: EdrewResult | None) -> Cell:
    return Cell(f"{result.f1:.3f}", result.f1, f"{result.low:.3f} to {result.high:.3f}") if result else Cell("")


def _figure(number: int, points: Sequence[Json]) -> str:
    """Return a figure of the thesis, drawn with our points; positions on the x axis are in order, not in proportion."""
    chosen = [point for point in points if point["figure"] == number]
    if not chosen:
        return ""
    values = sorted({point["x"] for point in chosen})
    series: dict[str, list[tuple[float, float]]] = {}
    bounds: dict[str, list[tuple[float, float]]] = {}
    by_name = number in (22, 24)
    for point in chosen:
        name = EDREW if by_name else point["series"]
        series.setdefault(name, []).append((values.index(point["x"]), point["y"]))
        if point.get("low") is not None:
            bounds.setdefault(name, []).append((point["low"], point["high"]))
    names = [point["series"] for point in chosen] if by_name else [f"{value:g}" for value in values]
    x = Axis(f"{FIGURES[number]}: {', '.join(names)}", 0, max(len(values) - 1, 1), ())
    return f"<h3>Figure {number}</h3>" + lines(x, Axis("share" if number == 13 else "F1", 0, 1, SHARES), series, bounds)


def gstm_section(document: Json) -> str:
    """Return Tables 1 to 7 of the G-STM thesis."""
    rows = [
        TableRow(
            row["table"], row["system"], row["pages"], Counts(**row["counts"]) if row["counts"] else None,
            Counts(**row["best"]) if row["best"] else None, tuple(row["published"]) if row["published"] else None,
            row["note"], tuple(row["bounds"]) if row["bounds"] else None,
        )
        for row in document["rows"]
    ]  # fmt: skip
    said = "".join(f"<li>{escape(note)}</li>" for note in notes(rows))
    text = (
        "<p>Percent, pooled over all pages; the interval is that of our F, over pages. <i>best</i>: the best region "
        "that a method finds, where <i>ours</i> is the "
        "first; for schemas, nodes with the right types around them.</p>"
    )
    return text + table(HEADS, rows_of(rows)) + f"<ul>{said}</ul>"
