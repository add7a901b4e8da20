"""What other pages of the same site tell: what stands on all of them is template, what changes is content."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from peneira.arrays import running_sum
from peneira.page import Page
from peneira.texts.text_features import Numbers, PageTexts, TextFeatures

# Pages of a site that are looked at: more tell little more
MAX_PAGES = 8


class SitePages:
    """Other pages of a site, read once for all pages that are judged by them."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self.pages = [_Told(PageTexts(page)) for page in pages[:MAX_PAGES]]

    def can_tell(self, texts: PageTexts) -> bool:
        """Tell whether any of the pages can be compared with this one."""
        return bool(self._comparable(_Told(texts)))

    def _comparable(self, own: _Told) -> list[_Told]:
        """Return the pages that tell something: no copies of the page itself, and none without a place in common.

        A page without text, an error page or one of another site would make template look like content.
        """
        return [page for page in self.pages if page.words != own.words and page.spot_set & own.spot_set]

    def figures(self, texts: PageTexts) -> TextFeatures:
        """Return the figures of the texts of a page of this site; the page itself may be among the others."""
        own = _Told(texts)
        others = self._comparable(own)
        count = max(len(others), 1)
        lengths = np.log1p(texts.lengths)

        def share(told: Sequence[object], kind: str) -> Numbers:
            sets = [getattr(page, kind) for page in others]
            return np.array([sum(value in known for known in sets) for value in told], dtype=np.float64) / count

        same = share(own.words, "texts")
        spots = share(own.spots, "spot_set")
        return {
            "site_pages": np.full(len(texts), float(len(others))),
            "same_text": same,
            "same_text_there": share(own.said, "said_set"),
            "same_path": share(own.paths, "path_set"),
            "same_spot": spots,
            "changes_there": spots - share(own.said, "said_set"),
            "different_there": _variety(own, others),
            "near_same": _near(same, lengths),
        }


class _Told:
    """The texts of a page in words that can be compared between pages."""

    def __init__(self, texts: PageTexts) -> None:
        self.words = texts.words
        paths, spots = _addresses(texts.page)
        parents = texts.page.lists.parent
        holders = [parents[row] for row in texts.rows.tolist()]
        self.paths = [paths[node] for node in holders]
        self.spots = [spots[node] for node in holders]
        self.said = list(zip(self.spots, self.words, strict=True))

    @cached_property
    def texts(self) -> frozenset[str]:
        return frozenset(self.words)

    @cached_property
    def path_set(self) -> frozenset[int]:
        return frozenset(self.paths)

    @cached_property
    def spot_set(self) -> frozenset[int]:
        return frozenset(self.spots)

    @cached_property
    def said_set(self) -> frozenset[tuple[int, str]]:
        return frozenset(self.said)


def _addresses(page: Page) -> tuple[list[int], list[int]]:
    """Return for each row its tag path, and its tag path with classes and ids, comparable between pages."""
    tags = page.lists.tag
    parents = page.lists.parent
    names = page.tag_names
    paths, spots = [0] * len(tags), [0] * len(tags)
    for i, (tag, parent, attrs) in enumerate(zip(tags, parents, page.attrs, strict=True)):
        if tag:
            name = names[tag]
            paths[i] = hash((paths[parent] if parent >= 0 else 0, name))
            look = (attrs.get("class"), attrs.get("itemprop")) if attrs else None
            spots[i] = hash((spots[parent] if parent >= 0 else 0, name, look))
    return paths, spots


def _variety(own: _Told, others: Sequence[_Told]) -> Numbers:
    """Return how many different texts each text's spot has over all pages, as a share of all texts there."""
    different: dict[int, set[str]] = defaultdict(set)
    total: Counter[int] = Counter()
    for page in (own, *others):
        for spot, words in page.said:
            different[spot].add(words)
            total[spot] += 1
    return np.array([len(different[spot]) / total[spot] for spot in own.spots], dtype=np.float64)


def _near(same: Numbers, weight: Numbers) -> Numbers:
    """Return how much of the text around each text is on the other pages too."""
    width = 5
    sums, weights = running_sum(same * weight), running_sum(weight)
    place = np.arange(len(same))
    low, high = np.maximum(place - width, 0), np.minimum(place + width + 1, len(same))
    return np.asarray((sums[high] - sums[low]) / np.maximum(weights[high] - weights[low], 1e-9))
