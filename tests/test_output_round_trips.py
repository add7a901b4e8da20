"""What one writer writes and a foreign reader reads back is the table, in every format and whatever the page says."""

from __future__ import annotations

import datetime
import io
import json
import math
import tempfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from peneira.account import Account, Loss
from peneira.output.formulas import guarded, unguarded
from peneira.output.schema import fields
from peneira.table import Table
from peneira.values import Money, Quantity, Rating, Value
from tables import (
    EVERY_TYPE,
    Texts,
    cell,
    from_csv,
    from_feather,
    from_json,
    from_jsonl,
    from_pandas,
    from_parquet,
    from_sqlite,
    from_tsv,
    from_xlsx,
    sheet_of,
    text_table,
    texts_of,
    typed_column,
)


def read_from_sqlite(table: Table) -> Texts:
    with tempfile.TemporaryDirectory() as folder:
        return from_sqlite(table, Path(folder) / "x.sqlite")


TYPED = [from_json, from_jsonl, from_parquet, from_feather, from_pandas, from_xlsx, read_from_sqlite]
UNTYPED = [from_csv, from_tsv]
HOSTILE = [
    "=cmd|'/c calc'!A1",
    "@SUM(1)",
    "+1+cmd",
    "-2+3",
    "\tlead",
    " =1+1",
    "\ufeff=1",
    "'quoted'",
    "'=1",
    "''=1",
    "a\nb",
    'say "hi", she said',
    '""',
    ",",
    ";",
    "\\",
    "\\|",
    "NULL",
    "None",
    "nan",
    "TRUE",
    "00123",
    "-12.5",
    "+1",
    "1e5",
    "2026-11-15",
    "😀👩‍👩‍👧",
    "שלום עולם",
    "\u202eevil",
    "é vs e\u0301",
    "x" * 32_767,
    "Robert'); DROP TABLE t;--",
    "<script>alert(1)</script>",
    "_x0041_",
    "\u2028",
    "   ",
    "",
]


def with_empty(texts: Texts) -> Texts:
    """Return the texts as CSV readers see them: a missing cell is an empty one."""
    return [{name: text or "" for name, text in record.items()} for record in texts]


@pytest.mark.parametrize("read", TYPED, ids=lambda read: read.__name__)
def test_all_typed_formats_give_back_every_text(read: Callable[[Table], Texts]):
    assert read(EVERY_TYPE) == texts_of(EVERY_TYPE)


@pytest.mark.parametrize("read", UNTYPED, ids=lambda read: read.__name__)
def test_all_text_formats_give_back_every_text(read: Callable[[Table], Texts]):
    assert read(EVERY_TYPE) == with_empty(texts_of(EVERY_TYPE))


@pytest.mark.parametrize("read", TYPED, ids=lambda read: read.__name__)
def test_hostile_texts_survive_in_typed_formats(read: Callable[[Table], Texts]):
    table = text_table(["a", "b"], [[text, text] for text in HOSTILE])
    assert read(table) == texts_of(table)


@pytest.mark.parametrize("read", UNTYPED, ids=lambda read: read.__name__)
def test_hostile_texts_survive_in_text_formats(read: Callable[[Table], Texts]):
    table = text_table(["a", "b"], [[text, text + "\r\n\rend"] for text in HOSTILE])
    assert read(table) == texts_of(table)


@pytest.mark.parametrize("read", [read for read in [*TYPED, *UNTYPED] if read is not from_xlsx])
def test_a_long_text_survives_where_cells_have_no_limit(read: Callable[[Table], Texts]):
    assert read(text_table(["a"], [["long " * 8_000]])) == [{"a": "long " * 8_000}]


@pytest.mark.parametrize("read", [*TYPED, *UNTYPED], ids=lambda read: read.__name__)
def test_two_hundred_columns_with_awkward_names_survive(read: Callable[[Table], Texts]):
    awkward = ["select", "order", "from", "table", 'a"b', "a'b", "a,b", "a;b", "a b", "é", "rowid", "=x", "名前"]
    names = [*awkward, *(f"column{k}" for k in range(200 - len(awkward)))]
    table = text_table(names, [[f"{k}" for k in range(200)]])
    assert read(table) == texts_of(table)


