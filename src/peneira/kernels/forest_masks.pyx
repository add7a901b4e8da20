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
    #include <math.h>
    #include <stdint.h>
    #if defined(__GNUC__) && defined(__x86_64__)
    #include <immintrin.h>
    #define HAS_WIDE 1
    #define WIDE(set) __attribute__((target(set)))
    #endif

    enum { ABREAST = 16 };

    /* A node with children: the rows above the threshold lose the leaves on its left */
    typedef struct { double threshold; uint32_t left; uint32_t feature; } Split;

    /* The trees of a forest; ends, firsts: where the splits of each tree end, and its leaf values begin; starts: the
       leaves that a row may reach */
    typedef struct {
        const Split *splits; const int64_t *ends; const int64_t *firsts; const uint64_t *starts; const double *values;
        int64_t trees;
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

    static inline void add_leaf(double value, double *scores)
    {
        for (int k = 0; k < ABREAST; ++k) scores[k] += value;
    }

    /* Write the splits at which some rows may part, and the leaves that are left in each tree: at all others, all rows
       go the same way. ranges: the lowest and the highest of each feature. rights: the leaves on the right of each
       split. A node stands behind its parent, without whose leaves it is none. */
    static void cut_down(
        const Trees *trees, const uint32_t *rights, const double *ranges, Split *out, int64_t *ends, uint64_t *starts)
    {
    #ifdef HAS_WIDE
        int64_t kept = 0, k = 0;
        for (int64_t tree = 0; tree < trees->trees; ++tree) {
            uint32_t leaves = ~(uint32_t) 0;
            for (; k < trees->ends[tree]; ++k) {
                const Split split = trees->splits[k];
                /* no branches, which a processor would guess wrong: bit 0: all are above; bit 1: some are */
                const uint32_t above = (uint32_t) _mm_movemask_pd(_mm_cmpgt_pd(
                    _mm_loadu_pd(ranges + 2 * split.feature), _mm_set1_pd(split.threshold)));
                const uint32_t reached = (split.left & leaves) != 0;
                leaves &= ~((split.left & (0 - (above & 1))) | (rights[k] & ((above >> 1) - 1)));
                out[kept] = split;
                kept += reached & (above >> 1) & ~above;
            }
            ends[tree] = kept;
            starts[tree] = leaves;
        }
    #endif
    }

    /* Find the lowest and the highest of each feature in so many times sixteen columns; without end if one is no
       number, which goes left everywhere */
    #ifdef HAS_WIDE
    WIDE("avx") static void find_ranges(
        const double *const *rows, int64_t width, int64_t places, double *ranges)
    {
        for (int64_t f = 0; f < width; ++f) {
            const double *cells = rows[f];
            __m256d low = _mm256_loadu_pd(cells), high = low, low_2 = low, high_2 = low, none = _mm256_setzero_pd();
            for (int64_t place = 0; place < places; ++place, cells += ABREAST) {
                const __m256d a = _mm256_loadu_pd(cells), b = _mm256_loadu_pd(cells + 4);
                const __m256d c = _mm256_loadu_pd(cells + 8), d = _mm256_loadu_pd(cells + 12);
                low = _mm256_min_pd(low, _mm256_min_pd(a, b));
                low_2 = _mm256_min_pd(low_2, _mm256_min_pd(c, d));
                high = _mm256_max_pd(high, _mm256_max_pd(a, b));
                high_2 = _mm256_max_pd(high_2, _mm256_max_pd(c, d));
                none = _mm256_or_pd(
                    none, _mm256_or_pd(_mm256_cmp_pd(a, b, _CMP_UNORD_Q), _mm256_cmp_pd(c, d, _CMP_UNORD_Q)));
            }
            low = _mm256_min_pd(low, low_2);
            high = _mm256_max_pd(high, high_2);
            __m128d least = _mm_min_pd(_mm256_castpd256_pd128(low), _mm256_extractf128_pd(low, 1));
            __m128d most = _mm_max_pd(_mm256_castpd256_pd128(high), _mm256_extractf128_pd(high, 1));
            least = _mm_min_sd(least, _mm_unpackhi_pd(least, least));
            most = _mm_max_sd(most, _mm_unpackhi_pd(most, most));
            const int is_none = _mm256_movemask_pd(none);
            ranges[2 * f] = is_none ? -INFINITY : _mm_cvtsd_f64(least);
            ranges[2 * f + 1] = is_none ? INFINITY : _mm_cvtsd_f64(most);
        }
    }
    #else
    static void find_ranges(
        const double *const *rows, int64_t width, int64_t places, double *ranges) {}
    #endif

    #ifdef HAS_WIDE
    WIDE("avx2") static void score_sixteen_4(
        const Trees *trees, const double *const *rows, int64_t at, double *scores)
    {
        const Split *split = trees->splits;
        for (int64_t tree = 0; tree < trees->trees; ++tree) {
            uint64_t leaves[ABREAST];
            const double *values = trees->values + trees->firsts[tree];
            const Split *end = trees->splits + trees->ends[tree];
            if (split == end) {
                add_leaf(values[first_bit(trees->starts[tree])], scores);
                continue;
            }
            __m256i a = _mm256_set1_epi64x((long long) trees->starts[tree]), b = a, c = a, d = a;
            for (; split < end; ++split) {
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
            add_leaves(leaves, values, scores);
        }
    }

    WIDE("avx512f") static void score_sixteen_8(
        const Trees *trees, const double *const *rows, int64_t at, double *scores)
    {
        const Split *split = trees->splits;
        for (int64_t tree = 0; tree < trees->trees; ++tree) {
            uint64_t leaves[ABREAST];
            const double *values = trees->values + trees->firsts[tree];
            const Split *end = trees->splits + trees->ends[tree];
            if (split == end) {
                add_leaf(values[first_bit(trees->starts[tree])], scores);
                continue;
            }
            __m512i a = _mm512_set1_epi64((long long) trees->starts[tree]), b = a;
            for (; split < end; ++split) {
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
            add_leaves(leaves, values, scores);
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
        const uint64_t *starts
        const double *values
        int64_t trees
    ctypedef void (*ScoreSixteen)(const Trees *, const double *const *, int64_t, double *) noexcept nogil
    ScoreSixteen widest(int width) noexcept nogil
    void find_ranges(
        const double *const *rows, int64_t width, int64_t places, double *ranges
    ) noexcept nogil
    void cut_down(
        const Trees *trees, const uint32_t *rights, const double *ranges, Split *out, int64_t *ends, uint64_t *starts
    ) noexcept nogil
    double score_one(const Trees *trees, const double *cells, int64_t first, int64_t last, double score) noexcept nogil

cdef enum:
    LINE = 64
    MAX_LEAVES = 32
    # fewer rows take less time one by one
    FEW = 5
    # columns that trees are cut down for together: neighbours are alike
    NEAR = 64

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


cdef struct Room:
    # of the features of the columns that are looked at together: where they are, and the lowest and the highest
    const double **features
    double *ranges
    # the trees cut down for these columns
    Split *splits
    int64_t *ends
    uint64_t *starts
    # columns next to each other
    double *panel


cdef class LeafMasks:
    """The trees of a forest as splits and bits of leaves; see ``masks_of``."""

    cdef Trees trees
    cdef Py_ssize_t width, splits
    cdef const uint32_t *rights
    cdef tuple _arrays
    cdef object _starts

    def __init__(self, splits, rights, ends, firsts, values, Py_ssize_t width):
        starts = np.full(len(ends) + 1, 2**64 - 1, dtype=np.uint64)
        cdef const unsigned char[:, ::1] split = splits
        cdef const uint32_t[::1] right = rights
        cdef const int64_t[::1] end = ends, first = firsts
        cdef const double[::1] value = values
        cdef const uint64_t[::1] start = starts
        # what ``trees`` and ``rights`` point into
        self._arrays, self._starts = (splits, rights, ends, firsts, values), starts
        self.width, self.splits = width, right.shape[0]
        self.trees.trees = end.shape[0]
        self.trees.splits = <const Split *> &split[0, 0]
        self.rights, self.trees.starts = &right[0], &start[0]
        self.trees.ends = &end[0] if end.shape[0] else NULL
        self.trees.firsts = &first[0] if end.shape[0] else NULL
        self.trees.values = &value[0] if value.shape[0] else NULL

    cdef void *make_room(self, Room *room) except NULL:
        """Return what is to be freed again."""
        cdef Py_ssize_t width = self.width, trees = self.trees.trees
        cdef void *block = malloc(
            LINE + width * (ABREAST + 2) * sizeof(double) + width * sizeof(double *) + self.splits * sizeof(Split)
            + trees * (sizeof(int64_t) + sizeof(uint64_t))
        )
        if block == NULL:
            raise MemoryError
        room.panel = aligned(block)
        room.ranges = room.panel + width * ABREAST
        room.features = <const double **> (room.ranges + 2 * width)
        room.splits = <Split *> (room.features + width)
        room.ends = <int64_t *> (room.splits + self.splits)
        room.starts = <uint64_t *> (room.ends + trees)
        return block

    cdef void add_near(
        self, Room *room, ScoreSixteen score_sixteen, Py_ssize_t places, double *scores
    ) noexcept nogil:
        """Add the leaf values that so many times sixteen columns of ``features`` reach."""
        cdef Trees own = self.trees
        cdef Py_ssize_t place
        find_ranges(room.features, self.width, places, room.ranges)
        cut_down(&self.trees, self.rights, room.ranges, room.splits, room.ends, room.starts)
        own.splits, own.ends, own.starts = room.splits, room.ends, room.starts
        for place in range(places):
            score_sixteen(&own, room.features, place * ABREAST, scores + place * ABREAST)

    def add_scores(self, const double[:, ::1] table, double[::1] scores):
        """Add the leaf values that each row of a table reaches to ``scores``, tree after tree."""
        cdef Py_ssize_t rows = table.shape[0], width = self.width, row = 0, k, f, beside, first
        cdef const double *cells
        cdef double sums[ABREAST]
        cdef Room room
        cdef void *block
        cdef ScoreSixteen score_sixteen = widest(lanes)
        if table.shape[1] != width or scores.shape[0] != rows or score_sixteen == NULL:
            raise ValueError("the table is not that of the forest")
        if not rows or not self.trees.trees:
            return
        block = self.make_room(&room)
        with nogil:
            for f in range(width):
                room.features[f] = room.panel + f * ABREAST
            while row < rows:
                beside = min(<Py_ssize_t> ABREAST, rows - row)
                if beside < FEW:
                    scores[row] = score_one(&self.trees, &table[row, 0], 0, self.trees.trees, scores[row])
                    row += 1
                    continue
                first = 0
                while first < width:  # eight features at a time, as many as lie together in memory
                    for k in range(ABREAST):  # the last row again where there are no more
                        cells = &table[row + min(k, beside - 1), 0]
                        for f in range(first, min(first + 8, width)):
                            room.panel[f * ABREAST + k] = cells[f]
                    first += 8
                for k in range(ABREAST):
                    sums[k] = scores[row + min(k, beside - 1)]
                score_sixteen(&self.trees, room.features, 0, sums)
                for k in range(beside):
                    scores[row + k] = sums[k]
                row += beside
        free(block)

    def add_scores_of_columns(self, const double[:, ::1] table, const int64_t[::1] places, double[::1] scores):
        """Add the same where a table has a row per feature; ``places``: the rows of the features of the forest."""
        cdef Py_ssize_t columns = table.shape[1], width = self.width, k, f, at = 0, beside, whole
        cdef double sums[ABREAST]
        cdef Room room
        cdef void *block
        cdef ScoreSixteen score_sixteen = widest(lanes)
        if places.shape[0] != width or scores.shape[0] != columns or score_sixteen == NULL:
            raise ValueError("the table is not that of the forest")
        for f in range(width):
            if not 0 <= places[f] < table.shape[0]:
                raise ValueError("the table has no such row")
        if not columns or not self.trees.trees:
            return
        block = self.make_room(&room)
        with nogil:
            while at < columns:
                beside = min(<Py_ssize_t> NEAR, columns - at)
                whole = beside // ABREAST * ABREAST
                if whole:
                    for f in range(width):
                        room.features[f] = &table[places[f], at]
                    self.add_near(&room, score_sixteen, whole // ABREAST, &scores[at])
                    at += whole
                    continue
                for f in range(width):  # fewer than sixteen: the last column again
                    room.features[f] = room.panel + f * ABREAST
                    for k in range(ABREAST):
                        room.panel[f * ABREAST + k] = table[places[f], at + min(k, beside - 1)]
                for k in range(ABREAST):
                    sums[k] = scores[at + min(k, beside - 1)]
                self.add_near(&room, score_sixteen, 1, sums)
                for k in range(beside):
                    scores[at + k] = sums[k]
                at += beside
        free(block)

    def scores_of_groups(self, const double[::1] cells, const int64_t[::1] ends):
        """Return the sums of the leaf values that one row reaches in each group of trees; ``ends``: where they end."""
        cdef Py_ssize_t group, start = 0
        found = np.zeros(ends.shape[0])
        cdef double[::1] scores = found
        if cells.shape[0] != self.width or (ends.shape[0] and not 0 <= np.max(ends) <= self.trees.trees):
            raise ValueError("the row or the groups are not those of the forest")
        with nogil:
            for group in range(ends.shape[0]):
                scores[group] = score_one(&self.trees, &cells[0], start, ends[group], 0.0)
                start = ends[group]
        return found


def masks_of(
    const double[::1] threshold, const int[::1] feature, const int[::1] left, const int[::1] roots,
    const double[::1] value, Py_ssize_t width,
):
    """Return a forest as ``LeafMasks``, None if it has no features or a tree has more leaves than there are bits."""
    cdef Py_ssize_t count = left.shape[0], trees = roots.shape[0], tree, node, end, found = 0, leaves = 0, depth
    cdef int own
    splits, rights = np.zeros((count + 1, sizeof(Split)), dtype=np.uint8), np.zeros(count + 1, dtype=np.uint32)
    ends, firsts, values = np.zeros(trees, dtype=np.int64), np.zeros(trees, dtype=np.int64), np.zeros(count)
    bits, parents = np.zeros(count, dtype=np.uint64), np.zeros(count, dtype=np.int32)
    pending = np.zeros(count + 2, dtype=np.int64)
    cdef unsigned char[:, ::1] view = splits
    cdef int64_t[::1] last = ends, first = firsts, stack = pending
    cdef double[::1] value_of = values
    cdef uint64_t[::1] below = bits
    cdef uint32_t[::1] right = rights
    cdef int[::1] times = parents
    cdef Split *split
    if not width:
        return None
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
                right[found] = <uint32_t> below[left[node] + 1]
                found += 1
        last[tree] = found
    return LeafMasks(splits[: found + 1].copy(), rights[: found + 1].copy(), ends, firsts, values[:leaves].copy(), width)
