"""Wrapper files that somebody edited or made to hurt: each is a ``WrapperError`` that says what is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

import peneira
from peneira.errors import InputError, WrapperError
from peneira.wrappers.store import dumps, loads

LIST = "<ul>" + "".join(f"<li><b>Name {k}</b> <i>{k}.50 EUR</i></li>" for k in range(5)) + "</ul>"


def saved() -> dict:
    return json.loads(dumps(peneira.learn([LIST], kind="list")))


def set_baseline(wrapper: dict) -> None:
    wrapper["baseline"]["pages"] = 10**400


def set_shape(wrapper: dict) -> None:
    wrapper["records"]["shape"] = {"b": [1, 10**400]}


def set_number(wrapper: dict) -> None:
    wrapper["records"]["least"] = 10**400


def set_position(wrapper: dict) -> None:
    wrapper["columns"][0]["readings"][0]["xpath"] = f"./b[{'9' * 5000}]"


def set_decimal(wrapper: dict) -> None:
    wrapper["columns"][0]["notation"]["best"] = "1e999999"


def set_version(wrapper: dict) -> None:
    wrapper["version"] = 10**400


@pytest.mark.parametrize("change", [set_baseline, set_shape, set_number, set_position, set_decimal, set_version])
def test_a_number_beyond_all_bounds_is_refused(change: Callable[[dict], None]):
    wrapper = saved()
    change(wrapper)
    with pytest.raises(WrapperError) as caught:
        loads(json.dumps(wrapper))
    assert len(str(caught.value)) < 300


def test_a_number_of_5000_digits_is_refused():
    with pytest.raises(WrapperError):
        loads(dumps(peneira.learn([LIST], kind="list")).replace('"version": 2', f'"version": {"9" * 5000}'))


def test_a_key_that_is_there_twice_is_refused():
    text = dumps(peneira.learn([LIST], kind="list"))
    with pytest.raises(WrapperError, match="the key 'kind' is there twice"):
        loads(text.replace('"kind":', '"kind": "detail", "kind":', 1))


# As peneira wrote it before a column had several readings
FIRST_VERSION = """{"format": "peneira-wrapper", "version": 1, "kind": "list", "url": "",
"records": {"xpath": "//ul/li", "css": "ul > li", "stability": 0.8836, "nodes": 1, "others": [],
"shape": {"li": [1, 1], "li/b": [1, 1], "li/img": [0, 1]}, "least": 0.5, "skips": []},
"columns": [
{"name": "name", "caption": "name", "type": "text", "xpath": "./b", "css": "> b", "stability": 0.94, "label": "Name",
"list": false, "notation": {}, "confidence": 0.8, "fill": 1.0, "distinct": 1.0, "shapes": ["a 9"], "samples": ["1"]},
{"name": "image", "caption": "image", "type": "image", "xpath": "./img/@src", "css": "> img::attr(src)",
"stability": 0.94, "label": "", "list": false, "notation": {}, "confidence": 1.0, "fill": 1.0, "distinct": 1.0,
"shapes": [], "samples": []}],
"baseline": {"pages": 1, "fewest_records": 3, "most_records": 3}}"""


def test_a_file_of_the_first_version_is_read_as_before_and_written_as_the_second():
    wrapper = loads(FIRST_VERSION)
    page = (
        "<ul>" + "".join(f'<li><b>Name {k}</b><img src="/blank.gif" data-src="/{k}.png">' for k in range(3)) + "</ul>"
    )
    region = wrapper.extract(page).main
    assert region is not None
    assert [[cell and cell.text for cell in row] for row in region.table.rows] == [
        ["0", "/0.png"],
        ["1", "/1.png"],
        ["2", "/2.png"],
    ]
    assert json.loads(dumps(wrapper))["version"] == 2
    assert loads(dumps(wrapper)) == wrapper


def test_a_broken_file_of_the_first_version_is_an_error_that_says_where():
    with pytest.raises(WrapperError, match=r"columns\[0\]: surprise: is not known here"):
        loads(FIRST_VERSION.replace('"label": "Name"', '"surprise": 1'))


@pytest.mark.parametrize(
    ("page", "kind"),
    [
        (b"<table><td>></table><table><td>a", "list"),
        (b'<table><td rowspan="4">)<r><b>l<tr><td>s<tr><td><p>', "list"),
        (b'<f">P', None),
    ],
)
def test_what_is_learned_from_a_broken_page_can_be_loaded_again(page: bytes, kind: str | None):
    try:
        wrapper = peneira.learn([page], kind=kind)
    except InputError:  # nothing that could be saved
        return
    assert loads(dumps(wrapper)) == wrapper
