"""Files that hold many pages: WARC and WACZ, tar, zip, and Parquet with a column of HTML. Read from front to back."""

from __future__ import annotations

import lzma
import re
import tarfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import IO, TYPE_CHECKING

from peneira.batch.page_input import PageInput, given_page, is_address
from peneira.errors import InputError, MissingExtra
from peneira.limits import Limits
from peneira.sources.http_messages import PAGE_TYPES
from peneira.sources.inputs import PAGE_ENDINGS
from peneira.sources.packed_files import CODINGS, unpacked

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

_HTML_COLUMNS = ("html", "content", "body", "raw_html", "page")
_URL_COLUMNS = ("url", "uri", "page_url", "warc_target_uri")
_PARQUET_ROWS = 64
_LAST_CHUNK = b"0"
_HEXADECIMAL = re.compile(rb"[0-9a-fA-F]{1,16}")
# What reading a member of a zip file raises: damage of any kind, a packing that is not known, a password
_UNREADABLE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError)


@dataclass(frozen=True, slots=True)
class ArchiveOptions:
    """How archives are read. The names of columns are those of Parquet files; without them, the usual ones."""

    limits: Limits
    html_column: str | None = None
    url_column: str | None = None


@dataclass(frozen=True, slots=True)
class Archive:
    """An open archive: its name, its bytes, and the counter of what in it is no page, by reason."""

    name: str
    file: IO[bytes]
    options: ArchiveOptions
    passed_over: Counter[str]

    @property
    def limits(self) -> Limits:
        return self.options.limits


def warc_pages(archive: Archive) -> Iterator[PageInput]:
    """Yield the HTML pages of a WARC, plain or packed; a record that ends too early is a page with a part missing."""
    try:
        from fastwarc.warc import ArchiveIterator
    except ImportError as error:
        raise MissingExtra("warc", "reading WARC files") from error
    try:
        for number, record in enumerate(ArchiveIterator(archive.file, parse_http=True, fsspec_args=False), start=1):
            page = _warc_page(archive, record, f"{archive.name}:{number}")
            if page is not None:
                yield page
    except OSError as error:
        raise InputError(f"{archive.name}: the WARC cannot be read any further: {error}") from error


def _warc_page(archive: Archive, record: WarcRecord, name: str) -> PageInput | None:
    kind = str(record.record_type)
    if kind not in ("response", "resource"):
        archive.passed_over[f"WARC records of the type {kind}"] += 1
        return None
    headers = record.http_headers
    length, status = record.content_length, headers.status_code if headers is not None else 200
    media_type = (record.http_content_type if headers is not None else record.headers.get("Content-Type")) or ""
    if media_type.partition(";")[0].strip().lower() not in PAGE_TYPES:
        body = record.reader.read(64) if not media_type else b""
        if not body.lstrip().lower().startswith((b"<!doctype html", b"<html")):
            archive.passed_over["WARC records that are no HTML page"] += 1
            return None
        body += record.reader.read(archive.limits.bytes + 1 - len(body))
    elif status is not None and not 200 <= status < 300:
        archive.passed_over["WARC records of an error or a redirect"] += 1
        return None
    else:
        body = record.reader.read(archive.limits.bytes + 1)
    missing = f"the record ends after {len(body):,} of {length:,} bytes" if len(body) < length else ""
    if len(body) > archive.limits.bytes:
        missing = ""
    url = record.headers.get("WARC-Target-URI")
    time = record.headers.get("WARC-Date") or ""
    given = PageInput(name, url if url and is_address(url) else None, charset=record.http_charset, time=time)
    codings = {key.lower(): value for key, value in headers.items()} if headers is not None else {}
    try:
        if "chunked" in codings.get("transfer-encoding", "").lower():
            body = unchunked(body)
        for coding in reversed([part.strip().lower() for part in codings.get("content-encoding", "").split(",")]):
            if coding not in ("", "identity", "none", "utf-8"):
                body = unpacked(name, body, coding, archive.limits)
    except (InputError, MissingExtra) as error:
        return replace(given, error=f"{name}: {missing}" if missing else str(error))
    return replace(given, body=body, missing=missing)


def unchunked(body: bytes) -> bytes:
    """Return a body without the lengths that HTTP puts between its parts; one that has none is returned unchanged."""
    parts: list[bytes] = []
    start = 0
    while (end := body.find(b"\r\n", start)) >= 0:
        digits = body[start:end].partition(b";")[0].strip()
        if not _HEXADECIMAL.fullmatch(digits):
            return body if not parts else b"".join(parts)
        length = int(digits, 16)
        if length == 0:
            break
        parts.append(body[end + 2 : end + 2 + length])
        start = end + 2 + length + 2
    return b"".join(parts) if parts or body.startswith(_LAST_CHUNK) else body


