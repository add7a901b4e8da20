"""How pages use the words of class names and ids: on what kind of element, in how many places, on how many hosts.

A word in front of another word is counted apart, with a dash: ``size`` at the end of ``shoe-size`` names a value,
``size-`` in ``size-base`` is style.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from peneira.columns.role_words import words_of
from peneira.columns.value_patterns import value_pattern
from peneira.columns.vocabulary import class_words
from peneira.page import TEXT, Page
from peneira.sources.html import read_page
from peneira_research.corpora.page_origin import page_origin
from peneira_research.corpora.pages_without_gold import BarePage
from peneira_research.workers import in_processes

# What an element with a word holds. One with more than a value is a container
KINDS = ("money", "date", "number", "heading", "link", "button", "image", "short", "long", "empty", "container")
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_BUTTONS = frozenset(("button", "input", "option", "label", "select", "svg", "i", "path"))
_IMAGES = frozenset(("img", "picture", "video"))
_LABEL_TAGS = frozenset(("th", "dt"))
_PATTERN_KINDS = {"money": "money", "date": "date", "number": "number"}
# Elements that hold no values of records
_OUTSIDE_TAGS = frozenset(("nav", "header", "footer", "form", "dialog"))
_NAMING = ("class", "id", "itemprop", "data-testid")
# Elements with more nodes or text are containers; prose starts at this length
MAX_VALUE_NODES = 12
LONG_CHARS = 120
MAX_LABEL_WORDS = 1
MAX_LABEL_CHARS = 40
# Elements around one that share its words, for words that are the name of a block
MAX_LEVELS = 5
# A page of more rows shows no more words
MAX_ROWS = 30_000
_PROPERTY = re.compile(r'"([a-zA-Z]{2,30})"\s*:')


@dataclass(slots=True)
class WordUse:
    """The uses of a word on one host, or the means over hosts: how many, and the share of each kind and habit."""

    kinds: Counter[str] = field(default_factory=Counter)
    uses: int = 0
    classes: int = 0
    in_block: int = 0
    beside: int = 0


@dataclass(slots=True)
class PageWords:
    """The words of a page: how each is used, the words of its labels, and those of schema.org properties."""

    owner: str
    uses: dict[str, WordUse]
    labels: frozenset[str]
    properties: frozenset[str]


def page_words(bare: BarePage) -> PageWords:
    """Return the words of a page, O(rows)."""
    page = read_page(bare.body)
    owner = page_origin(page, b"", url=bare.url).owner or f"{bare.corpus}:{bare.site}"
    uses: defaultdict[str, WordUse] = defaultdict(WordUse)
    terms = [_terms(page.attrs[row]) for row in range(min(len(page), MAX_ROWS))]
    outside = page.flags_below([row for row in range(len(terms)) if page.name(row) in _OUTSIDE_TAGS])
    for row, own in enumerate(terms):
        if own and not page.silent[row] and not outside[row]:
            _count(page, row, terms, uses)
    return PageWords(owner, dict(uses), frozenset(_label_words(page)), frozenset(_property_words(page)))


def _count(page: Page, row: int, terms: list[frozenset[str]], uses: dict[str, WordUse]) -> None:
    kind = _kind(page, row)
    classes = len((page.attrs[row].get("class") or "").split())
    around, beside = _words_around(page, row, terms)
    for term in terms[row]:
        word = term.rstrip("-")
        use = uses[term]
        use.kinds[kind] += 1
        use.uses += 1
        use.classes += classes
        use.in_block += word in around
        use.beside += word in beside


def _words_around(page: Page, row: int, terms: list[frozenset[str]]) -> tuple[set[str], set[str]]:
    """Return the words of the elements around a row, and of the element before it that has other words."""
    around: set[str] = set()
    parent = page.lists.parent[row]
    for _ in range(MAX_LEVELS):
        if parent < 0:
            break
        around.update(term.rstrip("-") for term in terms[parent])
        parent = page.lists.parent[parent]
    after = page.lists.end[row]
    other = terms[after] if after < len(terms) and page.lists.parent[after] == page.lists.parent[row] else frozenset()
    return around, {term.rstrip("-") for term in other} if other != terms[row] else set()


@lru_cache(maxsize=200_000)
def _terms_of(names: str) -> frozenset[str]:
    terms: set[str] = set()
    for name in names.split():
        *before, last = class_words(name) or ("",)
        terms.update(f"{word}-" for word in before)
        terms.add(last)
    return frozenset(terms - {""})


def _terms(attrs: Mapping[str, str]) -> frozenset[str]:
    names = " ".join(value for name in _NAMING if (value := attrs.get(name)))
    return _terms_of(names) if names else frozenset()


def _kind(page: Page, row: int) -> str:
    """Return the kind of an element."""
    end, tag = page.lists.end[row], page.name(row)
    names = {page.name(inner) for inner in range(row, min(end, row + MAX_VALUE_NODES))}
    has_text = TEXT in names
    if tag in _BUTTONS or (names & {"button", "input"} and end - row <= MAX_VALUE_NODES):
        return "button"
    if end - row > MAX_VALUE_NODES:
        return "long" if tag == "p" else "container"
    if not has_text:
        return "image" if names & _IMAGES else "empty"
    text = page.text_of(row)
    if names & _HEADINGS:
        return "heading"
    if text and (pattern := _PATTERN_KINDS.get(value_pattern(text))):
        return pattern
    if len(text) > LONG_CHARS:
        return "long"
    if names & _IMAGES:
        return "container"
    return "link" if "a" in names else "short"


def _label_words(page: Page) -> Iterator[str]:
    """Yield the words of headers, terms and texts with a colon at their end."""
    for row in range(min(len(page), MAX_ROWS)):
        is_label = page.name(row) in _LABEL_TAGS or (page.text[row].rstrip().endswith((":", "：")))
        if is_label and not page.silent[row]:
            text = page.text[row] or page.text_of(row)
            if len(text) <= MAX_LABEL_CHARS and len(text.split()) <= MAX_LABEL_WORDS:
                yield from words_of(text)


def _property_words(page: Page) -> Iterator[str]:
    """Yield the words of microdata properties, and of those in JSON-LD."""
    for row in range(min(len(page), MAX_ROWS)):
        attrs = page.attrs[row]
        if attrs.get("itemprop"):
            yield from words_of(attrs["itemprop"])
        if page.name(row) == "script" and attrs.get("type") == "application/ld+json":
            text = page.text[row + 1] if row + 1 < len(page) else ""
            for match in _PROPERTY.finditer(text):
                yield from words_of(match[1])


@dataclass(slots=True)
class HostUses:
    """The uses of words over all hosts."""

    hosts: int
    by_word: dict[str, list[WordUse]]
    label_hosts: Counter[str]
    property_hosts: Counter[str]


def corpora_uses(pages: Iterable[BarePage], *, jobs: int = 1) -> HostUses:
    """Return the uses of words over all hosts of the pages. With several jobs all pages are held in memory."""
    return host_uses(map(page_words, pages) if jobs == 1 else in_processes(page_words, list(pages), jobs=jobs))


def host_uses(pages: Iterable[PageWords]) -> HostUses:
    """Return the uses of words by host; pages of one owner are one host."""
    uses: dict[str, dict[str, WordUse]] = {}
    labels: dict[str, set[str]] = {}
    properties: dict[str, set[str]] = {}
    for page in pages:
        own = uses.setdefault(page.owner, {})
        labels.setdefault(page.owner, set()).update(page.labels)
        properties.setdefault(page.owner, set()).update(page.properties)
        for term, use in page.uses.items():
            _add(own.setdefault(term, WordUse()), use)
    by_word: defaultdict[str, list[WordUse]] = defaultdict(list)
    for owner in sorted(uses):
        for term, use in uses[owner].items():
            by_word[term].append(use)
    return HostUses(
        len(uses),
        dict(by_word),
        Counter(word for words in labels.values() for word in words),
        Counter(word for words in properties.values() for word in words),
    )


def _add(total: WordUse, use: WordUse) -> None:
    total.kinds.update(use.kinds)
    total.uses += use.uses
    total.classes += use.classes
    total.in_block += use.in_block
    total.beside += use.beside
