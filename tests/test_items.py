"""``peneira.item``: kinds, fields by role, where they are from and what disagrees."""

# ruff: noqa: E501
from __future__ import annotations

import datetime
import json
import pickle
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given

import peneira
from generated import soup
from peneira.reasons import ReasonCode
from peneira.result import Item
from peneira.values import Money, Rating
from work_counter import lines_executed

PROSE = "The river rose twice in that year, and nobody in the valley slept until the new bridge was built. "


def data(**thing: object) -> str:
    return f'<script type="application/ld+json">{json.dumps({"@context": "https://schema.org", **thing})}</script>'


def texts(item: Item, *names: str) -> dict[str, str]:
    return {name: item[name].text for name in names if name in item}


PRODUCT = data(
    **{
        "@type": "Product",
        "name": "Oak chair",
        "sku": "CH-1",
        "gtin13": "4006381333931",
        "brand": {"@type": "Brand", "name": "Silva"},
        "image": ["/a.jpg", "/b.jpg"],
        "aggregateRating": {"@type": "AggregateRating", "ratingValue": "4.5", "bestRating": 5, "reviewCount": 12},
        "offers": {"price": 49.9, "priceCurrency": "EUR", "availability": "https://schema.org/InStock"},
    }
)


def test_a_product_is_read_from_its_description():
    item = peneira.item(
        f"<title>Oak chair</title>{PRODUCT}<h1>Oak chair</h1><p>Solid oak", url="https://shop.example/c"
    )
    assert item.kind == "product"
    assert item["price"].value == Money(Decimal("49.9"), "EUR")
    assert item["availability"].value == "InStock"
    assert item["rating"].value == Rating(Decimal("4.5"), Decimal(5))
    assert item["reviews"].value == 12
    assert item["images"].items == ("https://shop.example/a.jpg", "https://shop.example/b.jpg")
    assert texts(item, "title", "sku", "gtin", "brand", "currency", "image") == {
        "title": "Oak chair",
        "sku": "CH-1",
        "gtin": "4006381333931",
        "brand": "Silva",
        "currency": "EUR",
        "image": "https://shop.example/a.jpg",
    }


def test_a_field_says_where_it_is_from_and_agreement_makes_it_surer():
    alone = peneira.item(f"{PRODUCT}<p>Oak chair<p>A chair for every kitchen")
    both = peneira.item(f"<title>Oak chair</title>{PRODUCT}<h1>Oak chair</h1><p class=price>€ 49.90</p>")
    assert alone["price"].source == "json-ld"
    assert both["price"].source == "json-ld+page"
    assert both["price"].text == "€ 49.90"
    assert both["price"].xpath == "/html[1]/body[1]/p[1]/text()[normalize-space()][1]"
    assert both["price"].confidence > alone["price"].confidence


def test_a_price_that_the_page_shows_as_the_old_one_is_not_the_price():
    page = f"<title>Oak chair</title>{PRODUCT}<h1>Oak chair</h1><p class=price><del>€ 49.90</del> <b>€ 39.90</b></p>"
    item = peneira.item(page)
    assert item["price"].value == Money(Decimal("39.90"), "EUR")
    assert item["old_price"].value == Money(Decimal("49.90"), "EUR")
    (reason,) = [reason for reason in item.reasons if reason.code == ReasonCode.CONTRADICTION]
    assert (reason.feature, str(reason)) == ("price", "price: page says '€ 39.90', json-ld '49.9 EUR'")


def test_without_a_description_a_product_has_what_the_page_shows():
    page = """<html lang=en><title>Oak chair | Silva shop</title><h1>Oak chair</h1><p>Item no: 4711-22</p>
    <div class=price>$49<sup>99</sup></div><p>Brand: Silva</p><p>In stock</p><button>Add to cart</button>"""
    item = peneira.item(page)
    assert item.kind == "product"
    assert item["price"].value == Money(Decimal("49.99"), "$")
    assert texts(item, "title", "sku", "brand", "availability") == {
        "title": "Oak chair",
        "sku": "4711-22",
        "brand": "Silva",
        "availability": "InStock",
    }


