"""EDREW's classifier without torch: a bidirectional language model of reTPS, and a dense layer on its embeddings.

A small version of ELMo (Peters et al. 2018): a convolution over the characters of each entry, two LSTM layers that read
a path forwards and two that read it backwards, each second layer with a residual connection, all trained to predict the
next entry. The embedding of a path is the mean of each layer over its entries and the last output of each LSTM. The
weights are plain arrays in an ``.npz`` file, trained by ``peneira train content --model edrew``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from peneira.errors import ModelError
from peneira.page import Page
from peneira.texts.retps import DEFAULT_VOCABULARY, Vocabulary, text_paths

Float32Array = NDArray[np.float32]
Int64Array = NDArray[np.int64]
Entries = tuple[str, ...]

FORMAT = "peneira-reTPS-model"
VERSION = 2
FILTER_WIDTHS = (1, 2, 3, 4)
MAX_ENTRY_CHARS = 24  # the rest of an entry is ignored
PADDING, UNKNOWN = 0, 1
LAYERS = ("forward_1", "forward_2", "backward_1", "backward_2")


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """The weights by name, the tokens of the paths that it was trained on, and a cache of the embeddings of entries."""

    weights: Mapping[str, Float32Array]
    alphabet: Mapping[str, int]
    vocabulary: Vocabulary = DEFAULT_VOCABULARY
    cache: dict[str, Float32Array] = field(default_factory=dict)

    def probabilities(self, paths: Sequence[Entries]) -> NDArray[np.float64]:
        """Return the probability that each path leads to content, 0..1; equal paths are embedded once."""
        distinct = list(dict.fromkeys(paths))
        if not distinct:
            return np.zeros(0)
        index_of = {path: k for k, path in enumerate(distinct)}
        hidden = np.maximum(self.embed(distinct) @ self.weights["dense_weight"].T + self.weights["dense_bias"], 0)
        scores = hidden @ self.weights["output_weight"].T + self.weights["output_bias"]
        probability = 1 / (1 + np.exp(-scores[:, 0].astype(np.float64)))
        return np.asarray(probability[[index_of[path] for path in paths]])

    def embed(self, paths: Sequence[Entries]) -> Float32Array:
        """Return a row per path: the means of all layers over its entries, and the last output of each LSTM layer."""
        lengths = np.array([len(path) for path in paths])
        entries = np.zeros((len(paths), int(lengths.max()), self._entry_size), dtype=np.float32)
        for row, path in enumerate(paths):
            entries[row, : len(path)] = [self._entry(entry) for entry in path]
        mirrored = _mirror(lengths, entries.shape[1])
        backwards = np.take_along_axis(entries, mirrored[:, :, None], axis=1)
        forward_1 = self._lstm("forward_1", entries)
        backward_1 = self._lstm("backward_1", backwards)
        layers = (
            entries,
            forward_1,
            backward_1,
            forward_1 + self._lstm("forward_2", forward_1),
            backward_1 + self._lstm("backward_2", backward_1),
        )
        mask = ((np.arange(entries.shape[1]) < lengths[:, None]) / lengths[:, None]).astype(np.float32)
        means = [np.einsum("ple,pl->pe", layer, mask) for layer in layers]
        last = [layer[np.arange(len(paths)), lengths - 1] for layer in layers[1:]]
        return np.concatenate([*means, *last], axis=1)

    @property
    def _entry_size(self) -> int:
        return sum(len(self.weights[f"characters_{width}_bias"]) for width in FILTER_WIDTHS)

    def _entry(self, entry: str) -> Float32Array:
        if entry not in self.cache:
            self.cache[entry] = self._convolve(character_codes(entry, self.alphabet))
        return self.cache[entry]

    def _convolve(self, codes: Int64Array) -> Float32Array:
        """Return the embedding of one entry: the largest response of each filter over its characters."""
        characters = self.weights["characters"][codes]
        parts = []
        for width in FILTER_WIDTHS:
            windows = np.lib.stride_tricks.sliding_window_view(characters, width, axis=0)
            responses = np.tensordot(windows, self.weights[f"characters_{width}_weight"], axes=([1, 2], [1, 2]))
            parts.append(np.maximum(responses.max(axis=0) + self.weights[f"characters_{width}_bias"], 0))
        return np.concatenate(parts).astype(np.float32)

    def _lstm(self, layer: str, inputs: Float32Array) -> Float32Array:
        """Return the outputs of one layer (Hochreiter and Schmidhuber 1997, with the gates in torch's order)."""
        projected = inputs @ self.weights[f"{layer}_input"].T + self.weights[f"{layer}_bias"]
        recurrent = self.weights[f"{layer}_recurrent"].T
        size = len(recurrent)
        state = np.zeros((len(inputs), size), dtype=np.float32)
        cell, outputs = state.copy(), np.zeros((*inputs.shape[:2], size), dtype=np.float32)
        for step in range(inputs.shape[1]):
            gates = projected[:, step] + state @ recurrent
            keep = 1 / (1 + np.exp(-np.clip(gates, -30, 30)))
            cell = keep[:, size : 2 * size] * cell + keep[:, :size] * np.tanh(gates[:, 2 * size : 3 * size])
            state = keep[:, 3 * size :] * np.tanh(cell)
            outputs[:, step] = state
        return outputs

    def save(self, path: Path) -> None:
        """Write the weights to a file of plain arrays, in half precision."""
        letters = np.array([ord(letter) for letter in self.alphabet], dtype=np.uint32)
        halves = {name: array.astype(np.float16) for name, array in self.weights.items()}
        with path.open("wb") as file:
            arrays: dict[str, Any] = {
                "format": np.array(FORMAT), "version": np.array(VERSION), "alphabet": letters, **halves,
            }  # fmt: skip
            if self.vocabulary != DEFAULT_VOCABULARY:
                arrays["tokens"] = np.array(list(self.vocabulary.values.items()))
                arrays["max_entries"] = np.array(self.vocabulary.max_entries)
            np.savez_compressed(file, **arrays)

    @classmethod
    def load(cls, path: Path) -> LanguageModel:
        """Return the model in a file; no code of the file is executed."""
        try:
            with np.load(path, allow_pickle=False) as arrays:
                if str(arrays["format"]) != FORMAT or int(arrays["version"]) != VERSION:
                    raise ValueError(f"not a {FORMAT} file of version {VERSION}")
                alphabet = alphabet_of("".join(map(chr, arrays["alphabet"].tolist())))
                others = {"format", "version", "alphabet", "tokens", "max_entries"}
                weights = {name: arrays[name].astype(np.float32) for name in arrays.files if name not in others}
                vocabulary = _vocabulary(arrays)
        except (OSError, EOFError, ValueError, KeyError, BadZipFile) as error:
            raise ModelError(f"{path}: cannot be read as a model: {error}") from error
        return cls(weights, alphabet, vocabulary)


def _vocabulary(arrays: Mapping[str, Any]) -> Vocabulary:
    """Return the tokens in a file; the default ones where it has none."""
    if "tokens" not in arrays:
        return DEFAULT_VOCABULARY
    values = {str(word): str(token) for word, token in arrays["tokens"].tolist()}
    return Vocabulary(values, int(arrays["max_entries"]))


def alphabet_of(letters: str) -> dict[str, int]:
    """Return the code of each letter; 0 is padding, 1 any unknown letter."""
    return {letter: k + 2 for k, letter in enumerate(letters)}


def character_codes(entry: str, alphabet: Mapping[str, int]) -> Int64Array:
    """Return the codes of an entry's characters, padded or cut to ``MAX_ENTRY_CHARS``."""
    codes = [alphabet.get(letter, UNKNOWN) for letter in entry[:MAX_ENTRY_CHARS]]
    return np.array(codes + [PADDING] * (MAX_ENTRY_CHARS - len(codes)), dtype=np.int64)


def _mirror(lengths: NDArray[np.integer], width: int) -> Int64Array:
    """Return the indexes that reverse each path; padding stays at the end."""
    index = np.arange(width)
    return np.where(index < lengths[:, None], lengths[:, None] - 1 - index, index).astype(np.int64)


@cache
def shipped_model() -> LanguageModel:
    """Return the model that ships with peneira."""
    return LanguageModel.load(Path(__file__).with_name("models") / "edrew.npz")


@lru_cache(maxsize=8)
def load_model(folder: Path) -> LanguageModel:
    """Return the model of a folder that ``peneira train content`` wrote."""
    return LanguageModel.load(folder / "edrew.npz")


def text_probabilities(page: Page, rows: Sequence[int], model: LanguageModel) -> NDArray[np.float64]:
    """Return the probability of each text row by the path of its run; 0 for a row without a path."""
    paths = text_paths(page, model.vocabulary)
    probabilities = model.probabilities([path.entries for path in paths])
    by_row = {row: float(value) for path, value in zip(paths, probabilities, strict=True) for row in path.texts}
    return np.array([by_row.get(row, 0.0) for row in rows])
