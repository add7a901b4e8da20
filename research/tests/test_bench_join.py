"""How right joins are, on made catalogues and on a small archive of SWDE."""

from __future__ import annotations

from pathlib import Path

from peneira_research.studies.join_outcomes import made_outcome, swde_outcomes


def test_two_made_catalogues_are_joined():
    assert made_outcome(5000, 12, ("title", "brand", "gtin")).f1 >= 0.95


def test_sites_of_swde_are_compared_by_what_they_say(corpora: Path):
    books, cameras = swde_outcomes(corpora / "swde")
    assert books.gold == books.right == 2
    assert cameras.right >= 0.9 * cameras.gold
