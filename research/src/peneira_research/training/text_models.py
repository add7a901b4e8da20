"""Trains the content decision: shares of words, types of pages, blocks.

What one model learns from a page must not reach the next model through that page: the shares of words and the types of
a page in training come from the other folds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from peneira.ml.forest import Forest, Numbers
from peneira.texts.block_context import context_features
from peneira.texts.block_model import TEXT_TYPES, TYPE_FEATURE, BlockEvidence, BlockModels, type_probabilities
from peneira.texts.content_model import sigmoid
from peneira.texts.feature_columns import FeatureColumns
from peneira.texts.markup_words import BlockWords, WordShares, text_words, words_above
from peneira.texts.text_vocabulary import TextVocabulary
from peneira_research.training.lightgbm_forest import Params, fit_classes, fit_forest, with_used_features
from peneira_research.training.text_examples import TextExample

Small = NDArray[np.float32]

# A word counts if this many sites have it; that many sites without an opinion are added to each
MIN_SITES = 5
PRIOR_SITES, PRIOR_SHARE = 3.0, 0.5
# Of a block in its page: between one vote per block and one per word
WEIGHT_POWER = 0.6
# Of a page with more blocks a sample is learned from: with 220 of them word F1 on unseen pages is .001 lower, and
# training takes three times as long
MAX_BLOCKS = 100
# Half of the pages are articles; the others count more, or their forms are not learned
COMMON_TYPE, RARE_TYPE_WEIGHT = "article", 2.5
TYPE_PARAMS: Params = {"learning_rate": 0.07, "num_leaves": 12}
TYPE_TREES = 60
# Many small steps: with 120 trees of twice the step, word F1 on unseen pages is .001 lower (products .015)
BLOCK_PARAMS: Params = {
    "objective": "cross_entropy", "learning_rate": 0.05, "num_leaves": 31, "min_data_in_leaf": 100,
    "feature_fraction": 0.2, "lambda_l2": 10.0,
}  # fmt: skip
BLOCK_TREES = 240
# The second look has most of what it needs from the first, and few pages to learn from how pages are made up: with all
# features of the first look and its larger trees, word F1 on unseen pages is no better than without it
CONTEXT_FEATURES = frozenset(
    "chars own_links of_text text_turn record_share record_turn record_slot in_best_list heading_gap order has_price "
    "page_links best_list best_list_share best_list_prices records record_chars text_word_low text_word_mean word_low "
    "word_mean word_near punctuation ends_sentence title_depth".split()
)
CONTEXT_PARAMS: Params = {
    **BLOCK_PARAMS, "num_leaves": 12, "min_data_in_leaf": 300, "feature_fraction": 0.4, "lambda_l2": 30.0,
}  # fmt: skip
CONTEXT_TREES = 100

Folds = Mapping[str, int]
OnStep = Callable[[str], None]


def unseen_models(
    examples: Sequence[TextExample], folds: Folds, on_step: OnStep = lambda step: None
) -> Iterator[tuple[int, BlockModels]]:
    """Yield each fold with models trained on the others."""
    trainer = _Trainer(examples, folds)
    for fold in sorted(set(folds.values())):
        on_step(f"training without fold {fold}")
        yield fold, trainer.trained(sorted(set(folds.values()) - {fold}))


def train_text_models(examples: Sequence[TextExample], folds: Folds) -> BlockModels:
    """Return models trained on all examples."""
    return _Trainer(examples, folds).trained(sorted(set(folds.values())))


class _Trainer:
    def __init__(self, examples: Sequence[TextExample], folds: Folds) -> None:
        self.by_fold: dict[int, list[TextExample]] = defaultdict(list)
        for example in examples:
            self.by_fold[folds[example.site]].append(example)
        self.uses = {fold: _WordUses(of_fold) for fold, of_fold in self.by_fold.items()}
        self._known_types: dict[tuple[int, ...], dict[str, Forest]] = {}

    def trained(self, folds: Sequence[int]) -> BlockModels:
        """Return models trained on these folds."""
        shares = self._shares(folds)
        types = self._types(folds)
        tables = {fold: self._tables(self.by_fold[fold], [other for other in folds if other != fold]) for fold in folds}
        first = _fit_blocks([pair for fold in folds for pair in tables[fold]], BLOCK_PARAMS, BLOCK_TREES)
        # a page is looked at again with what models said that have not seen it, as it will be with new pages
        again = [pair for fold in folds for pair in _looked_at_again(tables, fold)]
        return BlockModels(shares, types, first, _fit_blocks(again, CONTEXT_PARAMS, CONTEXT_TREES))

    def _tables(self, examples: Sequence[TextExample], folds: Sequence[int]) -> list[tuple[TextExample, _Table]]:
        """Return the features of the blocks, with words and types learned from ``folds``."""
        shares, types = self._shares(folds), self._types(folds)
        return [(example, _table(example.evidence, shares, types)) for example in examples]

    def _shares(self, folds: Collection[int]) -> WordShares:
        markup, texts = (_mean_shares([self.uses[fold].tables[kind] for fold in folds]) for kind in (0, 1))
        return WordShares(markup, TextVocabulary.of(texts))

    def _types(self, folds: Sequence[int]) -> dict[str, Forest]:
        """Return the forests of types trained on these folds; each set of folds is asked for several times."""
        key = tuple(sorted(folds))
        if key not in self._known_types:
            self._known_types[key] = self._trained_types(key)
        return self._known_types[key]

    def _trained_types(self, folds: Sequence[int]) -> dict[str, Forest]:
        examples = [example for fold in folds for example in self.by_fold[fold] if example.type in TEXT_TYPES]
        rows = [example.evidence.type_features() for example in examples]
        names = list(rows[0])
        table = np.array([list(row.values()) for row in rows], dtype=np.float32)
        target = np.array([TEXT_TYPES.index(example.type) for example in examples], dtype=np.float64)
        forests = fit_classes(names, table, target, TYPE_PARAMS, classes=len(TEXT_TYPES), trees=TYPE_TREES)
        return dict(zip(TEXT_TYPES, forests, strict=True))


class _Table:
    """Features of the blocks of a page with their names."""

    def __init__(self, columns: FeatureColumns) -> None:
        self.names = list(columns)
        self.values: Small = np.stack([np.asarray(column, dtype=np.float32) for column in columns.values()], axis=1)

    def of(self, is_wanted: Callable[[str], bool]) -> _Table:
        """Return the features with these names."""
        kept = [k for k, name in enumerate(self.names) if is_wanted(name)]
        part = _Table.__new__(_Table)
        part.names, part.values = [self.names[k] for k in kept], self.values[:, kept]
        return part

    def beside(self, other: _Table) -> _Table:
        """Return the features of both."""
        joined = _Table.__new__(_Table)
        joined.names, joined.values = self.names + other.names, np.hstack((self.values, other.values))
        return joined


def _table(evidence: BlockEvidence, shares: WordShares, types: Mapping[str, Forest]) -> _Table:
    return _Table(evidence.features(shares, type_probabilities(evidence, types)))


def _looked_at_again(
    tables: Mapping[int, Sequence[tuple[TextExample, _Table]]], fold: int
) -> list[tuple[TextExample, _Table]]:
    """Return the examples of a fold with their features, and those of a first look trained on the other folds."""
    others = [pair for other, pairs in tables.items() if other != fold for pair in pairs]
    forest = _fit_blocks(others, BLOCK_PARAMS, BLOCK_TREES)
    places = [others[0][1].names.index(name) for name in forest.names]
    again = []
    for example, table in tables[fold]:
        first = sigmoid(forest.predict(table.values[:, places].astype(np.float64)))
        context = _Table(context_features(first, example.evidence.counts, example.evidence.groups))
        again.append((example, table.of(_is_looked_at_again).beside(context)))
    return again


def _is_looked_at_again(name: str) -> bool:
    return name in CONTEXT_FEATURES or name.startswith(TYPE_FEATURE)


def _fit_blocks(pairs: Sequence[tuple[TextExample, _Table]], params: Params, trees: int) -> Forest:
    """Return the forest of the share of content of blocks; each page has the same weight."""
    rows = [(table.values, example.labels, _weights(example)) for example, table in pairs]
    used = [_sampled(*of_page) for of_page in rows if of_page[2].sum() > 0]
    forest = fit_forest(
        pairs[0][1].names,
        np.vstack([values for values, _, _ in used]),
        np.concatenate([labels for _, labels, _ in used]),
        np.concatenate([weights for _, _, weights in used]),
        params,
        trees=trees,
    )
    return with_used_features(forest)


def _sampled(values: Small, labels: Numbers, weights: Numbers) -> tuple[Small, Numbers, Numbers]:
    """Return a sample of the blocks of a page that has many; it has the weight of the whole page."""
    if len(labels) <= MAX_BLOCKS:
        return values, labels, weights
    kept = np.sort(np.random.default_rng(1).choice(len(labels), MAX_BLOCKS, replace=False))
    scale = weights.sum() / max(float(weights[kept].sum()), 1e-9)
    return values[kept], labels[kept], weights[kept] * scale


def _weights(example: TextExample) -> Numbers:
    """Return the weight of each block; none for a page without a reference."""
    weight = example.evidence.counts**WEIGHT_POWER
    total = float(weight.sum())
    page = 1.0 if example.type == COMMON_TYPE else RARE_TYPE_WEIGHT
    return np.asarray(weight * page / total if total and example.reference else weight * 0)


class _WordUses:
    """For the words of markup and of texts: on how many sites they are, and the sum of their shares of content."""

    def __init__(self, examples: Sequence[TextExample]) -> None:
        self.tables: tuple[dict[str, tuple[float, int]], ...] = tuple(
            _site_sums(examples, shares_of) for shares_of in (_markup_shares, _text_shares)
        )


Shares = dict[str, float]


def _site_sums(
    examples: Sequence[TextExample], shares_of: Callable[[TextExample], Shares]
) -> dict[str, tuple[float, int]]:
    by_site: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for example in examples:
        if example.reference:
            for word, share in shares_of(example).items():
                by_site[example.site][word].append(share)
    sums: defaultdict[str, float] = defaultdict(float)
    counts: Counter[str] = Counter()
    for words in by_site.values():
        for word, shares in words.items():
            sums[word] += sum(shares) / len(shares)
            counts[word] += 1
    return {word: (sums[word], counts[word]) for word in counts}


def _mean_shares(tables: Sequence[Mapping[str, tuple[float, int]]]) -> Shares:
    sums: defaultdict[str, float] = defaultdict(float)
    counts: Counter[str] = Counter()
    for table in tables:
        for word, (total, count) in table.items():
            sums[word] += total
            counts[word] += count
    return {
        word: round((sums[word] + PRIOR_SITES * PRIOR_SHARE) / (counts[word] + PRIOR_SITES), 3)
        for word in sorted(counts)
        if counts[word] >= MIN_SITES
    }


def _markup_shares(example: TextExample) -> Shares:
    """Return the share of content below each word of the markup of a page, by words of text."""
    words: BlockWords = example.evidence.words
    above = words_above(words)
    blocks = [above[element] if element >= 0 else frozenset() for element in words.element]
    return _weighted_shares(blocks, example.labels, example.evidence.counts)


def _text_shares(example: TextExample) -> Shares:
    """Return the share of content of the blocks with each word, by blocks."""
    has_words = (example.evidence.counts > 0).astype(np.float64)
    return _weighted_shares([text_words(text) for text in example.strings], example.labels, has_words)


def _weighted_shares(words: Sequence[Collection[str]], labels: Numbers, weights: Numbers) -> Shares:
    content: defaultdict[str, float] = defaultdict(float)
    total: defaultdict[str, float] = defaultdict(float)
    for own, label, weight in zip(words, labels.tolist(), weights.tolist(), strict=True):
        if weight:
            for word in own:
                content[word] += label * weight
                total[word] += weight
    return {word: content[word] / total[word] for word in total}
