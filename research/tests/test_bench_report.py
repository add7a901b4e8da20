"""``bench report`` and ``bench matrix``: results files, and the page made of them."""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict, replace
from io import StringIO
from pathlib import Path

from click.testing import CliRunner

from peneira.cli.main import cli
from peneira.sources.html import read_page
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.reports.bench_report import report_page, sample_text
from peneira_research.reports.console import console, plain_table
from peneira_research.reports.html_parts import Axis, Cell, dots, lines, table
from peneira_research.scores.item_set_score import Counts
from peneira_research.studies.edrew_study import EdrewResult, FigurePoint
from peneira_research.studies.filter_matrix import FILTERS, MatrixCell, filtered_page, kept_by, matrix, page_cells
from peneira_research.studies.gstm_tables import TableRow
from peneira_research.studies.page_outcomes import page_outcomes
from peneira_research.studies.report_runs import RUNS, Run, RunFile, done, run_path
from peneira_research.studies.run_meta import RunMeta, command_line

EMPTY_EDREW: dict[str, object] = {"pages": 0, "rows": [], "figures": []}
META = RunMeta("peneira bench x", "abc", {"tpsf": "0" * 64}, "1", "3", "2026-01-02")


def outcome(method: str, page: str, f1: float) -> dict[str, object]:
    return {
        "method": method, "id": page, "site": page, "precision": f1, "recall": f1, "f1": f1, "is_partial": False,
        "is_negative": False, "confidence": 0.95,
    }  # fmt: skip


def test_a_run_that_is_not_there_is_said_with_its_command_and_its_error():
    html = report_page({}, {"matrix": "no <corpora> given"})
    assert html.count("Not run") == len(RUNS)
    assert "no &lt;corpora&gt; given" in html
    assert "peneira bench table2 --margins" in html


def test_the_scoreboard_has_intervals_and_paired_differences_to_the_best():
    quality = {"f1": 0.9, "low": 0.8, "high": 0.95}
    document = {
        "lists": {"a": {"all": quality}, "b": {"all": {**quality, "f1": 0.5}}},
        "pages": [outcome("a", "p", 1.0), outcome("a", "q", 0.8), outcome("b", "p", 0.5), outcome("b", "q", 0.3)],
        "calibration": [{"method": "a", "pages": 9, "confidence": 0.9, "right": 0.8}],
    }
    html = report_page({"records": RunFile(META, document)}, {})
    assert "0.800 to 0.950" in html
    assert "Difference to a on the same pages" in html
    assert "-0.500" in html
    assert "commit abc" in html


def test_the_calibration_has_the_share_of_right_lists_by_tenths_with_intervals():
    pages = [outcome("a", f"r{k}", float(k < 4)) for k in range(5)]
    row = {"method": "a", "pages": 5, "confidence": 0.95, "right": 0.8}
    html = reported("records", {"lists": {}, "pages": pages, "calibration": [row]})
    assert '<th>a, from 0.9</th><td>5</td><td style="background:rgba(0,114,178,0.24)">0.800</td>' in html


def test_a_sample_is_part_of_the_command_and_said_on_the_page():
    run, full, whole = Run("a", "A", ("a",), 6), Run("b", "B", ("b",)), Run("c", "C", ("c",), 1, is_whole=True)
    assert [made.command for made in (run.sampled("hour", 50),) if made] == ["peneira bench a --every 50"]
    assert [made.every for made in (run.sampled("hour", 5), run.sampled("full", 5)) if made] == [6, 5]
    assert full.sampled("hour") is None and full.sampled("full") == full
    assert whole.sampled("hour", 50) == whole
    document = {"lists": {}, "pages": [], "calibration": []}
    html = report_page({"records": RunFile(replace(META, command="peneira bench x --every 50"), document)}, {})
    assert "every 50th page; 2026-01-02, commit abc" in html


def test_every_run_takes_the_options_that_the_report_gives_it():
    from peneira_research.commands.entry import bench

    for run in RUNS:
        command = bench.commands[run.arguments[0]]
        known = {option for parameter in command.params for option in parameter.opts}
        own = {word for word in run.arguments if word.startswith("--")}
        assert own - {"--no-types"} | set(run.options) <= known, run.name
        assert run.is_whole or "--every" in known, run.name


def test_ordinals_of_samples_are_english():
    texts = ["all pages", "every 2nd page", "every 3rd page", "every 12th page", "every 21st page"]
    assert [sample_text(every) for every in (1, 2, 3, 12, 21)] == texts


