"""Patterns of values: whether a text looks like a date, an amount of money, a number or a code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from peneira.character_search import CharacterSearch, character_search
from peneira.late_patterns import late_pattern
from peneira.types.locales import month_names

# The pattern of a value shows at its start
MAX_MATCHED_CHARS = 60
# Where a pattern may stand anywhere in a text; a search takes time by the square of it
MAX_SEARCHED_CHARS = 1_000

# For lower-case texts, since ignoring case takes three times as long. They begin with a digit, of which texts have few,
# so a month in front of the day is looked for afterwards. The words may be the name of a month or not
_WORD = r"[^\s\d.,;:()\[\]/|-]{2,20}"
_DATE = late_pattern(
    r"\b(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})"
    rf"|\d{{1,2}}(?:st|nd|rd|th|\.|º)?\s+(?:de\s+)?(?P<month>{_WORD})\.?,?\s+(?:de\s+)?\d{{4}}"
    r"|(?P<day_and_year>\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}))\b"
)
_MONTH_BEFORE = late_pattern(rf"\b({_WORD})\.?\s+$")
_FIRST_WORD = late_pattern(_WORD)
_MAX_MONTH_CHARS = 24
CURRENCY = r"(?:[A-Z]{1,3}\$|[$€£¥₹]|\b(?:EUR|USD|BRL|GBP)\b)"
_HAS_DIGIT = character_search("", digits=True)
_YEAR = late_pattern(r"(?:1[89]|20)\d\d")
_COUNT = late_pattern(r"\(\d[\d.,\s]*[kKmM]?\+?\)|\d[\d.,]*\s?[kKmM]\+?|\d{1,3}(?:[.,]\d{3})+|\d{3,}")
_SHORT_COUNT = late_pattern(r"\(\d[\d.,\s]*[kKmM]?\+?\)|\d[\d.,]*\s?[kKmM]\+?|\d{1,3}(?:[.,]\d{3})+")
_SHORT_DATE = late_pattern(r"\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}")
_IN_BRACKETS = late_pattern(r"\(.*\)")
_FRACTION = late_pattern(r"\d+\s*/\s*\d+")
_DIGITS = late_pattern(r"\d+")
_THREE_NUMBERS = late_pattern(r"\d{1,3}\s*[-–]\s*\d{1,3}\s*[-–]\s*\d{1,3}")
_CLOCK_TIME = late_pattern(r"\d{1,2}[.:]\d\d")
_MINUTES = late_pattern(
    r"\d{1,3}[\s-]?(?:min|mins|minutes?|minuten|minutos?|minuti|мин)\.?"
    r"(?:\s(?:read|lesezeit|de lecture|de lectura|di lettura|leestijd))?",
    re.IGNORECASE,
)
# "4 beds 3.5 baths 2,895 sq ft": numbers, each with a word or two
_FACTS = late_pattern(r"(?:\d[\d.,]*\s?[^\W\d_][^\W\d]*\.?(?:\s[^\W\d_]+\.?)?[\s,|·•-]*){2,}")
_DISCOUNT = late_pattern(
    rf"(?:(?:save|you save|-|–|−)\s?)?(?:{CURRENCY}\s?\d[\d.,]*|\d[\d.,]*\s?(?:%|{CURRENCY}))(?:\s?off)?", re.IGNORECASE
)
_DISCOUNT_SIGN = late_pattern(r"save|off$|[-–−]", re.IGNORECASE)
# "By Ann Smith": a word of this kind, and a name of a few words
_BYLINE = late_pattern(r"(?:[Bb]y|[Vv]on|[Pp]ar|[Pp]or|[Dd]i|[Dd]oor|[Aa]v|[Aa]f|[Oo]d|[Оо]т)\s+(\S+(?:\s\S+){0,4})")
_RANK = late_pattern(r"#?(\d{1,4})\.?")
_POST_NUMBER = late_pattern(r"#\s?\d{1,6}|[^\W\d_]{1,20} #\d{1,6} [^\W\d_]{1,20} \d{1,6}")
_HOST = late_pattern(r"\(?(?:[a-z0-9-]+\.)+[a-z]{2,}(?:/[\w./-]*)?\)?", re.IGNORECASE)
_NO_CODE = late_pattern(r"\d[\d.,]*-?[^\W\d_]+|\d+/\d+|@\S+|(?:[a-z0-9-]+\.)+[a-z]{2,}(?:/\S*)?", re.IGNORECASE)
_EPOCH = late_pattern(r"1\d{9}(?:\d{3})?")
_UNIT_PRICE = late_pattern(r"\d[\d.,\s]*\S{0,3}\s?/\s?[^\W\d]|/\s?(?:m²|m2|kg|l|100)\b")
_ADDRESS_INSIDE = late_pattern(r"[?&=](?:https?(?::|%3a)|%2f|//)", re.IGNORECASE)
# What stands between the last two of several names: "and" in the list patterns of Unicode CLDR, in common languages
CONJUNCTIONS = frozenset("& and und et y e i a u en og och ja és ve dan și và и та і και און ו و 和 と 및 와".split())
# The share of the texts that must match for all to count as such
MIN_ALIKE_SHARE = 0.8
_DATE_HINT = late_pattern(r"\d(?:\d{3}|[-/.]\d)")
# What texts begin with, or have in them, that may match a pattern: asked first, since most texts do not
_IS_CENTURY, _HAS_NUMBER_SIGN = character_search("12"), character_search("#")
_IS_DIGIT, _IS_DIGIT_OR_BRACKET = _HAS_DIGIT, character_search("(", digits=True)
_IS_BYLINE_LETTER = character_search("BbVvPpDdAaOoОо")
_HAS_POINT, _HAS_SLASH, _HAS_QUERY_SIGN = character_search("."), character_search("/"), character_search("?&=")
_PATTERNS = (
    ("money", late_pattern(rf"{CURRENCY}\s*\d|\d[\d.,]*\s*{CURRENCY}")),
    ("number", late_pattern(r"[#+-]?\d[\d.,\s]*%?$")),
    ("code", late_pattern(r"(?=\S*\d)[\w./-]+$")),
)


def are_years(texts: Iterable[str]) -> bool:
    """Return whether all texts are years of the last two centuries or of this one."""
    return all(_YEAR.fullmatch(text) for text in texts)


def are_mostly_years(texts: Collection[str]) -> bool:
    """Return whether nearly all texts are years."""
    return _are_most(_YEAR, texts, start=_IS_CENTURY)


def _are_most(pattern: re.Pattern[str], texts: Collection[str], *, start: CharacterSearch) -> bool:
    """Return whether nearly all texts match a pattern. ``start``: what each that does begins with."""
    return start.starts_most(texts, MIN_ALIKE_SHARE * len(texts)) and _are_alike(pattern, texts, whole=True)


def _have_most(pattern: re.Pattern[str], texts: Collection[str], *, sign: CharacterSearch) -> bool:
    """Return whether a pattern is in nearly all texts. ``sign``: what each of these has."""
    return sign.in_most(texts, MIN_ALIKE_SHARE * len(texts)) and _are_alike(pattern, texts, whole=False)


def _are_alike(pattern: re.Pattern[str], texts: Collection[str], *, whole: bool) -> bool:
    """Return whether nearly all texts match a pattern."""
    possible, least = len(texts), MIN_ALIKE_SHARE * len(texts)
    for text in texts:
        match = pattern.fullmatch(text) if whole else pattern.search(text, 0, MAX_SEARCHED_CHARS)
        if match is None:
            possible -= 1
            if possible < least:
                return False
    return bool(texts)


def are_counts(texts: Collection[str]) -> bool:
    """Return whether texts count something: in brackets, in thousands, or with separators, as (132), 5.6K, 62.901."""
    return _are_most(_COUNT, texts, start=_IS_DIGIT_OR_BRACKET) and any(_SHORT_COUNT.fullmatch(text) for text in texts)


def are_in_brackets(texts: Collection[str]) -> bool:
    """Return whether texts are in brackets, as (132)."""
    return _are_most(_IN_BRACKETS, texts, start=_IS_DIGIT_OR_BRACKET)


def are_fractions(texts: Collection[str]) -> bool:
    """Return whether texts are numbers of numbers, as 1 / 14."""
    return _are_most(_FRACTION, texts, start=_IS_DIGIT)


def are_discounts(texts: Collection[str]) -> bool:
    """Return whether texts say what is saved, as $350 off, -20 % and Save €5."""
    least = MIN_ALIKE_SHARE * len(texts)
    are_amounts = _HAS_DIGIT.in_most(texts, least) and _are_alike(_DISCOUNT, texts, whole=True)
    return are_amounts and _are_alike(_DISCOUNT_SIGN, texts, whole=False)


def are_clock_times(texts: Collection[str]) -> bool:
    """Return whether texts are times of a day, as 08.30."""
    return _are_most(_CLOCK_TIME, texts, start=_IS_DIGIT)


def are_scores(texts: Collection[str]) -> bool:
    """Return whether texts are three numbers in a row, as 37-13-17: games won, lost and drawn."""
    return _are_most(_THREE_NUMBERS, texts, start=_IS_DIGIT) and not all(map(_may_be_day, texts))


def _may_be_day(text: str) -> bool:
    """Return whether three numbers may be a day in any order: 10-3-20."""
    numbers = [int(number) for number in _DIGITS.findall(text)][:3]
    if len(numbers) < 3:
        return False
    first, second, third = numbers
    return any(0 < day <= 31 and 0 < month <= 12 for day, month in ((first, second), (second, first), (third, second)))


def are_minutes(texts: Collection[str]) -> bool:
    """Return whether texts are lengths in minutes; of times ago some would be in hours or days."""
    return len(texts) > 2 and all(_MINUTES.fullmatch(text) for text in texts)


def are_facts(texts: Collection[str]) -> bool:
    """Return whether texts are nothing but numbers and their units, as "4 beds 3.5 baths"."""
    return _are_most(_FACTS, texts, start=_IS_DIGIT)


def are_bylines(texts: Collection[str]) -> bool:
    """Return whether texts name who wrote something, as "By Ann Smith"."""
    possible, least = len(texts), MIN_ALIKE_SHARE * len(texts)
    if not _IS_BYLINE_LETTER.starts_most(texts, least):
        return False
    for text in texts:
        match = _BYLINE.fullmatch(text)
        if match is None or not match[1][0].isupper():
            possible -= 1
            if possible < least:
                return False
    return bool(texts)


def are_ranks(texts: Collection[str]) -> bool:
    """Return whether texts count up from record to record: 1, 2, 3."""
    if len(texts) < 2:
        return False
    before = None
    for text in texts:
        match = _RANK.fullmatch(text)
        if match is None or (before is not None and int(match[1]) != before + 1):
            return False
        before = int(match[1])
    return True


def are_post_numbers(texts: Collection[str]) -> bool:
    """Return whether texts are numbers of posts or the like, in whatever order: #2, #5, or Post #2 of 7."""
    is_possible = _HAS_NUMBER_SIGN.in_most(texts, MIN_ALIKE_SHARE * len(texts))
    return is_possible and _are_alike(_POST_NUMBER, texts, whole=True)


