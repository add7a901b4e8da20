"""``peneira text``: the main text of pages."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Literal, cast

import click

from peneira.cli.format_choice import FormatChoice
from peneira.cli.messages import say, write_stdout
from peneira.cli.pages import SOURCES, ReadOptions, read_options, read_pages, report_cuts
from peneira.output.documents import text_document
from peneira.preview import shortened
from peneira.texts.main_text import MainText, main_text

Format = Literal["text", "markdown", "json"]
# Between the texts of several pages
_RULE = "-" * 72


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar=f"{SOURCES}...")
@click.option(
    "-f",
    "--format",
    "named_format",
    type=FormatChoice(["text", "markdown", "json"]),
    default="text",
    show_default=True,
    help="json: one document; for several pages one line each, with the type of the page and a confidence.",
)
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a table of the texts to this folder, as `peneira batch` writes, part by part.",
)
@click.option("--comments", is_flag=True, help="Add the comments of readers, after the text; always in JSON.")
@read_options
def text(
    sources: tuple[str, ...], named_format: str, folder: Path | None, comments: bool, reading: ReadOptions
) -> None:
    """Print the main text of a page of any type, without menus, adverts, related items and comments.

    \b
    Examples:
      peneira text article.html
      peneira text https://example.com/docs --format markdown
      peneira text saved_pages/ --format json > texts.jsonl
      peneira text saved_pages/ -o texts/
    """
    if folder is not None:
        from peneira.cli.folder_output import run_into_folder  # imports the engine of batch runs

        if named_format != "text":
            raise click.UsageError("into a folder, texts are plain; `peneira batch --task text` has other formats")
        run_into_folder(folder, "text", sources, fetching=reading.fetching)
        return
    chosen = cast("Format", named_format)
    is_single = reading.is_single(sources)
    failures = written = 0
    for outcome in read_pages(sources, reading):
        if outcome.result is None:
            failures += 1
            continue
        found = main_text(outcome.result, markdown=chosen == "markdown")
        report_cuts(outcome.name, found.cuts[len(outcome.result.cuts) :])
        if found.reason:
            described = f"; it describes itself: {shortened(found.description, 200)}" if found.description else ""
            say(f"{outcome.name}: no main text: {found.reason}{described}")
        if chosen == "json":
            write_stdout(_json(found, outcome.name, outcome.result.url, is_single=is_single))
            continue
        if written and not is_single:
            write_stdout(f"\n{_RULE}\n")
        if not is_single:
            write_stdout(f"{outcome.name}\n")
        if body := _with_comments(found, is_markdown=chosen == "markdown") if comments else found.text:
            write_stdout(body)
        written += 1
    if failures:
        sys.exit(1)


def _json(found: MainText, name: str, url: str | None, *, is_single: bool) -> str:
    document = text_document(found, url)
    if is_single:
        return json.dumps(document, ensure_ascii=False, indent=2)
    return json.dumps({"source": name, **document}, ensure_ascii=False)


def _with_comments(found: MainText, *, is_markdown: bool) -> str:
    if not found.comments:
        return found.text
    title = "## Comments" if is_markdown else "Comments"
    return "\n\n".join(part for part in (found.text, title, found.comments) if part)