@pytest.mark.parametrize(
    ("words", "state"),
    [
        ("Ausverkauft", "OutOfStock"),
        ("Currently unavailable", "OutOfStock"),
        ("Rupture de stock", "OutOfStock"),
        ("Pre-order", "PreOrder"),
        ("Auf Lager", "InStock"),
        ("在庫あり", "InStock"),
        ("нет в наличии", "OutOfStock"),
    ],
)
def test_the_words_of_shops_tell_the_stock(words: str, state: str):
    item = peneira.item(f"<title>Chair</title><h1>Chair</h1><p>SKU: 4711</p><p class=price>€ 10.00</p><p>{words}</p>")
    assert item["availability"].value == state


def test_where_a_price_is_asked_and_nothing_tells_of_stock_it_is_assumed():
    item = peneira.item("<title>Chair</title><h1>Chair</h1><p>SKU: 4711</p><p class=price>€ 10.00</p>")
    assert (item["availability"].value, item["availability"].source) == ("InStock", "assumed")
    assert item["availability"].confidence <= 0.3


def test_related_products_do_not_leak_in():
    related = "".join(
        f"<li class=card><a href=/p{k}>Table {k}</a><span class=price>€ {k}.00</span></li>" for k in range(1, 6)
    )
    page = f"<title>Oak chair</title><h1>Oak chair</h1><p>SKU: 4711</p><ul>{related}</ul><p class=price>€ 49.00</p>"
    assert peneira.item(page)["price"].value == Money(Decimal("49.00"), "EUR")


def test_variants_share_what_they_agree_on_and_the_best_stock():
    variants = [
        {"@type": "Product", "name": "Boot", "sku": f"B-{k}", "offers": {"price": "69", "priceCurrency": "EUR", "availability": state}}
        for k, state in enumerate(("OutOfStock", "InStock", "OutOfStock"))
    ]  # fmt: skip
    item = peneira.item(f'<script type="application/ld+json">{json.dumps(variants)}</script><h1>Boot</h1><p>A boot')
    assert texts(item, "price", "availability", "sku") == {"price": "69 EUR", "availability": "InStock"}


def test_a_code_near_the_heading_that_the_address_has_is_the_sku_as_it_is_shown():
    page = f"<title>Boot</title>{data(**{'@type': 'Product', 'name': 'Boot', 'sku': '845-35'})}<h1>Boot</h1><p>Black 1002/710"
    item = peneira.item(page, url="https://shop.example/boot-p11002710.html")
    assert (item["sku"].text, item["sku"].source) == ("1002/710", "page")


def test_a_shop_with_its_branch_is_no_brand():
    product = {"@type": "Product", "name": "Pizza voucher", "brand": "Luigi's (Town Hall)"}
    assert "brand" not in peneira.item(f"{data(**product)}<h1>Pizza voucher</h1><p>For two.")
    assert (
        peneira.item(f"{data(**product | {'brand': 'Luigi'})}<h1>Pizza voucher</h1><p>For two.")["brand"].text
        == "Luigi"
    )


def test_a_brand_that_is_only_the_shop_is_not_given():
    page = f"<title>Boot | Zeta</title>{data(**{'@type': 'Product', 'name': 'Boot', 'brand': 'Zeta'})}<h1>Boot</h1><p>A boot"
    assert "brand" not in peneira.item(page, url="https://www.zeta.com/boot")
    assert peneira.item(page.replace("Boot", "Zeta boot"), url="https://www.zeta.com/boot")["brand"].text == "Zeta"


