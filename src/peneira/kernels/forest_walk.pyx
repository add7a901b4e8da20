# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Prediction of a decision forest; ``ml/forest.py`` has the same in numpy, which moves all rows down all trees at once.

Sixteen rows go down a tree side by side, so that the processor has many loads to wait for at a time. A comparison is a
number that is added and not a branch, which a processor would guess wrong half of the time. The texts of a page are
alike: there a tree is first cut down to the nodes at which neighbours part.

Rows that have most features in common are scored feature by feature instead (QuickScorer; Lucchese et al. 2015): what
they have in common is looked at once. Each tree has a bit for each of its leaves, from left to right. A node that sends
a row to the right clears the bits of the leaves on its left, and the first bit left is the leaf that the row reaches.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport free, malloc

import numpy as np

# ``place``: of the feature among those of sixteen rows side by side; ``left``: how many nodes further its left child is
cdef struct Node:
    double threshold
    int place
    int left

cdef enum:
    ABREAST = 16
    # of a place, that are those of the row
    ROW_BITS = 4
    # fewer rows take less time one by one
    FEW = 9
    # columns that are looked at together
    NEAR = 64
    # leaves of a tree that is scored by bits, and how many rows of a group have their leaves added up side by side
    MAX_LEAVES = 32
    BESIDE = 4

cdef uint32_t ALL_LEAVES = 0xFFFFFFFF
# A power of two times this number (de Bruijn) has another number of five bits at its top for each power
cdef uint32_t PLACES_OF_BITS = 0x077CB531

cdef struct Split:
    double threshold
    int tree
    uint32_t leaves  # all but those on the left


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
            own.place = feature[node] * ABREAST
            own.left = left[node] - <int> node
            if left[node] != node:
                # a tree that is cut down has no more nodes than before: each is the child of one node of its tree
                if not node < left[node] < end - 1 or depth[left[node]] or depth[left[node] + 1]:
                    raise ValueError("a node of a tree is not the child of one node before it")
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
    cdef const Node *node
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
                node = &nodes[at[k]]
                at[k] += node.left + (cells[node.place >> ROW_BITS] > node.threshold)
        for k in range(beside):
            score += value[at[k]]
        tree += beside
    return score


cdef void add_side_by_side(
    const double *panel, Py_ssize_t beside, const int[::1] roots, const int[::1] levels, const Node *nodes,
    const double[::1] value, double *scores,
) noexcept nogil:
    """Add the leaf values that sixteen rows reach, of which so many count, to their scores, tree after tree.

    ``panel``: their features, those of one feature next to each other: rows ask for the same ones.
    """
    cdef Py_ssize_t tree, k
    cdef const Node *at[ABREAST]
    cdef int step
    for tree in range(roots.shape[0]):
        for k in range(ABREAST):
            at[k] = nodes + roots[tree]
        for step in range(levels[tree]):
            for k in range(ABREAST):
                at[k] += at[k].left + (panel[at[k].place + k] > at[k].threshold)
        for k in range(beside):
            scores[k] += value[at[k] - nodes]


cdef double *panel_of(Py_ssize_t width) except NULL:
    """Return room for the features of sixteen rows."""
    cdef double *panel = <double *> malloc(width * ABREAST * sizeof(double))
    if panel == NULL:
        raise MemoryError
    return panel


def descend(
    const double[:, ::1] table, const int[::1] roots, const int[::1] levels, const unsigned char[:, ::1] packed_nodes,
    const double[::1] value, double[::1] scores,
):
    """Add the leaf values that each row of the table reaches to ``scores``, tree after tree."""
    cdef Py_ssize_t rows = table.shape[0], width = table.shape[1], row = 0, k, f, beside
    cdef const Node *nodes
    cdef const double *cells
    cdef double *panel
    if rows == 0 or roots.shape[0] == 0 or width == 0:
        return
    nodes = <const Node *> &packed_nodes[0, 0]
    panel = panel_of(width)
    with nogil:
        while row < rows:
            beside = min(ABREAST, rows - row)
            if beside < FEW:
                scores[row] = added(scores[row], &table[row, 0], roots, levels, nodes, value)
                row += 1
                continue
            for k in range(ABREAST):  # the last row again where there are no more
                cells = &table[row + min(k, beside - 1), 0]
                for f in range(width):
                    panel[f * ABREAST + k] = cells[f]
            add_side_by_side(panel, beside, roots, levels, nodes, value, &scores[row])
            row += beside
        free(panel)


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


cdef struct Range:
    # the lowest and the highest value of a feature
    double low
    double high


