"""The evidence in words: what decided between two lists."""

from __future__ import annotations

import numpy as np

from peneira.forest import Forest
from peneira.model import Reason
from peneira.records.rank import Ranking, table

MOST_REASONS = 4
# Scores of the choice differ by whole numbers
LEAST_CREDIT = 0.05

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
    "links": "links per record, as a logarithm",
    "links_any": "share of records with a link",
    "link_once": "share of records whose first link is the only one at its place",
    "link_targets": "share of records whose first link leads somewhere else than the others'",
    "lead_mode": "share of records that begin at the same place",
    "lead_once": "share of records whose first text is the only one at its place",
    "lead_texts": "share of records that begin with a text of their own",
    "numbers_any": "share of records with a number",
    "prices_any": "share of records with a price",
    "dates_any": "share of records with a date",
    "images_any": "share of records with an image",
    "longs_any": "share of records with a long text",
    "headings_any": "share of records with a heading",
    "alike": "how alike the records are",
    "alike_1": "how alike neighbouring records are",
    "alike_change_2": "how much more alike every second record is than neighbours",
    "halves": "how alike the two halves of a record are",
    "cover": "share of the text from first to last record that is in records",
    "holder_cover": "share of the text of the element around them that is in records",
    "gap": "text between records, in records",
    "support": "how many kinds of nodes suggest this cut, as a logarithm",
    "frame_words_above": "elements around it named like a menu or another part of the frame",
    "record_words_above": "elements around it named like results or items",
    "score": "record score that its own figures let expect",
    "score_gap": "expected record score, against the best",
    "rank": "place by expected record score",
    "rival_score": "expected record score of the best other candidate",
    "support_of_best": "how many kinds of nodes suggest this cut, against the cut with most",
    "records_of_most": "number of records, against the list with most",
    "images_share": "share of the page's images",
    "numbers_share": "share of the page's numbers",
    "links_share": "share of the page's links",
    "before": "share of the page's text before it",
    "after": "share of the page's text after it",
    "box_area_share": "share of the page's area",
    "box_left_mode": "share of records at the same left edge",
    "box_width_mode": "share of records of the same width",
    "box_grid": "records against the places of their grid",
    "box_font_contrast": "largest against smallest font of a record",
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


def deciding(ranking: Ranking, choice: Forest, one: int, other: int) -> list[Reason]:
    """Return the figures that speak most for one list of the ranking against another, by the choice.

    The value of a reason is what the figure adds to the difference of their scores.
    """
    figures = table(ranking.figures, choice)[[one, other]]
    credit = choice.contributions(figures)
    gain = credit[0] - credit[1]
    best = np.argsort(-gain, kind="stable")[:MOST_REASONS]
    return [
        Reason(choice.names[k], f"{phrase(choice.names[k])}: {_versus(*figures[:, k])}", round(float(gain[k]), 4))
        for k in best.tolist()
        if gain[k] >= LEAST_CREDIT
    ]


def phrase(name: str) -> str:
    """Return what a figure says."""
    relation, _, aspect = name.partition("_")
    if relation in RELATED and aspect in ASPECTS:
        return f"{ASPECTS[aspect]} {RELATED[relation]}"
    return PHRASES.get(name, name.replace("_", " "))


def _versus(mine: float, theirs: float) -> str:
    return f"{mine:.2f} against {theirs:.2f}"
