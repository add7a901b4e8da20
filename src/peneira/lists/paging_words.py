"""What a link says about where it leads in a list of several pages, in many languages."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, cast, get_args

from peneira.late_patterns import late_pattern

WORDS = Path(__file__).with_suffix(".txt")

Meaning = Literal[
    "next", "previous", "older", "newer", "more", "page", "items", "article", "first", "last", "expand", "comments"
]
MEANINGS: tuple[Meaning, ...] = get_args(Meaning)
# What a whole label may mean; the other words only stand beside these
LABEL_MEANINGS: tuple[Meaning, ...] = ("older", "newer", "more", "next", "previous", "first", "last", "expand")

# A label with more words is a title that happens to begin with one of ours
MAX_WORDS = 5
MAX_UNSPACED_CHARS = 12
# Words like "of", "to" and "the" say nothing of pages
MAX_SMALL_CHARS = 3

# Arrows that point on and back; "mirrored" ones turn round in text that runs from right to left, the others do not
_NEXT_MIRRORED, _PREVIOUS_MIRRORED = "»›>≫❯⟩〉＞⟫", "«‹<≪❮⟨〈＜⟪"
_NEXT_FIXED, _PREVIOUS_FIXED = "→▶►⇒➔➜➡⟶▸🡒⏵▷➤⇨➝", "←◀◄⇐⬅⟵◂🡐⏴◁⇦"
_ARROWS = _NEXT_MIRRORED + _NEXT_FIXED + _PREVIOUS_MIRRORED + _PREVIOUS_FIXED
_ENDS = late_pattern(r"[»≫]{2}|>>>|>\||»\||⏭|[«≪]{2}|<<<|\|<|\|«|⏮")
_ENTITY_ARROW = late_pattern(r"(?<![-=])[-=]++>|<[-=]+")
_TITLED = late_pattern(r"\w:\s*\w")
_NOT_WORDS = late_pattern(r"[\W\d_]+")
_PUNCTUATION = " .,:;!…|[](){}\"'-–—_/\\+*#"
_UNSPACED = late_pattern(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Label:
    """What a label says: its direction or end, whether of one article, and which way its arrow points.

    ``is_whole``: all its words are known, so that it is no title that begins with one of them.
    """

    meaning: Meaning | None = None
    is_article: bool = False
    names_pages: bool = False
    arrow: Literal["next", "previous"] | None = None
    is_end: bool = False
    is_whole: bool = True
    is_of_comments: bool = False


def normal(text: str) -> str:
    """Return the words of a text in lower case without accents, one space between them."""
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text)
        text = unicodedata.normalize("NFC", "".join(char for char in decomposed if not unicodedata.combining(char)))
        # signs inside words, as the vowels of Hindi and Thai, are no letters to a regular expression
        words = "".join(char if unicodedata.category(char)[0] in "LM" else " " for char in text)
        return " ".join(words.casefold().split())
    return " ".join(_NOT_WORDS.sub(" ", text).lower().split())


@cache
def phrases() -> Mapping[str, frozenset[Meaning]]:
    """Return the meanings of each phrase of the file."""
    found: dict[str, set[Meaning]] = {}
    meaning: Meaning | None = None
    for line in WORDS.read_text(encoding="utf-8").splitlines():
        if line.removesuffix(":") in MEANINGS:
            meaning = cast("Meaning", line.removesuffix(":"))
        elif line.startswith("  ") and meaning is not None:
            for phrase in line.split(maxsplit=1)[1].split(","):
                found.setdefault(normal(phrase), set()).add(meaning)
    return {phrase: frozenset(meanings) for phrase, meanings in found.items()}


@cache
def _label_words() -> frozenset[str]:
    """Return a word of each phrase that labels consist of, the longest, as it is written and without accents."""
    found: set[str] = set()
    is_label = False
    for line in WORDS.read_text(encoding="utf-8").splitlines():
        if line.endswith(":"):
            is_label = line.removesuffix(":") in LABEL_MEANINGS
        elif is_label and line.startswith("  "):
            for phrase in line.split(maxsplit=1)[1].casefold().split(","):
                found |= {max(words.split(), key=len) for words in (phrase, normal(phrase))}
    return frozenset(found)


@cache
def _edge_signs() -> frozenset[str]:
    """Return the characters that phrases begin or end with in languages that write words without spaces."""
    return frozenset(char for phrase in phrases() if _UNSPACED.search(phrase) for char in (phrase[0], phrase[-1]))


@cache
def more_labels() -> tuple[str, ...]:
    """Return what buttons say that add records to a page, the surest words first."""
    meanings: tuple[Meaning, ...] = ("more", "expand")
    return tuple(phrase for meaning in meanings for phrase, own in phrases().items() if meaning in own)


def may_be_number(text: str) -> bool:
    """Return whether a short text may be the number of a page: "3", "[3]", "Page 3", "15 Last"."""
    return text[0].isdecimal() or text[-1].isdecimal() or (text[0] in "[(" and any(char.isdecimal() for char in text))


@lru_cache(maxsize=4096)
def may_be_label(text: str) -> bool:
    """Return whether a short text is worth a closer look: a cheap test, which nearly all links of a page fail."""
    if text[0] in _ARROWS or text[-1] in _ARROWS:
        return True
    known = _label_words()
    if text.isascii():
        words = text.lower().split()
        if not known.isdisjoint(words):
            return len(words) <= MAX_WORDS + 2
        if not words or len(words) > MAX_WORDS + 2 or (words[0][0].isalpha() and words[-1][-1].isalpha()):
            return False
        return words[0].strip(_PUNCTUATION) in known or words[-1].strip(_PUNCTUATION) in known
    words = text.casefold().split()
    if not words or len(words) > MAX_WORDS + 2:
        return False
    if not known.isdisjoint(words):
        return True
    if not _UNSPACED.search(text):
        return words[0].strip(_PUNCTUATION) in known or words[-1].strip(_PUNCTUATION) in known
    bare = text.strip(_PUNCTUATION + _ARROWS)
    is_short = 0 < len(bare) <= 2 * MAX_UNSPACED_CHARS
    return is_short and (bare[0] in _edge_signs() or bare[-1] in _edge_signs())


@lru_cache(maxsize=4096)
def label_of(text: str, *, is_right_to_left: bool = False) -> Label:
    """Return what a label says; nothing where it is longer than the labels of pagers are."""
    arrow = _arrow(text, is_right_to_left)
    is_end = bool(_ENDS.search(text))
    words = normal(text)
    if not words:
        return Label(arrow=arrow, is_end=is_end)
    meaning, rest = _meaning(words)
    known = phrases()
    beside = [known.get(word, frozenset()) for word in rest]
    is_article = words not in known and any("article" in meanings for meanings in beside)
    names_pages = any(
        meanings & {"page", "items"} and not _is_small(word) for word, meanings in zip(rest, beside, strict=True)
    )
    is_whole = meaning is not None and all(beside)
    # "Previous: Home" names the one page that it leads to
    is_article = is_article or (not is_whole and _TITLED.search(text) is not None)
    is_of_comments = any("comments" in meanings for meanings in beside)
    is_end = is_end or meaning in ("first", "last")
    return Label(meaning, is_article, names_pages, arrow, is_end, is_whole, is_of_comments)


def _is_small(word: str) -> bool:
    """Return whether a word is one like "of" or "the"."""
    return word.isascii() and len(word) <= MAX_SMALL_CHARS


def is_page_word(text: str) -> bool:
    """Return whether all words of a text are words beside a page number: "page", "of"."""
    known = phrases()
    return all("page" in known.get(word, ()) for word in normal(text).split())


def _arrow(text: str, is_right_to_left: bool) -> Literal["next", "previous"] | None:
    """Return where the arrow at one end of the label points; None without one, or with one at each end."""
    edge = _ENTITY_ARROW.sub(lambda match: "→" if ">" in match[0] else "←", text.strip()).strip(" |[]()")
    if not edge:
        return None
    first, last = edge[0], edge[-1]
    if first not in _ARROWS and last not in _ARROWS:
        return None
    on, back = _NEXT_MIRRORED, _PREVIOUS_MIRRORED
    on += _PREVIOUS_FIXED if is_right_to_left else _NEXT_FIXED
    back += _NEXT_FIXED if is_right_to_left else _PREVIOUS_FIXED
    is_next, is_previous = first in on or last in on, first in back or last in back
    if is_next == is_previous:
        return None
    return "next" if is_next else "previous"


def _meaning(words: str) -> tuple[Meaning | None, list[str]]:
    """Return what the words mean and those that stand beside the phrase that says so."""
    known = phrases()
    if meaning := _first(known.get(words, frozenset())):
        return meaning, _beside(words)
    if _UNSPACED.search(words):
        return _unspaced_meaning(words)
    parts = words.split()
    if len(parts) > MAX_WORDS:
        return None, []
    for size in range(len(parts) - 1, 0, -1):
        for start in (0, len(parts) - size):
            rest = parts[:start] + parts[start + size :]
            meaning = _first(known.get(" ".join(parts[start : start + size]), frozenset()))
            # "previous" alone may stand beside any one word, "back to the shop" is no label of a pager
            if meaning and (len(rest) <= 1 or all(known.get(word) for word in rest)):
                return meaning, rest
    return None, []


def _beside(words: str) -> list[str]:
    return [word for word in words.split() if phrases().get(word, frozenset()) & {"page", "items"}]


def _unspaced_meaning(words: str) -> tuple[Meaning | None, list[str]]:
    """Return the same for languages that write words without spaces."""
    if len(words) > MAX_UNSPACED_CHARS:
        return None, []
    known = phrases()
    for size in range(len(words) - 1, 0, -1):
        for start in (0, len(words) - size):
            rest = (words[:start] + words[start + size :]).strip(" のへ")
            meaning = _first(known.get(words[start : start + size].strip(), frozenset()))
            if meaning and (not rest or rest in known):
                return meaning, [rest] if rest else []
    return None, []


def _first(meanings: frozenset[Meaning]) -> Meaning | None:
    return next((meaning for meaning in LABEL_MEANINGS if meaning in meanings), None)
