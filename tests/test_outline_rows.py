"""The compiled reader of records and the plain one give the same outlines."""

from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import given

from generated import soup
from peneira.columns import outline
from peneira.columns.outline import OutlineBuilder
from peneira.result import Record
from peneira.sources.html import read_page

pytestmark = pytest.mark.skipif(outline.outline_scan is None, reason="the kernels are not compiled")


def outline_by(kernel: object, markup: str) -> list[object]:
    """Return the outlines of the children of the body, each taken for a record."""
    page = read_page(markup)
    records = [Record(((row, page.lists.end[row]),), "", "") for row in page.children(page.body)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outline, "outline_scan", kernel)
        made = OutlineBuilder(page).outline(records, {})
    return [made.signatures.signatures, *(getattr(made, item.name) for item in fields(made)[1:])]


@given(soup)
def test_compiled_and_plain_readers_agree_on_tag_soup(markup: str):
    assert outline_by(outline.outline_scan, markup) == outline_by(None, markup)


@pytest.mark.parametrize(
    "markup",
    [
        "<p>$<b>12</b><sup>.90</sup> <a href=/x>more<img src=a.jpg alt=A></a>",
        "<div><span class=a>4 beds</span><span class=b>2 baths</span> | <i>new</i><br>line</div>",
        "<div hidden><p>x</div><p><span><em>a</em><a href=b>c</a></span><input value=1><svg title=t></svg>",
        "text <b>bold</b> text<hr><ul><li>1<li>2</ul>",
        "<p><del aria-hidden=true>9€</del><span>was 9€.</span><ins aria-hidden=true>8€</ins><span>now 8€.</span></p>",
    ],
)
def test_compiled_and_plain_readers_agree(markup: str):
    assert outline_by(outline.outline_scan, markup) == outline_by(None, markup)
