"""``peneira bench matrix``: every filter with every extractor."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from peneira_research.commands.bench import (
    corpora_option,
    every_option,
    jobs_option,
    keep_option,
    open_corpora,
    output_option,
    write_results,
)
from peneira_research.studies.filter_matrix import EXTRACTORS, FILTERS

EXAMPLES = """\b
Examples:
  peneira bench matrix --every 4
  peneira bench matrix --filter none --filter program --method mdr --method depta --corpus tpsf
"""


@click.command(epilog=EXAMPLES)
@corpora_option
@click.option(
    "--filter",
    "filters",
    multiple=True,
    type=click.Choice(FILTERS),
    help="Filter; may be repeated.  [default: all]",
)
@click.option(
    "--method", "methods", multiple=True, help="Method; may be repeated.  [default: all that need no browser]"
)
@click.option("--corpus", "names", multiple=True, help="Corpus; may be repeated.  [default: all of list pages]")
@every_option
@jobs_option
@keep_option
@output_option
def matrix(
    root: Path | None,
    filters: tuple[str, ...],
    methods: tuple[str, ...],
    names: tuple[str, ...],
    every: int,
    jobs: int,
    keep: Path | None,
    output: Path | None,
) -> None:
    """Score every extractor on what every filter leaves of the pages: mean record F1, half the width of its interval.

    A filter whose difference to no filter is clear (paired bootstrap over sites, 95 %) is marked with *.
    """
    from peneira_research.reports.console import console, progress
    from peneira_research.reports.matrix_report import matrix_table
    from peneira_research.studies.filter_matrix import matrix as matrix_of
    from peneira_research.studies.filter_matrix import run_matrix
    from peneira_research.studies.kept_results import kept_in

    corpora = open_corpora(root)
    pages = [page for page in corpora.pages(names or corpora.all_names) if page.anchors and not page.is_partial][
        ::every
    ]
    rows = run_matrix(pages, filters=filters or FILTERS, methods=methods or EXTRACTORS, jobs=jobs, keep=kept_in(keep))
    cells = [cell for row in progress(rows, len(pages), "matrix") for cell in row]
    found = matrix_of(cells)
    out = console(sys.stderr if output is None and not sys.stdout.isatty() else sys.stdout)
    out.print(f"{len(pages)} pages: mean record F1")
    out.print(matrix_table(found))
    if output or not sys.stdout.isatty():
        names_used = list(dict.fromkeys(page.corpus for page in pages))
        document = {"format": "peneira-bench-matrix", "version": 1, "cells": [asdict(cell) for cell in cells]}
        write_results(document, output, corpora, names_used)
