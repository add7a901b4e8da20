"""Outputs of two versions, written and compared."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from peneira.errors import CorpusError
from peneira_research.commands.entry import bench
from peneira_research.studies.outputs import METHODS
from test_bench_corpora import write_archive, write_corpora


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(bench, ["outputs", *map(str, arguments)], env={"PENEIRA_CORPORA": ""})


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("outputs")
    corpora = write_corpora(folder / "corpora")
    pages = {f"book/book-shop(3)/000{k}.htm": f"<h1>Book {k}</h1><p>by Author {k}</p><b>{k}.50</b>" for k in range(3)}
    write_archive(corpora / "swde" / "book.tar.xz", pages)
    for name in ("before", "again"):
        result = invoke("--corpora", corpora, "-o", folder / f"{name}.jsonl.gz", "--jobs", "1")
        assert result.exit_code == 0, result.output
    return folder


def lines(path: Path) -> list[dict[str, object]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def test_every_page_and_site_has_a_line(written: Path):
    pages = lines(written / "before.jsonl.gz")
    assert [page["page"] for page in pages] == [
        *("lists/a-1", "lists/a-2", "lists/b-1", "lists/n-1", "modern/m-1"),
        *(f"swde/book.tar.xz/book/book-shop(3)/000{k}.htm" for k in range(3)),
        *("learn swde/book.tar.xz/book/book-shop(3)", "learn modern/m-1"),
    ]
    others = ("clean", "faithful", "segment", "content light", "content edrew")
    assert set(pages[0]) == {"page", "auto", *METHODS, *others}
    assert set(pages[1]) == {"page", "auto"}


def test_equal_versions_write_equal_files(written: Path):
    before, again = (written / f"{name}.jsonl.gz" for name in ("before", "again"))
    assert gzip.decompress(before.read_bytes()) == gzip.decompress(again.read_bytes())
    result = invoke("--compare", before, again)
    assert result.exit_code == 0
    assert "lists auto                          4 equal      0 different" in result.stdout
    assert "learn auto                          2 equal      0 different" in result.stdout
    assert result.stdout.endswith("cells of auto compared\n")


def test_a_difference_is_named_and_fails(written: Path, tmp_path: Path):
    changed = lines(written / "before.jsonl.gz")
    changed[1]["auto"] = {**changed[1]["auto"], "verdict": "other"}  # type: ignore[dict-item]
    with gzip.open(tmp_path / "changed.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in changed[:-1])
    result = invoke("--compare", written / "before.jsonl.gz", tmp_path / "changed.jsonl.gz")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[:2] == ["differs: learn modern/m-1 auto", "differs: lists/a-2 auto"]
    assert "lists auto                          3 equal      1 different" in result.stdout


def test_a_file_of_something_else_is_an_error(tmp_path: Path):
    (tmp_path / "other").write_text("not gzip")
    assert isinstance(invoke("--compare", tmp_path / "other", tmp_path / "other").exception, CorpusError)


def test_either_a_file_or_a_comparison_is_wanted():
    assert invoke().exit_code == 2
    assert invoke("-o", "a", "--compare", "b", "c").exit_code == 2
