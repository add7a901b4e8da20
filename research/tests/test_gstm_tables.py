"""Tables 1 to 7 of the G-STM thesis: records, alignment and schemas are counted as the publications do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from peneira.cli.main import cli
from peneira.result import Record
from peneira.sources.html import read_page
from peneira.templates.template_schema import Schema
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.corpora.made_templates import FieldNode, MadePage, MadeSite, made_sites
from peneira_research.reports.gstm_report import notes, rows_of
from peneira_research.scores.item_set_score import Counts
from peneira_research.studies.gstm_tables import (
    TableRow,
    field_counts,
    kinds_of,
    page_form,
    record_counts,
    schema_counts,
)

WORDS = ("red lamp on a table", "blue chair by a door", "green desk in the hall", "old bed from the attic", "new rug")


def record(text: str) -> Record:
    return Record(((0, 1),), text, "")


def test_records_are_right_wrong_or_missing():
    assert record_counts([record("a 1"), record("b"), record("x")], ["a", "b", "c", "d"]) == Counts(2, 1, 2)


@pytest.mark.parametrize(
    ("between", "form"), [("", "One-DR-F2"), ("<hr>", "One-DR-F1")], ids=["without separators", "with separators"]
)
def test_the_form_of_a_page_says_whether_nodes_without_content_are_between_records(between: str, form: str):
    items = between.join(
        f"<div class=i><h3>{words}</h3><p>It costs {k} euros and is {words}.</p></div>" for k, words in enumerate(WORDS)
    )
    page = read_page(f"<h1>Things</h1><main>{items}</main>")
    assert page_form(page, WORDS) == form


def test_records_below_several_nodes_are_inside_larger_objects():
    cells = [
        f"<td><h3>{words}</h3><p>It costs {k} euros, as {words} does.</p></td>"
        for k, words in enumerate((*WORDS, "a sixth thing"))
    ]
    rows = "".join(f"<tr>{cells[k]}{cells[k + 1]}</tr>" for k in (0, 2, 4))
    assert page_form(read_page(f"<table>{rows}</table>"), (*WORDS, "a sixth thing")) == "One-ASO-F2"


def test_a_page_whose_records_are_not_known_is_of_another_form():
    assert page_form(read_page("<p>no list"), ["a"]) == "other"


def test_values_count_in_the_column_that_agrees_best_with_their_field(tmp_path: Path):
    fields = tuple({"title": f"t{k}", "price": f"{k} euros"} for k in range(3))
    gold = GoldPage("p", "modern", "a", tmp_path / "p", tuple(f"t{k}" for k in range(3)), fields=fields)
    records = [record(f"t{k} {k} euros") for k in range(3)]
    columns = {"a": ["t0", "t1", "wrong"], "b": ["0 euros", None, "2 euros"], "c": ["x", "y", "z"]}
    assert field_counts(gold, records, columns) == Counts(2 + 2, 1 + 0, 1 + 1)
    assert field_counts(gold, [], {}) == Counts(0, 0, 6)


def test_equal_arguments_make_equal_sites_with_all_values_on_their_pages():
    first, second = list(made_sites(3)), list(made_sites(3))
    assert first == second
    for site in first:
        assert {node.name for node in site.schema} >= set(site.pages[0].values)
        assert all(text in page.html for page in site.pages for texts in page.values.values() for text in texts)


def test_a_schema_has_the_sets_and_options_around_its_basic_types():
    schema = Schema(
        "tuple", (Schema("basic", name="a"), Schema("set", (Schema("optional", (Schema("basic", name="b"),)),)))
    )
    assert kinds_of(schema) == {"a": (), "b": ("set", "optional")}


def made_site(row: str) -> MadeSite:
    def page(*values: str) -> MadePage:
        rows = "".join(f"<li>{row.format(value)}</li>" for value in values)
        return MadePage(f"<body><h1>Shop</h1><ul>{rows}</ul>", {"price": values})

    return MadeSite("s", (FieldNode("price", ("set",)),), (page("1 a", "2 b", "3 c"), page("4 d", "5 e")))


def test_values_of_all_records_are_a_node_of_the_schema_in_a_set():
    assert schema_counts(made_site("<i>{}</i>"), "fivatech") == (Counts(1, 0, 0), Counts(1, 0, 0))


def test_labels_of_all_records_are_template():
    assert schema_counts(made_site("<b>Price</b><i>{}</i>"), "fivatech")[0] == Counts(1, 0, 0)


def test_a_list_that_is_equal_on_all_pages_is_template():
    menu = "<ul><li>Home</li><li>News</li><li>About us</li></ul>"
    pages = tuple(MadePage(f"<body>{menu}<p><i>{text}</i></p>", {"price": (text,)}) for text in ("1 a", "2 b", "3 c"))
    site = MadeSite("s", (FieldNode("price", ()),), pages)
    assert schema_counts(site, "gstm")[0] == schema_counts(site, "fivatech")[0] == Counts(1, 0, 0)


def test_the_name_of_a_table_stands_once_with_published_and_own_figures():
    rows = [
        TableRow("T", "a", 3, Counts(1, 1, 0), Counts(2, 0, 0), (50.0, 100.0), "n", (0.4, 0.8)),
        TableRow("T", "b", 0, None, None, (90.0, 80.0), "n"),
    ]
    assert rows_of(rows) == [
        ["T", "a", "50", "100", "66.7", "3", "50.0", "100.0", "66.7", "40.0-80.0", "100.0", "100.0", "100.0"],
        ["", "b", "90", "80", "84.7", "", "", "", "", "", "", "", ""],
    ]
    assert notes(rows) == ["T: n"]


def test_the_command_prints_every_table(tmp_path: Path):
    pages = tmp_path / "lists" / "pages"
    pages.mkdir(parents=True)
    items = "".join(f"<div class=i><h3>{words}</h3><p>It costs {k} euros.</p></div>" for k, words in enumerate(WORDS))
    (pages / "a.html").write_text(f"<h1>Things</h1><main>{items}</main>")
    entry = {"id": "a", "corpus": "yamada", "site": "a", "file": "pages/a.html", "anchors": list(WORDS)}
    (tmp_path / "lists" / "lists.jsonl").write_text(json.dumps(entry) + "\n")
    (tmp_path / "lists" / "negatives.jsonl").write_text("")
    out = tmp_path / "gstm.json"
    done = CliRunner().invoke(cli, ["bench", "gstm", "--corpora", str(tmp_path), "--jobs", "1", "-o", str(out)])
    assert done.exit_code == 0, done.output
    rows = json.loads(out.read_text())["rows"]
    assert {row["table"].split(",")[0] for row in rows} >= {f"Table {k}" for k in range(1, 8)}
    autorm = next(row for row in rows if row["table"] == "Table 4, One-DR-F2" and row["system"] == "autorm")
    assert autorm["counts"] == {"right": 5, "wrong": 0, "missing": 0}
