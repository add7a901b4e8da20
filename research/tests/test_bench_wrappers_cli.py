"""``bench wrappers`` and ``bench values`` as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from peneira.cli.main import cli
from peneira.errors import CorpusError
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.scores.wrapper_score import list_sites, score_list_site
from test_bench_corpora import write_archive, write_corpora


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments], env={"PENEIRA_CORPORA": ""})


@pytest.fixture
def swde(tmp_path: Path) -> Path:
    corpora = write_corpora(tmp_path / "corpora")
    people = [("Ana", "1.80 m"), ("Bia", "1.75 m"), ("Cid", "1.91 m"), ("Eva", "1.69 m")]
    rows = "".join(f"{k:04}\t1\t{name}\n" for k, (name, _) in enumerate(people))
    members = {"groundtruth/nbaplayer/nbaplayer-x-name.txt": f"nbaplayer\tx\tname\n4\t4\t4\t4\n{rows}"}
    for k, (name, height) in enumerate(people):
        members[f"nbaplayer/nbaplayer-x(4)/{k:04}.htm"] = f"<h1>{name}</h1><p>{height}</p>"
    (corpora / "swde").mkdir(exist_ok=True)
    write_archive(corpora / "swde" / "nbaplayer.tar.xz", members)
    return corpora


def test_bench_wrappers_shows_schema_and_values(swde: Path):
    result = invoke("bench", "wrappers", "--corpora", swde, "--learning-pages", "2", "--method", "fivatech", "--schema")
    assert result.stdout.splitlines() == [
        "nbaplayer-x: schema by fivatech from 2 pages",
        "  tuple",
        "    title",
        "    text",
        "nbaplayer-x: values of page 0002",
        "  title: Cid",
        "  text: 1.91 m",
    ]


def test_bench_wrappers_scores_sites_by_attribute(swde: Path):
    arguments = ("--corpora", swde, "--learning-pages", "2", "--jobs", "1", "--each")
    result = invoke("bench", "wrappers", *arguments)
    assert result.exit_code == 0
    assert "nbaplayer-x      2  1.000        2  name 1.00 (title)" in result.stderr
    assert json.loads(result.stdout)["sites"][0]["f1"] == {"name": 1.0}


def test_bench_wrappers_on_list_sites_needs_sites_with_several_pages(tmp_path: Path):
    result = invoke("bench", "wrappers", "--lists", "--corpora", write_corpora(tmp_path / "corpora"), "--jobs", "1")
    assert isinstance(result.exception, CorpusError)
    assert "no site has several list pages with gold" in str(result.exception)


def test_a_list_site_is_learned_on_its_first_page(tmp_path: Path):
    pages = []
    for k, names in enumerate((["Ana", "Bia", "Cid"], ["Dora", "Eva"])):
        file = tmp_path / f"{k}.html"
        file.write_text("".join(f"<p><b>{name}</b><i>{len(name)} letters</i><u>of {k}</u></p>" for name in names))
        pages.append(GoldPage(str(k), "c", "s", file, anchors=tuple(names)))
    (site,) = list_sites([*pages, GoldPage("x", "c", "other", tmp_path / "0.html", anchors=("Ana",))])
    score = score_list_site(site, method="gstm")
    assert (score.site, score.pages, score.f1) == ("s", 1, 1.0)


def test_bench_values_prints_records_and_items(tmp_path: Path):
    corpora = write_corpora(tmp_path / "corpora")
    result = invoke("bench", "values", "--corpora", corpora, "--method", "gstm", "--kind", "people")
    assert result.exit_code == 0
    assert result.stderr.splitlines()[0] == "gstm"
