"""Items of pages without data for programs: labels, credits, contacts, and headings that name something else."""

# ruff: noqa: E501
from __future__ import annotations

from decimal import Decimal

import pytest

import peneira
from peneira.result import Item
from peneira.values import Money

FILLER = "<p>Ask us anything about it, or look at the map below.</p>"


def texts(item: Item, *names: str) -> dict[str, str]:
    return {name: item[name].text for name in names if name in item}


def test_a_long_number_above_the_title_of_a_book_is_not_its_title():
    page = "<title>9780805087444: Dry Rivers - Books</title><h1>9780805087444</h1><h2>Dry Rivers</h2><p>ISBN: 9780805087444</p>"
    assert texts(peneira.item(page), "title", "isbn") == {"title": "Dry Rivers", "isbn": "9780805087444"}


def test_a_name_with_a_hyphen_is_found_in_a_title_with_hyphens():
    page = f"<title>Jobs - Engineer - Dry Gas - Silva Ltd</title><p>Silva Ltd</p><p>Engineer - Dry Gas</p>{FILLER}"
    swapped = page.replace("<p>Silva Ltd</p>", "").replace(FILLER, f"<p>Silva Ltd</p>{FILLER}")
    assert peneira.item(swapped)["title"].text == "Engineer - Dry Gas"


def test_a_tab_that_is_called_overview_is_not_the_title():
    page = f"<title>Dry Rivers > Overview - Films</title><p>Overview</p><p>Dry Rivers</p>{FILLER}"
    assert peneira.item(page)["title"].text == "Dry Rivers"


def test_the_only_heading_of_a_page_without_a_title_is_the_title():
    page = f"<h2>Acadia College</h2><p>Phone: (912) 386-3230</p>{FILLER}"
    assert peneira.item(page)["title"].text == "Acadia College"


def test_several_labels_in_one_row_of_a_table_each_have_their_value():
    page = """<title>Ana Silva</title><h1>Ana Silva</h1><table>
    <tr><td>Team:<td>Rio Hawks<td>Height:<td>6-2<tr><td>Position:<td>PG<td>Weight:<td>195</table>"""
    assert texts(peneira.item(page), "team", "height", "position", "weight") == {
        "team": "Rio Hawks",
        "height": "6-2",
        "position": "PG",
        "weight": "195",
    }


def test_lines_of_labels_and_values_are_properties_from_three_on():
    three = "<title>Ana</title><h1>Ana Silva</h1><ul><li>Height: 6-2<li>Weight: 195<li>College: Minas Tech</ul>"
    two = "<title>Ana</title><h1>Ana Silva</h1><ul><li>Height: 6-2<li>Weight: 195</ul>"
    assert texts(peneira.item(three), "height", "weight", "college") == {
        "height": "6-2",
        "weight": "195",
        "college": "Minas Tech",
    }
    assert texts(peneira.item(two), "height", "weight") == {}


def test_a_name_before_what_its_owner_did_is_the_director():
    page = """<title>Dry Rivers</title><h1>Dry Rivers</h1><table><tr><td>Director<td>Credit<tr><td>Rui Costa<td>Director
    <tr><td>Cast<td>Credit<tr><td>Ana Silva<td>Eva<tr><td>Producers<td>Credit<tr><td>Rui Costa<td>Producer</table>"""
    item = peneira.item(page)
    assert item.kind == "film"
    assert item["director"].text == "Rui Costa"


def test_a_date_whose_order_is_not_said_is_kept_as_it_is_written():
    page = "<title>Dry Rivers</title><h1>Dry Rivers</h1><ul><li>ISBN: 9780805087444<li>Publish Date: 09/05/2006</ul>"
    assert peneira.item(page)["date"].text == "09/05/2006"


def test_of_two_isbns_in_one_line_the_first_is_taken():
    page = "<title>Dry Rivers</title><h1>Dry Rivers</h1><p>ISBN 13: 9780312370848 ISBN 10: 0312370849</p>"
    assert peneira.item(page)["isbn"].text == "9780312370848"


def test_a_place_has_the_address_and_phone_that_its_markup_names():
    page = """<title>Ribs To Go</title><h1>Ribs To Go</h1><ul><li>Cuisines: Barbecue
    <li class="phone tel">(907) 336-7427<li class=adr><span>11700 Old Seward Hwy</span></ul>"""
    item = peneira.item(page)
    assert item.kind == "place"
    assert texts(item, "cuisine", "phone", "address") == {
        "cuisine": "Barbecue",
        "phone": "(907) 336-7427",
        "address": "11700 Old Seward Hwy",
    }


