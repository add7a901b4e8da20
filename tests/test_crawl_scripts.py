"""Lists that need a browser: buttons that load more or the next page, pages that grow when scrolled or are built."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from browsing import options, patience
from crawling import run
from peneira.lists.paging_words import more_labels
from peneira.page import Page
from peneira.sources.browser import Browser
from raw_site import RawSite, answer, served
from shop import Shop, open_shop
from sites import serving

FAST = ("--delay", "0", "--concurrency", "4", "--timeout", "120")


@pytest.fixture
def shop() -> Iterator[Shop]:
    with open_shop() as opened:
        yield opened


def titles(path: Path) -> list[str]:
    return [json.loads(line)["title"] for line in path.read_text().splitlines()]


@pytest.mark.parametrize("variant", ["/more", "/endless", "/silent"])
def test_a_list_that_grows_is_read_to_its_end(variant: str, shop: Shop, tmp_path: Path):
    done = run("crawl", shop.url(variant), "-o", tmp_path / "a.jsonl", *FAST)
    assert done.returncode == 0, done.stderr
    assert titles(tmp_path / "a.jsonl") == [product.title for product in shop.products]


def test_a_list_that_scripts_build_is_followed_page_by_page(shop: Shop, tmp_path: Path):
    done = run("crawl", shop.url("/app"), "-o", tmp_path / "a.jsonl", *FAST)
    assert done.returncode == 0, done.stderr
    assert titles(tmp_path / "a.jsonl") == [product.title for product in shop.products]
    # the first page is fetched to see that it is a shell; of the others only the browser asks
    assert [shop.times_asked()[f"/app{query}"] for query in ("", "?page=2", "?page=15")] == [2, 1, 1]


@pytest.mark.parametrize(("variant", "options"), [("/buttons", ()), ("/numbers", ("--render", "always"))])
def test_buttons_without_addresses_are_pressed_to_the_last_page(
    variant: str, options: tuple[str, ...], shop: Shop, tmp_path: Path
):
    done = run("crawl", shop.url(variant), "-o", tmp_path / "a.jsonl", *FAST, *options)
    assert (done.returncode, "15 list pages" in done.stderr) == (0, True), done.stderr
    assert titles(tmp_path / "a.jsonl") == [product.title for product in shop.products]
    assert max(shop.times_asked()[f"/api/products?page={number}"] for number in range(2, 16)) == 1


def test_pages_behind_buttons_are_kept_for_an_interrupted_crawl(shop: Shop, tmp_path: Path):
    shop.products = shop.products[:60]
    path = shop.products[-1].path  # busy until the crawl is started again
    shop.down.add(path)
    args = ("crawl", shop.url("/buttons"), "-o", tmp_path / "a.jsonl", "--details", "--max-depth", "3", *FAST)
    first = run(*args)
    assert first.returncode == 5, first.stderr
    shop.down.clear()
    again = run(*args)
    assert "turns limit of 2: the pages that follow" in again.stderr
    assert [json.loads(line)["sku"] for line in (tmp_path / "a.jsonl").read_text().splitlines()] == [
        product.sku for product in shop.products
    ]
    assert shop.times_asked()["/api/products?page=2"] == 1


def test_an_empty_page_behind_the_last_one_is_not_part_of_the_list(shop: Shop, tmp_path: Path):
    shop.products = shop.products[:40]  # the button "Next" does not know, and shows a third page without products
    for _ in range(2):
        done = run("track", shop.url("/buttons"), "--store", tmp_path / "a.sqlite", *FAST)
        assert (done.returncode, "2 list pages" in done.stderr) == (0, True), done.stderr
    assert "40 records: 0 new, 0 gone, 0 returned, 0 changed" in done.stderr


def test_a_list_whose_browser_fails_is_read_as_it_was_sent(shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PENEIRA_CHROMIUM", "/no/such/browser")
    done = run("crawl", shop.url("/more"), "-o", tmp_path / "a.jsonl", *FAST)
    assert done.returncode == 1
    assert "no Chromium is found" in done.stderr
    assert titles(tmp_path / "a.jsonl") == [product.title for product in shop.products[:20]]


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


def next_button(page: Page) -> int | None:
    return next((row for row in range(len(page)) if page.attrs[row].get("id") == "next"), None)


@pytest.mark.parametrize(
    ("script", "pages"),
    [
        ("n = n + 1", ["n 1", "n 2", "n 3", "n 4"]),  # no more than the turns
        ("n = Math.min(n + 1, 2)", ["n 1", "n 2"]),  # pressing changes nothing
        ("n = n + 1; if (n == 3) { document.getElementById('next').remove() }", ["n 1", "n 2", "n 3"]),
        ("n = n + 1; if (n == 3) { while (true); }", ["n 1", "n 2"]),  # a page that hangs ends the pages before it not
    ],
    ids=["turns", "end", "gone", "hangs"],
)
def test_a_browser_turns_pages_until_none_comes(script: str, pages: list[str], browser: Browser):
    html = f"""<p id=n>n 1</p><button id=next>Next</button><script>let n = 1;
      document.getElementById('next').onclick = () => {{ {script}; document.getElementById('n').innerText = 'n ' + n }};
      </script>"""
    timeout_s = 12 if "while" in script else 60
    with serving({"/list": html}) as site, options(browser, turns=3, patience_s=0.5, timeout_s=timeout_s):
        found = browser.open_pages(site.url("/list"), next_button)
    assert [page.visible_text(0).removesuffix("Next").strip() for page in found] == pages
    assert bool(found[-1].cuts) == (script == "n = n + 1" or "while" in script)


def test_the_browser_of_a_crawl_sends_the_headers_cookies_and_name_of_the_user(tmp_path: Path):
    card = "`<li><a href=/p/${k}>Oak chair number ${k}</a> <b>$${k}.50</b></li>`"
    script = f"document.querySelector('ul').innerHTML = [1,2,3,4,5,6,7,8].map(k => {card}).join('')"
    shell = f"<title>Chairs</title><ul></ul><script>fetch('/data').then(() => {{ {script} }})</script>"
    for site in served(RawSite()):
        site.pages = {
            "/robots.txt": answer(b""),
            "/": answer(shell.encode(), "Set-Cookie: visit=7"),
            "/data": answer(b"{}"),
            "/favicon.ico": answer(b""),
        }
        url = site.url().replace("://", "://me:secret@")
        sent_by_user = ("--header", "X-Own: yes", "--cookie", "a=b", "--user-agent", "sieve/1")
        done = run("crawl", url, "-o", tmp_path / "a.jsonl", *sent_by_user, *FAST)
        sent = [{name.lower(): value for name, value in own.items()} for path, own in site.requests if path == "/data"]
    assert (done.returncode, len(titles(tmp_path / "a.jsonl"))) == (0, 8), done.stderr
    for call in sent:
        assert (call["x-own"], call["authorization"], call["cookie"]) == ("yes", "Basic bWU6c2VjcmV0", "a=b; visit=7")
        assert call["user-agent"].endswith(" sieve/1")
    assert sent
