"""``peneira content``: the texts of a page that are its content."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import asdict
from pathlib import Path
from typing import cast, get_args

import click

from peneira.cli.inputs import Outcome, expand, pages
from peneira.cli.options import fetch_options
from peneira.page import Page
from peneira.sources.fetch import FetchOptions
from peneira.texts.content import Content
from peneira.texts.content import content as content_of
from peneira.texts.content_model import DEFAULT_MODEL, MIN_PROBABILITY, ModelName


@click.command()
@click.argument("source", metavar="PATH|URL|-")
@click.option(
    "--site-pages",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder of other pages of the same site: what stands on all of them is no content.",
)
@click.option("--model", type=click.Choice(get_args(ModelName)), default=DEFAULT_MODEL, show_default=True)
@click.option(
    "--models",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder that `peneira train content` filled, instead of the shipped models.",
)
@click.option(
    "--least",
    "min_probability",
    type=click.FloatRange(0, 1),
    default=MIN_PROBABILITY,
    show_default=True,
    help="Probability from which on a text is content; 0 shows all texts.",
)
@fetch_options
def content(
    source: str,
    folder: Path | None,
    model: str,
    models: Path | None,
    min_probability: float,
    url: str | None,
    timeout_s: float,
    allow_private: bool,
) -> None:
    """Show the contents of a page: titles, values, paragraphs, without menus, adverts and other noise.

    On a terminal a line per content, when piped one JSON document.

    \b
    Examples:
      peneira content product.html
      peneira content product.html --site-pages saved/ | jq -r '.contents[].text'
    """
    options = FetchOptions(timeout_s=timeout_s, allow_private=allow_private)
    (outcome,) = pages([source], url=url, options=options)
    page = _opened(outcome)
    others = _others(folder, source) if folder else None
    name = cast("ModelName", model)
    found = content_of(page, None, others, model=name, models=models, min_probability=min_probability)
    if not sys.stdout.isatty():
        document = {"url": page.url, "model": model, "contents": [asdict(one) for one in found]}
        click.echo(json.dumps(document, ensure_ascii=False, indent=2))
        return
    for line in content_lines(found, shutil.get_terminal_size().columns):
        click.echo(line)


def content_lines(found: list[Content], width: int) -> list[str]:
    """Return a line per content for a reader: its probability and its text, cut to the width."""
    lines = [f"{one.probability:.2f}  {one.text}" for one in found]
    return [line if len(line) <= width else line[: width - 1] + "…" for line in lines]


def _opened(outcome: Outcome) -> Page:
    if outcome.page is None:
        assert outcome.error is not None
        raise outcome.error
    for cut in outcome.page.cuts:
        click.echo(f"{outcome.name}: partial: {cut}", err=True)
    return outcome.page


def _others(folder: Path, source: str) -> list[Page]:
    """Return the pages of the folder that can be read, without the page itself; say which cannot."""
    found: list[Page] = []
    for outcome in pages([name for name in expand([str(folder)]) if name != source]):
        if outcome.page is not None:
            found.append(outcome.page)
        else:
            click.echo(f"skipped: {outcome.error}", err=True)
    return found
