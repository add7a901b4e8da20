"""``peneira extract``: the records of a page."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from peneira.cli.choice import Choice, choice_options
from peneira.cli.column_list import ColumnList
from peneira.cli.messages import say, say_partial
from peneira.cli.methods import method_named
from peneira.cli.no_list import best_guess, nothing_written, page_kind
from peneira.cli.options import check_target, output_options
from peneira.cli.output import Output
from peneira.cli.pages import SOURCES, ReadOptions, extract_each, read_options, report_cuts, report_reasons
from peneira.cli.site_output import check_nested, write_nested, write_sites
from peneira.cli.sites import SITE_MODES, ChosenList, SiteLists, Sites, by_site, joined_table, site_tables
from peneira.columns.builder import language_of
from peneira.columns.site_groups import page_origin
from peneira.extraction import Extracted
from peneira.files import binary_file
from peneira.methods import DEFAULT_METHOD, Method
from peneira.preview import counted
from peneira.reasons import ReasonCode
from peneira.result import FAILED_VERDICTS, Extraction, Paging, Region
from peneira.sources.rendering import Render
from peneira.table import stack


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar=f"{SOURCES}...")
@click.option("--method", default=DEFAULT_METHOD, show_default=True, help="How to find records; see `peneira methods`.")
@click.option(
    "--explain", is_flag=True, help="Print on standard error why this list was chosen, and which other lists there are."
)
@click.option(
    "--report",
    "report_path",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a report on the page to this HTML file, with a screenshot where it is rendered.",
)
@click.option(
    "--sites",
    "site_mode",
    type=click.Choice(SITE_MODES),
    default="apart",
    show_default=True,
    help="Pages of several sites: a table for each (apart), one table whose columns are joined by role and label alone "
    "(joined), or JSON with the records inside an object for each page (nested).",
)
@click.option("--types", "show_types", is_flag=True, help="Show the columns, with their types, instead of the records.")
@choice_options
@output_options
@read_options
def extract(
    sources: tuple[str, ...],
    method: str,
    explain: bool,
    report_path: Path | None,
    site_mode: Sites,
    show_types: bool,
    choice: Choice,
    output: Output,
    reading: ReadOptions,
) -> None:
    """Find the main list of records of each page and write it as a table.

    A source is an HTML file (also .html.gz), a folder or a glob of them, a URL, or - for standard input. Several pages
    of one site make one table, whose column `source` says where each record is from: a field has the same name and
    type on all of them, and is empty on pages without it. Pages of different sites are kept apart: -o all.csv writes
    all-example.org.csv and so on (a .sqlite file gets a table for each); see --sites. A page without a main list gives
    no records, unless --region or --all asks for what there is; without any records, no file is written.

    \b
    Examples:
      peneira extract page.html
      peneira extract https://example.com/jobs -o jobs.xlsx
      curl -s https://example.com/jobs | peneira extract - --format jsonl
      peneira extract page.html --types
      peneira extract page.html --fields title,price --rename title=product
      peneira extract saved_pages/ --dedupe -o all.csv
      peneira extract shops/ --sites joined -o all.csv
      peneira extract page.html --region 2 --all-columns
      peneira extract https://example.com/app --render always --scroll 10
      peneira extract page.html --render always --report why.html
    """
    if output.folder is not None:
        from peneira.cli.folder_output import run_into_folder  # imports the engine of batch runs

        name, fetching = method_named(method).name, reading.fetching
        run_into_folder(
            output.folder, "extract", sources, named_format=output.named_format, method=name, fetching=fetching
        )
        return
    writer = ColumnList(output) if show_types else output
    chosen_method = _checked(method, writer)
    is_single = reading.is_single(sources)
    _check_options(site_mode, report_path, output, is_single=is_single, show_types=show_types)
    has_source = not is_single or site_mode == "nested"
    key_names = (("source",) if has_source else ()) + (("region",) if choice.take_all else ())
    lists: list[ChosenList] = []
    pagings: dict[str, Paging] = {}
    failures = 0
    unwritten = output.path if is_single else None
    for outcome in extract_each(sources, chosen_method, reading, screenshot=report_path is not None):
        if outcome.result is None:
            failures += 1
            continue
        result = outcome.result.result
        chosen = choice.lists(result)
        failures += result.verdict in FAILED_VERDICTS or (choice.region is not None and not chosen)
        _summarise(
            outcome.name, _found(outcome.result, choice, chosen, reading.render, unwritten), outcome.result, chosen
        )
        pagings[outcome.name] = result.paging
        if chosen and result.paging.onward:
            say(f"{outcome.name}: next page: {result.paging.onward}")
        if explain:
            _explain(result)
        if report_path is not None:
            _write_report(report_path, outcome.name, outcome.result)
        page = outcome.result.reading.page
        origin, language = page_origin(page, [region for _, region in chosen]), language_of(page)
        for number, region in chosen:
            keys = ((outcome.name,) if has_source else ()) + ((str(number),) if choice.take_all else ())
            lists.append(ChosenList(origin, language, keys, region, is_shared=not choice.take_all or number == 1))
    if lists:
        failures += _write(writer, by_site(lists), choice, key_names, site_mode, pagings)
    elif output.is_stdout and not failures:
        writer.write(stack(key_names, []))  # an empty table is what a pipe expects
    elif output.path is not None and not is_single:
        say(f"no page has a list of records; {nothing_written(output.path)}")
    if failures:
        sys.exit(1)


def _check_options(
    site_mode: Sites, report_path: Path | None, output: Output, *, is_single: bool, show_types: bool
) -> None:
    """Raise an error for options that do not go together, before any page is read."""
    if report_path is not None and not is_single:
        raise click.UsageError("--report is on one page; give one")
    if site_mode == "nested":
        if show_types:
            raise click.UsageError("--sites nested is about records: it does not go with --types")
        check_nested(output)
    check_target(report_path)


def _write(
    writer: Output | ColumnList,
    sites: Sequence[SiteLists],
    choice: Choice,
    key_names: Sequence[str],
    mode: Sites,
    pagings: Mapping[str, Paging],
) -> int:
    """Write the records of all sites in the way that the user wants, and return how many were dropped."""
    if mode == "joined":
        return write_sites(writer, [joined_table(sites, choice, key_names)])
    if mode == "apart" or isinstance(writer, ColumnList):
        return write_sites(writer, site_tables(sites, choice, key_names))
    fields = choice.fields and (*key_names, *(name for name in choice.fields if name not in key_names))
    return write_nested(writer, site_tables(sites, replace(choice, fields=fields), key_names), key_names, pagings)


def _checked(name: str, output: Output | ColumnList) -> Method:
    """Return the method of that name; refuse wrong usage before any page is fetched."""
    method = method_named(name)
    output.check()
    return method


def _summarise(name: str, found: str, extracted: Extracted, chosen: Sequence[tuple[int, Region]]) -> None:
    """Say on standard error how the page was read, what was found on it, and what was left out."""
    report_reasons(name, extracted.reading.reasons)
    say(f"{name}: {found}")
    report_cuts(name, extracted.result.cuts)
    for reason in (
        reason for _, region in chosen for reason in region.reasons if reason.code == ReasonCode.COLUMNS_LEFT_OUT
    ):
        say_partial(name, reason)


def _found(
    extracted: Extracted, choice: Choice, chosen: Sequence[tuple[int, Region]], render: Render, unwritten: Path | None
) -> str:
    """Return the lists that were chosen in words, or what the page is instead and that no file is written."""
    result = extracted.result
    kind = page_kind(result, render) if result.main is None else ""
    if chosen:
        lists = "; ".join(
            f"{counted(len(region), 'record')}, {_columns(region, choice)}, confidence {region.confidence:.2f}"
            for _, region in chosen
        )
        return f"{lists}; it is {kind}" if kind else lists
    if choice.region is not None:
        count = counted(len(result.regions), "list") if result.regions else "none"
        message = f"no such list; this page has {count}" + (f"; it is {kind}" if kind else "")
    else:
        message = f"no list of records: {kind}{best_guess(extracted.reading.page, result)}"
    return f"{message}; {nothing_written(unwritten)}" if unwritten else message


def _columns(region: Region, choice: Choice) -> str:
    shown = len(choice.table(region).columns)
    hidden = len(region.all_columns) - shown
    return f"{shown} columns" + (f" ({hidden} more with --all-columns)" if hidden > 0 else "")


def _explain(result: Extraction) -> None:
    for reason in result.reasons:
        say(f"  {reason.name}: {reason}")
    for reason in result.paging.reasons if result.paging.kind != "none" else ():
        say(f"  {reason.name}: {reason}")
    for number, region in enumerate(result.regions, start=1):
        first = region.records[0].text if region.records else ""
        say(f"  {number}. {region.confidence:.2f}  {len(region.records)} records  {region.xpath}")
        say(f"     {first[:90]}")
        for reason in region.reasons if region is not result.main else ():
            say(f"     {reason.name}: {reason}")


def _write_report(path: Path, name: str, extracted: Extracted) -> None:
    from peneira.output.report import report

    with binary_file(path) as file:
        file.write(report(extracted.reading.page, extracted.result, name).encode())
    say(f"{name}: report written to {path}")
