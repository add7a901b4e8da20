"""Features of metadata: how many words of a text are also in the page's title, meta tags and JSON-LD."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from peneira.ml.forest import Numbers
from peneira.page import NO_ATTRS, Flags, Page
from peneira.texts.feature_columns import FeatureColumns
from peneira.texts.page_texts import PageTexts
from peneira.texts.text_words import TextWords, word_scan, words_in

META_NAMES = frozenset(
    "description keywords og:title og:description twitter:title twitter:description author article:author".split()
)
JSON_LD_TYPE = "application/ld+json"
# What holds the words of other people about the thing
_REVIEWS = frozenset({"review", "reviews", "reviewBody", "comment"})
# Longer documents are skipped to bound the time
MAX_JSON_LD_CHARS = 400_000
METADATA_FEATURES = tuple(
    "in_title whole_in_title in_meta in_structured in_reviews whole_in_structured page_structured".split()
)


def metadata_features(texts: PageTexts) -> FeatureColumns:
    """Return the share of each text's words that the title, the meta tags and the JSON-LD contain; -1 without them."""
    page = texts.page
    json_ld, reviews = (text.lower() for text in _json_ld_texts(page))
    title = _title(page).lower()
    sources = [title, _meta_texts(page).lower(), json_ld, reviews]
    found = texts.words
    in_title, in_meta, in_json_ld, in_reviews = _source_shares(found, sources)
    lowered = found.lowered
    whole_in_structured = np.zeros(len(texts), dtype=np.bool_)
    for k in np.flatnonzero(in_json_ld == 1).tolist():
        whole_in_structured[k] = lowered[k] in json_ld
    return {
        "in_title": in_title,
        "whole_in_title": _are_in(title, lowered),
        "in_meta": in_meta,
        "in_structured": in_json_ld,
        "in_reviews": in_reviews,
        "whole_in_structured": whole_in_structured,
        "page_structured": np.full(len(texts), np.log1p(len(json_ld))),
    }


def _are_in(title: str, lowered: list[str]) -> Flags:
    """Return which texts of three characters or more are part of the title."""
    if word_scan is not None:
        are_in: Flags = word_scan.parts_of(title, lowered)
        return are_in
    size = len(title)
    return np.fromiter([2 < len(text) <= size and text in title for text in lowered], np.bool_, len(lowered))


def _source_shares(found: TextWords, sources: Sequence[str]) -> Numbers:
    """Return, a row per source, in lower case, the share of each text's words that it has; -1 for an empty source."""
    if found.hashes is not None:
        shares: Numbers = word_scan.source_shares(found.hashes, found.counts, list(sources))
        return shares
    counts = np.maximum(found.counts, 1)
    rows = []
    for source in sources:
        if not source:
            rows.append(np.full(len(counts), -1.0))
            continue
        known = set(words_in(source))
        is_known = np.fromiter(map(known.__contains__, found.words), np.bool_, len(found.words))
        rows.append(np.bincount(found.owner[is_known], minlength=len(counts)) / counts)
    return np.stack(rows)


def _texts_of(page: Page, name: str) -> Iterator[tuple[Mapping[str, str], str]]:
    """Yield the attributes and the text of each element with this tag that is not empty."""
    for i in page.rows_of(name).tolist():
        if i + 1 < int(page.end[i]):
            yield page.attrs[i], page.text[i + 1]


def _title(page: Page) -> str:
    return next((text for _, text in _texts_of(page, "title")), "")


def _meta_texts(page: Page) -> str:
    contents = []
    for i in page.rows_of("meta").tolist():
        attrs = page.attrs[i] or NO_ATTRS
        if (attrs.get("name") or attrs.get("property", "")).lower() in META_NAMES:
            contents.append(attrs.get("content", ""))
    return " ".join(contents)


def _json_ld_texts(page: Page) -> tuple[str, str]:
    """Return the strings of the page's JSON-LD, one per line, and those that are reviews.

    A document that cannot be parsed is taken as text.
    """
    strings: list[tuple[str, bool]] = []
    for attrs, text in _texts_of(page, "script"):
        if attrs.get("type", "").lower().strip() == JSON_LD_TYPE and len(text) <= MAX_JSON_LD_CHARS:
            try:
                strings += _json_strings(json.loads(text, strict=False))
            except (ValueError, RecursionError):
                strings.append((text, False))
    return "\n".join(text for text, _ in strings), "\n".join(text for text, is_review in strings if is_review)


def _json_strings(data: object) -> Iterator[tuple[str, bool]]:
    """Yield all strings of a JSON document except URLs, and whether each is of a review.

    Without recursion, since documents may nest deeply.
    """
    stack = [(data, False)]
    while stack:
        value, in_review = stack.pop()
        if isinstance(value, str):
            if not value.startswith("http"):
                yield value, in_review
        elif isinstance(value, dict):
            parts = [(part, in_review or key in _REVIEWS) for key, part in value.items() if not key.startswith("@")]
            stack.extend(reversed(parts))
        elif isinstance(value, list):
            stack.extend((part, in_review) for part in reversed(value))
