"""``peneira train``: train the models that ship with peneira."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from peneira.errors import CorpusError
from peneira_research.commands.bench import corpora_option, jobs_option, open_corpora, rendered_folder, snapshots_option

if TYPE_CHECKING:
    from peneira.texts.retps import Vocabulary
    from peneira_research.corpora.content_examples import ContentExample


TRAIN_EXAMPLES = """\b
Example:
  peneira train regions --corpora ../corpora -o src/peneira/texts/models/regions.forest
"""
REGIONS_EXAMPLES = """\b
Example:
  peneira train regions --corpora ../corpora -o src/peneira/texts/models/regions.forest
"""
RECORDS_EXAMPLES = """\b
Example:
  peneira train records --corpora ../corpora --rendered -o src/peneira/lists/models
"""
ROLES_EXAMPLES = """\b
Example:
  peneira train roles --corpora ../corpora -o src/peneira/columns/models
"""
TEXT_EXAMPLES = """\b
Example:
  peneira train text --corpora ../corpora -o src/peneira/texts/models
"""
CONTENT_EXAMPLES = """\b
Examples:
  peneira train content --corpora ../corpora -o src/peneira/texts/models
  peneira train content --labels labels.jsonl --model light -o models
"""
WORDS_EXAMPLES = """\b
Example:
  peneira train words --corpora ../corpora -o src/peneira/columns/models/words.json
