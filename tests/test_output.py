"""The writers one by one: what a table becomes in each format."""

from __future__ import annotations

import datetime
import io
import json
import sqlite3
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from peneira.account import Account, Loss
from peneira.errors import MissingExtra, OutputError
from peneira.output import spreadsheet
from peneira.output.schema import fields
from peneira.output.terminal import print_table
from peneira.table import Cell, Column, Table, stack
from peneira.values import Money, Quantity
from tables import cell, sheet_of, text_table, typed_column

PEOPLE = text_table(["name", "age"], [['Ana, "A"', "31"], ["Bia\nB", None], ["", "7"]])
PRICES = typed_column("money", cell("R$ 1.299,00", Money(Decimal("1299.00"), "BRL")), cell("ask us"), None)


def written(write: Callable[[io.StringIO], Account]) -> str:
    file = io.StringIO(newline="")
    write(file)
    return file.getvalue()


def test_csv_quotes_what_it_must_and_tells_missing_from_empty():
    assert written(PEOPLE.to_csv) == 'name,age\n"Ana, ""A""",31\n"Bia\nB",\n"",7\n'


def test_csv_readers_that_care_tell_missing_from_empty():
    from pyarrow import csv

    options = csv.ConvertOptions(strings_can_be_null=True, quoted_strings_can_be_null=False)
    read = csv.read_csv(
        io.BytesIO(written(PEOPLE.to_csv).encode()),
        parse_options=csv.ParseOptions(newlines_in_values=True),
        convert_options=options,
    )
    assert read.to_pydict() == {"name": ['Ana, "A"', "Bia\nB", ""], "age": [31, None, 7]}


def test_csv_of_one_column_has_no_blank_line_that_readers_would_skip():
    assert written(text_table(["a"], [[None], ["x"]]).to_csv) == 'a\n""\nx\n'


def test_tsv_is_csv_with_tabs():
    assert written(text_table(["a", "b"], [["x\ty", "1,5"]]).to_tsv) == 'a\tb\n"x\ty"\t1,5\n'


def test_a_byte_order_mark_is_written_when_asked_for():
    assert written(lambda file: PEOPLE.to_csv(file, bom=True)).startswith("\ufeffname,")


def test_csv_shows_the_texts_of_typed_columns():
    assert written(PRICES.to_csv) == 'x\n"R$ 1.299,00"\nask us\n""\n'


def test_json_lines_leave_missing_cells_out_and_keep_empty_ones():
    lines = written(PEOPLE.to_jsonl).splitlines()
    assert [json.loads(line) for line in lines] == [
        {"name": 'Ana, "A"', "age": "31"},
        {"name": "Bia\nB"},
        {"name": "", "age": "7"},
    ]


def test_upper_bounds_are_a_field_where_any_price_is_a_range():
    prices = [Money(Decimal(10), "$", Decimal(20)), Money(Decimal(12), "$")]
    table = typed_column("money", cell("$10 - $20", prices[0]), cell("$12", prices[1]), None)
    assert [(field.name, field.kind, field.values) for field in fields(table)] == [
        ("x", "decimal", (Decimal(10), Decimal(12), None)),
        ("x_max", "decimal", (Decimal(20), None, None)),
        ("x_currency", "text", ("$", "$", None)),
        ("x_text", "text", ("$10 - $20", "$12", None)),
    ]


def test_a_quantity_is_an_amount_and_its_unit():
    table = typed_column("quantity", cell("85 m²", Quantity(Decimal(85), "m2")), cell("large"), None)
    assert [(field.name, field.kind, field.values) for field in fields(table)] == [
        ("x", "decimal", (Decimal(85), None, None)),
        ("x_unit", "text", ("m2", None, None)),
        ("x_text", "text", ("85 m²", "large", None)),
    ]


def test_json_is_one_array_of_values_and_texts():
    assert json.loads(written(PRICES.to_json)) == [
        {"x": 1299.0, "x_currency": "BRL", "x_text": "R$ 1.299,00"},
        {"x": None, "x_currency": None, "x_text": "ask us"},
        {},
    ]


