"""Tables: columns chosen and renamed, repeated rows dropped."""

from __future__ import annotations

import pytest

from peneira.errors import ColumnError
from peneira.table import Cell, Column, Table


def table(names: str, *rows: str) -> Table:
    """A table of one-letter columns; in a row, each letter is a cell and a dot a missing one."""
    columns = tuple(Column(name, caption=name, fill=1.0) for name in names)
    cells = [
        tuple(None if text == "." else Cell(text, xpath=f"/{number}/{text}") for text in row)
        for number, row in enumerate(rows)
    ]
    return Table(columns, tuple(cells))


def texts(made: Table) -> list[str]:
    return ["".join(cell.text if cell else "." for cell in row) for row in made.rows]


def test_columns_are_taken_in_the_order_asked_for():
    made = table("abc", "123", "4.6").select(["c", "b"])
    assert (made.names, texts(made)) == (("c", "b"), ["32", "6."])


def test_a_column_that_is_not_there_is_named_with_those_that_are():
    with pytest.raises(ColumnError, match=r"^d: no such column; there are a, b$") as raised:
        table("ab", "12").select(["a", "d"])
    assert raised.value.name == "d"
    with pytest.raises(ColumnError, match=r"^a: no such column; there are none$"):
        table("").rename({"a": "b"})


def test_names_may_be_swapped_and_the_caption_stays():
    made = table("ab", "12").rename({"a": "b", "b": "a"})
    assert [(column.name, column.caption) for column in made.columns] == [("b", "a"), ("a", "b")]


@pytest.mark.parametrize("new", ["b", "B"])
def test_two_columns_of_one_name_are_refused(new: str):
    with pytest.raises(ColumnError, match=rf"^{new}: two columns would have this name$"):
        table("ab", "12").rename({"a": new})


def test_the_first_of_equal_rows_stays_wherever_its_cells_stood():
    assert texts(table("ab", "12", "34", "12", "1.", "1.").distinct()) == ["12", "34", "1."]


def test_columns_left_aside_make_no_row_new():
    made = table("ab", "12", "32", "54").distinct(apart_from=["a"])
    assert texts(made) == ["12", "54"]
