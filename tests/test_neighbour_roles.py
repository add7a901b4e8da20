"""Roles that follow from the column beside."""

from __future__ import annotations

import pytest

import peneira
from list_columns import columns
from peneira.result import Region

NAMES = ("Oak table", "Pine chair", "Steel lamp", "Wool rug", "Glass vase", "Clay pot")


def main_list(fields: str) -> Region:
    cards = [
        f"<li><a href='/p/{k}'><img src='/{k}.jpg'><h3>{name}</h3></a>{fields.format(k, k + 1, 2 * k + 31)}</li>"
        for k, name in enumerate(NAMES, 1)
    ]
    region = peneira.extract(f"<ul>{''.join(cards)}</ul>", url="https://shop.example/").main
    assert region is not None
    return region


def roles(region: Region) -> dict[str, str]:
    return {column.role: region.records[0][column.name].text for column in region.columns if column.role}


def test_the_higher_of_two_prices_is_the_old_one():
    found = roles(main_list("<div><span class=x1>${1}9.00</span> <span class=x2>${1}4.00</span></div>"))
    assert (found["price"], found["old_price"]) == ("$24.00", "$29.00")


def test_a_price_that_only_some_records_have_leaves_the_price_to_one_that_all_have():
    cards = [
        f"<li><a href='/p/{k}'><img src='/{k}.jpg'><h3>{name}</h3></a><div><h4>${k}9.00</h4>"
        f"{f'<p>${k}4.00</p>' if k % 2 else ''}</div></li>"
        for k, name in enumerate(NAMES, 1)
    ]
    region = peneira.extract(f"<ul>{''.join(cards)}</ul>", url="https://shop.example/").main
    assert region is not None and roles(region)["price"] == "$19.00"


def test_a_price_of_a_unit_is_no_old_price():
    region = main_list("<div><span>${1}4.00</span> <span>${1}9.00/kg</span></div>")
    assert "old_price" not in roles(region)
    assert "unit_price" in [column.name for column in region.columns]


def test_the_number_after_a_rating_is_that_of_the_reviews():
    found = roles(main_list("<div><span>4.{0} out of 5 stars</span><span>1,{2}0</span></div><b>${2}</b>"))
    assert (found["rating"], found["reviews"]) == ("4.1 out of 5 stars", "1,330")


def test_a_number_in_brackets_after_a_rating_counts_reviews_wherever_it_stands():
    found = roles(main_list("<p><span>4.{0} out of 5 stars</span></p><p><a href=/r/{0}>(5{0}.{1}K)</a></p>"))
    assert found["reviews"].startswith("(5")


def test_a_number_that_the_rating_says_is_not_shown_twice():
    region = main_list("<div><b>4.{0}</b><span>4.{0} out of 5 stars</span></div>")
    assert [column.name for column in region.columns if column.type == "number"] == []
    assert roles(region)["rating"] == "4.1 out of 5 stars"


def test_prices_that_follow_each_other_in_the_record_itself_are_beside():
    found = roles(main_list("<span class=x1>${1}9.00</span> <span class=x2>${1}4.00</span>"))
    assert (found["price"], found["old_price"]) == ("$24.00", "$29.00")


def test_prices_with_a_text_between_them_are_not_beside():
    found = roles(main_list("<b>${1}4.00</b><i>No. {0} of 99</i><u>${1}9.00</u>"))
    assert "old_price" not in found


