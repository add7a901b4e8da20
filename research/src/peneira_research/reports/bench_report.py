"""The page of ``peneira bench report``: what the results files say, published figures beside ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from peneira_research.reports.document_sections import (
    area_section,
    bounds_note,
    edrew_section,
    gstm_section,
    survival_section,
    sweep_section,
)
from peneira_research.reports.html_parts import Axis, Cell, dots, folded, lines, page, table
from peneira_research.reports.product_sections import (
    cells_section,
    drift_section,
    items_section,
    lists_section,
    paging_section,
    printed,
    share_cell,
    tables_section,
    wrappers_section,
)
from peneira_research.reports.reproductions import reproductions
from peneira_research.scores.item_set_score import Counts, Evaluation, by_kind
from peneira_research.scores.resampling import difference, interval, median_interval, ratio_interval
from peneira_research.studies.page_outcomes import RIGHT
from peneira_research.studies.report_runs import RUNS, Run, RunFile

Json = dict[str, Any]
SHARES = (0, 0.2, 0.4, 0.6, 0.8, 1.0)
BASELINE = "mdr"
MIN_BIN_PAGES = 5


def report_page(found: Mapping[str, RunFile], failed: Mapping[str, str]) -> str:
    """Return the report as one HTML page; a run that is missing is said."""
    sections = []
    for run in RUNS:
        if run.name in found:
            made = found[run.name]
            show = _SECTIONS.get(run.name, printed)
            sections.append((run.name, run.title, _head(made) + _lacks(run, made) + _shown(show, made.document)))
        else:
            why = f": {failed[run.name]}" if run.name in failed else ""
            sections.append(
                (
                    run.name,
                    run.title,
                    f'<p class="missing">Not run{escape(why)} (<code>{escape(run.command)}</code>).</p>',
                )
            )
    if {"records", "speed"} <= found.keys():
        cost = _cost_accuracy(found["records"].document, found["speed"].document)
        after = [name for name, _, _ in sections].index("speed") + 1
        sections.insert(after, ("cost-accuracy", "Cost against accuracy", cost))
    sections.insert(0, ("reproductions", "Published figures beside ours", reproductions(found)))
    dates = sorted({made.meta.date for made in found.values()})
    commits = sorted({made.meta.commit for made in found.values()})
    samples = sorted({made.meta.every for made in found.values() if made.meta.every > 1})
    of_samples = f" Sections of {' or '.join(sample_text(n) for n in samples)} say so." if samples else ""
    of_all = "All" if len(found) == len(RUNS) else f"{len(found)} of {len(RUNS)}"
    intro = (
        "<p>Every figure of this page was printed by the command above it. Intervals hold 95 % of a bootstrap over "
        f"sites. {of_all} runs, of {escape(', '.join(dates) or 'no day')}, commit "
        f"{escape(', '.join(commits) or 'unknown')}.{of_samples}</p>"
    )
    return page("peneira: methods and reproductions", intro, sections)


def _shown(show: Callable[[Json], str], document: Json) -> str:
    """Return a section; where results of an older version lack something, what their command printed."""
    try:
        return show(document)
    except (KeyError, TypeError):
        older = '<p class="missing">The results are of an older version.</p>'
        return older + (printed(document) if "printed" in document else "")


def sample_text(every: int) -> str:
    """Return what share of its pages a run took."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(every % 10, "th") if every // 10 % 10 != 1 else "th"
    return f"every {every}{ending} page" if every > 1 else "all pages"


def _lacks(run: Run, made: RunFile) -> str:
    """Return what the results of a run lack because a package was missing."""
    if not (run.without and f" {' '.join(run.without)}" in made.meta.command):
        return ""
    return f'<p class="missing">Without what needs {escape(run.needs)}, which was not installed.</p>'


def _head(made: RunFile) -> str:
    meta = made.meta
    corpora = ", ".join(f"{name} {digest[:8]}" for name, digest in meta.corpora.items()) or "not hashed"
    return (
        f'<p class="run"><code>{escape(meta.command)}</code><br>{sample_text(made.meta.every)}; '
        f"{escape(made.meta.date)}, commit {escape(meta.commit)}, "
        f"peneira {escape(meta.peneira)}, Python {escape(meta.python)}; corpora {escape(corpora)}</p>"
    )


