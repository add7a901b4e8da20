from __future__ import annotations

import csv
import io
import json

from peneira.output.terminal import print_table
from peneira.output.text import write_csv, write_json, write_jsonl
from peneira.table import Column, Table, stack

PEOPLE = Table((Column("name", "name", 1.0), Column("age", "age", 0.5)), (('Ana, "A"', "31"), ("Bia\nB", "")))


def written(write, table: Table) -> str:
    file = io.StringIO()
    write(table, file)
    return file.getvalue()


def test_csv_has_a_header_and_survives_commas_quotes_and_newlines():
    rows = list(csv.reader(io.StringIO(written(write_csv, PEOPLE))))
    assert rows == [["name", "age"], ['Ana, "A"', "31"], ["Bia\nB", ""]]


def test_csv_cells_that_a_spreadsheet_would_run_are_made_harmless():
    table = Table((Column("=x", "x", 1.0),), (("=1+1",), ("-5",), ("+55 11",), ("@cmd",), ("-2,5%",), ("- item",)))
    rows = [row[0] for row in csv.reader(io.StringIO(written(write_csv, table)))]
    assert rows == ["'=x", "'=1+1", "-5", "+55 11", "'@cmd", "-2,5%", "'- item"]


def test_json_lines_leave_empty_cells_out():
    lines = written(write_jsonl, PEOPLE).splitlines()
    assert [json.loads(line) for line in lines] == [{"name": 'Ana, "A"', "age": "31"}, {"name": "Bia\nB"}]


def test_json_is_one_array():
    assert json.loads(written(write_json, PEOPLE)) == [{"name": 'Ana, "A"', "age": "31"}, {"name": "Bia\nB"}]


def test_tables_stacked_have_all_columns_and_tell_their_source():
    other = Table((Column("age", "age", 1.0), Column("city", "city", 1.0)), (("7", "Faro"),))
    both = stack(("source",), [(("a.html",), PEOPLE), (("b.html",), other)])
    assert both.names == ("source", "name", "age", "city")
    assert both.rows[-1] == ("b.html", "", "7", "Faro")
    assert [round(column.fill, 2) for column in both.columns] == [1.0, 0.67, 0.67, 0.33]


def test_the_terminal_table_names_the_columns_that_do_not_fit():
    columns = tuple(Column(f"column{k}", "", 1.0) for k in range(12))
    text = written(print_table, Table(columns, (tuple("x" * 30 for _ in columns),)))
    assert "column0" in text.splitlines()[1]
    assert "more columns (--format csv has all): " in text
    assert max(map(len, text.splitlines()[:5])) <= 160


def test_the_terminal_table_shows_no_control_characters():
    table = Table((Column("a", "", 1.0),), (("red\x1b[31mnot\x07",),))
    assert "\x1b" not in written(print_table, table)
