"""The type of a page without a main list: article, detail, other, empty, blocked, or a shell that scripts fill."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from peneira.page import Page
from peneira.preview import counted
from peneira.reasons import Reason, ReasonCode
from peneira.result import PageType, Verdict
from peneira.texts.blocked_pages import blocked_reason
from peneira.texts.script_shell import script_shell_reason


@dataclass(frozen=True, slots=True)
class PageTypeOptions:
    """The thresholds of page types.

    With these, 57 of 60 news pages are articles, 15 of 60 recipes and 12 of 100 pages of SWDE; with a quarter of all
    text as prose instead of most of the content: 54, 51 and 21.
    """

    # text in a block of this length or more is prose
    min_paragraph_chars: int = 80
    # the content of an article is mostly prose, in several paragraphs
    min_article_paragraphs: int = 3
    min_article_share: float = 0.75


PAGE_TYPE_OPTIONS = PageTypeOptions()


def verdict_without_list(
    page: Page, page_types: Mapping[PageType, float] = MappingProxyType({})
) -> tuple[Verdict, Reason]:
    """Return the type of a page without a main list, and the reason.

    ``page_types``: how probable each type is, where that is known; else the page is an article or about one thing by
    how much of its content is prose.
    """
    if reason := blocked_reason(page):
        return "blocked", reason
    if reason := script_shell_reason(page):
        return "script-shell", reason
    if not _visible_text(page):
        return "empty", Reason(ReasonCode.EMPTY_PAGE, f"no visible text among {len(page)} nodes")
    verdict, prose = _prose_verdict(page)
    others = sorted(((probability, name) for name, probability in page_types.items() if name != "list"), reverse=True)
    if not others:
        return verdict, prose
    (probability, learned), (other_probability, other) = others[:2]
    if learned == "article":
        return learned, prose
    message = f"{learned} {probability:.2f}, {other} {other_probability:.2f}"
    return learned, Reason(ReasonCode.PAGE_TYPE, f"page types: {message}", round(probability, 4))


def _visible_text(page: Page) -> str:
    return page.visible_text(page.body) if len(page) else ""


def _prose_verdict(page: Page) -> tuple[Verdict, Reason]:
    """Return "article" for a page whose content is mostly prose, else "detail"."""
    from peneira.texts.block_model import decide  # most pages have a list and never need it

    decision = decide(page)
    lengths = decision.blocks.lengths
    is_content = decision.kept if decision.kept.any() else np.ones(len(lengths), dtype=np.bool_)
    is_long = is_content & (lengths >= PAGE_TYPE_OPTIONS.min_paragraph_chars)
    paragraphs = int(is_long.sum())
    share = float(lengths[is_long].sum() / max(int(lengths[is_content].sum()), 1))
    message = f"{counted(paragraphs, 'long paragraph')} hold{'s' * (paragraphs == 1)} {share:.0%} of the content"
    is_article = paragraphs >= PAGE_TYPE_OPTIONS.min_article_paragraphs and share >= PAGE_TYPE_OPTIONS.min_article_share
    return "article" if is_article else "detail", Reason(ReasonCode.PROSE, message, round(share, 4))
