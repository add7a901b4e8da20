"""``peneira extract``: the records of a page."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from peneira.cli.inputs import Outcome, expand, pages
from peneira.cli.options import fetch_options, output_options
from peneira.cli.output import Output
from peneira.errors import UnknownMethod
from peneira.extraction import extract as extract_page
from peneira.methods import DEFAULT_METHOD
from peneira.methods import method as method_named
from peneira.model import Extraction, Region
from peneira.sources.fetch import FetchOptions
from peneira.table import Table, stack

# A page that could not be read as intended is a failed job, whatever came out of it
FAILED_VERDICTS = frozenset({"empty", "blocked", "script-shell"})


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="PATH|URL|-...")
@click.option("--method", default=DEFAULT_METHOD, show_default=True, help="How to find records; see `peneira methods`.")
@click.option("--region", type=click.IntRange(min=1), default=1, show_default=True, help="Take the n-th best list.")
@click.option("--all", "take_all", is_flag=True, help="Take every list of the page.")
@click.option("--explain", is_flag=True, help="Say on standard error why this list was chosen, and what else there is.")
@output_options
@fetch_options
def extract(
    sources: tuple[str, ...],
    method: str,
    region: int,
    take_all: bool,
    explain: bool,
    output: Output,
    url: str | None,
    timeout_s: float,
    allow_private: bool,
) -> None:
    """Find the main list of records of each page and write it as a table.

    A source is an HTML file, a folder of them, a URL, or - for standard input.

    \b
    Examples:
      peneira extract page.html
      peneira extract https://example.com/jobs -o jobs.xlsx
      curl -s https://example.com/jobs | peneira extract - --format jsonl
    """
    _check(method, output)
    names = expand(sources)
    options = FetchOptions(timeout_s=timeout_s, allow_private=allow_private)
    tables: list[tuple[tuple[str, ...], Table]] = []
    failures = 0
    for outcome in pages(names, url=url, options=options):
        result = _result(outcome, method)
        if result is None:
            failures += 1
            continue
        chosen = _chosen(result, region, take_all)
        failures += result.verdict in FAILED_VERDICTS or (bool(result.regions) and not chosen)
        _tell(outcome.name, result, chosen)
        if explain:
            _explain(result)
        for number, found in chosen:
            keys = ((outcome.name,) if len(names) > 1 else ()) + ((str(number),) if take_all else ())
            tables.append((keys, found.table))
    key_names = (("source",) if len(names) > 1 else ()) + (("region",) if take_all else ())
    if tables or not failures:
        failures += output.write(stack(key_names, tables)).dropped
    if failures:
        sys.exit(1)


def _check(method: str, output: Output) -> None:
    """Refuse wrong usage before any page is fetched."""
    try:
        method_named(method)
    except UnknownMethod as error:
        raise click.UsageError(str(error)) from error
    output.check()


def _result(outcome: Outcome, method: str) -> Extraction | None:
    if outcome.page is None:
        click.echo(f"peneira: {outcome.error}", err=True)
        return None
    return extract_page(outcome.page, method=method)


def _chosen(result: Extraction, region: int, take_all: bool) -> Sequence[tuple[int, Region]]:
    if result.main is None:
        return []
    numbered = list(enumerate(result.regions, start=1))
    return numbered if take_all else numbered[region - 1 : region]


def _tell(name: str, result: Extraction, chosen: Sequence[tuple[int, Region]]) -> None:
    if chosen:
        lists = "; ".join(
            f"{len(found.records)} records, {len(found.columns)} columns, confidence {found.confidence:.2f}"
            for _, found in chosen
        )
    elif result.regions:
        lists = f"no such list; this page has {len(result.regions)}"
    else:
        lists = f"no list of records ({result.verdict}): {'; '.join(map(str, result.reasons))}"
    click.echo(f"{name}: {lists}", err=True)
    for cut in result.cuts:
        click.echo(f"{name}: partial: {cut}", err=True)


def _explain(result: Extraction) -> None:
    for reason in result.reasons:
        click.echo(f"  {reason.name}: {reason}", err=True)
    for number, found in enumerate(result.regions, start=1):
        first = found.records[0].text if found.records else ""
        click.echo(f"  {number}. {found.confidence:.2f}  {len(found.records)} records  {found.xpath}", err=True)
        click.echo(f"     {first[:90]}", err=True)
