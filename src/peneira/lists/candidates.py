"""Candidate lists of a page: every way of cutting it into records that its repetitions suggest.

Nodes that repeat are grouped: same tag path, same styled path, the same among siblings, or the same tag and style under
the same parent tag wherever they stand. Each group says where records are in up to four ways:

- *nodes*: each node of the group is a record;
- *lifted*: each record is the largest subtree that holds exactly one node of the group. This turns titles into whole
  records, whatever wraps them, finds cells in rows, and leaves out rows without what all records have;
- *runs*: each lifted node with the siblings after it, up to the next one: records with no element of their own;
- *trimmed runs*: the same, but a run that nothing ends is cut to the length of the longest that something ends.

All groups are handled at once, at the cost of sorting the nodes; runs cost the depth or the length of the longest as
well.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers, running_sum
from peneira.ml.running_sums import RunningSums
from peneira.page import Page

Numbers = NDArray[np.float64]

NODES, LIFTED, RUNS, TRIMMED = range(4)
KINDS = ("nodes", "lifted", "runs", "trimmed_runs")

MIN_RECORDS = 2
# A list with a smaller share of the page's text is never the main one, and hardly one that anybody wants
MIN_SHARE = 0.015
# Beyond this many rows in all candidates together the smallest lists are given up: only pages made to be bad have more
MAX_ROWS_PER_NODE = 24


@dataclass(frozen=True, slots=True)
class Candidates:
    """Lists of records: candidate after candidate, record after record, each the rows ``starts:ends``.

    ``counts`` of records per candidate; ``kind`` indexes ``KINDS``; ``support`` is how many groups of nodes, in all
    ways, gave this very list.
    """

    starts: Integers
    ends: Integers
    counts: Integers
    kind: Integers
    support: Integers

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def first(self) -> Integers:
        """The place of each candidate's first record."""
        return running_sum(self.counts)[:-1]

    def ranges(self, k: int) -> list[tuple[int, int]]:
        """Return the records of candidate ``k``."""
        start = int(self.counts[:k].sum())
        those = slice(start, start + int(self.counts[k]))
        return list(zip(self.starts[those].tolist(), self.ends[those].tolist(), strict=True))

    def take(self, which: Integers) -> Candidates:
        """Return some of the candidates, in the order given."""
        first, counts = self.first[which], self.counts[which]
        rows = np.repeat(first - running_sum(counts)[:-1], counts) + np.arange(int(counts.sum()))
        return Candidates(self.starts[rows], self.ends[rows], counts, self.kind[which], self.support[which])


def find_candidates(page: Page, sums: RunningSums) -> Candidates:
    """Return the candidate lists of a page, each once."""
    members, counts = _groups(page, sums)
    if not len(counts):
        return _none()
    lifted = _lifted(page, members, counts)
    runs, closed = _runs(page, lifted, counts)
    ends = page.end.astype(np.int64)
    starts = np.concatenate((members, lifted, lifted, lifted))
    last = np.concatenate((ends[members], ends[lifted], runs, _trimmed(page, lifted, runs, closed, counts)))
    kind = np.repeat(np.arange(len(KINDS)), len(counts))
    return _distinct(_large(page, sums, Candidates(starts, last, np.tile(counts, len(KINDS)), kind, kind)))


def _none() -> Candidates:
    empty = np.zeros(0, dtype=np.int64)
    return Candidates(empty, empty, empty, empty, empty)


# --- groups of nodes that repeat ------------------------------------------------------------------------------------


def _groups(page: Page, sums: RunningSums) -> tuple[Integers, Integers]:
    """Return the nodes of all groups, group after group, and how many are in each."""
    full = (sums.of_subtrees(page, sums.chars) > 0) | (sums.of_subtrees(page, sums.images) > 0)
    inside = np.flatnonzero(full & ~page.silent)
    inside = inside[inside > page.body]
    if not len(inside):
        return inside, inside
    grouped = [_grouped(inside, key[inside]) for key in _keys(page)]
    grouped[-1] = _outermost(page, *grouped[-1])  # the only key that a node can share with one inside it
    members = np.concatenate([those for those, _ in grouped])
    counts = np.concatenate([those for _, those in grouped])
    return _kept(members, counts, _first_seen(_hashes(members, counts)))


def _keys(page: Page) -> list[Integers]:
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


def _grouped(inside: Integers, key: Integers) -> tuple[Integers, Integers]:
    order = np.argsort(key, kind="stable")
    rows, key = inside[order], key[order]
    starts = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1])))
    counts = np.diff(starts, append=len(rows))
    return _kept(rows, counts, counts >= MIN_RECORDS)


def _outermost(page: Page, members: Integers, counts: Integers) -> tuple[Integers, Integers]:
    """Return the groups without members that lie inside another of their group."""
    if not len(members):
        return members, counts
    group = np.repeat(np.arange(len(counts)), counts)
    base = group * (len(page) + 1)
    reached = np.maximum.accumulate(base + page.end[members]) - base
    ok = np.ones(len(members), dtype=np.bool_)
    ok[1:] = (members[1:] >= reached[:-1]) | (group[1:] != group[:-1])
    left = np.bincount(group[ok], minlength=len(counts))
    return _kept(members[ok], left, left >= MIN_RECORDS)


