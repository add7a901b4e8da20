"""The protocols of ``peneira bench content``: how well content is told from noise on sites seen, unseen and modern."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from peneira.texts.content_model import MIN_PROBABILITY, sigmoid
from peneira.texts.edrew import Entries, Float32Array, LanguageModel
from peneira_research.corpora.content_pages import Example
from peneira_research.corpora.gold_texts import GOLD, LEFT_OUT, NOISE, GoldTexts
from peneira_research.scores.content_scores import Judged, element_score, text_score
from peneira_research.training import edrew_training
from peneira_research.training.content_models import (
    FOLDS,
    SEEN,
    SEEN_TREES,
    example_chances,
    fit,
    fold_of_sites,
    joined,
    page_weights,
    train_page,
    train_site,
)

Numbers = NDArray[np.float64]
Chances = Callable[[Example], Numbers]

SPLIT = (0.7, 0.9)  # train, validation, test as in the thesis: 70/20/10
SEED = 1
# F1 as the thesis prints it, in percent; which average it is, it does not say
THESIS = {"all": 97.0, "auto": 96.0, "movie": 96.0, "nbaplayer": 64.0, "university": 93.0}
# Text density: a block of this many characters, few of them in links, is content
DENSE_CHARS = 80
# Not a model: each path with its share of gold in the test part itself
BOUND = "edrew's bound"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the report: a protocol, the part of the corpus, the variant, and its figures by name."""

    protocol: str
    part: str
    variant: str
    figures: Mapping[str, float]


Each = Callable[[str], None]


def run(chosen: Sequence[Example], language: LanguageModel | None, each: Each) -> Iterator[list[Row]]:
    """Yield the rows of one protocol after the other.

    ``language`` adds the thesis's model; ``each`` hears what is done next.
    """
    paths = Paths(chosen, language) if language else None
    each("(i) seen sites: 70/20/10 of the unique pages")
    yield list(seen_sites([e for e in chosen if e.corpus == "swde"], paths))
    each("(ii) unseen sites, (iv) modern pages: cross-validation by site")
    yield list(unseen_sites(chosen, paths, each))
    each("(iii) unseen verticals")
    yield list(unseen_verticals(chosen, paths, each))
    each("(iv) modern pages, trained on SWDE alone")
    yield list(modern_from_swde(chosen, paths))


# --- the thesis's model -----------------------------------------------------------------------------------------------


class Paths:
    """The tag paths of all examples, read by the language model once; classifiers on them are trained as needed.

    The language model has read the paths of all sites, without labels: what favours it on unseen ones.
    """

    def __init__(self, chosen: Sequence[Example], language: LanguageModel) -> None:
        distinct: dict[Entries, int] = {}
        self.of_example: dict[str, NDArray[np.int64]] = {}
        for example in chosen:
            codes = np.array([distinct.setdefault(path, len(distinct)) for path in example.paths], dtype=np.int64)
            self.of_example[_key(example)] = codes[example.path_of]
        self.embedded = edrew_training.embeddings(language, list(distinct))
        self.language = language

    def trained(
        self,
        chosen: Sequence[Example],
        settings: edrew_training.Settings = edrew_training.DEFAULT_SETTINGS,
        weigh: Callable[[Example], Numbers] = page_weights,
    ) -> Chances:
        """Return what a classifier says that learned from these examples; ``weigh`` says how much their texts count."""
        classifier, _ = edrew_training.train_classifier(self.embedded, *self.weights(chosen, weigh), settings)
        scores = classified(self.embedded, classifier)
        return lambda example: scores[self.of_example[_key(example)]]

    def bound(self, chosen: Sequence[Example]) -> Chances:
        """Return for each text the share of gold among the texts of its path: the most that a path can tell."""
        gold, noise = self.weights(chosen, lambda example: np.ones(len(example.lengths)))
        share = gold / np.maximum(gold + noise, 1)
        return lambda example: share[self.of_example[_key(example)]]

    def weights(
        self, chosen: Sequence[Example], weigh: Callable[[Example], Numbers] = page_weights
    ) -> tuple[Numbers, Numbers]:
        """Return per path the weights of its gold and of its noise."""
        gold, noise = np.zeros(len(self.embedded)), np.zeros(len(self.embedded))
        for example in chosen:
            weight, codes = weigh(example), self.of_example[_key(example)]
            np.add.at(gold, codes, weight * (example.gold.labels == GOLD))
            np.add.at(noise, codes, weight * (example.gold.labels == NOISE))
        return gold, noise


