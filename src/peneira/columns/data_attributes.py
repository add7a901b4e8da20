"""Attributes that hold data: URLs, the real images behind lazy loaders, machine-readable values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from peneira.columns.absolute_urls import absolute_url
from peneira.late_patterns import late_pattern
from peneira.page import Page
from peneira.short_text_cache import cache_of_short_texts

# Where lazy loaders keep the URL of an image until it scrolls into view
LAZY_SOURCES = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "data-image",
    "data-img",
    "data-original-src",
)
LAZY_SOURCE_SETS = ("data-srcset", "data-lazy-srcset")
SOURCE_SETS = ("srcset", *LAZY_SOURCE_SETS)
ADDRESS_ATTRIBUTES = frozenset({"data-href", "data-url", "data-link"})
_LAZY_ATTRIBUTES = frozenset({*LAZY_SOURCES, *LAZY_SOURCE_SETS})
_IMAGE_ATTRIBUTES = frozenset({"src", "srcset", *_LAZY_ATTRIBUTES})
_PLAYED_TAGS = frozenset({"video", "audio", "embed"})
_PLACEHOLDER = late_pattern(
    r"^(?:data:|about:|javascript:|#|$)|(?:blank|pixel|spacer|placeholder|loading|lazy|transparent|1x1)[\w-]{0,200}\.\w{3,4}$",
    re.IGNORECASE,
)
_PLACEHOLDER_WORDS = ("blank", "pixel", "spacer", "placeholder", "loading", "lazy", "transparent", "1x1")
_PLACEHOLDER_PREFIXES = ("data:", "about:", "javascript:", "#")
_NO_URL_PREFIXES = ("javascript:", "data:", "about:", "#", "vbscript:")
VALUE_TAGS = frozenset({"data", "input", "meter", "progress", "option", "button", "param", "li"})
# Attributes that are the label of their element's text, where they are the same in all records
LABEL_ATTRIBUTES = ("data-label", "data-th", "data-title", "aria-label")
# Attributes for scripts, not for readers
_SCRIPT_ATTRIBUTE = late_pattern(
    r"data-(?:v-|react|ng|bs-|toggle|target|track|ga|gtm|analytics|event|action|controller|aos|ved|hveid|testid|test|qa|"
    r"role|role-|module|component|hook|behavio|click|view|index|position|pos$|impression|style|css|dismiss|parent|ride|"
    r"srcset|src|lazy|width|height|ratio|sizes|placement|container|original|field|name|loaded)"
)
_READER_ATTRIBUTES = frozenset({"title", "aria-label", "alt", "datetime", "content"})
# Scripts fill the other attributes with long tokens, JSON and flags; values for readers are shorter
_MAX_VALUE_CHARS = 200
_GENERATED = late_pattern(r"(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Za-z])[\w+/=-]{20,}$|[{\[]|(?:true|false|null|undefined)$")

# What is read of an attribute, and what an element shows or leads to, numbered as in ``kernels/record_values.pyx``
_NOTHING, _DATA, _READER, _ADDRESS, _LAZY = range(5)
_NO_TARGET, _LINK, _IMAGE, _PLAYED = range(4)
_TARGETS = {"a": _LINK, "area": _LINK, "img": _IMAGE, **dict.fromkeys(_PLAYED_TAGS, _PLAYED)}


def reader_text(value: str) -> str:
    """Return the text of an attribute for readers."""
    return " ".join(value.split())


class AttributeReader:
    """Reads the attributes of the elements of a page that hold data for readers; each address is resolved once."""

    def __init__(self, page: Page, base: str) -> None:
        """``base``: what relative URLs are resolved against"""
        self._page, self._base = page, base
        self._tags, self._attrs = page.lists.tag, page.attrs
        self._names: dict[tuple[int, tuple[str, ...]], tuple[str, ...]] = {}
        self._links: dict[str, str] = {}

    def values(self, row: int) -> list[tuple[str, str]]:
        """Return name and value of the attributes of an element that hold data for readers, URLs made absolute."""
        code, attrs = self._tags[row], self._attrs[row]
        tag = self._page.tag_names[code]
        values: list[tuple[str, str]] = []
        if tag == "a" or tag == "area":
            if url := self._link(attrs.get("href", "")):
                values.append(("href", url))
        elif (tag == "img" and (url := image_url(self._page, row, self._base))) or (
            tag in _PLAYED_TAGS and (url := self._link(attrs.get("src", "")))
        ):
            values.append(("src", url))
        for name in self._data_attributes(code, tuple(attrs)):
            text = " ".join(attrs[name].split())
            if text and (name in _READER_ATTRIBUTES or not _is_generated(text)):
                values.append((name, absolute_url(self._base, text) if name in ADDRESS_ATTRIBUTES else text))
        return values

    def targets(self) -> list[int]:
        """Return for each tag what its elements show or lead to, numbered as in ``kernels/record_values.pyx``."""
        return [_TARGETS.get(tag, _NO_TARGET) for tag in self._page.tag_names]

    def kind(self, code: int, name: str) -> int:
        """Return what is read of an attribute, numbered as there. ``code``: that of its element's tag."""
        tag = self._page.tag_names[code]
        if tag == "img" and name in _LAZY_ATTRIBUTES:
            return _LAZY
        if not is_data_attribute(name, tag):
            return _NOTHING
        if name in ADDRESS_ATTRIBUTES:
            return _ADDRESS
        return _READER if name in _READER_ATTRIBUTES else _DATA

    def data_text(self, value: str) -> str:
        """Return the text of an attribute, "" if it was made for scripts."""
        text = " ".join(value.split())
        return "" if _is_generated(text) else text

    def address(self, value: str) -> str:
        """Return the address in an attribute that is not a link of its element."""
        text = self.data_text(value)
        return absolute_url(self._base, text) if text else ""

    def link(self, target: str) -> str:
        """Return the address that a link leads to, "" if it leads nowhere."""
        return _link_url(target, self._base)

    def source(self, source: str) -> str | None:
        """Return the address of a picture without a lazy loader, None if it is shown until the real one is."""
        source = source.strip()
        return None if _is_placeholder(source) else absolute_url(self._base, source)

    def image(self, row: int) -> str:
        """Return the address of the picture of an element, "" if it is not in the page."""
        return image_url(self._page, row, self._base)

    def _link(self, target: str) -> str:
        url = self._links.get(target)
        if url is None:
            url = self._links[target] = _link_url(target, self._base)
        return url

    def _data_attributes(self, code: int, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return those of the attributes of an element that hold data for readers. ``code``: that of its tag."""
        known = self._names.get((code, names))
        if known is None:
            tag = self._page.tag_names[code]
            known = self._names[code, names] = tuple([name for name in names if is_data_attribute(name, tag)])
        return known


def attribute_value(attrs: Mapping[str, str], name: str, base: str) -> str:
    """Return the value of one attribute as it is written: an address made absolute, "" for one that leads nowhere."""
    text = " ".join(attrs.get(name, "").split())
    if name in SOURCE_SETS:
        text = _largest(text)
    if name in SOURCE_SETS or name == "src" or name in LAZY_SOURCES:
        return "" if _is_placeholder(text) else absolute_url(base, text)
    if name == "href":
        return _link_url(text, base)
    return absolute_url(base, text) if name in ADDRESS_ATTRIBUTES and text else text


@cache_of_short_texts(2048, lambda name, tag: len(name) + len(tag))
def is_data_attribute(name: str, tag: str) -> bool:
    """Return whether an attribute of an element with this tag holds data for readers; ``href`` and ``src`` aside."""
    if name == "value":
        return tag in VALUE_TAGS
    if name in _READER_ATTRIBUTES:
        return True
    is_image = tag == "img" and name in _IMAGE_ATTRIBUTES
    return name.startswith("data-") and not is_image and not _SCRIPT_ATTRIBUTE.match(name)


def _is_generated(value: str) -> bool:
    return len(value) > _MAX_VALUE_CHARS or _GENERATED.match(value) is not None


def _link_url(target: str, base: str) -> str:
    target = target.strip()
    return "" if not target or target.lower().startswith(_NO_URL_PREFIXES) else absolute_url(base, target)


def image_url(page: Page, row: int, base: str) -> str:
    """Return the URL of the image that a reader sees, "" if it is not in the page.

    A lazy loader's own attribute comes first, then ``src`` unless it is a placeholder, then the largest of ``srcset``,
    the sources of the picture around it, and the image for readers without scripts.
    """
    attrs = page.attrs[row]
    if _LAZY_ATTRIBUTES.isdisjoint(attrs):  # as most are: no need to look further
        source = attrs.get("src", "").strip()
        if not _is_placeholder(source):
            return absolute_url(base, source)
    for candidate in _image_candidates(page, row):
        if not _is_placeholder(candidate):
            return absolute_url(base, candidate)
    return ""


def _is_placeholder(url: str) -> bool:
    """Return whether an address is that of a picture that is shown until the real one is."""
    if url.isascii():
        lower = url.lower()
        for word in _PLACEHOLDER_WORDS:  # a tenth of the time of a pattern of the words
            if word in lower:
                break
        else:
            return not lower or lower.startswith(_PLACEHOLDER_PREFIXES)
    return _PLACEHOLDER.search(url) is not None


def _image_candidates(page: Page, row: int) -> Iterator[str]:
    attrs = page.attrs[row]
    if not _LAZY_ATTRIBUTES.isdisjoint(attrs):
        yield from (attrs[name].strip() for name in LAZY_SOURCES if attrs.get(name, "").strip())
        yield from (_largest(attrs[name]) for name in LAZY_SOURCE_SETS if name in attrs)
    yield attrs.get("src", "").strip()
    yield _largest(attrs.get("srcset", ""))
    parent = int(page.parent[row])
    if page.name(parent) == "picture":
        sources = [page.attrs[i] for i in page.children(parent) if page.name(i) == "source"]
        yield from (_largest(source.get("srcset") or source.get("data-srcset") or "") for source in sources)
    for sibling in page.siblings(row):
        if page.name(sibling) == "noscript":
            yield from (_source(page.attrs[i]) for i in range(sibling, int(page.end[sibling])))


def _source(attrs: Mapping[str, str]) -> str:
    return attrs.get("src", "").strip()


def _largest(candidates: str) -> str:
    """Return the URL of the largest image in a ``srcset``."""
    best, best_size = "", -1.0
    for candidate in re.split(r",\s+|,(?=https?:|/)", candidates.strip()):
        url, _, size = candidate.strip().rstrip(",").partition(" ")
        digits = size.strip().rstrip("wx")
        number = float(digits) if re.fullmatch(r"\d+(?:\.\d+)?", digits) else 1.0
        if url and number > best_size:
            best, best_size = url, number
    return best
