"""``peneira bench edrew``: EDREW's table and figures on SWDE, by noise and by sites seen in training."""

from __future__ import annotations

import sys
from dataclasses import asdict, replace
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

EXAMPLES = """\b
Examples:
  peneira bench edrew -o edrew.json
  peneira bench edrew --no-model --every 6
  peneira bench edrew --token author=<#AUTH> --token isbn=<#ISBN>
"""


@click.command(epilog=EXAMPLES)
@corpora_option
@click.option("--model/--no-model", "with_model", default=True, help="With the model, which needs torch.")
@click.option("--figures/--no-figures", default=True, help="With the points of Figures 10, 13 and 19 to 24.")
@every_option
@click.option("--max-entries", type=click.IntRange(1, 40), default=20, show_default=True, help="Length of a path.")
@click.option("--epochs", type=click.IntRange(min=1), default=4, show_default=True, help="Of the language model.")
@click.option("--thesis-settings", is_flag=True, help="Rate .001, batches of one path, dropout .5, 50 epochs: hours.")
@click.option(
    "--token",
    "tokens",
    multiple=True,
    metavar="WORD=TOKEN",
    help="A further token for a word in classes and properties; may be repeated.",
)
@jobs_option
@keep_option
@output_option
def edrew(
    root: Path | None,
    with_model: bool,
    figures: bool,
    every: int,
    max_entries: int,
    epochs: int,
    thesis_settings: bool,
    tokens: tuple[str, ...],
    jobs: int,
    keep: Path | None,
    output: Path | None,
) -> None:
    """Score EDREW's model on SWDE by the noise that is sampled, on sites seen in training and unseen (its Table 6).

    lookup: a table of the training paths with their share of gold. bound: what no function of a path can exceed. The
    F1 is that of gold, all contents taken together, with an interval of 95 % over sites. The language model reads the
    training pages alone. Half an hour on one core.
    """
    from peneira.texts.retps import vocabulary_with
    from peneira_research.corpora.labelled_paths import labelled_paths
    from peneira_research.reports.console import console
    from peneira_research.reports.edrew_report import figures_table, noise_table, ratio_name, vertical_table
    from peneira_research.studies.edrew_study import (
        RATIOS,
        STUDY_SETTINGS,
        THESIS_CLASSIFIER,
        EdrewResult,
        FigurePoint,
        run_figures,
        run_table,
    )
    from peneira_research.studies.kept_results import kept_in

    def on_step(step: str) -> None:
        click.echo(step, err=True)

    corpora, kept = open_corpora(root), kept_in(keep)
    vocabulary = vocabulary_with(tokens)
    settings = replace(STUDY_SETTINGS, epochs=epochs)
    if thesis_settings:
        settings = replace(settings, classifier=THESIS_CLASSIFIER)
    on_step("reading pages")
    data = labelled_paths(corpora, every=every, vocabulary=vocabulary, jobs=jobs)
    results: list[EdrewResult] = []
    points: list[FigurePoint] = []

    def write() -> None:
        rows, figure_rows = [asdict(result) for result in results], [asdict(point) for point in points]
        found = {"pages": len(data.pages), "rows": rows, "figures": figure_rows}
        write_results(found, output, corpora, ("swde",))

    tables = run_table(data.cut(max_entries), settings=settings, with_model=with_model, on_step=on_step, keep=kept)
    for of_sites in tables:
        results += of_sites
        if output:
            write()  # the results so far, as a run takes long
    if figures:
        points += run_figures(data, settings=settings, with_model=with_model, on_step=on_step, keep=kept)
    to_stdout = output is None and not sys.stdout.isatty()
    out = console(sys.stderr if to_stdout else sys.stdout)
    out.print("F1 of gold by noise contents for each gold content")
    out.print(noise_table(results))
    for ratio in (1, RATIOS[-1]):
        out.print(f"\nnoise {ratio_name(ratio)}: precision, recall, F1 by vertical; published: Table 6, percent")
        out.print(vertical_table(results, ratio))
    if points:
        out.print("\nfigures, noise 1:1")
        out.print(figures_table(points))
    if output or to_stdout:
        write()
