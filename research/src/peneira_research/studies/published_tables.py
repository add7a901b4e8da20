"""The published tables of the tag path filter, with our measurements beside them, site by site.

Velloso 2014, Tables 2 and 3; Velloso and Dorneles 2013, Table I. MDR runs on the raw page and on what each filter
keeps of it; a record is a target if it is right by the page's anchors. On a page whose records are images without any
text (Tiffany) there are no anchors: its main region is MDR's largest region of such records, and as many of them as
the publication counts are targets.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from peneira.methods.mdr import find_regions, record_texts
from peneira.ml.forest import Numbers
from peneira.page import Flags, Page
from peneira.result import Region
from peneira.sources.html import read_page
from peneira.texts.content_share import is_content
from peneira.texts.region_filter import content_rows
from peneira.texts.tps import DEFAULT_MARGIN, VARIANTS, Margin, filtered_rows, search_steps, tag_path_sequence
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.scores.cleaning_score import MIN_ANCHORS, kept_anchors, scorer_of
from peneira_research.scores.record_score import match
from peneira_research.scores.resampling import Difference, Interval, difference, interval

OURS = "ours"
FILTERS = (*VARIANTS, OURS)
# A share of nodes agrees with the published one within this
MAX_DIFFERENCE = 0.05


@dataclass(frozen=True, slots=True)
class RecordCount:
    """The number of MDR's records, and how many of them are targets."""

    total: int
    target: int


@dataclass(frozen=True, slots=True)
class Filtered:
    """What a filter keeps: nodes, MDR's records, and whether the main region is kept.

    ``splits``: how often the sequence was split; None for our filter.
    """

    nodes: int
    records: RecordCount
    is_main_kept: bool
    splits: int | None = None


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


@dataclass(frozen=True, slots=True)
class FilterOptions:
    """The options of the published filter: its margin, and whether noise is replaced by the rest (Algorithm 6)."""

    margin: Margin = DEFAULT_MARGIN
    complement: bool = False


DEFAULT_OPTIONS = FilterOptions()


def site_row(
    thesis: Mapping[str, Any],
    gold: GoldPage,
    scores: Mapping[str, Numbers] | None = None,
    options: FilterOptions = DEFAULT_OPTIONS,
) -> SiteRow:
    """Return the row of one site; ``scores`` by page replace those of the shipped model."""
    page = read_page(gold.body())
    targets = _Targets(page, gold)
    check = is_content if options.complement else None
    filtered: dict[str, Filtered] = {}
    for variant, rules in VARIANTS.items():
        keep = filtered_rows(page, variant, margin=options.margin, is_content=check)
        symbols = tag_path_sequence(page, rules.style).symbols
        splits = len(search_steps(symbols, margin=options.margin, variant=variant)) - 1
        filtered[variant] = Filtered(_nodes(page, keep), targets.count(keep), targets.are_kept(keep), splits)
    keep = content_rows(page, scorer_of(scores, gold.id))
    filtered[OURS] = Filtered(_nodes(page, keep), targets.count(keep), targets.are_kept(keep))
    paper = {entry["page"]: entry for entry in published()["paper"]["rows"]}
    return SiteRow(
        thesis["page"],
        thesis["site"],
        thesis,
        paper.get(thesis["page"]),
        _nodes(page, np.ones(len(page), dtype=np.bool_)),
        targets.number,
        targets.count(None),
        filtered,
    )


def _nodes(page: Page, keep: Flags) -> int:
    body = slice(page.body, int(page.end[page.body]))
    return int((keep[body] & ~page.silent[body]).sum())


class _Targets:
    """The true records of a page: by their anchors, or as rows where they are images without any text."""

    def __init__(self, page: Page, gold: GoldPage) -> None:
        self.page, self.anchors = page, gold.anchors or ()
        self.images = None if self.anchors else _image_rows(page)
        self.number = len(self.anchors) or gold.expected or 0

    def are_kept(self, keep: Flags) -> bool:
        """Return whether the main region is still in the page."""
        if self.images is None:
            return kept_anchors(self.page, self.anchors, keep) >= MIN_ANCHORS
        return bool(keep[self.images].mean() >= MIN_ANCHORS) if self.images.any() else False

    def count(self, keep: Flags | None) -> RecordCount:
        """Return MDR's records on what is kept of the page."""
        texts = record_texts(self.page, keep)
        if self.images is None:
            return RecordCount(len(texts), len(match(texts, self.anchors).right))
        return RecordCount(len(texts), self.number if keep is None or self.are_kept(keep) else 0)


