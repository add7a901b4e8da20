"""``peneira bench`` as a user types it: records, speed, gate; and the help of all commands."""

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from peneira.errors import CorpusError, PeneiraError
from peneira_research.commands.entry import bench, train
from peneira_research.studies.table_outcomes import TableModels
from test_bench_corpora import write_corpora
from test_bench_table import NO_MODELS
from test_typed_pages import write_typed_pages


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(bench, [str(argument) for argument in arguments], env={"PENEIRA_CORPORA": ""})


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return write_corpora(tmp_path / "corpora")


def test_records_prints_the_document_when_piped_and_the_table_beside_it(small: Path) -> None:
    result = invoke("records", "--corpora", small, "--jobs", "1", "--corpus", "a", "--worst", "1")
    assert result.exit_code == 0
    assert [page["id"] for page in json.loads(result.stdout)["pages"]] == ["a-1", "a-2"]
    lines = [line.split() for line in result.stderr.splitlines()]
    assert lines[0] == ["corpus", "pages", "auto"]
    assert lines[1][:2] == ["a", "1"]
    assert lines[-1][:2] == ["a-1", "auto"]


def test_records_writes_the_document_and_prints_the_table(small: Path, tmp_path: Path) -> None:
    output = tmp_path / "bench.json"
    result = invoke("records", "--corpora", small, "--jobs", "1", "-o", output)
    assert json.loads(output.read_text())["meta"]["methods"] == ["auto"]
    assert result.stdout.startswith("corpus")
    assert result.stderr == ""


def test_all_corpora_are_measured_with_the_pages_of_known_type(tmp_path: Path) -> None:
    root = write_typed_pages(tmp_path)
    result = invoke("records", "--corpora", root, "--jobs", "1")
    document = json.loads(result.stdout)
    assert list(document["meta"]["corpora"]) == ["a", "b", "modern", "n", "modern2"]
    assert list(document["lists"]["auto"]) == ["a", "b", "modern2", "classic", "all"]
    assert {name: metrics["pages"] for name, metrics in document["types"].items()} == {
        "article": 2, "product": 1, "detail": 1, "forum": 1, "collection": 1, "other": 3,
    }  # fmt: skip
    assert len(document["typed_pages"]) == 9
    assert "auto: verdicts on pages of known type" in result.stderr


def test_pages_of_known_type_are_read_by_models_that_have_not_seen_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("peneira_research.commands.bench.unseen_folds", lambda *_: {})
    models = {"www.modern2.example": NO_MODELS}
    monkeypatch.setattr("peneira_research.commands.bench.unseen_list_models", lambda *_: models)
    result = invoke("records", "--corpora", write_typed_pages(tmp_path), "--jobs", "1", "--unseen")
    document = json.loads(result.stdout)
    assert [page["id"] for page in document["typed_pages"] if page["error"]] == ["wcxb-0002"]
    assert [page["id"] for page in document["pages"] if page["error"]] == ["m2-modern2"]


@pytest.mark.parametrize("options", [("--no-types",), ("--corpus", "a"), ("--page", "a-1"), ("--method", "mdr")])
def test_pages_of_known_type_are_left_out(tmp_path: Path, options: tuple[str, ...]) -> None:
    result = invoke("records", "--corpora", write_typed_pages(tmp_path), "--jobs", "1", *options)
    assert result.exit_code == 0
    assert json.loads(result.stdout)["types"] == {}
    assert "known type" not in result.stderr


@pytest.mark.parametrize("options", [("--method", "mdr"), ("--rendered",)])
def test_types_need_the_default_method_and_saved_pages(small: Path, options: tuple[str, ...]) -> None:
    result = invoke("records", "--corpora", small, "--types", *options)
    assert (result.exit_code, "--types needs --method auto" in result.stderr) == (2, True)


def test_one_page_alone(small: Path) -> None:
    result = invoke("records", "--corpora", small, "--page", "m-1", "--jobs", "1")
    assert [page["id"] for page in json.loads(result.stdout)["pages"]] == ["m-1"]


def test_explain_shows_each_record_and_what_is_missed(small: Path) -> None:
    result = invoke("records", "--corpora", small, "--page", "b-1", "--explain")
    assert "b-1: corpus b, site b.example, method auto" in result.stdout
    assert "gold: 2 anchors, 2 expected" in result.stdout
    assert [line.split()[:2] for line in result.stdout.splitlines() if "missed: in no record" in line] == [
        ["Dora", "missed:"],
        ["Eva", "missed:"],
    ]


