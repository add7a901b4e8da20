"""Wrappers learned from pages: list pages, detail pages, pages that are neither."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import peneira
from generated import soup
from peneira.errors import InputError, UnknownMethod

TREE_METHODS = ["gstm", "fivatech"]
METHODS = ["auto", "gstm", "fivatech"]


def shop(*things: tuple[str, int], note: str = "") -> str:
    rows = "".join(
        f"<li><h3>{name}</h3><p>{price} euro</p><div>in stock: {price % 7}</div></li>" for name, price in things
    )
    return f"<h1>Shop</h1><ul>{rows}</ul><footer>{note}</footer>"


PAGES = [
    shop(("Lamp", 20), ("Chair", 45), ("Table", 120)),
    shop(("Cup", 3), ("Plate", 5)),
]


def player(name: str, height: str, team: str, *, has_weight: bool = True) -> str:
    pairs = [("Height", height), ("Weight", f"{len(team)}0 kg"), ("Team", team)]
    included = [pair for pair in pairs if has_weight or pair[0] != "Weight"]
    rows = "".join(f"<tr><td>{label}</td><td>{value}</td></tr>" for label, value in included)
    return f"<h1>{name}</h1><table>{rows}</table>"


@pytest.mark.parametrize("method", METHODS)
def test_a_list_learned_from_two_pages_is_extracted_from_a_third(method: str):
    wrapper = peneira.learn(PAGES, method=method)
    assert wrapper.kind == "list"
    result = wrapper.extract(shop(("Fork", 1), ("Knife", 2), ("Spoon", 3), ("Pan", 30)))
    assert (result.verdict, result.status) == ("list", "complete")
    assert result.main is not None
    assert [record.fields["title"].text for record in result.main.records] == ["Fork", "Knife", "Spoon", "Pan"]


def test_a_page_with_one_record_is_a_list_of_one():
    result = peneira.learn(PAGES, method="gstm").extract(shop(("Fork", 1)))
    assert result.main is not None
    assert [record.text for record in result.main.records] == ["Fork 1 euro in stock: 1"]


def test_labels_make_columns_of_the_rows_of_a_table():
    pages = [player("Ana", "1.80 m", "Faro"), player("Bia", "1.75 m", "Beja"), player("Cid", "1.91 m", "Lagos")]
    wrapper = peneira.learn(pages, method="gstm", kind="detail")
    assert {"height", "weight", "team"} <= {column.name for column in wrapper.columns}
    result = wrapper.extract(player("Dora", "1.69 m", "Porto", has_weight=False))
    assert result.main is not None
    (record,) = result.main.records
    assert {name: cell.text for name, cell in record.fields.items()} == {
        "title": "Dora",
        "height": "1.69 m",
        "team": "Porto",
    }


def test_a_wrapper_reports_how_much_of_a_page_matches():
    wrapper = peneira.learn(PAGES, method="gstm")
    assert [str(reason) for reason in wrapper.extract(PAGES[0]).reasons] == [
        "100% of the page's nodes match the template"
    ]
    assert wrapper.extract("<form><select><option>x</select></form>").verdict == "other-template"


def test_an_empty_page_gives_an_empty_result():
    assert peneira.learn(PAGES, method="gstm").extract("").regions == ()


def test_pages_come_as_text_bytes_and_files(tmp_path: Path):
    (tmp_path / "page.html").write_text(PAGES[1])
    wrapper = peneira.learn([PAGES[0], PAGES[0].encode(), tmp_path / "page.html"], method="gstm")
    assert wrapper.extract(tmp_path / "page.html").main is not None


def test_extracting_a_page_does_not_change_the_result_of_another():
    wrapper = peneira.learn(PAGES, method="gstm")
    before = wrapper.extract(PAGES[0])
    wrapper.extract(shop(("<table><tr><td>x</table>", 1), ("y", 2)))
    assert wrapper.extract(PAGES[0]) == before


def test_cells_with_two_tags_are_extracted_as_learned():
    pages = [
        f"<h1>{k}</h1><table><tr>{row}</tr></table>"
        for k, row in enumerate(["<td>Ana<td>31<th>X<td>Faro", "<th>Y<td>Bia<td>27", "<td>Cid<td>40<th>Z<td>Beja"])
    ]
    wrapper = peneira.learn(pages, method="gstm", kind="detail")
    (record,) = wrapper.extract(pages[1]).main.records
    assert sorted(cell.text for cell in record.fields.values()) == ["1", "27", "Bia", "Y"]
    first = wrapper.extract(pages[0]).main.records[0].fields
    column_of = {cell.text: name for name, cell in first.items()}
    assert record.fields[column_of["Ana"]].text == "Bia"
    assert record.fields[column_of["31"]].text == "27"


@pytest.mark.parametrize("method", TREE_METHODS)
def test_columns_stay_columns_if_all_records_of_a_page_have_the_same_value(method: str):
    wrapper = peneira.learn(PAGES, method=method)
    fields = wrapper.extract(shop(("Fork", 2), ("Knife", 2), ("Spoon", 2))).main.records[1].fields
    assert sorted(cell.text for cell in fields.values()) == ["2 euro", "Knife", "in stock: 2"]


@pytest.mark.parametrize("method", TREE_METHODS)
def test_a_page_beyond_the_limits_does_not_affect_others(method: str):
    wrapper = peneira.learn(PAGES, method=method)
    before = wrapper.extract(PAGES[0])
    size = len(wrapper.tree.template.matcher.subtrees)
    hostile = "<div>" + "".join(f"<p><x{k}></x{k}></p>" for k in range(3000)) + "</div>"
    wrapper.extract(hostile)
    assert wrapper.extract(PAGES[0]) == before
    assert before.status == "complete"
    assert len(wrapper.tree.template.matcher.subtrees) < size + 50


def test_nothing_to_learn_from_is_an_error():
    for pages in ([], ["", " "], [b"", "<title>only a head</title>"]):
        with pytest.raises(InputError, match="no page to learn from"):
            peneira.learn(pages, method="gstm")


def test_an_unknown_way_to_learn_is_an_error():
    with pytest.raises(UnknownMethod, match="no way to learn named 'magic'; there are: auto, gstm, fivatech"):
        peneira.learn(PAGES, method="magic")


@given(st.lists(soup, min_size=1, max_size=3), soup, st.sampled_from(METHODS))
def test_any_pages_can_be_learned_from_and_any_page_extracted(pages: list[str], page: str, method: str):
    try:
        wrapper = peneira.learn(pages, method=method)
    except InputError:
        return
    for source in (*pages, page):
        result = wrapper.extract(source)
        assert (result.main is None) == (result.verdict in ("empty", "other-template")) == (not result.regions)
        records = result.main.records if result.main else ()
        assert all(record.ranges for record in records)
        assert {name for record in records for name in record.fields} <= {column.name for column in wrapper.columns}


def test_alternatives_with_equal_tags_are_one_template_node():
    def film(title: str, notes: str) -> str:
        return f"<h1>{title}</h1><div>{notes}</div><div><b>Director</b><i>{title} Smith</i></div><hr>"

    pages = [
        film("Up", "<p>a</p>"),
        film("Her", "<ul><li>x<li>y</ul><p>b</p><p>c</p><em>d</em>"),
        film("Big", "<u>e</u>"),
    ]
    wrapper = peneira.learn(pages, method="gstm", kind="detail")
    grammars = [str(node.child_model.grammar) for node in wrapper.tree.template.nodes]
    assert "|" not in grammars[0]


ROWS = "".join(f"<li><h3>Thing {k}</h3><p>{k} euro</p><div>of {k}</div></li>" for k in range(3))


@pytest.mark.parametrize("mark", [' class="things"', ""])
def test_a_list_is_found_on_a_page_with_another_layout(mark: str):
    wrapper = peneira.learn(
        [f"<header><p>Shop</p></header><main><ul{mark}>{ROWS}</ul></main>"], method="gstm", kind="list"
    )
    moved = f"<table><tr><td><ol><li>a<li>b</ol><td><section><ul{mark}>{ROWS * 2}</ul></section></table>"
    result = wrapper.extract(moved)
    assert result.main is not None
    assert [record.text for record in result.main.records] == [f"Thing {k} {k} euro of {k}" for k in (0, 1, 2, 0, 1, 2)]
