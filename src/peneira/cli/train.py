"""``peneira train``: make the models that ship with peneira."""

from __future__ import annotations

from pathlib import Path

import click

from peneira.cli.bench import corpora_option, jobs_option, opened


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


@train.command()
@corpora_option
@jobs_option
@click.option(
    "-o", "--output", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder for the models."
)
def records(root: Path | None, jobs: int, output: Path) -> None:
    """Train the models that find the main list of a page and tell records from what stands among them.

    Needs the extra "train". Equal corpora and an equal LightGBM give equal files. `peneira bench records --unseen`
    tells how well such models do on sites that they have not seen.

    \b
    Example:
      peneira train records --corpora ../corpora -o src/peneira/records/models
    """
    from peneira.bench.ranking import examples
    from peneira.bench.ranking import train as train_records
    from peneira.records.rank import FORESTS

    if not output.is_dir():
        raise click.UsageError(f"{output}: no such folder")
    corpora = opened(root)
    click.echo(f"reading {len(corpora.pages())} pages of lists, and detail pages", err=True)
    chosen = list(examples(corpora, jobs=jobs))
    click.echo(f"training on {sum(len(example.found) for example in chosen)} candidate lists", err=True)
    models = train_records(chosen)
    for name in FORESTS:
        file = output / f"{name}.json"
        file.write_text(getattr(models, name).to_json(), encoding="utf-8")
        click.echo(f"{file}: {file.stat().st_size / 1024:.0f} KB", err=True)
