"""The second front door: pages of one template in, a wrapper out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, overload

from peneira.errors import InputError, UnknownMethod
from peneira.extraction import extract
from peneira.lazy import load
from peneira.limits import DEFAULT_LIMITS, Limits
from peneira.page import Page
from peneira.result import Region
from peneira.sources.html import read_page
from peneira.templates.page_data import extract_data
from peneira.templates.template import Template
from peneira.templates.tree_wrapper import TreeWrapper, learn_wrapper
from peneira.wrappers.detail_pages import learn_details
from peneira.wrappers.list_pages import learn_lists
from peneira.wrappers.wrapper import Kind, Wrapper, has_content
from peneira.xpath.anchors import Anchors
from peneira.xpath.finder import Finder, normalised

DEFAULT_LEARNER = "auto"
# A page is a list page if its list holds so much of the text that differs from page to page, less if it is long
MIN_LIST_SHARE = 0.6
MIN_LONG_LIST_SHARE = 0.4
LONG_LIST = 6
# One page alone is a list page if its list is trusted so much
MIN_TRUST = 0.5

Learn = Callable[[Sequence[Page]], tuple[Template, list[list[int]]]]
Source = bytes | str | Path | Page


# The published ways to learn a template, imported when they are asked for
TREE_LEARNERS = {"gstm": "peneira.methods.gstm:learn", "fivatech": "peneira.methods.fivatech:learn"}


def learners() -> tuple[str, ...]:
    """Return the names of all ways to learn, the default first."""
    return (DEFAULT_LEARNER, *TREE_LEARNERS)


def tree_learner(name: str) -> Learn:
    """Return a published way to learn a template."""
    learn: Learn = load(TREE_LEARNERS[name])
    return learn


@overload
def learn(
    pages: Sequence[Source], *, method: Literal["auto"] = ..., kind: Kind | None = ..., limits: Limits = ...
) -> Wrapper: ...


@overload
def learn(
    pages: Sequence[Source], *, method: Literal["gstm", "fivatech"], kind: Kind | None = ..., limits: Limits = ...
) -> TreeWrapper: ...


@overload
def learn(
    pages: Sequence[Source], *, method: str, kind: Kind | None = ..., limits: Limits = ...
) -> Wrapper | TreeWrapper: ...


def learn(
    pages: Sequence[Source],
    *,
    method: str = DEFAULT_LEARNER,
    kind: Kind | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Wrapper | TreeWrapper:
    """Return a wrapper learned from pages of one template, without labels.

    ``kind`` says whether they are pages of a list or of one thing each; left out, the pages decide.
    """
    if method not in learners():
        raise UnknownMethod(f"no way to learn named {method!r}; there are: {', '.join(learners())}")
    read = [page for page in (read_page(source, limits=limits) for source in pages) if has_content(page)]
    if not read:
        raise InputError("there is no page to learn from; give at least one that is not empty")
    if method == DEFAULT_LEARNER:
        return _learn(read, kind)
    template, shapes = tree_learner(method)(read)
    readings = [(page, extract_data(template, page, rows)) for page, rows in zip(read, shapes, strict=True)]
    return learn_wrapper(method, template, readings, kind)


def _learn(pages: Sequence[Page], kind: Kind | None) -> Wrapper:
    if kind == "detail":
        return _learn_details(pages)
    found = [(page, main) for page in pages if (main := extract(page).main) is not None]
    if found and (kind == "list" or _are_lists(pages, found)):
        return learn_lists(found)
    if kind == "list":
        raise InputError('no list of records is on these pages; try kind="detail"')
    return _learn_details(pages)


def _learn_details(pages: Sequence[Page]) -> Wrapper:
    wrapper = learn_details(pages)
    if not wrapper.fields:
        raise InputError(
            "no text differs between these pages, so there is nothing to read; give pages of several things"
        )
    return wrapper


def _are_lists(pages: Sequence[Page], found: Sequence[tuple[Page, Region]]) -> bool:
    """Tell whether pages are list pages: most of what differs between them is in their lists."""
    if len(pages) == 1:
        return found[0][1].confidence >= MIN_TRUST
    if 2 * len(found) < len(pages):
        return False
    hooks = Anchors([Finder(page) for page in pages])
    shares = [_list_share(page, region, hooks) for page, region in found]
    share = sum(shares) / len(pages)
    length = sum(len(region.records) for _, region in found) / len(found)
    return share >= MIN_LIST_SHARE or (length >= LONG_LIST and share >= MIN_LONG_LIST_SHARE)


def _list_share(page: Page, region: Region, hooks: Anchors) -> float:
    """Return how much of the text of a page that the others do not have is in its list."""
    within = [False] * len(page)
    for record in region.records:
        for start, end in record.ranges:
            within[start:end] = [True] * (end - start)
    total = held = 0
    for row in (page.tag == 0).nonzero()[0].tolist():
        text = normalised(page.text[row])
        if page.seen[row] and not hooks.is_fixed(text):
            total += len(text)
            held += len(text) * within[row]
    return held / max(total, 1)
