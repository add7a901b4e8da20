"""Calibration of the content models: from what a forest says to the share of such texts that are content."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from peneira.errors import ModelError
from peneira.ml.forest import Numbers

CALIBRATION_FILE = "content_calibration.json"
FORMAT, VERSION = "peneira content calibration", 1
# The threshold of models without a calibration: on unseen sites it keeps nine tenths of the gold of SWDE
PLAIN_THRESHOLD = 0.2


def _falls(values: Sequence[float]) -> bool:
    return any(after < before for before, after in pairwise(values))


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve that never falls: straight lines between ``scores`` of a model and the ``shares`` of content at them."""

    scores: tuple[float, ...] = (0.0, 1.0)
    shares: tuple[float, ...] = (0.0, 1.0)

    def __post_init__(self) -> None:
        pairs = (self.scores, self.shares)
        if len(self.scores) != len(self.shares) or not self.scores or any(_falls(values) for values in pairs):
            raise ValueError("a calibration has as many scores as shares, and both rise")

    def __call__(self, scores: Numbers) -> Numbers:
        return np.asarray(np.interp(scores, self.scores, self.shares))


@dataclass(frozen=True, slots=True)
class ContentCalibration:
    """The curves of the models for a page alone and with pages of its site; from ``threshold`` on a text is content."""

    page: Curve = Curve()
    site: Curve = Curve()
    threshold: float = PLAIN_THRESHOLD

    def to_json(self) -> str:
        """Return the calibration as a JSON document."""
        curves = {name: {"scores": curve.scores, "shares": curve.shares} for name, curve in self._curves()}
        head = {"format": FORMAT, "version": VERSION, "threshold": self.threshold}
        return json.dumps({**head, **curves}) + "\n"

    def _curves(self) -> Sequence[tuple[str, Curve]]:
        return ("page", self.page), ("site", self.site)

    @classmethod
    def from_json(cls, text: str) -> ContentCalibration:
        """Return the calibration that a JSON document holds."""
        data = json.loads(text)
        if data.get("format") != FORMAT or data.get("version") != VERSION:
            raise ValueError(f"not a {FORMAT} of version {VERSION}")
        page, site = (
            Curve(tuple(map(float, data[name]["scores"])), tuple(map(float, data[name]["shares"])))
            for name in ("page", "site")
        )
        return cls(page, site, float(data["threshold"]))


PLAIN = ContentCalibration()


def load_calibration(folder: Path) -> ContentCalibration:
    """Return the calibration of the models of a folder; models of an older training have none."""
    file = folder / CALIBRATION_FILE
    if not file.exists():
        return PLAIN
    try:
        return ContentCalibration.from_json(file.read_text("utf-8"))
    except OSError as error:
        raise ModelError(f"{file}: cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{file}: cannot be read as a calibration: {error}") from error
