"""The table score, on records and pages written for it."""

import importlib.util
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import cast

import pytest
from click.testing import CliRunner, Result
from conftest import corpora_root
from hypothesis import given
from hypothesis import strategies as st

from peneira.cli.main import cli
from peneira.errors import CorpusError
from peneira.extraction import extract
from peneira.lists.ranking import Models
from peneira.result import Cell, Record, Region
from peneira.sources.html import read_page
from peneira.table import Column
from peneira_research.corpora.gold_pages import Corpora, FieldValue, GoldPage
from peneira_research.scores.table_score import (
    FieldTally,
    TableRecord,
    TableScore,
    column_roles,
    score_table,
    table_records,
)
from peneira_research.studies.page_outcomes import page_outcomes
from peneira_research.studies.table_outcomes import (
    Shares,
    TableMetrics,
    TableModels,
    TableOutcome,
    metrics_by_corpus,
    metrics_by_field,
    pages_with_fields,
    scored,
    table_outcomes,
    worst,
)
from test_bench_corpora import write_corpora

# Every so many pages of the real corpora are compared with the tool
EVERY = 6


def load_tool() -> ModuleType | None:
    """Return the table score that comes with the corpora; it imports the record score beside it."""
    root = corpora_root()
    path = root.parent / "tools" / "tablescore.py" if root else None
    if path is None or not path.is_file():
        return None
    spec = importlib.util.spec_from_file_location("tablescore", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.parent))
    return module


TOOL = load_tool()
needs_tool = pytest.mark.skipif(TOOL is None, reason="needs the corpora and their table score")


def table(*rows: Mapping[str, str | list[str]], texts: Sequence[str] = ()) -> list[TableRecord]:
    """Return records of these cells; the text of a record is that of all its cells, if none is given."""
    cells = [{name: [value] if isinstance(value, str) else value for name, value in row.items()} for row in rows]
    whole = texts or [" ".join(text for cell in row.values() for text in cell) for row in cells]
    return [TableRecord(text, row) for text, row in zip(whole, cells, strict=True)]


def fields_of(score: TableScore) -> dict[str, tuple[int, int, str, bool | None]]:
    return {name: (tally.values, tally.found, tally.column, tally.is_named) for name, tally in score.fields.items()}


ANA_AND_BIA = table({"name": "Ana Lima", "age": "31"}, {"name": "Bia Reis", "age": "27"})


def test_values_are_found_in_cells_of_the_record_that_holds_the_anchor() -> None:
    score = score_table(["Ana", "Bia"], [{"title": "Ana Lima"}, {"title": "Ana Lima"}], ANA_AND_BIA, {"name": "title"})
    assert fields_of(score) == {"title": (2, 1, "name", True)}
    assert (score.found_share, score.named_share) == (0.5, 1.0)


def test_a_field_is_named_by_the_role_or_else_the_name_of_its_column() -> None:
    gold = [{"title": "Ana Lima", "price": "31", "age": "31"}]
    with_role = score_table(["Ana"], gold, ANA_AND_BIA, {"name": "title", "age": "number"})
    without = score_table(["Ana"], gold, table({"title": "Ana Lima", "price": "31"}), {"price": ""})
    assert [tally.is_named for tally in with_role.fields.values()] == [True, False, None]
    assert [tally.is_named for tally in without.fields.values()] == [True, False, None]
    assert (with_role.role_fields, with_role.named) == (2, 1)


def test_a_role_beats_a_name_that_fits() -> None:
    score = score_table(["Ana"], [{"title": "Ana Lima"}], table({"title": "Ana Lima"}), {"title": "author"})
    assert score.named_share == 0.0


def test_the_column_of_a_field_is_the_most_frequent_one() -> None:
    rows = table({"a": "Ana"}, {"b": "Bia"}, {"b": "Cid"})
    score = score_table(["Ana", "Bia", "Cid"], [{"title": name} for name in ("Ana", "Bia", "Cid")], rows, {})
    assert score.fields == {"title": FieldTally(3, 3, "b", False)}


