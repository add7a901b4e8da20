"""Pages beyond all reason are read with bounded work, and what was left out is declared."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import peneira
from generated import soup
from peneira.errors import InputError
from peneira.limits import Limits
from peneira.sources import parser_limits
from peneira.sources.html import _CLOCK_EVERY_ROWS, read_page
from peneira.sources.parser_limits import _MAX_ATTRIBUTES, _attributes_end, limit_markup


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
    page = read_page("<ul>" + "<li>x<b>y</b></li>" * 250_000, limits=Limits(seconds=3600))
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
    """A clock that stands still for a number of readings and is past any deadline after them."""

    def __init__(self, readings: int) -> None:
        self.left = readings

    def __call__(self) -> float:
        self.left -= 1
        return 0.0 if self.left >= 0 else 1e9


def test_the_clock_is_read_while_the_nodes_are(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("peneira.sources.html.monotonic", Clock(3))
    page = read_page("<p>x</p>" * 50_000)
    assert [str(cut) for cut in page.cuts] == [
        f"seconds limit of 60: the nodes after the first {len(page)} were not read"
    ]
    assert len(page) == 3 * _CLOCK_EVERY_ROWS


ROWS = "".join(f"<li><a href=/p/{k}>Item number {k}</a> costs {k + 10},90</li>" for k in range(8))


@pytest.mark.parametrize(
    ("readings", "left_out", "records", "columns"),
    [
        (1, ["lists were not looked for"], 0, 0),
        (2, ["the columns of the lists were not filled in"], 8, 0),
        (3, [], 8, 3),
    ],
)
def test_what_there_was_no_time_for_is_declared(
    monkeypatch: pytest.MonkeyPatch, readings: int, left_out: list[str], records: int, columns: int
):
    monkeypatch.setattr("peneira.extraction.monotonic", Clock(readings))
    result = peneira.extract(f"<ul>{ROWS}</ul>")
    assert [cut.left_out for cut in result.cuts] == left_out
    assert result.status == ("partial" if left_out else "complete")
    assert len(result.main.records if result.main else ()) == records
    assert len(result.main.columns if result.main else ()) == columns


@pytest.mark.parametrize("between", [" ", "/", '=""', " <", " b='>' ", " </b "])
def test_a_tag_of_100000_attributes_is_cut_short(between: str):
    page = read_page("<div " + between.join(f"a{i}" for i in range(100_000)) + ">x</div><p>y</p>")
    assert cut_names(page) == ["attributes"]
    assert max(map(len, page.attrs)) <= _MAX_ATTRIBUTES
    assert page.visible_text(0) == "x y"


def test_a_long_script_that_looks_like_a_tag_keeps_its_end():
    page = read_page(f"<p>x</p><script>for (i=0; i<n; i++) d = [{'1, ' * 10_000}]</script><p>y</p>")
    assert page.visible_text(0) == "x y"


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
