"""The protocols of ``peneira bench content``: content and noise on sites seen, unseen and modern."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from peneira.texts.content_calibration import PLAIN_THRESHOLD
from peneira.texts.content_model import shipped_light_models, sigmoid
from peneira.texts.edrew import LanguageModel
from peneira_research.corpora.content_examples import ContentExample
from peneira_research.corpora.gold_texts import GOLD, LEFT_OUT, NOISE, GoldTexts
from peneira_research.scores.content_scores import Predictions, element_score, text_score
from peneira_research.training.content_models import (
    FOLDS,
    SEEN_PARAMS,
    SEEN_TREES,
    averaged_by_content,
    example_probabilities,
    fit_texts,
    site_folds,
    train_page_model,
    train_site_model,
)
from peneira_research.training.edrew_settings import SEEN_SETTINGS
from peneira_research.training.path_embeddings import PathEmbeddings, Probabilities

Numbers = NDArray[np.float64]

SPLIT = (0.7, 0.9)  # train, validation, test as in the thesis: 70/20/10
SEED = 1
# F1 in the thesis, in percent; it does not state which average this is
THESIS = {"all": 97.0, "auto": 96.0, "movie": 96.0, "nbaplayer": 64.0, "university": 93.0}
# Text density: a block of this many characters, few of them in links, is content
MIN_DENSE_CHARS = 80
# Not a model: each path with its share of gold in the test part itself
UPPER_BOUND = "edrew's bound"


@dataclass(frozen=True, slots=True)
class ProtocolResult:
    """One line of the report: a protocol, the part of the corpus, the variant, and its metrics by name."""

    protocol: str
    part: str
    variant: str
    metrics: Mapping[str, float]


# Called with a line on what is done next
OnStep = Callable[[str], None]


def run_protocols(
    examples: Sequence[ContentExample], language: LanguageModel | None, on_step: OnStep
) -> Iterator[list[ProtocolResult]]:
    """Yield the results of one protocol after the other; ``language`` adds the thesis's model."""
    paths = PathEmbeddings(examples, language) if language else None
    on_step("(i) seen sites: 70/20/10 of the unique pages")
    yield list(seen_sites([e for e in examples if e.corpus == "swde"], paths))
    on_step("(ii) unseen sites, (iv) modern pages: cross-validation by site")
    yield list(unseen_sites(examples, paths, on_step))
    on_step("(iii) unseen verticals")
    yield list(unseen_verticals(examples, paths, on_step))
    on_step("(iv) modern pages, trained on SWDE alone")
    yield list(modern_from_swde(examples, paths))


def shipped_threshold(variant: str) -> float:
    """Return the value of a model from which on a text is content: for ``light``, where its calibration says so."""
    calibration = shipped_light_models().calibration
    if not variant.startswith("light"):
        return PLAIN_THRESHOLD
    curve = calibration.site if "," in variant else calibration.page
    values = np.arange(1001) / 1000
    return float(values[np.searchsorted(curve(values), calibration.threshold - 1e-9).clip(max=1000)])


# --- baselines --------------------------------------------------------------------------------------------------------


def everything(example: ContentExample) -> Numbers:
    """Return 1 for every text."""
    return np.ones(len(example.lengths))


def density(example: ContentExample) -> Numbers:
    """Return a score that grows with the length of a text's block and falls with the share of links in it."""
    column = {name: example.features[:, k].astype(np.float64) for k, name in enumerate(example.feature_names)}
    score = column["block_chars"] / np.log1p(MIN_DENSE_CHARS) * (1 - column["block_links"])
    return np.asarray(sigmoid(score - 1 + np.log(PLAIN_THRESHOLD / (1 - PLAIN_THRESHOLD))))


def baselines(examples: Sequence[ContentExample]) -> dict[str, Probabilities]:
    """Return the baselines by name: everything, text density, and the extractors that are installed."""
    variants: dict[str, Probabilities] = {"everything": everything, "text density": density}
    for name in sorted({name for example in examples for name in example.kept_by_peers}):
        variants[name] = lambda example, name=name: example.kept_by_peers[name].astype(np.float64)  # type: ignore[misc]
    return variants


# --- (i) sites seen in training ---------------------------------------------------------------------------------------


