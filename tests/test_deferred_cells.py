"""Cells of hidden columns are made when they are asked for, and nobody can tell."""

import pickle
from copy import deepcopy

import pytest

import peneira
from peneira.columns import builder
from peneira.columns.deferred_cells import DeferredCells, NamedColumn, texts_of
from peneira.columns.outline import TEXT
from peneira.columns.raw_columns import RawColumn, RawValue
from peneira.columns.similarity import NodeFeatures
from peneira.columns.slot_alignment import Slot
from peneira.kernels import compiled
from peneira.table import Cell
from peneira.types.column_types import InferredType, infer_type
from twins import without_kernels

ITEMS = "".join(
    f'<li><a href="/{name}">{name}</a> <span class="price">${k}.00</span> <b class="badge">New</b></li>'
    for k, name in enumerate(("Apple", "Banana", "Cherry", "Damson", "Elder"), 1)
)
PAGE = f"<ul>{ITEMS}</ul>"


def _main() -> peneira.Region:
    main = peneira.extract(PAGE).main
    assert main is not None
    return main


def _hidden(region: peneira.Region) -> set[str]:
    return {column.name for column in region.all_columns} - {column.name for column in region.columns}


def test_cells_of_hidden_columns_are_made_when_asked_for():
    region = _main()
    (name,) = _hidden(region)
    fields = region[0].fields
    assert isinstance(fields, DeferredCells)
    assert region.table.rows[0][0] == fields["title"]
    assert fields._hidden is not None
    assert name in fields
    assert fields[name].text == "New"
    assert fields._hidden is None


def test_hidden_columns_are_named_once_when_they_are_asked_for(monkeypatch: pytest.MonkeyPatch):
    calls = []
    name_columns = builder.name_columns
    monkeypatch.setattr(builder, "name_columns", lambda sources: calls.append(1) or name_columns(sources))
    region = _main()
    assert region.table.columns == region.columns
    assert not calls
    assert _hidden(region)
    assert region[0].fields.get("missing") is None
    assert len(region.full_table.columns) == len(region.all_columns)
    assert len(calls) == 1


def test_cells_come_in_the_order_of_all_columns():
    region = _main()
    assert list(region[0]) == [column.name for column in region.all_columns]
    assert len(region[0].fields) == len(region.all_columns)


def test_a_name_that_no_column_has_makes_no_cells():
    fields = _main()[0].fields
    assert isinstance(fields, DeferredCells)
    assert fields.get("missing") is None
    assert "missing" not in fields
    assert fields._hidden is not None


def test_deferred_cells_equal_a_dict_and_are_copied_and_pickled_as_one():
    region, other = _main(), _main()
    fields = region[0].fields
    for copied in (pickle.loads(pickle.dumps(fields)), deepcopy(fields)):
        assert type(copied) is dict
        assert copied == fields
        assert fields == copied
    assert repr(fields) == repr(dict(fields))
    assert region == other
    assert pickle.loads(pickle.dumps(region)) == other


def test_the_cells_of_a_column_are_those_of_its_records():
    features = NodeFeatures(TEXT, "#text", frozenset())
    page = peneira.Page.from_html("<p>5 May 2024</p><p>6 May 2024</p><p>soon</p><p>5 May 2024</p><p>a</p>")
    rows = [row for row in range(len(page)) if page.is_text(row)]
    for type_name, texts in (
        ("date", ["5 May 2024", "6 May 2024", "soon", "5 May 2024"]),
        ("text", ["a", "", "b", "a"]),
        ("url", ["/a", "/b", "", "/a"]),
    ):
        column = RawColumn(
            Slot(features, features, None), machine_texts={2: "2024-05-07"} if type_name == "date" else {}
        )
        for record, (text, row) in enumerate(zip(texts, rows, strict=False)):
            column.add(record, RawValue(text, row, 0.5))
        column.add(4, RawValue("a", rows[4]))
        column.add(4, RawValue("b", rows[4]))
        inferred = infer_type(texts[:2]) if type_name == "date" else InferredType(type_name, 1.0)
        assert inferred.type == type_name
        named = NamedColumn("x", column, inferred, {})
        for column.is_list in (False, True):
            assert named.cells(page) == {record: named.cell(page, record) for record in column.values}


GLUED = "<div><b>Ann</b><i>Lee</i></div>"
CELLS_PAGE = (
    "<ul>"
    + "".join(
        f"<li><h3>{GLUED} {name}</h3><p class=when>{when}</p><p class=price>{price}</p><a href=/{k}>more</a>"
        f"<p>{'<em>x</em><em>y</em>' if k % 2 else '<em>z</em>'}</p></li>"
        for k, (name, when, price) in enumerate(
            [
                ("Apple", "2 May 2024", "$1.00"),
                ("Fig", "3 May 2024", "n/a"),
                ("Kiwi", "soon", "$2"),
                ("Lime", "4 May 2024", "$3"),
            ]
        )
    )
    + "</ul>"
)


@pytest.mark.skipif(compiled("cell_making") is None, reason="not compiled")
def test_cells_are_those_of_the_plain_way():
    def described() -> list[tuple[object, ...]]:
        main = peneira.extract(CELLS_PAGE).main
        assert main is not None
        cells = [cell for row in main.full_table.rows for cell in row if cell is not None]
        return [(cell, cell.xpath, cell.node is None, hash(cell), repr(cell)) for cell in cells]

    by_kernel = described()
    with without_kernels():
        assert by_kernel == described()
    assert {cell.type for cell, *_ in by_kernel if isinstance(cell, Cell)} >= {"text", "money", "date", "url"}


def test_hidden_cells_are_the_same_one_by_one_and_all_at_once():
    alone = [dict(_main()[k].fields) for k in range(5)]  # each is the only record that is asked for
    region = _main()
    assert [dict(record.fields) for record in region] == alone
    (name,) = _hidden(region)
    assert [cells[name].text for cells in alone] == ["New"] * 5


def test_texts_of_records_are_those_of_their_cells_before_and_after_these_are_made():
    def texts() -> list[list[tuple[str, bool]]]:
        found = list(texts_of([record.fields for record in region]))
        return [[own for number, *own in found if number == k] for k in range(len(region))]

    region = _main()
    before = texts()
    assert before == [[[cell.text, cell.type == "url"] for cell in dict(record.fields).values()] for record in region]
    assert texts() == before


def test_texts_of_some_records_are_numbered_among_these():
    records = _main().records
    list(records[3].fields)  # makes its cells
    assert list(texts_of([records[3].fields])) == [
        (0, *text) for number, *text in texts_of([r.fields for r in records]) if number == 3
    ]
