"""Learning list pages: where the records of a list are, told by what they share, and where their values are in them.

The list itself, its records and its columns are found by ``peneira.extract``; here they are put into selectors. Of all
ways to find the first nodes of the records the one is kept that finds just these, and may be expected to live longest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from peneira.columns.builder import language_of
from peneira.columns.names import base_name
from peneira.page import Page
from peneira.result import Cell, Region
from peneira.table import Column
from peneira.types.column_types import InferredType, infer_type
from peneira.wrappers.record_members import CORE_FILL, MAX_SKIPS, RecordFinder, RecordSpec, Roots, start_of
from peneira.wrappers.record_shapes import counts_of, shape_of
from peneira.wrappers.saved_columns import ColumnReader, ColumnStats, SavedColumn, stats_of
from peneira.wrappers.wrapper import Baseline, Wrapper, column_reader
from peneira.xpath.anchors import Anchors
from peneira.xpath.finder import normalize_space
from peneira.xpath.proposals import OPTIONS as PROPOSAL_OPTIONS
from peneira.xpath.proposals import Proposer
from peneira.xpath.selectors import TEXT, Axis, Selector, Step
from peneira.xpath.stability import stability

# So many of the records must have a column where its selector says, or the column is not kept
MIN_AGREEMENT = 0.6
# Columns are joined if one selector reads so many of the cells of both
MIN_JOINED_AGREEMENT = 0.95
# Selectors are proposed for the values of so many records
MAX_SAMPLED_RECORDS = 12
MAX_AFTER_LABEL = 3
# If no column is in so many of the records, columns were cut apart
MIN_FILL = 0.5
MAX_TARGETS_AGAIN = 40
# A way to the records is kept for the case that the best one fails if it finds them so well
MIN_OTHER_F1 = 0.9
MAX_OTHERS = 2
# A way that finds so many times more nodes than there are records is not tried
MAX_TRIED = 20
# A label before values is shared by so many of them
LABELLED_SHARE = 0.8

Steps = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page with its list: the reader, the region, and the topmost rows of each record."""

    reader: ColumnReader
    region: Region
    roots: tuple[Roots, ...]

    @property
    def page(self) -> Page:
        """The page."""
        return self.reader.page


def learn_lists(found: Sequence[tuple[Page, Region]]) -> Wrapper:
    """Return the wrapper of list pages, each given with its list."""
    pages = [_list_page(page, region) for page, region in found]
    anchors = Anchors([one.reader.finder for one in pages])
    fields = _fields(pages, anchors)
    records = _records(pages, anchors, fields)
    counts = [len(one.roots) for one in pages]
    baseline = Baseline(len(pages), min(counts), max(counts))
    return Wrapper("list", fields, baseline, records, pages[0].page.url or "")


def _list_page(page: Page, region: Region) -> ListPage:
    ends = page.lists.end
    roots = []
    for record in region.records:
        tops: list[int] = []
        for start, end in record.ranges:
            at = start
            while at < end:
                tops.append(at)
                at = ends[at]
        roots.append(tuple(tops))
    return ListPage(column_reader(page), region, tuple(roots))


# --- where the records are ---------------------------------------------------------------------------------------


def _records(pages: Sequence[ListPage], anchors: Anchors, fields: Sequence[SavedColumn]) -> RecordSpec:
    """Return the way to the records that finds them best, the most stable of those that find them equally well.

    Others that find them nearly as well, once what is no record is left out, are kept for when it fails.
    """
    ways = {Selector(steps) for one in pages for steps in _ways_to_heads(one, anchors)}
    scored = [(_f1(pages, way), stability(way), -len(way.steps), str(way), way) for way in ways]
    best = max(scored, key=lambda row: (row[0], _is_held(row[4]), *row[1:4]))[4]
    shape = shape_of([counts_of(one.page, roots) for one in pages for roots in one.roots])
    found = RecordSpec(best, _nodes(pages), shape=shape, skips=_skips(pages, best))
    records = RecordFinder(found, fields).with_least((one.reader, roots) for one in pages for roots in one.roots)
    members = RecordFinder(records, fields)
    others: list[Selector] = []
    if any(_is_held(one.selector) for one in members.core):  # else any table of any site would do
        again = [(_f1(pages, way, members), stability(way), -len(way.steps), str(way), way) for *_, way in scored]
        ranked = sorted((row for row in again if row[0] >= MIN_OTHER_F1), key=lambda row: row[1:4], reverse=True)
        others = [way for *_, way in ranked if way != best and not any(step.position for step in way.steps)]
    return replace(records, others=tuple(others[:MAX_OTHERS]))


