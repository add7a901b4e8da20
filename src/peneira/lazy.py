"""Objects looked up by name when they are first needed, so that nothing else has to import their modules.

This is the only way up through the layers of the package. Users: the methods and learners, of which a run needs one;
``Table.to_csv`` and its like, as writers know tables and not the other way round; ``Page.from_html`` and ``from_file``;
the names that ``peneira`` exports; and the verbs of the command line. ``tests/test_imports.py`` has the list.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def load(reference: str) -> Any:
    """Return the object that ``reference`` names as ``module:name``."""
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)
