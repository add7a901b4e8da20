"""Characters that a format cannot hold. Each becomes U+FFFD, the replacement character, and is counted."""

from __future__ import annotations

import re
from dataclasses import dataclass

from peneira.account import Tally
from peneira.values import Scalar

REPLACEMENT = "\ufffd"
_HALF_PAIRS = re.compile("[\ud800-\udfff]")
_HALF_PAIR_REASON = f"half a surrogate pair, which is no character, became {REPLACEMENT}"


@dataclass(frozen=True, slots=True)
class CharacterSet:
    """The characters of a format: all but half surrogate pairs, which UTF-8 cannot hold, and those forbidden here."""

    forbidden: re.Pattern[str] | None = None
    reason: str = ""

    def replace_forbidden(self, text: str, tally: Tally) -> str:
        """Return the text in this alphabet."""
        if _HALF_PAIRS.search(text):
            tally.lose("cells", _HALF_PAIR_REASON)
            text = _HALF_PAIRS.sub(REPLACEMENT, text)
        if self.forbidden is not None and self.forbidden.search(text):
            tally.lose("cells", self.reason)
            text = self.forbidden.sub(REPLACEMENT, text)
        return text

    def replace_forbidden_in(self, value: Scalar | float, tally: Tally) -> Scalar | float:
        """Return a text, or a list of them, in this alphabet, and any other value as it is."""
        if isinstance(value, tuple):
            return tuple(self.replace_forbidden(item, tally) for item in value)
        return self.replace_forbidden(value, tally) if isinstance(value, str) else value


UNICODE = CharacterSet()
WITHOUT_NUL = CharacterSet(re.compile("\x00"), f"NUL, at which many readers stop, became {REPLACEMENT}")
# https://www.w3.org/TR/xml/#charsets; a return is legal there, but every XML reader turns it into a newline
XML = CharacterSet(
    re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]"),
    f"a control character, which XML cannot hold, became {REPLACEMENT}",
)
