"""The public surface is small, sorted and light."""

from __future__ import annotations

import subprocess
import sys

import peneira

HEAVY = (
    "sklearn",
    "torch",
    "playwright",
    "pandas",
    "pyarrow",
    "xlsxwriter",
    "sqlite3",
    "matplotlib",
    "fastapi",
    "rich",
    "click",
)


def test_exported_names_are_sorted_and_there():
    assert peneira.__all__ == sorted(peneira.__all__)
    assert all(hasattr(peneira, name) for name in peneira.__all__)


def test_importing_peneira_loads_nothing_heavy():
    code = f"import sys, peneira; print([name for name in {HEAVY!r} if name in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_every_error_of_ours_has_one_base():
    from peneira import errors

    named = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, Exception)]
    assert all(issubclass(error, peneira.PeneiraError) for error in named)


def test_a_missing_extra_names_its_install_line():
    from peneira.errors import MissingExtra

    assert str(MissingExtra("render", "rendering")) == (
        'rendering needs an optional package: pip install "peneira[render]"'
    )


def test_layers_import_only_downwards():
    import ast
    from pathlib import Path

    root = Path(peneira.__file__).parent
    layers = (
        "kernels descent limits errors values boosting forest layout, page table, model markup, sources, paths, "
        "content, output, trees, records, wrappers, methods verdicts, rendering, "
        "extraction cleaning contents learning, bench, cli"
    ).split(", ")
    level = {name: k for k, names in enumerate(layers) for name in names.split()}
    wrong = []
    for file in root.rglob("*.py"):
        inside = file.relative_to(root).with_suffix("").parts[0]
        if inside.startswith("__"):
            continue
        top = [node for node in ast.parse(file.read_text()).body if isinstance(node, ast.ImportFrom)]
        for node in top:
            parts = (node.module or "").split(".")
            targets = [parts[1]] if len(parts) > 1 else [a.name for a in node.names] if parts == ["peneira"] else []
            wrong += [(str(file), t) for t in targets if parts[0] == "peneira" and level[t] > level[inside]]
    assert wrong == []
