"""The ranking in words: which features decided between two lists."""

from __future__ import annotations

import numpy as np

from peneira.lists.ranking import QUALITY_WEIGHT, Models, RankedCandidates, feature_matrix, take_rows
from peneira.reasons import Reason, ReasonCode

MAX_REASONS = 4
# Features that contribute less are not mentioned; the ranking scores of two lists differ by whole numbers
MIN_CONTRIBUTION = 0.05

# Descriptions of features; other features are described by their name
DESCRIPTIONS = {
    "records": "number of records (log)",
    "share": "share of the page's text",
    "share_of_best": "text, relative to the list with the most text",
    "plain_share": "share of the page's text outside links",
    "plain_of_best": "text outside links, relative to the list with the most",
    "chars": "characters per record (log)",
    "chars_spread": "variation in the length of records",
    "nodes": "nodes per record (log)",
    "nodes_spread": "variation in the number of nodes per record",
    "link_chars": "share of the records' text inside links",
    "first_link_once": "share of records with only one link at the tag path of their first link",
    "first_link_distinct": "share of records whose first link has a target of its own",
    "first_text_mode": "share of records whose first text has the most common tag path",
    "first_text_once": "share of records with only one text at the tag path of their first text",
    "first_text_distinct": "share of records that begin with a text of their own",
    "similarity": "similarity of the records",
    "similarity_1": "similarity of neighbouring records",
    "similarity_change_2": "similarity of every second record, compared with neighbours",
    "halves_similarity": "similarity of the two halves of a record",
    "cover": "share of the text from the first to the last record that is in records",
    "ancestor_cover": "share of the text of the element around the records that is in records",
    "gap": "text between records, relative to the length of a record",
    "gap_any": "share of records followed by text before the next record",
    "gap_max": "longest text between records, relative to the length of a record",
    "gap_nodes": "nodes between records, relative to the nodes of a record",
    "left_before": "text before the first record in the element around them, relative to the length of a record",
    "left_after": "text after the last record in the element around them, relative to the length of a record",
    "chars_max": "length of the longest record, relative to the mean",
    "chars_min": "length of the shortest record, relative to the mean",
    "nodes_min": "nodes of the smallest record, relative to the mean",
    "span": "share of the page's text from the first to the last record",
    "start": "position on the page where the list starts",
    "end": "position on the page where the list ends",
    "depth": "depth of the records in the page's tree",
    "children": "children of a record (log)",
    "siblings": "share of records that are several siblings",
    "parents": "number of parents, relative to the number of records (log)",
    "distinct": "share of records with texts of their own",
    "left_out_similarity": "similarity of the records to what the element around them has beside them",
    "left_out_nodes": "nodes that the element around the records has beside them, relative to the nodes of a record",
    "shapes": "share of records with a structure of their own",
    "shape_mode": "share of records with the most common structure",
    "styled_mode": "share of records with the most common tag path and style",
    "paths": "share of records with a tag path of their own",
    "first_text_times": "texts per record at the tag path of its first text (log)",
    "first_text_elsewhere": "texts elsewhere on the page at the tag path of the records' first text, per record",
    "first_link_mode": "share of records whose first link has the most common tag path",
    "first_link_times": "links per record at the tag path of its first link (log)",
    "numbered": "share of records whose number follows that of the record before",
    "sorted": "share of records in alphabetical order",
    "capitals": "share of texts that begin with a capital letter",
    "repeated_chars": "share of the text that occurs more than once on the page",
    "similarity_2": "similarity of every second record",
    "similarity_3": "similarity of every third record",
    "similarity_last": "similarity of the last record to the others",
    "similarity_first": "similarity of the first record to the others",
    "similarity_min": "similarity of the least similar record to the others",
    "similarity_change_3": "similarity of every third record, compared with neighbours",
    "step_1": "difference in length between neighbouring records",
    "step_2": "difference in length between every second record",
    "step_3": "difference in length between every third record",
    "step_change_2": "difference in length between every second record, compared with neighbours",
    "step_change_3": "difference in length between every third record, compared with neighbours",
    "page_chars": "length of the page's text (log)",
    "page_link_chars": "share of the page's text inside links",
    "in_main": "is inside a <main> element",
    "in_table": "is inside a table",
    "frame_words": "share of records with a class name typical of menus, headers or footers",
    "record_words": "share of records with a class name typical of results or items",
    "support": "number of ways in which the page suggests this list (log)",
    "frame_words_above": "elements around the list with a class name typical of menus, headers or footers",
    "record_words_above": "elements around the list with a class name typical of results or items",
    "aside_words": "share of records with a class name typical of related items, carousels or widgets",
    "aside_words_above": "elements around the list with a class name typical of related items, carousels or widgets",
    "overlay_words": "share of records with a class name typical of dialogs, dropdowns or consent",
    "overlay_words_above": "elements around the list with a class name typical of dialogs, dropdowns or consent",
    "outside_main": "is outside the main element of a page that has one",
    "in_frame_role": "is in an element whose role is navigation, banner, dialog or the like",
    "heading_level": "level of the heading above the list, 0 where there is none",
    "heading_distance": "text from that heading to the list, relative to the length of a record",
    "after_title": "share of the page's text from its first h1 to the list",
    "pagers_inside": "share of records with links to other pages of a list",
    "pager_around": "has links to other pages of a list beside it",
    "page_pagers": "links to other pages of a list, on the whole page (log)",
    "is_stated_range": "has as many records as the page states as a range (1-20 of 345)",
    "is_stated_number": "has as many records as the page states as a number (24 results)",
    "states_range": "the page states a range of records (1-20 of 345)",
    "score": "record score expected from the list's own features",
    "score_gap": "expected record score, compared with the best list",
    "rank": "rank by expected record score",
    "rival_score": "expected record score of the best other candidate",
    "support_of_best": "number of ways in which the page suggests this list, relative to the list with the most",
    "records_of_most": "number of records, relative to the list with the most records",
    "before": "share of the page's text before the list",
    "after": "share of the page's text after the list",
    "before_like_tail": "share of records that end like what stands before the first record",
    "before_like_start": "share of records that begin like what stands before the first record",
    "after_like_start": "share of records that begin like what stands after the last record",
    "after_like_tail": "share of records that end like what stands after the last record",
    "last_lacks_tail": "share of records that end otherwise than the last one",
    "tail_mode": "share of records with the most common last element",
    "start_mode": "share of records with the most common first element",
    "head_headings": "share of records of several siblings that begin with a heading or bold text",
    "tail_headings": "share of records of several siblings that end with a heading or bold text",
    "head_links": "share of records of several siblings that begin with a link",
    "tail_links": "share of records of several siblings that end with a link",
    "head_images": "share of records of several siblings that begin with an image",
    "tail_images": "share of records of several siblings that end with an image",
    "opens_container": "share of records that begin the element they are in",
    "closes_container": "share of records that end the element they are in",
    "after_break": "share of records after a blank line or a rule",
    "breaks_inside": "share of records with a blank line or a rule inside",
    "first_opens": "the first record begins the element it is in",
    "last_closes": "the last record ends the element it is in",
    "box_area_share": "share of the page's area",
    "box_left_mode": "share of records with the most common left edge",
    "box_width_mode": "share of records with the most common width",
    "box_grid": "number of records, relative to the cells of their grid",
    "box_font_contrast": "largest font of a record, relative to its smallest",
}
# Features named after a kind of content and a statistic of it, such as ``prices_any``
CONTENT_KINDS = {
    "links": "links", "images": "images", "texts": "texts", "numbers": "numbers", "headings": "headings",
    "prices": "prices", "dates": "dates", "bolds": "bold texts", "longs": "long texts", "controls": "form controls",
    "breaks": "line breaks", "containers": "lists and tables", "hidden": "hidden texts", "headers": "header cells",
    "stops": "whole sentences",
}  # fmt: skip
CONTENT_STATISTICS = {
    "": "{kinds} per record (log)",
    "any": "share of records with {kinds}",
    "one": "share of records with exactly one {kind}",
    "share": "share of the page's {kinds}",
    "spread": "variation in the number of {kinds} per record",
}
# Features named after a relation to other lists and a statistic of these, such as ``coarser_score``
RELATED_LISTS = {
    "fuller": "lists of the same records with more in each",
    "thinner": "lists of the same records with less in each",
    "coarser": "lists that join several of its records into one",
    "finer": "lists that split its records into several",
    "longer": "lists of the same records and more",
    "shorter": "lists of some of the same records",
    "disjoint": "lists elsewhere on the page",
    "overlapping": "lists that overlap it",
}
RELATED_STATISTICS = {
    "score": "best expected record score among",
    "gap": "lead in expected record score over the best of the",
    "share": "how much more text the best has among",
    "records": "how many more records the best has among",
    "lists": "number of",
}


