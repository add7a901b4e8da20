"""``learn -o``, ``apply``, ``check``, ``heal``, ``show`` and ``export`` as a user types them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from peneira.cli.main import cli
from peneira.errors import WrapperError
from test_wrappers import FILMS, OFFERS, film, shop


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture
def films(tmp_path: Path) -> Path:
    folder = tmp_path / "films"
    folder.mkdir()
    for k, row in enumerate(FILMS):
        (folder / f"{k}.html").write_text(film(*row), encoding="utf-8")
    return folder


@pytest.fixture
def wrapper(films: Path, tmp_path: Path) -> Path:
    result = invoke("learn", films, "-o", tmp_path / "films.json")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "detail pages, 4 columns, learned from 5 pages\n"
    return tmp_path / "films.json"


@pytest.fixture
def other(tmp_path: Path) -> Path:
    (tmp_path / "shop.html").write_text(shop(OFFERS), encoding="utf-8")
    return tmp_path / "shop.html"


def test_learn_without_a_file_writes_the_wrapper_to_a_pipe(films: Path, wrapper: Path):
    assert invoke("learn", films).stdout == wrapper.read_text(encoding="utf-8")


def test_options_of_tables_are_not_for_wrappers(films: Path):
    assert invoke("learn", films, "--format", "csv").exit_code == 2
    assert invoke("learn", films, "--schema").exit_code == 2


def test_apply_writes_the_records_of_pages(films: Path, wrapper: Path, tmp_path: Path):
    assert invoke("apply", wrapper, films, "-o", tmp_path / "out.csv").exit_code == 0
    with (tmp_path / "out.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(row["title"], row["year"]) for row in rows] == [(title, year) for title, year, _, _ in FILMS]


def test_apply_names_a_page_of_another_template_and_fails(films: Path, wrapper: Path, other: Path):
    result = invoke("apply", wrapper, films / "0.html", other)
    assert (result.exit_code, len(result.stdout.splitlines())) == (1, 1)
    assert "shop.html: another template: 0% of the" in result.stderr
    assert "; --otherwise auto reads it without the wrapper" in result.stderr


def test_an_empty_page_is_reported_as_empty(wrapper: Path, tmp_path: Path):
    (tmp_path / "empty.html").write_text(" ", encoding="utf-8")
    result = invoke("apply", wrapper, tmp_path / "empty.html")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.endswith("empty.html: the page is empty\n")
    (report,) = json.loads(invoke("check", wrapper, tmp_path / "empty.html").stdout)
    assert (report["verdict"], report["reasons"][0]["detail"]) == ("broken", "the page is empty")


def test_check_exits_with_0_3_or_4(films: Path, wrapper: Path, other: Path, tmp_path: Path):
    assert invoke("check", wrapper, films).exit_code == 0
    thinner = tmp_path / "thinner"
    thinner.mkdir()
    for k, row in enumerate(FILMS):
        (thinner / f"{k}.html").write_text(film(*row).replace("Price", "Cost"), encoding="utf-8")
    degraded = invoke("check", wrapper, thinner)
    (report,) = json.loads(degraded.stdout)
    assert (degraded.exit_code, report["verdict"]) == (3, "degraded")
    assert report["reasons"][0]["detail"] == "column price has no value; 100% of the records had one"
    assert invoke("check", wrapper, other).exit_code == 4
    each = invoke("check", wrapper, films / "0.html", other, "--each")
    assert (each.exit_code, [report["verdict"] for report in json.loads(each.stdout)]) == (4, ["ok", "other-template"])


def test_heal_writes_a_wrapper_that_passes_and_none_that_does_not(wrapper: Path, other: Path, tmp_path: Path):
    changed = tmp_path / "changed"
    changed.mkdir()
    for k, row in enumerate(FILMS):
        (changed / f"{k}.html").write_text(film(*row, heading="headline"), encoding="utf-8")
    result = invoke("heal", wrapper, changed, "-o", tmp_path / "healed.json")
    document = json.loads(result.stdout)
    assert (result.exit_code, document["accepted"]) == (0, True)
    assert invoke("check", tmp_path / "healed.json", changed).exit_code == 0
    refused = invoke("heal", wrapper, other, "-o", tmp_path / "no.json")
    assert (refused.exit_code, (tmp_path / "no.json").exists()) == (1, False)


def test_show_is_a_table_for_people(wrapper: Path):
    lines = invoke("show", wrapper).stdout.splitlines()
    assert lines[0] == "detail pages, 4 columns, learned from 5 pages"
    assert lines[1].split() == ["column", "type", "fill", "stable", "sample", "selector"]
    assert lines[2].split() == ["title", "text", "100%", "0.95", "Up", "h1.title::text"]
    assert lines[4].split() == ["price", "money", "100%", "0.93", "$12.50", 'th"Price"', "+", "td", "text()"]


def test_export_writes_selectors_or_a_module(wrapper: Path, tmp_path: Path):
    assert invoke("export", wrapper, "--as", "css").stdout.splitlines()[0] == "title\th1.title::text"
    assert invoke("export", wrapper, "--as", "scrapy", "-o", tmp_path / "items.py").exit_code == 0
    compile((tmp_path / "items.py").read_text(encoding="utf-8"), "items.py", "exec")


def test_a_broken_file_raises_an_error_that_states_where(tmp_path: Path):
    (tmp_path / "broken.json").write_text('{"format": "peneira-wrapper", "version"', encoding="utf-8")
    result = invoke("show", tmp_path / "broken.json")
    assert isinstance(result.exception, WrapperError)
    assert "broken.json: is not whole JSON" in str(result.exception)
