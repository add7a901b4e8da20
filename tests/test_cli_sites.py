"""``peneira extract`` on pages of one site and of several, as a user types it."""

from __future__ import annotations

import csv
import json
import sqlite3
from pathlib import Path

import pytest

from command import Done, peneira
from test_site_schema import shop

JOBS = (
    "<link rel=canonical href=https://jobs.example/><ol>"
    + "".join(
        f"<li><h3 class=title><a href=/{k}>{name}</a></h3><p class=colour>{place}, by the sea</p></li>"
        for k, (name, place) in enumerate(
            [("Baker", "Porto"), ("Smith", "Faro"), ("Tailor", "Beja"), ("Cook", "Evora")]
        )
    )
    + "</ol>"
)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with two pages of one site, the second with a further field."""
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.html").write_text(shop())
    (tmp_path / "pages" / "b.html").write_text(shop(colours=True))
    return tmp_path / "pages"


@pytest.fixture
def sites(site: Path) -> Path:
    """The same, with a page of another site."""
    (site / "c.html").write_text(JOBS)
    return site


def header(path: Path) -> list[str]:
    with path.open(newline="", encoding="utf-8") as file:
        return next(csv.reader(file))


def objects(done: Done) -> list[dict[str, object]]:
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_pages_of_one_site_are_one_file_with_one_schema(site: Path, tmp_path: Path):
    assert peneira("extract", site, "-o", tmp_path / "all.csv").returncode == 0
    peneira("extract", site / "b.html", "-o", tmp_path / "b.csv")
    assert header(tmp_path / "all.csv") == ["source", *header(tmp_path / "b.csv")]
    assert sorted(path.name for path in tmp_path.glob("*.csv")) == ["all.csv", "b.csv"]


def test_pages_of_several_sites_are_a_file_each(sites: Path, tmp_path: Path):
    done = peneira("extract", sites, "-o", tmp_path / "all.csv")
    assert done.returncode == 0
    assert sorted(path.name for path in tmp_path.glob("*.csv")) == ["all-jobs.example.csv", "all-shop.example.csv"]
    assert "2 sites, a file for each (--sites joined makes one table): shop.example, jobs.example" in done.stderr
    assert len((tmp_path / "all-shop.example.csv").read_text().splitlines()) == 9


def test_a_database_gets_a_table_for_each_site(sites: Path, tmp_path: Path):
    assert peneira("extract", sites, "-o", tmp_path / "all.sqlite").returncode == 0
    with sqlite3.connect(tmp_path / "all.sqlite") as connection:
        found = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
    connection.close()
    assert found == [("all_jobs_example",), ("all_shop_example",)]


def test_piped_records_of_several_sites_are_json_lines_with_their_source(sites: Path):
    found = objects(peneira("extract", sites))
    assert [Path(str(each["source"])).name for each in found] == ["a.html"] * 4 + ["b.html"] * 4 + ["c.html"] * 4


def test_piped_json_of_several_sites_is_one_array(sites: Path):
    assert len(json.loads(peneira("extract", sites, "--format", "json").stdout)) == 12


@pytest.mark.parametrize("format_", ["csv", "tsv"])
def test_a_stream_of_one_table_is_refused_for_several_sites(format_: str, sites: Path):
    done = peneira("extract", sites, "--format", format_)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"(shop.example, jobs.example), and {format_} holds one table: name a file with -o" in done.stderr


@pytest.mark.parametrize(("format_", "mark"), [("table", ""), ("md", "## ")])
def test_tables_for_readers_have_a_heading_for_each_site(format_: str, mark: str, sites: Path):
    shown = peneira("extract", sites, "--format", format_).stdout.splitlines()
    assert [line for line in shown if "records of" in line] == [
        f"{mark}shop.example: 8 records of 2 pages",
        f"{mark}jobs.example: 4 records of 1 page",
    ]


def test_one_table_for_several_sites_joins_roles_and_no_other_names(sites: Path, tmp_path: Path):
    assert peneira("extract", sites, "--sites", "joined", "-o", tmp_path / "all.csv").returncode == 0
    names = header(tmp_path / "all.csv")
    assert names.count("title") == 1
    with (tmp_path / "all.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    shops, jobs = rows[:8], rows[8:]
    shared = {name for name in names if any(row[name] for row in shops) and any(row[name] for row in jobs)}
    assert shared == {"source", "title", "url"}


def test_records_are_nested_by_source_when_asked(sites: Path):
    found = objects(peneira("extract", sites, "--sites", "nested", "--fields", "title"))
    assert [(each["site"], Path(str(each["source"])).name) for each in found] == [
        ("shop.example", "a.html"),
        ("shop.example", "b.html"),
        ("jobs.example", "c.html"),
    ]
    assert found[2]["records"] == [{"title": "Baker"}, {"title": "Smith"}, {"title": "Tailor"}, {"title": "Cook"}]


def test_nested_records_go_to_a_file(site: Path, tmp_path: Path):
    assert peneira("extract", site / "a.html", "--sites", "nested", "-o", tmp_path / "a.json").returncode == 0
    (only,) = json.loads((tmp_path / "a.json").read_text())
    assert (only["source"], len(only["records"])) == (str(site / "a.html"), 4)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--format", "csv"], "--sites nested is written as json or jsonl, not as csv"),
        (["--types"], "--sites nested is about records: it does not go with --types"),
    ],
)
def test_nested_output_of_another_kind_is_wrong_usage(args: list[str], message: str, site: Path):
    done = peneira("extract", site, "--sites", "nested", *args)
    assert done.returncode == 2
    assert message in done.stderr


def test_a_field_that_one_site_lacks_is_empty_there_and_one_that_all_lack_is_wrong(sites: Path, tmp_path: Path):
    assert peneira("extract", sites, "--fields", "title,price", "-o", tmp_path / "x.csv").returncode == 0
    assert header(tmp_path / "x-jobs.example.csv") == header(tmp_path / "x-shop.example.csv") == ["title", "price"]
    assert peneira("extract", sites, "--fields", "title,weight").returncode == 2


def test_the_columns_of_several_sites_are_listed_by_site(sites: Path):
    found = json.loads(peneira("extract", sites, "--types").stdout)
    assert [each["site"] for each in found] == ["shop.example", "jobs.example"]
    assert found[0]["columns"][0]["name"] == "source"


def test_a_page_that_cannot_be_read_does_not_stop_the_others(site: Path):
    (site / "broken.html.gz").write_bytes(b"\x1f\x8b no gzip")
    done = peneira("extract", site)
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == 8
    assert "broken.html.gz" in done.stderr


def test_an_empty_page_does_not_change_the_columns_of_the_others(site: Path, tmp_path: Path):
    peneira("extract", site, "-o", tmp_path / "before.csv")
    (site / "empty.html").write_text("")
    done = peneira("extract", site, "-o", tmp_path / "after.csv")
    assert done.returncode == 1  # an empty page is a failed job
    assert (tmp_path / "after.csv").read_text() == (tmp_path / "before.csv").read_text()
