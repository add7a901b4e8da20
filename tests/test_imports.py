"""Imports point down only: every import counts, also those inside functions and under ``TYPE_CHECKING``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import peneira

ROOT = Path(peneira.__file__).parent
# From the bottom up. A package or module may import from its own layer's line only what is itself
LAYERS = (
    "arrays version",
    "errors limits values layout lazy preview reasons kernels",
    "markup account files",
    "page",
    "table",
    "result",
    "sources ml xpath trees",
    "types",
    "columns",
    "lists",
    "texts",
    "templates",
    "methods",
    "extraction",
    "wrappers",
    "output",
    "cli",
    "__init__",
    "__main__",
)
LEVEL = {name: k for k, names in enumerate(LAYERS) for name in names.split()}


def modules(root: Path) -> list[Path]:
    return sorted(root.rglob("*.py"))


def imported(file: Path) -> Iterator[str]:
    """Yield what a file imports of peneira, as dotted names, wherever in the file the import stands."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "peneira")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: a relative import"
            if node.module == "peneira":
                yield from (f"peneira.{alias.name}" for alias in node.names)
            elif node.module and node.module.startswith("peneira."):
                yield node.module


def unit(file: Path) -> str:
    """Return the package or top-level module that a file belongs to."""
    return file.relative_to(ROOT).with_suffix("").parts[0]


def test_every_import_points_down():
    wrong = []
    for file in modules(ROOT):
        own = unit(file)
        for name in imported(file):
            target = name.split(".")[1] if "." in name else "__init__"
            if target != own and LEVEL[target] >= LEVEL[own]:
                wrong.append(f"{file.relative_to(ROOT)} imports {name}")
    assert wrong == []


def test_every_part_of_the_package_has_a_layer():
    assert {unit(file) for file in modules(ROOT)} == LEVEL.keys()


def test_neither_the_package_nor_its_tests_import_the_research_package():
    for file in (*modules(ROOT), *modules(Path(__file__).parent)):
        names = imported_modules(file)
        assert "peneira_research" not in {name.split(".")[0] for name in names}, file


def imported_modules(file: Path) -> Iterator[str]:
    """Yield the dotted names of all modules that a file imports."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


# Files that look names up by ``lazy.load``, the only way up through the layers
LAZY_FILES = {"__init__.py", "page.py", "table.py", "methods/__init__.py", "wrappers/learning.py", "cli/main.py"}


def test_names_are_looked_up_only_where_it_is_declared():
    users = {
        str(file.relative_to(ROOT))
        for file in modules(ROOT)
        if any(name == "peneira.lazy" for name in imported(file)) or "import_module" in file.read_text(encoding="utf-8")
    }
    assert users == LAZY_FILES | {"lazy.py"}
