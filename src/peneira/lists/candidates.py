"""Candidate lists of a page: every way of cutting it into records that its repetitions suggest.

Repeated nodes are grouped: nodes of the same tag path or styled path, on the whole page or among siblings, nodes with
the same tag and style under the same parent tag, and siblings that stand after a blank line (``<br><br>``) or a rule.
Each group gives up to four candidates:

- *nodes*: each node of the group is a record;
- *lifted*: each record is the largest subtree that contains exactly one node of the group. This turns titles into
  whole records, whatever wraps them, finds cells in rows, and leaves out rows that lack what all records have;
- *runs*: each lifted node with the siblings after it, up to the next lifted node: records without an element of their
  own;
- *trimmed runs*: the same, but a run that ends with its parent is no longer than the longest run that ends at another
  record.

All groups are handled at once, at the cost of sorting the nodes; runs also cost the depth or the length of the longest.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers, running_sum
from peneira.budget import check_budget
from peneira.columns.data_attributes import image_url
from peneira.kernels import compiled
from peneira.ml.running_sums import PageCounts, RunningSums, inside_tags, is_tag, page_facts
from peneira.page import Page

Numbers = NDArray[np.float64]
# The address of an image, or what it is made of
Picture = str | tuple[tuple[object, ...], ...]

kernel = compiled("list_candidates")
candidate_table = compiled("candidate_table")
# What the kernel leaves open: whether a group tears rows, whether a list without text is one of images
_BY_HEADERS = 2
_IF_GALLERY = 2

NODES, LIFTED, RUNS, TRIMMED = range(4)
KINDS = ("nodes", "lifted", "runs", "trimmed_runs")

MIN_RECORDS = 2
# A list with a smaller share of the page's text is never the main list, and rarely of interest
MIN_SHARE = 0.015
# Unless it has this share of the page's images: a gallery has no text
MIN_IMAGE_SHARE = 0.3
MIN_OWN_IMAGES = 0.5
# Cells with one text each and several in a row are parts of records, if they are at least this share of the list
MIN_BARE_CELLS = 0.9
MIN_CELLS_PER_ROW = 1.5
# A list is wholly inside such elements or wholly outside: so are all of 345 lists with gold, while one of them is
# partly in its main element
FRAME_TAGS = ("nav", "footer", "aside", "dialog")


@dataclass(frozen=True, slots=True)
class Candidates:
    """Lists of records: candidate after candidate, record after record, each the rows ``starts:ends``.

    ``counts``: records per candidate; ``kind``: index into ``KINDS``; ``support``: how many times this very list came
    up, over all groups of nodes and kinds.
    """

    starts: Integers
    ends: Integers
    counts: Integers
    kind: Integers
    support: Integers
    _first: list[Integers] = field(default_factory=list, init=False, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def first(self) -> Integers:
        """The index of each candidate's first record; computed once, not to be changed."""
        if not self._first:
            counts = self.counts
            first = running_sum(counts)[:-1] if candidate_table is None else candidate_table.first_records(counts)
            self._first.append(first)
        return self._first[0]

    def ranges(self, k: int) -> list[tuple[int, int]]:
        """Return the records of candidate ``k``."""
        start = int(self.counts[:k].sum())
        own = slice(start, start + int(self.counts[k]))
        return list(zip(self.starts[own].tolist(), self.ends[own].tolist(), strict=True))

    def take(self, which: Integers) -> Candidates:
        """Return some of the candidates, in the order of ``which``."""
        if candidate_table is not None:
            columns = (self.first, self.counts, self.starts, self.ends, self.kind, self.support)
            return Candidates(*candidate_table.taken(which, *columns))
        first, counts = self.first[which], self.counts[which]
        rows = np.repeat(first - running_sum(counts)[:-1], counts) + np.arange(int(counts.sum()))
        return Candidates(self.starts[rows], self.ends[rows], counts, self.kind[which], self.support[which])


