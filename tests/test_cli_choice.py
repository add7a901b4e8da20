"""``peneira extract``: which lists and which columns, as a user types it."""

from __future__ import annotations

import csv
import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from peneira.cli.main import cli
from test_cli_output import on_a_terminal

POTS = [("Red kettle", "R$ 10,50"), ("Blue kettle", "R$ 20,00"), ("Clay pot", "R$ 30,00"), ("Iron pan", "R$ 45,90")]
COLOURS = ["brick red", "grey", "dark blue", "green"]
LAMPS = [("Clay pot", "R$ 30,00"), ("Desk lamp", "R$ 80,00"), ("Wall lamp", "R$ 95,50"), ("Oil lamp", "R$ 12,00")]


def shop(goods: list[tuple[str, str]], *, colours: bool = False) -> str:
    cards = "".join(
        f"<article><h3 class=title><a href=/p/{name.replace(' ', '-')}>{name}</a></h3>"
        f"<p class=price>{price}</p>{f'<p class=colour>{COLOURS[k]}</p>' if colours else ''}"
        f"<p class=action>Buy now</p></article>"
        for k, (name, price) in enumerate(goods)
    )
    return f"<html lang=pt-BR><body><h1>Goods</h1><main>{cards}</main></body></html>"


# The words of a text, with a menu that is no list of records
ARTICLE = (
    "<html><body><ul class=nav><li><a href=/a>Home</a><li><a href=/b>News</a><li><a href=/c>About</a></ul>"
    "<article><h1>How the river was mended</h1>"
    + "<p>It took nine years, four mayors and one stubborn engineer to bring the fish back to the river, "
    "and nobody who was there from the first day to the last would say that it was done by any plan.</p>"
    * 8
    + "</article></body></html>"
)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "pots.html"
    file.write_text(shop(POTS), encoding="utf-8")
    return file


@pytest.fixture
def folder(page: Path) -> Path:
    (page.parent / "relics.html").write_text(shop(LAMPS, colours=True), encoding="utf-8")
    return page.parent


def extract(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, ["extract", *map(str, args)])


def rows(done: Result) -> list[dict[str, object]]:
    assert done.exit_code == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def header(path: Path) -> list[str]:
    with path.open(newline="", encoding="utf-8") as file:
        return next(csv.reader(file))


# --- lists -----------------------------------------------------------------------------------------------------------


def test_a_page_without_a_trusted_list_says_why_and_how_to_see_what_there_is(tmp_path: Path):
    (tmp_path / "a.html").write_text(ARTICLE)
    done = extract(tmp_path / "a.html")
    assert (done.exit_code, done.stdout) == (0, "")
    assert re.sub(r" 0\.\d\d", " 0.00", done.stderr) == (
        f"{tmp_path / 'a.html'}: no list of records: an article "
        "(probability 0.00; 8 long paragraphs hold 98% of the content); "
        '"--region 1" shows the best guess (8 records, confidence 0.00)\n'
    )


@pytest.mark.parametrize("asked", [["--region", "1"], ["--all"]])
def test_a_user_can_overrule_that_there_is_no_list(asked: list[str], tmp_path: Path):
    (tmp_path / "a.html").write_text(ARTICLE)
    done = extract(tmp_path / "a.html", *asked)
    assert len(rows(done)) >= 3
    assert "; it is an article (" in done.stderr


def test_a_list_asked_for_on_a_page_that_has_none_is_a_failed_job(tmp_path: Path):
    (tmp_path / "a.html").write_text("<h1>One thing</h1><p>Said once.</p>")
    done = extract(tmp_path / "a.html", "--region", "1")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "no such list; this page has none; it is a page about one thing (" in done.stderr


def test_one_list_and_all_lists_exclude_each_other(page: Path):
    done = extract(page, "--region", "1", "--all")
    assert done.exit_code == 2
    assert "--region takes one list and --all every list: give one of them" in done.stderr


def test_a_folder_of_one_page_has_a_source_column_too(page: Path):
    assert [row["source"] for row in rows(extract(page.parent))] == [str(page)] * 4


# --- columns ---------------------------------------------------------------------------------------------------------


def test_fields_choose_and_order_the_columns(page: Path, tmp_path: Path):
    extract(page, "--fields", "price, title", "-o", tmp_path / "x.csv")
    assert (tmp_path / "x.csv").read_text(encoding="utf-8").splitlines() == [
        "price,title",
        *(f'"{price}",{name}' for name, price in POTS),
    ]


def test_a_field_that_no_page_has_is_wrong_usage_and_names_those_there_are(page: Path):
    done = extract(page, "--fields", "title,weight")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "weight: no such column; there are title, price, url" in done.stderr