def classified(embedded: Float32Array, classifier: Mapping[str, Float32Array]) -> Numbers:
    """Return the probabilities of embedded paths."""
    hidden = np.maximum(embedded @ classifier["dense_weight"].T + classifier["dense_bias"], 0)
    return sigmoid((hidden @ classifier["output_weight"].T + classifier["output_bias"])[:, 0].astype(np.float64))


def _key(example: Example) -> str:
    return f"{example.corpus}/{example.group}/{example.site}/{example.id}"


# --- baselines --------------------------------------------------------------------------------------------------------


def everything(example: Example) -> Numbers:
    """Return 1 for every text."""
    return np.ones(len(example.lengths))


def density(example: Example) -> Numbers:
    """Return how long a text's block is and how little of it is links; content from the threshold on."""
    column = {name: example.figures[:, k].astype(np.float64) for k, name in enumerate(example.names)}
    score = column["block_chars"] / np.log1p(DENSE_CHARS) * (1 - column["block_links"])
    return np.asarray(sigmoid(score - 1 + np.log(MIN_PROBABILITY / (1 - MIN_PROBABILITY))))


def baselines(examples: Sequence[Example]) -> dict[str, Chances]:
    """Return the baselines by name: everything, text density, and the extractors that are installed."""
    found: dict[str, Chances] = {"everything": everything, "text density": density}
    for name in sorted({name for example in examples for name in example.kept}):
        found[name] = lambda example, name=name: example.kept[name].astype(np.float64)  # type: ignore[misc]
    return found


# --- (i) sites seen in training ---------------------------------------------------------------------------------------


def seen_sites(pages: Sequence[Example], paths: Paths | None) -> Iterator[Row]:
    """Yield the thesis's protocol: unique pages, split by chance, the threshold chosen on the validation part.

    Its unit is the content of an element, formatted text joined; texts one by one are told apart where a label and a
    value share a content, which its gold may have done too. Both are given.
    """
    yield from _seen([as_contents(page) for page in unique(pages)], paths, "i, contents")
    yield from _seen(unique(pages), paths, "i, texts")


def _seen(pages: Sequence[Example], paths: Paths | None, protocol: str) -> Iterator[Row]:
    train, validate, test = split(pages)
    forest = fit(train[0].names, [(e.figures, e.gold.labels, _flat(e)) for e in train], SEEN, SEEN_TREES)
    variants: dict[str, Chances] = {"light": lambda page: sigmoid(forest.predict(page.figures.astype(np.float64)))}
    if paths:
        variants["edrew"] = paths.trained(train, edrew_training.SEEN_SETTINGS, _flat)
        variants[BOUND] = paths.bound(test)
    variants["everything"] = everything
    judge = judged_contents if protocol == "i, contents" else _judged
    for name, variant in variants.items():
        threshold = best_threshold(judge(test if name == BOUND else validate, variant))
        judged = judge(test, variant)
        for part in ("all", *sorted({example.group for example in test})):
            those = [pair for pair in judged if part in ("all", pair[0].group)]
            yield Row(protocol, part, name, _seen_figures(those, threshold, part))


def _seen_figures(judged: Judged, threshold: float, part: str) -> dict[str, float]:
    figures = text_score(judged, threshold).figures() | {"threshold": threshold}
    return figures | ({"thesis_f1": THESIS[part] / 100} if part in THESIS else {})


def as_contents(example: Example) -> Example:
    """Return the example with the label of its content for each text: gold if any text of it is."""
    best = np.full(int(example.runs.max()) + 1, NOISE, dtype=np.int8)
    for label in (LEFT_OUT, GOLD):
        best[example.runs[example.gold.labels == label]] = label
    return replace(example, gold=GoldTexts(best[example.runs]))


def judged_contents(pages: Sequence[Example], variant: Chances) -> list[tuple[Example, Numbers]]:
    """Return each page with one label and one chance per content."""
    found = []
    for page in pages:
        first = np.flatnonzero(np.diff(page.runs, prepend=-1))
        gold = GoldTexts(page.gold.labels[first])
        found.append((replace(page, gold=gold), joined(page, variant(page))[first]))
    return found


def _flat(example: Example) -> Numbers:
    return np.ones(len(example.lengths))


def unique(pages: Sequence[Example]) -> list[Example]:
    """Return the pages without those whose elements equal an earlier page's of the same vertical."""
    return list({(page.group, page.digest): page for page in reversed(pages)}.values())[::-1]


def split(pages: Sequence[Example]) -> tuple[list[Example], list[Example], list[Example]]:
    """Return the pages for training, validation and test."""
    order = np.random.default_rng(SEED).permutation(len(pages)).tolist()
    first, second = (int(share * len(pages)) for share in SPLIT)
    parts = order[:first], order[first:second], order[second:]
    train, validate, test = ([pages[k] for k in part] for part in parts)
    return train, validate, test


