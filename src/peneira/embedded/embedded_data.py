"""All embedded data of a page in one form."""

from __future__ import annotations

from peneira.embedded.annotations import MICRODATA, RDFA, read_annotations
from peneira.embedded.flat_properties import flat_properties
from peneira.embedded.items import EmbeddedData, EmbeddedItem, EmbeddedList
from peneira.embedded.json_ld import read_json_ld
from peneira.embedded.page_metadata import page_metadata
from peneira.embedded.record_arrays import record_arrays
from peneira.embedded.script_data import json_ld_values, state_values
from peneira.page import Page

MAX_STATE_LISTS = 400
# Objects of script state that become items, over all lists of a page
MAX_STATE_ITEMS = 20_000


def embedded_data(page: Page) -> EmbeddedData:
    """Return what the page says about itself. Time is linear in the page; nothing is run, and nothing raises."""
    described = described_data(page)
    return EmbeddedData(described.items, (*described.lists, *state_lists(page)))


def described_data(page: Page) -> EmbeddedData:
    """Return what the page says in the words of schema.org and OpenGraph, without the state of its scripts."""
    items, lists = read_json_ld(json_ld_values(page))
    for vocabulary in (MICRODATA, RDFA):
        marked_items, marked_lists = read_annotations(page, vocabulary)
        items.extend(marked_items)
        lists.extend(marked_lists)
    metadata = page_metadata(page)
    items.extend([metadata] if metadata else [])
    return EmbeddedData(tuple(items), tuple(lists))


def described_lists(page: Page, *, min_items: int = 0) -> list[EmbeddedList]:
    """Return the lists of that; those of fewer items may be missing."""
    _, lists = read_json_ld(json_ld_values(page, min_objects=min_items))
    for vocabulary in (MICRODATA, RDFA):
        lists.extend(read_annotations(page, vocabulary, min_items=min_items)[1])
    return lists


def state_lists(page: Page, *, min_items: int = 0) -> list[EmbeddedList]:
    """Return the arrays of similar objects in the state of the scripts. ``min_items``: only those with as many."""
    lists: list[EmbeddedList] = []
    items_left = MAX_STATE_ITEMS
    for value in state_values(page, min_objects=min_items):
        for path, objects in record_arrays(value.value, value.name):
            if len(lists) >= MAX_STATE_LISTS or items_left <= 0:
                return lists
            items_left -= len(objects)
            if len(objects) < min_items:
                continue
            items = tuple(EmbeddedItem("", flat_properties(entry), "script-state", value.row) for entry in objects)
            lists.append(EmbeddedList(items, "script-state", path))
    return lists
