"""``peneira join``: records of two sites that are the same thing."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from command import peneira
from peneira.joins.matching import match
from peneira.joins.record_files import read_records
from peneira.joins.record_terms import exact_key, terms_of


def pairs(left: Sequence[str], right: Sequence[str], *, min_score: float = 0.3) -> list[tuple[int, int]]:
    own, other = ([terms_of({"title": text}, ["title"]) for text in texts] for texts in (left, right))
    return sorted((found.left, found.right) for found in match(own, other, min_score=min_score))


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Olive oil 500 ml", "olive oil 0,5 L"),
        ("Rice 1 kg bag", "rice bag 1000g"),
        ("Camera DSC-W120 black", "camera dscw120"),
        ("Café crème", "CAFE CREME"),
        ("Vacuum cleaner Nova", "Nova vacum cleaner"),
    ],
)
def test_one_thing_has_many_spellings(text: str, other: str):
    rest = ["Garden chair of oak", "Desk lamp with clamp", "Blue tent for four"]
    assert (0, 0) in pairs([text, *rest], [other, *rest])


def test_sizes_and_model_numbers_tell_variants_apart():
    left = ["Shampoo Pure 250 ml", "Shampoo Pure 500 ml", "Drill AX-200 red", "Drill AX-300 red"]
    right = ["Drill AX300 red", "Drill AX200 red", "Pure shampoo 0.5 l", "Pure shampoo 250ml"]
    assert pairs(left, right) == [(0, 3), (1, 2), (2, 1), (3, 0)]


def test_each_record_is_in_one_pair_at_most():
    assert len(pairs(["Oak chair"] * 3, ["Oak chair"] * 2)) == 2


def test_exact_keys_come_first_and_contradict():
    left = [{"title": "A thing", "gtin": "0012345678905"}, {"title": "Blue tent Nova", "gtin": "4006381333931"}]
    right = [{"title": "Another name", "gtin": "12345678905"}, {"title": "Blue tent Nova", "gtin": "4006381333900"}]
    columns = ["title", "gtin"]
    own, other = ([terms_of(row, columns) for row in rows] for rows in (left, right))
    assert [(found.left, found.right, found.score, found.why) for found in match(own, other)] == [
        (0, 0, 1.0, "same gtin")
    ]


def test_isbn_of_ten_and_of_thirteen_digits_are_one():
    assert exact_key("0-306-40615-2") == exact_key("978-0-306-40615-7") == "9780306406157"


def test_the_command_reads_and_writes_files(tmp_path: Path):
    (tmp_path / "a.csv").write_text("title,price\nOak chair Nova,$10\nBlue tent,$40\nDesk lamp,$7\n")
    (tmp_path / "b.jsonl").write_text('{"name": "Nova oak chair", "price": "11,00"}\n{"name": "Green rug"}\n')
    args = ("join", tmp_path / "a.csv", tmp_path / "b.jsonl", "--on", "title=name,price", "--unmatched")
    done = peneira(*args, "-o", tmp_path / "c.csv")
    assert done.returncode == 0, done.stderr
    assert "3 and 2 records: 1 pairs" in done.stderr
    with (tmp_path / "c.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["a_title"], row["b_name"], bool(row["score"])) for row in rows] == [
        ("Oak chair Nova", "Nova oak chair", True),
        ("Blue tent", "", False),
        ("Desk lamp", "", False),
        ("", "Green rug", False),
    ]


@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "jsonl", "parquet", "arrow", "sqlite"])
def test_every_format_that_is_written_is_read(ending: str, tmp_path: Path, sample: Path):
    path = tmp_path / f"jobs.{ending}"
    assert peneira("extract", sample, "-o", path).returncode == 0
    found = read_records(path)
    assert len(found.rows) == 16
    assert found.rows[0]["title"] == "Senior Backend Engineer"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "x,y\n1,2\n", "has no such column with a value in it; it has x, y"),
        ("a.csv", "title,price\n", "has no such column with a value in it; it has none"),
        ("a.txt", "", "unknown ending"),
        ("a.json", "{", "cannot be read as json"),
        ("a.json", "[1, 2]", "cannot be read as json"),
        ("a.parquet", "no", "cannot be read as parquet"),
        ("a.sqlite", "no database at all", "cannot be read as sqlite"),
    ],
)
def test_files_that_hold_no_such_records_are_an_error(name: str, content: str, message: str, tmp_path: Path):
    (tmp_path / name).write_text(content)
    done = peneira("join", tmp_path / name, tmp_path / name, "--on", "title")
    assert done.returncode in (1, 2)
    assert message in done.stderr
    assert peneira("join", tmp_path / "none.csv", tmp_path / name, "--on", "title").returncode == 1


def test_of_a_database_with_several_tables_the_one_of_its_name_is_read(tmp_path: Path):
    path = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE other (a); CREATE TABLE shop (title); INSERT INTO shop VALUES ('x')")
    assert [dict(row) for row in read_records(path).rows] == [{"title": "x"}]
    assert json.loads(json.dumps(read_records(path).columns)) == ["title"]


def test_lines_end_at_line_feeds_and_whole_floats_are_whole_numbers(tmp_path: Path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"title": "a\u2028b", "count": 5.0}\n{"title": "c", "count": 5.5}\n', encoding="utf-8")
    assert list(read_records(path).rows) == [{"title": "a\u2028b", "count": "5"}, {"title": "c", "count": "5.5"}]


def test_records_without_any_rare_word_are_found_among_many():
    kinds, lines, makers = ([f"{name}{k}x" for k in range(13)] for name in ("kind", "line", "maker"))
    titles = [f"{kind} {line} {maker}" for kind in kinds for line in lines for maker in makers]
    assert pairs(titles, titles[::-1], min_score=0.9) == [(k, len(titles) - 1 - k) for k in range(len(titles))]


def test_terms_of_too_many_records_only_count_for_the_ones_found_by_others(monkeypatch: pytest.MonkeyPatch):
    titles = ["Nova oak chair", "Nova tent", "Nova desk lamp", "Nova rug of wool"]
    records = [terms_of({"title": text}, ["title"]) for text in titles]
    usual = match(records, records[::-1], min_score=0.3)
    monkeypatch.setattr("peneira.joins.record_index.MAX_VISITED", len(titles) - 1)
    assert match(records, records[::-1], min_score=0.3) == usual


def test_nothing_in_common_is_no_pair():
    assert pairs(["red cup"], ["blue door"], min_score=0.0) == []
