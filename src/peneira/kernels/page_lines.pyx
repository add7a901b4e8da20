# cython: language_level=3, boundscheck=False, wraparound=False
"""The lines of a page: rows of text with no edge of a block between them. ``peneira.items.lines`` does the same plainly."""

import numpy as np


def text_lines(
    const int[::1] tag,
    const int[::1] parent,
    const int[::1] end,
    const unsigned char[::1] visible,
    const unsigned char[::1] is_inline,
    Py_ssize_t first,
    Py_ssize_t after,
):
    """Return first row, row after the last and block of each line of visible texts among the rows ``first:after``.

    These are a subtree; ``visible`` is of them alone, ``is_inline`` by tag.
    """
    cdef Py_ssize_t row
    cdef int[::1] edges = np.zeros(after - first + 1, dtype=np.int32)
    cdef int edge = 0, of_line = -1, block, last = -1
    for row in range(first, after):
        if not is_inline[tag[row]]:
            edges[row - first] += 1
            edges[end[row] - first] += 1
    starts, ends, blocks = [], [], []
    for row in range(first, after):
        edge += edges[row - first]
        if tag[row] != 0 or not visible[row - first]:
            continue
        if edge != of_line:
            if last >= 0:
                ends.append(last + 1)
            starts.append(row)
            block = parent[row]
            while block >= 0 and is_inline[tag[block]] and parent[block] >= 0:
                block = parent[block]
            blocks.append(block)
            of_line = edge
        last = row
    if last >= 0:
        ends.append(last + 1)
    return starts, ends, blocks
