"""What the command says and writes where a page has no list of records."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path

import pytest

from command import peneira
from peneira.cli.no_list import PAGE_KINDS, page_kind
from peneira.reasons import Reason, ReasonCode
from peneira.result import Extraction

ARTICLE = (
    "<html><body><ul class=nav><li><a href=/a>Home</a><li><a href=/b>News</a><li><a href=/c>About</a></ul>"
    "<article><h1>How the river was mended</h1>"
    + "<p>It took nine years, four mayors and one stubborn engineer to bring the fish back to the river, "
    "and nobody who was there from the first day to the last would say that it was done by any plan.</p>"
    * 8
    + "</article></body></html>"
)
LIST = "<ul>" + "".join(f"<li><b>Lamp {k}</b> <i>$ {k}.50</i>" for k in range(6)) + "</ul>"
SAID = (
    "no list of records: an article (probability 0.00; 8 long paragraphs hold 98% of the content); "
    '"--region 1" shows the best guess (8 records, confidence 0.00)'
)


def said(text: str) -> str:
    """Return what was said without its probabilities, which depend on how the models were trained."""
    return re.sub(r"(probability|confidence) 0\.\d\d", r"\1 0.00", text)


@pytest.fixture
def article(tmp_path: Path) -> Path:
    (tmp_path / "article.html").write_text(ARTICLE)
    return tmp_path / "article.html"


@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "jsonl", "md", "xlsx", "sqlite", "parquet", "arrow"])
@pytest.mark.parametrize("options", [[], ["--sites", "joined"]])
def test_no_file_is_written_without_a_list(article: Path, ending: str, options: list[str]):
    target = article.parent / f"out.{ending}"
    done = peneira("extract", article, "-o", target, *options)
    assert (done.returncode, done.stdout) == (0, "")
    assert said(done.stderr) == f"{article}: {SAID}; nothing written to {target}\n"
    assert sorted(article.parent.iterdir()) == [article]


def test_a_file_that_is_there_stays_as_it_was(article: Path):
    target = article.parent / "out.csv"
    target.write_text("kept\n")
    done = peneira("extract", article, "-o", target)
    assert done.stderr.endswith(f"; nothing written to {target}, which stays as it was\n")
    assert target.read_text() == "kept\n"


def test_a_database_that_is_there_stays_as_it_was(article: Path):
    target = article.parent / "out.sqlite"
    sqlite3.connect(target).executescript("CREATE TABLE old (x)").connection.close()
    before = target.read_bytes()
    assert "which stays as it was" in peneira("extract", article, "-o", target).stderr
    assert target.read_bytes() == before


@pytest.mark.parametrize(
    ("options", "written"),
    [([], ""), (["--format", "json"], "[]\n"), (["--sites", "nested", "--format", "json"], "[]\n")],
)
def test_a_pipe_gets_an_empty_table(article: Path, options: list[str], written: str):
    done = peneira("extract", article, *options)
    assert (done.returncode, done.stdout, said(done.stderr)) == (0, written, f"{article}: {SAID}\n")


@pytest.mark.parametrize("options", [["--all"], ["--region", "3"]])
def test_a_page_without_any_list_has_none_to_choose(tmp_path: Path, options: list[str]):
    page, target = tmp_path / "a.html", tmp_path / "out.csv"
    page.write_text("<h1>A kettle</h1><p>Red.</p>")
    done = peneira("extract", page, "-o", target, *options)
    assert "a page about one thing (" in done.stderr
    assert done.stderr.endswith(f"; nothing written to {target}\n")
    assert not target.exists()


def test_pages_without_a_list_are_reported_beside_the_others(article: Path):
    (article.parent / "list.html").write_text(LIST)
    target = article.parent / "out.jsonl"
    done = peneira("extract", article.parent, "-o", target)
    assert done.returncode == 0
    assert f"{article}: {SAID}\n" in said(done.stderr)
    assert "nothing written" not in done.stderr
    assert {json.loads(line)["source"] for line in target.read_text().splitlines()} == {
        str(article.parent / "list.html")
    }


@pytest.mark.parametrize("mode", ["apart", "joined", "nested"])
def test_several_pages_without_a_list_write_nothing(article: Path, mode: str):
    (article.parent / "empty.html").write_text("")
    target = article.parent / "out.json"
    done = peneira("extract", article.parent, "-o", target, "--sites", mode)
    assert (done.returncode, done.stdout) == (1, "")  # an empty page is a failed job
    lines = done.stderr.splitlines()
    assert said(lines[0]) == f"{article}: {SAID}"
    assert lines[1].endswith("no list of records: an empty page (no visible text among 3 nodes)")
    assert lines[2:] == [f"no page has a list of records; nothing written to {target}"]
    assert not target.exists()


def test_the_columns_of_no_list_are_no_file(article: Path):
    target = article.parent / "columns.json"
    assert peneira("extract", article, "--types", "-o", target).stderr.endswith(f"nothing written to {target}\n")
    assert not target.exists()


@pytest.mark.parametrize(
    ("html", "options", "said"),
    [
        ("<h1>Please solve the captcha</h1>", [], "a blocked page (captcha: the page says 'captcha' and little else)"),
        ("", [], "an empty page (no visible text among 3 nodes)"),
        (
            "<div id=app></div><script>1</script>",
            ["--render", "never"],
            "a page that its scripts fill (0 characters of text, with 1 script and an empty <div id=app>); "
            "--render auto or always reads it in a browser",
        ),
    ],
)
def test_a_page_that_cannot_be_read_as_intended_is_a_failed_job(
    tmp_path: Path, html: str, options: list[str], said: str
):
    page, target = tmp_path / "a.html", tmp_path / "out.csv"
    page.write_text(html)
    done = peneira("extract", page, "-o", target, *options)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"{page}: no list of records: {said}; nothing written to {target}\n"
    assert not target.exists()


def test_every_kind_of_page_has_words_and_an_unknown_one_is_said_as_it_is():
    assert PAGE_KINDS["other"] == "neither a list nor an article"
    reasons = (Reason(ReasonCode.RENDERED, "read"), Reason(ReasonCode.PROSE, "little prose"))
    result = Extraction("other-template", (), None, "auto", None, reasons=reasons)
    assert page_kind(result, "auto") == "other-template (little prose)"
