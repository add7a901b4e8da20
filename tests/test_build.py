"""The package builds where there is no compiler, and its source archive holds what a build needs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BUILD_FILES = ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of what the build reads, without anything that was built."""
    for name in BUILD_FILES:
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("*.so", "*.egg-info", "__pycache__"))
    return tmp_path


def set_up(tree: Path, *command: str, **environment: str) -> None:
    arguments = [sys.executable, "-W", "ignore", "setup.py", "--quiet", *command]
    subprocess.run(arguments, cwd=tree, env={**os.environ, **environment}, check=True, capture_output=True)


def test_without_a_compiler_the_build_goes_through_and_compiles_nothing(tree: Path):
    set_up(tree, "build_ext", "--build-lib", "built", CC="/bin/false")
    assert list(tree.rglob("*.so")) == []


def test_the_source_archive_has_the_types_of_the_kernels(tree: Path):
    set_up(tree, "sdist", "--dist-dir", "dist")
    [archive] = (tree / "dist").iterdir()
    with tarfile.open(archive) as members:
        names = {name.partition("/")[2] for name in members.getnames()}
    assert {
        "src/peneira/kernels/node_loops.py",
        "src/peneira/kernels/node_loops.pxd",
        "src/peneira/lists/models/ranking.json",
    } <= names
