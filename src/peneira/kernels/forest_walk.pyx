# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Prediction of a decision forest; ``ml/forest.py`` has the same in numpy, which moves all rows down all trees at once.

Sixteen rows go down a tree side by side, so that the processor has many loads to wait for at a time. A comparison is a
number that is added and not a branch, which a processor would guess wrong half of the time.
"""

from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc

import numpy as np

cdef struct Node:
    double threshold
    int feature
    int left

cdef enum:
    ABREAST = 16
    # fewer rows take less time one by one
    FEW = 9


def packed(const double[::1] threshold, const int[::1] feature, const int[::1] left, const int[::1] roots):
    """Return the nodes of a forest, each in one place, and how many levels each tree has below its root."""
    cdef Py_ssize_t count = left.shape[0], node, tree, end
    cdef int deepest
    nodes = np.empty((count, sizeof(Node)), dtype=np.uint8)
    cdef unsigned char[:, ::1] view = nodes
    levels, depths = np.zeros(roots.shape[0], dtype=np.int32), np.zeros(count, dtype=np.int32)
    cdef int[::1] level = levels, depth = depths
    cdef Node *own
    for tree in range(roots.shape[0]):
        deepest = 0
        end = roots[tree + 1] if tree + 1 < roots.shape[0] else count
        for node in range(roots[tree], end):
            own = <Node *> &view[node, 0]
            own.threshold = threshold[node]
            own.feature = feature[node]
            own.left = left[node]
            if left[node] != node:
                depth[left[node]] = depth[left[node] + 1] = depth[node] + 1
                deepest = max(deepest, depth[node] + 1)
        level[tree] = deepest
    return nodes, levels


cdef double added(
    double score, const double *cells, const int[::1] roots, const int[::1] levels, const Node *nodes,
    const double[::1] value,
) noexcept nogil:
    """Return the score with the leaf values that one row reaches: sixteen trees side by side; who is at a leaf stays."""
    cdef Py_ssize_t tree = 0, k, step, beside
    cdef int at[ABREAST]
    cdef int depth
    while tree < roots.shape[0]:
        beside = min(ABREAST, roots.shape[0] - tree)
        depth = 0
        for k in range(beside):
            at[k] = roots[tree + k]
            depth = max(depth, levels[tree + k])
        for k in range(beside, ABREAST):
            at[k] = at[0]
        for step in range(depth):
            for k in range(ABREAST):
                at[k] = nodes[at[k]].left + (cells[nodes[at[k]].feature] > nodes[at[k]].threshold)
        for k in range(beside):
            score += value[at[k]]
        tree += beside
    return score


def descend(
    const double[:, ::1] table, const int[::1] roots, const int[::1] levels, const unsigned char[:, ::1] packed_nodes,
    const double[::1] value, double[::1] scores,
):
    """Add the leaf values that each row of the table reaches to ``scores``, tree after tree."""
    cdef Py_ssize_t rows = table.shape[0], width = table.shape[1], row, tree, step, k
    cdef const Node *nodes
    cdef const double *cells
    cdef int at[ABREAST]
    cdef int root, depth
    if rows == 0 or roots.shape[0] == 0 or width == 0:
        return
    nodes = <const Node *> &packed_nodes[0, 0]
    with nogil:
        row = 0
        while row + ABREAST <= rows:
            cells = &table[row, 0]
            for tree in range(roots.shape[0]):
                root = roots[tree]
                depth = levels[tree]
                for k in range(ABREAST):
                    at[k] = root
                for step in range(depth):
                    for k in range(ABREAST):
                        at[k] = nodes[at[k]].left + (cells[k * width + nodes[at[k]].feature] > nodes[at[k]].threshold)
                for k in range(ABREAST):
                    scores[row + k] += value[at[k]]
            row += ABREAST
        while row < rows:  # the rest
            scores[row] = added(scores[row], &table[row, 0], roots, levels, nodes, value)
            row += 1


def scores_of_groups(
    const double[::1] cells, const int[::1] roots, const int[::1] levels, const unsigned char[:, ::1] packed_nodes,
    const double[::1] value, const int64_t[::1] ends,
):
    """Return the sums of the leaf values that one row reaches in each group of trees; ``ends``: where groups end."""
    cdef Py_ssize_t group, start = 0
    found = np.zeros(ends.shape[0])
    cdef double[::1] scores = found
    cdef const Node *nodes
    if roots.shape[0] == 0 or cells.shape[0] == 0:
        return found
    nodes = <const Node *> &packed_nodes[0, 0]
    for group in range(ends.shape[0]):
        scores[group] = added(
            0.0, &cells[0], roots[start : ends[group]], levels[start : ends[group]], nodes, value
        )
        start = ends[group]
    return found


def descend_columns(
    const double[:, ::1] table, const int64_t[::1] places, const int[::1] roots, const int[::1] levels,
    const unsigned char[:, ::1] packed_nodes, const double[::1] value, double[::1] scores,
):
    """Add the same where a table has a row per feature; ``places``: the rows of the features of the forest.

    Sixteen columns at a time are copied to one place, feature by feature.
    """
    cdef Py_ssize_t columns = table.shape[1], width = places.shape[0], first, tree, step, k, f, beside
    cdef const Node *nodes
    cdef const double *cells
    cdef const Node *node
    cdef double *panel
    cdef int at[ABREAST]
    if columns == 0 or roots.shape[0] == 0 or width == 0:
        return
    panel = <double *> malloc(width * ABREAST * sizeof(double))
    if panel == NULL:
        raise MemoryError
    nodes = <const Node *> &packed_nodes[0, 0]
    with nogil:
        first = 0
        while first < columns:
            if columns - first < FEW:
                for f in range(width):
                    panel[f] = table[places[f], first]
                scores[first] = added(scores[first], panel, roots, levels, nodes, value)
                first += 1
                continue
            beside = min(ABREAST, columns - first)
            for f in range(width):
                cells = &table[places[f], first]
                for k in range(beside):
                    panel[f * ABREAST + k] = cells[k]
                for k in range(beside, ABREAST):
                    panel[f * ABREAST + k] = cells[0]
            for tree in range(roots.shape[0]):
                for k in range(ABREAST):
                    at[k] = roots[tree]
                for step in range(levels[tree]):
                    for k in range(ABREAST):
                        node = &nodes[at[k]]
                        at[k] = node.left + (panel[node.feature * ABREAST + k] > node.threshold)
                for k in range(beside):
                    scores[first + k] += value[at[k]]
            first += ABREAST
        free(panel)


def credit(
    const double[:, ::1] table, const int[::1] roots, int depth, const unsigned char[:, ::1] packed_nodes,
    const double[::1] value, double[:, ::1] credits,
):
    """Add the change of the mean at each step down a tree to the feature that the node splits on.

    All trees go down level by level, in the order in which numpy adds.
    """
    cdef Py_ssize_t row, tree, left, kept, trees = roots.shape[0]
    cdef int step, before, after
    cdef const Node *nodes
    cdef const double *cells
    cdef double *credit_of
    cdef int[::1] at = np.empty(trees, dtype=np.int32)
    if trees == 0:
        return
    nodes = <const Node *> &packed_nodes[0, 0]
    for row in range(table.shape[0]):
        cells = &table[row, 0]
        credit_of = &credits[row, 0]
        for tree in range(trees):
            at[tree] = roots[tree]
        left = trees
        for step in range(depth):
            kept = 0
            for tree in range(left):  # those that are not at a leaf yet, which adds nothing
                before = at[tree]
                if nodes[before].left == before:
                    continue
                after = nodes[before].left + (cells[nodes[before].feature] > nodes[before].threshold)
                credit_of[nodes[before].feature] += value[after] - value[before]
                at[kept] = after
                kept += 1
            left = kept