def test_the_state_of_scripts_fills_in_what_the_page_does_not_say():
    state = json.dumps({"product": {"name": "Oak chair", "brand": "Oak"}, "list": [{"name": "Table", "brand": "Fir"}]})
    page = f"<title>Oak chair</title><h1>Oak chair</h1><p>SKU: 4711</p><p class=price>€ 9.00</p>{PROSE}<script>x = {state}</script>"
    assert (peneira.item(page)["brand"].text, peneira.item(page)["brand"].source) == ("Oak", "script-state")


RECIPE = data(
    **{
        "@type": ["Recipe"],
        "name": "Bean stew",
        "author": {"@type": "Person", "name": "Ana Lopes"},
        "datePublished": "2024-03-01",
        "totalTime": "PT1H30M",
        "recipeYield": "4 servings",
        "recipeIngredient": ["2.0 cups beans", "1 onion", "salt &amp; pepper"],
        "recipeInstructions": [
            {"@type": "HowToSection", "name": "Stew", "itemListElement": [{"@type": "HowToStep", "text": "Soak the beans."}]},
            {"@type": "HowToStep", "name": "Serve", "text": "Ladle it out."},
        ],
    }
)  # fmt: skip


def test_a_recipe_has_ingredients_steps_and_times():
    item = peneira.item(f"<title>My best stew</title>{RECIPE}<h1>My best stew</h1><h2>Bean stew</h2>")
    assert item.kind == "recipe"
    assert item["ingredients"].items == ("2 cups beans", "1 onion", "salt & pepper")
    assert item["steps"].items == ("Stew", "Soak the beans.", "Serve: Ladle it out.")
    assert item["total_time"].value == datetime.timedelta(hours=1, minutes=30)
    assert item["date"].value == datetime.date(2024, 3, 1)
    assert texts(item, "title", "author", "yields", "total_time") == {
        "title": "Bean stew",
        "author": "Ana Lopes",
        "yields": "4 servings",
        "total_time": "1 h 30 min",
    }


def test_a_recipe_without_a_description_is_read_by_its_headings():
    page = """<title>Bohnen</title><h1>Bohnen</h1><p>Von Ana Lopes</p><h2>Zutaten</h2><ul><li>2 Tassen Bohnen<li>
    <span>1</span> <div>Zwiebel</div></ul><h2>Zubereitung</h2><ol><li>Die Bohnen lange einweichen.<li>Alles gut
    kochen lassen.</ol><h2>Kommentare</h2><p>Das schmeckt meiner ganzen Familie.</p>"""
    item = peneira.item(page)
    assert item.kind == "recipe"
    assert item["author"].text == "Ana Lopes"
    assert item["ingredients"].items == ("2 Tassen Bohnen", "1 Zwiebel")
    assert item["steps"].items == ("Die Bohnen lange einweichen.", "Alles gut kochen lassen.")


def test_ingredients_of_a_script_without_amounts_give_way_to_those_of_the_page():
    script = data(**{"@type": "Recipe", "name": "Corn", "recipeIngredient": ["popping corn", "oil", "butter"]})
    rows = "".join(f"<p>{amount}</p><p>{name}</p>" for amount, name in (("½ cup", "popping corn"), ("2 tbsp", "oil"), ("10 g", "butter")))  # fmt: skip
    item = peneira.item(
        f"<title>Corn</title>{script}<h1>Corn</h1><h2>Ingredients</h2>{rows}<h2>Directions</h2><p>Heat it all"
    )
    assert item["ingredients"].items == ("½ cup popping corn", "2 tbsp oil", "10 g butter")


def test_an_article_has_a_body_without_menus_captions_and_related_articles():
    text = (PROSE * 4).strip()
    page = f"""<title>The flood | Valley News</title><meta property="og:site_name" content="Valley News">
    <meta property="article:published_time" content="2024-05-01T10:00:00Z"><nav><p>{PROSE}</nav><article><h1>The flood</h1>
    <p class=byline>By Ana Lopes and Rui Costa</p><p>{text}</p><figure><figcaption>{PROSE}</figcaption></figure>
    <h2>The bridge</h2><p>{text}</p></article><aside class=related><p>{PROSE}</aside>"""
    item = peneira.item(page)
    assert item.kind == "article"
    assert item["title"].text == "The flood"
    assert item["author"].items == ("Ana Lopes", "Rui Costa")
    assert item["date"].value == datetime.datetime(2024, 5, 1, 10, tzinfo=datetime.UTC)
    assert item["body"].text == f"{text}\nThe bridge\n{text}"


