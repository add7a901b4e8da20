"""Which rows belong to the records of a list: ends, headings of groups, whole items, and lists beside the main part."""

from __future__ import annotations

import numpy as np

from peneira.lists.candidates import NODES, RUNS, Candidates
from peneira.lists.features import CandidateFeatures
from peneira.lists.members import kept_members, whole_items, without_trailing_headings
from peneira.lists.page_features import PageFeatures
from peneira.lists.ranking import FRAME_FEATURES, Confidences, RankedCandidates, main_part_first
from peneira.ml.forest import forest_from_trees
from peneira.ml.running_sums import RunningSums
from peneira.page import Page
from peneira.sources.html import read_page

ALL_RECORDS = forest_from_trees(["records"], [[[0.9]]])


def rows_of(page: Page, tag: str) -> np.ndarray:
    return np.flatnonzero(page.tag == page.tag_names.index(tag))


def list_of(starts: np.ndarray, ends: np.ndarray, kind: int = NODES) -> Candidates:
    one = np.array([1])
    return Candidates(starts.astype(np.int64), ends.astype(np.int64), one * len(starts), one * kind, one)


def kept(html: str) -> list[bool]:
    page = read_page(html)
    paragraphs = rows_of(page, "p")
    sums = RunningSums(page)
    features = CandidateFeatures(PageFeatures(page, sums), list_of(paragraphs, page.end[paragraphs]))
    return kept_members(features, ALL_RECORDS)[0].tolist()


CASES = "".join(f"<p><a href=/{k}>No. {k}/2024</a> 1{k} May 2024 Smith v. Jones</p>" for k in range(5))


def test_a_lead_without_date_and_number_above_records_that_have_both_is_no_record():
    assert kept(f"<p>These opinions are <a href=/r>documents</a>.</p>{CASES}") == [False] + [True] * 5


def test_a_note_without_date_and_number_below_records_that_have_both_is_no_record():
    assert kept(f"{CASES}<p>All of them can be <a href=/r>printed</a>.</p>") == [True] * 5 + [False]


def test_a_record_without_a_date_between_others_is_kept():
    assert kept(f"{CASES}<p><a href=/r>Brown v. Green</a></p>{CASES}") == [True] * 11


def test_a_first_record_that_lacks_only_its_date_is_kept():
    assert kept(f"<p><a href=/9>No. 9</a> Brown v. Green</p>{CASES}") == [True] * 6


def runs(html: str) -> list[str]:
    page = read_page(html)
    links = page.parent[rows_of(page, "a")]
    ends = np.append(links[1:], page.end[page.parent[links[0]]])
    found = without_trailing_headings(page, list_of(links, ends, RUNS))
    return [page.text_of(*rows) for rows in found.ranges(0)]


def test_a_heading_that_some_records_end_with_heads_the_next_group():
    assert runs("<div><p><a>A</a></p><p>a</p><h2>Group</h2><p><a>B</a></p><p>b</p><p><a>C</a></p><p>c</p></div>") == [
        "A a",
        "B b",
        "C c",
    ]


def test_a_heading_that_all_records_end_with_is_part_of_them():
    html = "<div><p><a>A</a></p><h2>a</h2><p><a>B</a></p><h2>b</h2><p><a>C</a></p><h2>c</h2></div>"
    assert runs(html) == ["A a", "B b", "C c"]


def items(html: str) -> list[str]:
    page = read_page(html)
    texts = rows_of(page, "p").astype(np.int64)
    starts, ends = whole_items(page, texts, page.end[texts].astype(np.int64))
    return [page.text_of(*rows) for rows in zip(starts.tolist(), ends.tolist(), strict=True)]


def test_a_post_is_the_whole_article_with_its_author():
    html = "<div><article><b>Ann</b><p>Hello</p></article><article><b>Bob</b><p>Goodbye</p></article></div>"
    assert items(html) == ["Ann Hello", "Bob Goodbye"]


def test_records_that_share_an_article_stay_as_they_are():
    assert items("<article><b>Ann</b><p>Hello</p><p>Goodbye</p></article>") == ["Hello", "Goodbye"]


def test_records_in_items_of_different_lists_stay_as_they_are():
    assert items("<ul><li><b>Ann</b><p>Hello</p></ul><ul><li><b>Bob</b><p>Goodbye</p></ul>") == ["Hello", "Goodbye"]


def ranked(framed: list[bool], quality: list[float]) -> RankedCandidates:
    count = len(quality)
    records = np.arange(2 * count)
    candidates = Candidates(records, records + 1, np.full(count, 2), np.zeros(count, int), np.arange(count))
    features = {name: np.array(framed, dtype=float) for name in FRAME_FEATURES}
    none = np.zeros(count)
    hidden = np.zeros(count, dtype=np.bool_)
    return RankedCandidates(candidates, features, none, np.array(quality), Confidences.known(none), hidden)


APART = ~np.eye(2, dtype=np.bool_)


def test_a_footer_gives_way_to_a_list_of_nearly_its_quality():
    assert main_part_first(ranked([True, False], [0.16, 0.15]), APART).candidates.support.tolist() == [1, 0]


def test_a_list_beside_the_main_part_stays_first_if_its_quality_leads():
    assert main_part_first(ranked([True, False], [0.5, 0.4]), APART).candidates.support.tolist() == [0, 1]


def test_a_list_in_the_main_part_stays_first_whatever_its_lead():
    assert main_part_first(ranked([False, False], [0.16, 0.15]), APART).candidates.support.tolist() == [0, 1]
