"""``peneira content``: the texts of a page that are its content."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import cast, get_args

import click

from peneira.cli.messages import write_stdout
from peneira.cli.pages import SOURCES, ReadOptions, read_all, read_options, read_pages, terminal_width
from peneira.output.documents import content_document
from peneira.page import Page
from peneira.texts.content import Content, Unit
from peneira.texts.content import content as content_of
from peneira.texts.content_model import DEFAULT_MODEL, ModelName


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar=f"{SOURCES}...")
@click.option(
    "--site-pages",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder of other pages of the same site: text that all pages have is not content.",
)
@click.option(
    "--model",
    type=click.Choice(get_args(ModelName)),
    default=DEFAULT_MODEL,
    show_default=True,
    help="light: decision trees on many features; edrew: the model of the thesis, on tag paths alone.",
)
@click.option(
    "--models",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder of models that `peneira train content` wrote, instead of the shipped ones.",
)
@click.option(
    "--min-probability",
    type=click.FloatRange(0, 1),
    help="Texts with at least this probability are content; 0 shows all texts.  [default: that of the model]",
)
@click.option(
    "--by",
    type=click.Choice(get_args(Unit)),
    default="block",
    show_default=True,
    help="block: the texts of a paragraph, cell or item joined; node: the runs of text as the models see them.",
)
@read_options
def content(
    sources: tuple[str, ...],
    folder: Path | None,
    model: str,
    models: Path | None,
    min_probability: float | None,
    by: str,
    reading: ReadOptions,
) -> None:
    """Print the content of a page: titles, values, paragraphs, without menus, adverts and other noise.

    On a terminal one line per text; when piped one JSON document, for several pages one line of JSON each.

    \b
    Examples:
      peneira content product.html
      peneira content product.html --site-pages saved/ | jq -r '.contents[].text'
    """
    is_single = reading.is_single(sources)
    site_pages = _site_pages(folder, sources, reading) if folder else ()
    name, unit = cast("ModelName", model), cast("Unit", by)
    failures = 0
    for outcome in read_pages(sources, reading):
        if outcome.result is None:
            failures += 1
            continue
        page = outcome.result
        contents = content_of(
            page, site_pages=site_pages, model=name, models=models, min_probability=min_probability, by=unit
        )
        document = content_document(contents, page.url, model, contents.cuts)
        if sys.stdout.isatty():
            lines = content_lines(contents, terminal_width())
            write_stdout("\n".join(lines if is_single else [outcome.name, *lines]))
        elif is_single:
            write_stdout(json.dumps(document, ensure_ascii=False, indent=2))
        else:
            write_stdout(json.dumps({"source": outcome.name, **document}, ensure_ascii=False))
    if failures:
        sys.exit(1)


def content_lines(contents: list[Content], width: int) -> list[str]:
    """Return a line per content for a reader: its probability and its text, cut to the width."""
    lines = [f"{content.probability:.2f}  {content.text}" for content in contents]
    return [line if len(line) <= width else line[: width - 1] + "…" for line in lines]


def _site_pages(folder: Path, sources: Sequence[str], reading: ReadOptions) -> list[Page]:
    """Return the pages of the folder that can be read, without those whose content is asked for."""
    others = [source.name for source in reading.sources([str(folder)]) if source.name not in sources]
    pages, failed = read_all(others, reading)
    if failed:
        raise click.ClickException(f"{folder}: not all pages of the site can be read")
    return [page for _, page in pages]
