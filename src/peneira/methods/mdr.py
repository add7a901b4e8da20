"""MDR: mining data records (Liu, Grossman and Zhai, "Mining Data Records in Web Pages", KDD 2003).

A generalised node is 1..K adjacent siblings; a data region is two or more adjacent generalised nodes of the same size
whose tag strings are similar. MDR reports every repetitive region, menus included, and does not choose a main one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from peneira.budget import check_budget
from peneira.page import Flags, Page
from peneira.reasons import Reason, ReasonCode
from peneira.result import Range, Record, Region
from peneira.texts.region_filter import content_rows
from peneira.trees.string_distance import Pattern

MAX_COMPONENTS = 10  # K of the paper
MAX_DISTANCE = 0.3  # T of the paper, as a share of the longer string
MIN_SIMILAR = 0.5  # share of similar neighbours, for a generalised node to be cut into several records
_CLOCK_EVERY_ROWS = 1_024
MIN_HEIGHT = 3  # of the tag tree of a node that can contain records


@dataclass(frozen=True, slots=True)
class DataRegion:
    """Adjacent generalised nodes below one parent: ``nodes`` are their components in order, ``size`` to each."""

    parent: int
    size: int
    nodes: tuple[int, ...]

    @property
    def generalised_nodes(self) -> list[tuple[int, ...]]:
        """The generalised nodes, each a tuple of sibling rows."""
        return [self.nodes[k : k + self.size] for k in range(0, len(self.nodes), self.size)]


def find_regions(page: Page, keep: Flags | None = None) -> list[Region]:
    """Return the data regions of a page as regions of records, those with the most text first.

    ``keep``: the rows that are left of a pruned page; with a row, its ancestors must be kept.
    """
    tree = TagTree(page, keep)
    regions = [_region(page, data, data_records(tree, data)) for data in data_regions(tree)]
    return sorted(regions, key=_by_text)


def find_filtered_regions(page: Page) -> list[Region]:
    """Return the data regions of the page that cleaning leaves."""
    return find_regions(page, content_rows(page))


def record_texts(page: Page, keep: Flags | None = None) -> list[str]:
    """Return the texts of all records of all data regions."""
    tree = TagTree(page, keep)
    return [_record(page, parts).text for data in data_regions(tree) for parts in data_records(tree, data)]


def _by_text(region: Region) -> tuple[int, Range]:
    return -sum(len(record.text) for record in region.records), region.records[0].ranges[0]


class TagTree:
    """The elements of a page's body as a tree of tags, with the tag string of every node and list of nodes.

    ``keep``: the rows that are left of a pruned page; with a row, its ancestors must be kept.
    """

    def __init__(self, page: Page, keep: Flags | None = None) -> None:
        self.page = page
        inside = (page.tag != 0) & ~page.silent & (True if keep is None else keep)
        self.rows: list[int] = [i for i in inside.nonzero()[0].tolist() if i >= page.body]
        self.children: dict[int, list[int]] = {i: [] for i in self.rows}
        # text is a level of its own: `ul > li > text` is as high as the paper wants a node to be
        texts = (page.tag == 0) & (True if keep is None else keep)
        with_text = set(page.parent[texts].tolist())
        self.height = {i: 2 if i in with_text else 1 for i in self.rows}
        check_budget()
        parents = page.parent.tolist()
        for i in self.rows:
            if i != page.body:
                self.children[parents[i]].append(i)
        for i in reversed(self.rows):
            if i != page.body:
                self.height[parents[i]] = max(self.height[parents[i]], self.height[i] + 1)
        self._tags: list[int] = page.tag[self.rows].tolist()
        self._shape_of, self._spans = self._number_shapes()
        self._patterns: dict[tuple[int, ...], Pattern] = {}
        self._verdicts: dict[tuple[tuple[int, ...], tuple[int, ...]], bool] = {}

    def _number_shapes(self) -> tuple[dict[int, int], list[tuple[int, int]]]:
        """Return the id of each row's tag tree, equal for equal trees, and the range of each id's string in ``_tags``.

        The strings themselves would take rows x depth: 1 GB for 48,000 rows 3,000 deep.
        """
        ids: dict[tuple[int, tuple[int, ...]], int] = {}
        spans: list[tuple[int, int]] = []
        shape_of: dict[int, int] = {}
        for start in range(len(self.rows) - 1, -1, -1):
            if start % _CLOCK_EVERY_ROWS == 0:
                check_budget()
            i = self.rows[start]
            below = tuple(shape_of[child] for child in self.children[i])
            key = (self._tags[start], below)
            if key not in ids:
                ids[key] = len(ids)
                size = 1 + sum(spans[shape][1] - spans[shape][0] for shape in below)
                spans.append((start, start + size))
            shape_of[i] = ids[key]
        return shape_of, spans

    def are_similar(self, left: Sequence[int], right: Sequence[int]) -> bool:
        """Return whether two lists of nodes have similar tag strings; equal pairs of lists are compared once."""
        a, b = self._shapes_of(left), self._shapes_of(right)
        if a == b:
            return True
        long, short = max(self._length(a), self._length(b)), min(self._length(a), self._length(b))
        if long - short > MAX_DISTANCE * long:  # too different in length, whatever the tags
            return False
        pair = (a, b) if a < b else (b, a)
        verdict = self._verdicts.get(pair)
        if verdict is None:
            verdict = self._verdicts[pair] = self._pattern(a).is_within(self._pattern(b), MAX_DISTANCE)
        return verdict

    def are_all_similar(self, nodes: Sequence[int]) -> bool:
        """Return whether each node is similar to the next."""
        return all(self.are_similar((a,), (b,)) for a, b in pairwise(nodes))

    def _shapes_of(self, nodes: Sequence[int]) -> tuple[int, ...]:
        return tuple(self._shape_of[i] for i in nodes)

    def _length(self, shapes: tuple[int, ...]) -> int:
        return sum(self._spans[shape][1] - self._spans[shape][0] for shape in shapes)

    def _pattern(self, shapes: tuple[int, ...]) -> Pattern:
        if shapes not in self._patterns:
            spans = [self._spans[shape] for shape in shapes]
            self._patterns[shapes] = Pattern([tag for start, end in spans for tag in self._tags[start:end]])
        return self._patterns[shapes]


def data_regions(tree: TagTree) -> list[DataRegion]:
    """Return the data regions in document order (FindDRs).

    Regions below a child count only if the child is not part of a region itself.
    """
    regions: dict[int, list[DataRegion]] = {}
    for i in reversed(tree.rows):
        if tree.height[i] < MIN_HEIGHT:
            continue
        check_budget()
        own = _regions_below(tree, i)
        covered = {node for region in own for node in region.nodes}
        below = [region for child in tree.children[i] if child not in covered for region in regions.pop(child, [])]
        regions[i] = own + below
    return sorted(regions.get(tree.page.body, []), key=lambda region: region.nodes)


def _regions_below(tree: TagTree, parent: int) -> list[DataRegion]:
    """Return the data regions among the children of a node (IdenDRs, its recursion as a loop)."""
    children = tree.children[parent]
    runs = [_runs(tree, children, size) for size in range(1, MAX_COMPONENTS + 1) if 2 * size <= len(children)]
    regions: list[DataRegion] = []
    start = 0
    while best := _longest_run(runs, start):
        size, first, covered = best
        regions.append(DataRegion(parent, size, tuple(children[first : first + covered])))
        start = first + covered
    return regions


def _runs(tree: TagTree, children: Sequence[int], size: int) -> tuple[list[int], list[int]]:
    """Return the start of the next run of similar generalised nodes from each child on, and the length of each run.

    Children are stepped through by ``size``. A start past the last child means that there is no run. The length is that
    of the run that starts at a child, in children.
    """
    count = len(children)
    begins, covers = [count] * (count + size), [0] * (count + size)
    for k in range(count - 2 * size, -1, -1):
        if k % _CLOCK_EVERY_ROWS == 0:
            check_budget()
        if tree.are_similar(children[k : k + size], children[k + size : k + 2 * size]):
            begins[k] = k
            covers[k] = (covers[k + size] or size) + size
        else:
            begins[k] = begins[k + size]
    return begins, covers


def _longest_run(runs: Sequence[tuple[list[int], list[int]]], start: int) -> tuple[int, int, int] | None:
    """Return (size, first child, children covered) of the run that IdenDRs selects.

    A longer run replaces a shorter one if it does not begin later.
    """
    best: tuple[int, int, int] | None = None
    for size, (begins, covers) in enumerate(runs, start=1):
        for offset in range(start, min(start + size + 1, len(begins))):
            first = begins[offset]
            covered = covers[first] if first < len(covers) else 0
            if covered and (best is None or (covered > best[2] and first <= best[1])):
                best = (size, first, covered)
    return best


def data_records(tree: TagTree, region: DataRegion) -> list[tuple[int, ...]]:
    """Return the records of a data region, each as the rows of its parts (section 3.4 of the paper)."""
    if region.size == 1:
        return [record for node in region.nodes for record in _records_in_one(tree, node)]
    whole = region.generalised_nodes
    if _is_split_over_parts(tree, whole):
        return [tuple(part) for node in whole for part in zip(*(tree.children[i] for i in node), strict=True)]
    smaller = _smaller_records(tree, region)
    if smaller and len(smaller[0]) == 1:
        return [record for (node,) in smaller for record in _records_in_one(tree, node)]
    return smaller or whole


def _records_in_one(tree: TagTree, node: int) -> list[tuple[int, ...]]:
    """Return the records in a generalised node of one component.

    They are its children if all are similar and the node is not a row of a data table, else the node itself.
    """
    children = tree.children[node]
    if len(children) > 1 and not _is_data_row(tree, node) and tree.are_all_similar(children):
        return [(child,) for child in children]
    return [(node,)]


def _is_data_row(tree: TagTree, node: int) -> bool:
    """Return whether a node is a table row with a cell that contains text only."""
    heights = [tree.height[child] for child in tree.children[node]]
    return tree.page.name(node) == "tr" and min(heights, default=0) < MIN_HEIGHT


def _is_split_over_parts(tree: TagTree, whole: Sequence[tuple[int, ...]]) -> bool:
    """Return whether records lie across the components, the n-th children of the components being the n-th record.

    All components must have the same number of children, which must be similar.
    """
    components = [i for node in whole for i in node]
    counts = {len(tree.children[i]) for i in components}
    if len(counts) > 1 or counts <= {0, 1} or any(_is_data_row(tree, i) for i in components):
        return False
    return all(tree.are_all_similar(tree.children[i]) for i in components)


def _smaller_records(tree: TagTree, region: DataRegion) -> list[tuple[int, ...]]:
    """Return the records if a generalised node contains several of them, else nothing.

    Long tag strings tolerate more differences than short ones: two rows of five products can be similar where
    neighbouring products are not, and cover more. Empty components only separate. Of the others, the smallest groups
    are taken of which most are similar to the next.
    """
    solid = [i for i in region.nodes if tree.height[i] > 1]
    for size in range(1, region.size):
        groups = [tuple(solid[k : k + size]) for k in range(0, len(solid), size)]
        similar = sum(tree.are_similar(a, b) for a, b in pairwise(groups))
        if len(groups) > 1 and similar >= MIN_SIMILAR * (len(groups) - 1):
            return groups
    return []


def _region(page: Page, data: DataRegion, parts: Sequence[tuple[int, ...]]) -> Region:
    records = tuple(_record(page, record) for record in parts)
    chars = sum(len(record.text) for record in records)
    # the text of hidden records is not part of the page's text if the page has visible text
    share = chars / max(len(page.text_of(page.body)), chars, 1)
    reasons = (
        Reason(ReasonCode.SHARE, f"{len(records)} records hold {share:.0%} of the page's text", round(share, 4)),
        Reason(ReasonCode.COMPONENTS, f"a generalised node is {data.size} siblings", data.size),
    )
    return Region(page.xpath(data.parent), records, round(share, 3), reasons=reasons)


def _record(page: Page, parts: Sequence[int]) -> Record:
    ranges: list[tuple[int, int]] = []
    for i in parts:
        end = int(page.end[i])
        if ranges and _is_next_sibling(page, ranges[-1][1], i):
            ranges[-1] = (ranges[-1][0], end)
        else:
            ranges.append((i, end))
    text = " ".join(filter(None, (page.text_of(start, end) for start, end in ranges)))
    return Record(tuple(ranges), text, "", node=page.node(parts[0]))


def _is_next_sibling(page: Page, end: int, i: int) -> bool:
    """Return whether only text and silent nodes lie between the end of a sibling and node ``i``."""
    return all(page.is_text(k) or page.silent[k] for k in range(end, i))
