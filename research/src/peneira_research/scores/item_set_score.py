"""The evaluation of the G-STM prototype (Moura 2018, chapter 4): records as sets of data items.

Each record is the set of its values, without empty ones and those that more than 80 % of the records have. A record of
the page and one of the gold match if the F-score of their sets is above 0.35. Items count only in records that match:
the items of other records are all wrong, or all missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from peneira.extraction import extract
from peneira.result import Extraction
from peneira.sources.html import read_page
from peneira.templates.template_columns import MAX_COMMON_SHARE
from peneira_research.corpora.gold_pages import GoldPage, value_texts
from peneira_research.scores.resampling import RESAMPLINGS, SEED, bounds
from peneira_research.squeezed_text import squeeze

# Records match above this F-score of their values (Moura 2018)
MIN_F = 0.35
# The kinds of lists that the thesis is about, and those nearest to them
KINDS = ("job listing", "search results", "serp", "court opinions", "court oral arguments", "docket entries")

Items = frozenset[str]


@dataclass(frozen=True, slots=True)
class Counts:
    """How many are right, wrong and missing."""

    right: int = 0
    wrong: int = 0
    missing: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.right + other.right, self.wrong + other.wrong, self.missing + other.missing)

    @property
    def precision(self) -> float:
        """The share of what was found that is right."""
        return self.right / (self.right + self.wrong) if self.right else 0.0

    @property
    def recall(self) -> float:
        """The share of what is there that was found."""
        return self.right / (self.right + self.missing) if self.right else 0.0

    @property
    def f_score(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.right / (2 * self.right + self.wrong + self.missing) if self.right else 0.0


def f_bounds(parts: Sequence[Counts]) -> tuple[float, float] | None:
    """Return the interval of 95 % of the F-score of all parts together, by resampling them; None for less than two."""
    if len(parts) < 2:
        return None
    right = np.array([part.right for part in parts])
    errors = np.array([part.wrong + part.missing for part in parts])
    chosen = np.random.default_rng(SEED).integers(0, len(parts), (RESAMPLINGS, len(parts)))
    rights = 2 * right[chosen].sum(axis=1)
    return bounds(rights / np.maximum(rights + errors[chosen].sum(axis=1), 1))


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The counts of one page."""

    page: str
    kind: str
    method: str
    records: Counts
    items: Counts


def evaluate(gold: GoldPage, method: str) -> Evaluation:
    """Return the counts of a method on a page with gold fields."""
    found = record_sets(extract(read_page(gold.body()), method=method))
    wanted = [_set(text for value in record.values() for text in value_texts(value)) for record in gold.fields]
    records, items = compare(found, wanted)
    return Evaluation(gold.id, gold.kind, method, records, items)


def record_sets(result: Extraction) -> list[Items]:
    """Return the values of each record of the main list, without the items of the template.

    Those of the columns that are shown: the others hold template text and repetitions of values that are shown.
    """
    if not result.main:
        return []
    names = [column.name for column in result.main.columns]
    sets = [
        _set(value for name in names if (cell := record.get(name)) for value in (cell.items or (cell.text,)))
        for record in result.main.records
    ]
    return without_template(sets)


def without_template(sets: Sequence[Items]) -> list[Items]:
    """Return the sets without the items that more than 80 % of them have."""
    items = {item for record in sets for item in record}
    common = {item for item in items if sum(item in record for record in sets) > MAX_COMMON_SHARE * len(sets)}
    return [record - common for record in sets] if len(sets) > 1 else list(sets)


def compare(found: Sequence[Items], wanted: Sequence[Items]) -> tuple[Counts, Counts]:
    """Return the counts of records and of items. Each gold record in order is paired with the first free match."""
    unpaired = list(range(len(found)))
    items = Counts()
    matched = 0
    for gold in wanted:
        partner = next((k for k in unpaired if _f_score(found[k], gold) > MIN_F), None)
        if partner is None:
            items += Counts(missing=len(gold))
            continue
        unpaired.remove(partner)
        matched += 1
        common = len(found[partner] & gold)
        items += Counts(common, len(found[partner]) - common, len(gold) - common)
    items += Counts(wrong=sum(len(found[k]) for k in unpaired))
    return Counts(matched, len(unpaired), len(wanted) - matched), items


def _f_score(found: Items, gold: Items) -> float:
    total = len(found) + len(gold)
    return 2 * len(found & gold) / total if total else 0.0


def _set(values: Iterable[str]) -> Items:
    return frozenset(squeezed for value in values if (squeezed := squeeze(value)))


def by_kind(evaluations: Sequence[Evaluation]) -> dict[str, tuple[int, Counts, Counts]]:
    """Return the pages and the sums of their counts for each kind, and for all."""
    names = [*dict.fromkeys(evaluation.kind for evaluation in evaluations), "all"]
    table = {}
    for name in names:
        of_kind = [evaluation for evaluation in evaluations if name in (evaluation.kind, "all")]
        table[name] = (
            len(of_kind),
            sum((evaluation.records for evaluation in of_kind), Counts()),
            sum((evaluation.items for evaluation in of_kind), Counts()),
        )
    return table
