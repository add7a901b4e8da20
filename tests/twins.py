"""Modules that may have been compiled, as the plain Python they were compiled from."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import peneira


def plain_twin(path: str) -> ModuleType:
    """Return the module at a path below the package, such as ``kernels/matching.py``, as plain Python."""
    spec = importlib.util.spec_from_file_location(f"plain_{Path(path).stem}", Path(peneira.__file__).parent / path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
