"""The content codings of HTTP: compressed bodies into bytes, block by block, never more than wanted."""

from __future__ import annotations

import zlib

_GZIP_MAGIC = b"\x1f\x8b"
_GZIP_BITS = zlib.MAX_WBITS + 16


class ContentDecoder:
    """The decoder of a body without a content coding."""

    def decode_block(self, data: bytes, max_bytes: int) -> bytes:
        """Return the bytes of one block of the body, ``max_bytes`` of them at most."""
        return data[:max_bytes]

    def is_complete(self) -> bool:
        """Return whether the body has come to its end."""
        return True


class DeflateDecoder(ContentDecoder):
    """The decoder of gzip, with any number of members, and of deflate, with or without the zlib header."""

    def __init__(self, *, is_gzip: bool) -> None:
        self._is_gzip = is_gzip
        self._stream: zlib._Decompress | None = None

    def decode_block(self, data: bytes, max_bytes: int) -> bytes:
        decoded = bytearray()
        while data and len(decoded) < max_bytes:
            if self._stream is None:
                self._stream = zlib.decompressobj(self._window_bits(data))
            elif self._stream.eof:
                if not (self._is_gzip and data.startswith(_GZIP_MAGIC[: len(data)])):
                    break  # padding: browsers pass over it too
                self._stream = zlib.decompressobj(_GZIP_BITS)
            decoded += self._stream.decompress(data, max_bytes - len(decoded))
            data = self._stream.unused_data
        return bytes(decoded)

    def is_complete(self) -> bool:
        return self._stream is None or self._stream.eof

    def _window_bits(self, data: bytes) -> int:
        if self._is_gzip:
            return _GZIP_BITS
        # RFC 1950: the low half of the first byte is 8. A raw stream would need padding bits that are not zero
        return zlib.MAX_WBITS if data[0] & 0x0F == 8 else -zlib.MAX_WBITS
