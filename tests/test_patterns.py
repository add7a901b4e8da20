"""Regular expressions that search in texts of a page take time by the length of the text, not by its square.

A search that tries every start of a long run of blanks, digits or dashes cannot be interrupted by any limit. All
patterns of the package that search (and do not only match at the start) run over such texts, in a process with a limit.
"""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import peneira
from peneira.late_patterns import LatePattern
from peneira.worker import Failure, WorkerLimits, WorkerPool
from worker_jobs import search_in_long_runs

PACKAGE = Path(peneira.__file__).parent
MAKERS = ("re.compile(", "late_pattern(")
SEARCHES = {"search", "sub", "subn", "split", "finditer", "findall"}
# Patterns that search in texts of bounded length only, and the bound
BOUNDED = {
    "peneira.columns.value_patterns._PATTERNS": "the first MAX_SEARCHED_CHARS",
    "peneira.embedded.script_data._NAME_BEFORE": "the characters before a value, _MAX_NAME_CHARS of them",
    "peneira.wrappers.cut_learning._WORD_BEFORE": "the last _MAX_BEFORE_CHARS",
    "peneira.items.list_signs._COUNT": "lines of at most MAX_CONTROL_CHARS",
    "peneira.items.bylines._CUT": "blanks are single",
    "peneira.items.bylines._JOINED": "blanks are single",
    "peneira.items.brands._SITE_CUT": "blanks are single",
    "peneira.items.thing_claims._AND": "blanks are single",
    "peneira.items.labelled_values._FAX": "blanks are single",
    "peneira.wrappers.address_lines._HOUSE": "lines of at most MAX_CHARS in all",
    "peneira.wrappers.address_lines._CODE": "lines of at most MAX_CHARS in all",
}


def searching_patterns() -> list[tuple[str, str]]:
    """Return the module and the name of each pattern of a module that is searched with."""
    found = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {
            node.value.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and node.attr in SEARCHES and isinstance(node.value, ast.Name)
        }
        made = {
            target.id
            for node in tree.body
            if isinstance(node, ast.Assign) and any(maker in ast.unparse(node.value) for maker in MAKERS)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        made_of_several = {
            target.id
            for node in tree.body
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, (ast.Dict, ast.Tuple, ast.List))
            if any(maker in ast.unparse(node.value) for maker in MAKERS)
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Name)
        }
        module = "peneira." + ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        found |= {(module.removesuffix(".__init__"), name) for name in (names & made) | made_of_several}
    return sorted(found)


def test_no_search_is_quadratic_in_the_length_of_a_text():
    names = [name for name in searching_patterns() if ".".join(name) not in BOUNDED]
    assert len(names) > 50
    slow = []
    with WorkerPool[str](1, WorkerLimits(seconds=5)) as pool:
        for module, name in names:
            pool.submit(f"{module}.{name}", search_in_long_runs, module, name)
            slow += [done.token for done in pool.wait() if isinstance(done.result, Failure)]
    assert slow == []


def test_bounded_patterns_exist():
    for name in BOUNDED:
        module, _, pattern = name.rpartition(".")
        assert isinstance(getattr(importlib.import_module(module), pattern), (re.Pattern, LatePattern, dict, tuple))
