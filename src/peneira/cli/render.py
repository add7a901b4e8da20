"""``peneira render``: the picture of a page as a browser renders it, with what was found outlined."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from peneira.cli.messages import say
from peneira.cli.methods import method_named
from peneira.cli.no_list import page_kind
from peneira.cli.pages import SOURCES, ReadOptions, read_options, report_browser, report_cuts
from peneira.errors import OutputError, RenderError
from peneira.extraction import Extractor
from peneira.files import binary_file
from peneira.methods import DEFAULT_METHOD
from peneira.output.overlay import annotated_svg, marks_of, png_size, standalone
from peneira.output.report import report
from peneira.page import Page
from peneira.result import Extraction
from peneira.sources.rendering import Renderer


@click.command()
@click.argument("source", metavar=SOURCES)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="The file to write: .png a picture, .svg a picture with the outlines as shapes, .html a report.",
)
@click.option("--boxes", is_flag=True, help="Outline lists, records and cells, and number them.")
@click.option("--method", default=DEFAULT_METHOD, show_default=True, help="How to find records.")
@click.option(
    "--width",
    "width_px",
    metavar="PIXELS",
    type=click.IntRange(200, 4000),
    default=1280,
    show_default=True,
    help="Width of the window.",
)
@read_options
def render(source: str, output: Path, boxes: bool, method: str, width_px: int, reading: ReadOptions) -> None:
    """Take a picture of a page as a browser renders it.

    \b
    Examples:
      peneira render https://example.com/jobs -o shot.png --boxes
      peneira render page.html -o report.html
    """
    ending = output.suffix.lower()
    if ending not in (".png", ".svg", ".html"):
        raise click.UsageError(f"{output}: unknown ending; a picture is .png or .svg, a report .html")
    if reading.render == "never":
        raise click.UsageError("a picture needs a browser: it does not go with --render never")
    sources = reading.sources([source])
    if len(sources) > 1:
        raise click.UsageError(f"{source} has {len(sources)} pages; name one")
    chosen = method_named(method)
    if not output.parent.is_dir():
        raise OutputError(output, "cannot be written: no such folder")
    renderer = replace(reading, render="always").renderer(screenshot=True, width_px=width_px)
    with Extractor(chosen, renderer) as extractor:
        extracted = extractor.extract(sources[0])
        page, result, name = extracted.reading.page, extracted.result, sources[0].name
        content = _content(page, result, name, ending, boxes, renderer)
        with binary_file(output) as file:
            file.write(content)
        summary = f"{len(result.main)} records" if result.main else f"no list of records: {page_kind(result, 'always')}"
        say(f"{name}: {summary}; written to {output}")
        report_cuts(name, result.cuts)
        report_browser(extractor)


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
