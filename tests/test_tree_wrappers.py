"""Wrappers of the published methods: saved, loaded, checked and healed as those of selectors are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import peneira
from peneira.errors import ArgumentError, WrapperError
from peneira.wrappers.export import exported
from peneira.wrappers.store import dumps, loads

METHODS = ("gstm", "fivatech")


def film(title: str, year: int, genres: list[str]) -> str:
    items = "".join(f"<li>{genre}</li>" for genre in genres)
    return f"<h1>{title}</h1><table><tr><th>Year</th><td>{year}</td></tr></table><ul>{items}</ul><p>All films</p>"


def shop(*names: str) -> str:
    rows = "".join(
        f"<li><b>{name}</b><i>{len(name)} euro</i><u>{name[:2]} {k}</u></li>" for k, name in enumerate(names)
    )
    return f"<h1>Shop</h1><ul>{rows}</ul>"


FILMS = [
    film("Up", 2009, ["Animation", "Drama"]),
    film("Her", 2013, ["Drama", "Romance"]),
    film("Big", 1988, ["Comedy"]),
]
SHOPS = [shop("Fork", "Knife", "Spoon", "Cup"), shop("Mug", "Plate", "Bowl")]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("pages", "page"), [(FILMS, film("Heat", 1995, ["Crime"])), (SHOPS, shop("Pan", "Pot", "Jar"))]
)
def test_a_saved_template_reads_as_before(method: str, pages: list[str], page: str, tmp_path: Path):
    wrapper = peneira.learn(pages, method=method)
    wrapper.save(tmp_path / "wrapper.json")
    loaded = peneira.Wrapper.load(tmp_path / "wrapper.json")
    assert dumps(loaded) == dumps(wrapper)
    first, again = wrapper.extract(page).main, loaded.extract(page).main
    assert first is not None and again is not None
    assert again.records == first.records


@pytest.mark.parametrize("method", METHODS)
def test_a_page_of_another_template_gives_nothing(method: str):
    wrapper = loads(dumps(peneira.learn(FILMS, method=method, kind="detail")))
    assert wrapper.check(FILMS).verdict == "ok"
    assert wrapper.check("<form><input></form>").verdict != "ok"


@pytest.mark.parametrize("method", METHODS)
def test_a_template_is_learned_again_under_its_old_names(method: str):
    wrapper = loads(dumps(peneira.learn(FILMS, method=method, kind="detail")))
    changed = [f"<main class=new>{page}</main>" for page in FILMS]
    healing = wrapper.heal(changed)
    assert healing.accepted
    before, after = wrapper.extract(FILMS[0]).main, healing.wrapper.extract(changed[0]).main
    assert before is not None and after is not None
    texts = {name: cell.text for name, cell in before.records[0].fields.items()}
    assert {name: cell.text for name, cell in after.records[0].fields.items()} == texts
    assert loads(dumps(healing.wrapper)).check(changed).verdict == "ok"


def test_a_template_cannot_be_exported_and_says_so():
    with pytest.raises(ArgumentError, match="a wrapper by gstm reads pages by a template of trees"):
        exported(peneira.learn(FILMS, method="gstm"), "scrapy")


def broken(key: str, value: object) -> str:
    document = json.loads(dumps(peneira.learn(FILMS, method="gstm", kind="detail")))
    document["template"][key] = value
    return json.dumps(document)


def broken_model(**changes: object) -> str:
    document = json.loads(dumps(peneira.learn(FILMS, method="gstm", kind="detail")))
    document["template"]["models"][0].update(changes)
    return json.dumps(document)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (broken("shapes", ["#text", "p 5"]), "shapes: '5' has a number that leads nowhere"),
        (broken("shapes", ["p", "p"]), "is there twice"),
        (broken("nodes", []), "a template has at least one node"),
        (broken("list", ["a"]), "list: is a list of whole numbers"),
        (broken("common", [["a"]]), "pairs of attribute and text"),
        (broken("surprise", 1), "surprise: is not known here"),
        (broken_model(expression="0 &9"), "is no part of an expression"),
        (broken_model(expression="0 0 &2"), "leads nowhere"),
        (broken_model(symbols="0:99999"), "leads nowhere"),
        (broken_model(count=77), "one node for each symbol"),
    ],
)
def test_an_edited_template_is_an_error_that_states_where(text: str, message: str):
    with pytest.raises(WrapperError, match=message):
        loads(text)
