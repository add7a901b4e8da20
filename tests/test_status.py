"""Every front door says what a limit cut off, and the command has an exit code for it."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

import peneira as library
from command import peneira
from peneira.limits import Cut, Limits

LIST = "<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k} EUR</i></li>" for k in range(6)) + "</ul>"
NODES = Limits(nodes=12)
CUTS = (Cut("nodes", 12, "the nodes that come after were not read"),)
# tags nested beyond the depth limit are left out, which costs nothing else of the page
DEEP = LIST + "<div>" * 5100 + "x"


@pytest.mark.parametrize("door", [library.clean, library.content, library.segment, library.text])
def test_a_partial_result_of_the_library_says_so(door):
    result = door(LIST, limits=NODES)
    assert (result.cuts, result.status) == (CUTS, "partial")


@pytest.mark.parametrize("door", [library.clean, library.content, library.segment, library.text])
def test_a_complete_result_of_the_library_says_so(door):
    result = door(LIST)
    assert (result.cuts, result.status) == ((), "complete")


def test_a_cleaned_page_is_a_text_and_keeps_its_cuts_when_it_is_stored():
    cleaned = library.clean(LIST, limits=NODES)
    assert isinstance(cleaned, str)
    restored = pickle.loads(pickle.dumps(cleaned))
    assert (restored, restored.cuts) == (cleaned, CUTS)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "deep.html"
    path.write_text(DEEP)
    return path


@pytest.fixture
def wrapper(tmp_path: Path) -> Path:
    page, path = tmp_path / "page.html", tmp_path / "wrapper.json"
    page.write_text(LIST)
    assert peneira("learn", page, "--kind", "list", "-o", path).returncode == 0
    return path


@pytest.mark.parametrize(
    "verb",
    [
        ["extract"],
        ["item"],
        ["text"],
        ["clean"],
        ["segment"],
        ["content"],
        ["learn", "--kind", "list"],
        ["plot", "-o", "{folder}/x.svg"],
        ["apply", "{folder}/wrapper.json"],
        ["check", "{folder}/wrapper.json"],
        ["heal", "{folder}/wrapper.json"],
    ],
    ids=lambda verb: verb[0],
)
def test_a_partial_result_is_said_and_has_an_exit_code_of_its_own(
    page: Path, wrapper: Path, tmp_path: Path, verb: list[str]
):
    done = peneira(*(part.format(folder=tmp_path) for part in verb), page, "--render", "never")
    assert done.returncode == 5
    assert f"{page}: partial: depth limit of 1024: " in done.stderr


def test_a_failure_outweighs_a_partial_result(page: Path, tmp_path: Path):
    assert peneira("extract", page, tmp_path / "none.html").returncode == 1


def test_a_verdict_of_a_check_outweighs_a_partial_result(wrapper: Path, tmp_path: Path):
    other = tmp_path / "other.html"
    other.write_text("<p>Nothing like it" + "<div>" * 5100 + "x")
    assert peneira("check", wrapper, other).returncode == 4


def test_the_json_of_a_page_has_its_cuts(page: Path):
    for verb in ("content", "segment"):
        (cut,) = json.loads(peneira(verb, page).stdout)["cuts"]
        assert (cut["limit"], cut["allowed"]) == ("depth", 1024)


def test_a_complete_result_ends_with_0(tmp_path: Path):
    (tmp_path / "page.html").write_text(LIST)
    assert peneira("extract", tmp_path / "page.html").returncode == 0
