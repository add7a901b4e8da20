"""Parts of texts: a label before its value, and several values in one text.

Where most texts of a column are built alike ("Smith v. Jones (No. 12-345), May 8, 2024"), their parts are columns too.
The cuts are dates, brackets, dashes, bars, semicolons and commas that most of the texts have; a comma cuts only before
or after a part that looks the same in most texts. The whole text stays a column.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from peneira.columns.value_patterns import DATE, label, may_hold_date, value_pattern

LABELLED_SHARE = 0.8
# A cut, or the look of a part, is a habit of the column if this share of its texts has it
HABIT_SHARE = 0.6
# A part that fewer texts have is no column
MIN_SHARE = 0.3
FIXED_COMMAS_SHARE = 0.8
MAX_COMMAS = 6
MIN_TEXTS = 3
# Longer texts are prose: only a date or number in front is cut off
PROSE_CHARS = 240
MAX_CHARS = 600
MAX_PARTS = 12
# So many texts tell whether the others are worth a look
SAMPLE = 40

_MAY_CUT = re.compile(r"\d|[(\[|·•;]|,\s|\s[-–—/]|^\S+[.:#]\s")
_MARKS = (
    r"(?:(?<=\s)|^)(?P<bracket>\([^()]{1,200}\)|\[[^\[\]]{1,200}\])"
    r"|(?P<dash>\s+[-–—]+\s+)|(?P<bar>\s*[|·•]\s*|\s+/\s+)|(?P<semicolon>;\s+)|(?P<comma>,\s+)"
)
_CUT = re.compile(_MARKS)
_CUT_AT_DATES = re.compile(rf"(?P<date>{DATE})|{_MARKS}")
_LEADING_DATE = re.compile(DATE)
# A number of a case, an order or an article in front of at least a few words
_LEADING_CODE = re.compile(r"(?=\S*\d)(?=\S*[-/.A-Za-z]|\d{5})[\w#][\w./#-]{3,}(?=\s+[^\W\d].{7})")
_COMMON_WORD = re.compile(r"[^\W\d_]{2,}[.:#]?")
_STRIPPED = " \t\n,;:|·•-–—"
_DANGLING_STARTS, _DANGLING_ENDS = ")].", "(["
_DIGITS = re.compile(r"\d+")

Texts = Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Part:
    """A column within a column: its kind, the words before its values, and the value of each record."""

    kind: str
    label: str
    texts: Texts


class _Piece(NamedTuple):
    """A stretch of a text and the kind of cut before it; dates, brackets and codes are kinds of their own."""

    start: int
    end: int
    kind: str


Pieces = dict[int, list[_Piece]]


def common_label(texts: Texts) -> str:
    """Return the label that most texts have before a value, "" if there is none."""
    matches = [(label(text), text) for text in texts.values() if ":" in text]
    found = Counter(match[1] for match, text in matches if match and match.end() < len(text))
    if not found:
        return ""
    name, times = max(found.items(), key=lambda item: (item[1], item[0]))
    return name if times >= LABELLED_SHARE * len(texts) else ""


def without_label(text: str, name: str) -> str:
    """Return the value after the label; the text as it is where it has another label or no value."""
    match = label(text) if ":" in text else None
    return text[match.end() :] or text if match and match[1] == name else text


def parts_of(texts: Texts) -> list[Part]:
    """Return the parts that most of the texts have, in order; none where the texts are not built alike."""
    distinct = set(texts.values())
    if len(distinct) < MIN_TEXTS or not _are_worth_a_look(texts):
        return []
    is_prose = sum(map(len, distinct)) > PROSE_CHARS * len(distinct)
    cut = {text: _leading(text) if is_prose or len(text) > MAX_CHARS else _pieces(text) for text in distinct}
    pieces = {record: cut[text] for record, text in texts.items()}
    if sum(len(those) > 1 for those in pieces.values()) < HABIT_SHARE * len(texts):
        return [] if is_prose else _after_common_words("", texts)
    return [part for part in _columns(texts, _habitual(texts, pieces)) if dict(part.texts) != dict(texts)]


def _are_worth_a_look(texts: Texts) -> bool:
    sample = list(islice(texts.values(), SAMPLE))
    return sum(_MAY_CUT.search(text[:MAX_CHARS]) is not None for text in sample) >= MIN_SHARE * len(sample)


def _leading(text: str) -> list[_Piece]:
    """Return a date or code at the start of a long text, and the rest."""
    match, kind = _LEADING_DATE.match(_lower(text)), "date"
    if match is None:
        match, kind = _LEADING_CODE.match(text), "code"
    if match is None:
        return [_Piece(0, len(text), "")]
    return [_Piece(0, match.end(), kind), _Piece(match.end(), len(text), "")]


def _lower(text: str) -> str:
    """Return the text in lower case, as it is if that would make it longer."""
    low = text.lower()
    return low if len(low) == len(text) else text


def _pieces(text: str) -> list[_Piece]:
    """Return the text cut wherever it could be cut."""
    first = _leading(text)[0]
    pieces = [first] if first.kind == "code" else []
    start, kind = (first.end, "after code") if pieces else (0, "")
    for match in (_CUT_AT_DATES if may_hold_date(text) else _CUT).finditer(_lower(text), start):
        name = match.lastgroup or ""
        if _shown(text[start : match.start()]):
            pieces.append(_Piece(start, match.start(), kind))
        if name in ("date", "bracket"):
            pieces.append(_Piece(match.start(), match.end(), name))
            name = f"after {name}"
        start, kind = match.end(), name
    if _shown(text[start:]):
        pieces.append(_Piece(start, len(text), kind))
    return pieces or [_Piece(0, len(text), "")]


def _habitual(texts: Texts, pieces: Mapping[int, Sequence[_Piece]]) -> Pieces:
    """Return the pieces with those joined again that only some texts have cut."""
    holders = Counter(kind for those in pieces.values() for kind in {piece.kind for piece in those})
    least = HABIT_SHARE * len(texts)
    kinds = {kind for kind, times in holders.items() if times >= least} | {"comma"}
    joined = {
        record: _joined(those, lambda piece: piece.kind in kinds or piece.kind.removeprefix("after ") in kinds)
        for record, those in pieces.items()
    }
    number = _usual_commas(joined)
    if number is not None:
        return {record: _with_commas(those, number) for record, those in joined.items()}
    looks = Counter(look for record, those in joined.items() for look in {_look(texts[record], p) for p in those})
    usual = {look for look, times in looks.items() if look and times >= least}
    return {record: _around_usual(texts[record], those, usual) for record, those in joined.items()}


def _usual_commas(pieces: Pieces) -> int | None:
    """Return how many commas nearly all texts have, None if their number changes."""
    numbers = Counter(map(_commas, pieces.values()))
    number, times = max(numbers.items(), key=lambda item: (item[1], -item[0]))
    return number if times >= FIXED_COMMAS_SHARE * len(pieces) and number <= MAX_COMMAS else None


def _commas(pieces: Sequence[_Piece]) -> int:
    return sum(piece.kind == "comma" for piece in pieces)


def _with_commas(pieces: list[_Piece], number: int) -> list[_Piece]:
    return pieces if _commas(pieces) == number else _joined(pieces, lambda piece: piece.kind != "comma")


def _around_usual(text: str, pieces: Sequence[_Piece], usual: set[str]) -> list[_Piece]:
    """Return the pieces; a comma cuts only next to a piece that looks as most texts have one."""
    after_usual = False

    def cuts(piece: _Piece) -> bool:
        nonlocal after_usual
        before, after_usual = after_usual, _look(text, piece) in usual
        return piece.kind != "comma" or before or after_usual

    return _joined(pieces, cuts)


def _joined(pieces: Sequence[_Piece], cuts: Callable[[_Piece], bool]) -> list[_Piece]:
    """Return the pieces, those that are not cut off as parts of the one before."""
    kept: list[_Piece] = []
    for piece in pieces:
        is_apart = cuts(piece)
        if is_apart or not kept:
            kept.append(piece)
        else:
            kept[-1] = _Piece(kept[-1].start, piece.end, kept[-1].kind)
    return kept


def _look(text: str, piece: _Piece) -> str:
    """Return a piece with its digits hidden; "" for one without digits, whose look says nothing."""
    shown = _shown(text[piece.start : piece.end])
    masked = _DIGITS.sub("0", shown)
    return masked if masked != shown else ""


def _columns(texts: Texts, pieces: Mapping[int, Sequence[_Piece]]) -> Iterator[Part]:
    """Yield the parts: pieces of the same kind, and of the same turn among those of their kind."""
    found: dict[tuple[str, int], dict[int, str]] = {}
    places: dict[tuple[str, int], list[int]] = {}
    for record, those in pieces.items():
        for place, (key, text) in enumerate(_keyed(texts[record], those)):
            found.setdefault(key, {})[record] = text
            places.setdefault(key, []).append(place)
    order = sorted(found, key=lambda key: (sum(places[key]) / len(places[key]), key))
    for key in order[:MAX_PARTS]:
        values = found[key]
        if len(values) >= MIN_SHARE * len(texts) and len(set(values.values())) > 1:
            yield from _after_common_words(key[0], values) or [Part(key[0], "", values)]


def _keyed(text: str, pieces: Sequence[_Piece]) -> Iterator[tuple[tuple[str, int], str]]:
    """Yield the pieces of a text that was cut, each with its kind and turn."""
    turns: Counter[str] = Counter()
    for piece in pieces if len(pieces) > 1 else ():
        kind = piece.kind if piece.kind in ("date", "bracket", "code") else "text"
        found = text[piece.start : piece.end]
        shown = _shown(found[1:-1] if kind == "bracket" and found[-1] in ")]" else found)
        if shown:
            turns[kind] += 1
            yield (kind, turns[kind]), shown


def _shown(piece: str) -> str:
    """Return the piece without the marks at its ends that cut it off."""
    shown = piece.strip(_STRIPPED)
    if shown[:1] in _DANGLING_STARTS or shown[-1:] in _DANGLING_ENDS:
        shown = shown.lstrip(_DANGLING_STARTS).rstrip(_DANGLING_ENDS).strip(_STRIPPED)
    return shown


def _after_common_words(kind: str, texts: Texts) -> list[Part]:
    """Return the texts without the words that most start with, these as the label; none if they share no words."""
    common = _common_words([text.split() for text in texts.values()])
    is_name = not kind and common and common[-1][-1].isalpha()  # all are of one brand, which is no label
    if len(texts) < MIN_TEXTS or not common or is_name or _are_values(texts):
        return []
    prefix = " ".join(common)
    values = {record: _after(text, common) for record, text in texts.items()}
    return [Part(kind, prefix, values)] if len(set(values.values())) > 1 else []


def _common_words(texts: Sequence[Sequence[str]]) -> list[str]:
    """Return the words that nearly all texts start with, at least one word left over in each."""
    first = Counter(words[0] for words in texts if words)
    word, times = max(first.items(), key=lambda item: (item[1], item[0]), default=("", 0))
    if times < LABELLED_SHARE * len(texts) or not _COMMON_WORD.fullmatch(word):
        return []
    sharing = [words for words in texts if words and words[0] == word]
    length = 1
    while all(len(words) > length + 1 for words in sharing) and len({words[length] for words in sharing}) == 1:
        length += 1
    return list(sharing[0][:length]) if all(len(words) > length for words in sharing) else []


def _after(text: str, common: Sequence[str]) -> str:
    words = text.split()
    return " ".join(words[len(common) :]) if words[: len(common)] == list(common) else text


def _are_values(texts: Texts) -> bool:
    """Tell whether most texts are a date or a price as they stand."""
    looks = [value_pattern(text) for text in texts.values()]
    return sum(look in ("date", "money") for look in looks) >= HABIT_SHARE * len(looks)
