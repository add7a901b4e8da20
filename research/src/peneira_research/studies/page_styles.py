"""How many pages of the corpora carry style, which decides what their boxes are worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from peneira.page import Page
from peneira.sources.html import read_page
from peneira_research.corpora.gold_pages import GoldPage


@dataclass(frozen=True, slots=True)
class StyleCounts:
    """Pages of a corpus, and how many of them carry style of their own or name a style sheet that was not saved."""

    corpus: str
    pages: int
    style_elements: int
    style_attributes: int
    either: int
    linked: int


def style_counts(pages: Sequence[GoldPage]) -> list[StyleCounts]:
    """Return how many pages of each corpus carry any style."""
    rows: dict[str, list[tuple[bool, bool, bool]]] = {}
    for gold in pages:
        rows.setdefault(gold.corpus, []).append(_styles(read_page(gold.body())))
    return [
        StyleCounts(
            corpus, len(found), sum(e for e, _, _ in found), sum(a for _, a, _ in found),
            sum(e or a for e, a, _ in found), sum(linked for _, _, linked in found),
        )
        for corpus, found in rows.items()
    ]  # fmt: skip


def _styles(page: Page) -> tuple[bool, bool, bool]:
    """Return whether a page has filled style elements, style attributes, and links to style sheets."""
    rows = range(len(page))
    elements = any(page.name(i) == "style" and int(page.end[i]) > i + 1 for i in rows)
    attributes = any(page.attrs[i].get("style", "").strip() for i in rows)
    linked = any(page.name(i) == "link" and "stylesheet" in page.attrs[i].get("rel", "").lower() for i in rows)
    return elements, attributes, linked