def _bounded(found: Mapping[str, float] | None) -> Cell:
    """Return a mean as a cell, its interval as a note."""
    if not found:
        return Cell("")
    return Cell(f"{found['mean']:.3f}", found["mean"], f"{found['low']:.3f} to {found['high']:.3f}")


def _records(document: Json) -> str:
    lists: Mapping[str, Mapping[str, Json]] = document["lists"]
    names = list(dict.fromkeys(name for row in lists.values() for name in row))
    corpora = sorted(names, key=lambda name: name != "all")
    rows: list[list[Cell | str]] = []
    for method, row in sorted(lists.items(), key=lambda pair: -float(pair[1].get("all", {"f1": 0})["f1"])):
        rows.append([method, *(_quality(row.get(name)) for name in corpora)])
    text = "<p>Mean record F1 by corpus, with its interval. Where "
    text += "<code>auto</code> is among the methods, its models have seen these pages, unless the command says "
    text += "<code>--unseen</code>.</p>"
    return (
        text
        + table(["method", *corpora], rows)
        + _precision_recall(document)
        + _paired(document)
        + _calibration(document)
    )


def _quality(row: Json | None) -> Cell:
    return Cell(f"{row['f1']:.3f}", row["f1"], f"{row['low']:.3f} to {row['high']:.3f}") if row else Cell("")


def _counted(document: Json) -> dict[str, list[Json]]:
    by_method: dict[str, list[Json]] = {}
    for row in document["pages"]:
        if row["f1"] is not None and not row["is_partial"]:
            by_method.setdefault(row["method"], []).append(row)
    return by_method


def _precision_recall(document: Json) -> str:
    rows: list[list[Cell | str]] = []
    for method, pages in _counted(document).items():
        sites = [row["site"] for row in pages]
        means = [interval([row[name] for row in pages], sites) for name in ("precision", "recall", "f1")]
        rows.append([method, *(_bounded({"mean": m.mean, "low": m.low, "high": m.high}) for m in means)])
    return "<h3>Records: precision, recall, F1</h3>" + table(["method", "precision", "recall", "F1"], rows)


def _paired(document: Json) -> str:
    """Return each method against the best, and against MDR: the paired difference of the record F1."""
    by_method = _counted(document)
    if len(by_method) < 2:
        return ""
    best = max(by_method, key=lambda name: sum(row["f1"] for row in by_method[name]) / len(by_method[name]))
    references = dict.fromkeys((best, *(name for name in (BASELINE,) if name in by_method)))
    return "".join(_differences(by_method, reference) for reference in references)


def _differences(by_method: Mapping[str, Sequence[Json]], reference: str) -> str:
    others = by_method[reference]
    rows: list[list[Cell | str]] = []
    for method, pages in by_method.items():
        if method == reference or [row["id"] for row in pages] != [row["id"] for row in others]:
            continue
        gap = difference([row["f1"] for row in pages], [row["f1"] for row in others], [row["site"] for row in others])
        rows.append([method, f"{gap.mean:+.3f}", f"{gap.low:+.3f} to {gap.high:+.3f}", f"{gap.p:.3f}"])
    return f"<h3>Difference to {escape(reference)} on the same pages</h3>" + table(["method", "F1", "95 %", "p"], rows)


def _calibration(document: Json) -> str:
    series: dict[str, list[tuple[float, float]]] = {}
    for row in document["calibration"]:
        if row["pages"] >= MIN_BIN_PAGES:
            series.setdefault(row["method"], []).append((row["confidence"], row["right"]))
    x, y = Axis("confidence of the main list", 0, 1, SHARES), Axis("share that is right", 0, 1, SHARES)
    text = "<h3>Calibration</h3><p>A calibrated confidence lies on the diagonal; tenths of five pages or more.</p>"
    drawn = lines(x, y, series, diagonal=True)
    return text + drawn + folded("As a table, with intervals", _calibration_table(document)) if series else ""


