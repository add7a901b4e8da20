"""Steps: what an element is to its parent, its tag and the words that its author gave it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from peneira.page import TEXT as TEXT_TAG
from peneira.page import Page

# Attributes whose words say what an element is, the most telling first
NAMING_ATTRIBUTES = ("itemprop", "property", "data-testid", "data-test", "data-qa", "data-field", "data-name", "class")
_WORD = re.compile(r"[^\W\d_]+(?:[-_]+[^\W\d_]+)*")
# Formatting says how a text looks, not what it is; with a class of its own it may be a field
FORMATTING_TAGS = frozenset(
    "abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark nobr q s samp small strike strong sub sup tt "
    "u var wbr".split()
)
MAX_WORDS = 12
_NAMING_ALONE = frozenset(NAMING_ATTRIBUTES) - {"class"}

Key = int | tuple[int | str | None, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """The tag and the words of an element. Words with digits are left out: they number or are generated.

    ``names``: the words in the order of ``NAMING_ATTRIBUTES``; ``prop``: what microdata or RDFa call the element.
    """

    tag: str
    words: frozenset[str]
    names: tuple[str, ...] = ()
    prop: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether the element only formats what it holds."""
        return self.tag == TEXT_TAG or (self.tag in FORMATTING_TAGS and not self.words)


class Steps:
    """The steps of a page by number; equal steps have equal numbers, 0 is that of a plain text."""

    def __init__(self, page: Page) -> None:
        self._tags, self._names, self._attrs = page.lists.tag, page.tag_names, page.attrs
        self._by_attributes: dict[Key, int] = {}
        self._numbers: dict[Step, int] = {}
        self.all: list[Step] = []
        self._plain: list[bool] = []
        self._number(Step(TEXT_TAG, frozenset()))

    def of(self, i: int) -> int:
        """Return the number of the step to row ``i``."""
        attrs, tag = self._attrs[i], self._tags[i]
        if not attrs:
            key: Key = tag
        elif _NAMING_ALONE.isdisjoint(attrs):
            key = (tag, attrs.get("class"))
        else:
            key = (tag, *map(attrs.get, NAMING_ATTRIBUTES))
        number = self._by_attributes.get(key)
        if number is None:
            number = self._by_attributes[key] = self._number(_step(self._names[tag], attrs))
        return number

    def is_plain(self, number: int) -> bool:
        """Tell whether the element only formats what it holds."""
        return self._plain[number]

    def _number(self, step: Step) -> int:
        if step not in self._numbers:
            self._numbers[step] = len(self.all)
            self.all.append(step)
            self._plain.append(step.is_plain)
        return self._numbers[step]


def _step(tag: str, attrs: Mapping[str, str]) -> Step:
    words: list[str] = []
    for name in NAMING_ATTRIBUTES:
        words += [word for word in attrs.get(name, "").split() if _WORD.fullmatch(word)]
    prop = attrs.get("itemprop") or attrs.get("property") or ""
    names = tuple(dict.fromkeys(words[:MAX_WORDS]))
    return Step(tag, frozenset(names), names, prop.split()[0] if prop.split() else "")
