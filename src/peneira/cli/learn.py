"""``peneira learn``: what pages of one template have in common, and the data they differ in."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from peneira.cli.choice import column_names
from peneira.cli.messages import say, say_partial, write_stdout
from peneira.cli.options import check_target, output_options
from peneira.cli.output import Output
from peneira.cli.pages import SOURCES, ReadOptions, read_all, read_options
from peneira.cli.wrapper_view import print_wrapper
from peneira.files import text_file
from peneira.page import Page
from peneira.preview import counted
from peneira.table import stack
from peneira.templates.template_schema import schema_of
from peneira.templates.tree_wrapper import TreeWrapper
from peneira.wrappers.learning import DEFAULT_LEARNER, learners
from peneira.wrappers.learning import learn as learn_pages
from peneira.wrappers.store import dumps
from peneira.wrappers.wrapper import PageKind, Wrapper


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar=f"{SOURCES}...")
@click.option("--method", type=click.Choice(learners()), default=DEFAULT_LEARNER, show_default=True)
@click.option(
    "--kind",
    type=click.Choice(["list", "detail"]),
    help="What each page shows: a list, or one thing.  [default: decided from the pages]",
)
@click.option("--region", type=click.IntRange(min=1), metavar="N", help="Learn the N-th best list of each page.")
@click.option("--near", metavar="TEXT", help="Learn the list that has this text in one of its records.")
@click.option("--fields", callback=column_names, metavar="A,B,...", help="Learn these columns only, in this order.")
@click.option("--schema", is_flag=True, help="Show the types of the data instead of the data (gstm, fivatech).")
@output_options
@read_options
def learn(
    sources: tuple[str, ...],
    method: str,
    kind: PageKind | None,
    region: int | None,
    near: str | None,
    fields: tuple[str, ...],
    schema: bool,
    output: Output,
    reading: ReadOptions,
) -> None:
    """Learn from pages of one site, without labels, how to read them, and save it as a wrapper.

    Pages of several templates (lists, details) give a wrapper of all of them, which reads each page by the one that
    fits. What of the pages cannot be read again is said.

    -o names the wrapper file, which apply, check, heal, show and export use; without it the wrapper is printed. The
    published methods gstm and fivatech print the data of the pages or, with --schema, its structure: tuples of columns,
    repeated sets, options; fixed text of the template is in quotes. A file that ends in .json is their wrapper too.

    \b
    Examples:
      peneira learn film1.html film2.html film3.html -o films.json
      peneira learn shop.html --near "Blue mug" --fields title,price -o shop.json
      peneira learn pages/ --method fivatech --schema
      peneira learn pages/ --method gstm -o films.json
    """
    is_wrapper_file = output.path is not None and output.path.suffix == ".json" and not schema
    is_saved = method == DEFAULT_LEARNER or (is_wrapper_file and not output.named_format)
    is_table = output.named_format or output.bom or output.raw or output.table_name or output.append or output.address
    if is_saved and (schema or is_table):
        raise click.UsageError(f"a wrapper learned by {method} is JSON: no --schema, and none of the options of tables")
    if output.folder is not None:
        raise click.UsageError(f"{output.folder}: is a folder; name a file")
    if is_saved or schema:
        check_target(output.path)
    else:
        output.check()
    read, failed = read_all(sources, reading)
    pages = [page for _, page in read]
    wrapper = learn_pages(pages, method=method, kind=kind, region=region, near=near, fields=fields)
    for template in wrapper.templates:
        number = counted(template.baseline.pages, "page")
        say(f"{template.kind} pages, {len(template.columns)} columns, learned from {number}")
    if is_saved or wrapper.tree is None:
        for note in wrapper.notes:
            say(f"peneira: {note}")
        _save(wrapper, output)
    else:
        _write_data(wrapper.tree, read, output, schema)
    if failed:
        sys.exit(1)


def _save(wrapper: Wrapper, output: Output) -> None:
    if output.path is not None:
        wrapper.save(output.path)
    elif sys.stdout.isatty():
        for template in wrapper.templates:
            print_wrapper(template, sys.stdout)
    else:
        write_stdout(dumps(wrapper), end="")


def _write_data(wrapper: TreeWrapper, read: Sequence[tuple[str, Page]], output: Output, schema: bool) -> None:
    for cut in wrapper.cuts:
        say_partial(f"{counted(len(read), 'page')}", cut)
    if schema:
        _write_schema(f"{schema_of(wrapper)}\n", output)
        return
    results = [(name, wrapper.extract(page)) for name, page in read]
    keyed = [((name,), region.table) for name, result in results for region in result.regions]
    output.write(stack(("source",), keyed))


def _write_schema(schema: str, output: Output) -> None:
    if output.path is None:
        write_stdout(schema, end="")
        return
    with text_file(output.path) as file:
        file.write(schema)
