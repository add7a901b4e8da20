"""The tables of gold pages: one outcome per page, and what they come to per corpus and per field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import mean, median
from types import MappingProxyType

from peneira.columns.roles import RoleModels
from peneira.extraction import lists_of
from peneira.lists.auto import find_lists
from peneira.lists.ranking import Models
from peneira.methods import DEFAULT_METHOD
from peneira.methods import method as method_named
from peneira.page import Page
from peneira.result import Region
from peneira.sources.html import read_page
from peneira.table import Column
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.scores.table_score import TableScore, column_roles, score_table, table_records
from peneira_research.workers import in_processes


@dataclass(frozen=True, slots=True)
class TableModels:
    """The models that a page's table is made by; None: those that ship."""

    lists: Models | None = None
    roles: RoleModels | None = None


SHIPPED = TableModels()


@dataclass(frozen=True, slots=True)
class TableOutcome:
    """The score of the columns that a page's table shows; ``found_all``: gold values found in any column at all.

    ``columns``: the name and role of each column shown.
    """

    id: str
    corpus: str
    site: str
    score: TableScore
    found_all: int = 0
    columns: tuple[tuple[str, str], ...] = ()
    records: int = 0
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Shares:
    """The shares of a table score, and ``found_all``; None where there is nothing to take a share of."""

    whole: float | None
    astray: float | None
    found: float | None
    found_all: float | None
    named: float | None
    redundant: float | None


@dataclass(frozen=True, slots=True)
class TableMetrics:
    """The shares of several pages: ``pooled`` over values, (page, field) pairs and columns, and the ``mean`` of pages.

    ``median_columns``: over the pages that have a table; ``no_table``: how many have none.
    """

    pages: int
    pooled: Shares
    mean: Shares
    median_columns: float | None
    no_table: int
    errors: int


@dataclass(frozen=True, slots=True)
class FieldMetrics:
    """A field over several pages: its gold values and those found; on how many pages it was found, and named.

    ``named`` is None for a field without a role; ``columns``: the names of its columns, most frequent first.
    """

    values: int
    found: int
    pages: int
    named: int | None
    columns: tuple[tuple[str, int], ...] = ()


def pages_with_fields(pages: Iterable[GoldPage]) -> list[GoldPage]:
    """Return the pages whose tables are scored: those with gold fields of all their records."""
    return [page for page in pages if page.has_fields]


def table_outcomes(
    pages: Sequence[GoldPage], *, unseen: Mapping[str, TableModels] = MappingProxyType({}), jobs: int = 1
) -> Iterator[TableOutcome]:
    """Yield the outcome of each page, in order. ``unseen``: models by site, in place of those that ship."""
    task = partial(table_outcome, unseen=dict(unseen))
    return map(task, pages) if jobs == 1 else in_processes(task, pages, jobs=jobs)


def table_outcome(gold: GoldPage, unseen: Mapping[str, TableModels] = MappingProxyType({})) -> TableOutcome:
    """Return the score of one page's table; a failure scores like a page without a table."""
    try:
        page = read_page(gold.body(), url=gold.url)
        return scored(gold, main_region(page, unseen.get(gold.site, SHIPPED)))
    except Exception as error:  # a failure on one page must not stop the others
        return replace(scored(gold, None), error=f"{type(error).__name__}: {error}")


def main_region(page: Page, models: TableModels) -> Region | None:
    """Return the main list of a page with its columns, made by these models."""
    method = method_named(DEFAULT_METHOD)
    if models.lists is not None:
        method = replace(method, find=partial(find_lists, models=models.lists))
    return lists_of(page, method, role_models=models.roles).main


def scored(gold: GoldPage, region: Region | None) -> TableOutcome:
    """Return the outcome of a page whose main list is this region."""
    shown = region.columns if region else ()
    every = (region.all_columns or region.columns) if region else ()
    return TableOutcome(
        id=gold.id,
        corpus=gold.corpus,
        site=gold.site,
        score=_score(gold, region, shown),
        found_all=_score(gold, region, every).found,
        columns=tuple((column.name, column.role) for column in shown),
        records=len(region.records) if region else 0,
    )


