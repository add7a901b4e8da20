"""The default method end to end, on the smallest pages that show a way in which lists are built."""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from functools import partial
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import peneira
from generated import soup, trees
from peneira.lists import auto, candidates, members
from peneira.lists.candidates import RUNS, Candidates
from peneira.lists.explanation import deciding_features, describe_feature
from peneira.lists.features import CandidateFeatures
from peneira.lists.members import kept_members, whole_elements, without_interruptions
from peneira.lists.page_features import PageFeatures
from peneira.lists.ranking import Confidences, RankedCandidates, best_list_first, shipped_models, visible_first
from peneira.ml.forest import Forest, forest_from_trees
from peneira.ml.running_sums import RunningSums
from peneira.reasons import ReasonCode
from peneira.sources.html import read_page

NAMES = ["Copper kettle", "Clay pot", "Iron pan", "Glass jug", "Oak board", "Steel sieve"]
ABOUT = "Made by hand in a small workshop, sold with a warranty of two years."
# Says of every member of a list that it is a record
ALL_RECORDS = forest_from_trees(["records"], [[[0.9]]])
MENU = "<ul class=menu>" + "".join(f"<li><a href=/{w}>{w}</a></li>" for w in "Home Shop About Help".split()) + "</ul>"


def test_a_page_is_free_as_soon_as_its_lists_are_not_used():
    page = read_page("<ul>" + "".join(f"<li><a href=/{name}>{name}</a> {ABOUT}" for name in NAMES) + "</ul>")
    is_there = weakref.ref(page)
    was_on = gc.isenabled()
    gc.disable()
    try:
        found = auto.find_lists(page)
        assert len(found.regions[0]) == len(NAMES)
        del page, found
        assert is_there() is None
    finally:
        if was_on:
            gc.enable()


@pytest.mark.parametrize(("icon", "is_gallery"), [("<path d=M{k}>", True), ("<path d=M0>", False)])
def test_drawings_without_text_are_a_gallery_if_they_differ(icon: str, is_gallery: bool):
    drawings = "".join(f"<li><svg class=i>{icon.format(k=k)}</svg>" for k in range(6))
    page = read_page(f"<p>{ABOUT}</p><ul>{drawings}</ul>")
    found = candidates.find_candidates(page, RunningSums(page))
    assert any(count == 6 for count in found.counts.tolist()) is is_gallery


@pytest.mark.parametrize("is_compiled", [True, False])
def test_a_drawing_that_is_in_many_lists_is_hashed_once(is_compiled: bool, monkeypatch: pytest.MonkeyPatch):
    hashed: Counter[object] = Counter()
    drawing = candidates._drawing

    class Counted(tuple[object, ...]):
        __slots__ = ()

        def __hash__(self) -> int:
            hashed[self[-1]] += 1
            return super().__hash__()

    monkeypatch.setattr(candidates, "_drawing", lambda page, row: Counted(drawing(page, row)))
    if not is_compiled:
        monkeypatch.setattr(candidates, "kernel", None)
    # drawings that share most of what is in them are looked at until the last record
    drawings = "".join("<li>" + "<div>" * 8 + f"<svg><path d=M{k % 5}></svg>" for k in range(10))
    page = read_page(f"<p>{ABOUT}</p><ul>{drawings}</ul>")
    candidates.find_candidates(page, RunningSums(page))
    assert len(hashed) == 5
    assert sum(hashed.values()) == 10  # of each row


def texts(html: str) -> list[str]:
    main = peneira.extract(html).main
    return [record.text for record in main.records] if main else []


def item(k: int) -> str:
    return f"<a href=/p/{k}>{NAMES[k]}</a> <span>R$ {k + 10},90</span> <p>{ABOUT}</p>"


def whole(k: int) -> str:
    return f"{NAMES[k]} R$ {k + 10},90 {ABOUT}"


