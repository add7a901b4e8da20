"""Numbers, prices and percentages: the decimal sign of a column, and the value of each cell."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from peneira.types.column_types import infer_type
from peneira.values import Money
from typed_columns import read


def decimals(*texts: str) -> list[Decimal | None]:
    return [Decimal(text) if text else None for text in texts]


def amounts(currency: str, *texts: str) -> list[Money | None]:
    return [Money(Decimal(text), currency) if text else None for text in texts]


INTEGERS = [
    (["1", "22", "333"], [1, 22, 333]),
    (["1984", "2001", "2024"], [1984, 2001, 2024]),
    (["1,299", "12,000", "999"], [1299, 12000, 999]),
    (["1.299.000", "1.299", "7"], [1299000, 1299, 7]),
    (["1 299", "12 000", "1 000 000"], [1299, 12000, 1000000]),
    (["1 299", "12 000"], [1299, 12000]),
    (["1'299", "2’000'000"], [1299, 2000000]),
    (["12,34,567", "1,00,000"], [1234567, 100000]),
    (["-5", "+7", "−12"], [-5, 7, -12]),
    (["٣٤", "٥٦"], [34, 56]),
    (["۱۲", "۳۴"], [12, 34]),
    (["１２３", "４５"], [123, 45]),
    (["१२", "३४"], [12, 34]),
    (["١٬٢٩٩", "٢٬٠٠٠"], [1299, 2000]),
]


@pytest.mark.parametrize(("texts", "values"), INTEGERS)
def test_a_column_of_whole_numbers(texts, values):
    assert read(texts) == ("integer", values)


NUMBERS = [
    (["1.5", "2.25"], ["1.5", "2.25"]),
    (["1,5", "2,25", "1.299"], ["1.5", "2.25", "1299"]),
    (["1.299,00", "12,50"], ["1299.00", "12.50"]),
    (["1,299.00", "12.50", "1,299"], ["1299.00", "12.50", "1299"]),
    (["1 299,00", "12,50"], ["1299.00", "12.50"]),
    (["1'299.00", "12.50"], ["1299.00", "12.50"]),
    (["12,34,567.50", "10.00"], ["1234567.50", "10.00"]),
    (["0.125", "1.250"], ["0.125", "1.250"]),
    ([".312", ".298"], ["0.312", "0.298"]),
    (["-0,5", "3"], ["-0.5", "3"]),
    (["1234.567", "1.250"], ["1234.567", "1.250"]),
    (["٣٫٥", "٤٫٢٥"], ["3.5", "4.25"]),
]


@pytest.mark.parametrize(("texts", "values"), NUMBERS)
def test_a_column_of_decimal_numbers(texts, values):
    assert read(texts) == ("number", decimals(*values))


def test_a_single_point_before_three_digits_is_not_read_without_a_hint():
    assert read(["1.299", "2.450"]) == ("text", [None, None])


def test_a_single_comma_before_three_digits_separates_thousands_without_a_hint():
    assert read(["1,299", "2,450"]) == ("integer", [1299, 2450])


@pytest.mark.parametrize(
    ("language", "kind", "values"),
    [
        ("de", "integer", [1299, 2450]),
        ("pt-BR", "integer", [1299, 2450]),
        ("en", "number", decimals("1.299", "2.450")),
        ("de-CH", "number", decimals("1.299", "2.450")),
        ("es_MX", "number", decimals("1.299", "2.450")),
    ],
)
def test_the_language_decides_what_a_single_point_means(language, kind, values):
    assert read(["1.299", "2.450"], language=language) == (kind, values)


def test_the_cells_take_precedence_over_the_language():
    assert read(["1.299,50", "1.299"], language="en") == ("number", decimals("1299.50", "1299"))


def test_cells_that_contradict_each_other_leave_only_ambiguous_cells_unread():
    texts = ["1.299,50", "1,299.50", "12.50", "12,50", "1.299"]
    assert read(texts) == ("number", decimals("1299.50", "1299.50", "12.50", "12.50", ""))


def test_whole_and_decimal_numbers_in_one_column_are_all_numbers():
    assert read(["1", "2", "3", "4", "5", "6", "7", "8", "9", "9.5"])[0] == "number"
    assert read(["1", "2", "3", "4", "5", "0.00"])[0] == "number"


def test_padded_numbers_are_identifiers():
    assert read(["02139", "10001", "94105"]) == ("text", [None, None, None])


def test_long_bare_digits_are_identifiers():
    assert read(["9780306406157", "9781861972712"]) == ("text", [None, None])


PRICES = [
    (["$12.99", "$1,299.00", "$5"], amounts("$", "12.99", "1299.00", "5")),
    (["$8,100,000", "$963,000"], amounts("$", "8100000", "963000")),
    (["US$ 12.99", "US$1,000"], amounts("USD", "12.99", "1000")),
    (["$12.99 CAD", "$9.50 CAD"], amounts("CAD", "12.99", "9.50")),
    (["USD $12.99", "USD 7"], amounts("USD", "12.99", "7")),
    (["A$10", "AU$ 20.50"], amounts("AUD", "10", "20.50")),
    (["R$ 1.299,00", "R$ 89,90", "R$ 1.299"], amounts("BRL", "1299.00", "89.90", "1299")),
    (["R$\xa01.299", "R$\xa02.450"], amounts("BRL", "1299", "2450")),
    (["1.299,00 €", "12,50 €"], amounts("EUR", "1299.00", "12.50")),
    (["1.299 €", "2.450 €"], amounts("EUR", "1299", "2450")),
    (["1 299,00 €", "12,50 €"], amounts("EUR", "1299.00", "12.50")),
    (["€ 1.299,-", "€ 12,50", "€ 5,–"], amounts("EUR", "1299", "12.50", "5")),
    (["€12.99", "€1,299.00"], amounts("EUR", "12.99", "1299.00")),
    (["12€99", "7€50"], amounts("EUR", "12.99", "7.50")),
    (["EUR 12,50", "EUR 1.000,00"], amounts("EUR", "12.50", "1000.00")),
    (["12,50 Euro", "3 euros"], amounts("EUR", "12.50", "3")),
    (["£9.99", "£1,299"], amounts("GBP", "9.99", "1299")),
    (["1 299,00 zł", "49 zł"], amounts("PLN", "1299.00", "49")),
    (["1 299 Kč", "1 299,- Kč"], amounts("CZK", "1299", "1299")),
    (["1 299 kr", "kr 49,90"], amounts("kr", "1299", "49.90")),
    (["kr. 1.299,00", "kr. 49,95"], amounts("kr", "1299.00", "49.95")),
    (["CHF 1'299.00", "CHF 49.90"], amounts("CHF", "1299.00", "49.90")),
    (["₹1,29,999.00", "₹499"], amounts("INR", "129999.00", "499")),
    (["₹ 1,299/-", "₹ 499/-"], amounts("INR", "1299", "499")),
    (["12,50 lei", "1.299 lei"], amounts("lei", "12.50", "1299")),
    (["¥1,299", "￥500"], amounts("¥", "1299", "500")),
    (["1,299円", "500円"], amounts("JPY", "1299", "500")),
    (["12,900원", "₩5,000"], amounts("KRW", "12900", "5000")),
    (["1 299 р.", "99 руб."], amounts("RUB", "1299", "99")),
    (["1.299,00 TL", "₺49,90"], amounts("TRY", "1299.00", "49.90")),
    (["Rp 1.299.000", "Rp50.000"], amounts("IDR", "1299000", "50000")),
    (["-$5.00", "$-3.50", "$4.25"], amounts("$", "-5.00", "-3.50", "4.25")),
    (["199,-", "1.299,-", "49,-"], amounts("", "199", "1299", "49")),
]


@pytest.mark.parametrize(("texts", "values"), PRICES)
def test_a_column_of_prices(texts, values):
    assert read(texts) == ("money", values)


def test_a_dollar_sign_before_a_lone_point_is_left_to_the_language():
    assert read(["$1.299", "$2.450"]) == ("text", [None, None])
    assert read(["$1.299", "$2.450"], language="es-CL") == ("money", amounts("$", "1299", "2450"))
    assert read(["$3.499", "$3.559"], language="en-US") == ("money", amounts("$", "3.499", "3.559"))


def test_three_decimals_of_a_euro_are_read_by_the_language():
    assert read(["1,459 €", "1,509 €"], language="de") == ("money", amounts("EUR", "1.459", "1.509"))
    assert read(["€1,459", "€1,509"], language="en-IE") == ("money", amounts("EUR", "1459", "1509"))


def test_language_and_currency_that_disagree_leave_a_price_unread():
    assert read(["R$ 1.299", "R$ 2.450"], language="en") == ("text", [None, None])


def test_free_is_not_a_price_of_zero():
    texts = ["$1.00", "Free", "$3.50", "Call for price", "free"]
    assert read(texts) == ("money", [Money(Decimal("1.00"), "$"), None, Money(Decimal("3.50"), "$"), None, None])


def test_the_caption_may_name_the_currency():
    assert read(["1.299,00", "12,50"], caption="Preço (R$)") == ("money", amounts("BRL", "1299.00", "12.50"))
    assert read(["12.50", "9"], caption="Price [EUR]") == ("money", amounts("EUR", "12.50", "9"))


@pytest.mark.parametrize("caption", ["Lei", "Price", "CAD version", "Docket $ number €"])
def test_a_caption_without_one_clear_currency_makes_no_price(caption):
    assert read(["12.50", "9.25"], caption=caption) == ("number", decimals("12.50", "9.25"))


@pytest.mark.parametrize(
    "text",
    [
        "$10 - $20",
        "$10–$20",
        "from $12",
        "ab 12 €",
        "$12/mo",
        "2 x $5",
        "€12 USD",
        "$1.2M",
        "$",
        "12 Main Street",
        "12 Ft",
        "RM 101",
        "$12.99 each",
        "12,50,- €",
        "12 reviews",
        "5 kg",
        "$10 $20",
        "Lei 12.527",
        "lei 8.666",
    ],
)
def test_what_is_more_or_less_than_a_price_stays_text(text):
    assert read([text] * 3) == ("text", [None] * 3)


PERCENTAGES = [
    (["12,5 %", "100 %"], ["12.5", "100"]),
    (["12.5%", "-3%", "+0.25%"], ["12.5", "-3", "0.25"]),
    (["%50", "%12,5"], ["50", "12.5"]),
    (["٥٠٪", "٢٥٪"], ["50", "25"]),
    (["1.299,5 %", "3,2 %"], ["1299.5", "3.2"]),
]


@pytest.mark.parametrize(("texts", "values"), PERCENTAGES)
def test_a_column_of_percentages(texts, values):
    assert read(texts) == ("percent", decimals(*values))


LOCALES = st.sampled_from([(".", ","), (",", "."), (",", " "), (".", "'"), (",", "\xa0"), (".", "")])


def spell(cents: int, decimal: str, thousands: str) -> str:
    return f"{cents / 100:,.2f}".translate({ord(","): thousands, ord("."): decimal})


@given(st.lists(st.integers(0, 10**9), min_size=1), LOCALES)
def test_numbers_are_read_back_in_the_notation_they_were_written_in(cents, locale):
    inferred = infer_type([spell(cent, *locale) for cent in cents])
    assert inferred.type == "number"
    assert [inferred.value(spell(cent, *locale)) for cent in cents] == [Decimal(cent) / 100 for cent in cents]


@given(
    st.lists(st.integers(0, 10**9), min_size=1), LOCALES, st.sampled_from(["R$ {}", "{} €", "${}", "{} zł", "CHF {}"])
)
def test_prices_are_read_back_in_the_notation_they_were_written_in(cents, locale, sign):
    texts = [sign.format(spell(cent, *locale)) for cent in cents]
    inferred = infer_type(texts)
    values = [inferred.value(text) for text in texts]
    assert inferred.type == "money"
    assert [value.amount for value in values if isinstance(value, Money)] == [Decimal(cent) / 100 for cent in cents]


def test_ten_bare_digits_are_an_identifier_and_nine_a_number():
    assert read(["123456789"])[0] == "integer"
    assert read(["1234567890"])[0] == "text"


def test_nine_cells_in_ten_decide_what_a_mark_means_and_eight_in_nine_do_not():
    assert read(["1.50"] * 9 + ["1,50", "1.299"])[1][-1] == Decimal("1.299")
    assert read(["1.50"] * 8 + ["1,50", "1.299"])[1][-1] is None
