"""How well main lists are found and cut, per corpus: the record score with its interval, whole records, confidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from peneira_research.scores.resampling import interval
from peneira_research.studies.page_outcomes import Outcome

# A list of this confidence is one that a user would take without looking
CONFIDENT = 0.9

CLASSIC = "classic"
ALL = "all"


@dataclass(frozen=True, slots=True)
class CutQuality:
    """How well records are cut on the pages whose gold has fields. Shares, 0..1.

    ``whole`` and ``astray``: of all gold texts of these pages, those in their record, and those in a record beside it.
    ``out_of_phase``: pages on which a tenth of the texts or more is astray. ``perfect``: pages on which every record is
    right, none is missing or too many, and every gold text is in its record.
    """

    pages: int
    whole: float
    astray: float
    out_of_phase: float
    perfect: float


@dataclass(frozen=True, slots=True)
class ListQuality:
    """The pages with gold records, their mean F1, and its interval of 95 %, by a bootstrap that resamples sites.

    ``confident``: number of pages with a main list of a confidence of ``CONFIDENT`` or more; ``confident_right``: the
    share of them on which it is right. ``cut`` is None where the gold has no fields.
    """

    pages: int
    f1: float
    low: float
    high: float
    confident: int
    confident_right: float | None
    cut: CutQuality | None

    @property
    def confident_share(self) -> float:
        """The share of the pages that have a confident main list."""
        return self.confident / self.pages


def quality_by_corpus(outcomes: Iterable[Outcome], classic: Sequence[str] = ()) -> dict[str, ListQuality]:
    """Return the quality on each corpus, on those named classic together, and on all pages. The outcomes of one method.

    Rows of several corpora are left out where there is only one.
    """
    rows = [outcome for outcome in outcomes if outcome.is_counted]
    names = list(dict.fromkeys(row.corpus for row in rows))
    groups = {name: [row for row in rows if row.corpus == name] for name in names}
    old = [name for name in names if name in classic]
    if len(old) > 1:
        groups[CLASSIC] = [row for name in old for row in groups[name]]
    if len(names) > 1:
        groups[ALL] = rows
    return {name: list_quality(group) for name, group in groups.items()}


def list_quality(rows: Sequence[Outcome]) -> ListQuality:
    """Return the quality on pages that count (``Outcome.is_counted``), at least one."""
    low, high = bootstrap_interval(rows)
    confident = [row for row in rows if row.confidence is not None and row.confidence >= CONFIDENT]
    return ListQuality(
        pages=len(rows),
        f1=_mean(rows, _f1),
        low=low,
        high=high,
        confident=len(confident),
        confident_right=_mean(confident, lambda row: row.is_right) if confident else None,
        cut=_cut_quality([row for row in rows if row.texts]),
    )


def bootstrap_interval(rows: Sequence[Outcome]) -> tuple[float, float]:
    """Return the interval of the mean F1 over pages, by resampling sites: pages of one site fall and rise together."""
    found = interval([_f1(row) for row in rows], [row.site for row in rows])
    return found.low, found.high


def is_perfect(row: Outcome) -> bool:
    """Return whether every record of a page is right and whole, and no gold record is missing."""
    return row.f1 == 1.0 and row.whole == row.texts


def _cut_quality(rows: Sequence[Outcome]) -> CutQuality | None:
    if not rows:
        return None
    texts = sum(row.texts or 0 for row in rows)
    return CutQuality(
        pages=len(rows),
        whole=sum(row.whole or 0 for row in rows) / texts,
        astray=sum(row.astray or 0 for row in rows) / texts,
        out_of_phase=_mean(rows, lambda row: bool(row.out_of_phase)),
        perfect=_mean(rows, is_perfect),
    )


def _mean(rows: Sequence[Outcome], measure: Callable[[Outcome], float]) -> float:
    return fmean(map(measure, rows))


def _f1(row: Outcome) -> float:
    return row.f1 or 0.0
