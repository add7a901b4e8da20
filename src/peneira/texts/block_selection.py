"""Which blocks to keep, given how probable each is content: those with the best word F1 to be expected."""

from __future__ import annotations

from itertools import pairwise
from statistics import NormalDist

import numpy as np

from peneira.arrays import Integers as Rows
from peneira.ml.forest import Numbers
from peneira.ml.running_sums import inside_tags
from peneira.page import INLINE_TAGS, Flags
from peneira.texts.tag_kinds import block_tables
from peneira.texts.text_blocks import TextBlocks
from peneira.texts.text_outline import outline

# The items of a list of texts no longer than this, in words, are kept together: tags, skills, ingredients
MAX_ITEM_WORDS = 8.0
# Blocks of one tag path and classes, at least this many, of texts no longer than this on average: the parts of cards
MIN_SLOT_BLOCKS, MAX_SLOT_WORDS = 3, 15.0
# How far the log-odds of longer texts of one path and classes are drawn to those of their mean
SIMILAR_WEIGHT = 0.4
# Of texts of at least this many words the page needs one: a quote of a post, a text that "more" unfolds. Word F1 on
# unseen pages .8814 with it, .8800 without
MIN_REPEATED_WORDS = 15
# Of equal texts of at least this many words, where none is code or a cell, the page needs one: what every card or post
# says again. Word F1 on unseen pages .8903 with it, .8893 without it; it would fall if articles were read so too
MIN_EQUAL_WORDS = 4
# The record of a block outside of all
NO_RECORD = -1
# A quote that begins like a part of a post, in this many words, says again what the post says
QUOTED_WORDS = 8
# What may be true of a page as a whole: how much more of it than its probabilities say is content, in units of `spread`
_CASES = np.array([NormalDist().inv_cdf((k + 0.5) / 8) for k in range(8)])[:, None]


def best_selection(probability: Numbers, words: Numbers, spread: float = 0.0) -> tuple[Flags, float]:
    """Return which blocks to keep for the best expected word F1, and that F1.

    With the blocks in order of their probabilities, the F1 of the first k is about twice their expected words of
    content over their words and all expected words of content. Where the page is unclear, the best F1 is low and more
    is kept: a block is worth keeping if its probability is above half of that F1.

    ``spread``: how far the log-odds of a page's blocks are wrong together. If reviews count as content, all of them do:
    of a page in doubt less is kept than if each block were in doubt for itself.
    """
    order = np.argsort(-probability, kind="stable")
    content = (probability * words)[order]
    expected = content.sum()
    if expected <= 0:
        return np.zeros(len(words), dtype=np.bool_), 0.0
    kept_words = np.cumsum(words[order])
    f1 = 2 * np.cumsum(content) / (kept_words + expected)
    best = int(f1.argmax())
    if spread:
        cases = _in_cases(probability[order], spread) * words[order]
        best = int((np.cumsum(cases, axis=1) / (kept_words + cases.sum(axis=1, keepdims=True))).sum(axis=0).argmax())
    return np.asarray(probability >= probability[order[best]]), float(f1[best])


def _in_cases(probability: Numbers, spread: float) -> Numbers:
    """Return the probabilities in each case, a row per case; their mean is about what they are."""
    odds = log_odds(probability) * np.sqrt(1 + np.pi / 8 * spread * spread)
    return np.asarray(1 / (1 + np.exp(-(odds + spread * _CASES))))


def of_whole_lists(probability: Numbers, words: Numbers, blocks: TextBlocks) -> Numbers:
    """Return the probabilities with those of the short items of a list replaced by their mean, weighted by words.

    Half of a list of tags is worse for a reader than all of it or nothing.
    """
    page = blocks.page
    if block_tables is not None:
        found: Numbers = block_tables.whole_lists(
            probability,
            words.astype(np.float64, copy=False),
            page.tag,
            page.parent,
            blocks.kinds,
            blocks.rows,
            MAX_ITEM_WORDS,
        )
        return found
    parents = page.parent[blocks.rows]
    is_item = np.array([name == "li" for name in page.tag_names], dtype=np.bool_)[page.tag]
    is_inline = np.array([name in INLINE_TAGS for name in page.tag_names], dtype=np.bool_)[page.tag]
    while bool((climbing := ~is_item[parents] & is_inline[parents] & (page.parent[parents] >= 0)).any()):
        parents = np.where(climbing, page.parent[parents], parents)
    lists = np.where(is_item[parents], page.parent[parents], -1)
    codes = np.unique(lists, return_inverse=True)[1]
    longest = np.zeros(int(codes.max()) + 1)
    np.maximum.at(longest, codes, words)
    weights = np.maximum(words, 1.0)
    means = np.bincount(codes, probability * weights) / np.bincount(codes, weights)
    is_short = (lists >= 0) & (longest[codes] <= MAX_ITEM_WORDS)
    return np.where(is_short, means[codes], probability)