@pytest.mark.parametrize("read", [*TYPED, *UNTYPED], ids=lambda read: read.__name__)
def test_a_table_without_rows_is_read_back_as_one(read: Callable[[Table], Texts]):
    assert read(text_table(["a", "b"], [])) == []


@pytest.mark.parametrize(
    "method", ["to_csv", "to_tsv", "to_markdown", "to_parquet", "to_feather", "to_xlsx", "to_sqlite"]
)
@pytest.mark.parametrize("records", [0, 2])
def test_records_without_any_column_are_counted_as_dropped(method: str, records: int, tmp_path: Path):
    account = getattr(text_table([], [[] for _ in range(records)]), method)(tmp_path / "x")
    losses = (Loss("records", records, "they have no columns"),) if records else ()
    assert account == Account(records, 0, losses)


def test_markdown_shows_the_text_and_nothing_but_the_text():
    texts = [text for text in HOSTILE if text == " ".join(text.split())]
    file = io.StringIO()
    text_table(["a", "b"], [[text, "|"] for text in texts]).to_markdown(file)
    tokens = MarkdownIt("commonmark").enable("table").parse(file.getvalue())
    inline = [token for token in tokens if token.type == "inline"]
    shown = ["".join(child.content for child in token.children or ()) for token in inline]
    assert {child.type for token in inline for child in token.children or ()} <= {"text", "text_special"}
    assert shown == ["a", "b", *(each for text in texts for each in (text, "|"))]


NUL_REASON = "NUL, at which many readers stop, became \ufffd"
HALF_REASON = "half a surrogate pair, which is not a character, became \ufffd"


@pytest.mark.parametrize("method", ["to_csv", "to_tsv", "to_markdown", "to_sqlite"])
def test_a_nul_is_replaced_and_counted_where_readers_stop_at_it(method: str, tmp_path: Path):
    account = getattr(text_table(["a"], [["x\x00y"]]), method)(tmp_path / "x")
    assert account == Account(1, 1, (Loss("cells", 1, NUL_REASON),))
    assert "x\ufffdy".encode() in (tmp_path / "x").read_bytes()


@pytest.mark.parametrize("read", [from_json, from_jsonl, from_parquet, from_feather, from_pandas])
def test_a_nul_is_kept_where_it_can_be(read: Callable[[Table], Texts]):
    assert read(text_table(["a"], [["x\x00y"]])) == [{"a": "x\x00y"}]


@pytest.mark.parametrize("read", [*TYPED, *UNTYPED], ids=lambda read: read.__name__)
def test_half_a_surrogate_pair_is_replaced_in_every_format(read: Callable[[Table], Texts]):
    assert read(text_table(["a"], [["x\ud800y"]])) == [{"a": "x\ufffdy"}]


@pytest.mark.parametrize("method", ["to_csv", "to_json", "to_jsonl", "to_parquet", "to_xlsx", "to_sqlite"])
def test_half_a_surrogate_pair_is_counted(method: str, tmp_path: Path):
    account = getattr(text_table(["a\udfff"], [["x\ud800y"]]), method)(tmp_path / "x")
    assert account == Account(1, 1, (Loss("cells", 1, HALF_REASON),))


def test_names_collide_in_no_format():
    table = Table(
        (
            *text_table(["a", "A", "a_2", "", "\x00", "b\ud800"], []).columns,
            *typed_column("money").columns,
        ),
        (),
    )
    assert [field.name for field in fields(table)] == [
        "a", "A_3", "a_2", "column", "column_2", "b", "x", "x_currency", "x_text"
    ]  # fmt: skip


def test_a_part_of_a_column_takes_no_name_of_another():
    price = typed_column("money", cell("5 €", Money(Decimal(5), "EUR")))
    other = text_table(["X_TEXT"], [["mine"]])
    table = Table((*price.columns, *other.columns), ((*price.rows[0], *other.rows[0]),))
    assert table.to_arrow().to_pylist() == [{"x": 5, "x_currency": "EUR", "x_text_2": "5 €", "X_TEXT": "mine"}]


UTC = datetime.UTC
LATE = datetime.datetime(9999, 12, 31, 23, tzinfo=datetime.timezone(datetime.timedelta(hours=-3)))