def test_the_cards_of_a_list_are_records():
    html = MENU + "<div>" + "".join(f"<div class=card>{item(k)}</div>" for k in range(6)) + "</div>"
    assert texts(html) == [whole(k) for k in range(6)]


def test_the_cells_of_a_grid_are_the_records_and_empty_cells_are_none():
    cells = [f"<td>{item(k)}</td>" for k in range(5)] + ["<td></td>"]
    rows = "".join(f"<tr>{''.join(cells[k : k + 3])}</tr>" for k in (0, 3))
    assert texts(f"{MENU}<table>{rows}</table>") == [whole(k) for k in range(5)]


def test_terms_and_definitions_belong_together():
    pairs = "".join(f"<dt><a href=/p/{k}>{NAMES[k]}</a></dt><dd>{ABOUT}</dd>" for k in range(5))
    assert texts(f"{MENU}<dl>{pairs}</dl>") == [f"{NAMES[k]} {ABOUT}" for k in range(5)]


def test_a_heading_and_what_follows_it_is_a_record():
    runs = "".join(f"<h3><a href=/p/{k}>{NAMES[k]}</a></h3><p>{ABOUT}</p><p>R$ {k + 10},90</p>" for k in range(5))
    assert texts(f"{MENU}<div>{runs}</div>") == [f"{NAMES[k]} {ABOUT} R$ {k + 10},90" for k in range(5)]


def test_a_header_row_is_no_record():
    rows = "".join(f"<tr><td><a href=/p/{k}>{NAMES[k]}</a></td><td>{k + 10},90</td></tr>" for k in range(6))
    html = f"{MENU}<table><tr><th>Name</th><th>Price</th></tr>{rows}</table>"
    assert texts(html) == [f"{NAMES[k]} {k + 10},90" for k in range(6)]


def test_a_list_in_a_record_stays_in_it():
    tags = "<ul><li>kitchen</li><li>gift</li></ul>"
    html = MENU + "<ol>" + "".join(f"<li>{item(k)}{tags}</li>" for k in range(5)) + "</ol>"
    assert texts(html) == [f"{whole(k)} kitchen gift" for k in range(5)]


def test_a_list_may_have_two_parents():
    halves = ["".join(f"<div class=card>{item(k)}</div>" for k in part) for part in (range(3), range(3, 6))]
    html = f"{MENU}<div class=half>{halves[0]}</div><h2>More</h2><div class=half>{halves[1]}</div>"
    assert texts(html) == [whole(k) for k in range(6)]


def test_a_list_that_is_hidden_as_a_whole_is_read():
    html = "<div style='display:none'>" + "".join(f"<div class=card>{item(k)}</div>" for k in range(6)) + "</div>"
    assert texts(MENU + html) == [whole(k) for k in range(6)]


def test_an_article_has_no_main_list():
    prose = "".join(f"<p>{ABOUT * 4} It was the {n} year of the workshop, and nothing was sold.</p>" for n in "abcd")
    result = peneira.extract(f"{MENU}<article><h1>A workshop</h1>{prose}</article>")
    assert (result.main, result.verdict) == (None, "article")
    assert [reason.name for reason in result.reasons] == ["prose", "no list"]


def test_every_list_has_disjoint_records_and_falling_confidence():
    shelf = "".join(f"<div class=card>{item(k)}</div>" for k in range(6))
    regions = peneira.extract(f"{MENU}<div>{shelf}</div>{MENU.replace('menu', 'foot')}").regions
    assert len(regions) > 1
    assert [r.confidence for r in regions] == sorted((r.confidence for r in regions), reverse=True)
    ranges = sorted(span for region in regions for record in region.records for span in record.ranges)
    assert all(end <= start for (_, end), (start, _) in pairwise(ranges))


def test_equal_input_gives_equal_output():
    html = MENU + "<div>" + "".join(f"<div>{item(k)}</div>" for k in range(6)) + "</div>"
    assert peneira.extract(html) == peneira.extract(html)