cdef Range range_of(const double *cells, Py_ssize_t count) noexcept nogil:
    """Return the range of some cells; without end if one of them is no finite number.

    What is no number goes left everywhere. Four by four, as a processor compares several at a time.
    """
    cdef Range found
    cdef Py_ssize_t k, j
    cdef double low[4]
    cdef double high[4]
    cdef double total[4]
    cdef double whole
    for j in range(4):
        low[j] = high[j] = cells[0]
        total[j] = 0
    k = 0
    while k + 4 <= count:
        for j in range(4):
            low[j] = cells[k + j] if cells[k + j] < low[j] else low[j]
            high[j] = cells[k + j] if cells[k + j] > high[j] else high[j]
            total[j] += cells[k + j]
        k += 4
    while k < count:
        low[0] = cells[k] if cells[k] < low[0] else low[0]
        high[0] = cells[k] if cells[k] > high[0] else high[0]
        total[0] += cells[k]
        k += 1
    found.low = min(min(low[0], low[1]), min(low[2], low[3]))
    found.high = max(max(high[0], high[1]), max(high[2], high[3]))
    whole = (total[0] + total[1]) + (total[2] + total[3])
    if not whole - whole == 0:
        found.low, found.high = -INFINITY, INFINITY
    return found


cdef inline Range joined(const Range *ranges, Py_ssize_t count) noexcept nogil:
    cdef Range found = ranges[0]
    cdef Py_ssize_t k
    for k in range(1, count):
        found.low = min(found.low, ranges[k].low)
        found.high = max(found.high, ranges[k].high)
    return found


cdef inline int decided(const Node *nodes, int node, const Range *ranges, Py_ssize_t stride) noexcept nogil:
    """Return the first node from this one on at which rows of these ranges part, or the leaf that they all reach."""
    cdef const Range *own
    while nodes[node].left:
        own = &ranges[(nodes[node].place >> ROW_BITS) * stride]
        if own.high <= nodes[node].threshold:
            node += nodes[node].left
        elif own.low > nodes[node].threshold:
            node += nodes[node].left + 1
        else:
            break
    return node


cdef int pruned(
    const Node *nodes, const double *value, int root, const Range *ranges, Py_ssize_t stride, Node *out, double *values,
) noexcept nogil:
    """Write the tree without the nodes at which all rows of these ranges go the same way; return its size.

    ``ranges``: those of the features, each so many places behind the one before. Level by level: of a node that is
    not looked at yet, ``left`` is its number in the whole tree.
    """
    cdef int at = 0, end = 1, node
    out[0].left = decided(nodes, root, ranges, stride)
    while at < end:
        node = out[at].left
        values[at] = value[node]
        out[at].left = 0
        if nodes[node].left:
            out[at].place = nodes[node].place
            out[at].threshold = nodes[node].threshold
            out[at].left = end - at
            out[end].left = decided(nodes, node + nodes[node].left, ranges, stride)
            out[end + 1].left = decided(nodes, node + nodes[node].left + 1, ranges, stride)
            end += 2
        at += 1
    return end


cdef inline void choose(
    double *out, const double *cells, double threshold, const double *left, const double *right, Py_ssize_t count,
) noexcept nogil:
    """Write the right of two values for each cell above the threshold, the left one for the others."""
    cdef Py_ssize_t k
    cdef double low, high
    for k in range(count):
        low, high = left[k], right[k]
        out[k] = high if cells[k] > threshold else low


cdef inline void choose_leaf(
    double *out, const double *cells, double threshold, double low, double high, Py_ssize_t count,
) noexcept nogil:
    """Write one of two values for each cell."""
    cdef Py_ssize_t k
    for k in range(count):
        out[k] = high if cells[k] > threshold else low


cdef inline void add_leaves(
    const Node *nodes, const double *value, int size, const double **features, Py_ssize_t first, Py_ssize_t count,
    double *reached, double *scores,
) noexcept nogil:
    """Add to the scores of neighbours, from the first on, the values of the leaves that they reach.

    From the last node of the tree to its root: the values that each neighbour would reach from there.
    """
    cdef Py_ssize_t k
    cdef int node, left, child
    cdef double leaf
    cdef const double *cells
    for node in range(size - 1, -1, -1):
        if nodes[node].left == 0:
            continue
        left = node + nodes[node].left
        cells = features[nodes[node].place >> ROW_BITS] + first
        if nodes[left].left == 0 and nodes[left + 1].left == 0:
            choose_leaf(reached + node * NEAR, cells, nodes[node].threshold, value[left], value[left + 1], count)
            continue
        for child in range(left, left + 2):
            if nodes[child].left == 0:
                leaf = value[child]
                for k in range(count):
                    reached[child * NEAR + k] = leaf
        choose(
            reached + node * NEAR, cells, nodes[node].threshold, reached + left * NEAR, reached + (left + 1) * NEAR,
            count,
        )
    scores += first
    if size == 1:
        leaf = value[0]
        for k in range(count):
            scores[k] += leaf
    else:
        for k in range(count):
            scores[k] += reached[k]


