"""Training EDREW's language model in torch: it predicts each entry of a tag path from those before and behind it.

Every distinct path is read once an epoch, whatever the labels. Training is seeded and runs on one thread; it writes a
checkpoint after each epoch and resumes from it.
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
from peneira_research.training.edrew_settings import DEFAULT_SETTINGS, MIN_SPREAD, EdrewSettings, torch_module

# What torch makes: its types are not known where it is not installed
Network = Any
Tensor = Any

Whole = NDArray[np.int64]
# Called with the batches done, the number of all batches, and the mean loss of the epoch so far
OnBatch = Callable[[int, int, float], None]


# Share of all batches over which the learning rate rises to its highest
WARMUP_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class CodedPaths:
    """Distinct paths as numbers: entries by code (0 is padding), their lengths, the letters of each entry."""

    entries: tuple[str, ...]
    codes: Whole
    lengths: Whole
    letters: Whole
    targets: Whole
    alphabet: Mapping[str, int]


def coded(paths: Sequence[Entries], settings: EdrewSettings) -> CodedPaths:
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
    return CodedPaths(
        entries,
        codes,
        np.array([len(path) for path in paths]),
        np.stack(letters),
        np.array([0, *(target.get(entry, 0) for entry in entries)]),
        alphabet,
    )


def _network(data: CodedPaths, settings: EdrewSettings) -> Network:
    torch = torch_module()
    torch.manual_seed(settings.seed)
    size, entry = settings.state_size, settings.filters * len(FILTER_WIDTHS)
    nn = torch.nn
    parts = {"characters": nn.Embedding(int(data.letters.max()) + 1, settings.letter_size, padding_idx=0)}
    for width in FILTER_WIDTHS:
        parts[f"characters_{width}"] = nn.Conv1d(settings.letter_size, settings.filters, width)
    for layer in LAYERS:
        parts[layer] = nn.LSTM(entry if layer.endswith("1") else size, size, batch_first=True)
    parts["predict"] = nn.Linear(size, int(data.targets.max()) + 1)
    network = nn.ModuleDict(parts)
    with torch.no_grad():
        _standardise_filters(network, data)
        for layer in LAYERS:
            _initialise_gates(network[layer], size)
    return network


def _standardise_filters(network: Network, data: CodedPaths) -> None:
    """Standardise the filters' outputs over the entries: without it nothing is learned for many batches."""
    letters = network["characters"](torch_module().from_numpy(data.letters[1:])).transpose(1, 2)
    for width in FILTER_WIDTHS:
        filters = network[f"characters_{width}"]
        found = filters(letters).amax(dim=2)
        mean, deviation = found.mean(dim=0), found.std(dim=0, correction=0).clamp_min(MIN_SPREAD)
        filters.weight.div_(deviation[:, None, None])
        filters.bias.sub_(mean).div_(deviation)


def _initialise_gates(layer: Network, size: int) -> None:
    """Initialise a layer so that it passes on inputs and state from the start, and gradients reach the entries."""
    init = torch_module().nn.init
    for gate in range(4):
        init.xavier_uniform_(layer.weight_ih_l0[gate * size : (gate + 1) * size])
        init.orthogonal_(layer.weight_hh_l0[gate * size : (gate + 1) * size])
    layer.bias_ih_l0.zero_()
    layer.bias_hh_l0.zero_()
    layer.bias_ih_l0[size : 2 * size] = 1  # the forget gate


def train_language_model(
    paths: Sequence[Entries],
    settings: EdrewSettings = DEFAULT_SETTINGS,
    *,
    checkpoint: Path | None = None,
    on_batch: OnBatch | None = None,
) -> tuple[LanguageModel, list[float]]:
    """Return the language model of the paths (without a classifier) and its loss after each epoch.

    With ``checkpoint``, an interrupted run of the same data and settings resumes where it stopped.
    ``on_batch`` is called with batches done, the number of all batches, and the mean loss of the epoch so far.
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
        for batch in range(batches):
            rows = order[batch * settings.batch : (batch + 1) * settings.batch]
            for group in optimiser.param_groups:
                group["lr"] = settings.rate * _learning_rate_share(epoch * batches + batch, settings.epochs * batches)
            loss = _loss(network, data, rows)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            total += loss.item()
            if on_batch:
                on_batch(epoch * batches + batch + 1, settings.epochs * batches, total / (batch + 1))
        losses.append(total / batches)
        _save(network, optimiser, losses, checkpoint, _fingerprint(data, settings))
    return LanguageModel(_weights(network), data.alphabet), losses


def _learning_rate_share(batch: int, batches: int) -> float:
    """Return the share of the highest learning rate for a batch: linear warm-up to 1, then a cosine down to 0."""
    return min((batch + 1) / max(WARMUP_SHARE * batches, 1), (1 + math.cos(math.pi * batch / batches)) / 2)


def _loss(network: Network, data: CodedPaths, rows: Whole) -> Tensor:
    """Return the cross-entropy of each entry predicted from those before it, and from those behind it."""
    torch = torch_module()
    lengths = data.lengths[rows]
    codes = data.codes[rows, : int(lengths.max())]
    position = np.arange(codes.shape[1])
    mirrored = np.where(position < lengths[:, None], lengths[:, None] - 1 - position, position)
    distinct, entry = np.unique(codes, return_inverse=True)
    read = _read(network, data, distinct)  # each distinct entry once, for both directions
    entry = entry.reshape(codes.shape)
    known = torch.from_numpy(position[1:] < lengths[:, None])
    total = torch.zeros(())
    for direction, order in (("forward", np.broadcast_to(position, codes.shape)), ("backward", mirrored)):
        ordered = np.take_along_axis(codes, order, axis=1)
        first, _ = network[f"{direction}_1"](read[torch.from_numpy(np.take_along_axis(entry, order, axis=1))])
        second = first + network[f"{direction}_2"](first)[0]  # as in ELMo
        predicted = network["predict"](second[:, :-1][known])
        targets = torch.from_numpy(data.targets[ordered[:, 1:]])[known]
        total = total + torch.nn.functional.cross_entropy(predicted, targets)
    return total / 2


def _read(network: Network, data: CodedPaths, codes: Whole) -> Tensor:
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


def _fingerprint(data: CodedPaths, settings: EdrewSettings) -> str:
    language_settings = {name: value for name, value in asdict(settings).items() if name != "classifier"}
    digest = hashlib.sha256(repr(language_settings).encode())
    digest.update(data.codes.tobytes())
    digest.update("\n".join(data.entries).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


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
