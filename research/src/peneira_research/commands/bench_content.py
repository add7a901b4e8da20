"""``peneira bench content``: how well content is told from noise."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from peneira_research.commands.bench import corpora_option, jobs_option, opened, output_option, write_document


@click.command()
@corpora_option
@jobs_option
@click.option("--edrew/--no-edrew", default=True, help="With the thesis's model (needs torch) or without.")
@click.option("--peers/--no-peers", default=True, help="With trafilatura and readability-lxml, where installed.")
@click.option("--repeat", type=click.IntRange(min=1), default=3, show_default=True, help="Timing: best of so many.")
@output_option
def content(root: Path | None, jobs: int, edrew: bool, peers: bool, repeat: int, output: Path | None) -> None:
    """Score the content models: on sites seen, unseen, of unseen verticals, and on modern pages; and their speed.

    Trains about twenty times (extra "train"), which takes half an hour. Over texts, gold is a text that equals a value
    of SWDE; over elements, one that a value of a modern page fills. The shipped threshold is used but in (i).

    \b
    Example:
      peneira bench content --jobs 2 -o content.json
    """
    from peneira.texts.content_model import MIN_PROBABILITY
    from peneira.texts.edrew import shipped_model
    from peneira_research.corpora.content_pages import examples
    from peneira_research.reports.content_report import content_tables
    from peneira_research.reports.report import console
    from peneira_research.studies.content_protocols import Row, run
    from peneira_research.studies.content_speed import content_speed

    def each(what: str) -> None:
        click.echo(what, err=True)

    corpora = opened(root)
    each("reading pages")
    chosen = [example for those in examples(corpora, jobs=jobs, peers=peers) for example in those]
    each(f"{len(chosen)} pages, {sum(len(example.lengths) for example in chosen)} texts")
    to_stdout = output is None and not sys.stdout.isatty()
    shown = console(sys.stderr if to_stdout else sys.stdout)
    rows: list[Row] = []
    speed: dict[str, float] = {}

    def write() -> None:
        write_document({"threshold": MIN_PROBABILITY, "speed": speed, "rows": [asdict(row) for row in rows]}, output)

    for protocol in run(chosen, shipped_model() if edrew else None, each):
        rows += protocol
        for title, table in content_tables(protocol):
            shown.print(f"\n{title}")
            shown.print(table)
        if output:
            write()  # what is known so far: a run takes long
    each("speed")
    speed |= content_speed(corpora, repeat=repeat)
    shown.print(f"\nCPU time as a multiple of parsing alone: {', '.join(f'{k} {v:.1f}' for k, v in speed.items())}")
    if output or to_stdout:
        write()
