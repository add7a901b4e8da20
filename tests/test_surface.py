"""The public surface is small, sorted and light."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

import pytest

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


def test_no_exported_name_is_also_a_module():
    modules = {module.name for module in pkgutil.iter_modules(peneira.__path__)}
    assert modules.isdisjoint(peneira.__all__)


def test_every_exported_name_has_a_home_and_no_other_name_has():
    assert peneira._HOMES.keys() == set(peneira.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'extracted'"):
        peneira.extracted  # noqa: B018


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
