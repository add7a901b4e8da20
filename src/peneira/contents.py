"""The front door for single entities: which texts of a page are its content."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar, overload

import numpy as np

from peneira.content.figures import Numbers, Texts
from peneira.content.judge import DEFAULT_MODEL, THRESHOLD, ModelName, probabilities
from peneira.content.site import SitePages
from peneira.limits import DEFAULT_LIMITS, Limits
from peneira.page import Page
from peneira.paths.retps import run_of
from peneira.sources.html import read_page

Built = TypeVar("Built")
Source = bytes | str | Path | Page


@dataclass(frozen=True, slots=True)
class Content:
    """A run of text that is content, such as a title, a price or a line of a paragraph.

    ``xpath`` is that of the element whose whole text it is, or of its first text node where the element holds more.
    ``block`` is the XPath of the paragraph, cell or other block that it stands in.
    """

    text: str
    xpath: str
    probability: float
    block: str


@overload
def content(
    source: Source,
    builder: None = None,
    site_pages: Sequence[Source] | None = None,
    *,
    url: str | None = None,
    model: ModelName = DEFAULT_MODEL,
    least_probability: float = THRESHOLD,
    limits: Limits = DEFAULT_LIMITS,
) -> list[Content]: ...


@overload
def content(
    source: Source,
    builder: Callable[[list[Content]], Built],
    site_pages: Sequence[Source] | None = None,
    *,
    url: str | None = None,
    model: ModelName = DEFAULT_MODEL,
    least_probability: float = THRESHOLD,
    limits: Limits = DEFAULT_LIMITS,
) -> Built: ...


def content(
    source: Source,
    builder: Callable[[list[Content]], Built] | None = None,
    site_pages: Sequence[Source] | None = None,
    *,
    url: str | None = None,
    model: ModelName = DEFAULT_MODEL,
    least_probability: float = THRESHOLD,
    limits: Limits = DEFAULT_LIMITS,
) -> list[Content] | Built:
    """Return the contents of a page in document order, or what ``builder`` makes of them.

    ``site_pages`` are other pages of the same site: what stands on all of them is template. ``least_probability`` 0
    returns every text of the page. ``model`` is "light" or "edrew"; the latter knows tag paths alone.
    """
    page = read_page(source, url=url, limits=limits)
    site = SitePages([read_page(other, limits=limits) for other in site_pages]) if site_pages else None
    texts = Texts(page)
    found = contents_of(texts, probabilities(texts, site, model), least_probability)
    return found if builder is None else builder(found)


def contents_of(texts: Texts, chance: Numbers, least_probability: float) -> list[Content]:
    """Return the contents that reach the probability; each text has that of its content."""
    page, rows = texts.page, texts.rows
    if not len(rows):
        return []
    holder, run = run_of(page, rows)
    starts = np.flatnonzero(np.diff(run, prepend=-1))
    ends = np.append(starts[1:], len(rows))
    found = []
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        if chance[start] >= least_probability:
            element, row = int(holder[start]), int(rows[start])
            text = " ".join(page.text_of(row, int(rows[end - 1]) + 1).split())
            is_whole = text == page.text_of(element)
            address = page.xpath(element if is_whole else row)
            block = page.xpath(int(texts.blocks[start]))
            found.append(Content(text, address, round(float(chance[start]), 4), block))
    return found
