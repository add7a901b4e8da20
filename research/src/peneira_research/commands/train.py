"""``peneira train``: make the models that ship with peneira."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from peneira.errors import CorpusError
from peneira_research.commands.bench import corpora_option, jobs_option, opened, rendered_folder, snapshots_option

if TYPE_CHECKING:
    from peneira_research.corpora.content_pages import Example


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
    from peneira_research.training.region_model import examples
    from peneira_research.training.region_model import train as train_regions

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
@click.option("--rendered", is_flag=True, help="Let a browser show the pages, for the models that look at boxes.")
@snapshots_option
@jobs_option
@click.option(
    "-o", "--output", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder for the models."
)
def records(root: Path | None, rendered: bool, folder: Path | None, jobs: int, output: Path) -> None:
    """Train the models that find the main list of a page and tell records from what stands among them.

    Needs the extra "train". With --rendered, pages that a browser has shown teach two more models, which look at boxes
    too; without, such models are removed from the folder, and pages are ranked without their boxes. Equal corpora,
    snapshots and an equal LightGBM give equal files. `peneira bench records --unseen` tells how well such models do on
    sites that they have not seen.

    \b
    Example:
      peneira train records --corpora ../corpora --rendered -o src/peneira/lists/models
    """
    from peneira.lists.ranking import MODEL_NAMES, RENDERED_MODELS
    from peneira_research.training.examples import examples, rendered_examples
    from peneira_research.training.list_models import train as train_records

    if not output.is_dir():
        raise click.UsageError(f"{output}: no such folder")
    corpora = opened(root)
    click.echo(f"reading {len(corpora.pages())} pages of lists, and detail pages", err=True)
    kept = rendered_folder(folder, corpora.pages()) if rendered else None
    shown = list(rendered_examples(corpora, kept, jobs=jobs)) if kept else []
    chosen = list(examples(corpora, jobs=jobs))
    click.echo(f"training on {sum(len(example.found) for example in chosen)} candidate lists", err=True)
    trained = train_records(chosen, shown)
    forests = {name: getattr(trained.plain, name) for name in MODEL_NAMES}
    for name, boxed in RENDERED_MODELS.items():
        if trained.boxed:
            forests[boxed] = getattr(trained.boxed, name)
        else:  # those of another training do not go with this screen
            (output / f"{boxed}.json").unlink(missing_ok=True)
    for name, forest in forests.items():
        file = output / f"{name}.json"
        file.write_text(forest.to_json(), encoding="utf-8")
        click.echo(f"{file}: {file.stat().st_size / 1024:.0f} KB", err=True)


@train.command()
@corpora_option
@jobs_option
@click.option(
    "--labels",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help='Pages of your own, a JSON line each: {"file": "page.html", "values": ["...", ...], "site": "..."}; '
    "may be repeated.",
)
@click.option(
    "--model",
    "models",
    type=click.Choice(["light", "edrew"]),
    multiple=True,
    default=("light", "edrew"),
    help="What to train; may be repeated.  [default: both]",
)
@click.option(
    "--curve",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw edrew's learning curve into this .svg or .png.",
)
@click.option(
    "-o", "--output", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder for the models."
)
def content(
    root: Path | None,
    jobs: int,
    labels: tuple[Path, ...],
    models: tuple[str, ...],
    curve: Path | None,
    output: Path,
) -> None:
    """Train the models that tell content from noise: light (LightGBM) and edrew (torch).

    Needs the extra "train", and corpora or labels. Equal corpora and equal packages give equal models. An interrupted
    training of edrew goes on from the last epoch. `peneira bench content` tells how well such models do on sites that
    they have not seen.

    \b
    Examples:
      peneira train content --corpora ../corpora -o src/peneira/content/models
      peneira train content --labels mine.jsonl --model light -o models
    """
    from peneira_research.corpora.content_pages import examples, read_labels

    if not output.is_dir():
        raise click.UsageError(f"{output}: no such folder")
    if root is None and not labels:
        raise click.UsageError("nothing to learn from: give --corpora or --labels")
    own = [page for file in labels for page in read_labels(file)]
    click.echo("reading pages", err=True)
    corpora = opened(root) if root else None
    chosen = [example for those in examples(corpora, own, jobs=jobs) for example in those]
    click.echo(f"{len(chosen)} pages, {sum(len(example.lengths) for example in chosen)} texts", err=True)
    _check_gold(chosen)
    if "light" in models:
        _train_light(chosen, output)
    if "edrew" in models:
        _train_edrew(chosen, output, curve)


def _check_gold(chosen: Sequence[Example]) -> None:
    """Say which labelled pages show none of their values; without any that does, there is nothing to learn."""
    from peneira_research.corpora.gold_texts import GOLD

    empty = [example for example in chosen if not (example.gold.labels == GOLD).any() and not example.gold.repeated]
    for example in empty:
        if example.corpus == "own":
            click.echo(f"{example.id}: shows none of its values", err=True)
    if len(empty) == len(chosen):
        raise CorpusError("nothing to learn from: no page shows any of its values")


def _train_light(chosen: Sequence[Example], output: Path) -> None:
    from peneira_research.training.content_models import train_forests

    forests = train_forests(chosen)
    for name, forest in (("page", forests.page), ("site", forests.site)):
        file = output / f"{name}.json"
        if forest is None:
            click.echo(f"{file}: not made, as no site has two pages", err=True)
            continue
        file.write_text(forest.to_json(), encoding="utf-8")
        click.echo(f"{file}: {file.stat().st_size / 1024:.0f} KB", err=True)


def _train_edrew(chosen: Sequence[Example], output: Path, curve: Path | None) -> None:
    from peneira_research.reports.content_report import draw_curve
    from peneira_research.training.edrew_run import train_edrew

    checkpoint = output / "edrew.checkpoint"
    model, losses, classifier = train_edrew(chosen, checkpoint=checkpoint)
    file = output / "edrew.npz"
    model.save(file)
    checkpoint.unlink(missing_ok=True)
    if curve:
        draw_curve(losses, classifier, curve)
    click.echo(f"{file}: {file.stat().st_size / 1024:.0f} KB; loss {losses[-1]:.3f}", err=True)
