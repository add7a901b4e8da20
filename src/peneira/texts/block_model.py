"""The content decision: which blocks of text of a page are its content, and what type of page it is.

A forest looks at each block: its text, its markup, where it stands, and what kind of page it is on. A second one looks
at it again, knowing what the first said about the blocks around it, of the same form, and of the whole page.
``text``, ``clean``, ``content`` and ``segment`` all read this decision. ``peneira train text`` trains it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers as Rows
from peneira.budget import check_budget
from peneira.errors import LimitExceeded
from peneira.lists.page_type_features import declared_features
from peneira.ml.forest import Forest, Numbers, read_forest
from peneira.ml.running_sums import RunningSums
from peneira.page import Flags, Page
from peneira.texts.block_context import CONTEXT_NAMES, BlockGroups, context_features, write_context
from peneira.texts.block_features import block_features
from peneira.texts.block_selection import (
    best_selection,
    of_similar_texts,
    of_whole_lists,
    of_whole_slots,
    of_whole_tables,
    shifted,
)
from peneira.texts.content_model import sigmoid
from peneira.texts.feature_columns import FeatureColumns, Names, kept_by_identity, table_of_columns
from peneira.texts.markup_words import BlockWords, WordShares
from peneira.texts.named_parts import of_card_parts, of_thread_parts
from peneira.texts.region_candidates import RegionSums
from peneira.texts.region_filter import ScoredRegions, Scorer, learned_score, scored_regions
from peneira.texts.tag_kinds import block_tables, text_tables
from peneira.texts.text_blocks import TextBlocks
from peneira.texts.word_context import add_word_context, word_context
from peneira.texts.word_counts import word_counts

# The features of a block take 4 kB: those of more blocks would not fit into a gigabyte
MAX_BLOCKS = 100_000
# Of the features of a block, those that models give: `learned_features`, `word_context`, `context_features`
MAX_LEARNED = 90
# The types of pages of WCXB
TEXT_TYPES = ("article", "documentation", "service", "product", "forum", "collection", "listing")
# Those that show cards, whose parts are decided together. Word F1 on unseen pages: collections .694 to .698, listings
# .751 to .754; on the other types it would fall by .001 or stay
CARD_TYPES = ("collection", "listing")
BLOCK_MODEL = "text_blocks"
CONTEXT_MODEL = "text_context"
TYPE_MODEL = "text_type_{}"
WORDS = "text_words.bin"
# A thread may stand in a table, of whose posts the parts are judged one by one
THREAD_TYPE = "forum"
# Before the names of types in the names of features
TYPE_FEATURE = "type."
# Added to the score of a block: the word F1 on unseen pages is .8847 with it, .8837 with -.15, .8841 with -.45
LOG_ODDS_SHIFT = -0.3
# Added as well, times how probable it is that the page is an article: what is in doubt there is rarely part of it. Word
# F1 on unseen pages of two folds .8920 with it, .8909 without
ARTICLE_SHIFT = -0.3
ARTICLE_TYPE = "article"
# How far the probabilities of the blocks of a page are wrong together (`best_selection`), by its most probable type and
# its share. Word F1 on unseen pages .8851 to .8862, products .713 to .724, then collections .742 to .745; on pages of
# other types it would fall
SPREADS = {"product": 3.0, "collection": 2.0, "article": 1.0}
# Those whose longer texts of one form are alike, see `of_similar_texts`. Word F1 on unseen pages: products .715 to
# .720, threads .819 to .820
SIMILAR_TYPES = ("product", "forum", "collection", "listing")
# Added to the log-odds of what would be kept of a collection, of which most is in doubt. Word F1 on unseen pages .735
# to .745
COLLECTION_TYPE, COLLECTION_SHIFT = "collection", -0.3


@dataclass(frozen=True, slots=True)
class BlockModels:
    """The shares of words, a forest per type of page, and the forests of the first and the second look at blocks."""

    words: WordShares
    types: Mapping[str, Forest]
    blocks: Forest
    context: Forest


@cache
def shipped_block_models() -> BlockModels:
    """Return the models that ship with peneira."""
    return load_block_models(Path(__file__).with_name("models"))


def load_block_models(folder: Path) -> BlockModels:
    """Return the models that ``peneira train text`` wrote to a folder."""
    words = WordShares.from_bytes((folder / WORDS).read_bytes())
    types = MappingProxyType({name: read_forest(folder, TYPE_MODEL.format(name)) for name in TEXT_TYPES})
    return BlockModels(words, types, read_forest(folder, BLOCK_MODEL), read_forest(folder, CONTEXT_MODEL))


@dataclass(frozen=True, slots=True)
class BlockEvidence:
    """What is known of the blocks of a page before any model: features, words, headings.

    ``page``: features of the whole page; ``groups``: which blocks belong together; ``counts``: the words of each block.
    """

    columns: Mapping[str, NDArray[Any]]
    page: Mapping[str, float]
    words: BlockWords
    groups: BlockGroups
    counts: Numbers

    @classmethod
    def of(cls, blocks: TextBlocks, regions: ScoredRegions) -> BlockEvidence:
        """Return the evidence of a page with at least one block."""
        check_budget()
        columns = block_features(blocks, regions, MAX_LEARNED)
        return cls(
            columns,
            {f"page.{name}": value for name, value in declared_features(blocks.page).items()},
            BlockWords(blocks),
            BlockGroups(blocks, columns),
            word_counts(blocks.strings),
        )

    def type_features(self) -> dict[str, float]:
        """Return the features of the page's type: what the page declares, and the means over its blocks."""
        table = table_of_columns(self.columns)
        names = _type_names(tuple(self.page), table.groups)
        return dict(zip(names, self.type_values(table.rows).tolist(), strict=True))

    def type_values(self, table: Numbers, wanted: Flags | None = None) -> Numbers:
        """Return the values of the type features, given the features of the blocks as rows; of those ``wanted``."""
        if text_tables is None:
            means = table.mean(axis=1)
            apart = table - means[:, None]
            spreads = np.sqrt(np.add.reduce(apart * apart, axis=1) / table.shape[1])
            of_blocks: Numbers = np.concatenate((means, spreads))
        else:
            every = np.ones(len(table), dtype=np.bool_) if wanted is None else wanted
            of_blocks = text_tables.means_and_spreads(table, every.view(np.uint8))
        return np.concatenate((np.fromiter(self.page.values(), np.float64, len(self.page)), of_blocks))

    def features(self, shares: WordShares, types: Mapping[str, float]) -> FeatureColumns:
        """Return the features of the blocks."""
        known = {**self.columns, **self.learned_features(shares, types)}
        return {**known, **word_context(known, self.counts, self.groups)}

    def learned_features(self, shares: WordShares, types: Mapping[str, float]) -> FeatureColumns:
        """Return the features of the blocks that models give: of words, and of the type of the page."""
        size = len(self.counts)
        words = self.words.features(shares)
        for kind, heading in (("heading", self.groups.heading), ("section", self.groups.section)):
            for name in ("text_word_low", "text_word_mean"):
                words[f"{kind}_{name}"] = np.where(heading >= 0, words[name][heading], -1.0)
        constant = {
            **{TYPE_FEATURE + name: value for name, value in types.items()},
            "page_text_word_mean": float(words["text_word_mean"].mean()),
            "page_word_mean": float(words["word_mean"].mean()),
        }
        return {**words, **{name: np.full(size, value) for name, value in constant.items()}}