def deciding_features(ranked: RankedCandidates, models: Models, winner: int, loser: int) -> list[Reason]:
    """Return the features that speak most for one list against another, by the forests of ranking and quality.

    The value of a reason is what the feature adds to the difference of the two scores.
    """
    names = models.ranking.names
    matrix = feature_matrix(take_rows(ranked.features, np.array([winner, loser])), models.ranking)
    contributions = models.ranking.contributions(matrix) + QUALITY_WEIGHT * models.quality.contributions(matrix)
    gain = contributions[0] - contributions[1]
    best = np.argsort(-gain, kind="stable")[:MAX_REASONS]
    return [
        Reason(
            ReasonCode.FEATURE,
            f"{describe_feature(names[k])}: {matrix[0, k]:.2f} against {matrix[1, k]:.2f}",
            round(float(gain[k]), 4),
            feature=names[k],
        )
        for k in best.tolist()
        if gain[k] >= MIN_CONTRIBUTION
    ]


def describe_feature(name: str) -> str:
    """Return what a feature measures, in words."""
    subject, _, statistic = name.partition("_")
    if subject in RELATED_LISTS and statistic in RELATED_STATISTICS:
        return f"{RELATED_STATISTICS[statistic]} {RELATED_LISTS[subject]}"
    if subject in CONTENT_KINDS and statistic in CONTENT_STATISTICS:
        kinds = CONTENT_KINDS[subject]
        return CONTENT_STATISTICS[statistic].format(kinds=kinds, kind=kinds.removesuffix("s"))
    return DESCRIPTIONS.get(name, name.replace("_", " "))
