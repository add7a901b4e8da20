"""Nested records in every format, each read back by a foreign reader."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from peneira.account import Loss
from peneira.errors import OutputError
from peneira.table import Cell, Column, Table, stack
from peneira.values import Money

OFFER_COLUMNS = (
    Column("seller", caption="Seller", fill=1.0),
    Column("price", caption="Price", fill=1.0, type="money"),
)


def offers_cell(*offers: tuple[str | None, str | None]) -> Cell:
    """Return a cell of offers, each a seller and a price in dollars; None is missing."""
    rows = tuple(
        (
            None if seller is None else Cell(seller, ""),
            None if price is None else Cell(f"${price}", "", "money", Money(Decimal(price), "USD")),
        )
        for seller, price in offers
    )
    items = tuple(", ".join(cell.text for cell in row if cell) for row in rows)
    return Cell("; ".join(items), "", "records", items, items, table=Table(OFFER_COLUMNS, rows))


def shop(*cells: Cell | None, columns: tuple[Column, ...] = OFFER_COLUMNS) -> Table:
    """Return a table of products with a title and offers."""
    offers = Column("offers", caption="Offers", fill=1.0, type="records", columns=columns)
    rows = tuple((Cell(f"Product {k}", ""), cell) for k, cell in enumerate(cells, start=1))
    return Table((Column("title", caption="Title", fill=1.0), offers), rows)


SHOP = shop(offers_cell(("Ana", "10.50"), ("Bia", None)), None, offers_cell((None, "7")))
OFFERS = [
    [
        {"seller": "Ana", "price": 10.5, "price_currency": "USD", "price_text": "$10.50"},
        {"seller": "Bia", "price": None, "price_currency": None, "price_text": None},
    ],
    None,
    [{"seller": None, "price": 7.0, "price_currency": "USD", "price_text": "$7"}],
]
TEXTS = ["Ana, $10.50; Bia", None, "$7"]


def in_sqlite(table: Table, path: Path, query: str) -> list[tuple[object, ...]]:
    table.to_sqlite(path, table_name="t")
    connection = sqlite3.connect(path)
    rows = connection.execute(query).fetchall()
    connection.close()
    return rows


def sheets(table: Table) -> dict[str, list[tuple[object, ...]]]:
    from openpyxl import load_workbook

    file = io.BytesIO()
    table.to_xlsx(file)
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in load_workbook(file)}


def test_json_has_arrays_of_objects_without_the_keys_of_missing_cells():
    file = io.StringIO()
    SHOP.to_json(file)
    assert json.loads(file.getvalue()) == [
        {
            "title": "Product 1",
            "offers": [{k: v for k, v in offer.items() if v is not None} for offer in OFFERS[0] or []],
            "offers_text": TEXTS[0],
        },
        {"title": "Product 2"},
        {
            "title": "Product 3",
            "offers": [{"price": 7.0, "price_currency": "USD", "price_text": "$7"}],
            "offers_text": TEXTS[2],
        },
    ]


@pytest.mark.parametrize("method", ["to_parquet", "to_feather"])
def test_parquet_and_arrow_files_have_lists_of_structs(method: str):
    from pyarrow import ipc, parquet

    file = io.BytesIO()
    getattr(SHOP, method)(file)
    table = parquet.read_table(file) if method == "to_parquet" else ipc.open_file(file).read_all()
    assert table["offers"].to_pylist() == [
        offers and [{**offer, "price": offer["price"] and Decimal(str(offer["price"]))} for offer in offers]
        for offers in OFFERS
    ]
    assert table["offers_text"].to_pylist() == TEXTS


def test_pandas_has_lists_of_dictionaries():
    frame = SHOP.to_pandas()
    assert frame["offers"].tolist() == OFFERS


def test_sqlite_has_a_table_of_offers_with_the_key_of_their_product(tmp_path: Path):
    joined = in_sqlite(SHOP, tmp_path / "a.db", "SELECT title, seller, price FROM t JOIN t_offers USING (record_id)")
    assert joined == [("Product 1", "Ana", 10.5), ("Product 1", "Bia", None), ("Product 3", None, 7.0)]


def test_sqlite_declares_the_keys(tmp_path: Path):
    assert in_sqlite(SHOP, tmp_path / "a.db", "SELECT name, pk FROM pragma_table_info('t')") == [
        ("record_id", 1),
        ("title", 0),
        ("offers_text", 0),
    ]
    references = 'SELECT "table", "from" FROM pragma_foreign_key_list(\'t_offers\')'
    assert in_sqlite(SHOP, tmp_path / "b.db", references) == [("t", "record_id")]


def test_sqlite_writes_nothing_where_the_table_of_the_offers_exists(tmp_path: Path):
    path = tmp_path / "a.db"
    in_sqlite(SHOP.select(["title"]), path, "SELECT 1")
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE u_offers (x)")
    connection.close()
    with pytest.raises(OutputError, match="u_offers"):
        SHOP.to_sqlite(path, table_name="u")
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT name FROM sqlite_schema").fetchall() == [("t",), ("u_offers",)]
    connection.close()


def test_xlsx_has_a_sheet_of_offers_with_the_key_of_their_product():
    assert sheets(SHOP) == {
        "records": [
            ("record_id", "title", "offers_text"),
            (1, "Product 1", TEXTS[0]),
            (2, "Product 2", None),
            (3, "Product 3", TEXTS[2]),
        ],
        "offers": [
            ("record_id", "seller", "price", "price_currency", "price_text"),
            (1, "Ana", 10.5, "USD", "$10.50"),
            (1, "Bia", None, None, None),
            (3, None, 7, "USD", "$7"),
        ],
    }


@pytest.mark.parametrize(
    ("name", "sheet"),
    [
        ("a/b[c]:*?", "a_b_c____"),
        ("'x'", "_x_"),
        ("History", "History_2"),
        ("Records", "Records_2"),
        ("x" * 40, "x" * 27),
    ],
)
def test_a_sheet_has_a_name_that_excel_takes(name: str, sheet: str):
    assert list(sheets(SHOP.rename({"offers": name}))) == ["records", sheet]


def test_a_table_without_nested_records_has_no_key(tmp_path: Path):
    table = SHOP.select(["title"])
    assert sheets(table)["records"][0] == ("title",)
    assert in_sqlite(table, tmp_path / "a.db", "SELECT * FROM t")[0] == ("Product 1",)


def test_a_key_never_takes_the_name_of_a_column(tmp_path: Path):
    table = SHOP.rename({"title": "Record_ID"})
    assert sheets(table)["records"][0] == ("record_id_2", "Record_ID", "offers_text")
    joined = "SELECT t.Record_ID, seller FROM t JOIN t_offers o ON o.record_id = t.record_id_2"
    assert in_sqlite(table, tmp_path / "a.db", joined)[0] == ("Product 1", "Ana")


def test_csv_has_one_cell_of_text():
    file = io.StringIO(newline="")
    SHOP.to_csv(file)
    file.seek(0)
    assert list(csv.reader(file))[1] == ["Product 1", "Ana, $10.50; Bia"]


def test_a_formula_in_a_nested_record_is_a_text_in_xlsx():
    assert sheets(shop(offers_cell(("=1+1", "3"))))["offers"][1][1] == "=1+1"


def test_characters_that_are_replaced_in_nested_records_are_counted(tmp_path: Path):
    table = shop(offers_cell(("A\x00B", None)))
    losses = table.to_sqlite(tmp_path / "a.db").losses
    # in the text of the cell, and in the nested cell
    assert [(loss.what, loss.count) for loss in losses] == [("cells", 2)]
    surrogate = shop(offers_cell(("\ud800", None)))
    assert isinstance(surrogate.to_jsonl(io.StringIO()).losses[0], Loss)
    assert surrogate.to_jsonl(io.StringIO()).losses[0].count == 2


def test_nested_names_never_collide():
    columns = tuple(replace(column, name="x") for column in OFFER_COLUMNS)
    cell = offers_cell(("Ana", "1"))
    assert cell.table is not None
    table = shop(replace(cell, table=Table(columns, cell.table.rows)), columns=columns)
    assert [field.name for field in table.to_arrow().schema.field("offers").type.value_type] == [
        "x", "x_2", "x_2_currency", "x_2_text",
    ]  # fmt: skip


def test_records_nested_in_nested_records_have_a_table_of_their_own(tmp_path: Path):
    inner = shop(offers_cell(("Ana", "1")), offers_cell(("Bia", "2"), ("Caio", "3")))
    outer = Column("products", caption="", fill=1.0, type="records", columns=inner.columns)
    table = Table((outer,), ((Cell("Product 1; Product 2", "", "records", table=inner),),))
    file = io.StringIO()
    table.to_jsonl(file)
    assert [len(product["offers"]) for product in json.loads(file.getvalue())["products"]] == [1, 2]
    query = "SELECT title, seller FROM t_products p JOIN t_products_offers o ON p.record_id_2 = o.record_id"
    assert in_sqlite(table, tmp_path / "a.db", query) == [
        ("Product 1", "Ana"),
        ("Product 2", "Bia"),
        ("Product 2", "Caio"),
    ]
    assert [len(products[1]["offers"]) for products in table.to_pandas()["products"]] == [2]
    assert [len(products[1]["offers"]) for products in table.to_arrow()["products"].to_pylist()] == [2]


def test_nested_columns_of_several_pages_are_joined():
    rating = Column("rating", caption="", fill=1.0)
    rated = Cell("4", "", "records", ("4",), ("4",), table=Table((rating,), ((Cell("4", ""),),)))
    joined = stack(("page",), [(("a",), SHOP), (("b",), shop(rated, columns=(rating,)))])
    assert [column.name for column in joined.columns[2].columns] == ["seller", "price", "rating"]
    assert [len(row["offers"]) for row in joined.to_dicts() if row["offers"]] == [2, 1, 1]
    assert joined.to_dicts()[3]["offers"] == [{"seller": None, "price": None, "rating": "4"}]


def test_a_column_of_records_on_one_page_and_of_text_on_another_keeps_both():
    plain = Table(
        (*SHOP.columns[:1], Column("offers", caption="", fill=1.0)), ((Cell("Product 4", ""), Cell("none", "")),)
    )
    joined = stack((), [((), plain), ((), SHOP)])
    file = io.StringIO()
    joined.to_jsonl(file)
    records = [json.loads(line) for line in file.getvalue().splitlines()]
    assert (records[0]["offers"], records[0]["offers_text"]) == (None, "none")
    assert len(records[1]["offers"]) == 2


def test_records_without_columns_are_a_list():
    cell = Cell("a; b", "", "records", ("a", "b"), ("a", "b"))
    assert shop(cell, columns=()).to_arrow()["offers"].to_pylist() == [["a", "b"]]


def test_rows_that_differ_in_a_nested_cell_alone_are_distinct():
    first, other = offers_cell(("Ana", "1")), offers_cell(("Ana", "1"))
    assert other.table is not None
    changed = replace(other, table=Table(OFFER_COLUMNS, (tuple(reversed(other.table.rows[0])),)))
    table = shop(first, other, changed)
    assert len(table.distinct(apart_from=["title"])) == 2


def test_a_notebook_shows_the_text_of_nested_records():
    assert "<td>Ana, $10.50; Bia</td>" in SHOP._repr_html_()
