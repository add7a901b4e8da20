"""What a selector can hold on to: ids, microdata and classes that pages share, and the words of their labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from peneira.page import Page
from peneira.xpath.class_words import MAX_CHARS as MAX_WORD_CHARS
from peneira.xpath.class_words import is_stable
from peneira.xpath.finder import Finder, normalize_space
from peneira.xpath.predicates import can_quote
from peneira.xpath.selectors import Step

# On so many of the learning pages a hook must be; two at least, where there are several
MIN_SHARE = 0.3
MAX_LABEL_CHARS = 60
# A class that a page has about once finds its element as an id does
MAX_UNIQUE = 1.1


class Anchors:
    """The anchors of pages of one template."""

    def __init__(self, finders: Sequence[Finder]) -> None:
        pages = [finder.page for finder in finders]
        self.least = max(min(2, len(pages)), MIN_SHARE * len(pages))
        self.ids = self._common([_unique_ids(page) for page in pages])
        self.classes = self._counted(pages)
        self.texts = Counter(text for finder in finders for text in _texts(finder))
        self.pages = len(pages)

    def _common(self, found: Sequence[set[str]]) -> frozenset[str]:
        counts = Counter(word for words in found for word in words)
        return frozenset(word for word, count in counts.items() if count >= self.least and is_stable(word))

    def _counted(self, pages: Sequence[Page]) -> dict[str, float]:
        """Return the stable classes that pages share, and how many elements of a page have each."""
        holders: Counter[str] = Counter()
        times: Counter[str] = Counter()
        for page in pages:
            own = Counter(word for attrs in page.attrs if attrs for word in set(attrs.get("class", "").split()))
            holders.update(own.keys())
            times.update(own)
        return {
            word: times[word] / count
            for word, count in sorted(holders.items())
            if count >= self.least and is_stable(word)
        }

    def step(self, page: Page, row: int) -> Step:
        """Return a step to a child that holds on to the best hook it has: its microdata or its rarest class."""
        attrs = page.attrs[row]
        name = page.name(row)
        prop = attrs.get("itemprop", "")
        if prop and can_quote(prop) and len(prop) <= MAX_WORD_CHARS:
            return Step("child", name, itemprop=prop)
        return Step("child", name, class_name=self.best_class(attrs))

    def best_class(self, attrs: Mapping[str, str]) -> str:
        """Return the rarest class of an element that pages share, "" if there is none."""
        words = [word for word in attrs.get("class", "").split() if word in self.classes] if attrs else []
        return min(words, key=lambda word: (self.classes[word], word), default="")

    def anchor(self, page: Page, row: int) -> Step | None:
        """Return a step that finds the element from anywhere on the page, if it has such a hook."""
        attrs = page.attrs[row]
        if not attrs:
            return None
        if attrs.get("id") in self.ids:
            return Step("descendant", page.name(row), id=attrs["id"])
        cls = self.best_class(attrs)
        if cls and self.classes[cls] <= MAX_UNIQUE:
            return Step("descendant", page.name(row), class_name=cls)
        return None

    def is_label(self, text: str) -> bool:
        """Tell whether a text can be a label: short words that pages share. Of one page all short words can."""
        if not text or len(text) > MAX_LABEL_CHARS or not can_quote(text) or not any(map(str.isalpha, text)):
            return False
        return self.texts[text] >= self.least

    def is_fixed(self, text: str) -> bool:
        """Tell whether a text is the template's: nearly all of several pages have it."""
        return self.pages > 1 and self.texts[text] > 0.8 * self.pages


def _unique_ids(page: Page) -> set[str]:
    counts = Counter(attrs["id"] for attrs in page.attrs if attrs and attrs.get("id"))
    return {word for word, count in counts.items() if count == 1}


def _texts(finder: Finder) -> set[str]:
    page = finder.page
    silent = page.silent
    return {normalize_space(page.text[row]) for row in (page.tag == 0).nonzero()[0].tolist() if not silent[row]}
