"""``peneira plot``: the tag path sequence of pages as a drawing."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import click

from peneira.cli.inputs import expand, is_url, pages
from peneira.cli.options import fetch_options
from peneira.extraction import extract
from peneira.output.plot import EMPTY_PAGE, MAX_PANELS, Format, Panel, draw, panel_of
from peneira.page import Page
from peneira.result import Range
from peneira.sources.fetch import FetchOptions
from peneira.texts.region_filter import content_regions
from peneira.texts.tps import Variant, search_region, tag_path_sequence

_BY_SUFFIX: dict[str, Format] = {".svg": "svg", ".png": "png"}


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="PATH|URL|-...")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="The file to draw; its ending (.svg .png) sets the format.",
)
@click.option(
    "--faithful",
    type=click.Choice(["first-split", "scan-on"]),
    help="Shade the region of the published algorithm instead: as in the paper, or as in the thesis.",
)
@click.option("--title", help="A heading over the drawing.")
@fetch_options
def plot(
    sources: tuple[str, ...],
    output: Path,
    faithful: Variant | None,
    title: str | None,
    url: str | None,
    timeout_s: float,
    allow_private: bool,
) -> None:
    """Draw the tag path sequence of each page: path code over position.

    The main regions are shaded, and the records that start in them are marked. Several pages come under each other.

    \b
    Examples:
      peneira plot page.html -o tps.svg
      peneira plot page-1.html page-2.html --faithful scan-on -o tps.png
    """
    format_ = _BY_SUFFIX.get(output.suffix.lower())
    if format_ is None:
        raise click.UsageError(f"{output}: unknown ending; a drawing is .svg or .png")
    names = expand(sources)
    if len(names) > MAX_PANELS:
        raise click.UsageError(f"{len(names)} pages are too many for one drawing; it holds {MAX_PANELS}")
    panels: list[Panel] = []
    for outcome in pages(names, url=url, options=FetchOptions(timeout_s=timeout_s, allow_private=allow_private)):
        if outcome.page is None:
            click.echo(f"peneira: {outcome.error}", err=True)
            continue
        panels.append(_panel(outcome.page, _heading(outcome.name), faithful))
        _tell(outcome.name, panels[-1])
    if not panels:
        sys.exit(1)
    drawing = io.BytesIO()
    draw(panels, drawing, format=format_, title=title)
    try:
        output.write_bytes(drawing.getvalue())
    except OSError as error:
        raise click.ClickException(f"{output}: cannot be written: {error.strerror}") from error


def _heading(name: str) -> str:
    """Return what to call a page over its panel: a file without its folders, a URL whole."""
    if name == "-":
        return "standard input"
    return name if is_url(name) else Path(name).name


def _panel(page: Page, name: str, faithful: Variant | None) -> Panel:
    regions = content_regions(page) if faithful is None else [_published_region(page, faithful)]
    labels = ["main region", *(f"main region {number}" for number in range(2, len(regions) + 1))]
    main = extract(page).main
    starts = [record.ranges[0][0] for record in main.records] if main else []
    inside = [row for row in starts if any(start <= row < end for start, end in regions)]
    named = [(start, end, label) for (start, end), label in zip(regions, labels, strict=True)]
    return panel_of(page, name, named, inside)


def _published_region(page: Page, variant: Variant) -> Range:
    """Return the rows of the region that Algorithm 3 finds."""
    sequence = tag_path_sequence(page)
    start, end = search_region(sequence.symbols, variant=variant)
    return int(sequence.rows[start]), int(sequence.rows[end - 1]) + 1


def _tell(name: str, panel: Panel) -> None:
    if len(panel.symbols) < 2:
        click.echo(f"{name}: {EMPTY_PAGE}", err=True)
        return
    regions = "; ".join(f"{label} {start}-{end}" for start, end, label in panel.regions)
    starts = f"{len(panel.record_starts)} records start there"
    click.echo(f"{name}: {len(panel.symbols)} positions; {regions}; {starts}", err=True)
