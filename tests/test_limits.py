"""Pages beyond all reason are read with bounded work, and what was left out is declared."""

from __future__ import annotations

import pickle
import re
from itertools import count
from math import inf
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import peneira
from generated import soup
from peneira.budget import Budget, check_budget, spend
from peneira.errors import InputError, LimitExceeded
from peneira.findings import Findings
from peneira.kernels import compiled
from peneira.limits import Limits
from peneira.lists.auto import find_lists
from peneira.methods import Method
from peneira.node_paths import OWN_XPATH
from peneira.output.documents import extraction_document
from peneira.page import Page
from peneira.result import Region
from peneira.sources import lexbor_tree, parser_limits
from peneira.sources.html import read_page
from peneira.sources.lexbor_tree import _CLOCK_EVERY_ROWS, _PART_BYTES
from peneira.sources.parser_limits import (
    _MAX_ATTRIBUTES,
    _MAX_OPTIONS,
    _MAX_REPEATED_TAGS,
    _attributes_end,
    limit_markup,
)
from peneira.table import Cell
from peneira.xpath.finder import Finder
from peneira.xpath.selectors import parse
from work_counter import lines_executed


def cut_names(page: peneira.Page) -> list[str]:
    return [cut.limit for cut in page.cuts]


@pytest.mark.parametrize("tag", ["div", "b", "table><tr><td", "ul><li", "font size=1"])
def test_a_page_nested_100000_deep_is_read_and_declared_partial(tag: str):
    page = read_page(f"<{tag}>" * 100_000 + "the end")
    assert page.depth.max() <= Limits().depth
    assert page.cuts[0].limit in ("depth", "formatting")
    assert "tags nested deeper were unwrapped" in page.cuts[0].left_out  # before the parser saw them
    assert page.visible_text(0) == "the end"
    assert page.xpath(len(page) - 1).startswith("/html[1]/body[1]/")
    assert "the end" in page.html()


def test_deep_tags_that_are_closed_again_do_not_unwrap_what_follows():
    page = read_page("<div>" * 20_000 + "x" + "</div>" * 20_000 + "<p class=after>y</p>")
    last = [i for i in range(len(page)) if page.name(i) == "p"]
    assert [page.xpath(i) for i in last] == ["/html[1]/body[1]/p[1]"]


@pytest.mark.parametrize(
    "html",
    [
        "</div>" * 30_000 + "<div>" * 30_000,
        "<div></x>" * 30_000,
        "<x><div></x>" * 15_000,
        "<object><table></object>" * 15_000,
        "<div><!--</div>-->" * 30_000,
        "<svg><p>" + "<path/>" * 30_000,
        "<svg></svg>" + "<path/>" * 30_000,
        '<div title="</div>">' * 30_000,
        "<div title='>' class=\"</div>\">" * 30_000,
        "<div><script></div></script>" * 30_000,
        "<optgroup>" * 30_000,
        "<rt>" * 30_000,
    ],
)
def test_no_end_tag_hides_depth_that_it_does_not_end(html: str):
    page = read_page(html + "the end")
    assert "tags nested deeper were unwrapped" in page.cuts[0].left_out


@pytest.mark.parametrize(
    "html",
    [
        "<svg>" + '<path d="M0"/>' * 20_000 + "</svg>",
        "<p><a name=x>y" * 10_000,
        "<ruby>x<rt>y</ruby>" * 10_000,
        "<div><!-- <div>x</div> --></div>" * 6_000,
        "<div title='<div>x</div>'></div>" * 6_000,
        "<div><script>if (a <b) c('<div>')</script></div>" * 6_000,
        "<!--[if !IE]><!--><div>x</div><!--<![endif]-->" * 6_000,
        "<div><span></div>" * 10_000,
    ],
)
def test_a_long_page_that_is_not_deep_is_complete(html: str):
    page = read_page(html + "<i class=last>x</i>")
    assert page.cuts == ()
    assert page.attrs[len(page) - 2] == {"class": "last"}


