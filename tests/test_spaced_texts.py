"""Texts of elements side by side have a space between them, by the kernel and in plain Python."""

from __future__ import annotations

import pytest

from peneira.columns.spaced_texts import spaced_text
from peneira.sources.html import read_page
from twins import without_kernels

CASES = [
    ("<p><b class=x>4 beds</b><b class=y>2 baths</b></p>", "4 beds 2 baths"),
    ("<p><b class=x>4</b>, <b class=y>2</b></p>", "4, 2"),
    ("<p><i>in</i><b>side</b></p>", "inside"),  # formatting within a word
    ("<p><span class=a>$549</span><sup>00</sup></p>", "$549 00"),
    ("<p><span class=a>one</span><span class=b hidden>two</span><span class=c>three</span></p>", "one three"),
    ("<p><span class=a>only</span></p>", "only"),
    ("<p><span class=a>a</span><span class=b>b</span><span class=c>c\n d</span></p>", "a b c d"),
]


def spaced(html: str) -> str:
    page = read_page(html.encode())
    row = next(i for i in range(len(page)) if page.name(i) == "p")
    return spaced_text(page, row, page.text_of(row))


@pytest.mark.parametrize(("html", "text"), CASES)
def test_texts_side_by_side_are_set_apart(html: str, text: str) -> None:
    assert spaced(html) == text
    with without_kernels():
        assert spaced(html) == text
