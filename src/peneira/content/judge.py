"""How likely each text of a page is content: the shipped models, by name.

``light`` is a forest over cheap figures, and a second one where other pages of the site are given; ``edrew`` is the
model of the thesis, which knows tag paths alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

import numpy as np

from peneira.content import language
from peneira.content.figures import Numbers, Texts, table_of
from peneira.content.site import SitePages
from peneira.errors import UnknownMethod
from peneira.forest import Forest

ModelName = Literal["light", "edrew"]
DEFAULT_MODEL: ModelName = "light"
# From this probability on a text is content: on unseen sites it keeps nine tenths of the gold of SWDE and has about the
# best F1 on modern detail pages (docs/content.md)
THRESHOLD = 0.2


@dataclass(frozen=True, slots=True)
class Forests:
    """The light models: for a page alone, and for one with other pages of its site."""

    page: Forest
    site: Forest


@cache
def shipped_forests() -> Forests:
    """Return the light models that ship with peneira; ``peneira train content`` makes them."""
    folder = files("peneira.content") / "models"
    page, site = (Forest.from_json((folder / f"{name}.json").read_text("utf-8")) for name in ("page", "site"))
    return Forests(page, site)


def probabilities(texts: Texts, site: SitePages | None = None, model: ModelName = DEFAULT_MODEL) -> Numbers:
    """Return how likely each text is content, 0..1; the texts of one content share the mean of theirs."""
    if model not in get_args(ModelName):
        raise UnknownMethod(f"no content model {model!r}; there are: {', '.join(get_args(ModelName))}")
    if not len(texts):
        return np.zeros(0)
    if model == "edrew":
        return language.text_probabilities(texts.page, texts.rows.tolist(), language.shipped())
    return light_probabilities(texts, site, shipped_forests())


def light_probabilities(texts: Texts, site: SitePages | None, forests: Forests) -> Numbers:
    """Return the probabilities of the light models; without other pages, those of the page alone."""
    figures = texts.figures()
    if site is not None and site.can_tell(texts):
        forest, figures = forests.site, figures | site.figures(texts)
    else:
        forest = forests.page
    return of_contents(texts, chances(forest.predict(table_of(figures, forest.names))))


def chances(scores: Numbers) -> Numbers:
    """Return scores as probabilities."""
    return np.asarray(1 / (1 + np.exp(-np.clip(scores, -30, 30))))


def of_contents(texts: Texts, chance: Numbers) -> Numbers:
    """Return for each text the mean over its content, longer texts counting more."""
    _, run = texts.runs
    return np.asarray((np.bincount(run, chance * texts.lengths) / np.bincount(run, texts.lengths))[run])
