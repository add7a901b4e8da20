"""Training and judging what finds the main list: candidates of pages with gold, each with its record score.

Pages also teach in other forms (``copies.py``), as short lists, bare titles and grids are rare in the corpora and not
on the web. Copies belong to the site of their page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peneira.bench.copies import bare_titles, few_records, rows_of_records
from peneira.bench.corpora import Corpora
from peneira.bench.score import record_size, right_records, squeeze
from peneira.bench.workers import in_processes
from peneira.errors import MissingExtra
from peneira.forest import Forest, grown
from peneira.page import Page
from peneira.paths.evidence import Sums
from peneira.records.candidates import Candidates, candidates
from peneira.records.evidence import Evidence, Figures
from peneira.records.facts import Facts
from peneira.records.members import member_figures
from peneira.records.rank import FINALISTS, Models, final_figures, rows_of, trust_figures
from peneira.records.relations import relations
from peneira.sources.html import read_page

Numbers = NDArray[np.float64]
Small = NDArray[np.float32]

FOLDS = 5
INNER_FOLDS = 6
# A list is right from this record score on
RIGHT = 0.9
# Copies: how much of the page's weight they have, which pages have any, the share of anchors that must be left
COPY_WEIGHT = 0.2
LEAST_ANCHORS_LEFT = 0.7
LEAST_TO_COPY = 5
LEAST_SCORE_TO_COPY = 0.97
# A ranking is learned from whole grades of the squared record score: what is nearly right must lose to what is right
GRADES = 30
# Detail pages, of which there are many: so many of each site, each with so much weight
DETAILS_PER_SITE = 2
DETAIL_WEIGHT = 0.4
# Candidates whose members teach what a record is
LEAST_SCORE_OF_LISTS = 0.6
LISTS_FOR_MEMBERS = 5

HOW: Mapping[str, Any] = {
    "objective": "l2", "learning_rate": 0.07, "num_leaves": 24, "min_data_in_leaf": 30, "feature_fraction": 0.3,
    "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 5.0, "max_bin": 63, "max_depth": 7, "verbose": -1,
    "num_threads": 1, "seed": 1, "deterministic": True, "force_col_wise": True,
}  # fmt: skip
SCREEN = {"trees": 250}
CHOICE = {
    "trees": 200, "learning_rate": 0.05, "min_data_in_leaf": 20, "objective": "lambdarank",
    "lambdarank_truncation_level": 10,
}  # fmt: skip
TRUST = {"trees": 80, "num_leaves": 8, "learning_rate": 0.05, "min_data_in_leaf": 40}
MEMBERS = {"trees": 80, "num_leaves": 12, "min_data_in_leaf": 60}


@dataclass(frozen=True, slots=True)
class Example:
    """A page's candidates, their figures, their record scores; and members of its right lists, right or not."""

    id: str
    site: str
    weight: float
    rows: int
    found: Candidates
    names: tuple[str, ...]
    figures: Small
    worth: Numbers
    page_figures: tuple[float, bool]
    member_names: tuple[str, ...] = ()
    members: Small | None = None
    member_worth: Numbers | None = None

    def figures_of(self, which: NDArray[np.int64]) -> Figures:
        """Return the figures of some candidates by name."""
        return rows_of(dict(zip(self.names, self.figures.T, strict=True)), which)


# --- examples -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lesson:
    """A page to learn from; one without anchors has no list."""

    id: str
    site: str
    body: bytes
    anchors: tuple[str, ...]
    weight: float
    number: int


def examples(corpora: Corpora, *, jobs: int) -> Iterator[Example]:
    """Yield the examples of each page that has gold, copies included; and of detail pages, which have no list."""
    for those in in_processes(_examples, list(_lessons(corpora)), jobs=jobs):
        yield from those


def _lessons(corpora: Corpora) -> Iterator[Lesson]:
    for number, gold in enumerate(corpora.pages()):
        if (gold.anchors or gold.is_negative) and not gold.is_partial:
            yield Lesson(gold.id, gold.site, gold.body(), gold.anchors or (), 1.0, number)
    taken: Counter[str] = Counter()
    for detail in corpora.detail() if corpora.has_detail else ():
        taken[detail.site] += 1
        if taken[detail.site] <= DETAILS_PER_SITE:
            yield Lesson(f"{detail.id} (detail)", detail.site, detail.body, (), DETAIL_WEIGHT, 0)


def _examples(lesson: Lesson) -> list[Example]:
    page = read_page(lesson.body)
    first = _example(lesson, page, lesson.anchors)
    return [first, *_copies(page, first, lesson)] if first else []


