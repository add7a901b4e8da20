from __future__ import annotations

import tracemalloc

import pytest

import peneira
from peneira.methods.mdr import data_records, data_regions, find_regions, record_texts
from peneira.methods.tag_tree import TagTree
from peneira.sources.html import read_page


def mined(html: str) -> list[list[str]]:
    """Return the texts of the records of each data region."""
    page = read_page(html)
    tree = TagTree(page)
    return [
        [" ".join(page.visible_text(i) for i in record) for record in data_records(tree, region)]
        for region in data_regions(tree)
    ]


def item(k: int) -> str:
    return f"<h3>Item {k}</h3><p>text <b>{k}</b></p>"


def test_similar_siblings_are_a_region():
    html = "<ul>" + "".join(f"<li>{item(k)}</li>" for k in range(4)) + "</ul>"
    assert mined(html) == [[f"Item {k} text {k}" for k in range(4)]]


def test_a_generalised_node_may_be_several_siblings():
    html = "<div>" + "".join(f"<h3><a>T {k}</a></h3><p><i>x</i><b>y {k}</b></p><hr>" for k in range(4)) + "</div>"
    assert mined(html) == [[f"T {k} xy {k}" for k in range(4)]]


def test_siblings_that_differ_are_no_region():
    assert mined("<div><p><b>a</b></p><table><tr><td>b</table><ul><li>c<li>d</ul></div>") == [["c", "d"]]


def test_every_repetitive_region_is_reported_menus_too():
    menu = "<ul>" + "".join(f"<li><a>Menu {k}</a></li>" for k in range(3)) + "</ul>"
    items = "<div>" + "".join(f"<div>{item(k)}</div>" for k in range(3)) + "</div>"
    assert [len(region) for region in mined(menu + items)] == [3, 3]


def test_regions_inside_a_record_are_not_reported():
    cells = "".join(f"<li>{item(k)}<ul><li>a</li><li>b</li></ul></li>" for k in range(3))
    assert [len(region) for region in mined(f"<ul>{cells}</ul>")] == [3]


def test_the_cells_of_a_row_are_several_records_in_one_generalised_node():
    row = "".join(f"<td>{item(k)}</td>" for k in range(3))
    assert [len(region) for region in mined(f"<table><tr>{row}</tr><tr>{row}</tr></table>")] == [6]


def test_a_row_of_a_data_table_is_one_record():
    rows = "".join(f"<tr><td>{k}</td><td>b</td><td>c</td></tr>" for k in range(3))
    assert mined(f"<table>{rows}</table>") == [["0 b c", "1 b c", "2 b c"]]


def test_records_that_lie_across_rows_are_joined_by_column():
    names = "<tr>" + "".join(f"<td><b><i>N{k}</i></b></td>" for k in range(3)) + "</tr>"
    prices = "<tr>" + "".join(f"<td><u>P{k}</u><s>x</s><em>y</em></td>" for k in range(3)) + "</tr>"
    assert mined(f"<table>{names}{prices}{names}{prices}</table>") == [["N0 P0xy", "N1 P1xy", "N2 P2xy"] * 2]


def test_empty_separators_between_records_are_no_records():
    html = "<ul>" + "".join(f"<li>{item(k)}</li>" + ("<li></li>" if k % 3 == 2 else "") for k in range(9)) + "</ul>"
    assert [len(region) for region in mined(html)] == [9]


@pytest.mark.parametrize("page", ["<body hidden><p>x</p>{}", "<p>x</p><div hidden>{}</div>"])
def test_hidden_records_have_at_most_all_of_the_text(page: str):
    items = "<ul>" + "".join(f"<li>{item(k)}</li>" for k in range(9)) + "</ul>"
    (region,) = find_regions(read_page(page.format(items)))
    share = region.reasons[0].value
    assert share is not None and 0.9 < share <= 1


@pytest.mark.parametrize("html", ["", "<body></body>", "text only", "<p>one</p>", "<script>x</script>"])
def test_pages_without_records_have_no_regions(html: str):
    assert record_texts(read_page(html)) == []


def test_a_hundred_thousand_siblings_are_records():
    page = read_page("<ul>" + "<li><a>x</a><b>y</b></li>" * 100_000 + "</ul>")
    assert len(record_texts(page)) == 100_000


