"""Training of what finds the main list, from the candidates of pages with gold (``lessons.py``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peneira.errors import MissingExtra
from peneira.lists.features import FeatureTable
from peneira.lists.ranking import FINALISTS, Models, confidence_features, feature_matrix, finalist_features, take_rows
from peneira.lists.relations import relations
from peneira.ml.forest import Forest, blend, forest_from_trees
from peneira_research.studies.workers import in_processes
from peneira_research.training.examples import Example, Numbers, Small, stacked

FOLDS = 5
INNER_FOLDS = 4
# A list is right from this record score on
RIGHT = 0.9
# A ranking is learned from whole grades of the squared record score: what is nearly right must lose to what is right
GRADES = 30

HOW: Mapping[str, Any] = {
    "objective": "l2", "learning_rate": 0.07, "num_leaves": 24, "min_data_in_leaf": 30, "feature_fraction": 0.3,
    "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 5.0, "max_bin": 63, "max_depth": 7, "verbose": -1,
    "num_threads": 1, "seed": 1, "deterministic": True, "force_col_wise": True,
}  # fmt: skip
SCREEN = {"trees": 150, "learning_rate": 0.1, "bagging_fraction": 0.4}
CHOICE = {"trees": 130, "min_data_in_leaf": 20}
ORDER = {**CHOICE, "objective": "lambdarank", "lambdarank_truncation_level": 10}
# Scores of an order scatter by about 1.2 within a page, record scores by .3
CHOICE_SHARE = 5.0
TRUST = {"trees": 80, "num_leaves": 8, "learning_rate": 0.05, "min_data_in_leaf": 40}
TRUST_SEEDS = (1, 2, 3, 4)
MEMBERS = {"trees": 80, "num_leaves": 12, "min_data_in_leaf": 60}


# The finalists of an example in order, with figures and whether they are right
Trusting = tuple[Example, FeatureTable, Numbers]


@dataclass(frozen=True, slots=True)
class Trained:
    """The models for pages read from their HTML, and those for pages that a browser has shown, if any taught."""

    plain: Models
    boxed: Models | None


def train(chosen: Sequence[Example], shown: Sequence[Example] = ()) -> Trained:
    """Return the models. What a later model learns from is always the outcome of models that did not see the page.

    Each fold has its own screen and choice; together, as their mean, they are the ones that ship: a forest grown from
    one sample of pages scatters more than the pages differ. ``shown``: some of the pages as a browser shows them.
    """
    folds = fold_of([*chosen, *shown], INNER_FOLDS)
    screens = [_screen(those) for those in _others(chosen, folds)]
    screen, members = _mean(screens), _members(chosen)
    choices, trusts = _finals_trained(chosen, folds, screens, ())
    plain = Models(screen, _mean(choices), _trust(list(trusts.values())), members)
    if not shown:
        return Trained(plain, None)
    there = {example.id for example in shown}
    # pages without lists that no browser has shown would teach the choice that what has no boxes is no list
    others = [example for example in chosen if example.id not in there and example.worth.any()]
    choices, outcomes = _finals_trained([*shown, *others], folds, screens, shown[0].box_names, choices)
    mixed = [trusts[e.id] for e in chosen if e.id not in there] + [outcomes[e.id] for e in shown]
    return Trained(plain, Models(screen, _mean(choices), _trust(mixed), members))


def models_by_site(chosen: Sequence[Example], shown: Sequence[Example] = (), *, jobs: int) -> dict[str, Trained]:
    """Return for each site the models of a training that saw no page of it."""
    folds = fold_of([*chosen, *shown], FOLDS)
    parts = [
        ([e for e in chosen if folds[e.site] != fold], [e for e in shown if folds[e.site] != fold])
        for fold in range(FOLDS)
    ]
    trained = list(in_processes(_trained, parts, jobs=jobs, chunk=1))
    return {site: trained[fold] for site, fold in folds.items()}


def _trained(part: tuple[Sequence[Example], Sequence[Example]]) -> Trained:
    return train(*part)


def _others(chosen: Sequence[Example], folds: Mapping[str, int]) -> list[list[Example]]:
    """Return for each fold the examples that are not in it."""
    return [[example for example in chosen if folds[example.site] != fold] for fold in range(INNER_FOLDS)]


def _finals_trained(
    chosen: Sequence[Example],
    folds: Mapping[str, int],
    screens: Sequence[Forest],
    box_names: Sequence[str],
    plain: Sequence[Forest] = (),
) -> tuple[list[Forest], dict[str, Trusting]]:
    """Return the choice of each fold, and by page what a choice that has not seen it gives trust to learn from.

    ``plain``: choices without boxes, which count for half.
    """
    finals = {e.id: _final(e, screens[folds[e.site]], box_names) for e in chosen}
    choices = [_choice(those, finals) for those in _others(chosen, folds)]
    if plain:  # the figures of boxes come last, so a choice without them asks for the same columns
        choices = [_mean([replace(old, names=new.names), new]) for old, new in zip(plain, choices, strict=True)]
    return choices, {e.id: _trusted(e, finals[e.id], choices[folds[e.site]], box_names) for e in chosen}


def _mean(forests: Sequence[Forest]) -> Forest:
    return _as_read(blend(forests, [1 / len(forests)] * len(forests)))


def _as_read(forest: Forest) -> Forest:
    """Return the forest with its numbers as rounded as they will be read."""
    return Forest.from_json(forest.to_json())


@dataclass(frozen=True, slots=True)
class Final:
    """The finalists of a page: which of them lie apart, their figures and record scores."""

    apart: NDArray[np.bool_]
    figures: FeatureTable
    worth: Numbers


def _final(example: Example, screen: Forest, box_names: Sequence[str]) -> Final:
    scores = screen.predict(example.figures.astype(np.float64))
    which = np.argsort(-scores, kind="stable")[:FINALISTS]
    found = example.found.take(which)
    related = relations(example.rows, found)
    figures = finalist_features(related, found.counts, scores[which], example.figures_of(which))
    return Final(related["disjoint"], figures | example.boxes_of(which, box_names), example.worth[which])


def _screen(chosen: Sequence[Example]) -> Forest:
    names = chosen[0].names
    return _fit(names, [(e.figures, e.worth, e.weight / np.sqrt(len(e.worth))) for e in chosen], SCREEN)


def _choice(chosen: Sequence[Example], finals: Mapping[str, Final]) -> Forest:
    """Return what orders the finalists of a page: half by which is better, half by how good each is.

    The first half alone takes three neat boxes for better than hundreds of bare names; the second alone cares less for
    what is nearly right.
    """
    names = tuple(finals[chosen[0].id].figures)
    rows = [(stacked(finals[e.id].figures), finals[e.id].worth, e.weight) for e in chosen]
    return blend([_fit(names, rows, ORDER), _fit(names, rows, CHOICE)], [1.0, CHOICE_SHARE])


def _trusted(example: Example, final: Final, choice: Forest, box_names: Sequence[str]) -> Trusting:
    scores = choice.predict(feature_matrix(final.figures, choice))
    order = np.argsort(-scores, kind="stable")
    apart = final.apart[np.ix_(order, order)]
    # detail pages were not shown by a browser: trust would learn that what has no boxes is no list
    own = {name: column for name, column in final.figures.items() if name not in box_names}
    figures = confidence_features(example.page_figures, apart, take_rows(own, order), scores[order])
    return example, figures, (final.worth[order] >= RIGHT).astype(np.float64)


def _trust(trusts: Sequence[Trusting]) -> Forest:
    names = tuple(trusts[0][1])
    # the list that wins is what is trusted or not; the others count little
    weights = [np.where(figures["final_rank"] == 0, 1.0, 0.1) * example.weight for example, figures, _ in trusts]
    rows = [(stacked(figures), right, weight) for (_, figures, right), weight in zip(trusts, weights, strict=True)]
    return _mean([_fit(names, rows, {**TRUST, "seed": seed}) for seed in TRUST_SEEDS])


def _members(chosen: Sequence[Example]) -> Forest:
    taught = [(e, e.members, e.member_worth) for e in chosen if e.members is not None and e.member_worth is not None]
    rows = [(members, worth, e.weight / np.sqrt(len(worth))) for e, members, worth in taught]
    return _fit(taught[0][0].member_names, rows, MEMBERS)


def _fit(
    names: Sequence[str], rows: Sequence[tuple[Small, Numbers, float | Numbers]], how: Mapping[str, Any]
) -> Forest:
    """Return the forest that LightGBM grows from the rows: figures, targets, weights."""
    try:
        import lightgbm
    except ImportError as error:
        raise MissingExtra("train", "training") from error
    inputs = np.concatenate([figures for figures, _, _ in rows])
    target = np.concatenate([worth for _, worth, _ in rows])
    weight = np.concatenate([np.broadcast_to(weight, worth.shape) for _, worth, weight in rows])
    settings = {**HOW, **{key: value for key, value in how.items() if key != "trees"}}
    data = lightgbm.Dataset(inputs, target, weight=weight / weight.mean())
    if settings["objective"] == "lambdarank":
        settings["label_gain"] = list(range(GRADES + 1))
        data.set_label(np.round(target**2 * GRADES))
        data.set_group([len(worth) for _, worth, _ in rows])
    booster = lightgbm.train(settings, data, how["trees"])
    trees = [tree_rows(info["tree_structure"]) for info in booster.dump_model()["tree_info"]]
    return _as_read(forest_from_trees(names, trees))


def tree_rows(root: Mapping[str, Any]) -> list[list[float]]:
    """Return a tree of LightGBM as rows for ``forest.grown``; the value of an inner node is the mean of its leaves."""
    nodes, parents = [root], [-1]
    rows: list[list[float]] = []
    for place, node in enumerate(nodes):  # grows while it is read
        if "leaf_value" in node:
            rows.append([node["leaf_value"]])
            continue
        rows.append([node["split_feature"], node["threshold"], len(nodes), 0.0])
        nodes += [node["left_child"], node["right_child"]]
        parents += [place, place]
    weights = [float(node.get("leaf_count", 0)) for node in nodes]
    totals = [weight * row[-1] for weight, row in zip(weights, rows, strict=True)]
    for place in range(len(rows) - 1, -1, -1):
        if len(rows[place]) > 1:
            rows[place][-1] = totals[place] / max(weights[place], 1.0)
        if parents[place] >= 0:
            weights[parents[place]] += weights[place]
            totals[parents[place]] += totals[place]
    return rows


def fold_of(chosen: Sequence[Example], folds: int) -> dict[str, int]:
    """Return the fold of each site."""
    sites = sorted({example.site for example in chosen})
    order = np.random.default_rng(1).permutation(len(sites))
    return {sites[k]: turn % folds for turn, k in enumerate(order.tolist())}
