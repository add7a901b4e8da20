"""Records in pieces: interleaved rows, columns of comparison tables, heads and bodies in different containers."""

from __future__ import annotations

import pytest

import peneira
from peneira.lists.arrangement_finder import find_arrangements
from peneira.lists.cell_kinds import MAX_KEPT_ROWS, CellReader
from peneira.lists.line_blocks import blocks_of
from peneira.lists.rearranged import _overlapping, rearranged_page
from peneira.page import Page
from peneira.reasons import ReasonCode
from peneira.result import Region
from pieces import MENU, NAMES, as_divisions, comparison, group_rows, interleaved, price

URL = "http://shop.example/"


def main_of(html: str) -> Region:
    main = peneira.extract(html, url=URL).main
    assert main is not None
    return main


def rows_of(html: str) -> list[tuple[str, ...]]:
    """Return title, price, url and image of each record, "" where one is missing."""
    names = ("title", "price", "url", "image")
    return [tuple(record[name].text if name in record else "" for name in names) for record in main_of(html)]


def expected_rows(count: int, without_price: tuple[int, ...] = ()) -> list[tuple[str, ...]]:
    return [(NAMES[k], "" if k in without_price else price(k), f"{URL}p/{k}", f"{URL}i/{k}.jpg") for k in range(count)]


@pytest.mark.parametrize(("count", "width"), [(8, 2), (9, 3), (8, 4)])
def test_a_record_is_a_cell_of_each_row_of_its_group(count: int, width: int):
    assert rows_of(interleaved(count, width)) == expected_rows(count)


@pytest.mark.parametrize(("count", "width"), [(7, 2), (8, 3), (7, 3), (9, 4)])
def test_the_last_group_may_be_short(count: int, width: int):
    assert rows_of(interleaved(count, width)) == expected_rows(count)


def test_the_last_group_may_have_no_cells_to_fill_its_rows():
    html = interleaved(6, 3).replace("</table>", "".join(group_rows([6], 1)) + "</table>")
    assert rows_of(html) == expected_rows(7)


def test_a_missing_price_moves_no_other_price():
    html = interleaved(9, 3, price_of=lambda k: "" if k in (1, 5) else price(k))
    assert rows_of(html) == expected_rows(9, without_price=(1, 5))


@pytest.mark.parametrize("group", [0, 1, 2, 3])
def test_a_group_may_lack_its_row_of_prices(group: int):
    members = (2 * group, 2 * group + 1)
    html = interleaved(8, 2).replace(group_rows(members, 2)[2], "")
    assert rows_of(html) == expected_rows(8, without_price=members)


def test_a_last_group_of_one_record_may_lack_its_row_of_prices():
    html = interleaved(6, 3).replace("</table>", "".join(group_rows([6], 1)[:2]) + "</table>")
    assert rows_of(html) == expected_rows(7, without_price=(6,))


def test_a_last_group_of_which_only_pictures_are_left_is_not_passed_over():
    html = interleaved(6, 3).replace("</table>", group_rows([6, 7, 8], 3)[0] + "</table>")
    assert find_arrangements(Page.from_html(html)) == []


@pytest.mark.parametrize("lacking", [(1, 3), (0, 2)])
def test_groups_that_lack_a_row_in_turn_are_not_merged(lacking: tuple[int, ...]):
    html = interleaved(8, 2)
    for group in lacking:
        html = html.replace(group_rows((2 * group, 2 * group + 1), 2)[2], "")
    found = find_arrangements(Page.from_html(html))
    assert all(len(pieces) == 3 for own in found for section in own.sections for pieces in section.records)


@pytest.mark.parametrize("group", [0, 1, 2, 3])
def test_rows_of_names_and_prices_of_which_one_is_missing_are_left_as_they_are(group: int):
    names = [
        "|".join(f"<a href=/p/{k}>Lamp {k:02} in red</a>" for k in range(first, first + 3)) for first in (0, 3, 6, 9)
    ]
    rows = [row for name in names for row in (name, "$1.00|$2.00|$3.00")]
    del rows[2 * group + 1]
    assert find_arrangements(Page.from_html(table(*rows))) == []


