"""The cleaning score of the filter that ships, on the corpora."""

from __future__ import annotations

from pathlib import Path

from peneira.sources.html import read_page
from peneira.texts.region_filter import content_rows
from peneira_research.corpora.gold_pages import Corpora
from peneira_research.scores.cleaning_score import cleaned


def test_cleaning_keeps_main_regions_on_the_corpora(corpora: Path):
    found = []
    for gold in Corpora(corpora).pages()[::4]:
        if gold.anchors or gold.is_negative:
            page = read_page(gold.body())
            found.append(cleaned(gold, page, content_rows(page)))
    lists = [one for one in found if one.anchors is not None]
    prose = [one.prose for one in found if one.prose is not None]
    assert sum(one.is_main_kept for one in lists) / len(lists) >= 0.95
    assert sum(prose) / len(prose) >= 0.9
