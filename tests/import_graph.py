"""What the files of a package import of it, wherever in the file the import is."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path


def imported(file: Path, package: str) -> Iterator[str]:
    """Yield the dotted names that a file imports of the package."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == package)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: a relative import"
            if node.module == package:
                yield from (f"{package}.{alias.name}" for alias in node.names)
            elif node.module and node.module.startswith(f"{package}."):
                yield node.module


def unit(file: Path, root: Path) -> str:
    """Return the package or top-level module below the root that a file belongs to."""
    return file.relative_to(root).with_suffix("").parts[0]


def imports_that_point_up(root: Path, package: str, level: Mapping[str, int]) -> list[str]:
    """Return the imports of a unit that is not below the importing one, as sentences."""
    wrong = []
    for file in sorted(root.rglob("*.py")):
        own = unit(file, root)
        for name in imported(file, package):
            target = name.split(".")[1] if "." in name else "__init__"
            if target != own and level[target] >= level[own]:
                wrong.append(f"{file.relative_to(root)} imports {name}")
    return wrong
