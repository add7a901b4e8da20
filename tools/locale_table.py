"""Write src/peneira/types/locales.json: the words and signs of dates, prices and numbers, from CLDR by way of Babel.

``python tools/locale_table.py`` writes the table; Babel is needed for this alone (``pip install babel==2.18.0``). With
``--check`` it writes dates in every language of the table, and counts those that peneira reads right, leaves as text,
and reads wrong.
"""

from __future__ import annotations

import datetime
import json
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import babel
from babel import Locale, localedata
from babel.core import get_global
from babel.dates import format_date
from babel.languages import get_official_languages

from peneira.types.column_types import infer_type
from peneira.types.notation import normalized

TABLE = Path(__file__).resolve().parent.parent / "src" / "peneira" / "types" / "locales.json"

LANGUAGES = (
    "af ar as az be bg bn bs ca cs cy da de el en es et eu fa fi fil fo fr ga gl gu he hi hr hu hy id is it ja ka kk "
    "km kn ko ky lb lo lt lv mk ml mn mr ms mt my ne nl nn no or pa pl ps pt ro ru si sk sl sq sr sv sw ta te tg "
    "th tk tr uk ur uz vi zh"
).split()
# The scripts whose variants are read: Serbian in Latin letters, but not English in Deseret
SCRIPTS = ("Latn", "Cyrl", "Hans", "Hant")
NOT_READ = frozenset(["zh_Latn", "zh_Latn_CN"])

# Written on the web, but not in CLDR: other abbreviations and spellings, months by number
MORE_MONTHS: dict[str, dict[int, str]] = {
    "cs": {9: "zari"},
    "de": {1: "jän", 2: "feber", 3: "mrz maerz"},
    "en": {9: "sept"},
    "es": {9: "set setiembre"},
    "fr": {2: "fév"},
    "hu": {9: "szept"},
    "it": {9: "sett"},
    "nl": {3: "mrt"},
    "no": {3: "mar"},
    "pt": {9: "sept"},
    "ro": {11: "noi"},
    "ru": {2: "фев", 9: "сен", 11: "ноя"},
    "sv": {3: "mar"},
    "uk": dict(enumerate("січ лют бер кві тра чер лип сер вер жов лис гру".split(), 1)),
}
# Weekdays by number, Monday is 0
MORE_WEEKDAYS: dict[str, dict[int, str]] = {
    "de": {5: "sonnabend"},
    "en": {1: "tues", 3: "thur thurs"},
    "pl": {6: "nd"},
    "pt": {0: "segunda", 1: "terça", 2: "quarta", 3: "quinta", 4: "sexta"},
    "zh": {6: "星期天 周天"},
}
# Hebrew writes its "in" as part of the month: 5 במרץ 2024
MONTH_PREFIXES = {"he": "ב"}
_PREPOSITION = re.compile(r"(?:de|ta'|a) |d'")

# English words and other abbreviations: BTN is also a button, CVE numbers vulnerabilities, AMD makes processors
NOT_CODES = frozenset(
    "ALL AMD ANG BAM BOB BSD BTN CHE CHW CLF COU CUC CUP CVE GEL KGS MOP MXV SDG SHP SLE SLL SOS STD STN SVC TOP USN "
    "USS UYI UYW VED VES XXX ZWG ZWL".split()
)
# Written on the web, but not in CLDR. A sign of several currencies stands for itself
MORE_SIGNS = {
    "AUD": "A$ AU$",
    "BGN": "лв лв.",
    "BRL": "R$ reais",
    "CAD": "C$ CA$",
    "CHF": "SFr. sFr.",
    "CNY": "元 RMB",
    "CZK": "Kč KČ kč",
    "EUR": "€ Euro euro Euros euros EURO Eur eur",
    "GBP": "£",
    "HKD": "HK$",
    "HRK": "HRK",
    "IDR": "Rp Rp.",
    "INR": "₹",
    "JPY": "円",
    "KRW": "₩ 원",
    "MXN": "MX$",
    "NGN": "₦",
    "NZD": "NZ$",
    "PEN": "S/ S/.",
    "PHP": "₱ Php",
    "PLN": "zł ZŁ zl",
    "RUB": "₽ руб. руб р.",
    "SGD": "S$",
    "THB": "฿ บาท",
    "TRY": "₺ TL",
    "TWD": "NT$",
    "UAH": "₴ грн. грн",
    "USD": "US$ U$S",
    "VND": "₫ đ",
    "$": "$",
    "¥": "¥",
    "Rs": "Rs Rs.",
    "kr": "kr kr. Kr Kr.",
    "lei": "lei",
}
# The currencies of a sign that stands for itself
CURRENCIES_OF_SIGN = {"kr": "DKK ISK NOK SEK", "lei": "MDL RON", "¥": "CNY JPY", "Rs": "INR LKR NPR PKR"}
# Countries that write numbers in two ways, whatever CLDR says
MIXED_COUNTRIES = frozenset(["ZA"])


