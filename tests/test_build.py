"""The package builds where there is no compiler, and its source archive holds what a build needs."""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
import tarfile
import zipfile
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


MAX_WHEEL_BYTES = 5_000_000
USE = """
import peneira
page = "<ul>" + "".join(f"<li><b>Ana {k}</b> <i>Faro</i>" for k in range(4)) + "</ul>"
result = peneira.extract(page)
print(len(result.main), peneira.__file__, len(peneira.content(page)), len(peneira.clean(page)) > 0)
"""


def test_a_wheel_without_a_compiler_works_without_the_repository(tree: Path, tmp_path: Path):
    set_up(tree, "bdist_wheel", "--dist-dir", "dist", CC="/bin/false")
    [wheel] = (tree / "dist").iterdir()
    assert wheel.stat().st_size < MAX_WHEEL_BYTES
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as archive:
        assert not [name for name in archive.namelist() if "research" in name or name.endswith(".so")]
        archive.extractall(installed)
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    done = subprocess.check_output([sys.executable, "-c", USE], cwd=tmp_path, env=environment, text=True)
    records, home, _, is_clean = done.split()
    assert (records, Path(home).is_relative_to(installed), is_clean) == ("4", True, "True")


def test_the_source_archive_has_the_types_of_the_kernels(tree: Path):
    set_up(tree, "sdist", "--dist-dir", "dist")
    [archive] = (tree / "dist").iterdir()
    with tarfile.open(archive) as members:
        names = {name.partition("/")[2] for name in members.getnames()}
    assert {
        "src/peneira/kernels/node_loops.py",
        "src/peneira/kernels/node_loops.pxd",
        "src/peneira/kernels/lexbor_nodes.pyx",
        "src/peneira/lists/models/ranking.forest",
    } <= names


def test_the_check_of_a_wheel_looks_for_every_kernel_that_has_no_plain_form():
    names = runpy.run_path(str(ROOT / "tools" / "check_wheel.py"))["KERNELS"].split()
    assert sorted(names) == sorted(path.stem for path in (ROOT / "src/peneira/kernels").glob("*.pyx"))
