"""The tables of ``bench fields`` for a reader, and its JSON document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from rich.table import Table

from peneira_research.reports.console import plain_table
from peneira_research.scores.field_score import FieldMetrics, FieldOutcome, metrics_by_field

_MAX_TEXT_CHARS = 60


def fields_table(metrics_by_name: Mapping[str, FieldMetrics]) -> Table:
    """Return a row per group of gold values, and a row per field name."""
    heads = ("values", "gold", "reachable", "found", "of all", "default", "purity", "dates", "mistyped")
    table = plain_table(*heads, left=("values",))
    for name, metrics in metrics_by_name.items():
        shares = (
            metrics.found,
            metrics.found_of_all,
            metrics.in_default_columns,
            metrics.purity,
            metrics.dates_typed,
        )
        table.add_row(
            name,
            str(metrics.values),
            str(metrics.reachable),
            *("" if share is None else f"{share:.3f}" for share in shares),
            str(metrics.mistyped),
        )
    return table


def worst_pages_table(outcomes: Sequence[FieldOutcome], number: int) -> Table:
    """Return the pages that miss most values of right records, with an example of a missing value."""
    missing = [(page, [v for v in page.values if v.is_reachable and not v.columns]) for page in outcomes]
    missing.sort(key=lambda pair: (-len(pair[1]), pair[0].id))
    table = plain_table("page", "missed", "of", "for example", left=("page", "for example"))
    for page, values in missing[:number]:
        if values:
            reachable = sum(value.is_reachable for value in page.values)
            example = page.error or f"{values[0].field}: {values[0].text[:_MAX_TEXT_CHARS]}"
            table.add_row(page.id, str(len(values)), str(reachable), example)
    return table


def fields_document(outcomes: Sequence[FieldOutcome]) -> dict[str, object]:
    """Return the metrics and, for each page, the values missed or mistyped."""
    return {
        "metrics": _metrics(outcomes),
        "pages": [
            {
                "id": page.id,
                "site": page.site,
                "columns": page.columns,
                "error": page.error,
                "metrics": _metrics([page]),
                "missed": [
                    {"field": value.field, "text": value.text, "anchor": value.anchor}
                    for value in page.values
                    if value.is_reachable and not value.columns
                ],
                "mistyped": [
                    {"field": value.field, "text": value.text, "types": value.types}
                    for value in page.values
                    if value.is_reachable and value.is_mistyped
                ],
            }
            for page in outcomes
        ],
    }


def _metrics(outcomes: Sequence[FieldOutcome]) -> dict[str, object]:
    return {name.strip(): asdict(metrics) for name, metrics in metrics_by_field(outcomes).items()}
