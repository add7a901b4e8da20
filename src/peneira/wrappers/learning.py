"""``peneira.learn``: pages of one template in, a wrapper out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, get_args, overload

from peneira.budget import Budget
from peneira.columns.embedded_columns import visible_part
from peneira.errors import ArgumentError, InputError, UnknownMethod
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
from peneira.wrappers.list_page import found_list
from peneira.wrappers.list_pages import learn_lists
from peneira.wrappers.wrapper import PageKind, Wrapper, has_content
from peneira.xpath.anchors import Anchors
from peneira.xpath.finder import Finder, normalize_space

DEFAULT_LEARNER = "auto"
# Pages are list pages if their lists hold this share of the text that differs between pages, less if lists are long
MIN_LIST_SHARE = 0.6
MIN_LONG_LIST_SHARE = 0.4
LONG_LIST = 6
# A single page is a list page if its list has this confidence
MIN_CONFIDENCE = 0.5

Learn = Callable[[Sequence[Page]], tuple[Template, list[list[int]]]]
Source = bytes | str | Path | Page

# The published methods of learning a template, imported when they are used
TREE_LEARNERS = {"gstm": "peneira.methods.gstm:learn", "fivatech": "peneira.methods.fivatech:learn"}


def learners() -> tuple[str, ...]:
    """Return the names of all methods of learning, the default first."""
    return (DEFAULT_LEARNER, *TREE_LEARNERS)


def tree_learner(name: str) -> Learn:
    """Return a published method of learning a template."""
    learn: Learn = load(TREE_LEARNERS[name])
    return learn


@overload
def learn(
    pages: Sequence[Source], *, method: Literal["auto"] = ..., kind: PageKind | None = ..., limits: Limits = ...
) -> Wrapper: ...


@overload
def learn(
    pages: Sequence[Source], *, method: Literal["gstm", "fivatech"], kind: PageKind | None = ..., limits: Limits = ...
) -> TreeWrapper: ...


@overload
def learn(
    pages: Sequence[Source], *, method: str, kind: PageKind | None = ..., limits: Limits = ...
) -> Wrapper | TreeWrapper: ...


def learn(
    pages: Sequence[Source],
    *,
    method: str = DEFAULT_LEARNER,
    kind: PageKind | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Wrapper | TreeWrapper:
    """Return a wrapper learned from pages of one template, without labels.

    ``kind``: whether each page shows a list or a single item; by default this is decided from the pages. Where a limit
    is hit, there is no wrapper, and ``LimitExceeded`` is raised.
    """
    if isinstance(pages, bytes | str | Path | Page):
        raise ArgumentError("learn takes a list of pages of one site: write learn([page1, page2]), or learn([page])")
    if kind not in (None, *get_args(PageKind)):
        raise ArgumentError(f"kind={kind!r} is not a kind of page; write one of {', '.join(get_args(PageKind))}")
    if method not in learners():
        raise UnknownMethod(f"no way to learn named {method!r}; there are: {', '.join(learners())}")
    with Budget(limits).running():
        read = [page for page in (read_page(source, limits=limits) for source in pages) if has_content(page)]
        if not read:
            raise InputError("there is no page to learn from; give at least one that is not empty")
        return _learn(read, kind) if method == DEFAULT_LEARNER else _learn_tree(read, method, kind)


def _learn_tree(read: Sequence[Page], method: str, kind: PageKind | None) -> TreeWrapper:
    template, shapes = tree_learner(method)(read)
    readings = [(page, extract_data(template, page, rows)) for page, rows in zip(read, shapes, strict=True)]
    return learn_wrapper(method, template, readings, kind)


def _learn(pages: Sequence[Page], kind: PageKind | None) -> Wrapper:
    if kind == "detail":
        return _learn_details(pages)
    found = [(page, extract(page).main) for page in pages]
    lists = [(page, main) for page, main in found if main is not None and visible_part(main) is not None]
    if lists and (kind == "list" or _are_list_pages(pages, lists)):
        return learn_lists([found_list(page, region) for page, region in lists])
    if kind == "list":
        raise InputError('no list of records is on these pages; try kind="detail"')
    return _learn_details(pages)


def _learn_details(pages: Sequence[Page]) -> Wrapper:
    wrapper = learn_details(pages)
    if not wrapper.fields:
        raise InputError(
            "no text differs between these pages, so there is nothing to read; give pages about several items"
        )
    return wrapper


def _are_list_pages(pages: Sequence[Page], lists: Sequence[tuple[Page, Region]]) -> bool:
    """Return whether pages are list pages: most of the text that differs between them is in their lists."""
    if len(pages) == 1:
        return lists[0][1].confidence >= MIN_CONFIDENCE
    if 2 * len(lists) < len(pages):
        return False
    anchors = Anchors([Finder(page) for page in pages])
    shares = [_list_share(page, region, anchors) for page, region in lists]
    share = sum(shares) / len(pages)
    length = sum(len(region.records) for _, region in lists) / len(lists)
    return share >= MIN_LIST_SHARE or (length >= LONG_LIST and share >= MIN_LONG_LIST_SHARE)


def _list_share(page: Page, region: Region, anchors: Anchors) -> float:
    """Return the share of the text of a page, without the text that all pages have, that is in its list."""
    is_in_list = [False] * len(page)
    for record in region.records:
        for start, end in record.ranges:
            is_in_list[start:end] = [True] * (end - start)
    total = in_list = 0
    for row in (page.tag == 0).nonzero()[0].tolist():
        text = normalize_space(page.text[row])
        if page.seen[row] and not anchors.is_fixed(text):
            total += len(text)
            in_list += len(text) * is_in_list[row]
    return in_list / max(total, 1)