def find_candidates(page: Page, sums: RunningSums) -> Candidates:
    """Return the candidate lists of a page without duplicates."""
    if kernel is not None and sums.counts is not None:
        return _compiled_candidates(page, sums, sums.counts)
    members, counts = _groups(page, sums)
    if not len(counts):
        return _no_candidates()
    lifted = _lifted(page, members, counts)
    runs, closed = _runs(page, lifted, counts)
    lengths = _run_lengths(page, lifted, runs, closed)
    ends = page.end.astype(np.int64)
    starts = np.concatenate((members, lifted, lifted, lifted))
    last = np.concatenate((ends[members], ends[lifted], runs, _trimmed(page, lifted, runs, closed, lengths, counts)))
    kind = np.repeat(np.arange(len(KINDS)), len(counts))
    found = Candidates(starts, last, np.tile(counts, len(KINDS)), kind, kind)
    torn = np.tile(_tears_rows(page, lifted, lengths, counts), len(KINDS)) & (kind >= RUNS)
    found = found.take(np.flatnonzero(~torn & ~_straddle(page, found)))
    return _distinct(_large(page, sums, found.take(np.flatnonzero(~_are_plain_cells(page, sums, found)))))


def _compiled_candidates(page: Page, sums: RunningSums, own: PageCounts) -> Candidates:
    table, names = own.sums, page.tag_names
    chars, texts, links, images = (page_facts.SUMS.index(name) for name in ("chars", "texts", "links", "images"))
    cell, header = (names.index(name) if name in names else -1 for name in ("td", "th"))
    after_break_sums = page_facts.SUMS.index("after_break")
    inside, is_after_break = kernel.content_rows(
        table, chars, images, after_break_sums, page.end, page.silent.view(np.uint8), page.body
    )
    members, counts = kernel.find_groups(
        inside, page.tag, page.parent, page.end, page.path, page.styled_path, page.style, is_after_break
    )
    check_budget()
    lifted, runs, trimmed, lengths = kernel.cut_groups(members, counts, page.parent, page.end, page.depth)
    torn = kernel.torn_groups(counts, lifted, lengths, page.tag, cell, header)
    doubtful = np.flatnonzero(torn == _BY_HEADERS)
    if len(doubtful):
        headers = _TableHeaders(page)
        torn[doubtful] = [headers.are_distinct(row) for row in lifted[running_sum(counts)[doubtful]].tolist()]
    check_budget()
    verdicts = kernel.judge_candidates(
        counts, members, lifted, runs, trimmed, torn, inside_tags(page, FRAME_TAGS).view(np.uint8), page.tag,
        page.parent, page.end, table, chars, texts, links, images, cell, header,
        MIN_SHARE, MIN_IMAGE_SHARE, MIN_BARE_CELLS, MIN_CELLS_PER_ROW,
    )  # fmt: skip
    galleries = np.argwhere(verdicts == _IF_GALLERY).tolist()
    if galleries:
        first, pictures = running_sum(counts), _Pictures(page)
        for kind, group in galleries:
            starts = (members if kind == NODES else lifted)[first[group] : first[group + 1]]
            verdicts[kind, group] = _is_gallery(pictures, sums, starts)
    return Candidates(*kernel.distinct_candidates(verdicts, counts, members, lifted, runs, trimmed, page.end))


def _no_candidates() -> Candidates:
    empty = np.zeros(0, dtype=np.int64)
    return Candidates(empty, empty, empty, empty, empty)


# --- groups of repeated nodes ---------------------------------------------------------------------------------------


def _groups(page: Page, sums: RunningSums) -> tuple[Integers, Integers]:
    """Return the nodes of all groups, group after group, and how many are in each."""
    has_content = (sums.of_subtrees(page, sums.chars) > 0) | (sums.of_subtrees(page, sums.images) > 0)
    inside = np.flatnonzero(has_content & ~page.silent)
    inside = inside[inside > page.body]
    if not len(inside):
        return inside, inside
    grouped = [_grouped(inside, key[inside]) for key in _keys(page)]
    grouped[-1] = _outermost(page, *grouped[-1])  # only nodes with this key can lie inside each other
    parted = inside[after_break(page)[inside]]
    grouped.append(_grouped(parted, page.parent[parted].astype(np.int64)))
    members = np.concatenate([rows for rows, _ in grouped])
    counts = np.concatenate([sizes for _, sizes in grouped])
    return _kept(members, counts, _first_seen(_hashes(members, counts)))


def _keys(page: Page) -> list[Integers]:
    """Return the keys by which nodes are grouped, each a column over the page's rows."""
    path, styled, parent = (column.astype(np.int64) for column in (page.path, page.styled_path, page.parent))
    tags = len(page.tag_names)
    above = np.where(parent >= 0, page.tag[parent], 0)
    return [
        path,
        styled,
        parent * (path.max() + 1) + path,
        parent * (styled.max() + 1) + styled,
        (page.style.astype(np.int64) * tags + above) * tags + page.tag,
    ]


