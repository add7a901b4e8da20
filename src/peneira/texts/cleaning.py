"""``peneira.clean`` and ``peneira.segment``: a page without its noise, and the regions of a page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

import numpy as np

from peneira.budget import Budget
from peneira.collection_pause import paused_collection
from peneira.errors import ArgumentError
from peneira.limits import DEFAULT_LIMITS, Cut, LimitedText, Limits
from peneira.markup import serialise
from peneira.page import Flags, Page
from peneira.sources.html import read_page
from peneira.texts.blocks import PageBlock, segment_page
from peneira.texts.cleaned_rows import cleaned_rows
from peneira.texts.content_share import is_content
from peneira.texts.inert_page import inert_page
from peneira.texts.tps import MIN_DIFFERENCE, Margin, MarginOf, Variant, filtered_rows


def clean(
    source: bytes | str | Path | Page,
    *,
    url: str | None = None,
    faithful: Variant | None = None,
    margin: float = MIN_DIFFERENCE,
    margin_of: MarginOf = "sequence",
    complement: bool = False,
    inert: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> LimitedText:
    """Return the page without its noise as a complete document: its head, its content and what holds it.

    The text has ``cuts`` and ``status``, as an ``Extraction`` has. ``inert``: only text, structure, pictures and plain
    links are left, nothing that runs, loads a document or sends something (``peneira.texts.inert_page``).
    ``faithful`` runs a variant of the published tag path filter instead (``peneira.texts.tps``). With it, ``margin`` is
    the share of the sequence, or of the rest, by which the parts of a split must differ, and ``complement`` keeps the
    rest of the page where the region found is noise (Algorithm 6).
    """
    filtering = Filtering(faithful, margin, complement, margin_of)
    with Budget(limits).running(), paused_collection():
        cleaned = cleaned_page(read_page(source, url=url, limits=limits), filtering, inert=inert)
    return LimitedText(cleaned.html, cleaned.cuts)


@dataclass(frozen=True, slots=True)
class Filtering:
    """How a page is cleaned: by the content decision, or by a variant of the published filter with its options."""

    faithful: Variant | None = None
    margin: float = MIN_DIFFERENCE
    complement: bool = False
    margin_of: MarginOf = "sequence"

    def __post_init__(self) -> None:
        if self.faithful not in (None, *get_args(Variant)):
            variants = ", ".join(get_args(Variant))
            raise ArgumentError(f"faithful={self.faithful!r} is not a variant; write one of {variants}")
        if not 0 <= self.margin < 1:
            raise ArgumentError(f"margin={self.margin!r} is not a share from 0 to below 1")
        if self.margin_of not in get_args(MarginOf):
            raise ArgumentError(
                f"margin_of={self.margin_of!r} is not known; write one of {', '.join(get_args(MarginOf))}"
            )
        if self.faithful is None and (self.complement or self.margin != MIN_DIFFERENCE or self.margin_of != "sequence"):
            raise ArgumentError("margin and complement are options of the published filter: give faithful too")


OWN_FILTERING = Filtering()


@dataclass(frozen=True, slots=True)
class CleanedPage:
    """A page without its noise: as HTML, which of its rows were kept, and the limits that were hit."""

    html: str
    keep: Flags
    cuts: tuple[Cut, ...]


def cleaned_page(page: Page, filtering: Filtering = OWN_FILTERING, *, inert: bool = False) -> CleanedPage:
    """Return the page without its noise; where a limit is hit before the noise is found, the whole page."""
    budget = Budget(DEFAULT_LIMITS)
    everything = np.ones(len(page), dtype=np.bool_)
    if not len(page):
        return CleanedPage("", everything, page.cuts)
    keep = budget.attempt(lambda: kept_rows(page, filtering), everything, "the noise of the page was not pruned")
    if inert:
        whole = inert_page(page, keep)
        html = whole.html() if len(whole) else ""
    else:
        html = pruned_html(page, keep)
    return CleanedPage(html, keep, (*page.cuts, *budget.cuts))


def pruned_html(page: Page, keep: Flags) -> str:
    """Return the document with only the rows in ``keep``, which must include the ancestors of every kept row."""
    return serialise(page, 0, doctype=page.doctype, keep=keep)


def kept_rows(page: Page, filtering: Filtering = OWN_FILTERING) -> Flags:
    """Return the rows that cleaning keeps: all rows outside the body, and the content rows of the body."""
    if filtering.faithful:
        check = is_content if filtering.complement else None
        margin = Margin(filtering.margin, filtering.margin_of)
        keep = filtered_rows(page, filtering.faithful, margin=margin, is_content=check)
    else:
        keep = cleaned_rows(page)
    keep[: page.body] = True
    keep[int(page.end[page.body]) :] = True
    return keep


def segment(source: bytes | str | Path | Page, *, url: str | None = None, limits: Limits = DEFAULT_LIMITS) -> PageBlock:
    """Return the regions of a page as a tree of blocks; the root has the ``cuts`` of the page."""
    budget = Budget(limits)
    with budget.running(), paused_collection():
        page = read_page(source, url=url, limits=limits)
        whole = PageBlock(0, len(page), "page", 1.0, cuts=page.cuts)
        tree = budget.attempt(lambda: segment_page(page), whole, "the page was not divided")
    return replace(tree, cuts=(*tree.cuts, *budget.cuts))
