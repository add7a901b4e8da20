"""Raw columns are the same whether kernels read the records or plain Python does."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from generated import soup
from peneira.columns import raw_columns
from peneira.columns.builder import ColumnBuilder
from peneira.columns.outline import OutlineBuilder
from peneira.columns.raw_columns import RawColumn
from peneira.columns.slot_alignment import with_ancestors
from peneira.result import Record, Region
from peneira.sources.html import read_page
from twins import without_kernels

pytestmark = pytest.mark.skipif(raw_columns.record_values is None, reason="the kernels are not compiled")

ITEMS = [
    "<li><a href=/{k}>Item {k}</a><p>Price: <b>${k}.50</b></p><img src=/{k}.png alt='Picture {k}'>",
    "<li><a href='#'>Item {k}</a><img src=blank.gif data-src=r{k}.png><i data-url=x/{k} data-note=' {k} '>new</i>",
    "<li hidden><h3>Item {k}</h3><ul><li><a href=/t/{k}>tag {k}</a><li><a href=/t/x>tag x</a></ul>, {k} beds, 2 baths",
    "<li><dl><dt>Beds</dt><dd>{k}</dd><dt>Baths</dt><dd>2</dd></dl><audio src=a{k}.mp3></audio><time datetime=200{k}>",
    "<li><b aria-hidden=true>{k} €</b><s>Price was {k} €</s><i class=x>{k} left</i>",
    "<li><p>words with <b>bold</b> in {k}</p><p>more words</p><p title='t {k}'>and more</p>",
]


def as_data(columns: list[RawColumn]) -> list[object]:
    """Return all that is known of raw columns in a form that can be compared."""
    return [
        (
            [(slot.features, slot.label, slot.column, slot.is_list) for slot in with_ancestors(column.slot)],
            (column.attribute, column.is_list, column.label, column.is_label),
            [(record, [(type(value), *value) for value in own]) for record, own in column.values.items()],
            as_data(column.nested),
        )
        for column in columns
    ]


def columns_of(markup: str) -> list[object]:
    """Return the raw columns of the children of the innermost list, or of the body, each taken for a record."""
    page = read_page(markup, url="https://example.org/a/b.html")
    lists = page.rows_of("ul", "tbody").tolist()
    top = lists[0] if lists else page.body
    records = tuple(Record(((row, page.lists.end[row]),), "", "") for row in page.children(top))
    return as_data(ColumnBuilder(page).raw_columns(Region("", records, 1.0))[0]) if records else []


def assert_same(markup: str) -> None:
    with_kernels = columns_of(markup)
    with without_kernels():
        assert columns_of(markup) == with_kernels


@given(soup)
@settings(max_examples=50)
def test_raw_columns_of_tag_soup_are_those_of_plain_python(markup: str):
    assert_same(markup)


@pytest.mark.parametrize("item", ITEMS)
def test_raw_columns_are_those_of_plain_python(item: str):
    markup = "<ul>" + "".join(item.format(k=k) for k in (1, 2, 3)) + "</ul>"
    assert columns_of(markup)
    assert_same(markup)


def test_raw_columns_of_records_of_several_shapes_are_those_of_plain_python():
    assert_same("<ul>" + "".join(item.format(k=k) for k in (1, 2, 3) for item in ITEMS) + "</ul>")


def test_raw_columns_of_table_rows_are_those_of_plain_python():
    rows = "".join(
        f"<tr><td rowspan=2>{k}<td>a {k}<td><a href={k}>x</a><tr><td>b {k}<td colspan=2>c" for k in (1, 2, 3)
    )
    assert_same(f"<table><tr><th>N<th>A<th>X{rows}</table>")


@pytest.mark.parametrize("ranges", [((3, 10**8),), ((-(10**7), 5),), ((10**7, 10**7),), ((3, 4), (4, 10**8)), ()])
def test_rows_that_the_page_does_not_have_are_an_error(ranges: tuple[tuple[int, int], ...]):
    builder = OutlineBuilder(read_page("<ul><li>a<li>b</ul>"))
    with pytest.raises(IndexError):
        builder.outline([Record(ranges, "", "")], {})
