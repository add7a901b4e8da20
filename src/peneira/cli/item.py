"""``peneira item``: the one thing that a page is about."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from unicodedata import east_asian_width

import click

from peneira.cli.messages import say, write_stdout
from peneira.cli.options import output_options
from peneira.cli.output import Output
from peneira.cli.pages import SOURCES, ReadOptions, read_options, read_pages, report_cuts, terminal_width
from peneira.items.builder import item_of
from peneira.items.item_table import item_table
from peneira.preview import counted
from peneira.result import Item
from peneira.table import Table

_MIN_VALUE_CHARS = 20


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar=f"{SOURCES}...")
@click.option("--fields", metavar="NAME,...", help="Write these fields alone, in this order.")
@click.option("--explain", is_flag=True, help="Print on standard error why it is of this kind, and what disagreed.")
@click.option("--evidence", is_flag=True, help="Add where each field is from and how sure it is, as columns.")
@output_options
@read_options
def item(
    sources: tuple[str, ...], fields: str | None, explain: bool, evidence: bool, output: Output, reading: ReadOptions
) -> None:
    """Read the one thing that each page is about: a product, an article, a recipe, a job, an event...

    A row per page: its kind, its fields by role (title, price, availability, brand, author, ingredients...), and the
    label/value pairs of the page under the names of their labels. All pages share one schema. On a terminal, one page
    is shown field by field, with where each is from and how sure it is.

    \b
    Examples:
      peneira item product.html
      peneira item https://example.com/products/42 --explain
      peneira item saved_pages/ -o items.csv
      peneira item recipes/*.html --fields title,ingredients,steps -f jsonl
    """
    if output.folder is not None:
        from peneira.cli.folder_output import run_into_folder  # imports the engine of batch runs

        run_into_folder(output.folder, "item", sources, named_format=output.named_format, fetching=reading.fetching)
        return
    output.check()
    is_single = reading.is_single(sources)
    items: list[Item] = []
    names: list[str] = []
    failures = 0
    for outcome in read_pages(sources, reading):
        if outcome.result is None:
            failures += 1
            continue
        found = item_of(outcome.result)
        report_cuts(outcome.name, found.cuts[len(outcome.result.cuts) :])
        failures += found.kind is None
        say(f"{outcome.name}: {summary(found)}")
        if explain:
            for reason in found.reasons:
                say(f"  {reason.code.value}: {reason}")
        if found.kind is not None:
            items.append(found)
            names.append(outcome.name)
    if items or (output.is_stdout and not failures):
        table = item_table(items, [] if is_single else names, evidence=evidence)
        _write(items, table, _chosen(fields), output)
    if failures:
        sys.exit(1)


def summary(found: Item) -> str:
    """Return what was found in a line."""
    if found.kind is None:
        return f"no item: {found.reasons[0] if found.reasons else 'nothing to read'}"
    return f"{found.kind}, {counted(len(found.fields), 'field')}, confidence {found.confidence:.2f}"


def _chosen(fields: str | None) -> list[str]:
    return [name.strip() for name in (fields or "").split(",") if name.strip()]


def _write(items: Sequence[Item], table: Table, fields: Sequence[str], output: Output) -> None:
    if output.is_stdout and output.format == "table" and len(items) == 1 and "source" not in table.names:
        if fields:
            _selected(table, fields)  # unknown names are an error here too
        shown = [name for name in fields or items[0].fields if name in items[0].fields]
        write_stdout("\n".join(field_lines(items[0], shown, terminal_width())))
        return
    output.write(_selected(table, fields) if fields else table)


def _selected(table: Table, fields: Sequence[str]) -> Table:
    """Return the columns that were asked for, those that tell the pages apart first; unknown names are an error."""
    keys = [name for name in ("source",) if name in table.names and name not in fields]
    return table.select([*keys, *fields])


def field_lines(found: Item, names: Sequence[str], width: int) -> list[str]:
    """Return a line per field for a reader: its name, its value cut to the width, where it is from, how sure it is."""
    if not names:
        return []
    room = max(map(_width, names))
    notes = {name: f"{found[name].source} {found[name].confidence:.2f}" for name in names}
    last = max(map(len, notes.values()))
    value_room = max(width - room - last - 4, _MIN_VALUE_CHARS)
    lines = []
    for name in names:
        cell = found[name]
        text = " | ".join(cell.items) if cell.items else cell.text
        text = _cut("".join(char if char.isprintable() else " " for char in text), value_room)
        padded = text + " " * (value_room - _width(text))
        lines.append(f"{name}{' ' * (room - _width(name))}  {padded}  {notes[name]:>{last}}")
    return lines


def _width(text: str) -> int:
    """Return how many columns of a terminal a text takes: ideographs take two."""
    return len(text) + sum(east_asian_width(char) in "WF" for char in text if not char.isascii())


def _cut(text: str, room: int) -> str:
    """Return a text cut to so many columns."""
    if _width(text) <= room:
        return text
    kept = text[: room - 1]
    while _width(kept) > room - 1:
        kept = kept[:-1]
    return kept + "…"