def descend_columns(
    const double[:, ::1] table, const int64_t[::1] places, const int[::1] roots,
    const unsigned char[:, ::1] packed_nodes, const double[::1] value, double[::1] scores,
):
    """Add the same where a table has a row per feature; ``places``: the rows of the features of the forest.

    Neighbours are alike: a tree is cut down to the nodes at which any of the columns part, then to those at which
    some neighbours do. Of 30 nodes with children a tree of blocks keeps 9 and 4.
    """
    cdef Py_ssize_t columns = table.shape[1], width = places.shape[0], size = 0, tree, f, k, count
    cdef Py_ssize_t parts = (columns + NEAR - 1) // NEAR
    if columns == 0 or roots.shape[0] == 0 or width == 0:
        return
    for tree in range(roots.shape[0]):
        size = max(size, (roots[tree + 1] if tree + 1 < roots.shape[0] else value.shape[0]) - roots[tree])
    cdef int left
    cdef const Node *nodes = <const Node *> &packed_nodes[0, 0]
    cdef const double **features = <const double **> malloc(width * sizeof(double *))
    cdef Range *of_all = <Range *> malloc(width * (1 + parts) * sizeof(Range))
    cdef Node *own = <Node *> malloc(2 * size * sizeof(Node))
    cdef double *values = <double *> malloc((2 + NEAR) * size * sizeof(double))
    if features == NULL or of_all == NULL or own == NULL or values == NULL:
        free(features)
        free(of_all)
        free(own)
        free(values)
        raise MemoryError
    cdef Range *of_parts = of_all + width
    with nogil:
        for f in range(width):
            features[f] = &table[places[f], 0]
            for k in range(parts):
                of_parts[f * parts + k] = range_of(features[f] + k * NEAR, min(<Py_ssize_t> NEAR, columns - k * NEAR))
            of_all[f] = joined(of_parts + f * parts, parts)
        for tree in range(roots.shape[0]):
            pruned(nodes, &value[0], roots[tree], of_all, 1, own, values)
            for k in range(parts):
                left = pruned(own, values, 0, of_parts + k, parts, own + size, values + size)
                count = columns - k * NEAR
                # most loops are of a known length, which takes fewer steps
                if count >= NEAR:
                    add_leaves(
                        own + size, values + size, left, features, k * NEAR, NEAR, values + 2 * size, &scores[0]
                    )
                else:
                    add_leaves(
                        own + size, values + size, left, features, k * NEAR, count, values + 2 * size, &scores[0]
                    )
        free(features)
        free(of_all)
        free(own)
        free(values)


def credit(
    const double[:, ::1] table, const int[::1] roots, int depth, const unsigned char[:, ::1] packed_nodes,
    const double[::1] value, double[:, ::1] credits,
):
    """Add the change of the mean at each step down a tree to the feature that the node splits on.

    All trees go down level by level, in the order in which numpy adds.
    """
    cdef Py_ssize_t row, tree, left, kept, trees = roots.shape[0]
    cdef int step, before, after, feature
    cdef const Node *nodes
    cdef const Node *node
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
                node = &nodes[before]
                if node.left == 0:
                    continue
                feature = node.place >> ROW_BITS
                after = before + node.left + (cells[feature] > node.threshold)
                credit_of[feature] += value[after] - value[before]
                at[kept] = after
                kept += 1
            left = kept


