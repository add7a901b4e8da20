"""Addresses made absolute, against the page's base element and its URL."""

from __future__ import annotations

from urllib.parse import urljoin

from peneira.page import Page


def base_url(page: Page) -> str:
    """Return what relative addresses are relative to: the first ``base`` with an address, or the page's URL."""
    own = page.url or ""
    if "base" not in page.tag_names:
        return own
    code = page.tag_names.index("base")
    for i in (page.tag == code).nonzero()[0].tolist():
        if href := page.attrs[i].get("href", "").strip():
            return absolute_url(own, href)
    return own


def absolute_url(base: str, target: str) -> str:
    """Return the address, joined to the base if there is one; as it stands if it is no address at all."""
    try:
        return urljoin(base, target.strip())
    except ValueError:
        return target.strip()
