"""The tables of several sites, written: a file for each, or one after the other on standard output."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import click

from peneira.cli.column_list import ColumnList, columns_of_sites
from peneira.cli.messages import say, write_stdout
from peneira.cli.output import Output
from peneira.cli.sites import SiteTable, by_page
from peneira.result import Paging
from peneira.table import Table

# Formats in which one stream can hold tables with different columns
_STREAM_FORMATS = ("table", "md", "json", "jsonl")
_NESTED_FORMATS = ("json", "jsonl")


def check_nested(output: Output) -> None:
    """Refuse formats without nested objects, before any page is fetched."""
    if output.format not in _NESTED_FORMATS:
        raise click.UsageError(f"--sites nested is written as {' or '.join(_NESTED_FORMATS)}, not as {output.format}")


def write_sites(writer: Output | ColumnList, sites: Sequence[SiteTable]) -> int:
    """Write the table of each site, and return how many records were dropped."""
    if len(sites) == 1:
        return writer.write(sites[0].table).dropped
    names = ", ".join(site.name for site in sites)
    output = writer.output if isinstance(writer, ColumnList) else writer
    if not output.is_stdout:
        where = "table" if output.format in ("sqlite", "postgres") else "file"
        say(f"{len(sites)} sites, a {where} for each (--sites joined makes one table): {names}")
        return sum(writer.for_site(site.name).write(site.table).dropped for site in sites)
    if writer.format not in _STREAM_FORMATS:
        raise click.UsageError(
            f"the pages are of {len(sites)} sites ({names}), and {writer.format} holds one table: name a file with -o "
            "to get one for each site, or join them with --sites joined"
        )
    say(f"{len(sites)} sites, one after the other (--sites joined makes one table): {names}")
    if writer.format == "json":
        return _write_json(writer, sites)
    dropped = 0
    for k, site in enumerate(sites):
        if writer.format != "jsonl":
            heading = f"## {site.heading}\n" if writer.format == "md" else site.heading
            write_stdout("\n" * bool(k) + heading)
        dropped += writer.write(site.table).dropped
    return dropped


def _write_json(writer: Output | ColumnList, sites: Sequence[SiteTable]) -> int:
    from peneira.output.json_objects import write_json_of_tables

    if isinstance(writer, ColumnList):
        objects = columns_of_sites([(site.name, site.table) for site in sites])
        write_stdout(json.dumps(objects, ensure_ascii=False, indent=2))
        return 0
    return writer.write_text(lambda file: write_json_of_tables([site.table for site in sites], file)).dropped


def write_nested(
    output: Output, sites: Sequence[SiteTable], key_names: Sequence[str], pagings: Mapping[str, Paging]
) -> int:
    """Write an object per page with its records and its paging, and return how many records were dropped."""
    from peneira.output.json_objects import write_pages

    pages: list[tuple[Mapping[str, object], Table]] = [
        ({**keys, "paging": pagings[keys["source"]].to_dict()}, table)
        for site in sites
        for keys, table in by_page(site, key_names)
    ]
    return output.write_text(lambda file: write_pages(pages, file, as_lines=output.format == "jsonl")).dropped
