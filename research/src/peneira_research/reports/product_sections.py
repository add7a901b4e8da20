"""Sections of ``bench report`` on what the product does beside finding records: every share with its interval."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from statistics import fmean
from typing import Any

from peneira_research.reports.html_parts import Cell, folded, table
from peneira_research.reports.wrappers_report import VERDICTS
from peneira_research.scores.resampling import Interval, interval, ratio_interval
from peneira_research.studies.item_outcomes import NEWS, PUBLISHED
from peneira_research.studies.value_outcomes import VALUE_FIELDS

Json = dict[str, Any]


def share_cell(found: Interval | None) -> Cell:
    """Return a share with its interval as a cell."""
    return Cell(f"{found.mean:.3f}", found.mean, f"{found.low:.3f} to {found.high:.3f}") if found else Cell("")


def mean_cell(rows: Sequence[Json], *keys: str) -> Cell:
    """Return the mean of the value under these keys over the rows that have one, with its interval over sites."""
    known = [(float(value), row["site"]) for row in rows if (value := _value(row, keys)) is not None]
    return share_cell(interval([value for value, _ in known], [site for _, site in known])) if known else Cell("")


def _value(row: Any, keys: Sequence[str]) -> float | None:
    for key in keys:
        row = None if row is None else row.get(key)
    value: float | None = row
    return value


def printed(document: Json) -> str:
    """Return what the command printed: texts and tables."""
    parts = []
    for shown in document["printed"]:
        if isinstance(shown, str):
            parts.append(f"<p>{escape(shown)}</p>")
        else:
            parts.append(table(shown["head"], shown["rows"]))
    return "".join(parts)


def paging_section(document: Json) -> str:
    """Return how often the links to other pages are right."""
    rows: list[list[Cell | str]] = []
    for method in document["metrics"]:
        own = [row for row in document["pages"] if row["method"] == method]
        pooled = ratio_interval(
            [2 * row["common"] for row in own],
            [row["found"] + row["expected"] for row in own],
            [row["site"] for row in own],
        )
        shares = [mean_cell(own, key) for key in ("is_next_right", "is_previous_right", "f1")]
        rows.append([method, str(len(own)), *shares, share_cell(pooled)])
    cost = document.get("cost")
    text = ""
    if cost:
        text = f"<p>CPU time on top of <code>extract</code>: {cost['warm']:.2f} times parsing alone, "
        text += f"{cost['cold']:.2f} where all labels are new.</p>"
    note = "<p>autopager, where it is here, was trained on these pages.</p>"
    return note + table(["method", "pages", "next", "previous", "numbered F1", "all addresses F1"], rows) + text


def items_section(document: Json) -> str:
    """Return the fields of products, recipes, articles and of SWDE's pages; published figures beside products."""
    return _products(document["product pages"]) + _details(document["detail pages"]) + _swde(document["swde pages"])


def _products(pages: Sequence[Json]) -> str:
    if not pages:
        return ""
    rows: list[list[Cell | str]] = []
    sites = [page["site"] for page in pages]
    for name in pages[0]["right"]["peneira"]:
        for system in pages[0]["right"]:
            right, given, gold = zip(*(page["right"][system][name] for page in pages), strict=True)
            both = [a + b for a, b in zip(given, gold, strict=True)]
            shares = [ratio_interval(right, given, sites), ratio_interval(right, gold, sites)]
            cells = [*map(share_cell, shares), share_cell(ratio_interval([2 * part for part in right], both, sites))]
            published = [f"{scores[name]:.3f}" if name in scores else "" for scores in PUBLISHED.values()]
            rows.append(
                [f"{name}: {system}", str(sum(gold)), *cells, *(published if system == "peneira" else [""] * 3)]
            )
    head = ["", "gold", "precision", "recall", "F1", *(f"{name}, published F1" for name in PUBLISHED)]
    return f"<h3>Products: {len(pages)} pages; published: on all 140 pages</h3>" + table(head, rows)


def _details(pages: Sequence[Json]) -> str:
    rows: list[list[Cell | str]] = []
    for name, is_news in (("recipes", False), ("news", True)):
        own = [page for page in pages if (page["source"] == NEWS) is is_news]
        for field in dict.fromkeys(field for page in own for field in page["found"]):
            with_field = [page for page in own if field in page["found"]]
            cells = [mean_cell(with_field, key, field) for key in ("found", "word_f1")]
            rows.append([f"{name}: {field}", str(len(with_field)), *cells])
    head = ["", "pages", "gold values found, mean of pages", "F1 of words"]
    return f"<h3>Recipes and news: {len(pages)} pages</h3>" + table(head, rows) if pages else ""


