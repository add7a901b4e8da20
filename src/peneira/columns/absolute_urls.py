"""Absolute URLs, resolved against the page's ``base`` element and its own URL."""

from __future__ import annotations

from urllib.parse import urljoin

from peneira.page import Page


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
    try:
        return urljoin(base, target.strip())
    except ValueError:
        return target.strip()
