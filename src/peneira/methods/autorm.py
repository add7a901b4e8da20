"""AutoRM: automatic record mining (Shi et al., "AutoRM: An effective approach for automatic Web data record mining",
Knowledge-Based Systems 89, 2015).

The children of each node are clustered by similarity and cut into C-records, candidate records (``c_records.py``).
C-records that contain C-records themselves, such as the rows of a grid, are replaced by these.

The paper measures how many pixels of the rendered page a C-record covers. Here these are the pixels of its texts and
images; on a page that was not rendered, the text of a node stands for them. Classes stand for visual attributes. The
problems, properties and forms named below are the paper's.
Three rules make up for what only a rendered page would show: a node that continues a line of text begins no record, the
cells of a data table are columns and not records, and the only cell in the last row of a grid is a record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean

from peneira.budget import check_budget
from peneira.methods.c_records import MIN_RECORDS, Nodes, RecordSet, c_records
from peneira.methods.sibling_clusters import MIN_SIMILARITY
from peneira.page import Page
from peneira.reasons import Reason, ReasonCode
from peneira.result import Range, Record, Region


@dataclass(frozen=True, slots=True)
class NestingOptions:
    """When the C-records inside other C-records replace them."""

    # The share of the text of C-records that those inside must contain
    min_share: float = 0.6
    # The similarity of the C-records inside, relative to that of the outer ones
    min_relative_similarity: float = 0.85
    # Mean characters of a C-record inside another
    min_chars: int = 10
    # C-records inside are columns if they are more similar from one outer C-record to the next than within one, by this
    column_margin: float = 0.05
    # The share of the columns of one C-record that the next must have at least
    min_column_ratio: float = 2 / 3
    # Added to lengths, so that a few characters make no difference
    slack_chars: int = 5
    # Sets of records that another set is compared with, to join one of them
    max_groups: int = 20


OPTIONS = NestingOptions()


def find_regions(page: Page) -> list[Region]:
    """Return the data regions of a page as regions of records, those that cover most of the page first."""
    if not len(page):
        return []
    sets = sorted(record_sets(Nodes(page)), key=lambda records: (-records.area, records.records))
    return [_region(page, records) for records in sets]


def record_sets(nodes: Nodes) -> list[RecordSet]:
    """Return the sets of records of a page in document order.

    The paper goes down from the root, first into the nodes that are part of no C-record, then into the C-records. Going
    up from the leaves, as here, applies the same rules to each node and needs no recursion.
    """
    page = nodes.page
    sets: dict[int, list[RecordSet]] = {}
    for i in range(int(page.end[page.body]) - 1, page.body - 1, -1):
        if page.is_text(i) or page.silent[i]:
            continue
        check_budget()
        children = nodes.children(i)
        below = {child: sets.pop(child) for child in children if child in sets}
        if own := c_records(nodes, i, children):
            covered = {node for record_set in own for record in record_set.records for node in record}
            kept = [inner for child in children if child not in covered for inner in below.get(child, ())]
            sets[i] = kept + [innermost for outer in own for innermost in _innermost(nodes, outer, below)]
        elif below:
            sets[i] = [inner for child in children for inner in below.get(child, ())]
    return sets.get(page.body, [])


def _innermost(nodes: Nodes, outer: RecordSet, below: Mapping[int, list[RecordSet]]) -> list[RecordSet]:
    """Return the records that C-records contain, as one set where they are similar, or the C-records themselves.

    They stay if the records inside cover too little of them (Property 3), are less similar, or are their columns
    (Property 4).
    """
    inside = [
        [inner for i in record for inner in below.get(i, ()) if _is_large(nodes, inner)] for record in outer.records
    ]
    inside = _without_columns(nodes, _of_one_level(nodes, inside))
    inner_sets = [inner for sets in inside for inner in sets]
    area = sum(inner.area for inner in inner_sets)
    if not inner_sets or area < OPTIONS.min_share * outer.area:
        return [outer]
    total_similarity = sum(inner.similarity * inner.area for inner in inner_sets)
    if total_similarity < OPTIONS.min_relative_similarity * outer.similarity * area:
        return [outer]
    singles = [
        _single_record(nodes, record, inner_sets[0])
        for record, sets in zip(outer.records, inside, strict=True)
        if not sets
    ]
    sets = sorted([*inner_sets, *filter(None, singles)], key=lambda inner: inner.records)
    return [replace(joined, outer=outer) for joined in _joined(nodes, outer.parent, sets)]


def _of_one_level(nodes: Nodes, inside: Sequence[Sequence[RecordSet]]) -> list[list[RecordSet]]:
    """Return the sets inside each C-record; those cut finer than the sets of most others are taken back one level.

    Such as a group of two records whose lines are alike, among groups whose records were found.
    """
    heads = [sets[0].records[0][0] for sets in inside if sets]
    likes = [sum(nodes.similarity(head, other) >= MIN_SIMILARITY for other in heads) for head in heads]
    if not heads or 2 * max(likes) <= len(heads):
        return [list(sets) for sets in inside]
    model = heads[likes.index(max(likes))]
    return [_taken_back(nodes, sets, model) for sets in inside]


def _taken_back(nodes: Nodes, sets: Sequence[RecordSet], model: int) -> list[RecordSet]:
    found: list[RecordSet] = []
    for own in sets:
        outer = own.outer
        is_finer = outer is not None and nodes.similarity(
            own.records[0][0], model
        ) < MIN_SIMILARITY <= nodes.similarity(outer.records[0][0], model)
        found.append(outer if is_finer and outer else own)
    return list(dict.fromkeys(found))


def _single_record(nodes: Nodes, record: tuple[int, ...], model: RecordSet) -> RecordSet | None:
    """Return the only record inside a C-record that is similar to those of the model, None if there is none.

    Such as the only cell in the last row of a grid: by itself, it is similar to nothing.
    """
    solid = [i for i in record if nodes.signatures.has_content(i)]
    while len(solid) == 1:
        (node,) = solid
        if nodes.similarity(model.records[0][0], node) >= MIN_SIMILARITY:
            return RecordSet(model.parent, ((node,),), model.similarity, nodes.area((node,)))
        solid = [i for i in nodes.children(node) if nodes.signatures.has_content(i)]
    return None


def _without_columns(nodes: Nodes, inside: Sequence[Sequence[RecordSet]]) -> list[list[RecordSet]]:
    """Return the sets inside each C-record without those that are columns, by their position in the C-record.

    The lines of a heading above each table are columns, but the records of the tables below may be none.
    """
    count = max(map(len, inside))
    rows = [[sets[k].records if k < len(sets) else () for sets in inside] for k in range(count)]
    are_kept = [not _are_columns(nodes, own) for own in rows]
    return [[inner for inner, is_kept in zip(sets, are_kept, strict=False) if is_kept] for sets in inside]


def _are_columns(nodes: Nodes, rows: Sequence[Sequence[tuple[int, ...]]]) -> bool:
    """Return whether the records inside C-records are columns.

    Neighbours in one row are then less similar than records at the same position in rows of about the same length.
    """
    pairs = [(row, after) for row, after in pairwise(rows) if _are_about_equal(len(row), len(after))]
    across = [_similarity(nodes, a, b) for pair in pairs for row in pair for a, b in pairwise(row)]
    down = [_similarity(nodes, a, b) for row, after in pairs for a, b in zip(row, after, strict=False)]
    return bool(across) and fmean(across) < fmean(down) - OPTIONS.column_margin


def _are_about_equal(a: int, b: int) -> bool:
    return min(a, b) >= OPTIONS.min_column_ratio * max(a, b) > 0


def _similarity(nodes: Nodes, a: tuple[int, ...], b: tuple[int, ...]) -> float:
    """Return how similar two C-records are in their nodes, in length and in their first word, 0..1."""
    by_nodes = sum(nodes.similarity(i, k) for i, k in zip(a, b, strict=False)) / max(len(a), len(b))
    sizes = sorted((nodes.chars(a) + OPTIONS.slack_chars, nodes.chars(b) + OPTIONS.slack_chars))
    return (by_nodes + sizes[0] / sizes[1] + (nodes.first_word(a[0]) == nodes.first_word(b[0]))) / 3


def _is_large(nodes: Nodes, record_set: RecordSet) -> bool:
    records = record_set.records
    return nodes.chars([i for record in records for i in record]) >= OPTIONS.min_chars * len(records)


def _joined(nodes: Nodes, parent: int, sets: Sequence[RecordSet]) -> list[RecordSet]:
    """Return the sets with similar ones joined, such as the cells of all rows of a grid."""
    groups: list[list[RecordSet]] = []
    for record_set in sets:
        head = record_set.records[0][0]
        for group in groups[: OPTIONS.max_groups]:
            if nodes.similarity(group[0].records[0][0], head) >= MIN_SIMILARITY:
                group.append(record_set)
                break
        else:
            groups.append([record_set])
    unions = [group[0] if len(group) == 1 else _union(parent, group) for group in groups]
    return [union for union in unions if len(union.records) >= MIN_RECORDS]


def _union(parent: int, sets: Sequence[RecordSet]) -> RecordSet:
    records = tuple(record for record_set in sets for record in record_set.records)
    similarity = sum(record_set.similarity * len(record_set.records) for record_set in sets) / len(records)
    return RecordSet(parent, records, similarity, sum(record_set.area for record_set in sets))


def _region(page: Page, record_set: RecordSet) -> Region:
    records = tuple(_record(page, rows) for rows in record_set.records)
    chars = sum(len(record.text) for record in records)
    # the text of hidden records is not part of the page's text if the page has visible text
    share = chars / max(len(page.text_of(page.body)), chars, 1)
    similarity = record_set.similarity
    reasons = (
        Reason(ReasonCode.SHARE, f"{len(records)} records hold {share:.0%} of the page's text", round(share, 4)),
        Reason(ReasonCode.SIMILARITY, f"neighbouring records are {similarity:.0%} similar", round(similarity, 4)),
    )
    return Region(page.xpath(record_set.parent), records, round(share * similarity, 3), reasons=reasons)


def _record(page: Page, rows: Sequence[int]) -> Record:
    span: Range = (rows[0], int(page.end[rows[-1]]))
    return Record((span,), page.text_of(*span), "", node=page.node(rows[0]))
