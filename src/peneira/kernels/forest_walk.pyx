# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Prediction of a decision forest; ``ml/forest.py`` has the same in numpy, which moves all rows down all trees at once.

Sixteen rows go down a tree side by side, so that the processor has many loads to wait for at a time. A comparison is a
number that is added and not a branch, which a processor would guess wrong half of the time.
"""

import numpy as np

cdef struct Node:
    double threshold
    int feature
    int left

cdef enum:
    ABREAST = 16


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


def descend(
    const double[:, ::1] table, const int[::1] roots, const int[::1] levels, const unsigned char[:, ::1] packed_nodes,
    const double[::1] value, double[::1] scores,
):
    """Add the leaf values that each row of the table reaches to ``scores``, tree after tree."""
    cdef Py_ssize_t rows = table.shape[0], width = table.shape[1], row, tree, step, k, beside
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
        while row < rows:  # the rest: a row at a time, sixteen trees side by side; who is at a leaf stays there
            cells = &table[row, 0]
            tree = 0
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
                    scores[row] += value[at[k]]
                tree += beside
            row += 1


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
