"""Which blocks to keep, given how probable each is content: those with the best word F1 to be expected."""

from __future__ import annotations

import numpy as np

from peneira.ml.forest import Numbers
from peneira.page import INLINE_TAGS, Flags
from peneira.texts.text_blocks import TextBlocks

# The items of a list of texts no longer than this, in words, are kept together: tags, skills, ingredients
MAX_ITEM_WORDS = 8.0


def best_selection(probability: Numbers, words: Numbers) -> tuple[Flags, float]:
    """Return which blocks to keep for the best expected word F1, and that F1.

    With the blocks in order of their probabilities, the F1 of the first k is about twice their expected words of
    content over their words and all expected words of content. Where the page is unclear, the best F1 is low and more
    is kept: a block is worth keeping if its probability is above half of that F1.
    """
    order = np.argsort(-probability, kind="stable")
    content = (probability * words)[order]
    expected = content.sum()
    if expected <= 0:
        return np.zeros(len(words), dtype=np.bool_), 0.0
    f1 = 2 * np.cumsum(content) / (np.cumsum(words[order]) + expected)
    best = int(f1.argmax())
    return np.asarray(probability >= probability[order[best]]), float(f1[best])


def of_whole_lists(probability: Numbers, words: Numbers, blocks: TextBlocks) -> Numbers:
    """Return the probabilities with those of the short items of a list replaced by their mean, weighted by words.

    Half of a list of tags is worse for a reader than all of it or nothing.
    """
    page = blocks.page
    parents = page.parent[blocks.rows]
    is_item = np.array([name == "li" for name in page.tag_names], dtype=np.bool_)[page.tag]
    is_inline = np.array([name in INLINE_TAGS for name in page.tag_names], dtype=np.bool_)[page.tag]
    while bool((climbing := ~is_item[parents] & is_inline[parents]).any()):
        parents = np.where(climbing, page.parent[parents], parents)
    lists = np.where(is_item[parents], page.parent[parents], -1)
    codes = np.unique(lists, return_inverse=True)[1]
    longest = np.zeros(int(codes.max()) + 1)
    np.maximum.at(longest, codes, words)
    weights = np.maximum(words, 1.0)
    means = np.bincount(codes, probability * weights) / np.bincount(codes, weights)
    is_short = (lists >= 0) & (longest[codes] <= MAX_ITEM_WORDS)
    return np.where(is_short, means[codes], probability)
