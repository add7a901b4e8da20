"""``peneira plot``: the tag path sequence of pages as a drawing."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from peneira.cli.messages import say
from peneira.cli.pages import SOURCES, ReadOptions, read_options, read_pages, report_cuts
from peneira.extraction import extract
from peneira.files import binary_file
from peneira.output.plot import EMPTY_PAGE, MAX_PANELS, Format, Panel, draw, panel_of
from peneira.page import Page
from peneira.result import Extraction, Range
from peneira.sources.inputs import is_url
from peneira.texts.region_filter import content_regions
from peneira.texts.tps import VARIANTS, Variant, search_region, tag_path_sequence

_BY_SUFFIX: dict[str, Format] = {".svg": "svg", ".png": "png"}


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar=f"{SOURCES}...")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="The file to draw; its ending (.svg .png) sets the format.",
)
@click.option(
    "--faithful",
    type=click.Choice(list(VARIANTS)),
    help="Shade the region of the published algorithm instead, in one of its variants.",
)
@click.option("--title", help="A heading over the drawing.")
@read_options
def plot(
    sources: tuple[str, ...],
    output: Path,
    faithful: Variant | None,
    title: str | None,
    reading: ReadOptions,
) -> None:
    """Draw the tag path sequence of each page: path code over position.

    The main regions are shaded, and the records that start in them are marked. Several pages are drawn below each
    other.

    \b
    Examples:
      peneira plot page.html -o tps.svg
      peneira plot page-1.html page-2.html --faithful scan-on -o tps.png
    """
    format_ = _BY_SUFFIX.get(output.suffix.lower())
    if format_ is None:
        raise click.UsageError(f"{output}: unknown ending; a drawing is .svg or .png")
    pages = len(reading.sources(sources))
    if pages > MAX_PANELS:
        raise click.UsageError(f"{pages} pages are too many for one drawing; it holds {MAX_PANELS}")
    panels: list[Panel] = []
    failures = 0
    for outcome in read_pages(sources, reading):
        if outcome.result is None:
            failures += 1
            continue
        page, result = outcome.result, extract(outcome.result)
        report_cuts(outcome.name, [cut for cut in result.cuts if cut not in page.cuts])  # those have been reported
        panels.append(_panel(page, result, _heading(outcome.name), faithful))
        _report(outcome.name, panels[-1])
    if panels:
        with binary_file(output) as file:
            draw(panels, file, format=format_, title=title)
    if failures:
        sys.exit(1)


def _heading(name: str) -> str:
    """Return what to call a page over its panel: a file without its folders, a URL whole."""
    return name if is_url(name) else Path(name).name


def _panel(page: Page, result: Extraction, name: str, faithful: Variant | None) -> Panel:
    regions = content_regions(page) if faithful is None else [_published_region(page, faithful)]
    labels = ["main region", *(f"main region {number}" for number in range(2, len(regions) + 1))]
    main = result.main
    starts = [record.ranges[0][0] for record in main.records] if main else []
    inside = [row for row in starts if any(start <= row < end for start, end in regions)]
    named = [(start, end, label) for (start, end), label in zip(regions, labels, strict=True)]
    return panel_of(page, name, named, inside)


def _published_region(page: Page, variant: Variant) -> Range:
    """Return the rows of the region that Algorithm 3 finds."""
    sequence = tag_path_sequence(page, VARIANTS[variant].style)
    start, end = search_region(sequence.symbols, variant=variant)
    return int(sequence.rows[start]), int(sequence.rows[end - 1]) + 1


def _report(name: str, panel: Panel) -> None:
    if len(panel.symbols) < 2:
        say(f"{name}: {EMPTY_PAGE}")
        return
    regions = "; ".join(f"{label} {start}-{end}" for start, end, label in panel.regions)
    starts = f"{len(panel.record_starts)} records start there"
    say(f"{name}: {len(panel.symbols)} positions; {regions}; {starts}")