def test_the_list_price_is_the_price_where_the_other_amounts_are_those_of_invoices():
    page = "<title>Mini 2010</title><h1>Mini 2010</h1><table><tr><td>Starting MSRP:<td>$24,250<tr><td>Starting Invoice:<td>$22,005</table>"
    item = peneira.item(page)
    assert item.kind == "product"
    assert item["price"].value == Money(Decimal(24250), "$")


def test_links_to_other_things_with_their_prices_are_no_properties():
    rows = "".join(
        f'<div><p><a href="/{name}">{name}</a></p><p>{name} in red</p></div>' for name in ("Lens", "Case", "Card")
    )
    page = f"<title>Camera X1</title><h1>Camera X1</h1><p class=price>$99.00</p><button>Add to cart</button>{rows}"
    assert texts(peneira.item(page), "lens", "case", "card") == {}


def test_the_name_of_the_site_with_an_article_is_no_author():
    page = f"<title>Dry Rivers</title><meta name=author content='The Book Corner'><h1>Dry Rivers</h1><p>ISBN: 9780805087444</p>{FILLER}"
    assert "author" not in peneira.item(page, url="https://www.bookcorner.example/1")


def test_a_line_with_a_label_in_a_card_of_contacts_is_no_author():
    page = (
        "<title>Ribs</title><h1>Ribs To Go</h1><div class=vcard><p>Cuisines: Barbecue</p></div>"
        + "<p>"
        + "They serve ribs to everybody who comes by in the evening, and the queue is long. " * 10
    )
    assert "author" not in peneira.item(page)


def test_a_page_with_a_date_of_birth_is_about_a_person_unless_it_is_a_story():
    page = "<title>Ana Silva</title><h1>Ana Silva</h1><p>Born: 13 May 1978</p><p>Height: 6-2</p>"
    story = "<p>" + "The river rose twice in that year, and nobody in the valley slept at all. " * 60
    assert (peneira.item(page).kind, peneira.item(page)["birth_date"].text) == ("person", "13 May 1978")
    assert peneira.item(page + story).kind == "article"


def test_headings_with_a_sentence_below_them_are_no_properties():
    parts = {
        "Soft wool": "Fine fibres that feel soft on the skin.",
        "All day": "Light and bouncy, and warm in every winter.",
    }
    rows = "".join(
        f"<div><h4>{name}</h4><p>{text}</p></div>"
        for name, text in {**parts, "Size": "40 to 46", "Sole": "Rubber", "Weight": "300 g"}.items()
    )
    item = peneira.item(f"<title>Shoe</title><h1>Shoe</h1><p class=price>$99.00</p><button>Add to cart</button>{rows}")
    assert texts(item, "soft_wool", "all_day", "size", "sole") == {"size": "40 to 46", "sole": "Rubber"}


def test_a_code_of_one_character_is_no_sku():
    script = '<script type="application/ld+json">{"@type": "Product", "name": "Shoe", "sku": "1", "offers": {"price": 9}}</script>'
    assert "sku" not in peneira.item(f"<title>Shoe</title>{script}<h1>Shoe</h1><p>A shoe for everybody")


@pytest.mark.parametrize(
    ("address", "phone"),
    [
        ("11700 Old Seward Hwy", "(907) 336-7427"),
        ("400 N. Wells St., Chicago, IL 60654", "Tel: +1 312 555 0182"),
        ("Hauptstraße 12, 10827 Berlin", "+49 30 1234567"),
        ("Rua do Ouro, 25", "+351 21 342 1234"),
    ],
)
def test_an_address_and_a_phone_number_below_the_heading_make_a_place(address: str, phone: str):
    item = peneira.item(f"<title>Ribs To Go</title><h1>Ribs To Go</h1><p>{address}</p><p>{phone}</p>{FILLER}")
    assert (item.kind, texts(item, "address", "phone")) == (
        "place",
        {"address": address, "phone": phone.removeprefix("Tel: ")},
    )


@pytest.mark.parametrize("line", ["12 ways to save water", "In 2019 the road was closed", "3 people drive to work"])
def test_a_line_with_a_number_and_a_word_of_streets_is_no_address(line: str):
    assert "address" not in peneira.item(f"<title>Water</title><h1>Water</h1><p>{line}</p>{FILLER}")


def test_a_word_of_the_next_element_is_no_part_of_a_label_without_a_space():
    rows = "".join(
        f"<div><span>{label}</span><span>{value}</span></div>"
        for label, value in (("Item Height", "0.9 in"), ("Item no", "471199"))
    )
    item = peneira.item(f"<meta property=og:type content=product><h1>Bench</h1><p>$49.90</p>{rows}")
    assert item["sku"].text == "471199"


