"""``area+``: the failures that the paper of the rendering-area method lists, on boxes set by hand."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

import peneira
from peneira.errors import InputError, UnknownMethod
from peneira.layout import PROPERTIES, Layout, Styles
from peneira.methods import method
from peneira.methods.area import RegionSelector
from peneira.methods.area_contents import ContentSelector, find_regions
from peneira.page import Page
from peneira.sources.html import read_page

BODY = {"body": (1000.0, 1000.0)}
THINGS = ("A lamp of brass", "An oak chair", "A desk from the attic", "Two blue rugs", "A bed")
ROWS = [f"<li class=item><h3>{thing}, {k + 40} cm</h3><p>{k + 19} euro</p>" for k, thing in enumerate(THINGS)]
ROW = ROWS[0]
RECORDS = "".join(ROWS)
CARDS = "".join(f"<div><b>{thing}</b><i>{k + 40} cm</i><u>{k + 19} euro</u></div>" for k, thing in enumerate(THINGS))


def rendered(html: str, boxes: Mapping[str, tuple[float, float]]) -> Page:
    page = read_page(html)
    sizes = np.zeros((len(page), 4))
    for i, attrs in enumerate(page.attrs):
        if (name := attrs.get("id", page.name(i))) in boxes:
            sizes[i, 2:] = boxes[name]
    blank = {name: Styles(np.ones(len(page), dtype=np.int32), ("", "visible")) for name in PROPERTIES}
    page.layout = Layout(sizes, np.ones(len(page), dtype=np.bool_), blank, 1000, 1000)
    return page


def chosen(html: str, boxes: Mapping[str, tuple[float, float]]) -> tuple[str, str]:
    """Return the id of the element that the published method selects, and that of the variant."""
    page = rendered(html, {**BODY, **boxes})
    nodes = (RegionSelector(page).select().node, ContentSelector(page).select().node)
    published, variant = (page.attrs[node].get("id", page.name(node)) for node in nodes)
    return published, variant


def test_a_map_larger_than_the_list_is_passed_over():
    html = f"<div id=map>{'<div class=tile><img></div>' * 12}</div><ul id=list>{RECORDS}</ul>"
    assert chosen(html, {"map": (900, 600), "list": (500, 400)}) == ("map", "list")


def test_a_tall_footer_of_links_does_not_beat_a_short_list():
    links = "".join(f"<div><a href=/{k}>Help and contact</a></div>" for k in range(9))
    html = f"<ul id=list>{RECORDS}</ul><footer id=footer>{links}</footer>"
    assert chosen(html, {"list": (900, 300), "footer": (900, 600)}) == ("footer", "list")


def test_a_list_that_is_too_short_for_the_filter_of_height_is_found():
    links = "".join(f"<div><a href=/{k}>Help and contact</a></div>" for k in range(9))
    html = f"<ul id=list>{RECORDS}</ul><footer id=footer>{links}</footer>"
    assert chosen(html, {"list": (900, 150), "footer": (900, 800)}) == ("footer", "list")


def test_look_alike_noise_is_not_caught_by_climbing():
    noise = "<li class=teaser><p>More</p><p>ads</p>" * 4
    html = f"<div id=both><ul id=list>{RECORDS}</ul><ul id=noise>{noise}</ul></div>"
    boxes = {"both": (900, 900), "list": (600, 700), "noise": (200, 300)}
    assert chosen(html, boxes) == ("both", "list")


def test_records_of_the_same_kind_in_another_subtree_are_still_included():
    html = f"<div id=both><ul id=list>{RECORDS}</ul><ul id=more>{RECORDS}</ul></div>"
    assert chosen(html, {"both": (900, 900), "list": (600, 600), "more": (300, 250)}) == ("both", "both")


def test_a_page_of_links_only_has_the_answer_of_the_paper():
    links = "".join(f"<div><a href=/{k}>Go {k}</a></div>" for k in range(9))
    assert chosen(f"<nav id=nav>{links}</nav>", {"nav": (900, 900)}) == ("nav", "nav")


def test_line_breaks_between_records_do_not_make_them_empty():
    lines = "".join(f"<p>{thing}, {k + 19} euro</p><br><br>" for k, thing in enumerate(THINGS))
    html = f"<div id=list>{lines}</div><div id=small>{CARDS}</div>"
    assert chosen(html, {"list": (900, 600), "small": (900, 250)}) == ("list", "list")


def test_a_long_list_of_short_links_is_not_given_up_for_a_little_text_beside_it():
    links = "".join(f"<a href=/{k}>Singer {k}</a><br>" for k in range(90))
    some = "".join(
        f"<p>{thing}</p>" for thing in ("All singers of the shop", "Choose one of them", "Prices are in euro")
    )
    html = f"<div id=list>{links}</div><div id=some>{some}</div>"
    assert chosen(html, {"list": (900, 800), "some": (900, 100)}) == ("list", "list")


def test_an_element_with_one_child_that_has_text_is_no_list():
    html = f"<div id=one><b>One text of a page, which is long</b><b></b><b></b></div><div id=list>{CARDS}</div>"
    assert chosen(html, {"one": (900, 600), "list": (900, 300)}) == ("one", "list")


def test_a_menu_of_several_levels_is_passed_over():
    menu = "".join(f"<li><a href=/{k}>Lamps</a><ul>{'<li><a href=/x>Lamps of brass</a>' * 6}</ul>" for k in range(4))
    html = f"<ul id=menu>{menu}</ul><div id=list>{CARDS}</div>"
    assert chosen(html, {"menu": (900, 600), "list": (900, 300)}) == ("menu", "list")


def test_short_links_with_pictures_are_records():
    cards = "".join(f"<div><a href=/{k}><img src={k}.png>Shoe {k} in blue</a></div>" for k in range(9))
    html = f"<div id=cards>{cards}</div><ul id=list>{RECORDS}</ul>"
    assert chosen(html, {"cards": (900, 600), "list": (900, 300)}) == ("cards", "cards")


def test_the_footer_by_its_name_is_passed_over_whatever_it_says():
    lines = "".join(f"<div>We have sold furniture since 19{k}0, in the same street</div>" for k in range(5))
    html = f"<ul id=list>{RECORDS}</ul><footer><div id=footer>{lines}</div></footer>"
    assert chosen(html, {"list": (900, 300), "footer": (900, 600)}) == ("footer", "list")


def test_where_no_candidate_is_left_a_small_part_of_the_page_is_not_the_list():
    html = f"<ul id=list>{''.join(ROWS[:3])}</ul>{'<p>A text that belongs to no list, and is long.</p><hr>' * 2}"
    html += f"<div>{'Another text, without any list, that is much longer than the list. ' * 9}</div>"
    assert chosen(html, {"list": (900, 50)}) == ("body", "body")


def test_a_page_without_boxes_is_rejected_with_advice():
    with pytest.raises(InputError, match=r"area\+ needs a rendered page"):
        find_regions(read_page("<p>x"))


def test_the_parameters_of_the_paper_can_follow_the_name_of_the_method():
    html = f"<ul id=list>{''.join(ROWS[:3])}</ul><ul id=long>{RECORDS}</ul>"
    page = rendered(html, {**BODY, "list": (900, 600), "long": (900, 300)})
    assert len(peneira.extract(page, method="area").regions[0]) == 8
    assert len(peneira.extract(page, method="area:min_children=4,use_climbing=false").regions[0]) == 5


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("area:size=1", "no parameter 'size' of 'area'; there are: min_children, area, height"),
        ("area:height=tall", "height=tall is not a number"),
        ("area:height=-1", "height=-1 is not a number of 0 or more"),
        ("area:height=nan", "is not a number of 0 or more"),
        ("area:use_area=1", "use_area=1 is neither true nor false"),
        ("mdr:x=1", "the method 'mdr' has no parameters"),
        ("none:x=1", "no method 'none:x=1'"),
    ],
)
def test_wrong_parameters_are_refused_with_what_is_there(name: str, message: str):
    with pytest.raises(UnknownMethod, match=message):
        method(name)
