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


@pytest.mark.parametrize(
    "caption",
    [
        "ZIP",
        "zip_code",
        "Postcode",
        "PLZ",
        "CEP",
        "Code postal",
        "郵便番号",
        "ID",
        "product_id",
        "SKU",
        "EAN",
        "Order no",
    ],
)
def test_digits_under_the_caption_of_a_code_are_not_a_number(caption):
    assert read(["10115", "80331", "20095"], caption=caption) == ("text", [None] * 3)


@pytest.mark.parametrize("caption", ["Telefon", "Phone", "電話"])
def test_digits_under_the_caption_of_a_telephone_number_are_not_a_number(caption):
    assert read(["12 345 678", "87 654 321"], caption=caption)[0] == "phone"
    assert read(["12345678", "87654321"], caption=caption) == ("text", [None, None])


@pytest.mark.parametrize("caption", ["Market Cap", "Zipped", "Ideas", "Residents", "Population"])
def test_a_caption_that_only_contains_the_letters_of_one_does_not_matter(caption):
    assert read(["10115", "80331", "20095"], caption=caption) == ("integer", [10115, 80331, 20095])


@pytest.mark.parametrize(
    "texts", [["01310-100", "04538-132"], ["SW1A 1AA", "EC1A 1BB"], ["02139", "10001"], ["00-950", "31-042"]]
)
def test_postcodes_stay_text_without_a_caption(texts):
    assert read(texts) == ("text", [None, None])


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


ASIAN_AND_OTHER_PRICES = [
    (["₸ 1 299", "500 ₸"], amounts("KZT", "1299", "500")),
    (["১২৫০ ৳", "৫০০ ৳"], amounts("BDT", "1250", "500")),
    (["١٢٫٥ د.إ.", "٢٠ د.إ."], amounts("AED", "12.5", "20")),
    (["1.299.000 ₫", "50.000 ₫"], amounts("VND", "1299000", "50000")),
]


@pytest.mark.parametrize(("texts", "values"), ASIAN_AND_OTHER_PRICES)
def test_signs_of_currencies_of_other_scripts(texts, values):
    assert read(texts) == ("money", values)


LEAST_PRICES = [
    ("ab 12,99 €", "de", Money(Decimal("12.99"), "EUR")),
    ("Ab: 12,99 €", "de", Money(Decimal("12.99"), "EUR")),
    ("from $12", "", Money(Decimal(12), "$")),
    ("From £1,299", "en", Money(Decimal(1299), "GBP")),
    ("Starting at $9.50", "", Money(Decimal("9.50"), "$")),
    ("desde R$ 10", "", Money(Decimal(10), "BRL")),
    ("A partir de R$ 1.299,00", "", Money(Decimal("1299.00"), "BRL")),
    ("à partir de 12,50 €", "", Money(Decimal("12.50"), "EUR")),
    ("od 49 zł", "", Money(Decimal(49), "PLN")),
    ("от 1 299 ₽", "", Money(Decimal(1299), "RUB")),
    ("vanaf € 12,50", "", Money(Decimal("12.50"), "EUR")),
    ("1,299円から", "", Money(Decimal(1299), "JPY")),
    ("min. $5", "", Money(Decimal(5), "$")),
    ("only $5", "", Money(Decimal(5), "$")),
    ("$12+", "", Money(Decimal(12), "$")),
    ("12,- €", "", Money(Decimal(12), "EUR")),
    ("12,– €", "", Money(Decimal(12), "EUR")),
    ("CHF 5.--", "", Money(Decimal(5), "CHF")),
    ("CHF 5.–", "", Money(Decimal(5), "CHF")),
    ("$12/mo", "", Money(Decimal(12), "$")),
    ("$12.99 / month", "", Money(Decimal("12.99"), "$")),
    ("$120 per night", "", Money(Decimal(120), "$")),
    ("9,99 € pro Monat", "", Money(Decimal("9.99"), "EUR")),
    ("R$ 99,90/mês", "", Money(Decimal("99.90"), "BRL")),
    ("3,49 € / kg", "", Money(Decimal("3.49"), "EUR")),
    ("0,99 € / 100 g", "", Money(Decimal("0.99"), "EUR")),
    ("12 zł/mies.", "", Money(Decimal(12), "PLN")),
    ("£900 pcm", "", Money(Decimal(900), "GBP")),
    ("$12.99 each", "", Money(Decimal("12.99"), "$")),
    ("from $120 per night", "", Money(Decimal(120), "$")),
    ("$10 - $20", "", Money(Decimal(10), "$", Decimal(20))),
    ("$10–$20", "", Money(Decimal(10), "$", Decimal(20))),
    ("10–20 €", "", Money(Decimal(10), "EUR", Decimal(20))),
    ("R$ 10,50 a R$ 20,00", "", Money(Decimal("10.50"), "BRL", Decimal("20.00"))),
    ("$1,200 to $1,500 per month", "", Money(Decimal(1200), "$", Decimal(1500))),
    ("R$ 14.000 – 18.000", "pt-BR", Money(Decimal(14000), "BRL", Decimal(18000))),
    ("12 bis 15 €", "", Money(Decimal(12), "EUR", Decimal(15))),
]


