"""Anchors: the ids, microdata and class names that pages of one template share, and the texts of their labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from peneira.page import Page
from peneira.xpath.class_words import MAX_NAME_CHARS, is_stable
from peneira.xpath.finder import Finder, normalize_space
from peneira.xpath.selectors import Step, can_quote

# An anchor or a label must be on this share of the learning pages, and on two pages at least where there are several
MIN_SHARE = 0.3
# Longer texts are prose, not labels
MAX_LABEL_CHARS = 60
# A class name that occurs about once per page identifies its element as an id does
MAX_UNIQUE = 1.1
# A text on more than this share of the pages belongs to the template
MIN_FIXED_SHARE = 0.8


class Anchors:
    """The anchors and the texts that pages of one template share.

    ``ids``: the ids that identify one element; ``classes``: how many elements per page have each class name;
    ``texts``: how many pages have each text.
    """

    def __init__(self, finders: Sequence[Finder]) -> None:
        pages = [finder.page for finder in finders]
        self.min_pages = max(min(2, len(pages)), MIN_SHARE * len(pages))
        self.ids = self._shared_ids(pages)
        self.classes = self._shared_classes(pages)
        self.texts = Counter(text for finder in finders for text in _texts(finder))
        self.pages = len(pages)

    def _shared_ids(self, pages: Sequence[Page]) -> frozenset[str]:
        counts = Counter(word for page in pages for word in _unique_ids(page))
        return frozenset(word for word, count in counts.items() if count >= self.min_pages and is_stable(word))

    def _shared_classes(self, pages: Sequence[Page]) -> dict[str, float]:
        pages_with: Counter[str] = Counter()
        elements_with: Counter[str] = Counter()
        for page in pages:
            counts = Counter(word for attrs in page.attrs if attrs for word in set(attrs.get("class", "").split()))
            pages_with.update(counts.keys())
            elements_with.update(counts)
        return {
            word: elements_with[word] / count
            for word, count in sorted(pages_with.items())
            if count >= self.min_pages and is_stable(word)
        }

    def step(self, page: Page, row: int) -> Step:
        """Return a step to a child by its ``itemprop``, else by its rarest class, else by its tag alone."""
        attrs = page.attrs[row]
        name = page.name(row)
        itemprop = attrs.get("itemprop", "")
        if itemprop and can_quote(itemprop) and len(itemprop) <= MAX_NAME_CHARS:
            return Step("child", name, itemprop=itemprop)
        return Step("child", name, class_name=self.best_class(attrs))

    def best_class(self, attrs: Mapping[str, str]) -> str:
        """Return the rarest class name of an element that pages share, "" if there is none."""
        words = [word for word in attrs.get("class", "").split() if word in self.classes] if attrs else []
        return min(words, key=lambda word: (self.classes[word], word), default="")

    def anchor(self, page: Page, row: int) -> Step | None:
        """Return a step that finds the element from anywhere on the page, None if it has no unique id or class."""
        attrs = page.attrs[row]
        if not attrs:
            return None
        if attrs.get("id") in self.ids:
            return Step("descendant", page.name(row), id=attrs["id"])
        class_name = self.best_class(attrs)
        if class_name and self.classes[class_name] <= MAX_UNIQUE:
            return Step("descendant", page.name(row), class_name=class_name)
        return None

    def is_label(self, text: str) -> bool:
        """Return whether a text can be a label: short, with letters, and shared by pages. On a single page any is."""
        if not text or len(text) > MAX_LABEL_CHARS or not can_quote(text) or not any(map(str.isalpha, text)):
            return False
        return self.texts[text] >= self.min_pages

    def is_fixed(self, text: str) -> bool:
        """Return whether a text belongs to the template: nearly all of several pages have it."""
        return self.pages > 1 and self.texts[text] > MIN_FIXED_SHARE * self.pages


def _unique_ids(page: Page) -> set[str]:
    counts = Counter(attrs["id"] for attrs in page.attrs if attrs and attrs.get("id"))
    return {word for word, count in counts.items() if count == 1}


def _texts(finder: Finder) -> set[str]:
    page = finder.page
    silent = page.silent
    texts = {normalize_space(page.text[row]) for row in (page.tag == 0).nonzero()[0].tolist() if not silent[row]}
    return texts.union(finder.elements_in_parts.values())
