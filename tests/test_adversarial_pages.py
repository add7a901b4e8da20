"""Pages made to be slow or large, and random ones, through every front door: small ones here, large by ``make``."""

from __future__ import annotations

import pytest

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