def of_whole_slots(probability: Numbers, words: Numbers, blocks: TextBlocks) -> Numbers:
    """Return the probabilities with those of short blocks of one tag path and classes replaced by their mean.

    A reader expects the prices of all cards, or of none.
    """
    slots = blocks.styled_paths
    sizes = np.bincount(slots)
    weights = np.maximum(words, 1.0)
    means = np.bincount(slots, probability * weights) / np.bincount(slots, weights)
    is_slot = (sizes >= MIN_SLOT_BLOCKS) & (np.bincount(slots, words) <= MAX_SLOT_WORDS * sizes)
    return np.where(is_slot[slots], means[slots], probability)


def of_similar_texts(probability: Numbers, words: Numbers, blocks: TextBlocks) -> Numbers:
    """Return the probabilities with those of longer texts of one tag path and classes drawn to their mean.

    The posts of a thread, or the reviews of a product, are content or not for the same reasons.
    """
    slots = blocks.styled_paths
    sizes = np.bincount(slots)
    weights = np.sqrt(np.maximum(words, 1.0))
    means = np.bincount(slots, probability * weights) / np.bincount(slots, weights)
    is_slot = (sizes >= MIN_SLOT_BLOCKS) & (np.bincount(slots, words) > MAX_SLOT_WORDS * sizes)
    odds = (1.0 - SIMILAR_WEIGHT) * log_odds(probability) + SIMILAR_WEIGHT * log_odds(means)[slots]
    return np.where(is_slot[slots], 1.0 / (1.0 + np.exp(-odds)), probability)


def shifted(probability: Numbers, shift: Numbers | float) -> Numbers:
    """Return probabilities whose log-odds are higher by ``shift``."""
    factor = np.exp(shift)
    return np.asarray(probability * factor / (1.0 + probability * (factor - 1.0)))


def log_odds(probability: Numbers) -> Numbers:
    """Return the log-odds of probabilities, of which none is certain."""
    odds = np.clip(probability, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(odds / (1 - odds)))


def of_whole_tables(probability: Numbers, words: Numbers, blocks: TextBlocks) -> Numbers:
    """Return the probabilities with those of the cells of a table of data replaced by their mean, weighted by words.

    A table without some of its cells says something else.
    """
    if "td" not in blocks.page.tag_names:
        return probability
    tables = np.array(outline(blocks, range(len(blocks))).table)
    codes = np.unique(tables, return_inverse=True)[1]
    weights = np.maximum(words, 1.0)
    means = np.bincount(codes, probability * weights) / np.bincount(codes, weights)
    return np.where(tables >= 0, means[codes], probability)


def without_repeats(kept: Flags, words: Numbers, blocks: TextBlocks) -> Flags:
    """Return the kept blocks without those whose text another one has too, whole or as its beginning."""
    long = np.flatnonzero(kept & (words >= MIN_REPEATED_WORDS)).tolist()
    if len(long) < 2:
        return kept
    in_code = _stand_in_code(blocks)
    texts = sorted((blocks.strings[k].casefold(), -k) for k in long if not in_code[k])
    left = kept.copy()
    for one, other in pairwise(texts):
        (text, k), (longer, _) = sorted((one, other), key=lambda pair: (len(pair[0]), pair[1]))
        if longer.startswith(_beginning(text)):
            left[-k] = False
    return left


def without_equals(kept: Flags, words: Numbers, blocks: TextBlocks, records: Rows) -> Flags:
    """Return the kept blocks without those that say what an earlier block of the same record says, or, outside of
    records, an earlier one there of another tag path or classes: those of one may be the same field of eight plans.

    ``records``: that of each block, or `NO_RECORD`.
    """
    several = kept & (words >= MIN_EQUAL_WORDS) & ~_stand_in_code(blocks)
    left, paths = kept.copy(), blocks.styled_paths
    first: dict[tuple[str, int], int] = {}
    for k in np.flatnonzero(several).tolist():
        record = int(records[k])
        other = first.setdefault((blocks.strings[k].casefold(), record), k)
        left[k] = other == k or (record == NO_RECORD and paths[other] == paths[k])
    return left


def without_quoted(kept: Flags, are_quotes: Flags, words: Numbers, blocks: TextBlocks) -> Flags:
    """Return the kept blocks without quotes of a text of which another one has a part, be it from its middle on."""
    long = kept & (words >= MIN_REPEATED_WORDS)
    quotes: dict[tuple[str, ...], list[int]] = {}
    for k in np.flatnonzero(long & are_quotes).tolist():
        quotes.setdefault(tuple(_folded_words(blocks, k)[:QUOTED_WORDS]), []).append(k)
    left = kept.copy()
    for k in np.flatnonzero(long & ~are_quotes).tolist() if quotes else ():
        post = _folded_words(blocks, k)
        for key in quotes.keys() & zip(*(post[i:] for i in range(QUOTED_WORDS)), strict=False):
            left[quotes[key]] = False
    return left


def _folded_words(blocks: TextBlocks, k: int) -> list[str]:
    return blocks.strings[k].casefold().split()


def _stand_in_code(blocks: TextBlocks) -> Flags:
    return inside_tags(blocks.page, ("pre", "code", "table"))[blocks.rows]


def _beginning(text: str) -> str:
    """Return a text without the dots that say that it goes on, and without the word that they may have cut."""
    return text.rstrip(" .…").rpartition(" ")[0] if text.endswith(("…", "...")) else text
