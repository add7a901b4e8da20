"""From a page to typed files and back with readers that are not ours: prices, dates, lists, a missing field."""

from __future__ import annotations

import csv
import datetime
import json
import sqlite3
from decimal import Decimal
from pathlib import Path

import pytest
from click.testing import CliRunner

from peneira.cli.main import cli

SHOWS = [
    ("Noite de fado", "R$ 1.299,00", "03/04/2026", "Sala Um", ["fado", "guitarra"]),
    ("Jazz na praça", "R$ 45,50", "25/12/2026", "Praça Velha", ["jazz"]),
    ("Coro infantil", "R$ 12,00", "05/06/2026", None, ["coro", "piano", "flauta"]),
    ("Trio de cordas", "R$ 80,00", "14/02/2027", "Teatro Novo", ["cordas", "clássica"]),
    ("Samba de roda", "R$ 30,00", "07/09/2026", "Largo do Rosário", ["samba", "dança"]),
]
AMOUNTS = [Decimal("1299.00"), Decimal("45.50"), Decimal("12.00"), Decimal("80.00"), Decimal("30.00")]
DATES = [datetime.date(*day) for day in [(2026, 4, 3), (2026, 12, 25), (2026, 6, 5), (2027, 2, 14), (2026, 9, 7)]]
PLACES = [place for _, _, _, place, _ in SHOWS]
TAGS = [tags for *_, tags in SHOWS]


def show(number: int, title: str, price: str, date: str, place: str | None, tags: list[str]) -> str:
    where = f"<p class=place>{place}</p>" if place else ""
    return (
        f"<article><h2 class=title><a href=/shows/{number}>{title}</a></h2><p class=price>{price}</p>"
        f"<p class=date>{date}</p>{where}<ul class=tags>{''.join(f'<li>{tag}</li>' for tag in tags)}</ul></article>"
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the shows in all formats that are read below."""
    made = tmp_path_factory.mktemp("shows")
    shows = "".join(show(number, *row) for number, row in enumerate(SHOWS))
    html = f"<html lang=pt-BR><body><h1>Agenda</h1><main>{shows}</main></body></html>"
    (made / "page.html").write_text(html, encoding="utf-8")
    for ending in ("parquet", "xlsx", "sqlite", "csv", "json"):
        target = str(made / f"x.{ending}")
        done = CliRunner().invoke(
            cli, ["extract", str(made / "page.html"), "--url", "https://a.example/", "-o", target]
        )
        assert done.exit_code == 0, done.stderr
    return made


def test_parquet_has_values_beside_texts(folder: Path):
    from pyarrow import parquet

    table = parquet.read_table(folder / "x.parquet").to_pydict()
    assert table["price"] == AMOUNTS
    assert table["price_currency"] == ["BRL"] * 5
    assert table["price_text"] == [price for _, price, *_ in SHOWS]
    assert table["date"] == DATES
    assert table["date_text"] == [date for _, _, date, *_ in SHOWS]
    assert table["location"] == PLACES
    assert table["tags"] == TAGS
    assert table["url"] == [f"https://a.example/shows/{number}" for number in range(5)]


def test_a_workbook_has_values_beside_texts(folder: Path):
    from openpyxl import load_workbook

    header, *rows = load_workbook(folder / "x.xlsx").active.iter_rows(values_only=True)
    table = dict(zip(header, zip(*rows, strict=True), strict=True))
    assert [Decimal(str(amount)) for amount in table["price"]] == AMOUNTS
    assert [day.date() for day in table["date"]] == DATES
    assert table["price_text"] == tuple(price for _, price, *_ in SHOWS)
    assert table["location"] == tuple(PLACES)
    assert [json.loads(tags) for tags in table["tags"]] == TAGS


def test_a_database_has_values_beside_texts(folder: Path):
    connection = sqlite3.connect(folder / "x.sqlite")
    rows = connection.execute("SELECT price, price_currency, date, location, tags FROM x").fetchall()
    dearest = connection.execute("SELECT title FROM x ORDER BY price DESC LIMIT 1").fetchone()
    connection.close()
    assert rows == [
        (float(amount), "BRL", day.isoformat(), place, json.dumps(tags, ensure_ascii=False))
        for amount, day, place, tags in zip(AMOUNTS, DATES, PLACES, TAGS, strict=True)
    ]
    assert dearest == ("Noite de fado",)


def test_json_has_values_beside_texts_and_no_key_for_a_missing_field(folder: Path):
    records = json.loads((folder / "x.json").read_text(encoding="utf-8"))
    assert records[2] == {
        "title": "Coro infantil",
        "url": "https://a.example/shows/2",
        "price": 12.0,
        "price_currency": "BRL",
        "price_text": "R$ 12,00",
        "date": "2026-06-05",
        "date_text": "05/06/2026",
        "tags": ["coro", "piano", "flauta"],
        "tags_text": "coro, piano, flauta",
    }


def test_csv_has_the_texts_as_the_page_shows_them(folder: Path):
    with (folder / "x.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [
        (row["title"], row["price"], row["date"], row["location"] or None, row["tags"].split(", ")) for row in rows
    ] == [(title, price, date, place, tags) for title, price, date, place, tags in SHOWS]
