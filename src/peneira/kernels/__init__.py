"""The hot loops: plain Python that ``setup.py`` compiles where a compiler is found, and Cython beside a plain twin."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def compiled(name: str) -> Any:
    """Return a kernel that exists only compiled, None where it is not; its callers then take the plain way."""
    try:
        return import_module(f"peneira.kernels.{name}")
    except ImportError:
        return None
