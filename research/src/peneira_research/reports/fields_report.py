"""The tables of ``bench fields`` for a reader, and its JSON document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from rich.table import Table

from peneira_research.reports.report import plain_table
from peneira_research.scores.field_score import FieldMetric, FieldOutcome, figures

_TEXT_SHOWN = 60


def fields_table(found: Mapping[str, FieldMetric]) -> Table:
    """Return a row per group of gold values, and one per field name."""
    heads = ("values", "gold", "reached", "found", "of all", "shown", "purity", "dated", "mistyped")
    table = plain_table(*heads, left=("values",))
    for name, figure in found.items():
        shares = (figure.found, figure.found_of_all, figure.shown, figure.purity, figure.dated)
        table.add_row(
            name,
            str(figure.values),
            str(figure.reached),
            *("" if share is None else f"{share:.3f}" for share in shares),
            str(figure.mistyped),
        )
    return table


def worst_pages_table(outcomes: Sequence[FieldOutcome], number: int) -> Table:
    """Return the pages that miss most values of right records, with one value that is missing."""
    missing = [(one, [v for v in one.values if v.is_reached and not v.columns]) for one in outcomes]
    missing.sort(key=lambda pair: (-len(pair[1]), pair[0].id))
    table = plain_table("page", "missed", "of", "for example", left=("page", "for example"))
    for one, values in missing[:number]:
        if values:
            reached = sum(value.is_reached for value in one.values)
            example = one.error or f"{values[0].field}: {values[0].text[:_TEXT_SHOWN]}"
            table.add_row(one.id, str(len(values)), str(reached), example)
    return table


def document(outcomes: Sequence[FieldOutcome]) -> dict[str, object]:
    """Return the figures and, page by page, what was missed or mistyped."""
    return {
        "figures": {name.strip(): asdict(figure) for name, figure in figures(outcomes).items()},
        "pages": [
            {
                "id": one.id,
                "site": one.site,
                "columns": one.columns,
                "error": one.error,
                "figures": {name.strip(): asdict(figure) for name, figure in figures([one]).items()},
                "missed": [
                    {"field": value.field, "text": value.text, "anchor": value.anchor}
                    for value in one.values
                    if value.is_reached and not value.columns
                ],
                "mistyped": [
                    {"field": value.field, "text": value.text, "types": value.types}
                    for value in one.values
                    if value.is_reached and value.is_mistyped
                ],
            }
            for one in outcomes
        ],
    }