@pytest.mark.parametrize(
    ("usual", "on_sale"),
    [
        ("<p><b>{}</b></p>", "<p><b>{}</b> <s>{}</s> <i>Limited time!</i></p>"),
        ("<p><span class=now>{}</span></p>", "<p><span class=now>{}</span><span class=old>{}</span></p>"),
        (
            "<div class=price><div class=now>{}</div></div>",
            "<div class=price><div class=now>{}</div><div class=old>{}</div><div>See price in bag</div></div>",
        ),
        ("<div class=price><ins>{}</ins></div>", "<div class=price><del>{1}</del> <ins>{0}</ins></div>"),
        (
            "<div class=price><span class=amount>{}</span></div>",
            "<div class=price><del><span class=amount>{1}</span></del> <ins><span class=amount>{0}</span></ins></div>",
        ),
        (
            "<div class=price><span class=amount>{}</span></div>",
            "<div class=price><del aria-hidden=true><b>{1}</b></del> <span class=reader>Original price was: {1}.</span>"
            "<ins aria-hidden=true><b>{0}</b></ins><span class=reader>Current price is: {0}.</span></div>",
        ),
        (
            "<div class=price><div class=usual><i class=reader>Regular price</i><b>{0}</b></div>"
            "<div class=sale><i class=reader>Regular price</i><b><s></s></b>"
            "<i class=reader>Sale price</i><b class=last>{0}</b></div></div>",
            "<div class=price><div class=usual><i class=reader>Regular price</i><b>{1}</b></div>"
            "<div class=sale><i class=reader>Regular price</i><b><s>{1}</s></b>"
            "<i class=reader>Sale price</i><b class=last>{0}</b></div></div>",
        ),
    ],
)
def test_where_some_are_on_sale_all_have_a_price_and_some_an_old_one(usual: str, on_sale: str):
    items = [
        f"<li><h3><a href=/{k}>{name}</a></h3>"
        + (on_sale if k in (2, 3, 5) else usual).format(f"${k}4.00", f"${k}9.00")
        for k, name in enumerate(NAMES, 1)
    ]
    region = peneira.extract(f"<ul>{''.join(items)}</ul>", url="https://shop.example/").main
    assert region is not None
    assert [record["price"].text for record in region] == [f"${k}4.00" for k in range(1, 7)]
    assert {k: record["old_price"].text for k, record in enumerate(region, 1) if "old_price" in record} == {
        k: f"${k}9.00" for k in (2, 3, 5)
    }


def test_of_two_prices_the_one_that_is_struck_out_is_old():
    found = roles(main_list("<p><s>${1}9.00</s> <b>${1}4.00</b></p>"))
    assert (found["price"], found["old_price"]) == ("$24.00", "$29.00")


def test_words_that_are_struck_out_stay_in_their_sentence():
    items = [
        f"<li><h3><a href=/{k}>{name}</a></h3><p>It was {'<s>bad</s> ' if k == 2 else ''}a good year for {name}.</p>"
        for k, name in enumerate(NAMES, 1)
    ]
    region = peneira.extract(f"<ul>{''.join(items)}</ul>", url="https://shop.example/").main
    assert region is not None
    texts = [[record[name].text for name in record if record[name].text.startswith("It")] for record in region]
    sentences = [f"It was a good year for {name}." for name in NAMES]
    sentences[1] = f"It was bad a good year for {NAMES[1]}."
    assert texts == [[sentence] for sentence in sentences]


def test_words_before_an_old_price_are_no_column():
    items = [
        f"<li><h3><a href=/{k}>{name}</a></h3><div class=price>"
        + (
            f"<p><span class=label>Special price</span><span class=price>${k}4.00</span></p>"
            f"<p class=old><span class=label>Regular price</span><span class=price>${k}9.00</span></p>"
            if k in (2, 3, 5)
            else f"<p><span class=price>${k}4.00</span></p>"
        )
        + "</div>"
        for k, name in enumerate(NAMES, 1)
    ]
    region = peneira.extract(f"<ul>{''.join(items)}</ul>", url="https://shop.example/").main
    assert region is not None
    assert [column.name for column in region.columns] == ["title", "price", "old_price", "url"]


def test_what_readers_hear_beside_a_value_stays_if_it_says_more():
    found = main_list("<p><b aria-hidden=true>({0})</b><span class=reader>{0} reviews, {1} of 5</span></p>")
    texts = [cell.text for cell in found.records[0].fields.values()]
    assert any("reviews" in text for text in texts)


@pytest.mark.parametrize("named", ["deposit", "member-price"])
def test_a_deposit_or_what_members_pay_is_not_the_price(named: str):
    cards = [
        f"<li><h3><a href=/{k}>{name}</a></h3>"
        f"<div><b class=price>€{k}90</b> <b class={named}>€{k}{9 - k % 2}0</b></div>"
        for k, name in enumerate(NAMES, 1)
    ]
    region = peneira.extract(f"<ul>{''.join(cards)}</ul>", url="https://homes.example/").main
    assert region is not None and roles(region)["price"] == "€190" and "old_price" not in roles(region)