def test_the_sample_of_a_run_is_read_from_its_command():
    commands = ("x --every 8", "x --every=8 --jobs 2", "x", "x --method every")
    assert [replace(META, command=f"peneira bench {words}").every for words in commands] == [8, 8, 1, 1]


def test_a_run_without_a_package_says_what_it_lacks():
    run = Run("edrew", "EDREW", ("edrew",), needs="no_such_package", without=("--no-model",))
    assert run.possible().command == "peneira bench edrew --no-model"
    assert Run("a", "A", ("a",), needs="json", without=("--no-model",)).possible().command == "peneira bench a"
    made = RunFile(replace(META, command="peneira bench edrew --no-model --every 4"), EMPTY_EDREW)
    assert "Without what needs torch" in report_page({"edrew": made}, {})


def test_a_report_goes_on_where_it_was_stopped_and_repeats_other_samples(tmp_path: Path):
    pages = tmp_path / "lists" / "pages"
    pages.mkdir(parents=True)
    items = "".join(f"<li><b>Thing number {k}</b> costs {k} euros today</li>" for k in range(5))
    (pages / "a.html").write_text(f"<ul>{items}</ul>")
    anchors = [f"Thing number {k}" for k in range(5)]
    entry = {"id": "a", "corpus": "modern", "site": "a", "file": "pages/a.html", "anchors": anchors}
    (tmp_path / "lists" / "lists.jsonl").write_text(json.dumps(entry) + "\n")
    (tmp_path / "lists" / "negatives.jsonl").write_text("")
    page, results = tmp_path / "r.html", tmp_path / "runs"

    def report(every: int) -> str:
        words = ["bench", "report", "--corpora", tmp_path, "--results", results, "--only", "values", "-o", page]
        done = CliRunner().invoke(cli, [*map(str, words), "--every", str(every)])
        assert done.exit_code == 0, done.output
        return done.stderr

    assert "1 of 1: peneira bench values --every 2" in report(2)
    (results / "values.part").write_text("{")  # as a killed run leaves it
    assert "values is there" in report(2)
    assert "1 of 1: peneira bench values\n" in report(1)
    assert "values is there" in report(3)  # a larger sample will do
    assert page.read_text().count("Not run") == len(RUNS) - 1


def test_the_page_loads_and_runs_nothing():
    html = report_page({}, {})
    assert "default-src 'none'" in html
    assert "<script" not in html
    assert "http://" not in html
    assert "https://" not in html


def test_texts_of_tables_and_drawings_are_escaped():
    assert "<b>" not in table(["<b>"], [["<b>", Cell("<b>", note='"<b>')]])
    axis = Axis("<b>", 0, 1, (0, 1))
    assert "<b>" not in dots(axis, axis, {"<b>": (0.5, 0.5)}) + lines(axis, axis, {"<b>": [(0, 1)]})


def test_a_results_file_that_is_broken_or_of_another_command_is_not_there(tmp_path: Path):
    run = Run("paging", "Paging", ("paging",), options=("--jobs",))
    assert done(tmp_path, run) is None
    run_path(tmp_path, run).write_text("{")
    assert done(tmp_path, run) is None
    meta = asdict(replace(META, command="peneira bench paging --worst 5 --jobs 2 --every 3"))
    saved = {"meta": {**meta, "methods": ["a"]}, "pages": []}
    run_path(tmp_path, run).write_text(json.dumps(saved))
    found = done(tmp_path, run)
    assert found == RunFile(RunMeta(**meta), saved)
    assert found and found.meta.every == 3
    for other in ({"command": "peneira bench paging --cost"}, {"date": ""}):
        run_path(tmp_path, run).write_text(json.dumps({**saved, "meta": {**meta, **other}}))
        assert done(tmp_path, run) is None


def test_a_results_file_may_be_packed_and_one_that_is_not_comes_first(tmp_path: Path):
    run = Run("paging", "Paging", ("paging",))
    packed = tmp_path / "paging.json.gz"
    meta = replace(META, command="peneira bench paging")
    packed.write_bytes(gzip.compress(json.dumps({"meta": asdict(meta), "pages": [1]}).encode()))
    found = done(tmp_path, run)
    assert found and found.document["pages"] == [1]
    run_path(tmp_path, run).write_text(json.dumps({"meta": asdict(meta), "pages": [2]}))
    found = done(tmp_path, run)
    assert found and found.document["pages"] == [2]
    run_path(tmp_path, run).unlink()
    for broken in (packed.read_bytes()[:-20], packed.read_bytes()[:12] + b"\xff" * 30, b"", b"{}"):
        packed.write_bytes(broken)
        assert done(tmp_path, run) is None