def test_a_cell_may_hold_little_more_than_the_value() -> None:
    rows = table({"long": "ten letters and a few more", "short": "ten letters!"})
    assert fields_of(score_table(["ten"], [{"x": "ten letters"}], rows, {}))["x"] == (1, 1, "short", None)
    assert fields_of(score_table(["ten"], [{"x": "ten"}], rows, {}))["x"] == (1, 0, "", None)


def test_an_equal_cell_counts_before_one_that_contains_the_value() -> None:
    rows = table({"long": "31 years", "equal": "31 year"})
    assert fields_of(score_table(["31"], [{"x": "31 year"}], rows, {}))["x"] == (1, 1, "equal", None)


def test_an_address_may_end_with_the_value() -> None:
    rows = table({"text": "p1", "link": "https://a.example/shop/p1"}, texts=["Ana"])
    gold = [{"url": "../shop/p1", "image": "/none.png"}]
    assert fields_of(score_table(["Ana"], gold, rows, {})) == {
        "url": (1, 1, "link", False),
        "image": (1, 0, "", None),
    }


def test_each_item_of_a_list_is_a_value() -> None:
    rows = table({"tags": ["red", "blue"]}, texts=["Ana red blue"])
    assert fields_of(score_table(["Ana"], [{"tags": ["blue", "red", "green"]}], rows, {}))["tags"] == (
        3,
        2,
        "tags",
        None,
    )


def test_a_text_in_the_record_beside_its_own_is_astray() -> None:
    rows = table({}, {}, {}, texts=["Ana", "Bia by Ana's pen", "Cid"])
    gold = [{"author": "by Ana's pen", "url": "by Ana's pen", "group_date": "1 May", "age": "31"}, {}, {}]
    score = score_table(["Ana", "Bia", "Cid"], gold, rows, {})
    assert (score.texts, score.whole, score.astray, score.values) == (1, 0, 1, 4)
    gold = [{}, {"author": "by Ana's pen"}, {"author": "by nobody"}]
    score = score_table(["Ana", "Bia", "Cid"], gold, rows, {})
    assert (score.texts, score.whole, score.astray) == (2, 1, 0)


def test_a_record_that_swallowed_another_owns_no_anchor() -> None:
    rows = table({"a": "Ana", "b": "Bia"})
    score = score_table(["Ana", "Bia"], [{"title": "Ana"}, {"title": "Bia"}], rows, {})
    assert score.found_share == 0.0


def test_a_column_of_one_text_is_redundant() -> None:
    rows = [{"name": f"n{k}", "buy": "Add to cart"} for k in range(5)]
    assert score_table([], [], table(*rows), {}).redundant == ("buy",)
    rows[0]["buy"] = "Sold out"
    assert score_table([], [], table(*rows), {}).redundant == ()
    assert score_table([], [], table(*rows[1:3]), {}).redundant == ()


def test_a_column_whose_text_is_part_of_another_is_redundant() -> None:
    rows = table({"whole": "by Ana, 2 May", "part": "2 May"}, {"whole": "by Bia, 3 May", "part": "3 May"})
    assert score_table([], [], rows, {}).redundant == ("part",)


def test_of_two_equal_columns_the_second_by_name_is_redundant() -> None:
    rows = table({"b": "2 May", "a": "2 May"}, {"b": "3 May", "a": "3 May"})
    assert (score_table([], [], rows, {}).redundant, score_table([], [], rows, {}).redundant_share) == (("b",), 0.5)


def test_a_column_without_texts_is_no_column() -> None:
    score = score_table([], [], table({"a": "x", "b": "", "c": []}), {})
    assert (score.columns, score.redundant) == (1, ())


def test_without_gold_and_records_there_are_no_shares() -> None:
    score = score_table([], [], [], {})
    assert (score.whole_share, score.astray_share, score.found_share, score.named_share, score.redundant_share) == (
        (None,) * 5
    )


def region() -> Region:
    record = Record(
        ((0, 1),),
        "Ana red blue",
        "/",
        fields={"t": Cell("Ana", ""), "tags": Cell("red, blue", "", items=("red", "blue"))},
    )
    shown, hidden = Column("t", "T", 1.0, role="title"), Column("tags", "", 1.0)
    return Region("/", (record,), 1.0, (shown,), (), (shown, hidden))


