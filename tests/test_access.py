"""Who may use the server: hosts, origins, tokens, sizes; each rule by a request that breaks it."""

from __future__ import annotations

import asyncio
import gzip
import socket
from base64 import b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlencode

import pytest

from peneira import Page, extract, learn
from peneira.errors import ArgumentError, OutputError, RefusedAddress
from peneira.service.library import Library
from peneira.service.reading import PageInput, ServiceReader
from peneira.service.settings import ServiceSettings
from peneira.sources import network as network_module
from peneira.studio.access import Access, RateWindow
from peneira.studio.correction_forms import correction_of, record_mark
from peneira.studio.guard import Guard
from peneira.studio.server import ServerOptions, run_server
from peneira.wrappers.corrections import SkipRecord
from sites import serving
from studio_server import Served, serving_studio

TOKEN = "a-token-of-enough-characters"
HTML = "<ul><li>Ana, 31<li>Bia, 27<li>Cid, 45</ul>"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    library = tmp_path_factory.mktemp("served") / "library"
    with serving_studio(library, allow_private=False, max_bytes=200_000) as served:
        yield served


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving_studio(tmp_path_factory.mktemp("guarded"), token=TOKEN) as served:
        yield served


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "192.0.2.1", "[::2]", ""]
)
def test_names_that_lead_here_by_rebinding_are_refused(server: Served, host: str):
    reply = server.send("GET", "/", Host=host)
    assert reply.status in (400, 421)  # the server behind it refuses an empty name by itself


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:1234", "[::1]:80"])
def test_names_of_this_machine_are_answered(server: Served, host: str):
    assert server.send("GET", "/healthz", Host=host).status == 200


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1:1", "file://", "http://localhost"]
)
def test_a_form_of_another_site_is_refused(server: Served, origin: str):
    body, kind = "html=x", "application/x-www-form-urlencoded"
    reply = server.send("POST", "/open", body, content_type=kind, Origin=origin)
    assert (reply.status, reply.code) == (403, "cross-site")


def test_a_cross_site_request_without_an_origin_is_refused_and_a_link_is_not(server: Served):
    assert server.send("GET", "/api/v1/wrappers", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="no-cors").status == 403
    link = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"}
    assert server.send("GET", "/", **link).status == 200
    assert server.send("GET", "/", **{**link, "Sec_Fetch_Dest": "iframe"}).status == 403
    assert server.send("POST", "/demo", **link).status == 403


def test_our_own_origin_is_answered(server: Served):
    reply = server.send("POST", "/api/v1/extract", HTML, content_type="text/html", Origin=server.address.rstrip("/"))
    assert reply.status == 200