def after_break(page: Page) -> NDArray[np.bool_]:
    """Return which nodes stand after a blank line or a rule, or open an element that has one among its children."""
    flags = np.zeros(len(page), dtype=np.bool_)
    names = page.tag_names
    line, rule = (names.index(name) if name in names else -1 for name in ("br", "hr"))
    breaks = np.flatnonzero((page.tag == line) | (page.tag == rule))
    following = page.end[breaks].astype(np.int64)
    has_next = following < len(page)
    breaks, following = breaks[has_next], following[has_next]
    is_sibling = page.parent[following] == page.parent[breaks]
    breaks, following = breaks[is_sibling], following[is_sibling]
    # the second of two line breaks, or a rule
    is_second = np.isin(breaks, following[page.tag[breaks] == line])
    parts = following[(page.tag[breaks] == rule) | is_second]
    parts = parts[(page.tag[parts] != line) & (page.tag[parts] != rule)]
    flags[parts] = True
    flags[page.parent[parts] + 1] = True
    return flags


def _grouped(inside: Integers, key: Integers) -> tuple[Integers, Integers]:
    order = np.argsort(key, kind="stable")
    rows, key = inside[order], key[order]
    starts = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1])))
    counts = np.diff(starts, append=len(rows))
    return _kept(rows, counts, counts >= MIN_RECORDS)


def _outermost(page: Page, members: Integers, counts: Integers) -> tuple[Integers, Integers]:
    """Return the groups without the members that lie inside another member."""
    if not len(members):
        return members, counts
    group = np.repeat(np.arange(len(counts)), counts)
    base = group * (len(page) + 1)
    reached = np.maximum.accumulate(base + page.end[members]) - base
    is_outer = np.ones(len(members), dtype=np.bool_)
    is_outer[1:] = (members[1:] >= reached[:-1]) | (group[1:] != group[:-1])
    remaining = np.bincount(group[is_outer], minlength=len(counts))
    return _kept(members[is_outer], remaining, remaining >= MIN_RECORDS)


def _kept(members: Integers, counts: Integers, which: NDArray[np.bool_]) -> tuple[Integers, Integers]:
    return members[np.repeat(which, counts)], counts[which]


# --- from a group to records ----------------------------------------------------------------------------------------


def _lifted(page: Page, members: Integers, counts: Integers) -> Integers:
    """Return for each member its highest ancestor that contains no other member of its group."""
    first = running_sum(counts)[:-1]
    last = first + counts - 1
    before = np.concatenate(([-1], members[:-1]))
    before[first] = -1
    after = np.concatenate((members[1:], [len(page)]))
    after[last] = len(page)
    node = members
    for jump in reversed(_jumps(page)):
        above = jump[node]
        node = np.where((above > before) & (page.end[above] <= after), above, node)
    return node


def _jumps(page: Page) -> list[NDArray[np.int32]]:
    """Return each node's ancestors 1, 2, 4, 8... levels above it, -1 where there is none.

    With long jumps before short ones a node climbs any height in a few steps, however deep the page is.
    """
    jumps = [page.parent]
    while 1 << len(jumps) <= int(page.depth.max()):
        jumps.append(np.where(jumps[-1] >= 0, jumps[-1][jumps[-1]], -1))
    return jumps


def _runs(page: Page, roots: Integers, counts: Integers) -> tuple[Integers, NDArray[np.bool_]]:
    """Return where the run of siblings from each root ends, and whether it is closed: ended by the next root."""
    following = np.append(roots[1:], 0)
    following[np.cumsum(counts) - 1] = 0
    level = page.depth[roots]
    climbing = np.flatnonzero(page.depth[following] > level)
    while len(climbing):
        following[climbing] = page.parent[following[climbing]]
        climbing = climbing[page.depth[following[climbing]] > level[climbing]]
    closed = (page.parent[following] == page.parent[roots]) & (following > roots)
    return np.where(closed, following, page.end[page.parent[roots]]).astype(np.int64), closed


def _run_lengths(page: Page, roots: Integers, runs: Integers, closed: NDArray[np.bool_]) -> Integers:
    """Return how many siblings each run has."""
    position, children = _sibling_positions(page)
    stop = np.where(closed, position[np.minimum(runs, len(page) - 1)], children[page.parent[roots]])
    return np.asarray(stop - position[roots])


