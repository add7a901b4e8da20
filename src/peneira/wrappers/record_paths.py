"""Paths inside a record of a list: the steps from the record to one of its rows that a selector could use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from peneira.page import Page
from peneira.wrappers.list_page import ListPage
from peneira.wrappers.record_finder import TopRows
from peneira.xpath.anchors import Anchors
from peneira.xpath.finder import normalize_space
from peneira.xpath.proposals import OPTIONS as PROPOSAL_OPTIONS
from peneira.xpath.proposals import Steps, anywhere
from peneira.xpath.selectors import TEXT, Axis, Step

# A label stands at most this many nodes before its value
MAX_AFTER_LABEL = 3
# The element with an anchor is looked for at most this many elements above the row
MAX_ANCHOR_DEPTH = 4
# What stands beside the row, or beside one of so many elements around it, may tell it from others
MAX_TESTED_LEVELS = 3
MAX_TESTED_CHILDREN = 4


def axis_of(page: Page, row: int) -> Axis:
    """Return the axis of a step to a row: a step below ``tbody``, which only some parsers insert, leaves that out."""
    return "descendant" if page.name(page.lists.parent[row]) == "tbody" else "child"


def paths_in_record(list_page: ListPage, anchors: Anchors, top_rows: TopRows, row: int) -> Iterator[Steps]:
    """Yield paths from a record to a row in it: by anchors, by tags and positions, from a label before it."""
    page = list_page.page
    if row in top_rows:
        yield from _paths_to_top_row(page, anchors, top_rows, row)
        return
    nodes = _nodes_down_to(page, top_rows, row)
    if not nodes:
        return
    outer: Steps = ()
    if len(top_rows) > 1:
        top = next(above for above in page.ancestors(nodes[0]) if above in top_rows)
        outer = (_positional_step(page, top, top_rows),)
    by_anchor = tuple(replace(_step(page, anchors, node), axis=axis_of(page, node)) for node in nodes)
    by_position = tuple(replace(_positional_step(page, node), axis=axis_of(page, node)) for node in nodes)
    yield (*outer, *by_anchor)
    yield (*outer, *by_position)
    by_both = tuple(_counted(page, step, node) for step, node in zip(by_anchor, nodes, strict=True))
    if by_both != by_anchor:
        yield (*outer, *by_both)
        yield from _short_paths(by_both, (by_both[-1],))
    last = by_anchor[-1]
    yield from _short_paths(by_anchor, (last, by_position[-1]))
    if last.is_tag_only and last.name != TEXT:
        yield (Step("descendant", last.name),)
    yield from _paths_after_label(list_page, row)


def paths_by_siblings(list_page: ListPage, anchors: Anchors, top_rows: TopRows, row: int) -> Iterator[Steps]:
    """Yield paths to a row that test what stands beside it or beside an element around it: the regular price of an
    item is an old one beside another price."""
    page = list_page.page
    if row in top_rows or len(top_rows) > 1:
        return
    nodes = _nodes_down_to(page, top_rows, row)
    steps = tuple(replace(_step(page, anchors, node), axis=axis_of(page, node)) for node in nodes)
    for k in range(len(nodes) - 2, max(len(nodes) - 2 - MAX_TESTED_LEVELS, -1), -1):
        children = [child for child in page.children(nodes[k]) if not page.is_text(child)]
        if page.lists.parent[nodes[k + 1]] != nodes[k] or len(children) < 2:
            continue
        others = [_step(page, anchors, child).class_name for child in children if child != nodes[k + 1]]
        tested = [replace(steps[k], child_class=name) for name in dict.fromkeys(filter(None, others))]
        for step in (*tested[:MAX_TESTED_CHILDREN], replace(steps[k], child_count=len(children))):
            yield (*steps[:k], step, *steps[k + 1 :])


def _nodes_down_to(page: Page, top_rows: TopRows, row: int) -> list[int]:
    """Return the nodes from below the top of the record down to the row, without ``tbody``.

    Empty if they are too many, or the row is not in the record: a cell over several rows is that of each of them.
    """
    parents = page.lists.parent
    nodes = [row]
    while parents[nodes[-1]] not in top_rows and parents[nodes[-1]] >= 0:
        nodes.append(parents[nodes[-1]])
    if len(nodes) > PROPOSAL_OPTIONS.max_steps or parents[nodes[-1]] < 0:
        return []
    return [node for node in reversed(nodes) if page.name(node) != "tbody"]


def _short_paths(steps: Steps, endings: Sequence[Step]) -> Iterator[Steps]:
    """Yield paths that start at the last element with an anchor, with each of the endings."""
    last = steps[-1]
    for ending in endings:
        if not last.is_tag_only:
            yield (replace(ending, axis="descendant", position=0),)
        elif len(steps) > 1:
            for depth in range(2, min(len(steps), MAX_ANCHOR_DEPTH) + 1):
                if not steps[-depth].is_tag_only:
                    yield (anywhere(steps[-depth]), *steps[-depth + 1 : -1], ending)
                    break


def _paths_to_top_row(page: Page, anchors: Anchors, top_rows: TopRows, row: int) -> Iterator[Steps]:
    if len(top_rows) == 1:
        yield ()
    else:
        yield (_positional_step(page, row, top_rows),)
        step = _step(page, anchors, row)
        if not step.is_tag_only:
            yield (step,)


def _paths_after_label(list_page: ListPage, row: int) -> Iterator[Steps]:
    """Yield paths to a row from texts with a colon shortly before it, which may be its label."""
    page, finder = list_page.page, list_page.reader.finder
    before = [sibling for sibling in page.siblings(row) if sibling < row][-MAX_AFTER_LABEL:]
    for position, sibling in enumerate(reversed(before), 1):
        texts = [sibling] if page.is_text(sibling) else finder.texts_in(sibling)
        text = normalize_space(page.text[texts[0]]) if len(texts) == 1 else ""
        if text.endswith((":", "：")) and "'" not in text:
            label = Step("descendant", _node_test(page, sibling), text=text)
            yield (label, Step("nth-sibling", _node_test(page, row), position=position))


def _node_test(page: Page, row: int) -> str:
    return TEXT if page.is_text(row) else page.name(row)


def _step(page: Page, anchors: Anchors, row: int) -> Step:
    return Step("child", TEXT) if page.is_text(row) else anchors.step(page, row)


def _counted(page: Page, step: Step, row: int) -> Step:
    """Return a step with the position of a row among the siblings that pass it; a class that later siblings have too
    does not tell them apart."""
    if step.name == TEXT or step.axis != "child":
        return step
    before = sum(_passes(page, step, sibling) for sibling in page.siblings(row) if sibling < row)
    return replace(step, position=before + 1) if before else step


def _passes(page: Page, step: Step, row: int) -> bool:
    attrs = page.attrs[row]
    return (
        page.name(row) == step.name
        and (not step.class_name or step.class_name in attrs.get("class", "").split())
        and (not step.itemprop or attrs.get("itemprop") == step.itemprop)
    )


def _positional_step(page: Page, row: int, top_rows: Sequence[int] = ()) -> Step:
    """Return the step to a row by its position among siblings of its tag, or among the topmost rows of a record."""
    name = _node_test(page, row)
    if top_rows:
        before = sum(page.name(top) == page.name(row) for top in top_rows if top < row)
        return Step("child", name, position=1 + before)
    return Step("child", name, position=page.position(row))
