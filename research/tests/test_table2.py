"""What the filter and MDR must reach on the thesis's pages."""

from __future__ import annotations

import pytest

from peneira_research.studies.published_tables import (
    FILTERS,
    RecordCount,
    Summary,
    noise_removed,
    published,
    site_row,
    summary,
)


def test_equation_4_1():
    assert noise_removed(RecordCount(82, 20), RecordCount(20, 20)) == 1.0
    assert noise_removed(RecordCount(61, 10), RecordCount(16, 10)) == pytest.approx(0.8824, abs=1e-4)


def test_the_published_tables_are_whole():
    tables = published()
    assert len(tables["thesis"]["rows"]) == 51
    assert len(tables["paper"]["rows"]) == 23
    kept = [entry["main_kept"] for entry in tables["thesis"]["rows"]]
    assert round(sum(kept) / 51, 4) == 0.8235


@pytest.fixture(scope="module")
def summaries(corpora) -> dict[str, Summary]:
    from peneira_research.corpora.gold_pages import Corpora

    pages = {page.id: page for page in Corpora(corpora).pages(("tpsf",))}
    rows = [site_row(entry, pages[entry["page"]]) for entry in published()["thesis"]["rows"]]
    return {name or "raw": summary(rows, name) for name in (None, *FILTERS)}


def test_our_filter_keeps_more_and_removes_more_than_the_thesis(summaries):
    ours = summaries["ours"]
    assert ours.kept_pages >= 48
    assert ours.noise_removed.mean >= 0.90
    assert ours.cut.mean >= 0.40
    assert ours.f > 0.7855


def test_the_filter_raises_the_pooled_score_of_mdr(summaries):
    assert summaries["ours"].pooled_f - summaries["raw"].pooled_f >= 0.3


def test_the_published_filter_behaves_as_published(summaries):
    assert summaries["program"].near_thesis >= 45
    assert summaries["program-first"].near_paper == 23
    assert summaries["scan-on"].near_thesis >= 44
    assert summaries["first-split"].near_paper >= 22
    assert abs(summaries["scan-on"].cut.mean - 0.5018) < 0.02


def test_a_page_of_images_is_counted_as_the_thesis_counts_it(summaries):
    assert summaries["raw"].pages == 51
