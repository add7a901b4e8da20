"""The index of the five documents names files and tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INDEX = (ROOT / "docs" / "seeds.md").read_text(encoding="utf-8")
QUOTED = sorted(set(re.findall(r"`([^`\n]+)`", INDEX)))
ROOTS = {"research:": ROOT / "research" / "src" / "peneira_research", "tests/": ROOT / "tests"}


def located(name: str) -> Path:
    for prefix, folder in ROOTS.items():
        if name.startswith(prefix):
            return folder / name.removeprefix(prefix)
    return ROOT / name if name.startswith(("src/", "research/")) else ROOT / "src" / "peneira" / name


@pytest.mark.parametrize("name", [text for text in QUOTED if re.fullmatch(r"[\w/:]+(\.py|\.json|/)", text)])
def test_a_file_of_the_index_exists(name: str):
    assert located(name).exists()


def test_the_tests_of_the_index_exist():
    named = {text for text in QUOTED if text.startswith("test_")}
    files = [*(ROOT / "tests").glob("*.py"), *(ROOT / "research" / "tests").glob("*.py")]
    known = set(re.findall(r"def (test_\w+)", "\n".join(file.read_text(encoding="utf-8") for file in files)))
    assert named - known == set()


def test_functions_of_the_index_are_in_their_files():
    missing = []
    for file, names in re.findall(r"`([\w/:]+\.py)` \(((?:`[\w.]+`(?:, )?)+)\)", INDEX):
        text = located(file).read_text(encoding="utf-8")
        missing += [(file, name) for name in re.findall(r"`([\w.]+)`", names) if name.split(".")[-1] not in text]
    assert missing == []
