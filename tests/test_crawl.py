"""``peneira crawl`` on the shop of the tests, as a user types it."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse

from crawling import run, start
from peneira.cli.crawl_job import crawl_folder, job_folder
from peneira.scrapy.download_handler import RENDER
from peneira.scrapy.run import guard_settings
from peneira.scrapy.spider import PageSpider, _host, failure_reason
from shop import Shop, open_shop
from sites import serving

FAST = ("--delay", "0", "--concurrency", "4")


@pytest.fixture
def shop() -> Iterator[Shop]:
    with open_shop() as opened:
        yield opened


def rows(path: Path) -> list[dict[str, object]]:
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(f"SELECT * FROM {path.stem}")]


def test_one_command_gets_all_products_joined_with_their_own_pages(shop: Shop, tmp_path: Path):
    shop.busy = {"/products?page=3": (429, "1"), shop.products[30].path: (503, "")}
    shop.redirects[shop.products[5].path] = shop.url("/p/moved")
    shop.redirects["/p/moved"] = shop.url(shop.products[6].path)
    done = run("crawl", shop.url(), "--details", "-o", tmp_path / "shop.sqlite", *FAST)
    assert done.returncode == 0, done.stderr
    found = rows(tmp_path / "shop.sqlite")
    assert [(row["title"], row["price_text"], row["sku"], row["weight_text"]) for row in found if row["title"]] == [
        (product.title, f"${product.price}", sold.sku, sold.weight)
        for product in shop.products
        for sold in [shop.products[6] if product.number == 6 else product]
    ]
    assert "15 list pages, 300 detail pages" in done.stderr
    again = {path: times for path, times in shop.times_asked().items() if times > 1}
    assert again == {"/products?page=3": 2, shop.products[30].path: 2}
    assert not any(path.startswith(("/calendar", "/private")) for path in shop.paths)
    assert list(tmp_path.iterdir()) == [tmp_path / "shop.sqlite"]


def test_a_killed_crawl_goes_on_without_fetching_twice(shop: Shop, tmp_path: Path):
    args = ("crawl", shop.url(), "--details", "-o", tmp_path / "shop.jsonl", *FAST)
    first = start(*args)
    while len(shop.asked) < 150:
        assert first.poll() is None
        time.sleep(0.01)
    first.kill()
    first.wait()
    done = run(*args)
    assert done.returncode == 0, done.stderr
    assert "going on with the crawl" in done.stderr
    assert len((tmp_path / "shop.jsonl").read_text().splitlines()) == 300
    repeated = sum(times - 1 for times in shop.times_asked().values())
    assert repeated <= 4  # what was on its way when the process died
    assert len(shop.times_asked()) == 1 + 15 + 300
    assert list(tmp_path.iterdir()) == [tmp_path / "shop.jsonl"]


def test_a_page_that_is_not_there_ends_the_crawl_and_the_next_one_fetches_all_pages(shop: Shop, tmp_path: Path):
    shop.products = shop.products[:20]
    shop.redirects[shop.products[3].path] = "/p/gone"
    args = ("crawl", shop.url(), "--details", "-o", tmp_path / "shop.jsonl", *FAST)
    done = run(*args)
    assert done.returncode == 5
    assert "the server answered 404" in done.stderr
    assert list(tmp_path.iterdir()) == [tmp_path / "shop.jsonl"]
    shop.change(1, price="1.99")
    run(*args)
    assert json.loads((tmp_path / "shop.jsonl").read_text().splitlines()[0])["price"] == 1.99


def test_pages_that_failed_for_a_while_are_all_that_is_fetched_again(shop: Shop, tmp_path: Path):
    shop.products = shop.products[:20]
    path = shop.products[3].path
    args = ("crawl", shop.url(), "--details", "-o", tmp_path / "shop.jsonl", *FAST)
    shop.down = {path}
    done = run(*args)
    assert done.returncode == 5
    assert "the same command again goes on from here" in done.stderr
    shop.down = set()
    asked = len(shop.asked)
    done = run(*args)
    assert done.returncode == 0, done.stderr
    assert "going on with the crawl" in done.stderr
    assert shop.paths[asked:] == [path]
    assert len((tmp_path / "shop.jsonl").read_text().splitlines()) == 20
    assert list(tmp_path.iterdir()) == [tmp_path / "shop.jsonl"]


def test_a_crawl_starts_afresh_on_request(shop: Shop, tmp_path: Path):
    shop.products = shop.products[:40]
    shop.down = {"/products?page=2"}
    args = ("crawl", shop.url(), "-o", tmp_path / "shop.jsonl", *FAST)
    assert run(*args).returncode == 5
    shop.down = set()
    shop.change(1, price="1.99")
    assert run(*args, "--fresh").returncode == 0
    assert json.loads((tmp_path / "shop.jsonl").read_text().splitlines()[0])["price"] == 1.99


def test_a_folder_that_another_crawl_uses_is_left_to_it(shop: Shop, tmp_path: Path):
    with job_folder(None, crawl_folder(tmp_path / "shop.jsonl")):
        done = run("crawl", shop.url(), "-o", tmp_path / "shop.jsonl", *FAST)
    assert done.returncode == 1
    assert "another crawl is using this folder now" in done.stderr
    assert shop.asked == []


def test_a_crawl_keeps_no_parsed_page_in_memory(shop: Shop, tmp_path: Path):
    script = """
