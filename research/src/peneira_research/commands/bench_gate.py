"""``peneira bench gate``: fails when a metric falls below its floor."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from peneira.methods import DEFAULT_METHOD
from peneira_research.commands.bench import TABLE_CORPORA, corpora_option, jobs_option, open_corpora
from peneira_research.commands.bench_items import detail_rows, product_rows
from peneira_research.commands.bench_table import unseen_table_models
from peneira_research.corpora.gold_pages import Corpora

if TYPE_CHECKING:
    from peneira.lists.ranking import Models
    from peneira_research.studies.gate import Floor
    from peneira_research.studies.table_outcomes import TableModels

EXAMPLES = """\b
Examples:
  peneira bench gate
  peneira bench gate --update
  peneira bench gate --unseen
"""


@click.command(epilog=EXAMPLES)
@corpora_option
@jobs_option
@click.option(
    "--floors",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File of the floors.  [default: the package's own]",
)
@click.option(
    "--unseen",
    is_flag=True,
    help="Hold models trained without a page's host and template to floors of their own (cross-validation; needs the "
    "extra train, takes long).",
)
@click.option("--update", is_flag=True, help="Pin the current metrics as floors.")
@click.option("--allow-lower", is_flag=True, help="With --update: allow lower floors.")
def gate(root: Path | None, jobs: int, floors: Path | None, unseen: bool, update: bool, allow_lower: bool) -> None:
    """Fail when a metric of the default method is below its pinned floor, or above its ceiling.

    The metrics are: the record scores of all corpora; whole records, perfect pages and pages out of phase where gold
    has fields; the share of pages of known type that have a main list, on a fixed sample of each type (with --unseen
    on all of them); found, named, redundant and columns of `bench table`; next and numbered pages of `bench paging`;
    and, without --unseen, the fields of `bench items` on product pages and a sample of recipes and articles, and the
    word F1 of `bench text` and the speed of `bench speed` on samples of pages. Ceilings of the speed have a margin
    for a busy machine.
    """
    from peneira_research.reports.console import console
    from peneira_research.reports.records_report import check_table
    from peneira_research.studies.gate import FLOORS, UNSEEN_FLOORS, check, pin, read_floors, with_speed_margin

    corpora, path = open_corpora(root), floors or (UNSEEN_FLOORS if unseen else FLOORS)
    pinned = {} if update and not path.exists() else read_floors(path)
    models = unseen_table_models(corpora, jobs, shipped_lists=False) if unseen else {}
    list_models = {site: of_site.lists for site, of_site in models.items() if of_site.lists}
    current = {
        **_record_floors(corpora, jobs, list_models),
        **_type_floors(corpora, jobs, list_models, is_sample=not unseen),
        **_table_floors(corpora, jobs, models),
        **({} if unseen else _item_floors(corpora, jobs) | _text_floors(corpora, jobs)),
        **_paging_floors(corpora, jobs),
        **({} if unseen else _speed_floors(corpora)),
    }
    if update:
        pinned = pin(path, with_speed_margin(current, pinned), pinned, allow_lower=allow_lower)
    checks = check(current, pinned)
    console(sys.stdout).print(check_table(checks))
    if any(row.problem for row in checks):
        sys.exit(1)


def _record_floors(corpora: Corpora, jobs: int, models: Mapping[str, Models]) -> dict[str, Floor]:
    from peneira_research.reports.console import progress
    from peneira_research.studies.gate import current_floors, list_floors
    from peneira_research.studies.list_quality import quality_by_corpus
    from peneira_research.studies.page_outcomes import run_methods
    from peneira_research.studies.scoreboard import metrics_by_method

    pages = corpora.all_pages()
    outcomes = progress(run_methods(pages, [DEFAULT_METHOD], jobs=jobs, unseen=models), len(pages), "gate")
    rows = [outcome for of_page in outcomes for outcome in of_page]
    metrics = metrics_by_method(row for row in rows if row.corpus in corpora.names)
    return {
        **current_floors(DEFAULT_METHOD, metrics[DEFAULT_METHOD], corpora),
        **list_floors(DEFAULT_METHOD, quality_by_corpus(rows), corpora),
    }


def _type_floors(corpora: Corpora, jobs: int, models: Mapping[str, Models], *, is_sample: bool) -> dict[str, Floor]:
    from peneira_research.corpora.typed_pages import digest, sample, typed_pages
    from peneira_research.reports.console import progress
    from peneira_research.studies.gate import PAGES_PER_TYPE, type_floors
    from peneira_research.studies.type_outcomes import metrics_by_type, type_outcomes

    every = typed_pages(corpora)
    pages = sample(every, per_type=PAGES_PER_TYPE) if is_sample else list(every)
    outcomes = list(progress(type_outcomes(pages, unseen=models, jobs=jobs), len(pages), "gate, types"))
    return type_floors(DEFAULT_METHOD, metrics_by_type(outcomes), digest(pages))


def _table_floors(corpora: Corpora, jobs: int, models: Mapping[str, TableModels]) -> dict[str, Floor]:
    from peneira_research.reports.console import progress
    from peneira_research.studies.gate import table_floors
    from peneira_research.studies.table_outcomes import metrics_by_corpus, pages_with_fields, table_outcomes

    names = [name for name in TABLE_CORPORA if corpora.has(name)]
    pages = pages_with_fields(corpora.pages(names)) if names else []
    outcomes = list(progress(table_outcomes(pages, unseen=models, jobs=jobs), len(pages), "gate, tables"))
    return table_floors(DEFAULT_METHOD, metrics_by_corpus(outcomes), corpora)


def _item_floors(corpora: Corpora, jobs: int) -> dict[str, Floor]:
    from peneira_research.corpora.product_pages import product_archive, product_digest
    from peneira_research.studies.gate import DETAIL_STEP, item_floors
    from peneira_research.studies.item_outcomes import field_scores, product_scores

    has_products = product_archive(corpora.root).is_file()
    products = product_scores(product_rows(corpora, jobs)) if has_products else {}
    fields = field_scores(detail_rows(corpora, jobs, DETAIL_STEP)) if corpora.has_detail else {}
    product_hash = product_digest(corpora.root) if has_products else ""
    return item_floors(products, fields, product_hash, corpora.detail_digest() if corpora.has_detail else "")


def _speed_floors(corpora: Corpora) -> dict[str, Floor]:
    from peneira_research.corpora.speed_pages import speed_pages
    from peneira_research.reports.console import progress
    from peneira_research.studies.gate import SPEED_CORPORA, SPEED_STAGES, SPEED_STEP, SPEED_TURNS, speed_floors
    from peneira_research.studies.speed import SpeedOptions, time_pages

    options = SpeedOptions(stages=SPEED_STAGES, repeat=SPEED_TURNS)
    timings = {}
    for name in filter(corpora.has, SPEED_CORPORA):
        pages = speed_pages(corpora, name, every=SPEED_STEP)
        timings[name] = list(progress(time_pages(pages, options), len(pages), f"gate, speed of {name}"))
    return speed_floors(DEFAULT_METHOD, timings, corpora)


def _text_floors(corpora: Corpora, jobs: int) -> dict[str, Floor]:
    from peneira_research.corpora.main_texts import main_text_archive, main_text_digest, main_text_pages
    from peneira_research.reports.console import progress
    from peneira_research.studies.gate import TEXT_STEP, text_floors
    from peneira_research.studies.text_outcomes import text_outcomes

    if not main_text_archive(corpora.root).is_file():
        return {}
    pages = list(main_text_pages(corpora))[::TEXT_STEP]
    outcomes = list(progress(text_outcomes(pages, jobs=jobs), len(pages), "gate, texts"))
    return text_floors(outcomes, main_text_digest(corpora.root))


def _paging_floors(corpora: Corpora, jobs: int) -> dict[str, Floor]:
    from peneira_research.corpora.paging_pages import paging_archive, paging_digest, read_paging
    from peneira_research.reports.console import progress
    from peneira_research.scores.paging_score import paging_metrics
    from peneira_research.studies.gate import paging_floors
    from peneira_research.studies.paging_outcomes import OURS, paging_outcomes

    archive = paging_archive(corpora.root)
    if not archive.is_file():
        return {}
    pages = list(read_paging(archive))
    rows = list(progress(paging_outcomes(pages, [OURS], jobs=jobs), len(pages), "gate, paging"))
    return paging_floors(paging_metrics([outcome for of_page in rows for outcome in of_page]), paging_digest(archive))
