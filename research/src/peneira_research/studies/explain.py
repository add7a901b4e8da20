"""One page in detail: which record has which anchor, which anchors are missed, what is wrong and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from peneira.extraction import extract
from peneira.result import Extraction, Region
from peneira.sources.html import read_page
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.scores.record_score import (
    COMPLETE_SHARE,
    MAX_ANCHORS_HELD,
    Matching,
    Score,
    match,
    record_size,
    score,
)
from peneira_research.squeezed_text import page_text, squeeze


@dataclass(frozen=True, slots=True)
class Finding:
    """A record and its anchor, or an anchor that no record has. ``fault`` is "" for a right record."""

    number: int | None
    record: str
    anchor: str
    fault: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """The outcome of one method on one page, record by record.

    ``scores`` has the score of each returned list, to distinguish a wrong choice from wrong records; empty without
    anchors.
    """

    page: GoldPage
    result: Extraction
    scores: tuple[Score, ...]
    findings: tuple[Finding, ...]


def explain(gold: GoldPage, method: str) -> Explanation:
    """Return the comparison of the method's records with the gold."""
    page = read_page(gold.body())
    result = extract(page, method=method)
    records = _texts(result.main) if result.main else []
    if not gold.anchors:
        unscored = tuple(Finding(number, record, "", "") for number, record in enumerate(records, start=1))
        return Explanation(gold, result, (), unscored)
    text = page_text(page)
    findings = tuple(_findings(records, gold.anchors, record_size(gold.anchors, text)))
    scores = tuple(score(_texts(region), gold.anchors, text) for region in result.regions)
    return Explanation(gold, result, scores, findings)


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
    only_here = [anchor for anchor in held if sum(anchor in others for others in matching.held) == 1]
    return f"{len(held)} anchors, also: {'; '.join(anchors[anchor] for anchor in only_here if anchor != paired)}"


def _shortness(record: str, size: float | None) -> str:
    chars = len(squeeze(record))
    if size is None or chars >= COMPLETE_SHARE * size:
        return ""
    return f"incomplete: {chars} characters, {size:.0f} from anchor to anchor"


def _absence(anchor: int, matching: Matching) -> str:
    holders = [str(record + 1) for record, held in enumerate(matching.held) if anchor in held]
    return f"missed: only in record {', '.join(holders)}" if holders else "missed: in no record"