def _score(gold: GoldPage, region: Region | None, columns: Sequence[Column]) -> TableScore:
    return score_table(gold.anchors or (), gold.fields, table_records(region, columns), column_roles(columns))


def table_metrics(outcomes: Sequence[TableOutcome]) -> TableMetrics:
    """Return the metrics of several pages."""
    widths = [outcome.score.columns for outcome in outcomes if outcome.score.columns]
    return TableMetrics(
        pages=len(outcomes),
        pooled=_pooled(outcomes),
        mean=_mean(outcomes),
        median_columns=median(widths) if widths else None,
        no_table=len(outcomes) - len(widths),
        errors=sum(outcome.error is not None for outcome in outcomes),
    )


def metrics_by_corpus(outcomes: Sequence[TableOutcome]) -> dict[str, TableMetrics]:
    """Return the metrics of each corpus, in the order of the outcomes."""
    names = dict.fromkeys(outcome.corpus for outcome in outcomes)
    return {name: table_metrics([outcome for outcome in outcomes if outcome.corpus == name]) for name in names}


def metrics_by_field(outcomes: Sequence[TableOutcome]) -> dict[str, FieldMetrics]:
    """Return the metrics of each field, the one with most gold values first."""
    names = Counter[str]()
    for outcome in outcomes:
        names.update({name: tally.values for name, tally in outcome.score.fields.items()})
    return {name: _field_metrics(name, outcomes) for name, _ in names.most_common()}


def _field_metrics(name: str, outcomes: Sequence[TableOutcome]) -> FieldMetrics:
    tallies = [outcome.score.fields[name] for outcome in outcomes if name in outcome.score.fields]
    found = [tally for tally in tallies if tally.found]
    named = [tally.is_named for tally in found if tally.is_named is not None]
    return FieldMetrics(
        values=sum(tally.values for tally in tallies),
        found=sum(tally.found for tally in tallies),
        pages=len(found),
        named=sum(named) if named else None,
        columns=tuple(Counter(tally.column for tally in found).most_common()),
    )


def worst(outcomes: Sequence[TableOutcome], number: int) -> list[TableOutcome]:
    """Return the pages with the lowest mean of the shares found, named and not redundant; without a table it is 0."""
    return sorted(outcomes, key=lambda outcome: (_quality(outcome.score), outcome.id))[:number]


def _quality(score: TableScore) -> float:
    if score.redundant_share is None:
        return 0.0
    shares = (score.found_share, score.named_share, 1 - score.redundant_share)
    return mean(share for share in shares if share is not None)


def _pooled(outcomes: Sequence[TableOutcome]) -> Shares:
    def share(part: Callable[[TableScore], int], whole: Callable[[TableScore], int]) -> float | None:
        return _share(sum(part(o.score) for o in outcomes), sum(whole(o.score) for o in outcomes))

    return Shares(
        whole=share(lambda score: score.whole, lambda score: score.texts),
        astray=share(lambda score: score.astray, lambda score: score.texts),
        found=share(lambda score: score.found, lambda score: score.values),
        found_all=_share(sum(o.found_all for o in outcomes), sum(o.score.values for o in outcomes)),
        named=share(lambda score: score.named, lambda score: score.role_fields),
        redundant=share(lambda score: len(score.redundant), lambda score: score.columns),
    )


def _mean(outcomes: Sequence[TableOutcome]) -> Shares:
    def over_pages(shares: Iterable[float | None]) -> float | None:
        known = [share for share in shares if share is not None]
        return mean(known) if known else None

    return Shares(
        whole=over_pages(o.score.whole_share for o in outcomes),
        astray=over_pages(o.score.astray_share for o in outcomes),
        found=over_pages(o.score.found_share for o in outcomes),
        found_all=over_pages(_share(o.found_all, o.score.values) for o in outcomes),
        named=over_pages(o.score.named_share for o in outcomes),
        redundant=over_pages(o.score.redundant_share for o in outcomes),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
