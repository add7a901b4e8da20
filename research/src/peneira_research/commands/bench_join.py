"""``peneira bench join``: how right the pairs of ``peneira join`` are."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from peneira_research.commands.bench import corpora_option, open_corpora, output_option, write_results

EXAMPLES = """\b
Examples:
  peneira bench join --others
  peneira bench join --large 100000
"""
# The first was used while the rules were written, the others were not
SEEDS = (11, 12, 13)
COLUMNS = (("title", "brand", "gtin"), ("title", "brand", "gtin", "price"))


@click.command(epilog=EXAMPLES)
@corpora_option
@click.option("--shared", type=click.IntRange(10), default=5000, show_default=True, help="Products in both catalogues.")
@click.option("--others", is_flag=True, help="List the pairs of SWDE that the gold does not have.")
@click.option(
    "--large", type=click.IntRange(10), metavar="N", help="Only join two catalogues of N records, and time it."
)
@output_option
def join(root: Path | None, shared: int, others: bool, large: int | None, output: Path | None) -> None:
    """Score the pairs on made catalogues, and on the sites of SWDE that show some of the same books and cameras.

    In the made catalogues, products have other names, prices, units and typing errors in the second one, and many are
    variants of another. The gold of SWDE is the ISBN, which is not compared, and the name of the model.
    """
    from peneira_research.reports.console import console, plain_table
    from peneira_research.studies.join_outcomes import large_join, made_outcome, swde_outcomes

    if large is not None:
        measured = large_join(large, SEEDS[0], COLUMNS[-1])
        found = measured.outcome
        click.echo(
            f"{found.name}: F1 {found.f1:.3f}, {measured.cpu_s:.0f} s of the processor, {measured.peak_mb:.0f} MB"
        )
        if output is not None:
            write_results({"large": asdict(measured)}, output, None, ())
        return
    outcomes = [made_outcome(shared, seed, columns) for columns in COLUMNS for seed in SEEDS]
    corpora = open_corpora(root)
    outcomes += swde_outcomes(corpora.root / "swde")
    out = console(sys.stdout)
    table = plain_table("join", "found", "gold", "right", "F1", left=("join",))
    for row in outcomes:
        table.add_row(row.name, str(row.found), str(row.gold), str(row.right), f"{row.f1:.3f}")
    out.print(table)
    if others:
        for row in outcomes:
            for left, right, score in row.others:
                out.print(f"{score:.2f}  {left}  =  {right}", markup=False, highlight=False)
    if output is not None:
        write_results({"outcomes": [asdict(row) for row in outcomes]}, output, corpora, ("swde",), out)