NOTHING = ["<p>", "<table>", "<ul><li><li>", "<br>" * 50, "x", "<div>" * 400 + "x", "\x00" * 9, "<img src=a>" * 9]
FRAMES = "<frameset><frame src=a><frame src=b></frameset>"


@pytest.mark.parametrize("html", [*NOTHING, FRAMES, "<script>a</script>" * 9, "<template><p>a</p></template>" * 9])
def test_pages_without_content_give_no_list(html: str):
    assert peneira.extract(html).main is None


def test_what_is_left_out_of_a_list_is_reported(monkeypatch: pytest.MonkeyPatch):
    rows = "".join(f"<tr><td><a href=/p/{k}>{NAMES[k]}</a></td><td>{k + 10},90</td></tr>" for k in range(6))
    keep = auto.kept_members

    def without_the_first(*args):
        kept, probability = keep(*args)
        kept[0] = False
        return kept, probability

    monkeypatch.setattr(auto, "kept_members", without_the_first)
    result = peneira.extract(f"<table>{rows}</table>")
    left_out = [str(reason) for reason in result.main.reasons if reason.name == "left out"]
    assert left_out == [f"among the records but not one of them: '{NAMES[0]} 10,90'"]
    assert len(result.main.records) == 5


@pytest.mark.parametrize("hides", ["hidden", "style='display: none'"])
def test_a_visible_list_comes_before_a_hidden_one(hides: str):
    cards = "".join(
        f"<div class=c><h3><a href=/{k}>{n}</a></h3><p>Good {n} for {k} reais.</p></div>" for k, n in enumerate(NAMES)
    )
    rows = "".join(
        f"<div class=r><b>Shop {k}</b><p>Open from {k} to 18, all week, in street {k}.</p></div>" for k in range(25)
    )
    result = peneira.extract(f"<div class=modal {hides}>{rows}</div><h1>Offers</h1><main>{cards}</main>")
    assert result.main.records[0].text == f"{NAMES[0]} Good {NAMES[0]} for 0 reais."
    reasons = {reason.name: str(reason) for region in result.regions for reason in region.reasons}
    assert reasons["hidden"] == "the page hides this list from its readers"


# three finalists, best score first: the second is another cut of the first list, the third another list
ANOTHER_LIST = np.array([[False, False, True], [False, False, True], [True, True, False]])


@pytest.mark.parametrize(
    ("quality", "order"),
    [
        ((0.3, 0.2, 0.5), [2, 0, 1]),
        ((0.3, 0.2, 0.25), [0, 1, 2]),
        # the quality of a list is that of its best cut, and the cut with the highest score stands for it
        ((0.3, 0.6, 0.5), [0, 1, 2]),
    ],
)
def test_the_list_with_the_highest_quality_comes_first_in_the_cut_with_the_highest_score(
    quality: tuple[float, ...], order: list[int]
):
    assert best_list_first(np.array([3.0, 2.0, 1.0]), np.array(quality), ANOTHER_LIST).tolist() == order


@pytest.mark.parametrize(
    ("hidden", "visible", "first"), [(0.8, 0.4, 1), (0.8, 0.39, 0), (0.15, 0.1, 1), (0.15, 0.09, 0)]
)
def test_a_hidden_list_gives_way_to_a_visible_one_with_half_its_confidence(hidden: float, visible: float, first: int):
    ones = np.ones(2, dtype=np.int64)
    found = Candidates(np.array([10, 50]), np.array([20, 60]), ones, ones * 0, ones)
    ranking = RankedCandidates(
        found,
        {"share": np.array([0.1, 0.2])},
        np.array([3.0, 2.0]),
        np.array([0.5, 0.4]),
        Confidences.known(np.array([hidden, visible])),
        np.array([True, False]),
    )
    assert int(visible_first(ranking).candidates.starts[0]) == int(found.starts[first])