def test_a_page_of_a_million_nodes_is_read():
    page = read_page("<ul>" + "<li>x<b>y</b></li>" * 250_000, limits=Limits(nodes=2_000_000, seconds=3600))
    assert len(page) == 1_000_004
    assert page.cuts == ()
    assert len({int(s) for s in page.shape[page.tag == page.tag_names.index("li")]}) == 1


def test_more_nodes_than_the_limit_are_left_out_and_declared():
    page = read_page("<ul>" + "<li>x</li>" * 100, limits=Limits(nodes=50))
    assert len(page) == 50
    assert [str(cut) for cut in page.cuts] == ["nodes limit of 50: the nodes that come after were not read"]
    assert peneira.extract(page).status == "partial"


def test_exactly_as_many_nodes_as_the_limit_are_complete():
    assert read_page("<p>x", limits=Limits(nodes=5)).cuts == ()


def test_more_bytes_than_the_limit_are_left_out_and_declared():
    page = read_page(b"<p>" + b"x" * 1000, limits=Limits(bytes=100))
    assert len(page.visible_text(0)) == 97
    assert cut_names(page) == ["bytes"]


class Clock:
    """The clock of a thread that stands still for a number of readings and passes any limit at each after them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, readings: float) -> None:
        self.left = readings
        monkeypatch.setattr("peneira.budget.thread_time", self)
        # so much time passes between two looks that the clock of the thread is read at each
        monkeypatch.setattr("peneira.budget.monotonic", count(step=1_000_000).__next__)

    def __call__(self) -> float:
        self.left -= 1
        return max(0.0, -1e9 * self.left)


def test_the_clock_is_read_while_the_page_is_parsed(monkeypatch: pytest.MonkeyPatch):
    if compiled("lexbor_nodes") is None:
        pytest.skip("without the compiled kernel a page is parsed at once")
    monkeypatch.setattr(lexbor_tree, "check_budget", lambda: None)
    Clock(monkeypatch, 6)
    page = read_page("<p>x</p>" * 50_000)
    parsed = 5 * _PART_BYTES
    assert [str(cut) for cut in page.cuts] == [
        f"seconds limit of 60: the page after its first {parsed} bytes was not parsed"
    ]
    assert len(page) == 3 + 2 * parsed // len("<p>x</p>")


def test_parsing_leaves_half_of_the_seconds_for_what_comes_after(monkeypatch: pytest.MonkeyPatch):
    if compiled("lexbor_nodes") is None:
        pytest.skip("without the compiled kernel a page is parsed at once")
    monkeypatch.setattr("peneira.budget.thread_time", count().__next__)  # each reading takes a second
    monkeypatch.setattr("peneira.budget.monotonic", count(step=50).__next__)
    monkeypatch.setattr(lexbor_tree, "_PART_BYTES", 4096)
    result = peneira.extract(f"<ul>{ROWS * 1000}</ul>", limits=Limits(seconds=200))
    assert result.cuts[0].left_out.endswith("bytes was not parsed")
    assert result.main is not None


def test_the_clock_is_read_while_the_nodes_are(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lexbor_tree, "_PART_BYTES", 1_000_000)  # parsed at once
    Clock(monkeypatch, 4)
    page = read_page("<p>x</p>" * 50_000)
    assert [str(cut) for cut in page.cuts] == [
        f"seconds limit of 60: the nodes after the first {len(page)} were not read"
    ]
    assert len(page) == 4 * _CLOCK_EVERY_ROWS


ROWS = "".join(f"<li><a href=/p/{k}>Item number {k}</a> costs {k + 10},90</li>" for k in range(8))


def found_until(clock: Clock, readings_left: float) -> Method:
    def find(page: Page) -> Findings:
        found = find_lists(page)
        clock.left = readings_left
        return found

    return Method("found until", "auto, then the clock runs out", find)


def test_time_that_runs_out_among_the_lists_is_declared(monkeypatch: pytest.MonkeyPatch):
    page = Page.from_html(f"<ul>{ROWS}</ul>")
    Clock(monkeypatch, 1)
    result = peneira.extract(page)
    assert [cut.left_out for cut in result.cuts] == [
        "lists were not looked for",
        "what kind of page it is was not decided",
        "the data of the page was not searched for a list",
    ]
    assert (result.status, result.verdict, result.main) == ("partial", "other", None)


def test_time_that_runs_out_before_the_columns_is_declared(monkeypatch: pytest.MonkeyPatch):
    method = found_until(Clock(monkeypatch, inf), 1)
    result = peneira.extract(f"<ul>{ROWS}</ul>", method=method)
    assert "the columns of the lists were not filled in" in [cut.left_out for cut in result.cuts]
    assert result.main is not None
    assert (len(result.main.records), len(result.main.columns)) == (8, 0)


def test_a_limit_that_is_hit_by_a_list_that_is_read_later_is_declared():
    things = "".join(f"<li><a href=/{k}>Lamp {k}</a> <b>${k}.50</b> <i>a bright lamp, {k}</i>" for k in range(20))
    stories = "".join(f"<p><em>Story {k}</em> <time>2024-01-{k + 10}</time>" for k in range(20))
    page = f"<ul>{things}</ul><h2>News</h2><div>{stories}</div>"
    assert extraction_document("x", peneira.extract(page, limits=Limits(cells=100)), None, None)["status"] == "partial"
    result = peneira.extract(page, limits=Limits(cells=100))
    assert (result.status, result.cuts) == ("complete", ())
    assert result.regions[1].columns == ()
    assert [(cut.limit, cut.left_out) for cut in result.cuts] == [
        ("cells", "the columns of the lists were not filled in")
    ]
    assert result.status == "partial"
    copy = pickle.loads(pickle.dumps(result))
    assert (copy.status, copy.cuts) == ("partial", result.cuts)


def test_pairs_beyond_the_limit_end_a_method():
    def find(page: Page) -> list[Region]:
        spend("pairs", 11)
        return []

    result = peneira.extract("<p>x", method=Method("pairs", "spends pairs", find), limits=Limits(pairs=10))
    assert [str(cut) for cut in result.cuts] == ["pairs limit of 10: lists were not looked for"]


def test_a_call_inside_another_uses_the_budget_of_both():
    outer, inner = Budget(Limits(pairs=10)), Budget(Limits(pairs=100))
    with outer.running(), inner.running(), pytest.raises(LimitExceeded, match="10 pairs"):
        spend("pairs", 11)


def test_a_call_inside_two_others_keeps_the_seconds_of_the_outermost():
    with Budget(Limits(seconds=1e-9)).running() as outermost:
        outermost.next_look = inf  # as if it had been looked at before
        with Budget(Limits()).running(), Budget(Limits()).running() as inner:
            with pytest.raises(LimitExceeded):
                check_budget()
            assert inner.left_s() < 0


def test_the_clock_is_looked_at_again_when_the_outermost_call_has_no_time_left(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("peneira.budget.monotonic", lambda: 100.0)
    with Budget(Limits(seconds=2)).running(), Budget(Limits()).running(), Budget(Limits()).running() as inner:
        check_budget()
        assert 100 < inner.next_look <= 102


def test_outside_of_a_call_nothing_is_limited():
    spend("pairs", 10**30)
    check_budget()


def test_only_the_seconds_of_the_block_count(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("peneira.budget.thread_time", count(step=5).__next__)
    budget = Budget(Limits())
    for _ in range(2):
        with budget.running():
            pass
    assert budget.used_s() == 10


@pytest.mark.parametrize("between", [" ", "/", '=""', " <", " b='>' ", " </b "])
def test_a_tag_of_100000_attributes_is_cut_short(between: str):
    page = read_page("<div " + between.join(f"a{i}" for i in range(100_000)) + ">x</div><p>y</p>")
    assert cut_names(page) == ["attributes"]
    assert max(map(len, page.attrs)) <= _MAX_ATTRIBUTES
    assert page.visible_text(0) == "x y"


@pytest.mark.parametrize("script", ["script", "SCRIPT async src='a>b'"])
def test_a_long_script_that_looks_like_a_tag_is_kept_whole(script: str):
    code = f"for (i=0; i<n; i++) d = [{'1, ' * 10_000}]; e = '"
    page = read_page(f"<p>x</p><{script}>{code}</script><p title=y>y</p>")
    assert page.cuts == ()
    assert code in page.text
    assert page.visible_text(0) == "x y"


def test_a_very_long_script_that_looks_like_a_tag_is_cut_short_and_keeps_its_end():
    page = read_page(f"<p>x</p><script>for (i=0; i<n; i++) d = [{'1, ' * 100_000}]</script><p>y</p>")
    assert cut_names(page) == ["attributes"]
    assert page.visible_text(0) == "x y"


@pytest.mark.parametrize("decoy", ["<svg><script>", "<p title='<script>'>", "<!--<script>-->", "<script></script>"])
def test_a_tag_of_100000_attributes_is_cut_short_behind_what_looks_like_a_script(decoy: str):
    page = read_page(decoy + "<div " + " ".join(f"a{i}" for i in range(100_000)) + ">x</div><p>y</p>")
    assert cut_names(page) == ["attributes"]
    assert max(map(len, page.attrs)) <= _MAX_ATTRIBUTES


@pytest.mark.parametrize("html", ["x" * 3_000_000, "<x" * 1_000_000, "'\"" * 1_000_000, "<x a='" * 500_000])
def test_looking_for_crowded_tags_reads_each_character_a_few_times(html: str, monkeypatch: pytest.MonkeyPatch):
    chars = 0

    def counted(html: str, start: int) -> int:
        nonlocal chars
        end = _attributes_end(html, start)
        chars += end - start + 1
        return end

    monkeypatch.setattr(parser_limits, "_attributes_end", counted)
    limit_markup(html, Limits(), [])
    assert chars <= 4 * len(html)


def test_a_long_attribute_value_is_no_bomb():
    page = read_page(f'<img src="data:image/png;base64,{"A" * 300_000}"><p>y</p>')
    assert page.cuts == ()
    assert len(page.attrs[3]["src"]) > 300_000


@pytest.mark.parametrize("decoy", ["</b>", "<!--</font>-->", "<br title='</font>'>"])
def test_no_end_tag_hides_formatting_that_it_does_not_end(decoy: str):
    page = read_page("<p>" + "".join(f"<font id=f{i}>{decoy}" for i in range(1_500)) + "<p>x" * 1_500)
    assert cut_names(page) == ["formatting"]
    assert len(page) < Limits().nodes


def test_closed_formatting_in_comments_and_attributes_is_no_bomb():
    page = read_page("<p title='<b>x</b>'>y<!-- <i>z</i> --></p>" * 5_000)
    assert page.cuts == ()


def test_formatting_tags_left_open_do_not_explode():
    page = read_page("".join(f"<p><font id={i}>x" for i in range(3_000)))
    assert cut_names(page) == ["formatting"]
    assert len(page) < Limits().nodes
    assert page.visible_text(0).split() == ["x"] * 3_000


def test_a_few_formatting_tags_left_open_are_left_alone():
    page = read_page("".join(f"<p><font id={i}>x" for i in range(20)))
    assert page.cuts == ()
    assert page.depth.max() > 20


def test_limits_must_be_positive():
    with pytest.raises(ValueError, match="the limit on nodes must be above zero"):
        Limits(nodes=0)


@pytest.mark.parametrize(
    "source", [b"", "", b"\x00" * 100, b"\x89PNG\r\n\x1a\n\x00\x00", "\x00", " ", "<", "\ud800<p>x"]
)
def test_empty_and_binary_input_gives_a_page(source):
    page = read_page(source)
    assert page.name(0) == "html"
    assert peneira.extract(page).main is None


def test_a_missing_file_and_a_folder_are_clear_errors(tmp_path):
    with pytest.raises(InputError, match=r"nothing\.html: no such file"):
        read_page(tmp_path / "nothing.html")
    with pytest.raises(InputError, match="is a folder, not a page"):
        read_page(tmp_path)
    with pytest.raises(InputError, match="not int"):
        read_page(7)  # type: ignore[arg-type]


@given(st.binary(max_size=600))
def test_random_bytes_never_raise(body: bytes):
    result = peneira.extract(body)
    assert result.status == "complete"


@given(soup)
def test_tag_soup_never_raises(html: str):
    result = peneira.extract(html)
    assert all(record.text or "<img" in html for region in result.regions for record in region.records)


@given(st.data())
def test_cut_and_garbled_real_markup_never_raises(sample, data):
    body = sample.read_bytes()
    at = data.draw(st.integers(0, len(body)))
    junk = data.draw(st.binary(max_size=20))
    peneira.extract(body[:at] + junk)
    peneira.extract(body[at:] + junk)
    assert peneira.extract(body.decode().encode("utf-16")).verdict == "list"


def test_attributes_of_repeated_body_tags_are_left_out_and_declared():
    page = read_page("".join(f"<body a{k}=1>" for k in range(1000)) + "x")
    assert cut_names(page) == ["attributes"]
    assert len(page.attrs[page.body]) <= _MAX_REPEATED_TAGS
    assert page.visible_text(0) == "x"


def test_more_options_than_a_select_may_have_are_unwrapped_and_declared():
    page = read_page("<select>" + "<option value=v>a" * (_MAX_OPTIONS + 5) + "</select><p>x")
    assert [str(cut) for cut in page.cuts] == ["options limit of 8000: 5 further tags were left out, their text kept"]
    assert sum(page.name(i) == "option" for i in range(len(page))) == _MAX_OPTIONS


def test_many_selects_of_few_options_are_whole():
    assert read_page("<select><option>a<option>b</select>" * 5_000).cuts == ()


def test_start_tags_far_beyond_the_limit_on_nodes_are_not_parsed():
    page = read_page("<p>x" * 100, limits=Limits(nodes=10))
    assert cut_names(page) == ["nodes"]
    assert page.visible_text(0) == "x x x"


def test_attributes_of_all_tags_have_a_limit():
    page = read_page("<p a b c d>x" * 50_000, limits=Limits(attributes=10_000))
    assert cut_names(page) == ["attributes"]
    assert 0 < len(page) < 100_000


DETAILS = [f"<h1>Film {k}</h1><dl><dt>Year<dd>{1990 + k}<dt>Country<dd>C{k}</dl>" for k in range(2)]


def test_learning_that_hits_a_limit_is_a_typed_error():
    with pytest.raises(LimitExceeded, match="the limit of 1e-09 seconds was hit"):
        peneira.learn(DETAILS, limits=Limits(seconds=1e-9))


def test_a_wrapper_that_hits_a_limit_gives_a_declared_partial_result():
    result = peneira.learn(DETAILS).extract(DETAILS[0], limits=Limits(seconds=1e-9))
    assert (result.status, result.main) == ("partial", None)
    assert result.cuts[-1].left_out == "the records were not read"


@pytest.mark.parametrize("verb", ["text", "clean", "segment", "content", "item"])
def test_every_front_door_declares_the_limit_that_it_hit(verb: str):
    result = getattr(peneira, verb)(f"<ul>{ROWS}</ul>", limits=Limits(seconds=1e-9))
    assert result.status == "partial"
    assert {cut.limit for cut in result.cuts} == {"seconds"}


def test_a_page_is_cleaned_as_a_whole_where_there_is_no_time_to_find_its_noise():
    cleaned = peneira.clean("<nav>menu</nav><p>x", limits=Limits(seconds=1e-9))
    assert "menu" in cleaned
    assert [cut.left_out for cut in cleaned.cuts] == ["the noise of the page was not pruned"]


def test_siblings_that_follow_siblings_are_looked_for_once(monkeypatch: pytest.MonkeyPatch):
    finder = Finder(Page.from_html("<p>x" * 500))
    looked = []
    following = finder._following_siblings
    monkeypatch.setattr(finder, "_following_siblings", lambda row, step: looked.append(row) or following(row, step))
    selector = parse("//p" + "/following-sibling::p" * 3)
    assert (len(finder.rows(selector)), len(looked)) == (497, 3)


@pytest.mark.parametrize("verb", ["content", "segment"])
def test_texts_and_xpaths_of_a_result_have_a_limit(verb: str):
    html = "<h1>Title</h1>" + "<p>A sentence that is long enough to be the content of a page.</p>" * 5
    result = getattr(peneira, verb)(html, limits=Limits(output_bytes=100))
    assert [cut.limit for cut in result.cuts] == ["output_bytes"]


def test_a_page_of_more_blocks_of_text_than_fit_into_memory_has_no_main_text_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr("peneira.texts.block_model.MAX_BLOCKS", 10)
    text = peneira.text("<p>x" * 11)
    assert (text, [str(cut) for cut in text.cuts]) == ("", ["blocks limit of 10: the main text was not looked for"])


def test_a_page_of_more_texts_than_fit_into_memory_has_no_content_and_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("peneira.texts.content.MAX_TEXTS", 10)
    found = peneira.content("<p>x" * 11)
    assert (found, [str(cut) for cut in found.cuts]) == ([], ["texts limit of 10: the content was not looked for"])


@pytest.mark.parametrize("before", ["<script>i<n;", "<svg><script>", "<p>"])
def test_long_tags_are_found_alike_with_and_without_the_kernel(before: str, monkeypatch: pytest.MonkeyPatch):
    html = f"{before}<div {'a=1 ' * 400}>x</div></script><p {'b ' * 300}>y"
    with_kernel = limit_markup(html, Limits(), [])
    monkeypatch.setattr(parser_limits, "markup_scan", None)
    assert limit_markup(html, Limits(), []) == with_kernel


def test_learning_from_two_pages_of_labels_takes_time_in_proportion():
    def work(count: int) -> int:
        pages = [f"<dl>{''.join(f'<dt>{word}{k}<dd>{k}' for k in range(count))}</dl>" for word in "ab"]
        return lines_executed(lambda: peneira.learn(pages))

    assert work(200) < 3 * work(100)


def test_lists_in_lists_take_time_in_proportion():
    def work(count: int) -> int:
        return lines_executed(lambda: peneira.extract("<ul><li>a<li>b<li>c" * count))

    work(10)  # loads models
    assert work(160) < 3 * work(80)


def test_records_hold_no_xpath_until_it_is_asked_for():
    result = peneira.extract("<div>" * 300 + "<ul>" + "".join(f"<li><b>item {k}</b> of {k}</li>" for k in range(9)))
    region = result.main
    assert region is not None
    cells = [cell for row in region.table.rows for cell in row if cell is not None]
    own = Cell.__dict__[OWN_XPATH]
    assert {own.__get__(cell) for cell in cells} == {""}
    assert cells[0].xpath.count("/div") == 300


def test_no_test_compares_with_the_clock_on_the_wall():
    """The work is counted, or its CPU time is compared; ``shop.py`` notes when a crawler asks."""
    clock = re.compile(r"\b(?:perf_counter|monotonic|time\.time)\(\)")
    files = Path(__file__).parent.glob("*.py")
    assert {file.name for file in files if clock.search(file.read_text(encoding="utf-8"))} == {"shop.py"}
