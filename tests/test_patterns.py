"""Regular expressions that search in texts of a page take time by the length of the text, not by its square.

A search that tries every start of a long run of blanks, digits or dashes cannot be interrupted by any limit. All
patterns of the package run over such texts and over long repetitions of what they themselves repeat: patterns that are
searched with in all of the text, those that only match from its start.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import peneira
from pattern_growth import slow_text
from peneira.late_patterns import LatePattern

PACKAGE = Path(peneira.__file__).parent
MATCHES = {"match", "fullmatch"}
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
    "peneira.columns.value_patterns._UNIT_PRICE": "the first MAX_SEARCHED_CHARS",
    "peneira.columns.value_looks._EASTERN_STREET": "the first MAX_CHARS",
    "peneira.columns.value_looks._PLACE": "texts of at most MAX_PLACE_CHARS",
}
# Patterns that are handed on, and by those who get them matched with whole texts only
MATCHED_WHOLE = {
    "peneira.columns.outline._PRICE",
    *(f"peneira.columns.value_patterns.{name}" for name in ("_COUNT", "_IN_BRACKETS", "_FRACTION", "_FACTS", "_HOST")),
    "peneira.columns.value_patterns._DISCOUNT",
    "peneira.types.times._SINGLE_LETTER_UNIT",
    # the kernel of the looks of values matches them at the start of a text, as the functions beside them do
    *(f"peneira.columns.value_looks.{name}" for name in ("_PERSON", "_CODE", "_COUNT_OF_DAY", "_EASTERN_TIME_AGO")),
}


def patterns_of(value: object, within: frozenset[int] = frozenset()) -> Iterator[re.Pattern[str]]:
    """Yield a pattern, or those of a collection. ``within``: the collections around it, as one may hold itself."""
    if isinstance(value, (re.Pattern, LatePattern)):
        yield re.compile(value.pattern, value.flags)
    elif isinstance(value, (Mapping, tuple, list)) and id(value) not in within:
        entries = value.values() if isinstance(value, Mapping) else value
        yield from (pattern for entry in entries for pattern in patterns_of(entry, within | {id(value)}))


def patterns() -> dict[str, list[re.Pattern[str]]]:
    """Return all patterns of the modules of the package by module and name, each in the first module that has it."""
    found: dict[tuple[str | bytes, int], tuple[str, re.Pattern[str]]] = {}
    for info in pkgutil.walk_packages(peneira.__path__, "peneira."):
        if info.name.endswith("__main__"):
            continue
        for name, value in vars(importlib.import_module(info.name)).items():
            for pattern in patterns_of(value):
                found.setdefault((pattern.pattern, pattern.flags), (f"{info.name}.{name}", pattern))
    by_name: dict[str, list[re.Pattern[str]]] = {}
    for name, pattern in found.values():
        by_name.setdefault(name, []).append(pattern)
    return by_name


def names_that_only_match() -> set[str]:
    """Return the patterns whose every use, but for their making, is to match at the start of a text.

    Names with an underscore are used in their own module alone.
    """
    matched, used = set(), set()
    for path in sorted(PACKAGE.rglob("*.py")):
        module = "peneira." + ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                (matched if node.attr in MATCHES else used).add(_full_name(module, node.value.id))
                node.value.id = ""
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                used.add(_full_name(module, node.id))
    return matched - used


def _full_name(module: str, name: str) -> str:
    return f"{module.removesuffix('.__init__')}.{name}" if name.startswith("_") else name


def test_no_search_is_quadratic_in_the_length_of_a_text():
    only_match = names_that_only_match() | MATCHED_WHOLE
    named = {name: own for name, own in patterns().items() if name not in BOUNDED}
    assert len(named) > 250
    slow = {
        f"{name}: {text}"
        for name, own in named.items()
        for pattern in own
        if (text := slow_text(pattern, is_searched=only_match.isdisjoint((name, name.rpartition(".")[2]))))
    }
    assert slow == set()


def test_patterns_that_take_too_long_are_found():
    quadratic, exponential = re.compile(r"\d+x"), re.compile(r"(?:a|aa)+$")
    assert slow_text(quadratic, is_searched=True) == "'' + '1' * n"
    assert slow_text(quadratic, is_searched=False) is None
    assert slow_text(exponential, is_searched=False) is not None
    assert slow_text(re.compile(r"(?<!\d)\d+x"), is_searched=True) is None


def test_the_patterns_with_rules_of_their_own_exist():
    for name in {*BOUNDED, *MATCHED_WHOLE}:
        module, _, pattern = name.rpartition(".")
        assert list(patterns_of(getattr(importlib.import_module(module), pattern)))
