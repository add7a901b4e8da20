"""Parts of texts: columns within a column whose texts hold several values.

Where most texts of a column are built alike ("Smith v. Jones (No. 12-345), May 8, 2024"), their parts are columns too.
Texts are cut at dates, brackets, dashes, bars and semicolons that most of them have; a comma cuts only before or after
a part with a number that has the same form in most texts ("Recife, 40 m2"). The whole text stays a column.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, islice, product
from typing import NamedTuple

from peneira.character_search import character_search
from peneira.columns.labels import MIN_LABELLED_SHARE
from peneira.columns.value_patterns import dates_in, end_of_leading_date, may_contain_date, value_pattern
from peneira.kernels import compiled
from peneira.late_patterns import late_pattern


@dataclass(frozen=True, slots=True)
class TextOptions:
    """Which texts are cut."""

    # Fewer distinct texts do not show how texts are built
    min_distinct: int = 3
    # This many texts show whether enough of them have anything to cut at
    max_sampled: int = 40
    # Texts longer on average are prose: only a date or a code in front is cut off
    max_mean_chars: int = 240
    # The same for a single text, and what bounds the time that matching takes
    max_chars: int = 600


@dataclass(frozen=True, slots=True)
class CutOptions:
    """Which cuts and which parts are kept."""

    # A kind of cut, or the form of a part, is common if this share of the texts has it
    min_common_share: float = 0.6
    # A part that a smaller share of the texts has is not a column
    min_part_share: float = 0.3
    max_parts: int = 12


TEXT_OPTIONS = TextOptions()
CUT_OPTIONS = CutOptions()

_HAS_CUT_SIGN = character_search("([|·•;", digits=True)
_CUT_HINT = late_pattern(r",\s|\s[-–—/]|^\S+[.:#]\s")
_BRACKETS = r"(?:(?<=\s)|^)(?P<bracket>\([^()]{1,200}\)|\[[^\[\]]{1,200}\])"
_DASHES = r"(?P<dash>(?<!\s)\s++[-–—]+\s+)"
_BARS = r"(?P<bar>(?<!\s)\s*+(?:[|·•]\s*|(?<=\s)/\s+))"
_COMMAS = r"(?P<semicolon>;\s+)|(?P<comma>,\s+)"
_HAS_BRACKET, _HAS_DASH, _HAS_BAR = character_search("(["), character_search("-–—"), character_search("|·•/")
# Where a text can be cut, by whether it has brackets, dashes and bars: most have few of them, and each is tried at each
# character
_CUTS = {
    signs: late_pattern("|".join([*compress((_BRACKETS, _DASHES, _BARS), signs), _COMMAS]))
    for signs in product((False, True), repeat=3)
}
_HAS_MARK = character_search("([–—|·•/;,-")
# Without one of these a text is not cut, whatever else it is
_HAS_MARK_OR_DIGIT = character_search("([–—|·•/;,-", digits=True)
_HAS_DIGIT = character_search("", digits=True)
# The number of a case, an order or an article, in front of at least a few words
_LEADING_CODE = late_pattern(r"(?=\S*\d)(?=\S*[-/.A-Za-z]|\d{5})[\w#][\w./#-]{3,}(?=\s+[^\W\d].{7})")
_COMMON_WORD = late_pattern(r"[^\W\d_]{2,}[.:#]?")
_STRIPPED = " \t\n,;:|·•-–—"
_DANGLING_STARTS, _DANGLING_ENDS = ")].", "(["
_DIGITS = late_pattern(r"\d+")
# Words such as "on", "am", "par" and "door" are not longer
MAX_LITTLE_WORD = 4

text_cuts = compiled("text_cuts")

Texts = Mapping[int, str]


@dataclass(frozen=True, slots=True)
class TextPart:
    """A column within a column: its kind, the words before its values, and the value of each record."""

    kind: str
    label: str
    texts: Texts


class _Segment(NamedTuple):
    """A segment of a text and the kind of cut before it; dates, brackets and codes are kinds themselves."""

    start: int
    end: int
    kind: str


def text_parts(texts: Texts) -> list[TextPart]:
    """Return the parts that most of the texts have, in order; none where the texts are not built alike."""
    distinct = set(texts.values())
    if len(distinct) < TEXT_OPTIONS.min_distinct or not _may_be_cut(texts):
        return []
    is_prose = sum(map(len, distinct)) > TEXT_OPTIONS.max_mean_chars * len(distinct)
    segments = _segments_of_most(texts, is_prose=is_prose)
    if segments is None:
        return [] if is_prose else _after_common_words("", texts)
    return [part for part in _parts(texts, _commonly_cut(texts, segments)) if dict(part.texts) != dict(texts)]


def _may_be_cut(texts: Texts) -> bool:
    sample = list(islice(texts.values(), TEXT_OPTIONS.max_sampled))
    hinted, least = 0, CUT_OPTIONS.min_part_share * len(sample)
    if text_cuts is not None:
        return bool(text_cuts.are_hinted(sample, TEXT_OPTIONS.max_chars, least))
    for text in sample:
        start = text[: TEXT_OPTIONS.max_chars]
        hinted += bool(_HAS_CUT_SIGN(start)) or _CUT_HINT.search(start) is not None
        if hinted >= least:
            return True
    return False


def _segments_of_most(texts: Texts, *, is_prose: bool) -> dict[int, list[_Segment]] | None:
    """Return the segments of each text; None, at the text that shows it, if too few of the texts can be cut."""
    segments: dict[int, list[_Segment]] = {}
    cut: dict[str, list[_Segment]] = {}
    least = CUT_OPTIONS.min_common_share * len(texts)
    if text_cuts is not None:
        by_kernel: dict[int, list[_Segment]] | None = text_cuts.segments_of_most(
            texts, TEXT_OPTIONS.max_chars, least, is_prose, (_leading_segments, _code_end, _dates)
        )
        return by_kernel
    possible = sum(1 for text in texts.values() if _HAS_MARK_OR_DIGIT(text))
    if possible < least:
        return None
    for record, text in texts.items():
        own = cut.get(text)
        if own is None:
            is_long = is_prose or len(text) > TEXT_OPTIONS.max_chars
            if not _HAS_MARK_OR_DIGIT(text):
                own = cut[text] = [_Segment(0, len(text), "")]
            else:
                own = cut[text] = _leading_segments(text) if is_long else _segments(text)
        segments[record] = own
        if len(own) == 1 and _HAS_MARK_OR_DIGIT(text):
            possible -= 1
            if possible < least:
                return None
    return segments


def _leading_segments(text: str) -> list[_Segment]:
    """Return a date or code at the start of a text, and the rest."""
    end, kind = end_of_leading_date(_lower(text)), "date"
    if not end:
        code = _LEADING_CODE.match(text)
        if code is None:
            return [_Segment(0, len(text), "")]
        end, kind = code.end(), "code"
    return [_Segment(0, end, kind), _Segment(end, len(text), "")]


def _lower(text: str) -> str:
    """Return the text in lower case, or unchanged if that would change its length."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text


