"""EDREW's table as a question: how does its F1 depend on the noise that was sampled, and on sites seen in training?

The thesis prints one F1 per vertical and neither says over which contents nor how many of them are noise. So the same
model is scored with all noise of a page and with samples of it, on sites that it was trained on and on others. Two
things that learn nothing stand beside it: a table of the training paths with their share of gold, and the bound that no
function of the path can exceed, as equal paths are gold here and noise there. The language model reads the training
pages alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from peneira_research.corpora.gold_texts import GOLD, LEFT_OUT, NOISE, Labels
from peneira_research.corpora.labelled_paths import LabelledPaths, PathPage
from peneira_research.scores.content_scores import confusion, roc_auc
from peneira_research.scores.resampling import INTERVAL, RESAMPLINGS
from peneira_research.studies.kept_results import NOTHING_KEPT, KeptResults
from peneira_research.training.edrew_classifier import embeddings, train_classifier
from peneira_research.training.edrew_language import train_language_model
from peneira_research.training.edrew_settings import ClassifierSettings, EdrewSettings
from peneira_research.training.folds import deal_groups, group_sites
from peneira_research.training.path_embeddings import classified

Numbers = NDArray[np.float64]
Whole = NDArray[np.int64]
OnStep = Callable[[str], None]

# Noise contents for each gold content of a page; None: all that the page has
RATIOS: tuple[float | None, ...] = (0.5, 1, 2, 5, 10, None)
SPLIT = (0.7, 0.9)  # train, validation, test as in the thesis: 70/20/10
FOLDS = 4
SEED = 1
# Pages of each site whose markup is compared to tell which sites share a template
ORIGIN_PAGES = 3
LOOKUP, BOUND, EDREW, BALANCED = "lookup", "bound", "edrew", "edrew, trained at 1"
SEEN, UNSEEN = "seen", "unseen"
# Precision, recall and F1 in percent: Table 6 of the thesis, which has LANTERN and WebKE from runs of its author
TABLE_6: Mapping[str, Mapping[str, tuple[float, float, float]]] = {
    "all": {"EDREW": (97.0, 97.0, 97.0)},
    "auto": {"EDREW": (94.0, 98.0, 96.0), "LANTERN": (82.1, 67.8, 72.3)},
    "movie": {"EDREW": (97.0, 95.0, 96.0), "LANTERN": (44.9, 14.3, 20.5), "WebKE": (81.7, 60.8, 66.5)},
    "nbaplayer": {"EDREW": (67.0, 62.0, 64.0), "LANTERN": (42.7, 27.6, 33.0), "WebKE": (82.7, 69.3, 71.8)},
    "university": {"EDREW": (93.0, 93.0, 93.0), "WebKE": (96.3, 58.9, 73.0)},
}

# Fewer epochs than the thesis's 50, as a table takes five trainings and thirty classifiers; Figure 19 shows what more
# of them give. No dropout, which hinders learning by heart
STUDY_SETTINGS = EdrewSettings(
    epochs=4, classifier=ClassifierSettings(size=256, batch=256, epochs=20, rate=0.005, dropout=0.0)
)
# What the thesis gives for its classifier
THESIS_CLASSIFIER = ClassifierSettings(size=256, batch=1, epochs=50, rate=0.001, dropout=0.5)


@dataclass(frozen=True, slots=True)
class EdrewResult:
    """A line of the table: gold's precision, recall and F1 with the interval of F1 (bootstrap over sites).

    ``ratio``: noise for each gold content in the test, None for whole pages; ``part``: a vertical, or "all".
    """

    sites: str
    ratio: float | None
    variant: str
    part: str
    contents: int
    gold: int
    precision: float
    recall: float
    f1: float
    low: float
    high: float
    macro_f1: float
    weighted_f1: float
    auc: float


@dataclass(frozen=True, slots=True)
class Sample:
    """Contents of pages: path, label, site and vertical of each."""

    codes: Whole
    labels: Labels
    sites: NDArray[np.str_]
    verticals: NDArray[np.str_]


@dataclass(frozen=True, slots=True)
class Split:
    """The pages of one training, which has a name."""

    name: str
    train: Sequence[PathPage]
    validate: Sequence[PathPage]
    test: Sequence[PathPage]


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a variant says of a sample: a probability and a decision for each content."""

    sample: Sample
    probabilities: Numbers
    kept: NDArray[np.bool_]


