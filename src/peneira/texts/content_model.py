"""The probability that each text of a page is content, by the shipped models or the user's own.

``light`` is a decision forest on cheap features, with a second forest for pages that come with other pages of their
site; ``edrew`` is the model of the thesis, which uses tag paths alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from peneira.errors import ModelError, UnknownMethod
from peneira.ml.forest import Forest, Numbers
from peneira.texts.content_calibration import PLAIN, ContentCalibration, load_calibration
from peneira.texts.page_texts import PageTexts
from peneira.texts.site_pages import SitePages
from peneira.texts.text_features import text_features

ModelName = Literal["light", "edrew"]
DEFAULT_MODEL: ModelName = "light"


@dataclass(frozen=True, slots=True)
class LightModels:
    """The light models: one for a single page, one for a page with other pages of its site."""

    page: Forest
    site: Forest | None
    calibration: ContentCalibration = PLAIN


@cache
def shipped_light_models() -> LightModels:
    """Return the light models that ship with peneira; ``peneira train content`` trains them."""
    folder = Path(__file__).with_name("models")
    page, site = (Forest.from_json((folder / f"{name}.json").read_text("utf-8")) for name in ("page", "site"))
    return LightModels(page, site, load_calibration(folder))


@lru_cache(maxsize=8)
def load_light_models(folder: Path) -> LightModels:
    """Return the light models that ``peneira train content`` wrote to a folder; the model for sites may be missing."""
    site = folder / "site.json"
    forest = _load_forest(site) if site.exists() else None
    return LightModels(_load_forest(folder / "page.json"), forest, load_calibration(folder))


def _load_forest(path: Path) -> Forest:
    try:
        return Forest.from_json(path.read_text("utf-8"))
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{path}: cannot be read as a model: {error}") from error


def probabilities(
    texts: PageTexts, site: SitePages | None = None, model: ModelName = DEFAULT_MODEL, folder: Path | None = None
) -> Numbers:
    """Return what the model says of each text, 0..1; the texts of one run have the same value.

    The models are those of ``folder``, or the shipped models. These values order texts; ``calibrated_probabilities``
    are shares.
    """
    if model not in get_args(ModelName):
        raise UnknownMethod(f"no content model {model!r}; there are: {', '.join(get_args(ModelName))}")
    if not len(texts):
        return np.zeros(0)
    if model == "edrew":
        from peneira.texts import edrew  # the module of another paper, which `light` does not need

        language_model = edrew.load_model(folder) if folder else edrew.shipped_model()
        return edrew.text_probabilities(texts.page, texts.rows.tolist(), language_model)
    return light_probabilities(texts, site, _light_models(folder))


def calibrated_probabilities(
    texts: PageTexts, site: SitePages | None = None, model: ModelName = DEFAULT_MODEL, folder: Path | None = None
) -> tuple[Numbers, float]:
    """Return the probability that each text is content, and the probability from which on it is taken for content.

    Only ``light`` is calibrated: of its texts with a probability of 0.7, about 70 % are gold on unseen sites.
    """
    found = probabilities(texts, site, model, folder)
    if model == "edrew":
        return found, PLAIN.threshold
    models = _light_models(folder)
    is_compared = len(texts) > 0 and _is_compared(texts, site, models)
    curve = models.calibration.site if is_compared else models.calibration.page
    return curve(found), models.calibration.threshold


def _light_models(folder: Path | None) -> LightModels:
    return load_light_models(folder) if folder else shipped_light_models()


def _is_compared(texts: PageTexts, site: SitePages | None, models: LightModels) -> bool:
    return site is not None and models.site is not None and site.can_compare(texts)


def light_probabilities(texts: PageTexts, site: SitePages | None, models: LightModels) -> Numbers:
    """Return what the light models say; the page is judged alone if no page can be compared with it."""
    features, forest = text_features(texts), models.page
    if site is not None and models.site is not None and _is_compared(texts, site, models):
        forest = models.site
        features.add(site.features(texts))
    try:
        places = features.places(forest.names)
    except KeyError as error:
        raise ModelError(f"the model uses the feature {error}, which does not exist; train the model again") from error
    return run_means(texts, sigmoid(forest.predict_columns(features.rows, places)))


def sigmoid(scores: Numbers) -> Numbers:
    """Return scores (log odds) as probabilities."""
    # np.clip takes several times as long to call
    return np.asarray(1 / (1 + np.exp(-np.minimum(np.maximum(scores, -30.0), 30.0))))


def run_means(texts: PageTexts, probability: Numbers) -> Numbers:
    """Return for each text the mean probability of its run, weighted by length."""
    _, run = texts.runs
    return np.asarray((np.bincount(run, probability * texts.lengths) / np.bincount(run, texts.lengths))[run])
