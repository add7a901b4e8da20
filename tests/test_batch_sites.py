"""Tables per site that grow by adding columns, and wrappers chosen by site."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest
from pyarrow import parquet

import peneira as peneira_package
from batch_pages import database_rows, files, rows, run, save_pages, shop_page
from command import peneira
from peneira.batch.cell_form import cell_form, cell_of, column_form, column_of
from peneira.batch.chunk_writer import Target
from peneira.batch.page_input import PageInput
from peneira.batch.site_names import folder_name
from peneira.batch.site_tables import MAX_FIELDS, MORE_COLUMNS, grown_table, within_limit
from peneira.batch.tasks import TaskOptions, outcome_of
from peneira.output.schema import Field
from peneira.table import Cell, Column
from peneira.values import Money, Quantity, Rating


@pytest.fixture
def sites(tmp_path: Path) -> Path:
    """Pages of two sites; from the third page of the first on there is one more column."""
    pages = tmp_path / "pages"
    save_pages(pages / "a", 2, host="a.example")
    save_pages(pages / "b", 2, host="www.b.example")
    for number in (2, 3):
        page = shop_page(number, host="a.example", extra="<i>Weight {k}4 kg</i>")
        (pages / "c").mkdir(exist_ok=True)
        (pages / "c" / f"{number}.html").write_bytes(page)
    return pages


def test_each_site_has_typed_columns_of_its_own_that_only_grow(sites: Path, tmp_path: Path):
    run(sites, tmp_path / "out", target=Target(tmp_path / "out", "extract", "parquet", by_site=True), chunk_pages=2)
    assert sorted(name for name in files(tmp_path / "out") if name.startswith("records")) == [
        "records/site=a.example/part-000000.parquet",
        "records/site=a.example/part-000002.parquet",
        "records/site=b.example/part-000001.parquet",
    ]
    folder = tmp_path / "out" / "records" / "site=a.example"
    first, last = (parquet.read_table(folder / f"part-00000{k}.parquet", partitioning=None) for k in (0, 2))
    assert last.schema.names[: len(first.schema.names)] == first.schema.names
    assert len(last.schema.names) > len(first.schema.names)
    assert first.column("price").to_pylist()[:2] == [Decimal("0.50"), Decimal("1.50")]
    assert first.column("price_currency").to_pylist()[0] == "$"
    whole = parquet.read_table(tmp_path / "out" / "records", filters=[("site", "=", "b.example")])
    assert whole.column("title").to_pylist()[0] == "Thing 0-0"


def test_sites_are_tables_of_a_database(sites: Path, tmp_path: Path):
    run(sites, tmp_path / "out", target=Target(tmp_path / "out", "extract", "sqlite", by_site=True), chunk_pages=2)
    database = tmp_path / "out" / "data.sqlite"
    assert database_rows(database, "SELECT count(*), min(price), max(price) FROM records_a_example") == [(12, 0.5, 5.5)]
    assert database_rows(database, "SELECT count(*) FROM records_b_example") == [(6,)]
    assert database_rows(database, "SELECT status, count(*) FROM pages GROUP BY 1") == [("complete", 6)]


def test_columns_keep_their_names_and_get_the_values_of_other_forms():
    pages = [shop_page(1), shop_page(2).replace(b"<b>", b"<b class=x>")]
    outcomes = [outcome_of(PageInput("page", body=page), TaskOptions()) for page in pages]
    first, added = grown_table([], outcomes[:1])
    second, more = grown_table(added, outcomes[1:])
    assert [column.name for column in more] == []
    assert second.names == first.names
    assert [row[second.names.index("price")].text for row in second.rows] == ["$2.50", "$3.50", "$4.50"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "cell",
    [
        Cell("a text", ""),
        Cell("$1 - $2", "", "money", Money(Decimal(1), "$", Decimal(2))),
        Cell("3 kg", "", "quantity", Quantity(Decimal(3), "kg")),
        Cell("4/5", "", "rating", Rating(Decimal(4), Decimal(5))),
        Cell("12", "", "integer", 12),
        Cell("1.5", "", "number", Decimal("1.5")),
        Cell("yes", "", "boolean", True),
        Cell("x", "", "date", None),
        Cell("a, b", "", "list", ("a", "b"), ("a", "b")),
        Cell("https://a.example", "", "url", "https://a.example"),
    ],
    ids=lambda cell: cell.type,
)
def test_cells_survive_the_way_through_plain_data(cell: Cell):
    assert cell_of(cell_form(Column("name", "Name", 1.0), cell)) == cell


def test_columns_survive_the_way_through_plain_data():
    column = Column("price", "Price", 1.0, path="b", type="money", role="price", label="Price", part="x")
    assert column_of(column_form(column)) == column


def test_sites_of_any_name_have_files_and_tables_of_their_own(tmp_path: Path):
    hosts = ["a.example", "a-example", "a_example", f"{'x' * 240}.example"]
    pages = tmp_path / "pages"
    for number, host in enumerate(hosts):
        save_pages(pages / str(number), 1, host=host)
    for format_ in ("jsonl", "sqlite"):
        run(pages, tmp_path / format_, target=Target(tmp_path / format_, "extract", format_, by_site=True))
    names = [path.parent.name for path in (tmp_path / "jsonl" / "records").rglob("*.jsonl")]
    assert len(set(names)) == len(hosts)
    assert {"site=a.example", "site=a-example", "site=a_example"} < set(names)
    query = "SELECT name FROM sqlite_master WHERE name LIKE 'records%'"
    tables = {str(name) for (name,) in database_rows(tmp_path / "sqlite" / "data.sqlite", query)}
    assert len(tables) == len(hosts)
    assert {"records_a_example", "records_a__example"} < tables


def test_the_folder_of_an_address_of_ipv6_is_one_that_readers_of_partitions_understand():
    assert folder_name("::1") == "site=%3A%3A1"


def test_columns_beyond_the_limit_stand_in_one_as_json():
    found = [Field(f"c{k}", "integer", k, (k, None)) for k in range(MAX_FIELDS + 2)]
    first = within_limit(found, {"c5": "integer"}, 2)
    assert [field.name for field in first[-2:]] == [f"c{MAX_FIELDS - 1}", MORE_COLUMNS]
    assert first[-1].values == (
        json.dumps({f"c{MAX_FIELDS}": f"{MAX_FIELDS}", f"c{MAX_FIELDS + 1}": f"{MAX_FIELDS + 1}"}),
        None,
    )
    has = {field.name: field.kind for field in first}
    assert [field.name for field in within_limit([found[-1], found[0]], has, 2)] == ["c0", MORE_COLUMNS]


@pytest.fixture
def wrapper_site(tmp_path: Path) -> Path:
    pages = tmp_path / "pages"
    save_pages(pages / "a", 6, host="a.example")
    save_pages(pages / "b", 1, host="b.example")
    return pages


def test_pages_are_read_by_the_wrapper_of_their_site(wrapper_site: Path, tmp_path: Path):
    wrappers = tmp_path / "wrappers"
    wrappers.mkdir()
    peneira_package.learn(sorted((wrapper_site / "a").glob("*.html"))[:3]).save(wrappers / "a.example.json")
    done = peneira("batch", wrapper_site, "-o", tmp_path / "out", "--task", "apply", "--wrappers", wrappers,
                   "--format", "jsonl", "--jobs", "1")  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith("7 pages: 6 complete, 0 partial, 1 failed; 18 rows")
    assert [row.get("reason") for row in rows(tmp_path / "out", "pages")] == [None] * 6 + ["no wrapper for b.example"]


def test_missing_wrappers_are_learned_from_the_first_pages_of_each_site(wrapper_site: Path, tmp_path: Path):
    command = ["batch", wrapper_site, "--wrappers", tmp_path / "wrappers", "--learn", "--format", "jsonl"]
    done = peneira(*command, "-o", tmp_path / "two", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (tmp_path / "wrappers").iterdir()) == ["a.example.json", "b.example.json"]
    learned = (tmp_path / "wrappers" / "a.example.json").read_bytes()
    again = peneira(
        "batch", wrapper_site, "--wrappers", tmp_path / "others", "--learn", "-o", tmp_path / "one", "--jobs", "1"
    )
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "others" / "a.example.json").read_bytes() == learned
    assert len(rows(tmp_path / "two", "records")) == 21


def test_wrong_usage_is_told_before_anything_is_done(tmp_path: Path):
    for args, message in {
        ("--task", "apply"): "the task apply needs --wrappers",
        ("--learn",): "--learn needs a folder for the wrappers: --wrappers FOLDER",
        ("--task", "text", "--wrappers", "w"): "--wrappers goes with the tasks extract and apply",
        ("--wrappers", "nowhere"): "nowhere: no such wrapper or folder of wrappers",
        ("--master", "local"): "--master goes with --engine spark",
    }.items():
        done = peneira("batch", "pages", "-o", tmp_path / "out", *args)
        assert (done.returncode, message in done.stderr) == (2, True), done.stderr
    assert not (tmp_path / "out").exists()