def _example(lesson: Lesson, page: Page, anchors: Sequence[str]) -> Example | None:
    sums = Sums(page)
    found = candidates(page, sums)
    if not len(found):
        return None
    facts = Facts(page, sums)
    figures = Evidence(facts, found).figures()
    scorer = Scorer(page, anchors)
    worth = scorer.worth(found)
    example = Example(
        lesson.id, lesson.site, lesson.weight, len(page), found, tuple(figures), _stacked(figures), worth,
        (facts.prose_share, facts.is_article),
    )  # fmt: skip
    best = np.argsort(-worth, kind="stable")[:LISTS_FOR_MEMBERS]
    lists = found.chosen(best[worth[best] >= LEAST_SCORE_OF_LISTS])
    if not len(lists):
        return example
    members = member_figures(Evidence(facts, lists))
    right = np.asarray(scorer.held(lists).any(axis=1), dtype=np.float64)
    return replace(example, member_names=tuple(members), members=_stacked(members), member_worth=right)


def _stacked(figures: Figures) -> Small:
    return np.column_stack(list(figures.values())).astype(np.float32)


def _copies(page: Page, example: Example, lesson: Lesson) -> Iterator[Example]:
    """Yield examples of the page in other forms, as far as its gold is found in them."""
    best = int(example.worth.argmax())
    ranges = example.found.ranges(best)
    if example.worth[best] < LEAST_SCORE_TO_COPY or len(ranges) < LEAST_TO_COPY:
        return
    chance = np.random.default_rng(lesson.number)
    held = Scorer(page, lesson.anchors).held(example.found.chosen(np.array([best])))
    for form, copy, kept in _forms(page, ranges, chance, titles=bool(lesson.number % 2)):
        there = np.logical_or.reduce(held[kept], axis=0)
        places = Scorer(copy, lesson.anchors).places
        anchors = [anchor for k, anchor in enumerate(lesson.anchors) if there[k] and len(places[k])]
        if len(anchors) < max(2, LEAST_ANCHORS_LEFT * int(there.sum())):
            continue
        if (taught := _example(lesson, copy, anchors)) is not None:
            yield replace(taught, id=f"{lesson.id} ({form})", weight=COPY_WEIGHT)


def _forms(
    page: Page, ranges: list[tuple[int, int]], chance: np.random.Generator, *, titles: bool
) -> Iterator[tuple[str, Page, slice]]:
    yield "few", *few_records(page, ranges, chance)
    if titles:
        yield "titles", bare_titles(page, ranges), slice(None)
    elif rows := rows_of_records(page, ranges, chance):
        yield "rows", rows, slice(None)


class Scorer:
    """The record score of many candidates of one page at once: anchors are found once, records are slices of text."""

    def __init__(self, page: Page, anchors: Sequence[str]) -> None:
        rows = np.flatnonzero((page.tag == 0) & ~page.silent)
        rows = rows[(rows >= page.body) & (rows < page.end[page.body])]
        pieces = [squeeze(page.text[i]) for i in rows.tolist()]
        lengths = np.zeros(len(page), dtype=np.int64)
        lengths[rows] = [len(piece) for piece in pieces]
        self.text = "".join(pieces)
        self.offset = np.concatenate(([0], np.cumsum(lengths)))
        self.keys = [squeeze(anchor) for anchor in anchors]
        self.distance = record_size(anchors, self.text)
        self.places = [np.array(list(_occurrences(self.text, key)), dtype=np.int64) for key in self.keys]

    def held(self, found: Candidates) -> NDArray[np.bool_]:
        """Return which record (row) holds which anchor (column)."""
        begin, end = self.offset[found.starts], self.offset[found.ends]
        held = np.zeros((len(begin), len(self.keys)), dtype=np.bool_)
        for k, (places, key) in enumerate(zip(self.places, self.keys, strict=True)):
            next_place = np.append(places, len(self.text) + 1)[np.searchsorted(places, begin)]
            held[:, k] = next_place + len(key) <= end
        return held

    def worth(self, found: Candidates) -> Numbers:
        """Return the record score of each candidate."""
        worth = np.zeros(len(found))
        if not self.keys:
            return worth
        held = self.held(found)
        sizes = self.offset[found.ends] - self.offset[found.starts]
        for k, (first, count) in enumerate(zip(found.first.tolist(), found.counts.tolist(), strict=True)):
            those = slice(first, first + count)
            if held[those].any():
                worth[k] = self._score(held[those], sizes[those])
        return worth

    def _score(self, held: NDArray[np.bool_], sizes: NDArray[np.int64]) -> float:
        right = right_records([np.flatnonzero(row).tolist() for row in held], self.keys)
        if not right:
            return 0.0
        f1 = 2 * len(right) / (len(held) + len(self.keys))
        whole = min(1.0, 2 * median(sizes[right].tolist()) / self.distance) if self.distance else 1.0
        return f1 * whole * min(1.0, 1.02 * len(self.text) / max(int(sizes.sum()), 1))