def _skips(pages: Sequence[ListPage], way: Selector) -> tuple[str, ...]:
    """Return how the texts begin that a way finds beside the records, and no record has."""
    found: Counter[str] = Counter()
    for one in pages:
        heads = {roots[0] for roots in one.roots}
        found.update(start_of(one.page, (row,)) for row in one.reader.finder.rows(way) if row not in heads)
    own = {start_of(one.page, roots) for one in pages for roots in one.roots}
    ranked = sorted((text for text in found if text not in own), key=lambda text: (-found[text], text))
    return tuple(sorted(ranked[:MAX_SKIPS]))


def _is_held(way: Selector) -> bool:
    """Tell whether a selector holds on to more than tags."""
    return any(not step.is_tag_only or step.position for step in way.steps)


def _f1(pages: Sequence[ListPage], way: Selector, members: RecordFinder | None = None) -> float:
    """Return how well a way finds the first nodes of the records, after what members tell to be none is left out."""
    right = found = wanted = 0
    for one in pages:
        heads = {roots[0] for roots in one.roots}
        rows = one.reader.finder.rows(way)
        if members and len(rows) <= MAX_TRIED * len(heads):
            rows = [row.top_rows[0] for row in members.at(one.reader, way, is_usual=False)]
        right += len(heads.intersection(rows))
        found += len(rows)
        wanted += len(heads)
    return round(2 * right / max(found + wanted, 1), 3)


def _nodes(pages: Sequence[ListPage]) -> int:
    """Return how many sibling nodes a record has at most; one that is far longer than the others does not count."""
    counts = sorted(len(roots) for one in pages for roots in one.roots)
    usual = counts[min(len(counts) - 1, int(0.9 * len(counts)))]
    return max(usual, 1)


def _ways_to_heads(one: ListPage, anchors: Anchors) -> Iterator[Steps]:
    """Yield ways to the first nodes of the records: by their own anchors, and by those of what is around them."""
    page = one.page
    proposer = Proposer(one.reader.finder, anchors)
    heads = [roots[0] for roots in one.roots]
    for own in _own_steps(page, heads, anchors):
        if own.name != TEXT:
            yield (replace(own, axis="descendant"),)
        for holder in dict.fromkeys(page.lists.parent[head] for head in heads):
            for steps in proposer.paths_to_element(holder):
                yield (*steps, own)
            above = page.lists.parent[holder]
            if above > 0:
                bare = Step(own_axis(page, holder), page.name(holder))
                for steps in proposer.paths_to_element(above):
                    yield (*steps, bare, own)


def own_axis(page: Page, row: int) -> Axis:
    """Return how to step to a row: past an element that only some parsers make."""
    return "descendant" if page.name(page.lists.parent[row]) == "tbody" else "child"