def _segments(text: str) -> list[_Segment]:
    """Return the text cut wherever it can be cut."""
    code = _code_end(text)
    segments = [_Segment(0, code, "code")] if code else []
    start, kind = (code, "after code") if code else (0, "")
    for cut in _cuts(text, start):
        name = cut.kind
        if _trimmed(text[start : cut.start]):
            segments.append(_Segment(start, cut.start, kind))
        if name in ("date", "bracket"):
            segments.append(cut)
            name = f"after {name}"
        start, kind = cut.end, name
    if _trimmed(text[start:]):
        segments.append(_Segment(start, len(text), kind))
    return segments or [_Segment(0, len(text), "")]


def _code_end(text: str) -> int:
    """Return where a code in front of a text ends, 0 if there is none."""
    code = _LEADING_CODE.match(text)
    return code.end() if code is not None and not end_of_leading_date(_lower(text)) else 0


def _cuts(text: str, start: int) -> Iterator[_Segment]:
    """Yield the dates and marks of a text from a start on; of two that overlap, the first."""
    cuts = [_Segment(*match.span(), match.lastgroup or "") for match in _marks(text, start)] if _HAS_MARK(text) else []
    dates = [_Segment(*date) for date in _dates(text, start)] if may_contain_date(text) else []
    if dates:
        cuts = sorted(cuts + dates)
    for cut in cuts:
        if cut.start >= start:
            yield cut
            start = cut.end