def are_words_with_numbers(texts: Collection[str]) -> bool:
    """Return whether most texts without a space are no codes: 9d, 15-inch, 7コメント, 1995/1996, @ann, a.org/b."""
    return 2 * sum(_NO_CODE.fullmatch(text) is not None for text in texts) > len(texts)


def are_hosts(texts: Collection[str]) -> bool:
    """Return whether texts are names of hosts, as (example.org)."""
    return _HAS_POINT.in_most(texts, MIN_ALIKE_SHARE * len(texts)) and _are_alike(_HOST, texts, whole=True)


def are_epochs(texts: Collection[str]) -> bool:
    """Return whether all texts are seconds or milliseconds since 1970, between 2001 and 2033."""
    return bool(texts) and all(_EPOCH.fullmatch(text) for text in texts)


def are_unit_prices(texts: Collection[str]) -> bool:
    """Return whether texts are prices of a unit, as 4.651 €/m²."""
    return _have_most(_UNIT_PRICE, texts, sign=_HAS_SLASH)


def lead_elsewhere(urls: Collection[str]) -> bool:
    """Return whether addresses contain another one: links to share a page, or to sign in and come back."""
    return _have_most(_ADDRESS_INSIDE, urls, sign=_HAS_QUERY_SIGN)


def may_contain_date(text: str) -> bool:
    """Return whether the text has a four-digit number or two numbers in a row, without which it has no date."""
    return bool(_HAS_DIGIT(text)) and _DATE_HINT.search(text) is not None


