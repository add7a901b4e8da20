"""Features of where a list stands: the main part of the page, headings, pagers, and counts that the page states."""

from __future__ import annotations

import pytest

from peneira import extract
from peneira.lists.candidates import Candidates, find_candidates
from peneira.lists.features import CandidateFeatures
from peneira.lists.page_features import PageFeatures
from peneira.ml.running_sums import RunningSums
from peneira.sources.html import read_page

ITEMS = "".join(f"<li><a href=/{name}>{name}</a> {name} and more</li>" for name in ("Ana", "Rui", "Eva"))


def feature_of_items(name: str, html: str) -> float:
    """Return a feature of the candidate that has the three items as its records."""
    page = read_page(html)
    sums = RunningSums(page)
    found: Candidates = find_candidates(page, sums)
    rows = [i for i in range(len(page)) if page.name(i) == "li"]
    index = next(k for k in range(len(found)) if [start for start, _ in found.ranges(k)] == rows)
    return float(CandidateFeatures(PageFeatures(page, sums), found).features()[name][index])


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<main><ul>{ITEMS}</ul></main>", 0),
        (f"<main>Text</main><ul>{ITEMS}</ul>", 1),
        (f"<div role=main>Text</div><ul>{ITEMS}</ul>", 1),
        (f"<ul>{ITEMS}</ul>", 0),
    ],
)
def test_a_list_is_outside_the_main_element_only_on_a_page_that_has_one(html: str, expected: int):
    assert feature_of_items("outside_main", html) == expected


@pytest.mark.parametrize("opening", ["<div role=Navigation>", "<dialog open>", "<div role=dialog>"])
def test_the_role_of_an_element_around_the_list_counts(opening: str):
    assert feature_of_items("in_frame_role", f"{opening}<ul>{ITEMS}</ul>") == 1
    assert feature_of_items("in_frame_role", f"{opening}</div></dialog><ul>{ITEMS}</ul>") == 0


def test_the_heading_above_a_list_is_the_last_one_before_it():
    html = f"<h1>Names</h1><h3>Portuguese</h3>12345<ul>{ITEMS}</ul><h2>More</h2>"
    assert feature_of_items("heading_level", html) == 3
    assert feature_of_items("heading_level", f"<ul>{ITEMS}</ul><h2>More</h2>") == 0
    mean = len("Ana Ana and more") - 1  # characters of texts, without the space between them
    assert feature_of_items("heading_distance", html) == (len("Portuguese") + 5) / mean


@pytest.mark.parametrize(
    "pager", ["<a rel=next href=/2>2</a>", "<p class=pagination>1 2</p>", "<b id=load-more>More</b>"]
)
def test_a_pager_beside_a_list_counts_and_one_in_its_records_does_not(pager: str):
    assert feature_of_items("pager_around", f"<div><ul>{ITEMS}</ul>{pager}</div>") == 1
    assert feature_of_items("pager_around", f"<div><ul>{ITEMS}</ul></div>") == 0
    assert feature_of_items("pager_around", f"<div><ul>{ITEMS.replace('</li>', pager + '</li>')}</ul></div>") == 0


@pytest.mark.parametrize(
    ("text", "ranges", "numbers"),
    [
        ("1-20 of 345", {20}, set()),
        ("Treffer 21 bis 40 von 1.234", {20}, set()),
        ("Showing 24 products", set(), {24}),
        ("2024", set(), set()),
        ("$24.99 each", set(), set()),
        ("20-10 of 345", set(), set()),
        ("24 products " + "and a lot of other text" * 3, set(), set()),
    ],
)
def test_counts_that_a_page_states_are_read(text: str, ranges: set[int], numbers: set[int]):
    page = read_page(f"<p>{text}</p>")
    assert PageFeatures(page, RunningSums(page)).words.stated_counts == (ranges, numbers)


@pytest.mark.parametrize("part", ["aside", "nav"])
def test_of_two_lists_alike_the_one_in_the_main_element_is_the_main_list(part: str):
    def cards(names: str, tag: str) -> str:
        return "".join(
            f"<{tag}><h3><a href=/{name}>Report {name}</a></h3>"
            f"<p>What {name} found out in the year 20{k}1, and what came of it.</p></{tag}>"
            for k, name in enumerate(names.split())
        )

    found = extract(
        f"<body><{part}>{cards('Nuno Vera Ivo Ines Luis', 'article')}</{part}>"
        f"<main><h1>Reports</h1><ul>{cards('Ana Rui Eva Gil Zita', 'li')}</ul></main></body>"
    ).main
    assert found is not None
    assert [record.text.split()[1] for record in found] == ["Ana", "Rui", "Eva", "Gil", "Zita"]
