"""Training EDREW's model in torch: a bidirectional language model over reTPS, then a dense classifier on it.

The language model reads every distinct path once an epoch, whatever the labels; the classifier learns from the labelled
texts. Both are seeded and run on one thread. A run writes a checkpoint after each epoch and goes on from it.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peneira.errors import MissingExtra
from peneira.texts.edrew import (
    FILTER_WIDTHS,
    LAYERS,
    MAX_ENTRY_CHARS,
    Entries,
    Float32Array,
    LanguageModel,
    alphabet_of,
    character_codes,
)

# What torch makes: its types are not known where it is not installed
Network = Any
Tensor = Any

Numbers = NDArray[np.float64]
Whole = NDArray[np.int64]
Tell = Callable[[int, int, float], None]


# Parts of an embedding that differ less than this between paths are not made to count
MIN_SPREAD = 1e-3
# Share of all batches over which the learning rate rises
RISING = 0.05


@dataclass(frozen=True, slots=True)
class Classifying:
    """How the classifier is trained. The dropout is that of the thesis; its batches of one path and its 50 epochs would
    take a hundred times as long."""

    size: int = 128
    batch: int = 512
    epochs: int = 12
    rate: float = 0.004  # at first: it falls to nothing
    dropout: float = 0.5


@dataclass(frozen=True, slots=True)
class Settings:
    """How the model is trained: the language model, and the classifier on it."""

    letter_size: int = 16
    filters: int = 16
    state_size: int = 64
    min_count: int = 5  # an entry met less often is not foretold by name
    max_paths: int = 100_000  # distinct paths that the language model reads, chosen by chance
    batch: int = 256
    epochs: int = 10
    rate: float = 0.008  # at its height: it rises over the first batches and falls to nothing
    seed: int = 1
    classifier: Classifying = Classifying()


DEFAULT_SETTINGS = Settings()
# Where sites are known: what tells their paths apart is learned by heart, which dropout hinders
SEEN_SETTINGS = Settings(classifier=Classifying(size=256, batch=256, epochs=20, rate=0.005, dropout=0.0))


def torch_module() -> Any:
    """Return torch on one thread, or say what to install."""
    try:
        import torch
    except ImportError as error:
        raise MissingExtra("train", "training this model") from error
    torch.set_num_threads(1)
    return torch


# --- the language model -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Coded:
    """Distinct paths as numbers: entries by code (0 is padding), their lengths, the letters of each entry."""

    entries: tuple[str, ...]
    codes: Whole
    lengths: Whole
    letters: Whole
    targets: Whole
    alphabet: Mapping[str, int]


def coded(paths: Sequence[Entries], settings: Settings) -> Coded:
    """Return the paths as numbers. Rare entries share one target."""
    counts = Counter(entry for path in paths for entry in path)
    entries = tuple(sorted(counts))
    code = {entry: k + 1 for k, entry in enumerate(entries)}
    alphabet = alphabet_of("".join(sorted({letter for entry in entries for letter in entry})))
    codes = np.zeros((len(paths), max(map(len, paths))), dtype=np.int64)
    for row, path in enumerate(paths):
        codes[row, : len(path)] = [code[entry] for entry in path]
    frequent = [entry for entry in entries if counts[entry] >= settings.min_count]
    target = {entry: k + 1 for k, entry in enumerate(frequent)}
    letters = [np.zeros(MAX_ENTRY_CHARS, dtype=np.int64), *(character_codes(entry, alphabet) for entry in entries)]
    return Coded(
        entries,
        codes,
        np.array([len(path) for path in paths]),
        np.stack(letters),
        np.array([0, *(target.get(entry, 0) for entry in entries)]),
        alphabet,
    )


def _network(data: Coded, settings: Settings) -> Network:
    torch = torch_module()
    torch.manual_seed(settings.seed)
    size, entry = settings.state_size, settings.filters * len(FILTER_WIDTHS)
    nn = torch.nn
    parts = {"characters": nn.Embedding(int(data.letters.max()) + 1, settings.letter_size, padding_idx=0)}
    for width in FILTER_WIDTHS:
        parts[f"characters_{width}"] = nn.Conv1d(settings.letter_size, settings.filters, width)
    for layer in LAYERS:
        parts[layer] = nn.LSTM(entry if layer.endswith("1") else size, size, batch_first=True)
    parts["foretell"] = nn.Linear(size, int(data.targets.max()) + 1)
    network = nn.ModuleDict(parts)
    with torch.no_grad():
        _spread_filters(network, data)
        for layer in LAYERS:
            _open_gates(network[layer], size)
    return network


def _spread_filters(network: Network, data: Coded) -> None:
    """Scale the filters so that the entries differ from the start: without it nothing is learned for long."""
    letters = network["characters"](torch_module().from_numpy(data.letters[1:])).transpose(1, 2)
    for width in FILTER_WIDTHS:
        filters = network[f"characters_{width}"]
        found = filters(letters).amax(dim=2)
        mean, spread = found.mean(dim=0), found.std(dim=0, correction=0).clamp_min(MIN_SPREAD)
        filters.weight.div_(spread[:, None, None])
        filters.bias.sub_(mean).div_(spread)


def _open_gates(layer: Network, size: int) -> None:
    """Let a layer pass on from the start what it reads and what it knows, for the losses to reach the entries."""
    init = torch_module().nn.init
    for gate in range(4):
        init.xavier_uniform_(layer.weight_ih_l0[gate * size : (gate + 1) * size])
        init.orthogonal_(layer.weight_hh_l0[gate * size : (gate + 1) * size])
    layer.bias_ih_l0.zero_()
    layer.bias_hh_l0.zero_()
    layer.bias_ih_l0[size : 2 * size] = 1  # the gate that forgets


def train_language_model(
    paths: Sequence[Entries],
    settings: Settings = DEFAULT_SETTINGS,
    *,
    checkpoint: Path | None = None,
    tell: Tell | None = None,
) -> tuple[LanguageModel, list[float]]:
    """Return the language model of the paths (without a classifier) and its loss after each epoch.

    With ``checkpoint``, an interrupted run of the same data and settings goes on where it stopped.
    ``tell`` is called with batches done, batches in all, and the loss so far.
    """
    torch = torch_module()
    order = np.random.default_rng(settings.seed).permutation(len(paths))[: settings.max_paths]
    paths = [paths[k] for k in np.sort(order).tolist()]
    data = coded(paths, settings)
    network = _network(data, settings)
    optimiser = torch.optim.Adam(network.parameters(), lr=settings.rate)
    losses = _resumed(network, optimiser, checkpoint, _fingerprint(data, settings))
    batches = -(-len(paths) // settings.batch)
    for epoch in range(len(losses), settings.epochs):
        order = np.random.default_rng(settings.seed + epoch).permutation(len(paths))
        total = 0.0
        for turn in range(batches):
            rows = order[turn * settings.batch : (turn + 1) * settings.batch]
            for group in optimiser.param_groups:
                group["lr"] = settings.rate * _pace(epoch * batches + turn, settings.epochs * batches)
            loss = _loss(network, data, rows)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            total += loss.item()
            if tell:
                tell(epoch * batches + turn + 1, settings.epochs * batches, total / (turn + 1))
        losses.append(total / batches)
        _save(network, optimiser, losses, checkpoint, _fingerprint(data, settings))
    return LanguageModel(_weights(network), data.alphabet), losses


def _pace(turn: int, turns: int) -> float:
    """Return the share of the learning rate that a batch is learned with: up to 1 at first, then down to 0."""
    return min((turn + 1) / max(RISING * turns, 1), (1 + math.cos(math.pi * turn / turns)) / 2)


def _loss(network: Network, data: Coded, rows: Whole) -> Tensor:
    """Return how badly each entry is foretold from those before it, and from those behind it."""
    torch = torch_module()
    lengths = data.lengths[rows]
    codes = data.codes[rows, : int(lengths.max())]
    place = np.arange(codes.shape[1])
    mirrored = np.where(place < lengths[:, None], lengths[:, None] - 1 - place, place)
    distinct, entry = np.unique(codes, return_inverse=True)
    read = _read(network, data, distinct)  # each distinct entry once, for both directions
    entry = entry.reshape(codes.shape)
    known = torch.from_numpy(place[1:] < lengths[:, None])
    total = torch.zeros(())
    for direction, way in (("forward", np.broadcast_to(place, codes.shape)), ("backward", mirrored)):
        those = np.take_along_axis(codes, way, axis=1)
        first, _ = network[f"{direction}_1"](read[torch.from_numpy(np.take_along_axis(entry, way, axis=1))])
        second = first + network[f"{direction}_2"](first)[0]  # as in ELMo
        guesses = network["foretell"](second[:, :-1][known])
        wanted = torch.from_numpy(data.targets[those[:, 1:]])[known]
        total = total + torch.nn.functional.cross_entropy(guesses, wanted)
    return total / 2


def _read(network: Network, data: Coded, codes: Whole) -> Tensor:
    """Return the embeddings of entries by their characters."""
    torch = torch_module()
    letters = network["characters"](torch.from_numpy(data.letters[codes])).transpose(1, 2)
    found = [torch.relu(network[f"characters_{width}"](letters).amax(dim=2)) for width in FILTER_WIDTHS]
    return torch.cat(found, dim=1)


def _weights(network: Network) -> dict[str, Float32Array]:
    state = {name: value.detach().numpy().astype(np.float32) for name, value in network.state_dict().items()}
    weights = {"characters": state["characters.weight"]}
    for width in FILTER_WIDTHS:
        weights[f"characters_{width}_weight"] = state[f"characters_{width}.weight"]
        weights[f"characters_{width}_bias"] = state[f"characters_{width}.bias"]
    for layer in LAYERS:
        weights[f"{layer}_input"] = state[f"{layer}.weight_ih_l0"]
        weights[f"{layer}_recurrent"] = state[f"{layer}.weight_hh_l0"]
        weights[f"{layer}_bias"] = state[f"{layer}.bias_ih_l0"] + state[f"{layer}.bias_hh_l0"]
    return weights


# --- checkpoints ------------------------------------------------------------------------------------------------------


def _fingerprint(data: Coded, settings: Settings) -> str:
    of_language = {name: value for name, value in asdict(settings).items() if name != "classifier"}
    told = hashlib.sha256(repr(of_language).encode())
    told.update(data.codes.tobytes())
    told.update("\n".join(data.entries).encode("utf-8", "surrogatepass"))
    return told.hexdigest()


def _resumed(network: Network, optimiser: Network, checkpoint: Path | None, fingerprint: str) -> list[float]:
    """Return the losses of the epochs that an earlier run finished, its state restored; none for other data."""
    if checkpoint is None or not checkpoint.exists():
        return []
    saved = torch_module().load(checkpoint, weights_only=True)
    if saved["fingerprint"] != fingerprint:
        return []
    network.load_state_dict(saved["network"])
    optimiser.load_state_dict(saved["optimiser"])
    return [float(loss) for loss in saved["losses"]]


def _save(network: Network, optimiser: Network, losses: list[float], checkpoint: Path | None, fingerprint: str) -> None:
    if checkpoint is None:
        return
    state = {
        "fingerprint": fingerprint,
        "network": network.state_dict(),
        "optimiser": optimiser.state_dict(),
        "losses": losses,
    }
    beside = checkpoint.with_name(checkpoint.name + ".part")
    torch_module().save(state, beside)
    beside.replace(checkpoint)  # an interruption never leaves half a checkpoint


# --- the classifier ---------------------------------------------------------------------------------------------------


def embeddings(model: LanguageModel, paths: Sequence[Entries], *, at_once: int = 2048) -> Float32Array:
    """Return the embedding of each path."""
    parts = [model.embed(paths[start : start + at_once]) for start in range(0, len(paths), at_once)]
    return np.concatenate(parts)


def train_classifier(
    embedded: Float32Array, content: Numbers, noise: Numbers, settings: Settings = DEFAULT_SETTINGS
) -> tuple[dict[str, Float32Array], list[float]]:
    """Return the weights of the dense classifier, and its loss after each epoch.

    ``content`` and ``noise`` are, per path, the weights of the labelled texts on it; a path without any is left out.
    """
    torch, how = torch_module(), settings.classifier
    torch.manual_seed(settings.seed)
    rows = np.flatnonzero(content + noise > 0)
    weight = (content + noise)[rows]
    mean, spread = embedded[rows].mean(axis=0), np.maximum(embedded[rows].std(axis=0), MIN_SPREAD)
    inputs = torch.from_numpy(np.ascontiguousarray((embedded[rows] - mean) / spread))
    target = torch.from_numpy((content[rows] / weight).astype(np.float32))
    weights = torch.from_numpy((weight / weight.mean()).astype(np.float32))
    nn = torch.nn
    dense, output = nn.Linear(inputs.shape[1], how.size), nn.Linear(how.size, 1)
    network = nn.Sequential(dense, nn.ReLU(), nn.Dropout(how.dropout), output)
    optimiser = torch.optim.Adam(network.parameters(), lr=how.rate)
    losses: list[float] = []
    for epoch in range(how.epochs):
        order = torch.from_numpy(np.random.default_rng(settings.seed + epoch).permutation(len(rows)))
        total = 0.0
        for group in optimiser.param_groups:
            group["lr"] = how.rate * (1 + math.cos(math.pi * epoch / how.epochs)) / 2
        for those in order.split(how.batch):
            guess = network(inputs[those])[:, 0]
            loss = nn.functional.binary_cross_entropy_with_logits(guess, target[those], weights[those])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            total += loss.item() * len(those)
        losses.append(total / len(rows))
    layers = {"dense_weight": dense.weight, "dense_bias": dense.bias}
    layers |= {"output_weight": output.weight, "output_bias": output.bias}
    trained = {name: value.detach().numpy().astype(np.float32) for name, value in layers.items()}
    trained["dense_weight"] = trained["dense_weight"] / spread  # so that it takes embeddings as they are
    trained["dense_bias"] = trained["dense_bias"] - trained["dense_weight"] @ mean
    return trained, losses


def with_classifier(model: LanguageModel, classifier: Mapping[str, Float32Array]) -> LanguageModel:
    """Return the language model with a classifier on it."""
    return LanguageModel({**model.weights, **classifier}, model.alphabet)
