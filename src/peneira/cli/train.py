"""``peneira train``: make the models that ship with peneira."""

from __future__ import annotations

from pathlib import Path

import click

from peneira.cli.bench import corpora_option, opened


@click.group()
def train() -> None:
    """Train a model from corpora of pages with gold.

    \b
    Example:
      peneira train regions --corpora ../corpora -o src/peneira/paths/regions.json
    """


@train.command()
@corpora_option
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The model.")
def regions(root: Path | None, output: Path) -> None:
    """Train the model that tells content regions from menus and other noise.

    Equal corpora give an equal file. `peneira bench clean --unseen` tells how well such a model does on sites that it
    has not seen.

    \b
    Example:
      peneira train regions --corpora ../corpora -o src/peneira/paths/regions.json
    """
    from peneira.bench.regions import examples
    from peneira.bench.regions import train as train_regions

    if not output.absolute().parent.is_dir():
        raise click.UsageError(f"{output}: no such folder")
    pages = opened(root).pages()
    click.echo(f"reading {len(pages)} pages", err=True)
    chosen = list(examples(pages))
    click.echo(f"training on {sum(len(example.found) for example in chosen)} candidate regions", err=True)
    output.write_text(train_regions(chosen).to_json(), encoding="utf-8")
    click.echo(f"{output}: {output.stat().st_size / 1024:.0f} KB", err=True)
