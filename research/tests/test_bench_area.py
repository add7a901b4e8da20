"""The evaluation of the rendering-area paper, and the cost of rendering, on pages written here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from peneira.cli.main import cli
from peneira.methods.area import PUBLISHED
from peneira_research.corpora.gold_pages import Corpora, GoldPage
from peneira_research.corpora.rendered_pages import Snapshots
from peneira_research.studies.area_study import ABLATIONS, accuracy, area_outcomes, sweeps
from peneira_research.studies.page_outcomes import page_outcomes
from peneira_research.studies.page_styles import StyleCounts, style_counts
from peneira_research.studies.render_speed import medians, time_rendering, watch_memory
from peneira_research.studies.xpath_survival import sites_of_several_pages, survivals

MENU = "<ul>" + "".join(f"<li><a href=/{k}>menu entry {k}</a>" for k in range(8)) + "</ul>"


def page_with(word: str) -> str:
    items = "".join(
        f"<div class=hit style='height:90px'><h3>{word} number {k}</h3><p>some words on it</p><i>$ {k}</i></div>"
        for k in range(9)
    )
    return f"<!doctype html><body>{MENU}<section>{items}</section><p>the end"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpora")
    (folder / "lists" / "pages").mkdir(parents=True)
    (folder / "lists" / "negatives.jsonl").write_text("")
    with (folder / "lists" / "lists.jsonl").open("w") as index:
        for word in ("lamp", "chair"):
            (folder / "lists" / "pages" / f"{word}.html").write_text(page_with(word))
            entry = {"id": word, "corpus": "tpsf", "site": word, "file": f"pages/{word}.html",
                     "anchors": [f"{word} number {k}" for k in range(9)]}  # fmt: skip
            index.write(json.dumps(entry) + "\n")
    return folder


@pytest.fixture(scope="module")
def snapshots(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    kept = Snapshots(tmp_path_factory.mktemp("snapshots"))
    pages = Corpora(root).pages()
    assert [error for _, error in kept.render(kept.missing(pages))] == [None, None]
    assert kept.missing(pages) == []
    return kept.folder


def test_every_variant_is_scored_on_every_page(root: Path, snapshots: Path):
    outcomes = list(area_outcomes(Corpora(root).pages(), [PUBLISHED, ABLATIONS["as published"]], snapshots))
    assert [(outcome.id, outcome.is_right) for outcome in outcomes] == [("lamp", (True, True)), ("chair", (True, True))]
    assert accuracy(outcomes, 0) == {"tpsf": 1.0, "all": 1.0}


def test_every_parameter_is_swept_through_its_published_value():
    for values in sweeps().values():
        assert len(values) == 10 and PUBLISHED in values.values()


def test_outcomes_on_rendered_pages_have_records_and_region(root: Path, snapshots: Path):
    (gold, _) = Corpora(root).pages()
    outcomes = page_outcomes(gold, ["area", "xpath-rank", "auto"], snapshots=snapshots)
    assert [(outcome.method, outcome.f1, outcome.region_right, outcome.error) for outcome in outcomes] == [
        ("area", 1.0, True, None),
        ("xpath-rank", 1.0, True, None),
        ("auto", 1.0, True, None),
    ]


def test_the_command_prints_the_steps_and_writes_them(root: Path, snapshots: Path, tmp_path: Path):
    out = tmp_path / "area.json"
    common = ["--corpora", str(root), "--corpus", "tpsf", "--snapshots", str(snapshots), "--jobs", "1"]
    done = CliRunner().invoke(cli, ["bench", "area", *common, "--ablate", "--sweep", "-o", str(out)])
    assert done.exit_code == 0, done.output
    document = json.loads(out.read_text())
    assert document["pages"] == 2
    assert list(document["accuracy"]) == list(ABLATIONS)
    assert document["accuracy"]["as published"] == {"tpsf": 1.0, "all": 1.0}
    assert len(document["sweep"]) == 60
    board = CliRunner().invoke(
        cli, ["bench", "records", *common, "--method", "area", "--method", "auto", "-o", str(tmp_path / "x.json")]
    )
    assert board.exit_code == 0, board.output
    assert "main region: right" in board.output


def test_the_command_compares_methods_and_has_the_published_figures(root: Path, snapshots: Path, tmp_path: Path):
    out = tmp_path / "area.json"
    common = ["--corpora", str(root), "--corpus", "tpsf", "--snapshots", str(snapshots), "--jobs", "1"]
    done = CliRunner().invoke(cli, ["bench", "area", *common, "-o", str(out)])
    assert done.exit_code == 0, done.output
    document = json.loads(out.read_text())
    assert list(document["methods"]) == ["area", "area+", "tag path filter", "xpath-rank", "auto"]
    assert document["methods"]["area+"] == {"tpsf": 1.0, "all": 1.0}
    assert "91.3" in done.output and "87" in done.output


def test_a_saved_xpath_lives_where_its_anchor_does_and_dies_where_a_position_shifts(tmp_path: Path):
    items = "".join(f"<div style='height:90px'><h3>lamp number {k}</h3><p>some words</p></div>" for k in range(9))
    bodies = {
        "first": f"<!doctype html><body><section id=hits>{items}</section>",
        "moved": f"<!doctype html><body><section>a banner</section><section id=hits>{items}</section>",
        "gone": "<!doctype html><body><p>nothing here</p>",
    }
    pages = []
    for name, html in bodies.items():
        (tmp_path / name).write_text(html)
        anchors = tuple(f"lamp number {k}" for k in range(9))
        pages.append(GoldPage(name, "tpsf", "shop", tmp_path / name, anchors))
    kept = Snapshots(tmp_path / "snapshots")
    assert [error for _, error in kept.render(pages)] == [None] * 3
    (site,) = sites_of_several_pages(pages)
    (rows,) = survivals([site], kept.folder)
    assert [(row.id, row.verdicts["by position"], row.verdicts["by attributes"]) for row in rows] == [
        ("moved", "wrong", "right"),
        ("gone", "none", "none"),
    ]
    assert rows[0].first_is_right


def test_pages_that_carry_style_are_counted(tmp_path: Path):
    bodies = ("<style>p {}</style>", "<p style='color:red'>", "<link rel=stylesheet href=a.css>", "<style></style>")
    pages = []
    for k, html in enumerate(bodies):
        (tmp_path / str(k)).write_text(html)
        pages.append(GoldPage(str(k), "tpsf", "a", tmp_path / str(k)))
    assert style_counts(pages) == [StyleCounts("tpsf", 4, 1, 1, 2, 1)]


def test_rendering_is_timed_against_bare_chromium():
    (timing,) = time_rendering([("page", page_with("lamp").encode())], repeat=1)
    assert timing.nodes > 80
    assert min(timing.tab_s, timing.load_s, timing.total_s, timing.reading_s) > 0
    assert medians([timing])["reading_share"] == timing.reading_s / timing.load_s


def test_memory_is_watched_while_pages_are_rendered():
    rows = list(watch_memory([b"<p>x"], pages=3, every=2))
    assert [row.pages for row in rows] == [2, 3]
    assert all(row.own_mb > 10 for row in rows)
