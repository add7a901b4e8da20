"""The garbage collector rests while a page is extracted, and is as it was afterwards."""

from __future__ import annotations

import gc
import weakref

import pytest

import peneira
from peneira.collection_pause import paused_collection
from peneira.errors import PeneiraError
from peneira.page import node_columns
from peneira.sources.html import read_page


def test_the_collector_is_off_inside_and_on_again_after_an_error() -> None:
    states = []
    with pytest.raises(ValueError, match="page"), paused_collection():
        states.append(gc.isenabled())
        raise ValueError("page")
    assert [*states, gc.isenabled()] == [False, True]


def test_a_collector_that_a_program_turned_off_stays_off() -> None:
    gc.disable()
    try:
        with paused_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_an_extraction_leaves_the_collector_on() -> None:
    peneira.extract("<ul><li>One<li>Two<li>Three</ul>")
    assert gc.isenabled()
    with pytest.raises(PeneiraError):
        peneira.extract("<p>", method="none of ours")
    assert gc.isenabled()


@pytest.mark.skipif(node_columns is None, reason="the kernels are not compiled")
def test_the_collector_does_not_visit_the_long_lists_of_a_page() -> None:
    page = read_page(b"<ul><li class=a>One<li class=b>Two</ul>")
    assert not any(map(gc.is_tracked, (page.text, page.spaced, *page.lists)))


def test_a_page_that_nobody_needs_is_collected() -> None:
    page = read_page(b"<ul><li class=a>One<li class=b>Two<li>Three</ul>")
    result = peneira.extract(page)
    assert result.main is not None
    cells = [cell for row in result.main.full_table.rows for cell in row if cell is not None]
    assert [(cell.text, cell.xpath != "") for cell in cells][:1] == [("One", True)]
    assert result.reasons and result.paging is not None and result.main.xpath
    # cells, which the collector does not visit where a kernel made them, lead to the paths of the page alone
    left = weakref.ref(page), weakref.ref(page.paths)
    del page, result, cells
    gc.collect()
    assert [each() for each in left] == [None, None]