def seen_sites(pages: Sequence[ContentExample], paths: PathEmbeddings | None) -> Iterator[ProtocolResult]:
    """Yield the thesis's protocol: unique pages, split at random, the threshold chosen on the validation part.

    Its unit is the content of an element, with formatted text joined. Single texts separate a label from a value in the
    same content, which its gold may have done too: there are results for both.
    """
    yield from _seen([as_contents(page) for page in unique(pages)], paths, "i, contents")
    yield from _seen(unique(pages), paths, "i, texts")


def _seen(pages: Sequence[ContentExample], paths: PathEmbeddings | None, protocol: str) -> Iterator[ProtocolResult]:
    train, validate, test = split(pages)
    rows = [(e.features, e.gold.labels, _equal_weights(e)) for e in train]
    forest = fit_texts(train[0].feature_names, rows, SEEN_PARAMS, SEEN_TREES)
    variants: dict[str, Probabilities] = {
        "light": lambda page: sigmoid(forest.predict(page.features.astype(np.float64)))
    }
    if paths:
        variants["edrew"] = paths.trained(train, SEEN_SETTINGS, _equal_weights)
        variants[UPPER_BOUND] = paths.upper_bound(test)
    variants["everything"] = everything
    predict = predicted_contents if protocol == "i, contents" else _predictions
    for name, variant in variants.items():
        threshold = best_threshold(predict(test if name == UPPER_BOUND else validate, variant))
        predictions = predict(test, variant)
        for part in ("all", *sorted({example.group for example in test})):
            of_part = [pair for pair in predictions if part in ("all", pair[0].group)]
            yield ProtocolResult(protocol, part, name, _seen_metrics(of_part, threshold, part))


def _seen_metrics(predictions: Predictions, threshold: float, part: str) -> dict[str, float]:
    metrics = text_score(predictions, threshold).metrics() | {"threshold": threshold}
    return metrics | ({"thesis_f1": THESIS[part] / 100} if part in THESIS else {})


def as_contents(example: ContentExample) -> ContentExample:
    """Return the example with the label of its content for each text: gold if any text of it is."""
    best = np.full(int(example.content_ids.max()) + 1, NOISE, dtype=np.int8)
    for label in (LEFT_OUT, GOLD):
        best[example.content_ids[example.gold.labels == label]] = label
    return replace(example, gold=GoldTexts(best[example.content_ids]))


def predicted_contents(pages: Sequence[ContentExample], variant: Probabilities) -> list[tuple[ContentExample, Numbers]]:
    """Return each page with one label and one probability per content."""
    predictions = []
    for page in pages:
        first = np.flatnonzero(np.diff(page.content_ids, prepend=-1))
        gold = GoldTexts(page.gold.labels[first])
        predictions.append((replace(page, gold=gold), averaged_by_content(page, variant(page))[first]))
    return predictions


def _equal_weights(example: ContentExample) -> Numbers:
    return np.ones(len(example.lengths))


def unique(pages: Sequence[ContentExample]) -> list[ContentExample]:
    """Return the pages without those whose elements equal those of an earlier page of the same vertical."""
    return list({(page.group, page.digest): page for page in reversed(pages)}.values())[::-1]


def split(pages: Sequence[ContentExample]) -> tuple[list[ContentExample], list[ContentExample], list[ContentExample]]:
    """Return the pages for training, validation and test."""
    order = np.random.default_rng(SEED).permutation(len(pages)).tolist()
    first, second = (int(share * len(pages)) for share in SPLIT)
    parts = order[:first], order[first:second], order[second:]
    train, validate, test = ([pages[k] for k in part] for part in parts)
    return train, validate, test


def best_threshold(predictions: Predictions) -> float:
    """Return the threshold with the best F1 of gold."""
    return max((k / 50 for k in range(1, 50)), key=lambda threshold: text_score(predictions, threshold).confusion.f1)


def _predictions(pages: Sequence[ContentExample], variant: Probabilities) -> list[tuple[ContentExample, Numbers]]:
    return [(page, variant(page)) for page in pages]


# --- (ii) and (iv) sites not seen -------------------------------------------------------------------------------------


