"""``peneira bench``: the quality and speed of the methods on pages with gold."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from peneira.errors import CorpusError
from peneira.methods import DEFAULT_METHOD
from peneira.methods import methods as all_methods
from peneira_research.corpora.gold_pages import NEXT_STEP, Corpora, GoldPage

if TYPE_CHECKING:
    from peneira.lists.ranking import Models
    from peneira_research.reports.console import RecordingConsole
    from peneira_research.studies.page_outcomes import Outcome
    from peneira_research.studies.type_outcomes import TypeOutcome

Command = TypeVar("Command", bound=Callable[..., object])

# Corpora with gold fields, whose tables are scored
TABLE_CORPORA = ("modern2", "modern")

BENCH_EXAMPLES = """\b
Example:
  peneira bench records --corpora ../corpora
"""
RECORDS_EXAMPLES = """\b
Examples:
  peneira bench records --corpus tpsf --worst 10
  peneira bench records -o bench.json
  peneira bench records --page tpsf-nike --explain
"""


def corpora_option(command: Command) -> Command:
    """Add ``--corpora`` to a command."""
    return click.option(
        "--corpora",
        "root",
        envvar="PENEIRA_CORPORA",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="Folder of the corpora; or set PENEIRA_CORPORA.",
    )(command)


def method_option(command: Command) -> Command:
    """Add ``--method`` to a command."""
    return click.option(
        "--method",
        "methods",
        multiple=True,
        default=(DEFAULT_METHOD,),
        show_default=True,
        help="Method to measure; may be repeated.",
    )(command)


def jobs_option(command: Command) -> Command:
    """Add ``--jobs`` to a command."""
    return click.option(
        "--jobs", type=click.IntRange(min=1), default=os.cpu_count() or 1, help="Processes.  [default: one per CPU]"
    )(command)


def every_option(command: Command) -> Command:
    """Add ``--every`` to a command."""
    return click.option(
        "--every",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        metavar="N",
        help="A sample: every N-th page, site or row only.",
    )(command)


def output_option(command: Command) -> Command:
    """Add ``--output`` to a command."""
    return click.option(
        "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the JSON document to this file."
    )(command)


def keep_option(command: Command) -> Command:
    """Add ``--keep`` to a command."""
    return click.option(
        "--keep",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Keep the results of single pages in this file, and go on from it after an interruption.",
    )(command)


def snapshots_option(command: Command) -> Command:
    """Add ``--snapshots`` to a command."""
    return click.option(
        "--snapshots",
        "folder",
        type=click.Path(file_okay=False, path_type=Path),
        envvar="PENEIRA_SNAPSHOTS",
        metavar="DIR",
        help="Folder of the snapshots of rendered pages.  [default: the user's cache]",
    )(command)


def rendered_folder(folder: Path | None, pages: Sequence[GoldPage]) -> Path:
    """Return the folder of the snapshots, with one of each page that can be rendered; print which cannot."""
    from peneira_research.corpora.rendered_pages import Snapshots, default_folder
    from peneira_research.reports.console import progress

    snapshots = Snapshots(folder or default_folder())
    missing = snapshots.missing(pages)
    for page, error in progress(snapshots.render(missing), len(missing), "rendering") if missing else ():
        if error:
            click.echo(f"{page.id}: {error}", err=True)
    return snapshots.folder


@click.group(epilog=BENCH_EXAMPLES)
def bench() -> None:
    """Measure methods on pages with gold."""


@bench.command(epilog=RECORDS_EXAMPLES)
@corpora_option
@method_option
@click.option(
    "--corpus", "names", multiple=True, help="Corpus to measure on; may be repeated.  [default: all of list pages]"
)
@click.option("--page", "page_id", metavar="ID", help="Measure on this page alone.")
@click.option("--explain", is_flag=True, help="With --page: each record against the gold.")
@click.option("--worst", type=click.IntRange(min=0), default=0, metavar="N", help="List the N worst pages.")
@every_option
@click.option("--rendered", is_flag=True, help="Use the rendered pages; some methods need them.")
@click.option("--peers", "with_peers", is_flag=True, help="Also pandas.read_html and libextract, where installed.")
@snapshots_option
@click.option(
    "--unseen",
    is_flag=True,
    help="Score auto on each page with models trained without its host and template (cross-validation; needs the extra "
    "train, takes a quarter of an hour).",
)
@click.option(
    "--types/--no-types",
    "with_types",
    default=None,
    help="Also measure on which pages of known type a list is claimed, or not.  [default: with all corpora]",
)
@jobs_option
@keep_option
@output_option
def records(
    root: Path | None,
    methods: tuple[str, ...],
    names: tuple[str, ...],
    page_id: str | None,
    explain: bool,
    worst: int,
    every: int,
    rendered: bool,
    with_peers: bool,
    folder: Path | None,
    unseen: bool,
    with_types: bool | None,
    jobs: int,
    keep: Path | None,
    output: Path | None,
) -> None:
    """Score the records that methods find, as a table of corpora by methods.

    The score of a corpus is the mean F1 over the pages with gold records. A second table has per corpus: the interval
    of that mean (95 %, resampling sites); the share of the pages with a list of confidence 0.9 or more, and how often
    it is right; and where the gold has fields, the share of its texts that are in the text of their record (whole) and
    in the record beside it (astray), of the pages cut out of phase (a tenth of their texts or more is astray), and of
    the pages whose records are all right and whole (perfect). A third table has the verdicts on pages of known type.
    When the output is not a terminal, the JSON document is printed, and the tables go to standard error.
    """
    corpora = open_corpora(root)
    if explain:
        if page_id is None:
            raise click.UsageError("--explain needs --page ID")
        if rendered or unseen:
            raise click.UsageError("--explain needs the page as it was saved and the models that ship")
        _explain(corpora.page(page_id), methods)
        return
    if unseen and DEFAULT_METHOD not in methods:
        raise click.UsageError(f"--unseen trains models for --method {DEFAULT_METHOD}, which is not among the methods")
    if with_types and (rendered or DEFAULT_METHOD not in methods):
        raise click.UsageError(f"--types needs --method {DEFAULT_METHOD} and the pages as they were saved")
    if with_types is None:
        with_types = not (names or page_id or rendered) and DEFAULT_METHOD in methods
    pages = [corpora.page(page_id)] if page_id else corpora.pages(names or corpora.all_names)[::every]
    needs_boxes = any(method.needs_boxes for method in all_methods().values() if method.name in methods)
    to_render = corpora.all_pages() if unseen else pages
    snapshots = rendered_folder(folder, to_render) if rendered or needs_boxes else None
    models = unseen_list_models(corpora, unseen_folds(corpora, jobs), snapshots, jobs) if unseen else None
    outcomes = _outcomes(pages, methods, jobs, models, snapshots, with_peers, keep)
    types = _type_outcomes(corpora, jobs, models) if with_types else []
    _report(corpora, outcomes, types, worst, output)


def unseen_folds(corpora: Corpora, jobs: int) -> Mapping[str, int]:
    """Return the fold of each site, dealt by host and template; print what is going to take long."""
    from peneira_research.training.folds import FOLDS, corpora_folds

    folds = corpora_folds(corpora, jobs=jobs)
    click.echo(f"training {FOLDS} times, each without a fifth of the pages, by host and template", err=True)
    return folds


def unseen_list_models(
    corpora: Corpora, folds: Mapping[str, int], snapshots: Path | None, jobs: int
) -> Mapping[str, Models]:
    """Return for each site models of lists trained without its fold, for rendered pages where there are snapshots."""
    from peneira_research.training.list_examples import list_examples, rendered_examples
    from peneira_research.training.list_models import models_by_site

    rendered = list(rendered_examples(corpora, snapshots, jobs=jobs)) if snapshots else []
    trained = models_by_site(list(list_examples(corpora, jobs=jobs)), folds, rendered, jobs=jobs)
    return {site: models.rendered or models.plain for site, models in trained.items()}


def _outcomes(
    pages: Sequence[GoldPage],
    methods: Sequence[str],
    jobs: int,
    models: Mapping[str, Models] | None,
    snapshots: Path | None,
    with_peers: bool,
    keep: Path | None,
) -> list[Outcome]:
    from peneira_research.peers import RECORD_PEERS
    from peneira_research.reports.console import progress
    from peneira_research.studies.kept_results import kept_in
    from peneira_research.studies.page_outcomes import run_methods

    peers = RECORD_PEERS if with_peers else ()
    rows = run_methods(pages, methods, jobs=jobs, unseen=models, snapshots=snapshots, peers=peers, keep=kept_in(keep))
    return [row for rows in progress(rows, len(pages), "records") for row in rows]


def _type_outcomes(corpora: Corpora, jobs: int, models: Mapping[str, Models] | None) -> list[TypeOutcome]:
    from peneira_research.corpora.typed_pages import typed_pages
    from peneira_research.reports.console import progress
    from peneira_research.studies.type_outcomes import type_outcomes

    pages = list(typed_pages(corpora))
    return list(progress(type_outcomes(pages, unseen=models, jobs=jobs), len(pages), "types"))


def _explain(page: GoldPage, methods: Sequence[str]) -> None:
    from peneira_research.reports.console import console
    from peneira_research.reports.explain_report import print_explanation
    from peneira_research.studies.explain import explain

    for method in methods:
        print_explanation(explain(page, method), console(sys.stdout))


def _report(
    corpora: Corpora, outcomes: Sequence[Outcome], types: Sequence[TypeOutcome], number: int, output: Path | None
) -> None:
    from peneira_research.reports.console import console
    from peneira_research.reports.records_report import (
        calibration_table,
        lists_table,
        scoreboard_table,
        types_table,
        worst_table,
    )
    from peneira_research.studies.list_quality import quality_by_corpus
    from peneira_research.studies.scoreboard import by_method, calibration, document, metrics_by_method, worst

    to_stdout = output is None and not sys.stdout.isatty()
    if to_stdout or output:
        write_document(document(outcomes, corpora, types), output)
    out = console(sys.stderr if to_stdout else sys.stdout)
    out.print(scoreboard_table(metrics_by_method(outcomes)))
    for method, rows in by_method(outcomes).items():
        out.print(f"\n{method}: lists with gold records")
        out.print(lists_table(quality_by_corpus(rows, corpora.classic_names)))
    if types:
        out.print(f"\n{DEFAULT_METHOD}: verdicts on pages of known type")
        out.print(types_table(types))
    out.print("\nhow often lists of a confidence are right")
    out.print(calibration_table(calibration(outcomes)))
    if number:
        out.print(worst_table(worst(outcomes, number)))


def open_corpora(root: Path | None) -> Corpora:
    """Return the corpora of the folder that the user named."""
    if root is None:
        raise CorpusError(f"no corpora given: {NEXT_STEP}")
    return Corpora(root)


def write_results(
    document: Mapping[str, object],
    output: Path | None,
    corpora: Corpora | None,
    names: Sequence[str],
    out: RecordingConsole | None = None,
) -> None:
    """Write a JSON document with its command, commit, day, a hash of each corpus read, and what ``out`` printed.

    ``peneira bench report`` takes such a file as the results of a run.
    """
    from peneira_research.studies.run_meta import run_meta

    printed = {"printed": out.printed} if out else {}
    write_document({"meta": asdict(run_meta(corpora, names)), **document, **printed}, output)


def write_document(document: Mapping[str, object], output: Path | None) -> None:
    """Write a JSON document to the file, or to standard output."""
    text = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{output}: cannot be written: {error.strerror}") from error