def test_every_answer_has_a_strict_policy_and_no_cookie(server: Served):
    for path in ("/", "/static/studio.js", "/api/v1/wrappers", "/nothing"):
        headers = server.send("GET", path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "set-cookie" not in headers
        assert "access-control-allow-origin" not in headers


def test_without_the_token_nothing_is_answered_but_that_the_server_is_up(guarded: Served):
    for path in ("/", "/wrappers", "/static/studio.js", "/api/v1/openapi.json", "/mcp", "/api/v1/wrappers"):
        assert guarded.send("GET", path).status == 401, path
    assert guarded.send("POST", "/api/v1/extract", HTML, content_type="text/html").status == 401
    assert guarded.send("GET", "/healthz").text == "ok\n"


def test_the_token_opens_as_bearer_and_as_password(guarded: Served):
    assert guarded.send("GET", "/", Authorization=f"Bearer {TOKEN}").status == 200
    basic = b64encode(f"anyone:{TOKEN}".encode()).decode()
    assert guarded.send("GET", "/", Authorization=f"Basic {basic}").status == 200


def test_guessing_tokens_is_slowed_down():
    now = [1000.0]
    access = Access(TOKEN, clock=lambda: now[0])

    def answer(token: str, client: str = "10.0.0.1") -> int:
        refused = access.refusal("GET", "/", {"host": "localhost", "authorization": f"Bearer {token}"}, client)
        return 200 if refused is None else refused.status

    assert [answer(f"guess-{k}") for k in range(12)] == [401] * 10 + [429] * 2
    assert answer(TOKEN) == 429  # whoever guesses does not learn that a guess was right
    assert answer(TOKEN, "10.0.0.2") == 200
    now[0] += 61
    assert answer(TOKEN) == 200


def test_too_many_requests_of_one_caller_have_to_wait():
    now = [0.0]
    window = RateWindow(3, lambda: now[0])
    for _ in range(3):
        assert not window.is_spent("a")
        window.note("a")
    assert window.is_spent("a") and not window.is_spent("b")
    now[0] = 60.5
    assert not window.is_spent("a")
    access = Access(requests_per_minute=2)
    sent = [access.refusal("POST", "/open", {"host": "localhost"}, "a") for _ in range(3)]
    assert [refused and refused.status for refused in sent] == [None, None, 429]


@pytest.mark.parametrize("headers", ["Basic !!!", "Basic", "Bearer", "Digest x", "Bearer " + "x" * 5000])
def test_odd_authorizations_are_refused(headers: str):
    refused = Access(TOKEN).refusal("GET", "/", {"host": "localhost", "authorization": headers}, "a")
    assert refused is not None and refused.status == 401


def test_a_server_for_others_needs_a_token_that_cannot_be_guessed(tmp_path: Path):
    settings = ServiceSettings(tmp_path)
    for options, words in (
        (ServerOptions("0.0.0.0", 0), "needs a token"),
        (ServerOptions("0.0.0.0", 0, "short"), "can be guessed"),
        (ServerOptions("example.com", 0), "not an address"),
    ):
        with pytest.raises(ArgumentError, match=words):
            run_server(settings, options)
    assert TOKEN not in repr(ServerOptions(token=TOKEN))


def test_long_and_packed_bodies_are_refused(server: Served):
    page = b"<p>" + b"x" * 200_000
    assert server.send("POST", "/api/v1/extract", page, content_type="text/html").code == "too-large"
    packed = gzip.compress(b"<p>" * 100)
    reply = server.send("POST", "/api/v1/extract", packed, content_type="text/html", content_encoding="gzip")
    assert (reply.status, reply.code) == (415, "compressed-body")


def test_a_body_without_a_length_is_cut_at_the_limit(server: Served):
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as sock:
        head = "POST /api/v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\n"
        sock.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        chunk = b"x" * 65536
        for _ in range(4):
            sock.sendall(b"10000\r\n" + chunk + b"\r\n")
        assert b" 413 " in sock.recv(4096)


TRAVERSALS = [
    "..%2f..%2fetc/passwd",
    "%2e%2e/x",
    "..",
    "a/..%2f..",
    "con/../../x",
    ".hidden/x",
    "a%00/x",
    "A/B",
    "x/" + "y" * 200,
]


@pytest.mark.parametrize("path", TRAVERSALS)
def test_names_of_wrappers_are_no_paths(server: Served, path: str):
    assert server.send("GET", f"/api/v1/wrappers/{path}").status in (404, 422)
    reply = server.post("/api/v1/learn", {"html": HTML, "kind": "list", "save_as": path.replace("%2f", "/")})
    assert reply.status == 422
    assert list(server.library.parent.glob("**/*.json")) == []


@pytest.mark.parametrize("path", ["/static/..%2fapp.py", "/static/../app.py", "/static/%2e%2e/server.py", "/w/../x"])
def test_files_of_the_server_are_not_served(server: Served, path: str):
    assert server.send("GET", path).status == 404


@pytest.mark.parametrize("url", ["file:///etc/passwd", "/etc/passwd", "ftp://x/", "demo/jobs.html", "data:text/html,x"])
def test_callers_name_no_files(server: Served, url: str):
    reply = server.post("/api/v1/extract", {"url": url})
    assert reply.status == 422
    assert "reads no files" in reply.json["error"]["message"]


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "169.254.169.254", "10.0.0.1", "2130706433"]
)
@pytest.mark.parametrize("render", ["never", "always"])
def test_private_addresses_are_refused(server: Served, host: str, render: str):
    if render == "always" and host not in ("127.0.0.1", "169.254.169.254"):
        pytest.skip("the browser asks the same rules")
    with serving({"/": HTML}) as site:
        reply = server.post("/api/v1/extract", {"url": site.url(host=host), "render": render})
        assert reply.status in (403, 422), reply.text
        assert site.asked == []
    if host in ("127.0.0.1", "169.254.169.254"):
        assert (reply.status, reply.code) == (403, "refused-address")


def test_a_name_that_leads_to_a_private_address_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    answers = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.1.2.3", 80))]
    monkeypatch.setattr(network_module.socket, "getaddrinfo", lambda *given, **named: answers)
    reader = ServiceReader(ServiceSettings(tmp_path))
    with pytest.raises(RefusedAddress, match="private address"):
        reader.to_read(PageInput(url="http://inside.example/"))


def test_slow_requests_hold_no_worker_and_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from peneira.studio import guard

    monkeypatch.setattr(guard.Guard.__init__, "__kwdefaults__", {"body_seconds": 0.2})
    with (
        serving_studio(tmp_path, workers=1) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=60) as slow,
    ):
        slow.sendall(b"POST /api/v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n<ul>")
        assert server.send("POST", "/api/v1/extract", HTML, content_type="text/html").status == 200
        assert b" 408 " in slow.recv(4096)


