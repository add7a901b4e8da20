"""``peneira learn``: what pages of one template have in common, and the data they differ in."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from peneira.cli.inputs import expand, pages
from peneira.cli.options import fetch_options, output_options
from peneira.cli.output import Output
from peneira.learning import DEFAULT_LEARNER, learners
from peneira.learning import learn as learn_pages
from peneira.page import Page
from peneira.sources.fetch import FetchOptions
from peneira.table import stack
from peneira.wrappers.schema import schema_of
from peneira.wrappers.wrapper import Kind, TreeWrapper


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="PATH|URL|-...")
@click.option("--method", type=click.Choice(tuple(learners())), default=DEFAULT_LEARNER, show_default=True)
@click.option("--kind", type=click.Choice(["list", "detail"]), help="What the pages show.  [default: the pages decide]")
@click.option("--schema", is_flag=True, help="Show the types of the data instead of the data.")
@output_options
@fetch_options
def learn(
    sources: tuple[str, ...],
    method: str,
    kind: Kind | None,
    schema: bool,
    output: Output,
    url: str | None,
    timeout_s: float,
    allow_private: bool,
) -> None:
    """Learn the template of pages of one site, without labels, and show the data in them.

    With --schema: a tuple of columns, sets of what repeats, options; fixed text of the template is quoted.

    \b
    Examples:
      peneira learn film1.html film2.html film3.html
      peneira learn pages/ --method fivatech --schema
    """
    output.check()
    names = expand(sources)
    options = FetchOptions(timeout_s=timeout_s, allow_private=allow_private)
    outcomes = list(pages(names, url=url, options=options))
    for outcome in outcomes:
        if outcome.page is None:
            click.echo(f"peneira: {outcome.error}", err=True)
    read = [(outcome.name, outcome.page) for outcome in outcomes if outcome.page is not None]
    wrapper = learn_pages([page for _, page in read], method=method, kind=kind)
    click.echo(f"{wrapper.kind} pages, {len(wrapper.columns)} columns, learned from {len(read)} pages", err=True)
    for cut in wrapper.cuts:
        click.echo(f"partial: {cut}", err=True)
    if schema:
        click.echo(str(schema_of(wrapper)))
    else:
        _write(wrapper, read, output)
    if len(read) < len(outcomes):
        sys.exit(1)


def _write(wrapper: TreeWrapper, read: Sequence[tuple[str, Page]], output: Output) -> None:
    results = [(name, wrapper.extract(page)) for name, page in read]
    keyed = [((name,), region.table) for name, result in results for region in result.regions]
    output.write(stack(("source",), keyed))
