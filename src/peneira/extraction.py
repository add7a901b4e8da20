"""The front door: a page in, an ``Extraction`` out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from peneira.columns.builder import ColumnBuilder
from peneira.limits import DEFAULT_LIMITS, Cut, Limits
from peneira.methods import DEFAULT_METHOD, Method
from peneira.methods import method as method_named
from peneira.methods.findings import Findings
from peneira.page import Page
from peneira.result import Extraction, Reason, Region, Regions, Verdict
from peneira.sources.html import read_page
from peneira.texts.page_type import verdict_without_list

if TYPE_CHECKING:
    from peneira.rendering import Render, Renderer
    from peneira.sources.browser import Browser

MAX_REGIONS = 20


def extract(
    source: bytes | str | Path | Page,
    *,
    url: str | None = None,
    method: str | Method = DEFAULT_METHOD,
    limits: Limits = DEFAULT_LIMITS,
    render: Render = "never",
    browser: Browser | None = None,
) -> Extraction:
    """Return the lists of records of a page: HTML bytes, HTML text, a file or a ``Page``.

    ``url`` makes links absolute. Nothing is fetched. A page beyond ``limits`` gives a result with status "partial".
    ``render``: whether a browser shows the page first, "auto" where it is a shell that scripts fill. For the page at a
    URL, give what ``Browser.open`` returns; a page that a browser has shown is not shown again.
    """
    chosen = method_named(method) if isinstance(method, str) else method
    clock = Clock(limits)
    if render == "never" or (isinstance(source, Page) and source.layout is not None):
        return extracted(read_page(source, url=url, limits=limits), chosen, clock)
    from peneira.rendering import Renderer

    return _rendered(source, url, chosen, Renderer(render, limits=limits, browser=browser))


def _rendered(source: bytes | str | Path | Page, url: str | None, method: Method, renderer: Renderer) -> Extraction:
    from peneira.rendering import Source

    clock = Clock(renderer.limits)
    sent = Source(
        url, lambda: read_page(source, url=url, limits=renderer.limits), lambda browser: browser.read(source, url=url)
    )
    with renderer:
        return renderer.extraction(
            sent,
            # the clock is for reading: the time that a browser takes has a limit of its own
            lambda page: extracted(page, method, clock if page.layout is None else Clock(renderer.limits)),
            needs_boxes=method.needs_boxes,
        )


class Clock:
    """Says before each step whether there is time left for it; what is left out for want of time is a cut."""

    def __init__(self, limits: Limits) -> None:
        self._allowed, self._deadline = limits.seconds, monotonic() + limits.seconds
        self.cuts: list[Cut] = []

    def allows(self, left_out: str) -> bool:
        """Tell whether there is time left; if not, note what was left out."""
        if monotonic() <= self._deadline:
            return True
        self.cuts.append(Cut("seconds", self._allowed, left_out))
        return False


def extracted(page: Page, chosen: Method, clock: Clock | None = None) -> Extraction:
    """Return the lists of records of a page that is read already, as far as there is time."""
    clock = clock or Clock(DEFAULT_LIMITS)
    found = chosen.findings(page) if len(page) and clock.allows("lists were not looked for") else Findings([])
    lists = found.regions[:MAX_REGIONS]
    is_list = bool(lists) and lists[0].confidence >= chosen.min_confidence
    regions: Sequence[Region] = tuple(lists)
    if lists and clock.allows("the columns of the lists were not filled in"):
        columns = ColumnBuilder(page)
        regions = Regions(lists, lambda region: region if region.columns else columns.fill(region))
    verdict: Verdict = "list"
    why: Reason | None = None
    if not is_list:
        verdict, why = verdict_without_list(page)
    return Extraction(
        verdict=verdict,
        regions=regions,
        main=regions[0] if is_list else None,
        method=chosen.name,
        url=page.url,
        cuts=(*page.cuts, *found.cuts, *clock.cuts),
        reasons=_reasons(lists, chosen, why),
    )


def _reasons(regions: Sequence[Region], method: Method, why: Reason | None) -> tuple[Reason, ...]:
    """Return why there is no list, or why this one is the main list and by how much it leads."""
    if why is not None:
        believed = (
            f"the best of {len(regions)} lists has a confidence of {regions[0].confidence:.2f}" if regions else ""
        )
        doubt = (
            f"{believed}; a main list needs {method.min_confidence:.2f}" if regions else "nothing that has text repeats"
        )
        return (why, Reason("no list", doubt, regions[0].confidence if regions else None))
    reasons = list(regions[0].reasons)
    if len(regions) > 1:
        margin = regions[0].confidence - regions[1].confidence
        runner_up = f"the next list, {len(regions[1].records)} records at {regions[1].xpath}, is behind by {margin:.2f}"
        reasons.append(Reason("margin", runner_up, round(margin, 4)))
    return tuple(reasons)