def _image_rows(page: Page) -> Flags:
    """Return the rows of the images in MDR's largest region of records that have images and no text."""
    images = np.array([page.name(i) == "img" for i in range(len(page))])
    best = np.zeros(len(page), dtype=np.bool_)
    for region in find_regions(page):
        inside = _rows(page, region) & images
        if not any(record.text for record in region.records) and inside.sum() > best.sum():
            best = inside
    return best


def _rows(page: Page, region: Region) -> Flags:
    rows = np.zeros(len(page), dtype=np.bool_)
    for record in region.records:
        for start, end in record.ranges:
            rows[start:end] = True
    return rows


@dataclass(frozen=True, slots=True)
class Summary:
    """The averages of Table 2 or I, and a column of Table 3. Shares, 0..1.

    ``precision`` is the mean of target/total over the pages whose main region is kept, ``recall`` the share of those
    pages, ``f`` of the two: the thesis's way. ``precision_of_all`` is the mean over all pages, the ``pooled`` ones
    count all records of all pages together. ``near_thesis``, ``near_paper``: pages whose kept share is as published.
    """

    kept_pages: int
    pages: int
    cut: Interval
    noise_removed: Interval | None
    noise_removed_by_thesis: float
    precision: Interval | None
    precision_of_all: Interval
    recall: Interval
    f: float
    pooled_precision: float
    pooled_recall: float
    pooled_f: float
    near_thesis: int
    near_paper: int
    mean_splits: float | None
    median_splits: float | None


def summary(rows: Sequence[SiteRow], name: str | None) -> Summary:
    """Return the averages for one filter, or for MDR on raw pages."""
    counts = {row.page: row.filtered[name].records if name else row.raw for row in rows}
    kept = [row for row in rows if name is None or row.filtered[name].is_main_kept]
    shares = [(row, row.filtered[name].nodes / row.nodes if name else 1.0) for row in rows]
    splits = [row.filtered[name].splits for row in rows] if name else []
    known = [number for number in splits if number is not None]
    precision = _interval([_precision(counts[row.page]) for row in kept], kept)
    recall = len(kept) / len(rows)
    return Summary(
        kept_pages=len(kept),
        pages=len(rows),
        cut=_needed([1 - share for _, share in shares], rows),
        noise_removed=_interval([noise_removed(row.raw, counts[row.page]) for row in kept], kept),
        noise_removed_by_thesis=_mean([noise_removed(_published_count(row), counts[row.page]) for row in kept]),
        precision=precision,
        precision_of_all=_needed([_precision(counts[row.page]) for row in rows], rows),
        recall=_needed([float(row in kept) for row in rows], rows),
        f=_f(precision.mean if precision else 0.0, recall),
        pooled_precision=sum(count.target for count in counts.values()) / max(_total(counts), 1),
        pooled_recall=sum(count.target for count in counts.values()) / max(sum(row.gold for row in rows), 1),
        pooled_f=_pooled_f(rows, counts),
        near_thesis=sum(_is_near(share, row.thesis) for row, share in shares),
        near_paper=sum(_is_near(share, row.paper) for row, share in shares if row.paper),
        mean_splits=_mean(known) if known else None,
        median_splits=float(np.median(known)) if known else None,
    )


@dataclass(frozen=True, slots=True)
class Effect:
    """The hypothesis of the publications, "the filter removes noise without losing the main region", by page.

    Paired differences, filtered minus raw, of the share of targets among MDR's records (``precision``), of the targets
    found among those found raw (``recall``) and of the noise records as a share of those found raw (``noise``).
    """

    precision: Difference
    recall: Difference
    noise: Difference


