"""Training the models that find the main list, from the candidates of pages with gold (``list_examples.py``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from peneira.lists.features import FeatureTable
from peneira.lists.ranking import (
    FINALISTS,
    FIRST,
    MIN_ODDS,
    Calibration,
    Models,
    best_list_first,
    confidence_features,
    feature_matrix,
    finalist_features,
    finalist_scores,
    take_rows,
)
from peneira.lists.relations import relations
from peneira.ml.forest import Forest, blend
from peneira.result import PAGE_TYPES, PageType
from peneira_research.training.lightgbm_forest import Params, as_saved, fit_forest
from peneira_research.training.list_examples import ListExample, Numbers, Small, feature_table
from peneira_research.workers import in_processes

# The folds inside the training of the models that ship
MODEL_FOLDS = 4
# Candidates of a page without a list that the screen is trained on, about
MAX_WRONG = 60
# A list is right from this record score on
RIGHT = 0.9
# A ranking is trained on integer grades of the squared record score: a nearly right list must lose to a right one
GRADES = 30
# The list that wins is the one whose confidence matters; the other finalists count for this much
OTHERS_WEIGHT = 0.1


@dataclass(frozen=True, slots=True)
class ForestOptions:
    """How many trees a forest has, and the parameters of LightGBM in which it differs from ``PARAMS``."""

    trees: int
    params: Params


PARAMS: Params = {"objective": "l2", "learning_rate": 0.07, "num_leaves": 24, "min_data_in_leaf": 30}
SCREEN = ForestOptions(150, {"learning_rate": 0.1, "bagging_fraction": 0.4})
QUALITY = ForestOptions(130, {"min_data_in_leaf": 20})
RANKING = ForestOptions(130, {**QUALITY.params, "objective": "lambdarank", "lambdarank_truncation_level": 10})
CONFIDENCE = ForestOptions(80, {"num_leaves": 8, "learning_rate": 0.05, "min_data_in_leaf": 40})
CONFIDENCE_SEEDS = (1, 2, 3, 4)
# Of the other models, which are means: one forest varies more with its seed than the pages differ
SEEDS = (1, 2)
PAGE_TYPE = ForestOptions(
    200, {"num_leaves": 16, "learning_rate": 0.04, "min_data_in_leaf": 15, "feature_fraction": 0.4}
)
# Pages with gold records are many of few sites, and older: as examples of list pages they count for this much
GOLD_WEIGHT = 0.5
# Pages without a list are among the examples of page types twice, the second time with this weight, in all with 1
AGAIN_WEIGHT = 0.25
# Of the logistic regression that calibrates the confidence
NEWTON_STEPS = 25
RIDGE = 1e-6
MEMBERS = ForestOptions(80, {"num_leaves": 12, "min_data_in_leaf": 60})


@dataclass(frozen=True, slots=True)
class ConfidenceExample:
    """The finalists of a page in the order of the choice: their features, and whether they are right.

    ``is_again``: whether there is another example of the page, by another choice.
    """

    site: str
    weight: float
    features: FeatureTable
    is_right: Numbers
    page_type: PageType
    has_gold: bool
    is_again: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """The forests that choose among the finalists of a page: which is better, and how good each is.

    Ranking alone prefers three neat boxes to hundreds of bare names; quality alone cares less for what is nearly right.
    """

    ranking: Forest
    quality: Forest


@dataclass(frozen=True, slots=True)
class TrainedModels:
    """The models for pages read from their HTML, and those for rendered pages, if there were any to train on."""

    plain: Models
    rendered: Models | None


def train_list_models(
    examples: Sequence[ListExample], folds: Mapping[str, int], rendered: Sequence[ListExample] = ()
) -> TrainedModels:
    """Return the models. A later model is always trained on the output of models that did not see the page.

    Each fold has its own screen and choice, for what comes after them; the models that ship are trained on all pages,
    means over seeds. ``folds``: the fold of each site, by host and template; ``rendered``: some of the pages, rendered.
    """
    with_gold = [example for example in examples if example.has_gold]
    screens = [_screen(others) for others in _without_each_fold(with_gold, folds)]
    screen, members = _mean([_screen(with_gold, seed) for seed in SEEDS]), _members(with_gold)
    choice, choices, outcomes = _train_choices(examples, folds, screens, ())
    of_pages = list(outcomes.values())
    # of a page without a list, another of its lists may win than in its fold
    without_list = [
        replace(_confidence_example(e, _finalists(e, screen, ()), choice, ()), is_again=True)
        for e in examples
        if e.page_type != "list"
    ]
    page_types, calibration = _page_types([*of_pages, *without_list]), _calibration(of_pages, without_list, folds)
    plain = Models(screen, choice.ranking, choice.quality, _confidence(of_pages), members, page_types, calibration)
    if not rendered:
        return TrainedModels(plain, None)
    rendered_ids = {example.id for example in rendered}
    # from pages without lists that were not rendered the choice would learn that what has no boxes is no list
    others = [example for example in examples if example.id not in rendered_ids and example.scores.any()]
    box_names = rendered[0].box_feature_names
    choice, _, rendered_outcomes = _train_choices([*rendered, *others], folds, screens, box_names, (choice, *choices))
    mixed = [outcomes[e.id] for e in examples if e.id not in rendered_ids] + [rendered_outcomes[e.id] for e in rendered]
    confidence = _confidence(mixed)
    return TrainedModels(plain, replace(plain, ranking=choice.ranking, quality=choice.quality, confidence=confidence))


def models_by_site(
    examples: Sequence[ListExample],
    folds: Mapping[str, int],
    rendered: Sequence[ListExample] = (),
    *,
    jobs: int,
) -> dict[str, TrainedModels]:
    """Return for each site models trained without the pages of its fold (``corpora_folds``)."""
    parts = [
        (
            [e for e in examples if folds[e.site] != fold],
            {site: number for site, number in folds.items() if number != fold},
            [e for e in rendered if folds[e.site] != fold],
        )
        for fold in sorted(set(folds.values()))
    ]
    trained = list(in_processes(_train_on_part, parts, jobs=jobs, chunk=1))
    return {site: trained[fold] for site, fold in folds.items()}


def _train_on_part(part: tuple[Sequence[ListExample], Mapping[str, int], Sequence[ListExample]]) -> TrainedModels:
    return train_list_models(*part)


def _without_each_fold(examples: Sequence[ListExample], folds: Mapping[str, int]) -> list[list[ListExample]]:
    """Return for each fold the examples that are not in it."""
    return [[e for e in examples if folds[e.site] != fold] for fold in sorted(set(folds.values()))]


def _train_choices(
    examples: Sequence[ListExample],
    folds: Mapping[str, int],
    screens: Sequence[Forest],
    box_names: Sequence[str],
    plain_choices: Sequence[Choice] = (),
) -> tuple[Choice, list[Choice], dict[str, ConfidenceExample]]:
    """Return the choice of all pages, that of each fold, and by page the output of a choice that has not seen it.

    ``plain_choices``: the same choices without boxes, which count for half.
    """
    turn = {fold: k for k, fold in enumerate(sorted(set(folds.values())))}
    finalists = {e.id: _finalists(e, screens[turn[folds[e.site]]], box_names) for e in examples}
    with_gold = [example for example in examples if example.has_gold]
    whole = _mean_choice([_choice(with_gold, finalists, seed) for seed in SEEDS])
    choices = [whole, *(_choice(others, finalists) for others in _without_each_fold(with_gold, folds))]
    if plain_choices:  # the features of boxes come last, so a choice without them splits on the same columns
        pairs = zip(plain_choices, choices, strict=True)
        choices = [_mean_choice([_with_names(plain, choice.ranking.names), choice]) for plain, choice in pairs]
    whole, *choices = choices
    return (
        whole,
        choices,
        {e.id: _confidence_example(e, finalists[e.id], choices[turn[folds[e.site]]], box_names) for e in examples},
    )


def _mean(forests: Sequence[Forest]) -> Forest:
    return as_saved(blend(forests, [1 / len(forests)] * len(forests)))


def _mean_choice(choices: Sequence[Choice]) -> Choice:
    return Choice(_mean([choice.ranking for choice in choices]), _mean([choice.quality for choice in choices]))


def _with_names(choice: Choice, names: tuple[str, ...]) -> Choice:
    return Choice(replace(choice.ranking, names=names), replace(choice.quality, names=names))


@dataclass(frozen=True, slots=True)
class Finalists:
    """The finalists of a page: which pairs of them are separate lists, their features and record scores."""

    apart: NDArray[np.bool_]
    features: FeatureTable
    scores: Numbers


def _finalists(example: ListExample, screen: Forest, box_names: Sequence[str]) -> Finalists:
    screen_scores = screen.predict(example.features.astype(np.float64))
    rows = np.argsort(-screen_scores, kind="stable")[:FINALISTS]
    found = example.candidates.take(rows)
    related = relations(example.rows, found)
    features = finalist_features(related, found.counts, screen_scores[rows], example.features_of(rows))
    features = {**features, **example.box_features_of(rows, box_names)}
    return Finalists(related["disjoint"], features, example.scores[rows])


def _screen(examples: Sequence[ListExample], seed: int = 1) -> Forest:
    rows = []
    for example in examples:
        # what pages without a list have is alike: a sample of it is enough
        step = 1 if example.scores.any() else max(1, len(example.scores) // MAX_WRONG)
        scores = example.scores[::step]
        rows.append((example.features[::step], scores, example.weight / np.sqrt(len(scores))))
    return _fit(examples[0].feature_names, rows, _seeded(SCREEN, seed))


def _choice(examples: Sequence[ListExample], finalists: Mapping[str, Finalists], seed: int = 1) -> Choice:
    names = tuple(finalists[examples[0].id].features)
    rows = [(feature_table(finalists[e.id].features), finalists[e.id].scores, e.weight) for e in examples]
    return Choice(_fit_ranking(names, rows, _seeded(RANKING, seed)), _fit(names, rows, _seeded(QUALITY, seed)))


def _confidence_example(
    example: ListExample, finalists: Finalists, choice: Choice, box_names: Sequence[str]
) -> ConfidenceExample:
    scores, quality = finalist_scores(finalists.features, choice.ranking, choice.quality)
    order = best_list_first(scores, quality, finalists.apart)
    apart = finalists.apart[np.ix_(order, order)]
    # detail pages were not rendered: the model would learn that what has no boxes is no list
    columns = {name: column for name, column in finalists.features.items() if name not in box_names}
    ordered = take_rows(columns, order)
    features = confidence_features(example.page_features, apart, ordered, scores[order], quality[order])
    is_right = (finalists.scores[order] >= RIGHT).astype(np.float64)
    return ConfidenceExample(example.site, example.weight, features, is_right, example.page_type, example.has_gold)


def _page_types(examples: Sequence[ConfidenceExample]) -> dict[PageType, Forest]:
    """Return a forest for each type of page, from the features of the page and of the list that wins on it."""
    return {page_type: _page_type(examples, page_type) for page_type in PAGE_TYPES}


def _page_type(examples: Sequence[ConfidenceExample], page_type: PageType) -> Forest:
    rows = [
        (feature_table(take_rows(e.features, FIRST)), np.array([float(e.page_type == page_type)]), _type_weight(e))
        for e in examples
    ]
    return _mean([_fit(tuple(examples[0].features), rows, _seeded(PAGE_TYPE, seed)) for seed in SEEDS])


def _type_weight(example: ConfidenceExample) -> float:
    if example.page_type != "list":
        return AGAIN_WEIGHT if example.is_again else 1 - AGAIN_WEIGHT
    return GOLD_WEIGHT * example.weight if example.has_gold else 1.0


def _calibration(
    examples: Sequence[ConfidenceExample], without_list: Sequence[ConfidenceExample], folds: Mapping[str, int]
) -> Calibration:
    """Return the curve from products of probabilities to confidence, from the output of forests that saw no such page.

    Fitted by logistic regression on pages whose best list is known to be right or wrong. ``without_list``: pages
    without a list, again, as in the training of the page types.
    """
    products, is_right, weights = [], [], []
    for fold in sorted(set(folds.values())):
        others = [e for e in (*examples, *without_list) if folds[e.site] != fold]
        list_page, confidence = _page_type(others, "list"), _confidence(others)
        for example in (e for e in examples if folds[e.site] == fold and e.has_gold):
            features = take_rows(example.features, FIRST)
            probabilities = [forest.predict(feature_matrix(features, forest))[0] for forest in (list_page, confidence)]
            products.append(float(np.prod(np.clip(probabilities, 0.0, 1.0))))
            is_right.append(float(example.is_right[0]))
            weights.append(example.weight)
    return fitted_calibration(np.array(products), np.array(is_right), np.array(weights))


def fitted_calibration(products: Numbers, is_right: Numbers, weights: Numbers) -> Calibration:
    """Return the curve under which the outcomes are most probable (logistic regression by Newton's method)."""
    clipped = np.clip(products, MIN_ODDS, 1 - MIN_ODDS)
    table = np.column_stack((np.log(clipped / (1 - clipped)), np.ones(len(clipped))))
    line = np.array([1.0, 0.0])
    for _ in range(NEWTON_STEPS):
        predicted = 1 / (1 + np.exp(-(table @ line)))
        gradient = table.T @ (weights * (predicted - is_right))
        curvature = (table * (weights * predicted * (1 - predicted))[:, None]).T @ table
        line -= np.linalg.solve(curvature + RIDGE * np.eye(2), gradient)
    return Calibration(round(float(line[0]), 4), round(float(line[1]), 4))


def _confidence(examples: Sequence[ConfidenceExample]) -> Forest:
    """Return the forest that says how probably a list is right if the page has a list at all."""
    names = tuple(examples[0].features)
    rows = [
        (feature_table(e.features), e.is_right, np.where(e.features["final_rank"] == 0, 1.0, OTHERS_WEIGHT) * e.weight)
        for e in examples
        if e.has_gold and e.page_type == "list"
    ]
    return _mean([_fit(names, rows, _seeded(CONFIDENCE, seed)) for seed in CONFIDENCE_SEEDS])


def _members(examples: Sequence[ListExample]) -> Forest:
    used = [
        (e, e.member_features, e.member_labels)
        for e in examples
        if e.member_features is not None and e.member_labels is not None
    ]
    rows = [(features, labels, e.weight / np.sqrt(len(labels))) for e, features, labels in used]
    return _fit(used[0][0].member_feature_names, rows, MEMBERS)


# Features, targets and weights of the candidates of a page
CandidateRows = tuple[Small, Numbers, float | Numbers]


def _fit(names: Sequence[str], rows: Sequence[CandidateRows], options: ForestOptions) -> Forest:
    features, target, weight = _joined(rows)
    return fit_forest(names, features, target, weight, {**PARAMS, **options.params}, trees=options.trees)


def _seeded(options: ForestOptions, seed: int) -> ForestOptions:
    return replace(options, params={**options.params, "seed": seed})


def _fit_ranking(names: Sequence[str], rows: Sequence[CandidateRows], options: ForestOptions) -> Forest:
    """Return a forest that ranks the candidates of each page by grades of their scores."""
    features, scores, weight = _joined(rows)
    params = {**PARAMS, **options.params, "label_gain": list(range(GRADES + 1))}
    grades = np.round(scores**2 * GRADES)
    groups = [len(page_scores) for _, page_scores, _ in rows]
    return fit_forest(names, features, grades, weight, params, trees=options.trees, groups=groups)


def _joined(rows: Sequence[CandidateRows]) -> tuple[Small, Numbers, Numbers]:
    features = np.concatenate([page_features for page_features, _, _ in rows])
    target = np.concatenate([page_target for _, page_target, _ in rows])
    weight = np.concatenate([np.broadcast_to(weight, page_target.shape) for _, page_target, weight in rows])
    return features, target, weight
