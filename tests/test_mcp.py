"""The tools for agents, called by the real client of the mcp package: over standard input and over HTTP."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from agent_tokens import tokens
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client

from studio_server import Served, serving_studio
from test_http_api import ARTICLE, PAGE

Result = TypeVar("Result")
TOOLS = ["apply_wrapper", "check_wrapper", "extract_item", "extract_records", "learn_wrapper", "page_text"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving_studio(tmp_path_factory.mktemp("library")) as served:
        yield served


def with_client(server: Served, work: Callable[[Client], Awaitable[Result]]) -> Result:
    async def run() -> Result:
        async with Client(f"{server.address}mcp") as client:
            return await work(client)

    return asyncio.run(run())


async def call(client: Client, tool: str, **arguments: object) -> str:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert result.structured_content is None
    [content] = result.content
    return content.text  # type: ignore[union-attr]


async def failure(client: Client, tool: str, **arguments: object) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return result.content[0].text  # type: ignore[union-attr]


def test_records_come_as_a_small_table_and_in_parts(server: Served):
    async def work(client: Client) -> None:
        assert sorted(tool.name for tool in (await client.list_tools()).tools) == TOOLS
        lines = (await call(client, "extract_records", html=PAGE)).splitlines()
        assert lines[0].startswith("8 records, confidence ")
        assert lines[1].split("|")[0] == "title"
        assert lines[2].split("|")[:2] == ["Town 1", "100 ships"]
        part = await call(client, "extract_records", html=PAGE, max_rows=2, offset=6, columns=["title"])
        assert part.splitlines()[1:4] == ["title", "Town 7", "Town 8"]
        first = await call(client, "extract_records", html=PAGE, max_rows=3)
        assert "(5 records more: offset=3)" in first

    with_client(server, work)


def test_items_and_texts(server: Served):
    async def work(client: Client) -> None:
        assert "title: Quiet" in await call(client, "extract_item", html=ARTICLE)
        text = await call(client, "page_text", html=ARTICLE, max_chars=100)
        assert text.startswith("# Quiet")
        assert "characters more: offset=100)" in text

    with_client(server, work)


def test_learn_apply_check_and_the_saved_wrapper_as_a_resource(server: Served):
    async def work(client: Client) -> None:
        saved = await call(client, "learn_wrapper", save_as="towns.example/list", html=[PAGE])
        assert saved.startswith("saved towns.example/list version 1: list pages, columns title")
        assert "Town 8|800 ships" in await call(client, "apply_wrapper", wrapper="towns.example/list", html=PAGE)
        assert (await call(client, "check_wrapper", wrapper="towns.example/list", html=PAGE)).startswith(
            "ok: 8 records"
        )
        listed = (await client.read_resource("wrappers://all")).contents[0]
        assert "towns.example/list: ok" in listed.text  # type: ignore[union-attr]
        wrapper = (await client.read_resource("wrappers://saved/towns.example/list")).contents[0]
        assert '"format"' in wrapper.text  # type: ignore[union-attr]

    with_client(server, work)


def test_errors_say_what_to_do(server: Served):
    async def work(client: Client) -> None:
        assert "give html, or the url" in await failure(client, "extract_records")
        assert "reads no files" in await failure(client, "extract_records", url="file:///etc/passwd", render="never")
        assert "no saved wrapper a/b" in await failure(client, "apply_wrapper", wrapper="a/b", html=PAGE)
        assert "small letters" in await failure(client, "learn_wrapper", save_as="../x", html=[PAGE])
        assert "no such column" in await failure(client, "extract_records", html=PAGE, columns=["magic"])
        assert (await call(client, "extract_records", html="<p>Hello")).startswith("No list of records: ")

    with_client(server, work)


def test_the_command_serves_the_tools_over_standard_input(tmp_path: Path):
    async def run() -> str:
        words = ["-m", "peneira", "mcp", "--library", str(tmp_path)]
        async with Client(stdio_client(StdioServerParameters(command=sys.executable, args=words))) as client:
            return await call(client, "extract_records", html=PAGE)

    assert asyncio.run(run()).splitlines()[2].startswith("Town 1|100 ships")


def test_tables_take_a_twentieth_of_the_tokens_of_their_pages(server: Served, corpora: Path):
    """Every fourth list page of the newest corpus, ten of them, as they were sent."""
    pages = [path for path in sorted(corpora.glob("modern2/pages/*.html")) if not path.name.startswith("neg_")]

    async def work(client: Client) -> list[float]:
        ratios = []
        for path in pages[::4][:10]:
            html = path.read_text(encoding="utf-8", errors="replace")
            ratios.append(tokens(html) / tokens(await call(client, "extract_records", html=html)))
        return ratios

    ratios = with_client(server, work)
    assert sum(ratio >= 20 for ratio in ratios) >= 7, ratios