def splits_by_feature(
    const double[::1] threshold, const int[::1] feature, const int[::1] left, const int[::1] roots,
    const double[::1] value, Py_ssize_t features,
):
    """Return a forest as ``score_groups`` reads it: nodes by feature and threshold, where those of each feature begin,
    and the values of the leaves of each tree by the place of their bit. None if a tree has too many leaves."""
    cdef Py_ssize_t count = left.shape[0], trees = roots.shape[0], tree, node, end, k
    cdef uint32_t leaf
    cdef int leaves
    order = np.lexsort((np.asarray(threshold), np.asarray(feature)))
    order = order[np.asarray(left)[order] != order]
    starts = np.searchsorted(np.asarray(feature)[order], np.arange(features + 1))
    cdef int64_t[::1] ordered = order.astype(np.int64)
    tree_of, below, all_below = (np.zeros(count, dtype=dtype) for dtype in (np.int32, np.uint32, np.uint32))
    cdef int[::1] own_tree = tree_of
    cdef uint32_t[::1] bits = all_below
    splits, values = np.empty((len(order), sizeof(Split)), dtype=np.uint8), np.zeros(trees * MAX_LEAVES)
    cdef unsigned char[:, ::1] view = splits
    cdef double[::1] value_of = values
    cdef Split *split
    for tree in range(trees):
        end = roots[tree + 1] if tree + 1 < trees else count
        leaves = number_leaves(left, roots[tree], end, bits)
        if leaves > MAX_LEAVES:
            return None
        for node in range(roots[tree], end):
            own_tree[node] = tree
            if left[node] == node:
                leaf = bits[node]
                value_of[tree * MAX_LEAVES + (<uint32_t> (leaf * PLACES_OF_BITS) >> 27)] = value[node]
    for k in range(ordered.shape[0]):
        node = ordered[k]
        split = <Split *> &view[k, 0]
        split.threshold = threshold[node]
        split.tree = own_tree[node]
        split.leaves = ALL_LEAVES ^ bits[left[node]]
    return splits, starts.astype(np.int64), values


cdef int number_leaves(const int[::1] left, Py_ssize_t root, Py_ssize_t end, uint32_t[::1] bits):
    """Set for each node of a tree the bits of the leaves below it; return how many leaves there are, or one too many."""
    cdef Py_ssize_t node
    cdef int leaves = 0
    pending = [root]
    while pending:
        node = pending.pop()
        if left[node] == node:
            if leaves == MAX_LEAVES:
                return leaves + 1
            bits[node] = <uint32_t> 1 << leaves
            leaves += 1
        else:
            pending += [left[node] + 1, left[node]]
    for node in range(end - 1, root - 1, -1):  # children are behind their parents
        if left[node] != node:
            bits[node] = bits[left[node]] | bits[left[node] + 1]
    return leaves


cdef inline void clear_leaves(
    uint32_t *leaves, const double *cells, Py_ssize_t first, Py_ssize_t last, const Split *splits,
    const int64_t[::1] starts,
) noexcept nogil:
    """Clear in the leaves of each tree those that a row cannot reach by its features from ``first`` up to ``last``."""
    cdef Py_ssize_t feature, k
    cdef double cell
    for feature in range(first, last):
        cell = cells[feature]
        k = starts[feature]
        while k < starts[feature + 1] and cell > splits[k].threshold:
            leaves[splits[k].tree] &= splits[k].leaves
            k += 1


def score_groups(
    const double[:, ::1] table, const int64_t[::1] ends, Py_ssize_t shared, const unsigned char[:, ::1] packed_splits,
    const int64_t[::1] starts, const double[::1] values, double[::1] scores,
):
    """Write the score of each row; the rows of a group have the first ``shared`` features in common. ``ends``: where
    the groups end."""
    cdef Py_ssize_t trees = values.shape[0] // MAX_LEAVES, width = table.shape[1], group, row, first = 0, tree, k, beside
    cdef const Split *splits
    cdef uint32_t *common
    cdef uint32_t *own
    cdef uint32_t leaves
    cdef double sums[BESIDE]
    if packed_splits.shape[0] == 0 or starts.shape[0] != width + 1 or not 0 <= shared <= width:
        raise ValueError("the table is not that of the forest")
    for group in range(ends.shape[0]):
        if ends[group] > table.shape[0]:
            raise ValueError("the groups are not those of the table")
    common = <uint32_t *> malloc((BESIDE + 1) * trees * sizeof(uint32_t))
    if common == NULL:
        raise MemoryError
    own = common + trees
    splits = <const Split *> &packed_splits[0, 0]
    with nogil:
        for group in range(ends.shape[0]):
            if first >= ends[group]:
                continue
            for tree in range(trees):
                common[tree] = ALL_LEAVES
            clear_leaves(common, &table[first, 0], 0, shared, splits, starts)
            row = first
            while row < ends[group]:
                beside = min(BESIDE, ends[group] - row)
                for k in range(BESIDE):
                    sums[k] = 0.0
                    for tree in range(trees):
                        own[k * trees + tree] = common[tree]
                    if k < beside:
                        clear_leaves(own + k * trees, &table[row + k, 0], shared, width, splits, starts)
                for tree in range(trees):
                    for k in range(BESIDE):
                        leaves = own[k * trees + tree]
                        leaves &= ~leaves + 1
                        sums[k] += values[tree * MAX_LEAVES + (<uint32_t> (leaves * PLACES_OF_BITS) >> 27)]
                for k in range(beside):
                    scores[row + k] = sums[k]
                row += beside
            first = ends[group]
        free(common)