import gc, sys
from pathlib import Path
from peneira.page import Page
from peneira.scrapy.job_pages import open_job
from peneira.scrapy.options import CrawlOptions
from peneira.scrapy.run import crawl
from peneira.scrapy.tables import crawled_tables
job = Path(sys.argv[2])
crawled = crawl([sys.argv[1]], CrawlOptions(details=True, delay_s=0, concurrency=4), job)
with open_job(job) as pages:
    [table] = crawled_tables(crawled, pages)
gc.collect()
kept = sum(isinstance(each, Page) for each in gc.get_objects())
print(len(crawled.lists), len(crawled.details), len(table.rows.table), kept)
"""
    shop.products = shop.products[:60]
    args = [sys.executable, "-c", script, shop.url(), str(tmp_path / "job")]
    done = subprocess.run(args, capture_output=True, text=True, timeout=120)
    *counts, pages = map(int, done.stdout.split())
    assert (counts, done.stderr) == ([3, 60, 60], "")
    assert pages <= 2  # what caches hold, whatever the number of pages


def test_requests_keep_the_delay_that_robots_txt_asks_for(shop: Shop, tmp_path: Path):
    shop.products = shop.products[:80]
    shop.robots = "User-agent: *\nCrawl-delay: 0.5\n"
    assert run("crawl", shop.url(), "-o", tmp_path / "shop.csv", "--delay", "0", "--concurrency", "8").returncode == 0
    times = [at for at, _ in shop.asked]
    assert len(times) == 5
    assert (times[-1] - times[1]) / 3 >= 0.4


def test_a_busy_server_is_left_in_peace_for_as_long_as_it_says(shop: Shop, tmp_path: Path):
    shop.products = shop.products[:80]
    shop.busy = {"/products?page=2": (429, "1")}
    assert run("crawl", shop.url(), "-o", tmp_path / "shop.csv", *FAST).returncode == 0
    at = [time_ for time_, path in shop.asked if path == "/products?page=2"]
    assert len(at) == 2
    assert at[1] - at[0] >= 0.9


def test_a_calendar_without_end_is_left(shop: Shop, tmp_path: Path):
    done = run("crawl", shop.url("/calendar/1"), "--details", "-o", tmp_path / "days.jsonl", "--novelty", "3", *FAST)
    assert done.returncode == 5
    assert "nothing new but numbers" in done.stderr
    months = [path for path in shop.paths if "/day/" not in path]
    assert months == ["/robots.txt", "/calendar/1", "/calendar/2", "/calendar/3", "/calendar/4"]
    assert len([path for path in shop.paths if "/day/" in path]) == 28  # of the first month, whose days were new


def test_a_redirect_to_another_private_address_is_refused(shop: Shop, tmp_path: Path):
    shop.products = shop.products[:20]
    with serving({"/": "secret", "/robots.txt": ""}) as other:
        shop.redirects["/deals"] = other.url(host="127.0.0.1")
        done = run("crawl", shop.url(), shop.url("/deals"), "-o", tmp_path / "shop.jsonl", *FAST)
        assert other.asked == []
    assert done.returncode == 5
    assert "leads to this private address (127.0.0.1)" in done.stderr
    assert len((tmp_path / "shop.jsonl").read_text().splitlines()) == 20


def test_robots_rules_are_obeyed_unless_the_user_says_otherwise(shop: Shop, tmp_path: Path):
    shop.products = shop.products[:20]
    urls = (shop.url("/private/products"), shop.url("/private/products?page=1"))
    done = run("crawl", *urls, "-o", tmp_path / "a.jsonl", *FAST)
    assert done.returncode == 1
    assert "Forbidden by robots.txt" in done.stderr
    assert shop.paths == ["/robots.txt"]
    assert run("crawl", urls[0], "-o", tmp_path / "b.jsonl", "--no-robots", *FAST).returncode == 0
    assert shop.paths == ["/robots.txt", "/private/products"]


def test_rules_for_our_name_go_before_those_for_all(shop: Shop, tmp_path: Path):
    shop.products = shop.products[:20]
    shop.robots = "User-agent: *\nDisallow:\n\nUser-agent: peneira\nDisallow: /products\n"
    assert run("crawl", shop.url(), "-o", tmp_path / "a.jsonl", *FAST).returncode == 1
    done = run("crawl", shop.url(), "-o", tmp_path / "b.jsonl", "--user-agent", "other/1.0", *FAST)
    assert done.returncode == 0, done.stderr


def test_everything_is_forbidden_while_the_server_cannot_send_its_rules(tmp_path: Path):
    from sites import Answer

    with serving({"/robots.txt": Answer("down", status=500), "/": "<ul><li>a<li>b</ul>"}) as site:
        done = run("crawl", site.url(), "-o", tmp_path / "a.jsonl", *FAST)
        assert "/" not in site.asked
    assert done.returncode == 1


def test_a_dry_run_fetches_the_start_page_alone(shop: Shop, tmp_path: Path):
    done = run("crawl", shop.url(), "--details", "--dry-run", *FAST, cwd=tmp_path)
    assert done.returncode == 0
    assert shop.paths == ["/robots.txt", "/products"]
    printed = done.stdout.splitlines()
    assert printed[:3] == [shop.url(f"/products?page={k}") for k in (2, 3, 4)]
    assert printed[3:] == [shop.url(product.path) for product in shop.products[:20]]
    assert list(tmp_path.iterdir()) == []


def test_limits_are_declared(shop: Shop, tmp_path: Path):
    done = run("crawl", shop.url(), "-o", tmp_path / "a.jsonl", "--max-depth", "2", *FAST)
    assert done.returncode == 5
    assert "more than 2 pages (--max-depth)" in done.stderr
    assert len((tmp_path / "a.jsonl").read_text().splitlines()) == 40
    done = run("crawl", shop.url(), "-o", tmp_path / "b.jsonl", "--max-pages", "3", *FAST)
    assert done.returncode == 5
    assert len((tmp_path / "b.jsonl").read_text().splitlines()) == 60


def test_headers_and_cookies_are_sent(tmp_path: Path):
    from raw_site import RawSite, answer, served

    site = RawSite()
    listed = "".join(f"<li><a href='/p/{k}'>Oak chair number {k}</a> <b>${k}.50</b></li>" for k in range(1, 9))
    site.pages = {"/robots.txt": answer(b""), "/": answer(f"<ul>{listed}</ul>".encode())}
    for opened in served(site):
        url = opened.url()
        done = run("crawl", url, "-o", tmp_path / "a.jsonl", "--header", "X-Own: yes", "--cookie", "a=b", *FAST)
        assert done.returncode == 0, done.stderr
        sent = dict(opened.requests)["/"]
        assert (sent["X-Own"], sent["Cookie"]) == ("yes", "a=b")
        assert sent["User-Agent"].startswith("peneira/")


def test_headers_of_the_user_do_not_follow_a_redirect_to_another_origin(tmp_path: Path):
    from raw_site import RawSite, answer, redirect, served

    listed = "".join(f"<li><a href='/p/{k}'>Oak chair number {k}</a> <b>${k}.50</b></li>" for k in range(1, 9))
    for other in served(RawSite()):
        other.pages = {"/robots.txt": answer(b""), "/": answer(f"<ul>{listed}</ul>".encode())}
        for own in served(RawSite()):
            own.pages = {"/robots.txt": answer(b""), "/": redirect("/hop"), "/hop": redirect(other.url())}
            done = run(
                "crawl", own.url(), "-o", tmp_path / "a.jsonl", "--header", "X-Own: yes", "--allow-private", *FAST
            )
            assert done.returncode == 0, done.stderr
            assert [headers.get("X-Own") for path, headers in own.requests if path != "/robots.txt"] == ["yes", "yes"]
        assert "X-Own" not in dict(other.requests)["/"]


@pytest.mark.parametrize("wrong", ["page.html", "ftp://example.com/", "http://", "https://exa mple.com/"])
def test_what_is_no_address_is_an_error_in_one_line(wrong: str, tmp_path: Path):
    done = run("crawl", wrong, "-o", tmp_path / "a.jsonl")
    assert done.returncode == 1
    assert done.stderr.startswith("peneira: ")
    assert len(done.stderr.splitlines()) == 1


def test_a_page_that_is_no_list_is_said_and_nothing_is_written(tmp_path: Path):
    with serving({"/robots.txt": "", "/": "<h1>Hello</h1>", "/data": json.dumps([1])}) as site:
        done = run("crawl", site.url(), site.url("/gone"), "-o", tmp_path / "a.jsonl", *FAST)
    assert done.returncode == 1
    assert "no list of records" in done.stderr
    assert "404" in done.stderr
    assert not (tmp_path / "a.jsonl").exists()


def test_a_host_that_does_not_exist_and_a_type_that_is_no_page_are_explained(tmp_path: Path):
    from sites import Answer

    with serving({"/robots.txt": "", "/data": Answer("[1]", kind="application/json")}) as site:
        urls = (site.url("/data"), "http://nowhere.invalid/list")
        done = run("crawl", *urls, "-o", tmp_path / "a.jsonl", "--timeout", "5", *FAST)
    assert done.returncode == 1
    assert "/data: partial: not a web page but application/json" in done.stderr
    assert "unknown host" in done.stderr


def test_reviews_of_a_detail_page_are_lists_beside_the_record(shop: Shop, tmp_path: Path):
    shop.products = shop.products[:20]
    done = run("crawl", shop.url(), "--details", "-o", tmp_path / "a.jsonl", *FAST)
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    for row, product in zip(found, shop.products, strict=True):
        assert row.get("stars", []) == [f"{stars}/5" for _, _, stars in product.reviews]
        entries = [[who, f"{stars}/5", text] for who, text, stars in product.reviews]
        assert not any(value in entries for value in row.values())  # the parts of one review are no list


def test_a_password_goes_to_its_own_origin_and_into_no_message_or_record(tmp_path: Path):
    from raw_site import RawSite, answer, served

    site = RawSite()
    listed = "".join(f"<li><a href='/p/{k}'>Oak chair number {k}</a> <b>${k}.50</b></li>" for k in range(1, 9))
    site.pages = {"/robots.txt": answer(b""), "/": answer(f"<ul>{listed}</ul>".encode())}
    for opened in served(site):
        url = opened.url().replace("://", "://me:secret@")
        done = run("crawl", url, "-o", tmp_path / "a.jsonl", *FAST)
        assert done.returncode == 0, done.stderr
        assert dict(opened.requests)["/"]["Authorization"] == "Basic bWU6c2VjcmV0"
    assert "secret" not in done.stderr + (tmp_path / "a.jsonl").read_text()


@pytest.mark.parametrize("onward", ["file:///etc/passwd", "http://other.example/?page=2", "http://[bad/2"])
def test_a_next_page_elsewhere_is_not_followed(onward: str, tmp_path: Path):
    items = "".join(f"<li><a href=/p/{k}>Thing number {k}</a> <b>{k} EUR</b></li>" for k in range(8))
    links = f'<b>1</b> <a href="{onward}">2</a> <a rel=next href="{onward}">Next</a>'
    page = f"<ul>{items}</ul><nav class=pagination>{links}</nav>"
    with serving({"/robots.txt": "", "/": page}) as site:
        done = run("crawl", site.url(), "-o", tmp_path / "a.jsonl", *FAST)
    assert "Traceback" not in done.stderr
    assert len((tmp_path / "a.jsonl").read_text().splitlines()) == 8
    if "[" not in onward:  # what is no address is no next page at all
        assert done.returncode == 5
        assert "the next page is on another site; not followed" in done.stderr


def test_buttons_that_lead_to_no_page_are_declared(tmp_path: Path):
    items = "".join(f"<li><a href=/p/{k}>Thing number {k}</a> <b>{k} EUR</b></li>" for k in range(8))
    page = f"<ul>{items}</ul><nav class=pagination><button>1</button><button>2</button><button>3</button></nav>"
    with serving({"/robots.txt": "", "/": page}) as site:
        done = run("crawl", site.url(), "-o", tmp_path / "a.jsonl", *FAST)
    assert done.returncode == 5
    assert "the button to the next page changed nothing" in done.stderr
    assert len((tmp_path / "a.jsonl").read_text().splitlines()) == 8


def test_a_broken_address_has_no_host():
    assert _host("http://[bad/1") == ""
    assert _host("http://Example.com:81/1") == "example.com:81"


def test_files_and_other_servers_have_no_handler():
    handlers = guard_settings([])["DOWNLOAD_HANDLERS"]
    assert [scheme for scheme, handler in handlers.items() if handler] == ["http", "https"]
    assert {"file", "ftp", "s3", "data"} <= handlers.keys()


def test_a_page_on_which_the_spider_fails_is_a_failure(tmp_path: Path):
    script = """
