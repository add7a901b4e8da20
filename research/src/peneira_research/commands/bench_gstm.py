"""``peneira bench gstm``: Tables 1 to 7 of the thesis behind G-STM, published figures beside ours."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from peneira_research.corpora.gold_pages import GoldPage

PARTS = ("records", "sites", "alignment", "schemas")
SEVERAL_PAGES = ("exalg", "clustvx", "modern", "alvarez")
WITH_FIELDS = ("modern", "modern2")
EXAMPLES = """\b
Examples:
  peneira bench gstm
  peneira bench gstm --every 5 -o gstm.json
  peneira bench gstm --only schemas
"""


@click.command(epilog=EXAMPLES)
@corpora_option
@every_option
@click.option(
    "--only",
    "parts",
    multiple=True,
    type=click.Choice(PARTS),
    help="Only this part: records of single pages, sites learned from two pages, alignment, schemas of made sites; "
    "may be repeated.  [default: all]",
)
@jobs_option
@keep_option
@output_option
def gstm(
    root: Path | None,
    every: int,
    parts: tuple[str, ...],
    jobs: int,
    keep: Path | None,
    output: Path | None,
) -> None:
    """Print Tables 1 to 7 of the thesis behind G-STM: G-STM, FiVaTech, AutoRM, DEPTA, published and ours.

    Records are pooled over all pages, and so are aligned values and schema nodes. "best" is the region with the best F1
    among those that a method finds; for schemas, nodes whose types are right too. Tables 8 and 9 are those of
    `peneira bench values`.
    """
    from peneira_research.corpora.made_templates import made_sites
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
    from peneira_research.studies.kept_results import kept_in

    corpora, kept = open_corpora(root), kept_in(keep)
    wanted = parts or PARTS

    def pages_of(part: str, names: tuple[str, ...]) -> list[GoldPage]:
        return corpora.pages([name for name in names if name in corpora.all_names]) if part in wanted else []

    pages = pages_of("records", (*TBDW, *OTHER_PAGES))[::every]
    found = [
        row for rows in progress(record_tables(pages, jobs=jobs, keep=kept), len(pages), "records") for row in rows
    ]
    several = pages_of("sites", SEVERAL_PAGES)
    sites = [site for site in list_sites(several) if len(site) > LEARNING_PAGES][::every]
    learned = [
        row for rows in progress(learned_tables(sites, jobs=jobs, keep=kept), len(sites), "sites") for row in rows
    ]
    with_fields = [page for page in pages_of("alignment", WITH_FIELDS) if page.has_fields]
    with_fields = with_fields[::every]
    aligned = progress(alignment_table(with_fields, jobs=jobs, keep=kept), len(with_fields), "alignment")
    columns = [row for rows in aligned for row in rows]
    rows = [
        *(learned_rows(learned) if "sites" in wanted else ()),
        *(tabled(found) if "records" in wanted else ()),
        *(alignment_rows(columns) if "alignment" in wanted else ()),
        *(schema_rows(list(made_sites())[::every]) if "schemas" in wanted else ()),
    ]
    rows.sort(key=lambda row: (not row.table.startswith("Table"), row.table))
    to_stdout = output is None and not sys.stdout.isatty()
    out = console(sys.stderr if to_stdout else sys.stdout)
    out.print(tables(rows))
    for note in notes(rows):
        out.print(note)
    if output or to_stdout:
        names = dict.fromkeys((*TBDW, *OTHER_PAGES, *SEVERAL_PAGES, *WITH_FIELDS))
        write_results({"rows": [asdict(row) for row in rows]}, output, corpora, list(names))
