"""Characters that a format cannot hold. Each becomes U+FFFD, the replacement character, and is counted."""

from __future__ import annotations

import re
from dataclasses import dataclass

from peneira.account import Tally
from peneira.values import Scalar

REPLACEMENT = "\ufffd"
_LONE_SURROGATES = re.compile("[\ud800-\udfff]")
_LONE_SURROGATE_REASON = f"half a surrogate pair, which is not a character, became {REPLACEMENT}"


@dataclass(frozen=True, slots=True)
class CharacterSet:
    """The characters that a format can hold: all but lone surrogates, which UTF-8 cannot hold, and ``forbidden``."""

    forbidden: re.Pattern[str] | None = None
    reason: str = ""

    def replace_forbidden(self, text: str, tally: Tally) -> str:
        """Return the text with U+FFFD for each character that the format cannot hold, and count the loss."""
        if _LONE_SURROGATES.search(text):
            tally.lose("cells", _LONE_SURROGATE_REASON)
            text = _LONE_SURROGATES.sub(REPLACEMENT, text)
        if self.forbidden is not None and self.forbidden.search(text):
            tally.lose("cells", self.reason)
            text = self.forbidden.sub(REPLACEMENT, text)
        return text

    def replace_forbidden_in(self, value: Scalar | float, tally: Tally) -> Scalar | float:
        """Return the value with the characters of its texts replaced; other values are returned unchanged."""
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
