"""Parts of texts as columns: several values in one text, and the words before them."""

from __future__ import annotations

import pytest

from list_columns import columns
from peneira.columns.labels import common_label, leading_label
from peneira.columns.text_parts import text_parts
from peneira.columns.value_patterns import value_pattern


def test_texts_built_alike_have_their_parts_as_columns_too():
    cases = (
        ("Smith v. Jones", "12-1", "May 8, 2024"),
        ("Ford, Inc. v. Lee", "12-2", "June 9, 2024"),
        ("In re Ana", "13-7", "July 10, 2024"),
    )
    table = columns("".join(f"<li><p class=case>{name} (No. {number}) ({date})</p>" for name, number, date in cases))
    assert table["case_part"] == ["Smith v. Jones", "Ford, Inc. v. Lee", "In re Ana"]
    assert table["no"] == ["12-1", "12-2", "13-7"]
    assert "May 8, 2024" in [values[0] for values in table.values()]


def test_the_whole_text_stays_a_column():
    table = columns(
        "".join(f"<li><p class=place>{city}, {state}</p>" for city, state in (("A", "PE"), ("B", "RN"), ("C", "PB")))
    )
    assert table["place"] == ["A, PE", "B, RN", "C, PB"]
    assert table["place_part_2"] == ["PE", "RN", "PB"]


def test_words_that_all_texts_start_with_are_a_label_only_if_they_look_like_one():
    table = columns("".join(f"<li><h3>Red kettle size {k}</h3><p class=case>Docket No. {k}4</p>" for k in (1, 2, 3)))
    assert list(table) == ["title", "case", "docket_no"]
    assert table["docket_no"] == ["14", "24", "34"]


def test_dates_and_prices_are_not_cut():
    table = columns("".join(f"<li><p class=day>May {k}, 2024</p><p class=pay>R$ {k}.000</p>" for k in (1, 2, 3)))
    assert list(table) == ["day", "pay"]


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
    assert parts("A, PE", "B, RN", "C, PB") == [["A", "B", "C"], ["PE", "RN", "PB"]]
    assert parts("A, PE", "B, RN") == []


@pytest.mark.parametrize(("chars", "count"), [(240, 2), (241, 0)])
def test_texts_longer_than_240_characters_on_average_are_prose(chars: int, count: int):
    assert len(parts(*(f"{letter}, ".ljust(chars, letter) for letter in "abc"))) == count


@pytest.mark.parametrize(("chars", "count"), [(600, 2), (601, 0)])
def test_a_text_longer_than_600_characters_is_prose(chars: int, count: int):
    long = "a, ".ljust(chars, "a")
    assert sum(0 in part.texts for part in text_parts({0: long, 1: "b, B", 2: "c, C", 3: "d, D"})) == count


@pytest.mark.parametrize(("commas", "count"), [(6, 7), (7, 0)])
def test_texts_with_more_than_six_commas_are_lists_or_prose(commas: int, count: int):
    assert len(parts(*(", ".join([letter] * commas + [letter]) for letter in "abc"))) == count


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