@pytest.mark.parametrize("missing", [3, 4, 5])
def test_a_row_of_prices_that_lacks_a_cell_has_no_prices_rather_than_wrong_ones(missing: int):
    html = interleaved(9, 3).replace(f"<td>{price(missing)}</td>", "")
    assert rows_of(html) == expected_rows(9, without_price=(3, 4, 5))


def test_a_row_of_prices_that_lacks_a_cell_in_a_short_group_has_no_prices():
    html = interleaved(8, 3).replace(f"<td>{price(6)}</td>", "")
    assert rows_of(html) == expected_rows(8, without_price=(6, 7))


def test_a_row_of_prices_may_lack_the_cells_that_fill_the_last_row():
    html = interleaved(8, 3).replace(f"<td>{price(7)}</td><td></td>", f"<td>{price(7)}</td>")
    assert rows_of(html) == expected_rows(8)


def test_a_cell_that_spans_columns_is_no_missing_cell():
    html = interleaved(9, 3).replace(f"<td>{price(3)}</td><td>{price(4)}</td>", f"<td colspan=2>{price(3)}</td>")
    assert rows_of(html) == expected_rows(9, without_price=(4,))


@pytest.mark.parametrize(
    "separator",
    [
        "<tr><td colspan=3><hr></td></tr>",
        "<tr><td colspan=3>More of our products</td></tr>",
        "<tr><td>&nbsp;</td><td>&nbsp;</td><td>&nbsp;</td></tr>",
    ],
)
def test_a_row_between_groups_is_no_record(separator: str):
    assert rows_of(interleaved(9, 3, separator=separator)) == expected_rows(9)


def test_columns_that_only_keep_others_apart_are_no_records():
    html = interleaved(9, 3).replace("</td><td>", "</td><td width=9><img src=/spacer.gif></td><td>")
    assert rows_of(html) == expected_rows(9)


def test_rows_may_be_divisions():
    assert rows_of(as_divisions(interleaved(9, 3))) == expected_rows(9)


def test_rows_may_be_tables_of_their_own():
    html = interleaved(9, 3).replace("<table>", "<div>").replace("</table>", "</div>")
    html = html.replace("<tr>", "<table><tr>").replace("</tr>", "</tr></table>")
    assert rows_of(html) == expected_rows(9)


def test_a_single_group_is_enough_if_pictures_and_titles_link_to_the_same_pages():
    assert rows_of(interleaved(4, 4)) == expected_rows(4)


def test_rows_around_the_groups_are_left_out():
    html = interleaved(9, 3).replace("<table>", "<table><tr><td>Sort by</td><td><a href=/?s=1>price</a></td></tr>")
    assert rows_of(html) == expected_rows(9)


def test_a_record_has_a_range_for_each_piece_and_the_address_of_the_first():
    html = interleaved(4, 2)
    page, record = Page.from_html(html), main_of(html)[1]
    assert [page.html(start) for start, _ in record.ranges] == [
        '<td><a href="/p/1"><img src="/i/1.jpg"></a></td>',
        '<td><a href="/p/1">Clay pot</a></td>',
        "<td>$11.90</td>",
    ]
    assert all(page.end[start] == end for start, end in record.ranges)
    assert (record.text, record.xpath) == ("Clay pot $11.90", page.xpath(record.ranges[0][0]))
    assert record["price"].xpath == page.xpath(record.ranges[2][0])


def test_the_reasons_say_how_the_records_are_arranged():
    first = main_of(interleaved(9, 3)).reasons[0]
    assert first.code == ReasonCode.REARRANGED
    assert str(first) == "each record is 3 cells in 3 rows: pictures, links, prices"


@pytest.mark.parametrize("label_tag", ["th", "td"])
def test_the_columns_of_a_comparison_table_are_records_and_its_labels_name_them(label_tag: str):
    main = main_of(comparison(label_tag))
    assert [record.text for record in main] == [
        "Copper kettle $10.90 3 hours made of copper",
        "Clay pot $11.90 4 hours made of clay",
        "Iron pan $12.90 5 hours made of cast iron",
    ]
    assert [record["title"].text for record in main] == list(NAMES[:3])
    assert [record["price"].text for record in main] == [price(k) for k in range(3)]
    assert {"Battery life", "Material"} <= {column.caption for column in main.columns}
    assert main.reasons[0].code == ReasonCode.REARRANGED


