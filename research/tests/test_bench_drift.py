"""Verdicts of wrappers on own, foreign and changed pages, and how well they heal."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from peneira_research.corpora.archives import SwdePage
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.studies.drift_study import distinct_sites, score_detail_drift, score_list_drift
from test_wrappers import FILMS, OFFERS, film, shop


def test_drift_is_measured_on_own_pages_others_and_changed_ones():
    def pages(site: str, make: list[str]) -> list[SwdePage]:
        return [SwdePage("v", site, f"{k:04}", html.encode(), {}) for k, html in enumerate(make)]

    films = pages(
        "films", [film(f"{title} {k}", year, price, genres) for k in range(3) for title, year, price, genres in FILMS]
    )
    shops = pages("shops", [f"<h1>Shop {k}</h1><p>Open since {1900 + k}</p><i>in town {k * 7}</i>" for k in range(12)])
    chosen = distinct_sites([films, shops, films])
    assert [site[0].site for site in chosen] == ["films", "shops"]
    score, _ = score_detail_drift(chosen)
    assert (score.own, score.foreign) == ({"ok": 5}, {"other-template": 10})
    assert asdict(score)["own"] == {"ok": 5}
    assert {
        name: (result.verdict, result.accepted, result.equal_share) for name, result in score.mutations.items()
    } == {
        "renamed classes": ("degraded", True, 1.0),
        "wrapped elements": ("degraded", True, 1.0),
        "reordered blocks": ("ok", True, 1.0),
        "removed column": ("degraded", False, 1.0),
        "renamed labels": ("other-template", True, 1.0),
        "tables to lists": ("degraded", True, 1.0),
        "reordered columns": ("ok", True, 1.0),
        "new variant": ("ok", True, 1.0),
    }


def test_a_halved_list_is_noticed(tmp_path: Path):
    file = tmp_path / "1.html"
    file.write_text(shop(OFFERS), encoding="utf-8")
    page = GoldPage("1", "c", "s", file, anchors=("x",))
    (score,) = score_list_drift([[page, page]])
    halved = score.mutations["halved list"]
    assert (score.own, halved.verdict, halved.accepted, halved.equal_share) == ({"ok": 1}, "degraded", True, 1.0)
