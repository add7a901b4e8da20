"""Links, images, e-mail addresses and telephone numbers."""

from __future__ import annotations

import re

from peneira.late_patterns import late_pattern
from peneira.types.notation import Notation
from peneira.types.reading_marks import MIN_PHONE_DIGITS

_ABSOLUTE = late_pattern(r"(?:https?:|ftp:)?//[\w\[][^\s<>\"]*|www\.[\w-]+\.[^\s<>\"]+", re.IGNORECASE)
# Links to files are often written with the spaces of the file name
_SPACED_FILE = late_pattern(r"(?:https?:)?//[^\s<>\"/]+/[^<>\"]*\.[a-z0-9]{2,5}", re.IGNORECASE)
# "/month" beside a price is not a path: a path has a second mark, such as another slash or a digit
_RELATIVE = late_pattern(r"\.{0,2}/(?=\S*[/.?=#\d_-])(?=\S*[^\W_])[\w%~.@!$&'()*+,;=:/?#\[\]-]+")
_SCRIPT_URL = late_pattern(
    r"[\w%./-]+\.(?:html?|php|aspx?|jsp|do|cgi|cfm)(?:[?#]\S*)?|\?[\w%.\[\]-]+=\S*", re.IGNORECASE
)
_IMAGE = late_pattern(r"[^?#]*\.(?:jpe?g|png|gif|webp|svg|avif|bmp|ico|tiff?)(?:[?#].*)?", re.IGNORECASE)
_EMAIL = late_pattern(
    r"(?:mailto:)?([\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24})", re.IGNORECASE
)

_PHONE = late_pattern(
    r"(?:(tel\.?:?|phone:?|fone:?|telefon:?|mobile:?|fax:?|☎|📞) ?)?(\+|00(?=[1-9]))?"
    r"((?:\(\d{1,5}\)|\d)[\d ().\-/]{4,22}\d)"
    r"(?: ?(?:x|ext\.?|ramal) ?\d{1,6})?",
    re.IGNORECASE,
)
_PHONE_CAPTION = late_pattern(
    r"\b(?:tel|phones?|telephone|mobile|cell|fax|fone|telefone|teléfono|telefono|téléphone|telefoon|telefon|telefonnummer|"
    r"whatsapp|celular|móvil|handy|телефон)\b|電話|电话|전화",
    re.IGNORECASE,
)
_BRACKETS = late_pattern(r"\(\d{1,5}\)")
# E.164 allows no more
MAX_PHONE_DIGITS = 15


def read_url(text: str, notation: Notation) -> str | None:
    """Return the URL in a cell, absolute or relative, as written."""
    if not text or (text[0] in "/.?" and len(text) < 3):
        return None
    match = _ABSOLUTE.fullmatch(text) or _RELATIVE.fullmatch(text)
    match = match or (_SCRIPT_URL.fullmatch(text) if "?" in text or "/" in text else None)
    return text if match or _SPACED_FILE.fullmatch(text) else None


def read_image(text: str, notation: Notation) -> str | None:
    """Return the URL in a cell if it is that of an image."""
    url = read_url(text, notation)  # first: most texts are no addresses, which it sees from how they start
    return url if url and _IMAGE.fullmatch(text) else None


def read_email(text: str, notation: Notation) -> str | None:
    """Return the e-mail address in a cell."""
    match = _EMAIL.fullmatch(text) if "@" in text else None
    return match[1] if match else None


def read_phone(text: str, notation: Notation) -> str | None:
    """Return the telephone number in a cell as written, without a word such as "Tel." before it."""
    match = _PHONE.fullmatch(text) if text[-1:].isdecimal() else None
    if match is None or not MIN_PHONE_DIGITS <= sum(map(str.isdigit, match[3])) <= MAX_PHONE_DIGITS:
        return None
    return text[len(match[1]) :].strip() if match[1] else text


def is_phone_caption(caption: str) -> bool:
    """Return whether a caption says that the digits below it are a telephone number."""
    return _PHONE_CAPTION.search(caption) is not None


def looks_like_phone(text: str, caption: str) -> bool:
    """Return whether a cell has at least two marks of a telephone number; references and docket numbers often have one.

    The marks are a country code, brackets, groups of digits, and a word such as "Tel." before it or in the caption.
    """
    match = _PHONE.fullmatch(text)
    if match is None:
        return False
    has_groups = len(re.findall(r"\d+", match[3])) > 1
    is_long = match[2] is not None and len(match[3]) >= 10
    words = bool(match[1]) + is_phone_caption(caption)
    return words + bool(match[2]) + bool(_BRACKETS.search(text)) + (has_groups or is_long) >= 2