def test_the_rows_of_a_comparison_may_be_divisions():
    html = comparison("td").replace("<tr><td>", "<tr><td class=label>")
    html = as_divisions(html).replace("<td class=label>", "<div class=label>")
    main = main_of(html)
    assert [record["title"].text for record in main] == list(NAMES[:3])
    assert {"Battery life", "Material"} <= {column.caption for column in main.columns}


def test_heads_and_bodies_in_different_containers_belong_together():
    heads = "".join(f"<h3>{name}</h3>" for name in NAMES[:5])
    bodies = [f"Number {k} is made by hand in a small workshop in the hills." for k in range(5)]
    html = f"{MENU}<main><div class=heads>{heads}</div><div>{''.join(f'<p>{body}</p>' for body in bodies)}</div></main>"
    assert [record.text for record in main_of(html)] == [
        f"{name} {body}" for name, body in zip(NAMES, bodies, strict=False)
    ]


def test_heads_belong_to_the_bodies_that_they_link_to():
    heads = "".join(f"<li><a href=#{k}>{name}</a></li>" for k, name in enumerate(NAMES[:5]))
    bodies = "".join(f"<div id={k}><p>Made by hand in workshop {k}, with a warranty.</p></div>" for k in range(5))
    main = main_of(f"{MENU}<main><ul>{heads}</ul><section>{bodies}</section></main>")
    assert [record.text for record in main] == [
        f"{NAMES[k]} Made by hand in workshop {k}, with a warranty." for k in range(5)
    ]


def table(*rows: str, tag: str = "td") -> str:
    cells = ("".join(f"<{tag}>{cell}</{tag}>" for cell in row.split("|")) for row in rows)
    return f"{MENU}<table>{''.join(f'<tr>{own}</tr>' for own in cells)}</table>"


ORDINARY = {
    "a record per row": table(*(f"<a href=/p/{k}>{NAMES[k]}</a>|<img src=/{k}.jpg>|{price(k)}" for k in range(8))),
    "records of two rows": MENU
    + "<table>"
    + "".join(
        f"<tr><td colspan=3><a href=/p/{k}>{NAMES[k]}</a></td></tr>"
        f"<tr><td>{k} pieces</td><td>blue</td><td>{price(k)}</td></tr>"
        for k in range(8)
    )
    + "</table>",
    "statistics": table("Player|Games|Goals|Points", *(f"{NAMES[k]}|{k + 20}|{k}|{2 * k}" for k in range(8))),
    "amounts by year": table("|2021|2022|2023", "Sales|$5|$6|$7", "Margin|12%|13%|14%", "Staff|120|130|140"),
    "prices by shop": table(
        "|<img src=a.png>|<img src=b.png>|<img src=c.png>", *(f"{NAMES[k]}|$5.00|$6.00|$7.00" for k in range(8))
    ),
    "a calendar": table("Mo|Tu|We|Th", *(f"{k}|{k + 1}|{k + 2}|{k + 3}" for k in range(1, 28, 4))),
    "a calendar with events": table(
        *(row for k in range(1, 28, 4) for row in (f"{k}|{k + 1}|{k + 2}|{k + 3}", "Choir||Market|Fair"))
    ),
    "scores": table(*(row for k in range(0, 8, 2) for row in (f"{NAMES[k]}|{NAMES[k + 1]}", f"{k}|{k + 1}"))),
    "a grid of cards": table(
        *(
            "|".join(f"<img src=/{k}.jpg><a href=/p/{k}>{NAMES[k]}</a> {price(k)}" for k in range(first, first + 3))
            for first in (0, 3, 6)
        )
    ),
    "a form": table("Name|Email|Phone", "<input>|<input>|<input>", "Street|City|Zip", "<input>|<input>|<input>"),
    "a page laid out by a table": table(
        "<img src=logo.png>|<a href=/login>Log in</a>",
        f"{MENU}|<p>{'Words of an article. ' * 20}</p>",
        "Imprint|Contact",
    ),
    "a table with a header and one row": table("Name|City|Country", "Ada|London|England"),
}


@pytest.mark.parametrize("html", ORDINARY.values(), ids=ORDINARY.keys())
def test_ordinary_tables_are_left_as_they_are(html: str):
    assert find_arrangements(Page.from_html(html)) == []