def _own_steps(page: Page, heads: Sequence[int], anchors: Anchors) -> list[Step]:
    """Return the steps to the first nodes by tag alone and by each class that most of them have."""
    name = Counter(page.name(head) for head in heads).most_common(1)[0][0]
    if name == "#text":
        return [Step("child", TEXT)]
    alike = [head for head in heads if page.name(head) == name]
    axis = own_axis(page, heads[0])
    counts = Counter(word for head in alike for word in set(page.attrs[head].get("class", "").split()))
    words = [word for word, count in counts.items() if word in anchors.classes and count >= 0.9 * len(alike)]
    props = Counter(page.attrs[head].get("itemprop", "") for head in alike)
    steps = [Step(axis, name), *(Step(axis, name, class_name=word) for word in sorted(words))]
    steps += [Step(axis, name, itemprop=prop) for prop, count in props.items() if prop and count == len(alike)]
    if name != "tr":
        return steps
    tables = sum(page.name(above) == "table" for above in page.ancestors(heads[0]))
    return [*steps, *(replace(step, table_depth=tables) for step in steps)]


# --- where the values are ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Target:
    """The cells of a column on all pages: by page and record the rows and the texts."""

    column: Column
    attribute: str
    rows: Mapping[tuple[int, int], tuple[int, ...]]
    cells: Mapping[tuple[int, int], Cell]


def _fields(pages: Sequence[ListPage], anchors: Anchors) -> tuple[SavedColumn, ...]:
    """Return the columns of the lists as far as selectors find them.

    Where no column is in most records, the columns were cut apart; what one selector reads is then one column.
    """
    targets = _joined(pages, anchors, _targets(pages))
    language = language_of(pages[0].page)
    fields = _distinct(_field(pages, anchors, target, language) for target in targets)
    if any(one.stats.fill >= MIN_FILL for one in fields):
        return fields
    targets = targets[:MAX_TARGETS_AGAIN]
    return _distinct(_field(pages, anchors, target, language, is_cut=True) for target in targets) or fields


def _distinct(made: Iterable[SavedColumn | None]) -> tuple[SavedColumn, ...]:
    """Return the columns that were made, the first of those with one selector."""
    by_selector: dict[str, SavedColumn] = {}
    for one in made:
        if one is not None:
            by_selector.setdefault(str(one.selector), one)
    return tuple(by_selector.values())


def _targets(pages: Sequence[ListPage]) -> list[_Target]:
    columns: dict[str, Column] = {}
    for one in pages:
        for column in one.region.columns:
            columns.setdefault(column.name, column)
    places = [_rows_by_xpath(one) for one in pages]
    targets = []
    for name, column in columns.items():
        rows: dict[tuple[int, int], tuple[int, ...]] = {}
        cells: dict[tuple[int, int], Cell] = {}
        for k, one in enumerate(pages):
            for r, record in enumerate(one.region.records):
                cell = record.fields.get(name)
                if cell is not None and cell.xpath in places[k]:
                    rows[k, r] = (places[k][cell.xpath],)
                    cells[k, r] = cell
        attribute = column.path.rpartition("/@")[2] if "/@" in column.path else ""
        if rows and attribute != "group":
            targets.append(_Target(column, attribute, rows, cells))
    return targets


def _joined(pages: Sequence[ListPage], anchors: Anchors, targets: Sequence[_Target]) -> list[_Target]:
    """Return the columns, those joined that have one name, no record in common, and one selector that reads them all.

    Columns of a list are told apart by what stands around them, which may be just the state of a record.
    """
    joined: list[_Target] = []
    total = sum(len(one.roots) for one in pages)
    for target in targets:
        known = next((k for k, one in enumerate(joined) if _may_join(one, target, total)), None)
        if known is not None:
            other = joined[known]
            both = replace(other, rows={**other.rows, **target.rows}, cells={**other.cells, **target.cells})
            if _best_agreement(pages, anchors, both) >= MIN_JOINED_AGREEMENT:
                joined[known] = both
                continue
        joined.append(target)
    return joined


def _may_join(one: _Target, other: _Target, total: int) -> bool:
    """Tell whether two columns could be one: they have one name but for a number, and never both a value."""
    alike = (base_name(one.column.name), one.attribute) == (base_name(other.column.name), other.attribute)
    return alike and len(one.rows) < CORE_FILL * total and one.cells.keys().isdisjoint(other.cells)


