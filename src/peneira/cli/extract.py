"""``peneira extract``: the records of a page."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from peneira.cli.choice import Choice, choice_options
from peneira.cli.column_list import ColumnList
from peneira.cli.inputs import expand
from peneira.cli.methods import method_named
from peneira.cli.options import fetch_options, output_options
from peneira.cli.output import Output
from peneira.cli.rendering import Reader, Rendering, Reports, render_options
from peneira.methods import DEFAULT_METHOD, Method
from peneira.result import Extraction, Region
from peneira.sources.fetch import FetchOptions
from peneira.table import Table, stack

# A page that could not be read as intended is a failed job, whatever came out of it
FAILED_VERDICTS = frozenset({"empty", "blocked", "script-shell"})
# How the page was read, told before what was found
RENDERING_REASONS = ("rendered", "not rendered")


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="PATH|URL|-...")
@click.option("--method", default=DEFAULT_METHOD, show_default=True, help="How to find records; see `peneira methods`.")
@click.option(
    "--explain",
    is_flag=True,
    help="Say on standard error why this list was chosen, and what else there is; for pages that a browser has shown, "
    "write a report with their picture too.",
)
@click.option("--types", "show_types", is_flag=True, help="Show the columns, with their types, instead of the records.")
@choice_options
@output_options
@render_options
@fetch_options
def extract(
    sources: tuple[str, ...],
    method: str,
    explain: bool,
    show_types: bool,
    choice: Choice,
    output: Output,
    rendering: Rendering,
    url: str | None,
    timeout_s: float,
    allow_private: bool,
) -> None:
    """Find the main list of records of each page and write it as a table.

    A source is an HTML file, a folder of them, a URL, or - for standard input. Several pages make one table, whose
    column `source` says where each record is from. A page whose lists are not trusted gives none, unless --region or
    --all asks for them.

    \b
    Examples:
      peneira extract page.html
      peneira extract https://example.com/jobs -o jobs.xlsx
      curl -s https://example.com/jobs | peneira extract - --format jsonl
      peneira extract page.html --types
      peneira extract page.html --fields title,price --rename title=product
      peneira extract saved_pages/ --dedupe -o all.csv
      peneira extract page.html --region 2 --all-columns
      peneira extract https://example.com/app --render always --scroll 10
    """
    writer = ColumnList(output) if show_types else output
    chosen_method = _checked(method, writer)
    names = expand(sources)
    options = FetchOptions(timeout_s=timeout_s, allow_private=allow_private)
    has_source = len(names) > 1 or names != list(sources)  # a folder of one page today may have two tomorrow
    key_names = (("source",) if has_source else ()) + (("region",) if choice.take_all else ())
    tables: list[tuple[tuple[str, ...], Table]] = []
    failures = 0
    reports = Reports()
    with rendering.renderer(options) as renderer:
        for read in Reader(renderer, chosen_method, url, options, screenshot=explain).read(names):
            result = read.result
            if result is None:
                click.echo(f"peneira: {read.error}", err=True)
                failures += 1
                continue
            chosen = choice.lists(result)
            failures += result.verdict in FAILED_VERDICTS or (choice.region is not None and not chosen)
            _tell(read.name, result, choice, chosen)
            if explain:
                _explain(result)
                reports.write(read)
            for number, found in chosen:
                keys = ((read.name,) if has_source else ()) + ((str(number),) if choice.take_all else ())
                tables.append((keys, choice.table(found)))
        if renderer.note:
            click.echo(f"note: {renderer.note}", err=True)
    if tables:
        failures += writer.write(_shown(choice, stack(key_names, tables), key_names)).dropped
    elif not failures:
        writer.write(stack(key_names, []))
    if failures:
        sys.exit(1)


def _shown(choice: Choice, table: Table, key_names: Sequence[str]) -> Table:
    """Return the table as it was asked for; say how many records were dropped for it."""
    shown = choice.shown(table, key_names)
    if choice.dedupe:
        dropped = len(table.rows) - len(shown.rows)
        click.echo(f"{dropped} of {len(table.rows)} records dropped as equal to an earlier one", err=True)
    return shown


def _checked(name: str, output: Output | ColumnList) -> Method:
    """Return the method of that name; refuse wrong usage before any page is fetched."""
    method = method_named(name)
    output.check()
    return method


def _tell(name: str, result: Extraction, choice: Choice, chosen: Sequence[tuple[int, Region]]) -> None:
    if chosen:
        lists = "; ".join(
            f"{len(found.records)} records, {len(choice.table(found).columns)} columns, "
            f"confidence {found.confidence:.2f}"
            for _, found in chosen
        )
    elif choice.region is not None:
        lists = f"no such list; this page has {len(result.regions) or 'none'}"
    else:
        lists = "no list of records"
    if result.main is None:
        told = [str(reason) for reason in result.reasons if reason.name not in RENDERING_REASONS]
        lists += f" ({result.verdict}): {'; '.join(told)}"
    if result.regions and not chosen and choice.region is None:
        lists += f"; --region 1 or --all shows what there is ({len(result.regions)})"
    for reason in result.reasons:
        if reason.name in RENDERING_REASONS:
            click.echo(f"{name}: {reason}", err=True)
    click.echo(f"{name}: {lists}", err=True)
    for cut in result.cuts:
        click.echo(f"{name}: partial: {cut}", err=True)
    for reason in (reason for _, found in chosen for reason in found.reasons if reason.name == "columns"):
        click.echo(f"{name}: partial: {reason}", err=True)


def _explain(result: Extraction) -> None:
    for reason in result.reasons:
        click.echo(f"  {reason.name}: {reason}", err=True)
    for number, found in enumerate(result.regions, start=1):
        first = found.records[0].text if found.records else ""
        click.echo(f"  {number}. {found.confidence:.2f}  {len(found.records)} records  {found.xpath}", err=True)
        click.echo(f"     {first[:90]}", err=True)
        for reason in found.reasons if found is not result.main else ():
            click.echo(f"     {reason.name}: {reason}", err=True)
