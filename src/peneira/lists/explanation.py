"""The evidence in words: what decided between two lists."""

from __future__ import annotations

import numpy as np

from peneira.lists.ranking import RankedCandidates, feature_matrix
from peneira.ml.forest import Forest
from peneira.result import Reason

MAX_REASONS = 4
# Scores of the choice differ by whole numbers
MIN_CREDIT = 0.05

# What a figure says. Figures that are not named here are told by their name
PHRASES = {
    "records": "number of records, as a logarithm",
    "share": "share of the page's text",
    "share_of_best": "text, against the list with most of it",
    "plain_share": "share of the page's text outside links",
    "plain_of_best": "text outside links, against the list with most of it",
    "chars": "characters per record, as a logarithm",
    "chars_spread": "how much records differ in length",
    "nodes": "nodes per record, as a logarithm",
    "nodes_spread": "how much records differ in number of nodes",
    "link_chars": "share of the records' text inside links",
    "link_once": "share of records whose first link is the only one at its place",
    "link_targets": "share of records whose first link leads somewhere else than the others'",
    "lead_mode": "share of records that begin at the same place",
    "lead_once": "share of records whose first text is the only one at its place",
    "lead_texts": "share of records that begin with a text of their own",
    "alike": "how alike the records are",
    "alike_1": "how alike neighbouring records are",
    "alike_change_2": "how much more alike every second record is than neighbours",
    "halves": "how alike the two halves of a record are",
    "cover": "share of the text from first to last record that is in records",
    "holder_cover": "share of the text of the element around them that is in records",
    "gap": "text between records, in records",
    "gap_any": "share of records with text between them and the next",
    "gap_most": "longest text between records, in records",
    "gap_nodes": "nodes between records, in records",
    "left_before": "text before the first record in the element around them, in records",
    "left_after": "text after the last record in the element around them, in records",
    "chars_most": "length of the longest record, against the mean",
    "chars_least": "length of the shortest record, against the mean",
    "nodes_least": "nodes of the smallest record, against the mean",
    "span": "share of the page's text from its first to its last record",
    "start": "place on the page where it begins",
    "end": "place on the page where it ends",
    "depth": "depth of the records in the page",
    "children": "children of a record, as a logarithm",
    "siblings": "share of records that are several siblings",
    "parents": "elements that the records are spread over",
    "shapes": "share of records with a structure of their own",
    "shape_mode": "share of records of the same structure",
    "styled_mode": "share of records of the same tag path and style",
    "paths": "share of records with a tag path of their own",
    "lead_times": "texts per record at the place of its first, as a logarithm",
    "lead_elsewhere": "texts elsewhere on the page at the place of the records' first, per record",
    "link_mode": "share of records with their first link at the same place",
    "link_times": "links per record at the place of its first, as a logarithm",
    "numbered": "share of records whose number follows the one before",
    "sorted": "share of records in the order of the alphabet",
    "capitals": "share of texts that begin with a capital",
    "repeated_chars": "share of text that the page has more than once",
    "alike_2": "how alike every second record is",
    "alike_3": "how alike every third record is",
    "alike_last": "how alike the last record is to the others",
    "alike_first": "how alike the first record is to the others",
    "alike_least": "how alike the least alike record is to the others",
    "alike_change_3": "how much more alike every third record is than neighbours",
    "step_1": "how much neighbouring records differ in length",
    "step_2": "how much every second record differs in length",
    "step_3": "how much every third record differs in length",
    "step_change_2": "how much more every second record differs in length than neighbours",
    "step_change_3": "how much more every third record differs in length than neighbours",
    "page_chars": "length of the page's text, as a logarithm",
    "page_link_chars": "share of the page's text inside links",
    "in_main": "stands in the element called main",
    "in_table": "stands in a feature_matrix",
    "frame_words": "share of records named like a menu or another part of the frame",
    "record_words": "share of records named like results or items",
    "support": "how many kinds of nodes suggest this cut, as a logarithm",
    "frame_words_above": "elements around it named like a menu or another part of the frame",
    "record_words_above": "elements around it named like results or items",
    "score": "record score that its own figures let expect",
    "score_gap": "expected record score, against the best",
    "rank": "place by expected record score",
    "rival_score": "expected record score of the best other candidate",
    "support_of_best": "how many kinds of nodes suggest this cut, against the cut with most",
    "records_of_most": "number of records, against the list with most",
    "before": "share of the page's text before it",
    "after": "share of the page's text after it",
    "box_area_share": "share of the page's area",
    "box_left_mode": "share of records at the same left edge",
    "box_width_mode": "share of records of the same width",
    "box_grid": "records against the places of their grid",
    "box_font_contrast": "largest against smallest font of a record",
}
# Figures of what records hold: of what, and which figure
HELD = {
    "links": "links", "images": "images", "texts": "texts", "numbers": "numbers", "headings": "headings",
    "prices": "prices", "dates": "dates", "bolds": "bold texts", "longs": "long texts", "controls": "form controls",
    "breaks": "line breaks", "containers": "lists and tables", "hidden": "hidden texts", "headers": "header cells",
    "stops": "whole sentences",
}  # fmt: skip
FIGURES = {
    "": "{} per record, as a logarithm",
    "any": "share of records with {}",
    "one": "share of records with exactly one of their kind: {}",
    "share": "share of the page's {}",
    "spread": "how much records differ in number of {}",
}
# The same for figures of how a list relates to others: which others, and what of them
RELATED = {
    "fuller": "lists of the same records with more in each",
    "thinner": "lists of the same records with less in each",
    "coarser": "lists that hold several of its records in one",
    "finer": "lists that cut its records into several",
    "longer": "lists of the same records and more",
    "shorter": "lists of some of the same records",
    "apart": "lists elsewhere on the page",
    "mixed": "lists that overlap it",
}
ASPECTS = {
    "score": "best expected record score among",
    "gap": "expected record score, ahead of the best among",
    "share": "how much more text the best has among",
    "records": "how many more records the best has among",
    "lists": "number of",
}


def deciding_features(ranking: RankedCandidates, choice: Forest, one: int, other: int) -> list[Reason]:
    """Return the figures that speak most for one list of the ranking against another, by the choice.

    The value of a reason is what the figure adds to the difference of their scores.
    """
    figures = feature_matrix(ranking.figures, choice)[[one, other]]
    credit = choice.contributions(figures)
    gain = credit[0] - credit[1]
    best = np.argsort(-gain, kind="stable")[:MAX_REASONS]
    return [
        Reason(
            choice.names[k], f"{describe_feature(choice.names[k])}: {_versus(*figures[:, k])}", round(float(gain[k]), 4)
        )
        for k in best.tolist()
        if gain[k] >= MIN_CREDIT
    ]


def describe_feature(name: str) -> str:
    """Return what a figure says."""
    relation, _, aspect = name.partition("_")  # or what is held, and which figure of it
    if relation in RELATED and aspect in ASPECTS:
        return f"{ASPECTS[aspect]} {RELATED[relation]}"
    if relation in HELD and aspect in FIGURES:
        return FIGURES[aspect].format(HELD[relation])
    return PHRASES.get(name, name.replace("_", " "))


def _versus(mine: float, theirs: float) -> str:
    return f"{mine:.2f} against {theirs:.2f}"
