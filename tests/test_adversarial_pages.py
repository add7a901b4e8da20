"""Pages made to be slow or large, and random ones, through every front door: small ones here, large by ``make``."""

from __future__ import annotations

from pathlib import Path

import pytest
from adversarial import Call, Log, Measured, is_beyond, sample

import peneira
from adversarial_pages import SHAPES
from fuzzing import TARGETS, failures
from peneira.limits import Limits

CHARS = 1500


@pytest.mark.parametrize("verb", ["extract", "text", "item", "clean", "segment", "content"])
def test_every_shape_has_a_result(verb: str):
    for name, shape in SHAPES.items():
        result = getattr(peneira, verb)(shape(CHARS), limits=Limits())
        assert result.status in ("complete", "partial"), name


@pytest.mark.parametrize("method", ["mdr", "autorm", "xpath-rank", "gstm"])
def test_every_method_reads_every_shape(method: str):
    for name, shape in list(SHAPES.items())[::3]:
        assert peneira.extract(shape(CHARS), method=method).method == method, name


@pytest.mark.parametrize("target", TARGETS)
def test_random_inputs_keep_the_invariants(target: str):
    assert list(failures(target, 3, range(12))) == []


def test_the_sample_has_the_slowest_and_the_largest_of_each_verb_and_every_shape():
    def measured(verb: str, shape: str, seconds: float, megabytes: int) -> tuple[Call, Measured]:
        return Call(verb, shape, 9, 1.0), Measured(seconds, megabytes, "complete")

    results = [
        measured("text", "slow", 0.9, 10), measured("text", "large", 0.1, 90), measured("text", "plain", 0.2, 10),
        measured("item", "slow", 0.1, 10), measured("item", "large", 0.1, 10), measured("item", "plain", 0.3, 10),
        measured("item", "small", 0.0, 10), measured("text", "small", 0.01, 10),
    ]  # fmt: skip
    assert sample(results, 2) == [
        ("text", "slow"), ("text", "large"), ("item", "plain"), ("item", "slow"), ("text", "small"),
    ]  # fmt: skip


def test_a_run_over_adversarial_pages_goes_on_where_it_stopped(tmp_path: Path):
    call, result = Call("text", "deep list", 9, 1.0), Measured(0.5, 80, "complete")
    Log(tmp_path / "x.jsonl").add(call, result)
    Log(tmp_path / "x.jsonl").add(call._replace(shape="wide list"), "killed: it took too long")
    kept = Log(tmp_path / "x.jsonl").results
    assert kept == {call: result, call._replace(shape="wide list"): "killed: it took too long"}
    assert [is_beyond(*entry) for entry in kept.items()] == [False, True]