def _best_agreement(pages: Sequence[ListPage], anchors: Anchors, target: _Target) -> float:
    is_list = any(cell.items for cell in target.cells.values())
    return max(
        (
            _agreement(_read(pages, selector, is_list=is_list), target.cells, "")
            for selector in _proposed(pages, anchors, target)
        ),
        default=0.0,
    )


def _rows_by_xpath(one: ListPage) -> dict[str, int]:
    page = one.page
    return {
        page.xpath(row): row
        for roots in one.roots
        for root in roots
        for row in range(root, page.lists.end[root])
        if not page.silent[row]
    }


def _field(
    pages: Sequence[ListPage], anchors: Anchors, target: _Target, language: str, *, is_cut: bool = False
) -> SavedColumn | None:
    """Return the column with the selector that reads its cells best; None if none reads enough of them."""
    is_list = any(cell.items for cell in target.cells.values())
    best: tuple[float, float, str] | None = None
    chosen: tuple[Selector, str, dict[tuple[int, int], tuple[str, ...]]] | None = None
    for selector in _proposed(pages, anchors, target):
        read = _read(pages, selector, is_list=is_list)
        label = "" if is_list or target.attribute else _shared_label(read, target.cells)
        compared = {key: texts for key, texts in read.items() if key in target.cells} if is_cut else read
        agreement = _agreement(compared, target.cells, label)
        own = (round(agreement, 2), stability(selector), str(selector))
        if agreement >= MIN_AGREEMENT and (best is None or own > best):
            best, chosen = own, (selector, label, read)
    if chosen is None:
        return None
    selector, label, read = chosen
    total = sum(len(one.roots) for one in pages)
    texts = [tuple(text.removeprefix(label).strip() for text in those) for those in read.values()]
    typing = _typing(target.column, [those[0] for those in texts if those], language, is_list=is_list)
    past = stats_of(texts, total)
    return SavedColumn(target.column.name, target.column.caption, selector, typing, past, label, is_list)


def _typing(column: Column, texts: Sequence[str], language: str, *, is_list: bool) -> InferredType:
    if is_list:
        return InferredType("list", 1.0)
    if column.type in ("url", "image"):
        return InferredType(column.type, 1.0)
    return infer_type(texts, caption=column.caption, language=language)


def _read(pages: Sequence[ListPage], selector: Selector, *, is_list: bool) -> dict[tuple[int, int], tuple[str, ...]]:
    probe = SavedColumn("", "", selector, InferredType("text", 1.0), ColumnStats(1.0), is_list=is_list)
    read = {}
    for k, one in enumerate(pages):
        for r, roots in enumerate(one.roots):
            found = one.reader.found(probe, roots)
            if found is not None:
                read[k, r] = found.texts
    return read


def _shared_label(read: Mapping[tuple[int, int], tuple[str, ...]], cells: Mapping[tuple[int, int], Cell]) -> str:
    """Return what most texts have before the value of their cell, if that is the same for them."""
    before: Counter[str] = Counter()
    for key, texts in read.items():
        cell = cells.get(key)
        if cell is not None and texts[0] != cell.text and texts[0].endswith(cell.text):
            before[texts[0].removesuffix(cell.text).strip()] += 1
    label, times = max(before.items(), key=lambda item: (item[1], item[0]), default=("", 0))
    return label if times >= LABELLED_SHARE * len(read) else ""


def _agreement(
    read: Mapping[tuple[int, int], tuple[str, ...]], cells: Mapping[tuple[int, int], Cell], label: str
) -> float:
    """Return the share of the records in which the selector reads the cell, or nothing where there is none."""
    right = 0
    for key, texts in read.items():
        cell = cells.get(key)
        if cell is not None:
            wanted = cell.items or (cell.text,)
            right += tuple(text.removeprefix(label).strip() for text in texts) == wanted
    return right / max(len(cells.keys() | read.keys()), 1)


