"""Absolute URLs, resolved against the page's ``base`` element and its own URL."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

from peneira.late_patterns import late_pattern
from peneira.page import Page
from peneira.short_text_cache import cache_of_short_texts

# Addresses that need no more than the origin or the folder of the page in front: no dots, parameters, empty parts or
# white space to be resolved
_PART = r"/[\w!$%&'()*+,:=@~-][\w!$%&'()*+,.:=@~-]*"
_REST = r"/?(?:\?[^\s#]+)?(?:#\S+)?"
_PATH = rf"(?:{_PART})+{_REST}"
_PLAIN_PATH = late_pattern(_PATH)
_PLAIN_NAME = late_pattern(rf"[\w!$%&'()*+,=@~-][\w!$%&'()*+,.=@~-]*(?:{_PART})*{_REST}")
_PLAIN_FOLDER = late_pattern(rf"(?:{_PART})*/")
_PLAIN_URL = late_pattern(rf"https?://[\w.-]+(?::\d+)?{_PATH}", re.ASCII)


def base_url(page: Page) -> str:
    """Return what relative URLs are resolved against: the first ``base`` element with an href, or the page's URL."""
    page_url = page.url or ""
    if "base" not in page.tag_names:
        return page_url
    code = page.tag_names.index("base")
    for i in (page.tag == code).nonzero()[0].tolist():
        if href := page.attrs[i].get("href", "").strip():
            return absolute_url(page_url, href)
    return page_url


def absolute_url(base: str, target: str) -> str:
    """Return the target resolved against the base; unchanged if it is not a valid URL."""
    target = target.strip()
    if not base:
        return target
    if target[:1] == "/":
        if _PLAIN_PATH.fullmatch(target) and (origin := _origin(base)) is not None:
            return origin + target
    elif _PLAIN_URL.fullmatch(target):
        return target
    elif _PLAIN_NAME.fullmatch(target) and (folder := _folder(base)) is not None:
        return folder + target
    try:
        return urljoin(base, target)
    except ValueError:
        return target


@cache_of_short_texts(64)
def _origin(base: str) -> str | None:
    """Return scheme and host of an address as `urljoin` writes them, None if it is no address of the web."""
    try:
        parts = urlsplit(base)
    except ValueError:
        return None
    if parts.scheme in ("http", "https"):
        return f"{parts.scheme}://{parts.netloc}" if parts.netloc else None
    if parts.scheme or not base.startswith("/"):
        return None
    return f"//{parts.netloc}" if parts.netloc else ""


@cache_of_short_texts(64)
def _folder(base: str) -> str | None:
    """Return an address up to the folder that it is in, None if that needs to be resolved itself."""
    origin = _origin(base)
    if origin is None:
        return None
    folder = urlsplit(base).path.rpartition("/")[0] + "/"
    return origin + folder if _PLAIN_FOLDER.fullmatch(folder) else None