def test_records_have_the_cells_of_the_columns_that_are_asked_for() -> None:
    found = region()
    assert table_records(found, found.columns) == [TableRecord("Ana red blue", {"t": ("Ana",)})]
    assert table_records(found, found.all_columns)[0].cells["tags"] == ("red", "blue")
    assert table_records(None, ()) == []
    assert column_roles(found.all_columns) == {"t": "title"}


def gold_page(anchors: Sequence[str], fields: Sequence[Mapping[str, FieldValue]], file: Path = Path()) -> GoldPage:
    return GoldPage("p", "modern", "a.example", file, tuple(anchors), len(anchors), tuple(fields))


def test_what_only_hidden_columns_hold_is_found_in_all_columns_only() -> None:
    outcome = scored(gold_page(["Ana"], [{"title": "Ana", "tags": ["red"]}]), region())
    assert (outcome.score.found, outcome.found_all, outcome.columns) == (1, 2, (("t", "title"),))


def outcome(id: str, corpus: str, values: int, found: int, columns: int, column: str = "title") -> TableOutcome:
    tally = FieldTally(values, found, column, column == "title") if found else FieldTally(values)
    return TableOutcome(id, corpus, "s", TableScore(4, 2, 1, columns, ("x",) * (columns // 4), {"title": tally}), found)


OUTCOMES = [outcome("1", "a", 8, 8, 4), outcome("2", "a", 2, 1, 8, "t"), outcome("3", "b", 2, 0, 0)]


def test_metrics_are_pooled_and_averaged_over_pages() -> None:
    metrics = metrics_by_corpus(OUTCOMES)
    assert metrics["a"] == TableMetrics(
        pages=2,
        pooled=Shares(0.5, 0.25, 0.9, 0.9, 0.5, 0.25),
        mean=Shares(0.5, 0.25, 0.75, 0.75, 0.5, 0.25),
        median_columns=6,
        no_table=0,
        errors=0,
    )
    assert metrics["b"].pooled == Shares(0.5, 0.25, 0.0, 0.0, None, None)
    assert (metrics["b"].median_columns, metrics["b"].no_table) == (None, 1)


def test_a_field_is_counted_over_pages() -> None:
    title = metrics_by_field(OUTCOMES)["title"]
    assert (title.values, title.found, title.pages, title.named) == (12, 9, 2, 1)
    assert title.columns == (("title", 1), ("t", 1))


def test_the_worst_page_is_the_one_without_a_table() -> None:
    assert [page.id for page in worst(OUTCOMES, 2)] == ["3", "2"]


def test_a_failure_on_a_page_scores_like_a_page_without_a_table(tmp_path: Path) -> None:
    (found,) = table_outcomes([gold_page(["Ana"], [{"title": "Ana"}], tmp_path / "gone.html")])
    assert (found.score.values, found.score.found, found.records) == (1, 0, 0)
    assert found.error is not None and "cannot be read" in found.error


# Models that rank nothing: a page that is read with them fails
NO_MODELS = cast(Models, object())

CARDS = "".join(
    f"<article><h3><a href=p{k}>{name} kettle</a></h3><p class=price>R$ {k}0</p></article>"
    for k, name in enumerate(("Red", "Blue", "Green"), 1)
)


def test_a_page_is_scored_as_it_is_extracted(tmp_path: Path) -> None:
    (tmp_path / "1.html").write_text(f"<body><div>{CARDS}</div>")
    fields = [{"price": f"R$ {k}0", "url": f"p{k}"} for k in (1, 2, 3)]
    gold = gold_page(["Red kettle", "Blue kettle", "Green kettle"], fields, tmp_path / "1.html")
    (found,) = table_outcomes([gold])
    assert (found.error, found.records, found.score.found_share) == (None, 3, 1.0)
    assert found.score.fields["price"] == FieldTally(3, 3, "price", True)


def test_pages_whose_gold_misses_records_are_left_out(tmp_path: Path) -> None:
    corpora = Corpora(write_corpora(tmp_path))
    assert pages_with_fields(corpora.pages()) == []


def write_whole_gold(root: Path) -> Path:
    """Write the corpora with a modern page whose gold has all records, and modern2 with a page of another site."""
    index = write_corpora(root) / "modern" / "modern.jsonl"
    entry = {**json.loads(index.read_text()), "partial": False}
    index.write_text(json.dumps(entry) + "\n")
    (root / "modern2" / "pages").mkdir(parents=True)
    (root / "modern2" / "pages" / "5.html").write_text(f"<body><div>{CARDS}</div>")
    gold = {"anchors": ["Red kettle"], "fields": [{"price": "R$ 10"}]}
    other = {**entry, **gold, "id": "m2-1", "site": "m2.example"}
    (root / "modern2" / "modern2.jsonl").write_text(json.dumps(other) + "\n")
    (root / "modern2" / "negatives.jsonl").touch()
    return root


def test_the_command_prints_the_document_and_the_tables_beside_it(tmp_path: Path) -> None:
    corpora = write_whole_gold(tmp_path / "corpora")
    arguments = ["bench", "table", "--corpora", str(corpora), "--corpus", "modern", "--jobs", "1", "--worst", "1"]
    result = CliRunner().invoke(cli, arguments, env={"PENEIRA_CORPORA": ""})
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert [page["id"] for page in document["pages"]] == ["m-1"]
    assert (document["corpora"]["modern"]["pages"], document["fields"]["modern"]["age"]["values"]) == (1, 2)
    lines = [line.split() for line in result.stderr.splitlines()]
    assert lines[0][:3] == ["corpus", "over", "pages"]
    assert lines[1][:4] == ["modern", "all", "values", "1"]
    assert lines[2][:3] == ["mean", "of", "pages"]


def table_of_page(result: Result) -> tuple[str, int, float]:
    """Return the id, the records and the share of values found in any column of the one page of a document."""
    (page,) = json.loads(result.stdout)["pages"]
    return page["id"], page["records"], page["found_all"]


def test_unseen_tables_are_scored_without_training_the_lists_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_whole_gold(tmp_path)
    index = root / "lists" / "lists.jsonl"
    index.write_text(index.read_text() + json.dumps({"id": "b-2", "corpus": "b", "file": "pages/3.html"}) + "\n")
    options = ["--corpora", str(root), "--page", "m-1", "--jobs", "1"]
    monkeypatch.delattr("peneira_research.training.list_models.models_by_site")
    plain, unseen = (
        CliRunner().invoke(cli, ["bench", "table", *options, *more], env={"PENEIRA_CORPORA": ""})
        for more in ((), ("--unseen", "--shipped-lists"))
    )
    assert unseen.exit_code == 0
    assert table_of_page(unseen) == table_of_page(plain) == ("m-1", 3, 1.0)
    refused = CliRunner().invoke(cli, ["bench", "table", *options, "--shipped-lists"], env={"PENEIRA_CORPORA": ""})
    assert (refused.exit_code, "--shipped-lists needs --unseen" in refused.stderr) == (2, True)


def test_the_models_of_a_site_make_its_table(tmp_path: Path) -> None:
    (tmp_path / "1.html").write_text(f"<body><div>{CARDS}</div>")
    gold = gold_page(["Red kettle"], [{"price": "R$ 10"}], tmp_path / "1.html")
    (other,) = table_outcomes([gold], unseen={"b.example": TableModels(lists=NO_MODELS)})
    (own,) = table_outcomes([gold], unseen={"a.example": TableModels(lists=NO_MODELS)})
    assert other.error is None
    assert own.error is not None


def test_corpora_without_gold_fields_are_an_error(tmp_path: Path) -> None:
    arguments = ["bench", "table", "--corpora", str(write_corpora(tmp_path)), "--corpus", "a", "--jobs", "1"]
    result = CliRunner().invoke(cli, arguments, env={"PENEIRA_CORPORA": ""})
    assert isinstance(result.exception, CorpusError) and "no page with gold fields" in str(result.exception)


def tool_score(gold: GoldPage, records: Sequence[TableRecord], roles: Mapping[str, str]) -> dict[str, object]:
    assert TOOL is not None
    entry = {"anchors": gold.anchors or (), "fields": gold.fields}
    found: dict[str, object] = TOOL.score(entry, [(record.text, record.cells) for record in records], roles)
    return found


def own_score(gold: GoldPage, records: Sequence[TableRecord], roles: Mapping[str, str]) -> dict[str, object]:
    """Return our score in the form of the tool's."""
    score = score_table(gold.anchors or (), gold.fields, records, roles)
    counts = {
        "values": score.values, "plain": score.texts, "whole": score.whole, "astray": score.astray,
        "found": score.found, "columns": score.columns, "fields": score.role_fields, "named": score.named,
        "redundant": len(score.redundant),
    }  # fmt: skip
    return {
        "whole": score.whole_share,
        "astray": score.astray_share,
        "found": score.found_share,
        "named": score.named_share,
        "redundant": score.redundant_share,
        "of": counts,
        "names": {name: tally.column for name, tally in score.fields.items() if tally.found},
    }


def agree(gold: GoldPage, records: Sequence[TableRecord], roles: Mapping[str, str]) -> bool:
    theirs, ours = tool_score(gold, records, roles), own_score(gold, records, roles)
    counts = theirs.pop("of")
    assert isinstance(counts, dict)
    own_counts = ours.pop("of")
    assert isinstance(own_counts, dict)
    return theirs == ours and all(counts.get(name, 0) == count for name, count in own_counts.items())


# Few letters, so that values meet in cells; "./" and "u" because addresses may end with a value
words = st.text(alphabet="abA ./\u200b", max_size=5)
columns = st.sampled_from(["title", "url", "b", "c"])
values = st.one_of(words, st.lists(words, max_size=2))
golds = st.lists(st.tuples(words, st.dictionaries(st.sampled_from(["title", "url", "image", "group_a", "x"]), values)))
tables = st.lists(
    st.tuples(words, st.dictionaries(columns, st.lists(st.text(alphabet="abA ./", max_size=5)))), max_size=5
)


@needs_tool
@given(golds, tables, st.dictionaries(columns, st.sampled_from(["title", "url"])))
def test_the_score_is_that_of_the_tool(
    gold: list[tuple[str, dict[str, FieldValue]]],
    rows: list[tuple[str, dict[str, list[str]]]],
    roles: dict[str, str],
) -> None:
    page = gold_page([anchor for anchor, _ in gold], [fields for _, fields in gold])
    assert agree(page, [TableRecord(text, cells) for text, cells in rows], roles)


def real_pages() -> list[GoldPage]:
    root = corpora_root()
    if TOOL is None or root is None:
        return []
    names = [name for name in ("modern", "modern2") if (root / name).is_dir()]
    return [page for name in names for page in Corpora(root).pages([name])[::EVERY] if page.fields]


@pytest.mark.parametrize("gold", real_pages()[::3], ids=lambda page: page.id)
def test_the_cut_of_real_pages_is_that_of_the_tool(gold: GoldPage) -> None:
    main = extract(read_page(gold.body())).main
    records = [TableRecord(record.text, {}) for record in main.records] if main else []
    theirs = tool_score(gold, records, {})["of"]
    assert isinstance(theirs, dict)
    (own,) = page_outcomes(gold, ["auto"])
    counts = (own.texts, own.whole, own.astray)
    assert counts == (
        tuple(theirs.get(name, 0) for name in ("plain", "whole", "astray")) if gold.has_fields else (None,) * 3
    )


@pytest.mark.parametrize("gold", real_pages(), ids=lambda page: page.id)
def test_the_score_of_real_pages_is_that_of_the_tool(gold: GoldPage) -> None:
    found = extract(read_page(gold.body(), url=gold.url)).main
    for shown in (found.columns, found.all_columns) if found else ((),):
        assert agree(gold, table_records(found, shown), column_roles(shown))
