"""A page without anything that runs, loads a document or sends something: for a reader who opens it, it is inert.

Elements and attributes are kept by name, not left out by name, so that what HTML gets next year is left out too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from peneira.namespaces import foreign_rows
from peneira.page import NO_ATTRS, TEXT, Page, Rows

# Elements of text, lists, tables, pictures and structure; others give way to what is in them
_KEPT_TAGS = frozenset(
    "a abbr acronym address article aside b bdi bdo big blockquote body br caption center cite code col colgroup data "
    "dd del details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 head header hgroup hr html i "
    "img ins kbd li main mark menu nav nobr ol p picture pre q rb rp rt rtc ruby s samp search section small source "
    "span strike strong sub summary sup table tbody td tfoot th thead time title tr tt u ul var wbr".split()
) | {TEXT}
# Elements that go with all that is in them: nobody reads it, or it is no text of the page
_DROPPED_TAGS = frozenset(
    "applet audio base canvas embed frame frameset iframe link math meta noembed noframes noscript object param "
    "plaintext portal script style svg template textarea title track video xmp".split()
) - {"title"}
_KEPT_ATTRIBUTES = frozenset(
    "abbr align alt bgcolor border cellpadding cellspacing char charoff cite class color colspan compact datetime dir "
    "face headers height hidden href id itemid itemprop itemref itemscope itemtype lang name nowrap rel reversed "
    "rowspan rules scope size sizes span src srcset start summary title type valign value width".split()
)
_ADDRESSES = frozenset({"href", "src", "cite", "itemid"})
# Addresses that only lead somewhere; browsers drop white space and control characters before they read the scheme
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_KEPT_SCHEMES = frozenset({"http", "https", "mailto", "tel", "ftp"})
_CHARSET = {"charset": "utf-8"}
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+")
_IGNORED_IN_ADDRESSES = re.compile(r"[\x00-\x20\x7f-\xa0\u200b-\u200f\u2028-\u202e\u2060\ufeff]+")
_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp|avif)[;,]", re.IGNORECASE)


def inert_page(page: Page, keep: NDArray[np.bool_] | None = None) -> Page:
    """Return the page with only text, structure, pictures and plain links; of its rows only those of ``keep``.

    Scripts, handlers, styles, frames, embedded documents, SVG, MathML, forms and their controls, ``meta refresh`` and
    addresses of other schemes than http, https, mailto, tel and ftp are gone; texts of unknown elements stay. The page
    says that it is UTF-8, so that no browser has to guess.
    """
    # as it was parsed, or as it would be read again
    foreign = {*np.flatnonzero(page.namespace).tolist(), *foreign_rows(page.lists, page.tag_names, page.attrs)}
    rows = Rows(tag_names=list(page.tag_names))
    new_row = [-1] * len(page)
    dropped_until = 0
    head = -1
    for i, code in enumerate(page.lists.tag):
        above = page.lists.parent[i]
        new_row[i] = new_row[above] if above >= 0 else -1
        if i < dropped_until or (keep is not None and not keep[i]):
            continue
        name = page.tag_names[code]
        if name in _DROPPED_TAGS or i in foreign:
            dropped_until = page.lists.end[i]
            continue
        if name == "head" and head >= 0:
            new_row[i] = head  # what is in it goes into ours
            continue
        if name not in _KEPT_TAGS:
            continue
        parent, new_row[i] = new_row[i], len(rows.tag)
        rows.tag.append(code)
        rows.parent.append(parent)
        rows.text.append(_without_controls(page.text[i]))
        rows.attrs.append(_inert_attributes(page.attrs[i]) if page.attrs[i] else NO_ATTRS)
        rows.spaced.append(page.spaced[i])
        if name == "html" and i == 0:
            head = _add_head(rows)
    return Page(
        rows, url=page.url, encoding=page.encoding, encoding_reason=page.encoding_reason,
        doctype="<!DOCTYPE html>", cuts=page.cuts,
    )  # fmt: skip


def _add_head(rows: Rows) -> int:
    """Add a head that names the charset below the first row, and return its row."""
    for name, parent, attrs in (("head", 0, NO_ATTRS), ("meta", 1, _CHARSET)):
        rows.tag_names += [name] if name not in rows.tag_names else []
        rows.tag.append(rows.tag_names.index(name))
        rows.parent.append(parent)
        rows.text.append("")
        rows.attrs.append(attrs)
        rows.spaced.append(False)
    return 1


def _inert_attributes(attrs: Mapping[str, str]) -> Mapping[str, str]:
    return {
        name: _without_controls(value)
        for name, value in attrs.items()
        if name in _KEPT_ATTRIBUTES and (name not in _ADDRESSES or is_inert_address(value, is_picture=name == "src"))
        and (name != "srcset" or _is_inert_srcset(value))
    }  # fmt: skip


def _without_controls(text: str) -> str:
    """Return a text without control characters, which could switch the encoding that a browser guesses."""
    return _CONTROLS.sub("", text)


def is_inert_address(address: str, *, is_picture: bool = False) -> bool:
    """Return whether an address only leads somewhere: no script and no document of its own; a picture may be data."""
    read = _IGNORED_IN_ADDRESSES.sub("", address)
    if is_picture and _PICTURE.match(read):
        return True
    scheme = _SCHEME.match(read)
    return scheme is None or scheme[1].lower() in _KEPT_SCHEMES


def _is_inert_srcset(value: str) -> bool:
    addresses: Sequence[str] = [part.split()[0] for part in value.split(",") if part.split()]
    return all(is_inert_address(address) for address in addresses)