def test_the_person_of_a_byline_counts_more_than_the_publisher():
    script = data(**{"@type": "NewsArticle", "headline": "The flood", "author": {"name": "Valley News"}, "publisher": {"name": "Valley News"}})  # fmt: skip
    page = f"<title>The flood</title>{script}<h1>The flood</h1><p class=author>By Ana Lopes</p><p>{PROSE}</p>"
    assert peneira.item(page)["author"].text == "Ana Lopes"


@pytest.mark.parametrize(
    ("thing", "kind", "fields"),
    [
        (
            {
                "@type": "JobPosting",
                "title": "Cook",
                "hiringOrganization": {"name": "Inn"},
                "jobLocation": {"address": {"addressLocality": "Faro", "addressCountry": "PT"}},
                "baseSalary": {"currency": "EUR", "value": {"minValue": 900, "maxValue": 1200, "unitText": "MONTH"}},
            },
            "job",
            {"company": "Inn", "location": "Faro, PT", "salary": "EUR 900 - 1200 / month"},
        ),
        (
            {"@type": "MusicEvent", "name": "Cook", "startDate": "2025-01-02", "location": {"name": "Hall"}},
            "event",
            {"start_date": "2025-01-02", "location": "Hall"},
        ),
        ({"@type": "Movie", "name": "Cook", "director": {"name": "Ana"}}, "film", {"director": "Ana"}),
        ({"@type": "Book", "name": "Cook", "author": {"name": "Ana"}, "isbn": "978"}, "book", {"author": "Ana", "isbn": "978"}),
        ({"@type": "Person", "name": "Cook", "jobTitle": "Baker"}, "person", {"job_title": "Baker"}),
        ({"@type": "Restaurant", "name": "Cook", "telephone": "123"}, "place", {"phone": "123"}),
    ],
)  # fmt: skip
def test_things_of_other_kinds_have_their_own_fields(thing: dict[str, object], kind: str, fields: dict[str, str]):
    item = peneira.item(f"<title>Cook</title>{data(**thing)}<h1>Cook</h1><p>Some words about it")
    assert (item.kind, texts(item, *fields)) == (kind, fields)
    assert item["title"].text == "Cook"


def test_the_address_of_a_category_is_no_category():
    html = """<main itemscope itemtype=https://schema.org/Article><h1 itemprop=headline>Five good lamps</h1>
      <a itemprop=genre href=/features>Features</a><p itemprop=articleBody>Lamps are tested here every year.</main>"""
    assert "category" not in peneira.item(html).fields


def test_microdata_describes_as_json_ld_does():
    page = """<title>Oak chair</title><div itemscope itemtype="http://schema.org/Product"><h1 itemprop=name>Oak chair</h1>
    <div itemprop=offers itemscope itemtype="http://schema.org/Offer"><meta itemprop=priceCurrency content=EUR>
    <b itemprop=price content="49.00">49 euro</b><link itemprop=availability href="http://schema.org/OutOfStock"></div></div>"""
    item = peneira.item(page)
    assert texts(item, "price", "availability", "currency") == {
        "price": "49 euro",
        "availability": "OutOfStock",
        "currency": "EUR",
    }


