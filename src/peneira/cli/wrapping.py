"""The verbs around saved wrappers: ``apply``, ``check``, ``heal``, ``show`` and ``export``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from peneira.cli.messages import say, write_stdout
from peneira.cli.options import check_target, output_options
from peneira.cli.output import Output
from peneira.cli.pages import SOURCES, ReadOptions, read_all, read_options, report_cuts
from peneira.cli.wrapper_view import print_wrapper
from peneira.files import text_file
from peneira.output.documents import check_document, healing_document
from peneira.reasons import ReasonCode
from peneira.table import stack
from peneira.wrappers.drift import CheckVerdict
from peneira.wrappers.export import FORMS, exported
from peneira.wrappers.healing import Healing
from peneira.wrappers.wrapper import EMPTY_PAGE, Fallback, Wrapper

EXIT_CODES = {
    CheckVerdict.OK: 0,
    CheckVerdict.DEGRADED: 3,
    CheckVerdict.BROKEN: 4,
    CheckVerdict.OTHER_TEMPLATE: 4,
}

_wrapper = click.argument("file", metavar="WRAPPER", type=click.Path(dir_okay=False, path_type=Path))
_sources = click.argument("sources", nargs=-1, required=True, metavar=f"{SOURCES}...")
_target = click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file.")


@click.command()
@_wrapper
@_sources
@click.option("--otherwise", type=click.Choice(["nothing", "auto"]), default="nothing", show_default=True,
              help="How to read a page of another template: auto extracts it without the wrapper.")  # fmt: skip
@output_options
@read_options
def apply(
    file: Path,
    sources: tuple[str, ...],
    otherwise: Fallback,
    output: Output,
    reading: ReadOptions,
) -> None:
    """Read pages with a saved wrapper. A page of another template gives no records and is reported.

    \b
    Examples:
      peneira apply shop.json page1.html page2.html -o items.csv
      peneira apply shop.json pages/ | jq .title
    """
    if output.folder is not None:
        from peneira.cli.folder_output import run_into_folder  # imports the engine of batch runs

        Wrapper.load(file)  # what is wrong in it is said before any page is read
        run_into_folder(
            output.folder, "apply", sources, named_format=output.named_format, wrapper=file, fetching=reading.fetching
        )
        return
    output.check()
    wrapper = Wrapper.load(file)
    read, failed = read_all(sources, reading)
    tables = []
    for name, page in read:
        result = wrapper.extract(page, otherwise=otherwise)
        report_cuts(name, [cut for cut in result.cuts if cut not in page.cuts])  # those have been reported
        why = result.reasons[0] if result.reasons else EMPTY_PAGE
        is_other = why.code == ReasonCode.OTHER_TEMPLATE
        if result.main is None or is_other:
            failed = failed or result.main is None
            hint = "; --otherwise auto reads it without the wrapper" if is_other and otherwise == "nothing" else ""
            say(f"peneira: {name}: {why}{hint}")
        if result.main is not None:
            tables.append(((name,), result.main.table))
    output.write(stack(("source",), tables))
    if failed:
        sys.exit(1)


@click.command()
@_wrapper
@_sources
@click.option("--each", is_flag=True, help="Check each page separately; the exit code is that of the worst.")
@read_options
def check(file: Path, sources: tuple[str, ...], each: bool, reading: ReadOptions) -> None:
    """Check whether pages still fit a wrapper, and list what is missing if they do not.

    The pages are checked together: a column that one page lacks may be optional, a column that all lack is lost.
    Exit code 0: ok; 3: degraded, some of it is lost; 4: other-template or broken, nothing can be read.

    \b
    Examples:
      peneira check shop.json page.html
      peneira check shop.json pages/ --each || peneira heal shop.json pages/ -o healed.json
    """
    wrapper = Wrapper.load(file)
    read, failed = read_all(sources, reading)
    together = read[0][0] if len(read) == 1 else f"{len(read)} pages"
    groups = [(name, [page]) for name, page in read] if each else [(together, [page for _, page in read])]
    reports = [(name, wrapper.check(pages)) for name, pages in groups if pages]
    if sys.stdout.isatty():
        for name, report in reports:
            write_stdout(f"{name}: {report}")
    else:
        documents = [check_document(name, report) for name, report in reports]
        write_stdout(json.dumps(documents, ensure_ascii=False, indent=2))
    worst = max((EXIT_CODES[report.verdict] for _, report in reports), default=1)
    sys.exit(1 if failed and not worst else worst)


@click.command()
@_wrapper
@_sources
@_target
@read_options
def heal(
    file: Path,
    sources: tuple[str, ...],
    output: Path | None,
    reading: ReadOptions,
) -> None:
    """Learn a wrapper again from changed pages, with its old column names, and list what changed.

    The new wrapper is written only if it passes a check and every core column is found again; otherwise the exit code
    is 1.

    \b
    Examples:
      peneira heal shop.json new1.html new2.html
      peneira heal shop.json pages/ -o shop.json
    """
    output = check_target(output)
    wrapper = Wrapper.load(file)
    read, failed = read_all(sources, reading)
    healing = wrapper.heal([page for _, page in read])
    _show_healing(healing)
    if healing.accepted and output is not None:
        healing.wrapper.save(output)
        say(f"{output}: {len(healing.wrapper.fields)} columns")
    if failed or not healing.accepted:
        sys.exit(1)


def _show_healing(healing: Healing) -> None:
    if sys.stdout.isatty():
        for change in healing.changes:
            write_stdout(str(change))
        write_stdout(f"{healing.reason.name}: {healing.reason}")
        return
    write_stdout(json.dumps(healing_document(healing), ensure_ascii=False, indent=2))


@click.command()
@_wrapper
def show(file: Path) -> None:
    """Print a wrapper as a readable table: columns, types, samples, selectors and their stability.

    \b
    Example:
      peneira show shop.json
    """
    for wrapper in Wrapper.load(file).templates:
        print_wrapper(wrapper, sys.stdout)


@click.command()
@_wrapper
@click.option("--as", "form", type=click.Choice(FORMS), default="xpath", show_default=True, help="What to write.")
@_target
def export(file: Path, form: str, output: Path | None) -> None:
    """Export a wrapper for other tools: its selectors, one per line, a Python module for Scrapy, or a JSON schema for
    tools such as crawl4ai.

    \b
    Examples:
      peneira export shop.json --as css
      peneira export shop.json --as scrapy -o shop_items.py
    """
    output = check_target(output)
    text = exported(Wrapper.load(file), form)
    if output is None:
        write_stdout(text, end="")
        return
    with text_file(output) as opened:
        opened.write(text)
