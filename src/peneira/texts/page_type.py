"""What kind of page it is when it has no main list: article, detail, empty, blocked, or a shell that scripts fill."""

from __future__ import annotations

import re

import numpy as np

from peneira.page import Page
from peneira.result import Reason, Verdict
from peneira.texts.content_model import THRESHOLD, probabilities
from peneira.texts.text_features import PageTexts

# Text in blocks longer than this is prose; an article has several, and its content is made of them. Of 60 news pages 57
# are articles by that, of 60 recipes 15 and of 100 pages of SWDE 12; with a quarter of all text as prose: 54, 51 and 21
PARAGRAPH_CHARS = 80
ARTICLE_PARAGRAPHS = 3
ARTICLE_SHARE = 0.75
# Pages that only say why they show nothing are short
BLOCKED_CHARS = 2500
SHELL_CHARS = 400

# What pages say that keep a program out, by kind: each a reason to try again in another way
BLOCKS = {
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
# Words and what stands between them have a longest length: with none, a page of one long word takes minutes
_GAP = r"\W{1,8}(?:\w{1,24}\W{1,8}){0,4}"
NEEDS_SCRIPT = re.compile(
    rf"(?:enable|requires?|need|turn on|activate|habilit|ativ|activ|aktivier)\w{{0,12}}{_GAP}javascript"
    rf"|javascript{_GAP}(?:enabled|required|disabled|desativado|desactivado|deaktiviert|désactivé)",
    re.IGNORECASE,
)


def verdict_without_list(page: Page) -> tuple[Verdict, Reason]:
    """Return what kind of page it is, and why."""
    text = page.visible_text(page.body) if len(page) else ""
    if len(text) <= BLOCKED_CHARS and (why := _blocked(page, text)):
        return "blocked", why
    if len(text) <= SHELL_CHARS and (why := _script_shell(page, text)):
        return "script-shell", why
    if not text:
        return "empty", Reason("empty", f"no visible text among {len(page)} nodes")
    return _prose_verdict(page)


def _blocked(page: Page, text: str) -> Reason | None:
    said = f"{_title(page)} {text}"
    for kind, pattern in BLOCKS.items():
        if found := pattern.search(said):
            return Reason("blocked", f"{kind}: the page says {found[0]!r} and little else")
    return None


def _script_shell(page: Page, text: str) -> Reason | None:
    scripts = int((page.tag == page.tag_names.index("script")).sum()) if "script" in page.tag_names else 0
    asks = bool(NEEDS_SCRIPT.search(f"{_silent_text(page)} {text}"))
    frames = _frames(page)
    if not (asks or frames or (scripts and (not text or _empty_mounts(page)))):
        return None
    told = "asks for scripts" if asks else f"has {scripts} scripts" if scripts else f"has {frames} frames"
    return Reason("script-shell", f"{len(text)} characters of text, and the page {told}")


def _prose_verdict(page: Page) -> tuple[Verdict, Reason]:
    """Return "article" for a page whose content is nearly all prose, "detail" for one that says other things too."""
    texts = PageTexts(page)
    is_content = probabilities(texts) >= THRESHOLD
    if not is_content.any():
        is_content[:] = True
    is_long = np.bincount(texts.blocks, texts.lengths)[texts.blocks] >= PARAGRAPH_CHARS
    paragraphs = len(np.unique(texts.blocks[is_content & is_long]))
    share = float(texts.lengths[is_content & is_long].sum() / texts.lengths[is_content].sum())
    told = f"{paragraphs} long paragraphs hold {share:.0%} of the content"
    is_article = paragraphs >= ARTICLE_PARAGRAPHS and share >= ARTICLE_SHARE
    return "article" if is_article else "detail", Reason("prose", told, round(share, 4))


def _title(page: Page) -> str:
    if "title" not in page.tag_names:
        return ""
    titles = np.flatnonzero(page.tag == page.tag_names.index("title"))[:1].tolist()
    return " ".join(page.text[child] for i in titles for child in page.children(i))


def _silent_text(page: Page) -> str:
    """Return what the page says to those who run no scripts."""
    if "noscript" not in page.tag_names:
        return ""
    notes = np.flatnonzero(page.tag == page.tag_names.index("noscript")).tolist()
    return " ".join(page.text[i] for note in notes for i in range(note, int(page.end[note])))


def _empty_mounts(page: Page) -> bool:
    """Tell whether there is an element with an id and nothing in it, or an element of the page's own making: where
    scripts put the content."""
    return any(
        (page.end[i] == i + 1 and page.name(i) in ("div", "main", "section") and "id" in page.attrs[i])
        or "-" in page.name(i)
        for i in range(page.body, len(page))
        if not page.silent[i]
    )


def _frames(page: Page) -> int:
    """Return how many frames show other pages; those of no size, which only report visits, are left out."""
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
