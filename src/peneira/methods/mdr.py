"""MDR: mining data records (Liu, Grossman and Zhai, "Mining Data Records in Web Pages", KDD 2003).

A generalised node is 1..K adjacent siblings; a data region is two or more adjacent generalised nodes of the same size
whose tag strings are similar. MDR reports every repetitive region, menus included, and does not choose a main one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from peneira.findings import Findings
from peneira.methods.tag_tree import TagTree
from peneira.page import Flags, Page
from peneira.reasons import Reason, ReasonCode
from peneira.result import Range, Record, Region
from peneira.texts.region_filter import content_rows
from peneira.texts.tps import Variant, filtered_rows

MAX_COMPONENTS = 10  # K of the paper
PUBLISHED_FILTER: Variant = "program"  # of tps+mdr: as the author's program behaved
MIN_SIMILAR = 0.5  # share of similar neighbours, for a generalised node to be cut into several records
MIN_ROWS = 0.8  # share of the nodes of a region that are rows of records, and of a row that its records fill
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
    return _regions(TagTree(page, keep))


def find_by_tree_matching(page: Page) -> Findings:
    """Return the data regions of a page, nodes compared by tree matching in place of tag strings."""
    tree = TagTree(page, comparison="trees")
    return Findings(_regions(tree), tree.cuts)


def _regions(tree: TagTree) -> list[Region]:
    regions = [_region(tree, data, data_records(tree, data)) for data in data_regions(tree)]
    return sorted(regions, key=_by_text)


def find_published_filter(page: Page, variant: Variant = PUBLISHED_FILTER) -> list[Region]:
    """Return the data regions of what the published tag path filter keeps of the page."""
    return find_regions(page, filtered_rows(page, variant)) if len(page) else []


def find_in_main_regions(page: Page) -> list[Region]:
    """Return the data regions of the main regions that our own filter finds."""
    return find_regions(page, content_rows(page))


def record_texts(page: Page, keep: Flags | None = None) -> list[str]:
    """Return the texts of all records of all data regions."""
    tree = TagTree(page, keep)
    return [record_of(page, parts).text for data in data_regions(tree) for parts in data_records(tree, data)]


def _by_text(region: Region) -> tuple[int, Range]:
    return -sum(len(record.text) for record in region.records), region.records[0].ranges[0]


def data_regions(tree: TagTree) -> list[DataRegion]:
    """Return the data regions in document order (FindDRs).

    Regions below a child count only if the child is not part of a region itself.
    """
    regions: dict[int, list[DataRegion]] = {}
    for i in reversed(tree.rows):
        if tree.height[i] < MIN_HEIGHT:
            continue
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
    whole = region.generalised_nodes
    if region.size > 1 and _is_split_over_parts(tree, whole):
        return [tuple(part) for node in whole for part in zip(*(tree.children[i] for i in node), strict=True)]
    nodes = (_smaller_records(tree, region) if region.size > 1 else []) or whole
    solid = [tuple(i for i in node if tree.height[i] > 1) or node for node in nodes]
    if any(len(parts) > 1 for parts in solid):
        return nodes
    lines = [parts[0] for parts in solid]
    if rows := _records_in_rows(tree, lines):
        return rows
    if any(len(node) > 1 for node in nodes):
        return nodes
    return [record for line in lines for record in _records_in_one(tree, line)]


def _records_in_one(tree: TagTree, node: int) -> list[tuple[int, ...]]:
    """Return the records in a generalised node of one component.

    They are its children if all are similar and the node is not a row of a data table, else the node itself.
    """
    children = tree.children[node]
    if len(children) > 1 and not _is_data_row(tree, node) and tree.are_all_similar(children):
        return [(child,) for child in children]
    return [(node,)]


def _records_in_rows(tree: TagTree, lines: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the records if the nodes are rows of several of them, as in a grid of products, else nothing.

    The paper wants all children of a node to be similar; a spacer between two products, or one product with a part
    more, would then join the records of a row. So a node is a row if its children are a data region themselves, and
    nearly all nodes must be rows. A part without a link or an image is a value and no record.
    """
    records: list[tuple[int, ...]] = []
    rows = 0
    for line in lines:
        cells = _cells(tree, line)
        rows += len(cells) > 1
        records += cells or [(line,)]
    return records if rows >= MIN_ROWS * len(lines) else []


def _cells(tree: TagTree, line: int) -> list[tuple[int, ...]]:
    """Return the generalised nodes that fill a node, each with a link or an image; nothing where there are none."""
    regions = _regions_below(tree, line)
    if not regions:
        return []
    largest = max(regions, key=lambda region: tree.size(region.nodes))
    parts = (_smaller_records(tree, largest) if largest.size > 1 else []) or largest.generalised_nodes
    cells = [node for node in parts if tree.has_link(node)]
    is_filled = tree.size([i for cell in cells for i in cell]) >= MIN_ROWS * (tree.size([line]) - 1)
    return cells if is_filled else []


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


def _region(tree: TagTree, data: DataRegion, parts: Sequence[tuple[int, ...]]) -> Region:
    page = tree.page
    records = tuple(record_of(page, record) for record in parts)
    likeness = neighbour_similarity(tree, parts)
    confidence = round(likeness * (1 - 1 / len(records)), 3)
    reasons = (
        Reason(
            ReasonCode.SIMILARITY, f"neighbours of {len(records)} records are {likeness:.0%} alike", round(likeness, 4)
        ),
        Reason(ReasonCode.COMPONENTS, f"a generalised node is {data.size} siblings", data.size),
    )
    return Region(page.xpath(data.parent), records, confidence, reasons=reasons)


def neighbour_similarity(tree: TagTree, records: Sequence[tuple[int, ...]]) -> float:
    """Return the mean similarity of each record to the next, 0..1; of long lists, of the first 200 pairs."""
    pairs = list(pairwise(records))[:200]
    return sum(tree.similarity(a, b) for a, b in pairs) / len(pairs) if pairs else 0.0


def record_of(page: Page, parts: Sequence[int]) -> Record:
    """Return the record that is made of these nodes; neighbours are one range."""
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
