"""Imports of the research package point down only: every import counts, also inside functions and ``TYPE_CHECKING``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import peneira_research

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


def modules() -> list[Path]:
    return sorted(ROOT.rglob("*.py"))


def imported(file: Path) -> Iterator[str]:
    """Yield the dotted names that a file imports of the research package, wherever in the file the import is."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "peneira_research")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: a relative import"
            if node.module == "peneira_research":
                yield from (f"peneira_research.{alias.name}" for alias in node.names)
            elif node.module and node.module.startswith("peneira_research."):
                yield node.module


def unit(file: Path) -> str:
    """Return the package or top-level module that a file belongs to."""
    return file.relative_to(ROOT).with_suffix("").parts[0]


def test_every_import_points_down() -> None:
    wrong = []
    for file in modules():
        own = unit(file)
        for name in imported(file):
            target = name.split(".")[1] if "." in name else "__init__"
            if target != own and LEVEL[target] >= LEVEL[own]:
                wrong.append(f"{file.relative_to(ROOT)} imports {name}")
    assert wrong == []


def test_every_part_of_the_package_has_a_layer() -> None:
    assert {unit(file) for file in modules()} == LEVEL.keys()