def _calibration_table(document: Json) -> str:
    """Return how often lists of a confidence are right, by method and tenth, with intervals over sites."""
    bins: dict[tuple[str, int], list[Json]] = {}
    for row in document["pages"]:
        if (
            row.get("confidence") is not None
            and not row["is_partial"]
            and (row["f1"] is not None or row["is_negative"])
        ):
            bins.setdefault((row["method"], min(int(row["confidence"] * 10), 9)), []).append(row)
    rows: list[list[Cell | str]] = []
    for (method, tenth), pages in sorted(bins.items()):
        if len(pages) >= MIN_BIN_PAGES:
            found = interval([float((row["f1"] or 0.0) >= RIGHT) for row in pages], [row["site"] for row in pages])
            share = Cell(f"{found.mean:.3f}", found.mean)
            rows.append([f"{method}, from {tenth / 10:.1f}", str(len(pages)), share, bounds_note(found)])
    return table(["confidence", "pages", "right", "95 %"], rows)


def _cost_accuracy(records: Json, speed: Json) -> str:
    from math import log10

    ratios = [row for found in speed["corpora"].values() for row in found["ratios"]]
    costs = {row["stage"].removeprefix("records "): row["median"] for row in ratios}
    named = {
        method: (log10(costs[method]), row["all"]["f1"])
        for method, row in records["lists"].items()
        if method in costs and "all" in row
    }
    x = Axis("CPU time as a power of ten of lexbor's parse", 0.5, 3, (0.5, 1, 1.5, 2, 2.5, 3))
    return dots(x, Axis("record F1", 0, 1, SHARES), named) if named else '<p class="missing">No common methods.</p>'


def _matrix(document: Json) -> str:
    groups: dict[tuple[str, str], list[Json]] = {}
    for cell in document["cells"]:
        groups.setdefault((cell["filter"], cell["method"]), []).append(cell)
    methods = list(dict.fromkeys(method for _, method in groups))
    rows: list[list[Cell | str]] = []
    for name in dict.fromkeys(name for name, _ in groups):
        rows.append([name, *(_matrix_cell(groups, name, method) for method in methods)])
    pages = len({cell["id"] for cell in document["cells"]})
    return f"<p>{pages} pages; * marks a clear difference to no filter (paired, 95 %).</p>" + table(
        ["filter", *methods], rows
    )


def _matrix_cell(groups: Mapping[tuple[str, str], Sequence[Json]], name: str, method: str) -> Cell:
    row = groups[name, method]
    f1, sites = [cell["f1"] for cell in row], [cell["site"] for cell in row]
    found = interval(f1, sites)
    star = ""
    if name != "none" and ("none", method) in groups:
        star = "*" if difference(f1, [cell["f1"] for cell in groups["none", method]], sites).is_clear else ""
    return Cell(f"{found.mean:.3f}{star}", found.mean, f"{found.low:.3f} to {found.high:.3f}")


_SUMMARY_HEAD = (
    "", "main region kept", "nodes cut", "noise removed", "P, kept pages", "P, all pages", "R", "F", "records P", "R ",
    "F ", "as thesis", "as paper", "splits, median",
)  # fmt: skip
_NO_RECORDS = ("", "", "")  # neither publication counts records over all pages
_THESIS = (
    ["thesis, MDR raw", "51/51", "", "", "0.189", "0.182", "1.000", "0.318", *_NO_RECORDS, "", "", ""],
    ["thesis, filtered", "42/51", "0.502", "0.889", "0.751", "0.638", "0.824", "0.786", *_NO_RECORDS, "", "", "4 or 5"],
)
_PAPER = (
    ["paper, filtered", "20/23", "0.462", "0.770", "0.608", "0.529", "0.870", "", *_NO_RECORDS, "", "", "4 or 5"],
)