def effect(rows: Sequence[SiteRow], name: str) -> Effect:
    """Return what a filter does to MDR's records, by a paired bootstrap over pages."""
    raw = [row.raw for row in rows]
    filtered = [row.filtered[name].records for row in rows]
    sites = [row.site for row in rows]

    def noise(count: RecordCount, of: RecordCount) -> float:
        return (count.total - count.target) / max(of.total - of.target, 1)

    def found(count: RecordCount, of: RecordCount) -> float:
        return min(count.target / of.target, 1.0) if of.target else 1.0

    pairs = list(zip(filtered, raw, strict=True))
    return Effect(
        difference([_precision(count) for count in filtered], [_precision(count) for count in raw], sites),
        difference([found(count, of) for count, of in pairs], [found(of, of) for of in raw], sites),
        difference([noise(count, of) for count, of in pairs], [noise(of, of) for of in raw], sites),
    )


@dataclass(frozen=True, slots=True)
class MarginPoint:
    """A variant at one margin: pages whose main region is kept, share of nodes cut, splits per page, agreement."""

    variant: str
    margin: Margin
    kept_pages: int
    pages: int
    kept: Interval
    cut: Interval
    splits: Interval
    near_thesis: int
    near_paper: int


SWEPT_MARGINS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6)


def margin_curve(
    entries: Sequence[Mapping[str, Any]], golds: Mapping[str, GoldPage], margins: Sequence[float] = SWEPT_MARGINS
) -> list[MarginPoint]:
    """Return how the filter behaves at each margin, by both readings of it."""
    papers = {entry["page"]: entry for entry in published()["paper"]["rows"]}
    pages = [(entry, read_page(golds[entry["page"]].body()), golds[entry["page"]]) for entry in entries]
    targets = [_Targets(page, gold) for _, page, gold in pages]
    points, sites = [], [gold.site for _, _, gold in pages]
    for variant, rules in VARIANTS.items():
        sequences = [tag_path_sequence(page, rules.style).symbols for _, page, _ in pages]
        for margin in (Margin(share, of) for of in ("sequence", "rest") for share in margins):
            keeps = [filtered_rows(page, variant, margin=margin) for _, page, _ in pages]
            shares = [
                _nodes(page, keep) / _nodes(page, keep | True) for (_, page, _), keep in zip(pages, keeps, strict=True)
            ]
            steps = [len(search_steps(symbols, margin=margin, variant=variant)) - 1 for symbols in sequences]
            named = list(zip(entries, shares, strict=True))
            kept = [target.are_kept(keep) for target, keep in zip(targets, keeps, strict=True)]
            points.append(
                MarginPoint(
                    variant,
                    margin,
                    sum(kept),
                    len(pages),
                    interval(kept, sites),
                    interval([1 - share for share in shares], sites),
                    interval(steps, sites),
                    sum(_is_near(share, entry) for entry, share in named),
                    sum(_is_near(share, papers[entry["page"]]) for entry, share in named if entry["page"] in papers),
                )
            )
    return points


def noise_removed(raw: RecordCount, filtered: RecordCount) -> float:
    """Return equation 4.1 of the thesis: the share removed of MDR's records that are no targets."""
    return 1 - (filtered.total - filtered.target) / max(raw.total - raw.target, 1)


def _precision(count: RecordCount) -> float:
    return count.target / max(count.total, 1)


def _f(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _pooled_f(rows: Sequence[SiteRow], counts: Mapping[str, RecordCount]) -> float:
    target = sum(count.target for count in counts.values())
    return 2 * target / max(_total(counts) + sum(row.gold for row in rows), 1)


def _total(counts: Mapping[str, RecordCount]) -> int:
    return sum(count.total for count in counts.values())


def _interval(values: Sequence[float], rows: Sequence[SiteRow]) -> Interval | None:
    return _needed(values, rows) if rows else None


def _needed(values: Sequence[float], rows: Sequence[SiteRow]) -> Interval:
    return interval(values, [row.site for row in rows])


def _published_count(row: SiteRow) -> RecordCount:
    return RecordCount(row.thesis["raw_total"], row.thesis["raw_target"])


def _is_near(share: float, entry: Mapping[str, Any]) -> bool:
    return bool(abs(share - entry["kept_nodes"] / entry["nodes"]) <= MAX_DIFFERENCE)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