def _proposed(pages: Sequence[ListPage], anchors: Anchors, target: _Target) -> list[Selector]:
    """Return the selectors, from the record on, that could read the cells of some records."""
    found: dict[Selector, None] = {}
    for (k, r), rows in list(target.rows.items())[:MAX_SAMPLED_RECORDS]:
        one = pages[k]
        for row in rows:
            for steps in _inner_ways(one, anchors, one.roots[r], row):
                ended = (*steps, Step("child", f"@{target.attribute}")) if target.attribute else steps
                found[Selector(ended, is_relative=True)] = None
    return list(found)


def _inner_ways(one: ListPage, anchors: Anchors, roots: Roots, row: int) -> Iterator[Steps]:
    """Yield ways from a record to a row in it: by anchors, by tags and positions, from a label before it."""
    page = one.page
    parents = page.lists.parent
    if row in roots:
        yield from _at_root(page, anchors, roots, row)
        return
    chain = [row]
    while parents[chain[-1]] not in roots and parents[chain[-1]] >= 0:
        chain.append(parents[chain[-1]])
    if len(chain) > PROPOSAL_OPTIONS.max_steps:
        return
    chain = [at for at in reversed(chain) if page.name(at) != "tbody"]  # from the record's top down to the row
    outer: Steps = ()
    if len(roots) > 1:
        root = next(at for at in page.ancestors(chain[0]) if at in roots)
        outer = (_counted(page, root, roots),)
    axes = [own_axis(page, at) for at in chain]
    hooked = tuple(replace(_step(page, anchors, at), axis=axis) for at, axis in zip(chain, axes, strict=True))
    counted = tuple(replace(_counted(page, at), axis=axis) for at, axis in zip(chain, axes, strict=True))
    yield (*outer, *hooked)
    yield (*outer, *counted)
    last = hooked[-1]
    for ending in (last, counted[-1]):
        if not last.is_tag_only:
            yield (replace(ending, axis="descendant", position=0),)
        elif len(hooked) > 1:
            for depth in range(2, min(len(hooked), 4) + 1):
                anchor = hooked[-depth]
                if not anchor.is_tag_only:
                    yield (
                        Step("descendant", anchor.name, itemprop=anchor.itemprop, class_name=anchor.class_name),
                        *hooked[-depth + 1 : -1],
                        ending,
                    )
                    break
    if last.is_tag_only and last.name != TEXT:
        yield (Step("descendant", last.name),)
    yield from _after_label(one, row)


def _at_root(page: Page, anchors: Anchors, roots: Roots, row: int) -> Iterator[Steps]:
    if len(roots) == 1:
        yield ()
    else:
        yield (_counted(page, row, roots),)
        step = _step(page, anchors, row)
        if not step.is_tag_only:
            yield (step,)


def _after_label(one: ListPage, row: int) -> Iterator[Steps]:
    """Yield ways to a row from the texts that stand alone shortly before it: they may be labels."""
    page, finder = one.page, one.reader.finder
    before = [at for at in page.siblings(row) if at < row][-MAX_AFTER_LABEL:]
    for turn, at in enumerate(reversed(before), 1):
        texts = [at] if page.is_text(at) else finder.texts_in(at)
        words = normalize_space(page.text[texts[0]]) if len(texts) == 1 else ""
        if words.endswith((":", "：")) and "'" not in words:
            name = TEXT if page.is_text(row) else page.name(row)
            label = TEXT if page.is_text(at) else page.name(at)
            yield (Step("descendant", label, text=words), Step("nth-sibling", name, position=turn))


def _step(page: Page, anchors: Anchors, row: int) -> Step:
    return Step("child", TEXT) if page.is_text(row) else anchors.step(page, row)


def _counted(page: Page, row: int, among: Sequence[int] = ()) -> Step:
    """Return the step to a row by its place among siblings of its tag, or among the tops of a record."""
    name = TEXT if page.is_text(row) else page.name(row)
    if among:
        return Step("child", name, position=1 + sum(page.name(at) == page.name(row) for at in among if at < row))
    return Step("child", name, position=page.position(row))
