"""How EDREW's model is trained, and the torch that trains it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from peneira.errors import MissingExtra

# Components of an embedding with a smaller standard deviation than this are not scaled up
MIN_SPREAD = 1e-3


@dataclass(frozen=True, slots=True)
class ClassifierSettings:
    """How the classifier is trained. The dropout is that of the thesis; its batches of one path and its 50 epochs would
    take a hundred times as long."""

    size: int = 128
    batch: int = 512
    epochs: int = 12
    rate: float = 0.004  # of the first epoch; it falls to 0
    dropout: float = 0.5


@dataclass(frozen=True, slots=True)
class EdrewSettings:
    """How the model is trained: the language model, and the classifier on it."""

    letter_size: int = 16
    filters: int = 16
    state_size: int = 64
    min_count: int = 5  # rarer entries share one target
    max_paths: int = 100_000  # distinct paths that the language model reads, a random sample
    batch: int = 256
    epochs: int = 10
    rate: float = 0.008  # the highest; it rises over the first batches and falls to 0
    seed: int = 1
    classifier: ClassifierSettings = ClassifierSettings()


DEFAULT_SETTINGS = EdrewSettings()
# For sites seen in training: their paths are to be memorised, which dropout hinders
SEEN_SETTINGS = EdrewSettings(classifier=ClassifierSettings(size=256, batch=256, epochs=20, rate=0.005, dropout=0.0))


def torch_module() -> Any:
    """Return torch on one thread, or raise an error that names what to install."""
    try:
        import torch
    except ImportError as error:
        raise MissingExtra("train", "training this model") from error
    torch.set_num_threads(1)
    return torch
