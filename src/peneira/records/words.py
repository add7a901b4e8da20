"""The evidence in words: what decided between two lists."""

from __future__ import annotations

import numpy as np

from peneira.forest import Forest
from peneira.model import Reason
from peneira.records.rank import Ranking, table

MOST_REASONS = 4
LEAST_CREDIT = 0.01

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
}


def deciding(ranking: Ranking, screen: Forest, one: int, other: int) -> list[Reason]:
    """Return the figures that speak most for one list of the ranking against another, by the screen.

    The value of a reason is what the figure adds to the expected record score. Where the choice overruled the screen,
    these are what spoke for the winner even so.
    """
    figures = table(ranking.figures, screen)[[one, other]]
    credit = screen.contributions(figures)
    gain = credit[0] - credit[1]
    best = np.argsort(-gain, kind="stable")[:MOST_REASONS]
    return [
        Reason(screen.names[k], _told(screen.names[k], figures[0, k], figures[1, k]), round(float(gain[k]), 4))
        for k in best.tolist()
        if gain[k] >= LEAST_CREDIT
    ]


def _told(name: str, mine: float, theirs: float) -> str:
    return f"{PHRASES.get(name, name.replace('_', ' '))}: {mine:.2f} against {theirs:.2f}"
