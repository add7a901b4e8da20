"""Training EDREW's classifier in torch: a dense network on the embeddings of tag paths, seeded and on one thread."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from peneira.texts.edrew import Entries, Float32Array, LanguageModel
from peneira_research.training.edrew_settings import DEFAULT_SETTINGS, MIN_SPREAD, EdrewSettings, torch_module

Numbers = NDArray[np.float64]


def embeddings(model: LanguageModel, paths: Sequence[Entries], *, batch: int = 2048) -> Float32Array:
    """Return the embedding of each path."""
    parts = [model.embed(paths[start : start + batch]) for start in range(0, len(paths), batch)]
    return np.concatenate(parts)


def train_classifier(
    embedded: Float32Array, content: Numbers, noise: Numbers, settings: EdrewSettings = DEFAULT_SETTINGS
) -> tuple[dict[str, Float32Array], list[float]]:
    """Return the weights of the dense classifier, and its loss after each epoch.

    ``content`` and ``noise`` are, per path, the weights of the labelled texts on it; a path without any is left out.
    """
    torch, options = torch_module(), settings.classifier
    torch.manual_seed(settings.seed)
    rows = np.flatnonzero(content + noise > 0)
    weight = (content + noise)[rows]
    mean, deviation = embedded[rows].mean(axis=0), np.maximum(embedded[rows].std(axis=0), MIN_SPREAD)
    inputs = torch.from_numpy(np.ascontiguousarray((embedded[rows] - mean) / deviation))
    target = torch.from_numpy((content[rows] / weight).astype(np.float32))
    weights = torch.from_numpy((weight / weight.mean()).astype(np.float32))
    nn = torch.nn
    dense, output = nn.Linear(inputs.shape[1], options.size), nn.Linear(options.size, 1)
    network = nn.Sequential(dense, nn.ReLU(), nn.Dropout(options.dropout), output)
    optimiser = torch.optim.Adam(network.parameters(), lr=options.rate)
    losses: list[float] = []
    for epoch in range(options.epochs):
        order = torch.from_numpy(np.random.default_rng(settings.seed + epoch).permutation(len(rows)))
        total = 0.0
        for group in optimiser.param_groups:
            group["lr"] = options.rate * (1 + math.cos(math.pi * epoch / options.epochs)) / 2
        for batch in order.split(options.batch):
            logits = network(inputs[batch])[:, 0]
            loss = nn.functional.binary_cross_entropy_with_logits(logits, target[batch], weights[batch])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            total += loss.item() * len(batch)
        losses.append(total / len(rows))
    layers = {"dense_weight": dense.weight, "dense_bias": dense.bias}
    layers |= {"output_weight": output.weight, "output_bias": output.bias}
    trained = {name: value.detach().numpy().astype(np.float32) for name, value in layers.items()}
    trained["dense_weight"] = trained["dense_weight"] / deviation  # for embeddings as the model gives them
    trained["dense_bias"] = trained["dense_bias"] - trained["dense_weight"] @ mean
    return trained, losses


def with_classifier(model: LanguageModel, classifier: Mapping[str, Float32Array]) -> LanguageModel:
    """Return the language model with a classifier on it."""
    return LanguageModel({**model.weights, **classifier}, model.alphabet, model.vocabulary)
