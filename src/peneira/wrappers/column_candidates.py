"""Column candidates of detail pages: a selector, and what it reads on each learning page."""

from __future__ import annotations

from dataclasses import dataclass

from peneira.xpath.selectors import Selector

# Up to this many texts per page after a label are one value in several parts
MAX_LABELLED_TEXTS = 4

# The rows that a selector finds on one page
PageRows = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ColumnCandidate:
    """A possible column of detail pages: its selector, and the rows and texts that it finds on each page.

    ``spares``: other selectors that find the same, by other means; ``alternatives``: those for pages on which the first
    finds nothing; ``is_address``: the texts of each page are the lines of a postal address.
    """

    selector: Selector
    rows: tuple[PageRows, ...]
    texts: tuple[tuple[str, ...], ...]
    score: float
    is_list: bool = False
    label: str = ""
    spares: tuple[Selector, ...] = ()
    alternatives: tuple[Selector, ...] = ()
    is_address: bool = False

    @property
    def is_labelled(self) -> bool:
        """Whether a text of the template names the value."""
        return bool(self.label)

    @property
    def cells(self) -> set[tuple[int, int]]:
        """The texts that it reads, as pairs of page and row."""
        return {(page, row) for page, rows in enumerate(self.rows) for row in rows}

    @property
    def filled(self) -> list[PageRows]:
        """The rows of the pages that have any."""
        return [rows for rows in self.rows if rows]

    @property
    def is_mixture(self) -> bool:
        """Whether it reads many texts that are no list: each of them should be a column of its own."""
        return not self.is_list and sum(map(len, self.rows)) > MAX_LABELLED_TEXTS * len(self.filled)

    @property
    def is_constant(self) -> bool:
        """Whether several pages have it, all with the same texts."""
        filled = [texts for texts in self.texts if texts]
        return len(filled) > 1 and len(set(filled)) == 1

    @property
    def is_single(self) -> bool:
        """Whether it reads no more than one text per page."""
        return max(map(len, self.rows)) == 1

    @property
    def first_texts(self) -> list[str]:
        """The first text of each page that has any."""
        return [texts[0] for texts in self.texts if texts]