def test_a_menu_beside_a_list_of_the_same_length_is_no_container_of_heads():
    menu = "".join(f"<li><a href=/{k}>Section {k}</a></li>" for k in range(5))
    posts = "".join(f"<article><h2>{NAMES[k]}</h2><p>Made by hand, number {k}.</p></article>" for k in range(5))
    assert find_arrangements(Page.from_html(f"<ul>{menu}</ul><main>{posts}</main>")) == []


def test_a_page_without_lines_of_cells_and_an_empty_page_have_no_arrangement():
    assert find_arrangements(Page.from_html("<p>Nothing to see</p>")) == []
    assert find_arrangements(Page.from_html("")) == []


@pytest.mark.parametrize("html", [interleaved(9, 3), comparison(), as_divisions(interleaved(8, 4))])
def test_a_rearranged_page_has_nothing_left_to_rearrange(html: str):
    rearranged = rearranged_page(Page.from_html(html))
    assert rearranged is not None
    assert find_arrangements(rearranged.page) == []


def test_every_row_of_a_rearranged_page_is_new_or_has_the_text_it_had():
    page = Page.from_html(interleaved(8, 3))
    rearranged = rearranged_page(page)
    assert rearranged is not None
    for row, old in enumerate(rearranged.origin):
        if old >= 0:
            assert rearranged.page.name(row) == page.name(old)
            assert rearranged.page.text[row] == page.text[old]


def test_lists_are_the_same_in_several_pages_of_a_site():
    first, second = peneira.extract_all([interleaved(9, 3), interleaved(8, 3)])
    assert first.main is not None and second.main is not None
    assert [column.name for column in first.main.columns] == [column.name for column in second.main.columns]
    assert len(second.main[0].ranges) == 3


def test_embedded_data_is_joined_to_records_in_pieces():
    items = ",".join(f'{{"@type":"Product","name":"{NAMES[k]}","url":"{URL}p/{k}","sku":"A-{k}77"}}' for k in range(9))
    html = f'<script type="application/ld+json">[{items}]</script>{interleaved(9, 3)}'
    main = main_of(html)
    assert [record["sku"].text for record in main] == [f"A-{k}77" for k in range(9)]
    assert len(main[0].ranges) == 3


@pytest.mark.parametrize("span", [(start, end) for start in range(12) for end in range(start + 1, 13)])
def test_ranges_that_overlap_a_span_are_those_that_share_rows_with_it(span: tuple[int, int]):
    ranges = [(1, 3), (3, 4), (6, 10)]
    shared = [other for other in ranges if set(range(*span)) & set(range(*other))]
    assert list(_overlapping(span, ranges)) == shared


def test_each_block_has_its_own_lines():
    html = interleaved(4, 2) + interleaved(6, 3)
    page = Page.from_html(html)
    widths = [[len(item.cells) for item in block.items if item is not None] for block in blocks_of(CellReader(page))]
    assert widths == [[2] * 6, [3] * 6]


def test_the_links_of_cells_in_cells_are_not_kept_for_each_of_the_large_ones():
    links = "".join(f"<a href=/{k}>{k}</a>" for k in range(MAX_KEPT_ROWS))
    page = Page.from_html("<table><td>" * 5 + f"<p><a href=/few>few</a></p>{links}")
    reader = CellReader(page)
    few = next(row for row in range(len(page)) if page.name(row) == "p")
    assert reader.links(few) == {"/few"}
    assert reader.links(few) is reader.links(few)
    large = [row for row in range(len(page)) if page.name(row) == "td"]
    found = [reader.links(row) for row in large]
    assert len(found) == 5 and all(len(own) == MAX_KEPT_ROWS + 1 for own in found)
    assert all(reader.links(row) is not own for row, own in zip(large, found, strict=True))


def test_a_page_without_characters_has_no_blocks():
    row = "<tr><td><img src=a.jpg></td><td><img src=b.jpg></td></tr>"
    other = "<tr><td><a href=/1><img src=c.jpg></a></td><td><a href=/2><img src=d.jpg></a></td></tr>"
    page = Page.from_html(f"<table>{row}{other}{row}{other}</table>")
    assert list(blocks_of(CellReader(page))) == []
