"""Parts of texts as columns: several values in one text, and the words before them."""

from __future__ import annotations

from list_columns import columns


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
