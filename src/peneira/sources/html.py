"""HTML into a page: decoded as browsers decode, parsed by lexbor, walked once into columns."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TypeVar

from selectolax.lexbor import LexborHTMLParser

from peneira.budget import Budget
from peneira.collection_pause import paused_collection
from peneira.errors import InputError
from peneira.limits import DEFAULT_LIMITS, Cut, Limits
from peneira.page import Page
from peneira.sources.encoding import UTF8, Decoding, decoding_of
from peneira.sources.lexbor_tree import node_table, parsed_tree
from peneira.sources.packed_files import CODINGS, unpacked
from peneira.sources.page_names import refuse_name
from peneira.sources.parser_limits import is_harmless, limit_depth, limit_markup

Source = TypeVar("Source", bytes, str)


def read_page(
    source: bytes | str | Path | Page,
    *,
    url: str | None = None,
    charset: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Page:
    """Return the page of HTML bytes, HTML text or an HTML file; a ``Page`` is returned unchanged.

    ``charset`` is what the HTTP header said. What goes beyond ``limits`` is left out and noted in ``page.cuts``.
    """
    if isinstance(source, Page):
        return source
    if isinstance(source, Path):
        source = read_file(source, limits)
    with Budget(limits).running(), paused_collection():
        return _read(source, url, charset, limits)


def _read(source: bytes | str, url: str | None, charset: str | None, limits: Limits) -> Page:
    cuts: list[Cut] = []
    if isinstance(source, str):
        refuse_name(source)
        # as selectolax does
        body = _truncated(str(source), limits, cuts).encode(UTF8, "ignore")
        decoding = Decoding(body, UTF8, "given as text", body)
    elif isinstance(source, (bytes, bytearray, memoryview)):
        decoding = decoding_of(_truncated(bytes(source), limits, cuts), charset=charset)
    else:
        raise InputError(f"a page is bytes, text, a path or a Page, not {type(source).__name__}")
    tree = parsed_tree(_markup(decoding, limits, cuts), limits, cuts)
    rows = limit_depth(node_table(tree, limits, cuts), limits, cuts)
    return Page(
        rows,
        url=url,
        encoding=decoding.encoding,
        encoding_reason=decoding.reason,
        doctype=_doctype(tree),
        cuts=cuts,
    )


def _markup(decoding: Decoding, limits: Limits, cuts: list[Cut]) -> bytes:
    """Return the page in UTF-8, without what would take the parser too long."""
    body = decoding.utf8 if decoding.utf8 is not None else decoding.text.encode(UTF8, "ignore")
    if is_harmless(body, lambda: decoding.text, limits):
        return body
    text = limit_markup(decoding.text, limits, cuts)
    return body if text is decoding.text else text.encode(UTF8, "ignore")


def read_file(path: Path, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """Return the bytes of a file, at most one more than the limit; one that ends in .gz, .br or .zst is unpacked."""
    try:
        if _is_pipe(path):
            raise InputError(f"{path}: is a pipe or a socket, not a file; write - and redirect it to standard input")
        with path.open("rb") as file:
            body = file.read(limits.bytes + 1)
        coding = CODINGS.get(path.suffix.lower())
        return unpacked(str(path), body, coding, limits) if coding else body
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file") from error
    except IsADirectoryError as error:
        raise InputError(f"{path}: is a folder, not a page") from error
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in the name
        raise InputError(f"{path}: {getattr(error, 'strerror', None) or error}") from error


def _is_pipe(path: Path) -> bool:
    """Return whether reading a path may wait for ever; what the shell itself passes on (``/dev/fd/63``) is read."""
    mode = path.stat().st_mode
    return (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)) and not path.is_relative_to("/dev")


def _truncated(source: Source, limits: Limits, cuts: list[Cut]) -> Source:
    if len(source) <= limits.bytes:
        return source
    cuts.append(Cut("bytes", limits.bytes, "the page is longer; what comes after was not read"))
    return source[: limits.bytes]


def _doctype(tree: LexborHTMLParser) -> str:
    node = tree.root.prev if tree.root else None
    while node is not None:
        if node.tag == "-doctype":
            return (node.html_pretty(full_doctype=True) or "").strip()
        node = node.prev
    return ""