def test_json_writes_numbers_that_no_double_holds_as_strings():
    table = typed_column("number", cell("a", Decimal("0.1234567890123456789")), cell("b", Decimal("0.5")))
    assert [json.loads(line)["x"] for line in written(table.to_jsonl).splitlines()] == ["0.1234567890123456789", "0.5"]


def test_markdown_is_a_table_in_which_no_text_is_markup():
    table = text_table(["a_b", "c"], [["<b>|x|</b> [l](javascript:1) `q`", "one\r\ntwo"], [None, "&lt;"]])
    assert written(table.to_markdown) == (
        "| a\\_b | c |\n| --- | --- |\n"
        "| \\<b\\>\\|x\\|\\</b\\> \\[l\\](javascript:1) \\`q\\` | one<br>two |\n|  | \\&lt; |\n"
    )


def test_arrow_has_real_types():
    assert PRICES.to_arrow().to_pydict() == {
        "x": [Decimal("1299.00"), None, None],
        "x_currency": ["BRL", None, None],
        "x_text": ["R$ 1.299,00", "ask us", None],
    }
    assert [str(type_) for type_ in PRICES.to_arrow().schema.types] == ["decimal128(38, 2)", "string", "string"]


def test_pandas_has_numbers_that_can_be_missing():
    frame = PRICES.to_pandas()
    assert [str(dtype) for dtype in frame.dtypes] == ["Float64", "string", "string"]
    assert frame["x"].sum() == 1299.0
    assert len(text_table([], [[], []]).to_pandas()) == 2


def test_a_spreadsheet_has_real_numbers_and_dates_where_they_are_exact():
    assert sheet_of(typed_column("number", cell("a", Decimal("12.5")), cell("b", Decimal("0.12345678901234567")))) == [
        ["x", "x_text"],
        [12.5, "a"],
        ["0.12345678901234567", "b"],
    ]
    days = [datetime.date(2026, 11, 15), datetime.date(1900, 2, 28), datetime.date(1, 1, 1)]
    assert [row[0] for row in sheet_of(typed_column("date", *(cell("d", day) for day in days)))[1:]] == [
        datetime.datetime(2026, 11, 15),
        "1900-02-28",
        "0001-01-01",
    ]
    moments = [datetime.timedelta(hours=30), datetime.timedelta(seconds=-5), datetime.timedelta(milliseconds=1500)]
    assert [row[0] for row in sheet_of(typed_column("duration", *(cell("d", each) for each in moments)))[1:]] == [
        datetime.timedelta(hours=30),
        "-5",
        "1.5",
    ]


def test_a_spreadsheet_freezes_its_header_and_never_runs_a_text():
    from openpyxl import load_workbook

    file = io.BytesIO()
    text_table(["=head"], [["=1+1"], ["plain"]]).to_xlsx(file)
    sheet = load_workbook(file).active
    assert sheet.freeze_panes == "A2"
    assert [(row[0].value, row[0].data_type, row[0].quotePrefix) for row in sheet.rows] == [
        ("=head", "s", True),
        ("=1+1", "s", True),
        ("plain", "s", False),
    ]