"""


@click.group(epilog=TRAIN_EXAMPLES)
def train() -> None:
    """Train a model from corpora of pages with gold."""


@train.command(epilog=REGIONS_EXAMPLES)
@corpora_option
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The model.")
def regions(root: Path | None, output: Path) -> None:
    """Train the model that separates content regions from menus and other noise.

    Equal corpora give an equal file. `peneira bench clean --unseen` measures such a model on unseen sites.
    """
    from peneira_research.training.region_model import region_examples, train_region_model

    if not output.absolute().parent.is_dir():
        raise click.UsageError(f"{output}: no such folder")
    pages = open_corpora(root).pages()
    click.echo(f"reading {len(pages)} pages", err=True)
    examples = list(region_examples(pages))
    click.echo(f"training on {sum(len(example.candidates) for example in examples)} candidate regions", err=True)
    output.write_bytes(train_region_model(examples).to_bytes())
    click.echo(f"{output}: {output.stat().st_size / 1024:.0f} KB", err=True)


@train.command(epilog=WORDS_EXAMPLES)
@corpora_option
@jobs_option
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The words.")
def words(root: Path | None, jobs: int, output: Path) -> None:
    """Learn which words of class names may name a column, from how many hosts use them, and how.

    Reads the markup of all corpora, also of those without gold for lists; takes two minutes with one process. Equal
    corpora give an equal file.
    """
    from peneira_research.corpora.pages_without_gold import bare_pages
    from peneira_research.training.naming_words import learned_vocabulary
    from peneira_research.training.word_uses import corpora_uses

    if not output.absolute().parent.is_dir():
        raise click.UsageError(f"{output}: no such folder")
    uses = corpora_uses(bare_pages(open_corpora(root)), jobs=jobs)
    click.echo(f"{len(uses.by_word)} words of {uses.hosts} hosts", err=True)
    vocabulary = learned_vocabulary(uses)
    output.write_text(vocabulary.to_json(), encoding="utf-8")
    count = len(vocabulary.everywhere) + len(vocabulary.at_end)
    click.echo(f"{output}: {count} words, {output.stat().st_size / 1024:.0f} KB", err=True)


@train.command(epilog=RECORDS_EXAMPLES)
@corpora_option
@click.option("--rendered", is_flag=True, help="Render the pages, for the models that use boxes.")
@snapshots_option
@jobs_option
@click.option(
    "-o", "--output", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder for the models."
)
def records(root: Path | None, rendered: bool, folder: Path | None, jobs: int, output: Path) -> None:
    """Train the models that find the main list of a page and separate records from what is between them.

    Needs the extra "train". With --rendered, three more models are trained on rendered pages, which use boxes too;
    without, such models are removed from the folder, and pages are ranked without their boxes. Equal corpora, snapshots
    and an equal LightGBM give equal files. `peneira bench records --unseen` measures such models on unseen sites.
    """
    from peneira.lists.ranking import CALIBRATION, MODEL_NAMES, PAGE_TYPE_MODEL, RENDERED_MODELS
    from peneira.ml.forest import SUFFIX, write_forest
    from peneira_research.training.folds import corpora_folds
    from peneira_research.training.list_examples import list_examples, rendered_examples
    from peneira_research.training.list_models import MODEL_FOLDS, train_list_models

    if not output.is_dir():
        raise click.UsageError(f"{output}: no such folder")
    corpora = open_corpora(root)
    click.echo(f"reading {len(corpora.all_pages())} pages of lists, and pages of known type", err=True)
    snapshots = rendered_folder(folder, corpora.all_pages()) if rendered else None
    of_rendered = list(rendered_examples(corpora, snapshots, jobs=jobs)) if snapshots else []
    examples = list(list_examples(corpora, jobs=jobs))
    click.echo(f"training on {sum(len(example.candidates) for example in examples)} candidate lists", err=True)
    trained = train_list_models(examples, corpora_folds(corpora, folds=MODEL_FOLDS, jobs=jobs), of_rendered)
    forests = {name: getattr(trained.plain, name) for name in MODEL_NAMES}
    forests |= {PAGE_TYPE_MODEL.format(name): forest for name, forest in trained.plain.page_types.items()}
    for name, file_name in RENDERED_MODELS.items():
        if trained.rendered:
            forests[file_name] = getattr(trained.rendered, name)
        else:  # models of another training do not fit this screen
            for suffix in (SUFFIX, ".json"):
                (output / f"{file_name}{suffix}").unlink(missing_ok=True)
    (output / CALIBRATION).write_text(json.dumps(asdict(trained.plain.calibration)) + "\n", encoding="utf-8")
    for name, forest in forests.items():
        file = write_forest(output, name, forest)
        click.echo(f"{file}: {file.stat().st_size / 1024:.0f} KB", err=True)


@train.command(epilog=ROLES_EXAMPLES)
@corpora_option
@jobs_option
@click.option(
    "-o", "--output", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder for the models."
)
def roles(root: Path | None, jobs: int, output: Path) -> None:
    """Train the models that say what a column is (its role), whether a person would make it (its interest), and whether
    a text with parts is one column.

    Needs the extra "train". Equal corpora and an equal LightGBM give equal files. `peneira bench table --unseen`
    measures such models on unseen sites.
    """
    from peneira.columns.roles import ROLE_MODEL_NAMES
    from peneira.ml.forest import write_forest
    from peneira_research.training.folds import corpora_folds
    from peneira_research.training.role_examples import role_examples, role_pages
    from peneira_research.training.role_models import train_role_models

    if not output.is_dir():
        raise click.UsageError(f"{output}: no such folder")
    corpora = open_corpora(root)
    pages = role_pages(corpora)
    click.echo(f"reading {len(pages)} pages", err=True)
    examples = list(role_examples(pages, jobs=jobs))
    click.echo(f"training on {sum(len(example.labels) for example in examples)} columns", err=True)
    models = train_role_models(examples, corpora_folds(corpora, jobs=jobs))
    for name in ROLE_MODEL_NAMES:
        file = write_forest(output, name, getattr(models, name))
        click.echo(f"{file}: {file.stat().st_size / 1024:.0f} KB", err=True)


@train.command(epilog=TEXT_EXAMPLES)
@corpora_option
@jobs_option
@click.option(
    "-o", "--output", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder for the models."
)
def text(root: Path | None, jobs: int, output: Path) -> None:
    """Train the content decision: which blocks of a page are its main text, and what type of page it is.

    Needs the extra "train". Equal corpora and an equal LightGBM give equal files. `peneira bench text --unseen`
    measures such models on unseen sites.
    """
    from peneira.ml.forest import write_forest
    from peneira.texts.block_model import BLOCK_MODEL, CONTEXT_MODEL, TYPE_MODEL, WORDS
    from peneira_research.training.folds import corpora_folds
    from peneira_research.training.text_examples import text_examples
    from peneira_research.training.text_models import train_text_models

    if not output.is_dir():
        raise click.UsageError(f"{output}: no such folder")
    corpora = open_corpora(root)
    folds = corpora_folds(corpora, jobs=jobs)
    examples = list(text_examples(corpora, jobs=jobs))
    click.echo(f"training on {sum(len(example.labels) for example in examples)} blocks", err=True)
    models = train_text_models(examples, folds)
    words = output / WORDS
    words.write_bytes(models.words.to_bytes())
    forests = {TYPE_MODEL.format(name): forest for name, forest in models.types.items()}
    forests |= {BLOCK_MODEL: models.blocks, CONTEXT_MODEL: models.context}
    for file in (words, *(write_forest(output, name, forest) for name, forest in forests.items())):
        click.echo(f"{file}: {file.stat().st_size / 1024:.0f} KB", err=True)


@train.command(epilog=CONTENT_EXAMPLES)
@corpora_option
@jobs_option
@click.option(
    "--labels",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help='Labelled pages of your own, a JSON line each: {"file": "page.html", "values": ["...", ...], "site": "..."}; '
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
    "--token",
    "tokens",
    multiple=True,
    metavar="WORD=TOKEN",
    help="A further token of edrew for a word in classes and properties, such as author=<#AUTH>; may be repeated.",
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
    tokens: tuple[str, ...],
    curve: Path | None,
    output: Path,
) -> None:
    """Train the models that separate content from noise: light (LightGBM) and edrew (torch).

    Needs the extra "train", and corpora or labels. Equal corpora and equal packages give equal models. An interrupted
    training of edrew resumes after the last epoch. `peneira bench content` measures such models on unseen sites.
    """
    from peneira.texts.retps import vocabulary_with
    from peneira_research.corpora.content_examples import content_examples
    from peneira_research.corpora.labelled_pages import read_labels

    vocabulary = vocabulary_with(tokens)
    if not output.is_dir():
        raise click.UsageError(f"{output}: no such folder")
    if root is None and not labels:
        raise click.UsageError("nothing to learn from: give --corpora or --labels")
    labelled = [page for file in labels for page in read_labels(file)]
    click.echo("reading pages", err=True)
    corpora = open_corpora(root) if root else None
    sites = content_examples(corpora, labelled, jobs=jobs, vocabulary=vocabulary)
    examples = [example for site_examples in sites for example in site_examples]
    click.echo(f"{len(examples)} pages, {sum(len(example.lengths) for example in examples)} texts", err=True)
    _check_gold(examples)
    if "light" in models:
        _train_light(examples, output)
    if "edrew" in models:
        _train_edrew(examples, output, curve, vocabulary)


def _check_gold(examples: Sequence[ContentExample]) -> None:
    """Print which labelled pages contain none of their values; if all do, there is nothing to learn."""
    from peneira_research.corpora.gold_texts import GOLD

    empty = [example for example in examples if not (example.gold.labels == GOLD).any() and not example.gold.repeated]
    for example in empty:
        if example.corpus == "own":
            click.echo(f"{example.id}: shows none of its values", err=True)
    if len(empty) == len(examples):
        raise CorpusError("nothing to learn from: no page shows any of its values")


def _train_light(examples: Sequence[ContentExample], output: Path) -> None:
    from peneira_research.training.content_models import train_content_models

    forests = train_content_models(examples)
    for name, forest in (("page", forests.page), ("site", forests.site)):
        file = output / f"{name}.json"
        if forest is None:
            click.echo(f"{file}: not made, as no site has two pages", err=True)
            continue
        file.write_text(forest.to_json(), encoding="utf-8")
        click.echo(f"{file}: {file.stat().st_size / 1024:.0f} KB", err=True)
    from peneira.texts.content_calibration import CALIBRATION_FILE

    _calibrate_light(examples, output / CALIBRATION_FILE)


def _calibrate_light(examples: Sequence[ContentExample], file: Path) -> None:
    """Write the calibration of the light models, measured on sites that other models have not seen."""
    from peneira_research.training.content_calibration import calibrated, unseen_predictions

    click.echo("calibrating on unseen sites", err=True)
    unseen = unseen_predictions(examples)
    if unseen is None:
        file.unlink(missing_ok=True)
        click.echo(f"{file}: not made, as there are too few sites; probabilities are not calibrated", err=True)
        return
    calibration = calibrated(unseen)
    file.write_text(calibration.to_json(), encoding="utf-8")
    click.echo(f"{file}: a text is content from {calibration.threshold:.2f} on", err=True)


def _train_edrew(examples: Sequence[ContentExample], output: Path, curve: Path | None, vocabulary: Vocabulary) -> None:
    from peneira_research.reports.content_report import draw_curve
    from peneira_research.reports.training_progress import TrainingProgress
    from peneira_research.training.edrew_run import train_edrew
    from peneira_research.training.edrew_settings import DEFAULT_SETTINGS

    checkpoint = output / "edrew.checkpoint"
    with TrainingProgress(DEFAULT_SETTINGS.epochs) as progress:
        model, losses, classifier_losses = train_edrew(
            examples, vocabulary=vocabulary, checkpoint=checkpoint, on_batch=progress.update
        )
    file = output / "edrew.npz"
    model.save(file)
    checkpoint.unlink(missing_ok=True)
    if curve:
        draw_curve(losses, classifier_losses, curve)
    click.echo(f"{file}: {file.stat().st_size / 1024:.0f} KB; loss {losses[-1]:.3f}", err=True)