def _dates(text: str, start: int) -> list[tuple[int, int, str]]:
    """Return the dates of a text from a start on."""
    return [(first, end, "date") for first, end in dates_in(_lower(text), start)]


def _marks(text: str, start: int) -> Iterator[re.Match[str]]:
    signs = bool(_HAS_BRACKET(text)), bool(_HAS_DASH(text)), bool(_HAS_BAR(text))
    return _CUTS[signs].finditer(text, start)


def _commonly_cut(texts: Texts, segments: Mapping[int, Sequence[_Segment]]) -> dict[int, list[_Segment]]:
    """Return the segments, joined again where only some texts are cut."""
    least = CUT_OPTIONS.min_common_share * len(texts)
    if text_cuts is not None:
        by_kernel: dict[int, list[_Segment]] = text_cuts.commonly_cut(texts, segments, least)
        return by_kernel
    counts = Counter(kind for own in segments.values() for kind in {segment.kind for segment in own})
    kinds = {kind for kind, count in counts.items() if count >= least} | {"comma"}
    joined = {
        record: _joined(own, lambda segment: segment.kind in kinds or segment.kind.removeprefix("after ") in kinds)
        for record, own in segments.items()
    }
    forms = Counter(form for record, own in joined.items() for form in {_form(texts[record], s) for s in own})
    common = {form for form, count in forms.items() if form and count >= least}
    return {record: _cut_at_common_forms(texts[record], own, common) for record, own in joined.items()}


def _cut_at_common_forms(text: str, segments: Sequence[_Segment], common: set[str]) -> list[_Segment]:
    """Return the segments, joined at commas that are not next to a segment of a common form."""
    follows_common = False

    def cuts(segment: _Segment) -> bool:
        nonlocal follows_common
        before, follows_common = follows_common, _form(text, segment) in common
        return segment.kind != "comma" or before or follows_common

    return _joined(segments, cuts)


def _joined(segments: Sequence[_Segment], cuts: Callable[[_Segment], bool]) -> list[_Segment]:
    """Return the segments, each joined to the one before unless there is a cut between them."""
    kept: list[_Segment] = []
    for segment in segments:
        is_cut = cuts(segment)
        if is_cut or not kept:
            kept.append(segment)
        else:
            kept[-1] = _Segment(kept[-1].start, segment.end, kept[-1].kind)
    return kept


def _form(text: str, segment: _Segment) -> str:
    """Return a segment with each number as 0; "" for one without digits, since words have no common form."""
    trimmed = _trimmed(text[segment.start : segment.end])
    if not _HAS_DIGIT(trimmed):
        return ""
    masked = _DIGITS.sub("0", trimmed)
    return masked if masked != trimmed else ""


def _parts(texts: Texts, segments: Mapping[int, Sequence[_Segment]]) -> Iterator[TextPart]:
    """Yield the parts: the first segments of each kind, the second ones, and so on."""
    values_by_key: dict[tuple[str, int], dict[int, str]] = {}
    positions: dict[tuple[str, int], list[int]] = {}
    before_date: Counter[tuple[str, int]] = Counter()
    keyed = _keyed if text_cuts is None else text_cuts.keyed
    for record, own in segments.items():
        for position, (key, text, is_before_date) in enumerate(keyed(texts[record], own)):
            values_by_key.setdefault(key, {})[record] = text
            positions.setdefault(key, []).append(position)
            before_date[key] += is_before_date
    order = sorted(values_by_key, key=lambda key: (sum(positions[key]) / len(positions[key]), key))
    for key in order[: CUT_OPTIONS.max_parts]:
        values = values_by_key[key]
        if before_date[key] >= MIN_LABELLED_SHARE * len(values):
            values = _without_last_word(values)
        if len(values) >= CUT_OPTIONS.min_part_share * len(texts) and len(set(values.values())) > 1:
            yield from _after_common_words(key[0], values) or [TextPart(key[0], "", values)]


