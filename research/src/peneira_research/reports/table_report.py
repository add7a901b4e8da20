"""The tables of ``bench table`` for a reader, and its JSON document."""

from __future__ import annotations

from collections.abc import ItemsView, Mapping, Sequence
from dataclasses import asdict

from rich.table import Table

from peneira_research.reports.console import plain_table
from peneira_research.scores.table_score import FieldTally
from peneira_research.studies.table_outcomes import (
    FieldMetrics,
    Shares,
    TableMetrics,
    TableOutcome,
    metrics_by_corpus,
    metrics_by_field,
)

_SHARES = ("whole", "astray", "found", "found_all", "named", "redundant")
_MAX_COLUMN_NAMES = 6


def corpora_table(metrics: Mapping[str, TableMetrics]) -> Table:
    """Return two rows per corpus: its shares pooled over all pages, and the mean of the pages' shares."""
    table = plain_table("corpus", "over", "pages", "no table", *_SHARES, "median columns", left=("corpus", "over"))
    for name, row in metrics.items():
        width = "" if row.median_columns is None else f"{row.median_columns:g}"
        table.add_row(name, "all values", str(row.pages), str(row.no_table), *_cells(row.pooled), width)
        table.add_row("", "mean of pages", "", "", *_cells(row.mean), "")
    return table


def fields_table(metrics: Mapping[str, FieldMetrics]) -> Table:
    """Return a row per field: its values and those found, the pages it was found on, how many name it, and how."""
    heads = ("field", "values", "found", "share", "pages", "named", "columns")
    table = plain_table(*heads, left=("field", "columns"))
    for name, row in metrics.items():
        named = "" if row.named is None else str(row.named)
        share = f"{row.found / row.values:.3f}" if row.values else ""
        columns = ", ".join(f"{column} {times}" for column, times in row.columns[:_MAX_COLUMN_NAMES])
        table.add_row(name, str(row.values), str(row.found), share, str(row.pages), named, columns)
    return table


def worst_pages_table(outcomes: Sequence[TableOutcome]) -> Table:
    """Return the given pages with their shares, the column of each gold field, and the columns of the table."""
    heads = ("page", "found", "named", "redundant", "width", "field: column", "columns, - redundant")
    table = plain_table(*heads, left=("page", "field: column", "columns, - redundant"))
    for outcome in outcomes:
        score = outcome.score
        shares = (score.found_share, score.named_share, score.redundant_share)
        table.add_row(
            outcome.id,
            *(_number(share) for share in shares),
            str(score.columns),
            outcome.error or _columns_of_fields(score.fields.items()),
            ", ".join(_shown(name, role, name in score.redundant) for name, role in outcome.columns),
        )
    return table


def table_document(outcomes: Sequence[TableOutcome]) -> dict[str, object]:
    """Return the metrics per corpus and per field, and the score of each page."""
    corpora = metrics_by_corpus(outcomes)
    return {
        "corpora": {name: asdict(metrics) for name, metrics in corpora.items()},
        "fields": {
            name: {
                field: asdict(metrics)
                for field, metrics in metrics_by_field([o for o in outcomes if o.corpus == name]).items()
            }
            for name in corpora
        },
        "pages": [_page(outcome) for outcome in outcomes],
    }


def _page(outcome: TableOutcome) -> dict[str, object]:
    score = outcome.score
    return {
        "id": outcome.id,
        "corpus": outcome.corpus,
        "site": outcome.site,
        "error": outcome.error,
        "records": outcome.records,
        "whole": score.whole_share,
        "astray": score.astray_share,
        "found": score.found_share,
        "found_all": outcome.found_all / score.values if score.values else None,
        "named": score.named_share,
        "redundant": score.redundant_share,
        "columns": [{"name": name, "role": role} for name, role in outcome.columns],
        "redundant_columns": score.redundant,
        "fields": {name: asdict(tally) for name, tally in score.fields.items()},
    }


def _cells(shares: Shares) -> list[str]:
    return [_number(getattr(shares, name)) for name in _SHARES]


def _number(share: float | None) -> str:
    return "" if share is None else f"{share:.3f}"


def _columns_of_fields(fields: ItemsView[str, FieldTally]) -> str:
    """Return where each field was found; a field whose column is not named by it is marked."""
    return ", ".join(
        f"{'!' if tally.is_named is False else ''}{name}: {tally.column or '-'} {tally.found}/{tally.values}"
        for name, tally in fields
    )


def _shown(name: str, role: str, is_redundant: bool) -> str:
    return f"{'-' if is_redundant else ''}{name}{f' ({role})' if role and role != name else ''}"
