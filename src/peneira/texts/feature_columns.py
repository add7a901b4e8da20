"""The type of a set of features: a column of values by name."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

FeatureColumns = dict[str, NDArray[Any]]
