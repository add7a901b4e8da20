"""``peneira.content``: the texts of a page that are its content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from peneira.budget import Budget, spend
from peneira.collection_pause import paused_collection
from peneira.errors import ArgumentError, LimitExceeded
from peneira.limits import DEFAULT_LIMITS, LimitedList, Limits
from peneira.ml.forest import Numbers
from peneira.page import Page
from peneira.preview import shortened
from peneira.sources.html import read_page
from peneira.texts.content_model import DEFAULT_MODEL, ModelName, calibrated_probabilities
from peneira.texts.page_texts import PageTexts, collapse_whitespace
from peneira.texts.site_pages import SitePages
from peneira.texts.text_blocks import TextBlocks

Source = bytes | str | Path | Page
# The features of more texts would not fit into a gigabyte
MAX_TEXTS = 150_000
# What one content is: a whole block of text, or a run of text nodes
Unit = Literal["block", "node"]


@dataclass(frozen=True, slots=True, repr=False)
class Content:
    """A block or a run of text that is content, such as a title, a price or a paragraph.

    ``xpath`` is that of the element if this is its whole text, else that of its first text node. ``block`` is the XPath
    of the paragraph, cell or other block that contains it.
    """

    text: str
    xpath: str
    probability: float
    block: str

    def __repr__(self) -> str:
        return f"<Content {self.probability:.2f} {shortened(self.text, 60)!r}>"


def content(
    source: Source,
    *,
    site_pages: Sequence[Source] = (),
    url: str | None = None,
    model: ModelName = DEFAULT_MODEL,
    models: Path | None = None,
    min_probability: float | None = None,
    by: Unit = "block",
    limits: Limits = DEFAULT_LIMITS,
) -> LimitedList[Content]:
    """Return the content of a page in document order. The list has ``cuts`` and ``status``, as an ``Extraction`` has.

    ``by="block"`` joins the texts of one paragraph, cell or item, whose probability is their mean by length;
    ``by="node"`` gives the runs of text as the models see them, of which formatting does not end one, but links do.
    ``site_pages`` are other pages of the same site: texts that all of them have are template. ``min_probability``:
    None for the threshold of the model; with 0 every text of the page is returned. ``model`` is "light" or "edrew"; the
    latter uses tag paths alone, and its probabilities are not calibrated. ``models`` is a folder that ``peneira train
    content`` wrote; without one the shipped models are used.
    """
    if isinstance(site_pages, bytes | str | Path | Page):
        raise ArgumentError("site_pages takes a list of pages: write site_pages=[page1, page2]")
    if min_probability is not None and not 0 <= min_probability <= 1:
        raise ArgumentError(f"min_probability={min_probability!r} is not a probability from 0 to 1")
    if by not in get_args(Unit):
        raise ArgumentError(f"by={by!r} is not a unit; write one of {', '.join(get_args(Unit))}")
    budget = Budget(limits)

    def found(page: Page) -> list[Content]:
        site = SitePages([read_page(other, limits=limits) for other in site_pages]) if site_pages else None
        texts = PageTexts(page)
        if len(texts.rows) > MAX_TEXTS:
            raise LimitExceeded("texts", MAX_TEXTS)
        probability, threshold = calibrated_probabilities(texts, site, model, models)
        least = threshold if min_probability is None else min_probability
        return (content_blocks if by == "block" else content_runs)(texts, probability, least)

    with budget.running(), paused_collection():
        page = read_page(source, url=url, limits=limits)
        contents: list[Content] = budget.attempt(lambda: found(page), [], "the content was not looked for")
    return LimitedList(contents, (*page.cuts, *budget.cuts))


def content_blocks(texts: PageTexts, probability: Numbers, min_probability: float) -> list[Content]:
    """Return the blocks of text with at least the minimum probability. Choices of controls are in no block."""
    page, blocks = texts.page, TextBlocks(texts.page, texts)
    if not len(blocks):
        return []
    own = np.searchsorted(texts.rows, blocks.text_rows)
    lengths = texts.lengths[own].astype(np.float64)
    means = np.bincount(blocks.block_of, probability[own] * lengths) / np.bincount(blocks.block_of, lengths)
    counts = np.bincount(blocks.block_of)
    inside = texts.sums.texts[page.end[blocks.blocks]] - texts.sums.texts[blocks.blocks]
    contents = []
    kept = np.flatnonzero(means >= min_probability)
    columns = (kept, blocks.blocks[kept], blocks.rows[kept], (inside == counts)[kept], means[kept])
    for k, element, row, is_whole, mean in zip(*(column.tolist() for column in columns), strict=True):
        block = page.xpath(element)
        xpath = block if is_whole else page.xpath(row)
        spend("output_bytes", len(blocks.strings[k]) + len(xpath) + len(block))
        contents.append(Content(blocks.strings[k], xpath, round(mean, 4), block))
    return contents


def content_runs(texts: PageTexts, probability: Numbers, min_probability: float) -> list[Content]:
    """Return the runs of text with at least the minimum probability; all texts of a run have the same probability."""
    page, rows = texts.page, texts.rows
    if not len(rows):
        return []
    element, run = texts.runs
    starts = np.flatnonzero(np.diff(run, prepend=-1))
    ends = np.append(starts[1:], len(rows))
    texts_inside = texts.sums.texts[page.end[element[starts]]] - texts.sums.texts[element[starts]]
    is_whole = texts_inside == ends - starts
    xpath_of = cache(page.xpath)  # many runs are in the same block
    contents = []
    for k in np.flatnonzero(probability[starts] >= min_probability).tolist():
        start, end = int(starts[k]), int(ends[k])
        xpath = xpath_of(int(element[start] if is_whole[k] else rows[start]))
        block = xpath_of(int(texts.blocks[start]))
        text = _joined(texts, start, end)
        spend("output_bytes", len(text) + len(xpath) + len(block))
        contents.append(Content(text, xpath, round(float(probability[start]), 4), block))
    return contents


def _joined(texts: PageTexts, start: int, end: int) -> str:
    """Return the texts ``start:end`` joined as a reader sees them, with spaces only where the page has white space."""
    if end == start + 1:
        return texts.strings[start]
    page, rows = texts.page, texts.rows[start:end].tolist()
    return collapse_whitespace("".join(" " * page.spaced[row] + page.text[row] for row in rows))
