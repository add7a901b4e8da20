"""The type of a page without a main list: article, detail, other, empty, blocked, or a shell that scripts fill."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from peneira.page import Page
from peneira.preview import counted
from peneira.reasons import Reason, ReasonCode
from peneira.result import PageType, Verdict
from peneira.texts.content_model import MIN_PROBABILITY, probabilities
from peneira.texts.page_texts import PageTexts


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
    # pages that only explain why they show nothing are short
    max_blocked_chars: int = 2500
    max_shell_chars: int = 400


PAGE_TYPE_OPTIONS = PageTypeOptions()

# Messages of pages that refuse access, by kind: each kind needs a different remedy
BLOCK_MESSAGES = {
    "captcha": re.compile(
        r"captcha|are you (?:a )?(?:human|robot)|not a robot|unusual traffic"
        r"|verify (?:that )?you(?:'re| are) (?:a )?human"
        r"|checking (?:if the site connection is secure|your browser)|just a moment\.\.\.|human verification"
        r"|n[ãa]o (?:é|sou) um rob[ôo]|no soy un robot|kein roboter|je ne suis pas un robot|robot check",
        re.IGNORECASE,
    ),
    "denied": re.compile(
        r"access (?:has been |is )?denied|acesso negado|acceso denegado|accès refusé|zugriff verweigert|403 forbidden"
        r"|you (?:have been|are) blocked|request (?:was )?blocked|permission to (?:access|view)|too many requests"
        r"|enable cookies",
        re.IGNORECASE,
    ),
    "consent": re.compile(
        r"before you continue|we value your privacy|accept (?:all )?cookies|aceitar (?:todos os )?cookies"
        r"|aceptar (?:todas las )?cookies|accepter (?:tous )?les cookies|cookies akzeptieren|manage (?:your )?consent",
        re.IGNORECASE,
    ),
}
# Words and the gaps between them have a maximum length: without it, a page of one long word takes minutes
_GAP = r"\W{1,8}(?:\w{1,24}\W{1,8}){0,4}"
NEEDS_JAVASCRIPT = re.compile(
    rf"(?:enable|requires?|need|turn on|activate|habilit|ativ|activ|aktivier)\w{{0,12}}{_GAP}javascript"
    rf"|javascript{_GAP}(?:enabled|required|disabled|desativado|desactivado|deaktiviert|désactivé)",
    re.IGNORECASE,
)


def verdict_without_list(
    page: Page, page_types: Mapping[PageType, float] = MappingProxyType({})
) -> tuple[Verdict, Reason]:
    """Return the type of a page without a main list, and the reason.

    ``page_types``: how probable each type is, where that is known; else the page is an article or about one thing by
    how much of its content is prose.
    """
    text = page.visible_text(page.body) if len(page) else ""
    if len(text) <= PAGE_TYPE_OPTIONS.max_blocked_chars and (reason := _blocked_reason(page, text)):
        return "blocked", reason
    if len(text) <= PAGE_TYPE_OPTIONS.max_shell_chars and (reason := _script_shell_reason(page, text)):
        return "script-shell", reason
    if not text:
        return "empty", Reason(ReasonCode.EMPTY_PAGE, f"no visible text among {len(page)} nodes")
    verdict, reason = _prose_verdict(page)
    others = [(probability, name) for name, probability in page_types.items() if name != "list"]
    return (max(others)[1], reason) if others else (verdict, reason)


def _blocked_reason(page: Page, text: str) -> Reason | None:
    title_and_text = f"{_title(page)} {text}"
    for kind, pattern in BLOCK_MESSAGES.items():
        if match := pattern.search(title_and_text):
            return Reason(ReasonCode.BLOCKED, f"{kind}: the page says {match[0]!r} and little else")
    return None


def _script_shell_reason(page: Page, text: str) -> Reason | None:
    scripts = int((page.tag == page.tag_names.index("script")).sum()) if "script" in page.tag_names else 0
    needs_javascript = bool(NEEDS_JAVASCRIPT.search(f"{_noscript_text(page)} {text}"))
    frames = _frame_count(page)
    if not (needs_javascript or frames or (scripts and (not text or _has_mount_point(page)))):
        return None
    if needs_javascript:
        evidence = "asks for JavaScript"
    else:
        evidence = f"has {scripts} scripts" if scripts else f"has {frames} frames"
    return Reason(ReasonCode.SCRIPT_SHELL, f"{len(text)} characters of text, and the page {evidence}")


def _prose_verdict(page: Page) -> tuple[Verdict, Reason]:
    """Return "article" for a page whose content is mostly prose, else "detail"."""
    texts = PageTexts(page)
    is_content = probabilities(texts) >= MIN_PROBABILITY
    if not is_content.any():
        is_content[:] = True
    is_long = np.bincount(texts.blocks, texts.lengths)[texts.blocks] >= PAGE_TYPE_OPTIONS.min_paragraph_chars
    paragraphs = len(np.unique(texts.blocks[is_content & is_long]))
    share = float(texts.lengths[is_content & is_long].sum() / texts.lengths[is_content].sum())
    message = f"{counted(paragraphs, 'long paragraph')} hold{'s' * (paragraphs == 1)} {share:.0%} of the content"
    is_article = paragraphs >= PAGE_TYPE_OPTIONS.min_article_paragraphs and share >= PAGE_TYPE_OPTIONS.min_article_share
    return "article" if is_article else "detail", Reason(ReasonCode.PROSE, message, round(share, 4))


def _title(page: Page) -> str:
    if "title" not in page.tag_names:
        return ""
    titles = np.flatnonzero(page.tag == page.tag_names.index("title"))[:1].tolist()
    return " ".join(page.text[child] for i in titles for child in page.children(i))


def _noscript_text(page: Page) -> str:
    """Return the text for browsers without JavaScript."""
    if "noscript" not in page.tag_names:
        return ""
    rows = np.flatnonzero(page.tag == page.tag_names.index("noscript")).tolist()
    return " ".join(page.text[i] for row in rows for i in range(row, int(page.end[row])))


def _has_mount_point(page: Page) -> bool:
    """Return whether scripts have a place to put content: an empty element with an id, or a custom element."""
    return any(
        (page.end[i] == i + 1 and page.name(i) in ("div", "main", "section") and "id" in page.attrs[i])
        or "-" in page.name(i)
        for i in range(page.body, len(page))
        if not page.silent[i]
    )


def _frame_count(page: Page) -> int:
    """Return the number of frames that show other pages, without tracking frames of no size."""
    return sum(
        page.name(i) in ("iframe", "frame")
        and not page.silent[i]
        and not page.hidden[i]
        and page.end[i] == i + 1
        and bool({"src", "srcdoc"} & page.attrs[i].keys())
        and page.attrs[i].get("width", "") not in ("0", "1")
        and page.attrs[i].get("height", "") not in ("0", "1")
        for i in range(len(page))
    )
