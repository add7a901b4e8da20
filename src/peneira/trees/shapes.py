"""Trees whose equal subtrees are one: a forest holds every distinct subtree of its pages once, as a *shape*.

A shape is a tag (``#text`` for text) over the shapes of its children; silent nodes do not count. Shapes are numbered
so that a child comes before its parents, and equal numbers mean equal trees in all pages of the forest. On the pages
of the TPS thesis only 9 % of the subtrees are distinct, which is what makes tree matching affordable.
"""

from __future__ import annotations

import numpy as np

from peneira.page import TEXT, Page

# The shape of a row that is silent
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
        heard = ~page.silent
        local, firsts = np.unique(np.where(heard, page.shape, NO_SHAPE), return_index=True)
        shape_of = {NO_SHAPE: NO_SHAPE}
        of_row: list[int] = page.shape.tolist()
        silent: list[bool] = page.silent.tolist()
        for shape, row in zip(local.tolist(), firsts.tolist(), strict=True):
            if shape != NO_SHAPE:
                below = tuple(shape_of[of_row[child]] for child in page.children(row) if not silent[child])
                shape_of[shape] = self.shape(page.name(row), below)
        return [NO_SHAPE if quiet else shape_of[shape] for shape, quiet in zip(of_row, silent, strict=True)]

    def shape(self, name: str, children: tuple[int, ...] = ()) -> int:
        """Return the shape of that tag over those shapes, a new one if there was none."""
        code = self._codes.get(name)
        if code is None:
            code = self._codes[name] = len(self.names)
            self.names.append(name)
        key = (code, children)
        known = self._ids.get(key)
        if known is None:
            known = self._ids[key] = len(self.labels)
            self.labels.append(code)
            self.children.append(children)
            self.sizes.append(1 + sum(self.sizes[child] for child in children))
            self.texts.append((code == 0) + sum(self.texts[child] for child in children))
        return known

    def cut_back(self, shapes: int, names: int) -> None:
        """Forget the shapes and names that came after the first so many."""
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