def _table2(document: Json) -> str:
    shares = {
        row["site"]: (
            row["thesis"]["kept_nodes"] / row["thesis"]["nodes"],
            row["filtered"]["program"]["nodes"] / row["nodes"],
        )
        for row in document["rows"]
    }
    x, y = Axis("share of nodes kept, thesis", 0, 1, SHARES), Axis("ours (program)", 0, 1, SHARES)
    effects: list[list[Cell | str]] = [
        [name, *(f"{part['mean']:+.3f} ({part['low']:+.2f} to {part['high']:+.2f})" for part in found.values())]
        for name, found in document["effects"].items()
    ]
    return (
        f"<h3>Thesis: {document['summary']['raw']['pages']} of 51 sites</h3>" + _summaries(document["summary"], _THESIS)
        + f"<h3>Paper: {document['paper']['raw']['pages']} of 23 sites</h3>" + _summaries(document["paper"], _PAPER)
        + "<p>P differs because the thesis's targets are what its MDR extracted, ours are hand counts, and because our "
        "MDR reports more records where there are none.</p>"
        + "<h3>The filter removes noise without losing the main region</h3><p>MDR on what is kept minus MDR on the raw "
        "page, by page.</p>" + table(["", "precision", "targets found", "noise records"], effects)
        + "<h3>Share of nodes kept, site by site</h3>" + dots(x, y, shares, diagonal=True)
    )  # fmt: skip


def _summaries(found: Mapping[str, Json], published: Sequence[Sequence[str]]) -> str:
    rows: list[Sequence[Cell | str]] = [*published]
    for name, row in found.items():
        splits = "" if row["median_splits"] is None else f"{row['median_splits']:.0f}"
        parts = ("cut", "noise_removed", "precision", "precision_of_all", "recall")
        cells = [_bounded(row[part]) for part in parts]
        pooled = [f"{row[name]:.3f}" for name in ("pooled_precision", "pooled_recall", "pooled_f")]
        counts = [f"{row['f']:.3f}", *pooled, str(row["near_thesis"]), str(row["near_paper"]), splits]
        rows.append([name, f"{row['kept_pages']}/{row['pages']}", *cells, *counts])
    return table(_SUMMARY_HEAD, rows)


def _margins(document: Json) -> str:
    """Return what the filter keeps over its margin, by both readings of the margin, and its agreement."""
    text = "<p>The formula takes the margin as a share of the sequence, the text as a share of the rest.</p>"
    for of in ("sequence", "rest"):
        points = [point for point in document["margins"] if point["margin"]["of"] == of]
        series: dict[str, list[tuple[float, float]]] = {}
        for point in points:
            share, kept = point["margin"]["share"], point["kept_pages"] / point["pages"]
            series.setdefault(f"{point['variant']}, main region kept", []).append((share, kept))
            series.setdefault(f"{point['variant']}, nodes cut", []).append((share, point["cut"]["mean"]))
        x = Axis(f"margin, as a share of the {of} (published: 0.2)", 0, 0.6, (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6))
        rows = [_margin_row(point) for point in points]
        head = ["", "main region kept", "nodes cut", "splits, mean", "as thesis, of 51", "as paper, of 23"]
        drawn = lines(x, Axis("share", 0, 1, SHARES), series)
        text += f"<h3>Share of the {of}</h3>" + drawn + folded("As a table, with intervals", table(head, rows))
    return text


def _margin_row(point: Json) -> list[Cell | str]:
    kept = Cell(f"{point['kept_pages']}/{point['pages']}", note=_bounded(point["kept"]).note)
    splits = Cell(
        f"{point['splits']['mean']:.1f}", note=f"{point['splits']['low']:.1f} to {point['splits']['high']:.1f}"
    )
    agreeing = str(point["near_thesis"]), str(point["near_paper"])
    return [f"{point['variant']}, {point['margin']['share']:g}", kept, _bounded(point["cut"]), splits, *agreeing]