@lru_cache(maxsize=4)
def _learned_names(types: Names) -> Names:
    """Return the names of the learned features, in their order."""
    around = "word_near word_low word_high word_mean text_word_low text_word_high text_word_mean".split()
    near = [f"{kind}_{name}" for kind in ("heading", "section") for name in ("text_word_low", "text_word_mean")]
    return (*around, *near, *(TYPE_FEATURE + name for name in types), "page_text_word_mean", "page_word_mean")


def _write_learned(rows: Numbers, evidence: BlockEvidence, shares: WordShares, types: Mapping[str, float]) -> None:
    """Write the learned features, whose names are ``_learned_names``, by the kernel."""
    rows[:4] = evidence.words.around(shares)
    rows[4:7] = shares.of_texts(evidence.words.texts).T
    block_tables.of_headings(rows, evidence.groups.heading, evidence.groups.section)
    rows[11:-2] = np.fromiter(types.values(), np.float64, len(types))[:, None]
    rows[-2:] = [[rows[6].mean()], [rows[3].mean()]]


@lru_cache(maxsize=4)
def _type_names(page: Names, groups: tuple[Names, ...]) -> Names:
    columns = [name for group in groups for name in group]
    return (*page, *(f"mean.{name}" for name in columns), *(f"spread.{name}" for name in columns))


@lru_cache(maxsize=4)
def _same(names: Names) -> Names:
    """Return the same object for equal names."""
    return names


@kept_by_identity
def _type_places(page: Names, *groups_and_names: Names) -> tuple[Rows, Flags]:
    """Return where the named type features are among all of them, and which rows of the table have one."""
    *groups, names = groups_and_names
    place = {name: k for k, name in enumerate(_type_names(page, tuple(groups)))}
    places = np.array([place[name] for name in names], dtype=np.int64)
    wanted = np.zeros(sum(map(len, groups)), dtype=np.bool_)
    wanted[(places[places >= len(page)] - len(page)) % len(wanted)] = True
    return places, wanted


