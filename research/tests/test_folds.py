"""Folds for unseen figures: where pages come from, which sites belong together, how they are dealt."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from peneira.cli.main import cli
from peneira.errors import CorpusError
from peneira.sources.html import read_page
from peneira_research.corpora.gold_pages import Corpora
from peneira_research.corpora.page_origin import (
    MIN_WORDS,
    Origin,
    host_owner,
    page_origin,
    signature,
    template_signature,
)
from peneira_research.corpora.typed_pages import typed_pages
from peneira_research.training.folds import (
    FOLDS,
    Group,
    corpora_folds,
    deal_groups,
    group_sites,
    site_origins,
)
from test_bench_corpora import write_archive, write_corpora
from test_typed_pages import wcxb_gold, write_typed_pages


@pytest.mark.parametrize(
    ("url", "owner"),
    [
        ("https://www.amazon.co.uk/x", "amazon"),
        ("http://AMAZON.de", "amazon"),
        ("https://search.fws.gov/", "fws"),
        ("https://penrith.nsw.gov.au/", "penrith.nsw"),
        ("https://www.courts.state.va.us/", "state.va"),
        ("http://www2.ca3.uscourts.gov/", "uscourts"),
        ("http://203.49.140.77/x", "203.49.140.77"),
        ("http://localhost/", "localhost"),
        ("http://[::bad/", ""),
        ("/relative", ""),
        ("", ""),
    ],
)
def test_the_owner_of_a_host(url: str, owner: str) -> None:
    assert host_owner(url) == owner


def owner(html: str, url: str | None = None) -> str:
    return page_origin(read_page(html), html.encode(), url=url).owner


def test_the_owner_is_that_of_the_first_address_that_the_page_states() -> None:
    canonical = "<link rel=canonical href=https://c.example/1>"
    og = "<meta property=og:url content=https://o.example/1>"
    base = "<base href=https://b.example/>"
    saved = "<!-- saved from url=(0021)http://s.example/ -->"
    assert owner(saved + base + canonical + og, "https://u.example/") == "u"
    assert owner(saved + base + canonical + og) == "s"
    assert owner(canonical + og + base) == "b"
    assert owner(og + canonical) == "c"
    assert owner("<base href=/shop/>" + og) == "o"
    assert owner("<p>nothing") == ""


def test_without_an_address_the_owner_is_that_of_most_links() -> None:
    own = "<a href=http://own.example/1>x</a>"
    assert owner(own * 3 + "<a href=http://other.example>y</a>" * 2) == "own"
    assert owner(own * 2) == ""
    assert owner(own * 3 + "".join(f"<a href=http://o{k}.example>y</a>" for k in range(4))) == ""
    assert owner(own * 3 + "<a href=/x>y</a>" * 13) == ""


def themed(words: range, times: int = 1) -> str:
    return "".join(f"<div class='w{chr(97 + k % 26)}{chr(97 + k // 26)}'>{k}</div>" for k in words) * times


def template_of(html: str) -> bytes:
    return template_signature(read_page(html))


def test_pages_of_one_vocabulary_have_one_signature_whatever_their_texts_and_numbers() -> None:
    assert template_of(themed(range(30))) == template_of(themed(range(30), 3)) != b""
    numbered = "".join(f"<p id=post-{k}>x</p>" for k in (1, 22))
    other = "".join(f"<p id=post-{k}>y</p>" for k in (333, 4))
    assert template_of(themed(range(30)) + numbered) == template_of(themed(range(30)) + other)


def test_the_signatures_of_two_pages_agree_in_as_many_places_as_they_share_words() -> None:
    pages = [Origin(template=template_of(themed(range(first, first + 60)))) for first in (0, 30, 60)]
    shared = [float((signature(pages[0]) == signature(page)).mean()) for page in pages]
    assert shared == [1.0, pytest.approx(1 / 3, abs=0.1), pytest.approx(0.0, abs=0.02)]


def test_a_page_of_little_markup_has_no_template() -> None:
    assert template_of(themed(range(MIN_WORDS - 1))) == b""
    assert template_of("") == b""


def test_pages_without_classes_are_told_by_their_looks() -> None:
    cells = "".join(f"<td width={k}><font size={k}>x</font></td>" for k in range(1, 15))
    assert template_of(f"<table bgcolor=red><tr>{cells}</table>") != b""


THEME, OTHER = template_of(themed(range(60))), template_of(themed(range(100, 160)))


def test_sites_that_share_an_owner_or_a_template_are_one_group() -> None:
    pages = [
        ("a", Origin("x", "shop", THEME)),
        ("b", Origin("y", "forum", THEME)),
        ("c", Origin("x", "forum", OTHER)),
        ("c", Origin("x", "", b"")),
        ("d", Origin("x", "", b"")),
        ("e", Origin("x", "", b"")),
    ]
    expected = [Group(("a", "b", "c"), {"x": 3, "y": 1}), Group(("d",), {"x": 1}), Group(("e",), {"x": 1})]
    assert group_sites(pages) == expected
    assert group_sites(pages[::-1]) == expected


def test_groups_are_dealt_so_that_each_corpus_is_spread() -> None:
    groups = [Group(("big",), {"detail": 10}), *(Group((f"s{k}",), {"list": 1}) for k in range(4))]
    assert deal_groups(groups, 2) == {"big": 0, "s0": 1, "s1": 0, "s2": 1, "s3": 0}
    assert deal_groups([], 2) == {}


def test_every_site_of_the_corpora_has_a_fold(tmp_path: Path) -> None:
    root = write_corpora(tmp_path)
    index = root / "lists" / "lists.jsonl"
    index.write_text(index.read_text() + json.dumps({"id": "b-2", "corpus": "b", "file": "pages/3.html"}) + "\n")
    folds = corpora_folds(Corpora(root), jobs=1)
    assert sorted(folds) == ["a.example", "b-2", "b.example", "m.example", "n-1"]
    assert sorted(folds.values()) == list(range(FOLDS))


def test_pages_of_known_type_have_a_fold_and_join_the_sites_of_their_host(tmp_path: Path) -> None:
    root = write_typed_pages(tmp_path)
    write_archive(
        root / "wcxb" / "dev.tar.xz",
        {"ground-truth/1.json": wcxb_gold("https://shop.example/2", "article"), "html/1.html": "<p>x"},
    )
    groups = group_sites(site_origins(Corpora(root), jobs=1))
    assert Group(("shop", "shop.example"), {"products": 1, "wcxb": 1}) in groups
    folds = corpora_folds(Corpora(root), jobs=1)
    assert folds["shop"] == folds["shop.example"]
    assert {page.site for page in typed_pages(Corpora(root))} <= set(folds)


def test_a_page_in_two_corpora_counts_once(tmp_path: Path) -> None:
    groups = group_sites(site_origins(Corpora(write_typed_pages(tmp_path)), jobs=1))
    assert [dict(group.pages) for group in groups if "www.modern2.example" in group.sites] == [{"modern2": 1}]


def test_corpora_with_fewer_groups_than_folds_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="4 groups of sites by host and template, 5 folds need more"):
        corpora_folds(Corpora(write_corpora(tmp_path)), jobs=1)


def test_the_command_shows_groups_and_folds(tmp_path: Path) -> None:
    arguments = ["bench", "folds", "--corpora", str(write_corpora(tmp_path)), "--jobs", "1", "--largest", "1"]
    result = CliRunner().invoke(cli, arguments, env={"PENEIRA_CORPORA": ""})
    assert result.exit_code == 0
    assert json.loads(result.stdout)["groups"][0] == {"sites": ["a.example"], "pages": {"a": 2}, "fold": 0}
    lines = [line.split() for line in result.stderr.splitlines()]
    assert lines[0] == "4 sites in 4 groups, 0 of several sites".split()
    assert lines[-1] == ["2", "1", "1", "a.example"]
