from __future__ import annotations

import pytest
from hypothesis import given

import peneira
from generated import soup
from peneira.page import Page
from peneira.sources.html import read_page
from peneira.texts.region_candidates import FEATURES, region_candidates
from peneira.texts.region_filter import content_regions

WORDS = "kettle lamp chair table clock mirror basket candle".split()
AISLES = (
    "Books Garden Kitchen Toys Music Films Shoes Hats Coats Sports Outdoors Health Beauty Grocery Pets Baby Office "
    "Computers Phones Cameras Tools Lighting Bedding Bath Rugs Curtains Storage Art Crafts Travel Luggage Watches"
).split()


def product(k: int) -> str:
    name = WORDS[k % len(WORDS)]
    title = f"<h3><a href=/p/{k}>{name.title()} no. {k}</a></h3>"
    return f"<div class=item>{title}<p>A {name} of {k} kilos, made by hand</p><b>R$ {k}9,90</b></div>"


MENU = "<ul class=menu>" + "".join(f"<li><a href=/{aisle}>{aisle}</a></li>" for aisle in AISLES) + "</ul>"
FOOTER = (
    "<div class=foot>"
    + "".join(f"<a href=/{w}>{w.title()}</a> " for w in "about press jobs help terms".split())
    + "</div>"
)
SHOP = f"<!DOCTYPE html><title>Shop</title>{MENU}<div class=list>{''.join(map(product, range(12)))}</div>{FOOTER}"


def test_cleaning_keeps_the_records_and_cuts_menu_and_footer():
    page = read_page(peneira.clean(SHOP))
    text = page.visible_text(page.body)
    assert all(f"R$ {k}9,90" in text for k in range(12))
    assert "Curtains" not in text
    assert "Press" not in text


def test_the_result_is_a_complete_document():
    html = peneira.clean(SHOP)
    assert html.startswith("<!DOCTYPE html><html><head><title>Shop</title></head><body>")
    assert html.endswith("</body></html>")


def test_a_menu_larger_than_the_list_is_still_noise():
    page = read_page(peneira.clean(f"{MENU * 3}<div class=list>{''.join(map(product, range(8)))}</div>{FOOTER}"))
    text = page.visible_text(page.body)
    assert all(f"R$ {k}9,90" in text for k in range(8))


def test_an_article_keeps_its_paragraphs():
    words = (
        "It was the year in which the river rose twice and nobody in the valley slept well until the bridge was built. "
    )
    paragraphs = "".join(f"<p>{words}{k}</p><h2>Part {k}</h2>" for k in range(6))
    page = read_page(peneira.clean(f"{MENU}<article>{paragraphs}</article>{FOOTER}"))
    text = page.visible_text(page.body)
    assert all(f"built. {k}" in text for k in range(6))


def test_the_published_filter_can_be_run_instead():
    html = peneira.clean(SHOP, faithful="scan-on")
    assert "Press" not in html
    assert "R$ 119,90" in html


def test_the_scorer_can_be_replaced():
    page = read_page(SHOP)
    region = content_regions(page, lambda _, candidates: (candidates.start == candidates.start.min()).astype(float))[0]
    assert page.visible_text(*region).startswith("Books")


def test_features_have_unique_names_and_are_finite():
    import numpy as np

    candidates = region_candidates(read_page(SHOP))
    assert candidates.features.shape == (len(candidates), len(FEATURES))
    assert np.isfinite(candidates.features).all()
    assert len(set(FEATURES)) == len(FEATURES)


@pytest.mark.parametrize(
    "html", ["", "<body></body>", "text only", "<p>one</p>", "<p>a</p>" * 60, "<frameset></frameset>"]
)
def test_pages_without_noise_are_kept(html: str):
    page = read_page(peneira.clean(html))
    assert page.visible_text(0) == read_page(html).visible_text(0)


@given(soup)
def test_cleaning_never_fails_and_invents_no_text(html: str):
    before: Page = read_page(html)
    after = read_page(peneira.clean(html))
    assert set(after.visible_text(0).split()) <= set(before.text_of(0).split()) | set("".join(before.text).split())


def test_a_hundred_thousand_siblings_are_cleaned():
    html = peneira.clean("<ul>" + "<li>x y z" * 100_000 + "</ul>")
    assert html.count("<li>") == 100_000
