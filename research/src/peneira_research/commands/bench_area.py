"""``peneira bench area``: the rendering-area method, its ablation and its sensitivity."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from peneira_research.commands.bench import (
    corpora_option,
    jobs_option,
    open_corpora,
    output_option,
    rendered_folder,
    snapshots_option,
    write_document,
)

if TYPE_CHECKING:
    from rich.table import Table

EXAMPLES = """\b
Examples:
  peneira bench area
  peneira bench area --ablate
  peneira bench area --sweep --corpus tpsf
"""


@click.command(epilog=EXAMPLES)
@corpora_option
@click.option("--corpus", "names", multiple=True, help="May be repeated.  [default: tpsf, yamada, zhao1]")
@click.option("--ablate", is_flag=True, help="Leave out one step after the other (Table IV of the paper).")
@click.option("--sweep", is_flag=True, help="Vary one parameter after the other (Figures 4 and 5 of the paper).")
@snapshots_option
@jobs_option
@output_option
def area(
    root: Path | None,
    names: tuple[str, ...],
    ablate: bool,
    sweep: bool,
    folder: Path | None,
    jobs: int,
    output: Path | None,
) -> None:
    """Measure how often the rendering-area method selects the right element.

    Right: it holds 95 % of the anchors, and at most 1.5 times the text from the first to the end of the last record.
    The pages were saved without their style sheets, and are rendered without them.
    """
    from peneira_research.reports.console import console, progress
    from peneira_research.studies.area_study import ABLATIONS, CORPORA, accuracy, area_outcomes, sweeps

    pages = [page for page in open_corpora(root).pages(names or CORPORA) if page.anchors and not page.is_partial]
    snapshots = rendered_folder(folder, pages)
    swept = sweeps()
    titles = [] if sweep and not ablate else list(ABLATIONS)[: None if ablate else 2]
    variants = [ABLATIONS[title] for title in titles]
    variants += [parameters for values in swept.values() for parameters in values.values()] if sweep else []
    outcomes = list(progress(area_outcomes(pages, variants, snapshots, jobs=jobs), len(pages), "area"))
    accuracies = [accuracy(outcomes, k) for k in range(len(variants))]
    out = console(sys.stderr if output is None and not sys.stdout.isatty() else sys.stdout)
    if titles:
        out.print(_steps_table(dict(zip(titles, accuracies, strict=False))))
    if sweep:
        labels = [(name, value) for name, values in swept.items() for value in values]
        rows = dict(zip(labels, accuracies[len(titles) :], strict=True))
        out.print(_sweep_table(rows))
    if output or not sys.stdout.isatty():
        document: dict[str, object] = {
            "pages": len(outcomes),
            "accuracy": {title: accuracies[k] for k, title in enumerate(titles)},
            "sweep": [
                {"parameter": name, "value": value, **accuracies[len(titles) + k]}
                for k, (name, value) in enumerate((n, v) for n, values in swept.items() for v in values)
            ]
            if sweep
            else [],
        }
        write_document(document, output)


def _steps_table(rows: Mapping[str, Mapping[str, float]]) -> Table:
    from peneira_research.reports.console import plain_table

    corpora = list(next(iter(rows.values())))
    table = plain_table("steps", *corpora, left=["steps"])
    for name, accuracies in rows.items():
        table.add_row(name, *(f"{accuracies[corpus]:.4f}" for corpus in corpora))
    return table


def _sweep_table(rows: Mapping[tuple[str, float], Mapping[str, float]]) -> Table:
    from peneira_research.reports.console import plain_table

    corpora = list(next(iter(rows.values())))
    table = plain_table("parameter", "value", *corpora, left=["parameter"])
    for (name, value), accuracies in rows.items():
        table.add_row(name, f"{value:g}", *(f"{accuracies[corpus]:.4f}" for corpus in corpora))
    return table