def locale(name: str) -> Locale:
    """Return a locale read afresh: Babel's aliases leave data of one locale in those that are read after it."""
    localedata._cache.clear()
    return Locale.parse(name)


def regions(language: str) -> Iterator[str]:
    """Yield the locales of a language: itself, its scripts and its regions."""
    for name in sorted(localedata.locale_identifiers(), key=lambda name: (len(name), name)):
        first, *rest = name.split("_")
        scripts = [part for part in rest if len(part) == 4]
        if first == language and name not in NOT_READ and all(script in SCRIPTS for script in scripts):
            yield name


def bare(name: str) -> str:
    """Return a name as it is looked up: in lower case, without the points of abbreviations and without prepositions."""
    return _PREPOSITION.sub("", normalized(name).lower().replace(".", "")).strip()


def is_name(name: str) -> bool:
    """Return whether a name can be looked up: a word of two characters or more, without digits."""
    is_short = len(name) == 1 and not unicodedata.name(name, "").startswith(("CJK", "HANGUL"))
    return bool(name) and not is_short and not re.search(r"[\d ,/()]", name)


def names(language: str, kind: str, count: int, widths: tuple[str, ...]) -> list[list[str]]:
    """Return the names of months or weekdays in all regions of a language, without those of several."""
    found: list[dict[str, None]] = [{} for _ in range(count)]
    for name in regions(language):
        own = getattr(locale(name), kind)
        for context in ("format", "stand-alone"):
            for width in widths:
                for number, word in own[context].get(width, {}).items():
                    found[int(number) - (kind == "months")][bare(word)] = None
    more = (MORE_MONTHS if kind == "months" else MORE_WEEKDAYS).get(language, {})
    for number, words in more.items():
        found[number - (kind == "months")] |= dict.fromkeys(words.split())
    counts = Counter(word for words in found for word in words)
    prefix = MONTH_PREFIXES.get(language) if kind == "months" else None
    kept = [[word for word in words if counts[word] == 1] for words in found]
    return [words + [prefix + word for word in words] if prefix else words for words in kept]


def weekdays(language: str) -> list[str]:
    """Return the names of the weekdays from Monday; two words may be one name (Thứ Hai)."""
    found = names(language, "days", 7, ("wide", "abbreviated", "short"))
    return [" ".join(word.replace(" ", "_") for word in words if is_name(word.replace(" ", ""))) for words in found]


def months(language: str) -> list[str]:
    return [" ".join(filter(is_name, words)) for words in names(language, "months", 12, ("wide", "abbreviated"))]


def day_order(own: Locale) -> str:
    """Return the order of a short date; with dashes it is ISO 8601, which says nothing of 24/03/05."""
    pattern = own.date_formats["short"].pattern
    order = "".join(dict.fromkeys(letter for letter in pattern.lower() if letter in "dmy"))
    return "" if order == "ymd" and "-" in pattern else order if order in ("dmy", "mdy", "ymd") else ""


def conventions(name: str) -> dict[str, str]:
    """Return the decimal sign and the order of day and month of a locale."""
    own = locale(name)
    return {"decimal": own.number_symbols["latn"]["decimal"], "order": day_order(own)}


def differing_regions(language: str) -> dict[str, dict[str, str]]:
    """Return the conventions of the regions that differ from those of their language; of English, those of all."""
    usual, differing = conventions(language), {}
    for name in regions(language):
        territory = locale(name).territory
        if not territory or len(territory) != 2 or "_Latn" in name or "_Cyrl" in name:
            continue
        different = {key: value for key, value in conventions(name).items() if value != usual[key] or language == "en"}
        if different:
            differing[f"{language}-{territory.lower()}"] = different
    return differing


def day_periods(taken: set[str]) -> dict[str, str]:
    """Return the words for the halves of the day; not those that are also something else, as SA is in Vietnamese."""
    found: dict[str, set[str]] = {"am": set(), "pm": set()}
    for language in LANGUAGES:
        for name in regions(language):
            for context in locale(name).day_periods.values():
                for width in ("wide", "abbreviated"):
                    for half, words in found.items():
                        words.add(period(context.get(width, {}).get(half, "")))
    excluded = taken | (found["am"] & found["pm"])
    return {half: " ".join(sorted(filter(is_period, words - excluded))) for half, words in found.items()}


def period(name: str) -> str:
    """Return the word for half a day as it is looked up: a. m. is am."""
    return re.sub("[. ]", "", normalized(name).lower())


def is_period(word: str) -> bool:
    """Return whether a word means half a day beside any time; short words in Latin letters mean too many things."""
    return bool(word) and not re.search(r"\d", word) and not (len(word) < 4 and is_european(word))


def is_european(word: str) -> bool:
    return any(unicodedata.name(letter, "").startswith(("LATIN", "CYRILLIC")) for letter in word)


