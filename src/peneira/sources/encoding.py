"""Bytes into text, as browsers decode: BOM, HTTP charset, meta, then the bytes themselves.

Unlike in a browser, a label that the bytes plainly contradict is ignored: pages labelled iso-8859-1 that are UTF-8 are
as common as the reverse. Every decision comes with its reason.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, replace

from w3lib.encoding import html_body_declared_encoding, read_bom, resolve_encoding

from peneira.kept_property import kept_property
from peneira.kernels import compiled

markup_scan = compiled("markup_scan")
markup_survey = compiled("markup_survey")

UTF8 = "utf-8"
FALLBACK = "cp1252"

# The encodings of the web (WHATWG Encoding Standard, section 4.2) by their Python names
_ASIAN = frozenset(["gb18030", "big5hkscs", "euc_jp", "iso2022_jp", "cp932", "cp949"])
_SINGLE_BYTE = frozenset(
    "cp866 iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13 "
    "iso8859-14 iso8859-15 iso8859-16 koi8-r koi8-u mac-roman cp874 cp1250 cp1251 cp1252 cp1253 cp1254 "
    "cp1255 cp1256 cp1257 cp1258 mac-cyrillic".split()
)
_WEB_ENCODINGS = _ASIAN | _SINGLE_BYTE | {UTF8, "utf-16-le", "utf-16-be"}

_UTF8_SEQUENCE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
_ASCII = bytes(range(128))
# Two bytes of Chinese or Japanese now and then pass for UTF-8; three characters in a row of them never did
_MIN_SEQUENCES = 3
_MAX_ERRORS = 0.05


@dataclass(frozen=True)
class Decoding:
    """How the bytes of a page, without a byte order mark, are decoded, and why.

    ``utf8``: the same bytes if they are well-formed UTF-8 and decoded as such: the text need not be encoded again.
    """

    body: bytes
    encoding: str
    reason: str
    utf8: bytes | None = None

    @kept_property
    def text(self) -> str:
        """The text; made when it is asked for."""
        return _text(self.body, self.encoding)


def decode(body: bytes, *, charset: str | None = None) -> tuple[str, str, str]:
    """Return the text of a page, the encoding it was decoded with, and why. Never fails.

    ``charset`` is the label of the HTTP header, if there was one.
    """
    decoding = decoding_of(body, charset=charset)
    return decoding.text, decoding.encoding, decoding.reason


def decoding_of(body: bytes, *, charset: str | None = None) -> Decoding:
    """Return how a page is decoded; ``charset`` as in ``decode``."""
    bom_encoding, bom = read_bom(body)
    if bom_encoding and bom:
        return _decoding(body[len(bom) :], bom_encoding, "byte order mark")
    for label, origin in ((charset, "HTTP header"), (html_body_declared_encoding(body), "meta tag")):
        encoding = _web_encoding(label, origin)
        if encoding:
            return _declared(body, encoding, origin)
    decoding = _by_bytes(body, "nothing declared")
    return decoding if decoding.encoding == UTF8 else replace(decoding, reason=f"{decoding.reason} and not UTF-8")


def _declared(body: bytes, encoding: str, origin: str) -> Decoding:
    """Return how a page is decoded that has a label, which the bytes may contradict."""
    if encoding == UTF8:
        decoding = _decoding(body, encoding, origin)
        if decoding.utf8 is not None:
            return decoding
    if _fits(body, encoding):
        return Decoding(body, encoding, origin)
    return _by_bytes(body, f"the {origin} says {encoding}, which does not fit the bytes")


def _decoding(body: bytes, encoding: str, reason: str) -> Decoding:
    """Return a decoding, with ``utf8`` where it applies."""
    return Decoding(body, encoding, reason, body if encoding == UTF8 and _is_well_formed(body) else None)


def _web_encoding(label: str | None, origin: str) -> str | None:
    if not label:
        return None
    encoding = resolve_encoding(label.strip("\"' \t\r\n"))
    if encoding in ("utf-16", "utf-16-le", "utf-16-be") and origin == "meta tag":
        return UTF8  # the tag itself was read as ASCII
    if encoding == "utf-16":
        return "utf-16-le"
    return encoding if encoding in _WEB_ENCODINGS else None


def _fits(body: bytes, encoding: str) -> bool:
    if body.isascii():
        return not encoding.startswith("utf-16") or b"\x00" in body
    if encoding == UTF8:
        return _utf8_share(body) > 0.5
    if encoding in _SINGLE_BYTE:
        return not _is_utf8(body)
    if encoding in _ASIAN:
        errors = body.decode(encoding, "replace").count("\ufffd")
        if errors > _MAX_ERRORS * _high_bytes(body):
            return False
        return not (_is_utf8(body) and len(_UTF8_SEQUENCE.findall(body)) >= _MIN_SEQUENCES)
    return b"\x00" in body


def _by_bytes(body: bytes, reason: str) -> Decoding:
    """Return how a page is decoded by its bytes alone."""
    decoding = _decoding(body, UTF8, reason)
    if decoding.utf8 is not None or _utf8_share(body) > 0.5:
        return decoding
    return Decoding(body, FALLBACK, reason)


def _is_well_formed(body: bytes) -> bool:
    """Return whether bytes are UTF-8 from the first to the last."""
    if markup_survey is not None:
        return bool(markup_survey.is_utf8(body))
    try:
        body.decode(UTF8)
    except UnicodeDecodeError:
        return False
    return True


def _is_utf8(body: bytes) -> bool:
    decoder = codecs.getincrementaldecoder(UTF8)()
    try:
        text = decoder.decode(body)
    except UnicodeDecodeError:
        return False
    # a page cut off in the middle of a character is UTF-8 all the same, if it has another
    return not decoder.getstate()[0] or not text.isascii()


def _utf8_share(body: bytes) -> float:
    """Return the share of the non-ASCII bytes that lie in well-formed UTF-8 sequences, 0..1; there must be some."""
    if _is_utf8(body):
        return 1.0
    if markup_scan is not None:
        inside, high = markup_scan.utf8_bytes(body)
        return float(inside / high)
    inside = sum(len(sequence) for run in _HIGH_RUN.findall(body) for sequence in _UTF8_SEQUENCE.findall(run))
    return inside / _high_bytes(body)


def _high_bytes(body: bytes) -> int:
    return len(body.translate(None, delete=_ASCII))


def _text(body: bytes, encoding: str) -> str:
    try:
        return body.decode(encoding)
    except UnicodeDecodeError:
        return body.decode(encoding, "peneira-c1" if encoding == FALLBACK else "replace")


def _as_control(error: UnicodeError) -> tuple[str, int]:
    """Decode the five bytes that cp1252 leaves undefined as control characters, as browsers do."""
    assert isinstance(error, UnicodeDecodeError)
    return "".join(map(chr, error.object[error.start : error.end])), error.end


codecs.register_error("peneira-c1", _as_control)
