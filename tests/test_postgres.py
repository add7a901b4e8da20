"""The history in PostgreSQL: a real server, several programs at a time, connections that are lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import psycopg
import pytest

from command import peneira
from crawling import run
from peneira.errors import StoreError
from peneira.store.changes import changes_since
from peneira.store.database import Session, open_database
from peneira.store.history import History, SeenCell, Tracker, Visit
from postgres_server import serving_postgres
from shop import Shop, open_shop

DAY = timedelta(days=1)
START = datetime(2026, 11, 1, 8, tzinfo=UTC)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with serving_postgres() as address:
        yield address


@pytest.fixture
def address(server: str, request: pytest.FixtureRequest) -> str:
    """The address of a database of the test's own."""
    name = f"db_{abs(hash(request.node.name))}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return server.replace("/postgres", f"/{name}")


def prices(*texts: str) -> dict[str, dict[str, SeenCell]]:
    return {f"https://shop.example/{k}": {"price": SeenCell(text, None, "text")} for k, text in enumerate(texts)}


def visit(name: str, day: int, *texts: str) -> Visit:
    return Visit(Tracker(name, "{}", key=("url",)), START + day * DAY, prices(*texts))


def test_the_commands_work_with_the_address_of_a_server(address: str, tmp_path: Path):
    shop = Shop(port=80)
    shop.products = shop.products[:40]
    for day in (1, 2):
        for number in (1, 2):
            page = f'<base href="{shop.url()}?page={number}">' + shop.list_page(number)
            (tmp_path / f"{number}.html").write_text(page)
        done = peneira("track", tmp_path, "--store", address, "--at", f"2026-11-0{day}T08:00Z")
        assert done.returncode == 0, done.stderr
        shop.change(4, price="1.99")
    done = peneira("changes", address, "--format", "json")
    assert [(each["column"], each["new"]) for each in json.loads(done.stdout)] == [("price", "$1.99")]
    with psycopg.connect(address) as connection:
        seen = connection.execute("SELECT DISTINCT first_seen, last_seen FROM peneira_records").fetchall()
    assert seen == [(START, START + DAY)]


def test_programs_that_write_at_the_same_time_lose_nothing(address: str):
    def work(program: int) -> None:
        with closing(History(open_database(address))) as history:
            for day in range(5):
                history.record(visit(f"list {program % 3}", day, *(f"{day}.{k}" for k in range(20))))

    with ThreadPoolExecutor(6) as programs:
        outcomes = [programs.submit(work, program) for program in range(6)]
    late = [outcome.exception() for outcome in outcomes if outcome.exception() is not None]
    # the slower of two programs on one list may come too late with an old day, and says so
    assert all(isinstance(error, StoreError) and "older" in str(error) for error in late)
    history = History(open_database(address))
    for name in ("list 0", "list 1", "list 2"):
        found = changes_since(history, START, name)
        assert [(change.kind, change.old, change.new) for change in found] == [
            ("changed", f"0.{k}", f"4.{k}") for k in sorted(range(20), key=lambda k: f"https://shop.example/{k}")
        ]
        events = history.events(START - DAY, name)
        assert len([event for event in events if event.kind == "new"]) == 20
        assert len([event for event in events if event.kind == "changed"]) == 4 * 20
    history.close()


def test_work_is_done_again_where_the_connection_is_lost(address: str):
    database = open_database(address)
    history = History(database)
    lost = []

    def end_own_connection(session: Session) -> None:
        session.run("CREATE TABLE IF NOT EXISTS notes (text TEXT)")
        session.run("INSERT INTO notes VALUES (?)", ("kept",))
        if not lost:
            lost.append(session.rows("SELECT pg_backend_pid()")[0][0])
            with psycopg.connect(address, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s)", (lost[0],))
        session.rows("SELECT 1")

    database.work(end_own_connection, lock="notes")
    assert database.work(lambda session: session.rows("SELECT text FROM notes"), lock="notes") == [("kept",)]
    assert history.record(visit("list", 0, "1", "2")).new == 2
    history.close()


def test_a_server_that_is_gone_is_reported_without_the_password(tmp_path: Path):
    done = peneira("changes", "postgresql://me:secret@127.0.0.1:1/prices")
    assert done.returncode == 1
    assert "no connection" in done.stderr
    assert "secret" not in done.stderr


def test_tables_are_written_with_the_types_of_the_server_and_appended(address: str, tmp_path: Path):
    shop = Shop(port=80)
    (tmp_path / "a.html").write_text(shop.list_page(1))
    args = ("extract", tmp_path / "a.html", "--url", shop.url(), "-o", address, "--table", "products")
    done = peneira(*args)
    assert done.returncode == 0, done.stderr
    again = peneira(*args)
    assert again.returncode == 1
    assert "has a table 'products' already" in again.stderr
    assert peneira(*args, "--append").returncode == 0
    differs = peneira(*args, "--append", "--fields", "title,brand")
    assert differs.returncode == 1
    assert "they lack price" in differs.stderr
    with psycopg.connect(address) as connection:
        rows = connection.execute("SELECT title, price, price_currency FROM products").fetchall()
        types = dict(
            connection.execute(
                "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'products'"
            ).fetchall()
        )
    assert len(rows) == 40
    assert rows[0] == (shop.products[0].title, Decimal(shop.products[0].price), "$")
    assert (types["title"], types["price"]) == ("text", "numeric")


def test_a_crawl_writes_into_the_database(address: str):
    with open_shop() as shop:
        shop.products = shop.products[:20]
        done = run("crawl", shop.url(), "-o", address, "--delay", "0")
    assert done.returncode == 0, done.stderr
    with psycopg.connect(address) as connection:
        assert connection.execute("SELECT count(*) FROM records").fetchone() == (20,)
