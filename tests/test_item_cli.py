"""``peneira item`` as a user types it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from command import peneira
from peneira.cli.item import field_lines
from peneira.result import Cell, Item

CHAIR = (
    "<title>Oak chair</title><h1>Oak chair</h1><p>SKU: 4711</p><p class=price>€ 49.00</p><p>In stock</p>"
    "<p>It stands on four legs, and it has a back to lean on in the evening.</p>"
)
LAMP = CHAIR.replace("Oak chair", "Tin lamp").replace("49.00", "19.00").replace("4711", "4712")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "chair.html").write_text(CHAIR)
    (tmp_path / "shop" / "lamp.html").write_text(LAMP)
    return tmp_path / "shop"


def test_a_piped_item_is_a_line_of_json(shop: Path):
    done = peneira("item", shop / "chair.html")
    (line,) = done.stdout.splitlines()
    assert json.loads(line) == {
        "kind": "product",
        "title": "Oak chair",
        "description": "It stands on four legs, and it has a back to lean on in the evening.",
        "price": 49.0,
        "price_currency": "EUR",
        "price_text": "€ 49.00",
        "currency": "EUR",
        "availability": "InStock",
        "sku": "4711",
    }
    assert done.stderr.endswith("chair.html: product, 6 fields, confidence 0.80\n")


def test_many_pages_make_one_table(shop: Path, tmp_path: Path):
    assert peneira("item", shop, "-o", tmp_path / "items.csv").returncode == 0
    rows = list(csv.DictReader(io.StringIO((tmp_path / "items.csv").read_text())))
    assert [(Path(row["source"]).name, row["title"], row["price"]) for row in rows] == [
        ("chair.html", "Oak chair", "€ 49.00"),
        ("lamp.html", "Tin lamp", "€ 19.00"),
    ]


def test_fields_are_chosen_and_ordered_by_name(shop: Path):
    done = peneira("item", shop / "chair.html", "--fields", "sku,title", "-f", "csv")
    assert done.stdout.splitlines() == ["sku,title", "4711,Oak chair"]


def test_evidence_is_written_beside_each_field(shop: Path):
    done = peneira("item", shop / "chair.html", "--fields", "sku,sku_source,sku_confidence", "--evidence", "-f", "csv")
    assert done.stdout.splitlines() == ["sku,sku_source,sku_confidence", "4711,page,0.9"]


def test_an_unknown_field_is_an_error_that_names_those_there_are(shop: Path):
    done = peneira("item", shop / "chair.html", "--fields", "colour")
    assert (done.returncode, "no such column; there are kind, title, description, price" in done.stderr) == (1, True)


def test_explain_tells_the_kind_and_what_disagreed(shop: Path):
    done = peneira("item", shop / "chair.html", "--explain")
    assert "  page type: it shows a price and a product code and words about stock" in done.stderr


def test_a_page_about_nothing_is_a_failed_job_that_writes_no_file(tmp_path: Path):
    (tmp_path / "empty.html").write_text("<body></body>")
    done = peneira("item", tmp_path / "empty.html", "-o", tmp_path / "out.csv")
    assert (done.returncode, done.stdout, (tmp_path / "out.csv").exists()) == (1, "", False)
    assert "empty.html: no item: 0 characters of visible text" in done.stderr


def test_lines_for_readers_are_cut_to_the_width_and_aligned():
    cells = {"title": Cell("木の椅子" * 20, "", confidence=0.9), "sku": Cell("4711", "", source="url", confidence=0.5)}
    assert field_lines(Item("product", 1.0, cells), list(cells), 50) == [
        "title  木の椅子木の椅子木の椅子木の椅…   page 0.90",
        "sku    4711                               url 0.50",
    ]
