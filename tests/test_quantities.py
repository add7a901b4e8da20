"""Quantities: numbers with a unit, in one spelling of the unit."""

from __future__ import annotations

from decimal import Decimal

import pytest

from peneira.values import Quantity
from typed_columns import read


def of(unit: str, *amounts: str) -> list[Quantity]:
    return [Quantity(Decimal(amount), unit) for amount in amounts]


QUANTITIES = [
    (["85 m²", "120 m²"], of("m2", "85", "120")),
    (["85 m2", "62,5 qm", "70 sqm"], of("m2", "85", "62.5", "70")),
    (["85 кв. м", "60 м²"], of("m2", "85", "60")),
    (["1,250 sq ft", "980 sq. ft.", "2,100 sqft"], of("ft2", "1250", "980", "2100")),
    (["12 km", "3,5 km"], of("km", "12", "3.5")),
    (["120 000 km", "85 000 km"], of("km", "120000", "85000")),
    (["120.000 km", "85.000 km", "9,5 km"], of("km", "120000", "85000", "9.5")),
    (["2.5 mi", "10 miles", "1 mile"], of("mi", "2.5", "10", "1")),
    (["3 kg", "0.5kg", "12 KG"], of("kg", "3", "0.5", "12")),
    (["16 GB", "32GB", "8 ГБ"], of("GB", "16", "32", "8")),
    (["5 GHz", "2.4 GHz"], of("GHz", "5", "2.4")),
    (['27"', "32 inches", "24 Zoll"], of("in", "27", "32", "24")),
    (["20 °C", "-3 °C", "18,5 ℃"], of("°C", "20", "-3", "18.5")),
    (["60 W", "40 W"], of("W", "60", "40")),
    (["5,4 l/100 km", "6,1 l/100km"], of("l/100km", "5.4", "6.1")),
    (["１６ ＧＢ", "８ ＧＢ"], of("GB", "16", "8")),
    (["٨٥ m²", "٦٠ m²"], of("m2", "85", "60")),
]


@pytest.mark.parametrize(("texts", "values"), QUANTITIES)
def test_a_column_of_quantities(texts, values):
    assert read(texts) == ("quantity", values)


def test_units_of_one_column_may_differ():
    assert read(["512 GB", "1 TB"]) == ("quantity", [*of("GB", "512"), *of("TB", "1")])


def test_units_in_other_case_are_other_units_or_none():
    assert read(["5 MW", "3 MW"]) == ("quantity", of("MW", "5", "3"))
    assert read(["5 mw", "3 mw"]) == ("text", [None, None])


def test_the_language_decides_what_a_single_point_means():
    assert read(["1.299 km", "2.450 km"]) == ("text", [None, None])
    assert read(["1.299 km", "2.450 km"], language="de") == ("quantity", of("km", "1299", "2450"))


def test_units_of_time_are_durations():
    assert read(["90 min", "120 min"])[0] == "duration"


def test_a_quantity_is_written_with_its_unit():
    assert str(Quantity(Decimal("85.5"), "m2")) == "85.5 m2"
