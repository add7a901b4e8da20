"""What the documentation shows is what happens."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_the_python_of_the_readme_runs_and_prints_what_it_says():
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    lines = subprocess.check_output([sys.executable, "-c", code[1]], cwd=ROOT, text=True).splitlines()
    assert lines[0] == "list complete 16"
    assert lines[1] == "Senior Backend Engineer | Maré Logística"
    assert lines[-1].startswith("the next list, ")


def test_the_doctest_of_the_package_holds():
    import doctest

    import peneira

    assert doctest.testmod(peneira) == (0, 3)


def test_every_command_of_the_readme_is_a_command():
    import click

    from peneira.cli.main import cli

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^peneira (\w+)", text, re.MULTILINE)) | set(re.findall(r"`peneira (\w+)", text))
    assert named and named <= set(cli.list_commands(click.Context(cli)))