def test_a_results_file_of_a_command_that_was_run_by_hand_is_a_section_of_what_it_printed(tmp_path: Path):
    out = console(StringIO())
    shown = plain_table("name", "F1", left=["name"])
    shown.add_row("<b>", "0.971")
    out.print("next pages")
    out.print(shown)
    html = report_page({"paging": RunFile(META, {"printed": out.printed})}, {})
    assert "<p>next pages</p>" in html
    assert "<th>&lt;b&gt;</th><td>0.971</td>" in html


def test_the_command_of_a_run_has_no_folders():
    words = ["/x/bin/peneira", "bench", "records", "--corpora", "/y/z", "--worst", "3", "-o", "c.json", "--page=a/b"]
    assert command_line(words) == "peneira bench records --worst 3 ..."
    assert command_line(["/x/peneira/__main__.py", "bench", "join"]) == "peneira bench join"


def test_every_run_is_a_command_that_there_is():
    for run in RUNS:
        words = [*run.words, *(option for option in run.options), "--help"]
        done = CliRunner().invoke(cli, ["bench", words[0], "--help"])
        assert done.exit_code == 0, run.name
        for word in words[1:]:
            assert not word.startswith("--") or word in done.output or word == "--no-types", (run.name, word)


def test_a_filtered_page_keeps_its_records_and_loses_the_menu():
    menu = "".join(f"<li class=m><a href=/{k}>Go {k}</a>" for k in range(4))
    cards = "".join(f"<div class=c><h3>Title {k}</h3><p>Text {k}</p></div>" for k in range(20))
    page = read_page(f"<ul>{menu}</ul><main>{cards}</main>")
    assert filtered_page(page, kept_by(page, "none")) is page
    text = filtered_page(page, kept_by(page, "scan-on")).visible_text(0)
    assert "Title 7" in text
    assert "Go 2" not in text


def test_filters_that_keep_the_same_rows_have_the_same_cells(tmp_path: Path):
    (tmp_path / "a.html").write_text("<ul>" + "".join(f"<li><b>Thing {k}</b> and more</li>" for k in range(6)))
    gold = GoldPage("a", "modern", "a", tmp_path / "a.html", tuple(f"Thing {k}" for k in range(6)))
    together = page_cells(gold, FILTERS, ("mdr", "dsre"))
    assert together == [cell for name in FILTERS for cell in page_cells(gold, (name,), ("mdr", "dsre"))]


def test_the_matrix_compares_each_filter_with_none_on_the_same_pages():
    cells = [
        MatrixCell("c", page, page, name, "mdr", f1, f1, f1)
        for name, scores in (("none", (0.2, 0.4)), ("main", (0.6, 0.8)))
        for page, f1 in zip("pq", scores, strict=True)
    ]
    found = matrix(cells)
    assert round(found.f1["main", "mdr"].mean, 6) == 0.7
    assert round(found.gain["main", "mdr"].mean, 6) == 0.4
    assert ("none", "mdr") not in found.gain


def reported(name: str, document: dict[str, object]) -> str:
    return report_page({name: RunFile(META, document)}, {})


def test_edrew_has_its_table_by_noise_and_the_published_figures_of_each_vertical():
    result = EdrewResult("seen", 1, "edrew", "auto", 9, 3, 0.8, 0.9, 0.85, 0.7, 0.9, 0.8, 0.9, 0.95)
    rows = [asdict(replace(result, part=part, ratio=ratio)) for part in ("all", "auto") for ratio in (1, None)]
    html = reported("edrew", {"pages": 3, "rows": rows, "figures": [asdict(FigurePoint(24, "auto", 1, 0.85))]})
    assert "LANTERN 82.1 67.8 72.3" in html
    assert "0.850" in html and "0.700 to 0.900" in html
    assert "Figure 24" in html and "Figure 23" not in html


def test_the_tables_of_the_g_stm_thesis_have_published_figures_and_notes():
    row = TableRow("Table 4, One-DR-F2", "autorm", 3, Counts(1, 1, 0), None, (99.8, 99.6), "a note")
    html = reported("gstm", {"rows": [asdict(row)]})
    assert "99.8" in html and "66.7" in html and "a note" in html


