"""``peneira learn`` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from peneira.cli.main import cli


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments], env={"PENEIRA_CORPORA": ""})


def film(title: str, year: int, *genres: str) -> str:
    items = "".join(f"<li>{genre}</li>" for genre in genres)
    return f"<h1>{title}</h1><p>Year</p><b>{year}</b><ul>{items}</ul>"


@pytest.fixture
def films(tmp_path: Path) -> Path:
    folder = tmp_path / "films"
    folder.mkdir()
    (folder / "1.html").write_text(film("Up", 2009, "Animation", "Drama"))
    (folder / "2.html").write_text(film("Her", 2013, "Drama", "Romance", "Sci-Fi"))
    return folder


@pytest.mark.parametrize("method", ["gstm", "fivatech"])
def test_learn_shows_what_differs_between_pages(films: Path, method: str):
    result = invoke("learn", films, "--method", method, "--kind", "detail")
    assert result.exit_code == 0
    genres = [["Animation", "Drama"], ["Drama", "Romance", "Sci-Fi"]]
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        {"source": str(films / file), "title": title, "text": year, "text_2": " ".join(names), "text_2_items": names}
        for file, title, year, names in zip(("1.html", "2.html"), ("Up", "Her"), ("2009", "2013"), genres, strict=True)
    ]
    assert result.stderr == "detail pages, 3 columns, learned from 2 pages\n"


def test_learn_shows_the_schema(films: Path):
    result = invoke("learn", films, "--method", "fivatech", "--kind", "detail", "--schema")
    assert result.stdout.splitlines() == ["tuple", "  title", "  'Year'", "  text", "  set", "    text_2"]


def test_a_page_that_cannot_be_read_is_counted_and_the_rest_is_learned(films: Path):
    result = invoke("learn", films, films / "none.html", "--method", "gstm")
    assert result.exit_code == 1
    assert "none.html: no such file" in result.stderr
    assert len(result.stdout.splitlines()) == 2


def test_wrong_usage_of_learn_is_exit_code_2(films: Path):
    assert invoke("learn").exit_code == 2
    assert invoke("learn", films, "--method", "magic").exit_code == 2
