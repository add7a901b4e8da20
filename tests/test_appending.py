"""``--append``: records added to files and tables with the same columns, and refused by others."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from command import peneira
from peneira.joins.record_files import read_records


def page(folder: Path, *, first: int, has_brand: bool = True) -> Path:
    brand = "<i class=brand>Holm</i>" if has_brand else ""
    rows = "".join(
        f"<li><a href='/p/{k}'>Oak chair, model {k}</a> <b class=price>${k}.50</b> {brand}</li>"
        for k in range(first, first + 8)
    )
    path = folder / f"page{first}{has_brand}.html"
    path.write_text(f"<html lang=en><body><h1>Chairs</h1><ul class=list>{rows}</ul></body></html>")
    return path


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet", "sqlite"])
def test_records_are_added_to_what_is_there(ending: str, tmp_path: Path):
    path = tmp_path / f"chairs.{ending}"
    for first in (10, 20):
        args = ("extract", page(tmp_path, first=first), "--url", "https://shop.example/")
        done = peneira(*args, "-o", path, "--append")
        assert done.returncode == 0, done.stderr
    found = read_records(path)
    assert [row["title"] for row in found.rows] == [f"Oak chair, model {k}" for k in (*range(10, 18), *range(20, 28))]


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet", "sqlite"])
def test_other_columns_are_refused_with_what_differs(ending: str, tmp_path: Path):
    path = tmp_path / f"chairs.{ending}"
    assert peneira("extract", page(tmp_path, first=10, has_brand=False), "-o", path).returncode == 0
    before = path.read_bytes()
    done = peneira("extract", page(tmp_path, first=20), "--all-columns", "-o", path, "--append")
    assert done.returncode == 1
    assert "cannot append" in done.stderr
    assert "brand" in done.stderr
    assert path.read_bytes() == before


def test_nested_records_keep_belonging_to_their_record(tmp_path: Path):
    from peneira.table import Cell, Column, Table

    inner = (Column("who", "who", 1.0),)
    column = Column("reviews", "reviews", 1.0, type="records", columns=inner)

    def table(name: str) -> Table:
        nested = Table(inner, ((Cell(f"of {name}", ""),),))
        return Table(
            (Column("title", "title", 1.0), column),
            ((Cell(name, ""), Cell("", "", "records", table=nested)),),
        )

    path = tmp_path / "shop.sqlite"
    table("first").to_sqlite(path)
    table("second").to_sqlite(path, append=True)
    with closing(sqlite3.connect(path)) as connection:
        joined = connection.execute(
            "SELECT title, who FROM shop JOIN shop_reviews ON shop.record_id = shop_reviews.record_id ORDER BY title"
        ).fetchall()
    assert joined == [("first", "of first"), ("second", "of second")]


@pytest.mark.parametrize("ending", ["json", "md", "xlsx", "arrow"])
def test_formats_that_cannot_grow_say_so(ending: str, tmp_path: Path):
    done = peneira("extract", page(tmp_path, first=10), "-o", tmp_path / f"a.{ending}", "--append")
    assert done.returncode == 2
    assert "--append is for csv, tsv, jsonl, parquet, sqlite" in done.stderr


def test_a_file_that_is_something_else_is_not_touched(tmp_path: Path):
    path = tmp_path / "a.jsonl"
    path.write_text("no JSON\n")
    done = peneira("extract", page(tmp_path, first=10), "-o", path, "--append")
    assert done.returncode == 1
    assert path.read_text() == "no JSON\n"