def test_an_amount_of_the_class_old_price_is_no_price_though_the_other_is_less_than_half():
    found = roles(
        main_list(
            "<div class=prices><span class=old-price><i>Regular Price</i> <b class=price>${2}.00</b></span>"
            "<span class=special-price><i>Special Price</i> <b class=price>$1{1}.00</b></span></div>"
        )
    )
    assert (found["price"], found["old_price"]) == ("$12.00", "$33.00")


def test_an_average_of_ratings_and_their_number_is_the_rating():
    found = roles(main_list("<p>4.{0} avg rating — 9,99{1},{2}0 ratings</p>"))
    assert found["rating"] == "4.1 avg rating — 9,992,330 ratings"


def test_the_address_of_a_game_is_not_that_of_one_of_its_teams():
    games = "".join(
        f"<article><p><a href=/teams/w{k}>{home}</a> <b>{70 + k}</b><p><a href=/teams/l{k}>{away}</a> <b>{50 + k}</b>"
        f"<p><a class=more href=/games/2020-01-{k}>Final</a></article>"
        for k, (home, away) in enumerate(
            (("Lions", "Bears"), ("Hawks", "Bulls"), ("Kings", "Nets"), ("Suns", "Heat"), ("Jazz", "Magic")), 11
        )
    )
    found = columns(games, "article", url="https://sport.example/")
    assert found["url"] == [f"https://sport.example/games/2020-01-{k}" for k in range(11, 16)]


def test_a_record_keeps_the_link_of_its_title_beside_a_button_with_an_address_of_its_own():
    region = main_list("<a href=/cart/add/{0}>Add to cart</a><p>From <a href=/shops/{0}>Shop {0}</a></p>")
    assert [record["url"].text for record in region][:2] == ["https://shop.example/p/1", "https://shop.example/p/2"]


def on_sale(usual: str, reduced: str, every: int = 2) -> dict[str, list[str]]:
    """Return the columns of a shop where every second item is reduced, or every n-th from the first on."""
    cards = [
        f"<li><a href='/p/{k}'><img src='/{k}.jpg'><h3>{name}</h3></a>"
        f"{reduced.format(f'${k}9.00', f'${k}4.50') if k % every == 1 else usual.format(f'${k}9.00')}</li>"
        for k, name in enumerate(NAMES, 1)
    ]
    return columns(f"<ul>{''.join(cards)}</ul>", url="https://shop.example/")


PAID = ["$14.50", "$29.00", "$34.50", "$49.00", "$54.50", "$69.00"]
WAS = ["$19.00", "", "$39.00", "", "$59.00", ""]


@pytest.mark.parametrize(
    ("usual", "reduced"),
    [
        (
            "<div class=cost><span class=full-price>{0}</span></div>",
            "<div class=cost><p><span class=full-price>{0}</span></p><p><span class=sale-price>{1}</span></p></div>",
        ),
        (
            "<div><p>Regular price: <b>{0}</b></p></div>",
            "<div><p>Regular price: <b>{0}</b></p><p>Sale price: <b>{1}</b></p></div>",
        ),
    ],
)
def test_what_is_paid_for_reduced_items_is_their_price_and_the_other_the_old_one(usual: str, reduced: str):
    found = on_sale(usual, reduced)
    assert (found["price"], found["old_price"]) == (PAID, WAS)


@pytest.mark.parametrize(
    "named",
    [
        "member-sale",
        "special-delivery",
        "trade-in-offer",
        "special-prime",
        "other-offer",
        "sale-shipping",
        "vip-price now",
    ],
)
def test_an_amount_that_is_not_the_price_of_all_people_is_not_the_price_of_some_items(named: str):
    found = on_sale(
        "<div class=cost><span class=full-price>{0}</span></div>",
        f"<div class=cost><p><span class=full-price>{{0}}</span></p><p><span class='{named}'>{{1}}</span></p></div>",
    )
    assert found["price"] == [f"${k}9.00" for k in range(1, 7)]


