"""Packed pages: gzip, Brotli and Zstandard, unpacked as far as wanted and never further."""

from __future__ import annotations

import io
import zlib

from peneira.errors import InputError, MissingExtra
from peneira.limits import Limits
from peneira.sources.content_coding import DeflateDecoder

# How the names of packed files end, and what they are packed with
CODINGS = {".gz": "gzip", ".br": "br", ".zst": "zstd"}


def unpacked(name: str, body: bytes, coding: str, limits: Limits) -> bytes:
    """Return the bytes that were packed, at most one more than the limit. ``coding`` is named as in HTTP.

    Raises ``InputError`` for damaged ones, and ``MissingExtra`` where the package for a coding is not installed.
    """
    max_bytes = limits.bytes + 1
    match coding:
        case "gzip" | "x-gzip" | "deflate":
            return _deflated(name, body, max_bytes, is_gzip=coding != "deflate")
        case "br":
            return _brotli(name, body, max_bytes)
        case "zstd":
            return _zstandard(name, body, max_bytes)
        case _:
            raise InputError(f"{name}: packed in a way that is not known: {coding}")


def _deflated(name: str, body: bytes, max_bytes: int, *, is_gzip: bool) -> bytes:
    kind = "gzip" if is_gzip else "deflate"
    decoder = DeflateDecoder(is_gzip=is_gzip)
    try:
        whole = decoder.decode_block(body, max_bytes)
    except zlib.error as error:
        raise InputError(f"{name}: not a {kind} file, or a damaged one") from error
    if len(whole) < max_bytes and not decoder.is_complete():
        raise InputError(f"{name}: the {kind} file ends too early")
    return whole


def _brotli(name: str, body: bytes, max_bytes: int) -> bytes:
    try:
        import brotli
    except ImportError as error:
        raise MissingExtra("packed", "reading Brotli") from error
    decoder = brotli.Decompressor()
    try:
        whole = decoder.process(body, output_buffer_limit=max_bytes)
        while len(whole) < max_bytes and not decoder.can_accept_more_data() and not decoder.is_finished():
            whole += decoder.process(b"", output_buffer_limit=max_bytes - len(whole))
    except brotli.error as error:
        raise InputError(f"{name}: not a Brotli file, or a damaged one") from error
    if len(whole) < max_bytes and not decoder.is_finished():
        raise InputError(f"{name}: the Brotli file ends too early")
    return bytes(whole[:max_bytes])


def _zstandard(name: str, body: bytes, max_bytes: int) -> bytes:
    try:
        import zstandard
    except ImportError as error:
        raise MissingExtra("packed", "reading Zstandard") from error
    decoder = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(body), read_across_frames=True)
    try:
        whole: bytes = decoder.read(max_bytes)
        # the reader is silent about a last frame that is cut; what it could read whole fits into the limit
        is_whole = len(whole) >= max_bytes or _ends_with_a_frame(body)
    except zstandard.ZstdError as error:
        raise InputError(f"{name}: not a Zstandard file, or a damaged one") from error
    if not is_whole:
        raise InputError(f"{name}: the Zstandard file ends too early")
    return whole


def _ends_with_a_frame(body: bytes) -> bool:
    """Return whether Zstandard frames follow each other up to the end."""
    import zstandard

    rest = body
    while True:
        frame = zstandard.ZstdDecompressor().decompressobj()
        frame.decompress(rest)
        if not frame.eof or not frame.unused_data:
            return bool(frame.eof)
        rest = frame.unused_data
