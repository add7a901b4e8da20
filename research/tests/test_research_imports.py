"""Imports of the research package point down only: every import counts, also inside functions and ``TYPE_CHECKING``."""

from __future__ import annotations

from pathlib import Path

import peneira_research
from import_graph import imports_that_point_up, unit

ROOT = Path(peneira_research.__file__).parent
# From the bottom up. A package or module imports only itself and the lines below its own
LAYERS = (
    "__init__ workers squeezed_text",
    "peers",
    "corpora",
    "scores",
    "training",
    "studies",
    "reports",
    "commands",
)
LEVEL = {name: k for k, names in enumerate(LAYERS) for name in names.split()}


def test_every_import_points_down() -> None:
    assert imports_that_point_up(ROOT, "peneira_research", LEVEL) == []


def test_every_part_of_the_package_has_a_layer() -> None:
    assert {unit(file, ROOT) for file in ROOT.rglob("*.py")} == LEVEL.keys()