@pytest.mark.parametrize("label", ["Reserve now for:", "Pay now:", "Now in red:"])
def test_an_amount_with_a_label_that_calls_it_no_price_is_not_the_price(label: str):
    found = on_sale(
        "<div><p>Price: <b>{0}</b></p></div>", f"<div><p>Price: <b>{{0}}</b></p><p>{label} <b>{{1}}</b></p></div>"
    )
    assert found["price"] == [f"${k}9.00" for k in range(1, 7)]


def test_one_reduced_item_is_enough_where_its_amount_is_called_the_sale_price():
    found = on_sale(
        "<div><p>Regular price: <b>{0}</b></p></div>",
        "<div><p>Regular price: <b>{0}</b></p><p>Sale price: <b>{1}</b></p></div>",
        every=10,
    )
    assert (found["price"][:2], found["old_price"][:2]) == (["$14.50", "$29.00"], ["$19.00", ""])


def test_a_class_that_strikes_an_amount_out_says_that_it_is_old():
    region = main_list("<div><span class='fs-xs line-through'>${2}.00</span><br><b class=text>${1}.00</b></div>")
    assert (roles(region)["price"], roles(region)["old_price"]) == ("$2.00", "$33.00")


def test_a_class_around_two_amounts_strikes_neither_out():
    region = main_list(
        "<div class=strikethrough-price><span class=a>${1}9.00</span> <span class=b>${1}2.00</span></div>"
    )
    assert (roles(region)["price"], roles(region)["old_price"]) == ("$22.00", "$29.00")


def test_what_is_struck_out_under_the_pointer_alone_is_no_old_price():
    region = main_list("<div><span class='hover:line-through'>${2}.00</span><br><b class=text>${1}.00</b></div>")
    assert "old_price" not in roles(region)


def test_an_amount_many_times_lower_than_the_price_is_no_sale_price():
    usual = "<div class=cost><span class=full-price>{0}</span></div>"
    cheap = "<div class=cost><p><span class=full-price>{0}</span></p><p><span class=sale-price>$3.00</span></p></div>"
    assert on_sale(usual, cheap)["price"] == [f"${k}9.00" for k in range(1, 7)]


def test_the_price_and_the_old_price_of_reduced_items_have_their_own_labels():
    cards = [
        f"<li><a href=/{k}><h3>{name}</h3></a><div><p>Regular price: <b>${k}9.00</b></p>"
        + (f"<p>Sale price: <b>${k}4.50</b></p></div>" if k % 2 else "</div>")
        for k, name in enumerate(NAMES, 1)
    ]
    region = peneira.extract(f"<ul>{''.join(cards)}</ul>", url="https://shop.example/").main
    assert region is not None
    labels = {column.role: column.label for column in region.columns if column.type == "money"}
    assert labels == {"price": "Sale price", "old_price": "Regular price"}


def reduced_by(named: str, amount: str = "{1}", *, full: str = "full-price", every: int = 2) -> dict[str, list[str]]:
    """Return the columns of a shop where reduced items have a second amount with this class."""
    usual = f"<span class='{full}'>{{0}}</span>"
    return on_sale(
        f"<div class=cost>{usual}</div>",
        f"<div class=cost>{usual}<span class='{named}'>{amount}</span></div>",
        every,
    )


@pytest.mark.parametrize(
    ("named", "full"),
    [
        ("sale", "full-price"),
        ("now-price", "full-price"),
        ("incl-tax sale-price", "incl-tax full-price"),
        ("amount", "regular-price"),
    ],
)
def test_the_class_of_one_of_two_amounts_says_which_is_paid(named: str, full: str):
    found = reduced_by(named, full=full)
    assert (found["price"], found["old_price"]) == (PAID, WAS)


@pytest.mark.parametrize(
    ("named", "amount", "every"),
    [("sale", "{1}", 10), ("sale-price", "{1}/kg", 2), ("sale-price", "$70.00", 2), ("now", "{1}", 2)],
)
def test_a_second_amount_is_not_the_price_if_it_may_be_another_thing(named: str, amount: str, every: int):
    assert reduced_by(named, amount, every=every)["price"] == [f"${k}9.00" for k in range(1, 7)]
