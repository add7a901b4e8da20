"""Long pages are parsed part by part, and in the mode that their own doctype asks for."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from peneira.page import Page


@pytest.mark.parametrize("doctype", ["<!doctype html>", "", "<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 3.2//EN'>"])
def test_a_table_ends_a_paragraph_as_the_doctype_says(doctype: str):
    html = f"{doctype}<body><p>Prices<table><tr><td>1</table>{'<div>river</div>' * 1000}"
    page = Page.from_html(html)
    table = page.tag.tolist().index(page.tag_names.index("table"))
    parent = LexborHTMLParser(html).css_first("table").parent.tag
    assert page.name(int(page.parent[table])) == parent
