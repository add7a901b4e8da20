"""Columns of real tables: headers, spans, cells with parts."""

from __future__ import annotations

import pytest

from list_columns import columns, names, records_at, rows
from peneira.columns.builder import with_columns
from peneira.columns.table_grid import Grid, grid_of
from peneira.result import Region
from peneira.sources.html import read_page


def test_table_headers_name_the_columns_and_row_headers_are_data():
    html = "<table><tr><th>País<th>População</tr><tr><th>Brasil<td>203</tr><tr><th>Peru<td>34</tr></table>"
    page = read_page(html)
    body = [i for i in range(len(page)) if page.name(i) == "tr"][1:]
    region = with_columns(page, Region("", records_at(page, body, 1), 1.0))
    assert names(region) == ("location", "populacao")
    assert rows(region) == (("Brasil", "203"), ("Peru", "34"))
    assert [column.caption for column in region.columns] == ["País", "População"]


def test_a_header_row_that_was_taken_for_a_record_names_the_columns_too():
    html = "<table><tr><th>Name<th>Goals</tr><tr><td>Ana<td>1</tr><tr><td>Bia<td>2</tr></table>"
    assert columns(html, "tr") == {"title": ["Name", "Ana", "Bia"], "goals": ["Goals", "1", "2"]}


def rows_of(body: str, head: str) -> Region:
    page = read_page(f"<table><thead>{head}</thead><tbody>{body}</tbody></table>")
    head_end = int(page.end[next(i for i in range(len(page)) if page.name(i) == "thead")])
    body_rows = [i for i in range(head_end, len(page)) if page.name(i) == "tr"]
    return with_columns(page, Region("", records_at(page, body_rows, 1), 1.0))


def texts_by_header(region: Region) -> dict[str, list[str]]:
    """Return the texts of the default columns by the header that the page has for them."""
    texts = zip(*rows(region), strict=True)
    return {column.caption: list(cells) for column, cells in zip(region.columns, texts, strict=True)}


def test_a_cell_over_several_rows_is_a_value_of_each():
    region = rows_of(
        "<tr><td rowspan=2>North<td>Ana<td>1<tr><td>Bia<td>2<tr><td>South<td>Caio<td>3",
        "<tr><th>Side<th>Name<th>Goals",
    )
    assert texts_by_header(region) == {
        "Side": ["North", "North", "South"],
        "Name": ["Ana", "Bia", "Caio"],
        "Goals": ["1", "2", "3"],
    }


def test_a_cell_over_several_columns_shifts_nothing():
    region = rows_of(
        "<tr><td>Ana<td>1<td>2<td>x<tr><td>Bia<td colspan=2>absent<td>y<tr><td>Caio<td>3<td>4<td>z",
        "<tr><th>Name<th>First<th>Second<th>Note",
    )
    assert texts_by_header(region) == {
        "Name": ["Ana", "Bia", "Caio"],
        "First": ["1", "absent", "3"],
        "Second": ["2", "", "4"],
        "Note": ["x", "y", "z"],
    }


def test_headers_in_two_rows_are_read_together():
    region = rows_of(
        "<tr><td>Ana<td>1<td>2<tr><td>Bia<td>3<td>4",
        "<tr><th rowspan=2>Name<th colspan=2>Goals<tr><th>Home<th>Away",
    )
    assert names(region) == ("title", "goals_home", "goals_away")
    assert [column.caption for column in region.columns] == ["Name", "Goals Home", "Goals Away"]


def test_a_missing_last_cell_is_empty():
    region = rows_of("<tr><td>Ana<td>1<tr><td>Bia<tr><td>Caio<td>3", "<tr><th>Name<th>Goals")
    assert rows(region) == (("Ana", "1"), ("Bia", ""), ("Caio", "3"))


@pytest.mark.parametrize("span", ["0", "-1", "", "x", "99999999999", "1.5", "²"])
def test_hostile_spans_are_ignored_or_capped(span: str):
    region = rows_of(f'<tr><td colspan="{span}" rowspan="{span}">Ana<td>1<tr><td>Bia<td>2', "<tr><th>Name<th>Goals")
    assert len(rows(region)) == 2


def test_a_constant_column_under_a_header_is_data():
    region = rows_of("<tr><td>Ana<td>open<tr><td>Bia<td>open", "<tr><th>Name<th>State")
    assert rows(region) == (("Ana", "open"), ("Bia", "open"))


def test_equal_columns_under_headers_of_their_own_are_both_data():
    region = rows_of("<tr><td>Ana<td>1<td>1<tr><td>Bia<td>2<td>2", "<tr><th>Name<th>Home<th>Away")
    assert rows(region) == (("Ana", "1", "1"), ("Bia", "2", "2"))


