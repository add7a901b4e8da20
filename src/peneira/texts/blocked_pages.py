"""Pages that refuse access: what they say, and the puzzles that they ask people to solve."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

import numpy as np

from peneira.late_patterns import late_pattern
from peneira.page import Page
from peneira.phrase_search import PhraseSearch, part_search
from peneira.reasons import Reason, ReasonCode

# pages that only explain why they show nothing are short
MAX_BLOCKED_CHARS: Final = 2500
# a page of a puzzle that says nothing known about itself is shorter still
MAX_PUZZLE_CHARS: Final = 600

# What pages that refuse access say, by kind: each kind needs a different remedy. From the pages of common gatekeepers,
# in the languages in which they are shown
_PHRASES: Final[Mapping[str, tuple[str, ...]]] = {
    "captcha": (
        r"captcha",
        r"are you (?:a )?(?:human|robot)",
        r"not a robot",
        r"robot check",
        r"unusual (?:traffic|activity)",
        r"verify (?:that )?you(?:'re|’re| are) (?:a |not a )?(?:human|robot|bot)",
        r"verifying you are (?:a )?human",
        r"checking (?:if the site connection is secure|your browser)",
        r"review the security of your connection",
        r"complete the (?:security check|action below)",
        r"just a moment\.\.\.",
        r"human verification",
        r"pardon our interruption",
        r"press (?:&|and) hold to",
        r"slide to (?:verify|complete)",
        r"(?:type|enter) the characters you see",
        r"solve th(?:is|e) (?:puzzle|challenge)",
        r"n[ãa]o (?:é|sou) um rob[ôo]|verifique (?:se|que) você é humano",
        r"no soy un robot|verifi(?:ca|que) que (?:eres|es) (?:un ser )?humano",
        r"kein roboter|dass sie ein mensch sind",
        r"je ne suis pas un robot|que vous êtes (?:un )?humain",
        r"non sono un robot|di essere (?:un )?(?:umano|essere umano)",
        r"geen robot|dat je een mens bent",
        r"nie jestem robotem|nejsem robot|nem vagyok robot|nu sunt robot|ben robot değilim|jag är inte en robot",
        r"я не робот|что вы (?:человек|не робот)|ви не робот",
        r"ロボットではありません|人間であることを確認|不是(?:机器人|機器人)|(?:人机|人機)(?:验证|驗證)|로봇이 아닙니다",
        r"لست (?:برنامج )?روبوت",
    ),
    "denied": (
        r"access (?:has been |is |to this page has been )?denied",
        r"403 forbidden",
        r"(?:you have been|you are|you've been) blocked",
        r"request (?:was |has been )?blocked",
        r"requested url was rejected",
        r"request unsuccessful\. incapsula",
        r"permission to (?:access|view)",
        r"too many requests",
        r"rate limit exceeded",
        r"enable (?:javascript and )?cookies",
        r"acesso negado|acceso denegado|accès refusé|zugriff verweigert|accesso negato|toegang geweigerd",
        r"odmowa dostępu|přístup odepřen|hozzáférés megtagadva|erişim (?:engellendi|reddedildi)|åtkomst nekad",
        r"доступ (?:запрещ[её]н|ограничен)|доступ заборонено",
        r"アクセスが拒否|访问被拒绝|拒绝访问|存取被拒|접근이 거부|تم رفض الوصول",
    ),
    "consent": (
        r"before you continue",
        r"we value your privacy",
        r"accept (?:all )?cookies",
        r"aceitar (?:todos os )?cookies",
        r"aceptar (?:todas las )?cookies",
        r"accepter (?:tous )?les cookies",
        r"cookies akzeptieren",
        r"manage (?:your )?consent",
    ),
}
BLOCK_MESSAGES: Final[Mapping[str, re.Pattern[str]]] = {
    kind: late_pattern("|".join(phrases), re.IGNORECASE) for kind, phrases in _PHRASES.items()
}
# What the messages have in them, and few other texts: a text without any of these has no message
_FRAGMENTS: Final = (
    "captcha human robo robô unusual bot checking security action moment interruption hold slide characters solve "
    "mensch humain umano mens робот человек ロボット 人間 机器人 機器人 人机 人機 로봇 روبوت denied forbidden blocked "
    "rejected incapsula permission requests limit cookies negado denegado refusé verweigert negato geweigerd odmowa "
    "odepřen megtagadva erişim nekad доступ 拒 거부 رفض continue privacy consent"
).split()
# a note at the foot of any page with a form, which refuses nothing
_PROTECTED: Final = late_pattern(r"protected by (?:google |invisible )?(?:re|h)?captcha", re.IGNORECASE)

_PUZZLE_NAME: Final = late_pattern(r"captcha|turnstile|cf-chl|human[-_]?(?:check|verif)", re.IGNORECASE)
_NAMING_ATTRIBUTES: Final = ("id", "class", "name", "action", "title")
_ANSWERS: Final = frozenset({"", "text", "tel", "number"})
_NO_FIELDS: Final = frozenset({"hidden", "submit", "button", "image", "reset", "checkbox"})


@cache
def _fragment_search() -> PhraseSearch:
    return part_search(_FRAGMENTS)


def has_block_fragment(text: str) -> bool:
    """Return whether a text may have one of the messages."""
    return _fragment_search()(text) >= 0


def blocked_reason(page: Page, text: str | None = None) -> Reason | None:
    """Return what a page says that refuses access and says little else, None if it says nothing like that.

    ``text``: what counts, beside the title; by default all that the page shows.
    """
    text = _visible_text(page) if text is None else text
    if len(text) > MAX_BLOCKED_CHARS:
        return None
    title_and_text = f"{_title(page)} {text}"
    if has_block_fragment(title_and_text):
        title_and_text = _PROTECTED.sub(" ", title_and_text)
        for kind, pattern in BLOCK_MESSAGES.items():
            if match := pattern.search(title_and_text):
                return Reason(ReasonCode.BLOCKED, f"{kind}: the page says {match[0]!r} and little else")
    if len(text) <= MAX_PUZZLE_CHARS and (name := _puzzle(page)):
        return Reason(ReasonCode.BLOCKED, f"captcha: the page has a form called {name!r} and little else")
    return None


def _puzzle(page: Page) -> str:
    """Return the name of a form that has a puzzle in it and nothing else to fill in, "" if there is none.

    Forms to write to somebody or to sign in have puzzles too, and more fields.
    """
    if "form" not in page.tag_names:
        return ""
    for form in np.flatnonzero(page.tag == page.tag_names.index("form")).tolist():
        rows = [i for i in range(form, int(page.end[form])) if page.tag[i]]
        if name := next(filter(None, (_puzzle_name(page, i) for i in rows)), ""):
            fields = [_field(page, i) for i in rows]
            if sum(field in _ANSWERS for field in fields) <= 1 and all(f in _ANSWERS | _NO_FIELDS for f in fields):
                return name
    return ""


def _puzzle_name(page: Page, row: int) -> str:
    values = (page.attrs[row].get(name, "") for name in _NAMING_ATTRIBUTES)
    return next((value for value in values if _PUZZLE_NAME.search(value)), "")


def _field(page: Page, row: int) -> str:
    """Return the kind of field that an element is; "hidden" for one that nobody fills in."""
    name = page.name(row)
    if name == "input":
        return page.attrs[row].get("type", "").lower()
    # the answer of some puzzles is kept in a text area that scripts fill
    return name if name in ("textarea", "select") and not _puzzle_name(page, row) else "hidden"


def _visible_text(page: Page) -> str:
    return page.visible_text(page.body) if len(page) else ""


def _title(page: Page) -> str:
    if "title" not in page.tag_names:
        return ""
    titles = np.flatnonzero(page.tag == page.tag_names.index("title"))[:1].tolist()
    return " ".join(page.text[child] for i in titles for child in page.children(i))
