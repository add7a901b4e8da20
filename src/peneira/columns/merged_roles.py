"""One field, one column, seen by roles: columns that no record has together and that are clearly the same thing.

Where two forms of a record have nothing of their markup in common, the role still shows that this is the title of
both. So this comes after the roles have been scored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from peneira.columns.candidate_columns import CandidateColumns
from peneira.columns.merged_columns import is_same_field, merge_values
from peneira.columns.raw_columns import GROUP, WHOLE, RawColumn
from peneira.columns.roles import ScoredColumns
from peneira.values import Role

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RoleMergeOptions:
    """When columns with the same best role are one field."""

    # The least score of the role in the column with the most records, and in another
    min_score: float = 0.3
    min_other_score: float = 0.2


OPTIONS = RoleMergeOptions()


def merge_by_role(
    candidates: CandidateColumns, scored: ScoredColumns, language: str
) -> tuple[CandidateColumns, ScoredColumns]:
    """Return the candidates and their scores, columns with the same best role in different records merged into one."""
    hosts: dict[int, int] = {}
    for role, numbers in _by_best_role(candidates, scored).items():
        host, *others = sorted(numbers, key=lambda k: (-len(candidates.columns[k].values), k))
        if scored.roles[host][role] >= OPTIONS.min_score:
            for k in others:
                if _is_same_field(candidates.columns[host], candidates.columns[k], language):
                    merge_values(candidates.columns[host], candidates.columns[k])
                    hosts[k] = host
    return _without(candidates, scored, hosts) if hosts else (candidates, scored)


def _by_best_role(candidates: CandidateColumns, scored: ScoredColumns) -> dict[Role, list[int]]:
    """Return the columns by the role that they have most likely; without parts, labels and repetitions."""
    by_role: dict[Role, list[int]] = {}
    for k in _mergeable(candidates):
        if scored.roles[k]:
            role, score = max(scored.roles[k].items(), key=lambda item: (item[1], item[0]))
            if score >= OPTIONS.min_other_score:
                by_role.setdefault(role, []).append(k)
    return by_role


def _mergeable(candidates: CandidateColumns) -> Iterator[int]:
    for k, column in enumerate(candidates.columns):
        is_value = not (column.is_label or column.is_split or column.nested or column.part)
        if is_value and column.attribute != GROUP and column.slot.column < 0 and k not in candidates.twin_of:
            yield k


def _is_same_field(host: RawColumn, column: RawColumn, language: str) -> bool:
    """Return whether a column may become part of its host. A host with parts must keep what its parts are not."""
    if host.attribute != column.attribute or host.attribute == WHOLE:
        return False
    return host.label.lower() == column.label.lower() and is_same_field(host, column, language)


def _without(
    candidates: CandidateColumns, scored: ScoredColumns, hosts: Mapping[int, int]
) -> tuple[CandidateColumns, ScoredColumns]:
    """Return the candidates without those that became part of another."""
    columns = candidates.columns
    host_of = {id(columns[k]): columns[host] for k, host in hosts.items()}
    for column in columns:
        if column.container is not None:
            column.container = host_of.get(id(column.container), column.container)
    kept = [k for k in range(len(columns)) if k not in hosts]
    number = {k: position for position, k in enumerate(kept)}
    twins = {
        number[k]: number[hosts.get(other, other)]
        for k, other in candidates.twin_of.items()
        if k in number and hosts.get(other, other) in number
    }
    left = replace(
        candidates,
        columns=_at(columns, kept),
        types=_at(candidates.types, kept),
        names=_at(candidates.names, kept),
        judged=[number[k] for k in candidates.judged if k in number],
        evidence=[each for k, each in zip(candidates.judged, candidates.evidence, strict=True) if k in number],
        twin_of=twins,
    )
    return left, ScoredColumns(_at(scored.roles, kept), _at(scored.interest, kept))


def _at(values: Sequence[T], numbers: Sequence[int]) -> list[T]:
    return [values[k] for k in numbers]