def _tears_rows(page: Page, roots: Integers, lengths: Integers, counts: Integers) -> NDArray[np.bool_]:
    """Return which groups cut the rows of a table into runs of cells of different lengths, or under different headers.

    Several records in a row have equally many cells, but for a spacer; a row with two links is one record, not two.
    """
    first = running_sum(counts)[:-1]
    shortest, longest = np.minimum.reduceat(lengths, first), np.maximum.reduceat(lengths, first)
    is_cell = _is_cell(page)[roots[first]]
    torn = np.asarray(is_cell & (longest - shortest > 1))
    headers = _TableHeaders(page)
    for k in np.flatnonzero(is_cell & ~torn & (longest > 1)).tolist():
        torn[k] = headers.are_distinct(int(roots[first[k]]))
    return torn


class _TableHeaders:
    """Whether the tables of a page begin with rows of different header cells; each table is looked at once."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._table_tag = page.tag_names.index("table") if "table" in page.tag_names else -1
        self._headers: list[int] = page.rows_of("th").tolist() if self._table_tag >= 0 else []
        self._tables: dict[int, int] = {}  # of the rows and elements looked at so far, -1: none
        self._known: dict[int, bool] = {}  # by table
        # of which single numbers are read faster than from arrays
        self._tags, self._parents, self._ends = page.tag.data, page.parent.data, page.end.data

    def are_distinct(self, cell: int) -> bool:
        """Return whether the table of a cell begins with a row of different header cells: a row is then a record."""
        if not self._headers:
            return False
        table = self._table_of(self._parents[cell])
        if table not in self._known:
            self._known[table] = table >= 0 and self._has_distinct_headers(table)
        return self._known[table]

    def _table_of(self, row: int) -> int:
        """Return the nearest table that an element is, or lies in, -1: none."""
        tags, parents, way = self._tags, self._parents, []
        check_budget()
        while row >= 0 and row not in self._tables and tags[row] != self._table_tag:
            way.append(row)
            row = parents[row]
        table = self._tables.get(row, row)
        self._tables.update(dict.fromkeys(way, table))
        return table

    def _has_distinct_headers(self, table: int) -> bool:
        page, headers = self.page, self._headers
        parents, ends = self._parents, self._ends
        inside = headers[bisect_left(headers, table) : bisect_left(headers, ends[table])]
        texts = page.texts_of([(row, ends[row]) for row in inside if parents[row] == parents[inside[0]]])
        return len(texts) > 1 and all(texts) and len(set(texts)) == len(texts)


def _straddle(page: Page, candidates: Candidates) -> NDArray[np.bool_]:
    """Return which candidates have records both inside and outside the frame of the page."""
    inside = inside_tags(page, FRAME_TAGS)
    if not inside.any():
        return np.zeros(len(candidates), dtype=np.bool_)
    records = np.add.reduceat(inside[candidates.starts].astype(np.int64), candidates.first)
    return np.asarray((records > 0) & (records < candidates.counts))


def _are_plain_cells(page: Page, sums: RunningSums, candidates: Candidates) -> NDArray[np.bool_]:
    """Return which candidates are the cells of a table's rows, one text in each: their rows are the records.

    Cells with links or images may be records, several in a row.
    """
    first, starts, ends = candidates.first, candidates.starts, candidates.ends
    is_cell = _is_cell(page)
    inside = np.where(is_cell[starts], starts, page.parent[starts])
    is_bare = (sums.texts[ends] - sums.texts[starts] <= 1) & (sums.links[ends] == sums.links[starts])
    is_bare &= (sums.images[ends] == sums.images[starts]) & is_cell[inside] & (page.end[inside] >= ends)
    rows = page.parent[inside]
    changes = np.ones(len(starts), dtype=np.bool_)
    changes[1:] = rows[1:] != rows[:-1]
    changes[first] = True
    bare, lines = (np.add.reduceat(flags.astype(np.int64), first) for flags in (is_bare, changes))
    return np.asarray((bare > MIN_BARE_CELLS * candidates.counts) & (candidates.counts > MIN_CELLS_PER_ROW * lines))


def _is_cell(page: Page) -> NDArray[np.bool_]:
    return is_tag(page, ("td", "th"))


def _trimmed(
    page: Page, roots: Integers, runs: Integers, closed: NDArray[np.bool_], length: Integers, counts: Integers
) -> Integers:
    """Return the ends of the runs, open runs cut to the number of siblings of the longest closed run of their group."""
    group = np.repeat(np.arange(len(counts)), counts)
    longest = np.ones(len(counts), dtype=np.int64)
    np.maximum.at(longest, group[closed], length[closed])
    remaining = np.where(~closed & (length > longest[group]), longest[group], 0)
    cut = np.flatnonzero(remaining)
    ends = runs.copy()
    ends[cut] = roots[cut]
    while len(cut):
        ends[cut] = page.end[ends[cut]]
        remaining[cut] -= 1
        cut = cut[remaining[cut] > 0]
    return ends


def _sibling_positions(page: Page) -> tuple[Integers, Integers]:
    """Return each node's position among its siblings, from 0, and each node's number of children."""
    order = np.argsort(page.parent, kind="stable")
    parent = page.parent[order]
    starts = np.flatnonzero(np.concatenate(([True], parent[1:] != parent[:-1])))
    position = np.empty(len(page), dtype=np.int64)
    position[order] = np.arange(len(page)) - np.repeat(starts, np.diff(starts, append=len(page)))
    return position, np.bincount(page.parent[1:], minlength=len(page))


# --- fewer candidates -----------------------------------------------------------------------------------------------


def _large(page: Page, sums: RunningSums, candidates: Candidates) -> Candidates:
    """Return the candidates with enough of the page's text, or without text but with an image of its own each."""
    first, starts, ends = candidates.first, candidates.starts, candidates.ends
    chars = np.add.reduceat(sums.chars[ends] - sums.chars[starts], first)
    is_large = chars >= MIN_SHARE * max(int(sums.chars[-1]), 1)
    images = np.minimum.reduceat(sums.images[ends] - sums.images[starts], first)
    has_images = (chars == 0) & (images * candidates.counts >= MIN_IMAGE_SHARE * max(int(sums.images[-1]), 1))
    pictures = _Pictures(page)
    for k in np.flatnonzero(has_images).tolist():
        own = slice(int(first[k]), int(first[k] + candidates.counts[k]))
        is_large[k] = _is_gallery(pictures, sums, starts[own])
    return candidates.take(np.flatnonzero(is_large))