@pytest.mark.parametrize(
    ("type_", "values", "kind", "expected"),
    [
        ("integer", [2**63 - 1, -(2**63)], "int64", [2**63 - 1, -(2**63)]),
        ("integer", [2**63, 1], "string", ["9223372036854775808", "1"]),
        ("integer", [10**5000], "string", ["1" + "0" * 5000]),
        ("integer", [1, Decimal("1.5")], "string", ["1", "1.5"]),
        ("number", [1, Decimal("1.5")], "decimal128(38, 1)", [Decimal(1), Decimal("1.5")]),
        ("integer", [True], "string", ["true"]),
        ("number", [Decimal("1E+37"), Decimal(-1)], "decimal128(38, 0)", [Decimal(10**37), Decimal(-1)]),
        ("number", [Decimal("1E+999999")], "string", ["1E+999999"]),
        ("number", [Decimal("1E-50")], "string", ["1E-50"]),
        ("number", [Decimal("NaN"), Decimal("Infinity")], "string", ["NaN", "Infinity"]),
        ("number", [Money(Decimal(5), "EUR")], "string", ["5 EUR"]),
        ("number", [Money(Decimal(5), "EUR", Decimal(7))], "string", ["5 - 7 EUR"]),
        ("rating", [Rating(Decimal(4), None)], "decimal128(38, 0)", [Decimal(4)]),
        ("date", [datetime.date.min, datetime.date.max], "date32[day]", [datetime.date.min, datetime.date.max]),
        ("date", [datetime.datetime(2026, 1, 2, 3)], "string", ["2026-01-02T03:00:00"]),
        ("datetime", [datetime.datetime.min], "timestamp[us]", [datetime.datetime.min]),
        (
            "datetime",
            [datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.timezone(datetime.timedelta(hours=-3)))],
            "timestamp[us, tz=UTC]",
            [datetime.datetime(2026, 1, 1, 15, tzinfo=UTC)],
        ),
        ("datetime", [LATE], "string", ["9999-12-31T23:00:00-03:00"]),
        (
            "datetime",
            [datetime.datetime(2026, 1, 1), datetime.datetime(2026, 1, 1, tzinfo=UTC)],
            "string",
            ["2026-01-01T00:00:00", "2026-01-01T00:00:00+00:00"],
        ),
        ("time", [datetime.time(1, 2, tzinfo=UTC)], "string", ["01:02:00+00:00"]),
        ("duration", [datetime.timedelta.max], "string", ["86399999999999.999999"]),
        ("duration", [-datetime.timedelta(seconds=1)], "duration[us]", [-datetime.timedelta(seconds=1)]),
        ("list", [("a", "b"), ()], "list<item: string>", [["a", "b"], None]),
        ("list", [7], "string", ["7"]),
        ("phone", ["+351 1", 5], "string", ["+351 1", "5"]),
    ],
)
def test_values_that_do_not_fit_become_text_and_never_an_error(
    type_: str, values: list[Value], kind: str, expected: list[object], tmp_path: Path
):
    table = typed_column(type_, *(cell("t", value) for value in values))  # type: ignore[arg-type]
    arrow = table.to_arrow()
    assert (str(arrow.schema.field("x").type), arrow["x"].to_pylist()) == (kind, expected)
    assert arrow["x_text"].to_pylist() == ["t"] * len(values)
    for method in ("to_parquet", "to_feather", "to_xlsx", "to_sqlite", "to_json"):
        assert getattr(table, method)(tmp_path / method).written == len(values)
    assert len(table.to_pandas()) == len(values)


def test_items_of_other_columns_have_a_field_of_their_own():
    table = typed_column("text", cell("red blue", items=("red", "blue")), cell("green"), None)
    assert table.to_arrow().to_pydict() == {"x": ["red blue", "green", None], "x_items": [["red", "blue"], None, None]}
    assert sheet_of(table) == [["x", "x_items"], ["red blue", '["red", "blue"]'], ["green", None], [None, None]]


def test_empty_records_at_the_end_are_rows_of_a_sheet():
    table = typed_column("text", cell("a"), None, None)
    assert sheet_of(table) == [["x"], ["a"], [None], [None]]


def test_an_address_column_is_one_field_while_values_are_the_texts():
    assert [field.name for field in fields(typed_column("url", cell("a", "a"), None))] == ["x"]
    assert [field.name for field in fields(typed_column("url", cell("a"), cell("b")))] == ["x"]
    assert [field.name for field in fields(typed_column("url", cell("a", "http://a"), None))] == ["x", "x_text"]


