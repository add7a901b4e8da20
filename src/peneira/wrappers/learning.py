"""``peneira.learn``: pages of one template in, a wrapper out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

from peneira.budget import Budget
from peneira.columns.embedded_columns import visible_part
from peneira.errors import ArgumentError, ColumnError, InputError, LimitExceeded, UnknownMethod
from peneira.extraction import extract
from peneira.items.builder import item_of
from peneira.lazy import load
from peneira.limits import DEFAULT_LIMITS, Limits
from peneira.page import Page
from peneira.preview import counted
from peneira.reasons import Reason, ReasonCode
from peneira.result import Region
from peneira.sources.html import read_page
from peneira.templates.page_data import extract_data
from peneira.templates.template import Template
from peneira.templates.tree_wrapper import learn_wrapper
from peneira.types.column_types import InferredType
from peneira.wrappers.detail_pages import learn_details
from peneira.wrappers.list_page import found_list
from peneira.wrappers.list_pages import learn_lists
from peneira.wrappers.page_templates import template_groups
from peneira.wrappers.saved_columns import SavedColumn, stats_of
from peneira.wrappers.wrapper import TREE_METHODS, Baseline, PageKind, Wrapper, has_content
from peneira.xpath.anchors import Anchors
from peneira.xpath.finder import Finder, normalize_space

DEFAULT_LEARNER = "auto"
# Pages are list pages if their lists hold this share of the text that differs between pages, less if lists are long
MIN_LIST_SHARE = 0.6
MIN_LONG_LIST_SHARE = 0.4
LONG_LIST = 6
# A single page is a list page if its list has this confidence
MIN_CONFIDENCE = 0.5

NOTHING_DIFFERS = "no text differs between these pages, so there is nothing to read; give pages about several items"
# Pages whose items are read to see whether they are about one thing each, and how sure that must be
MAX_ITEMS_READ = 3
MIN_ITEM_CONFIDENCE = 0.6
# Kinds of items that a page with a list may seem to be
VAGUE_KINDS = frozenset({"thing", "article"})
# Records with links of their own are entries of a list, not parts of one thing
MIN_LINKED_SHARE = 0.5

Learn = Callable[[Sequence[Page]], tuple[Template, list[list[int]]]]
Source = bytes | str | Path | Page


def learners() -> tuple[str, ...]:
    """Return the names of all methods of learning, the default first."""
    return (DEFAULT_LEARNER, *TREE_METHODS)


def tree_learner(name: str) -> Learn:
    """Return a published method of learning a template."""
    learn: Learn = load(TREE_METHODS[name])
    return learn


@dataclass(frozen=True, slots=True)
class LearnOptions:
    """What of the pages is learned: lists or single things; the n-th best list, from 1 on; the list with a text in one
    of its records; these columns only."""

    kind: PageKind | None = None
    region: int | None = None
    near: str | None = None
    fields: tuple[str, ...] = ()

    @property
    def chooses_list(self) -> bool:
        """Whether one of the lists of a page is chosen."""
        return self.region is not None or self.near is not None


def learn(
    pages: Sequence[Source],
    *,
    method: str = DEFAULT_LEARNER,
    kind: PageKind | None = None,
    region: int | None = None,
    near: str | None = None,
    fields: Sequence[str] = (),
    limits: Limits = DEFAULT_LIMITS,
) -> Wrapper:
    """Return a wrapper learned from pages of one site, without labels, and verified on them (``wrapper.notes``).

    ``kind``: whether each page shows a list or a single item; by default this is decided from the pages, and pages of
    several templates give a wrapper for each (``wrapper.templates``). ``region``: the n-th best list of each page, from
    1 on; ``near``: the list that has this text in one of its records; ``fields``: the columns to learn, by name.
    Where a limit is hit, there is no wrapper, and ``LimitExceeded`` is raised.
    """
    if isinstance(pages, bytes | str | Path | Page):
        raise ArgumentError("learn takes a list of pages of one site: write learn([page1, page2]), or learn([page])")
    if kind not in (None, *get_args(PageKind)):
        raise ArgumentError(f"kind={kind!r} is not a kind of page; write one of {', '.join(get_args(PageKind))}")
    if method not in learners():
        raise UnknownMethod(f"no way to learn named {method!r}; there are: {', '.join(learners())}")
    options = LearnOptions(kind, region, near, tuple(fields))
    if options.chooses_list and (kind == "detail" or method != DEFAULT_LEARNER):
        raise ArgumentError('region and near choose a list: they go with kind="list" and the default method only')
    if region is not None and region < 1:
        raise ArgumentError(f"region={region} is no list; the best one is 1")
    with Budget(limits).running():
        read = [page for page in (read_page(source, limits=limits) for source in pages) if has_content(page)]
        if not read:
            raise InputError("there is no page to learn from; give at least one that is not empty")
        if method == DEFAULT_LEARNER:
            return _with_fields(_learn_site(read, options), options.fields)
        return _learn_tree(read, method, kind)


def _learn_tree(read: Sequence[Page], method: str, kind: PageKind | None) -> Wrapper:
    """Return the wrapper of a published method: its template, and its columns with what they had on the pages."""
    template, shapes = tree_learner(method)(read)
    readings = [(page, extract_data(template, page, rows)) for page, rows in zip(read, shapes, strict=True)]
    tree = learn_wrapper(method, template, readings, kind)
    by_page = [list(result.main.records) if (result := tree.extract(page)).main else [] for page in read]
    records = [record for own in by_page for record in own]
    texts = {
        column.name: [cell.items or (cell.text,) for record in records if (cell := record.get(column.name)) is not None]
        for column in tree.columns
    }
    columns = tuple(
        SavedColumn(
            column.name,
            column.caption,
            (),
            InferredType(column.type, column.confidence),
            stats_of(texts[column.name], len(records)),
            slot=slot,
        )
        for slot, column in zip(tree.slots, tree.columns, strict=True)
    )
    counts = [len(own) for own in by_page if own] or [1]
    return Wrapper(tree.kind, columns, Baseline(len(read), min(counts), max(counts)), url=read[0].url or "", tree=tree)


def _learn_site(pages: Sequence[Page], options: LearnOptions) -> Wrapper:
    """Return the wrapper of all templates of the pages; notes say which pages were of no use."""
    distinct = _distinct(pages)
    notes: list[Reason] = []
    if len(distinct) < len(pages):
        notes.append(_page_note(f"{counted(len(pages) - len(distinct), 'page')} repeated others and told nothing more"))
    if options.kind is not None or options.chooses_list:
        wrapper = _learn(distinct, options)
        if wrapper.kind == "detail" and len(distinct) == 1 < len(pages):
            raise InputError(NOTHING_DIFFERS)
        return replace(wrapper, notes=(*notes, *wrapper.notes))
    groups = template_groups(distinct)
    learned: list[Wrapper] = []
    for group in groups:
        own = [distinct[k] for k in group]
        try:
            learned.append(_learn(own, options))
        except InputError as error:
            if len(groups) == 1:
                raise
            notes.append(_page_note(f"{counted(len(own), 'page')} of another template: {error}"))
    if not learned:
        raise InputError(
            f"nothing can be learned from these {counted(len(distinct), 'page')} of {len(groups)} templates"
        )
    if len(groups) > 1:
        notes.insert(0, _page_note(f"the pages are of {len(groups)} templates; {len(learned)} of them are learned"))
    first = learned[0]
    return replace(first, notes=(*notes, *first.notes), others=tuple(learned[1:]))


def _page_note(message: str) -> Reason:
    return Reason(ReasonCode.PAGES, message)


def _distinct(pages: Sequence[Page]) -> list[Page]:
    """Return the pages without those that have the same elements and texts as an earlier one."""
    by_content = {(page.tag.tobytes(), tuple(page.text)): page for page in reversed(pages)}
    kept = {id(page) for page in by_content.values()}
    return [page for page in pages if id(page) in kept]


def _with_fields(wrapper: Wrapper, names: Sequence[str]) -> Wrapper:
    """Return a wrapper with these columns only, in this order; templates that have none of them are left out."""
    if not names:
        return wrapper
    wanted = dict.fromkeys(names)
    known = dict.fromkeys(column.name for template in wrapper.templates for column in template.fields)
    for name in wanted:
        if name not in known:
            raise ColumnError(name, f"no such column; there are {', '.join(known) or 'none'}")
    kept = [template for template in wrapper.templates if any(column.name in wanted for column in template.fields)]
    first, *others = [replace(template, fields=_in_order(template.fields, wanted), others=()) for template in kept]
    return replace(first, others=tuple(others), notes=wrapper.notes)


def _in_order(columns: Sequence[SavedColumn], names: Iterable[str]) -> tuple[SavedColumn, ...]:
    by_name = {column.name: column for column in columns}
    return tuple(by_name[name] for name in names if name in by_name)


def _learn(pages: Sequence[Page], options: LearnOptions) -> Wrapper:
    if options.kind == "detail":
        return _learn_details(pages)
    found = [(page, _chosen_list(page, options)) for page in pages]
    lists = [(page, main) for page, main in found if main is not None and visible_part(main) is not None]
    is_list = options.kind == "list" or options.chooses_list
    if lists and (is_list or _are_list_pages(pages, lists)):
        wrapper = learn_lists([found_list(page, region) for page, region in lists])
        if len(lists) == len(pages):
            return wrapper
        without = f"{len(pages) - len(lists)} of {counted(len(pages), 'page')} have no such list and were left out"
        return replace(wrapper, notes=(_page_note(without), *wrapper.notes))
    if is_list:
        wanted = f"with {options.near!r} in a record " if options.near is not None else ""
        raise InputError(f'no list of records {wanted}is on these pages; try kind="detail"')
    return _learn_details(pages)


def _chosen_list(page: Page, options: LearnOptions) -> Region | None:
    """Return the list of a page that is learned."""
    result = extract(page)
    if len(result.cuts) > len(page.cuts):
        raise LimitExceeded(result.cuts[-1].limit, result.cuts[-1].allowed)
    if options.region is not None:
        return next(iter(result.regions[options.region - 1 : options.region]), None)
    if options.near is not None:
        wanted = " ".join(options.near.split())
        return next((region for region in result.regions if any(wanted in record.text for record in region)), None)
    return result.main


def _learn_details(pages: Sequence[Page]) -> Wrapper:
    wrapper = learn_details(pages)
    if not wrapper.fields:
        raise InputError(NOTHING_DIFFERS)
    if len(pages) > 1:
        return wrapper
    single = "learned from one page: what differs between pages is not known; give two or more"
    return replace(wrapper, notes=(*wrapper.notes, _page_note(single)))


def _are_list_pages(pages: Sequence[Page], lists: Sequence[tuple[Page, Region]]) -> bool:
    """Return whether pages are list pages: most of the text that differs between them is in their lists."""
    if len(pages) == 1:
        return lists[0][1].confidence >= MIN_CONFIDENCE
    if 2 * len(lists) < len(pages) or _are_about_one_thing(lists):
        return False
    anchors = Anchors([Finder(page) for page in pages])
    shares = [_list_share(page, region, anchors) for page, region in lists]
    share = sum(shares) / len(pages)
    length = sum(len(region.records) for _, region in lists) / len(lists)
    return share >= MIN_LIST_SHARE or (length >= LONG_LIST and share >= MIN_LONG_LIST_SHARE)


def _are_about_one_thing(lists: Sequence[tuple[Page, Region]]) -> bool:
    """Return whether pages are about one thing each, and their lists are parts of it, such as reviews or offers.

    The pages have different titles. Unless all are surely about things of a known kind (books, jobs, films), the titles
    are outside the lists, and the records have no pages of their own.
    """
    titles = []
    is_kind_known = True
    for page, region in lists[:MAX_ITEMS_READ]:
        item = item_of(page)
        if item.kind is None or item.confidence < MIN_ITEM_CONFIDENCE or item.title is None:
            return False
        is_kind_known = is_kind_known and item.kind not in VAGUE_KINDS
        if not is_kind_known and any(item.title.text in record.text for record in region):
            return False
        titles.append(item.title.text)
    if len(set(titles)) < len(titles):
        return False
    return is_kind_known or not any(_has_own_pages(region) for _, region in lists)


def _has_own_pages(region: Region) -> bool:
    """Return whether most records link to different addresses."""
    links = [record.url.text for record in region if record.url is not None]
    return len(set(links)) >= MIN_LINKED_SHARE * len(region)


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
