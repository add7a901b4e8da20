"""The tables of ``bench matrix`` for a reader."""

from __future__ import annotations

from rich.table import Table

from peneira_research.reports.clean_report import bounded
from peneira_research.reports.console import plain_table
from peneira_research.studies.filter_matrix import Matrix


def matrix_table(found: Matrix) -> Table:
    """Return a row per filter, a column per method: mean record F1; * where the filter changes it clearly."""
    methods = list(dict.fromkeys(method for _, method in found.f1))
    table = plain_table("filter", *methods, left=("filter",))
    for name in dict.fromkeys(name for name, _ in found.f1):
        table.add_row(name, *(matrix_text(found, name, method) for method in methods))
    return table


def matrix_text(found: Matrix, name: str, method: str) -> str:
    """Return a cell: the mean, half the width of its interval, and * where the difference to no filter is clear."""
    gain = found.gain.get((name, method))
    return bounded(found.f1[name, method]) + ("*" if gain and gain.is_clear else " ")
