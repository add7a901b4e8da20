from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

import peneira
from peneira.columns.link_paths import url_parts

# These split what was read as an address before, or what cannot fail; or their caller catches it
CHECKED_BEFORE = {
    ("absolute_urls.py", "_folder"),
    ("address_guard.py", "check"),
    ("browser.py", "read"),
    ("library.py", "library_key"),
    ("library.py", "path_name"),
    ("page_type_features.py", "_address"),
    ("track.py", "_name"),
    ("urls.py", "_parts_of"),
}


def parts_of_urlsplit(url: str) -> tuple[str, str, str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", "", ""
    return parts.netloc, parts.path, parts.query


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/b/c?d=e#f",
        "http://a.example?d#e?f",
        "https://a.example#b/c?d",
        "https://[::1]/a",
        "https://[a/b",
        "https://a.example/b\tc",
        "HTTPS://a.example/b",
        "//a.example/b",
        "mailto:a@b.example",
    ],
)
def test_addresses_are_split_as_urlsplit_does(url: str):
    assert url_parts(url) == parts_of_urlsplit(url)


@given(st.sampled_from(("https://", "http://", "http:", "")), st.text(alphabet="ab/?#:@[].%\t é", max_size=20))
def test_any_address_is_split_as_urlsplit_does(scheme: str, rest: str):
    assert url_parts(scheme + rest) == parts_of_urlsplit(scheme + rest)


def functions_that_split_unguarded(path: Path) -> Iterator[str]:
    """Yield the functions of a module that call `urlsplit` outside of a `try` that catches ValueError."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        guarded = {
            id(call)
            for attempt in ast.walk(function)
            if isinstance(attempt, ast.Try)
            and any(handler.type and "ValueError" in ast.unparse(handler.type) for handler in attempt.handlers)
            for statement in attempt.body
            for call in ast.walk(statement)
        }
        calls = [
            node for node in ast.walk(function) if isinstance(node, ast.Call) and ast.unparse(node.func) == "urlsplit"
        ]
        if any(id(call) not in guarded for call in calls):
            yield function.name


def test_a_broken_address_is_caught_wherever_one_is_split():
    package = Path(peneira.__file__).parent
    found = {(path.name, name) for path in package.rglob("*.py") for name in functions_that_split_unguarded(path)}
    assert found == CHECKED_BEFORE
