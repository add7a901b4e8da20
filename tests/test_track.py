"""``peneira track`` and ``peneira changes``: the history of a list over days."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest

from command import Done, peneira
from crawling import run, start
from peneira.cli.track import _name
from peneira.store.database import SqliteDatabase
from peneira.store.history import History, SeenCell, Tracker, Visit
from peneira.store.tracking import plain_address
from shop import Shop, open_shop

FAST = ("--delay", "0", "--concurrency", "4")


@pytest.fixture
def shop() -> Shop:
    """A shop whose pages are saved, not served."""
    closed = Shop(port=80)
    closed.products = closed.products[:60]
    return closed


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "prices.sqlite"


def visit(shop: Shop, store: Path, day: int, *options: str) -> Done:
    """Save the list pages of the shop as they are on a day, and track them."""
    folder = store.parent / f"day{day}"
    folder.mkdir(exist_ok=True)
    for number in range(1, -(-len(shop.products) // 20) + 1):
        base = f'<base href="{shop.url()}?page={number}">'
        (folder / f"{number}.html").write_text(base + shop.list_page(number))
    return peneira("track", folder, "--store", store, "--at", f"2026-11-{day:02}T08:00Z", *options)


def changes(store: Path, *options: str) -> list[dict[str, str]]:
    done = peneira("changes", store, "--format", "json", *options)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, str]] = json.loads(done.stdout)
    return found


def table(store: Path) -> list[tuple[object, ...]]:
    """Return everything in the store but the wrappers."""
    with closing(sqlite3.connect(store)) as connection:
        return [
            row
            for name in ("peneira_records", "peneira_cells", "peneira_events")
            for row in connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2, 3, 4, 5")
        ]


def test_a_link_that_is_no_url_is_kept_as_it_is():
    assert plain_address("http://[bad/x?utm_source=a") == "http://[bad/x?utm_source=a"
    assert plain_address("https://a.example/x?utm_source=a&b=1#c") == "https://a.example/x?b=1"


def test_changes_are_exactly_the_edited_prices_and_the_new_and_gone_products(shop: Shop, store: Path):
    assert visit(shop, store, 1).returncode == 0
    first = shop.products[3]
    shop.change(4, price="1.99")
    gone, added = shop.products[10], replace(shop.products[11], number=999, title="Plain glass bowl")
    shop.products = [added, *(each for each in shop.products if each.number != 11)]
    assert visit(shop, store, 2).returncode == 0
    found = changes(store, "--since", "2026-11-01T12:00Z")
    assert [(each["kind"], each["title"], each.get("column"), each.get("old"), each.get("new")) for each in found] == [
        ("new", "Plain glass bowl", None, None, None),
        ("gone", gone.title, None, None, None),
        ("changed", first.title, "price", f"${first.price}", "$1.99"),
    ]
    assert found == changes(store)  # since the last visit, where no time is given


def test_visiting_twice_is_visiting_once(shop: Shop, store: Path):
    visit(shop, store, 1)
    shop.change(4, price="1.99")
    visit(shop, store, 2)
    before = table(store)
    done = visit(shop, store, 2)
    assert "60 records: 0 new, 0 gone, 0 returned, 0 changed" in done.stderr
    assert table(store) == before


def test_all_texts_of_a_cell_are_kept_with_their_times(shop: Shop, store: Path):
    key = shop.url(shop.products[3].path)
    for day, price in enumerate(("5.00", "6.00", "6.00", "5.00"), start=1):
        shop.change(4, price=price)
        assert visit(shop, store, day).returncode == 0
    with closing(sqlite3.connect(store)) as connection:
        cells = connection.execute(
            "SELECT text, value, substr(since, 1, 10), substr(until, 1, 10) FROM peneira_cells"
            " WHERE key = ? AND name = 'price' ORDER BY since",
            (key,),
        ).fetchall()
        seen = connection.execute(
            "SELECT substr(first_seen, 1, 10), substr(last_seen, 1, 10) FROM peneira_records WHERE key = ?", (key,)
        ).fetchone()
    assert cells == [
        ("$5.00", "5.00 $", "2026-11-01", "2026-11-02"),
        ("$6.00", "6.00 $", "2026-11-02", "2026-11-04"),
        ("$5.00", "5.00 $", "2026-11-04", None),
    ]
    assert seen == ("2026-11-01", "2026-11-04")
    assert changes(store, "--since", "2026-11-01T12:00Z") == []  # up and down again is no change


def test_a_record_that_returns_is_no_new_one(shop: Shop, store: Path):
    visit(shop, store, 1)
    away, *rest = shop.products
    shop.products = rest
    assert "1 gone" in visit(shop, store, 2).stderr
    shop.products = [away, *rest]
    assert "0 new, 0 gone, 1 returned" in visit(shop, store, 3).stderr
    assert changes(store, "--since", "2026-11-01T12:00Z") == []
    assert [each["kind"] for each in changes(store, "--since", "2026-11-02T12:00Z")] == ["new"]


def test_a_changed_template_fails_loudly_and_is_healed_on_request(shop: Shop, store: Path):
    visit(shop, store, 1)
    before = table(store)
    shop.template = 2
    shop.change(4, price="1.99")
    done = visit(shop, store, 2)
    assert done.returncode == 4
    assert "the site has changed" in done.stderr
    assert "nothing was recorded" in done.stderr
    assert table(store) == before
    done = visit(shop, store, 2, "--heal")
    assert done.returncode == 0, done.stderr
    assert "60 records: 0 new, 0 gone, 0 returned, 1 changed" in done.stderr
    assert [(each["column"], each["new"]) for each in changes(store)] == [("price", "$1.99")]
    assert "url_2" not in done.stderr  # the link is found at another place, and is the same column
    assert visit(shop, store, 3).returncode == 0  # the healed wrapper is the one of the store now


def test_where_a_visitor_is_from_is_no_change_of_an_address(tmp_path: Path):
    store = tmp_path / "a.sqlite"
    for day, parameter in enumerate(("", "?utm_source=list", "?gclid=5#top"), start=1):
        cards = "".join(
            f"<li><a href='/p/{k}{parameter}'>Oak chair number {k}</a> <b>${k}.50</b></li>" for k in range(1, 13)
        )
        page = tmp_path / "page.html"
        page.write_text(f"<title>Chairs</title><ul>{cards}</ul>")
        done = run("track", page, "--store", store, "--name", "chairs", "--at", f"2026-11-0{day}")
        assert done.returncode == 0, done.stderr
    assert "12 records: 0 new, 0 gone, 0 returned, 0 changed, by url" in done.stderr


def test_losing_most_records_at_once_is_not_believed(shop: Shop, store: Path):
    visit(shop, store, 1)
    shop.products = shop.products[:20]
    done = visit(shop, store, 2)
    assert done.returncode == 1
    assert "40 of 60 records are missing" in done.stderr
    assert "0 new, 40 gone" in visit(shop, store, 2, "--accept-losses").stderr


def test_pages_that_cannot_be_read_make_nothing_gone(shop: Shop, store: Path):
    visit(shop, store, 1)
    folder = store.parent / "day1"
    (folder / "3.html").write_bytes(b"\x00\x01\x02")
    done = peneira("track", folder, "--store", store, "--at", "2026-11-02T08:00Z")
    assert done.returncode == 5
    assert "40 records: 0 new, 0 gone" in done.stderr
    assert changes(store) == []


def test_an_older_visit_is_refused(shop: Shop, store: Path):
    visit(shop, store, 2)
    done = visit(shop, store, 1)
    assert done.returncode == 1
    assert "an older one cannot be added" in done.stderr


def test_the_key_can_be_chosen_and_stays(shop: Shop, store: Path):
    assert "by title,brand" in visit(shop, store, 1, "--key", "title,brand").stderr.replace(", b", ",b")
    assert visit(shop, store, 2).returncode == 0
    done = visit(shop, store, 3, "--key", "url")
    assert done.returncode == 1
    assert "tracked by title, brand" in done.stderr
    assert visit(shop, store.with_name("b.sqlite"), 1, "--key", "nonsense").returncode == 1


def test_changes_as_lines_and_as_a_feed(shop: Shop, store: Path):
    visit(shop, store, 1)
    product = shop.products[3]
    shop.change(4, price="1.99")
    visit(shop, store, 2)
    done = peneira("changes", store, "--format", "table")
    assert done.stdout == f"~ {product.title}: price from ${product.price} to $1.99\n"
    feed = ElementTree.fromstring(peneira("changes", store, "--format", "rss").stdout)
    items = feed.findall("channel/item")
    assert [(item.findtext("title"), item.findtext("link")) for item in items] == [
        (f"{product.title}: price from ${product.price} to $1.99", shop.url(product.path))
    ]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("changes", "missing.sqlite"), "no such store"),
        (("changes", "store", "--since", "whenever"), "is no time"),
        (("changes", "store", "--since", "999999 weeks"), "is no time"),
        (("changes", "store", "--name", "other"), "no list is called 'other'"),
        (("changes", "broken"), "cannot be used as a store"),
        (("track", "https://example.com/", "page.html", "--store", "store"), "not both"),
        (("track", "missing.html", "--store", "store"), "nothing was recorded"),
        (("track", "page.html", "--store", "store"), "--name"),
    ],
)
def test_wrong_usage_is_an_error_in_words(
    args: tuple[str, ...], message: str, shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    visit(shop, tmp_path / "store", 1)
    Path("broken").write_text("this is no database " * 100)
    Path("page.html").write_text("<ul><li>one<li>two<li>three</ul>")
    done = peneira(*args)
    assert done.returncode in (1, 2)
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_changes_of_another_database_leave_it_as_it_is(tmp_path: Path):
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE mine (a)")
    before = path.read_bytes()
    done = peneira("changes", path)
    assert done.returncode == 1
    assert "cannot be used as a store" in done.stderr
    assert path.read_bytes() == before


def test_cells_that_an_incomplete_visit_lacks_are_not_gone_and_a_column_may_return(store: Path):
    def seen(day: int, *, is_complete: bool = True, **texts: str) -> int:
        cells = {name: SeenCell(text, None, "text") for name, text in texts.items()}
        at = datetime(2026, 11, day, tzinfo=UTC)
        return history.record(Visit(Tracker("list", ""), at, {"a": cells}, is_complete)).changed

    with closing(History(SqliteDatabase(store))) as history:
        seen(1, title="Cup", weight="2 kg")
        assert seen(2, title="Cup", is_complete=False) == 0
        assert seen(3, title="Cup", weight="2 kg") == 0
        assert seen(4, title="Cup") == 1
        assert seen(5, title="Cup", weight="3 kg") == 1
        events = history.events(datetime(2026, 11, 1, 12, tzinfo=UTC))
    assert [(event.name, event.old, event.new) for event in events] == [
        ("weight", "2 kg", None),
        ("weight", None, "3 kg"),
    ]


def test_lists_that_differ_in_the_query_have_names_of_their_own():
    assert _name(["https://ana:pw@example.com/list/?cat=shoes"], []) == "example.com/list?cat=shoes"
    assert _name(["https://example.com/list/"], []) == "example.com/list"


@pytest.fixture
def open_store() -> Iterator[Shop]:
    with open_shop() as opened:
        yield opened


def test_three_days_of_a_shop_with_details(open_store: Shop, tmp_path: Path):
    shop, store = open_store, tmp_path / "prices.sqlite"
    args = ("track", shop.url(), "--details", "--store", store, *FAST)
    done = run(*args, "--at", "2026-11-01T08:00Z")
    assert done.returncode == 0, done.stderr
    assert "300 records: 300 new" in done.stderr
    shop.change(7, weight="9.9 kg")
    edited = {number: f"{number}.25" for number in range(8, 300, 29)}
    for number, price in edited.items():
        shop.change(number, price=price)
    gone, added = shop.products[100], replace(shop.products[11], number=999, title="Plain glass bowl")
    shop.products = [added, *(each for each in shop.products if each is not gone)]
    done = run(*args, "--at", "2026-11-02T08:00Z")
    assert done.returncode == 0, done.stderr
    found = [(each["kind"], each["title"], each.get("column"), each.get("new")) for each in changes(store)]
    titles = {product.number: product.title for product in shop.products}
    assert sorted(found, key=str) == sorted(
        [
            ("new", added.title, None, None),
            ("gone", gone.title, None, None),
            ("changed", titles[7], "weight", "9.9 kg"),
            *(("changed", titles[number], "price", f"${price}") for number, price in edited.items()),
        ],
        key=str,
    )
    before = table(store)
    shop.template = 2
    asked = len(shop.asked)
    done = run(*args, "--at", "2026-11-03T08:00Z")
    assert done.returncode == 4
    assert "the site has changed" in done.stderr
    assert table(store) == before
    fetched = len(shop.asked) - asked
    done = run(*args, "--at", "2026-11-03T08:00Z", "--heal")
    assert done.returncode == 0, done.stderr
    assert "300 records: 0 new, 0 gone, 0 returned, 0 changed" in done.stderr
    assert fetched == 1 + 15 + 300
    assert len(shop.asked) == asked + fetched  # healing reads the pages that are there
    assert [path for path in tmp_path.iterdir() if path.name != store.name] == []


def test_the_visit_after_one_that_failed_fetches_the_pages_again(open_store: Shop, tmp_path: Path):
    shop, store = open_store, tmp_path / "prices.sqlite"
    shop.products = shop.products[:40]
    args = ("track", shop.url(), "--store", store, *FAST)
    assert run(*args, "--at", "2026-11-01T08:00Z").returncode == 0
    shop.template = 2
    assert run(*args, "--at", "2026-11-02T08:00Z").returncode == 4
    shop.template = 1
    shop.change(4, price="1.99")
    done = run(*args, "--at", "2026-11-02T09:00Z")
    assert "40 records: 0 new, 0 gone, 0 returned, 1 changed" in done.stderr
    shop.down = {"/products?page=2"}
    done = run(*args, "--at", "2026-11-03T08:00Z")
    assert done.returncode == 5
    assert "20 records: 0 new, 0 gone, 0 returned, 0 changed" in done.stderr
    shop.down = set()
    shop.change(4, price="2.99")
    done = run(*args, "--at", "2026-11-03T09:00Z")
    assert "40 records: 0 new, 0 gone, 0 returned, 1 changed" in done.stderr


def test_a_named_folder_holds_the_pages_of_one_visit(open_store: Shop, tmp_path: Path):
    shop, store = open_store, tmp_path / "prices.sqlite"
    shop.products = shop.products[:20]
    args = ("track", shop.url(), "--store", store, "--job", tmp_path / "job", *FAST)
    assert run(*args, "--at", "2026-11-01T08:00Z").returncode == 0
    shop.change(4, price="1.99")
    assert "1 changed" in run(*args, "--at", "2026-11-02T08:00Z").stderr


def test_two_lists_of_one_store_are_visited_at_once(open_store: Shop, tmp_path: Path):
    shop, store = open_store, tmp_path / "prices.sqlite"
    shop.products = shop.products[:40]
    urls = (shop.url(), shop.url("/products?page=2"))
    running = [start("track", url, "--store", store, *FAST) for url in urls]
    assert [process.wait(120) for process in running] == [0, 0]
    with closing(sqlite3.connect(store)) as connection:
        counts = connection.execute("SELECT count(*) FROM peneira_records GROUP BY tracker ORDER BY tracker").fetchall()
    assert counts == [(40,), (20,)]
    assert [path for path in tmp_path.iterdir() if path.name != store.name] == []
