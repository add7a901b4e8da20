"""G-STM: the wrapper generator by generalised tree matching (Jindal and Liu 2010; Moura 2018).

A page is matched with itself: similar children get the same symbol, grammars are induced from strings of symbols, the
page is parsed with the grammars into nested tuples and lists, and the longest list of tuples is the main one. There are
two rules for which tuples count: the published one, and a wider one, which also joins lists that something interrupts.
"""

from __future__ import annotations

from collections.abc import Sequence

from peneira.findings import Findings
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
    """Return the lists of a page, the main one chosen by the published rule and first."""
    return find_regions(page, PUBLISHED_RULE)


def learn(pages: Sequence[Page]) -> tuple[Template, list[list[int]]]:
    """Return the template of pages of the same kind, and the shapes of the rows of each page."""
    return learn_page_template(pages, gstm_child_model)