def test_explain_needs_a_page(small: Path) -> None:
    result = invoke("records", "--corpora", small, "--explain")
    assert (result.exit_code, "--explain needs --page ID" in result.stderr) == (2, True)


def test_without_corpora_the_error_says_what_to_do() -> None:
    result = invoke("gate")
    assert isinstance(result.exception, CorpusError)
    assert str(result.exception).startswith("no corpora given: pass --corpora DIR or set PENEIRA_CORPORA")


def test_speed_prints_ratios_growth_and_what_else_is_asked_for(small: Path, tmp_path: Path) -> None:
    output = tmp_path / "speed.json"
    sample = (
        "--corpora",
        small,
        "--corpus",
        "a",
        "--every",
        "2",
        "--repeat",
        "1",
        "--stage",
        "page",
        "--stage",
        "text",
    )
    result = invoke(
        "speed", *sample, "--max-nodes", "10", "--max-records", "20", "--start-up", "--memory", "-o", output
    )
    assert result.exit_code == 0
    assert "a 1 pages: CPU time as a multiple of parsing alone, median and 95th percentile" in result.stdout
    document = json.loads(output.read_text())
    assert [row["stage"] for row in document["corpora"]["a"]["ratios"]] == ["page", "text"]
    assert [[size["page"] for size in sizes] for sizes in document["growth"].values()] == [["x1"], ["20 records"]]
    assert [row["page"] for row in document["memory"]] == ["x1", "20 records"]
    assert "peneira --version" in document["start_up_ms"]


def test_speed_refuses_an_unknown_stage(small: Path) -> None:
    result = invoke("speed", "--corpora", small, "--corpus", "a", "--stage", "magic")
    assert str(result.exception).startswith("no stage 'magic'; there are: ")


def test_the_gate_opens_at_the_pinned_floors_and_closes_above(small: Path, tmp_path: Path) -> None:
    floors = tmp_path / "floors.json"
    gate = ("gate", "--corpora", small, "--floors", floors, "--jobs", "1")
    assert isinstance(invoke(*gate).exception, CorpusError)
    assert invoke(*gate, "--update").exit_code == 0
    assert invoke(*gate).exit_code == 0

    document = json.loads(floors.read_text())
    document["floors"]["all"]["floor"] = 2.0
    floors.write_text(json.dumps(document))
    closed = invoke(*gate)
    assert (closed.exit_code, "below its floor" in closed.stdout) == (1, True)
    assert isinstance(invoke(*gate, "--update").exception, PeneiraError)
    assert invoke(*gate, "--update", "--allow-lower").exit_code == 0


def test_the_gate_holds_pages_of_known_type_to_floors(tmp_path: Path) -> None:
    root, floors = write_typed_pages(tmp_path / "corpora"), tmp_path / "floors.json"
    gate = ("gate", "--corpora", root, "--floors", floors, "--jobs", "1")
    assert invoke(*gate, "--update").exit_code == 0
    pinned = json.loads(floors.read_text())["floors"]
    assert pinned["types article main list"]["is_ceiling"]
    assert {"modern2", "types collection main list"} <= set(pinned)
    assert "types forum main list" not in pinned


def test_unseen_models_have_floors_of_their_own(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "unseen.json"
    monkeypatch.setattr("peneira_research.studies.gate.UNSEEN_FLOORS", own)
    monkeypatch.setattr("peneira_research.studies.gate.FLOORS", tmp_path / "other.json")
    models = {"a.example": TableModels(lists=NO_MODELS)}
    monkeypatch.setattr("peneira_research.commands.bench_gate.unseen_table_models", lambda *_, **__: models)
    assert invoke("gate", "--corpora", small, "--jobs", "1", "--unseen", "--update").exit_code == 0
    assert json.loads(own.read_text())["floors"]["a"]["floor"] == 0.0
    assert not (tmp_path / "other.json").exists()


@pytest.mark.parametrize("group", [bench, train])
def test_every_help_ends_with_an_example(group: click.Group) -> None:
    for command in ((), *((name,) for name in group.commands)):
        last = CliRunner().invoke(group, [*command, "--help"]).stdout.rstrip().splitlines()[-1]
        assert last.split()[:2] == ["peneira", group.name], command
