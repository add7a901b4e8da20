"""Times of day and durations."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from peneira.late_patterns import late_pattern
from peneira.types.locales import day_periods
from peneira.types.notation import Notation

# Words between a date and a time, or before either
TIME_WORDS = "at às as um à a las alle kl kl. o om klo ore в kell den le el godz godz. ora".split()

# Time zones by name, in minutes east of Greenwich: those of RFC 2822 and the common European ones
ZONES = (
    dict.fromkeys(("z", "utc", "gmt", "ut", "wet"), 0)
    | {"est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420}
    | {"west": 60, "cet": 60, "cest": 120, "mez": 60, "mesz": 120, "eet": 120, "eest": 180, "msk": 180}
)

_HALF_DAY = r"(am|pm|a\. ?m\.?|p\. ?m\.?)(?![^\W\d_])"
_ZONE_NAMES = "|".join(sorted(ZONES, key=len, reverse=True))
# The hour, minutes, seconds, fraction, half of the day, zone name and offset of a time: 14:30:05.5 +02:00, 2 pm, 14h30
TIME = late_pattern(
    rf"(?<![\d:.])(\d{{1,2}})"
    rf"(?:[:h](\d\d)(?::(\d\d)(?:[.,](\d{{1,9}}))?)?(?: ?{_HALF_DAY})?| ?{_HALF_DAY}| ?h(?!\w))"
    rf"(?: ?(?:uhr|uur|hrs?|h|ч\.?)(?![^\W\d_]))?"
    rf"(?: ?\(?({_ZONE_NAMES})([-+]\d{{1,2}}(?::?\d\d)?)?\)?| ?([-+]\d\d:?\d\d)(?: \([^\W\d_]{{1,5}}\))?)?(?![\w:])",
    re.IGNORECASE,
)
_TIME_WITH_H = late_pattern(r"\d{1,2} ?h ?(?:\d\d)?", re.IGNORECASE)  # 14h30, but also a duration
_LEADING_WORDS = "|".join(map(re.escape, sorted(TIME_WORDS, key=len, reverse=True)))
_LEADING_WORD = late_pattern(rf"(?:{_LEADING_WORDS})\.? (?=\d)", re.IGNORECASE)
_COLONS = late_pattern(r"(?:(\d{1,3}):)?(\d{1,3}):(\d\d)")
_TIME_WITH_CJK = late_pattern(r"(\d{1,2})[時时点시] ?(?:(\d{1,2})[分분])?")
# A time with a word for the half of the day before or after it: 下午3:30, 3:30 μ.μ.
_HALF_OF_DAY = r"([^\s\d:,()|/.-][^\s\d:,()|/-]{0,23}(?: [^\s\d:,()|/-]{1,24})?)"
_HALF_BEFORE = late_pattern(rf"(?<![^\s\d)\]]){_HALF_OF_DAY} ?(\d{{1,2}}:\d\d(?::\d\d)?)(?![:\d])")
_HALF_AFTER = late_pattern(rf"(?<![\d:])(\d{{1,2}}:\d\d(?::\d\d)?) ?{_HALF_OF_DAY}(?![^\s,)])")
_TIME_WITH_POINT = late_pattern(r"(?<![\d.])(\d{1,2})\.(\d\d)(?= ?[Uu]hr)")

# Not "time" alone, which is also the caption of lengths of songs and results of races
_TIME_CAPTION = late_pattern(
    r"\b(?:start|hora|horário|heure|uhrzeit|orario|godzina|klokkeslæt|kick-?off|opens?|closes?|depart\w*|arriv\w*)\b"
    r"|時刻|время начала",
    re.IGNORECASE,
)


def time_of(match: re.Match[str]) -> datetime.time | None:
    """Return the time of a match of ``TIME``, None if there is no such time."""
    hour, minute, second, fraction, half, lone_half, zone, shift, offset = match.groups()
    if offset and not second and _may_be_range(match, offset):
        return None
    h, half = int(hour), (half or lone_half or "").lower()
    if half:
        if not 1 <= h <= 12:
            return None
        h = h % 12 + (12 if half[0] == "p" else 0)
    micro = int((fraction or "0").ljust(6, "0")[:6])
    try:
        return datetime.time(h, int(minute or 0), int(second or 0), micro, tzinfo=_zone(zone, shift or offset))
    except ValueError:
        return None


def _may_be_range(match: re.Match[str], offset: str) -> bool:
    """Return whether 10:00-12:00 may be a range of times: only after T, as in ISO 8601, is -12:00 surely a zone."""
    return offset[0] == "-" and ":" in offset and not match.string[: match.start()].endswith("T")


def _zone(name: str | None, offset: str | None) -> datetime.timezone | None:
    """Return the time zone of a name and an offset such as +02:00, which add up in UTC+2 or GMT-0300."""
    if not name and not offset:
        return None
    minutes = ZONES[name.lower()] if name else 0
    if offset:
        digits = offset[1:].replace(":", "")
        offset_minutes = int(digits) * 60 if len(digits) <= 2 else int(digits[:-2]) * 60 + int(digits[-2:])
        minutes += -offset_minutes if offset[0] == "-" else offset_minutes
    return datetime.timezone(datetime.timedelta(minutes=minutes))


def with_colons(text: str) -> str:
    """Return the text with times such as 15時30分, 下午3:30, 3:30 μ.μ. and 15.30 Uhr as 15:30 and 3:30 pm."""
    if "." in text:
        text = _TIME_WITH_POINT.sub(r"\1:\2", text)
    if text.isascii():
        return text
    text = _TIME_WITH_CJK.sub(lambda match: f"{match[1]}:{int(match[2] or 0):02d}", text)
    return _HALF_AFTER.sub(_with_half_after, _HALF_BEFORE.sub(_with_half_before, text)) if ":" in text else text


def _with_half_before(match: re.Match[str]) -> str:
    *words, last = match[1].split(" ")
    both, single = day_periods().get(_period(match[1])), day_periods().get(_period(last))
    if both:
        return f"{match[2]} {both}"
    if single:
        return " ".join((*words, match[2], single))
    cjk = day_periods().get(last[-2:])  # 5日午後3:30
    return " ".join((*words, last[:-2], match[2], cjk)) if cjk else match[0]


def _with_half_after(match: re.Match[str]) -> str:
    first, *words = match[2].split(" ")
    both, single = day_periods().get(_period(match[2])), day_periods().get(_period(first))
    if both:
        return f"{match[1]} {both}"
    return " ".join((match[1], single, *words)) if single else match[0]


def _period(text: str) -> str:
    return text.replace(".", "").replace(" ", "").lower()


def read_time(text: str, notation: Notation) -> datetime.time | None:
    """Return the time of day in a cell."""
    word = _LEADING_WORD.match(text)
    if word is None and text.isascii() and not text[:1].isdigit():
        return None
    match = TIME.fullmatch(with_colons(text[word.end() :] if word else text))
    return time_of(match) if match else None


def times_are_plausible(
    texts: Sequence[str], others: Iterable[str], caption: str, language: str, notation: Notation
) -> bool:
    """Return whether cells that read as times of day are times: 3:45 may be the length of a song, 1h30 a duration.

    They are if they have am or pm, a zone, or a caption for times. Otherwise times have hours after noon, or come in
    steps of five minutes, which lengths seldom do. 49:06 among the ``others`` shows that all cells are lengths.
    """
    if any(_COLONS.fullmatch(text) for text in others):
        return False
    if _TIME_CAPTION.search(caption):
        return True
    times = {text: time for text in texts if (time := read_time(text, notation))}
    bare = {text: time for text, time in times.items() if _COLONS.fullmatch(text)}
    with_h = [time for text, time in times.items() if _TIME_WITH_H.fullmatch(text)]
    if with_h and not (language[:2].lower() in ("fr", "pt") and any(time.hour > 12 for time in with_h)):
        return False
    if not bare:
        return True
    are_padded = all(text[1] != ":" for text in bare)
    if are_padded and any(time.hour > 12 for time in bare.values()):
        return True
    if any(text.count(":") > 1 for text in bare):
        return False
    return all(time.minute % 5 == 0 for time in bare.values()) and (are_padded or len(bare) >= 3)


_DURATION_CAPTION = late_pattern(
    r"\b(?:duration|length|runtime|running|dauer|durée|duração|duración|durata|laufzeit)\b", re.IGNORECASE
)
_SINGLE_LETTER_UNIT = late_pattern(r"\d+(?:[.,]\d+)? ?[^\W\d_]\.?")
_SECONDS_OF_UNIT = {
    unit: seconds
    for seconds, units in {
        604800: "wk wks week weeks woche wochen semana semanas semaine semaines",
        86400: "d day days tag tage tagen dia dias día días jour jours giorno giorni dag dagen dni дн дней",
        3600: "h hr hrs hour hours std stunde stunden hora horas heure heures ora ore uur timer timmar "
        "ч час часа часов godz 時間 小时 시간",
        60: "m min mins minute minutes minuten minuto minutos minuti minuter minut мин минут минуты 分 分鐘 分钟 분",
        1: "s sec secs second seconds sek sekunden segundo segundos secondes сек 秒 초",
    }.items()
    for unit in units.split()
}
STARTS_OF_TIME_UNITS = "".join(sorted({start for unit in _SECONDS_OF_UNIT for start in (unit[0], unit[0].upper())}))
_QUANTITY = late_pattern(r"(\d{1,6}(?:[.,]\d{1,2})?) ?([^\W\d_]+)\.?(?:, ?| (?:and|e|y|et|und|en|og|och|и) | ?)")
_ISO_DURATION = late_pattern(
    r"P(?=.)(?:(\d{1,4})W)?(?:(\d{1,6})D)?(?:T(?=.)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6}(?:\.\d{1,6})?)S)?)?",
)
_SECONDS_OF_ISO_UNIT = (604800, 86400, 3600, 60, 1)


def read_duration(text: str, notation: Notation) -> datetime.timedelta | None:
    """Return the duration in a cell. Months and years are not read: they have no fixed length."""
    if text.startswith("P"):
        iso = _ISO_DURATION.fullmatch(text)
        return _total(zip(iso.groups(), _SECONDS_OF_ISO_UNIT, strict=True)) if iso else None
    if not text[:1].isdecimal():
        return None
    colons = _COLONS.fullmatch(text)
    if colons:
        hours, minutes, seconds = colons.groups()
        if int(seconds) > 59 or (hours is not None and int(minutes) > 59) or (hours is None and not notation.minutes):
            return None
        return _total(zip((hours, minutes, seconds), (3600, 60, 1), strict=True))
    return _duration_with_units(text)


def _duration_with_units(text: str) -> datetime.timedelta | None:
    """Return the duration of "1h 30m" or "2 hours and 5 min": units from large to small, each at most once."""
    quantities: list[tuple[str, int]] = []
    position = 0
    while position < len(text):
        match = _QUANTITY.match(text, position)
        unit = _SECONDS_OF_UNIT.get(match[2].lower()) if match else None
        if match is None or unit is None:
            minutes = re.fullmatch(r"(\d\d)", text[position:])  # 1h30
            if not minutes or not quantities or quantities[-1][1] != 3600:
                return None
            quantities.append((minutes[1], 60))
            break
        if quantities and unit >= quantities[-1][1]:
            return None
        quantities.append((match[1], unit))
        position = match.end()
    return _total(quantities) if quantities else None


def _total(quantities: Iterable[tuple[str | None, int]]) -> datetime.timedelta:
    """Return the sum of numbers, each with the seconds of its unit."""
    seconds = sum((Decimal(number.replace(",", ".")) * unit for number, unit in quantities if number), Decimal(0))
    return datetime.timedelta(microseconds=int(seconds * 1_000_000))


def colons_are_minutes(texts: Iterable[str]) -> bool:
    """Return whether 3:45 is minutes and seconds in a column, as 1:02:33 in another cell shows."""
    colons = {text.count(":") for text in texts if _COLONS.fullmatch(text)}
    return colons == {1, 2}


def durations_are_plausible(texts: Sequence[str], caption: str, notation: Notation) -> bool:
    """Return whether cells that read as durations are durations.

    Alone, 12:30:45, 1h30 and 14h may be times of day and 90 m may be metres; another cell or the caption decides.
    """
    if _DURATION_CAPTION.search(caption):
        return True
    time_like = [text for text in texts if _COLONS.fullmatch(text) or _TIME_WITH_H.fullmatch(text)]
    lengths = [length for text in time_like if (length := read_duration(text, notation))]
    if any(length >= datetime.timedelta(days=1) for length in lengths):
        return True
    ambiguous = [_SINGLE_LETTER_UNIT, _TIME_WITH_H]
    if not notation.minutes:
        ambiguous.append(_COLONS)
    return not all(any(pattern.fullmatch(text) for pattern in ambiguous) for text in texts)
