"""Learning where the records of list pages are: the selector that finds their first nodes, and only these.

Of the selectors that find them equally well the most stable is kept; a few others serve as alternatives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from peneira.errors import InputError
from peneira.page import Page
from peneira.wrappers.list_page import ListPage
from peneira.wrappers.record_finder import MAX_SKIPS, RecordFinder, RecordSpec, TopRows, rows_of_any, start_of_text
from peneira.wrappers.record_paths import axis_of
from peneira.wrappers.record_shapes import element_counts, record_shape
from peneira.wrappers.saved_columns import SavedColumn
from peneira.xpath.anchors import Anchors
from peneira.xpath.proposals import Proposer, Steps
from peneira.xpath.selectors import TEXT, Selector, Step
from peneira.xpath.stability import stability

# A selector is kept as an alternative if it finds the records at least this well
MIN_ALTERNATIVE_F1 = 0.9
MAX_ALTERNATIVES = 2
# Selectors of records that stand elsewhere: how many, and the least gain of each in F1
MAX_FURTHER = 3
MIN_GAIN = 0.005
# A selector that finds this many times more nodes than there are records is no alternative, and is not tried
MAX_NODES_PER_RECORD = 20
# This share of the first nodes must have a class for it to be part of the selector
MIN_CLASS_SHARE = 0.9
# A test of the children that more of the other nodes pass does not tell the first nodes of records from them
MAX_OTHER_SHARE = 0.34
# How many nodes a record has at most is taken at this quantile: a record far longer than the others does not count
NODES_QUANTILE = 0.9

# F1, stability, minus the number of steps, the XPath to break ties, the selector
_Ranked = tuple[float, float, int, str, Selector]


def learn_record_spec(pages: Sequence[ListPage], anchors: Anchors, columns: Sequence[SavedColumn]) -> RecordSpec:
    """Return the selector that finds the records best, the most stable of equally good ones, and alternatives."""
    selectors = {Selector(steps) for page in pages for steps in _paths_to_records(page, anchors)}
    if not selectors:
        raise InputError("the records lie too deep in these pages for selectors; read them with `peneira extract`")
    ranked = [_ranked(selector, _f1(pages, (selector,))) for selector in selectors]
    best = max(ranked, key=lambda row: (row[0], _is_specific(row[4]), *row[1:4]))[4]
    shape = record_shape([element_counts(page.page, rows) for page in pages for rows in page.records])
    spec = RecordSpec(best, _max_nodes(pages), shape=shape, skips=_skips(pages, (best,)))
    spec = RecordFinder(spec, columns).with_min_score((page.reader, rows) for page in pages for rows in page.records)
    further = _further(pages, RecordFinder(spec, columns), [selector for *_, selector in ranked])
    spec = replace(spec, further=further, skips=_skips(pages, (best, *further)))
    finder = RecordFinder(spec, columns)
    if not any(_is_specific(column.selector) for column in finder.core):
        return spec  # with alternatives, any table of any site would pass
    return replace(spec, alternatives=_alternatives(pages, finder, [selector for *_, selector in ranked]))


def _ranked(selector: Selector, f1: float) -> _Ranked:
    return f1, stability(selector), -len(selector.steps), str(selector), selector


def _alternatives(
    pages: Sequence[ListPage], finder: RecordFinder, selectors: Sequence[Selector]
) -> tuple[Selector, ...]:
    """Return the most stable selectors without positions that find the records once non-records are rejected."""
    ranked = [_ranked(selector, _f1(pages, (selector,), finder)) for selector in selectors]
    good = sorted((row for row in ranked if row[0] >= MIN_ALTERNATIVE_F1), key=lambda row: row[1:4], reverse=True)
    alternatives = [
        selector
        for *_, selector in good
        if selector != finder.spec.selector and not any(step.position for step in selector.steps)
    ]
    return tuple(alternatives[:MAX_ALTERNATIVES])


def _further(pages: Sequence[ListPage], finder: RecordFinder, selectors: Sequence[Selector]) -> tuple[Selector, ...]:
    """Return selectors of records that the usual one does not find, as long as each improves what they find."""
    best = finder.spec.selector
    chosen: list[Selector] = []
    f1 = _f1(pages, (best,), finder, is_usual=True)
    while f1 < 1 and len(chosen) < MAX_FURTHER:
        ranked = [
            _ranked(selector, _f1(pages, (best, *chosen, selector), finder, is_usual=True)) for selector in selectors
        ]
        top = max(ranked, key=lambda row: (row[0], _is_specific(row[4]), *row[1:4]), default=None)
        if top is None or top[0] < f1 + MIN_GAIN:
            break
        f1 = top[0]
        chosen.append(top[4])
    return tuple(chosen)


def _skips(pages: Sequence[ListPage], selectors: Sequence[Selector]) -> tuple[str, ...]:
    """Return how the texts start that a selector finds besides the records, and no record has."""
    counts: Counter[str] = Counter()
    for page in pages:
        heads = {rows[0] for rows in page.records}
        others = (row for row in rows_of_any(page.reader.finder, selectors) if row not in heads)
        counts.update(start_of_text(page.page, (row,)) for row in others)
    of_records = {start_of_text(page.page, rows) for page in pages for rows in page.records}
    ranked = sorted((text for text in counts if text not in of_records), key=lambda text: (-counts[text], text))
    return tuple(sorted(ranked[:MAX_SKIPS]))


def _is_specific(selector: Selector) -> bool:
    """Return whether a selector tests more than tags."""
    return any(not step.is_tag_only or step.position for step in selector.steps)


def _f1(
    pages: Sequence[ListPage],
    selectors: Sequence[Selector],
    finder: RecordFinder | None = None,
    *,
    is_usual: bool = False,
) -> float:
    """Return how well selectors find the first nodes of the records; with a finder, once it rejected non-records, and
    only those count that it also takes to their ends."""
    right = found = wanted = 0
    for page in pages:
        by_head = {rows[0]: rows for rows in page.records}
        heads = rows_of_any(page.reader.finder, selectors)
        if finder and len(heads) <= MAX_NODES_PER_RECORD * len(by_head):
            records = [record.top_rows for record in finder.records_at(page.reader, *selectors, is_usual=is_usual)]
            right += sum(_is_whole(rows, by_head.get(rows[0], ()), finder.spec.max_nodes) for rows in records)
            found += len(records)
        else:
            right += len(by_head.keys() & set(heads))
            found += len(heads)
        wanted += len(by_head)
    return round(2 * right / max(found + wanted, 1), 3)


def _is_whole(found: TopRows, known: TopRows, max_nodes: int) -> bool:
    """Return whether a record that is found has all topmost rows of a known one, as far as any record is read."""
    return bool(known) and found[: len(known)] == known[:max_nodes]


def _max_nodes(pages: Sequence[ListPage]) -> int:
    """Return how many sibling nodes a record has at most, without outliers."""
    counts = sorted(len(rows) for page in pages for rows in page.records)
    usual = counts[min(len(counts) - 1, int(NODES_QUANTILE * len(counts)))]
    return max(usual, 1)


def _paths_to_records(list_page: ListPage, anchors: Anchors) -> Iterator[Steps]:
    """Yield paths to the first nodes of the records: by their own classes, and by classes around them."""
    page = list_page.page
    proposer = Proposer(list_page.reader.finder, anchors)
    heads = [rows[0] for rows in list_page.records]
    steps_to_heads = _steps_to_heads(page, heads, anchors)
    if any(len(rows) > 1 for rows in list_page.records):
        steps_to_heads += _steps_by_children(page, heads, anchors, steps_to_heads)
    for last in steps_to_heads:
        if last.name != TEXT:
            yield (replace(last, axis="descendant"),)
        for holder in dict.fromkeys(page.lists.parent[head] for head in heads):
            for steps in proposer.paths_to_element(holder):
                yield (*steps, last)
            above = page.lists.parent[holder]
            if above > 0:
                by_tag = Step(axis_of(page, holder), page.name(holder))
                for steps in proposer.paths_to_element(above):
                    yield (*steps, by_tag, last)


def _steps_by_children(page: Page, heads: Sequence[int], anchors: Anchors, steps: Sequence[Step]) -> list[Step]:
    """Return the steps with a test of the children that most first nodes of the records pass, and few of the nodes
    after them: rows of a table often have no class that tells the first row of a record from the others."""
    name = steps[0].name
    if name == TEXT:
        return []
    known = set(heads)
    holders = dict.fromkeys(page.lists.parent[head] for head in heads)
    others = [row for holder in holders for row in page.children(holder) if row not in known and page.name(row) == name]
    if not others:
        return []
    own_classes, own_counts = _children_of(page, heads)
    other_classes, other_counts = _children_of(page, others)

    def tells(own: int, other: int) -> bool:
        return own >= MIN_CLASS_SHARE * len(heads) and other <= MAX_OTHER_SHARE * len(others)

    classes = [word for word, count in own_classes.items() if word in anchors.classes]
    tests = [
        replace(step, child_class=word)
        for step in steps
        for word in sorted(classes)
        if tells(own_classes[word], other_classes[word])
    ]
    return tests + [
        replace(step, child_count=count)
        for step in steps
        for count in sorted(own_counts)
        if count and tells(own_counts[count], other_counts[count])
    ]


def _children_of(page: Page, rows: Sequence[int]) -> tuple[Counter[str], Counter[int]]:
    """Return how many of the rows have children of each class, and each number of elements as children."""
    classes: Counter[str] = Counter()
    counts: Counter[int] = Counter()
    for row in rows:
        children = [child for child in page.children(row) if not page.is_text(child)]
        classes.update({word for child in children for word in page.attrs[child].get("class", "").split()})
        counts[len(children)] += 1
    return classes, counts


def _steps_to_heads(page: Page, heads: Sequence[int], anchors: Anchors) -> list[Step]:
    """Return the steps to the first nodes by tag alone, and by each class or ``itemprop`` that most of them have."""
    name = Counter(page.name(head) for head in heads).most_common(1)[0][0]
    if name == "#text":
        return [Step("child", TEXT)]
    alike = [head for head in heads if page.name(head) == name]
    axis = axis_of(page, heads[0])
    counts = Counter(word for head in alike for word in set(page.attrs[head].get("class", "").split()))
    classes = [
        word for word, count in counts.items() if word in anchors.classes and count >= MIN_CLASS_SHARE * len(alike)
    ]
    itemprops = Counter(page.attrs[head].get("itemprop", "") for head in alike)
    steps = [Step(axis, name), *(Step(axis, name, class_name=word) for word in sorted(classes))]
    steps += [Step(axis, name, itemprop=word) for word, count in itemprops.items() if word and count == len(alike)]
    if name != "tr":
        return steps
    depth = sum(page.name(above) == "table" for above in page.ancestors(heads[0]))
    return [*steps, *(replace(step, table_depth=depth) for step in steps)]
