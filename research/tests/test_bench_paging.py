"""The score of paging, on pages written here."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from peneira.cli.main import cli
from peneira_research.corpora.paging_pages import PagingPage, paging_archive, read_paging
from peneira_research.scores.paging_score import PagingMetrics, paging_metrics, score_paging

RECORDS = "<ul>" + "".join(f"<li><h3>Lamp {k}</h3> <b class=price>R$ 1{k},50</b>" for k in range(4)) + "</ul>"
NEXT = "<span class=on><a href='?page=2#top'>Next</a></span>"
PAGER = f"<div class=pager><b>1</b> <a class=n href='?page=2'>2</a> {NEXT}</div>"
ENTRY = {"encoding": "utf-8", "prev": "", "next": ".on", "page": ".n, ::broken(", "first": "", "last": ""}


def add(tar: tarfile.TarFile, name: str, body: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(body)
    tar.addfile(member, io.BytesIO(body))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    archive = paging_archive(tmp_path)
    archive.parent.mkdir()
    (tmp_path / "lists").mkdir()
    for name in ("lists.jsonl", "negatives.jsonl"):
        (tmp_path / "lists" / name).write_text("")
    none = {"next": "", "page": ""}
    entries = [
        {"id": "a", "file": "html/a.html", "url": "http://shop.example/lamps", **ENTRY},
        {"id": "b", "file": "html/b.html", "url": "http://blog.example/rain", **ENTRY, **none},
    ]
    with tarfile.open(archive, "w:xz") as tar:
        add(tar, "paging.jsonl", "\n".join(map(json.dumps, entries)).encode())
        add(tar, "html/a.html", (RECORDS + PAGER).encode())
        add(tar, "html/b.html", b"<p>Rain, and nothing else.")
    return tmp_path


def test_selectors_give_the_addresses_of_links_in_and_around_what_they_select(root: Path):
    first, second = read_paging(paging_archive(root))
    expected = frozenset({"http://shop.example/lamps?page=2"})
    assert (first.next, first.previous, first.pages) == (expected, frozenset(), expected)
    assert (second.next, second.site) == (frozenset(), "blog")


def test_a_page_is_right_where_a_missing_link_is_rightly_missing():
    gold = PagingPage("a", "x", "http://x/", b"", frozenset(), frozenset({"http://x/1"}), frozenset({"http://x/1"}))
    outcome = score_paging(gold, "peneira", None, "http://x/3", ["http://x/1#top", "http://x/9"])
    assert (outcome.is_next_right, outcome.is_previous_right, outcome.f1) == (True, False, 2 / 3)
    assert paging_metrics([outcome]) == PagingMetrics(1, next=1.0, previous=0.0, numbered=2 / 3, pooled=2 / 3)


def test_the_command_prints_the_metrics_and_writes_the_document(root: Path, tmp_path: Path):
    target = tmp_path / "paging.json"
    done = CliRunner().invoke(cli, ["bench", "paging", "--corpora", str(root), "--jobs", "1", "-o", str(target)])
    assert done.exit_code == 0, done.output
    metrics = json.loads(target.read_text())["metrics"]["peneira"]
    assert metrics == {"pages": 2, "next": 1.0, "previous": 1.0, "numbered": 1.0, "pooled": 1.0}
