"""How the best candidates of a page relate: the same list cut finer or coarser, longer or shorter, or another list.

A list of halves, of pairs or of titles looks good by itself; beside the list of whole records it does not. Each of the
candidates that a first ranking likes best gets the scores of the others, by the way in which they relate to it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers, running_sum
from peneira.lists.candidates import Candidates

Numbers = NDArray[np.float64]
Table = NDArray[np.float64]
Flags = NDArray[np.bool_]

# Two lists are held to be cuts of the same thing if this share of the records agrees
MAX_RECORDS = 0.8
SAME_RECORDS = 0.7
NO_SUCH = -1.0

RELATIONS = ("fuller", "thinner", "coarser", "finer", "longer", "shorter", "apart", "mixed")
RELATION_FEATURES = (
    *("score", "score_gap", "rank", "rivals", "rival_score"),
    *(f"{relation}_{figure}" for relation in RELATIONS for figure in ("score", "gap", "share", "records", "lists")),
)


def relation_features(related: Mapping[str, Flags], scores: Numbers, share: Numbers, counts: Integers) -> Table:
    """Return a row of figures per candidate, in the order of ``RELATION_FEATURES``; candidates come best score first.

    ``related``: see ``relations``; ``share``: of the page's text that each candidate holds; ``counts``: of records.
    """
    many = len(scores)
    others = np.where(np.eye(many, dtype=np.bool_), -np.inf, scores[:, None]).max(axis=0)
    columns: list[NDArray[np.generic]] = [
        scores,
        scores - scores.max(),
        np.arange(many),
        np.full(many, many),
        np.where(np.isfinite(others), others, NO_SUCH),
    ]
    for holds in related.values():
        columns += _of_relation(holds, scores, share, counts)
    return np.column_stack(columns).astype(np.float64)


def _of_relation(holds: Flags, scores: Numbers, share: Numbers, counts: Integers) -> list[NDArray[np.generic]]:
    """Return of the best candidate that relates so: its score, and what it has more of; and how many there are."""
    rivals = np.where(holds, scores[:, None], -np.inf)
    best = rivals.argmax(axis=0)
    there = holds.any(axis=0)
    return [
        np.where(there, scores[best], NO_SUCH),
        np.where(there, scores - scores[best], 0),
        np.where(there, np.log((share[best] + 1e-4) / (share + 1e-4)), 0),
        np.where(there, np.log(counts[best] / counts), 0),
        holds.sum(axis=0),
    ]


def relations(rows: int, found: Candidates) -> dict[str, Flags]:
    """Return, by relation, a matrix that tells whether the candidate of the row relates so to that of the column.

    *fuller*: the same records with more in each; *coarser*: several records in one; *longer*: the same records and
    more of them; *apart*: another part of the page; *mixed*: none of these, nor the reverse of one.
    """
    holding = _holding(rows, found)
    counts = found.counts.astype(np.float64)
    among = counts[None, :]
    inside = holding["inside"] / among
    own = ~np.eye(len(found), dtype=np.bool_)
    longer = (holding["same"] / among >= SAME_RECORDS) & (counts[:, None] > among) & own
    one_to_one = (inside >= MAX_RECORDS) & (holding["hit"] >= MAX_RECORDS * among)
    fuller = one_to_one & (holding["same"] / among < SAME_RECORDS) & ~longer & ~longer.T & own
    coarser = (inside >= MAX_RECORDS) & (holding["hit"] < MAX_RECORDS * among) & own & ~fuller
    touching = holding["touched"] > 0
    found_so = {
        "fuller": fuller,
        "thinner": fuller.T & ~fuller,
        "coarser": coarser,
        "finer": coarser.T & ~fuller & ~fuller.T,
        "longer": longer,
        "shorter": longer.T & ~longer,
        "apart": ~touching & ~touching.T & own,
    }
    known = np.logical_or.reduce(list(found_so.values()))
    return found_so | {"mixed": own & ~known}


def _holding(rows: int, found: Candidates) -> dict[str, Numbers]:
    """Return, per candidate (row) and candidate (column), how the records of the column's lie to those of the row's:

    how many lie *inside* one, touch one, are the same as one; and how many of the row's they *hit*.
    """
    starts, ends, first = found.starts, found.ends, found.first
    at = _record_at(rows, found)
    begin, last = at[:, starts], at[:, ends - 1]
    inside = (begin == last) & (begin >= 0)
    same = inside & (starts[begin] == starts) & (ends[begin] == ends)
    holder = np.where(inside, begin, -1)
    entered = np.ones_like(inside)
    entered[:, 1:] = holder[:, 1:] != holder[:, :-1]
    entered[:, first] = True
    flags = {
        "inside": inside,
        "touched": (begin >= 0) | (last >= 0),
        "same": same,
        "hit": inside & entered,
    }
    return {name: np.add.reduceat(those.astype(np.float64), first, axis=1) for name, those in flags.items()}


def _record_at(rows: int, found: Candidates) -> NDArray[np.int32]:
    """Return, per candidate and row of the page, the record that the row lies in; -1 where there is none."""
    at = np.full((len(found), rows + 1), -1, dtype=np.int32)
    lengths = found.ends - found.starts
    record = np.repeat(np.arange(len(lengths)), lengths)
    inside = np.repeat(found.starts - running_sum(lengths)[:-1], lengths) + np.arange(int(lengths.sum()))
    candidate = np.repeat(np.arange(len(found)), found.counts)
    at[candidate[record], inside] = record
    return at
