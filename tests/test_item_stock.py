"""The availability of items as shops show it, and pages that show a list of things instead of one."""

# ruff: noqa: E501
from __future__ import annotations

import pytest

import peneira
from peneira.page import Page

SHOP = "<title>Oak chair</title><a href=/cart>Cart</a><main><h1>Oak chair</h1><span class=price>49,90 €</span>{}</main>"


@pytest.mark.parametrize(
    ("shown", "state"),
    [
        ("<p class=stock>Out of stock</p>", "OutOfStock"),
        ("<button disabled>Sold out</button>", "OutOfStock"),
        ("<p>Out of stock</p><button>Add to cart</button>", "OutOfStock"),
        ("<button>Add to cart</button><div class=stock-info>Currently unavailable.</div>", "OutOfStock"),
        (
            "<p>This product was discontinued and replaced by another one, see below</p><button>Add to cart</button>",
            "InStock",
        ),
        ("<ul><li>S</li><li>M</li><li>Sold out</li></ul><button>Add to cart</button>", "InStock"),
        ("<label>Red <i>sold out</i></label><label>Blue</label><button>Add to cart</button>", "InStock"),
        ("<p>Out of stock items ship within two weeks of your order</p><button>Add to cart</button>", "InStock"),
        ("<p hidden>Out of stock</p><button>Add to cart</button>", "InStock"),
        ("<button>Pre-order</button>", "PreOrder"),
        ("<p>In stock</p><button>Add to cart</button>", "InStock"),
    ],
)
def test_what_a_shop_says_of_stock_counts_more_than_its_button(shown: str, state: str):
    assert peneira.item(SHOP.format(shown))["availability"].value == state


def test_data_and_a_button_together_count_more_than_words():
    offer = '{"@type":"Product","name":"Oak chair","offers":{"price":"49.90","priceCurrency":"EUR","availability":"InStock"}}'
    page = SHOP.format(
        f'<p>Out of stock</p><button>Add to cart</button><script type="application/ld+json">{offer}</script>'
    )
    item = peneira.item(page)
    assert item["availability"].value == "InStock"
    assert any("OutOfStock" in str(reason) for reason in item.reasons)


CARD = "<li class=card><a href=/p/{0}>Chair {0}</a><span class=price>${0}.50</span><button>Add to cart</button></li>"


@pytest.mark.parametrize(
    "frame",
    [
        "<a href=/cart>Cart</a><p>48 products</p><p>Sort by</p><p>Filter</p>",
        "<link rel=canonical href=https://shop.example/collections/chairs><a href=/cart>Cart</a><p>Showing 1-8 of 48</p>",
    ],
)
def test_a_page_with_a_list_of_products_is_about_none_of_them(frame: str):
    cards = "".join(CARD.format(k) for k in range(8))
    item = peneira.item(f"<title>Chairs</title>{frame}<main><h1>Chairs</h1><ul>{cards}</ul></main>")
    assert (item.kind, "price" in item) == ("thing", False)
    assert "a list of things" in str(item.reasons[0])


def test_one_sign_of_a_list_does_not_hide_a_product():
    page = SHOP.format("<button>Add to cart</button><p>SKU: CH-1</p><p>12 products</p>")
    assert peneira.item(page).kind == "product"


@pytest.mark.parametrize(
    ("written", "amount"), [("1e5", "100000"), ("1.5E2", "150"), ("1.25e-1", "0.125"), ("12.50", "12.50")]
)
def test_prices_as_programs_write_numbers(written: str, amount: str):
    offer = f'{{"@type":"Product","name":"Oak chair","offers":{{"price":"{written}","priceCurrency":"EUR"}}}}'
    item = peneira.item(f'<h1>Oak chair</h1><p>A chair of oak.</p><script type="application/ld+json">{offer}</script>')
    assert str(item["price"].value.amount) == amount


def test_a_heading_of_many_texts_is_read_in_linear_time(monkeypatch: pytest.MonkeyPatch):
    visible_text = Page.visible_text
    read = 0

    def counted(page: Page, *rows: int) -> str:
        nonlocal read
        read += len(text := visible_text(page, *rows))
        return text

    def chars_read(count: int) -> int:
        nonlocal read
        read = 0
        texts = "".join(f"<i>{k}</i>" for k in range(count))
        peneira.item(f"<title>Oak chair</title><h1>Oak {texts}</h1><p>A chair of oak.")
        return read

    monkeypatch.setattr(Page, "visible_text", counted)
    assert chars_read(800) < 3 * chars_read(400)


@pytest.mark.parametrize("gtin", ["n/a", "-", "{{ product.gtin }}", "undefined"])
def test_a_word_in_place_of_a_value_is_no_value(gtin: str):
    thing = f'{{"@type":"Product","name":"Oak chair","gtin":"{gtin}","description":"wf","offers":{{"price":"5"}}}}'
    item = peneira.item(f'<h1>Oak chair</h1><p>A chair.<script type="application/ld+json">{thing}</script>')
    assert ("gtin" in item, "description" in item) == (False, False)


def test_an_account_of_the_software_is_no_author():
    head = '<meta property="og:type" content="article"><meta name=author content="admin">'
    assert "author" not in peneira.item(f"<head>{head}</head><h1>The flood</h1><p>The river rose twice in that year.")


def test_the_next_label_is_no_value():
    item = peneira.item(
        SHOP.format("<p>SKU: CH-1</p><div><p>Color:</p><p>Quantity:</p></div><button>Add to cart</button>")
    )
    assert "color" not in item


def test_a_text_spread_over_many_blocks_is_whole():
    prose = "The river rose twice in that year, and nobody in the valley slept until the new bridge was built."
    parts = "".join(f"{'<div>' * 9}<p>{prose} Part {k}.</p>{'</div>' * 9}" for k in range(12))
    head = '<meta property="og:type" content="article"><title>The flood</title>'
    body = peneira.item(f"<head>{head}</head><main><h1>The flood</h1>{parts}</main>")["body"].text
    assert all(f"Part {k}." in body for k in range(12))