def test_pairs_of_property_tables_are_fields_under_the_names_of_their_labels():
    page = f"""<title>Oak chair</title>{PRODUCT}<h1>Oak chair</h1><table><tr><th>Seat height<td>45 cm<tr><th>Legs<td>4
    <tr><th>Finish<td>oiled<tr><th>Brand<td>Silva</table>"""
    item = peneira.item(page)
    assert [(column.name, column.label) for column in item.columns[-3:]] == [
        ("seat_height", "Seat height"),
        ("legs", "Legs"),
        ("finish", "Finish"),
    ]
    assert item["legs"].value == 4


def test_many_items_make_one_table_with_one_schema():
    items = [
        peneira.item(f"{PRODUCT}<h1>Oak chair</h1><p>Solid"),
        peneira.item(f"<title>Stew</title>{RECIPE}<h1>Stew</h1>"),
    ]
    table = peneira.item_table(items, ["a.html", "b.html"])
    assert table.names[:4] == ("source", "kind", "title", "price")
    assert [row["kind"] for row in table.to_dicts()] == ["product", "recipe"]
    assert table.to_dicts()[1]["price"] is None
    evidence = peneira.item_table(items, evidence=True)
    assert evidence.names[:4] == ("kind", "title", "title_source", "title_confidence")


def test_an_item_is_a_value():
    item = peneira.item(f"{PRODUCT}<h1>Oak chair</h1><p>Solid", url="https://shop.example/c")
    assert pickle.loads(pickle.dumps(item)) == item
    assert repr(item) == f"<Item product 'Oak chair', {len(item.fields)} fields>"
    assert item.to_dict()["sku"] == "CH-1"
    assert (item.get("nothing"), next(iter(item)), item.title) == (None, "title", item["title"])
    with pytest.raises(KeyError, match="this item has title, "):
        item["nothing"]


@pytest.mark.parametrize(
    "page",
    [
        b"",
        "",
        "one",
        "<html><head></head></html>",
        "<frameset><frame src=a><frame src=b></frameset>",
        "<script>var x = 1;</script>" * 50,
        "<body><div></div></body>",
    ],
)
def test_a_page_about_nothing_gives_a_declared_empty_result(page: bytes | str):
    item = peneira.item(page)
    assert (item.kind, item.fields, len(item.reasons)) == (None, {}, 1)


def test_a_page_that_refuses_access_is_no_item():
    item = peneira.item("<h1>Access denied</h1><p>You have been blocked. Please contact the site.")
    assert (item.kind, item.reasons[0].code) == (None, ReasonCode.BLOCKED)


@pytest.mark.parametrize(
    "script",
    [
        "[" * 20000,
        '{"@type":"Product","offers":' * 500 + "1" + "}" * 500,
        '{"@type":"Product","name":"x","@id":"#a","isRelatedTo":{"@id":"#a"}}',
        '{"@type": "Product", "name": 1e400, "offers": {"price": "1e400"}}',
        '{"@type":"Product","name":"x","image":[' + '"a",' * 20000 + '"b"]}',
        "{not json",
        '{"@type":["Product",{"a":1}],"name":{"name":{"name":"x"}},"offers":[[{"price":"1"}]]}',
    ],
)
def test_deep_huge_and_broken_descriptions_are_bounded(script: str):
    item = peneira.item(f'<title>x</title><script type="application/ld+json">{script}</script><h1>Some x</h1><p>A text')
    assert isinstance(item, Item)
    assert len(item["images"].items if "images" in item else ()) <= 50


def test_a_huge_page_takes_time_in_proportion():
    def page(size: int) -> str:
        return (
            f"<title>Chair</title><h1>Chair</h1><p class=price>€ 5</p>{'<div><p>Some <b>text</b> 1 €</p></div>' * size}"
        )

    small, large = (lines_executed(lambda size=size: peneira.item(page(size))) for size in (500, 2000))
    assert large < 6 * small


def test_a_page_beyond_the_limits_gives_a_partial_result():
    item = peneira.item(f"<h1>Oak chair</h1>{PRODUCT}{'<p>word</p>' * 50}", limits=peneira.Limits(nodes=40))
    assert item.status == "partial"