def test_a_spreadsheet_says_what_it_cannot_hold(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(spreadsheet, "MAX_ROWS", 4)
    rows: list[list[str | None]] = [["x" * 40_000], ["😀" * 20_000], ["a\x00b\r\nc"], ["left out"], ["too"]]
    account = text_table(["a"], rows).to_xlsx(io.BytesIO())
    assert account == Account(
        seen=5,
        written=3,
        losses=(
            Loss("cells", 1, "a control character, which XML cannot hold, became \ufffd"),
            Loss("cells", 1, "a return, which readers of XLSX change, became a newline"),
            Loss("cells", 2, "cut to 32,767 characters, the most that a cell of XLSX holds"),
            Loss("records", 2, "a sheet of XLSX holds 1,048,575 and a header"),
        ),
    )
    assert account.dropped == 2
    assert [len(str(row[0])) for row in sheet_of(text_table(["a"], rows))] == [1, 32_767, 16_383, 5]


def test_too_many_columns_for_a_format_are_refused(tmp_path: Path):
    many = text_table([f"c{k}" for k in range(16_385)], [])
    with pytest.raises(OutputError, match="16,385 columns are more than the 16,384"):
        many.to_xlsx(io.BytesIO())
    with pytest.raises(OutputError, match="16,385 columns are more than the 2,000 that SQLite holds"):
        many.to_sqlite(tmp_path / "x.sqlite")
    assert list(tmp_path.iterdir()) == []


def test_sqlite_has_typed_columns(tmp_path: Path):
    PRICES.to_sqlite(tmp_path / "shop prices.sqlite")
    connection = sqlite3.connect(tmp_path / "shop prices.sqlite")
    (statement,) = connection.execute("SELECT sql FROM sqlite_schema").fetchone()
    rows = connection.execute("SELECT * FROM shop_prices").fetchall()
    connection.close()
    assert statement == 'CREATE TABLE "shop_prices" ("x" REAL, "x_currency" TEXT, "x_text" TEXT)'
    assert rows == [(1299.0, "BRL", "R$ 1.299,00"), (None, None, "ask us"), (None, None, None)]


def test_sqlite_adds_a_table_and_refuses_one_that_is_there(tmp_path: Path):
    path = tmp_path / "a.sqlite"
    PRICES.to_sqlite(path, table_name="prices")
    PEOPLE.to_sqlite(path, table_name='select "x"; drop table prices')
    before = path.read_bytes()
    with pytest.raises(OutputError, match="has a table 'PRICES' already"):
        PEOPLE.to_sqlite(path, table_name="PRICES")
    assert path.read_bytes() == before
    connection = sqlite3.connect(path)
    names = connection.execute("SELECT name FROM sqlite_schema").fetchall()
    connection.close()
    assert names == [("prices",), ('select "x"; drop table prices',)]


@pytest.mark.parametrize("name", ["", "sqlite_x", "SQLITE_x", "a\x00b", "\ud800"])
def test_sqlite_refuses_names_that_no_table_can_have(tmp_path: Path, name: str):
    with pytest.raises(OutputError, match="cannot be the name of a table"):
        PEOPLE.to_sqlite(tmp_path / "a.sqlite", table_name=name)


@pytest.mark.parametrize(("stem", "name"), [("2026 jobs!", "2026_jobs"), ("sqlite_x", "_sqlite_x"), ("…", "records")])
def test_sqlite_derives_the_name_of_the_table_from_the_file(tmp_path: Path, stem: str, name: str):
    PEOPLE.to_sqlite(tmp_path / f"{stem}.db")
    connection = sqlite3.connect(tmp_path / f"{stem}.db")
    names = connection.execute("SELECT name FROM sqlite_schema").fetchall()
    connection.close()
    assert names == [(name,)]


def test_a_file_that_is_no_database_is_refused_and_stays(tmp_path: Path):
    (tmp_path / "a.sqlite").write_text("notes " * 100)
    with pytest.raises(OutputError, match="cannot be written as an SQLite database: file is not a database"):
        PEOPLE.to_sqlite(tmp_path / "a.sqlite")
    assert (tmp_path / "a.sqlite").read_text() == "notes " * 100


def test_tables_stacked_have_all_columns_and_tell_their_source():
    other = Table((Column("age", "age", 1.0), Column("city", "city", 1.0)), ((cell("7"), cell("Faro")),))
    both = stack(("source",), [(("a.html",), PEOPLE), (("b.html",), other)])
    assert both.names == ("source", "name", "age", "city")
    assert both.rows[-1] == (cell("b.html"), None, cell("7"), cell("Faro"))
    assert [round(column.fill, 2) for column in both.columns] == [1.0, 0.75, 1.0, 0.25]


def test_columns_of_one_name_stay_apart_when_stacked():
    twice = text_table(["a", "a"], [["1", "2"]])
    both = stack(("a",), [(("k",), twice), (("l",), text_table(["a"], [["3"]]))])
    assert written(both.to_csv) == "a,a_2,a_3\nk,1,2\nl,3,\n"


@pytest.mark.parametrize(
    ("types", "joined"),
    [(["money", "text"], "money"), (["integer", "number"], "number"), (["date", "money"], "text"), (["text"], "text")],
)
def test_the_type_of_stacked_columns_holds_the_values_of_all(types: list[str], joined: str):
    tables = [(("k",), typed_column(type_, cell("t"))) for type_ in types]  # type: ignore[arg-type]
    assert stack(("key",), tables).columns[1].type == joined


def test_the_terminal_table_names_the_columns_that_do_not_fit():
    table = text_table([f"column{k}" for k in range(12)], [["x" * 40] * 12])
    text = written(lambda file: print_table(table, file))
    assert "column0" in text.splitlines()[1]
    assert "more columns (--format csv has all): " in text
    assert max(map(len, text.splitlines()[:5])) <= 160
    assert print_table(table, io.StringIO()).losses == (
        Loss("cells", 3, "cut to 36 characters"),
        Loss("columns", 9, "beyond the width of 160 characters"),
    )


def test_the_terminal_table_shows_no_control_characters():
    table = text_table(["a\x1b]0;b"], [["red\x1b[31mnot\x07"]])
    assert "\x1b" not in written(lambda file: print_table(table, file))


@pytest.mark.parametrize("method", ["to_csv", "to_tsv", "to_json", "to_jsonl", "to_markdown"])
def test_text_can_be_written_to_a_path_or_an_open_file(method: str, tmp_path: Path):
    assert getattr(PEOPLE, method)(tmp_path / "x").written == 3
    assert (tmp_path / "x").read_bytes().decode() == written(getattr(PEOPLE, method))


@pytest.mark.parametrize("method", ["to_parquet", "to_feather", "to_xlsx"])
def test_equal_tables_give_equal_bytes_on_a_path_or_an_open_file(method: str, tmp_path: Path):
    assert getattr(PEOPLE, method)(str(tmp_path / "x")).written == 3
    file = io.BytesIO()
    getattr(PEOPLE, method)(file)
    assert (tmp_path / "x").read_bytes() == file.getvalue()


@pytest.mark.parametrize(
    ("method", "package", "extra"),
    [("to_parquet", "pyarrow", "parquet"), ("to_xlsx", "xlsxwriter", "xlsx"), ("to_feather", "pyarrow", "parquet")],
)
def test_a_missing_package_leaves_no_file_and_names_its_extra(
    method: str, package: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=f'pip install "peneira\\[{extra}\\]"'):
        getattr(PEOPLE, method)(tmp_path / "x")
    assert list(tmp_path.iterdir()) == []


def test_a_missing_pandas_names_its_extra(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtra, match=r'pip install "peneira\[pandas\]"'):
        PEOPLE.to_pandas()


def test_on_a_terminal_parts_of_a_column_give_way_to_other_columns():
    paths = {"place": "span", "place_part": "span", "about": "p", "skills": "ul"}
    columns = tuple(Column(name, name, 1.0, path) for name, path in paths.items())
    row = tuple(Cell("x" * 50, "/x") for _ in columns)
    text = written(lambda file: print_table(Table(columns, (row,)), file))
    assert text.splitlines()[-1] == "1 more column (--format csv has all): place_part"


@pytest.mark.parametrize(("fill", "left_out"), [(0.25, "d"), (0.24, "a")])
def test_on_a_terminal_a_column_that_less_than_a_quarter_of_the_records_have_comes_last(fill: float, left_out: str):
    columns = tuple(Column(name, name, fill if name == "a" else 1.0) for name in "abcd")
    row = tuple(Cell("x" * 36, "/x") for _ in columns)
    text = written(lambda file: print_table(Table(columns, (row,)), file))
    assert text.splitlines()[-1] == f"1 more column (--format csv has all): {left_out}"


@pytest.mark.parametrize(("digits", "kind"), [(38, "decimal"), (39, "text")])
def test_numbers_of_more_than_38_digits_are_written_as_text(digits: int, kind: str):
    table = typed_column("number", cell("a", Decimal(f"{'1' * (digits - 1)}.5")))
    assert [(field.name, field.kind) for field in fields(table)] == [("x", kind), ("x_text", "text")]
