"""Pages in an Arrow table, their data in another."""

from __future__ import annotations

import pyarrow
import pytest

import peneira.arrow
from batch_pages import shop_page
from peneira.errors import ArgumentError


def pages() -> pyarrow.Table:
    return pyarrow.table(
        {
            "id": [1, 2, 3],
            "html": pyarrow.array([shop_page(1), None, shop_page(2)], pyarrow.binary()),
            "url": ["https://a.example/1", "https://a.example/2", None],
        }
    )


@pytest.mark.parametrize("jobs", [None, 2])
def test_each_page_is_a_row_with_its_records(jobs: int | None):
    table = peneira.arrow.extract(pages(), keep=["id"], jobs=jobs)
    assert table.column("id").to_pylist() == [1, 2, 3]
    assert table.column("status").to_pylist() == ["complete", "failed", "complete"]
    assert table.column("reason").to_pylist() == [None, "the row: has no HTML", None]
    assert table.column("page_url").to_pylist() == [
        "https://a.example/1",
        "https://a.example/2",
        "https://shop.example/list/2",
    ]
    titles = [[record["title"] for record in records] for records in table.column("records").to_pylist()]
    assert titles == [["Thing 1-0", "Thing 1-1", "Thing 1-2"], [], ["Thing 2-0", "Thing 2-1", "Thing 2-2"]]
    assert table.column("records")[0].as_py()[0]["url"] == "https://a.example/p/1-0"


def test_the_schema_does_not_depend_on_the_pages():
    none = pages().slice(0, 0)
    assert peneira.arrow.extract(none).schema == peneira.arrow.extract(pages().slice(0, 1)).schema
    assert len(peneira.arrow.extract(none)) == 0


def test_texts_are_pages_too_and_other_tasks_have_rows_of_their_own():
    table = pyarrow.table({"html": ["<title>T</title><p>" + "A sentence about something else. " * 20]})
    found = peneira.arrow.extract(table, task="text").to_pylist()[0]
    assert found["texts"][0]["title"] == "T"
    assert found["texts"][0]["text"].startswith("A sentence")


def test_columns_that_are_missing_or_taken_are_errors():
    with pytest.raises(ArgumentError, match="there is no column 'body'; there are id, html, url"):
        peneira.arrow.extract(pages(), html="body")
    with pytest.raises(ArgumentError, match="the result has a column 'status' of its own"):
        peneira.arrow.extract(pages().append_column("status", [[1, 2, 3]]), keep=["status"])
    with pytest.raises(ArgumentError, match="task='all' is unknown"):
        peneira.arrow.extract(pages(), task="all")  # type: ignore[arg-type]


def test_pandas_frames_come_and_go():
    frame = peneira.arrow.extract(pyarrow.Table.from_pandas(pages().to_pandas())).to_pandas()
    assert frame["status"].tolist() == ["complete", "failed", "complete"]
    assert frame["records"][0][0]["title"] == "Thing 1-0"


def test_nested_records_are_lists_of_structs():
    casts = [[("Ana", "Ripley")], [("Bia", "Hanna"), ("Caio", "Chris")], [("Davi", "Marge"), ("Eva", "Jerry")]] * 2
    films = "".join(
        f"<article><h2><a href=/film/{k}>Film number {k}</a></h2><p>The story of film {k}, told in a sentence.</p>"
        f"<b>$ {k}.90</b><ul class=cast>"
        + "".join(f"<li><span class=name>{name}</span> <span class=role>{role}</span></li>" for name, role in cast)
        + "</ul></article>"
        for k, cast in enumerate(casts)
    )
    found = peneira.arrow.extract(pyarrow.table({"html": [f"<main>{films}</main>"]}))
    nested = [
        [[(cell["name"], cell["text"]) for cell in record] for record in cell["records"]]
        for row in found.column("records")[0].as_py()
        for cell in row["cells"]
        if cell["type"] == "records"
    ]
    assert nested == [[[("title", name), ("role", role)] for name, role in cast] for cast in casts]
