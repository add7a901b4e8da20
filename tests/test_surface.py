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


def test_an_extraction_imports_no_research_no_other_method_and_no_archives():
    code = """
import sys
from peneira.cli.main import main
try:
    main(["extract", "-", "--format", "csv"])
except SystemExit:
    pass
unwanted = {"tarfile", "lzma", "peneira_research", "asyncio", "ssl", "rich", "sqlite3", "playwright"}
methods = sorted(name for name in sys.modules if name.startswith("peneira.methods."))
print(sorted(unwanted & sys.modules.keys()), methods)
"""
    page = "<ul>" + "".join(f"<li><b>Ana {k}</b> <i>Faro</i>" for k in range(4)) + "</ul>"
    done = subprocess.run([sys.executable, "-c", code], input=page, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[] []"
    assert len(done.stdout.splitlines()) == 6