def test_a_field_that_only_some_pages_have_is_fine(folder: Path):
    found = rows(extract(folder, "--fields", "title,colour"))
    assert found[0] == {"title": "Red kettle"}
    assert found[4] == {"title": "Clay pot", "colour": "brick red"}


def test_a_page_without_a_list_has_no_wrong_fields(tmp_path: Path):
    (tmp_path / "a.html").write_text(ARTICLE)
    assert extract(tmp_path / "a.html", "--fields", "title").exit_code == 0


def test_columns_are_renamed_and_may_change_names(page: Path, tmp_path: Path):
    extract(page, "--rename", "title=price", "--rename", "price=title", "-o", tmp_path / "x.csv")
    assert header(tmp_path / "x.csv") == ["price", "title", "url"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--rename", "title=price"], "price: two columns would have this name"),
        (["--rename", "title=PRICE"], "PRICE: two columns would have this name"),
        (["--rename", "weight=w"], "weight: no such column; there are title, price, url"),
        (["--fields", "title", "--rename", "price=p"], "price: no such column; there are title"),
        (["--rename", "title"], "'title' has no new name; write it as old=new"),
        (["--rename", "title=a", "--rename", "title=b"], "title is renamed twice"),
        (["--fields", "title,"], "'title,' has an empty name; write it as title,price"),
        (["--fields", "title,title"], "title is named twice"),
    ],
)
def test_names_that_cannot_be_are_wrong_usage(args: list[str], message: str, page: Path):
    done = extract(page, *args)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr


def test_columns_of_the_template_are_shown_when_asked_for(page: Path, tmp_path: Path):
    extract(page, "-o", tmp_path / "x.csv")
    extract(page, "--all-columns", "-o", tmp_path / "all.csv")
    assert header(tmp_path / "x.csv") == ["title", "price", "url"]
    assert "action" in header(tmp_path / "all.csv")
    assert rows(extract(page, "--all-columns", "--fields", "action")) == [{"action": "Buy now"}] * 4


# --- types -----------------------------------------------------------------------------------------------------------

TYPES = [
    {"name": "title", "type": "text", "caption": "title", "fill": 1.0},
    {"name": "price", "type": "money", "caption": "price", "fill": 1.0},
    {"name": "url", "type": "url", "caption": "title", "fill": 1.0},
]


def test_types_piped_is_one_json_document(page: Path):
    assert json.loads(extract(page, "--types").stdout) == TYPES


def test_types_over_pages_are_those_of_the_one_table(folder: Path):
    shown = json.loads(extract(folder, "--types", "--fields", "source,colour", "--rename", "colour=tint").stdout)
    assert shown == [
        {"name": "source", "type": "text", "caption": "source", "fill": 1.0},
        {"name": "tint", "type": "text", "caption": "colour", "fill": 0.5},
    ]


def test_types_go_to_a_file(page: Path, tmp_path: Path):
    done = extract(page, "--types", "-o", tmp_path / "x.json")
    assert json.loads((tmp_path / "x.json").read_text(encoding="utf-8")) == TYPES
    assert f"{tmp_path / 'x.json'}: 3 columns" in done.stderr


def test_types_in_another_format_are_wrong_usage(page: Path, tmp_path: Path):
    done = extract(page, "--types", "-o", tmp_path / "x.csv")
    assert done.exit_code == 2
    assert "--types is written as table or json, not as csv" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="no such terminals there")
def test_types_on_a_terminal_are_a_table(page: Path):
    code, shown = on_a_terminal("extract", page, "--types")
    assert code == 0
    assert "│ url   │ url   │ title   │ 100% │" in shown


# --- repeated records ------------------------------------------------------------------------------------------------


def test_records_of_a_later_page_are_dropped_only_when_asked(folder: Path):
    kept = extract(folder, "--fields", "source,title,price", "--format", "csv", "-o", folder / "all.csv")
    assert "dropped" not in kept.stderr
    assert len((folder / "all.csv").read_text(encoding="utf-8").splitlines()) == 9
    done = extract(folder, "--fields", "source,title,price", "--dedupe")
    assert "1 of 8 records dropped as equal to an earlier one" in done.stderr
    assert [(row["title"], Path(str(row["source"])).name) for row in rows(done)] == [
        *((name, "pots.html") for name, _ in POTS),
        *((name, "relics.html") for name, _ in LAMPS[1:]),
    ]


def test_records_that_differ_in_a_shown_cell_stay(folder: Path):
    done = extract(folder, "--dedupe")
    assert "0 of 8 records dropped" in done.stderr
    assert len(rows(done)) == 8