def wacz_pages(archive: Archive) -> Iterator[PageInput]:
    """Yield the pages of all WARCs of a WACZ; one that is damaged costs what is behind the damage."""
    with _zip_file(archive) as members:
        warcs = [each for each in members.infolist() if ".warc" in each.filename.rpartition("/")[2].lower()]
        if not warcs:
            raise InputError(f"{archive.name}: has no WARC in it")
        for member in warcs:
            name = f"{archive.name}:{member.filename}"
            try:
                with members.open(member) as file:
                    yield from warc_pages(replace(archive, name=name, file=file))
            except InputError as error:
                yield PageInput(f"{name}:end", error=str(error))
            except _UNREADABLE as error:
                yield PageInput(f"{name}:end", error=f"{name}: the WARC cannot be read any further: {error}")


def zip_pages(archive: Archive) -> Iterator[PageInput]:
    """Yield the pages of a zip file."""
    with _zip_file(archive) as members:
        for member in members.infolist():
            if member.is_dir():
                continue
            page = _member_page(archive, member.filename, partial(members.open, member))
            if page is not None:
                yield page


def _zip_file(archive: Archive) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(archive.file)
    except (zipfile.BadZipFile, OSError) as error:
        raise InputError(f"{archive.name}: not a zip file, or a damaged one: {error}") from error


def tar_pages(archive: Archive) -> Iterator[PageInput]:
    """Yield the pages of a tar file, plain or packed."""
    try:
        with tarfile.open(fileobj=archive.file, mode="r|*") as members:
            for member in members:
                if not member.isfile():
                    continue
                page = _member_page(archive, member.name, partial(members.extractfile, member))
                if page is not None:
                    yield page
    except (tarfile.TarError, EOFError, OSError) as error:
        raise InputError(f"{archive.name}: the tar file cannot be read any further: {error}") from error


def _member_page(archive: Archive, member: str, opened: Callable[[], IO[bytes] | None]) -> PageInput | None:
    if not member.lower().endswith(PAGE_ENDINGS):
        archive.passed_over["members of archives that are no HTML page"] += 1
        return None
    name = f"{archive.name}:{member}"
    try:
        file = opened()
        if file is None:
            return None
        with file:
            body = file.read(archive.limits.bytes + 1)
        coding = CODINGS.get(f".{member.rpartition('.')[2].lower()}")
        return PageInput(name, body=unpacked(name, body, coding, archive.limits) if coding else body)
    except (InputError, MissingExtra) as error:
        return PageInput(name, error=str(error))
    except _UNREADABLE as error:
        return PageInput(name, error=f"{name}: cannot be read: {error}")


def parquet_pages(archive: Archive) -> Iterator[PageInput]:
    """Yield the pages of a Parquet file, a row each."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtra("parquet", "reading Parquet") from error
    try:
        table = parquet.ParquetFile(archive.file)
        names = table.schema_arrow.names
        html = _column(archive, archive.options.html_column, _HTML_COLUMNS, names)
        url = _column(archive, archive.options.url_column, _URL_COLUMNS, names, is_optional=True)
        rows = count(1)
        for batch in table.iter_batches(_PARQUET_ROWS, columns=[html, *([url] if url else [])]):
            urls = batch.column(url) if url else [None] * len(batch)
            for value, address in zip(batch.column(html), urls, strict=True):
                yield given_page(f"{archive.name}:{next(rows)}", value.as_py(), address and address.as_py())
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(f"{archive.name}: the Parquet file cannot be read any further: {error}") from error


def _column(
    archive: Archive, given: str | None, usual: tuple[str, ...], names: list[str], *, is_optional: bool = False
) -> str:
    if given is not None and given not in names:
        raise InputError(f"{archive.name}: has no column {given!r}; there are {', '.join(names)}")
    found = given or next((name for name in usual if name in names), "")
    if not found and not is_optional:
        raise InputError(f"{archive.name}: which column has the HTML? Name it: --html-column NAME ({', '.join(names)})")
    return found


READERS: dict[str, Callable[[Archive], Iterator[PageInput]]] = {
    ".warc": warc_pages,
    ".warc.gz": warc_pages,
    ".warc.zst": warc_pages,
    ".wacz": wacz_pages,
    ".zip": zip_pages,
    ".tar": tar_pages,
    ".tar.gz": tar_pages,
    ".tgz": tar_pages,
    ".tar.bz2": tar_pages,
    ".tar.xz": tar_pages,
    ".parquet": parquet_pages,
    ".pq": parquet_pages,
}
# What a folder is searched for beside pages
CRAWL_ENDINGS = (".warc", ".warc.gz", ".warc.zst", ".wacz")


def reader_of(name: str) -> Callable[[Archive], Iterator[PageInput]] | None:
    """Return how an archive of that name is read, None if it is none."""
    lower = name.lower()
    return next((read for ending, read in READERS.items() if lower.endswith(ending)), None)
