"""Objects looked up by name when they are first needed, so that nothing else has to import their modules.

This is the only way up through the layers of the package. Two things use it: the published methods, of which a run
needs one, and ``Table.to_csv`` and its like, as the writers of files know tables and not the other way round.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def load(reference: str) -> Any:
    """Return the object that ``reference`` names as ``module:name``."""
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)