def _swde(pages: Sequence[Json]) -> str:
    rows: list[list[Cell | str]] = []
    for vertical, name in dict.fromkeys((page["vertical"], name) for page in pages for name in page["any"]):
        cells = []
        for key, is_seen in (("own", True), ("own", False), ("any", True), ("any", False)):
            own = [page for page in pages if page["vertical"] == vertical and page["is_written_for"] is is_seen]
            cells.append(mean_cell(own, key, name))
        rows.append([f"{vertical}: {name}", VALUE_FIELDS.get(vertical, {}).get(name, ""), *cells])
    head = ["", "field", "in its field, sites in view", "others", "in any field, sites in view", "others"]
    return f"<h3>SWDE: {len(pages)} pages</h3>" + table(head, rows) if pages else ""


def wrappers_section(document: Json) -> str:
    """Return the mean F1 of wrappers of detail sites by vertical."""
    sites = [{**row, "mean": fmean(row["f1"].values()) if row["f1"] else 0.0} for row in document["sites"]]
    rows: list[list[Cell | str]] = []
    for vertical in (*dict.fromkeys(row["vertical"] for row in sites), "all"):
        own = [row for row in sites if vertical in (row["vertical"], "all")]
        rows.append([vertical, str(len(own)), mean_cell(own, "mean")])
    text = "<p>The mean F1 over the attributes of a site; intervals over sites.</p>"
    return text + table(["vertical", "sites", "F1"], rows)


def lists_section(document: Json) -> str:
    """Return the record F1 of wrappers on other pages of list sites, beside that of ``auto``."""
    keys = {"wrapper": "f1", "auto on each page": "default_f1", "wrapper, auto where it does not fit": "otherwise_f1"}
    rows: list[list[Cell | str]] = [
        [corpus, str(len(own)), *(mean_cell(own, key) for key in keys.values())]
        for corpus, own in _by_corpus(document["sites"])
    ]
    return table(["corpus", "sites", *keys], rows) + folded("As printed, with costs", printed(document))


def cells_section(document: Json) -> str:
    """Return the share of the cells and records of ``extract`` that wrappers give again."""
    rows: list[list[Cell | str]] = []
    for corpus, own in _by_corpus(document["sites"]):
        cells = [
            share_cell(
                ratio_interval(
                    [row[part][f"returned_{kind}"] for row in own],
                    [row[part][kind] for row in own],
                    [row["site"] for row in own],
                )
            )
            for part in ("own", "others", "fitting")
            for kind in ("cells", "records")
        ]
        rows.append([corpus, str(len(own)), *cells])
    head = [
        "corpus",
        "sites",
        "own page: cells",
        "records",
        "other pages: cells",
        "records",
        "that fit: cells",
        "records",
    ]
    return table(["corpus", "sites", *head], rows)


def drift_section(document: Json) -> str:
    """Return the verdicts on own, foreign and changed pages, and what is healed."""
    verdicts: list[list[Cell | str]] = []
    mutations: list[list[Cell | str]] = []
    for kind in ("detail", "list"):
        sites = document[kind]
        for whose in ("own", "foreign"):
            wholes = [sum(row[whose].values()) for row in sites]
            names = [row["site"] for row in sites]
            shares = [ratio_interval([row[whose].get(name, 0) for row in sites], wholes, names) for name in VERDICTS]
            if any(wholes):
                verdicts.append([f"{kind}, {whose} pages", str(sum(wholes)), *map(share_cell, shares)])
        for name in dict.fromkeys(name for row in sites for name in row["mutations"]):
            own = [{"site": row["site"], **row["mutations"][name]} for row in sites if name in row["mutations"]]
            healed = [row for row in own if row["accepted"]]
            cells = [mean_cell(part, "equal_share") for part in (healed, own)]
            mutations.append([f"{kind}, {name}", str(len(own)), mean_cell(own, "accepted"), *cells])
    head = ["pages with", "sites", "healed", "equal values of healed", "of all"]
    return table(["", "pages", *VERDICTS], verdicts) + "<h3>Changed pages</h3>" + table(head, mutations)


def tables_section(document: Json) -> str:
    """Return the shares of the table score by corpus; by field as it was printed."""
    keys = ("whole", "astray", "found", "found_all", "named", "redundant")
    rows: list[list[Cell | str]] = [
        [corpus, str(len(own)), *(mean_cell(own, key) for key in keys)] for corpus, own in _by_corpus(document["pages"])
    ]
    text = (
        "<p>Means of pages. whole: gold texts in the text of their record; astray: in the record beside it; found: "
        "gold values that are a cell of their own in a shown column; found_all: in any column; named: fields whose "
        "column has their role or name; redundant: columns that tell nothing new. The models have seen the pages "
        "unless the command says <code>--unseen</code>.</p>"
    )
    return text + table(["corpus", "pages", *keys], rows) + folded("Pooled, and by field", printed(document))


def _by_corpus(rows: Iterable[Mapping[str, Any]]) -> list[tuple[str, list[Json]]]:
    """Return the rows of each corpus, and all of them."""
    known = [dict(row) for row in rows]
    names = list(dict.fromkeys(row["corpus"] for row in known))
    return [(name, [row for row in known if name in (row["corpus"], "all")]) for name in (*names, "all")]
