"""Yes and no in words and signs."""

from __future__ import annotations

from collections.abc import Sequence

from peneira.types.notation import Notation

_YES = "yes true y sim sí si oui ja tak da да так ano evet kyllä はい 是 예 네 ✓ ✔ ✅ ☑ 🗸".split()
_NO = "no false n não nao non nein nee nie nej nei нет ні ne hayır ei いいえ 否 아니요 ✗ ✘ ✕ ✖ ❌ ☐ ❎ ×".split()
# Alone these are also letters, the button that closes a box, or other words ("ano" is a year in Portuguese)
_DOUBTFUL = frozenset("y n × ✕ ✖ ano ne da si ei non nie tak ja nei".split())
_WORDS = {**dict.fromkeys(_YES, True), **dict.fromkeys(_NO, False)}


def read_boolean(text: str, notation: Notation) -> bool | None:
    """Return the yes or no a cell holds."""
    return _WORDS.get(text.lower())


def booleans_are_plausible(texts: Sequence[str], notation: Notation) -> bool:
    """Return whether cells that read as yes or no are meant so: doubtful ones only where there are both."""
    both = len({read_boolean(text, notation) for text in texts}) == 2
    return both or not all(text.lower() in _DOUBTFUL for text in texts)
