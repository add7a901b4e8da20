"""How right ``peneira join`` is: on made catalogues, and on sites of SWDE that show some of the same things."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from peneira.joins.matching import Match, match
from peneira.joins.record_terms import exact_key, terms_of
from peneira_research.corpora.archives import read_swde
from peneira_research.corpora.made_catalogues import catalogues

Row = Mapping[str, str]
# The columns of each vertical that are compared, and the attribute that says which records are the same
SWDE = {"book": (("title", "author"), "isbn_13"), "camera": (("model", "manufacturer"), "model")}


@dataclass(frozen=True, slots=True)
class JoinOutcome:
    """The pairs found, those of the gold, and those that are in both."""

    name: str
    found: int
    gold: int
    right: int
    others: tuple[tuple[str, str, float], ...] = ()

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.found + self.gold) if self.found + self.gold else 1.0


def made_outcome(shared: int, seed: int, columns: Sequence[str]) -> JoinOutcome:
    """Return the outcome on two made catalogues with so many shared products, and half as many more in each."""
    made = catalogues(shared, shared // 2, seed)
    found = _pairs(made.left, made.right, columns)
    pairs = {(pair.left, pair.right) for pair in found}
    return JoinOutcome(f"made, {', '.join(columns)}", len(pairs), len(made.gold), len(pairs & made.gold))


@dataclass(frozen=True, slots=True)
class LargeJoin:
    """A join of large catalogues: its outcome, the processor seconds and the peak memory of the whole process."""

    outcome: JoinOutcome
    cpu_s: float
    peak_mb: float


def large_join(records: int, seed: int, columns: Sequence[str]) -> LargeJoin:
    """Return what joining two made catalogues takes that have so many records each, two thirds of them shared."""
    made = catalogues(records * 2 // 3, records - records * 2 // 3, seed)
    start = time.process_time()
    pairs = {(pair.left, pair.right) for pair in _pairs(made.left, made.right, columns)}
    cpu_s = time.process_time() - start
    outcome = JoinOutcome(f"made, {records:,} records each", len(pairs), len(made.gold), len(pairs & made.gold))
    return LargeJoin(outcome, cpu_s, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def swde_outcomes(folder: Path) -> list[JoinOutcome]:
    """Return the outcome over all pairs of sites of each vertical; pairs beyond the gold are given to be read."""
    return [_swde_outcome(name, folder / f"{name}.tar.xz") for name in SWDE]


def _swde_outcome(vertical: str, archive: Path) -> JoinOutcome:
    columns, key = SWDE[vertical]
    sites: dict[str, list[dict[str, str]]] = {}
    for page in read_swde(archive):
        row = {name: " ".join(values) for name, values in page.values.items() if values}
        sites.setdefault(page.site, []).append(row)
    found = gold = right = 0
    others: list[tuple[str, str, float]] = []
    for own, other in combinations(sorted(sites), 2):
        same = _same(sites[own], sites[other], key)
        pairs = _pairs(sites[own], sites[other], columns)
        found, gold = found + len(pairs), gold + len(same)
        for pair in pairs:
            if (pair.left, pair.right) in same:
                right += 1
            else:
                texts = (_shown(sites[own][pair.left], columns), _shown(sites[other][pair.right], columns))
                others.append((*texts, pair.score))
    return JoinOutcome(f"swde {vertical}, {', '.join(columns)}", found, gold, right, tuple(others))


def _pairs(left: Iterable[Row], right: Iterable[Row], columns: Sequence[str]) -> list[Match]:
    return match([terms_of(row, columns) for row in left], [terms_of(row, columns) for row in right])


def _same(left: Sequence[Row], right: Sequence[Row], key: str) -> set[tuple[int, int]]:
    """Return the records of both sides with the same key."""
    numbers = {exact_key(row[key]): n for n, row in enumerate(right) if key in row}
    keys = ((k, exact_key(row[key])) for k, row in enumerate(left) if key in row)
    return {(k, numbers[own]) for k, own in keys if own and own in numbers}


def _shown(row: Row, columns: Sequence[str]) -> str:
    return " | ".join(row.get(name, "") for name in columns)
