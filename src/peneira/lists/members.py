"""Which members of a list are records: headers, pagers, spacers and advertisements among them are not.

Every member is compared with the rest of its list. What is left out is reported among the reasons of the list.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers, running_sum, table_of
from peneira.kernels import compiled
from peneira.lists.candidates import NODES, Candidates
from peneira.lists.features import CandidateFeatures, FeatureDict
from peneira.lists.page_features import BOLD
from peneira.lists.page_features import list_features as kernel
from peneira.lists.page_words import HEADING_TAGS
from peneira.ml.forest import Forest
from peneira.ml.running_sums import RunningSums, inside_tags, is_tag, page_facts
from peneira.page import Page

Numbers = NDArray[np.float64]

list_members = compiled("list_members")

# Members with a lower probability are left out, unless more than a share of the list would be
MIN_PROBABILITY = 0.5
MAX_LEFT_OUT = 0.4
MIN_RECORDS = 2
# Of the captions of a table's columns, which stand in cells like all others
MIN_CAPTIONS = 2
MAX_CAPTION_CHARS = 40
# Of the rows below them: with fewer, the first may lack what the others have by chance
MIN_CAPTIONED = 3
# If at most this share of the records has siblings after the first element, these interrupt the list
MAX_INTERRUPTED = 0.2
# What a member at an end of a list lacks although all others have it, if it is no record, by names of
# ``PageFeatures.counted``: of 154 and 70 such members of candidate lists of pages with gold none is a record
LACKED_BY_ENDS = (("dates", "numbers"), ("dates", "links"))
MIN_OTHERS = 3
# Elements that hold one item each, in which a record may stand beside its author or its image
ITEM_TAGS = ("article", "li")
# A page of half a million images has two million members; the features of all of them side by side took 0.5 GB more
_MEMBERS_AT_A_TIME = 1 << 16
# Kinds of content of a member that are compared with the rest of its list (names of ``PageFeatures.counted``)
COMPARED = tuple("links images texts numbers headings prices dates bolds controls headers longs".split())
# The features of a member in the order of the compiled table
COMPILED_NAMES = (
    *("records", "position", "position_from_end", "chars", "chars_ratio", "nodes_ratio"),
    *("similarity", "similarity_of_list", "similarity_gap"),
    *("shape_share", "style_share", "tag_share", "first_text_share", "first_link_share"),
    *(form.format(name) for name in COMPARED for form in ("{}", "{}_any_of_list", "{}_ratio")),
    *("link_chars", "link_chars_gap"),
)


def member_features(lists: CandidateFeatures) -> FeatureDict:
    """Return the features of every member of every list, always in the same order."""
    position = np.arange(len(lists.starts)) - lists.first[lists.group]
    count = lists.counts[lists.group]
    page, page_features, group = lists.page, lists.page_features, lists.group
    features: FeatureDict = {
        "records": np.log1p(count),
        "position": np.minimum(position, 5),
        "position_from_end": np.minimum(count - 1 - position, 5),
        "chars": np.log1p(lists.chars),
        "chars_ratio": _ratio(lists, lists.chars),
        "nodes_ratio": _ratio(lists, lists.nodes),
        "similarity": lists.similarity,
        "similarity_of_list": lists.mean(lists.similarity)[group],
        "similarity_gap": lists.similarity - lists.mean(lists.similarity)[group],
    }
    text, link = page_features.next_text[lists.starts], page_features.next_link[lists.starts]
    text_path = np.where(text < lists.ends, page_features.path[np.minimum(text, len(page) - 1)], -1)
    link_path = np.where(link < lists.ends, page_features.path[np.minimum(link, len(page) - 1)], -1)
    names = ("shape_share", "style_share", "tag_share", "first_text_share", "first_link_share")
    of_starts = (column[lists.starts] for column in (page.shape, page.styled_path, page.tag))
    features |= zip(names, lists.shares_of([*of_starts, text_path, link_path]), strict=True)
    counts = lists.counts_of(COMPARED)
    logs = np.log1p(counts)
    any_of_list = lists.means(counts > 0)[group]
    ratios = logs - np.log1p(lists.means(counts))[group]
    for k, name in enumerate(COMPARED):
        features[name] = logs[:, k]
        features[f"{name}_any_of_list"] = any_of_list[:, k]
        features[f"{name}_ratio"] = ratios[:, k]
    plain = lists.count(page_features.sums.plain)
    linked = 1 - plain / np.maximum(lists.chars, 1)
    features["link_chars"] = linked
    features["link_chars_gap"] = linked - lists.mean(linked)[group]
    return features


def _compiled_features(lists: CandidateFeatures) -> Numbers:
    """Return the same as a table whose columns are ``COMPILED_NAMES``."""
    page, page_features, counts = lists.page, lists.page_features, lists.page_features.counts
    assert kernel is not None and counts is not None
    starts, ends = lists.starts, lists.ends
    numbers, means, shares, linked = kernel.member_counts(counts.sums, starts, ends, lists.counts, _compared_columns())
    text, link = page_features.row_facts.next_text[starts], page_features.row_facts.next_link[starts]
    most = len(page) - 1
    text_path = np.where(text < ends, page.path[np.minimum(text, most)], -1)
    link_path = np.where(link < ends, page.path[np.minimum(link, most)], -1)
    of_starts = (column[starts] for column in (page.shape, page.styled_path, page.tag))
    equal = np.array(lists.shares_of([*of_starts, text_path, link_path]))
    similarity = kernel.member_similarities(page_features.vectors, starts, ends, lists.counts)
    table: Numbers = kernel.member_table(
        lists.counts, np.log1p(numbers), np.log1p(means), shares, equal, similarity, linked
    )
    return table


@cache
def _compared_columns() -> NDArray[np.int32]:
    return np.array([page_facts.SUMS.index(name) for name in COMPARED], dtype=np.int32)


def without_interruptions(page: Page, sums: RunningSums, lists: Candidates) -> Candidates:
    """Return the lists without what lies between a few of the records: advertisements, headings of groups.

    If hardly any record has siblings after its first element, these siblings are not part of the record.
    """
    if list_members is not None and sums.counts is not None:
        ends, is_rare = list_members.without_interruptions(
            lists.starts, lists.ends, lists.counts, page.end, sums.counts.sums, _column("chars"), MAX_INTERRUPTED
        )
        return replace(lists, ends=ends, kind=np.where(is_rare, NODES, lists.kind))
    own = page.end[lists.starts].astype(np.int64)
    counts, first = lists.counts, lists.first
    more = np.add.reduceat((own < lists.ends).astype(np.int64), first)
    chars = np.add.reduceat(sums.chars[own] - sums.chars[lists.starts], first)
    between = np.add.reduceat(sums.chars[lists.ends] - sums.chars[own], first)
    is_rare = (more > 0) & (more <= MAX_INTERRUPTED * counts) & (between < chars)
    ends = np.where(np.repeat(is_rare, counts), own, lists.ends)
    return replace(lists, ends=ends, kind=np.where(is_rare, NODES, lists.kind))


def without_trailing_headings(page: Page, lists: Candidates) -> Candidates:
    """Return the lists without the headings that some of the records end with: they head the next group of records.

    If all records but the last end with one, it is part of them.
    """
    if list_members is not None:
        heading_tags = np.array([name in HEADING_TAGS for name in page.tag_names], dtype=np.uint8)
        ends = list_members.without_trailing_headings(
            lists.starts, lists.ends, lists.counts, page.tag, page.parent, heading_tags
        )
        return replace(lists, ends=ends)
    ends, last = lists.ends.copy(), _last_siblings(page, lists)
    is_heading = (last > lists.starts) & is_tag(page, HEADING_TAGS)[last]
    headings = np.add.reduceat(is_heading.astype(np.int64), lists.first)
    is_of_group = np.repeat(headings < lists.counts - 1, lists.counts)
    cut = np.flatnonzero(is_heading & is_of_group)
    ends[cut] = last[cut]
    return replace(lists, ends=ends)


def _last_siblings(page: Page, lists: Candidates) -> Integers:
    """Return the last of the siblings that each record consists of."""
    last = lists.ends - 1
    above = page.parent[last]
    climbing = np.flatnonzero(above > page.parent[lists.starts])
    while len(climbing):
        last[climbing] = above[climbing]
        above = page.parent[last]
        climbing = climbing[above[climbing] > page.parent[lists.starts[climbing]]]
    return last


def _ratio(lists: CandidateFeatures, values: NDArray[np.int64]) -> Numbers:
    """Return each value over the mean of its list, as a logarithm."""
    return np.asarray(np.log1p(values) - np.log1p(lists.mean(values))[lists.group])


def kept_members(lists: CandidateFeatures, forest: Forest) -> tuple[NDArray[np.bool_], Numbers]:
    """Return for all members of all lists whether they are kept as records, and the probability that they are records.

    Rows of header cells alone are never records of a table that has other rows, nor are ends unlike all other members.
    """
    probability = _probabilities(lists, forest)
    if list_members is not None and lists.page_features.counts is not None:
        kept = _member_judge(lists).judged(
            probability, lists.starts, lists.ends, lists.counts, MIN_CAPTIONS, MAX_CAPTION_CHARS, MIN_CAPTIONED,
            MIN_OTHERS, MIN_PROBABILITY, MIN_RECORDS, MAX_LEFT_OUT,
        )  # fmt: skip
        return kept, probability
    probability = np.where(_header_rows(lists) | _unlike_ends(lists), 0.0, np.clip(probability, 0.0, 1.0))
    kept = probability >= MIN_PROBABILITY
    remaining = np.add.reduceat(kept.astype(np.int64), lists.first)
    too_few = (remaining < MIN_RECORDS) | (remaining < (1 - MAX_LEFT_OUT) * lists.counts)
    return kept | too_few[lists.group], probability


def _member_judge(lists: CandidateFeatures) -> Any:
    """Return the compiled judge of the members of a page."""
    page, counts = lists.page, lists.page_features.counts
    assert list_members is not None and counts is not None
    names = page.tag_names
    row, cell = (names.index(name) if name in names else -1 for name in ("tr", "td"))
    is_bold = (inside_tags(page, BOLD) if row >= 0 else np.zeros(0, dtype=np.bool_)).view(np.uint8)
    return list_members.MemberJudge(page, counts.sums, _judged_columns(), row, cell, is_bold, _lacked_columns())


def _column(name: str) -> int:
    """Return which of the running sums has a name."""
    number: int = page_facts.SUMS.index(name)
    return number


@cache
def _judged_columns() -> list[int]:
    return list(map(_column, ("chars", "texts", "numbers", "links", "headers")))


@cache
def _lacked_columns() -> list[tuple[int, ...]]:
    return [tuple(map(_column, pair)) for pair in LACKED_BY_ENDS]


def _probabilities(lists: CandidateFeatures, forest: Forest) -> Numbers:
    if lists.page_features.list_features is not None and len(lists.starts) <= _MEMBERS_AT_A_TIME:
        return forest.of_columns(COMPILED_NAMES).predict(_compiled_features(lists))
    features = member_features(lists)
    columns = [features[name] for name in forest.names]
    probability = np.zeros(len(lists.group))
    for start in range(0, len(probability), _MEMBERS_AT_A_TIME):
        rows = slice(start, start + _MEMBERS_AT_A_TIME)
        probability[rows] = forest.predict(table_of([column[rows] for column in columns]))
    return probability


def _unlike_ends(lists: CandidateFeatures) -> NDArray[np.bool_]:
    """Return which members are the first or last of their list and lack what all others have (``LACKED_BY_ENDS``)."""
    unlike = np.zeros(len(lists.starts), dtype=np.bool_)
    is_end = np.zeros(len(lists.starts), dtype=np.bool_)
    is_end[lists.first] = is_end[lists.last] = True
    is_end &= lists.counts[lists.group] > MIN_OTHERS
    kinds = sorted({kind for kinds in LACKED_BY_ENDS for kind in kinds})
    lacks = dict(zip(kinds, (lists.counts_of(kinds) == 0).T, strict=True))
    for pair in LACKED_BY_ENDS:
        is_only = [np.add.reduceat(lacks[kind].astype(np.int64), lists.first)[lists.group] == 1 for kind in pair]
        unlike |= is_end & np.logical_and.reduce([*(lacks[kind] for kind in pair), *is_only])
    return unlike


def _header_rows(lists: CandidateFeatures) -> NDArray[np.bool_]:
    """Return which members are headers of a table: rows of header cells only, or a first row unlike all others."""
    page = lists.page
    names = page.tag_names
    row, head, cell = (names.index(name) if name in names else -1 for name in ("tr", "th", "td"))
    is_row = (page.tag[lists.starts] == row) & (page.end[lists.starts] == lists.ends)
    if not is_row.any():
        return np.asarray(is_row)
    heads, cells = lists.count(running_sum(page.tag == head)), lists.count(running_sum(page.tag == cell))
    return np.asarray(is_row & np.where(heads > 0, cells == 0, _captions(lists)))


def _captions(lists: CandidateFeatures) -> NDArray[np.bool_]:
    """Return which members are captions of columns, in cells like all others: the first and only ones of their list

    with short words without digits, all bold or without links.
    """
    sums, chars = lists.sums, lists.chars
    bold = lists.count(running_sum(np.diff(sums.chars) * inside_tags(lists.page, BOLD)))
    texts = lists.count(sums.texts)
    is_short = (lists.count(sums.numbers) == 0) & (chars <= MAX_CAPTION_CHARS * texts)
    is_first = np.zeros(len(chars), dtype=np.bool_)
    is_first[lists.first] = True
    captions = np.zeros(len(chars), dtype=np.bool_)
    for flags in (is_short & (bold == chars), is_short & (lists.count(sums.links) == 0)):
        captions |= flags & (np.add.reduceat(flags.astype(np.int64), lists.first) == 1)[lists.group]
    return np.asarray(captions & is_first & (texts >= MIN_CAPTIONS) & (lists.counts[lists.group] > MIN_CAPTIONED))


def whole_records(page: Page, sums: RunningSums, starts: Integers, ends: Integers) -> tuple[Integers, Integers]:
    """Return the records of a list, grown to whole elements and then to whole items."""
    if list_members is not None and sums.counts is not None:
        is_item = np.array([name in ITEM_TAGS for name in page.tag_names], dtype=np.uint8)
        first, last = list_members.whole_records(
            starts, ends, page.tag, page.parent, page.end, sums.counts.sums, _column("chars"), _column("images"),
            page.body, is_item, MIN_RECORDS,
        )  # fmt: skip
        return first, last
    return whole_items(page, *whole_elements(page, sums, starts, ends))


def whole_elements(page: Page, sums: RunningSums, starts: Integers, ends: Integers) -> tuple[Integers, Integers]:
    """Return the records of a list, grown to the largest elements that have no other text, not even hidden text.

    All records grow, or none. If the link of each record is all the text of its item, the record becomes the item, with
    its address and image. Records without text grow as long as no other image is around them.
    """
    shown = sums.chars if bool((sums.chars[ends] > sums.chars[starts]).any()) else sums.chars + sums.images
    while _can_grow(page, shown, starts, ends):
        starts = page.parent[starts].astype(np.int64)
        ends = page.end[starts].astype(np.int64)
    return starts, ends


def whole_items(page: Page, starts: Integers, ends: Integers) -> tuple[Integers, Integers]:
    """Return the records of a list, each grown to the article or list item around it, if every record has its own.

    The items must be siblings: so a post gets its author, who stands beside it in the same article.
    """
    items = _items_around(page, starts)
    if len(starts) < MIN_RECORDS or bool((items < 0).any()) or len(np.unique(items)) < len(items):
        return starts, ends
    if len(np.unique(page.parent[items])) > 1 or bool((page.end[items] < ends).any()):
        return starts, ends
    return items, page.end[items].astype(np.int64)


def _items_around(page: Page, rows: Integers) -> Integers:
    """Return the nearest item (``ITEM_TAGS``) that each row is, or lies in; -1 where there is none."""
    is_item = is_tag(page, ITEM_TAGS)
    items = rows.copy()
    climbing = np.flatnonzero(~is_item[items])
    while len(climbing):
        items[climbing] = page.parent[items[climbing]]
        climbing = climbing[(items[climbing] >= 0) & ~is_item[items[climbing]]]
    return items


def _can_grow(page: Page, shown: Integers, starts: Integers, ends: Integers) -> bool:
    """Return whether each record is an element whose parent shows nothing else; ``shown``: running sums."""
    above = page.parent[starts]
    if len(starts) < MIN_RECORDS or not bool((above > page.body).all()):
        return False
    own, around = shown[ends] - shown[starts], shown[page.end[above]] - shown[above]
    return bool(((page.end[starts] == ends) & (own > 0) & (around == own)).all())