def _occurrences(text: str, key: str) -> Iterator[int]:
    place = text.find(key) if key else -1
    while place >= 0:
        yield place
        place = text.find(key, place + 1)


# --- training -------------------------------------------------------------------------------------------------------


def train(chosen: Sequence[Example]) -> Models:
    """Return the models. What a later model learns from is always the outcome of models that did not see the page."""
    folds = fold_of(chosen, INNER_FOLDS)
    scores: dict[str, Numbers] = {}
    for fold in range(INNER_FOLDS):
        screen = _screen([example for example in chosen if folds[example.site] != fold])
        scores |= {e.id: screen.predict(e.figures.astype(np.float64)) for e in chosen if folds[e.site] == fold}
    finals = {example.id: _final(example, scores[example.id]) for example in chosen}
    trusts: list[tuple[Example, Figures, Numbers]] = []
    for fold in range(INNER_FOLDS):
        choice = _choice([example for example in chosen if folds[example.site] != fold], finals)
        trusts += [_trusted(e, finals[e.id], choice) for e in chosen if folds[e.site] == fold]
    return Models(_screen(chosen), _choice(chosen, finals), _trust(trusts), _members(chosen))


def models_by_site(chosen: Sequence[Example], *, jobs: int) -> dict[str, Models]:
    """Return for each site the models of a training that saw no page of it."""
    folds = fold_of(chosen, FOLDS)
    parts = [[example for example in chosen if folds[example.site] != fold] for fold in range(FOLDS)]
    trained = list(in_processes(train, parts, jobs=jobs, chunk=1))
    return {site: trained[fold] for site, fold in folds.items()}


@dataclass(frozen=True, slots=True)
class Final:
    """The finalists of a page: which they are, which of them lie apart, their figures and record scores."""

    which: NDArray[np.int64]
    apart: NDArray[np.bool_]
    figures: Figures
    worth: Numbers


def _final(example: Example, scores: Numbers) -> Final:
    which = np.argsort(-scores, kind="stable")[:FINALISTS]
    found = example.found.chosen(which)
    related = relations(example.rows, found)
    figures = final_figures(related, found.counts, scores[which], example.figures_of(which))
    return Final(which, related["apart"], figures, example.worth[which])


def _screen(chosen: Sequence[Example]) -> Forest:
    names = chosen[0].names
    return _fit(names, [(e.figures, e.worth, e.weight / np.sqrt(len(e.worth))) for e in chosen], SCREEN)


def _choice(chosen: Sequence[Example], finals: Mapping[str, Final]) -> Forest:
    names = tuple(finals[chosen[0].id].figures)
    rows = [(_stacked(finals[e.id].figures), finals[e.id].worth, e.weight) for e in chosen]
    return _fit(names, rows, CHOICE)


def _trusted(example: Example, final: Final, choice: Forest) -> tuple[Example, Figures, Numbers]:
    scores = choice.predict(np.column_stack([final.figures[name] for name in choice.names]).astype(np.float64))
    order = np.argsort(-scores, kind="stable")
    apart = final.apart[np.ix_(order, order)]
    figures = trust_figures(example.page_figures, apart, rows_of(final.figures, order), scores[order])
    return example, figures, (final.worth[order] >= RIGHT).astype(np.float64)


def _trust(trusts: Sequence[tuple[Example, Figures, Numbers]]) -> Forest:
    names = tuple(trusts[0][1])
    # the list that wins is what is trusted or not; the others count little
    weights = [np.where(figures["final_rank"] == 0, 1.0, 0.1) * example.weight for example, figures, _ in trusts]
    rows = [(_stacked(figures), right, weight) for (_, figures, right), weight in zip(trusts, weights, strict=True)]
    return _fit(names, rows, TRUST)


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
    table = np.concatenate([figures for figures, _, _ in rows])
    target = np.concatenate([worth for _, worth, _ in rows])
    weight = np.concatenate([np.broadcast_to(weight, worth.shape) for _, worth, weight in rows])
    settings = {**HOW, **{key: value for key, value in how.items() if key != "trees"}}
    data = lightgbm.Dataset(table, target, weight=weight / weight.mean())
    if settings["objective"] == "lambdarank":
        settings["label_gain"] = list(range(GRADES + 1))
        data.set_label(np.round(target**2 * GRADES))
        data.set_group([len(worth) for _, worth, _ in rows])
    booster = lightgbm.train(settings, data, how["trees"])
    trees = [tree_rows(info["tree_structure"]) for info in booster.dump_model()["tree_info"]]
    return Forest.from_json(grown(names, trees).to_json())  # as rounded as it will be read


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
