"""Booleans: yes and no as words and signs."""

from __future__ import annotations

from collections.abc import Sequence

from peneira.types.notation import Notation

_YES = "yes true y sim sí si oui ja tak da да так ano evet kyllä はい 是 예 네 ✓ ✔ ✅ ☑ 🗸".split()
_NO = "no false n não nao non nein nee nie nej nei нет ні ne hayır ei いいえ 否 아니요 ✗ ✘ ✕ ✖ ❌ ☐ ❎ ×".split()
# These are also letters, the button that closes a box, or other words ("ano" is a year in Portuguese)
_AMBIGUOUS = frozenset("y n × ✕ ✖ ano ne da si ei non nie tak ja nei".split())
_VALUE_OF_WORD = {**dict.fromkeys(_YES, True), **dict.fromkeys(_NO, False)}


def read_boolean(text: str, notation: Notation) -> bool | None:
    """Return True or False for a cell that holds yes or no."""
    return _VALUE_OF_WORD.get(text.lower())


def booleans_are_plausible(texts: Sequence[str], notation: Notation) -> bool:
    """Return whether cells that read as yes or no mean it; ambiguous words do only in a column that has both values."""
    has_both = len({read_boolean(text, notation) for text in texts}) == 2
    return has_both or not all(text.lower() in _AMBIGUOUS for text in texts)