def dates_in(text: str, start: int = 0) -> Iterator[tuple[int, int]]:
    """Yield where the dates of a lower-case text begin and end, in order; day and month are not checked."""
    position = start
    # a search tries the pattern at each character, and a date begins with a digit that no letter or digit is before
    while digits := _DIGITS.search(text, position):
        position, own = digits.end(), digits.start()
        if own and ((before := text[own - 1]).isalnum() or before == "_"):
            continue
        match = _DATE.match(text, own)
        if match is None:
            continue
        first = _first_of_date(match, start)
        if first is not None:
            yield first, match.end()
        start = position = own + 1 if first is None else match.end()


def end_of_leading_date(text: str) -> int:
    """Return where a date at the start of a lower-case text ends, 0 if there is none."""
    start = text[:MAX_MATCHED_CHARS]
    word = None if start[:1].isdigit() else _FIRST_WORD.match(start)
    if word and word[0] not in month_names():
        return 0
    first, end = next(dates_in(start), (1, 0))
    return 0 if first else end


def _first_of_date(match: re.Match[str], start: int) -> int | None:
    """Return where the date of a match begins, None if its word, or the word in front of it, is not a month."""
    if match["day_and_year"]:
        offset = max(start, match.start() - _MAX_MONTH_CHARS)
        month = _MONTH_BEFORE.search(match.string[offset : match.start()])
        return offset + month.start() if month and month[1] in month_names() else None
    return match.start() if match["month"] is None or match["month"] in month_names() else None


def is_short_date(text: str) -> bool:
    """Return whether a text is a date in digits, as 04/03/2024."""
    return _SHORT_DATE.fullmatch(text) is not None


def value_pattern(text: str) -> str:
    """Return the pattern of a text: "date" if it contains one, "money", "number", "code", or "" for words."""
    start = text[:MAX_MATCHED_CHARS]
    return _pattern_of_start(start) if _HAS_DIGIT(start) else ""


@lru_cache(maxsize=4096)  # alignment, parts and names of columns ask for the same texts
def _pattern_of_start(start: str) -> str:
    if may_contain_date(start) and any(dates_in(start.lower())):
        return "date"
    for name, pattern in _PATTERNS:
        if pattern.match(start):
            return name
    return ""


def common_pattern(texts: Sequence[str]) -> str:
    """Return the pattern that more than half of the texts match, "" if there is none."""
    counts = Counter(map(value_pattern, texts))
    pattern, count = max(counts.items(), key=lambda item: (item[1], item[0]))
    return pattern if 2 * count > len(texts) else ""
