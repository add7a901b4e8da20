"""G-STM: the wrapper generator by generalised tree matching (Jindal and Liu 2010; Moura 2018).

A page is matched with itself: children that are alike have one symbol, strings of symbols make grammars, grammars read
the page into nested tuples and lists, and the longest list of tuples is the main one.
"""

from __future__ import annotations

from collections.abc import Sequence

from peneira.methods.findings import Findings
from peneira.page import Page
from peneira.trees.scores import PUBLISHED, Matcher, Thresholds
from peneira.trees.shapes import Forest
from peneira.wrappers.lists import regions_of
from peneira.wrappers.reading import read_data
from peneira.wrappers.template import Template, gstm_level, learn_template


def find_regions(page: Page) -> Findings:
    """Return the lists of a page, the main one first."""
    if not len(page):
        return Findings([])
    template, (shapes,) = learn([page])
    reading = read_data(template, page, shapes)
    return Findings(regions_of(page, reading.data), template.matcher.cuts)


def learn(pages: Sequence[Page], thresholds: Thresholds = PUBLISHED) -> tuple[Template, list[list[int]]]:
    """Return the template of pages of one kind, and the shapes of the rows of each page."""
    forest = Forest()
    shapes = [forest.add(page) for page in pages]
    matcher = Matcher(forest, thresholds=thresholds)
    roots = [rows[page.body] for page, rows in zip(pages, shapes, strict=True) if len(page)]
    return learn_template(matcher, roots, gstm_level), shapes
