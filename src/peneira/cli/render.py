"""``peneira render``: the picture of a page as a browser shows it, with what was found outlined."""

from __future__ import annotations

from pathlib import Path

import click

from peneira.cli.methods import method_named
from peneira.cli.options import fetch_options
from peneira.cli.rendering import Reader
from peneira.errors import OutputError, RenderError
from peneira.files import binary_file
from peneira.methods import DEFAULT_METHOD
from peneira.output.overlay import annotated_svg, marks_of, png_size, standalone
from peneira.output.report import report
from peneira.page import Page
from peneira.rendering import Renderer
from peneira.result import Extraction
from peneira.sources.chromium import RenderOptions
from peneira.sources.fetch import FetchOptions


@click.command()
@click.argument("source", metavar="PATH|URL|-")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="The file to write: .png the picture, .svg the picture with the outlines apart, .html a report.",
)
@click.option("--boxes", is_flag=True, help="Outline lists, records and cells, and number them.")
@click.option("--method", default=DEFAULT_METHOD, show_default=True, help="How to find records.")
@click.option(
    "--width", "width_px", type=click.IntRange(200, 4000), default=1280, show_default=True, help="Width of the window."
)
@click.option("--scroll", "scrolls", type=click.IntRange(min=0), default=0, metavar="N", help="Scroll up to N times.")
@fetch_options
def render(
    source: str,
    output: Path,
    boxes: bool,
    method: str,
    width_px: int,
    scrolls: int,
    url: str | None,
    timeout_s: float,
    allow_private: bool,
) -> None:
    """Take a picture of a page as a browser shows it.

    \b
    Examples:
      peneira render https://example.com/jobs -o shot.png --boxes
      peneira render page.html -o report.html
    """
    ending = output.suffix.lower()
    if ending not in (".png", ".svg", ".html"):
        raise click.UsageError(f"{output}: unknown ending; a picture is .png or .svg, a report .html")
    chosen = method_named(method)
    if not output.parent.is_dir():
        raise OutputError(output, "cannot be written: no such folder")
    options = RenderOptions(timeout_s=timeout_s, width_px=width_px, scrolls=scrolls, allow_private=allow_private)
    fetching = FetchOptions(timeout_s=timeout_s, allow_private=allow_private)
    with Renderer("always", options) as renderer:
        (read,) = Reader(renderer, chosen, url, fetching, screenshot=True).read([source])
        if read.page is None or read.result is None:
            raise read.error or RenderError(source, "nothing was read")
        content = _content(read.page, read.result, source, ending, boxes, renderer)
        with binary_file(output) as file:
            file.write(content)
        found = read.result.main
        told = f"{len(found.records)} records" if found else f"no list of records ({read.result.verdict})"
        click.echo(f"{source}: {told}; written to {output}", err=True)
        for cut in read.result.cuts:
            click.echo(f"{source}: partial: {cut}", err=True)
        if renderer.note:
            click.echo(f"note: {renderer.note}", err=True)


def _content(page: Page, result: Extraction, name: str, ending: str, boxes: bool, renderer: Renderer) -> bytes:
    """Return what is to be written."""
    picture = page.layout.screenshot if page.layout else None
    if picture is None:
        raise RenderError(name, "the browser gave no picture of it in time; try again with more time")
    if ending == ".html":
        return report(page, result, name).encode()
    svg = annotated_svg(picture, marks_of(page, result) if boxes else [])
    if ending == ".svg":
        return svg.encode()
    return renderer.browser.render_png(standalone(svg), *png_size(picture)) if boxes else picture
