"""The published tables of the tag path filter, with our measurements beside them, site by site.

Velloso 2014, Tables 2 and 3; Velloso and Dorneles 2013, Table I. MDR runs on the raw page and on what each filter
keeps of it; a record is a target if it is right by the page's anchors. Pages without anchors (images only) have none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from peneira.methods.mdr import record_texts
from peneira.ml.forest import Numbers
from peneira.page import Flags, Page
from peneira.sources.html import read_page
from peneira.texts.cleaning import Filtering, kept_rows
from peneira.texts.region_filter import content_rows
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.scores.cleaning_score import MIN_ANCHORS, kept_anchors, scorer_of
from peneira_research.scores.record_score import match

FILTERS = ("scan-on", "first-split", "ours")


@dataclass(frozen=True, slots=True)
class RecordCount:
    """The number of MDR's records, and how many of them are targets."""

    total: int
    target: int


@dataclass(frozen=True, slots=True)
class Filtered:
    """What a filter keeps: nodes, MDR's records, and whether the main region is kept (None without anchors)."""

    nodes: int
    records: RecordCount
    is_main_kept: bool | None


@dataclass(frozen=True, slots=True)
class SiteRow:
    """One site: the published results, and ours."""

    page: str
    site: str
    thesis: Mapping[str, Any]
    paper: Mapping[str, Any] | None
    nodes: int
    gold: int
    raw: RecordCount
    filtered: Mapping[str, Filtered]


@cache
def published() -> Mapping[str, Any]:
    """Return the published tables."""
    return json.loads((files("peneira_research") / "data" / "published.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def site_row(thesis: Mapping[str, Any], gold: GoldPage, scores: Mapping[str, Numbers] | None = None) -> SiteRow:
    """Return the row of one site; ``scores`` by page replace those of the shipped model."""
    page = read_page(gold.body())
    anchors = gold.anchors or ()
    kept = {
        "scan-on": kept_rows(page, Filtering("scan-on")),
        "first-split": kept_rows(page, Filtering("first-split")),
        "ours": content_rows(page, scorer_of(scores, gold.id)),
    }
    paper = {entry["page"]: entry for entry in published()["paper"]["rows"]}
    return SiteRow(
        thesis["page"],
        thesis["site"],
        thesis,
        paper.get(thesis["page"]),
        _nodes(page, np.ones(len(page), dtype=np.bool_)),
        len(anchors),
        _count(page, anchors, None),
        {name: _filtered(page, anchors, keep) for name, keep in kept.items()},
    )


def _nodes(page: Page, keep: Flags) -> int:
    body = slice(page.body, int(page.end[page.body]))
    return int((keep[body] & ~page.silent[body]).sum())


def _filtered(page: Page, anchors: Sequence[str], keep: Flags) -> Filtered:
    is_kept = kept_anchors(page, anchors, keep) >= MIN_ANCHORS if anchors else None
    return Filtered(_nodes(page, keep), _count(page, anchors, keep), is_kept)


def _count(page: Page, anchors: Sequence[str], keep: Flags | None) -> RecordCount:
    texts = record_texts(page, keep)
    return RecordCount(len(texts), len(match(texts, anchors).right) if anchors else 0)


@dataclass(frozen=True, slots=True)
class Summary:
    """A column of Table 3, and what else the tables average. Shares, 0..1.

    ``precision`` is the mean of target/total over the pages whose main region is kept, ``recall`` the share of those
    pages, ``f`` of the two: the thesis's way. ``pooled_f`` counts all records of all pages together.
    """

    kept_pages: int
    pages: int
    cut: float
    noise_removed: float
    noise_removed_by_thesis: float
    precision: float
    recall: float
    f: float
    pooled_f: float
    near_thesis: int
    near_paper: int


# A share of nodes agrees with the published one within this
MAX_DIFFERENCE = 0.05


def summary(rows: Sequence[SiteRow], name: str | None) -> Summary:
    """Return the averages for one filter, or for MDR on raw pages; pages without anchors count only for nodes."""
    anchored = [row for row in rows if row.gold]
    counts = {row.page: row.filtered[name].records if name else row.raw for row in anchored}
    kept = [row for row in anchored if name is None or row.filtered[name].is_main_kept]
    precision = _mean([counts[row.page].target / max(counts[row.page].total, 1) for row in kept])
    recall = len(kept) / max(len(anchored), 1)
    total = sum(count.total for count in counts.values())
    target = sum(count.target for count in counts.values())
    shares = [(row, row.filtered[name].nodes / row.nodes if name else 1.0) for row in rows]
    return Summary(
        kept_pages=len(kept),
        pages=len(anchored),
        cut=1 - _mean([share for _, share in shares]),
        noise_removed=_mean([noise_removed(row.raw, counts[row.page]) for row in kept]),
        noise_removed_by_thesis=_mean([noise_removed(_published_count(row), counts[row.page]) for row in kept]),
        precision=precision,
        recall=recall,
        f=2 * precision * recall / (precision + recall) if precision + recall else 0.0,
        pooled_f=2 * target / max(total + sum(row.gold for row in anchored), 1),
        near_thesis=sum(_is_near(share, row.thesis) for row, share in shares),
        near_paper=sum(_is_near(share, row.paper) for row, share in shares if row.paper),
    )


def noise_removed(raw: RecordCount, filtered: RecordCount) -> float:
    """Return equation 4.1 of the thesis: the share removed of MDR's records that are no targets."""
    return 1 - (filtered.total - filtered.target) / max(raw.total - raw.target, 1)


def _published_count(row: SiteRow) -> RecordCount:
    return RecordCount(row.thesis["raw_total"], row.thesis["raw_target"])


def _is_near(share: float, entry: Mapping[str, Any]) -> bool:
    return bool(abs(share - entry["kept_nodes"] / entry["nodes"]) <= MAX_DIFFERENCE)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
