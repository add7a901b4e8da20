"""Distinct subtrees: an index stores every distinct subtree of its pages once, as a *shape*.

A shape is a tag (``#text`` for text) with the shapes of its children; silent nodes do not count. A child's number is
always smaller than its parent's, and equal numbers mean equal subtrees in all pages of the index. On the pages of the
TPS thesis only 9 % of the subtrees are distinct, which is what makes tree matching affordable.
"""

from __future__ import annotations

import numpy as np

from peneira.page import TEXT, Page

# The shape of a silent row
NO_SHAPE = -1


class SubtreeIndex:
    """The distinct subtrees of one or more pages.

    ``labels[s]``, ``children[s]``, ``sizes[s]`` (nodes) and ``texts[s]`` (text nodes) describe shape s.
    """

    def __init__(self) -> None:
        self.names: list[str] = [TEXT]
        self.labels: list[int] = []
        self.children: list[tuple[int, ...]] = []
        self.sizes: list[int] = []
        self.texts: list[int] = []
        self._codes: dict[str, int] = {TEXT: 0}
        self._ids: dict[tuple[int, tuple[int, ...]], int] = {}

    def __len__(self) -> int:
        return len(self.labels)

    def add(self, page: Page) -> list[int]:
        """Return the shape of every row of the page; ``NO_SHAPE`` for silent rows."""
        if not len(page):
            return []
        page_shapes, first_rows = np.unique(np.where(page.silent, NO_SHAPE, page.shape), return_index=True)
        shape_of = {NO_SHAPE: NO_SHAPE}
        shape_of_row: list[int] = page.shape.tolist()
        silent: list[bool] = page.silent.tolist()
        for page_shape, row in zip(page_shapes.tolist(), first_rows.tolist(), strict=True):
            if page_shape != NO_SHAPE:
                children = tuple(shape_of[shape_of_row[child]] for child in page.children(row) if not silent[child])
                shape_of[page_shape] = self.shape(page.name(row), children)
        return [
            NO_SHAPE if is_silent else shape_of[shape] for shape, is_silent in zip(shape_of_row, silent, strict=True)
        ]

    def shape(self, name: str, children: tuple[int, ...] = ()) -> int:
        """Return the shape of a tag with these children, a new shape if there was none."""
        code = self._codes.get(name)
        if code is None:
            code = self._codes[name] = len(self.names)
            self.names.append(name)
        key = (code, children)
        shape = self._ids.get(key)
        if shape is None:
            shape = self._ids[key] = len(self.labels)
            self.labels.append(code)
            self.children.append(children)
            self.sizes.append(1 + sum(self.sizes[child] for child in children))
            self.texts.append((code == 0) + sum(self.texts[child] for child in children))
        return shape

    def truncate(self, shapes: int, names: int) -> None:
        """Keep only the first ``shapes`` shapes and the first ``names`` names."""
        for code, children in zip(self.labels[shapes:], self.children[shapes:], strict=True):
            del self._ids[code, children]
        for name in self.names[names:]:
            del self._codes[name]
        for column in (self.labels, self.children, self.sizes, self.texts):
            del column[shapes:]
        del self.names[names:]

    def name(self, shape: int) -> str:
        """Return the tag name of a shape."""
        return self.names[self.labels[shape]]
