"""Training the light content models: LightGBM forests over the features of texts, written as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from peneira.errors import PeneiraError
from peneira.ml.forest import Forest
from peneira.texts.content_model import LightModels, sigmoid
from peneira_research.corpora.content_examples import SITE_PAGE_COUNTS, ContentExample
from peneira_research.corpora.gold_texts import GOLD, NOISE, Labels
from peneira_research.training.folds import deal_groups, group_sites
from peneira_research.training.lightgbm_forest import Params, fit_forest

Numbers = NDArray[np.float64]
Small = NDArray[np.float32]

FOLDS = 4
# Weight of a gold text against a noise text of its page. SWDE labels 3 to 5 values among many that are content too, so
# that there losing a value costs more than keeping a text in vain
GOLD_WEIGHT: Mapping[str, float] = {"swde": 200.0, "detail": 3.0, "own": 3.0}
# With other pages of the site far fewer texts are kept at the same threshold, which leaves room for more of the gold
SITE_GOLD_WEIGHT: Mapping[str, float] = {**GOLD_WEIGHT, "swde": 1500.0}

# Noise texts of a page that are trained on, a random sample weighted up to all of them: halves the time
MAX_NOISE = 150

PARAMS: Params = {"objective": "binary", "learning_rate": 0.1, "num_leaves": 31, "min_data_in_leaf": 100}
TREES = 100
# For sites seen in training: small leaves, which memorise single sites
SEEN_PARAMS: Params = {
    **PARAMS, "num_leaves": 63, "min_data_in_leaf": 10, "lambda_l2": 1.0, "max_depth": -1, "feature_fraction": 0.4,
    "bagging_fraction": 0.8, "max_bin": 127,
}  # fmt: skip
SEEN_TREES = 200

# Features, labels and weights of the texts of a page
TextRows = tuple[Small, Labels, Numbers]


def train_content_models(examples: Sequence[ContentExample]) -> LightModels:
    """Return the models for a page alone and for a page with others of its site; the latter if a site has two pages."""
    has_sites = any(example.site_features for example in examples)
    return LightModels(train_page_model(examples), train_site_model(examples) if has_sites else None)


def train_page_model(examples: Sequence[ContentExample]) -> Forest:
    """Return the model that sees a page alone."""
    return fit_texts(examples[0].feature_names, [training_rows(e, e.features) for e in examples], PARAMS, TREES)


def train_site_model(examples: Sequence[ContentExample]) -> Forest:
    """Return the model that sees other pages of the site; it is trained with 2 and 5 pages of a site in turns."""
    used = [example for example in examples if example.site_features]
    if not used:
        raise PeneiraError("no site has two pages: nothing to learn from other pages of a site")
    rows = [
        training_rows(e, features_with_site(e, site_pages_in_turn(e, k)), SITE_GOLD_WEIGHT) for k, e in enumerate(used)
    ]
    return fit_texts((*used[0].feature_names, *used[0].site_feature_names), rows, PARAMS, TREES)


def training_rows(example: ContentExample, table: Small, gold_weight: Mapping[str, float] = GOLD_WEIGHT) -> TextRows:
    """Return the texts of a page that are trained on: all gold, and a sample of the noise."""
    labels, weights = example.gold.labels, page_weights(example, gold_weight)
    noise = np.flatnonzero(labels == NOISE)
    sample = np.random.default_rng(len(noise)).permutation(noise)[:MAX_NOISE]
    weights[noise] *= len(noise) / max(len(sample), 1)
    rows = np.sort(np.concatenate([np.flatnonzero(labels == GOLD), sample]))
    return table[rows], labels[rows], weights[rows]


def site_pages_in_turn(example: ContentExample, turn: int) -> int:
    """Return with how many pages of its site an example is trained on."""
    wanted = SITE_PAGE_COUNTS[turn % len(SITE_PAGE_COUNTS)]
    return wanted if wanted in example.site_features else max(example.site_features)


def features_with_site(example: ContentExample, site_pages: int) -> Small:
    """Return the features of a page and those in view of at most this many pages of its site."""
    available = [n for n in example.site_features if n <= site_pages]
    return np.concatenate([example.features, example.site_features[max(available)]], axis=1)


def page_weights(example: ContentExample, gold_weight: Mapping[str, float] = GOLD_WEIGHT) -> Numbers:
    """Return the weight of each text: pages with many texts count for more than others, but not in proportion."""
    labels = example.gold.labels
    noise = 1 / np.sqrt(max(int((labels == NOISE).sum()), 1))
    return np.where(labels == GOLD, gold_weight[example.corpus] * noise, np.where(labels == NOISE, noise, 0.0))


def fit_texts(names: Sequence[str], rows: Sequence[TextRows], params: Params, trees: int) -> Forest:
    """Return the forest that separates gold texts from noise; texts without a label are not trained on."""
    labels = np.concatenate([page_labels for _, page_labels, _ in rows])
    used = labels >= 0
    table = np.concatenate([features[page_labels >= 0] for features, page_labels, _ in rows])
    weight = np.concatenate([page_weights for _, _, page_weights in rows])[used]
    target = (labels[used] == GOLD).astype(np.float32)
    return fit_forest(names, table, target, weight, params, trees=trees)


def example_probabilities(example: ContentExample, forest: Forest, site_pages: int = 1) -> Numbers:
    """Return the probabilities of a page's texts, averaged by content, in view of this many pages of the site."""
    table = example.features if site_pages == 1 else features_with_site(example, site_pages)
    return averaged_by_content(example, sigmoid(forest.predict(table.astype(np.float64))))


def averaged_by_content(example: ContentExample, probabilities: Numbers) -> Numbers:
    """Return for each text the mean over its content weighted by length, as ``peneira.content`` does."""
    ids, lengths = example.content_ids, example.lengths
    means = np.bincount(ids, probabilities * lengths) / np.bincount(ids, lengths)
    return np.asarray(means[ids])


def site_folds(examples: Sequence[ContentExample], folds: int = FOLDS) -> dict[tuple[str, str], int]:
    """Return the fold of each site, by corpus and site, dealt by host and template."""
    return deal_groups(group_sites(((e.corpus, e.site), e.origin) for e in examples), folds)
