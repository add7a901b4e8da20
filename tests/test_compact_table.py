"""Tables for language models: few tokens, nothing lost that is not named."""

from __future__ import annotations

from datetime import datetime

from peneira.mcp.compact_table import TableOptions, compact_table
from peneira.table import Cell, Column, Table
from peneira.values import ColumnType, Value

LONG = "A long text that goes on beyond what a cell shows, about a lamp."


def table(*columns: tuple[str, ColumnType, list[str | tuple[str, Value]]]) -> Table:
    """Return a table of columns: name, type, and texts or pairs of text and value."""
    cells = [
        [Cell(each, "", kind) if isinstance(each, str) else Cell(each[0], "", kind, each[1]) for each in texts]
        for _, kind, texts in columns
    ]
    return Table(
        tuple(Column(name, name, 1.0, type=kind) for name, kind, _ in columns), tuple(zip(*cells, strict=True))
    )


def test_numbers_and_times_are_written_as_their_type():
    made = table(
        ("seats", "integer", [("1 396 646", 1396646)]),
        ("at", "datetime", [("06-23-2014, 03:27 AM", datetime(2014, 6, 23, 3, 27))]),
    )
    assert compact_table(made, TableOptions()) == "seats:integer|at:datetime\n1396646|2014-06-23 03:27"


def test_a_text_that_repeats_the_one_above_is_a_ditto_mark():
    made = table(("title", "text", ["A", "B", "C"]), ("group", "text", ["Reports", "Reports", '"']))
    assert compact_table(made, TableOptions()).splitlines() == [
        "title|group", "A|Reports", 'B|"', 'C|""', '(": as above)',
    ]  # fmt: skip


def test_addresses_and_long_texts_come_when_they_are_named():
    made = table(
        ("title", "text", ["A", "B"]),
        ("summary", "text", [LONG, LONG + "!"]),
        ("url", "url", ["https://shop.example/p/a", "https://shop.example/p/b"]),
    )
    assert compact_table(made, TableOptions()).splitlines() == ["title", "A", "B", "(other columns: summary, url)"]
    assert compact_table(made, TableOptions(columns=("url", "summary"), max_cell_chars=20)).splitlines() == [
        "url (https://shop.example/p/…)|summary",
        "a|A long text that go…",
        "b|A long text that go…",
        "(other columns: title)",
    ]


def test_addresses_are_never_cut():
    address = "https://shop.example/" + "p/" * 60
    made = table(("title", "text", ["A"]), ("url", "url", [(address, address)]))
    assert compact_table(made, TableOptions(columns=("url",))).splitlines()[1] == address


def test_titles_keep_more_than_other_texts():
    made = table(("title", "text", [LONG]), ("place", "text", ["x" * 60]), ("kind", "text", ["y"]))
    assert compact_table(made, TableOptions()).splitlines()[1] == f"{LONG}|y"
    assert compact_table(made, TableOptions(max_cell_chars=10)).splitlines()[1] == "A long te…|y"


def test_a_table_of_long_texts_alone_is_shown():
    assert compact_table(table(("text", "text", [LONG])), TableOptions(max_cell_chars=10)) == "text\nA long te…"


def test_the_whole_table_is_bounded_and_says_where_to_go_on():
    made = table(("title", "text", [f"{k} {'x' * 90}" for k in range(900)]))
    answer = compact_table(made, TableOptions(max_rows=900))
    assert len(answer) < 61_000
    rows = len(answer.splitlines()) - 2
    assert answer.splitlines()[-1] == f"({900 - rows} records more: offset={rows})"