def unseen_sites(
    examples: Sequence[ContentExample], paths: PathEmbeddings | None, on_step: OnStep
) -> Iterator[ProtocolResult]:
    """Yield cross-validation by site over both corpora: SWDE over texts, modern pages over elements."""
    folds = site_folds(examples)
    predictions: dict[str, list[tuple[ContentExample, Numbers]]] = {}
    for fold in range(FOLDS):
        on_step(f"    fold {fold + 1} of {FOLDS}")
        train = [e for e in examples if folds[e.corpus, e.site] != fold]
        for name, variant in _variants(train, paths).items():
            held_out = [e for e in examples if folds[e.corpus, e.site] == fold]
            predictions.setdefault(name, []).extend(_predictions(_with_site_pages(held_out, name), variant))
    for name, variant in baselines(examples).items():
        predictions[name] = _predictions(examples, variant)
    for name, of_variant in predictions.items():
        yield from _results("ii", "iv, by site", name, of_variant)


def _variants(train: Sequence[ContentExample], paths: PathEmbeddings | None) -> dict[str, Probabilities]:
    page, site = train_page_model(train), train_site_model(train)
    variants: dict[str, Probabilities] = {
        "light": lambda example: example_probabilities(example, page),
        "light, 2 pages": lambda example: example_probabilities(example, site, 2),
        "light, 5 pages": lambda example: example_probabilities(example, site, 5),
    }
    if paths:
        variants["edrew"] = paths.trained(train)
    return variants


def _with_site_pages(pages: Sequence[ContentExample], variant: str) -> list[ContentExample]:
    """Return the pages whose site has as many pages as the variant needs."""
    wanted = int(variant.split(",")[1].split()[0]) if "," in variant else 1
    return [page for page in pages if wanted == 1 or wanted in page.site_features]


def _results(
    texts_protocol: str, elements_protocol: str, name: str, predictions: Predictions
) -> Iterator[ProtocolResult]:
    swde = [pair for pair in predictions if pair[0].corpus == "swde"]
    if swde and texts_protocol:
        yield ProtocolResult(texts_protocol, "swde", name, text_score(swde, shipped_threshold(name)).metrics())
    modern = [pair for pair in predictions if pair[0].corpus == "detail"]
    parts = {"all": modern} | {
        group: [pair for pair in modern if pair[0].group == group] for group in sorted({e.group for e, _ in modern})
    }
    for part, of_part in parts.items():
        if of_part and elements_protocol:
            threshold = shipped_threshold(name)
            metrics = element_score(of_part, threshold).metrics() | {"auc": text_score(of_part, threshold).auc}
            yield ProtocolResult(elements_protocol, part, name, metrics)


# --- (iii) verticals not seen -----------------------------------------------------------------------------------------


def unseen_verticals(
    examples: Sequence[ContentExample], paths: PathEmbeddings | None, on_step: OnStep
) -> Iterator[ProtocolResult]:
    """Yield the results on each vertical of SWDE of models trained on the others, and on modern pages."""
    predictions: dict[str, list[tuple[ContentExample, Numbers]]] = {}
    for vertical in sorted({e.group for e in examples if e.corpus == "swde"}):
        on_step(f"    {vertical}")
        train = [e for e in examples if e.group != vertical]
        held_out = [e for e in examples if e.group == vertical]
        page = train_page_model(train)
        variants: dict[str, Probabilities] = {"light": lambda example, page=page: example_probabilities(example, page)}  # type: ignore[misc]
        if paths:
            variants["edrew"] = paths.trained(train)
        for name, variant in variants.items():
            of_vertical = _predictions(held_out, variant)
            predictions.setdefault(name, []).extend(of_vertical)
            yield ProtocolResult("iii", vertical, name, text_score(of_vertical, shipped_threshold(name)).metrics())
    for name, of_variant in predictions.items():
        yield ProtocolResult("iii", "all", name, text_score(of_variant, shipped_threshold(name)).metrics())


# --- (iv) modern pages from old ones ----------------------------------------------------------------------------------


def modern_from_swde(examples: Sequence[ContentExample], paths: PathEmbeddings | None) -> Iterator[ProtocolResult]:
    """Yield the results on the modern pages of models trained on SWDE alone."""
    modern = [e for e in examples if e.corpus == "detail"]
    if not modern:
        return
    variants = _variants([e for e in examples if e.corpus == "swde"], paths)
    del variants["light, 5 pages"]  # no modern site has as many
    for name, variant in variants.items():
        pages = _with_site_pages(modern, name)
        yield from _results("", "iv, from SWDE", name, _predictions(pages, variant))
