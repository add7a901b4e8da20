"""The compiled node loops and their plain Python source give the same columns."""

from __future__ import annotations

import pickle
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import given
from selectolax.lexbor import LexborHTMLParser

from generated import soup
from peneira import page
from peneira.kernels import compiled, node_loops
from peneira.limits import Limits
from peneira.sources import html, lexbor_tree
from twins import plain_twin

COLUMNS = "tag parent end depth path style styled_path shape silent hidden text_chars".split()


PLAIN = plain_twin("kernels/node_loops.py")


def columns(source: str | Path) -> list[object]:
    read = html.read_page(source)
    page_columns = [getattr(read, name).tolist() for name in COLUMNS]
    readings = [(text, list(starts), list(ends)) for text, starts, ends in (read._reading, read._full_reading)]
    return [*page_columns, *readings, read.text, list(read.attrs), read.spaced, read.tag_names, read.lists]


def columns_by(module: ModuleType | None, source: str | Path) -> list[object]:
    """Return the columns as the kernels make them; with a module, as the plain walk and this module make them."""
    if module is None:
        return columns(source)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page, "node_columns", None)
        patch.setattr(lexbor_tree, "_checked_kernel", lambda: None)
        for user in (page, lexbor_tree):
            patch.setattr(user, "node_loops", module)
        return columns(source)


@given(soup)
def test_compiled_and_plain_kernels_agree_on_tag_soup(markup: str):
    assert columns_by(None, markup) == columns_by(node_loops, markup) == columns_by(PLAIN, markup)


def test_compiled_and_plain_kernels_agree_on_the_sample(sample: Path):
    assert columns_by(None, sample) == columns_by(node_loops, sample) == columns_by(PLAIN, sample)


def test_compiled_and_plain_kernels_agree_on_the_corpora(corpus_files):
    for file in corpus_files[::12]:
        assert columns_by(None, file) == columns_by(PLAIN, file)


def test_the_plain_kernel_is_not_compiled():
    assert PLAIN.__file__ is not None and PLAIN.__file__.endswith(".py")


TRICKY = (
    "<p>a&nbsp;<b> b</b>\u200b<i>c</i>d<br>e<span>\u00ad</span> f</p>",
    "<div hidden>x<p style='DISPLAY : none'>y</p></div><p style='color:red'>z",
    "<svg><template><foreignObject><template>inner</template></foreignObject></template></svg>",
    "<template><template>a</template>b</template><template></template>c",
    "<p>one<!-- -->two<!-- --> <!-- -->three</p>",
    "<i class=a id=b></i><i id=b class=a></i><i class='' width=1></i><i width=1 class></i>",
    "<pre><i>a</i> <b> <i>\n  b</i></b>\n\n<u> </u>\t<u>c</u>d <!-- --> e\n</pre> <i>f</i>",
    "<b> </b><pre></pre> <i>g</i><pre> <pre><i> </i></pre> <i>h</i> <template> <i>k</i></template></pre>\n<i>l</i>",
    "<math><mi xlink:href=a href=b>x</mi></math><x-y Z=1 z=2>",
    "",
)


@pytest.mark.parametrize("markup", TRICKY)
def test_lexbor_nodes_and_its_python_objects_give_the_same_table(markup: str):
    assert columns_by(None, markup) == columns_by(PLAIN, markup)


BLANKS_IN_PRE = (
    "<pre>\n\n<i>x</i></pre>",
    "<pre>A <b></b> <i></i> <pre>\u00a0",
    "<pre>A <b></b> <pre>\u00a0</pre></pre>",
    "<pre><b>x</b>&#13;\n  <b>y</b></pre>",
    "<pre> <!--c-->\nx</pre>",
)


@pytest.mark.parametrize("markup", [*(markup for markup in TRICKY if "<pre>" in markup), *BLANKS_IN_PRE])
def test_code_that_is_written_and_read_again_has_the_same_texts_and_spaces(markup: str):
    read = html.read_page(markup)
    again = html.read_page(read.html())
    assert (again.text, again.spaced) == (read.text, read.spaced)


ENTITIES = "<!doctype html><p title='a&amp;b&#xe9;'>&notit;é\r\n<!--"


