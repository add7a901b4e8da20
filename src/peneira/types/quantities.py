"""Quantities: a number with a unit, such as 85 m², 1,250 sq ft or 16 GB.

Units of time are durations. Units that are also other words are left out: "m" may be minutes, "in" is a word, and "G" a
generation of telephones. So are numbers with anything else beside them ("2 x 16 GB", "up to 12 km").
"""

from __future__ import annotations

import re
from functools import lru_cache

from peneira.late_patterns import late_pattern
from peneira.types.notation import Notation
from peneira.types.numbers import WrittenNumber, parse_number, to_decimal
from peneira.values import Quantity

# Each unit under its own name, with the other ways to write it; symbols as written, since mW is not MW
_SYMBOLS = {
    "mm": "мм ㎜ 毫米",
    "cm": "см ㎝ 厘米",
    "km": "км ㎞ 公里 كم किमी",
    "mi": "",
    "ft": "",
    "in": "″ '' \"",
    "yd": "",
    "mm2": "mm²",
    "cm2": "cm² см²",
    "m2": "m² sqm qm ㎡ м² м2 кв.м кв.м. кв. м. 平方米 平米",
    "km2": "km² км²",
    "ft2": "ft² sqft sf",
    "ha": "га",
    "ml": "mL мл",
    "cl": "cL",
    "dl": "dL",
    "l": "L л ℓ",
    "cm3": "cm³ ccm cc",
    "m3": "m³ м³",
    "mg": "мг",
    "g": "г",
    "kg": "Kg KG кг ㎏ 公斤 किग्रा",
    "t": "",
    "lb": "lbs lb.",
    "oz": "oz.",
    "kB": "KB КБ",
    "MB": "МБ",
    "GB": "ГБ",
    "TB": "ТБ",
    "KiB": "",
    "MiB": "",
    "GiB": "",
    "TiB": "",
    "Mbit/s": "Mbps Mb/s",
    "Gbit/s": "Gbps Gb/s",
    "MB/s": "",
    "Hz": "Гц",
    "kHz": "КГц кГц",
    "MHz": "МГц",
    "GHz": "ГГц",
    "W": "Вт",
    "kW": "кВт",
    "MW": "",
    "Wh": "",
    "kWh": "кВтч",
    "mAh": "мАч",
    "V": "",
    "hp": "bhp",
    "PS": "л.с.",
    "Nm": "",
    "km/h": "kmh kph км/ч",
    "mph": "",
    "m/s": "м/с",
    "rpm": "",
    "l/100km": "L/100km л/100км",
    "g/km": "",
    "mpg": "",
    "°C": "℃",
    "°F": "℉",
    "MP": "Mpx Мп",
    "px": "",
    "dpi": "",
    "fps": "",
    "dB": "",
    "lm": "",
    "kcal": "ккал",
    "kJ": "",
    "psi": "",
}
# Words in any case
_WORDS = {
    "mm": "millimeters millimetres",
    "cm": "centimeters centimetres zentimeter centímetros",
    "m": "meter meters metre metres metro metros mètre mètres метр метра метров metrów",
    "km": "kilometer kilometers kilometre kilometres kilómetros quilômetros kilomètres chilometri",
    "mi": "mile miles milhas millas",
    "ft": "foot feet",
    "in": "inch inches zoll polegadas pulgadas pouces pollici cali",
    "yd": "yard yards",
    "m2": "sq.m sq.m. m^2",
    "ft2": "sq.ft sq.ft.",
    "acre": "acre acres",
    "ha": "hectare hectares hektar hectáreas",
    "l": "liter liters litre litres litro litros litrów",
    "gal": "gallon gallons",
    "g": "gram grams gramm grammes gramas gramos",
    "kg": "kilo kilos kilogram kilograms kilogramm",
    "t": "tonne tonnes tonnen toneladas",
    "oz": "ounce ounces",
    "GB": "gigabyte gigabytes",
    "MB": "megabyte megabytes",
    "W": "watt watts",
    "V": "volt volts",
    "hp": "horsepower",
    "MP": "megapixel megapixels",
    "px": "pixel pixels",
    "kcal": "calories kalorien",
}
_OF_SYMBOL = {symbol: unit for unit, symbols in _SYMBOLS.items() for symbol in (unit, *symbols.split())}
del _OF_SYMBOL["in"]
_OF_WORD = {word: unit for unit, words in _WORDS.items() for word in words.split()}
# Units of two words, without their space and points
_OF_WORDS = {"sqft": "ft2", "sqfeet": "ft2", "squarefeet": "ft2", "sqmi": "mi2", "squaremiles": "mi2", "sqm": "m2"}
_OF_WORDS |= {"squaremeters": "m2", "squaremetres": "m2", "quadratmeter": "m2", "metrosquadrados": "m2", "квм": "m2"}
_OF_WORDS |= {"metroscuadrados": "m2", "mètrescarrés": "m2", "metriquadri": "m2", "l/100km": "l/100km", "kmh": "km/h"}
_QUANTITY = late_pattern(
    r"([-+]?\d[\d.,' ]*?) ?([^\d\s+-](?:[^\d]{0,18}[^\d\s]|[^\d]{0,10}\d)?|l/100 ?km)", re.IGNORECASE
)
_NOT_WITHOUT_SPACE = frozenset("t V PS MP".split())  # 12V is a voltage, but 5t and 3V are also models


@lru_cache(maxsize=4096)
def parse_quantity(text: str) -> tuple[WrittenNumber, str] | None:
    """Return the number and the unit of a quantity, None for other text."""
    match = _QUANTITY.fullmatch(text)
    unit = _unit(match[2]) if match else ""
    if match is None or not unit or (unit in _NOT_WITHOUT_SPACE and " " not in text):
        return None
    number = parse_number(match[1].strip())
    return (number, unit) if number else None


def _unit(text: str) -> str:
    """Return the unit that a text names, "" if none."""
    lower = text.lower()
    joined = lower.replace(" ", "").replace(".", "")
    return _OF_SYMBOL.get(text) or _OF_WORD.get(lower) or _OF_WORDS.get(joined, "")


def read_quantity(text: str, notation: Notation) -> Quantity | None:
    """Return the quantity in a cell."""
    quantity = parse_quantity(text) if text[:1].isdecimal() or text[:1] in "+-" else None
    amount = to_decimal(quantity[0], notation.decimal) if quantity else None
    return None if quantity is None or amount is None else Quantity(amount, quantity[1])
