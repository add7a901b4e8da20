"""Comparison with other pages of the same site: texts on all pages are template, texts that change are content."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from peneira.arrays import running_sum
from peneira.kept_property import kept_property
from peneira.ml.forest import Numbers
from peneira.page import Page
from peneira.texts.feature_columns import FeatureColumns
from peneira.texts.page_texts import PageTexts

# Pages of a site that are compared: more pages add little
MAX_PAGES = 8
# Texts before and after whose recurrence is averaged
WINDOW_WIDTH = 5


class SitePages:
    """Other pages of a site, prepared once for all pages that are compared with them."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self.pages = [_ComparableTexts(PageTexts(page)) for page in pages[:MAX_PAGES]]

    def can_compare(self, texts: PageTexts) -> bool:
        """Return whether any of the pages can be compared with this page."""
        return bool(self._comparable(_ComparableTexts(texts)))

    def _comparable(self, own: _ComparableTexts) -> list[_ComparableTexts]:
        """Return the pages with at least one styled path in common, without copies of the page itself.

        A page without text, an error page or a page of another site would make template look like content.
        """
        return [
            page for page in self.pages if page.strings != own.strings and page.styled_path_set & own.styled_path_set
        ]

    def features(self, texts: PageTexts) -> FeatureColumns:
        """Return the features of the texts of a page of this site; the page itself may be among the others."""
        own = _ComparableTexts(texts)
        others = self._comparable(own)
        count = max(len(others), 1)
        lengths = np.log1p(texts.lengths)

        def share(values: Sequence[object], kind: str) -> Numbers:
            sets = [getattr(page, kind) for page in others]
            return np.array([sum(value in known for known in sets) for value in values], dtype=np.float64) / count

        same_text = share(own.strings, "string_set")
        same_styled_path = share(own.styled_paths, "styled_path_set")
        return {
            "site_pages": np.full(len(texts), float(len(others))),
            "same_text": same_text,
            "same_text_there": share(own.located_strings, "located_string_set"),
            "same_path": share(own.paths, "path_set"),
            "same_spot": same_styled_path,
            "changes_there": same_styled_path - share(own.located_strings, "located_string_set"),
            "different_there": _distinct_shares(own, others),
            "near_same": _window_mean(same_text, lengths),
        }


class _ComparableTexts:
    """The texts of a page with paths that can be compared between pages.

    ``located_strings`` are pairs of styled path and string.
    """

    def __init__(self, texts: PageTexts) -> None:
        self.strings = texts.strings
        paths, styled_paths = _path_hashes(texts.page)
        self.paths = [paths[node] for node in texts.parents]
        self.styled_paths = [styled_paths[node] for node in texts.parents]
        self.located_strings = list(zip(self.styled_paths, self.strings, strict=True))

    @kept_property
    def string_set(self) -> frozenset[str]:
        return frozenset(self.strings)

    @kept_property
    def path_set(self) -> frozenset[int]:
        return frozenset(self.paths)

    @kept_property
    def styled_path_set(self) -> frozenset[int]:
        return frozenset(self.styled_paths)

    @kept_property
    def located_string_set(self) -> frozenset[tuple[int, str]]:
        return frozenset(self.located_strings)


def _path_hashes(page: Page) -> tuple[list[int], list[int]]:
    """Return hashes of each row's tag path, and of its tag path with classes and itemprops."""
    tags = page.lists.tag
    parents = page.lists.parent
    names = page.tag_names
    paths, styled_paths = [0] * len(tags), [0] * len(tags)
    for i, (tag, parent, attrs) in enumerate(zip(tags, parents, page.attrs, strict=True)):
        if tag:
            name = names[tag]
            paths[i] = hash((paths[parent] if parent >= 0 else 0, name))
            style = (attrs.get("class"), attrs.get("itemprop")) if attrs else None
            styled_paths[i] = hash((styled_paths[parent] if parent >= 0 else 0, name, style))
    return paths, styled_paths


def _distinct_shares(own: _ComparableTexts, others: Sequence[_ComparableTexts]) -> Numbers:
    """Return the number of distinct strings at each text's styled path, as a share of all texts there on all pages."""
    distinct: dict[int, set[str]] = defaultdict(set)
    total: Counter[int] = Counter()
    for page in (own, *others):
        for styled_path, string in page.located_strings:
            distinct[styled_path].add(string)
            total[styled_path] += 1
    return np.array([len(distinct[path]) / total[path] for path in own.styled_paths], dtype=np.float64)


def _window_mean(values: Numbers, weights: Numbers) -> Numbers:
    """Return the weighted mean of the values around each text."""
    weighted_sums, weight_sums = (running_sum(column) for column in (values * weights, weights))
    position = np.arange(len(values))
    low, high = np.maximum(position - WINDOW_WIDTH, 0), np.minimum(position + WINDOW_WIDTH + 1, len(values))
    return np.asarray(
        (weighted_sums[high] - weighted_sums[low]) / np.maximum(weight_sums[high] - weight_sums[low], 1e-9)
    )
