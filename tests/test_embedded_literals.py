"""JSON and literals of JavaScript, read as data."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from peneira.budget import Budget
from peneira.embedded.literals import MAX_DEPTH, Name, _Scanner, read_json, read_literal
from peneira.embedded.payloads import with_arguments, without_references
from peneira.errors import LimitExceeded
from peneira.limits import Limits


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1, 2.50, "x"]}', {"a": ["1", "2.50", "x"]}),
        (
            "{a: 'it\\'s', \"b\": !0, c: !1, d: undefined, e: void 0}",
            {"a": "it's", "b": True, "c": False, "d": None, "e": None},
        ),
        ("[1, 2,]", ["1", "2"]),
        ('{"a": 1,}', {"a": "1"}),
        ("{a: 1, /* note */ b: 2 // end\n}", {"a": "1", "b": "2"}),
        ("{a: f(1, [2]), b: 3}", {"a": None, "b": "3"}),
        ("{a: function() { return {x: '}'}; }, b: 3}", {"a": None, "b": "3"}),
        ("{a: 'x' + y, b: [1].concat(z), c: 3}", {"a": None, "b": None, "c": "3"}),
        ("{a: `plain`, b: `${x}`}", {"a": "plain", "b": None}),
        (r"{a: '\u00e9\x41\u{1f600}'}", {"a": "éA😀"}),
        (r"""{a: JSON.parse('{"b": "\\u00e9"}')}""", {"a": {"b": "é"}}),
        ("{a: .5, b: -3, c: 0xFF}", {"a": ".5", "b": "-3", "c": "0xFF"}),
        ('<!-- {"a": 1} -->', {"a": "1"}),
        ('<![CDATA[ {"a": 1} ]]>', {"a": "1"}),
        ('{"a": "line\nbreak"}', {"a": "line\nbreak"}),
        (r'{"a": "\ud800"}', {"a": "\ufffd"}),
        (r"{a: '\ud83d\ude00\ud800'}", {"a": "😀\ufffd"}),
        ("{a: b}", {"a": Name("b")}),
        ("", None),
    ],
)
def test_literals(text, value):
    assert read_json(text) == value


def test_a_literal_that_is_cut_off_gives_what_stands_before():
    assert read_json('{"a": [{"b": 1}, {"c": "hel') == {"a": [{"b": "1"}, {"c": "hel"}]}


def test_what_follows_a_literal_is_not_part_of_it():
    text = "x = {a: 1}; y = {b: 2}"
    literal = read_literal(text, 4)
    assert (literal.value, text[literal.end :]) == ({"a": "1"}, "; y = {b: 2}")


def test_deep_nesting_is_read_over():
    value = read_json("[" * 200_000 + "1")
    depth = 0
    while isinstance(value, list):
        value, depth = (value[0] if value else None), depth + 1
    assert depth == MAX_DEPTH


def test_numbers_keep_their_digits():
    digits = "9" * 10_000
    assert read_json(f"[{digits}]") == [digits]


@pytest.mark.parametrize(
    "hostile",
    [
        "{a:" * 50_000,
        '{"a' * 50_000,
        "[/*" * 50_000,
        "{a:'" * 50_000,
        "{a:f(" * 50_000,
        "{,}" * 50_000,
        "[`${" * 50_000,
    ],
)
def test_hostile_literals_end(hostile):
    assert read_literal(hostile).end <= len(hostile)


def test_the_clock_is_read_while_values_and_expressions_are():
    with Budget(Limits(seconds=1e-9)).running():
        with pytest.raises(LimitExceeded):
            read_literal("[" * 1000)
        with pytest.raises(LimitExceeded):
            _Scanner("(" * 1000)._end_of_expression(0)


@given(st.text(alphabet="{}[]()\"'`\\:,;/*-!a1.x \n$", max_size=200))
def test_anything_can_be_read(text):
    assert 0 <= read_literal(text).end <= len(text)


def test_indexes_into_the_same_array_are_resolved():
    packed = read_json('[["Reactive",1],{"items":2,"when":5},[3,3,9],{"name":4},"Lamp",["Date","2024-05-01"]]')
    assert without_references(packed) == {"items": [{"name": "Lamp"}, {"name": "Lamp"}, None], "when": "2024-05-01"}


def test_an_array_that_refers_to_itself_is_read():
    state = without_references(read_json('[{"self":0}]'))
    assert isinstance(state, dict)
    assert state["self"] is state


def test_arguments_of_a_call_take_the_place_of_its_parameters():
    assert with_arguments(read_json("{a: x, b: [y, z]}"), ["x", "y"], ["1", None]) == {"a": "1", "b": [None, None]}