def type_probabilities(evidence: BlockEvidence, forests: Mapping[str, Forest]) -> dict[str, float]:
    """Return how probable each type of page is; they add up to 1."""
    every, *others = forests.values()
    table = table_of_columns(evidence.columns)
    places, wanted = _type_places(_same(tuple(evidence.page)), *table.groups, every.names)
    row = evidence.type_values(table.rows, wanted)[places]
    joined, ends = every.joined_with(others)
    scores = joined.predict_groups(row, ends)
    odds = np.exp(scores - scores.max())
    return dict(zip(forests, (odds / odds.sum()).tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class BlockDecision:
    """The blocks of a page, how probable each is content, which are kept, and how probable each type of page is.

    ``kept``: the blocks of its text; on threads and cards that depends on more than ``probability``, see `of_type`.
    ``expected_f1``: the word F1 that the kept blocks should have if the probabilities are right; 0 without blocks.
    ``regions`` and ``sums``: the candidates for the main list, and the running sums of the page.
    """

    blocks: TextBlocks
    probability: Numbers
    counts: Numbers
    kept: Flags
    types: Mapping[str, float]
    expected_f1: float
    regions: ScoredRegions
    sums: RunningSums

    @property
    def type(self) -> str:
        """The most probable type of page; "" for a page without text."""
        return _most_probable(self.types) if self.types else ""


def _most_probable(types: Mapping[str, float]) -> str:
    return max(types, key=lambda name: types[name])


def decide(page: Page, models: BlockModels | None = None, *, score: Scorer = learned_score) -> BlockDecision:
    """Return the content decision on a page; ``models``: None for those that ship. ``score``: that of regions."""
    blocks, sums = TextBlocks(page), RegionSums(page)
    if len(blocks) > MAX_BLOCKS:
        raise LimitExceeded("blocks", MAX_BLOCKS)
    regions = scored_regions(page, sums, score)
    if not len(blocks):
        return BlockDecision(blocks, np.zeros(0), np.zeros(0), np.zeros(0, dtype=np.bool_), {}, 0.0, regions, sums)
    models = models or shipped_block_models()
    evidence = BlockEvidence.of(blocks, regions)
    table = table_of_columns(evidence.columns)
    types = type_probabilities(evidence, models.types)
    if block_tables is None:
        table.add(evidence.learned_features(models.words, types))
    else:
        _write_learned(table.added(_learned_names(tuple(types))), evidence, models.words, types)
    add_word_context(table, evidence.counts, evidence.groups)
    first = sigmoid(models.blocks.predict_columns(table.rows, table.places(models.blocks.names)))
    if block_tables is None:
        table.add(context_features(first, evidence.counts, evidence.groups))
    else:
        write_context(table.added(CONTEXT_NAMES), first, evidence.counts, evidence.groups)
    scores = models.context.predict_columns(table.rows, table.places(models.context.names))
    probability = sigmoid(scores + LOG_ODDS_SHIFT + ARTICLE_SHIFT * types[ARTICLE_TYPE])
    probability = of_whole_lists(probability, evidence.counts, blocks)
    top_type = _most_probable(types)
    if top_type in CARD_TYPES:
        probability = of_whole_slots(probability, evidence.counts, blocks)
    if top_type != THREAD_TYPE:
        probability = of_whole_tables(probability, evidence.counts, blocks)
    spread = sum(size * types[name] for name, size in SPREADS.items()) if top_type in SPREADS else 0.0
    kept, expected = best_selection(of_type(top_type, probability, evidence.counts, blocks), evidence.counts, spread)
    return BlockDecision(blocks, probability, evidence.counts, kept, types, expected, regions, sums)


def of_type(top_type: str, probability: Numbers, words: Numbers, blocks: TextBlocks) -> Numbers:
    """Return how probable each block is as part of the text of a page of a type.

    Not for `clean`, which keeps records whole: a text for screen readers is no text to read, and part of its record.
    """
    if top_type in SIMILAR_TYPES:
        probability = of_similar_texts(probability, words, blocks)
    if top_type == THREAD_TYPE:
        return of_whole_slots(of_thread_parts(probability, words, blocks), words, blocks)
    if top_type in CARD_TYPES:
        probability = of_card_parts(probability, blocks)
    if top_type == COLLECTION_TYPE:
        probability = shifted(probability, COLLECTION_SHIFT)
    return probability