def currencies() -> dict[str, str]:
    """Return the signs of each currency, and its code, by its code; by the sign where several currencies have it."""
    codes = sorted({code for _, code in countries()})
    of_sign: dict[str, set[str]] = defaultdict(set)
    for language in LANGUAGES:
        for name in regions(language):
            for code, sign in locale(name).currency_symbols.items():
                if code in codes and normalized(sign) != code:
                    of_sign[normalized(sign)].add(code)
    more = {sign for signs in MORE_SIGNS.values() for sign in signs.split()}
    signs: dict[str, list[str]] = {code: [code] for code in codes if code not in NOT_CODES}
    for sign, own in sorted(of_sign.items()):
        if len(own) == 1 and sign not in more and is_sign(sign):
            signs.setdefault(next(iter(own)), []).append(sign)
    for code, written in MORE_SIGNS.items():
        signs[code] = [*signs.get(code, []), *written.split()]
    return {code: " ".join(own) for code, own in sorted(signs.items())}


def is_sign(sign: str) -> bool:
    """Return whether a sign means a currency in any text: not letters alone, such as KM, which is also kilometres."""
    has_symbol = any(unicodedata.category(character) == "Sc" for character in sign)
    return " " not in sign and (has_symbol or (len(sign) > 1 and not is_european(sign)))


def countries() -> Iterator[tuple[str, str]]:
    """Yield every country with each of its present currencies."""
    for territory, own in get_global("territory_currencies").items():
        if territory != "ZZ":
            yield from ((territory, code) for code, _, end, is_tender in own if is_tender and not end)


def currency_decimals() -> dict[str, str]:
    """Return the currencies by decimal sign: those whose own country writes one sign in all official languages."""
    signs = {code: _official_decimals(code[:2]) for territory, code in countries() if code.startswith(territory)}
    for sign, codes in CURRENCIES_OF_SIGN.items():
        signs[sign] = set().union(*(signs[code] for code in codes.split()))
    of_sign = {
        sign: sorted(code for code, own in signs.items() if own == {sign} and code not in NOT_CODES) for sign in ",."
    }
    return {sign: " ".join(own) for sign, own in of_sign.items()}


def _official_decimals(territory: str) -> set[str]:
    if territory in MIXED_COUNTRIES:
        return set()
    official = get_official_languages(territory, de_facto=True)
    names = {language: f"{language}_{territory}" for language in official if language in LANGUAGES}
    return {conventions(name if localedata.exists(name) else language)["decimal"] for language, name in names.items()}


def table() -> dict[str, object]:
    """Return the table."""
    of_language: dict[str, Mapping[str, object]] = {}
    of_region: dict[str, Mapping[str, str]] = {}
    for language in LANGUAGES:
        own = conventions(language)
        of_language[language] = {**own, "months": months(language), "weekdays": weekdays(language)}
        of_region |= differing_regions(language)
    taken = {
        word.replace("_", "")
        for own in of_language.values()
        for key in ("months", "weekdays")
        for words in own[key]  # type: ignore[attr-defined]
        for word in words.split()
    }
    return {
        "source": f"Unicode CLDR, read with Babel {babel.__version__} by tools/locale_table.py",
        "languages": of_language,
        "regions": of_region,
        "day_periods": day_periods(taken),
        "currencies": currencies(),
        "currency_decimals": currency_decimals(),
    }


def written(content: Mapping[str, object]) -> str:
    """Return the table as JSON with one line for each language and each other part."""
    lines = []
    for key, value in content.items():
        if key == "languages" and isinstance(value, dict):
            own = ",\n".join(f"  {_json(name)}: {_json(part)}" for name, part in value.items())
            lines.append(f" {_json(key)}: {{\n{own}\n }}")
        else:
            lines.append(f" {_json(key)}: {_json(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def check() -> None:
    """Print, per language, how many dates that Babel writes are read right, left as text and read wrong."""
    days = [datetime.date(2024, month, 3 + month) for month in range(1, 13)]
    total: Counter[str] = Counter()
    for language in LANGUAGES:
        own: Counter[str] = Counter()
        for style in ("short", "medium", "long", "full"):
            texts = [format_date(day, style, locale(language)) for day in days]
            inferred = infer_type(texts, language=language)
            for day, text in zip(days, texts, strict=True):
                value = inferred.value(text) if inferred.type == "date" else None
                own["text" if value is None else "right" if value == day else "wrong"] += 1
                if value not in (None, day):
                    print(f"{language}: {text!r} is read as {value}")
            if inferred.type != "date":
                print(f"{language}: {style} dates stay text, e.g. {texts[2]!r}")
        total += own
    print(dict(total))


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        check()
    else:
        TABLE.write_text(written(table()), encoding="utf-8")
        print(f"{TABLE.name}: {TABLE.stat().st_size:,} bytes, {len(LANGUAGES)} languages")
