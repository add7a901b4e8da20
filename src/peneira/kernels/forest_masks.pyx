# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Scores of a decision forest by the bits of its leaves; ``ml/forest.py`` has the same in numpy.

Each tree has a bit for each of its leaves, from left to right. A node that sends a row to the right clears the bits of
the leaves on its left, and the first bit that is left is the leaf that the row reaches (QuickScorer; Lucchese et al.
2015). So all nodes of a tree are looked at, one after the other, which takes less time than to go down where a processor
compares four or eight numbers at once: no step waits for the one before, and nodes are read as they lie in memory. Other
processors go down the trees (``forest_walk``).
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport free, malloc

import numpy as np

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(__GNUC__) && defined(__x86_64__)
    #include <immintrin.h>
    #define HAS_WIDE 1
    #define WIDE(set) __attribute__((target(set)))
    #endif

    enum { ABREAST = 16 };

    /* A node with children: the rows above the threshold lose the leaves on its left */
    typedef struct { double threshold; uint32_t left; uint32_t feature; } Split;

    /* The trees of a forest; ends, firsts: where the splits of each tree end, and its leaf values begin */
    typedef struct {
        const Split *splits; const int64_t *ends; const int64_t *firsts; const double *values; int64_t trees;
    } Trees;

    static inline int first_bit(uint64_t bits)
    {
    #ifdef HAS_WIDE
        return __builtin_ctzll(bits);
    #else
        int place = 0;
        while (!(bits >> place & 1)) ++place;
        return place;
    #endif
    }

    static inline void add_leaves(const uint64_t *leaves, const double *values, double *scores)
    {
        for (int k = 0; k < ABREAST; ++k) scores[k] += values[first_bit(leaves[k])];
    }

    #ifdef HAS_WIDE
    WIDE("avx2") static void score_sixteen_4(
        const Trees *trees, const double *const *rows, int64_t at, double *scores)
    {
        const Split *split = trees->splits;
        for (int64_t tree = 0; tree < trees->trees; ++tree) {
            uint64_t leaves[ABREAST];
            __m256i a = _mm256_set1_epi64x(-1), b = a, c = a, d = a;
            for (const Split *end = trees->splits + trees->ends[tree]; split < end; ++split) {
                const double *cells = rows[split->feature] + at;
                const __m256d threshold = _mm256_set1_pd(split->threshold);
                const __m256d left = _mm256_castsi256_pd(_mm256_set1_epi64x((long long) split->left));
    #define CLEARED(own, place) _mm256_andnot_si256(_mm256_castpd_si256(_mm256_and_pd(left, \\
        _mm256_cmp_pd(_mm256_loadu_pd(cells + place), threshold, _CMP_GT_OQ))), own)
                a = CLEARED(a, 0);
                b = CLEARED(b, 4);
                c = CLEARED(c, 8);
                d = CLEARED(d, 12);
    #undef CLEARED
            }
            _mm256_storeu_si256((__m256i *) leaves, a);
            _mm256_storeu_si256((__m256i *) (leaves + 4), b);
            _mm256_storeu_si256((__m256i *) (leaves + 8), c);
            _mm256_storeu_si256((__m256i *) (leaves + 12), d);
            add_leaves(leaves, trees->values + trees->firsts[tree], scores);
        }
    }

    WIDE("avx512f") static void score_sixteen_8(
        const Trees *trees, const double *const *rows, int64_t at, double *scores)
    {
        const Split *split = trees->splits;
        for (int64_t tree = 0; tree < trees->trees; ++tree) {
            uint64_t leaves[ABREAST];
            __m512i a = _mm512_set1_epi64(-1), b = a;
            for (const Split *end = trees->splits + trees->ends[tree]; split < end; ++split) {
                const double *cells = rows[split->feature] + at;
                const __m512d threshold = _mm512_set1_pd(split->threshold);
                const __m512i right = _mm512_set1_epi64(~(long long) split->left);
                a = _mm512_mask_and_epi64(
                    a, _mm512_cmp_pd_mask(_mm512_loadu_pd(cells), threshold, _CMP_GT_OQ), a, right);
                b = _mm512_mask_and_epi64(
                    b, _mm512_cmp_pd_mask(_mm512_loadu_pd(cells + 8), threshold, _CMP_GT_OQ), b, right);
            }
            _mm512_storeu_si512(leaves, a);
            _mm512_storeu_si512(leaves + 8, b);
            add_leaves(leaves, trees->values + trees->firsts[tree], scores);
        }
    }
    #endif

    typedef void (*ScoreSixteen)(const Trees *, const double *const *, int64_t, double *);

    static ScoreSixteen widest(int width)
    {
    #ifdef HAS_WIDE
        if (width >= 8 && __builtin_cpu_supports("avx512f")) return score_sixteen_8;
        if (width >= 4 && __builtin_cpu_supports("avx2")) return score_sixteen_4;
    #endif
        return 0;
    }

    /* Of a single row */
    static inline double score_one(
        const Trees *trees, const double *cells, int64_t first, int64_t last, double score)
    {
        const Split *split = trees->splits + (first ? trees->ends[first - 1] : 0);
        for (int64_t tree = first; tree < last; ++tree) {
            uint64_t leaves = ~(uint64_t) 0;
            for (const Split *end = trees->splits + trees->ends[tree]; split < end; ++split)
                leaves &= ~(uint64_t) split->left | ((uint64_t) (cells[split->feature] > split->threshold) - 1);
            score += trees->values[trees->firsts[tree] + first_bit(leaves)];
        }
        return score;
    }
    """
    enum:
        ABREAST
    ctypedef struct Split:
        double threshold
        uint32_t left
        uint32_t feature
    ctypedef struct Trees:
        const Split *splits
        const int64_t *ends
        const int64_t *firsts
        const double *values
        int64_t trees
    ctypedef void (*ScoreSixteen)(const Trees *, const double *const *, int64_t, double *) noexcept nogil
    ScoreSixteen widest(int width) noexcept nogil
    double score_one(const Trees *trees, const double *cells, int64_t first, int64_t last, double score) noexcept nogil

cdef enum:
    LINE = 64
    MAX_LEAVES = 32
    # fewer rows take less time one by one
    FEW = 5

# How many numbers are compared at once, at most; the tests set it
cdef int lanes = 8


def use_lanes(int most):
    """Compare at most so many numbers at once; return how many it was before."""
    global lanes
    before, lanes = lanes, most
    return before


def is_wide():
    """Return whether this processor compares several numbers at once, as the loops here need it."""
    return widest(lanes) != NULL


cdef inline double *aligned(void *room) noexcept nogil:
    """Return the first place that begins a line of the processor's cache."""
    return <double *> ((<uintptr_t> room + LINE - 1) // LINE * LINE)


cdef class LeafMasks:
    """The trees of a forest as splits and bits of leaves; see ``masks_of``."""

    cdef Trees trees
    cdef Py_ssize_t width
    cdef object _kept

    def __init__(self, splits, ends, firsts, values, Py_ssize_t width):
        cdef const unsigned char[:, ::1] split = splits
        cdef const int64_t[::1] end = ends, first = firsts
        cdef const double[::1] value = values
        self._kept = (splits, ends, firsts, values)
        self.width = width
        self.trees.trees = end.shape[0]
        self.trees.splits = <const Split *> &split[0, 0]
        self.trees.ends = &end[0] if end.shape[0] else NULL
        self.trees.firsts = &first[0] if end.shape[0] else NULL
        self.trees.values = &value[0] if value.shape[0] else NULL

    def __reduce__(self):
        return LeafMasks, (*self._kept, self.width)

    def add_scores(self, const double[:, ::1] table, double[::1] scores):
        """Add the leaf values that each row of a table reaches to ``scores``, tree after tree."""
        cdef Py_ssize_t rows = table.shape[0], width = self.width, row = 0, k, f, beside
        cdef const double *cells
        cdef double sums[ABREAST]
        cdef ScoreSixteen score_sixteen = widest(lanes)
        if table.shape[1] != width or scores.shape[0] != rows or score_sixteen == NULL:
            raise ValueError("the table is not that of the forest")
        if not rows or not self.trees.trees or not width:
            return
        cdef void *room = malloc(width * ABREAST * sizeof(double) + LINE)
        cdef double *panel = aligned(room)
        cdef const double **features = <const double **> malloc(width * sizeof(double *))
        if room == NULL or features == NULL:
            free(room)
            free(features)
            raise MemoryError
        with nogil:
            for f in range(width):
                features[f] = panel + f * ABREAST
            while row < rows:
                beside = min(<Py_ssize_t> ABREAST, rows - row)
                if beside < FEW:
                    scores[row] = score_one(&self.trees, &table[row, 0], 0, self.trees.trees, scores[row])
                    row += 1
                    continue
                for k in range(ABREAST):  # the last row again where there are no more
                    cells = &table[row + min(k, beside - 1), 0]
                    sums[k] = scores[row + min(k, beside - 1)]
                    for f in range(width):
                        panel[f * ABREAST + k] = cells[f]
                score_sixteen(&self.trees, features, 0, sums)
                for k in range(beside):
                    scores[row + k] = sums[k]
                row += beside
            free(room)
            free(features)

    def add_scores_of_columns(self, const double[:, ::1] table, const int64_t[::1] places, double[::1] scores):
        """Add the same where a table has a row per feature; ``places``: the rows of the features of the forest."""
        cdef Py_ssize_t columns = table.shape[1], width = self.width, k, f, at = 0, rest
        cdef double sums[ABREAST]
        cdef ScoreSixteen score_sixteen = widest(lanes)
        if places.shape[0] != width or scores.shape[0] != columns or score_sixteen == NULL:
            raise ValueError("the table is not that of the forest")
        for f in range(width):
            if not 0 <= places[f] < table.shape[0]:
                raise ValueError("the table has no such row")
        if not columns or not self.trees.trees or not width:
            return
        # the last columns, fewer than sixteen, are copied
        cdef void *room = malloc(width * ABREAST * sizeof(double) + LINE)
        cdef double *panel = aligned(room)
        cdef const double **features = <const double **> malloc(width * sizeof(double *))
        if room == NULL or features == NULL:
            free(room)
            free(features)
            raise MemoryError
        with nogil:
            for f in range(width):
                features[f] = &table[places[f], 0]
            while at + ABREAST <= columns:
                score_sixteen(&self.trees, features, at, &scores[at])
                at += ABREAST
            rest = columns - at
            if rest:
                for f in range(width):
                    for k in range(ABREAST):
                        panel[f * ABREAST + k] = features[f][at + min(k, rest - 1)]
                    features[f] = panel + f * ABREAST
                for k in range(ABREAST):
                    sums[k] = scores[at + min(k, rest - 1)]
                score_sixteen(&self.trees, features, 0, sums)
                for k in range(rest):
                    scores[at + k] = sums[k]
            free(room)
            free(features)

    def scores_of_groups(self, const double[::1] cells, const int64_t[::1] ends):
        """Return the sums of the leaf values that one row reaches in each group of trees; ``ends``: where they end."""
        cdef Py_ssize_t group, start = 0
        found = np.zeros(ends.shape[0])
        cdef double[::1] scores = found
        if cells.shape[0] != self.width or (ends.shape[0] and not 0 <= np.max(ends) <= self.trees.trees):
            raise ValueError("the row or the groups are not those of the forest")
        if not self.width:
            return found
        with nogil:
            for group in range(ends.shape[0]):
                scores[group] = score_one(&self.trees, &cells[0], start, ends[group], 0.0)
                start = ends[group]
        return found


def masks_of(
    const double[::1] threshold, const int[::1] feature, const int[::1] left, const int[::1] roots,
    const double[::1] value, Py_ssize_t width,
):
    """Return a forest as ``LeafMasks``, None if a tree has more leaves than there are bits."""
    cdef Py_ssize_t count = left.shape[0], trees = roots.shape[0], tree, node, end, found = 0, leaves = 0, depth
    cdef int own
    splits = np.zeros((count + 1, sizeof(Split)), dtype=np.uint8)
    ends, firsts, values = np.zeros(trees, dtype=np.int64), np.zeros(trees, dtype=np.int64), np.zeros(count)
    bits, parents = np.zeros(count, dtype=np.uint64), np.zeros(count, dtype=np.int32)
    pending = np.zeros(count + 2, dtype=np.int64)
    cdef unsigned char[:, ::1] view = splits
    cdef int64_t[::1] last = ends, first = firsts, stack = pending
    cdef double[::1] value_of = values
    cdef uint64_t[::1] below = bits
    cdef int[::1] times = parents
    cdef Split *split
    for tree in range(trees):
        end = roots[tree + 1] if tree + 1 < trees else count
        for node in range(roots[tree], end):
            if left[node] != node:
                if not node < left[node] < end - 1 or times[left[node]] or times[left[node] + 1]:
                    raise ValueError("a node of a tree is not the child of one node before it")
                times[left[node]] = times[left[node] + 1] = 1
                if not 0 <= feature[node] < width:
                    raise ValueError("a node of a tree has a feature that does not exist")
        first[tree] = leaves
        own, depth, stack[0] = 0, 1, roots[tree]
        while depth:
            depth -= 1
            node = stack[depth]
            if left[node] == node:
                if own == MAX_LEAVES:
                    return None
                below[node] = <uint64_t> 1 << own
                value_of[leaves] = value[node]
                own += 1
                leaves += 1
            else:
                stack[depth], stack[depth + 1] = left[node] + 1, left[node]
                depth += 2
        for node in range(end - 1, roots[tree] - 1, -1):  # children are behind their parents
            if left[node] != node:
                below[node] = below[left[node]] | below[left[node] + 1]
        for node in range(roots[tree], end):
            if left[node] != node and below[node]:  # not one that no path leads to
                split = <Split *> &view[found, 0]
                split.threshold = threshold[node]
                split.left = <uint32_t> below[left[node]]
                split.feature = <uint32_t> feature[node]
                found += 1
        last[tree] = found
    return LeafMasks(splits[: found + 1].copy(), ends, firsts, values[:leaves].copy(), width)
