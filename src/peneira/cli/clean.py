"""``peneira clean`` and ``peneira segment``: the page without its noise, and as a tree of regions."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import asdict
from pathlib import Path

import click

from peneira.cli.inputs import pages
from peneira.cli.options import fetch_options
from peneira.page import Page
from peneira.sources.fetch import FetchOptions
from peneira.texts.blocks import Block
from peneira.texts.cleaning import kept_rows, pruned_html
from peneira.texts.cleaning import segment as segment_page
from peneira.texts.tps import Variant


@click.command()
@click.argument("source", metavar="PATH|URL|-")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file.")
@click.option(
    "--faithful",
    type=click.Choice(["first-split", "scan-on"]),
    help="Run the tag path filter as published, in one of its two variants.",
)
@fetch_options
def clean(
    source: str, output: Path | None, faithful: Variant | None, url: str | None, timeout_s: float, allow_private: bool
) -> None:
    """Prune the noise from a page: menus, filters, adverts, footers. What is left is a whole document.

    \b
    Examples:
      peneira clean page.html -o cleaned.html
      peneira clean https://example.com/jobs | less
    """
    page = _page(source, url, timeout_s, allow_private)
    keep = kept_rows(page, faithful)
    html = pruned_html(page, keep)
    body = slice(page.body, int(page.end[page.body]))
    counted = ~page.silent[body]
    click.echo(f"{source}: {int((keep[body] & counted).sum())} of {int(counted.sum())} nodes kept", err=True)
    if output is None:
        click.echo(html)
        return
    try:
        output.write_text(html, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{output}: cannot be written: {error.strerror}") from error


@click.command()
@click.argument("source", metavar="PATH|URL|-")
@fetch_options
def segment(source: str, url: str | None, timeout_s: float, allow_private: bool) -> None:
    """Show the regions of a page as a tree: their role, their share of the page, how they begin.

    On a terminal a readable tree, when piped one JSON document.

    \b
    Example:
      peneira segment page.html
    """
    tree = segment_page(_page(source, url, timeout_s, allow_private))
    if not sys.stdout.isatty():
        click.echo(json.dumps(asdict(tree), ensure_ascii=False, indent=2))
        return
    for line in tree_lines(tree, shutil.get_terminal_size().columns):
        click.echo(line)


def tree_lines(tree: Block, width: int) -> list[str]:
    """Return the tree for a reader, a line per block."""
    lines = []
    for depth, block in tree.walk():
        mark = "●" if block.role == "main" else "○"
        line = f"{'  ' * depth}{mark} {block.role} {block.share:.0%}  {block.text}"
        lines.append(line if len(line) <= width else line[: width - 1] + "…")
    return lines


def _page(source: str, url: str | None, timeout_s: float, allow_private: bool) -> Page:
    options = FetchOptions(timeout_s=timeout_s, allow_private=allow_private)
    (outcome,) = pages([source], url=url, options=options)
    if outcome.page is None:
        assert outcome.error is not None
        raise outcome.error
    for cut in outcome.page.cuts:
        click.echo(f"{source}: partial: {cut}", err=True)
    return outcome.page
