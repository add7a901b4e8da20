"""The HTTP API: what it takes, what it answers, and that both are as its document says."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from command import peneira
from peneira.service import verbs
from peneira.studio import jobs as jobs_module
from peneira.studio.jobs import Job, Jobs
from sites import Answer, serving
from slow_work import for_ever
from studio_server import Reply, Served, serving_studio

HTML = "".join(f"<li><h3><a href='/p{k}'>Town {k}</a></h3><p>{k}00 ships</p><p>Coast {k % 3}</p>" for k in range(1, 9))
PAGE = f"<title>Towns</title><body><main><ul>{HTML}</ul></main></body>"
ARTICLE = "<title>T</title><h1>Quiet</h1>" + "<p>The boats came in one after the other, without a sound.</p>" * 14


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving_studio(tmp_path_factory.mktemp("library")) as served:
        yield served


def command_json(tmp_path: Path, *words: str, html: str = PAGE) -> object:
    """Return what the command prints for the same page."""
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    return json.loads(peneira(words[0], tmp_path / "page.html", *words[1:]).stdout)


def test_records_are_those_of_the_command_in_all_three_forms_of_request(server: Served, tmp_path: Path):
    expected = command_json(tmp_path, "extract", "--format", "json")
    raw = server.send("POST", "/api/v1/extract", PAGE, content_type="text/html")
    as_json = server.post("/api/v1/extract", {"html": PAGE})
    upload = upload_of(server, "/api/v1/extract", {"page.html": PAGE})
    assert raw.json["records"] == as_json.json["records"] == upload.json["records"] == expected
    assert (raw.json["verdict"], raw.json["status"], raw.json["source"]) == ("list", "complete", "the page")
    assert upload.json["source"] == "page.html"


def upload_of(server: Served, path: str, files: dict[str, str], **fields: str) -> Reply:
    parts = [f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n' for name, text in fields.items()]
    parts += [
        f'--x\r\nContent-Disposition: form-data; name="page"; filename="{name}"\r\n\r\n{text}\r\n'
        for name, text in files.items()
    ]
    return server.send("POST", path, "".join(parts) + "--x--\r\n", content_type="multipart/form-data; boundary=x")


def test_text_content_and_item_are_those_of_the_command(server: Served, tmp_path: Path):
    text = server.post("/api/v1/text", {"html": ARTICLE}).json
    assert {k: v for k, v in text.items() if k != "source"} == command_json(
        tmp_path, "text", "--format", "json", html=ARTICLE
    )
    content = server.post("/api/v1/content", {"html": ARTICLE}).json
    assert {k: v for k, v in content.items() if k != "source"} == command_json(tmp_path, "content", html=ARTICLE)
    item = server.post("/api/v1/item", {"html": ARTICLE}).json
    assert [item["fields"]] == [
        {k: v for k, v in row.items() if k != "kind"}  # type: ignore[attr-defined]
        for row in command_json(tmp_path, "item", "--format", "json", html=ARTICLE)  # type: ignore[attr-defined]
    ]
    cleaned = server.post("/api/v1/clean", {"html": ARTICLE}).json["html"]
    assert cleaned + "\n" == peneira("clean", tmp_path / "page.html").stdout


def test_records_alone_come_as_a_file(server: Served, tmp_path: Path):
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    reply = server.post("/api/v1/extract", {"html": PAGE, "format": "csv"})
    assert reply.headers["content-type"].startswith("text/csv")
    assert reply.text == peneira("extract", tmp_path / "page.html", "--format", "csv").stdout
    assert server.post("/api/v1/extract", {"html": PAGE, "format": "xlsx"}).body[:2] == b"PK"
    tables = [server.post("/api/v1/extract", {"html": PAGE, "format": name}).text for name in ("md", "markdown")]
    assert tables[0] == tables[1] != ""
    assert server.post("/api/v1/extract", {"html": PAGE, "format": "sqlite"}).body[:15] == b"SQLite format 3"


def test_options_come_in_the_query_too(server: Served):
    path = "/api/v1/extract?all_columns=true&url=https://t.example/"
    reply = server.send("POST", path, PAGE, content_type="text/html")
    assert reply.json["url"] == "https://t.example/"
    plain = server.send("POST", "/api/v1/extract", PAGE, content_type="text/html")
    assert len(reply.json["columns"]) >= len(plain.json["columns"])


def test_several_pages_are_answered_line_by_line_and_a_bad_one_says_why(server: Served):
    pages = [{"html": PAGE, "name": "one"}, {"url": "ftp://x", "name": "two"}, {"html": PAGE, "name": "three"}]
    reply = server.post("/api/v1/extract", {"pages": pages})
    assert reply.headers["content-type"].startswith("application/x-ndjson")
    lines = [json.loads(line) for line in reply.text.splitlines()]
    assert [line["source"] for line in lines] == ["one", "two", "three"]
    assert lines[1]["error"]["code"] == "input-error"
    assert len(lines[2]["records"]) == 8


def test_a_page_is_fetched_from_its_address(server: Served):
    with serving({"/towns": PAGE}) as site:
        reply = server.post("/api/v1/extract", {"url": site.url("/towns")})
    assert len(reply.json["records"]) == 8
    assert reply.json["records"][0]["url"] == site.url("/p1")


def test_learn_apply_check_and_heal(server: Served):
    learned = server.post("/api/v1/learn", {"html": PAGE, "save_as": "towns.example/list"})
    assert learned.json["kind"] == "list"
    applied = server.post("/api/v1/apply", {"html": PAGE, "wrapper": "towns.example/list"})
    assert len(applied.json["records"]) == 8
    inline = server.post("/api/v1/apply", {"html": PAGE, "wrapper": learned.json})
    assert inline.json["records"] == applied.json["records"]
    assert server.post("/api/v1/check", {"html": PAGE, "wrapper": "towns.example/list"}).json["verdict"] == "ok"
    changed = PAGE.replace("<h3>", "<h4 class=t>").replace("</h3>", "</h4>")
    broken = server.post("/api/v1/check", {"html": changed, "wrapper": "towns.example/list"}).json
    assert broken["verdict"] != "ok"
    healed = server.post("/api/v1/heal", {"html": changed, "wrapper": "towns.example/list", "save": True}).json
    assert healed["accepted"], healed
    listed = server.send("GET", "/api/v1/wrappers").json["wrappers"]
    assert [(entry["key"], len(entry["versions"])) for entry in listed] == [("towns.example/list", 2)]
    assert server.send("GET", "/api/v1/wrappers/towns.example/list").json == healed["wrapper"]
    assert server.send("DELETE", "/api/v1/wrappers/towns.example/list").status == 204
    assert server.post("/api/v1/apply", {"html": PAGE, "wrapper": "towns.example/list"}).status == 404


def test_a_job_has_progress_and_results(server: Served):
    pages = [{"html": PAGE, "name": f"page {k}"} for k in range(4)] + [{"url": "nothing", "name": "bad"}]
    job = server.post("/api/v1/jobs/extract", {"pages": pages})
    assert job.status == 202
    results = server.send("GET", f"/api/v1/jobs/{job.json['id']}/results").text.splitlines()
    assert [json.loads(line)["source"] for line in results] == ["page 0", "page 1", "page 2", "page 3", "bad"]
    done = server.send("GET", f"/api/v1/jobs/{job.json['id']}").json
    assert (done["state"], done["pages"], done["done"], done["failed"]) == ("done", 5, 5, 1)


def test_pages_that_are_looked_at_together_are_a_job_of_one_answer(server: Served):
    job = server.post("/api/v1/jobs/learn", {"pages": [{"html": PAGE}, {"html": PAGE}]})
    assert (job.status, job.json["verb"], job.json["pages"]) == (202, "learn", 1)
    [line] = server.send("GET", f"/api/v1/jobs/{job.json['id']}/results").text.splitlines()
    assert json.loads(line)["kind"] == "list"


def test_results_of_jobs_that_ended_give_way(monkeypatch: pytest.MonkeyPatch):
    async def ran() -> tuple[list[int], bool]:
        async def long() -> dict:
            return {"source": "x" * 400}

        jobs = Jobs()
        made = []
        for _ in range(4):
            job = jobs.start("extract", [long], ["long"])
            assert job.task is not None
            await job.task
            made.append(job)
        return [len(job.lines) for job in made], made[0].id in jobs._jobs

    monkeypatch.setattr(jobs_module, "MAX_KEPT_BYTES", 1000)
    assert asyncio.run(ran()) == ([1, 1, 1, 1], False)


def test_an_address_that_does_not_answer_holds_up_nobody(tmp_path: Path):
    with (
        serving({"/": Answer(is_held=True)}) as site,
        serving_studio(tmp_path, workers=1) as server,
        ThreadPoolExecutor(4) as callers,
    ):
        waiting = [callers.submit(server.post, "/api/v1/extract", {"url": site.url()}) for _ in range(3)]
        while len(site.asked) < 3:
            assert not any(each.done() for each in waiting)
        assert server.post("/api/v1/extract", {"html": PAGE}).status == 200
        assert not any(each.done() for each in waiting)


def test_pages_that_are_looked_at_together_are_bounded(tmp_path: Path):
    with serving_studio(tmp_path, max_together_bytes=2 * len(PAGE)) as server:
        replies = [server.post("/api/v1/learn", {"pages": [{"html": PAGE}] * count}) for count in (2, 3)]
    assert [reply.status for reply in replies] == [200, 422]
    assert "send fewer of them" in replies[1].text


def test_a_job_can_be_cancelled(server: Served):
    pages = [{"html": PAGE, "name": f"page {k}"} for k in range(150)]
    job = server.post("/api/v1/jobs/extract", {"pages": pages}).json
    ended = server.send("DELETE", f"/api/v1/jobs/{job['id']}").json
    assert ended["state"] == "cancelled" and ended["done"] < 150
    assert server.send("GET", "/api/v1/jobs/unknown").status == 404


def test_a_defect_at_one_page_ends_the_job_with_an_error_line():
    async def ran() -> Job:
        async def broken() -> dict:
            raise RuntimeError("inner detail")

        async def fine() -> dict:
            return {"source": "fine"}

        async def unwritable() -> dict:
            return {"source": object()}

        jobs = Jobs()
        job = jobs.start("extract", [broken, fine], ["broken", "fine"])
        lost = jobs.start("extract", [unwritable], ["unwritable"])
        assert job.task is not None and lost.task is not None
        await asyncio.wait([job.task, lost.task], timeout=10)
        assert isinstance(lost.task.exception(), TypeError) and lost.state == "cancelled"
        return job

    job = asyncio.run(ran())
    assert (job.state, job.failed, len(job.lines)) == ("done", 1, 2)
    assert json.loads(job.lines[0])["error"]["code"] == "work-crashed" and "inner" not in job.lines[0]


def test_the_password_of_an_address_is_not_in_the_lines(server: Served):
    url = "ftp://user:secret@towns.example/"
    job = server.post("/api/v1/jobs/extract", {"pages": [{"url": url}, {"html": PAGE, "url": url}]}).json
    results = server.send("GET", f"/api/v1/jobs/{job['id']}/results").text
    assert results.count("towns.example") >= 2 and "secret" not in results


BAD = [
    ("POST", "/api/v1/extract", {"content_type": "text/html"}, b"", 200),
    ("POST", "/api/v1/extract", {}, b"x", 415),
    ("POST", "/api/v1/extract", {"content_type": "image/png"}, b"x", 415),
    ("POST", "/api/v1/extract", {"content_type": "application/json"}, b"{", 422),
    ("POST", "/api/v1/extract", {"content_type": "application/json"}, b"[1]", 422),
    ("POST", "/api/v1/extract", {"content_type": "application/json"}, b"{}", 422),
    ("POST", "/api/v1/extract", {"content_type": "application/json"}, b'{"html": 1}', 422),
    ("POST", "/api/v1/extract", {"content_type": "application/json"}, b'{"html": "x", "foo": 1}', 422),
    ("POST", "/api/v1/extract", {"content_type": "application/json"}, b'{"html": "x", "method": "magic"}', 422),
    ("POST", "/api/v1/extract", {"content_type": "application/json"}, b'{"html": "x", "region": 99}', 422),
    ("POST", "/api/v1/extract", {"content_type": "application/json"}, b'{"html": "x", "url": "http://["}', 422),
    ("POST", "/api/v1/extract", {"content_type": "application/json"}, b'{"html":"x","format":"csv"}', 422),
    ("POST", "/api/v1/extract", {"content_type": "multipart/form-data"}, b"x", 422),
    ("POST", "/api/v1/extract", {"content_type": "multipart/form-data; boundary=x"}, b"--x\r\n", 422),
    ("POST", "/api/v1/apply", {"content_type": "application/json"}, b'{"html": "x", "wrapper": {}}', 422),
    ("POST", "/api/v1/apply", {"content_type": "application/json"}, b'{"html": "x", "wrapper": "a/b"}', 404),
    ("POST", "/api/v1/learn", {"content_type": "application/json"}, b'{"html": ""}', 422),
    ("GET", "/api/v1/extract", {}, b"", 405),
    ("GET", "/api/v1/nothing", {}, b"", 404),
    ("POST", "/api/v1/extract", {"content_type": "application/json"}, b"[" * 100_000, 422),
    ("POST", "/api/v1/text", {"content_type": "text/html; charset=nonsense"}, b"<p>x", 200),
]


@pytest.mark.parametrize(("method", "path", "headers", "body", "status"), BAD)
def test_bad_requests_are_told_what_is_wrong(
    server: Served, method: str, path: str, headers: dict[str, str], body: bytes, status: int
):
    reply = server.send(method, path, body, **headers)
    assert reply.status == status, reply.text
    if status >= 400:
        assert reply.json["error"]["message"]


class Document(dict):  # type: ignore[type-arg]
    """The OpenAPI document; too long to be printed."""

    def __repr__(self) -> str:
        return "the document"


@pytest.fixture(scope="module")
def document(server: Served) -> Document:
    return Document(server.send("GET", "/api/v1/openapi.json").json)


def test_the_document_refers_to_nothing_that_it_lacks(document: dict):
    references = set(re.findall(r'"\$ref": "#/components/schemas/([^"]+)"', json.dumps(document)))
    assert references <= set(document.get("components", {}).get("schemas", {}))


def test_every_operation_has_an_example_that_is_answered_as_the_document_says(server: Served, document: dict):
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            example = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")
            if example is None or "url" in example:
                continue
            reply = server.send(method.upper(), path, json.dumps(example), content_type="application/json")
            assert str(reply.status) in operation["responses"], (path, reply.status)
            schema = operation["responses"][str(reply.status)]["content"]["application/json"]["schema"]
            assert set(schema["required"]) <= reply.json.keys(), path


PLAIN = st.none() | st.booleans() | st.integers(-5, 300) | st.floats(allow_nan=False) | st.text(max_size=30)
JSON = PLAIN | st.lists(PLAIN, max_size=3) | st.dictionaries(st.text(max_size=8), PLAIN, max_size=3)
NAMES = ["html", "url", "name", "pages", "render", "method", "region", "all_columns", "format", "markdown", "kind"]
NAMES += ["min_probability", "save_as", "wrapper", "otherwise", "save"]
KINDS = ["application/json", "text/html", "multipart/form-data; boundary=x", "text/csv", ""]
RENDERING = ["auto", "always"]  # takes a browser, which has tests of its own


BODIES = st.fixed_dictionaries({}, optional={name: JSON | st.just(PAGE) for name in NAMES})


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    number=st.integers(0, 10_000),
    words=st.lists(st.text("abc.-_~%é", min_size=1, max_size=8), min_size=2, max_size=2),
    fields=BODIES | st.dictionaries(st.text(max_size=6), JSON, max_size=4),
    kind=st.sampled_from(KINDS),
    raw=st.binary(max_size=60),
)
def test_generated_requests_get_documented_answers_and_never_a_defect(
    server: Served, document: dict, number: int, words: list[str], fields: dict, kind: str, raw: bytes
):
    paths = sorted((path, method) for path, methods in document["paths"].items() for method in methods)
    path, method = paths[number % len(paths)]
    operation = document["paths"][path][method]
    names = [part["name"] for part in operation.get("parameters", ())]
    address = path.format(**{name: quote(word, safe="") for name, word in zip(names, words, strict=False)})
    if fields.get("render") in RENDERING or "url" in fields or "pages" in fields:
        fields = {"html": PAGE}
    body = json.dumps(fields).encode() if kind == "application/json" else raw
    reply = server.send(method.upper(), address, body, **({"content_type": kind} if kind else {}))
    assert reply.status < 500, (address, body, reply.text)
    assert str(reply.status) in operation["responses"], (address, reply.status, reply.text)
    if reply.status != 204:
        kinds = operation["responses"][str(reply.status)]["content"]
        assert reply.headers["content-type"].partition(";")[0] in kinds, (address, reply.headers)


def test_two_hundred_requests_at_once_are_all_answered(server: Served):
    def ask(k: int) -> int:
        return len(server.post("/api/v1/extract", {"html": PAGE, "name": str(k)}).json["records"])

    with ThreadPoolExecutor(200) as callers:
        assert list(callers.map(ask, range(200))) == [8] * 200


def test_when_too_many_wait_the_next_is_told_to_come_again(tmp_path: Path):
    with serving_studio(tmp_path, workers=1, max_waiting=2) as server, ThreadPoolExecutor(12) as callers:
        replies = list(callers.map(lambda _: server.post("/api/v1/extract", {"html": PAGE}), range(12)))
    statuses = sorted(reply.status for reply in replies)
    assert set(statuses) == {200, 503}
    refused = next(reply for reply in replies if reply.status == 503)
    assert refused.headers["retry-after"] == "2" and refused.code == "service-busy"


def test_a_caller_that_leaves_frees_its_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(verbs, "clean_page", for_ever)
    with serving_studio(tmp_path, workers=1) as server:
        connection = HTTPConnection("127.0.0.1", server.port)
        connection.request("POST", "/api/v1/clean", json.dumps({"html": PAGE}), {"content-type": "application/json"})
        connection.close()
        assert server.post("/api/v1/extract", {"html": PAGE}).status == 200


def test_work_that_takes_too_long_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(verbs, "clean_page", for_ever)
    with serving_studio(tmp_path, workers=1, seconds=0.3) as server:
        reply = server.post("/api/v1/clean", {"html": PAGE})
    assert (reply.status, reply.code) == (422, "work-stopped")
