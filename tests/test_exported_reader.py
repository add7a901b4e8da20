"""The module that ``peneira export --as scrapy`` writes: its reader, used here without an export."""

from __future__ import annotations

import ast
from dataclasses import fields
from pathlib import Path

import parsel
import pytest

import peneira
from peneira.wrappers import exported_reader
from peneira.wrappers.export import scrapy_module, site_data
from peneira.wrappers.exported_reader import Site, element_counts, page_of, read, shape_similarity, text_of
from test_wrappers import DETAIL, LIST, OFFERS, film, shop, values

TWO_FILMS = "<ul><li><a href='/up'>Up</a> <i>2009</i></li><li><a href='#'>Her</a></li></ul><ul><li>Menu</li></ul>"
FILMS = Site(
    columns=[
        ("title", [("./a", "", None)], False, False, []),
        ("url", [("./a/@href", "", None)], False, False, []),
        ("words", [(".//text()", "", None)], True, False, []),
    ],
    core=["title"],
    records=[["//li"]],
    shape={"li": (1, 1), "li/a": (1, 1)},
    min_score=1.5,
    separators=" ,",
    max_counted=20,
    min_parts=8,
)


def element(html: str) -> object:
    return parsel.Selector(text=html).xpath("//body/*")[0].root


def test_records_are_read_and_what_is_not_shaped_like_one_is_left_out():
    assert list(read(parsel.Selector(text=TWO_FILMS), "https://a.example/list", FILMS)) == [
        {"title": "Up", "url": "https://a.example/up", "words": ["Up", "2009"]},
        {"title": "Her", "url": None, "words": ["Her"]},
    ]


def test_a_detail_page_is_one_record():
    site = Site(
        columns=[("year", [("//p", "Year:", None)], False, False, []), ("price", [("//b", "", None)], False, False, [])]
    )
    assert list(read(parsel.Selector(text="<p>Year: 2009</p>"), site=site)) == [{"year": "2009", "price": None}]


def test_a_page_without_the_core_columns_gives_nothing():
    site = Site(columns=[("year", [("//p", "", None)], False, False, [])], core=["year"], min_core=0.34)
    assert list(read(parsel.Selector(text="<i>other</i>"), site=site)) == []


def test_records_of_several_siblings_are_joined():
    site = Site(
        columns=[("word", [("./dt", "", None)], False, False, []), ("meaning", [("./dd", "", None)], False, False, [])],
        records=[["//dt"]],
        max_nodes=2,
    )
    page = parsel.Selector(text="<dl><dt>a<dd>first<dt>b<dd>second</dl>")
    assert list(read(page, site=site)) == [{"word": "a", "meaning": "first"}, {"word": "b", "meaning": "second"}]


def test_the_shape_of_an_element_leaves_out_what_only_some_parsers_insert():
    table = element("<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>")
    assert element_counts(table, 5) == {"table": 1, "table/tr": 1, "table/tr/td": 2}
    assert shape_similarity(Site(shape={"table": (1, 1), "table/tr": (2, 2)}, max_counted=20), table) == 2 / 3


def test_texts_of_blocks_are_separated_and_scripts_are_silent():
    site = Site(inline_tags={"b"}, silent_tags={"script"})
    assert text_of(site, element("<div><p>a<b>b</b></p><script>x</script><p>c</p></div>")).split() == ["ab", "c"]


def test_a_page_is_built_as_browsers_build_it_where_markup_is_broken():
    html = "<table><tr><td>a</td></tr><div class=x>b</div></table>"  # browsers move the div before the table
    assert [node.tag for node in page_of(html).root.find("body")] == ["div", "table"]
    assert [node.tag for node in parsel.Selector(text=html).root.find("body")] != ["div", "table"]


def test_texts_that_a_comment_separates_stay_two():
    assert page_of("<p>a<!-- x -->b &amp; c\x01</p>").xpath("//p/text()").getall() == ["a", "b & c "]


def test_the_module_does_not_import_peneira():
    tree = ast.parse(Path(exported_reader.__file__).read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    own = {"collections.abc", "copy", "dataclasses", "lxml", "parsel", "re", "typing", "urllib.parse"}
    assert imported == own | {"selectolax.lexbor"}


@pytest.mark.parametrize("wrapper", [DETAIL, LIST])
def test_the_exported_module_is_the_reader_with_the_data_of_the_wrapper(wrapper: peneira.Wrapper):
    module = scrapy_module(wrapper)
    names: dict[str, object] = {"__name__": "exported"}
    exec(compile(module, "exported.py", "exec", dont_inherit=True), names)
    assert vars(names["SITE"]) == vars(Site(**site_data(wrapper)))  # type: ignore[arg-type]
    assert "\nSITE = Site()\n" not in module and module == scrapy_module(wrapper)


def test_the_data_of_a_list_set_every_field():
    assert list(site_data(LIST)) == [each.name for each in fields(Site)]


@pytest.mark.parametrize(
    ("wrapper", "page"), [(DETAIL, film("Heat", "1995", "$10.00", ("Crime", "Drama"))), (LIST, shop(OFFERS[:5]))]
)
def test_the_reader_gives_the_values_of_the_wrapper(wrapper: peneira.Wrapper, page: str):
    site = Site(**site_data(wrapper))  # type: ignore[arg-type]
    rows = read(parsel.Selector(text=page), site=site)
    assert [{name: value for name, value in row.items() if value is not None} for row in rows] == values(wrapper, page)