def _speed(document: Json) -> str:
    """Return the cost of each stage by corpus."""
    text = "<p>CPU time as a multiple of lexbor's parse of the same page; intervals are over pages.</p>"
    for name, found in document["corpora"].items():
        rows: list[list[Cell | str]] = []
        for row in found["ratios"]:
            times = [page["cpu_s"] for page in found["pages"]]
            ratios = [cpu_s[row["stage"]] / cpu_s["parse"] for cpu_s in times if row["stage"] in cpu_s]
            median = median_interval(ratios) if ratios else None
            bounds = f"{median.low:.1f} to {median.high:.1f}" if median else ""
            rows.append([row["stage"], f"{row['median']:.1f}", bounds, f"{row['p95']:.1f}"])
        head = ["stage", "median", "95 % of the median", "95th percentile"]
        text += f"<h3>{escape(name)}: {len(found['pages'])} pages</h3>" + table(head, rows)
    return text


def _text(document: Json) -> str:
    """Return the mean word F1 by page type and system, over the pages that each system has read."""
    pages = document["pages"]
    systems = list(dict.fromkeys(name for row in pages for name in row["scores"]))
    kinds = list(dict.fromkeys(row["type"] for row in pages))
    rows: list[list[Cell | str]] = []
    for kind in (*kinds, "all"):
        chosen = [row for row in pages if kind in (row["type"], "all")]
        rows.append([kind, str(len(chosen)), *(_mean_f1(chosen, name) for name in systems)])
    text = "<p>Word F1; our models have seen the pages unless the command says <code>--unseen</code>. "
    text += "Extractors that are not installed are left out.</p>"
    return text + table(["type", "pages", *systems], rows)


def _mean_f1(pages: Sequence[Json], system: str) -> Cell:
    """Return the mean F1 of a system over the pages that it has read, with its interval over sites."""
    read = [row for row in pages if system in row["scores"]]
    if not read:
        return Cell("")
    found = interval([row["scores"][system]["f1"] for row in read], [row["site"] for row in read])
    return Cell(f"{found.mean:.3f}", found.mean, bounds_note(found))


def _values(document: Json) -> str:
    """Return the record and item scores by kind of page, those of the thesis's Tables 8 and 9 beside them."""
    evaluations = [
        Evaluation(row["page"], row["kind"], row["method"], Counts(**row["records"]), Counts(**row["items"]))
        for row in document["pages"]
    ]
    rows: list[list[Cell | str]] = []
    for method in dict.fromkeys(evaluation.method for evaluation in evaluations):
        own = [row for row in evaluations if row.method == method]
        for kind in by_kind(own):
            chosen = [row for row in own if kind in (row.kind, "all")]
            pages = [row.page for row in chosen]
            parts = ([row.records for row in chosen], [row.items for row in chosen])
            cells = [cell for part in parts for cell in _counted_cells(part, pages)]
            rows.append([f"{method}: {kind}", str(len(pages)), *cells])
    text = (
        "<p>The thesis, on three job sites that are gone: records F .26, .63 and .97, items F .12, .27 and .62; a "
        "fourth failed.</p>"
    )
    return text + table(["", "pages", "records P", "R", "F", "items P", "R", "F"], rows)


def _counted_cells(parts: Sequence[Counts], pages: Sequence[str]) -> list[Cell | str]:
    """Return precision, recall and F-score of all counts together, with intervals over pages."""
    right = [part.right for part in parts]
    found, gold = [part.right + part.wrong for part in parts], [part.right + part.missing for part in parts]
    both = [a + b for a, b in zip(found, gold, strict=True)]
    doubled = [2 * number for number in right]
    return [share_cell(ratio_interval(own, of, pages)) for own, of in ((right, found), (right, gold), (doubled, both))]


_SECTIONS: Mapping[str, Callable[[Json], str]] = {
    "records": _records,
    "matrix": _matrix,
    "table2": _table2,
    "margins": _margins,
    "speed": _speed,
    "text": _text,
    "rendered": _records,
    "records-unseen": _records,
    "text-unseen": _text,
    "values": _values,
    "area": area_section,
    "ablation": lambda document: area_section(document) + sweep_section(document),
    "survival": survival_section,
    "edrew": edrew_section,
    "gstm": gstm_section,
    "paging": paging_section,
    "items": items_section,
    "items-swde": items_section,
    "lists": lists_section,
    "cells": cells_section,
    "wrappers": wrappers_section,
    "drift": drift_section,
    "table": tables_section,
    "table-unseen": tables_section,
}
