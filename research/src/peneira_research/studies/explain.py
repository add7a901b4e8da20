"""One page under the lens: which anchor went to which record, what was missed, what is wrong and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.table import Table

from peneira.extraction import extract
from peneira.result import Extraction, Region
from peneira.sources.html import read_page
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.scores.record_score import (
    MAX_ANCHORS_HELD,
    WHOLE_SHARE,
    Matching,
    Score,
    match,
    page_text,
    record_size,
    score,
    squeeze,
)

# The first lists, and the one of best score wherever it stands
REGIONS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """One record and its anchor, or an anchor that no record has. ``fault`` is "" where all is well."""

    number: int | None
    record: str
    anchor: str
    fault: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """The outcome of one method on one page, record by record.

    ``scores`` has one for each list that was returned, to tell a wrong choice from a wrong cut; none without anchors.
    """

    page: GoldPage
    result: Extraction
    scores: tuple[Score, ...]
    findings: tuple[Finding, ...]


def explain(gold: GoldPage, method: str) -> Explanation:
    """Return what the method made of the page, held against the gold."""
    page = read_page(gold.body())
    result = extract(page, method=method)
    records = _texts(result.main) if result.main else []
    if not gold.anchors:
        shown = tuple(Finding(number, record, "", "") for number, record in enumerate(records, start=1))
        return Explanation(gold, result, (), shown)
    text = page_text(page)
    found = tuple(_findings(records, gold.anchors, record_size(gold.anchors, text)))
    scores = tuple(score(_texts(region), gold.anchors, text) for region in result.regions)
    return Explanation(gold, result, scores, found)


def _texts(region: Region) -> list[str]:
    return [record.text for record in region.records]


def _findings(records: Sequence[str], anchors: Sequence[str], size: float | None) -> Iterator[Finding]:
    matching = match(records, anchors)
    for i, record in enumerate(records):
        paired = matching.paired.get(i)
        fault = _fault(i, matching, anchors) or _shortness(record, size)
        yield Finding(i + 1, record, "" if paired is None else anchors[paired], fault)
    right = {matching.paired[i] for i in matching.right}
    for anchor, text in enumerate(anchors):
        if anchor not in right:
            yield Finding(None, "", text, _absence(anchor, matching))


def _fault(record: int, matching: Matching, anchors: Sequence[str]) -> str:
    held = matching.held[record]
    if record in matching.right:
        return ""
    if not held:
        return "no anchor"
    if len(held) > MAX_ANCHORS_HELD:
        return f"{len(held)} anchors"
    paired = matching.paired.get(record)
    if paired is None:
        return f"its anchor went to another record: {anchors[held[0]]}"
    lone = [anchor for anchor in held if sum(anchor in others for others in matching.held) == 1]
    return f"{len(held)} anchors, also: {'; '.join(anchors[anchor] for anchor in lone if anchor != paired)}"


def _shortness(record: str, size: float | None) -> str:
    chars = len(squeeze(record))
    if size is None or chars >= WHOLE_SHARE * size:
        return ""
    return f"incomplete: {chars} characters, {size:.0f} from anchor to anchor"


def _absence(anchor: int, matching: Matching) -> str:
    holders = [str(record + 1) for record, held in enumerate(matching.held) if anchor in held]
    return f"missed: only in record {', '.join(holders)}" if holders else "missed: in no record"


def show(explanation: Explanation, console: Console) -> None:
    """Print an explanation, texts shortened to the width of the console."""
    page, result = explanation.page, explanation.result
    console.print(f"{page.id}: corpus {page.corpus}, site {page.site}, method {result.method}")
    gold = "no list" if page.is_negative else f"{len(page.anchors or ())} anchors, {page.expected} expected"
    console.print(f"gold: {gold}{', partial' if page.is_partial else ''}{f', {page.layout}' if page.layout else ''}")
    console.print(f"verdict: {result.verdict}, {result.status}")
    for reason in result.reasons:
        console.print(f"why: {reason}", no_wrap=True, overflow="ellipsis")
    if explanation.scores:
        first = ", ".join(f"{name} {value:.4f}" for name, value in asdict(explanation.scores[0]).items())
        console.print(f"main: {first}")
    console.print(_regions_table(explanation))
    console.print(_findings_table(explanation.findings))


def _regions_table(explanation: Explanation) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("list", "f1", "records", "confidence"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("xpath", overflow="fold")
    f1 = [points.f1 for points in explanation.scores]
    best = f1.index(max(f1)) if f1 else 0
    for i, region in enumerate(explanation.result.regions):
        if i < REGIONS_SHOWN or i == best:
            cells = (f"{f1[i]:.4f}" if f1 else "", str(len(region.records)), f"{region.confidence:.2f}")
            table.add_row(str(i + 1), *cells, region.xpath)
    return table


def _findings_table(findings: Sequence[Finding]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", expand=True)
    table.add_column("#", justify="right")
    for name, share in (("record", 3), ("anchor", 2), ("fault", 2)):
        table.add_column(name, ratio=share, no_wrap=True, overflow="ellipsis")
    for row in findings:
        table.add_row(str(row.number or ""), row.record, row.anchor, row.fault)
    return table