def test_alternating_siblings_are_grouped_into_records_in_time():
    page = read_page(
        "<div>" + "".join(f"<{t}><i>{k}</i></{t}>" for k in range(5_000) for t in ("p", "h2", "ul")) + "</div>"
    )
    assert record_texts(page) == [f"{k} {k} {k}" for k in range(5_000)]


def test_deep_pages_take_memory_by_their_rows_not_by_rows_times_depth():
    page = read_page("<body>" + "".join(f"<div><p>{'<b></b>' * (k % 13)}x</p>" for k in range(2_000)))
    tracemalloc.start()
    TagTree(page)
    _, max_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert max_bytes < 1_000 * len(page)


def test_mdr_and_tps_mdr_can_be_called_by_name(sample):
    raw = peneira.extract(sample, method="mdr")
    filtered = peneira.extract(sample, method="tps+mdr")
    assert len(raw.main.records) == len(filtered.main.records) == 18  # two adverts pass for records
    assert len(filtered.regions) < len(raw.regions)
    assert filtered.main.records[0].xpath == raw.main.records[0].xpath
    assert "company" in filtered.main.table.names


def test_records_that_a_script_shows_later_are_read_and_have_columns():
    items = "".join(f"<li><b class=name>N {k}</b> <i class=city>C {k}</i></li>" for k in range(4))
    main = peneira.extract(f"<div style='display:none'><ul>{items}</ul></div>", method="mdr").main
    assert main is not None
    assert [record.text for record in main.records] == [f"N {k} C {k}" for k in range(4)]
    assert [[cell and cell.text for cell in row] for row in main.table.rows] == [[f"N {k}", f"C {k}"] for k in range(4)]


@pytest.mark.parametrize("tags", [10, 11])
def test_a_generalised_node_has_at_most_ten_siblings(tags: int):
    names = "h1 h2 h3 p pre ul ol section article header footer".split()[:tags]
    row = "".join(f"<{name}><i>{name}</i></{name}>" for name in names)
    assert [region.size for region in data_regions(TagTree(read_page(f"<div>{row}{row}</div>")))] == [10]


@pytest.mark.parametrize(("removed", "are_similar"), [(3, True), (4, False)])
def test_nodes_that_differ_in_more_than_three_tags_of_ten_are_not_similar(removed: int, are_similar: bool):
    page = read_page(f"<div>{'<b></b>' * 9}</div><div>{'<b></b>' * (9 - removed)}</div>")
    one, other = [i for i in range(len(page)) if page.name(i) == "div"]
    assert TagTree(page).are_similar([one], [other]) == are_similar


def test_several_products_in_a_row_are_records_of_their_own():
    def product(k: int, *, extra: bool) -> str:
        parts = f"<a href=/{k}><img src=/{k}.png></a><h3>Product {k}</h3><p><b>{k}</b> <i>euro</i></p>"
        return f"<div>.</div><div>{parts}{'<em>new</em>' if extra else ''}</div>"

    rows = "".join(
        f"<section>{''.join(product(4 * row + k, extra=k == row) for k in range(4))}</section>" for row in range(3)
    )
    (main, *_) = find_regions(read_page(f"<main>{rows}</main>"))
    assert [record.text.split(" euro")[0].lstrip(". ") for record in main.records] == [
        f"Product {k} {k}" for k in range(12)
    ]


def test_trees_are_compared_by_matching_and_strings_by_distance():
    page = read_page("<div><p><b></b><i></i></p></div><div><p><b></b></p><i></i></div>")
    one, other = (i for i in range(len(page)) if page.name(i) == "div")
    assert TagTree(page).similarity([one], [other]) == 1.0  # the same tags in the same order
    assert TagTree(page, comparison="trees").similarity([one], [other]) == 0.75  # the i hangs elsewhere


def test_the_confidence_is_how_alike_records_are_and_not_their_share_of_the_text():
    rows = "".join(f"<li><a href=/{k}>Row {k}</a> text" for k in range(4))
    page = f"<ul>{rows}</ul>"
    longer = f"{page}<p>{'other words ' * 100}</p>"
    (alone, *_), (beside, *_) = find_regions(read_page(page)), find_regions(read_page(longer))
    assert alone.confidence == beside.confidence == 0.75