@given(soup)
def test_any_page_gives_an_item(html: str):
    item = peneira.item(html)
    assert isinstance(item, Item)
    assert peneira.item(html) == item


def test_a_file_and_a_page_are_read_as_text_is(tmp_path: Path):
    html = f"{PRODUCT}<h1>Oak chair</h1><p>Solid"
    file = tmp_path / "a.html"
    file.write_text(html)
    assert peneira.item(file) == peneira.item(html) == peneira.item(peneira.Page.from_html(html))


RECIPE_PAGE = '<h1>Tasty T</h1><script type="application/ld+json">{}</script>'


def recipe(**properties: object) -> str:
    return RECIPE_PAGE.format(json.dumps({"@type": "Recipe", "name": "Tasty T", **properties}))


def test_an_ingredient_that_is_taken_twice_stays_twice():
    found = peneira.item(recipe(recipeIngredient=["1 cup flour", "1 cup flour", "2 eggs"]))
    assert found["ingredients"].items == ("1 cup flour", "1 cup flour", "2 eggs")


def test_data_that_names_itself_again_is_read_in_part():
    def work(times: int) -> int:
        again = [{"@id": "s"}] * times
        section = {"@id": "s", "@type": "HowToSection", "itemListElement": again}
        offer = {"@id": "o", "@type": "Offer", "price": "3", "offers": [{"@id": "o"}] * times}
        thing = {
            "@type": "Recipe",
            "name": "Tasty T",
            "recipeIngredient": ["1 egg", "salt"],
            "recipeInstructions": again,
        }
        product = {"@type": "Product", "name": "Tasty T", "offers": [{"@id": "o"}] * times}
        graph = RECIPE_PAGE.format(json.dumps({"@graph": [thing, section, offer, product]}))
        return lines_executed(lambda: peneira.item(graph))

    assert work(60) < 20 * work(15)


@pytest.mark.parametrize(
    "properties",
    [
        {"aggregateRating": {"ratingValue": "1" * 40, "reviewCount": "1" * 5000}},
        {"numberOfPages": "1" * 5000},
        {"offers": {"price": "1" * 30 + ".00001", "priceCurrency": "EUR"}},
    ],
)
def test_numbers_of_any_length_are_read_or_left_out(properties: dict[str, object]):
    page = recipe(**properties).replace('"Recipe"', '"Product"')
    assert peneira.item(page)["title"].text == "Tasty T"


def test_a_length_of_time_may_name_years_and_months_of_zero():
    found = peneira.item(recipe(recipeIngredient=["1 egg", "salt"], totalTime="P0Y0M0DT0H35M0.000S"))
    assert found["total_time"].text == "35 min"


BENCH = data(**{"@type": "Product", "name": "Garden bench", "offers": {"price": 49.9, "priceCurrency": "USD"}})


def test_a_brand_is_what_the_heading_begins_with_behind_the_words_of_a_link():
    page = f"{BENCH}<a class=brand>Shop all Silva</a><h1>Silva Garden bench</h1><p>$49.90"
    assert peneira.item(page)["brand"].text == "Silva"


def test_a_line_of_the_class_brand_that_is_the_heading_is_no_brand():
    page = f"{BENCH}<div class=brand><h1>Garden bench</h1></div><p>$49.90"
    assert "brand" not in peneira.item(page)


@pytest.mark.parametrize(("crumb", "brand"), [("Silva", "Silva"), ("Bench", None), ("Gard", None)])
def test_the_last_crumb_is_the_brand_only_where_the_heading_begins_with_it(crumb, brand):
    steps = f"<nav aria-label=breadcrumb><a href=/>Home</a><a href=/out>Outdoor</a><a href=/x>{crumb}</a></nav>"
    heading = "Silva Garden Bench" if brand else "Garden Bench"
    item = peneira.item(f"{BENCH}{steps}<h1>{heading}</h1><p>$49.90", url="https://shop.example/a/b")
    assert (item["brand"].text if "brand" in item else None) == brand


