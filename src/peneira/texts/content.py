"""The front door for single entities: which texts of a page are its content."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar, overload

import numpy as np

from peneira.limits import DEFAULT_LIMITS, Limits
from peneira.page import Page
from peneira.sources.html import read_page
from peneira.texts.content_model import DEFAULT_MODEL, THRESHOLD, ModelName, probabilities
from peneira.texts.site_pages import SitePages
from peneira.texts.text_features import Numbers, PageTexts, collapsed

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
    models: Path | None = None,
    min_probability: float = THRESHOLD,
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
    models: Path | None = None,
    min_probability: float = THRESHOLD,
    limits: Limits = DEFAULT_LIMITS,
) -> Built: ...


def content(
    source: Source,
    builder: Callable[[list[Content]], Built] | None = None,
    site_pages: Sequence[Source] | None = None,
    *,
    url: str | None = None,
    model: ModelName = DEFAULT_MODEL,
    models: Path | None = None,
    min_probability: float = THRESHOLD,
    limits: Limits = DEFAULT_LIMITS,
) -> list[Content] | Built:
    """Return the contents of a page in document order, or what ``builder`` makes of them.

    ``site_pages`` are other pages of the same site: what stands on all of them is template. ``min_probability`` 0
    returns every text of the page. ``model`` is "light" or "edrew"; the latter knows tag paths alone.
    ``models`` is a folder that ``peneira train content`` filled; without one the shipped models are asked.
    """
    page = read_page(source, url=url, limits=limits)
    site = SitePages([read_page(other, limits=limits) for other in site_pages]) if site_pages else None
    texts = PageTexts(page)
    found = contents_of(texts, probabilities(texts, site, model, models), min_probability)
    return found if builder is None else builder(found)


def contents_of(texts: PageTexts, chance: Numbers, min_probability: float) -> list[Content]:
    """Return the contents that reach the probability; each text has that of its content."""
    page, rows = texts.page, texts.rows
    if not len(rows):
        return []
    holder, run = texts.runs
    starts = np.flatnonzero(np.diff(run, prepend=-1))
    ends = np.append(starts[1:], len(rows))
    below = texts.sums.texts[page.end[holder[starts]]] - texts.sums.texts[holder[starts]]
    is_whole = below == ends - starts
    address = cache(page.xpath)  # many contents stand in one block
    found = []
    for k in np.flatnonzero(chance[starts] >= min_probability).tolist():
        start, end = int(starts[k]), int(ends[k])
        place = address(int(holder[start] if is_whole[k] else rows[start]))
        block = address(int(texts.blocks[start]))
        found.append(Content(_joined(texts, start, end), place, round(float(chance[start]), 4), block))
    return found


def _joined(texts: PageTexts, start: int, end: int) -> str:
    """Return the texts from ``start`` to ``end`` as a reader sees them: apart only where the page has white space."""
    if end == start + 1:
        return texts.words[start]
    page, rows = texts.page, texts.rows[start:end].tolist()
    return collapsed("".join(" " * page.spaced[row] + page.text[row] for row in rows))
