"""Parts of threads and cards that web authors call alike: signatures, quotes, who wrote a post and when, and texts that
only screen readers hear.

Too few pages teach the forests what these names say about threads and about cards, where they say something else than
on other pages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from peneira.arrays import running_sum
from peneira.late_patterns import late_pattern
from peneira.ml.forest import Numbers
from peneira.page import Flags
from peneira.texts.attribute_keywords import Bits, bits_around
from peneira.texts.block_selection import shifted
from peneira.texts.known_names import Names, ValuesOfNames
from peneira.texts.markup_words import attribute_words
from peneira.texts.text_blocks import TextBlocks

# Words of attributes, see `attribute_words`
PART_WORDS: Mapping[str, frozenset[str]] = {
    "signature": frozenset("signature signatures sig usersig".split()),
    "quote": frozenset("blockquote quote quoted".split()),
    "attribution": frozenset("author byline creator date datetime posted published time timestamp username".split()),
}
# Names that say what an element has or shows, not what it is: "has-signature", "show-signatures", "post--with-quote"
_STATE = late_pattern(r"(?<![A-Za-z])(?:has|show|with|no)(?=[-_A-Z])\S*")
# Names of what only screen readers hear; "sr" alone is a search result as often; fields with a hidden label are shown
_SPOKEN = late_pattern(
    r"(?<![a-z])(?<!not[-_])sr[-_]?only(?![a-z])|screen[-_]?reader|(?<!label[-_])visually[-_]?hidden", re.IGNORECASE
)
# Tags that say the same
PART_OF_TAG = {"aside": "aside", "blockquote": "quote", "time": "attribution"}
# A longer text is the post, not who wrote it and when
MAX_ATTRIBUTION_WORDS = 10
# What holds this share of the likely words of a page is the thread, whatever its name; but the signature of a short
# thread may be long
MAX_BESIDE_SHARES = {"signature": 0.8, "aside": 0.3}
# Added to the log-odds of the parts of a thread: posts are read with what they answer, who wrote them and when
POST_SHIFT = 1.0
_BITS = {name: np.uint64(1 << k) for k, name in enumerate((*PART_WORDS, "aside", "spoken"))}
_KNOWN = ValuesOfNames(np.uint64)


def of_thread_parts(probability: Numbers, words: Numbers, blocks: TextBlocks) -> Numbers:
    """Return the probabilities of the blocks of a thread: higher for quotes, authors and dates, 0 for signatures and
    for asides that quote nothing and name no author, such as a preview of a page that a post links to."""
    own, inherited = _part_bits(blocks)
    parent = blocks.page.parent
    nodes = parent[blocks.rows]
    near, around = own[nodes] | own[np.maximum(parent[nodes], 0)], inherited[nodes]
    of_element = own[blocks.blocks] | own[np.maximum(parent[blocks.blocks], 0)]
    is_short = words <= MAX_ATTRIBUTION_WORDS
    is_quote, is_attribution = _has(around, "quote"), _has(near, "attribution") & is_short
    is_spared = is_quote | (_has(near | of_element, "attribution") & is_short)
    likely = words * probability
    is_beside = np.zeros(len(words), dtype=np.bool_)
    for is_part, name in ((_in_signatures(blocks, own), "signature"), (_has(around, "aside") & ~is_spared, "aside")):
        if likely[is_part].sum() < MAX_BESIDE_SHARES[name] * likely.sum():
            is_beside |= is_part
    return np.where(is_beside, 0.0, shifted(probability, POST_SHIFT * (is_quote + 1.0 * is_attribution)))


def _in_signatures(blocks: TextBlocks, own: Bits) -> Flags:
    """Return which blocks are in a signature; what holds the author or the date of a post is the post or the thread."""
    page = blocks.page
    found = np.flatnonzero(_has(own, "signature"))
    attributions = running_sum(_has(own, "attribution"))
    is_post = attributions[page.end[found]] > attributions[found + 1]
    return page.flags_below(found[~is_post].tolist())[blocks.rows]


def are_quotes(blocks: TextBlocks) -> Flags:
    """Return which blocks are in a quote, by the names of the elements around them."""
    return _has(_part_bits(blocks)[1][blocks.page.parent[blocks.rows]], "quote")


def of_card_parts(probability: Numbers, blocks: TextBlocks) -> Numbers:
    """Return the probabilities of the blocks of a page of cards: 0 for what only screen readers hear.

    It says again what the card shows: "Regular price $36", "1332 reviews with an average rating of 4.6".
    """
    _, inherited = _part_bits(blocks)
    return np.where(_has(inherited[blocks.page.parent[blocks.rows]], "spoken"), 0.0, probability)


def _part_bits(blocks: TextBlocks) -> tuple[Bits, Bits]:
    """Return the parts that each element is by its tag and its names, as bits, and those of it and all around it."""
    page, names = blocks.page, blocks.names
    of_tags = [_BITS[PART_OF_TAG[name]] if name in PART_OF_TAG else 0 for name in page.tag_names]
    return bits_around(page, names, np.array(of_tags, dtype=np.uint64), _KNOWN.of(names.numbered, _bits_of))


def _bits_of(names: Names) -> int:
    """Return the parts of the names of an element as bits."""
    words = {word for value in names for word in attribute_words(_STATE.sub("", value))}
    parts = [name for name, own in PART_WORDS.items() if not own.isdisjoint(words)]
    if any(map(_SPOKEN.search, names)):
        parts.append("spoken")
    return sum(int(_BITS[name]) for name in parts)


def _has(bits: Bits, name: str) -> Flags:
    return np.asarray(bits & _BITS[name] != 0)
