"""One schema for several pages of a site: which columns are one field, and how it is named, typed and ordered."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

import peneira
from peneira.columns.joined_sites import joined_names
from peneira.columns.site_schema import MAX_COLUMNS, with_site_schema
from peneira.reasons import ReasonCode
from peneira.result import Cell, Record, Region
from peneira.table import Column, Table


def column(name: str, path: str = "", **others: object) -> Column:
    return replace(Column(name, caption=name, fill=1.0, path=path or name), **others)  # type: ignore[arg-type]


def page(columns: list[Column], *rows: list[str | None]) -> Region:
    """Return a list whose hidden columns are those of the template; cells are texts."""
    records = tuple(
        Record(
            ranges=(),
            text="",
            xpath="",
            fields={
                own.name: Cell(text, f"/li[{n}]/p[{k}]")
                for k, (own, text) in enumerate(zip(columns, row, strict=True), start=1)
                if text is not None
            },
        )
        for n, row in enumerate(rows, start=1)
    )
    shown = tuple(own for own in columns if not own.is_template)
    return Region("/ul", records, 1.0, shown, (), tuple(columns))


def names(region: Region) -> list[str]:
    return [own.name for own in region.columns]


def texts(region: Region) -> list[list[str | None]]:
    return [[cell.text if cell else None for cell in row] for row in region.table.rows]


TITLE = column("title", "h3", role="title")
PRICE = column("price", "p.price", role="price")
URL = column("url", "a/@href", type="url", role="url")
POTS = page([TITLE, PRICE, URL], ["Pot", "$1", "/a"], ["Pan", "$2", "/b"])


# --- which columns are one field -------------------------------------------------------------------------------------


def test_one_page_keeps_its_columns():
    assert with_site_schema([POTS]) == [POTS]


def test_pages_with_equal_columns_keep_them():
    assert with_site_schema([POTS, POTS]) == [POTS, POTS]


def test_a_field_of_the_second_page_only_is_empty_on_the_first():
    colour = column("colour", "p.colour")
    lamps = page([TITLE, colour, PRICE, URL], ["Lamp", "red", "$3", "/c"])
    first, second = with_site_schema([POTS, lamps])
    assert names(first) == names(second) == ["title", "colour", "price", "url"]
    assert texts(first) == [["Pot", None, "$1", "/a"], ["Pan", None, "$2", "/b"]]
    assert texts(second) == [["Lamp", "red", "$3", "/c"]]
    assert [own.fill for own in first.columns] == [1.0, 0.0, 1.0, 1.0]


def test_a_number_behind_a_name_does_not_shift():
    first = page([TITLE, column("text", "p.a"), column("text_2", "p.b")], ["x", "a1", "b1"])
    second = page(
        [TITLE, column("text", "p.new"), column("text_2", "p.a"), column("text_3", "p.b")], ["y", "n", "a2", "b2"]
    )
    one, two = with_site_schema([first, second])
    assert texts(one) == [["x", None, "a1", "b1"]]
    assert texts(two) == [["y", "n", "a2", "b2"]]
    assert names(one) == names(two) == ["title", "text_3", "text", "text_2"]


def test_a_role_that_one_page_did_not_see_is_that_of_the_field():
    other = page([column("name", "h3"), PRICE, URL], ["Lamp", "$3", "/c"])
    one, two = with_site_schema([POTS, other])
    assert names(two) == names(one) == ["title", "price", "url"]
    assert two[0]["title"].text == "Lamp"


def test_place_counts_more_than_role():
    # both pages have h2 and h3; the third page takes the other for the title
    pages = [page([TITLE, column("brand", "h2")], ["Pot", "Acme"]) for _ in range(2)]
    odd = page([column("name", "h3"), column("title", "h2", role="title")], ["Pan", "Acme"])
    *_, last = with_site_schema([*pages, odd])
    assert last.to_dicts() == [{"title": "Pan", "brand": "Acme"}]


def test_pages_of_another_form_are_joined_by_role():
    other = page([column("title", "div.head", role="title"), column("price", "b", role="price")], ["Lamp", "$3"])
    one, two = with_site_schema([POTS, other])
    assert names(two) == names(one) == ["title", "price", "url"]
    assert texts(two) == [["Lamp", "$3", None]]


def test_a_page_that_lacks_the_field_of_a_role_keeps_its_own_of_that_role():
    share = column("share_url", "i/@href", type="url", is_template=True)
    pages = [page([TITLE, URL, share], ["Pot", "/a", "/s"]) for _ in range(2)]
    odd = page([TITLE, replace(share, name="url", role="url", is_template=False)], ["Pan", "/b"])
    *_, last = with_site_schema([*pages, odd])
    assert last.to_dicts() == [{"title": "Pan", "url": "/b"}]


def test_a_label_joins_fields_of_other_places_and_tells_those_of_one_place_apart():
    first = page([column("size", "dl/dd", label="Size"), column("colour", "dl/dd", label="Colour")], ["9", "red"])
    second = page([column("colour", "p", label="colour"), column("maker", "dl/dd", label="Maker")], ["blue", "Acme"])
    one, two = with_site_schema([first, second])
    assert one.to_dicts() == [{"size": "9", "colour": "red", "maker": None}]
    assert two.to_dicts() == [{"size": None, "colour": "blue", "maker": "Acme"}]


def test_fields_of_one_role_and_different_labels_stay_apart():
    posted = page([column("date", "p.a", role="date", label="Posted")], ["2 May"])
    closing = page([column("date", "p.b", role="date", label="Closing")], ["9 May"])
    one, two = with_site_schema([posted, closing])
    assert one.to_dicts() == [{"date": "2 May", "closing": None}]
    assert two.to_dicts() == [{"date": None, "closing": "9 May"}]


def test_of_several_columns_at_one_place_those_that_look_alike_are_one_field():
    first = page([column("text", "p"), column("text_2", "p")], ["Porto", "likes long walks"], ["Faro", "likes the sea"])
    second = page(
        [column("text", "p"), column("text_2", "p", type="integer"), column("text_3", "p")],
        ["Beja", "2019", "likes to cook a lot"],
        ["Faro", "2020", "likes cars"],
    )
    one, two = with_site_schema([first, second])
    assert texts(one)[0] == ["Porto", None, "likes long walks"]
    assert texts(two)[0] == ["Beja", "2019", "likes to cook a lot"]


def test_outer_class_words_may_differ_between_pages():
    first = page([TITLE, column("colour", "div.a/p.colour")], ["Pot", "red"])
    second = page([TITLE, column("colour", "div.b/p.colour")], ["Pan", "blue"])
    assert [names(each) for each in with_site_schema([first, second])] == [["title", "colour"]] * 2


def test_two_fields_that_look_alike_at_different_places_are_not_one():
    first = page([TITLE, column("company", "p.company")], ["a", "Acme"])
    second = page([TITLE, column("location", "p.location")], ["b", "Faro"])
    one, two = with_site_schema([first, second])
    assert names(one) == names(two) == ["title", "company", "location"]


# --- what is shown, and in which order -------------------------------------------------------------------------------


def test_a_field_that_half_of_its_pages_show_is_shown_everywhere():
    hidden = page([TITLE, column("state", "p.state", is_template=True)], ["Pot", "new"])
    shown = page([TITLE, column("state", "p.state")], ["Pan", "old"])
    assert [names(each) for each in with_site_schema([hidden, shown])] == [["title", "state"]] * 2
    one, *_ = with_site_schema([hidden, hidden, shown])
    assert names(one) == ["title"]
    assert [own.name for own in one.all_columns] == ["title", "state"]


def test_a_field_that_was_shown_for_a_role_of_another_field_is_not_shown():
    first = page([TITLE, column("name", "h2", is_template=True)], ["Pot", "pots"])
    second = page([column("text", "h3", is_template=True), column("title", "h2", role="title")], ["Pan", "pans"])
    third = page([TITLE], ["Lid"])
    assert [names(each) for each in with_site_schema([first, second, third])] == [["title"]] * 3


def test_a_field_that_repeats_another_is_not_shown_because_half_of_the_pages_show_it():
    whole, part = column("meta", "p"), column("meta_part", "p", part="comma")
    first = page([TITLE, whole, replace(part, is_template=True)], ["Pot", "Acme, Faro", "Acme"])
    second = page([TITLE, whole, part], ["Pan", "Zeta, Beja", "Zeta"])
    assert [names(each) for each in with_site_schema([first, second])] == [["title", "meta"]] * 2


def test_fields_of_a_later_page_stand_where_a_reader_wants_them():
    dated = page([TITLE, column("date", "time", role="date"), URL], ["Pot", "2 May", "/a"])
    one, _ = with_site_schema([dated, POTS])
    assert names(one) == ["title", "price", "date", "url"]
    one, _ = with_site_schema([POTS, dated])
    assert names(one) == ["title", "price", "date", "url"]


def test_a_site_of_very_many_columns_keeps_the_fullest_and_says_so():
    pages = [page([TITLE, *(column(f"c{p}_{k}") for k in range(40))], ["t", *"x" * 40]) for p in range(9)]
    first, *_ = with_site_schema(pages)
    assert len(first.all_columns) == MAX_COLUMNS
    assert names(first)[0] == "title"
    assert [reason.code for reason in first.reasons] == [ReasonCode.COLUMNS_LEFT_OUT]


# --- types -----------------------------------------------------------------------------------------------------------


def test_whole_numbers_and_others_are_numbers():
    first = page([column("stars", type="integer")], ["4"])
    second = page([column("stars", type="number")], ["4.5"])
    assert [each.columns[0].type for each in with_site_schema([first, second])] == ["number", "number"]


def test_columns_of_different_types_are_read_again_over_all_pages():
    # 03/04 can be read in two ways, which 25/12 of the other page decides
    first = page([column("day")], ["03/04/2024"], ["05/06/2024"])
    second = page([column("day", type="date")], ["25/12/2024"], ["26/12/2024"])
    one, two = with_site_schema([first, second])
    assert [each.columns[0].type for each in (one, two)] == ["date", "date"]
    assert str(one[0]["day"].value) == "2024-04-03"
    assert str(two[0]["day"].value) == "2024-12-25"


def test_columns_without_a_common_type_are_text():
    first = page([column("note", type="integer")], ["4"], ["5"])
    second = page([column("note")], ["as new, in its box"], ["worn"])
    one, _ = with_site_schema([first, second])
    assert (one.columns[0].type, one[0]["note"].type, one[0]["note"].value) == ("text", "text", "4")


def test_a_list_on_one_page_is_a_list_on_all():
    first = page([column("tags")], ["red"])
    second = page([column("tags", type="list")], ["red, blue"])
    one, _ = with_site_schema([first, second])
    assert (one.columns[0].type, one[0]["tags"].items) == ("list", ("red",))


# --- nested records --------------------------------------------------------------------------------------------------


def offers(columns: list[Column], *rows: list[str]) -> Region:
    """Return a list of one product with nested records of these columns."""
    inner = page(columns, *rows)
    table = inner.table
    cell = Cell("offers", "", "records", ("offers",), ("offers",), table=table)
    outer = column("offers", "ul", type="records", columns=inner.columns)
    record = Record((), "", "", fields={"title": Cell("Pot", ""), "offers": cell}, records=inner.records)
    return Region("/ul", (record,), 1.0, (TITLE, outer), (), (TITLE, outer))


def test_nested_records_of_several_pages_have_the_same_columns():
    first = offers([column("text", "b"), column("text_2", "i")], ["Ana", "1"])
    second = offers([column("text", "u"), column("text_2", "b"), column("text_3", "i")], ["new", "Bia", "2"])
    one, two = with_site_schema([first, second])
    assert [own.name for own in one.columns[1].columns] == [own.name for own in two.columns[1].columns]
    assert isinstance(two[0]["offers"].table, Table)
    assert one.to_dicts()[0]["offers"] == [{"text_3": None, "text": "Ana", "text_2": "1"}]
    assert two.to_dicts()[0]["offers"] == [{"text_3": "new", "text": "Bia", "text_2": "2"}]
    assert [record["text"].text for record in two[0].records] == ["Bia"]


# --- several sites in one table --------------------------------------------------------------------------------------


def test_sites_are_joined_by_role_and_label_and_never_by_other_names():
    one = [TITLE, column("size", label="Size"), column("text_2"), column("colour", "p.colour")]
    two = [column("name", role="title"), column("dimension", label="SIZE"), column("text_2"), column("colour")]
    assert joined_names([("a.example", one), ("b.example", two)]) == [
        {"title": "title", "size": "size", "text_2": "text_2", "colour": "colour"},
        {"name": "title", "dimension": "size", "text_2": "text_2_b_example", "colour": "colour_b_example"},
    ]


# --- whole pages -----------------------------------------------------------------------------------------------------

GOODS = [("Red kettle", "$10.50"), ("Blue kettle", "$20.00"), ("Clay pot", "$30.00"), ("Iron pan", "$45.90")]


def shop(host: str = "shop.example", *, colours: bool = False) -> str:
    cards = "".join(
        f"<li><h3 class=title><a href=/{k}>{name}</a></h3><p class=price>{price}</p>"
        f"{f'<p class=colour>shade {k} of grey</p>' if colours else ''}</li>"
        for k, (name, price) in enumerate(GOODS)
    )
    return f"<link rel=canonical href=https://{host}/list><ul>{cards}</ul>"


def test_one_page_has_the_columns_that_it_has_among_others_of_its_site():
    alone = peneira.extract(shop()).main
    together = peneira.extract_all([shop(), shop()])
    assert alone is not None
    assert [result.main for result in together] == [alone, alone]


def test_the_lists_of_two_pages_of_a_site_have_the_same_columns():
    plain, coloured = peneira.extract_all([shop(), shop(colours=True)])
    assert plain.main is not None and coloured.main is not None
    assert plain.regions[0] is plain.main
    assert names(plain.main) == names(coloured.main)
    assert {"Red kettle", Decimal("10.50")} <= {
        getattr(value, "amount", value) for value in plain.main.to_dicts()[0].values()
    }
    assert sum(own.fill == 0.0 for own in plain.main.columns) == 1


def test_pages_of_two_sites_do_not_change_each_other():
    alone = peneira.extract(shop()).main
    plain, _ = peneira.extract_all([shop(), shop("other.example", colours=True)])
    assert plain.main == alone


def test_a_page_without_a_list_is_among_the_results():
    results = peneira.extract_all([shop(), "<p>One thing, said once.</p>", shop()])
    assert [result.main is None for result in results] == [False, True, False]


def test_no_pages_give_no_results():
    assert peneira.extract_all([]) == []


@pytest.mark.parametrize("columns", [200, 300])
def test_a_place_with_very_many_columns_is_no_trouble(columns: int):
    wide = page([column(f"text_{k}", "p") for k in range(columns)], ["x"] * columns)
    first, second = with_site_schema([wide, wide])
    assert names(first) == names(second)
    assert sum(map(bool, first[0].fields)) <= columns