def _trimmed(html: str, tag: str) -> list[str]:
    """Return the records of runs that start at each node of a tag, once trimmed."""
    page = read_page(html)
    starts = np.array([i for i in range(len(page)) if page.name(i) == tag])
    ends = np.append(starts[1:], page.end[page.parent[starts[-1]]]).astype(np.int64)
    count = np.array([len(starts)])
    lists = without_interruptions(page, RunningSums(page), Candidates(starts, ends, count, count * 0 + RUNS, count))
    return [page.text_of(start, end) for start, end in lists.ranges(0)]


def test_what_interrupts_a_list_is_not_part_of_a_record():
    items = [f"<article>{name} and what is said of it</article>" for name in NAMES]
    items.insert(2, "<p>Learn to code in ten days</p>")
    assert _trimmed(f"<main>{''.join(items)}</main>", "article") == [f"{name} and what is said of it" for name in NAMES]


@pytest.mark.parametrize(("interruptions", "is_trimmed"), [(2, True), (3, False)])
def test_what_stands_after_more_than_one_record_in_five_does_not_interrupt_the_list(
    interruptions: int, is_trimmed: bool
):
    notes = ["<p>note</p>"] * interruptions + [""] * (10 - interruptions)
    html = "".join(f"<article>Offer number {k} of ten</article>{note}" for k, note in enumerate(notes))
    assert ("Offer number 0 of ten" in _trimmed(f"<main>{html}</main>", "article")) == is_trimmed


def test_what_most_records_have_after_their_first_element_is_part_of_them():
    items = "".join(f"<h2>{name} in all colours</h2><p>{k} reais</p>" for k, name in enumerate(NAMES))
    assert _trimmed(f"<main>{items}</main>", "h2") == [f"{n} in all colours {k} reais" for k, n in enumerate(NAMES)]


def test_header_rows_are_left_out_unless_the_list_would_lose_most_of_its_members():
    heads = "<tr><th>Name</th><th>Price</th></tr>"
    rows = [f"<tr><td><a href=/p/{k}>{NAMES[k]}</a></td><td>{k + 10},90</td></tr>" for k in range(6)]
    assert _kept(f"<table>{heads}{''.join(rows)}</table>", "tr") == [False, *[True] * 6]
    assert _kept(f"<table>{heads * 6}{rows[0]}</table>", "tr") == [True] * 7


@pytest.mark.parametrize(
    ("head", "is_kept"),
    [
        ("<tr><td><b><a href=/name>Name</a></b></td><td><strong>Price</strong></td></tr>", False),
        ("<tr><td><b><a href=/p/9>Tin cup</a></b></td><td><b>7,90</b></td></tr>", True),
        ("<tr><td>Name</td><td>Price</td></tr>", False),
        ("<tr><td>Name 7</td><td>Price</td></tr>", True),
        (f"<tr><td>Name</td><td>{'Price and where it was found ' * 5}</td></tr>", True),
        ("<tr><td>Name and price</td></tr>", True),
    ],
)
def test_a_first_row_of_captions_in_ordinary_cells_is_no_record(head: str, is_kept: bool):
    rows = "".join(f"<tr><td><a href=/p/{k}>{NAMES[k]}</a></td><td>{k + 10},90</td></tr>" for k in range(6))
    assert _kept(f"<table>{head}{rows}</table>", "tr", ALL_RECORDS) == [is_kept, *[True] * 6]
    assert _kept(f"<table>{rows}{head}</table>", "tr", ALL_RECORDS) == [True] * 7


def test_a_first_row_with_a_label_or_above_two_rows_is_a_record():
    facts = ["<td>Colour</td><td>Red</td>", *(f"<td>Size {k}</td><td>{k} cm</td>" for k in (1, 2))]
    assert _kept(f"<table><tr>{'<tr>'.join(facts)}</table>", "tr", ALL_RECORDS) == [True] * 3
    labelled = ["<th>Colour</th><td>Red</td>", *(f"<th>Size {k}</th><td>{k} cm</td>" for k in range(5))]
    assert _kept(f"<table><tr>{'<tr>'.join(labelled)}</table>", "tr", ALL_RECORDS) == [True] * 6


