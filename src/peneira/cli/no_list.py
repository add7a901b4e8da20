"""What the command says of a page without a main list: what it is instead, and how to see the best guess."""

from __future__ import annotations

from pathlib import Path

from peneira.page import Page
from peneira.preview import counted
from peneira.reasons import ReasonCode
from peneira.result import Extraction, Region
from peneira.sources.rendering import Render
from peneira.texts.navigation import is_link_list

# What a page is, by verdict; a verdict that is not here is said as it is
PAGE_KINDS = {
    "article": "an article",
    "detail": "a page about one thing",
    "other": "neither a list nor an article",
    "empty": "an empty page",
    "blocked": "a blocked page",
    "script-shell": "a page that its scripts fill",
}
# Reasons about how the page was read and about its lists: the rest say what the page is
_OTHER_REASONS = frozenset(
    {
        ReasonCode.RENDERED,
        ReasonCode.NOT_RENDERED,
        ReasonCode.KEPT_AS_SENT,
        ReasonCode.NO_LIST,
        ReasonCode.PAGE_TYPE,  # which says no more than the probability
    }
)


def page_kind(result: Extraction, render: Render) -> str:
    """Return what a page without a main list is, why, and what reads it if nothing was read."""
    words = PAGE_KINDS.get(result.verdict, result.verdict)
    evidence = [] if result.verdict_confidence is None else [f"probability {result.verdict_confidence:.2f}"]
    evidence += [str(reason) for reason in result.reasons if reason.code not in _OTHER_REASONS][:1]
    if evidence:
        words += f" ({'; '.join(evidence)})"
    if result.verdict == "script-shell" and render == "never":
        words += "; --render auto or always reads it in a browser"
    return words


def best_guess(page: Page, result: Extraction) -> str:
    """Return how to see the best list of a page without a main list, "" if the page has no list at all."""
    if not result.regions:
        return ""
    guess = result.regions[0]
    return f'; "--region 1" shows the best guess ({_size(page, guess)}, confidence {guess.confidence:.2f})'


def _size(page: Page, region: Region) -> str:
    return counted(len(region), "link" if is_link_list(page, region) else "record")


def nothing_written(path: Path) -> str:
    """Return that a file was not written, and that it is as before if there is one."""
    return f"nothing written to {path}" + (", which stays as it was" if path.exists() else "")
