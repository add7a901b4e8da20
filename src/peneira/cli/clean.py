"""``peneira clean`` and ``peneira segment``: the page without its noise, and as a tree of regions."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from peneira.cli.messages import say, write_stdout
from peneira.cli.options import STDOUT, check_target
from peneira.cli.pages import SOURCES, ReadOptions, read_options, read_pages, report_cuts, terminal_width
from peneira.errors import OutputError
from peneira.files import OwnPath, text_file
from peneira.page import Page
from peneira.texts.blocks import Block
from peneira.texts.cleaning import Filtering, cleaned_page
from peneira.texts.cleaning import segment as segment_page
from peneira.texts.tps import MIN_DIFFERENCE, VARIANTS, MarginOf, Variant


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar=f"{SOURCES}...")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Write to this file; several pages are written into this folder, under their own names.",
)
@click.option(
    "--faithful",
    type=click.Choice(list(VARIANTS)),
    help="Run the tag path filter as published, or as its author's program of 2013 behaved.",
)
@click.option(
    "--inert",
    is_flag=True,
    help="Keep text, structure, pictures and plain links only: nothing that runs, loads a document or sends something.",
)
@click.option(
    "--margin",
    type=click.FloatRange(0, 1, max_open=True),
    default=MIN_DIFFERENCE,
    show_default=True,
    help="With --faithful: the share by which the parts of a split must differ.",
)
@click.option(
    "--margin-of",
    type=click.Choice(["sequence", "rest"]),
    default="sequence",
    show_default=True,
    help="With --faithful: what the margin is a share of, as in the formula or as in the text of the publications.",
)
@click.option(
    "--complement",
    is_flag=True,
    help="With --faithful: keep the rest of the page where the region found is noise (Algorithm 6).",
)
@read_options
def clean(
    sources: tuple[str, ...],
    output: Path | None,
    faithful: Variant | None,
    inert: bool,
    margin: float,
    margin_of: MarginOf,
    complement: bool,
    reading: ReadOptions,
) -> None:
    """Prune the noise from a page: menus, filters, adverts, footers. What is left is a whole document.

    \b
    Examples:
      peneira clean page.html -o cleaned.html
      peneira clean https://example.com/jobs | less
      peneira clean saved_pages/ -o cleaned/
    """
    if faithful is None and (complement or margin != MIN_DIFFERENCE or margin_of != "sequence"):
        raise click.UsageError("--margin and --complement are options of the published filter: add --faithful")
    filtering = Filtering(faithful, margin, complement, margin_of)
    names = [source.name for source in reading.sources(sources)]
    targets = _targets(names, output, is_single=reading.is_single(sources))
    failures = 0
    for outcome, target in zip(read_pages(sources, reading), targets, strict=True):
        if outcome.result is None:
            failures += 1
        else:
            _write_clean(outcome.result, outcome.name, filtering, target, inert=inert)
    if failures:
        sys.exit(1)


def _targets(names: Sequence[str], output: Path | None, *, is_single: bool) -> list[Path | None]:
    """Return the file that each page is written to, None for standard output; what cannot be written is refused."""
    if output is None or output == STDOUT:
        if not is_single:
            raise click.UsageError("several pages are written into a folder: name it with -o")
        return [None]
    if is_single and not output.is_dir():
        return [check_target(output)]
    if output.exists() and not output.is_dir():
        raise OutputError(output, "is not a folder, and several pages are to be written")
    output.mkdir(parents=True, exist_ok=True)
    taken: set[str] = set()
    return [OwnPath(output / _free_name(name, taken)) for name in names]


def _free_name(name: str, taken: set[str]) -> str:
    """Return a file name for a page that no other page has, and note it."""
    stem = Path(name.rstrip("/")).name.removesuffix(".gz") or "page"
    stem = stem if stem.lower().endswith((".html", ".htm", ".xhtml")) else f"{stem}.html"
    file, number = stem, 1
    while file in taken:
        number += 1
        file = f"{Path(stem).stem}-{number}{Path(stem).suffix}"
    taken.add(file)
    return file


def _write_clean(page: Page, name: str, filtering: Filtering, target: Path | None, *, inert: bool) -> None:
    cleaned = cleaned_page(page, filtering, inert=inert)
    report_cuts(name, cleaned.cuts[len(page.cuts) :])
    keep, html = cleaned.keep, cleaned.html
    body = slice(page.body, int(page.end[page.body]) if len(page) else 0)
    counted = ~page.silent[body]
    say(f"{name}: {int((keep[body] & counted).sum())} of {int(counted.sum())} nodes kept")
    if target is None:
        write_stdout(html)
        return
    with text_file(target) as file:
        file.write(html)


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar=f"{SOURCES}...")
@read_options
def segment(sources: tuple[str, ...], reading: ReadOptions) -> None:
    """Print the regions of a page as a tree: role, share of the page, and first words of each.

    On a terminal a readable tree; when piped one JSON document, for several pages one line of JSON each.

    \b
    Examples:
      peneira segment page.html
      peneira segment saved_pages/ > regions.jsonl
    """
    is_single = reading.is_single(sources)
    failures = 0
    for outcome in read_pages(sources, reading):
        if outcome.result is None:
            failures += 1
            continue
        tree = segment_page(outcome.result)
        report_cuts(outcome.name, tree.cuts[len(outcome.result.cuts) :])
        if sys.stdout.isatty():
            lines = tree_lines(tree, terminal_width())
            write_stdout("\n".join(lines if is_single else [outcome.name, *lines]))
        elif is_single:
            write_stdout(json.dumps(asdict(tree), ensure_ascii=False, indent=2))
        else:
            write_stdout(json.dumps({"source": outcome.name, **asdict(tree)}, ensure_ascii=False))
    if failures:
        sys.exit(1)


def tree_lines(tree: Block, width: int) -> list[str]:
    """Return the tree for a reader, a line per block."""
    lines = []
    for depth, block in tree.walk():
        mark = "●" if block.role == "main" else "○"
        name = f"[{block.label}] " if block.label else ""
        line = f"{'  ' * depth}{mark} {block.role} {block.share:.0%}  {name}{block.text}"
        lines.append(line if len(line) <= width else line[: width - 1] + "…")
    return lines