def sampled(pages: Sequence[PathPage], ratio: float | None, seed: int = SEED) -> Sample:
    """Return all gold of each page and ``ratio`` times as much of its noise, drawn at random; None: all contents."""
    codes, labels, sites, verticals = [], [], [], []
    for number, page in enumerate(pages):
        rows = _sampled_rows(page.labels, ratio, np.random.default_rng((seed, number)))
        codes.append(page.codes[rows])
        labels.append(page.labels[rows])
        sites.append(np.full(len(rows), f"{page.vertical}/{page.site}"))
        verticals.append(np.full(len(rows), page.vertical))
    return Sample(np.concatenate(codes), np.concatenate(labels), np.concatenate(sites), np.concatenate(verticals))


def _sampled_rows(labels: Labels, ratio: float | None, random: np.random.Generator) -> Whole:
    if ratio is None:
        return np.flatnonzero(labels != LEFT_OUT)
    gold, noise = np.flatnonzero(labels == GOLD), np.flatnonzero(labels == NOISE)
    # rounded at random, so that pages of one value have the ratio in the mean
    wanted = int(ratio * len(gold) + random.random())
    return np.sort(np.concatenate([gold, random.permutation(noise)[:wanted]]))


def seen_split(pages: Sequence[PathPage], seed: int = SEED) -> Split:
    """Return the thesis's split: pages at random, so that every site is in all three parts."""
    order = np.random.default_rng(seed).permutation(len(pages)).tolist()
    first, second = (int(share * len(pages)) for share in SPLIT)
    parts = order[:first], order[first:second], order[second:]
    train, validate, test = ([pages[k] for k in part] for part in parts)
    return Split(SEEN, train, validate, test)


def unseen_splits(pages: Sequence[PathPage], folds: int = FOLDS) -> Iterator[Split]:
    """Yield for each fold its sites as the test, and the pages of the others; folds are dealt by host and template."""
    by_site: dict[tuple[str, str], list[PathPage]] = {}
    for page in pages:
        by_site.setdefault((page.vertical, page.site), []).append(page)
    origins = ((site, page.origin) for site, of_site in by_site.items() for page in of_site[:ORIGIN_PAGES])
    fold_of = deal_groups(group_sites(origins), folds)
    for fold in range(folds):
        known = [page for site, of_site in by_site.items() if fold_of[site] != fold for page in of_site]
        order = np.random.default_rng(SEED).permutation(len(known)).tolist()
        cut = int(SPLIT[0] / SPLIT[1] * len(known))
        test = [page for site, of_site in by_site.items() if fold_of[site] == fold for page in of_site]
        name = f"{UNSEEN} {fold + 1}"
        yield Split(name, [known[k] for k in order[:cut]], [known[k] for k in order[cut:]], test)


@dataclass(frozen=True, slots=True)
class PathModel:
    """The paths of a split, embedded by a language model that has read its training pages alone."""

    split: Split
    embedded: NDArray[np.float32]
    settings: EdrewSettings

    @classmethod
    def trained(cls, data: LabelledPaths, split: Split, settings: EdrewSettings) -> PathModel:
        """Train the language model."""
        known = np.unique(np.concatenate([page.codes for page in split.train]))
        language, _ = train_language_model([data.paths[k] for k in known.tolist()], settings)
        return cls(split, embeddings(language, data.paths), settings)

    def classifier(self, ratio: float | None, settings: EdrewSettings | None = None) -> Numbers:
        """Return the probability of each path by a classifier trained on the training pages with this much noise."""
        gold, noise = path_counts(sampled(self.split.train, ratio), len(self.embedded))
        return classified(self.embedded, train_classifier(self.embedded, gold, noise, settings or self.settings)[0])


def path_counts(sample: Sample, paths: int) -> tuple[Numbers, Numbers]:
    """Return how often each path is gold and how often noise."""
    gold, noise = (np.bincount(sample.codes[sample.labels == label], minlength=paths) for label in (GOLD, NOISE))
    return gold.astype(np.float64), noise.astype(np.float64)


