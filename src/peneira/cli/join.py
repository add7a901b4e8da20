"""``peneira join``: records of two sites that are the same thing."""

from __future__ import annotations

from pathlib import Path

import click

from peneira.cli.messages import say
from peneira.cli.options import output_options
from peneira.cli.output import Output
from peneira.errors import ColumnError
from peneira.joins.joined_table import join as join_files
from peneira.joins.matching import MIN_SCORE
from peneira.joins.record_files import read_records

_FILE = click.Path(dir_okay=False, path_type=Path)


def _pairs(_context: click.Context, _parameter: click.Parameter, given: str) -> tuple[tuple[str, str], ...]:
    pairs = [tuple(part.strip() for part in name.partition("=")[::2]) for name in given.split(",")]
    if any(not own for own, _ in pairs):
        raise click.BadParameter(f"{given!r} has an empty name; write it as title,brand or title=name,brand")
    return tuple((own, other or own) for own, other in pairs)


@click.command()
@click.argument("left", type=_FILE)
@click.argument("right", type=_FILE)
@click.option(
    "--on",
    required=True,
    callback=_pairs,
    metavar="A,B=C,...",
    help="The columns to compare; title=name where the second file calls it name.",
)
@click.option(
    "--min-score",
    type=click.FloatRange(0, 1),
    default=MIN_SCORE,
    show_default=True,
    help="The least score of a pair.",
)
@click.option("--unmatched", is_flag=True, help="Add the records of both files that have no partner.")
@output_options
def join(
    left: Path, right: Path, on: tuple[tuple[str, str], ...], min_score: float, unmatched: bool, output: Output
) -> None:
    """Match the records of two files that are the same thing: products of two shops, books of two libraries.

    Records with the same gtin, ean, upc, isbn, asin, mpn or doi are pairs, if that column is named. Others are pairs
    where their texts are alike: by their rare words, model numbers, quantities (500 ml is 0,5 L) and price; each record
    is in one pair at most. The table has a score and both records side by side, the surest pairs first, for review.

    \b
    Examples:
      peneira join shop1.parquet shop2.parquet --on title,brand,gtin -o same.xlsx
      peneira join a.csv b.jsonl --on title=name,price --min-score 0.8
    """
    output.check()
    first, second = read_records(left), read_records(right)
    try:
        table, pairs = join_files(first, second, on, min_score=min_score, unmatched=unmatched)
    except ColumnError as error:
        raise click.UsageError(str(error)) from error
    exact = sum(pair.why != "similar" for pair in pairs)
    say(f"{len(first.rows)} and {len(second.rows)} records: {len(pairs)} pairs, {exact} of them by an exact key")
    output.write(table)
