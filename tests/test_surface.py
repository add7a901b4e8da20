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