@given(st.text())
def test_the_guard_against_formulas_is_undone_by_its_rule(text: str):
    assert unguarded(guarded(text)) == text


@given(st.text(alphabet="=+-@'\t\r 1."))
def test_no_guarded_text_starts_as_a_formula(text: str):
    bare = guarded(text).lstrip(" \t\r")
    plain_number = not math.isnan(_number(bare))
    assert guarded(text).startswith("'") or plain_number or not bare.startswith(("=", "+", "-", "@"))


def _number(text: str) -> float:
    squeezed = "".join(text.split()).replace(".", "")
    return float(squeezed) if squeezed.lstrip("+-").isdigit() else math.nan


@given(st.text(alphabet="=+-@';\t a1"))
def test_the_guard_within_a_text_is_undone_by_its_rule(text: str):
    assert unguarded(guarded(text)) == text


def test_a_formula_after_a_semicolon_is_guarded_too():
    """Excel splits comma-separated files at semicolons where those separate lists."""
    texts = ["a;=cmd|' /C calc'!A0", "a; +1+cmd;@SUM(1)", "a;'=1"]
    assert [guarded(text) for text in texts] == ["a;'=cmd|' /C calc'!A0", "a;' +1+cmd;'@SUM(1)", "a;''=1"]


@pytest.mark.parametrize("text", ["-12.5", "+1", "-2,5%", "+55 11", "-.5", "12", "a=b", "", "fine ;-)", "a; b"])
def test_plain_numbers_and_harmless_texts_are_not_guarded(text: str):
    assert guarded(text) == text


def test_raw_csv_and_headers():
    table = text_table(["=h"], [["=1"]])
    safe, raw = io.StringIO(), io.StringIO()
    table.to_csv(safe)
    table.to_csv(raw, raw=True)
    assert (safe.getvalue(), raw.getvalue()) == ("'=h\n'=1\n", "=h\n=1\n")


CELLS = st.none() | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12)
ROWS = st.integers(1, 4).flatmap(lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), max_size=5))


def tables(rows: list[list[str | None]]) -> Table:
    width = len(rows[0]) if rows else 1
    return text_table([f"c{k}" for k in range(width)], rows)


@given(ROWS)
def test_any_texts_survive_csv_and_tsv(rows: list[list[str | None]]):
    expected = with_empty(texts_of(tables(rows)))
    assert from_csv(tables(rows)) == expected
    assert from_tsv(tables(rows)) == expected


@given(ROWS)
def test_any_texts_survive_json_lines(rows: list[list[str | None]]):
    assert from_jsonl(tables(rows)) == texts_of(tables(rows))


@given(ROWS)
def test_any_texts_survive_sqlite(rows: list[list[str | None]]):
    assert read_from_sqlite(tables(rows)) == texts_of(tables(rows))


VALUES = st.one_of(
    st.none(),
    st.integers(),
    st.decimals(),
    st.booleans(),
    st.dates(),
    st.datetimes(timezones=st.none() | st.just(UTC)),
    st.times(),
    st.timedeltas(),
    st.text(max_size=5),
    st.lists(st.text(max_size=3), max_size=2).map(tuple),
    st.builds(Money, st.decimals(), st.text(max_size=3), st.none() | st.decimals()),
    st.builds(Quantity, st.decimals(), st.text(max_size=3)),
    st.builds(Rating, st.decimals(), st.none() | st.decimals()),
)
TYPES = st.sampled_from(sorted({column.type for column in EVERY_TYPE.columns}))


@given(TYPES, st.lists(VALUES, max_size=4))
def test_no_value_in_any_column_is_an_error(type_: str, values: list[Value]):
    table = typed_column(type_, *(cell("t", value) for value in values))  # type: ignore[arg-type]
    for write in (table.to_parquet, table.to_feather, table.to_xlsx):
        assert write(io.BytesIO()).written == len(values)
    text = io.StringIO()
    table.to_json(text)
    assert len(json.loads(text.getvalue())) == len(table.to_pandas()) == len(values)
    assert read_from_sqlite(table) == [{"x": "t"}] * len(values)