@pytest.mark.parametrize("part", [1, 2, 7, 64])
@pytest.mark.parametrize("markup", [lexbor_tree.PROBE, *TRICKY, ENTITIES])
def test_a_page_parsed_part_by_part_is_the_page_parsed_at_once(markup: str, part: int, monkeypatch: pytest.MonkeyPatch):
    at_once = columns(markup)
    monkeypatch.setattr(lexbor_tree, "_PART_BYTES", part)
    assert columns(markup) == at_once


def test_pages_of_the_corpora_parsed_part_by_part_are_those_parsed_at_once(
    corpus_files, monkeypatch: pytest.MonkeyPatch
):
    for file in corpus_files[::12]:
        in_parts = columns(file)
        with monkeypatch.context() as patch:
            patch.setattr(lexbor_tree, "_PART_BYTES", 10**9)
            assert columns(file) == in_parts


def test_lexbor_nodes_are_read_where_kernels_are_compiled():
    if compiled("lexbor_nodes") is None:
        pytest.skip("the kernels are not compiled")
    assert lexbor_tree._checked_kernel() is not None


def test_a_tree_of_another_layout_is_walked_by_its_python_objects(monkeypatch: pytest.MonkeyPatch):
    kernel = compiled("lexbor_nodes")
    if kernel is None:
        pytest.skip("the kernels are not compiled")
    tree = LexborHTMLParser(lexbor_tree.PROBE)
    other = SimpleNamespace(NodeWalk=kernel.NodeWalk, links=lambda address: kernel.links(address)[::-1])
    assert lexbor_tree._has_known_layout(kernel, tree)
    assert not lexbor_tree._has_known_layout(other, tree)


def test_attributes_are_a_sequence_of_mappings():
    attrs = html.read_page("<p class=a id=b>x</p><p hidden>y</p>").attrs
    assert list(attrs) == [{}, {}, {}, {"class": "a", "id": "b"}, {}, {"hidden": ""}, {}]
    assert attrs[3] == {"class": "a", "id": "b"} and attrs[-2] == {"hidden": ""} and attrs[2:4] == [{}, attrs[3]]
    assert pickle.loads(pickle.dumps(attrs)) == list(attrs)
    with pytest.raises(IndexError):
        attrs[7]


def test_a_page_can_be_pickled_after_its_text_was_read():
    read = html.read_page("<p class=a>one <b>two</b></p>")
    assert read.visible_text(0) == "one two" and read.attrs[3]
    again = pickle.loads(pickle.dumps(read))
    assert again.visible_text(0) == "one two" and list(again.attrs) == list(read.attrs)


def test_rows_get_one_code_per_class_and_id():
    attrs = [{}, {"class": "a"}, {"id": "a"}, {"href": "/"}, {"class": "a", "title": "t"}]
    assert node_loops.label_codes(attrs) == ([0, 1, 2, 0, 1], [("", ""), ("a", ""), ("", "a")])


def test_codes_of_one_attribute_are_those_of_the_plain_rows():
    read = html.read_page(
        '<p class="a b">x<p class="b">y<i>z</i><p class="a b" id=k><p class="">w<p id="b">v<p class="b">u'
    )
    plain = node_loops.style_codes(list(read.attrs), frozenset({"class"}))
    assert page.attribute_codes(read, frozenset({"class"})).tolist() == plain
    assert [code for code in plain if code] == [1, 2, 1, 3, 2]
    assert not page.attribute_codes(read, frozenset({"itemprop"})).any()


def test_a_part_of_code_is_written_with_its_lines_once():
    code = html.read_page("<pre>a <b><i>x</i>\n    <i>y</i></b></pre>")
    (part,) = [i for i in range(len(code)) if code.name(i) == "b"]
    assert code.html(part) == "<b><i>x</i>\n<i>    y</i></b>"


@pytest.mark.parametrize("depth", [6, 20])
def test_a_page_with_just_as_many_nodes_as_are_allowed_ends_well(depth: int):
    markup = "<div>" * depth + "x<i></i> <!-- c --> "
    whole = html.read_page(markup)
    for _ in range(100):
        read = html.read_page(markup, limits=Limits(nodes=len(whole)))
        assert (read.end.tolist(), read.cuts) == (whole.end.tolist(), ())
