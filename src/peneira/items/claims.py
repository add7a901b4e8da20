"""Claims about a field, and what they come to: values that several sources give win over those that one gives."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import NamedTuple

from peneira.kernels import compiled
from peneira.preview import shortened
from peneira.reasons import Reason, ReasonCode
from peneira.values import ColumnType, Value

# What a reader sees gives the text where it agrees with others
PAGE = "page"
# A second claim of one source says little more than the first: the page writes both from the same data
REPEATED_SHARE = 0.25
# Claims below it are not told as a contradiction: they were a try
MIN_CONTRADICTION = 0.25
# Longer texts are prose: two descriptions may both be right
MAX_VALUE_CHARS = 120
MAX_SHORT_CHARS = 100
_NOT_WORDS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Claim:
    """A value that one source of a page gives for a role. ``probability``: how far it is believed alone, set by hand.

    ``row``: the node that says so. ``key``: what equal values have in common; without one it is the text.
    """

    role: str
    text: str
    source: str
    probability: float
    row: int = -1
    type: ColumnType = "text"
    value: Value = None
    items: tuple[str, ...] = ()
    key: str = ""

    @property
    def same(self) -> str:
        """What equal values have in common: words without case, accents and signs."""
        return self.key or normal_form(self.text)


class Decision(NamedTuple):
    """The claim that won, how sure it is, all sources that agree with it, and what disagrees."""

    claim: Claim
    confidence: float
    sources: tuple[str, ...]
    reasons: tuple[Reason, ...]


def normal_form(text: str) -> str:
    """Return the letters and digits of a text, in lower case and compatibility form."""
    if _of_ascii is not None and text.isascii():
        return _of_ascii(text)
    return _short_form(text) if len(text) <= MAX_SHORT_CHARS else _form(text)


def _form(text: str) -> str:
    folded = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
    return _NOT_WORDS.sub("", folded)


_kernel = compiled("phrase_scan")
_of_ascii: Callable[[str], str] | None = None if _kernel is None else _kernel.letters_and_digits


# Headings, labels and lines are compared many times
_short_form = lru_cache(maxsize=1 << 13)(_form)


def amount_key(text: str | Decimal) -> str:
    """Return the same key for equal amounts: 12, 12.0 and 12.00; "" for what is no number."""
    try:
        amount = Decimal(text)
    except InvalidOperation:
        return ""
    return format(amount.normalize(), "f") if amount.is_finite() else ""


def decide(claims: Sequence[Claim]) -> Decision | None:
    """Return what the claims about one role come to, None if there are none.

    The probability of a value is that at least one of its claims is right, as if they were independent. Of equal values
    the claim of the page, else the most probable one, gives the text. The confidence is lower where another value is
    likely too: of two values that exclude each other one is wrong.
    """
    groups: dict[str, list[Claim]] = {}
    for claim in claims:
        if claim.same:
            groups.setdefault(claim.same, []).append(claim)
    if not groups:
        return None
    scored = sorted(((_joint(same), -k, same) for k, same in enumerate(groups.values())), reverse=True)
    probability, _, winners = scored[0]
    best = max(winners, key=lambda claim: (claim.source == PAGE and not claim.items, claim.probability))
    others = [(score, max(same, key=lambda claim: claim.probability)) for score, _, same in scored[1:]]
    against = max((score for score, other in others if _excludes(best, other)), default=0.0)
    ours, theirs = probability * (1.0 - against), against * (1.0 - probability)
    confidence = min(probability, ours / (ours + theirs)) if ours else 0.0
    return Decision(
        best,
        round(confidence, 3),
        tuple(dict.fromkeys(claim.source for claim in winners)),
        tuple(
            _contradiction(best, other, score)
            for score, other in others
            if score >= MIN_CONTRADICTION and _excludes(best, other)
        ),
    )


def _excludes(claim: Claim, other: Claim) -> bool:
    """Return whether only one of two claims can be right: not of lists and prose, nor where one says more."""
    if claim.items or other.items or max(len(claim.text), len(other.text)) > MAX_VALUE_CHARS:
        return False
    return claim.same not in other.same and other.same not in claim.same


def _joint(claims: Iterable[Claim]) -> float:
    """Return the probability that one of the claims of a value is right."""
    wrong = 1.0
    seen: set[str] = set()
    for claim in sorted(claims, key=lambda claim: -claim.probability):
        share = REPEATED_SHARE if claim.source in seen else 1.0
        wrong *= 1.0 - share * claim.probability
        seen.add(claim.source)
    return 1.0 - wrong


def _contradiction(best: Claim, other: Claim, score: float) -> Reason:
    message = (
        f"{best.role}: {best.source} says {shortened(best.text, 60)!r}, {other.source} {shortened(other.text, 60)!r}"
    )
    return Reason(ReasonCode.CONTRADICTION, message, round(score, 3), best.role)
