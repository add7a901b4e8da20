"""Shapes of outlines: records whose outlines have the same nodes share one shape, so that each is looked at once."""

from __future__ import annotations

from array import array
from itertools import pairwise

from peneira.columns.outline import TEXT, Outline
from peneira.kept_property import kept_property
from peneira.kernels import compiled

record_texts = compiled("record_texts")

# Flags of a node that its outline alone tells
STARTS_LINE, IS_TEXT, HAS_ATTRIBUTES = 2, 4, 16


class OutlineShape:
    """The nodes of the outlines of some records, counted from the root; the first of these records starts at ``start``.

    ``flags``: those of each node; ``texts``: the nodes that are texts.
    """

    def __init__(self, outline: Outline, start: int, stop: int) -> None:
        self.signature = outline.signature[start:stop]
        self.kind = outline.kind[start:stop]
        self.parent_offset = outline.parent_offset[start:stop]
        self.flags = [
            (kind == TEXT) * IS_TEXT + starts_line * STARTS_LINE + has_attributes * HAS_ATTRIBUTES
            for kind, starts_line, has_attributes in zip(
                self.kind, outline.starts_line[start:stop], outline.has_attributes[start:stop], strict=True
            )
        ]
        self.texts = [k for k, kind in enumerate(self.kind) if kind == TEXT]

    @kept_property
    def parent(self) -> list[int]:
        """The parent of each node; the root is its own."""
        return [k - offset for k, offset in enumerate(self.parent_offset)]

    @kept_property
    def siblings(self) -> Siblings:
        """How many children each node has, and where it stands among those of its parent."""
        return Siblings(self.parent)


class Siblings:
    """Per node of a shape: how many ``children`` it has, its ``index`` among its siblings, those ``before`` and
    ``after`` it, -1 for none."""

    def __init__(self, parents: list[int]) -> None:
        size = len(parents)
        self.children = children = [0] * size
        self.index, self.before, self.after = index, before, after = [0] * size, [-1] * size, [-1] * size
        last = [-1] * size
        for k in range(1, size):
            parent = parents[k]
            previous = last[parent]
            index[k], before[k] = children[parent], previous
            if previous >= 0:
                after[previous] = k
            last[parent] = k
            children[parent] += 1


def outline_shapes(outline: Outline) -> list[OutlineShape]:
    """Return the shape of each record of an outline."""
    if record_texts is None:
        return _outline_shapes_plain(outline)
    of_record, first = record_texts.shape_numbers(outline)
    bounds = (*outline.roots, len(outline))
    shapes = [OutlineShape(outline, bounds[record], bounds[record + 1]) for record in first]
    return [shapes[number] for number in of_record]


def _outline_shapes_plain(outline: Outline) -> list[OutlineShape]:
    signatures, width = array("q", outline.signature), array("q").itemsize
    packed, offsets = signatures.tobytes(), array("q", outline.parent_offset).tobytes()
    kinds, lines, attributes = bytes(outline.kind), bytes(outline.starts_line), bytes(outline.has_attributes)
    shapes: dict[tuple[bytes, ...], OutlineShape] = {}
    of_record = []
    for start, stop in pairwise((*outline.roots, len(outline))):
        wide, narrow = slice(start * width, stop * width), slice(start, stop)
        key = (packed[wide], offsets[wide], kinds[narrow], lines[narrow], attributes[narrow])
        shape = shapes.get(key)
        if shape is None:
            shape = shapes[key] = OutlineShape(outline, start, stop)
        of_record.append(shape)
    return of_record