@pytest.mark.parametrize(
    "row", ["<tr><td><b>Ana</b></td><td><b>7</b></td></tr>", "<tr><td>Ana</td><td>Porto</td></tr>"]
)
def test_a_first_row_like_all_others_is_a_record(row: str):
    assert _kept(f"<table>{row * 4}</table>", "tr", ALL_RECORDS) == [True] * 4


def test_at_most_four_members_in_ten_are_left_out():
    head = "<tr><th>Name</th><th>Price</th></tr>"
    rows = "".join(f"<tr><td><a href=/p/{k}>{NAMES[k]}</a></td><td>{k + 10},90</td></tr>" for k in range(6))
    assert _kept(f"<table>{head * 4}{rows}</table>", "tr") == [False] * 4 + [True] * 6
    assert _kept(f"<table>{head * 5}{rows}</table>", "tr") == [True] * 11


def _grown(html: str, tag: str) -> list[str]:
    """Return the tags that all nodes of a tag, taken as the records of a list, have after growing."""
    page = read_page(html)
    starts = np.array([i for i in range(len(page)) if page.name(i) == tag])
    return [
        page.name(i)
        for i in whole_elements(page, RunningSums(page), starts, page.end[starts].astype(np.int64))[0].tolist()
    ]


def test_a_record_is_the_largest_element_with_no_more_text():
    items = "".join(f"<li><div><img src={name}.png><a href=/{k}>{name}</a></div></li>" for k, name in enumerate(NAMES))
    assert _grown(f"<nav><ul>{items}</ul></nav>", "a") == ["li"] * len(NAMES)


def test_records_grow_together_or_not_at_all():
    items = "".join(f"<li><a href=/{k}>{name}</a></li>" for k, name in enumerate(NAMES))
    assert _grown(f"<ul>{items}<li><a href=/x>One more</a> (new)</li></ul>", "a") == ["a"] * (len(NAMES) + 1)
    assert _grown(f"<ul>{items}<li><a href=/x><img src=x.png></a></li></ul>", "a") == ["a"] * (len(NAMES) + 1)


def test_records_do_not_grow_over_text_that_is_hidden():
    items = "".join(f"<li><a href=/{k}>{name}</a><ul hidden><li>more</ul></li>" for k, name in enumerate(NAMES))
    assert _grown(f"<main>{items}</main>", "a") == ["a"] * len(NAMES)


def test_hidden_records_grow_as_others_do():
    items = "".join(f"<li><img src={name}.png><a href=/{k}>{name}</a></li>" for k, name in enumerate(NAMES))
    assert _grown(f"<ul hidden>{items}</ul>", "a") == ["li"] * len(NAMES)


def test_records_that_share_a_parent_do_not_grow():
    assert _grown(f"<div>{''.join(f'<p>{name}</p>' for name in NAMES)}</div>", "p") == ["p"] * len(NAMES)
    assert _grown("<div><p>Alone</p></div>", "p") == ["p"]


def _kept(html: str, tag: str, forest: Forest | None = None) -> list[bool]:
    """Return which of all nodes of a tag, taken as the members of a list, are kept as records."""
    page = read_page(html)
    starts = np.array([i for i in range(len(page)) if page.name(i) == tag])
    count = np.array([len(starts)])
    found = Candidates(starts, page.end[starts].astype(np.int64), count, count * 0, count * 0 + 1)
    lists = CandidateFeatures(PageFeatures(page, RunningSums(page)), found)
    kept, _ = kept_members(lists, forest or shipped_models().members)
    return kept.tolist()


