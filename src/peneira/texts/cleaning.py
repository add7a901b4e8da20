"""``peneira.clean`` and ``peneira.segment``: a page without its noise, and the regions of a page."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from peneira.errors import ArgumentError
from peneira.limits import DEFAULT_LIMITS, LimitedText, Limits
from peneira.markup import serialise
from peneira.page import Flags, Page
from peneira.sources.html import read_page
from peneira.texts.blocks import PageBlock, segment_page
from peneira.texts.region_filter import content_rows
from peneira.texts.tps import Variant, filtered_rows


def clean(
    source: bytes | str | Path | Page,
    *,
    url: str | None = None,
    faithful: Variant | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> LimitedText:
    """Return the page without its noise as a complete document: its head, the main regions and their ancestors.

    The text has ``cuts`` and ``status``, as an ``Extraction`` has.
    ``faithful`` runs one of the two variants of the published tag path filter instead.
    """
    if faithful not in (None, *get_args(Variant)):
        raise ArgumentError(f"faithful={faithful!r} is not a variant; write one of {', '.join(get_args(Variant))}")
    page = read_page(source, url=url, limits=limits)
    return LimitedText(pruned_html(page, kept_rows(page, faithful)) if len(page) else "", page.cuts)


def pruned_html(page: Page, keep: Flags) -> str:
    """Return the document with only the rows in ``keep``, which must include the ancestors of every kept row."""
    return serialise(page, 0, doctype=page.doctype, keep=keep)


def kept_rows(page: Page, faithful: Variant | None = None) -> Flags:
    """Return the rows that cleaning keeps: all rows outside the body, and the content rows of the body."""
    keep = filtered_rows(page, faithful) if faithful else content_rows(page)
    keep[: page.body] = True
    keep[int(page.end[page.body]) :] = True
    return keep


def segment(source: bytes | str | Path | Page, *, url: str | None = None, limits: Limits = DEFAULT_LIMITS) -> PageBlock:
    """Return the regions of a page as a tree of blocks; the root has the ``cuts`` of the page."""
    return segment_page(read_page(source, url=url, limits=limits))
