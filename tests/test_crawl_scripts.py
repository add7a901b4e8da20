"""Lists that need a browser: a button that loads more, a page that grows when scrolled, one that scripts build."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from browsing import patience
from crawling import run
from peneira.lists.paging_words import more_labels
from peneira.sources.browser import Browser
from shop import Shop, open_shop

FAST = ("--delay", "0", "--concurrency", "4", "--timeout", "120")


@pytest.fixture
def shop() -> Iterator[Shop]:
    with open_shop() as opened:
        yield opened


def titles(path: Path) -> list[str]:
    return [json.loads(line)["title"] for line in path.read_text().splitlines()]


@pytest.mark.parametrize("variant", ["/more", "/endless"])
def test_a_list_that_grows_is_read_to_its_end(variant: str, shop: Shop, tmp_path: Path):
    done = run("crawl", shop.url(variant), "-o", tmp_path / "a.jsonl", *FAST)
    assert done.returncode == 0, done.stderr
    assert titles(tmp_path / "a.jsonl") == [product.title for product in shop.products]


def test_a_list_that_scripts_build_is_followed_page_by_page(shop: Shop, tmp_path: Path):
    done = run("crawl", shop.url("/app"), "-o", tmp_path / "a.jsonl", *FAST)
    assert done.returncode == 0, done.stderr
    assert titles(tmp_path / "a.jsonl") == [product.title for product in shop.products[:60]]
    # the first page is fetched to see that it is a shell; of the others only the browser asks
    assert [shop.times_asked()[f"/app{query}"] for query in ("", "?page=2", "?page=3")] == [2, 1, 1]


def test_without_a_browser_a_growing_list_is_partial(shop: Shop, tmp_path: Path):
    done = run("crawl", shop.url("/more"), "-o", tmp_path / "a.jsonl", "--render", "never", *FAST)
    assert done.returncode == 5
    assert "loads more by a script" in done.stderr
    assert len(titles(tmp_path / "a.jsonl")) == 20


def test_only_buttons_that_say_so_are_pressed(browser: Browser):
    html = """<button onclick="add()">Load more</button><button onclick="document.body.innerHTML=''">Delete</button>
      <a href="/elsewhere">Load more</a><ul><li class=a>1<li class=a>2<li class=a>3</ul><script>function add() {
      const list = document.querySelector('ul');
      if (list.children.length < 9) list.insertAdjacentHTML('beforeend', '<li class=a>x<li class=a>y'); }</script>"""
    with patience(browser, scrolls=10, more_labels=more_labels()):
        page = browser.read(html)
    assert page.text_of(0, len(page)).count("x") == 3
    assert "Delete" in page.text_of(0, len(page))