class _Pictures:
    """Numbers the images of a page: those that show the same have the same number.

    Drawings are compared once each. Most images are in many candidates, and a drawing may be long.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self._numbers: dict[int, int] = {}  # by row
        self._known: dict[Picture, int] = {}

    def number(self, row: int) -> int:
        """Return the number of the image in a row."""
        number = self._numbers.get(row)
        if number is None:
            check_budget()
            picture = image_url(self._page, row, "") or _drawing(self._page, row)
            number = self._numbers[row] = self._known.setdefault(picture, len(self._known))
        return number


def _is_gallery(pictures: _Pictures, sums: RunningSums, starts: NDArray[np.integer]) -> bool:
    """Return whether most records show an image of their own."""
    # the first image of a <picture> is the element itself
    rows = np.searchsorted(sums.images, sums.images[starts], side="right") - 1
    own: set[int] = set()
    for row in rows.tolist():
        own.add(pictures.number(row))
        if len(own) > MIN_OWN_IMAGES * len(starts):
            return True
    return False


def _drawing(page: Page, row: int) -> Picture:
    """Return what an image without an address is made of: equal ones are equal as HTML, which takes longer to write."""
    names, rows = page.tag_names, range(row, int(page.end[row]))
    tags, ends = page.tag[row : rows.stop].tolist(), page.end[row : rows.stop].tolist()
    return tuple(
        (names[tag], end - i, page.text[i], page.spaced[i] and i > row, *page.attrs[i].items())
        for i, tag, end in zip(rows, tags, ends, strict=True)
    )


def _distinct(candidates: Candidates) -> Candidates:
    """Return each list once, with the number of times it came up as its support."""
    if not len(candidates):
        return candidates
    hashes = _hashes((candidates.starts + 1 << 32) + candidates.ends, candidates.counts)
    _, index, times = np.unique(hashes, return_index=True, return_counts=True)
    order = np.argsort(index)
    return replace(candidates.take(index[order]), support=times[order])


def _first_seen(hashes: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return which hashes do not occur before."""
    _, index = np.unique(hashes, return_index=True)
    flags = np.zeros(len(hashes), dtype=np.bool_)
    flags[index] = True
    return flags


def _hashes(values: Integers, counts: Integers) -> NDArray[np.uint64]:
    """Return a hash of each group's values: the sum of their mixed bits (the finaliser of MurmurHash3)."""
    bits = values.astype(np.uint64)
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        bits ^= bits >> np.uint64(33)
        bits *= np.uint64(factor)
    bits ^= bits >> np.uint64(33)
    return np.asarray(np.add.reduceat(bits, running_sum(counts)[:-1]))