@pytest.mark.parametrize(("text", "language", "value"), LEAST_PRICES)
def test_the_amount_of_a_price_with_words_or_a_range_is_the_least(text, language, value):
    assert read([text], language=language) == ("money", [value])


def test_dashes_in_place_of_a_price_do_not_count():
    assert read(["12,99 €", "--", "7,50 €"]) == ("money", [*amounts("EUR", "12.99"), None, *amounts("EUR", "7.50")])


def test_a_dollar_sign_before_a_lone_point_is_left_to_the_language():
    assert read(["$1.299", "$2.450"]) == ("text", [None, None])
    assert read(["$1.299", "$2.450"], language="es-CL") == ("money", amounts("$", "1299", "2450"))
    assert read(["$1.299", "$2.450"], language="es") == ("text", [None, None])
    assert read(["$1,299", "$2,450"], language="es") == ("money", amounts("$", "1299", "2450"))
    assert read(["$3.499", "$3.559"], language="en-US") == ("money", amounts("$", "3.499", "3.559"))


def test_three_decimals_of_a_euro_are_read_by_the_language():
    assert read(["1,459 €", "1,509 €"], language="de") == ("money", amounts("EUR", "1.459", "1.509"))
    assert read(["€1,459", "€1,509"], language="en-IE") == ("money", amounts("EUR", "1459", "1509"))


def test_language_and_currency_that_disagree_leave_a_price_unread():
    assert read(["R$ 1.299", "R$ 2.450"], language="en") == ("text", [None, None])


def test_round_amounts_show_that_a_point_separates_thousands():
    texts = ["R$ 14.000 - 18.000", "R$ 9.500", "R$ 6.200"]
    values = [Money(Decimal(14000), "BRL", Decimal(18000)), Money(Decimal(9500), "BRL"), Money(Decimal(6200), "BRL")]
    assert read(texts, language="en") == ("money", values)
    assert read(["R$ 14.000", "R$ 9.500", "R$ 6.259"], language="en")[0] == "text"
    assert read(["R$ 14.000", "R$ 9.500"], language="en")[0] == "text"


def test_three_digits_after_a_mark_are_thousands_unless_the_amounts_are_small():
    assert read(["$46.920", "$51.100", "$58.415"])[0] == "money"
    assert read(["$1.459", "$1.529", "$1.389"])[0] == "text"


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
        "up to $20",
        "bis 20 €",
        "$20 - $10",
        "$10 - €20",
        "10 - 20",
        "from 12",
        "12 per night",
        "$12 per",
        "$12/Main Street",
        "from Paris $12",
        "was $12",
        "$40K - $60K",
        "$1 - $2 - $3",
        "KM 12",
        "DA 27",
        "CVE 2024",
        "AMD 5800",
        "2 x $5",
        "€12 USD",
        "$1.2M",
        "$",
        "12 Main Street",
        "12 Ft",
        "RM 101",
        "12,50,- €",
        "12 reviews",
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
