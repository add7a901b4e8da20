"""The type of a column: inferred from all its cells, never guessed, the same in any order."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date, time
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from peneira.types import column_types
from peneira.types.column_types import infer_type
from peneira.types.item_lists import list_separator
from peneira.types.notation import language_with_region
from peneira.types.type_readers import TYPE_READERS
from peneira.values import Money, Rating
from typed_columns import read


def rating(score: str, best: str | None) -> Rating:
    return Rating(Decimal(score), None if best is None else Decimal(best))


COLUMNS = [
    (["https://a.example/x", "http://b.example/y?z=1"], "url", None),
    (["/items/1", "/items/2?page=3"], "url", None),
    (["../a/b.html", "show.php?id=7"], "url", None),
    (["//cdn.example/a", "www.example.com/b"], "url", None),
    (["https://a.example/f/Minutes - May 5, 2024.pdf"], "url", None),
    (["https://a.example/1.jpg", "/img/2.PNG?w=300"], "image", None),
    (["//cdn.example/a.webp", "/b/c.svg"], "image", None),
    (["ana@example.com", "mailto:bo@mail.example.org"], "email", ["ana@example.com", "bo@mail.example.org"]),
    (["+55 11 91234-5678", "+1 (555) 123-4567"], "phone", None),
    (["(11) 3123-4567", "(555) 123-4567 ext. 12"], "phone", None),
    (["+5511912345678", "0049 30 901820"], "phone", None),
    (["Tel. 030 901820", "Tel: 040-123456"], "phone", ["030 901820", "040-123456"]),
    (["tel:+15551234567"], "phone", ["+15551234567"]),
    (["Yes", "no", "YES"], "boolean", [True, False, True]),
    (["sim", "não"], "boolean", [True, False]),
    (["sí", "no"], "boolean", [True, False]),
    (["oui", "non"], "boolean", [True, False]),
    (["ja", "nein"], "boolean", [True, False]),
    (["да", "нет"], "boolean", [True, False]),
    (["✓", "✗", "✔️"], "boolean", [True, False, True]),
    (["Y", "N"], "boolean", [True, False]),
    (["true", "false", "-"], "boolean", [True, False, None]),
    (["4.5 out of 5", "3 out of 5 stars"], "rating", [rating("4.5", "5"), rating("3", "5")]),
    (
        ["4.5 out of 5 Stars. 31 reviews", "4 out of 5 stars (1 review)"],
        "rating",
        [rating("4.5", "5"), rating("4", "5")],
    ),
    (["Rated 4.5 out of 5", "Rated 3 out of 5"], "rating", [rating("4.5", "5"), rating("3", "5")]),
    (["4,5/5", "3/5"], "rating", [rating("4.5", "5"), rating("3", "5")]),
    (["4/5", "5/5", "5/5"], "rating", [rating("4", "5"), rating("5", "5"), rating("5", "5")]),
    (["9/10", "7/10", "4/10"], "rating", [rating("9", "10"), rating("7", "10"), rating("4", "10")]),
    (["4,5 von 5", "5 von 5 Sterne"], "rating", [rating("4.5", "5"), rating("5", "5")]),
    (["4,4 von 5 Sternen", "3,9 von 5 Sternen"], "rating", [rating("4.4", "5"), rating("3.9", "5")]),
    (["4,2 de 5", "4,8 de 5"], "rating", [rating("4.2", "5"), rating("4.8", "5")]),
    (["★★★★☆", "★★★★★", "★★☆☆☆"], "rating", [rating("4", "5"), rating("5", "5"), rating("2", "5")]),
    (["★★★", "★★★★"], "rating", [rating("3", None), rating("4", None)]),
    (["4.7 ★", "★ 4.1"], "rating", [rating("4.7", None), rating("4.1", None)]),
    (["★★★½☆", "★★★★☆"], "rating", [rating("3.5", "5"), rating("4", "5")]),
    (
        ["Drama | Comedy", "Comedy | Action", "Action | Drama", "Drama | Action"],
        "list",
        [("Drama", "Comedy"), ("Comedy", "Action"), ("Action", "Drama"), ("Drama", "Action")],
    ),
]


@pytest.mark.parametrize(("texts", "kind", "values"), COLUMNS)
def test_a_column_and_its_values(texts, kind, values):
    assert read(texts) == (kind, values or texts)


@pytest.mark.parametrize("caption", ["Phone", "Telefone", "Fax", "電話"])
def test_grouped_digits_are_telephone_numbers_under_a_caption_for_them(caption):
    assert read(["555-123-4567", "020 7946 0958"], caption=caption)[0] == "phone"


def test_a_single_fraction_is_a_rating_under_a_caption_for_ratings():
    assert read(["4/5"], caption="Rating") == ("rating", [rating("4", "5")])


NEVER_A_VALUE = {
    "names": ["Ana Maria", "James May", "April June", "João 2"],
    "titles": ["Ocean's 11", "1984 and after", "Catch-22", "Blade Runner 2049", "2001: A Space Odyssey"],
    "one title": ["Ocean: 12"],
    "products": ["iPhone 12", "Galaxy S21", "Windows 11", "PlayStation 5"],
    "rooms": ["Room 101", "Room 7", "Suite 300"],
    "dockets": ["2023-CV-01234", "19-P-1256", "1:10-cv-22692-PCH", "A095-969-131", "01-20-00055-CV"],
    "references": ["DA-27/2019", "PLN141/2020", "110/00426/19", "BA/2019/123"],
    "phone-like references": ["2019-123-4567", "020-123-456-1", "555 123 4567"],
    "addresses": ["14 Moore Street ROCHESTER VIC 3561", "12-18 Murchison Road VIC 3612", "Av. Paulista, 1578"],
    "bills": ["S.B. 12/2024", "H.R. 1", "Lei 12.527/2011"],
    "citations": ["2026 WL 1746651", "88 Misc 3d 130(A)", "410 U.S. 113"],
    "versions": ["1.2.3", "v2.0", "10.4.1-beta", "3.11.7"],
    "versions like dates": ["4.2.11", "3.2.25", "4.2.10"],
    "versions of a year": ["2023.3.8", "2024.1.2", "2024.12.5"],
    "records of games": ["10-5-12", "9-6-12", "3-1-11"],
    "isbn": ["978-0-306-40615-7", "0-306-40615-2", "978-1-86197-271-2"],
    "ip addresses": ["192.168.0.1", "10.0.0.255", "127.0.0.1"],
    "sizes": ["10 x 20 cm", "30×40", "5' 11\"", "42 EU"],
    "round the clock": ["24/7", "24/7"],
    "fractions": ["1/2", "3/4", "50/50"],
    "quarters": ["1/4", "3/4", "1/4"],
    "counters": ["1/5", "2/5", "3/5", "4/5", "5/5"],
    "one fraction": ["9/10"],
    "mixed scales": ["3/5", "7/10"],
    "scores of games": ["3-2", "0-0", "1-1"],
    "ranges": ["$10 - $20", "10–12 May", "1-5"],
    "units": ["12 reviews", "5 kg", "100 km", "3 beds", "1.2k", "20 °C"],
    "counts": ["12 reviews", "3 beds", "5 items"],
    "generations of telephones": ["5G", "4G", "3G"],
    "definitions of screens": ["4K", "8K"],
    "model names": ["Galaxy 16 GB", "GB 16", "2 x 16 GB", "V 12", "T5", "3V", "5t"],
    "quantities with words": ["up to 12 km", "ca. 85 m2", "5 kg bag", "12 km north of Lyon"],
    "ranges of quantities": ["50 - 80 m²", "5-10 kg"],
    "minutes or metres": ["90 m", "100 m"],
    "a word": ["3 in", "5 in"],
    "ordinals": ["1st", "2nd", "3rd"],
    "relative": ["2 hours ago", "3 days ago", "há 2 dias"],
    "postal codes": ["02139", "01310-100", "SW1A 1AA"],
    "cve": ["CVE-2024-31141", "CVE-2023-25194"],
    "prices per month": ["/month", "/mo"],
    "places": ["Paris, France", "Lyon, France", "Nice, France", "Turin, Italy", "Rome, Italy"],
    "people": ["Smith, John", "Doe, Jane", "Roe, Richard", "Poe, Edgar"],
    "handles": ["@ana", "@bo"],
    "yes with more": ["Yes", "No", "Maybe"],
    "letters": ["y", "y"],
    "a word of another language": ["Ano", "ano"],
    "lengths of songs": ["7:27", "13:31", "49:06", "5:42", "14:05", "12:30"],
    "favourites": ["★", "★", "★"],
    "buttons": ["×", "×", "×"],
    "clusters": ["A1", "B2", "C3"],
    "paths of menus": ["Home > Books", "Home > Music"],
    "empty": ["", "n/a", "-", "Free"],
}


@pytest.mark.parametrize("texts", NEVER_A_VALUE.values(), ids=NEVER_A_VALUE)
def test_what_only_looks_like_a_value_stays_text(texts):
    assert read(texts) == ("text", [None] * len(texts))


@pytest.mark.parametrize("texts", NEVER_A_VALUE.values(), ids=NEVER_A_VALUE)
@pytest.mark.parametrize("language", ["en-US", "pt-BR", "de", "ja"])
def test_no_language_turns_such_text_into_a_date_or_a_price(texts, language):
    assert infer_type(texts, language=language).type not in ("date", "datetime", "money")


def test_a_header_and_an_exception_do_not_change_the_type_of_a_column():
    texts = ["Price", "$1.00", "$2.00", "$3.00", "$4.00", "$5.00", "$6.00", "$7.00", "see below", "$9.00"]
    kind, values = read(texts)
    assert kind == "money"
    assert values[0] is None
    assert values[8] is None
    assert values[1] == Money(Decimal("1.00"), "$")


def test_three_cells_in_four_are_enough_but_not_two_in_three():
    assert read(["5%", "6%", "7%", "many"])[0] == "percent"
    assert read(["5%", "6%", "many"])[0] == "text"


def test_one_cell_in_four_of_a_long_column_is_too_many():
    assert read(["5%", "6%", "7%", "many"] * 5)[0] == "text"


def test_placeholders_for_missing_values_do_not_count():
    assert read(["5%", "n/a", "-", "TBD", "—", ""]) == ("percent", [Decimal(5), None, None, None, None, None])


def test_the_confidence_grows_with_the_number_of_cells():
    few, many = infer_type(["5%"]), infer_type(["5%"] * 50)
    assert (few.confidence, many.confidence) == (0.667, 0.981)


def test_a_column_that_nearly_has_a_type_is_text_with_low_confidence():
    assert infer_type(["5%", "6%", "see 7"]).confidence < infer_type(["a few", "some", "many"]).confidence


def test_a_column_without_cells_is_text():
    assert read([]) == ("text", [])
    assert infer_type(["", " "]).confidence == 0.0


def test_an_inferred_type_reads_cells_it_has_not_seen():
    inferred = infer_type(["1.299,00 €", "12,50 €"])
    assert inferred.value("1.299 €") == Money(Decimal(1299), "EUR")


@pytest.mark.parametrize(
    ("texts", "kind", "values"),
    [
        (["(14)", "(1,205)"], "integer", [14, 1205]),
        (["[7]", "[8]"], "integer", [7, 8]),
        (["1.", "2.", "10."], "integer", [1, 2, 10]),
        (["(11/30/2005)", "(2/3/1994)"], "date", [date(2005, 11, 30), date(1994, 2, 3)]),
        (["Posted: 5 May 2024", "Posted: 6 May 2024"], "date", [date(2024, 5, 5), date(2024, 5, 6)]),
        ([": 12.50", ": 9.25"], "number", [Decimal("12.50"), Decimal("9.25")]),
        (["Price: 5%", "Price: n/a"], "percent", [Decimal(5), None]),
        (["Phone: 214-528-9446"], "phone", ["214-528-9446"]),
        (["https://a.example/1", "https://a.example/2"], "url", ["https://a.example/1", "https://a.example/2"]),
        (["mailto:ana@example.com", "mailto:bo@example.com"], "email", ["ana@example.com", "bo@example.com"]),
        (["14:30", "14:45"], "time", [time(14, 30), time(14, 45)]),
        (["(5)", "6", "7", "8"], "integer", [None, 6, 7, 8]),
    ],
)
def test_signs_around_every_value_are_not_part_of_it(texts, kind, values):
    assert read(texts) == (kind, values)


def test_values_that_are_texts_of_the_page_are_unchanged():
    texts = ["https://a.example/l’été–２", "https://a.example/x"]
    assert read(texts) == ("url", texts)
    genres = ["d’Art | Été", "Été | d’Art", "d’Art | Jazz", "Jazz | Été"]
    assert read(genres)[1][0] == ("d’Art", "Été")


@pytest.mark.parametrize(
    ("language", "host", "expected"),
    [
        ("en", "council.nsw.gov.au", "en-au"),
        ("", "www.arcourts.gov", "en-us"),
        ("en", "example.co.uk", "en-gb"),
        ("en-US", "example.com.au", "en-US"),
        ("pt-BR", "example.com.au", "pt-BR"),
        ("en", "example.com", "en"),
    ],
)
def test_the_host_implies_the_region_of_a_page_in_english(language, host, expected):
    assert language_with_region(language, host) == expected


VALUE_LIKE = st.text(alphabet="0123456789.,:/-' $€%hm★☆APMaprz年月日TZ+()\xa0٣", max_size=24)
WRITTEN = st.sampled_from(
    [text for texts, _, _ in COLUMNS for text in texts] + ["5 May 2024", "3/4/2024", "$1.299", "1h"]
)
CELLS = st.lists(st.one_of(st.text(max_size=30), VALUE_LIKE, WRITTEN), max_size=12)


@given(CELLS, st.text(max_size=20), st.sampled_from(["", "en", "en-US", "pt-BR", "ja", "x-y-z", "-"]))
@example(["9" * 5000, "P" + "9" * 90 + "D", "1:" * 40], "Date", "en")
@example(["99:99:99", "00:00 UTC+99:99", "10:30:00+99:99", "²", "৩"], "Time", "en")
def test_no_text_raises(texts, caption, language):
    inferred = infer_type(texts, caption=caption, language=language)
    assert [inferred.value(text) for text in texts] == [inferred.value(text) for text in texts]


@given(CELLS, st.randoms(use_true_random=False))
def test_the_order_of_the_cells_does_not_matter(texts, generator: random.Random):
    mixed = list(texts)
    generator.shuffle(mixed)
    assert infer_type(mixed) == infer_type(texts)


@pytest.mark.parametrize(
    "text",
    [
        "1" * 100_000,
        "1," * 50_000,
        "1 " * 50_000,
        "$" * 100_000,
        "a@" * 50_000,
        "a." * 50_000,
        "/" * 100_000,
        "5 de " * 20_000,
        "1h" * 50_000,
        "(1)" * 30_000,
        "http://a/" + " a" * 50_000,
        "?a" * 50_000,
        "★" * 100_000,
        "[email protected]" * 500,
    ],
)
def test_a_huge_cell_is_text_that_no_type_reads(text: str, monkeypatch: pytest.MonkeyPatch):
    read: list[str] = []
    readers = [replace(reader, read=lambda text, notation: read.append(text)) for reader in TYPE_READERS]
    monkeypatch.setattr(column_types, "TYPE_READERS", readers)
    assert (infer_type([text]).type, read) == ("text", [])


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("/a" * 4000, "url"),
        ("//a" + "/a." * 2500, "url"),
        ("/a" * 4096, "url"),
        ("/a" * 4097, "text"),
        ("/." * 4000, "text"),
        ("a/" * 4000 + "?", "text"),
    ],
)
def test_a_cell_as_long_as_a_link_may_be_is_a_link_or_text(text: str, type_: str):
    assert infer_type([text]).type == type_


@pytest.mark.parametrize(("chars", "type_"), [(100, "list"), (101, "text")])
def test_a_value_has_at_most_100_characters(chars: int, type_: str):
    a, b, c = "a" * 30, "b" * 30, "c" * (chars - 66)
    assert read([" | ".join(items) for items in ((a, b, c), (b, c, a), (c, a, b), (a, c, b))])[0] == type_


GENRES = ["Drama | Comedy", "Comedy | Action", "Action | Drama", "Drama | Action"]


def test_lists_in_four_cells_are_lists_and_in_three_may_be_chance():
    assert read(GENRES)[0] == "list"
    assert read(GENRES[:3])[0] == "text"


def test_a_column_of_lists_has_several_items_in_every_second_cell():
    single = ["Horror", "Music", "War", "Western", "Crime"]
    assert list_separator(dict.fromkeys(GENRES + single[:4], 1)) == "|"
    assert list_separator(dict.fromkeys(GENRES + single, 1)) == ""


def test_every_second_item_of_a_column_of_lists_comes_first_in_one_cell_and_later_in_another():
    fixed = ["a | b", "c | d", "e | f", "g | h", "i | j"]
    assert list_separator(dict.fromkeys(GENRES + fixed[:4], 1)) == "|"
    assert list_separator(dict.fromkeys(GENRES + fixed, 1)) == ""


@pytest.mark.parametrize(("chars", "type_"), [(40, "list"), (41, "text")])
def test_an_item_has_at_most_40_characters(chars: int, type_: str):
    assert read([text.replace("Drama", "x" * chars) for text in GENRES])[0] == type_
