"""Features of a text itself: its length and its kinds of characters."""

from __future__ import annotations

import string
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers as Rows
from peneira.ml.forest import Numbers
from peneira.texts.feature_columns import FeatureColumns
from peneira.texts.page_texts import PageTexts
from peneira.texts.tag_kinds import text_tables
from peneira.texts.text_words import word_scan

CURRENCY_SIGNS = "$€£¥₹₽₩"
# Kinds of characters as bits; every character beyond the table counts as a letter
_SPACE, _DIGIT, _UPPER, _LETTER, _PUNCTUATION, _SLASH, _COLON, _STOP = (1 << k for k in range(8))
_TABLE_SIZE = 192


def _character_kinds() -> NDArray[np.uint8]:
    kinds = np.zeros(_TABLE_SIZE + 1, dtype=np.uint8)
    members = (
        (_SPACE, " "), (_DIGIT, "0123456789"), (_UPPER, string.ascii_uppercase), (_LETTER, string.ascii_letters),
        (_PUNCTUATION, ".,;!?"), (_SLASH, "/-()|@"), (_COLON, ":"), (_STOP, ".!?"),
    )  # fmt: skip
    for kind, characters in members:
        kinds[[ord(character) for character in characters]] |= kind
    kinds[_TABLE_SIZE] = _LETTER
    return kinds


_KINDS = _character_kinds()
WORDING_FEATURES = tuple(
    "chars words word_chars digits capitals letters punctuation slashes mixed starts_upper starts_digit starts_money "
    "ends_colon ends_sentence".split()
)
# Those that are logarithms
WORDING_LOGS = tuple(name in ("chars", "words") for name in WORDING_FEATURES)


def write_wording(texts: PageTexts, rows: Numbers) -> None:
    """Write ``WORDING_FEATURES`` of each text, before logarithms."""
    text_tables.wording(rows, texts.strings, _KINDS, CURRENCY_SIGNS)


def wording_features(texts: PageTexts) -> FeatureColumns:
    """Return the length of each text, its shares of kinds of characters, and how it starts and ends."""
    lengths = texts.lengths
    counts, changes, first, last = character_counts(texts.strings)

    def share(kind: int) -> Numbers:
        return np.asarray(counts[kind.bit_length() - 1] / lengths)

    spaces = share(_SPACE) * lengths
    return {
        "chars": np.log1p(lengths),
        "words": np.log1p(spaces + 1),
        "word_chars": lengths / (spaces + 1),
        "digits": share(_DIGIT),
        "capitals": share(_UPPER),
        "letters": share(_LETTER),
        "punctuation": share(_PUNCTUATION),
        "slashes": share(_SLASH),
        # an identifier changes between letters and digits all the time
        "mixed": changes / lengths,
        "starts_upper": first & _UPPER > 0,
        "starts_digit": first & _DIGIT > 0,
        "starts_money": np.array([text[0] in CURRENCY_SIGNS for text in texts.strings]),
        "ends_colon": last & _COLON > 0,
        "ends_sentence": last & _STOP > 0,
    }


def character_counts(strings: Sequence[str]) -> tuple[Rows, Rows, Rows, Rows]:
    """Return the characters of each kind, a row per kind, the changes between letters and digits, and the ends.

    The ends are the kinds of the first and of the last character of each text.
    """
    if word_scan is None:
        return character_counts_plain(strings)
    table = word_scan.characters(list(strings), _KINDS)
    return table[:8], table[8], table[9], table[10]


def character_counts_plain(strings: Sequence[str]) -> tuple[Rows, Rows, Rows, Rows]:
    """Return the same with numpy alone."""
    chars, starts, lengths = _characters(strings)
    kinds = _KINDS[np.minimum(chars, _TABLE_SIZE)]
    counts = np.stack([np.add.reduceat((kinds >> bit & 1).astype(np.int64), starts) for bit in range(8)])
    is_digit, is_letter = kinds & _DIGIT > 0, kinds & _LETTER > 0
    changes = np.append((is_digit[:-1] & is_letter[1:]) | (is_letter[:-1] & is_digit[1:]), False)
    changes[starts + lengths - 1] = False  # between two texts
    first, last = kinds[starts].astype(np.int64), kinds[starts + lengths - 1].astype(np.int64)
    return counts, np.add.reduceat(changes, starts, dtype=np.int64), first, last


def _characters(strings: Sequence[str]) -> tuple[NDArray[np.uint32], Rows, Rows]:
    """Return the code points of all strings in one array, and the start and the length of each string."""
    lengths = np.array([len(text) for text in strings], dtype=np.int64)
    chars = np.frombuffer("".join(strings).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return chars, np.cumsum(lengths) - lengths, lengths