def test_the_rendering_area_has_the_accuracy_of_the_paper_beside_ours():
    gap = {"mean": 0.1, "low": 0.05, "high": 0.2, "p": 0.01, "pages": 4}
    document = {
        "methods": {"area": {"tpsf": 0.75, "all": 0.75}, "area+": {"tpsf": 0.85, "all": 0.85}},
        "intervals": {"area": {"mean": 0.75, "low": 0.6, "high": 0.9, "pages": 4}},
        "gains": {"area+": gap},
    }
    html = reported("area", document)
    assert "91.3" in html and "0.600 to 0.900" in html and "+0.100 (+0.050 to +0.200)" in html


def test_saved_xpaths_count_where_the_first_page_was_right():
    row = {
        "corpus": "modern",
        "site": "a",
        "first_is_right": True,
        "verdicts": {"by position": "wrong", "by attributes": "right"},
    }
    styles = {"corpus": "modern", "pages": 4, "style_elements": 1, "style_attributes": 2, "either": 3, "linked": 4}
    html = reported("survival", {"survival": [row, {**row, "first_is_right": False}], "styles": [styles]})
    assert "<th>modern</th><td>1</td>" in html
    assert "0.750" in html


def test_main_texts_are_means_by_type_over_the_pages_that_a_system_has_read():
    pages = [
        {"type": "article", "site": "a", "scores": {"peneira": {"f1": 0.9}, "other": {"f1": 0.5}}},
        {"type": "forum", "site": "b", "scores": {"peneira": {"f1": 0.7}}},
    ]
    html = reported("text", {"pages": pages})
    assert "0.800" in html and "0.500" in html


def test_records_as_sets_of_values_have_the_figures_of_the_thesis_beside_them():
    counts = {"right": 1, "wrong": 1, "missing": 0}
    row = {"page": "p", "kind": "job listing", "method": "gstm", "records": counts, "items": counts}
    html = reported("values", {"pages": [row]})
    assert "gstm: job listing" in html and "0.667" in html and ".26, .63 and .97" in html


def test_cost_has_a_table_by_corpus_and_a_drawing_beside_accuracy():
    ratios = [{"stage": "page", "median": 2.0, "p95": 3.0}, {"stage": "records mdr", "median": 75.2, "p95": 80.0}]
    cpu_s = {"parse": 0.5, "page": 1.0, "records mdr": 37.6}
    speed: dict[str, object] = {"corpora": {"tpsf": {"ratios": ratios, "pages": [{"cpu_s": cpu_s}]}}}
    quality = {"f1": 0.8, "low": 0.7, "high": 0.9}
    records: dict[str, object] = {"lists": {"mdr": {"all": quality}}, "pages": [], "calibration": []}
    found = {"speed": RunFile(META, speed), "records": RunFile(META, records)}
    html = report_page(found, {})
    assert "<th>records mdr</th><td>75.2</td><td>75.2 to 75.2</td><td>80.0</td>" in html
    assert "<title>mdr: 1.88, 0.8</title>" in html


def test_other_extractors_are_scored_by_the_texts_of_their_records(tmp_path: Path):
    rows = "".join(f"<tr><td>Thing number {k}</td><td>{k} euros</td></tr>" for k in range(4))
    (tmp_path / "a.html").write_text(f"<table><tr><td>menu</td></tr></table><table>{rows}</table>")
    gold = GoldPage("a", "modern", "a", tmp_path / "a.html", tuple(f"Thing number {k}" for k in range(4)))
    ours, theirs = page_outcomes(gold, ("mdr",), peers=("pandas.read_html",))
    assert (ours.method, theirs.method) == ("mdr", "pandas.read_html")
    assert (theirs.records, theirs.f1, theirs.confidence) == (4, 1.0, None)
    (tmp_path / "a.html").write_text("<p>Thing number 1")
    assert page_outcomes(gold, (), peers=("pandas.read_html",))[0].f1 == 0.0