def shares(sample: Sample, paths: int) -> Numbers:
    """Return the share of gold of each path; 0 for a path that the sample does not have."""
    gold, noise = path_counts(sample, paths)
    return np.asarray(gold / np.maximum(gold + noise, 1))


def predicted(probabilities: Numbers, chosen_on: Sample, test: Sample) -> Prediction:
    """Return the decisions on a sample by the threshold that is best on another one."""
    threshold = best_threshold(probabilities[chosen_on.codes], chosen_on.labels)
    of_test = probabilities[test.codes]
    return Prediction(test, of_test, of_test >= threshold)


def best_threshold(probabilities: Numbers, labels: Labels) -> float:
    """Return the threshold, in steps of .02, with the best F1 of gold."""
    return max((k / 50 for k in range(1, 51)), key=lambda least: confusion(labels, probabilities >= least).f1)


def joined(predictions: Sequence[Prediction]) -> Prediction:
    """Return the predictions of several folds as one."""
    samples = [prediction.sample for prediction in predictions]
    sample = Sample(
        np.concatenate([sample.codes for sample in samples]),
        np.concatenate([sample.labels for sample in samples]),
        np.concatenate([sample.sites for sample in samples]),
        np.concatenate([sample.verticals for sample in samples]),
    )
    return Prediction(
        sample, np.concatenate([p.probabilities for p in predictions]), np.concatenate([p.kept for p in predictions])
    )


# --- the table --------------------------------------------------------------------------------------------------------


def run_table(
    data: LabelledPaths,
    *,
    ratios: Sequence[float | None] = RATIOS,
    settings: EdrewSettings = STUDY_SETTINGS,
    with_model: bool = True,
    folds: int = FOLDS,
    on_step: OnStep,
    keep: KeptResults = NOTHING_KEPT,
) -> Iterator[list[EdrewResult]]:
    """Yield the results on sites seen in training, then on unseen ones; without ``with_model``, lookup and bound."""
    pages = data.without_repetitions().pages
    on_step(f"{len(data.pages)} pages, {len(pages)} of them unique, {len(data.paths)} distinct paths")
    for name, splits in ((SEEN, [seen_split(pages)]), (UNSEEN, list(unseen_splits(pages, folds)))):
        found: dict[tuple[float | None, str], list[Prediction]] = {}
        task = partial(path_scores, data, ratios=ratios, settings=settings if with_model else None)
        scored = keep.each(f"{name} sites", list[list[float]], task, splits, key=attrgetter("name"))
        for number, split in enumerate(splits, start=1):
            on_step(f"{name} sites, training {number} of {len(splits)}")
            for key, prediction in _predictions(len(data.paths), split, ratios, next(scored)):
                found.setdefault(key, []).append(prediction)
        yield [
            result
            for (ratio, variant), predictions in found.items()
            for result in results(name, ratio, variant, joined(predictions))
        ]


def path_scores(
    data: LabelledPaths, split: Split, *, ratios: Sequence[float | None], settings: EdrewSettings | None
) -> list[list[float]]:
    """Return for each ratio the probability of each path by a model trained on the split; none without settings."""
    if settings is None:
        return []
    model = PathModel.trained(data, split, settings)
    return [model.classifier(ratio).tolist() for ratio in ratios]


def _predictions(
    paths: int, split: Split, ratios: Sequence[float | None], scored: Sequence[Sequence[float]]
) -> Iterator[tuple[tuple[float | None, str], Prediction]]:
    for number, ratio in enumerate(ratios):
        train, validate, test = (sampled(part, ratio) for part in (split.train, split.validate, split.test))
        yield (ratio, LOOKUP), predicted(shares(train, paths), validate, test)
        yield (ratio, BOUND), predicted(shares(test, paths), test, test)
        if scored:
            scores = np.array(scored[number])
            yield (ratio, EDREW), predicted(scores, validate, test)
            if ratio == 1 and None in ratios:
                yield (None, BALANCED), predicted(scores, validate, sampled(split.test, None))