@settings(max_examples=60)
@given(st.one_of(trees(), soup, st.binary(max_size=300)))
def test_on_any_input_lists_are_disjoint_and_record_texts_are_those_of_the_page(source: str | bytes):
    result = peneira.extract(source)
    page = read_page(source)
    confidences = [region.confidence for region in result.regions]
    assert confidences == sorted(confidences, reverse=True)
    assert all(0 <= confidence <= 1 for confidence in confidences)
    records = [record for region in result.regions for record in region.records]
    ranges = sorted(span for record in records for span in record.ranges)
    assert all(end <= start for (_, end), (start, _) in pairwise(ranges))
    assert [record.text for record in records] == [page.text_of(*record.ranges[0]) for record in records]


@pytest.mark.parametrize(
    ("feature", "description"),
    [
        ("prices_any", "share of records with prices"),
        ("links", "links per record (log)"),
        ("dates_one", "share of records with exactly one date"),
        ("disjoint_records", "how many more records the best has among lists elsewhere on the page"),
        ("share", "share of the page's text"),
        ("is_li", "is li"),
    ],
)
def test_features_are_described_in_words(feature: str, description: str):
    assert describe_feature(feature) == description


def test_the_deciding_features_are_reported_even_for_a_page_with_one_list():
    rows = "".join(f"<tr><td><a href=/{k}>{name}</a></td><td>{k} reais</td></tr>" for k, name in enumerate(NAMES))
    result = peneira.extract(f"<table>{rows}</table>")
    deciding = [reason for reason in result.reasons if " against " in str(reason)]
    assert len(result.regions) == 1
    assert deciding
    assert all(reason.value > 0 and reason.name in shipped_models().ranking.names for reason in deciding)


def test_the_first_list_has_four_deciding_features_and_three_runners_up():
    rows = "".join(f"<tr><td><a href=/{k}>{name}</a></td><td>{k} reais</td></tr>" for k, name in enumerate(NAMES))
    codes = [reason.code for reason in auto.find_lists(read_page(f"<table>{rows}</table>")).regions[0].reasons]
    assert (codes.count(ReasonCode.FEATURE), codes.count(ReasonCode.RUNNER_UP)) == (4, 3)


def test_a_feature_that_adds_less_than_a_twentieth_to_the_score_does_not_decide():
    ones = np.ones(2, dtype=np.int64)
    features = {name: np.array([1.0, 0.0]) for name in ("records", "share", "chars")}
    found, confidences = Candidates(ones, ones, ones, ones, ones), Confidences.known(ones)
    ranked = RankedCandidates(found, features, ones, ones, confidences, ones > 1)

    def forest(*contributions: float) -> SimpleNamespace:
        return SimpleNamespace(
            names=tuple(features), contributions=lambda matrix: np.array([contributions, (0.0, 0.0, 0.0)])
        )

    # quality counts five times
    models = SimpleNamespace(ranking=forest(0.05, 0.009, 0.0), quality=forest(0.0, 0.008, 0.02))
    assert [reason.name for reason in deciding_features(ranked, models, 0, 1)] == ["chars", "records"]


def test_members_are_rated_alike_whatever_number_of_them_at_a_time(monkeypatch: pytest.MonkeyPatch):
    html = "<ul>" + "".join(f"<li><a href=/{k}>Item {k}</a> <b>{k},90</b></li>" for k in range(9)) + "</ul><hr><p>x"
    at_once = repr(peneira.extract(html).regions)
    monkeypatch.setattr(members, "_MEMBERS_AT_A_TIME", 4)
    assert repr(peneira.extract(html).regions) == at_once


def test_the_clock_is_read_while_records_are_made_and_images_are_compared(monkeypatch: pytest.MonkeyPatch):
    read: Counter[str] = Counter()
    for module in (auto, candidates):
        monkeypatch.setattr(module, "check_budget", partial(read.update, [module.__name__.rpartition(".")[2]]))
    monkeypatch.setattr(auto, "_CLOCK_EVERY_RECORDS", 1)
    page = read_page("<div>" + "".join(f"<img src={k}.png alt='picture {k}'>" for k in range(40)) + "</div>")
    auto.find_lists(page)
    assert read["auto"] >= 40
    assert read["candidates"] > 20  # images are compared until more than half of the records have their own
