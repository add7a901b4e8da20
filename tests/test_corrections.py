"""Corrections of a user: kept in the wrapper, replayed on every page."""

from __future__ import annotations

import importlib.resources
import json
from dataclasses import replace
from decimal import Decimal

import jsonschema
import pytest

import peneira
from peneira.errors import ColumnError, WrapperError
from peneira.result import Region
from peneira.wrappers.corrections import (
    Corrections,
    Hide,
    Merge,
    Rename,
    Reorder,
    Retype,
    Show,
    SkipRecord,
    Split,
)
from peneira.wrappers.store import dumps, loads

TOWNS = ("", "Oslo", "Bergen", "Narvik")


def page(names: list[str]) -> str:
    items = "".join(
        f'<li class="job"><h3>{name}</h3><p class="town">{TOWNS[k]} Norway</p><p class="pay">{k}5</p></li>'
        for k, name in enumerate(names, 1)
    )
    return f"<ul>{items}</ul>"


FIRST, SECOND = page(["Cook", "Baker", "Clerk"]), page(["Nurse", "Guard", "Pilot"])


def learned() -> tuple[peneira.Wrapper, tuple[str, ...]]:
    """Return a wrapper of the first page and the names of its columns."""
    wrapper = peneira.learn([FIRST], kind="list")
    return wrapper, tuple(column.name for column in wrapper.columns)


def rows(region: Region | None) -> list[list[str | None]]:
    assert region is not None
    return [[cell and cell.text for cell in row] for row in region.table.rows]


def test_corrections_are_replayed_on_other_pages_after_saving():
    wrapper, (title, town, pay) = learned()
    steps = (
        Rename(title, "job"),
        Split(town, ("city", "country"), " "),
        Reorder(("country", "job")),
        Hide(pay),
        SkipRecord("Guard Bergen Norway 25"),
    )
    corrected = loads(dumps(replace(wrapper, corrections=Corrections(steps))))
    region = corrected.extract(SECOND).main
    assert [column.name for column in corrected.columns] == ["country", "job", "city"]
    assert rows(region) == [["Norway", "Nurse", "Oslo"], ["Norway", "Pilot", "Narvik"]]


def test_columns_are_merged_shown_again_and_retyped():
    wrapper, (title, town, pay) = learned()
    steps = (Hide(pay), Merge((title, town), "job", " in "), Show(pay), Retype(pay, "number"))
    region = replace(wrapper, corrections=Corrections(steps)).extract(SECOND).main
    assert region is not None
    assert rows(region)[0] == ["Nurse in Oslo Norway", "15"]
    assert region[0][pay].value == Decimal(15)


def test_a_type_that_cannot_be_read_leaves_the_text():
    wrapper, (title, _, _) = learned()
    region = replace(wrapper, corrections=Corrections((Retype(title, "date"),))).extract(SECOND).main
    assert region is not None
    assert (region[0][title].type, region[0][title].value) == ("text", "Nurse")


def test_a_correction_that_does_not_fit_is_refused_when_it_is_made():
    region = peneira.extract(FIRST).main
    assert region is not None
    name = region.columns[0].name
    with pytest.raises(ColumnError, match="no such column"):
        Corrections().add(Hide("nothing"), region)
    with pytest.raises(ColumnError, match="two columns"):
        Corrections().add(Rename(name, region.columns[1].name), region)
    corrections = Corrections().add(Rename(name, "job"), region).add(Hide("job"), region)
    assert len(corrections) == 2
    assert corrections.undo() == Corrections((Rename(name, "job"),))


def test_corrections_of_missing_columns_change_nothing():
    region = peneira.extract(FIRST).main
    assert region is not None
    steps = (Rename("x", "y"), Retype("x", "date"), Merge(("x", "z"), "y"), Split("x", ("a", "b"), ","), Show("x"))
    assert Corrections(steps).apply(region).table == region.table


@pytest.mark.parametrize(
    "entry",
    [
        {"kind": "explode", "column": "a"},
        {"kind": "hide"},
        {"kind": "hide", "column": 3},
        {"kind": "hide", "column": "a", "more": 1},
        {"kind": "retype", "column": "a", "type": "records"},
        {"kind": "reorder", "columns": []},
        "hide",
    ],
)
def test_an_edited_correction_is_an_error_that_says_where(entry: object):
    document = json.loads(dumps(peneira.learn([FIRST], kind="list")))
    document["corrections"] = [entry]
    with pytest.raises(WrapperError, match="correction 1"):
        loads(json.dumps(document))


def test_saved_corrections_fit_the_schema():
    schema = json.loads(importlib.resources.files("peneira.wrappers").joinpath("wrapper.schema.json").read_text())
    wrapper, (title, town, pay) = learned()
    steps = (
        Rename(title, "job"),
        Hide("job"),
        Show("job"),
        Retype(pay, "number"),
        Reorder((pay,)),
        Merge(("job", town), "both"),
        Split("both", ("a", "b"), " "),
        SkipRecord("x" * 500),
    )
    text = dumps(replace(wrapper, corrections=Corrections(steps)))
    jsonschema.validate(json.loads(text), schema)
    assert dumps(loads(text)) == text
