"""The rendering-area method (Figueiredo, Ferreira and Assis, "A Rendering-based Method for Selecting the Main Data
Region in Web Pages"): the main data region is a large element, as rendered, with many children of one tag.

``select`` is the method as published, step by step, with all its parameters. We add three things: an element without a
box of its own takes that of its descendants, frames are part of the page, and ``auto`` cuts the region into records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peneira.errors import InputError
from peneira.findings import Findings
from peneira.layout import Boxes
from peneira.lists import auto
from peneira.lists.subpage import Subpage
from peneira.page import TEXT, Page
from peneira.reasons import Reason, ReasonCode
from peneira.result import Record, Region
from peneira.trees.shapes import SubtreeIndex
from peneira.trees.tree_distance import EditDistances, mean_distance
from peneira.xpath.frame_paths import frame_path
from peneira.xpath.unique_xpath import predicate_xpath

# Section III-A: children with these tags are not counted
UNCOUNTED_TAGS = frozenset("input textarea select option link script style img td noscript".split())
# Section III-C: these separate or describe records, and are not compared
IGNORED_TAGS = frozenset("br h1 h2 h3 h4 h5 h6 a".split())
# Section III-C: how many ancestors of the region are tried
MAX_CLIMBS = 3
# Different children of an element that are compared, the most frequent first: comparing costs their square
MAX_COMPARED = 200


@dataclass(frozen=True, slots=True)
class Parameters:
    """The six parameters with the values of section IV-D, and switches for the steps of the third stage.

    ``infer_boxes`` is not in the paper: elements without a box take that of their descendants.
    """

    min_children: int = 3  # #min
    area: float = 0.1  # %area
    height: float = 0.2  # %height
    width: float = 0.3  # %width
    parent: float = 0.2  # %parent
    distance: float = 2.0  # delta_max
    use_area: bool = True
    use_height: bool = True
    use_width: bool = True
    use_parent: bool = True
    use_climbing: bool = True
    infer_boxes: bool = True


PUBLISHED = Parameters()


@dataclass(frozen=True, slots=True)
class Selection:
    """The main data region, and how it was found.

    ``remaining``: the number of candidates after each filter; ``climbed``: the levels from the largest candidate
    up to ``node``; ``shares``: of the body's area, height and width.
    """

    node: int
    candidates: int
    remaining: tuple[tuple[str, int], ...]
    climbed: int
    shares: tuple[float, float, float]


def find_regions(page: Page, parameters: Parameters = PUBLISHED) -> Findings:
    """Return the main data region with its records. The page must have boxes."""
    check_boxes(page, "area")
    return found_by(RegionSelector(page), parameters)


def check_boxes(page: Page, method: str) -> None:
    """Raise an error with advice if a page was not rendered."""
    if page.layout is None:
        raise InputError(
            f"the method {method} needs a rendered page: give --render always, or a page that Browser.read returned"
        )


def found_by(selector: RegionSelector, parameters: Parameters = PUBLISHED) -> Findings:
    """Return the region that a selector selects, with its records."""
    return Findings([_region(selector.page, selector.select(parameters))], selector.distances.cuts)


def select(page: Page, parameters: Parameters = PUBLISHED) -> Selection:
    """Return the main data region of a page with boxes."""
    return RegionSelector(page).select(parameters)


class RegionSelector:
    """The method on one page; what does not depend on the parameters is computed once."""

    def __init__(self, page: Page) -> None:
        assert page.layout is not None
        self.page = page
        self._boxes = page.layout.boxes
        self._inferred_boxes = page.layout.extents(page.parent, page.depth)
        self._counts = _same_tag_children(page)
        self._subtrees = SubtreeIndex()
        self.distances = EditDistances(self._subtrees)
        self._records: dict[int, dict[int, int]] = {}

    def select(self, parameters: Parameters = PUBLISHED) -> Selection:
        """Return the main data region."""
        boxes = self._inferred_boxes if parameters.infer_boxes else self._boxes
        body = self.page.body
        rows = np.arange(len(self.page))
        inside = (rows > body) & (rows < self.page.end[body])
        candidates = np.flatnonzero(inside & (self._counts >= max(parameters.min_children, 1)) & ~self.page.silent)
        total = len(candidates)
        remaining: list[tuple[str, int]] = []
        for name, shares, min_share, is_used in self._filters(boxes, parameters):
            candidates = candidates[shares[candidates] >= min_share] if is_used else candidates
            remaining.append((name, len(candidates)))
        if parameters.use_parent:
            candidates = self._without_parents(candidates, boxes, parameters.parent)
            remaining.append(("parent", len(candidates)))
        node, climbed = (self.winner(candidates, boxes), 0) if len(candidates) else (body, 0)
        if len(candidates) and parameters.use_climbing:
            node, climbed = self._climbed(node, parameters)
        whole = np.maximum(boxes[body], 1e-9)
        width, height = float(boxes[node, 2] / whole[2]), float(boxes[node, 3] / whole[3])
        return Selection(node, total, tuple(remaining), climbed, (width * height, height, width))

    def _filters(self, boxes: Boxes, parameters: Parameters) -> Iterator[tuple[str, NDArray[np.float64], float, bool]]:
        """Yield the filters in the order of the paper: name, share of the body by node, minimum share, whether used."""
        width, height = boxes[:, 2], boxes[:, 3]
        body = np.maximum(boxes[self.page.body], 1e-9)
        yield "area", width * height / (body[2] * body[3]), parameters.area, parameters.use_area
        yield "height", height / body[3], parameters.height, parameters.use_height
        yield "width", width / body[2], parameters.width, parameters.use_width

    def _without_parents(self, candidates: NDArray[np.int64], boxes: Boxes, share: float) -> NDArray[np.int64]:
        """Return the candidates without those that another candidate inside fills to more than this share."""
        areas = boxes[:, 2] * boxes[:, 3]
        largest: dict[int, float] = {}
        is_candidate = set(candidates.tolist())
        for i in candidates.tolist():
            for above in self.page.ancestors(i):
                if above in is_candidate:
                    largest[above] = max(largest.get(above, 0.0), float(areas[i]))
        return np.array([i for i in candidates.tolist() if largest.get(i, 0.0) <= share * areas[i]], dtype=np.int64)

    def winner(self, candidates: NDArray[np.int64], boxes: Boxes) -> int:
        """Return the candidate that is taken: the largest."""
        return int(candidates[np.argmax((boxes[:, 2] * boxes[:, 3])[candidates])])

    # --- records in other subtrees ---------------------------------------------------------------------------------

    def _climbed(self, node: int, parameters: Parameters) -> tuple[int, int]:
        """Return the nearest of the next ancestors that contains more records, and how many levels up it is."""
        page, own = self.page, self._possible_records(node)
        for step, above in enumerate(page.ancestors(node), start=1):
            if step > MAX_CLIMBS or above < page.body or not own:
                break
            others = range(above + 1, int(page.end[above]))
            if any(
                self._are_similar(own, other, parameters)
                for other in others
                if not (node <= other < page.end[node]) and not (other < node < page.end[other])
                if self.may_join(node, other)
            ):
                return above, step
        return node, 0

    def may_join(self, node: int, other: int) -> bool:
        """Return whether another element may hold records of the same list; the paper compares structures only."""
        return True

    def _are_similar(self, own: dict[int, int], other: int, parameters: Parameters) -> bool:
        if self._counts[other] < parameters.min_children:
            return False
        records = self._possible_records(other)
        return bool(records) and mean_distance(own, records, self.distances.between) <= parameters.distance

    def _possible_records(self, node: int) -> dict[int, int]:
        """Return how often each tree of two levels occurs among the children of a node that may be records."""
        if node not in self._records:
            children = [child for child in self.page.children(node) if self._is_compared(child)]
            counts = Counter(self._two_levels(child) for child in children)
            self._records[node] = dict(counts.most_common(MAX_COMPARED))
        return self._records[node]

    def _two_levels(self, node: int) -> int:
        below = [self.page.name(child) for child in self.page.children(node) if self._is_compared(child)]
        return self._subtrees.shape(self.page.name(node), tuple(self._subtrees.shape(name) for name in below))

    def _is_compared(self, node: int) -> bool:
        name = self.page.name(node)
        return name != TEXT and name not in IGNORED_TAGS and not self.page.silent[node]


def _same_tag_children(page: Page) -> NDArray[np.int64]:
    """Return for each node the number of children with its most frequent tag; some tags are not counted."""
    counted = np.array([name not in UNCOUNTED_TAGS and name != TEXT for name in page.tag_names], dtype=np.bool_)
    rows = np.flatnonzero(counted[page.tag] & (page.parent >= 0))
    largest = np.zeros(len(page), dtype=np.int64)
    keys, counts = np.unique(page.parent[rows].astype(np.int64) * len(counted) + page.tag[rows], return_counts=True)
    np.maximum.at(largest, keys // len(counted), counts)
    return largest


def _region(page: Page, selection: Selection) -> Region:
    """Return the selected region with the records that ``auto`` finds in it, else with its children as records."""
    part = Subpage(page, selection.node)
    lists = auto.find_lists(part.page).regions
    reasons = _reasons(page, selection)
    xpath = page.xpath(selection.node)
    if lists:
        best = part.to_whole_page(lists[0])
        return Region(xpath, best.records, best.confidence, reasons=(*reasons, *best.reasons))
    return Region(xpath, _children(page, selection.node), 0.0, reasons=reasons)


def _children(page: Page, node: int) -> tuple[Record, ...]:
    rows = [child for child in page.children(node) if page.text_chars[child] and not page.silent[child]]
    return tuple(Record(((i, int(page.end[i])),), page.text_of(i), "", node=page.node(i)) for i in rows)


def _reasons(page: Page, selection: Selection) -> tuple[Reason, ...]:
    area, height, width = selection.shares
    filters = ", ".join(f"{count} after {name}" for name, count in selection.remaining)
    reasons = [
        Reason(
            ReasonCode.AREA,
            f"{area:.0%} of the body's area, {height:.0%} of its height, {width:.0%} of its width",
            area,
        ),
        Reason(ReasonCode.CANDIDATES, f"{selection.candidates} elements with enough children of one tag; {filters}"),
        Reason(ReasonCode.XPATH, f"by attributes: {predicate_xpath(page, selection.node)}"),
    ]
    if len(frames := frame_path(page, selection.node)) > 1:
        reasons.append(Reason(ReasonCode.XPATH, f"in frames: {', then '.join(frames)}"))
    if selection.climbed:
        reasons.append(
            Reason(
                ReasonCode.CLIMBED,
                f"{selection.climbed} levels up, to include similar records",
                float(selection.climbed),
            )
        )
    return tuple(reasons)
