"""Training the models that find the main list, from the candidates of pages with gold (``list_examples.py``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from peneira.lists.features import FeatureTable
from peneira.lists.ranking import FINALISTS, Models, confidence_features, feature_matrix, finalist_features, take_rows
from peneira.lists.relations import relations
from peneira.ml.forest import Forest, blend
from peneira_research.training.folds import FOLDS, deal_sites
from peneira_research.training.lightgbm_forest import Params, as_saved, fit_forest
from peneira_research.training.list_examples import ListExample, Numbers, Small, feature_table
from peneira_research.workers import in_processes

INNER_FOLDS = 4
# A list is right from this record score on
RIGHT = 0.9
# A ranking is trained on integer grades of the squared record score: a nearly right list must lose to a right one
GRADES = 30
# Weight of the second half of the choice: scores of the ranking deviate by about 1.2 within a page, record scores by .3
CHOICE_WEIGHT = 5.0
# The list that wins is the one whose confidence matters; the other finalists count for this much
OTHERS_WEIGHT = 0.1


@dataclass(frozen=True, slots=True)
class ForestOptions:
    """How many trees a forest has, and the parameters of LightGBM in which it differs from ``PARAMS``."""

    trees: int
    params: Params


PARAMS: Params = {"objective": "l2", "learning_rate": 0.07, "num_leaves": 24, "min_data_in_leaf": 30}
SCREEN = ForestOptions(150, {"learning_rate": 0.1, "bagging_fraction": 0.4})
CHOICE = ForestOptions(130, {"min_data_in_leaf": 20})
RANKING = ForestOptions(130, {**CHOICE.params, "objective": "lambdarank", "lambdarank_truncation_level": 10})
CONFIDENCE = ForestOptions(80, {"num_leaves": 8, "learning_rate": 0.05, "min_data_in_leaf": 40})
CONFIDENCE_SEEDS = (1, 2, 3, 4)
MEMBERS = ForestOptions(80, {"num_leaves": 12, "min_data_in_leaf": 60})


@dataclass(frozen=True, slots=True)
class ConfidenceExample:
    """The finalists of a page in the order of the choice: their features, and whether they are right."""

    weight: float
    features: FeatureTable
    is_right: Numbers


@dataclass(frozen=True, slots=True)
class TrainedModels:
    """The models for pages read from their HTML, and those for rendered pages, if there were any to train on."""

    plain: Models
    rendered: Models | None


def train_list_models(examples: Sequence[ListExample], rendered: Sequence[ListExample] = ()) -> TrainedModels:
    """Return the models. A later model is always trained on the output of models that did not see the page.

    Each fold has its own screen and choice; the models that ship are their means, as a forest trained on one sample of
    pages varies more than the pages differ. ``rendered``: some of the pages, rendered.
    """
    folds = deal_sites({example.site for example in [*examples, *rendered]}, INNER_FOLDS)
    screens = [_screen(others) for others in _without_each_fold(examples, folds)]
    screen, members = _mean(screens), _members(examples)
    choices, outcomes = _train_choices(examples, folds, screens, ())
    plain = Models(screen, _mean(choices), _confidence(list(outcomes.values())), members)
    if not rendered:
        return TrainedModels(plain, None)
    rendered_ids = {example.id for example in rendered}
    # from pages without lists that were not rendered the choice would learn that what has no boxes is no list
    others = [example for example in examples if example.id not in rendered_ids and example.scores.any()]
    box_names = rendered[0].box_feature_names
    choices, rendered_outcomes = _train_choices([*rendered, *others], folds, screens, box_names, choices)
    mixed = [outcomes[e.id] for e in examples if e.id not in rendered_ids] + [rendered_outcomes[e.id] for e in rendered]
    return TrainedModels(plain, Models(screen, _mean(choices), _confidence(mixed), members))


def models_by_site(
    examples: Sequence[ListExample],
    folds: Mapping[str, int],
    rendered: Sequence[ListExample] = (),
    *,
    jobs: int,
) -> dict[str, TrainedModels]:
    """Return for each site models trained without the pages of its fold (``corpora_folds``)."""
    parts = [
        ([e for e in examples if folds[e.site] != fold], [e for e in rendered if folds[e.site] != fold])
        for fold in range(FOLDS)
    ]
    trained = list(in_processes(_train_on_part, parts, jobs=jobs, chunk=1))
    return {site: trained[fold] for site, fold in folds.items()}


def _train_on_part(part: tuple[Sequence[ListExample], Sequence[ListExample]]) -> TrainedModels:
    return train_list_models(*part)


def _without_each_fold(examples: Sequence[ListExample], folds: Mapping[str, int]) -> list[list[ListExample]]:
    """Return for each fold the examples that are not in it."""
    return [[example for example in examples if folds[example.site] != fold] for fold in range(INNER_FOLDS)]


def _train_choices(
    examples: Sequence[ListExample],
    folds: Mapping[str, int],
    screens: Sequence[Forest],
    box_names: Sequence[str],
    plain_choices: Sequence[Forest] = (),
) -> tuple[list[Forest], dict[str, ConfidenceExample]]:
    """Return the choice of each fold, and by page the output of a choice that has not seen it.

    ``plain_choices``: choices without boxes, which count for half.
    """
    finalists = {e.id: _finalists(e, screens[folds[e.site]], box_names) for e in examples}
    choices = [_choice(others, finalists) for others in _without_each_fold(examples, folds)]
    if plain_choices:  # the features of boxes come last, so a choice without them splits on the same columns
        pairs = zip(plain_choices, choices, strict=True)
        choices = [_mean([replace(plain, names=choice.names), choice]) for plain, choice in pairs]
    return choices, {e.id: _confidence_example(e, finalists[e.id], choices[folds[e.site]], box_names) for e in examples}


def _mean(forests: Sequence[Forest]) -> Forest:
    return as_saved(blend(forests, [1 / len(forests)] * len(forests)))


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
    return Finalists(related["disjoint"], features | example.box_features_of(rows, box_names), example.scores[rows])


def _screen(examples: Sequence[ListExample]) -> Forest:
    names = examples[0].feature_names
    return _fit(names, [(e.features, e.scores, e.weight / np.sqrt(len(e.scores))) for e in examples], SCREEN)


def _choice(examples: Sequence[ListExample], finalists: Mapping[str, Finalists]) -> Forest:
    """Return the model that orders the finalists of a page: half by which is better, half by how good each is.

    The first half alone prefers three neat boxes to hundreds of bare names; the second alone cares less for what is
    nearly right.
    """
    names = tuple(finalists[examples[0].id].features)
    rows = [(feature_table(finalists[e.id].features), finalists[e.id].scores, e.weight) for e in examples]
    return blend([_fit_ranking(names, rows), _fit(names, rows, CHOICE)], [1.0, CHOICE_WEIGHT])


def _confidence_example(
    example: ListExample, finalists: Finalists, choice: Forest, box_names: Sequence[str]
) -> ConfidenceExample:
    scores = choice.predict(feature_matrix(finalists.features, choice))
    order = np.argsort(-scores, kind="stable")
    apart = finalists.apart[np.ix_(order, order)]
    # detail pages were not rendered: the model would learn that what has no boxes is no list
    columns = {name: column for name, column in finalists.features.items() if name not in box_names}
    features = confidence_features(example.page_features, apart, take_rows(columns, order), scores[order])
    return ConfidenceExample(example.weight, features, (finalists.scores[order] >= RIGHT).astype(np.float64))


def _confidence(examples: Sequence[ConfidenceExample]) -> Forest:
    names = tuple(examples[0].features)
    rows = [
        (feature_table(e.features), e.is_right, np.where(e.features["final_rank"] == 0, 1.0, OTHERS_WEIGHT) * e.weight)
        for e in examples
    ]
    forests = [
        _fit(names, rows, replace(CONFIDENCE, params={**CONFIDENCE.params, "seed": seed})) for seed in CONFIDENCE_SEEDS
    ]
    return _mean(forests)


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


def _fit_ranking(names: Sequence[str], rows: Sequence[CandidateRows]) -> Forest:
    """Return a forest that ranks the candidates of each page by grades of their scores."""
    features, scores, weight = _joined(rows)
    params = {**PARAMS, **RANKING.params, "label_gain": list(range(GRADES + 1))}
    grades = np.round(scores**2 * GRADES)
    groups = [len(page_scores) for _, page_scores, _ in rows]
    return fit_forest(names, features, grades, weight, params, trees=RANKING.trees, groups=groups)


def _joined(rows: Sequence[CandidateRows]) -> tuple[Small, Numbers, Numbers]:
    features = np.concatenate([page_features for page_features, _, _ in rows])
    target = np.concatenate([page_target for _, page_target, _ in rows])
    weight = np.concatenate([np.broadcast_to(weight, page_target.shape) for _, page_target, weight in rows])
    return features, target, weight
