"""Where a page comes from: its host, and the template that it was made of, to tell which pages are alike.

Two pages are of one template where they share enough of the vocabulary of their markup: class words and ids with their
tags, and the looks of elements that have neither. The share (Jaccard) is estimated by MinHash (Broder 1997): the
signatures of two sets agree in as many places as the sets have in common.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from peneira.page import Page

Signature = NDArray[np.uint32]

# Estimates deviate by .025 from a share of .2
SIGNATURE_SIZE = 256
# A page of fewer distinct words has too little markup to be told from others
MIN_WORDS = 20
# Attributes that pages without style sheets are made of
LOOK_ATTRIBUTES = ("width", "bgcolor", "align", "color", "face", "size", "height", "cellpadding")
# Labels of a host that say what is sold under a country, not who owns it: example.co.uk
CATEGORIES = frozenset("ac co com edu gob gouv gov gv lg mil ne net nhs or org".split())
# Labels below which each name has an owner of its own: courts.example.ca.gov, penrith.nsw.gov.au
STATES = frozenset("act nsw qld tas vic".split())
# The host that most links lead to is the page's own from these shares on: of the absolute links, of all links
MIN_SHARE_OF_ABSOLUTE = 0.5
MIN_SHARE_OF_LINKS = 0.2
MIN_LINKS = 3
# Browsers write where a page was saved from into its first lines
SAVED_FROM = re.compile(rb"saved from url=\(\d+\)\s*(https?://[^\s\"'<>]+)", re.IGNORECASE)
SAVED_FROM_BYTES = 4096

_DIGITS = re.compile(r"\d+")
_MIXERS = np.random.default_rng(1).integers(1, 2**61, (2, SIGNATURE_SIZE), dtype=np.uint64) | np.uint64(1)


@dataclass(frozen=True, slots=True)
class Origin:
    """The owner of a page's host, "" where it is not known; and the signature of its template, empty where it has none.

    ``corpus``: to deal the pages of each corpus evenly.
    """

    corpus: str = ""
    owner: str = ""
    template: bytes = b""


def page_origin(page: Page, body: bytes, *, corpus: str = "", url: str | None = None) -> Origin:
    """Return where a page comes from. O(nodes). ``body``: its bytes; ``url``: its address, where it is known."""
    found = (host_owner(address) for address in _addresses(page, body, url))
    return Origin(corpus, next(filter(None, found), "") or _linked_owner(page), template_signature(page))


def host_owner(url: str) -> str:
    """Return the name under which a host was registered, without what follows it: "amazon" for www.amazon.co.uk.

    An address of numbers is its own owner; "" for what has no host.
    """
    host = _host(url)
    if not host or _is_number(host):
        return host
    labels = host.split(".")
    if len(labels) < 2:
        return host
    del labels[-1]
    if len(labels) > 1 and labels[-1] in CATEGORIES:
        del labels[-1]
    is_state = len(labels) > 1 and (len(labels[-1]) <= 2 or labels[-1] in STATES)
    return ".".join(labels[-2:]) if is_state else labels[-1]


def template_signature(page: Page) -> bytes:
    """Return the MinHash signature of the words of a page's markup; b"" where there are too few."""
    words = {zlib.crc32(word.encode("utf-8", "surrogatepass")) for word in _markup_words(page)}
    if len(words) < MIN_WORDS:
        return b""
    numbers = np.array(sorted(words), dtype=np.uint64)
    smallest = np.full(SIGNATURE_SIZE, 2**32 - 1, dtype=np.uint64)
    for part in np.array_split(numbers, len(numbers) // 4096 + 1):  # a page of very many words needs no more memory
        np.minimum(smallest, ((part[:, None] * _MIXERS[0] + _MIXERS[1]) >> np.uint64(32)).min(axis=0), out=smallest)
    return smallest.astype(np.uint32).tobytes()


def signature(origin: Origin) -> Signature:
    """Return the signature of a page's template as numbers."""
    return np.frombuffer(origin.template, dtype=np.uint32)


def _markup_words(page: Page) -> Iterator[str]:
    tags, parents, names = page.lists.tag, page.lists.parent, page.tag_names
    for row, tag in enumerate(tags):
        if not tag:
            continue
        attributes = page.attrs[row]
        words = [*(f".{word}" for word in (attributes.get("class") or "").split())]
        if attributes.get("id"):
            words.append(f"#{attributes['id']}")
        yield from (names[tag] + _DIGITS.sub("0", word) for word in words)
        look = _look(attributes)
        if look:
            parent = parents[row]
            yield f"{names[tag]} {look} < {_look(page.attrs[parent]) if parent >= 0 else ''}"


def _look(attributes: Mapping[str, str]) -> str:
    return " ".join(f"{name}={attributes[name]}" for name in LOOK_ATTRIBUTES if attributes.get(name))


def _addresses(page: Page, body: bytes, url: str | None) -> Iterator[str]:
    """Yield what may be the address of the page, the surest first."""
    if url:
        yield url
    if saved := SAVED_FROM.search(body[:SAVED_FROM_BYTES]):
        yield saved[1].decode("latin-1")
    yield from (page.attrs[row].get("href") or "" for row in _rows(page, "base"))
    for row in _rows(page, "link"):
        if (page.attrs[row].get("rel") or "").lower() == "canonical":
            yield page.attrs[row].get("href") or ""
    for row in _rows(page, "meta"):
        if page.attrs[row].get("property") == "og:url":
            yield page.attrs[row].get("content") or ""


def _linked_owner(page: Page) -> str:
    """Return the owner that most links lead to, where they are enough to say that it is the page's own."""
    links = [href for row in _rows(page, "a") if (href := page.attrs[row].get("href"))]
    owners = Counter(owner for href in links if (owner := host_owner(href)))
    if not owners:
        return ""
    owner, count = owners.most_common(1)[0]
    is_own = count >= max(MIN_LINKS, MIN_SHARE_OF_ABSOLUTE * owners.total(), MIN_SHARE_OF_LINKS * len(links))
    return owner if is_own else ""


def _rows(page: Page, name: str) -> list[int]:
    if name not in page.tag_names:
        return []
    return np.flatnonzero(page.tag == page.tag_names.index(name)).tolist()


def _host(url: str) -> str:
    """Return the host of an absolute address in lower case, without www; "" where there is none."""
    if not url.lower().startswith(("http://", "https://")):
        return ""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return re.sub(r"^www?\d*\.(?=.*\.)", "", host.strip("."))


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