def results(sites: str, ratio: float | None, variant: str, prediction: Prediction) -> Iterator[EdrewResult]:
    """Yield the result over all contents and that of each vertical."""
    sample = prediction.sample
    for part in ("all", *sorted(set(sample.verticals.tolist()))):
        rows = np.flatnonzero(sample.verticals == part) if part != "all" else np.arange(len(sample.codes))
        labels, kept = sample.labels[rows], prediction.kept[rows]
        if not (labels == GOLD).any():
            continue
        total = confusion(labels, kept)
        low, high = f1_bounds(labels, kept, sample.sites[rows])
        yield EdrewResult(
            sites, ratio, variant, part, len(rows), int((labels == GOLD).sum()), total.precision, total.recall,
            total.f1, low, high, total.macro_f1, total.weighted_f1, roc_auc(labels, prediction.probabilities[rows]),
        )  # fmt: skip


def f1_bounds(labels: Labels, kept: NDArray[np.bool_], sites: NDArray[np.str_]) -> tuple[float, float]:
    """Return the interval of 95 % of the pooled F1 of gold, by resampling sites."""
    names, site = np.unique(sites, return_inverse=True)
    parts = (labels == GOLD) & kept, (labels == NOISE) & kept, (labels == GOLD) & ~kept
    right, wrong, missed = (np.bincount(site[part], minlength=len(names)) for part in parts)
    chosen = np.random.default_rng(SEED).integers(0, len(names), (RESAMPLINGS, len(names)))
    rights, errors = right[chosen].sum(axis=1), (wrong + missed)[chosen].sum(axis=1)
    tail = (1 - INTERVAL) / 2
    low, high = np.quantile(2 * rights / np.maximum(2 * rights + errors, 1), [tail, 1 - tail]).tolist()
    return low, high


# --- figures ----------------------------------------------------------------------------------------------------------

FIGURE_VERTICAL = "auto"  # as in the thesis's Figure 10
LENGTHS = (5, 10, 15, 20, 25, 30, 40)
EPOCHS = (1, 2, 5, 10, 20, 35, 50)
RATES = (0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05)
BATCHES = (8, 32, 128, 512, 2048)
SEEDS = (1, 2, 3, 4, 5)


@dataclass(frozen=True, slots=True)
class FigurePoint:
    """A point of a figure of the thesis: the series, the value on the x axis, and the value that was measured.

    ``low``, ``high``: the interval of an F1 (bootstrap over sites); None for other values.
    """

    figure: int
    series: str
    x: float
    y: float
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, figure: int, series: str, x: float, prediction: Prediction) -> FigurePoint:
        """Return the F1 of a prediction as a point."""
        sample, kept = prediction.sample, prediction.kept
        low, high = f1_bounds(sample.labels, kept, sample.sites)
        return cls(figure, series, x, confusion(sample.labels, kept).f1, low, high)


def run_figures(
    data: LabelledPaths,
    *,
    settings: EdrewSettings = STUDY_SETTINGS,
    with_model: bool = True,
    on_step: OnStep,
    keep: KeptResults = NOTHING_KEPT,
) -> Iterator[FigurePoint]:
    """Yield the points of Figures 10, 13 and 19 to 24, at one noise content for each gold one.

    Figures 10 and 19 to 23 are of the vertical auto, with a language model of its own.
    """
    parts = dict(_figure_parts(data, settings if with_model else None))

    def points(title: str) -> list[FigurePoint]:
        on_step(title)
        return list(parts[title]())

    for found in keep.each("figures", list[FigurePoint], points, list(parts), key=str):
        yield from found


def _figure_parts(
    data: LabelledPaths, settings: EdrewSettings | None
) -> Iterator[tuple[str, Callable[[], Iterator[FigurePoint]]]]:
    """Yield the parts of the figures, each with what makes its points."""
    short = data.cut(20)
    whole, unique = data.only(FIGURE_VERTICAL).without_repetitions(), short.only(FIGURE_VERTICAL).without_repetitions()
    yield "Figure 13: positions of gold and noise", partial(positions, data)
    for length in LENGTHS:
        yield f"Figure 10: paths of {length} entries", partial(_by_length, whole.cut(length), length, settings)
    if settings is None:
        return
    yield (
        "Figures 19 to 22: epochs, learning rate, batch, embeddings",
        partial(_by_settings, _compact(unique), settings),
    )
    for seed in SEEDS:
        yield (
            f"Figure 23: seed {seed}",
            partial(_alone, unique, partial(FigurePoint.of, 23, EDREW, seed), replace(settings, seed=seed), seed),
        )
    for number, vertical in enumerate(sorted({page.vertical for page in data.pages}), start=1):
        alone = short.only(vertical).without_repetitions()
        yield (
            f"Figure 24: {vertical} alone",
            partial(_alone, alone, partial(FigurePoint.of, 24, vertical, number), settings),
        )


