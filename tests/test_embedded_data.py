"""What a page says about itself, in one form."""

from __future__ import annotations

import json

import pytest

from peneira.embedded.embedded_data import described_data, described_lists, embedded_data, state_lists
from peneira.embedded.items import EmbeddedList
from peneira.page import Page
from peneira.sources.html import read_page


def lists_of(html: str) -> dict[str, list[dict[str, object]]]:
    """Return the properties of the items of each list, by source and path."""
    return {name(embedded): [dict(item.properties) for item in embedded.items] for embedded in data_of(html).lists}


def name(embedded: EmbeddedList) -> str:
    return f"{embedded.source} {embedded.path}"


def data_of(html: str):
    return embedded_data(Page.from_html(html))


def json_ld(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


def script(text: str) -> str:
    return f"<script>{text}</script>"


LAMPS = [{"name": "Lamp", "url": "/1"}, {"name": "Chair", "url": "/2"}]


def test_the_elements_of_a_json_ld_list_are_the_things_in_it():
    html = json_ld(
        """{"@context": "https://schema.org", "@type": "ItemList", "itemListElement": [
        {"@type": "ListItem", "position": 1, "item": {"@type": "Product", "name": "Lamp", "offers": {"price": 12.50}}},
        {"@type": "ListItem", "position": 2, "item": {"@type": "Product", "name": "Chair", "offers": [{"price": "30"}]}}
        ]}"""
    )
    assert lists_of(html) == {
        "json-ld ItemList.itemListElement": [
            {"name": "Lamp", "offers.price": "12.50"},
            {"name": "Chair", "offers.price": "30"},
        ]
    }


def test_a_graph_with_references():
    html = json_ld(
        """{"@graph": [{"@type": "Event", "name": "A", "location": {"@id": "#hall"}}, {"@type": "Event", "name": "B"},
        {"@id": "#hall", "@type": "Place", "name": "Hall"}]}"""
    )
    first, second = lists_of(html)["json-ld Event"]
    assert first == {"name": "A", "location.@id": "#hall", "location.name": "Hall"}
    assert second == {"name": "B"}


def test_things_of_several_scripts_are_one_list():
    html = "".join(json_ld(json.dumps({"@type": "Product", **lamp})) for lamp in LAMPS)
    assert lists_of(html) == {"json-ld Product": LAMPS}


@pytest.mark.parametrize(
    "broken",
    ['[{"@type":"A","n":"1"},{"@type":"A","n":"2"},]', '<!--\n[{"@type":"A","n":"1"},{"@type":"A","n":"2"}]\n-->'],
)
def test_broken_json_ld_is_read(broken):
    assert lists_of(json_ld(broken)) == {"json-ld A": [{"n": "1"}, {"n": "2"}]}


def test_breadcrumbs_are_no_list():
    assert lists_of(json_ld('{"@type": "BreadcrumbList", "itemListElement": [{"name": "a"}, {"name": "b"}]}')) == {}


def test_microdata_with_things_within_things():
    html = """<ul><li itemscope itemtype="https://schema.org/Product"><b itemprop="name">Lamp</b>
      <span itemprop="offers" itemscope><meta itemprop="priceCurrency" content="EUR"><i itemprop="price">12</i></span>
    <li itemscope itemtype="https://schema.org/Product"><b itemprop="name">Chair</b><a itemprop="url" href="/2">x</a>
    </ul>"""
    assert lists_of(html)["microdata Product"] == [
        {"name": "Lamp", "offers.priceCurrency": "EUR", "offers.price": "12"},
        {"name": "Chair", "url": "/2"},
    ]


def test_rdfa():
    html = """<p vocab="https://schema.org/" typeof="Person"><b property="name">Ada</b></p>
    <p typeof="schema:Person"><b property="schema:name" content="Alan">A.</b></p>"""
    assert lists_of(html) == {"rdfa Person": [{"name": "Ada"}, {"name": "Alan"}]}


def test_opengraph_and_meta():
    html = '<meta property="og:type" content="product"><meta name="Author" content="Ada"><meta name="empty" content="">'
    (item,) = data_of(html).items
    assert (item.type, dict(item.properties), item.source) == (
        "product",
        {"og:type": "product", "author": "Ada"},
        "opengraph",
    )


STATE = json.dumps({"props": {"items": LAMPS}})
CODE = "{props:{items:[{name:'Lamp',url:'/1'},{name:'Chair',url:'/2',},]}}"


@pytest.mark.parametrize(
    ("html", "path"),
    [
        (f'<script id="__NEXT_DATA__" type="application/json">{STATE}</script>', "__NEXT_DATA__.props.items"),
        (script(f"window.__STATE__ = {STATE};"), "__STATE__.props.items"),
        (script(f"var a = 1; var state={CODE}; go(state)"), "state.props.items"),
        (script(f'window["state"]={CODE}'), "state.props.items"),
        (script(f"x = JSON.parse({json.dumps(STATE)});"), "x.props.items"),
        (script(f"store.push({STATE})"), "store.push.props.items"),
        (
            script(
                "window.__NUXT__=(function(a,b){return {items:[{name:a,url:'/1'},{name:b,url:'/2'}]}}('Lamp','Chair'));"
            ),
            "__NUXT__.items",
        ),
        (
            '<script type="application/json" id="__NUXT_DATA__">[{"items":1},[2,5],{"name":3,"url":4},"Lamp","/1",'
            '{"name":6,"url":7},"Chair","/2"]</script>',
            "__NUXT_DATA__.items",
        ),
        (
            script("(self.__next_f=self.__next_f||[]).push([0])")
            + script(f"self.__next_f.push([1,{json.dumps('1:I[9]' + chr(10) + '2:T3,abc' + '3:' + STATE[:20])}])")
            + script(f"self.__next_f.push([1,{json.dumps(STATE[20:] + chr(10))}])"),
            "3.props.items",
        ),
    ],
)
def test_state_of_scripts(html, path):
    assert lists_of(html) == {f"script-state {path}": LAMPS}


def test_arrays_at_the_same_path_are_one_list():
    state = {"groups": [{"id": "a", "items": [LAMPS[0]]}, {"id": "b", "items": [LAMPS[1]]}]}
    assert lists_of(script(f"x = {json.dumps(state)}"))["script-state x.groups.items"] == LAMPS


def test_code_is_not_run_and_gives_nothing():
    assert lists_of(script("window.x = [{toString(){ throw 1 }}]; while(true){}; f([{a: alert(1)}])")) == {}


def test_objects_that_are_not_alike_are_no_list():
    assert lists_of(script('x = [{"a": 1, "b": 2}, {"c": 3, "d": 4}, {"e": 5, "f": 6}]')) == {}


@pytest.mark.parametrize(
    "text",
    [
        "x=[{" * 20_000,
        "x=(function(a){return [{" * 5_000,
        'x=[{"a":' * 20_000,
        "[{a=JSON.parse('" * 20_000,
        "[{" + "=(" * 100_000,
        "self.__next_f.push([1,'1:[" + "[" * 100_000 + "'])",
        "__next_f" * 20_000,
    ],
)
def test_hostile_scripts_give_a_result(text):
    assert data_of(script(text)).items == ()


def test_hostile_json_ld_gives_a_result():
    deep = '{"@type":"A","a":' * 3_000
    assert [item.type for item in data_of(json_ld(deep)).items] == ["A"]


def test_thousands_of_nested_scopes():
    html = '<div itemscope itemprop="a"><b itemprop="x">1</b>' * 2_000
    assert len(data_of(html).items) == 1


def test_lists_of_fewer_items_than_wanted_are_not_made():
    scripts = (
        '<script>var few = [{"name": "A", "id": 1}, {"name": "B", "id": 2}];</script>'
        '<script>var many = [{"name": "A", "id": 1}, {"name": "B", "id": 2}, {"name": "C", "id": 3}];</script>'
    )
    page = read_page(scripts)
    assert [(found.path, len(found.items)) for found in state_lists(page)] == [("few", 2), ("many", 3)]
    assert [(found.path, len(found.items)) for found in state_lists(page, min_items=3)] == [("many", 3)]


def test_objects_that_a_script_writes_once_and_uses_often_count_as_often():
    script = "<script>window.a = (function(a){return [a, a, a]})({name: 'A', id: 1});</script>"
    page = read_page(script)
    assert state_lists(page, min_items=3) == [found for found in state_lists(page) if len(found.items) >= 3]


SEVERAL_SCRIPTS = "".join(
    f'<script type="application/ld+json">{{"@type": "Product", "name": "Chair {k}"}}</script>' for k in range(3)
)
MARKED = "".join(
    f"<p itemscope itemtype=https://schema.org/Product><b itemprop=name>Lamp {k}</b></p>" for k in range(3)
)


@pytest.mark.parametrize("markup", [SEVERAL_SCRIPTS, MARKED])
def test_lists_that_are_large_enough_are_those_of_the_whole_description(markup: str) -> None:
    page = read_page(markup.encode())
    everything = list(described_data(page).lists)
    assert [len(found.items) for found in everything] == [3]
    assert described_lists(page) == described_lists(page, min_items=3) == everything
    assert described_lists(page, min_items=4) == []


def test_a_large_enough_list_with_the_entities_of_an_attribute_is_read() -> None:
    things = ", ".join("{&quot;@type&quot;: &quot;Product&quot;, &quot;name&quot;: &quot;A&quot;}" for _ in range(3))
    page = read_page(f'<script type="application/ld+json">{{&quot;@graph&quot;: [{things}]}}</script>'.encode())
    assert [len(found.items) for found in described_lists(page, min_items=3)] == [3]
