"""Folds for cross-validation: each site is wholly in one of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar

import numpy as np

Site = TypeVar("Site", str, tuple[str, str])


def deal_folds(sites: Collection[Site], folds: int) -> dict[Site, int]:
    """Return the fold of each site; equal sites give equal folds, in whatever order they come."""
    ordered = sorted(sites)
    order = np.random.default_rng(1).permutation(len(ordered))
    return {ordered[k]: turn % folds for turn, k in enumerate(order.tolist())}
