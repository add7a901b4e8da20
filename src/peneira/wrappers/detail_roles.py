"""What the columns of detail pages are: which field of the item that a page is about a column has, and whether it is
about that item at all.

``peneira.item`` reads a few of the learning pages. A column that has the same field of the item on most of them is
called as that field. Columns in menus, footers and lists of other items score less.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from peneira.items.builder import ROLES, item_of
from peneira.items.claims import normal_form
from peneira.items.page_view import PageView
from peneira.page import Page
from peneira.result import Item
from peneira.wrappers.candidate_scoring import COLONS
from peneira.wrappers.column_candidates import ColumnCandidate
from peneira.wrappers.label_evidence import LabelEvidence, is_own_value

_FIELDS = frozenset(ROLES)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class RoleOptions:
    """How fields and places count; ``peneira bench wrappers`` measures the effect."""

    # The item is read from this many of the pages
    max_pages: int = 3
    # A column has a field if it equals it on this share of the pages that have both
    min_share: float = 0.6
    # A column with a field of the item, one among other things or in a part of the site
    field_factor: float = 3.0
    other_factor: float = 0.45
    # A column shortly after the heading of the item, at most this many rows
    near_factor: float = 1.4
    near_rows: int = 60
    # So close to it nothing is a list of other things
    next_rows: int = 12
    # A column of sentences that differ only by words of the heading, such as "Reviews of the 2011 Honda Fit"
    echo_factor: float = 0.3
    # With fewer other words and a colon it may be a label with a value that is in the heading too
    min_echo_words: int = 1
    min_echo_words_after_colon: int = 3
    # A column is among other things if this share of its texts is
    other_share: float = 0.6


OPTIONS = RoleOptions()


class FieldOfItem(NamedTuple):
    """The field of the item that a column has, and one that it has beside another column; "" if there is none."""

    name: str
    repeated: str


class ItemEvidence:
    """What items say about the columns of some pages."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self._items = [(k, _forms(item_of(page))) for k, page in enumerate(pages[: OPTIONS.max_pages])]
        views = [PageView(page) for page in pages[: OPTIONS.max_pages]]
        self._other = [(view.around | view.listed).tolist() for view in views]
        self._heading = [view.heading_row for view in views]
        self._heading_end = [int(view.page.end[view.heading_row]) if view.heading_row > 0 else 0 for view in views]
        self._titles = [normal_form(view.document_title) for view in views]
        self._heading_words = [frozenset(_words(_heading_text(view))) for view in views]

    def fields(self, candidates: Sequence[ColumnCandidate]) -> list[FieldOfItem]:
        """Return for each candidate the field of the item that it has; each field is given once, to a full column."""
        votes = [(self._field_votes(candidate), k) for k, candidate in enumerate(candidates)]
        ranked = sorted(
            (-share, -len(candidates[k].filled), -candidates[k].score, k, name)
            for shares, k in votes
            for name, share in shares.items()
            if share >= OPTIONS.min_share
        )
        names = [""] * len(candidates)
        repeated = [""] * len(candidates)
        taken: set[str] = set()
        heading = next((k for k, candidate in enumerate(candidates) if self._is_heading(candidate)), None)
        if heading is not None and not any(name == "title" for *_, name in ranked):
            names[heading] = "title"
            taken.add("title")
        for *_, k, name in ranked:
            if not names[k] and name not in taken:
                names[k] = name
                taken.add(name)
            elif not repeated[k]:
                repeated[k] = name
        if "title" not in taken:
            title = self._in_document_titles(candidates, names)
            names = [own or ("title" if k == title else "") for k, own in enumerate(names)]
        if "address" not in taken:
            lines = next((k for k, candidate in enumerate(candidates) if candidate.is_address and not names[k]), None)
            names = [own or ("address" if k == lines else "") for k, own in enumerate(names)]
        return [FieldOfItem(*pair) for pair in zip(names, repeated, strict=True)]

    def rescored(self, candidates: Sequence[ColumnCandidate]) -> list[ColumnCandidate]:
        """Return the candidates with higher scores for fields of the item and labelled values, lower for others."""
        labels = LabelEvidence(candidates)
        return [
            replace(candidate, score=candidate.score * labels.factor(candidate) * self._factor(candidate))
            for candidate in candidates
        ]

    def _factor(self, candidate: ColumnCandidate) -> float:
        shares = self._field_votes(candidate)
        if any(share >= OPTIONS.min_share for share in shares.values()):
            return OPTIONS.field_factor
        rows = [(k, row) for k, own in enumerate(candidate.rows[: len(self._other)]) for row in own]
        others = sum(self._other[k][row] for k, row in rows)
        after_heading = [row - self._heading[k] for k, row in rows if self._heading[k] > 0]
        is_below = bool(after_heading) and min(after_heading) >= 0
        is_next = is_below and max(after_heading) <= OPTIONS.next_rows
        is_other = bool(rows) and others >= OPTIONS.other_share * len(rows)
        factor = OPTIONS.other_factor if is_other and not is_next and not is_own_value(candidate) else 1.0
        is_near = bool(rows) and (not after_heading or (is_below and max(after_heading) <= OPTIONS.near_rows))
        factor *= OPTIONS.near_factor if is_near else 1.0
        return factor * (OPTIONS.echo_factor if self._echoes_heading(candidate) else 1.0)

    def _is_heading(self, candidate: ColumnCandidate) -> bool:
        """Return whether a candidate is the main heading of all pages, or its first text."""
        headings = list(zip(self._heading, self._heading_end, candidate.rows, strict=False))
        return bool(headings) and all(
            heading > 0 and rows and heading <= rows[0] < min(end, heading + 3) for heading, end, rows in headings
        )

    def _in_document_titles(self, candidates: Sequence[ColumnCandidate], names: Sequence[str]) -> int | None:
        """Return the first of the candidates with the longest texts that are in the titles of all documents."""
        found = []
        for k, candidate in enumerate(candidates):
            if names[k] or not candidate.is_single or len(set(candidate.texts)) < len(candidate.texts):
                continue
            forms = [normal_form(texts[0]) for texts in candidate.texts[: len(self._titles)] if texts]
            if len(forms) == len(self._titles) and all(
                form and form in title for form, title in zip(forms, self._titles, strict=True)
            ):
                found.append((-sum(map(len, forms)), k))
        return min(found)[1] if found else None

    def _echoes_heading(self, candidate: ColumnCandidate) -> bool:
        """Return whether the texts of a candidate are the same on all pages but for words of the headings."""
        rests = set()
        different = set()
        has_colon = False
        for heading, texts in zip(self._heading_words, candidate.texts, strict=False):
            if texts and heading:
                rests.add(tuple(word for word in _words(" ".join(texts)) if word not in heading))
                has_colon = has_colon or any(colon in text for text in texts for colon in COLONS)
                different.add(texts)
        least = OPTIONS.min_echo_words_after_colon if has_colon else OPTIONS.min_echo_words
        return len(different) > 1 and len(rests) == 1 and len(rests.pop()) >= least

    def _field_votes(self, candidate: ColumnCandidate) -> Mapping[str, float]:
        """Return the share of the pages with a field and this column on which both are the same."""
        same: Counter[str] = Counter()
        both: Counter[str] = Counter()
        for k, forms in self._items:
            texts = candidate.texts[k]
            if not texts:
                continue
            own = {normal_form(texts[0]), normal_form(" ".join(texts)), normal_form(", ".join(texts))} - {""}
            both.update(forms.keys())
            same.update(name for name, form in forms.items() if form in own)
        return {name: count / both[name] for name, count in same.items()}


def _heading_text(view: PageView) -> str:
    return view.page.text_of(view.heading_row) if view.heading_row > 0 else ""


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _forms(item: Item) -> dict[str, str]:
    """Return the fields of an item in the form in which they are compared."""
    forms = {name: normal_form(cell.text) for name, cell in item.fields.items() if name in _FIELDS}
    return {name: form for name, form in forms.items() if form}