def _alone(
    data: LabelledPaths, point: Callable[[Prediction], FigurePoint], settings: EdrewSettings, seed: int = SEED
) -> Iterator[FigurePoint]:
    """Yield the point of a model of these pages alone."""
    compact = _compact(data)
    model = PathModel.trained(compact, seen_split(compact.pages, seed), settings)
    yield point(_balanced(model, model.classifier(1)))


def _compact(data: LabelledPaths) -> LabelledPaths:
    """Return the pages with those paths alone that they have."""
    used, codes = np.unique(np.concatenate([page.codes for page in data.pages]), return_inverse=True)
    ends = np.cumsum([len(page.codes) for page in data.pages])[:-1]
    parts = np.split(codes, ends)
    pages = tuple(replace(page, codes=part) for page, part in zip(data.pages, parts, strict=True))
    return LabelledPaths(pages, tuple(data.paths[k] for k in used.tolist()))


def positions(data: LabelledPaths) -> Iterator[FigurePoint]:
    """Yield the share of the gold, and of the noise, whose element has each position class (Figure 13)."""
    classes = np.array([_position_class(path) for path in data.paths])
    sample = sampled(data.pages, None)
    for name, label in (("gold", GOLD), ("noise", NOISE)):
        found = classes[sample.codes[sample.labels == label]]
        values, counts = np.unique(found[found > 0], return_counts=True)
        for value, count in zip(values.tolist(), counts.tolist(), strict=True):
            yield FigurePoint(13, name, value, count / len(found))


def _position_class(path: Sequence[str]) -> int:
    """Return the class of the element nearest to the text; 0 where none is in the path."""
    return next((int(entry.rsplit("|", 1)[1]) for entry in path if "|" in entry and not entry.startswith("<#")), 0)


def _by_length(data: LabelledPaths, length: int, settings: EdrewSettings | None) -> Iterator[FigurePoint]:
    compact = _compact(data)
    split, paths = seen_split(compact.pages), len(compact.paths)
    train, validate, test = (sampled(part, 1) for part in (split.train, split.validate, split.test))
    yield FigurePoint.of(10, LOOKUP, length, predicted(shares(train, paths), validate, test))
    yield FigurePoint.of(10, BOUND, length, predicted(shares(test, paths), test, test))
    if settings:
        model = PathModel.trained(compact, split, settings)
        yield FigurePoint.of(10, EDREW, length, _balanced(model, model.classifier(1)))


def _by_settings(data: LabelledPaths, settings: EdrewSettings) -> Iterator[FigurePoint]:
    model = PathModel.trained(data, seen_split(data.pages), settings)

    def prediction(**changed: float) -> Prediction:
        classifier = replace(settings.classifier, **changed)  # type: ignore[arg-type]
        return _balanced(model, model.classifier(1, replace(settings, classifier=classifier)))

    for epochs in EPOCHS:
        yield FigurePoint.of(19, EDREW, epochs, prediction(epochs=epochs))
    for rate in RATES:
        yield FigurePoint.of(20, EDREW, rate, prediction(rate=rate))
    for batch in BATCHES:
        yield FigurePoint.of(21, EDREW, batch, prediction(batch=batch))
    entries = settings.filters * 4
    parts = {"entries without context": slice(0, entries), "language model": slice(0, None)}
    for number, (name, columns) in enumerate(parts.items(), start=1):
        part = replace(model, embedded=np.ascontiguousarray(model.embedded[:, columns]))
        yield FigurePoint.of(22, name, number, _balanced(part, part.classifier(1)))


def _balanced(model: PathModel, scores: Numbers) -> Prediction:
    """Return the prediction of the test pages with one noise content for each gold one."""
    split = model.split
    return predicted(scores, sampled(split.validate, 1), sampled(split.test, 1))
