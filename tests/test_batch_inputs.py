"""What a batch run can read: files, folders, globs, lists, archives, Parquet; and the addresses of saved pages."""

from __future__ import annotations

import gzip
import io
import json
import os
import tarfile
import zipfile
from pathlib import Path

import brotli
import pyarrow
import pytest
import zstandard
from pyarrow import parquet

from batch_pages import packed, page_inputs, shop_page, warc_record
from peneira.batch.archives import ArchiveOptions, unchunked
from peneira.batch.inputs import PageInputs
from peneira.batch.page_input import PageInput
from peneira.batch.tasks import TaskOptions, outcome_of
from peneira.errors import ArgumentError
from peneira.limits import DEFAULT_LIMITS, Limits
from peneira.sources.fetch_options import FetchOptions

PAGE = b"<!doctype html><title>A page</title><p>Some words"


def texts(*names: Path | str) -> list[tuple[str, str | None, str]]:
    """Return name, address and text of all pages."""
    return [_text(given) for given in page_inputs(*names)]


def _text(given: PageInput) -> tuple[str, str | None, str]:
    page = given.read(DEFAULT_LIMITS, FetchOptions())
    return given.name, page.url, page.text_of(page.body)


def test_a_folder_gives_its_pages_and_warcs_in_the_order_of_their_paths(tmp_path: Path):
    for name in ("b/2.html", "b/1.htm", "a.xhtml", "c.html.gz", "c.html.br", "c.html.zst", "d.css", "b.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        packer = {".gz": gzip.compress, ".br": brotli.compress, ".zst": zstandard.compress}.get(path.suffix)
        path.write_bytes(packer(PAGE) if packer else PAGE)
    (tmp_path / "e.warc.gz").write_bytes(packed([warc_record("https://e.example/", PAGE)]))
    found = texts(tmp_path)
    names = ["a.xhtml", "b/1.htm", "b/2.html", "c.html.br", "c.html.gz", "c.html.zst", "e.warc.gz:1"]
    assert [name for name, _, _ in found] == [str(tmp_path / name) for name in names]
    assert {text for _, _, text in found} == {"Some words"}


def test_globs_and_pages_of_any_ending_are_read(tmp_path: Path):
    (tmp_path / "one.page").write_bytes(PAGE)
    (tmp_path / "two.page").write_bytes(PAGE)
    assert [name for name, _, _ in texts(tmp_path / "*.page")] == [
        str(tmp_path / "one.page"),
        str(tmp_path / "two.page"),
    ]


def test_lists_name_pages_by_path_and_address(tmp_path: Path):
    (tmp_path / "1.html").write_bytes(PAGE)
    lines = [{"path": "1.html", "url": "https://a.example/1"}, {"path": "1.html"}, {"url": 3}, {}]
    (tmp_path / "pages.jsonl").write_text("\n".join([*map(json.dumps, lines), "{broken"]))
    (tmp_path / "pages.txt").write_text("# a comment\n1.html\n\nhttps://a.example/2\n")
    given = list(page_inputs(tmp_path / "pages.jsonl"))
    assert _text(given[0]) == ("1.html", "https://a.example/1", "Some words")
    assert [page.error for page in given[2:]] == [
        f"{tmp_path}/pages.jsonl:3: url and path must be texts, and url an address",
        f"{tmp_path}/pages.jsonl:4: has neither url nor path",
        f"{tmp_path}/pages.jsonl:5: not a JSON object",
    ]
    listed = list(page_inputs(tmp_path / "pages.txt"))
    assert listed == [
        PageInput("1.html", path=str(tmp_path / "1.html")),
        PageInput("https://a.example/2", url="https://a.example/2"),
    ]


def test_a_list_names_archives_too(tmp_path: Path):
    (tmp_path / "crawl.warc").write_bytes(warc_record("https://a.example/1", PAGE))
    (tmp_path / "warcs.txt").write_text("crawl.warc\nmissing.zip\n")
    page, missing = page_inputs(tmp_path / "warcs.txt")
    assert _text(page) == (f"{tmp_path}/crawl.warc:1", "https://a.example/1", "Some words")
    assert missing.error == f"{tmp_path}/missing.zip: No such file or directory"


def test_a_line_of_a_list_that_is_nested_without_end_fails_alone(tmp_path: Path):
    (tmp_path / "pages.jsonl").write_text('{"a":' * 100_000 + '\n{"path": "1.html"}\n')
    nested, page = page_inputs(tmp_path / "pages.jsonl")
    assert nested.error == f"{tmp_path}/pages.jsonl:1: not a JSON object"
    assert page.path == f"{tmp_path}/1.html"


def _damaged_zip(path: Path, members: dict[str, bytes]) -> None:
    """Write a zip file whose first member cannot be unpacked beyond its start."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    data = bytearray(path.read_bytes())
    start = 30 + len(next(iter(members)))  # the size of the header of a member
    data[start : start + 20] = b"\xff" * 20
    path.write_bytes(data)


def test_a_damaged_member_of_a_zip_file_fails_alone(tmp_path: Path):
    _damaged_zip(tmp_path / "a.zip", {"../1.html": PAGE * 9, "2.html": PAGE})
    bad, good = page_inputs(tmp_path / "a.zip")
    assert bad.error.startswith(f"{tmp_path}/a.zip:../1.html: cannot be read: Error -3 ")
    assert _text(good) == (f"{tmp_path}/a.zip:2.html", None, "Some words")


def test_a_damaged_warc_of_a_wacz_fails_alone(tmp_path: Path):
    record = warc_record("https://a.example/1", PAGE)
    _damaged_zip(tmp_path / "a.wacz", {"archive/1.warc": record, "archive/2.warc": record})
    bad, good = page_inputs(tmp_path / "a.wacz")
    assert bad.error.startswith(f"{tmp_path}/a.wacz:archive/1.warc: the WARC cannot be read any further: ")
    assert _text(good) == (f"{tmp_path}/a.wacz:archive/2.warc:1", "https://a.example/1", "Some words")


def test_a_wacz_without_a_warc_fails(tmp_path: Path):
    with zipfile.ZipFile(tmp_path / "a.wacz", "w") as archive:
        archive.writestr("datapackage.json", "{}")
    (given,) = page_inputs(tmp_path / "a.wacz")
    assert given.error == f"{tmp_path}/a.wacz: has no WARC in it"


@pytest.mark.parametrize("ending", ["tar", "tar.gz", "zip"])
def test_archives_give_their_pages_and_count_the_rest(tmp_path: Path, ending: str):
    members = {"a/1.html": PAGE, "style.css": b"p {}", "a/2.html.gz": gzip.compress(PAGE), "bad.html.gz": b"no"}
    path = tmp_path / f"pages.{ending}"
    if ending == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name, body in members.items():
                archive.writestr(name, body)
    else:
        with tarfile.open(path, "w:gz" if ending.endswith("gz") else "w") as archive:
            for name, body in members.items():
                header = tarfile.TarInfo(name)
                header.size = len(body)
                archive.addfile(header, io.BytesIO(body))
    inputs = page_inputs(path)
    first, second, bad = inputs
    assert [_text(first), _text(second)] == [
        (f"{path}:a/1.html", None, "Some words"),
        (f"{path}:a/2.html.gz", None, "Some words"),
    ]
    assert bad.error == f"{path}:bad.html.gz: not a gzip file, or a damaged one"
    assert inputs.passed_over == {"members of archives that are no HTML page": 1}


def test_damaged_archives_are_reported_as_pages_that_failed(tmp_path: Path):
    for name in ("a.tar", "a.zip", "a.warc", "a.parquet", "a.wacz"):
        (tmp_path / name).write_bytes(b"this is none")
        (given,) = page_inputs(tmp_path / name)
        assert (given.name, bool(given.error)) == (f"{tmp_path}/{name}:end", True)
    (missing,) = page_inputs(tmp_path / "missing.warc")
    assert missing.error == f"{tmp_path}/missing.warc: No such file or directory"


@pytest.mark.parametrize("is_packed", [True, False])
def test_a_warc_gives_its_pages_with_address_charset_and_time(tmp_path: Path, is_packed: bool):
    records = [
        warc_record("https://a.example/latin", b"<p>caf\xe9", media_type="text/html; charset=iso-8859-1"),
        warc_record("https://a.example/gzip", gzip.compress(PAGE), headers="Content-Encoding: gzip\r\n"),
        warc_record("https://a.example/br", brotli.compress(PAGE), headers="Content-Encoding: br\r\n"),
        warc_record(
            "https://a.example/parts",
            b"5\r\n<p>In\r\n9\r\n pieces ok\r\n0\r\n\r\n",
            headers="Transfer-Encoding: chunked\r\n",
        ),
        warc_record("https://a.example/gone", PAGE, status="404 Not Found"),
        warc_record("https://a.example/x.png", b"\x89PNG", media_type="image/png"),
    ]
    path = tmp_path / "crawl.warc"
    path.write_bytes(packed(records) if is_packed else b"".join(records))
    inputs = page_inputs(path)
    pages = list(inputs)
    assert [_text(given) for given in pages] == [
        (f"{path}:1", "https://a.example/latin", "café"),
        (f"{path}:2", "https://a.example/gzip", "Some words"),
        (f"{path}:3", "https://a.example/br", "Some words"),
        (f"{path}:4", "https://a.example/parts", "In pieces o"),
    ]
    assert {given.time for given in pages} == {"2024-05-06T07:08:09Z"}
    assert inputs.passed_over == {
        "WARC records of an error or a redirect": 1,
        "WARC records that are no HTML page": 1,
    }


def test_a_wacz_gives_the_pages_of_its_warcs(tmp_path: Path):
    path = tmp_path / "crawl.wacz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("datapackage.json", "{}")
        archive.writestr("archive/data.warc.gz", packed([warc_record("https://a.example/", PAGE)]))
    assert texts(path) == [(f"{path}:archive/data.warc.gz:1", "https://a.example/", "Some words")]


def test_ten_pages_among_a_thousand_other_records_are_all_read(tmp_path: Path):
    others = [warc_record(f"https://a.example/{k}.png", b"\x89PNG", media_type="image/png") for k in range(1000)]
    pages = [warc_record(f"https://a.example/{k}", PAGE) for k in range(10)]
    records = [record for k in range(10) for record in (*others[k * 100 : k * 100 + 100], pages[k])]
    path = tmp_path / "crawl.warc.gz"
    path.write_bytes(packed(records))
    inputs = page_inputs(path)
    assert [url for _, url, _ in map(_text, inputs)] == [f"https://a.example/{k}" for k in range(10)]
    assert inputs.passed_over == {"WARC records that are no HTML page": 1000}


@pytest.mark.parametrize("headers", ["", "Content-Encoding: gzip\r\n"])
def test_a_record_that_ends_too_early_is_partial_or_failed(tmp_path: Path, headers: str):
    body = shop_page(1) * 40
    last = warc_record("https://a.example/2", gzip.compress(body) if headers else body, headers=headers)
    path = tmp_path / "crawl.warc"
    path.write_bytes(warc_record("https://a.example/1", PAGE) + last[:-150])
    first, second = (outcome_of(given, TaskOptions(task="text")) for given in page_inputs(path))
    assert first.page["status"] == "complete"
    assert second.page["status"] == ("failed" if headers else "partial")
    assert "the record ends after" in str(second.page["reason"])


def test_a_packed_warc_that_is_cut_off_gives_what_is_whole(tmp_path: Path):
    path = tmp_path / "crawl.warc.gz"
    path.write_bytes(packed([warc_record(f"https://a.example/{k}", shop_page(k)) for k in range(3)])[:-200])
    outcomes = [outcome_of(given, TaskOptions(task="text")) for given in page_inputs(path)]
    assert [outcome.page["status"] for outcome in outcomes[:2]] == ["complete", "complete"]
    assert all(outcome.page["status"] != "complete" for outcome in outcomes[2:])


def test_chunks_of_http_are_joined():
    assert unchunked(b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n") == b"abcde"
    assert unchunked(b"<p>decoded by the crawler already\r\n") == b"<p>decoded by the crawler already\r\n"
    assert unchunked(b"5\r\nab") == b"ab"
    assert unchunked(b"-6\r\n<p>a length that leads back to itself") == b"-6\r\n<p>a length that leads back to itself"


def test_parquet_gives_a_page_per_row(tmp_path: Path):
    table = pyarrow.table({"html": ["<p>One", None, "<p>Trés"], "url": ["https://a.example/1", None, "no address"]})
    path = tmp_path / "pages.parquet"
    parquet.write_table(table, path)
    first, second, third = page_inputs(path)
    assert _text(first) == (f"{path}:1", "https://a.example/1", "One")
    assert second.error == f"{path}:2: has no HTML"
    assert _text(third) == (f"{path}:3", None, "Trés")


def test_the_column_of_the_html_can_be_named(tmp_path: Path):
    path = tmp_path / "pages.parquet"
    parquet.write_table(pyarrow.table({"source_code": [b"<p>One"], "html": ["no"]}), path)
    (page,) = PageInputs([str(path)], ArchiveOptions(DEFAULT_LIMITS, html_column="source_code"))
    assert _text(page)[2] == "One"
    (wrong,) = PageInputs([str(path)], ArchiveOptions(DEFAULT_LIMITS, html_column="page"))
    assert wrong.error == f"{path}: has no column 'page'; there are source_code, html"


@pytest.mark.parametrize(
    ("head", "sidecar", "url"),
    [
        ("", "https://a.example/1\n", "https://a.example/1"),
        ("", "[InternetShortcut]\r\nURL=https://a.example/1\r\n", "https://a.example/1"),
        ('<link rel=canonical href="https://b.example/">', "https://a.example/1", "https://a.example/1"),
        ('<link rel=canonical href="https://b.example/">', None, "https://b.example/"),
        ('<base href="https://c.example/">', None, "https://c.example/"),
        (
            '<base href="https://c.example/"><meta property=og:url content="https://d.example/1">',
            None,
            "https://d.example/1",
        ),
        ('<base href="/relative">', "not an address", None),
    ],
)
def test_saved_pages_bring_their_address(tmp_path: Path, head: str, sidecar: str | None, url: str | None):
    (tmp_path / "page.html").write_text(f"<head>{head}</head><p>x")
    if sidecar is not None:
        (tmp_path / "page.html.url").write_text(sidecar)
    assert texts(tmp_path / "page.html") == [(str(tmp_path / "page.html"), url, "x")]


def test_packed_pages_are_not_unpacked_beyond_the_limit(tmp_path: Path):
    bomb = b"<p>" + b"a" * 5_000_000
    for ending, packer in {"gz": gzip.compress, "br": brotli.compress, "zst": zstandard.compress}.items():
        path = tmp_path / f"bomb.html.{ending}"
        path.write_bytes(packer(bomb))
        (given,) = page_inputs(path)
        page = given.read(Limits(bytes=1000), FetchOptions())
        assert [cut.limit for cut in page.cuts] == ["bytes"]


@pytest.mark.parametrize(("ending", "kind"), [("br", "Brotli"), ("zst", "Zstandard")])
def test_damaged_packed_pages_fail(tmp_path: Path, ending: str, kind: str):
    path = tmp_path / f"page.html.{ending}"
    path.write_bytes(b"<p>never packed")
    (given,) = page_inputs(path)
    outcome = outcome_of(given, TaskOptions())
    assert outcome.page["reason"] == f"{path}: not a {kind} file, or a damaged one"


@pytest.mark.parametrize("kept", [0, 6, 2000])
def test_a_zstandard_page_that_is_cut_fails(tmp_path: Path, kept: int):
    packer = zstandard.ZstdCompressor(write_content_size=False).compressobj()
    packed = packer.compress(os.urandom(5000).hex().encode()) + packer.flush()
    path = tmp_path / "page.html.zst"
    path.write_bytes(packed[:kept])
    (given,) = page_inputs(path)
    assert outcome_of(given, TaskOptions()).page["reason"] == f"{path}: the Zstandard file ends too early"


def test_what_is_missing_is_told(tmp_path: Path):
    (tmp_path / "empty").mkdir()
    (folder,) = page_inputs(tmp_path / "empty")
    assert folder.error == f"{tmp_path}/empty: no page and no WARC in this folder"
    (page,) = page_inputs(tmp_path / "no.html")
    assert outcome_of(page, TaskOptions()).page["reason"] == f"{tmp_path}/no.html: no such file"
    with pytest.raises(ArgumentError, match="reads no standard input"):
        page_inputs("-")


def test_the_share_that_is_read_reaches_one(tmp_path: Path):
    path = tmp_path / "crawl.warc.gz"
    path.write_bytes(packed([warc_record(f"https://a.example/{k}", PAGE) for k in range(5)]))
    (tmp_path / "page.html").write_bytes(PAGE)
    inputs = page_inputs(path, tmp_path / "page.html")
    total = inputs.total_bytes()
    shares = [inputs.share_read(total) for _ in inputs]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
