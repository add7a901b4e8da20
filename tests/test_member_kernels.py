"""The kernels of the members of lists, and of texts that state counts: the same as the rules in numpy and patterns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from peneira.kernels import compiled
from peneira.lists.candidates import RUNS, Candidates
from peneira.lists.features import CandidateFeatures
from peneira.lists.members import kept_members, whole_records, without_interruptions, without_trailing_headings
from peneira.lists.page_features import PageFeatures
from peneira.lists.page_words import PageWords
from peneira.lists.ranking import shipped_models
from peneira.ml.running_sums import RunningSums
from peneira.page import Page
from peneira.sources.html import read_page
from twins import without_kernels

pytestmark = pytest.mark.skipif(compiled("list_members") is None, reason="the kernels are not compiled")

rows = st.lists(
    st.sampled_from(
        "<tr><th>Name<th>Price|<tr><td>Name<td>Price|<tr><td><b>Name</b><td><b>Price</b>|"
        "<tr><td><a href=/a>Ana</a><td>31|<tr><td>Bia<td>12/05/2024|<tr><td>|"
        "<tr><td><img src=a.png>|<tr><td><h3>Group</h3>".split("|")
    ),
    min_size=2,
    max_size=8,
).map(lambda parts: f"<p>Text<table><tbody>{''.join(parts)}</table>")
items = st.lists(
    st.sampled_from(
        "<li><p><a href=/a>Ana</a></p></li>|<li><p><a href=/b>Bia</a></p> 3</li>|<li><p><img src=c.png></p></li>|"
        "<article><p>Caio</p><h2>Next</h2></article>|<div><p>Davi</p></div>|<h2>Group</h2>|<div><div><p>Eva</p></div></div>".split(
            "|"
        )
    ),
    min_size=2,
    max_size=7,
).map(lambda parts: f"<body><h1>Title</h1><ul>{''.join(parts)}</ul>")


def lists_of(page: Page) -> Candidates | None:
    """Return two lists: the rows or paragraphs of a page, and the same with all that comes up to the next."""
    names = ("tr",) if "tr" in page.tag_names else ("p", "h2")
    starts = page.rows_of(*names).astype(np.int64)
    if len(starts) < 2:
        return None
    last = page.end[page.parent[starts]].astype(np.int64)
    runs = np.where(np.append(starts[1:], len(page)) < last, np.append(starts[1:], len(page)), last)
    counts = np.array([len(starts), len(starts)])
    return Candidates(
        np.tile(starts, 2), np.concatenate((page.end[starts], runs)), counts, np.array([0, RUNS]), counts * 0 + 1
    )


def judged(markup: str) -> list[object]:
    page = read_page(markup)
    sums = RunningSums(page)
    found = lists_of(page)
    if found is None:
        return []
    cut = without_interruptions(page, sums, found)
    short = without_trailing_headings(page, cut)
    kept, probability = kept_members(CandidateFeatures(PageFeatures(page, sums), found), shipped_models().members)
    grown = whole_records(page, sums, found.starts[: found.counts[0]], found.ends[: found.counts[0]])
    columns = (cut.ends, cut.kind, short.ends, kept, probability, *grown)
    return [np.asarray(column).tolist() for column in columns]


@given(st.one_of(rows, items))
def test_members_are_judged_as_by_numpy(markup: str):
    with_kernels = judged(markup)
    with without_kernels():
        assert judged(markup) == with_kernels


pieces_of_counts = st.lists(
    st.sampled_from(
        ["1", "20", "345", "20000", "-", "–", " ", "  ", "of", "to", ",", ".", "results", "é", "٣", "/", "a"]
    ),
    max_size=10,
).map(lambda parts: "".join(parts).strip())


@given(st.lists(pieces_of_counts, max_size=4))
def test_stated_counts_are_those_of_the_patterns(texts: list[str]):
    page = read_page("<p>1</p>")
    stated = PageWords(page, lambda: texts).stated_counts
    with without_kernels():
        with_digits = [text for text in texts if any(digit in text for digit in "0123456789")]
        assert PageWords(page, lambda: with_digits).stated_counts == stated


def test_ranges_and_numbers_are_stated():
    page = read_page("<p>1</p>")
    texts = ["1-20 of 345", "1 bis 20 von 345", "24 results", "12/05/2024 10:30", "Page 3"]
    assert PageWords(page, lambda: texts).stated_counts == ({20}, {24})
