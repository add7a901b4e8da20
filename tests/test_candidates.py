"""Candidates: the right cut into records must be among them, however the page marks records up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generated import soup, trees
from peneira.lists.candidates import LIFTED, RUNS, TRIMMED, Candidates, _groups, _lifted, find_candidates
from peneira.lists.relations import relations
from peneira.ml.running_sums import RunningSums
from peneira.page import Page
from peneira.sources.html import read_page


def cuts(html: str) -> list[list[str]]:
    """Return the texts of the records of every candidate."""
    page = read_page(html)
    found = find_candidates(page, RunningSums(page))
    return [[page.text_of(start, end) for start, end in found.ranges(k)] for k in range(len(found))]


def test_siblings_with_one_tag_are_a_candidate():
    assert ["A 1", "B 2"] in cuts("<ul><li><b>A</b> 1</li><li><b>B</b> 2</li></ul>")


def test_the_cells_of_a_grid_with_a_short_last_row_are_a_candidate():
    rows = "<tr><td><a>A</a> 1</td><td><a>B</a> 2</td></tr><tr><td><a>C</a> 3</td></tr>"
    assert ["A 1", "B 2", "C 3"] in cuts(f"<table>{rows}</table>")


def test_terms_with_their_definitions_are_a_candidate():
    assert ["A one two", "B three"] in cuts("<dl><dt>A<dd>one<dd>two<dt>B<dd>three</dl>")


def test_headings_with_what_follows_each_are_a_candidate():
    html = "<div><h3>A</h3><p>one</p><p>more</p><h3>B</h3><p>two</p></div>"
    assert ["A one more", "B two"] in cuts(html)


def test_pairs_of_table_rows_are_a_candidate():
    rows = "".join(f"<tr class=t><td>{n}</td><td>x</td></tr><tr><td colspan=2>about {n}</td></tr>" for n in "AB")
    assert ["A x about A", "B x about B"] in cuts(f"<table>{rows}</table>")


def test_lines_of_text_between_rules_are_a_candidate():
    assert ["A one", "B two", "C three"] in cuts("<div><b>A</b> one<hr><b>B</b> two<hr><b>C</b> three</div>")


def test_the_last_run_of_some_candidate_ends_before_what_follows_the_list():
    html = "<div><h3>A</h3><p>one</p><h3>B</h3><p>two</p><p>Next page</p><p>Imprint</p></div>"
    assert ["A one", "B two"] in cuts(html)


def test_a_candidate_may_have_a_featured_record_in_a_wrapper_of_its_own():
    html = "<div><div class=f><section><h4><a>A</a></h4>1</section></div><p><a>B</a>2<p><a>C</a>3</div>"
    html = html.replace("<p>", "<section><h4>").replace("</div>", "</section></div>")
    assert any(cut[:1] == ["A 1"] and len(cut) == 3 for cut in cuts(html))


def test_a_candidate_may_have_several_parents():
    html = "<div><h2>x</h2><ul><li>A 1<li>B 2</ul><h2>y</h2><ul><li>C 3<li>D 4</ul></div>"
    assert ["A 1", "B 2", "C 3", "D 4"] in cuts(html)


def test_some_candidate_leaves_out_rows_that_lack_what_all_records_have():
    html = "<table><tr><td>Name<td>City<tr><td><a>A</a><td>1<tr><td><a>B</a><td>2</table>"
    assert ["A 1", "B 2"] in cuts(html)


def test_the_row_of_a_table_with_different_headers_is_not_torn_into_several_records():
    rows = "".join(f"<tr><td><a>{n}</a></td><td>{n} 1</td><td><a>by {n}</a></td><td>{n} 2</td></tr>" for n in "ABC")
    different, equal = ("".join(f"<th>{name}</th>" for name in names) for names in (("P", "Q", "R", "S"), "PQPQ"))
    torn = ["A A 1", "by A A 2", "B B 1", "by B B 2", "C C 1", "by C C 2"]
    assert torn in cuts(f"<table>{rows}</table>")
    assert torn in cuts(f"<table><tr>{equal}</tr>{rows}</table>")
    assert torn not in cuts(f"<table><tr>{different}</tr>{rows}</table>")


@pytest.mark.parametrize("part", ["nav", "footer", "aside", "dialog"])
def test_a_candidate_is_wholly_in_or_outside_the_frame_of_the_page(part: str):
    items = "<p><a>A</a> 1</p><p><a>B</a> 2</p>"
    html = f"<div>{items}</div><{part}>{items.replace('A', 'C').replace('B', 'D')}</{part}>"
    assert ["A 1", "B 2", "C 1", "D 2"] not in cuts(html)
    assert ["A 1", "B 2"] in cuts(html)
    assert ["C 1", "D 2"] in cuts(html)
    assert ["A 1", "B 2", "C 1", "D 2"] in cuts(html.replace(part, "div"))


def test_a_record_of_some_candidate_includes_the_list_inside_it():
    item = "<li><b>{}</b><ul><li>x<li>y</ul></li>"
    assert ["A x y", "B x y"] in cuts(f"<ul>{item.format('A')}{item.format('B')}</ul>")


def test_records_of_a_candidate_may_be_at_growing_depth():
    html = "<body><font><dl><dt>A<dd>1</dl><font><dl><dt>B<dd>2</dl><font><dl><dt>C<dd>3</dl></font></font></font>"
    assert ["A 1", "B 2", "C 3"] in cuts(html)


def test_a_list_with_less_than_15_characters_in_1000_is_no_candidate():
    items = "<li>abcde</li><li>fghij</li><li>klmno</li>"
    assert ["abcde", "fghij", "klmno"] in cuts(f"<ul>{items}</ul><p>{'x' * 985}</p>")
    assert cuts(f"<ul>{items}</ul><p>{'x' * 986}</p>") == []


def test_a_page_has_at_most_20_records_of_all_candidates_per_node(monkeypatch: pytest.MonkeyPatch):
    """Five ways to group nodes and four to cut a group bound the work without a limit of its own."""
    monkeypatch.setattr("peneira.lists.candidates.MIN_SHARE", 0.0)
    for html in ("<b>x</b>" * 50, "<div class=a>x" * 30, "".join(f"<p class=c{k % 3}><i>x</i>" for k in range(40))):
        page = read_page(html)
        assert int(find_candidates(page, RunningSums(page)).counts.sum()) <= 20 * len(page)


def test_a_page_without_repetition_has_no_candidates():
    assert cuts("<h1>A kettle</h1><p>Red.</p>") == []
    assert cuts("") == []


def _assert_records_are_disjoint_runs_of_siblings(page: Page, found: Candidates) -> None:
    for k in range(len(found)):
        ranges = found.ranges(k)
        assert len(ranges) >= 2
        for (start, end), (following, _) in zip(ranges, [*ranges[1:], (len(page), 0)], strict=True):
            assert page.body < start < end <= following
            stop = start  # a record is whole siblings
            while stop < end:
                stop = int(page.end[stop])
            assert stop == end


@settings(max_examples=60)
@given(st.one_of(trees(), soup))
def test_lifted_records_are_the_largest_subtrees_with_one_member(html: str):
    page = read_page(html)
    if len(page):
        members, counts = _groups(page, RunningSums(page))
        lifted = _lifted(page, members, counts).tolist() if len(counts) else []
        for group in np.split(members, np.cumsum(counts)[:-1]) if len(counts) else []:
            for member in group.tolist():
                around = [i for i in (member, *page.ancestors(member)) if _members_in(page, i, group.tolist()) == 1]
                assert lifted.pop(0) == around[-1]


def _members_in(page: Page, node: int, group: list[int]) -> int:
    return sum(node <= member < page.end[node] for member in group)


@settings(max_examples=60)
@given(st.one_of(trees(), soup))
def test_records_are_disjoint_runs_of_whole_siblings(html: str):
    page = read_page(html)
    if len(page):
        found = find_candidates(page, RunningSums(page))
        _assert_records_are_disjoint_runs_of_siblings(page, found)
        assert len({tuple(found.ranges(k)) for k in range(len(found))}) == len(found)


def test_support_counts_how_often_a_candidate_came_up():
    page = read_page("<ul><li><b>A</b> 1</li><li><b>B</b> 2</li></ul>")
    found = find_candidates(page, RunningSums(page))
    items = next(k for k in range(len(found)) if page.text_of(*found.ranges(k)[0]) == "A 1")
    assert found.kind[items] not in (LIFTED, RUNS, TRIMMED)
    assert found.support[items] > 1


# --- relations ------------------------------------------------------------------------------------------------------

LISTS = {
    "whole": [(10, 20), (20, 30), (30, 40), (40, 50)],
    "titles": [(11, 13), (21, 23), (31, 33), (41, 43)],
    "pairs": [(10, 30), (30, 50)],
    "fewer": [(20, 30), (30, 40), (40, 50)],
    "menu": [(1, 3), (3, 5)],
    "shifted": [(25, 35), (35, 45)],
}


def related(first: str, second: str) -> list[str]:
    """Return how the first list relates to the second."""
    ranges = [span for records in LISTS.values() for span in records]
    counts = np.array([len(records) for records in LISTS.values()])
    starts, ends = (np.array([span[k] for span in ranges]) for k in (0, 1))
    found = Candidates(starts, ends, counts, counts * 0, counts * 0 + 1)
    names = list(LISTS)
    matrices = relations(60, found)
    return [name for name, holds in matrices.items() if holds[names.index(first), names.index(second)]]


def test_lists_are_related_as_cuts_of_the_same_records_or_as_disjoint_or_overlapping_lists():
    assert related("whole", "titles") == ["fuller"]
    assert related("titles", "whole") == ["thinner"]
    assert related("pairs", "whole") == ["coarser"]
    assert related("whole", "pairs") == ["finer"]
    assert related("whole", "fewer") == ["longer"]
    assert related("fewer", "whole") == ["shorter"]
    assert related("menu", "whole") == ["disjoint"]
    assert related("pairs", "shifted") == ["overlapping"]
    assert related("whole", "whole") == []