def test_a_cell_is_shown_as_a_whole_or_in_parts_and_both_are_kept():
    region = rows_of(
        "<tr><td><b class=city>Recife</b><br><i class=state>PE</i><td>1"
        "<tr><td><b class=city>Natal</b><br><i class=state>RN</i><td>2",
        "<tr><th>Place<th>Rank",
    )
    assert rows(region) in (
        (("Recife PE", "1"), ("Natal RN", "2")),
        (("Recife", "PE", "1"), ("Natal", "RN", "2")),
    )
    assert {"Recife", "PE", "Recife PE", "1"} == {cell.text for cell in region.records[0].fields.values()}


def grid_of_rows(html: str) -> Grid:
    page = read_page(f"<table>{html}</table>")
    return grid_of(page, [i for i in range(len(page)) if page.name(i) == "tr"])


@pytest.mark.parametrize(("colspan", "column"), [(100, 100), (101, 100)])
def test_a_cell_spans_at_most_100_columns(colspan: int, column: int):
    assert max(grid_of_rows(f"<tr><td colspan={colspan}>wide<td>last").column.values()) == column


@pytest.mark.parametrize("rowspan", [1000, 1001])
def test_a_cell_spans_at_most_1000_rows(rowspan: int):
    grid = grid_of_rows(f"<tr><td rowspan={rowspan}>tall" + "<tr>" * 1100)
    assert len(grid.spanning_cells) == 999


@pytest.mark.parametrize("cells", [20, 21])
def test_at_most_20_cells_span_into_a_row(cells: int):
    grid = grid_of_rows("<tr>" + "<td rowspan=2>tall" * cells + "<tr><td>short")
    assert [len(spanning) for spanning in grid.spanning_cells.values()] == [20]


def test_only_the_last_four_header_rows_are_read():
    head = "".join(f"<tr><th>{word}<th>Goals" for word in ("Cup", "League", "North", "Team", "Name"))
    region = rows_of("<tr><td>Ana<td>1<tr><td>Bia<td>2", head)
    assert [column.caption for column in region.columns] == ["League North Team Name", "Goals"]


@pytest.mark.parametrize(("chars", "name"), [(80, "x" * 48), (81, "text")])
def test_a_header_of_more_than_80_characters_is_not_read(chars: int, name: str):
    region = rows_of("<tr><td>Ana<td>1<tr><td>Bia<td>2", f"<tr><th>{'x' * chars}<th>Goals")
    assert names(region)[0] == name


def test_a_name_that_is_a_link_in_some_cells_is_one_column():
    names = ("Ann Lee", "Bo Smith", "Cy Jones", "Di Brown", "Ed Green", "Flo White")
    body = "".join(
        f"<tr><td>{2011 + k}<td>{f'<a href=/p/{k}>{name}</a>' if k % 2 else f'*{name}'} (<a href=/m/{k}>minors</a>)"
        for k, name in enumerate(names)
    )
    shown = zip(*rows(rows_of(body, "<tr><th>Year<th>Player")), strict=True)
    assert list(names) in [[text.strip("*").removesuffix(" (minors)") for text in texts] for texts in shown]


def test_a_row_of_words_right_before_the_records_is_their_header():
    html = (
        "<table><tr><td colspan=3>Courts of the north<tr><td>Case<td>Ruling<td>Docket"
        + "".join(
            f"<tr><td>{name} v. State<td>{ruling}<td><a href=/d/{k}>View</a>"
            for k, (name, ruling) in enumerate(
                (("Ann", "Affirmed"), ("Bob", "Reversed"), ("Cid", "Affirmed in part"), ("Dee", "Dismissed"))
            )
        )
        + "</table>"
    )
    page = read_page(html, url="https://courts.example/")
    body = [i for i in range(len(page)) if page.name(i) == "tr"][2:]
    region = with_columns(page, Region("", records_at(page, body, 1), 1.0))
    assert grid_of(page, body).headers == {0: "Case", 1: "Ruling", 2: "Docket"}
    addresses = [[record[name].text for name in record if record[name].text.startswith("http")] for record in region]
    assert addresses == [[f"https://courts.example/d/{k}"] for k in range(4)]


def test_a_header_over_all_columns_is_a_caption():
    html = "<table><thead><tr><th colspan=3>Forums</thead>" + "<tr><td>Ann<td>1<td>2" * 3 + "</table>"
    page = read_page(html)
    body = [i for i in range(len(page)) if page.name(i) == "tr"][1:]
    assert grid_of(page, body).headers == {}


def test_a_row_of_values_before_the_records_is_no_header():
    html = "<table><tr><td>Ann<td>12 May<td>Rome" + "<tr><td>Bob<td>13 May<td>Oslo" * 3 + "</table>"
    page = read_page(html)
    body = [i for i in range(len(page)) if page.name(i) == "tr"][1:]
    assert grid_of(page, body).headers == {}
