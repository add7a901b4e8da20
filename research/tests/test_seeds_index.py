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
    return ROOT / name if name.startswith(("src/", "research/", "docs/")) else ROOT / "src" / "peneira" / name


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


# What each document numbers, counted in its text; the documents are not part of the repository
NUMBERED = {
    "Tag path filter: thesis": {
        "Definition": [*"1234567"], "Algorithm": [*"12345"], "Table": [*"123"], "Figure": [*"1234567"],
        "Equation": ["2.1", "2.2", "3.1", "3.2", "3.3", "4.1"], "Listing": ["3.1"],
    },
    "Tag path filter: paper": {
        "Definition": [f"3.{k}" for k in range(1, 8)], "Algorithm": [*"123456"], "Table": ["I"], "Figure": [*"1234"],
        "Equation": [*"123"],
    },
    "Rendering area": {"Table": ["I", "II", "III", "IV"], "Figure": [*"12345"], "Equation": [*"12345"]},
    "EDREW": {
        "Algorithm": [str(k) for k in range(1, 16)], "Table": [*"123456"], "Figure": [str(k) for k in range(1, 27)],
    },
    "G-STM, FiVaTech, AutoRM": {
        "Table": [*"123456789"], "Figure": [str(k) for k in range(1, 24)], "Formula": ["3.1"],
    },
}  # fmt: skip
ROMAN = ("", "I", "II", "III", "IV", "V")


def numbers_of(kind: str, section: str) -> list[str]:
    """Return the numbers that follow a word in the first column of a section: "Figures 1 to 3, 5" has 1, 2, 3, 5."""
    number = r"(?:\d+(?:\.\d+)?|[IV]+)"
    found = []
    firsts = [line.split("|")[1] for line in section.splitlines() if line.startswith("|")]
    for listed in re.findall(rf"(?i)\b{kind}s? ({number}(?:(?:, | and | to ){number}\b)*)", "\n".join(firsts)):
        for first, last in re.findall(rf"({number})(?: to ({number}))?", listed):
            found += _range(first, last or first)
    return found


def _range(first: str, last: str) -> list[str]:
    if first in ROMAN:
        return list(ROMAN[ROMAN.index(first) : ROMAN.index(last) + 1])
    before = first.rpartition(".")[0]
    ends = [int(text.rpartition(".")[2]) for text in (first, last)]
    return [f"{before}.{k}" if before else str(k) for k in range(ends[0], ends[1] + 1)]


def test_ranges_of_numbers_are_written_out():
    row = "| Definitions 3.1 to 3.3, Figures 1 to 3, 5; Table IV |"
    assert numbers_of("Definition", row) == ["3.1", "3.2", "3.3"]
    assert numbers_of("Figure", row) == ["1", "2", "3", "5"]
    assert numbers_of("Table", row) == ["IV"]


@pytest.mark.parametrize("title", NUMBERED)
def test_all_that_a_document_numbers_is_in_the_index_and_nothing_else(title: str):
    section = INDEX.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]
    kinds = ("Definition", "Algorithm", "Table", "Figure", "Equation", "Listing", "Formula")
    found = {kind: sorted(set(numbers_of(kind, section))) for kind in kinds}
    assert {kind: numbers for kind, numbers in found.items() if numbers} == {
        kind: sorted(numbers) for kind, numbers in NUMBERED[title].items()
    }


def test_every_line_of_the_index_has_a_place_or_says_why_not():
    allowed = ("illustration", "related work", "not here", "as in the thesis", "in the document")
    rows = [line for line in INDEX.splitlines() if line.startswith("|") and "---" not in line]
    silent = [
        row for row in rows if "`" not in "".join(row.split("|")[2:4]) and not any(word in row for word in allowed)
    ]
    assert silent == []
