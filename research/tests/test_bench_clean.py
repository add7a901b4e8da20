"""The cleaning score of the filter that ships, on the corpora."""

from __future__ import annotations

from pathlib import Path

from peneira.sources.html import read_page
from peneira.texts.region_filter import content_rows
from peneira_research.corpora.gold_pages import Corpora
from peneira_research.scores.cleaning_score import cleaning_score


def test_cleaning_keeps_main_regions_on_the_corpora(corpora: Path):
    scores = []
    for gold in Corpora(corpora).pages()[::4]:
        if gold.anchors or gold.is_negative:
            page = read_page(gold.body())
            scores.append(cleaning_score(gold, page, content_rows(page)))
    lists = [score for score in scores if score.anchors is not None]
    prose = [score.prose for score in scores if score.prose is not None]
    assert sum(score.is_main_kept for score in lists) / len(lists) >= 0.95
    assert sum(prose) / len(prose) >= 0.9
