"""Examples for the model of whole texts: what the gold says of a text with parts."""

from __future__ import annotations

import numpy as np

from peneira.columns.builder import ColumnBuilder
from peneira.columns.candidate_columns import CandidateColumns
from peneira.result import Record, Region
from peneira.sources.html import read_page
from peneira_research.training.whole_examples import TITLES_WEIGHT, whole_example

LINES = "".join(
    f"<li><p><span class=when>{k} May</span> <span class=who>Ann {name}</span></p>"
    for k, name in enumerate(("Reed", "Cole", "Marsh", "Hill"), 1)
)


def candidates() -> CandidateColumns:
    page = read_page(f"<ul>{LINES}</ul>")
    rows = [i for i in range(len(page)) if page.name(i) == "li"]
    records = tuple(Record(((i, int(page.end[i])),), page.text_of(i), page.xpath(i)) for i in rows)
    return ColumnBuilder(page).candidates(Region("", records, 1.0))


def held_by(text: str) -> dict[str, np.ndarray]:
    """Return the shares of a field whose values are in the column that starts with a text."""
    columns = candidates().columns
    return {"field": np.array([float(column.first_texts()[0] == text) for column in columns])}


def test_a_field_that_is_the_whole_votes_for_it_and_one_that_is_a_part_for_the_parts():
    whole = whole_example(candidates(), held_by("1 May Ann Reed"), has_fields=True)
    part = whole_example(candidates(), held_by("Ann Reed"), has_fields=True)
    assert whole is not None and part is not None
    assert list(whole.votes.values()) == [(1.0, 0.0)]
    assert list(part.votes.values()) == [(0.0, 1.0)]


def test_a_page_with_titles_alone_counts_less_and_one_whose_gold_is_elsewhere_not_at_all():
    titles = whole_example(candidates(), held_by("Ann Reed"), has_fields=False)
    assert titles is not None
    assert titles.weight == TITLES_WEIGHT
    assert whole_example(candidates(), held_by("nothing"), has_fields=True) is None
