"""G-STM: the wrapper generator by generalised tree matching (Jindal and Liu 2010; Moura 2018).

A page is matched with itself: children that are alike have one symbol, strings of symbols make grammars, grammars read
the page into nested tuples and lists, and the longest list of tuples is the main one. Two rules say which tuples those
may be: the published one, and a wider one, which also joins lists that something interrupts.
"""

from __future__ import annotations

from collections.abc import Sequence

from peneira.methods.findings import Findings
from peneira.page import Page
from peneira.templates.data_lists import PUBLISHED_RULE, WIDE_RULE, MainListRule, regions_of
from peneira.templates.page_data import extract_data
from peneira.templates.template import Template, gstm_child_model, learn_page_template


def find_regions(page: Page, rule: MainListRule = WIDE_RULE) -> Findings:
    """Return the lists of a page, the main one first."""
    if not len(page):
        return Findings([])
    template, (shapes,) = learn([page])
    reading = extract_data(template, page, shapes)
    return Findings(regions_of(page, reading.data, rule), template.matcher.cuts)


def find_by_published_rule(page: Page) -> Findings:
    """Return the same where the main list is chosen as published."""
    return find_regions(page, PUBLISHED_RULE)


def learn(pages: Sequence[Page]) -> tuple[Template, list[list[int]]]:
    """Return the template of pages of one kind, and the shapes of the rows of each page."""
    return learn_page_template(pages, gstm_child_model)
