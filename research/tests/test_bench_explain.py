from pathlib import Path

import pytest

import peneira_research.studies.explain
from peneira.result import Extraction, Record, Region
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.studies.explain import Finding, explain

PAGE = "<p>Ana, who is 31</p><p>Bia, who is 27</p><p>Cid, who is 45</p><p>Dora, who is 52</p>"


def region(*texts: str) -> Region:
    return Region("/html[1]", tuple(Record(((0, 1),), text, "/html[1]") for text in texts), 0.9)


def findings(
    folder: Path, monkeypatch: pytest.MonkeyPatch, anchors: tuple[str, ...] | None, *texts: str
) -> list[Finding]:
    found = Extraction("list", (region(*texts), region("Ana, who is 31")), region(*texts), "auto")
    monkeypatch.setattr(peneira_research.studies.explain, "extract", lambda page, method: found)
    file = folder / "page.html"
    file.write_text(PAGE)
    explanation = explain(GoldPage("a-1", "a", "a.example", file, anchors), "auto")
    assert len(explanation.scores) == (2 if anchors else 0)
    return list(explanation.findings)


def test_a_right_record_stands_beside_its_anchor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert findings(tmp_path, monkeypatch, ("Ana",), "Ana, who is 31") == [Finding(1, "Ana, who is 31", "Ana", "")]


def test_a_record_without_anchor_and_a_missed_anchor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert findings(tmp_path, monkeypatch, ("Ana",), "menu") == [
        Finding(1, "menu", "", "no anchor"),
        Finding(None, "", "Ana", "missed: in no record"),
    ]


def test_two_records_in_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert findings(tmp_path, monkeypatch, ("Ana", "Bia"), "Ana and Bia") == [
        Finding(1, "Ana and Bia", "Ana", "2 anchors, also: Bia"),
        Finding(None, "", "Ana", "missed: only in record 1"),
        Finding(None, "", "Bia", "missed: only in record 1"),
    ]


def test_a_record_found_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert findings(tmp_path, monkeypatch, ("Ana",), "Ana", "Ana!") == [
        Finding(1, "Ana", "Ana", ""),
        Finding(2, "Ana!", "", "its anchor went to another record: Ana"),
    ]


def test_a_bare_title_is_incomplete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [first, *_] = findings(tmp_path, monkeypatch, ("Ana", "Bia", "Cid", "Dora"), "Ana")
    assert first == Finding(1, "Ana", "Ana", "incomplete: 3 characters, 11 from anchor to anchor")


def test_without_anchors_the_records_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert findings(tmp_path, monkeypatch, None, "one", "two") == [Finding(1, "one", "", ""), Finding(2, "two", "", "")]