def test_pairs_in_two_columns_are_one_table():
    def row(*pairs: tuple[str, str]) -> str:
        cells = "".join(f"<div class=col><span>{label}</span><span>{value}</span></div>" for label, value in pairs)
        return f"<div class=row>{cells}</div>"

    table = row(("Wood", "Oak"), ("Legs", "Four")) + row(("Finish", "Oil"), ("Seats", "Three"))
    item = peneira.item(f"<meta property=og:type content=product><h1>Bench</h1><p>$49.90</p><section>{table}</section>")
    assert {name: item[name].text for name in ("wood", "legs", "finish", "seats")} == {
        "wood": "Oak", "legs": "Four", "finish": "Oil", "seats": "Three",
    }  # fmt: skip


def chair(rows: str, before: str = "", after: str = "") -> str:
    """Return a product page with rows of a property table, and what stands before and after it."""
    shop = "<p class=price>$99.00</p><button>Add to cart</button>"
    own = "<tr><th>Legs<td>4<tr><th>Finish<td>oiled<tr><th>Fabric<td>wool"
    return f"<title>Oak chair</title>{before}<h1>Oak chair</h1>{shop}<table>{own}{rows}</table>{after}"


def properties(page: str) -> list[str]:
    """Return the labels of the fields that have one."""
    return [column.label for column in peneira.item(page).columns if column.label]


@pytest.mark.parametrize(
    "row",
    [
        "<tr><th>Does it fold?<td>It does, and takes no room then",
        "<tr><th>Functional Cookies<td>Functional cookies",
        "<tr><th>Oak<td>/thumbs/oak.jpg",
        "<tr><th>Monday<td>9 to 5",
        "<tr><th>Mon-Fri<td>9 to 5<tr><th>Saturday<td>closed",
        "<tr><th>Toll-free<td>(800) 222-4700",
        "<tr><th>EUR<td>92.10<tr><th>GBP<td>£80.00",
        "<tr><th>Legs 4<td>Finish oiled",
    ],
)
def test_what_is_no_property_of_a_thing_for_sale(row):
    assert properties(chair(row)) == ["Legs", "Finish", "Fabric"]


@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("Sun", "Full sun"),
        ("Sex", "Female"),
        ("SAR", "1.19 W/kg"),
        ("CAD", "STEP, DXF"),
        ("Batteries included?", "Yes"),
        ("Phone", "(800) 222-4700"),
    ],
)
def test_a_property_may_have_a_short_name_of_a_day_or_of_money_and_a_question_a_short_answer(label, value):
    assert properties(chair(f"<tr><th>{label}<td>{value}")) == ["Legs", "Finish", "Fabric", label]


def test_a_link_to_the_same_page_in_three_rows_is_a_property():
    rows = "".join(f"<tr><th>{part}<td><a href=/steel>Steel</a>" for part in ("Frame", "Seat", "Screws"))
    assert properties(chair(rows))[3:] == ["Frame", "Seat", "Screws"]


def test_a_value_that_is_a_button_of_three_rows_is_no_property():
    parts = "".join(f"<tr><th>{part}<td>{{}}" for part in ("Frame", "Casters", "Grommets"))
    assert properties(chair(parts.format(*["<a href=#help>How do I choose?</a>"] * 3))) == ["Legs", "Finish", "Fabric"]
    assert properties(chair(parts.format("Yes", "Yes", "Yes")))[3:] == ["Frame", "Casters", "Grommets"]
    assert properties(chair(parts.format(*["<button>Yes</button>"] * 3) + "<tr><th>Folds<td>Yes"))[3:] == ["Folds"]


def test_rows_in_the_header_of_the_site_are_no_properties():
    rows = "".join(f"<li><b>{name}</b><i>{name} and more</i></li>" for name in ("Chairs", "Tables", "Lamps"))
    assert properties(chair("", before=f"<header><ul>{rows}</ul></header>")) == ["Legs", "Finish", "Fabric"]


def test_of_an_article_only_the_table_above_its_prose_has_properties():
    paragraph = "<p>" + "Ana Silva built bridges over the rivers of the north for many years. " * 5
    facts = "<table><tr><th>Works<td>41<tr><th>Died<td>2004<tr><th>Trade<td>engineer</table>"
    table = "<table><tr><th>Minho<td>3<tr><th>Douro<td>5<tr><th>Tejo<td>1</table>"
    figures = "".join(
        f"<li><b>{count}</b><i>{name}</i></li>" for count, name in (("9 of", "a"), ("5 of", "b"), ("3 of", "c"))
    )
    page = f"<title>Ana Silva</title><meta property=og:type content=article><h1>Ana Silva</h1>{facts}<ul>{figures}</ul>{paragraph * 6}{table}{paragraph * 6}"
    assert peneira.item(page).kind == "article"
    assert properties(page) == ["Works", "Died", "Trade"]
