"""Training the light content models: LightGBM forests over the figures of texts, written as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peneira.errors import MissingExtra, PeneiraError
from peneira.ml.forest import Forest, grown
from peneira.texts.content_model import LightModels, sigmoid
from peneira_research.corpora.content_pages import GIVEN, Example
from peneira_research.corpora.gold_texts import GOLD, NOISE, Labels
from peneira_research.training.list_models import tree_rows

Numbers = NDArray[np.float64]
Small = NDArray[np.float32]

FOLDS = 4
# How much a gold text weighs against a noise text of its page. SWDE labels 3 to 5 values among many that are content
# too, so that there a value that is lost counts for more than one kept for nothing
GOLD_WEIGHT: Mapping[str, float] = {"swde": 200.0, "detail": 3.0, "own": 3.0}
# With other pages of the site much less is kept at the same threshold, which leaves room for more of the gold
SITE_GOLD_WEIGHT: Mapping[str, float] = {**GOLD_WEIGHT, "swde": 1500.0}

# Noise texts of a page that are learned from, chosen by chance, each weighing for the others too: halves the time
MAX_NOISE = 150

HOW: Mapping[str, Any] = {
    "objective": "binary", "learning_rate": 0.1, "num_leaves": 31, "min_data_in_leaf": 100, "feature_fraction": 0.3,
    "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 5.0, "max_bin": 63, "max_depth": 7, "verbose": -1,
    "num_threads": 1, "seed": 1, "deterministic": True, "force_col_wise": True,
}  # fmt: skip
TREES = 100
# For sites that were seen: small leaves, which know the places of single sites
SEEN: Mapping[str, Any] = {
    "num_leaves": 63, "min_data_in_leaf": 10, "lambda_l2": 1.0, "max_depth": -1, "feature_fraction": 0.4,
    "bagging_fraction": 0.8, "max_bin": 127,
}  # fmt: skip
SEEN_TREES = 200


def train_forests(chosen: Sequence[Example]) -> LightModels:
    """Return the models for a page alone, and for one with other pages of its site; that only if a site has two."""
    has_sites = any(example.site_figures for example in chosen)
    return LightModels(train_page(chosen), train_site(chosen) if has_sites else None)


def train_page(chosen: Sequence[Example]) -> Forest:
    """Return the model that knows a page alone."""
    return fit(chosen[0].names, [lesson(e, e.figures) for e in chosen], HOW, TREES)


def train_site(chosen: Sequence[Example]) -> Forest:
    """Return the model that knows other pages of the site; it learns from as many as are given in turns."""
    taught = [example for example in chosen if example.site_figures]
    if not taught:
        raise PeneiraError("no site has two pages: nothing to learn from other pages of a site")
    rows = [lesson(e, site_table(e, given_in_turn(e, k)), SITE_GOLD_WEIGHT) for k, e in enumerate(taught)]
    return fit((*taught[0].names, *taught[0].site_names), rows, HOW, TREES)


def lesson(
    example: Example, table: Small, gold_weight: Mapping[str, float] = GOLD_WEIGHT
) -> tuple[Small, Labels, Numbers]:
    """Return figures, labels and weights of the texts that are learned from: all gold, and some of the noise."""
    labels, weights = example.gold.labels, page_weights(example, gold_weight)
    noise = np.flatnonzero(labels == NOISE)
    some = np.random.default_rng(len(noise)).permutation(noise)[:MAX_NOISE]
    weights[noise] *= len(noise) / max(len(some), 1)
    rows = np.sort(np.concatenate([np.flatnonzero(labels == GOLD), some]))
    return table[rows], labels[rows], weights[rows]


def given_in_turn(example: Example, turn: int) -> int:
    """Return how many pages of the site an example is learned with."""
    wanted = GIVEN[turn % len(GIVEN)]
    return wanted if wanted in example.site_figures else max(example.site_figures)


def site_table(example: Example, given: int) -> Small:
    """Return the figures of a page and of other pages of its site, so many given; with fewer there, those."""
    there = [n for n in example.site_figures if n <= given]
    return np.concatenate([example.figures, example.site_figures[max(there)]], axis=1)


def page_weights(example: Example, gold_weight: Mapping[str, float] = GOLD_WEIGHT) -> Numbers:
    """Return the weight of each text: pages with many texts count for more than others, but not in proportion."""
    labels = example.gold.labels
    noise = 1 / np.sqrt(max(int((labels == NOISE).sum()), 1))
    return np.where(labels == GOLD, gold_weight[example.corpus] * noise, np.where(labels == NOISE, noise, 0.0))


def fit(
    names: Sequence[str],
    rows: Sequence[tuple[Small, Labels, Numbers]],
    how: Mapping[str, Any],
    trees: int,
) -> Forest:
    """Return the forest that LightGBM grows from figures, labels and weights; texts left out are not learned from."""
    try:
        import lightgbm
    except ImportError as error:
        raise MissingExtra("train", "training") from error
    labels = np.concatenate([those for _, those, _ in rows])
    used = labels >= 0
    table = np.concatenate([figures[those >= 0] for figures, those, _ in rows])
    weight = np.concatenate([those for _, _, those in rows])[used]
    data = lightgbm.Dataset(table, (labels[used] == GOLD).astype(np.float32), weight=weight / weight.mean())
    booster = lightgbm.train({**HOW, **how}, data, trees)
    grown_trees = [tree_rows(info["tree_structure"]) for info in booster.dump_model()["tree_info"]]
    return Forest.from_json(grown(names, grown_trees).to_json())  # as rounded as it will be read


def example_chances(example: Example, forest: Forest, given: int = 1) -> Numbers:
    """Return the probabilities of a page's texts, contents taken together, with so many pages of the site given."""
    table = example.figures if given == 1 else site_table(example, given)
    return joined(example, sigmoid(forest.predict(table.astype(np.float64))))


def joined(example: Example, chance: Numbers) -> Numbers:
    """Return for each text the mean over its content, as the front door does."""
    totals = np.bincount(example.runs, chance * example.lengths) / np.bincount(example.runs, example.lengths)
    return np.asarray(totals[example.runs])


def fold_of_sites(chosen: Sequence[Example], folds: int = FOLDS) -> dict[tuple[str, str], int]:
    """Return the fold of each site, one site under all its names in one corpus."""
    sites = sorted({(example.corpus, example.site) for example in chosen})
    order = np.random.default_rng(1).permutation(len(sites))
    return {sites[k]: turn % folds for turn, k in enumerate(order.tolist())}
