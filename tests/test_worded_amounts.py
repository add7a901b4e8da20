"""Amounts with the same words in all records."""

from __future__ import annotations

import pytest

import peneira
from peneira.columns.worded_amounts import NO_AMOUNTS, worded_amounts
from peneira.result import Region

NAMES = ("Oak table", "Pine chair", "Steel lamp", "Wool rug", "Glass vase", "Clay pot")


def shop(prices: str) -> Region:
    cards = [
        f"<li><a href='/p/{k}'><img src='/{k}.jpg'><h3>{name}</h3></a>{prices.format(k, k + 1)}</li>"
        for k, name in enumerate(NAMES, 1)
    ]
    region = peneira.extract(f"<ul>{''.join(cards)}</ul>", url="https://shop.example/").main
    assert region is not None
    return region


def roles(region: Region) -> dict[str, str]:
    return {column.role: region.records[0][column.name].text for column in region.columns if column.role}


def test_words_before_an_old_price_are_its_label():
    found = roles(shop("<p>${0}4.00</p><p>List Price ${1}9.00</p>"))
    assert (found["price"], found["old_price"]) == ("$14.00", "$29.00")


def test_words_after_an_amount_leave_it_a_price():
    region = shop("<p>£{0}.13 inc VAT</p>")
    assert roles(region)["price"] == "£1.13 inc VAT"
    assert region.columns[1].type == "money"


@pytest.mark.parametrize(
    "texts",
    [
        ("$9 or best offer", "$8 and free shipping"),
        ("from $9", "from $8"),
        ("or $9", "or $8"),
        ("$9/month", "$8/month"),
    ],
)
def test_other_texts_with_amounts_stay_as_they_are(texts):
    assert worded_amounts(dict(enumerate(texts))) == NO_AMOUNTS


def test_of_two_prices_in_all_records_the_lower_is_paid_although_some_are_less_than_half_of_the_other():
    cards = [
        f"<tr><td><a href=/p/{k}><font>{name}</font></a> <font>${high}.99</font> <font>${low}.99</font></td></tr>"
        for k, (name, high, low) in enumerate(
            zip(NAMES * 2, (89, 59, 24, 24, 29, 49) * 2, (79, 49, 15, 15, 19, 39) * 2, strict=True)
        )
    ]
    cards[0] = cards[0].replace("$79.99", "$39.99")
    region = peneira.extract(f"<table>{''.join(cards)}</table>", url="https://shop.example/").main
    assert region is not None
    found = roles(region)
    assert (found["price"], found["old_price"]) == ("$39.99", "$89.99")


@pytest.mark.parametrize("words", ["Delivery", "Deposit", "Postage", "Weekly payment"])
def test_an_amount_that_is_said_to_be_something_else_is_not_the_price(words: str):
    found = shop(f"<b>${{0}}9.00</b><p>{words} ${{0}}.00</p>")
    assert roles(found)["price"] == "$19.00"
    assert [column.name for column in found.columns if column.name.startswith("price")] == ["price"]


def test_a_deposit_beside_the_regular_price_is_not_the_price():
    found = shop("<div class=regular-price><span>${0}9.00</span></div><div class=deposit>${0}.00</div>")
    assert roles(found)["price"] == "$19.00"
