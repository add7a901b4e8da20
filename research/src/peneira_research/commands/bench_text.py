"""``peneira bench text``: how much of the main text of pages is found."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
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
from peneira_research.commands.bench_clean import unseen_option
from peneira_research.corpora.gold_pages import Corpora

if TYPE_CHECKING:
    from peneira_research.corpora.main_texts import MainTextPage
    from peneira_research.studies.text_outcomes import TextOutcome

TEXT_EXAMPLES = """\b
Examples:
  peneira bench text --unseen
  peneira bench text --every 10 --no-peers
  peneira bench text --speed --every 10
"""


@click.command(epilog=TEXT_EXAMPLES)
@corpora_option
@jobs_option
@unseen_option
@every_option
@click.option("--peers/--no-peers", default=True, help="With other extractors, where they are installed.")
@click.option("--worst", type=click.IntRange(min=0), default=0, metavar="N", help="List the N pages with the worst F1.")
@click.option("--speed", "with_speed", is_flag=True, help="Time `text` and `clean` as a multiple of parsing instead.")
@keep_option
@output_option
def text(
    root: Path | None,
    jobs: int,
    unseen: bool,
    every: int,
    peers: bool,
    worst: int,
    with_speed: bool,
    keep: Path | None,
    output: Path | None,
) -> None:
    """Score the main text of WCXB's pages: word F1 by type, and the snippets that must and must not be in it.

    Beside trafilatura, readability-lxml, jusText and resiliparse where they are installed, and the published figures.
    With --unseen the models are trained five times, which takes half an hour.
    """
    from peneira_research.corpora.main_texts import main_text_pages
    from peneira_research.peers import PEERS
    from peneira_research.reports.console import console, progress
    from peneira_research.reports.text_report import snippet_table, text_table
    from peneira_research.studies.kept_results import kept_in
    from peneira_research.studies.text_outcomes import OURS, text_outcomes

    corpora = open_corpora(root)
    pages = list(main_text_pages(corpora))[::every]
    if with_speed:
        _print_speed([page.body for page in pages])
        return
    names, kept = PEERS if peers else (), kept_in(keep)
    if unseen:
        outcomes = [outcome for part in _unseen(corpora, pages, names, jobs) for outcome in part]
    else:
        of_pages = text_outcomes(pages, peers=names, jobs=jobs, keep=kept)
        outcomes = list(progress(of_pages, len(pages), "text"))
    out = console(sys.stderr if output is None and not sys.stdout.isatty() else sys.stdout)
    out.print(text_table(outcomes))
    out.print(snippet_table(outcomes))
    for outcome in sorted(outcomes, key=lambda outcome: outcome.scores[OURS].f1)[:worst]:
        out.print(f"{outcome.scores[OURS].f1:.3f}  {outcome.id}  {outcome.type}")
    if output or not sys.stdout.isatty():
        write_results({"pages": [asdict(outcome) for outcome in outcomes]}, output, corpora, ("wcxb",))


def _unseen(
    corpora: Corpora, pages: Sequence[MainTextPage], peers: Sequence[str], jobs: int
) -> Iterator[list[TextOutcome]]:
    """Yield the outcomes of each fold, by models trained without the hosts and templates of its pages."""
    from peneira_research.studies.text_outcomes import text_outcomes
    from peneira_research.training.folds import corpora_folds
    from peneira_research.training.text_examples import text_examples
    from peneira_research.training.text_models import unseen_models

    folds = corpora_folds(corpora, jobs=jobs)
    examples = list(text_examples(corpora, jobs=jobs))
    for fold, models in unseen_models(examples, folds, on_step=lambda step: click.echo(step, err=True)):
        own = [page for page in pages if folds[page.site] == fold]
        yield list(text_outcomes(own, models=models, peers=peers, jobs=jobs))


def _print_speed(bodies: Sequence[bytes]) -> None:
    from peneira import clean
    from peneira import text as main_text
    from peneira_research.reports.console import console
    from peneira_research.reports.cost_report import CAPTION, cost_table
    from peneira_research.studies.page_cost import cost_ratios

    out = console(sys.stdout)
    out.print(CAPTION)
    out.print(cost_table({"text": cost_ratios(bodies, main_text), "clean": cost_ratios(bodies, clean)}))
