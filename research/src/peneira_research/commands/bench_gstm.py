"""``peneira bench gstm``: Tables 1 to 7 of the thesis behind G-STM, published figures beside ours."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from peneira_research.commands.bench import corpora_option, jobs_option, open_corpora, output_option, write_document

EXAMPLES = """\b
Examples:
  peneira bench gstm
  peneira bench gstm --every 5 -o gstm.json
"""


@click.command(epilog=EXAMPLES)
@corpora_option
@click.option("--every", type=click.IntRange(min=1), default=1, show_default=True, help="Take every N-th page only.")
@click.option(
    "--aligned-every",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="The same for the alignment alone.",
)
@jobs_option
@output_option
def gstm(root: Path | None, every: int, aligned_every: int, jobs: int, output: Path | None) -> None:
    """Print Tables 1 to 7 of the thesis behind G-STM: G-STM, FiVaTech, AutoRM, DEPTA, published and ours.

    Records are pooled over all pages, and so are aligned values and schema nodes. "best" is the region with the best F1
    among those that a method finds; for schemas, nodes whose types are right too. Tables 8 and 9 are those of
    `peneira bench values`.
    """
    from peneira_research.reports.console import console, progress
    from peneira_research.reports.gstm_report import notes, tables
    from peneira_research.scores.wrapper_score import list_sites
    from peneira_research.studies.gstm_tables import (
        LEARNING_PAGES,
        OTHER_PAGES,
        TBDW,
        alignment_rows,
        alignment_table,
        learned_rows,
        learned_tables,
        record_tables,
        schema_rows,
        tabled,
    )

    corpora = open_corpora(root)
    known = set(corpora.all_names)
    pages = corpora.pages([name for name in (*TBDW, *OTHER_PAGES) if name in known])[::every]
    found = [row for rows in progress(record_tables(pages, jobs=jobs), len(pages), "records") for row in rows]
    several = corpora.pages([name for name in ("exalg", "clustvx", "modern", "alvarez") if name in known])
    sites = [site for site in list_sites(several) if len(site) > LEARNING_PAGES][::every]
    learned = [row for rows in progress(learned_tables(sites, jobs=jobs), len(sites), "sites") for row in rows]
    with_fields = [
        page for page in corpora.pages([name for name in ("modern", "modern2") if name in known]) if page.has_fields
    ][:: every * aligned_every]
    aligned = progress(alignment_table(with_fields, jobs=jobs), len(with_fields), "alignment")
    columns = [row for rows in aligned for row in rows]
    rows = [*learned_rows(learned), *tabled(found), *alignment_rows(columns), *schema_rows()]
    rows.sort(key=lambda row: (not row.table.startswith("Table"), row.table))
    to_stdout = output is None and not sys.stdout.isatty()
    out = console(sys.stderr if to_stdout else sys.stdout)
    out.print(tables(rows))
    for note in notes(rows):
        out.print(note)
    if output or to_stdout:
        write_document({"rows": [asdict(row) for row in rows]}, output)
