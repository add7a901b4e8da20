"""Part of a page as a page of its own, so that records can be searched for in one region alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from peneira.layout import Layout, Styles
from peneira.page import Page, Rows
from peneira.result import Range, Record, Region


class Subpage:
    """A node of a page with its subtree and its ancestors; the rest of the page is left out."""

    def __init__(self, page: Page, root: int) -> None:
        self.whole = page
        above = [*page.ancestors(root)][::-1]
        self._shift = root - len(above)
        rows = [*above, *range(root, int(page.end[root]))]
        new_rows = {row: k for k, row in enumerate(above)}
        parents = [new_rows.get(parent, parent - self._shift) for parent in page.parent[rows].tolist()]
        parents[0] = -1
        self.page = Page(
            Rows(
                list(page.tag_names),
                page.tag[rows].tolist(),
                parents,
                [page.text[row] for row in rows],
                [page.attrs[row] for row in rows],
                [page.spaced[row] for row in rows],
            ),
            url=page.url,
            layout=_layout(page.layout, rows) if page.layout else None,
        )

    def to_whole_page(self, region: Region) -> Region:
        """Return a region of this part as a region of the whole page."""
        records = tuple(self._record(record) for record in region.records)
        return replace(region, records=records)

    def _record(self, record: Record) -> Record:
        ranges: tuple[Range, ...] = tuple((start + self._shift, end + self._shift) for start, end in record.ranges)
        start, end = ranges[0][0], ranges[-1][1]
        return replace(
            record, ranges=ranges, text=self.whole.text_of(start, end), xpath="", fields={}, node=self.whole.node(start)
        )


def _layout(layout: Layout, rows: list[int]) -> Layout:
    index = np.array(rows, dtype=np.int64)
    styles = {name: Styles(column.codes[index], column.values) for name, column in layout.styles.items()}
    return Layout(layout.boxes[index], layout.has_box[index], styles, layout.width_px, layout.height_px)
