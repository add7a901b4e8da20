"""``peneira bench items``: the one thing of a detail page, against the gold of products, recipes and articles."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from peneira_research.commands.bench import corpora_option, jobs_option, open_corpora, output_option, write_results
from peneira_research.corpora.gold_pages import Corpora

if TYPE_CHECKING:
    from peneira_research.studies.article_outcomes import ArticleOutcome
    from peneira_research.studies.item_outcomes import DetailOutcome, ProductOutcome
    from peneira_research.studies.value_outcomes import ValueOutcome

EXAMPLES = """\b
Examples:
  peneira bench items --corpus products --worst 20
  peneira bench items --corpus detail --every 3
  peneira bench items --corpus swde
  peneira bench items --corpus wcxb --every 5
  peneira bench items --speed
"""
CORPORA = ("products", "detail", "swde", "wcxb")
DEFAULT_CORPORA = ("products", "detail")


@click.command(epilog=EXAMPLES)
@corpora_option
@click.option(
    "--corpus",
    "names",
    multiple=True,
    type=click.Choice(CORPORA),
    help="Corpus to measure on.  [default: products, detail]",
)
@click.option(
    "--every", type=click.IntRange(min=1), default=1, metavar="N", help="Take every Nth page of `detail` and `wcxb`."
)
@click.option(
    "--worst", type=click.IntRange(min=0), default=0, metavar="N", help="List N wrong answers and worst fields."
)
@click.option("--speed", "with_speed", is_flag=True, help="Time items as a multiple of parsing instead.")
@jobs_option
@output_option
def items(
    root: Path | None,
    names: tuple[str, ...],
    every: int,
    worst: int,
    with_speed: bool,
    jobs: int,
    output: Path | None,
) -> None:
    """Score the items of product pages, recipes and articles.

    Products as their benchmark does: an answer is right if it equals an accepted value; precision over the pages with
    an answer, recall over the pages with gold. Recipes and articles: the share of gold values found in their field; of
    pages whose field equals a gold value; the share of the field's words that the gold has, on pages whose gold is
    whole; and the F1 of words. Nothing of an item is trained, but its rules were written with these pages in view.
    SWDE: the share of the gold values that stand in their field, and in any field; its rules were written with every
    second site in view. WCXB: title, author and date of its articles, with trafilatura's beside them where it is
    installed; an answer about an article whose gold has none counts as wrong.
    """
    from peneira_research.reports.console import console
    from peneira_research.reports.items_report import (
        articles_table,
        detail_table,
        items_document,
        products_table,
        values_table,
        worst_fields_table,
        wrong_table,
    )

    corpora = open_corpora(root)
    if with_speed:
        _print_speed(corpora, names or DEFAULT_CORPORA, every)
        return
    products = product_rows(corpora, jobs) if "products" in (names or DEFAULT_CORPORA) else []
    details = detail_rows(corpora, jobs, every) if "detail" in (names or DEFAULT_CORPORA) else []
    values = value_rows(corpora, jobs) if "swde" in (names or DEFAULT_CORPORA) else []
    articles = article_rows(corpora, jobs, every) if "wcxb" in (names or DEFAULT_CORPORA) else []
    to_stdout = output is None and not sys.stdout.isatty()
    out = console(sys.stderr if to_stdout else sys.stdout)
    if products:
        out.print(f"products: {len(products)} pages; on the right the published F1 on all 140 pages")
        out.print(products_table(products))
    if details:
        out.print(f"detail: {len(details)} pages")
        out.print(detail_table(details))
    if values:
        out.print(f"swde: {len(values)} pages")
        out.print(values_table(values))
    if articles:
        out.print(f"wcxb: {len(articles)} articles")
        out.print(articles_table(articles))
    if worst and products:
        out.print(wrong_table(products, worst))
    if worst and details:
        out.print(worst_fields_table(details, worst))
    if to_stdout or output:
        document = items_document(products, details, values, articles)
        write_results(document, output, corpora, names or DEFAULT_CORPORA, out)


def product_rows(corpora: Corpora, jobs: int) -> list[ProductOutcome]:
    """Return the outcomes of the product pages."""
    from peneira_research.corpora.product_pages import read_products
    from peneira_research.reports.console import progress
    from peneira_research.studies.item_outcomes import product_outcomes

    pages = list(read_products(corpora.root))
    return list(progress(product_outcomes(pages, jobs=jobs), len(pages), "products"))


def detail_rows(corpora: Corpora, jobs: int, every: int = 1) -> list[DetailOutcome]:
    """Return the outcomes of the recipes and articles, or of every so many of them."""
    from peneira_research.reports.console import progress
    from peneira_research.studies.item_outcomes import detail_outcomes

    pages = list(corpora.detail())[::every]
    return list(progress(detail_outcomes(pages, jobs=jobs), len(pages), "detail"))


def value_rows(corpora: Corpora, jobs: int) -> list[ValueOutcome]:
    """Return the outcomes of some pages of each site of SWDE."""
    from peneira_research.reports.console import progress
    from peneira_research.studies.value_outcomes import value_outcomes, value_pages

    pages = value_pages(corpora.swde())
    return list(progress(value_outcomes(pages, jobs=jobs), len(pages), "swde"))


def article_rows(corpora: Corpora, jobs: int, every: int = 1) -> list[ArticleOutcome]:
    """Return the outcomes of the articles of WCXB, or of every so many of them."""
    from peneira_research.corpora.main_texts import main_text_pages
    from peneira_research.reports.console import progress
    from peneira_research.studies.article_outcomes import article_outcomes

    pages = [page for page in main_text_pages(corpora) if page.type == "article"][::every]
    return list(progress(article_outcomes(pages, jobs=jobs), len(pages), "articles"))


def _print_speed(corpora: Corpora, names: tuple[str, ...], every: int) -> None:
    from peneira import item
    from peneira_research.corpora.product_pages import read_products
    from peneira_research.reports.console import console
    from peneira_research.reports.cost_report import CAPTION, cost_table
    from peneira_research.studies.page_cost import cost_ratios

    bodies = {
        "products": [page.body for page in read_products(corpora.root)] if "products" in names else [],
        "detail": [page.body for page in list(corpora.detail())[::every]] if "detail" in names else [],
    }
    out = console(sys.stdout)
    out.print(CAPTION)
    out.print(cost_table({name: cost_ratios(pages, item) for name, pages in bodies.items()}))
