"""``peneira bench content``: how well content is separated from noise."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from peneira_research.commands.bench import corpora_option, jobs_option, open_corpora, output_option, write_results

CONTENT_EXAMPLES = """\b
Examples:
  peneira bench content --jobs 2 -o content.json
  peneira bench content --reliability --every 4
"""


@click.command(epilog=CONTENT_EXAMPLES)
@corpora_option
@jobs_option
@click.option("--edrew/--no-edrew", default=True, help="With the thesis's model (needs torch) or without.")
@click.option("--peers/--no-peers", default=True, help="With trafilatura and readability-lxml, where installed.")
@click.option(
    "--repeat", type=click.IntRange(min=1), default=3, show_default=True, help="Runs for timing; the best counts."
)
@click.option("--every", type=click.IntRange(min=1), default=1, metavar="N", help="Only every Nth site.")
@click.option("--reliability", "only_reliability", is_flag=True, help="Only how true the probabilities of `light` are.")
@output_option
def content(
    root: Path | None,
    jobs: int,
    edrew: bool,
    peers: bool,
    repeat: int,
    every: int,
    only_reliability: bool,
    output: Path | None,
) -> None:
    """Score the content models: on sites seen, unseen, of unseen verticals, and on modern pages; and their speed.

    Trains about twenty times (extra "train"), which takes half an hour. A text is gold if it equals a value of SWDE; an
    element is gold if a value of a modern page fills it. The shipped threshold is used except in (i).
    Last, the calibrated probabilities of `light` on unseen sites, against the share of the texts that is gold.
    """
    from peneira.texts.content_model import shipped_light_models
    from peneira.texts.edrew import shipped_model
    from peneira_research.corpora.content_examples import content_examples
    from peneira_research.reports.console import console
    from peneira_research.reports.content_report import content_tables, reliability_table
    from peneira_research.studies.content_protocols import ProtocolResult, run_protocols
    from peneira_research.studies.content_speed import content_speed
    from peneira_research.training.content_calibration import calibrated, reliability, unseen_predictions

    def on_step(step: str) -> None:
        click.echo(step, err=True)

    corpora = open_corpora(root)
    on_step("reading pages")
    sites = content_examples(corpora, jobs=jobs, peers=peers and not only_reliability, every=every)
    examples = [example for site_examples in sites for example in site_examples]
    on_step(f"{len(examples)} pages, {sum(len(example.lengths) for example in examples)} texts")
    to_stdout = output is None and not sys.stdout.isatty()
    out = console(sys.stderr if to_stdout else sys.stdout)
    results: list[ProtocolResult] = []
    speed: dict[str, float] = {}
    bands: list[dict[str, object]] = []

    def write() -> None:
        rows = [asdict(result) for result in results]
        threshold = shipped_light_models().calibration.threshold
        found = {"threshold": threshold, "speed": speed, "rows": rows, "reliability": bands}
        write_results(found, output, corpora, ("swde", "detail"), out)

    def show_reliability() -> None:
        unseen = unseen_predictions(examples)
        if unseen is None:
            on_step("too few sites to calibrate on")
            return
        found = list(reliability(unseen))
        bands.extend(asdict(band) for band in found)
        out.print(
            f"\n(v) stated probability and share of gold, unseen sites; threshold {calibrated(unseen).threshold:.2f}"
        )
        out.print(reliability_table(found))

    if only_reliability:
        show_reliability()
        if output or to_stdout:
            write()
        return
    for of_protocol in run_protocols(examples, shipped_model() if edrew else None, on_step):
        results += of_protocol
        for title, table in content_tables(of_protocol):
            out.print(f"\n{title}")
            out.print(table)
        if output:
            write()  # the results so far, as a run takes long
    on_step("(v) reliability")
    show_reliability()
    on_step("speed")
    speed |= content_speed(corpora, repeat=repeat)
    out.print(f"\nCPU time as a multiple of parsing alone: {', '.join(f'{k} {v:.1f}' for k, v in speed.items())}")
    if output or to_stdout:
        write()
