"""Places of detail pages: where a column could be, and what the learning pages have there."""

from __future__ import annotations

from dataclasses import dataclass

from peneira.xpath.selectors import Selector

# So many texts after one label are one value in pieces
MAX_LABELLED_TEXTS = 4

Rows = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A place of detail pages: how it is found, and the rows and texts found on each page."""

    selector: Selector
    rows: tuple[Rows, ...]
    texts: tuple[tuple[str, ...], ...]
    score: float
    is_list: bool = False
    label: str = ""

    @property
    def is_labelled(self) -> bool:
        """Whether words of the template say what stands there."""
        return bool(self.label)

    @property
    def own(self) -> set[tuple[int, int]]:
        """The texts it reads, as page and row."""
        return {(page, row) for page, rows in enumerate(self.rows) for row in rows}

    @property
    def filled(self) -> list[Rows]:
        """The rows of the pages that have any."""
        return [rows for rows in self.rows if rows]

    @property
    def is_mixture(self) -> bool:
        """Whether it reads many texts that are no list: what each of them means is another place's business."""
        return not self.is_list and sum(map(len, self.rows)) > MAX_LABELLED_TEXTS * len(self.filled)

    @property
    def is_single(self) -> bool:
        """Whether no page has more than one text there."""
        return max(map(len, self.rows)) == 1
