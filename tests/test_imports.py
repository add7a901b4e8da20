"""Imports point down only: every import counts, also those inside functions and under ``TYPE_CHECKING``."""

from __future__ import annotations

from pathlib import Path

import peneira
from import_graph import imported, imports_that_point_up, unit

ROOT = Path(peneira.__file__).parent
# From the bottom up. A package or module may import from its own layer's line only what is itself
LAYERS = (
    "arrays version kept_property",
    "errors limits values late_patterns short_text_cache layout lazy namespaces preview reasons safe_text kernels",
    "markup account credentials files budget worker character_search phrase_search collection_pause",
    "node_paths",
    "page",
    "table",
    "result",
    "findings",
    "sources ml xpath trees embedded",
    "types",
    "columns",
    "lists",
    "texts",
    "items",
    "templates",
    "methods",
    "extraction",
    "wrappers",
    "output",
    "scrapy",
    "store",
    "joins",
    "batch",
    "arrow",
    "spark",
    "service",
    "mcp",
    "studio",
    "cli",
    "__init__",
    "__main__",
)
LEVEL = {name: k for k, names in enumerate(LAYERS) for name in names.split()}


def modules(root: Path) -> list[Path]:
    return sorted(root.rglob("*.py"))


def test_every_import_points_down():
    assert imports_that_point_up(ROOT, "peneira", LEVEL) == []


def test_every_part_of_the_package_has_a_layer():
    assert {unit(file, ROOT) for file in modules(ROOT)} == LEVEL.keys()


def test_neither_the_package_nor_its_tests_import_the_research_package():
    for file in (*modules(ROOT), *modules(Path(__file__).parent)):
        assert list(imported(file, "peneira_research")) == [], file


# Files that look names up by ``lazy.load``, the only way up through the layers
LAZY_FILES = {"__init__.py", "page.py", "table.py", "methods/__init__.py", "wrappers/learning.py", "cli/main.py"}


def test_names_are_looked_up_only_where_it_is_declared():
    users = {
        str(file.relative_to(ROOT))
        for file in modules(ROOT)
        if any(name == "peneira.lazy" for name in imported(file, "peneira"))
        or "import_module" in file.read_text(encoding="utf-8")
    }
    # kernels that exist only compiled are looked up within their package
    assert users == LAZY_FILES | {"lazy.py", "kernels/__init__.py"}