def test_the_library_is_made_of_plain_files(tmp_path: Path):
    with serving_studio(tmp_path / "lib") as server:
        saved = server.post("/api/v1/learn", {"html": HTML, "kind": "list", "save_as": "people.example/list"})
        assert saved.status == 200, saved.text
        files = sorted(
            str(path.relative_to(tmp_path / "lib")) for path in (tmp_path / "lib").rglob("*") if path.is_file()
        )
        home = "people.example/list"
        assert files == [f"{home}/notes.json", f"{home}/versions/0001.json", f"{home}/wrapper.json"]
        entry = Library(tmp_path / "lib").entry(home)
        assert entry.samples[0][0] == "Ana, 31"


def saved_wrapper(folder: Path) -> tuple[Library, str]:
    """Save a wrapper in a library of its own, and return both."""
    library, key = Library(folder), "people.example/list"
    library.save(key, learn([Page.from_html(HTML)], kind="list"), "learned")
    return library, key


@pytest.mark.parametrize("notes", [None, "[1]", "{", '"text"'])
def test_lost_or_broken_notes_overwrite_no_version(tmp_path: Path, notes: str | None):
    library, key = saved_wrapper(tmp_path)
    first = (tmp_path / key / "versions/0001.json").read_bytes()
    if notes is None:
        (tmp_path / key / "notes.json").unlink()
    else:
        (tmp_path / key / "notes.json").write_text(notes)
    assert library.entry(key).versions == ()
    other = learn([Page.from_html(HTML.replace("ul>", "ol>"))], kind="list")
    assert library.save(key, other, "again").versions[-1].number == 2
    assert (tmp_path / key / "versions/0001.json").read_bytes() == first


def test_saves_at_once_are_all_kept(tmp_path: Path):
    library, key = saved_wrapper(tmp_path)
    wrapper = library.load(key)
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda k: library.save(key, wrapper, f"save {k}"), range(20)))
    assert [version.number for version in library.entry(key).versions] == list(range(1, 22))


def test_a_library_that_cannot_be_made_says_so_without_its_folder(tmp_path: Path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(OutputError, match=r"people\.example/list: cannot be saved") as raised:
        saved_wrapper(tmp_path / "file")
    assert str(tmp_path) not in str(raised.value)


@pytest.mark.parametrize("number", ["9" * 300, "9" * 5000, "²", "-1"])
def test_odd_numbers_of_versions_are_refused(server: Served, number: str):
    _, key = saved_wrapper(server.library)
    form = "application/x-www-form-urlencoded"
    body = urlencode({"version": number})
    assert server.send("GET", f"/wrappers/{key}/file?{body}").status == 422
    assert server.send("POST", f"/wrappers/{key}/restore", body, content_type=form).status == 303
    assert server.send("GET", f"/wrappers/{key}/file?version=1").status == 200


def test_the_password_of_an_address_is_not_noted(server: Served):
    library, key = saved_wrapper(server.library)
    body = urlencode({"url": "https://user:secret@people.example/", "html": HTML})
    tried = server.send("POST", f"/wrappers/{key}/try", body, content_type="application/x-www-form-urlencoded")
    assert tried.status == 303, tried.text
    check = library.entry(key).last_check
    assert check is not None and check.page == "https://people.example/"
    assert "secret" not in (server.library / key / "notes.json").read_text()


def test_headers_without_end_are_refused(server: Served):
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as endless:
        endless.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"x" * 100_000)
        assert b" 400 " in endless.recv(4096)


def test_who_waits_too_long_for_room_is_told_to_come_again():
    sent: list[dict] = []

    async def ask() -> None:
        async def app(*given: object) -> None:
            raise AssertionError("there is no room")

        async def send(message: dict) -> None:
            sent.append(message)

        guard = Guard(app, Access(None, frozenset(), True), max_bytes=10, body_seconds=0.05)
        await guard._room.take(75)
        headers = [(b"host", b"localhost"), (b"content-length", b"9")]
        scope = {"type": "http", "method": "POST", "path": "/api/v1/text", "headers": headers, "client": ("::1", 1)}
        await guard(scope, asyncio.Event().wait, send)
        await guard._room.give_back(75)
        await asyncio.wait_for(guard._room.take(80), 1)

    asyncio.run(ask())
    assert sent[0]["status"] == 503


@pytest.mark.parametrize("number", ["²", "9" * 5000, "3", "-1", ""])
def test_odd_numbers_of_records_are_refused(number: str):
    region = extract(Page.from_html(HTML)).regions[0]
    with pytest.raises(ArgumentError, match="no such record"):
        correction_of({"kind": "skip", "record": number}, region)


def test_a_record_is_left_out_only_if_it_is_the_one_that_was_seen():
    region = extract(Page.from_html(HTML)).regions[0]
    seen = record_mark(region.records[1].text)
    assert correction_of({"kind": "skip", "record": "1", "mark": seen}, region) == SkipRecord(region.records[1].text)
    with pytest.raises(ArgumentError, match="the table has changed"):
        correction_of({"kind": "skip", "record": "2", "mark": seen}, region)
