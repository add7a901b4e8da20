"""Attributes that are data: addresses, the real images of lazy loaders, machine-readable values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from peneira.columns.urls import absolute_url
from peneira.page import Page

# Where lazy loaders keep the address of an image until it is shown
LAZY_SOURCES = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "data-image",
    "data-img",
    "data-original-src",
)
LAZY_SETS = ("data-srcset", "data-lazy-srcset")
_IMAGE_ATTRIBUTES = frozenset({"src", "srcset", *LAZY_SOURCES, *LAZY_SETS})
_PLACEHOLDER = re.compile(
    r"^(?:data:|about:|javascript:|#|$)|(?:blank|pixel|spacer|placeholder|loading|lazy|transparent|1x1)[\w-]*\.\w{3,4}$",
    re.IGNORECASE,
)
_NO_ADDRESS = ("javascript:", "data:", "about:", "#", "vbscript:")
VALUE_TAGS = frozenset({"data", "input", "meter", "progress", "option", "button", "param", "li"})
# Attributes that name what is in their element, where they are the same in all records
LABEL_ATTRIBUTES = ("data-label", "data-th", "data-title", "aria-label")
# Names that tell scripts what to do, not readers what is true
_SCRIPTED = re.compile(
    r"data-(?:v-|react|ng|bs-|toggle|target|track|ga|gtm|analytics|event|action|controller|aos|ved|hveid|testid|test|qa|"
    r"role|role-|module|component|hook|behavio|click|view|index|position|pos$|impression|style|css|dismiss|parent|ride|"
    r"srcset|src|lazy|width|height|ratio|sizes|placement|container|original|field|name|loaded)"
)
_FOR_READERS = frozenset({"title", "aria-label", "alt", "datetime", "content"})
# What scripts write into the other attributes: long tokens, JSON, flags
_LONGEST_VALUE = 200
_GENERATED = re.compile(r"(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Za-z])[\w+/=-]{20,}$|[{\[]|(?:true|false|null|undefined)$")


def attribute_values(page: Page, row: int, base: str) -> Iterator[tuple[str, str]]:
    """Yield the attributes of an element that say something: a name and the value; addresses are absolute."""
    tag, attrs = page.name(row), page.attrs[row]
    if tag in ("a", "area") and (address := _address(attrs.get("href", ""), base)):
        yield "href", address
    elif (tag == "img" and (address := image_address(page, row, base))) or (
        tag in ("video", "audio", "embed") and (address := _address(attrs.get("src", ""), base))
    ):
        yield "src", address
    for name, value in attrs.items():
        if is_data(name, tag):
            text = " ".join(value.split())
            if text and (name in _FOR_READERS or not _is_generated(text)):
                yield name, absolute_url(base, text) if name in ("data-href", "data-url", "data-link") else text


@lru_cache(maxsize=2048)
def is_data(name: str, tag: str) -> bool:
    """Tell whether an attribute of such an element tells readers something; addresses apart."""
    if name == "value":
        return tag in VALUE_TAGS
    if name in _FOR_READERS:
        return True
    return name.startswith("data-") and not _SCRIPTED.match(name) and not (tag == "img" and name in _IMAGE_ATTRIBUTES)


def _is_generated(value: str) -> bool:
    return len(value) > _LONGEST_VALUE or _GENERATED.match(value) is not None


def _address(target: str, base: str) -> str:
    target = target.strip()
    return "" if not target or target.lower().startswith(_NO_ADDRESS) else absolute_url(base, target)


def image_address(page: Page, row: int, base: str) -> str:
    """Return the address of the image that a reader gets to see, "" if the page does not hold it.

    A lazy loader's own attribute comes first, then ``src`` unless it is a placeholder, then the largest of ``srcset``,
    the sources of the picture around it, and the image for readers without scripts.
    """
    for found in _image_candidates(page, row):
        if not _PLACEHOLDER.search(found):
            return absolute_url(base, found)
    return ""


def _image_candidates(page: Page, row: int) -> Iterator[str]:
    attrs = page.attrs[row]
    yield from (attrs[name].strip() for name in LAZY_SOURCES if attrs.get(name, "").strip())
    yield from (_largest(attrs[name]) for name in LAZY_SETS if name in attrs)
    yield attrs.get("src", "").strip()
    yield _largest(attrs.get("srcset", ""))
    parent = int(page.parent[row])
    if page.name(parent) == "picture":
        sources = [page.attrs[i] for i in page.children(parent) if page.name(i) == "source"]
        yield from (_largest(source.get("srcset") or source.get("data-srcset") or "") for source in sources)
    for sibling in page.siblings(row):
        if page.name(sibling) == "noscript":
            yield from (_plain_source(page.attrs[i]) for i in range(sibling, int(page.end[sibling])))


def _plain_source(attrs: Mapping[str, str]) -> str:
    return attrs.get("src", "").strip()


def _largest(candidates: str) -> str:
    """Return the address of the largest image in a ``srcset``."""
    best, best_size = "", -1.0
    for candidate in re.split(r",\s+|,(?=https?:|/)", candidates.strip()):
        address, _, size = candidate.strip().rstrip(",").partition(" ")
        digits = size.strip().rstrip("wx")
        number = float(digits) if re.fullmatch(r"\d+(?:\.\d+)?", digits) else 1.0
        if address and number > best_size:
            best, best_size = address, number
    return best