def _kept(members: Integers, counts: Integers, which: NDArray[np.bool_]) -> tuple[Integers, Integers]:
    return members[np.repeat(which, counts)], counts[which]


# --- from a group to records ----------------------------------------------------------------------------------------


def _lifted(page: Page, members: Integers, counts: Integers) -> Integers:
    """Return for each member its highest ancestor that holds no other of its group."""
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

    With long jumps before short ones a node climbs any height in few steps, however deep the page is.
    """
    jumps = [page.parent]
    while 1 << len(jumps) <= int(page.depth.max()):
        jumps.append(np.where(jumps[-1] >= 0, jumps[-1][jumps[-1]], -1))
    return jumps


def _runs(page: Page, roots: Integers, counts: Integers) -> tuple[Integers, NDArray[np.bool_]]:
    """Return where the run of siblings from each root ends, and whether the next root ends it, or the parent."""
    following = np.append(roots[1:], 0)
    following[np.cumsum(counts) - 1] = 0
    level = page.depth[roots]
    climbing = np.flatnonzero(page.depth[following] > level)
    while len(climbing):
        following[climbing] = page.parent[following[climbing]]
        climbing = climbing[page.depth[following[climbing]] > level[climbing]]
    closed = (page.parent[following] == page.parent[roots]) & (following > roots)
    return np.where(closed, following, page.end[page.parent[roots]]).astype(np.int64), closed


def _trimmed(page: Page, roots: Integers, runs: Integers, closed: NDArray[np.bool_], counts: Integers) -> Integers:
    """Return the ends of the runs; those that the parent ends have at most as many siblings as the longest other."""
    group = np.repeat(np.arange(len(counts)), counts)
    turn, children = _turns(page)
    stop = np.where(closed, turn[np.minimum(runs, len(page) - 1)], children[page.parent[roots]])
    length = stop - turn[roots]
    longest = np.ones(len(counts), dtype=np.int64)
    np.maximum.at(longest, group[closed], length[closed])
    left = np.where(~closed & (length > longest[group]), longest[group], 0)
    cut = np.flatnonzero(left)
    ends = runs.copy()
    ends[cut] = roots[cut]
    while len(cut):
        ends[cut] = page.end[ends[cut]]
        left[cut] -= 1
        cut = cut[left[cut] > 0]
    return ends


def _turns(page: Page) -> tuple[Integers, Integers]:
    """Return each node's turn among its siblings, from 0, and each node's number of children."""
    order = np.argsort(page.parent, kind="stable")
    parent = page.parent[order]
    starts = np.flatnonzero(np.concatenate(([True], parent[1:] != parent[:-1])))
    turn = np.empty(len(page), dtype=np.int64)
    turn[order] = np.arange(len(page)) - np.repeat(starts, np.diff(starts, append=len(page)))
    return turn, np.bincount(page.parent[1:], minlength=len(page))


# --- fewer candidates -----------------------------------------------------------------------------------------------


def _large(page: Page, sums: RunningSums, found: Candidates) -> Candidates:
    """Return the candidates that hold enough of the page's text."""
    chars = np.add.reduceat(sums.chars[found.ends] - sums.chars[found.starts], found.first)
    enough = chars >= MIN_SHARE * max(int(sums.chars[-1]), 1)
    budget = MAX_ROWS_PER_NODE * len(page)
    if int(found.counts[enough].sum()) > budget:
        order = np.argsort(-chars, kind="stable")
        within = order[np.cumsum(found.counts[order]) <= budget]
        enough &= np.isin(np.arange(len(found)), within)
    return found.take(np.flatnonzero(enough))


def _distinct(found: Candidates) -> Candidates:
    """Return each list once, with the number of times that it came up."""
    if not len(found):
        return found
    hashes = _hashes((found.starts + 1 << 32) + found.ends, found.counts)
    _, place, times = np.unique(hashes, return_index=True, return_counts=True)
    order = np.argsort(place)
    once = found.take(place[order])
    return Candidates(once.starts, once.ends, once.counts, once.kind, times[order])


def _first_seen(hashes: NDArray[np.uint64]) -> NDArray[np.bool_]:
    _, place = np.unique(hashes, return_index=True)
    flags = np.zeros(len(hashes), dtype=np.bool_)
    flags[place] = True
    return flags


def _hashes(values: Integers, counts: Integers) -> NDArray[np.uint64]:
    """Return a hash of each group's values: the sum of their mixed bits (the finaliser of MurmurHash3)."""
    bits = values.astype(np.uint64)
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        bits ^= bits >> np.uint64(33)
        bits *= np.uint64(factor)
    bits ^= bits >> np.uint64(33)
    return np.asarray(np.add.reduceat(bits, running_sum(counts)[:-1]))
