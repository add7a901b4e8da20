"""Which pages are of one site."""

from __future__ import annotations

import pytest

from peneira.columns.site_groups import group_sites, host_of, page_origin, shared_markup
from peneira.page import Page


def page(html: str, url: str | None = None) -> Page:
    return Page.from_html(html, url=url)


@pytest.mark.parametrize(
    ("html", "url", "host"),
    [
        ("<p>x", "https://www.Shop.example:8080/a", "shop.example"),
        ("<base href=https://base.example/><link rel=canonical href=https://c.example/>", None, "base.example"),
        ("<base href=/relative/><link rel='Canonical' href='https://c.example/x'>", None, "c.example"),
        ("<meta property=og:url content=https://og.example/x>", None, "og.example"),
        ("<link rel=canonical href=https://c.example/>", "https://own.example/", "own.example"),
        ("<link rel=canonical href=/x>", None, ""),
        ("<link rel=canonical href='https://[bad/x'>", None, ""),
        ("<link rel=canonical href='https://a b\x1b.example/'>", None, ""),
        ("<p>x", "file:///tmp/x.html", ""),
    ],
)
def test_the_host_is_that_of_the_address_or_what_the_page_says(html: str, url: str | None, host: str):
    assert host_of(page(html, url)) == host


SHOP = "<div class='shop top'><p class=price>1</p><p class=name>a</p></div>"
NEWS = "<div class='news top'><p class=lead>1</p><p class=byline>a</p></div>"


def groups(*pages: Page) -> list[int]:
    return group_sites([page_origin(each) for each in pages])


def test_pages_of_one_host_are_of_one_site_whatever_their_markup():
    assert groups(page(SHOP, "https://a.example/1"), page(NEWS, "https://www.a.example/2")) == [0, 0]


def test_equal_markup_does_not_join_hosts():
    assert groups(page(SHOP, "https://a.example/"), page(SHOP, "https://b.example/")) == [0, 1]


def test_pages_without_a_host_are_grouped_by_their_markup():
    assert groups(page(NEWS), page(SHOP), page(NEWS + "<i class=extra>x</i>"), page(SHOP)) == [0, 1, 0, 1]


def test_a_page_without_a_host_joins_the_site_of_its_markup():
    assert groups(page(SHOP), page(NEWS, "https://news.example/"), page(SHOP, "https://shop.example/")) == [0, 1, 0]


def test_numbers_in_class_words_do_not_count():
    first, second = (page_origin(page(f"<p class='item item-{k}'>x")) for k in (1, 27))
    assert shared_markup(first, second) == 1.0


def test_no_pages_have_no_sites():
    assert group_sites([]) == []
