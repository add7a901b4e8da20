from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray

import peneira
from generated import soup
from peneira.page import Page
from peneira.sources.html import read_page
from peneira.texts.region_candidates import FEATURES, RegionCandidates, region_candidates
from peneira.texts.region_filter import content_regions, content_rows

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
    shown = set(before.text_of(0).split()) | set(before.visible_text(0).split()) | set("".join(before.text).split())
    assert set(after.visible_text(0).split()) <= shown


def test_a_hundred_thousand_siblings_are_cleaned():
    html = peneira.clean("<ul>" + "<li>x y z" * 100_000 + "</ul>")
    assert html.count("<li>") == 100_000


LISTS = "".join(
    f"<{tag}>{''.join(f'<li>{tag} {k}</li>' for k in range(4))}</{tag}>" for tag in ("ul", "ol", "menu", "dir")
)


def regions_with_scores(scores: dict[str, float]) -> list[str]:
    """Return the tags of the content regions of a page of four lists, given the score of each list."""
    page = read_page(LISTS)

    def score(_: Page, candidates: RegionCandidates) -> NDArray[np.float64]:
        ranges = zip(candidates.start.tolist(), candidates.end.tolist(), strict=True)
        lists = [(page.parent[a], b) for a, b in ranges]
        return np.array([scores.get(page.name(i), 0.0) if page.end[i] == b else 0.0 for i, b in lists])

    return [page.name(page.parent[start]) for start, _ in content_regions(page, score)]


def test_a_region_with_nearly_the_best_score_is_content_too():
    assert regions_with_scores({"ul": 1.0, "ol": 0.95, "menu": 0.94}) == ["ul", "ol"]


def test_a_page_has_at_most_three_content_regions():
    assert regions_with_scores(dict.fromkeys(("ul", "ol", "menu", "dir"), 1.0)) == ["ul", "ol", "menu"]


@pytest.mark.parametrize(("prose", "other", "is_kept"), [(80, 186, True), (80, 187, False), (79, 100, False)])
def test_paragraphs_of_80_characters_are_kept_if_they_hold_three_tenths_of_the_text(
    prose: int, other: int, is_kept: bool
):
    page = read_page(f"<p>{'x' * prose}</p><ul><li>a<li>b<li>c<li>{'y' * (other - 3)}</ul>")

    def score(_: Page, candidates: RegionCandidates) -> NDArray[np.float64]:
        return (candidates.start > page.text.index("x" * prose)).astype(np.float64)

    paragraph = next(i for i in range(len(page)) if page.name(i) == "p")
    assert bool(content_rows(page, score)[paragraph]) == is_kept


def test_the_complement_is_kept_where_the_region_of_the_published_filter_is_a_menu():
    words = "The river rose twice in that year, and nobody in the valley slept until the bridge was built. "
    html = f"<title>The flood</title>{MENU * 2}<article><h1>The flood</h1><p>{words}</p><p>{words}</p></article>"
    assert "The river" not in peneira.clean(html, faithful="scan-on")
    assert "The river" in peneira.clean(html, faithful="scan-on", complement=True)


@pytest.mark.parametrize(
    "options", [{"faithful": "other"}, {"complement": True}, {"margin": 0.3}, {"faithful": "scan-on", "margin": 1.0}]
)
def test_options_that_do_not_fit_are_refused(options: dict[str, object]):
    with pytest.raises(peneira.PeneiraError):
        peneira.clean(SHOP, **options)


def test_images_among_content_are_kept():
    words = "It was the year in which the river rose twice and nobody in the valley slept well until the bridge was. "
    other = "Then the bridge was built, of stone from the hills, and the people of both banks paid for it in years. "
    image = "<figure><img src=a.png></figure>"
    html = f"{MENU}<article><h1>A flood</h1><p>{words * 2}</p>{image}<p>{other * 2}</p></article>"
    assert '<img src="a.png">' in peneira.clean(html)


def test_the_heading_of_a_list_is_kept_with_it():
    html = f"{MENU}<div class=list><h2>Everything of the house</h2>{''.join(map(product, range(12)))}</div>{FOOTER}"
    assert "Everything of the house" in peneira.clean(html)
