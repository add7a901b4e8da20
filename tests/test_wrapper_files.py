"""Wrapper files that somebody edited or made to hurt: each is a ``WrapperError`` that says what is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

import peneira
from peneira.errors import WrapperError
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
    wrapper["columns"][0]["xpath"] = f"./b[{'9' * 5000}]"


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
        loads(dumps(peneira.learn([LIST], kind="list")).replace('"version": 1', f'"version": {"9" * 5000}'))


def test_a_key_that_is_there_twice_is_refused():
    text = dumps(peneira.learn([LIST], kind="list"))
    with pytest.raises(WrapperError, match="the key 'kind' is there twice"):
        loads(text.replace('"kind":', '"kind": "detail", "kind":', 1))


@pytest.mark.parametrize(
    ("page", "kind"),
    [
        (b"<table><td>></table><table><td>a", "list"),
        (b'<table><td rowspan="4">)<r><b>l<tr><td>s<tr><td><p>', "list"),
        (b'<f">P', None),
    ],
)
def test_what_is_learned_from_a_broken_page_can_be_loaded_again(page: bytes, kind: str | None):
    wrapper = peneira.learn([page], kind=kind)
    assert loads(dumps(wrapper)) == wrapper
