"""How likely each text of a page is content: the shipped models, by name.

``light`` is a forest over cheap figures, and a second one where other pages of the site are given; ``edrew`` is the
model of the thesis, which knows tag paths alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from peneira.errors import ModelError, UnknownMethod
from peneira.ml.forest import Forest
from peneira.texts import edrew
from peneira.texts.edrew import LanguageModel
from peneira.texts.site_pages import SitePages
from peneira.texts.text_features import Numbers, PageTexts, table_of

ModelName = Literal["light", "edrew"]
DEFAULT_MODEL: ModelName = "light"
# From this probability on a text is content: on unseen sites it keeps nine tenths of the gold of SWDE and has about the
# best F1 on modern detail pages (docs/content.md)
THRESHOLD = 0.2


@dataclass(frozen=True, slots=True)
class Forests:
    """The light models: for a page alone, and for one with other pages of its site."""

    page: Forest
    site: Forest | None


@cache
def shipped_forests() -> Forests:
    """Return the light models that ship with peneira; ``peneira train content`` makes them."""
    folder = files("peneira.texts") / "models"
    page, site = (Forest.from_json((folder / f"{name}.json").read_text("utf-8")) for name in ("page", "site"))
    return Forests(page, site)


@lru_cache(maxsize=8)
def forests_in(folder: Path) -> Forests:
    """Return the light models of a folder that ``peneira train content`` filled; that for sites may be missing."""
    site = folder / "site.json"
    return Forests(_forest(folder / "page.json"), _forest(site) if site.exists() else None)


def _forest(path: Path) -> Forest:
    try:
        return Forest.from_json(path.read_text("utf-8"))
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{path}: cannot be read as a model: {error}") from error


@lru_cache(maxsize=8)
def language_in(folder: Path) -> LanguageModel:
    """Return the model of the thesis of such a folder."""
    return LanguageModel.load(folder / "edrew.npz")


def probabilities(
    texts: PageTexts, site: SitePages | None = None, model: ModelName = DEFAULT_MODEL, folder: Path | None = None
) -> Numbers:
    """Return how likely each text is content, 0..1; the texts of one content share the mean of theirs.

    The models are those of ``folder``, or the shipped ones.
    """
    if model not in get_args(ModelName):
        raise UnknownMethod(f"no content model {model!r}; there are: {', '.join(get_args(ModelName))}")
    if not len(texts):
        return np.zeros(0)
    if model == "edrew":
        read = language_in(folder) if folder else edrew.shipped()
        return edrew.text_probabilities(texts.page, texts.rows.tolist(), read)
    return light_probabilities(texts, site, forests_in(folder) if folder else shipped_forests())


def light_probabilities(texts: PageTexts, site: SitePages | None, forests: Forests) -> Numbers:
    """Return the probabilities of the light models; without other pages, or a model for them, of the page alone."""
    figures, forest = texts.figures(), forests.page
    if site is not None and forests.site is not None and site.can_tell(texts):
        forest, figures = forests.site, figures | site.figures(texts)
    try:
        table = table_of(figures, forest.names)
    except KeyError as error:
        raise ModelError(f"the model asks for the figure {error}, which there is not; train it anew") from error
    return of_contents(texts, chances(forest.predict(table)))


def chances(scores: Numbers) -> Numbers:
    """Return scores as probabilities."""
    return np.asarray(1 / (1 + np.exp(-np.clip(scores, -30, 30))))


def of_contents(texts: PageTexts, chance: Numbers) -> Numbers:
    """Return for each text the mean over its content, longer texts counting more."""
    _, run = texts.runs
    return np.asarray((np.bincount(run, chance * texts.lengths) / np.bincount(run, texts.lengths))[run])
