"""The front door: a page in, an ``Extraction`` out."""

from __future__ import annotations

from pathlib import Path

from peneira.limits import DEFAULT_LIMITS, Limits
from peneira.methods import DEFAULT_METHOD
from peneira.methods import method as method_named
from peneira.methods.findings import Findings
from peneira.model import Extraction, Reason, Region, Verdict
from peneira.page import Page
from peneira.records.columns import with_columns
from peneira.sources.html import read_page

MOST_REGIONS = 20
# Text in blocks longer than this is prose
_PARAGRAPH_CHARS = 80
_ARTICLE_PARAGRAPHS = 3


def extract(
    source: bytes | str | Path | Page,
    *,
    url: str | None = None,
    method: str = DEFAULT_METHOD,
    limits: Limits = DEFAULT_LIMITS,
) -> Extraction:
    """Return the lists of records of a page: HTML bytes, HTML text, a file or a ``Page``.

    ``url`` makes links absolute. Nothing is fetched. A page beyond ``limits`` gives a result with status "partial".
    """
    chosen = method_named(method)
    page = read_page(source, url=url, limits=limits)
    found = chosen.findings(page) if len(page) else Findings([])
    regions = tuple(region if region.columns else with_columns(page, region) for region in found.regions[:MOST_REGIONS])
    main = regions[0] if regions else None
    return Extraction(
        verdict=_verdict(page, main),
        regions=regions,
        main=main,
        method=method,
        url=page.url,
        cuts=(*page.cuts, *found.cuts),
        reasons=_reasons(page, regions),
    )


def _verdict(page: Page, main: Region | None) -> Verdict:
    if main is not None:
        return "list"
    if not len(page) or not page.text_chars[page.body]:
        return "script-shell" if "script" in page.tag_names else "empty"
    paragraphs = sum(page.name(i) == "p" for i in (page.text_chars >= _PARAGRAPH_CHARS).nonzero()[0].tolist())
    return "article" if paragraphs >= _ARTICLE_PARAGRAPHS else "detail"


def _reasons(page: Page, regions: tuple[Region, ...]) -> tuple[Reason, ...]:
    if not regions:
        return (Reason("regions", f"no group of similar siblings among {len(page)} nodes"),)
    reasons = list(regions[0].reasons)
    if len(regions) > 1:
        margin = regions[0].confidence - regions[1].confidence
        runner_up = f"the next list, {len(regions[1].records)} records at {regions[1].xpath}, is behind by {margin:.2f}"
        reasons.append(Reason("margin", runner_up, round(margin, 4)))
    return tuple(reasons)