def test_a_price_before_another_one_far_below_is_not_given_alone():
    lines = "".join(f"<p>Line {word} of the description" for word in "abcdefghijklmnopqrstuvwxyz" * 3)
    others = "<div><span>$39.90</span> <del>$79.90</del></div>"
    item = peneira.item(f"<meta property=og:type content=product><h1>Garden bench</h1>{lines}{others}")
    assert "old_price" not in item


def article(inside: str, head: str = "") -> str:
    return f"<head><meta property=og:type content=article>{head}</head><main><h1>The bridge</h1>{inside}<p>{PROSE * 3}</main>"


@pytest.mark.parametrize(
    "head",
    [
        "<meta itemprop=author content='Ann Moreno'>",
        "<meta name=citation_author content='Ann Moreno'>",
        "<meta name=twitter:label1 content='Written by'><meta name=twitter:data1 content='Ann Moreno'>",
    ],
)
def test_the_author_of_an_article_in_its_head(head):
    assert peneira.item(article("", head))["author"].text == "Ann Moreno"


def test_a_property_of_a_review_in_the_body_is_not_the_author_of_the_page():
    review = "<div><meta itemprop=author content='Some Reader'></div>"
    assert "author" not in peneira.item(article(review))


@pytest.mark.parametrize(
    "byline",
    [
        "<p class=c-post__author-name>Allan Moreno</p>",
        "<p class=author>Allan Moreno<br>4 August 2010</p>",
        "<p><a href=/blog/authors/allan>Allan Moreno</a>",
        "<p>May 28 Written by <a rel=author href=/a>Allan Moreno</a>",
        "<p>By <strong>Allan Moreno</strong> - Mar 27, 2024",
    ],
)
def test_the_author_beside_the_heading(byline):
    assert peneira.item(article(byline))["author"].text == "Allan Moreno"


def test_the_author_in_a_box_below_the_text():
    paragraphs = f"<p>{PROSE}" * 30
    box = "<div class=author-box><h4>Ann Moreno</h4><p>Writes about bridges.</div>"
    assert peneira.item(article(f"{paragraphs}{box}"))["author"].text == "Ann Moreno"
    assert "author" not in peneira.item(article(f"{paragraphs}{box}{box.replace('Ann', 'Bob')}"))


def test_the_author_of_a_site_of_one_person():
    page = article("<p class=author>Ann Moreno</p>", "<meta property=og:site_name content='Ann Moreno'>")
    assert peneira.item(page)["author"].text == "Ann Moreno"
    other = page.replace("<main>", "<main><p class=author>Bob Silva</p>")
    assert peneira.item(other)["author"].text == "Bob Silva"


@pytest.mark.parametrize(
    ("line", "dates"),
    [
        ("By Ann Moreno - Mar 27, 2024", {"date": "Mar 27, 2024"}),
        ("December 17, 2025 • 8 minutes", {"date": "December 17, 2025"}),
        ("<span>Ann</span><span>17 Dec 2025</span>", {"date": "17 Dec 2025"}),
        ("Updated on 23 Oct 2025", {"date_modified": "23 Oct 2025"}),
        ("Published on Oct 21, 2025 Updated on Mar 9, 2026", {"date": "Oct 21, 2025", "date_modified": "Mar 9, 2026"}),
    ],
)
def test_the_dates_in_a_line_beside_the_heading(line, dates):
    assert texts(peneira.item(article(f"<p>{line}</p>")), "date", "date_modified") == dates


def test_the_date_of_the_page_in_its_data():
    page = data(**{"@type": "WebPage", "datePublished": "2024-03-17", "dateModified": "2024-05-01"})
    assert texts(peneira.item(article("", page)), "date", "date_modified") == {
        "date": "2024-03-17",
        "date_modified": "2024-05-01",
    }
