"""Whether a page has more as a browser renders it than as it was sent."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from peneira.late_patterns import late_pattern
from peneira.page import Page
from peneira.preview import counted
from peneira.result import Region, Verdict
from peneira.sources.rendering import Gain
from peneira.texts.blocked_pages import blocked_reason
from peneira.texts.navigation import is_link_list, is_menu
from peneira.texts.script_shell import content_text

# Verdicts on a page without a list that may change once its scripts have run
VERDICTS_TO_RENDER = frozenset({"script-shell", "empty"})
# Verdicts on a page that does not show its content
UNREADABLE = VERDICTS_TO_RENDER | {"blocked"}

# What scripts show in place of the content when something fails, with little else
MAX_EXCUSE_CHARS = 400
_ERROR = late_pattern(
    r"something (?:went|has gone) wrong|(?:unexpected|application|client-side|internal|network|server) (?:\w+ )?error"
    r"|an? (?:\w+ )?(?:error|exception) (?:has |was )?(?:occurr|happen|encounter)\w+|error (?:loading|fetching)"
    r"|(?:failed|unable) to (?:load|fetch|get|retrieve)|(?:could|can) ?not (?:be )?(?:load|fetch|reach|connect)"
    r"|couldn[’']t (?:load|fetch|reach|connect)|please (?:try again|reload|refresh)|page not found"
    r"|(?:error|status|code)\W{0,3}(?:404|50[0234])\b|\b(?:404|50[0234])\W{1,3}(?:not found|error|internal|bad|service)"
    r"|(?:algo deu|algo salió|algo ha ido) (?:errado|mal)|(?:ocorreu|ocurrió|ha ocurrido|se produjo) u[mn] err"
    r"|une erreur|ist ein fehler|si è verificato un errore|произошла ошибка|エラーが発生",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PageSummary:
    """What was found on a page. ``guess``: its best list, also where that is not its main list."""

    page: Page
    verdict: Verdict
    reason: str
    main: Region | None = None
    guess: Region | None = None

    @property
    def words(self) -> str:
        """What the page has: records, links, or text."""
        if self.main is not None:
            return counted(len(self.main), "record")
        if self.guess is not None and is_link_list(self.page, self.guess):
            return counted(len(self.guess), "link")
        return f"{counted(len(content_text(self.page)), 'character')} of text"


class PageJudge:
    """Says which pages need a browser, and whether it showed more. ``summarise``: what there is on a page."""

    def __init__(self, summarise: Callable[[Page], PageSummary]) -> None:
        self.summarise = summarise

    def why_render(self, page: Page) -> str | None:
        """Return why a browser may show more of a page than was sent, None if there is no reason to think so."""
        summary = self.summarise(page)
        return f"{summary.verdict}: {summary.reason}" if summary.verdict in VERDICTS_TO_RENDER else None

    def problem(self, page: Page) -> str | None:
        """Return what a page shows in place of its content, None if nothing says so."""
        summary = self.summarise(page)
        if summary.main is not None and not is_menu(page, summary.main):
            return None
        return _excuse(page) or (f"{summary.verdict}: {summary.reason}" if summary.verdict in UNREADABLE else None)

    def gain(self, sent: Page, rendered: Page) -> Gain:
        """Return whether the rendered page has more: a list that the page sent has not, or more text."""
        before, after = self.summarise(sent), self.summarise(rendered)
        words = f"{after.words}, {before.words} without"
        if _new_records(after.main, sent) > (len(before.main) if before.main else 0):
            return Gain(True, words)
        if excuse := _excuse(rendered):
            return Gain(False, excuse)
        # where a browser shows the same text, its page tells that there is no more to come
        is_whole = after.main is None and after.verdict not in UNREADABLE
        has_more = before.main is None and (len(content_text(rendered)), is_whole) > (len(content_text(sent)), False)
        return Gain(has_more, words)


def _excuse(page: Page) -> str:
    """Return what a page says in place of its content: that access is refused, or that something failed."""
    text = content_text(page)
    if len(text) > MAX_EXCUSE_CHARS:
        return ""
    if blocked := blocked_reason(page, text):
        return f"blocked: {blocked}"
    error = _ERROR.search(text)
    return f"the page says {error[0]!r} and little else" if error else ""


def _new_records(main: Region | None, sent: Page) -> int:
    """Return how many records of a list are not on the page that was sent: its menu is there in both."""
    text = sent.visible_text(sent.body) if len(sent) else ""
    return sum(record.text not in text for record in main) if main is not None else 0
