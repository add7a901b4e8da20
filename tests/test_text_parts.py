"""Parts of texts as columns: several values in one text, and the words before them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from list_columns import columns, region_of
from peneira.columns import value_patterns
from peneira.columns.labels import common_label, leading_label
from peneira.columns.text_parts import text_parts
from peneira.columns.value_patterns import value_pattern
from peneira.kernels import compiled
from twins import without_kernels


def test_texts_built_alike_have_their_parts_as_columns():
    cases = (
        ("Smith v. Jones", "12-1", "May 8, 2024"),
        ("Ford, Inc. v. Lee", "12-2", "June 9, 2024"),
        ("In re Ana", "13-7", "July 10, 2024"),
    )
    table = columns("".join(f"<li><p class=case>{name} (No. {number}) ({date})</p>" for name, number, date in cases))
    assert list(zip(*table.values(), strict=True)) == list(cases)


def test_the_whole_text_stays_a_column():
    places = (("Recife", "PE"), ("Natal", "RN"), ("Patos", "PB"))
    region = region_of("".join(f"<li><p class=place>{city} - {state}</p>" for city, state in places))
    cells = [{cell.text for cell in record.fields.values()} for record in region.records]
    assert cells == [{city, state, f"{city} - {state}"} for city, state in places]


def test_words_that_all_texts_start_with_are_a_label_only_if_they_look_like_one():
    region = region_of("".join(f"<li><h3>Red kettle size {k}</h3><p>Docket No. {k}4</p>" for k in (1, 2, 3)))
    cells = [{cell.text for cell in record.fields.values()} for record in region.records]
    assert cells == [{f"Red kettle size {k}", f"Docket No. {k}4", f"{k}4"} for k in (1, 2, 3)]
    assert "Docket No." in [column.caption for column in region.all_columns]


def test_a_party_that_all_cases_begin_with_is_no_label():
    cases = (("RODRIGUEZ", "2025 WL 2382976"), ("DUCKER", "85 M.J. 631"), ("RAY", "84 M.J. 700"), ("LEE", "84 M.J. 12"))
    parts = text_parts({k: f"UNITED STATES V. {name} ({cite})" for k, (name, cite) in enumerate(cases)})
    assert [(part.label, part.texts[1]) for part in parts] == [("", "UNITED STATES V. DUCKER"), ("", "85 M.J. 631")]


def test_dates_and_prices_are_not_cut():
    table = columns("".join(f"<li><p class=day>May {k}, 2024</p><p class=pay>R$ {k}.000</p>" for k in (1, 2, 3)))
    assert sorted(table.values()) == [[f"May {k}, 2024" for k in (1, 2, 3)], [f"R$ {k}.000" for k in (1, 2, 3)]]


def parts(*texts: str) -> list[list[str]]:
    return [list(part.texts.values()) for part in text_parts(dict(enumerate(texts)))]


@pytest.mark.parametrize("month", ["marca", "марта", "Μαρτίου", "มีนาคม", "मार्च"])
def test_texts_are_cut_at_dates_of_any_language(month):
    texts = [f"{name} 5 {month} 2024 {place}" for name, place in (("Ana", "Sala"), ("Bia", "Casa"), ("Cid", "Rua"))]
    assert ["Ana", "Bia", "Cid"] in parts(*texts)
    assert ["Sala", "Casa", "Rua"] in parts(*texts)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("Posted May 5, 2024", "date"),
        ("vol 12 2024-05-06", "date"),
        ("5 de março de 2024", "date"),
        ("12 streets, 2024", ""),
        ("Room 5, 2024", ""),
        ("The 12 marchers 2024", ""),
    ],
)
def test_a_word_between_numbers_makes_a_date_only_if_it_is_a_month(text, pattern):
    assert value_pattern(text) == pattern


def test_three_different_texts_show_how_texts_are_built_and_two_do_not():
    assert parts("A - PE", "B - RN", "C - PB") == [["A", "B", "C"], ["PE", "RN", "PB"]]
    assert parts("A - PE", "B - RN") == []


def test_a_comma_cuts_only_beside_a_part_of_a_common_form():
    assert parts("A, PE", "B, RN", "C, PB") == []
    assert parts("A, PE, 4 m2", "B, RN, 5 m2", "C, PB, 6 m2") == [["A, PE", "B, RN", "C, PB"], ["4 m2", "5 m2", "6 m2"]]


@pytest.mark.parametrize(("chars", "count"), [(240, 2), (241, 0)])
def test_texts_longer_than_240_characters_on_average_are_prose(chars: int, count: int):
    assert len(parts(*(f"{letter} - ".ljust(chars, letter) for letter in "abc"))) == count


@pytest.mark.parametrize(("chars", "count"), [(600, 2), (601, 0)])
def test_a_text_longer_than_600_characters_is_prose(chars: int, count: int):
    long = "a - ".ljust(chars, "a")
    assert sum(0 in part.texts for part in text_parts({0: long, 1: "b - B", 2: "c - C", 3: "d - D"})) == count


def test_a_text_has_at_most_twelve_parts():
    assert len(parts(*(" | ".join([letter] * 13) for letter in "abc"))) == 12


@pytest.mark.parametrize(("text", "label"), [("a b c d e: x", "a b c d e"), ("a b c d e f: x", None)])
def test_a_label_has_at_most_five_words(text: str, label: str | None):
    match = leading_label(text)
    assert (match and match[1]) == label


def test_a_label_stands_before_four_values_in_five():
    texts = ["by: Ana", "by: Bia", "by: Caio", "by: Davi", "Eva"]
    assert common_label(dict(enumerate(texts))) == "by"
    assert common_label(dict(enumerate([*texts, "Gil"]))) == ""


def test_the_word_that_leads_to_the_next_part_belongs_to_none():
    texts = [f"Posted by {name} on {k} May 2024" for k, name in enumerate(("Ann Lee", "Bo Ek", "Cy Day"), 1)]
    parts = text_parts(dict(enumerate(texts)))
    assert next(tuple(part.texts.values()) for part in parts) == ("Ann Lee", "Bo Ek", "Cy Day")


def test_a_unit_stays_with_its_number():
    texts = [f"{name} | {k} km" for k, name in enumerate(("Ann", "Bo", "Cy"), 11)]
    assert [tuple(part.texts.values()) for part in text_parts(dict(enumerate(texts)))][1] == ("11 km", "12 km", "13 km")


@pytest.mark.parametrize("text", ["{} rock band · {} May 2024", "{} rock band | {} g"])
def test_a_short_last_word_stays_before_a_mark(text: str):
    texts = [text.format(name, k) for k, name in enumerate(("Ann", "Bo", "Cy"), 11)]
    parts = [tuple(part.texts.values()) for part in text_parts(dict(enumerate(texts)))]
    assert parts[0] == ("Ann rock band", "Bo rock band", "Cy rock band")


# What texts are cut at, and what stands around it
SIGNS = st.text(alphabet=st.sampled_from("ab Z0019٣,;:/|·•-–—()[].#_\u00a0\n"), max_size=24)
PIECES = st.sampled_from(
    [
        "May 8, 2024",
        "2024-05-08",
        "(No. 12)",
        "[a]",
        " - ",
        " / ",
        " | ",
        "; ",
        ", ",
        "12-345 Smith",
        "# ",
        "40 m2",
        "0",
    ]
)
ALIKE = st.lists(st.lists(PIECES | SIGNS, max_size=5).map("".join), min_size=3, max_size=8)


@pytest.mark.skipif(compiled("text_cuts") is None, reason="not compiled")
@given(ALIKE, st.lists(PIECES, max_size=5))
def test_texts_are_cut_as_the_plain_way_cuts_them(starts: list[str], rest: list[str]):
    texts = {k: f"{start}{''.join(rest)}" for k, start in enumerate(starts)}
    found = text_parts(texts)
    with without_kernels():
        assert found == text_parts(texts)


def test_a_text_of_brackets_and_spaces_takes_linear_time():
    assert text_parts({k: f"{'(' * 500}{' ' * 20_000}{'- ' * 20_000}{k}" for k in range(4)}) == []


DATE_PIECES = "3 12 2024 05 / - . , x _ may mai st de é ² ٣".split()


@given(st.lists(st.sampled_from([*DATE_PIECES, " "]), max_size=12).map("".join))
def test_dates_are_tried_where_digits_begin_and_found_as_by_a_search(text: str):
    expected: list[tuple[int, int]] = []
    start = 0
    while match := value_patterns._DATE.search(text, start):
        first = value_patterns._first_of_date(match, start)
        expected += [] if first is None else [(first, match.end())]
        start = match.start() + 1 if first is None else match.end()
    assert list(value_patterns.dates_in(text)) == expected