def test_published_figures_are_beside_ours_with_why_they_differ():
    result = EdrewResult("unseen", None, "edrew", "all", 9, 3, 0.8, 0.9, 0.14, 0.1, 0.18, 0.8, 0.9, 0.95)
    row = TableRow("Table 4, One-DR-F2", "autorm", 3, Counts(1, 1, 0), None, (99.8, 99.6), "a note", (0.6, 0.7))
    found: dict[str, RunFile] = {
        "edrew": RunFile(META, {"pages": 3, "rows": [asdict(result)], "figures": []}),
        "gstm": RunFile(META, {"rows": [asdict(row)]}),
    }
    html = report_page(found, {})
    assert "<th>EDREW, Table 6, all verticals: unseen sites, whole pages</th><td>0.97</td>" in html
    assert "0.140<small>0.100 to 0.180</small>" in html
    assert "<td>99.8 / 99.6</td>" in html and "50.0 / 100.0<small>F 60.0 to 70.0</small>" in html


def test_shares_of_paging_have_intervals_over_sites():
    row = {"method": "peneira", "is_next_right": True, "is_previous_right": False, "f1": None}
    pages = [{**row, "site": "a", "found": 2, "expected": 2, "common": 1}]
    pages.append({**row, "site": "b", "found": 0, "expected": 0, "common": 0, "is_next_right": False})
    html = reported("paging", {"metrics": {"peneira": {}}, "pages": pages, "cost": {"warm": 0.5, "cold": 3.0}})
    assert "0.500<small>0.000 to 1.000</small>" in html  # next
    assert "3.00 where all labels are new" in html


def test_items_have_precision_recall_and_f1_beside_published_figures():
    answers = {"peneira": {"price": [True, True, True]}, "extruct": {"price": [False, True, True]}}
    product = {"id": "p", "site": "s", "kind": "product", "answers": {}, "right": answers}
    recipe = {"id": "r", "site": "t", "source": "recipe-scrapers", "found": {"title": 0.25}, "word_f1": {"title": 0.75}}
    page = {
        "site": "auto/x",
        "vertical": "auto",
        "own": {"price": True},
        "any": {"price": True},
        "is_written_for": False,
    }
    html = reported("items", {"product pages": [product], "detail pages": [recipe], "swde pages": [page]})
    assert "<th>price: peneira</th>" in html and "0.918" in html
    assert "<th>recipes: title</th>" in html and "0.250<small>" in html
    assert "<th>auto: price</th><td>price</td><td></td>" in html


def test_sites_of_wrappers_have_means_with_intervals():
    site = {"vertical": "auto", "site": "a", "f1": {"model": 0.5, "price": 1.0}}
    assert "0.750<small>0.750 to 0.750</small>" in reported("wrappers", {"sites": [site]})
    lists = [{"corpus": "c", "site": str(k), "f1": k, "default_f1": 1.0, "otherwise_f1": 1.0} for k in range(2)]
    assert "0.500<small>0.000 to 1.000</small>" in reported("lists", {"sites": lists, "printed": []})
    half = {"cells": 4, "returned_cells": 2, "records": 2, "returned_records": 2}
    cells = {"corpus": "c", "site": "a", "own": half, "others": half, "fitting": half}
    assert "0.500<small>0.500 to 0.500</small>" in reported("cells", {"sites": [cells]})


def test_drift_has_verdicts_and_healed_values_as_shares():
    mutation = {"verdict": "broken", "accepted": True, "equal_share": 0.9}
    site = {"site": "a", "own": {"ok": 3, "broken": 1}, "foreign": {}, "mutations": {"renamed classes": mutation}}
    html = reported("drift", {"detail": [site], "list": []})
    assert "<th>detail, own pages</th><td>4</td>" in html and "0.750<small>" in html
    assert "<th>detail, renamed classes</th><td>1</td>" in html and "0.900<small>" in html


def test_tables_have_their_shares_by_corpus_with_intervals():
    shares = {"whole": 1.0, "astray": 0.0, "found": 0.5, "found_all": None, "named": 1.0, "redundant": 0.25}
    html = reported("table", {"pages": [{"corpus": "modern", "site": "a", **shares}], "printed": ["by field"]})
    assert "0.250<small>0.250 to 0.250</small>" in html
    assert "<summary>Pooled, and by field</summary><p>by field</p>" in html


def test_the_published_page_is_made_of_the_published_results():
    docs = Path(__file__).parents[2] / "docs"
    found = {run.name: saved for run in RUNS if (saved := done(docs / "runs", run))}
    assert len(found) == len(list((docs / "runs").iterdir()))
    assert (docs / "report.html").read_text(encoding="utf-8") == report_page(found, {})