import sys
from pathlib import Path
from peneira.scrapy import spider
from peneira.scrapy.options import DEFAULT_OPTIONS
from peneira.scrapy.run import crawl
spider.extract = lambda page: 1 // 0
print(crawl([sys.argv[1]], DEFAULT_OPTIONS, Path(sys.argv[2])).notes.failures)
"""
    with serving({"/robots.txt": "", "/": "<ul><li>one<li>two<li>three</ul>"}) as site:
        args = [sys.executable, "-c", script, site.url(), str(tmp_path / "job")]
        done = subprocess.run(args, capture_output=True, text=True, timeout=60)
    assert done.stdout == f"{ {site.url(): 'it could not be read (ZeroDivisionError)'} }\n", done.stderr


def test_a_page_that_is_not_rendered_is_not_asked_for_again():
    spider = PageSpider(start_urls=["http://example.com/"])
    html = b"<div id=root></div><script src=/a.js></script>"
    headers = {"Content-Type": "text/html"}
    for meta, asked in (({}, 1), ({RENDER: 0}, 0)):
        request = Request("http://example.com/", meta=meta)
        response = HtmlResponse(request.url, body=html, headers=headers, request=request)
        found = list(spider.parse_list(response, start=0, number=1))
        assert sum(isinstance(each, Request) for each in found) == asked
    assert "was not rendered" in spider.notes.limits["http://example.com/"]


def test_an_error_of_other_packages_is_told_by_its_first_line():
    closed = Exception("Connection closed while reading from the driver\nCall log: ...")
    assert failure_reason(closed) == "it could not be fetched (Connection closed while reading from the driver)"
    assert failure_reason(LookupError()) == "it could not be fetched (LookupError)"