def best_threshold(judged: Judged) -> float:
    """Return the threshold with the best F1 of gold."""
    return max((k / 50 for k in range(1, 50)), key=lambda threshold: text_score(judged, threshold).counted.f1)


def _judged(pages: Sequence[Example], variant: Chances) -> list[tuple[Example, Numbers]]:
    return [(page, variant(page)) for page in pages]


# --- (ii) and (iv) sites not seen -------------------------------------------------------------------------------------


def unseen_sites(chosen: Sequence[Example], paths: Paths | None, each: Each) -> Iterator[Row]:
    """Yield cross-validation by site over both corpora: SWDE over texts, modern pages over elements."""
    folds = fold_of_sites(chosen)
    judged: dict[str, list[tuple[Example, Numbers]]] = {}
    for fold in range(FOLDS):
        each(f"    fold {fold + 1} of {FOLDS}")
        train = [e for e in chosen if folds[e.corpus, e.site] != fold]
        for name, variant in _variants(train, paths).items():
            held = [e for e in chosen if folds[e.corpus, e.site] == fold]
            judged.setdefault(name, []).extend(_judged(_able(held, name), variant))
    for name, variant in baselines(chosen).items():
        judged[name] = _judged(chosen, variant)
    for name, those in judged.items():
        yield from _rows("ii", "iv, by site", name, those)


def _variants(train: Sequence[Example], paths: Paths | None) -> dict[str, Chances]:
    page, site = train_page(train), train_site(train)
    variants: dict[str, Chances] = {
        "light": lambda example: example_chances(example, page),
        "light, 2 pages": lambda example: example_chances(example, site, 2),
        "light, 5 pages": lambda example: example_chances(example, site, 5),
    }
    if paths:
        variants["edrew"] = paths.trained(train)
    return variants


def _able(pages: Sequence[Example], variant: str) -> list[Example]:
    """Return the pages whose site has as many pages as the variant is given."""
    wanted = int(variant.split(",")[1].split()[0]) if "," in variant else 1
    return [page for page in pages if wanted == 1 or wanted in page.site_figures]


def _rows(texts_protocol: str, elements_protocol: str, name: str, judged: Judged) -> Iterator[Row]:
    swde = [pair for pair in judged if pair[0].corpus == "swde"]
    if swde and texts_protocol:
        yield Row(texts_protocol, "swde", name, text_score(swde, MIN_PROBABILITY).figures())
    modern = [pair for pair in judged if pair[0].corpus == "detail"]
    parts = {"all": modern} | {
        group: [pair for pair in modern if pair[0].group == group] for group in sorted({e.group for e, _ in modern})
    }
    for part, those in parts.items():
        if those and elements_protocol:
            figures = element_score(those, MIN_PROBABILITY).figures() | {"auc": text_score(those, MIN_PROBABILITY).auc}
            yield Row(elements_protocol, part, name, figures)


# --- (iii) verticals not seen -----------------------------------------------------------------------------------------


def unseen_verticals(chosen: Sequence[Example], paths: Paths | None, each: Each) -> Iterator[Row]:
    """Yield each vertical of SWDE judged by models that learned from the others, and from modern pages."""
    judged: dict[str, list[tuple[Example, Numbers]]] = {}
    for vertical in sorted({e.group for e in chosen if e.corpus == "swde"}):
        each(f"    {vertical}")
        train = [e for e in chosen if e.group != vertical]
        held = [e for e in chosen if e.group == vertical]
        page = train_page(train)
        variants: dict[str, Chances] = {"light": lambda example, page=page: example_chances(example, page)}  # type: ignore[misc]
        if paths:
            variants["edrew"] = paths.trained(train)
        for name, variant in variants.items():
            those = _judged(held, variant)
            judged.setdefault(name, []).extend(those)
            yield Row("iii", vertical, name, text_score(those, MIN_PROBABILITY).figures())
    for name, those in judged.items():
        yield Row("iii", "all", name, text_score(those, MIN_PROBABILITY).figures())


# --- (iv) modern pages from old ones ----------------------------------------------------------------------------------


def modern_from_swde(chosen: Sequence[Example], paths: Paths | None) -> Iterator[Row]:
    """Yield the modern pages judged by models that learned from SWDE alone."""
    modern = [e for e in chosen if e.corpus == "detail"]
    if not modern:
        return
    variants = _variants([e for e in chosen if e.corpus == "swde"], paths)
    del variants["light, 5 pages"]  # no site has as many
    for name, variant in variants.items():
        pages = _able(modern, name)
        yield from _rows("", "iv, from SWDE", name, _judged(pages, variant))
