"""Wrappers with columns that are read from data inside the page: saved, checked and healed like the others."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import peneira
from peneira import Limits
from peneira.errors import LimitExceeded
from peneira.wrappers.corrections import Corrections, Rename
from peneira.wrappers.drift import CheckVerdict
from peneira.wrappers.store import dumps, loads

NAMES = "lamp chair table shelf clock mirror".split()


def shop(*, shows_price: bool = True, tag: str = "li", colours: bool = False, wood: str = "Wooden") -> str:
    """Return a list of products with JSON-LD, whose prices the page may leave to it."""
    items = [
        {
            "@type": "Product",
            "name": f"{wood} {name}",
            "url": f"https://shop.example/{name}",
            "sku": f"W-{k}7{k}",
            "offers": {"@type": "Offer", "price": f"{k}9.50", "priceCurrency": "EUR"},
        }
        for k, name in enumerate(NAMES, 1)
    ]
    price = '<b class="price">€{k}9.50</b>' if shows_price else "<b>solid oak, number {k}</b>"
    colour = "<em class=shade>shade number {k} of oak</em>" if colours else ""
    body = "".join(
        f'<{tag} class="p"><h3><a href="/{name}">{wood} {name}</a></h3>{price}{colour}</{tag}>'.replace("{k}", str(k))
        for k, name in enumerate(NAMES, 1)
    )
    data = json.dumps([{"@context": "https://schema.org", **item} for item in items])
    return f'<main><div class="list">{body}</div></main><script type="application/ld+json">{data}</script>'


def learned(*pages: str) -> peneira.Wrapper:
    return peneira.learn([peneira.Page.from_html(page, url="https://shop.example/") for page in pages], kind="list")


def columns_of(wrapper: peneira.Wrapper) -> set[str]:
    return {column.name for column in wrapper.fields}


def test_a_column_that_one_page_shows_and_another_leaves_to_its_data_is_saved_once():
    wrapper = learned(shop(), shop(wood="Oaken"), shop(wood="Walnut"), shop(shows_price=False))
    assert loads(dumps(wrapper)) == wrapper


def test_a_wrapper_with_embedded_columns_passes_the_check_on_its_own_page():
    wrapper = learned(shop())
    assert any(column.source != "page" for column in wrapper.fields)
    report = wrapper.check([peneira.Page.from_html(shop(), url="https://shop.example/")])
    assert report.verdict == CheckVerdict.OK


def test_a_heal_keeps_embedded_columns():
    wrapper = learned(shop())
    healing = wrapper.heal([peneira.Page.from_html(shop(tag="section"), url="https://shop.example/")])
    embedded = {column.name for column in wrapper.fields if column.source != "page"}
    assert embedded and embedded <= columns_of(healing.wrapper)


def test_a_heal_that_loses_embedded_columns_is_refused():
    wrapper = learned(shop())
    bare = shop().partition("<script")[0]
    healing = wrapper.heal([peneira.Page.from_html(bare, url="https://shop.example/")])
    assert not healing.accepted


def test_a_new_column_never_takes_the_name_that_a_correction_gave():
    wrapper = learned(shop().partition("<script")[0])
    corrections = Corrections((Rename("title", "text"),))
    corrected = replace(wrapper, corrections=corrections)
    page = peneira.Page.from_html(shop(colours=True).partition("<script")[0], url="https://shop.example/")
    healed = corrected.heal([page]).wrapper
    assert "text" not in columns_of(healed)


def test_a_column_that_is_typed_by_its_datetime_passes_the_check_on_its_own_page():
    posts = "".join(
        f'<li><h3><a href="/{k}">Post number {k}</a></h3><time datetime="2024-01-0{k}T10:00">{k} days ago</time>'
        for k in range(2, 9)
    )
    page = peneira.Page.from_html(f"<main><ul>{posts}</ul></main>")
    wrapper = peneira.learn([page], kind="list")
    assert wrapper.check([page]).verdict == CheckVerdict.OK


def test_fields_named_twice_are_one_column():
    wrapper = peneira.learn([shop()], kind="list", fields=["title", "title"])
    assert [column.name for column in wrapper.fields] == ["title"]


def test_learning_from_a_list_that_a_limit_cuts_is_refused():
    page = (
        "<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k} years</i> <a href=/{k}>more {k}</a>" for k in range(40)) + "</ul>"
    )
    with pytest.raises(LimitExceeded):
        peneira.learn([page], kind="list", limits=Limits(cells=20))


def test_an_embedded_column_that_is_renamed_in_the_file_is_still_read():
    saved = json.loads(dumps(learned(shop())))
    column = next(column for column in saved["columns"] if column["source"] != "page")
    assert column["name"] == "sku"
    column["name"] = "article"
    page = peneira.Page.from_html(shop(), url="https://shop.example/")
    records = loads(json.dumps(saved)).extract(page).main.records
    assert [record["article"].text for record in records[:2]] == ["W-171", "W-272"]


def test_checks_and_heals_return_the_cuts_of_their_pages():
    deep = peneira.Page.from_html("<div>" * 3000 + shop(), url="https://shop.example/")
    wrapper = learned(shop())
    assert deep.cuts
    assert wrapper.check(deep).cuts == deep.cuts
    assert wrapper.heal(deep).cuts == deep.cuts