def _without_last_word(texts: dict[int, str]) -> dict[int, str]:
    """Return the texts without the little word that nearly all end with, which leads to the date after it: "Ann on"."""
    last = Counter([text.rpartition(" ")[2] for text in texts.values()])
    word, count = max(last.items(), key=lambda item: (item[1], item[0]))
    is_little = len(word) <= MAX_LITTLE_WORD and word.isalpha() and word.islower()
    if not is_little or len(texts) < TEXT_OPTIONS.min_distinct or count < MIN_LABELLED_SHARE * len(texts):
        return texts
    cut = {record: text.removesuffix(f" {word}") for record, text in texts.items()}
    after_words = sum(text[-1:].isalpha() for text in cut.values())  # not "12 km"
    return cut if after_words >= MIN_LABELLED_SHARE * len(cut) and len(set(cut.values())) > 1 else texts


def _keyed(text: str, segments: Sequence[_Segment]) -> Iterator[tuple[tuple[str, int], str, bool]]:
    """Yield the segments of a text that was cut, each with its kind and its number within the kind, and whether it is
    words with a date right after them, and no mark between."""
    counts: dict[str, int] = {}
    dates = {segment.start for segment in segments if segment.kind == "date"}
    for segment in segments if len(segments) > 1 else ():
        kind = segment.kind if segment.kind in ("date", "bracket", "code") else "text"
        raw = text[segment.start : segment.end]
        trimmed = _trimmed(raw[1:-1] if kind == "bracket" and raw[-1] in ")]" else raw)
        if trimmed:
            counts[kind] = counts.get(kind, 0) + 1
            yield (kind, counts[kind]), trimmed, kind == "text" and segment.end in dates


def _trimmed(text: str) -> str:
    """Return the text without the marks at its ends that it was cut at."""
    trimmed = text.strip(_STRIPPED)
    if trimmed[:1] in _DANGLING_STARTS or trimmed[-1:] in _DANGLING_ENDS:
        trimmed = trimmed.lstrip(_DANGLING_STARTS).rstrip(_DANGLING_ENDS).strip(_STRIPPED)
    return trimmed


def _after_common_words(kind: str, texts: Texts) -> list[TextPart]:
    """Return the texts without the words that most start with, which are the label; none if they share no words."""
    common = _common_words(list(texts.values()))
    is_name = not kind and common and common[-1][-1].isalpha()  # all are of one brand, which is not a label
    if len(texts) < TEXT_OPTIONS.min_distinct or not common or is_name or _are_values(texts):
        return []
    values = {record: _without_words(text, common) for record, text in texts.items()}
    if kind == "text" and _is_party(common) and not any(map(_DIGITS.search, values.values())):
        return []
    return [TextPart(kind, " ".join(common), values)] if len(set(values.values())) > 1 else []


def _is_party(words: Sequence[str]) -> bool:
    """Return whether words may be a name that all texts start with: "United States v. Smith"."""
    names = [word for word in words if word.lower().rstrip(".") not in ("v", "vs")]
    return len(words) > 1 and all(word[0].isupper() and word[-1].isalpha() for word in names)


def _common_words(texts: Sequence[str]) -> list[str]:
    """Return the words that nearly all texts start with, leaving at least one word of each."""
    first_words = Counter([words[0] for text in texts if (words := text.split(None, 1))])
    word, count = max(first_words.items(), key=lambda item: (item[1], item[0]), default=("", 0))
    if count < MIN_LABELLED_SHARE * len(texts) or not _COMMON_WORD.fullmatch(word):
        return []
    sharing = [words for text in texts if (words := text.split()) and words[0] == word]
    length = 1
    while all(len(words) > length + 1 for words in sharing) and len({words[length] for words in sharing}) == 1:
        length += 1
    return list(sharing[0][:length]) if all(len(words) > length for words in sharing) else []


def _without_words(text: str, common: Sequence[str]) -> str:
    words = text.split()
    return " ".join(words[len(common) :]) if words[: len(common)] == list(common) else text


def _are_values(texts: Texts) -> bool:
    """Return whether most of the whole texts are a date or a price."""
    patterns = [value_pattern(text) for text in texts.values()]
    return sum(pattern in ("date", "money") for pattern in patterns) >= CUT_OPTIONS.min_common_share * len(patterns)
