"""The title of a page: the heading of the first level that the title of the document names.

Many pages have several such headings: the name of the site, "Menu", "Search".
"""

from __future__ import annotations

import re

import numpy as np

from peneira.page import Page
from peneira.texts.text_blocks import TextBlocks

# What stands between a title and the name of the site
_BETWEEN = re.compile(r" [|–—·•»/-] |: ")
_WORD = re.compile(r"\w+")
# Longer titles and more headings are not compared
MAX_TITLE_CHARS, MAX_HEADINGS = 300, 50


def page_title(blocks: TextBlocks) -> str:
    """Return the title of a page: its main heading, else the title of the document; "" if it has neither."""
    heading = main_heading(blocks)
    return " ".join(blocks.strings[k] for k in heading) if len(heading) else _own_title(blocks.page)


def main_heading(blocks: TextBlocks) -> range:
    """Return the blocks of the main heading, none if the page has no heading of the first level."""
    page = blocks.page
    rows = [i for i in page.rows_of("h1").tolist() if not page.silent[i]]
    places = np.searchsorted(blocks.rows, [(i, page.end[i]) for i in rows]).tolist() if rows else []
    headings = [range(first, last) for first, last in places if first < last]
    if len(headings) < 2:
        return headings[0] if headings else range(0)
    title = _document_title(page)[:MAX_TITLE_CHARS]
    parts = [set(_WORD.findall(part.lower())) for part in (*_BETWEEN.split(title), title)]
    return max(headings[:MAX_HEADINGS], key=lambda heading: _agreement(heading, blocks, parts))


def _agreement(heading: range, blocks: TextBlocks, parts: list[set[str]]) -> tuple[float, int]:
    """Return how far a heading is one of the parts of the document's title, and how early that part stands."""
    text = " ".join(blocks.strings[k] for k in heading)[:MAX_TITLE_CHARS]
    words = set(_WORD.findall(text.lower()))
    return max((2 * len(words & part) / max(len(words) + len(part), 1), -k) for k, part in enumerate(parts))


def _own_title(page: Page) -> str:
    """Return the title of the document without the name of the site, as far as the page tells one from the other."""
    title, metas = _document_title(page), _metas(page)
    shared = next(
        (metas[name] for name in ("og:title", "twitter:title") if metas.get(name) and metas[name] in title), ""
    )
    site = metas.get("og:site_name", "")
    if shared and shared != site:
        return shared
    own, between, name = title.rpartition(site) if site else (title, "", "")
    found = _BETWEEN.search(own, max(len(own) - 3, 0)) if between and not name else None
    return own[: found.start()] if found and found.end() == len(own) else title


def _metas(page: Page) -> dict[str, str]:
    """Return what the page says of itself in its meta elements, by property, the first of each."""
    contents: dict[str, str] = {}
    for i in page.rows_of("meta").tolist():
        attrs = page.attrs[i]
        name = attrs.get("property") or attrs.get("name", "")
        contents.setdefault(name.lower(), " ".join(attrs.get("content", "").split()))
    return contents


def _document_title(page: Page) -> str:
    rows = page.rows_of("title")[:1].tolist()
    return " ".join(" ".join(page.text[child] for i in rows for child in page.children(i)).split())
