# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The features of candidate lists, all in one pass over their records.

``lists/features.py`` has the same in numpy, family by family, with what each feature means; the tests compare the
results, which are equal to the last bit: sums of fractions are added up in the order in which numpy adds them.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.math cimport fabs, sqrt
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort
from libc.string cimport memcmp, memcpy, memset

import numpy as np

from peneira.kernels.int_map cimport IntMap, map_code, map_free, map_init, mixed

# The columns of the running sums that are used here; see ``page_facts.SUMS``
cdef enum:
    LINKS, IMAGES, TEXTS, NUMBERS, HEADINGS, PRICES, DATES, BOLDS, LONGS, CONTROLS, BREAKS
    CONTAINERS, HIDDEN, HEADERS, STOPS, CHARS, LINK_CHARS, TITLES, NODES, CAPITALS
    REPEATED_CHARS, REPEATED_SHAPES, REPEATED_TAGS, LARGE_REPEATED_TAGS, AFTER_BREAK, PAGERS
    SUMS

cdef enum:
    DIMENSIONS = 16

# Vectors of DIMENSIONS numbers, four at a time: a compiler does not find the lanes of ``product`` by itself
cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)
    void *PyUnicode_DATA(object text)

cdef extern from *:
    """
    #if defined(__GNUC__)
    typedef float peneira_quad __attribute__((vector_size(16), aligned(4), may_alias));
    #define QUADS(vector) ((peneira_quad *) (vector))
    static inline float product(const float *left, const float *right) {
        const peneira_quad *a = QUADS(left), *b = QUADS(right);
        peneira_quad lanes = a[3] * b[3] + a[2] * b[2];
        lanes = lanes + a[1] * b[1];
        lanes = lanes + a[0] * b[0];
        return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
    }
    static inline void add(float *total, const float *vector) {
        for (int k = 0; k < 4; k++) QUADS(total)[k] += QUADS(vector)[k];
    }
    static inline void subtract(float *difference, const float *left, const float *right) {
        for (int k = 0; k < 4; k++) QUADS(difference)[k] = QUADS(left)[k] - QUADS(right)[k];
    }
    #else
    static float product(const float *left, const float *right) {
        float lanes[4];
        for (int k = 0; k < 4; k++) {
            lanes[k] = left[12 + k] * right[12 + k] + left[8 + k] * right[8 + k];
            lanes[k] = lanes[k] + left[4 + k] * right[4 + k];
            lanes[k] = lanes[k] + left[k] * right[k];
        }
        return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
    }
    static void add(float *total, const float *vector) {
        for (int k = 0; k < 16; k++) total[k] += vector[k];
    }
    static void subtract(float *difference, const float *left, const float *right) {
        for (int k = 0; k < 16; k++) difference[k] = left[k] - right[k];
    }
    #endif
    """
    # the inner product of two vectors, in the order of ``features._products``
    float product(const float *left, const float *right) nogil
    void add(float *total, const float *vector) nogil
    void subtract(float *difference, const float *left, const float *right) nogil

# Kinds of content come first, of these the ones of which a record often has exactly one
cdef enum:
    KIND_COUNT = 15
    ONE_COUNT = 8

KIND_NAMES = (
    "links", "images", "texts", "numbers", "headings", "prices", "dates", "bolds",
    "longs", "controls", "breaks", "containers", "hidden", "headers", "stops",
)  # fmt: skip
WORD_NAMES = ("frame", "record", "aside", "overlay")
REPETITIONS = ("repeated_shapes", "repeated_tags", "large_repeated_tags")
NAMES = (
    "records", "records_of_most", "share", "share_of_best", "plain_share", "plain_of_best", "chars", "chars_spread",
    "chars_min", "chars_max", "nodes", "nodes_spread", "nodes_min", "nodes_share", "link_chars", "repeated_chars",
    "page_chars", "page_link_chars",
    *(f"{kind}{statistic}" for kind in KIND_NAMES[:8] for statistic in ("", "_any", "_one", "_share", "_spread")),
    *(f"{kind}{statistic}" for kind in KIND_NAMES[8:] for statistic in ("", "_any")),
    "capitals",
    "start", "end", "before", "after", "span", "depth", "below_ancestor", "depth_spread", "parents", "children",
    "siblings",
    "cover", "ancestor_cover", "left_before", "left_after", "gap", "gap_any", "gap_max", "gap_nodes",
    "left_out_similarity", "left_out_nodes",
    "distinct", "shapes", "shape_mode", "paths", "styled_mode",
    "first_text_mode", "first_text_distinct", "first_text_times", "first_text_once", "first_text_elsewhere",
    "first_link_mode", "first_link_times", "first_link_once", "first_link_distinct", "numbered", "sorted",
    "similarity", "similarity_min", "similarity_first", "similarity_last", "dissimilarity",
    "similarity_1", "similarity_2", "similarity_3", "step_1", "step_2", "step_3",
    "similarity_change_2", "step_change_2", "similarity_change_3", "step_change_3",
    "before_like_tail", "before_like_start", "after_like_start", "after_like_tail", "last_lacks_tail",
    "tail_mode", "start_mode", "head_headings", "tail_headings", "head_links", "tail_links", "head_images",
    "tail_images", "opens_container", "closes_container", "after_break", "breaks_inside", "first_opens", "last_closes",
    *(f"{name}{statistic}" for name in REPETITIONS for statistic in ("", "_any")),
    "halves_similarity",
    *(form.format(name) for name in WORD_NAMES for form in ("{}_words", "ancestor_{}_word", "{}_words_above")),
    "outside_main", "in_frame_role", "heading_level", "heading_distance", "after_title", "pagers_inside",
    "pager_around", "page_pagers",
)  # fmt: skip
# Counts of which the logarithm is taken at the end, by numpy: other libraries differ in the last bit
LOGARITHMS = (
    "records", "chars", "nodes", "page_chars", *KIND_NAMES, "parents", "children", "left_out_nodes",
    "first_text_times", "first_text_elsewhere", "first_link_times", *REPETITIONS, "page_pagers",
)  # fmt: skip

cdef double pairwise(const double *values, Py_ssize_t count) noexcept nogil:
    """Return a sum, added up as numpy does."""
    cdef double total = 0, r0, r1, r2, r3, r4, r5, r6, r7
    cdef Py_ssize_t k, half
    if count < 8:
        for k in range(count):
            total += values[k]
        return total
    if count <= 128:
        r0, r1, r2, r3 = values[0], values[1], values[2], values[3]
        r4, r5, r6, r7 = values[4], values[5], values[6], values[7]
        k = 8
        while k < count - count % 8:
            r0 += values[k]
            r1 += values[k + 1]
            r2 += values[k + 2]
            r3 += values[k + 3]
            r4 += values[k + 4]
            r5 += values[k + 5]
            r6 += values[k + 6]
            r7 += values[k + 7]
            k += 8
        total = ((r0 + r1) + (r2 + r3)) + ((r4 + r5) + (r6 + r7))
        while k < count:
            total += values[k]
            k += 1
        return total
    half = count // 2
    half -= half % 8
    return pairwise(values, half) + pairwise(values + half, count - half)


cdef inline double group_sum(const double *values, Py_ssize_t count) noexcept nogil:
    """Return the sum of a group, added up as ``numpy.add.reduceat`` does."""
    return values[0] + pairwise(values + 1, count - 1) if count > 1 else values[0]


cdef void vectors_sum(const float *units, const int *which, Py_ssize_t count, float *total) noexcept nogil:
    """Add up vectors, each component in the order of numpy's pairwise sums."""
    cdef float lanes[8][DIMENSIONS]
    cdef float upper[DIMENSIONS]
    cdef Py_ssize_t k, lane, half
    if count < 8:
        memset(total, 0, DIMENSIONS * sizeof(float))
        for k in range(count):
            add(total, units + which[k] * DIMENSIONS)
        return
    if count <= 128:
        for lane in range(8):
            memcpy(lanes[lane], units + which[lane] * DIMENSIONS, DIMENSIONS * sizeof(float))
        k = 8
        while k < count - count % 8:
            for lane in range(8):
                add(lanes[lane], units + which[k + lane] * DIMENSIONS)
            k += 8
        for lane in range(0, 8, 2):
            add(lanes[lane], lanes[lane + 1])
        add(lanes[0], lanes[2])
        add(lanes[4], lanes[6])
        add(lanes[0], lanes[4])
        memcpy(total, lanes[0], DIMENSIONS * sizeof(float))
        while k < count:
            add(total, units + which[k] * DIMENSIONS)
            k += 1
        return
    half = count // 2
    half -= half % 8
    vectors_sum(units, which, half, total)
    vectors_sum(units, which + half, count - half, upper)
    add(total, upper)


cdef inline void sum_of_units(const float *units, const int *which, Py_ssize_t count, float *total) noexcept nogil:
    """Add up the vectors of a group, as ``numpy.add.reduceat`` does."""
    cdef float others[DIMENSIONS]
    memcpy(total, units + which[0] * DIMENSIONS, DIMENSIONS * sizeof(float))
    if count > 1:
        vectors_sum(units, which + 1, count - 1, others)
        add(total, others)


cdef inline double square_of(const double *vector) noexcept nogil:
    """Return the inner product of a vector of doubles with itself, in the order of ``features._products``."""
    cdef double lanes[2]
    cdef Py_ssize_t k
    for k in range(2):
        lanes[k] = vector[6 + k] * vector[6 + k] + vector[4 + k] * vector[4 + k]
        lanes[k] = lanes[k] + vector[2 + k] * vector[2 + k]
        lanes[k] = lanes[k] + vector[k] * vector[k]
        lanes[k] = lanes[k] + vector[14 + k] * vector[14 + k]
        lanes[k] = lanes[k] + vector[12 + k] * vector[12 + k]
        lanes[k] = lanes[k] + vector[10 + k] * vector[10 + k]
        lanes[k] = lanes[k] + vector[8 + k] * vector[8 + k]
    return lanes[0] + lanes[1]


cdef inline void direction(const float *vector, float *out) noexcept nogil:
    """Scale a vector to length 1."""
    cdef double length = max(sqrt(<double> product(vector, vector)), 1e-9)
    cdef float scaled[DIMENSIONS]
    cdef Py_ssize_t d
    for d in range(DIMENSIONS):
        scaled[d] = <float> (<double> vector[d] / length)
    memcpy(out, scaled, DIMENSIONS * sizeof(float))


# What is counted of each range of rows: the running sums, then these
cdef enum:
    FLAGS = SUMS
    WORDS = FLAGS + 11
    TEXT_TIMES = WORDS + 4
    TEXT_ONCE
    LINK_TIMES
    LINK_ONCE
    CHILDREN
    # rounded up, so that rows are added four numbers at a time
    COUNTED = 48

# What is true of a range of rows, by the place of the flag after ``FLAGS``
cdef enum:
    IS_SEVERAL, HEAD_HEADING, TAIL_HEADING, HEAD_LINK, TAIL_LINK, HEAD_IMAGE, TAIL_IMAGE
    OPENS_PARENT, CLOSES_PARENT, IS_AFTER_BREAK, HAS_BREAK

# What else is known of a range of rows; codes are -1 where there is none
cdef struct Range:
    int start, end, depth, parent
    int shape, path, styled, text_path, link_path
    int first_code, target, number, rank
    int tail, head, contents
    # running sums at its start and end
    int chars_before, chars_after, nodes_before, nodes_after
    # how similar its halves are; the logarithm of its length
    double half, size

cdef enum:
    RANGE_INTS = 24

assert sizeof(Range) == RANGE_INTS * sizeof(int)


cdef struct Tally:
    int stamp
    int count


cdef struct Spread:
    int distinct
    int most


cdef inline Spread tallied(
    Tally *tallies, const int *first, const int *which, Py_ssize_t count, int stamp
) noexcept nogil:
    """Return how many different values there are, and how often the most common one occurs; values are from -1.

    ``first``: the value of the first range of the page.
    """
    cdef Spread spread
    cdef Py_ssize_t k
    cdef Tally *tally
    spread.distinct = spread.most = 0
    for k in range(count):
        tally = &tallies[first[which[k] * RANGE_INTS] + 1]
        if tally.stamp != stamp:
            tally.stamp = stamp
            tally.count = 0
            spread.distinct += 1
        tally.count += 1
        if tally.count > spread.most:
            spread.most = tally.count
    return spread


cdef inline double spread_of(double total, double squares, double count) noexcept nogil:
    """Return the standard deviation as a multiple of the mean."""
    cdef double mean = total / count
    cdef double square = squares / count
    return sqrt(max(square - mean * mean, 0.0)) / max(mean, 1e-9)


cdef inline int at_level(const int[::1] parent, const int[::1] depth, int row, int level) noexcept nogil:
    while depth[row] > level:
        row = parent[row]
    return row


def distinct_ranges(const int64_t[::1] starts, const int64_t[::1] ends, const int[::1] end):
    """Return the starts and ends of the different records, and which of them each record is."""
    cdef Py_ssize_t count = starts.shape[0], rows = end.shape[0], k
    which = np.empty(count, dtype=np.int32)
    cdef int[::1] own = which
    first, last = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int32)
    cdef int[::1] range_start = first, range_end = last
    cdef int fresh = 0, code = 0
    cdef int *of_node = <int *> calloc(rows + 1, sizeof(int))
    cdef IntMap runs
    if of_node == NULL or not map_init(&runs, 256):
        free(of_node)
        raise MemoryError
    with nogil:
        for k in range(count):
            if end[starts[k]] == ends[k]:
                code = of_node[starts[k]] - 1
                if code < 0:
                    code = fresh
                    of_node[starts[k]] = fresh + 1
            else:
                code = map_code(&runs, starts[k] * (rows + 1) + ends[k], fresh)
                if code < 0:
                    break
            if code == fresh:
                range_start[fresh] = <int> starts[k]
                range_end[fresh] = <int> ends[k]
                fresh += 1
            own[k] = code
        free(of_node)
        map_free(&runs)
    if code < 0:
        raise MemoryError
    return first[:fresh], last[:fresh], which


cdef class ListFeatures:
    """Computes the features of candidates. The arguments are columns of the page and of its candidates."""

    cdef const int[::1] tag, parent, end, depth, shape, path, styled_path, look
    cdef const int[:, ::1] sums
    cdef const float[:, ::1] vectors
    cdef const int[::1] next_text, next_link, text_code, number_at, target, path_rows, path_first
    cdef const unsigned char[:, ::1] words
    cdef const int[:, ::1] words_above
    cdef const unsigned char[::1] is_outside_main, is_in_frame_role
    cdef const int[::1] heading_rows, heading_level
    cdef int body, title_row
    cdef readonly object ranges

    def __init__(self, page, facts):
        self.tag, self.parent, self.end, self.depth = page.tag, page.parent, page.end, page.depth
        self.shape, self.path, self.styled_path = page.shape, page.path, page.styled_path
        self.body = page.body
        self.look, self.sums, self.vectors = facts.look, facts.sums, facts.vectors
        self.next_text, self.next_link = facts.next_text, facts.next_link
        self.text_code, self.number_at, self.target = facts.text_code, facts.number_at, facts.target
        self.path_rows, self.path_first = facts.path_rows, facts.path_first
        self.words, self.words_above = facts.words, facts.words_above
        self.is_outside_main, self.is_in_frame_role = facts.is_outside_main, facts.is_in_frame_role
        self.heading_rows, self.heading_level = facts.heading_rows, facts.heading_level
        self.title_row = facts.title_row

    cdef int times(self, const int *place, int row, int start, int end) noexcept nogil:
        """Return how many nodes of the tag path of a row there are in a range of rows, in which the row is.

        ``place``: the place of each row in ``path_rows``. Most ranges have few: the search begins with short steps.
        """
        cdef int path = self.path[row], first = self.path_first[path], high = self.path_first[path + 1], step = 1
        cdef int low = place[row], at = low
        if low > first and self.path_rows[low - 1] >= start:
            low = self.before(start, first, low)
        while at + step < high and self.path_rows[at + step] < end:
            at += step
            step *= 2
        return self.before(end, at, min(at + step, high)) - low

    cdef inline int before(self, int row, int low, int high) noexcept nogil:
        """Return which of ``path_rows[low:high]`` is the first that does not stand before a row, ``high`` if none is."""
        cdef int middle
        while low < high:
            middle = (low + high) // 2
            if self.path_rows[middle] < row:
                low = middle + 1
            else:
                high = middle
        return low

    def matrix(
        self, const int64_t[::1] counts, const int[::1] starts, const int[::1] ends, const int[::1] which,
        const double[::1] sizes, const int[::1] ranks, const int64_t[::1] ancestors, Py_ssize_t table_width
    ):
        """Return the features, a row for each candidate and a column for each of ``NAMES``; logarithms are not taken.

        ``table_width``: how many columns the table has, those of ``NAMES`` first.

        ``starts``, ``ends``: the different records; ``which``: those of each candidate; ``sizes``: the logarithms of
        their lengths; ``ranks``: the place of the first text of each in the order of the alphabet, -1: none.
        """
        cdef Py_ssize_t candidates = counts.shape[0], ranges = starts.shape[0], c, n, position = 0, longest = 1
        cdef int rows = <int> self.tag.shape[0]
        table = np.zeros((candidates, table_width))
        cdef double[:, ::1] out = table
        if ranges == 0:
            return table
        for c in range(candidates):
            longest = max(longest, counts[c])
        known_ranges = np.empty((ranges, sizeof(Range)), dtype=np.uint8)
        counted_of_ranges = np.zeros((ranges, <int> COUNTED), dtype=np.int32)
        vectors_and_units = np.empty((2, ranges, DIMENSIONS), dtype=np.float32)
        cdef unsigned char[:, ::1] own_ranges = known_ranges
        cdef int[:, ::1] counted = counted_of_ranges
        cdef float[:, :, ::1] vectors = vectors_and_units
        cdef Range *of_range = <Range *> &own_ranges[0, 0]
        cdef float *vector = &vectors[0, 0, 0]
        cdef float *unit = &vectors[1, 0, 0]
        self.read_ranges(of_range, &counted[0, 0], vector, unit, starts, ends, sizes, ranks)
        cdef Tally *tallies = <Tally *> calloc(max(rows, <int> ranges) + 2, sizeof(Tally))
        cdef double *values = <double *> malloc(3 * longest * sizeof(double))
        if tallies == NULL or values == NULL:
            free(tallies)
            free(values)
            raise MemoryError
        cdef double most_share = 0, most_plain = 0
        cdef int64_t most_records = 0
        with nogil:
            for c in range(candidates):
                n = counts[c]
                self.candidate(
                    &out[c, 0], n, of_range, &which[position], &counted[0, 0], vector, unit, <int> ancestors[c], tallies,
                    <int> c + 1, values, values + longest, values + 2 * longest,
                )
                position += n
                most_records = max(most_records, n)
                most_share = max(most_share, out[c, 2])
                most_plain = max(most_plain, out[c, 4])
            for c in range(candidates):
                out[c, 1] = <double> counts[c] / <double> most_records
                out[c, 3] = out[c, 2] / max(most_share, 1e-9)
                out[c, 5] = out[c, 4] / max(most_plain, 1e-9)
            free(tallies)
            free(values)
        return table

    cdef int read_ranges(
        self, Range *of_range, int *counted, float *vectors, float *units, const int[::1] starts, const int[::1] ends,
        const double[::1] sizes, const int[::1] ranks,
    ) except -1:
        """Write what is known of each range of rows, what is counted of it, its vector, and this scaled to length 1."""
        cdef Py_ssize_t ranges = starts.shape[0], r, k
        cdef int rows = <int> self.tag.shape[0], s, e, text, link, middle, fresh = 0
        cdef Range *range_
        cdef int *own
        cdef float left[DIMENSIONS]
        cdef float right[DIMENSIONS]
        cdef double length
        text_keys = text_sums(self.text_code)
        cdef const uint64_t[::1] text_key = text_keys
        cdef int *places = <int *> malloc((rows + 1) * sizeof(int))
        cdef int *children = <int *> calloc(rows + 1, sizeof(int))
        cdef IntMap known
        if places == NULL or children == NULL or not map_init(&known, ranges + 1):
            free(places)
            free(children)
            raise MemoryError
        with nogil:
            for k in range(rows):
                places[self.path_rows[k]] = <int> k
            for k in range(1, rows):
                children[self.parent[k]] += 1
            for r in range(ranges):
                s, e = starts[r], ends[r]
                range_ = &of_range[r]
                own = counted + r * COUNTED
                for k in range(SUMS):
                    own[k] = self.sums[e, k] - self.sums[s, k]
                own[CHILDREN] = children[s]
                range_.start, range_.end, range_.depth, range_.parent = s, e, self.depth[s], self.parent[s]
                range_.shape, range_.path, range_.styled = self.shape[s], self.path[s], self.styled_path[s]
                range_.chars_before, range_.chars_after = self.sums[s, CHARS], self.sums[e, CHARS]
                range_.nodes_before, range_.nodes_after = self.sums[s, NODES], self.sums[e, NODES]
                range_.rank, range_.size = ranks[r], sizes[r]
                range_.text_path = range_.link_path = range_.first_code = range_.target = range_.number = -1
                text, link = self.next_text[s], self.next_link[s]
                if text < e:
                    range_.text_path, range_.first_code = self.path[text], self.text_code[text]
                    range_.number = self.number_at[text]
                    own[TEXT_TIMES] = self.times(places, text, s, e)
                    own[TEXT_ONCE] = own[TEXT_TIMES] == 1
                if link < e:
                    range_.link_path, range_.target = self.path[link], self.target[link]
                    own[LINK_TIMES] = self.times(places, link, s, e)
                    own[LINK_ONCE] = own[LINK_TIMES] == 1
                range_.contents = map_code(&known, <int64_t> (text_key[e] - text_key[s]), fresh)
                if range_.contents < 0:
                    fresh = -1
                    break
                fresh += range_.contents == fresh
                self.flag_ends(range_, own + FLAGS)
                own[FLAGS + IS_AFTER_BREAK] = self.sums[s + 1, AFTER_BREAK] > self.sums[s, AFTER_BREAK]
                own[FLAGS + HAS_BREAK] = self.sums[e, AFTER_BREAK] > self.sums[s + 1, AFTER_BREAK]
                for k in range(4):
                    own[WORDS + k] = self.words[s, k]
                # what repeats inside: without the first row
                for k in range(REPEATED_SHAPES, LARGE_REPEATED_TAGS + 1):
                    own[k] = self.sums[e, k] - self.sums[min(s + 1, e), k]
                middle = (s + e) // 2
                subtract(left, &self.vectors[middle, 0], &self.vectors[s, 0])
                subtract(right, &self.vectors[e, 0], &self.vectors[middle, 0])
                length = sqrt(<double> product(left, left)) * sqrt(<double> product(right, right))
                range_.half = <double> product(left, right) / max(length, 1e-9)
                subtract(vectors + r * DIMENSIONS, &self.vectors[e, 0], &self.vectors[s, 0])
                direction(vectors + r * DIMENSIONS, units + r * DIMENSIONS)
            map_free(&known)
            free(places)
            free(children)
        if fresh < 0:
            raise MemoryError
        return 0

    cdef inline void flag_ends(self, Range *range_, int *flags) noexcept nogil:
        """Write what is true of the first and the last sibling of a range, and what these look like."""
        cdef int head = range_.start, tail = head
        if self.end[head] < range_.end:  # several siblings
            tail = at_level(self.parent, self.depth, range_.end - 1, range_.depth)
            flags[IS_SEVERAL] = 1
            flags[HEAD_HEADING] = self.subtree(BOLDS, head) + self.subtree(HEADINGS, head) > 0
            flags[TAIL_HEADING] = self.subtree(BOLDS, tail) + self.subtree(HEADINGS, tail) > 0
            flags[HEAD_LINK], flags[TAIL_LINK] = self.subtree(LINKS, head) > 0, self.subtree(LINKS, tail) > 0
            flags[HEAD_IMAGE], flags[TAIL_IMAGE] = self.subtree(IMAGES, head) > 0, self.subtree(IMAGES, tail) > 0
        flags[OPENS_PARENT] = range_.parent == head - 1
        flags[CLOSES_PARENT] = self.end[range_.parent] == range_.end
        range_.head, range_.tail = self.look[head], self.look[tail]

    cdef inline int subtree(self, int kind, int row) noexcept nogil:
        return self.sums[self.end[row], kind] - self.sums[row, kind]

    cdef void candidate(
        self, double *out, Py_ssize_t n, const Range *of_range, const int *which, const int *counted,
        const float *vectors, const float *unit, int ancestor, Tally *tallies, int number, double *values,
        double *lagged, double *halves,
    ) noexcept nogil:
        """Write the features of one candidate."""
        cdef int rows = <int> self.tag.shape[0]
        cdef double count = <double> n, others = <double> max(n - 1, 1), total, mean
        # of records, which do not overlap: none of the sums is larger than that of the page
        cdef int sums[COUNTED]
        cdef int anys[SUMS]
        cdef int ones[ONE_COUNT]
        cdef int64_t square[ONE_COUNT]
        cdef int64_t chars_square = 0, nodes_total = 0, nodes_squares = 0, gap, gap_total = 0, gap_any = 0, gap_max = 0
        cdef int64_t gap_nodes = 0
        cdef int64_t chars_min, chars_max, nodes, nodes_min
        cdef int64_t depth_min, depth_max, changes = 0, follows = 0, increases = 0
        cdef int64_t tail_before = 0, start_before = 0, start_after = 0, tail_after = 0, tail_last = 0
        cdef Py_ssize_t k, j, d, lag
        cdef int begin, stop, inside, row, before_row, after_row, last_row, level, beside, heading
        cdef int before_look, after_look, last_tail
        cdef const int *own
        cdef const int[:, ::1] page = self.sums
        cdef const Range *range_
        cdef const Range *before = NULL
        cdef const Range *first = &of_range[which[0]]
        cdef const Range *last = &of_range[which[n - 1]]
        cdef float vector[DIMENSIONS]
        cdef float summed[DIMENSIONS]
        cdef float toward[DIMENSIONS]
        cdef float other[DIMENSIONS]
        cdef double means[DIMENSIONS]
        cdef Spread spread
        cdef double *feature = out
        cdef double similarity[4]
        cdef double step[4]
        cdef double lowest, left, alike = 0
        cdef int64_t total_chars = max(page[rows, CHARS], 1)
        begin, stop = first.start, last.end
        memset(sums, 0, sizeof(sums))
        memset(anys, 0, sizeof(anys))
        memset(ones, 0, sizeof(ones))
        memset(square, 0, sizeof(square))
        memset(vector, 0, sizeof(vector))
        chars_min = nodes_min = depth_min = 1 << 60
        chars_max = depth_max = -1
        last_row = of_range[(which - 1)[0]].parent if number > 1 else -1
        for k in range(n):
            range_ = &of_range[which[k]]
            own = counted + which[k] * COUNTED
            for j in range(COUNTED):
                sums[j] += own[j]
            for j in range(SUMS):
                anys[j] += own[j] > 0
            for j in range(ONE_COUNT):
                ones[j] += own[j] == 1
                square[j] += <int64_t> own[j] * own[j]
            add(vector, vectors + which[k] * DIMENSIONS)
            chars_square += <int64_t> own[CHARS] * own[CHARS]
            chars_min = min(chars_min, own[CHARS])
            chars_max = max(chars_max, own[CHARS])
            nodes = max(own[NODES], 1)
            nodes_total += nodes
            nodes_squares += nodes * nodes
            nodes_min = min(nodes_min, nodes)
            depth_min = min(depth_min, range_.depth)
            depth_max = max(depth_max, range_.depth)
            # the first record is compared with the last one of the candidate before
            changes += range_.parent != last_row
            last_row = range_.parent
            if before != NULL:
                # what lies between the record before and this one
                gap = max(range_.chars_before - before.chars_after, 0)
                gap_total += gap
                gap_any += gap > 0
                gap_max = max(gap_max, gap)
                gap_nodes += max(range_.nodes_before - before.nodes_after, 0)
                follows += before.number >= 0 and range_.number == before.number + 1
                increases += range_.rank > before.rank
            before = range_
            halves[k] = range_.half
        total = <double> sums[CHARS]
        mean = total / count
        # size
        feature[0] = count
        feature[2] = total / <double> total_chars
        feature[4] = <double> (sums[CHARS] - sums[LINK_CHARS]) / <double> max(
            page[rows, CHARS] - page[rows, LINK_CHARS], 1
        )
        feature[6] = mean
        feature[7] = spread_of(total, <double> chars_square, count)
        feature[8] = <double> chars_min / max(mean, 1.0)
        feature[9] = <double> chars_max / max(mean, 1.0)
        feature[10] = <double> nodes_total / count
        feature[11] = spread_of(<double> nodes_total, <double> nodes_squares, count)
        feature[12] = <double> nodes_min / feature[10]
        feature[13] = <double> nodes_total / <double> max(page[rows, NODES], 1)
        feature[14] = <double> sums[LINK_CHARS] / max(total, 1.0)
        feature[15] = <double> sums[REPEATED_CHARS] / max(total, 1.0)
        feature[16] = <double> total_chars
        feature[17] = <double> page[rows, LINK_CHARS] / <double> total_chars
        feature += 18
        # content
        for k in range(KIND_COUNT):
            j = k
            feature[0] = <double> sums[j] / count
            feature[1] = <double> anys[j] / count
            feature += 2
            if k < ONE_COUNT:
                feature[0] = <double> ones[j] / count
                feature[1] = <double> sums[j] / <double> max(page[rows, j], 1)
                feature[2] = spread_of(<double> sums[j], <double> square[j], count)
                feature += 3
        feature[0] = <double> sums[CAPITALS] / <double> max(sums[TEXTS], 1)
        feature += 1
        # position
        feature[0] = <double> begin / <double> rows
        feature[1] = <double> stop / <double> rows
        feature[2] = <double> page[begin, CHARS] / <double> total_chars
        feature[3] = 1 - <double> page[stop, CHARS] / <double> total_chars
        feature[4] = <double> (page[stop, CHARS] - page[begin, CHARS]) / <double> total_chars
        feature[5] = self.depth[begin]
        feature[6] = self.depth[begin] - self.depth[ancestor]
        feature[7] = <double> (depth_max - depth_min)
        feature[8] = <double> changes
        feature[9] = <double> sums[CHILDREN] / count
        feature[10] = <double> sums[FLAGS + IS_SEVERAL] / count
        feature += 11
        # gaps
        mean = max(mean, 1.0)
        inside = page[self.end[ancestor], CHARS] - page[ancestor, CHARS]
        feature[0] = total / <double> max(page[stop, CHARS] - page[begin, CHARS], 1)
        feature[1] = total / <double> max(inside, 1)
        feature[2] = <double> (page[begin, CHARS] - page[ancestor, CHARS]) / mean
        feature[3] = <double> (page[self.end[ancestor], CHARS] - page[stop, CHARS]) / mean
        feature[4] = <double> gap_total / others / mean
        feature[5] = <double> gap_any / others
        feature[6] = <double> gap_max / mean
        feature[7] = <double> gap_nodes / others / (<double> nodes_total / count)
        feature += 8
        # left out
        inside = min(ancestor + 1, rows)
        subtract(other, &self.vectors[self.end[ancestor], 0], &self.vectors[inside, 0])
        subtract(other, other, vector)
        left = max(<double> (page[self.end[ancestor], NODES] - page[inside, NODES]) - <double> nodes_total, 0.0)
        feature[0] = 0
        if left > 0:
            direction(other, summed)
            direction(vector, toward)
            feature[0] = product(summed, toward)
        feature[1] = left / (<double> nodes_total / count)
        feature += 2
        # variety
        number *= 8
        spread = tallied(tallies, &of_range[0].contents, which, n, number)
        feature[0] = spread.distinct / count
        spread = tallied(tallies, &of_range[0].shape, which, n, number + 1)
        feature[1] = spread.distinct / count
        feature[2] = spread.most / count
        spread = tallied(tallies, &of_range[0].path, which, n, number + 2)
        feature[3] = spread.distinct / count
        spread = tallied(tallies, &of_range[0].styled, which, n, number + 3)
        feature[4] = spread.most / count
        feature += 5
        # first texts and links
        spread = tallied(tallies, &of_range[0].text_path, which, n, number + 4)
        feature[0] = spread.most / count
        spread = tallied(tallies, &of_range[0].first_code, which, n, number + 5)
        feature[1] = spread.distinct / count
        feature[2] = <double> sums[TEXT_TIMES] / count
        feature[3] = <double> sums[TEXT_ONCE] / count
        row = max(first.text_path, 0)
        inside = self.path_first[row + 1] - self.path_first[row]
        feature[4] = max(<double> inside - <double> sums[TEXT_TIMES], 0.0) / count
        spread = tallied(tallies, &of_range[0].link_path, which, n, number + 6)
        feature[5] = spread.most / count
        feature[6] = <double> sums[LINK_TIMES] / count
        feature[7] = <double> sums[LINK_ONCE] / count
        spread = tallied(tallies, &of_range[0].target, which, n, number + 7)
        feature[8] = spread.distinct / count
        feature[9] = <double> follows / others
        feature[10] = <double> increases / others
        feature += 11
        # similarity
        sum_of_units(unit, which, n, summed)
        for d in range(DIMENSIONS):
            means[d] = <double> summed[d] / count
        feature[0] = sqrt(square_of(means))
        direction(summed, toward)
        lowest = 2
        for k in range(n):
            alike = product(unit + which[k] * DIMENSIONS, toward)
            lowest = min(lowest, alike)
            values[k] = 1 - alike
            if k == 0:
                feature[2] = alike
        feature[1] = lowest
        feature[3] = alike
        feature[4] = group_sum(values, n) / count
        feature += 5
        # alternation
        for lag in range(1, 4):
            for k in range(n - lag):
                values[k] = product(unit + which[k + lag] * DIMENSIONS, unit + which[k] * DIMENSIONS)
                lagged[k] = fabs(of_range[which[k + lag]].size - of_range[which[k]].size)
            for k in range(max(n - lag, 0), n):
                values[k] = lagged[k] = 0
            similarity[lag] = group_sum(values, n) / <double> max(n - lag, 1)
            step[lag] = group_sum(lagged, n) / <double> max(n - lag, 1)
            feature[lag - 1] = similarity[lag]
            feature[lag + 2] = step[lag]
        for lag in range(2, 4):
            feature[2 * lag + 2] = similarity[lag] - similarity[1] if n > lag else 0
            feature[2 * lag + 3] = step[lag] - step[1] if n > lag else 0
        feature += 10
        # phase
        level = self.depth[begin]
        before_row = at_level(self.parent, self.depth, begin - 1, level)
        if self.depth[before_row] != level:
            before_row = 0
        after_row = 0
        if stop < rows and self.parent[stop] == last.parent:
            after_row = stop
        before_look, after_look, last_tail = self.look[before_row], self.look[after_row], last.tail
        for k in range(n):
            range_ = &of_range[which[k]]
            if k < n - 1:
                tail_before += range_.tail == before_look
                tail_last += range_.tail != last_tail
            start_before += range_.head == before_look
            start_after += range_.head == after_look
            tail_after += range_.tail == after_look
        feature[0] = <double> tail_before / others * (before_row > 0)
        feature[1] = <double> start_before / count * (before_row > 0)
        feature[2] = <double> start_after / count * (after_row > 0)
        feature[3] = <double> tail_after / count * (after_row > 0)
        feature[4] = <double> tail_last / others
        spread = tallied(tallies, &of_range[0].tail, which, n, -number)
        feature[5] = spread.most / count
        spread = tallied(tallies, &of_range[0].head, which, n, -number - 1)
        feature[6] = spread.most / count
        for k in range(10):
            feature[7 + k] = <double> sums[FLAGS + HEAD_HEADING + k] / count
        feature[17] = counted[which[0] * COUNTED + FLAGS + OPENS_PARENT]
        feature[18] = counted[which[n - 1] * COUNTED + FLAGS + CLOSES_PARENT]
        feature += 19
        # repetition
        for j in range(REPEATED_SHAPES, LARGE_REPEATED_TAGS + 1):
            feature[0] = <double> sums[j] / count
            feature[1] = <double> anys[j] / count
            feature += 2
        feature[0] = group_sum(halves, n) / count
        feature += 1
        # class names
        for j in range(4):
            feature[0] = <double> sums[WORDS + j] / count
            feature[1] = self.words[ancestor, j]
            feature[2] = self.words_above[ancestor, j]
            feature += 3
        # surroundings
        feature[0] = self.is_outside_main[begin]
        feature[1] = self.is_in_frame_role[begin]
        heading = self.heading_before(begin)
        feature[2] = self.heading_level[heading] if heading >= 0 else 0
        feature[3] = -1
        if heading >= 0:
            feature[3] = <double> (page[begin, CHARS] - page[self.heading_rows[heading], CHARS]) / mean
        if self.title_row >= 0:
            feature[4] = <double> (page[begin, CHARS] - page[self.title_row, CHARS]) / <double> total_chars
        else:
            feature[4] = <double> -total_chars / <double> total_chars
        feature[5] = <double> anys[PAGERS] / count
        beside = self.parent[ancestor]
        if beside <= self.body:
            beside = ancestor
        feature[6] = self.subtree(PAGERS, beside) > 0 and sums[PAGERS] == 0
        feature[7] = page[rows, PAGERS]

    cdef int heading_before(self, int row) noexcept nogil:
        """Return which heading is the last one up to a row, -1: none."""
        cdef int low = 0, high = <int> self.heading_rows.shape[0], middle
        while low < high:
            middle = (low + high) // 2
            if self.heading_rows[middle] <= row:
                low = middle + 1
            else:
                high = middle
        return low - 1


cdef struct FoldedText:
    uint64_t start  # the first eight bytes, as a number in the order of the bytes
    const char *bytes
    Py_ssize_t length
    int code


cdef int compared(const void *left, const void *right) noexcept nogil:
    """Return the order of two folded texts."""
    cdef const FoldedText *a = <const FoldedText *> left
    cdef const FoldedText *b = <const FoldedText *> right
    cdef int order
    if a.start != b.start:
        return -1 if a.start < b.start else 1
    order = memcmp(a.bytes, b.bytes, min(a.length, b.length))
    if order != 0 or a.length == b.length:
        return order
    return -1 if a.length < b.length else 1


def text_ranks(
    const int[::1] starts, const int[::1] ends, const int[::1] next_text, const int[::1] text_code, list distinct
):
    """Return the rank of the first text of each range of rows among these texts, in any case; -1 where it has none.

    ``distinct``: the text of each code. Texts in UTF-8 are in the order of their characters.
    """
    cdef Py_ssize_t ranges = starts.shape[0], r, count = 0, k, j
    found = np.empty(ranges, dtype=np.int32)
    cdef int[::1] out = found
    ranks = np.full(len(distinct) + 1, -1, dtype=np.int32)
    cdef int[::1] rank = ranks
    cdef int code
    cdef list kept = []
    cdef bytes folded
    cdef Py_ssize_t most = min(ranges, <Py_ssize_t> len(distinct)) + 1, ascii_chars = 0
    cdef FoldedText *texts = <FoldedText *> malloc(most * sizeof(FoldedText))
    cdef char *lower
    # the texts in ASCII in lower case, one after the other
    cdef char *room
    for text in distinct:
        ascii_chars += len(<str> text)
    room = lower = <char *> malloc(ascii_chars + 1)
    if texts == NULL or room == NULL:
        free(texts)
        free(room)
        raise MemoryError
    try:
        for r in range(ranges):
            code = text_code[next_text[starts[r]]] if next_text[starts[r]] < ends[r] else -1
            out[r] = code
            if code < 0 or rank[code] == 0:
                continue
            rank[code] = 0
            text = distinct[code]
            if PyUnicode_IS_ASCII(text):
                texts[count].bytes, texts[count].length = lower, len(<str> text)
                lower = lowered(<const char *> PyUnicode_DATA(text), texts[count].length, lower)
            else:
                folded = text.casefold().encode("utf-8", "surrogatepass")
                kept.append(folded)
                texts[count].bytes, texts[count].length = PyBytes_AS_STRING(folded), PyBytes_GET_SIZE(folded)
            texts[count].code, texts[count].start = code, 0
            for k in range(8):
                texts[count].start <<= 8
                if k < texts[count].length:
                    texts[count].start |= <unsigned char> texts[count].bytes[k]
            count += 1
        with nogil:
            qsort(texts, count, sizeof(FoldedText), compared)
            j = -1
            for k in range(count):
                if k == 0 or compared(&texts[k - 1], &texts[k]) != 0:
                    j += 1
                rank[texts[k].code] = <int> j
            for r in range(ranges):
                if out[r] >= 0:
                    out[r] = rank[out[r]]
    finally:
        free(texts)
        free(room)
    return found


cdef inline char *lowered(const char *text, Py_ssize_t length, char *out) noexcept nogil:
    """Write a text in ASCII in lower case; return where it ends."""
    cdef Py_ssize_t k
    for k in range(length):
        out[k] = text[k] + 32 if c'A' <= text[k] <= c'Z' else text[k]
    return out + length


def text_sums(const int[::1] text_code):
    """Return running sums of a number per text, equal for equal texts: ranges with the same sum have the same texts."""
    cdef Py_ssize_t rows = text_code.shape[0], i
    sums = np.empty(rows + 1, dtype=np.uint64)
    cdef uint64_t[::1] out = sums
    out[0] = 0
    for i in range(rows):
        out[i + 1] = out[i]
        if text_code[i] >= 0:
            out[i + 1] += mixed(<uint64_t> text_code[i] + <uint64_t> 0x9E3779B97F4A7C15)
    return sums


def common_ancestors(const int[::1] parent, const int[::1] end, const int64_t[::1] begin, const int64_t[::1] stop):
    """Return the smallest element that contains all records of each candidate, from the first row to the last."""
    cdef Py_ssize_t k
    cdef int row
    ancestors = np.empty(begin.shape[0], dtype=np.int64)
    cdef int64_t[::1] out = ancestors
    for k in range(begin.shape[0]):
        row = parent[begin[k]]
        while end[row] < stop[k] and parent[row] >= 0:
            row = parent[row]
        out[k] = row
    return ancestors


cdef enum:
    MEMBER_KINDS = 11
    MEMBER_COUNTS = MEMBER_KINDS + 2
    MEMBER_SHARES = 5


def member_counts(
    const int[:, ::1] sums, const int64_t[::1] starts, const int64_t[::1] ends, const int64_t[::1] counts,
    const int[::1] kinds,
):
    """Return, for each member of each list, its characters, its nodes, and what it has of each of the kinds of content;
    the means of these by list; the share of the members of each list that have any of a kind; and the share of the
    characters of each member that is in links. ``kinds``: columns of the sums."""
    cdef Py_ssize_t members = starts.shape[0], lists = counts.shape[0], g, k, c, first = 0
    table, means = np.empty((members, MEMBER_COUNTS)), np.zeros((lists, MEMBER_COUNTS))
    shares, in_links = np.zeros((lists, MEMBER_KINDS)), np.empty(members)
    cdef double[:, ::1] out = table, mean = means, share = shares
    cdef double[::1] linked = in_links
    cdef int64_t start, end, plain, chars
    with nogil:
        for g in range(lists):
            for k in range(first, first + counts[g]):
                start, end = starts[k], ends[k]
                chars = sums[end, CHARS] - sums[start, CHARS]
                plain = chars - (sums[end, LINK_CHARS] - sums[start, LINK_CHARS])
                out[k, 0] = chars
                out[k, 1] = max(sums[end, NODES] - sums[start, NODES], 1)
                linked[k] = 1 - <double> plain / <double> max(chars, 1)
                for c in range(MEMBER_KINDS):
                    out[k, c + 2] = sums[end, kinds[c]] - sums[start, kinds[c]]
                    share[g, c] += out[k, c + 2] > 0
                for c in range(MEMBER_COUNTS):
                    mean[g, c] += out[k, c]
            for c in range(MEMBER_COUNTS):
                mean[g, c] /= <double> counts[g]
            for c in range(MEMBER_KINDS):
                share[g, c] /= <double> counts[g]
            first += counts[g]
    return table, means, shares, in_links


def member_similarities(
    const float[:, ::1] vectors, const int64_t[::1] starts, const int64_t[::1] ends, const int64_t[::1] counts
):
    """Return how similar each member is to the mean of its list."""
    cdef Py_ssize_t members = starts.shape[0], g, k, n, first = 0
    similarities = np.empty(members)
    cdef double[::1] out = similarities
    cdef float vector[DIMENSIONS]
    cdef float summed[DIMENSIONS]
    cdef float toward[DIMENSIONS]
    cdef float *unit = <float *> malloc((members + 1) * DIMENSIONS * sizeof(float))
    cdef int *which = <int *> malloc((members + 1) * sizeof(int))
    if unit == NULL or which == NULL:
        free(unit)
        free(which)
        raise MemoryError
    with nogil:
        for k in range(members):
            which[k] = <int> k
            subtract(vector, &vectors[ends[k], 0], &vectors[starts[k], 0])
            direction(vector, unit + k * DIMENSIONS)
        for g in range(counts.shape[0]):
            n = counts[g]
            sum_of_units(unit, which + first, n, summed)
            direction(summed, toward)
            for k in range(first, first + n):
                out[k] = product(unit + k * DIMENSIONS, toward)
            first += n
        free(unit)
        free(which)
    return similarities


def member_table(
    const int64_t[::1] counts, const double[:, ::1] logs, const double[:, ::1] log_means, const double[:, ::1] shares,
    const double[:, ::1] equal, const double[::1] similarity, const double[::1] linked,
):
    """Return the features of all members, in the order of ``members.COMPILED_NAMES``.

    ``logs``, ``log_means``: logarithms of what ``member_counts`` returns; ``equal``: the shares of equal values.
    """
    cdef Py_ssize_t members = logs.shape[0], g, k, c, at, n, first = 0
    table = np.empty((members, 9 + MEMBER_SHARES + 3 * MEMBER_KINDS + 2))
    cdef double[:, ::1] out = table
    cdef double list_similarity, list_linked
    logarithms = np.log1p(np.asarray(counts))
    cdef const double[::1] log_count = logarithms
    with nogil:
        for g in range(counts.shape[0]):
            n = counts[g]
            list_similarity = group_sum(&similarity[first], n) / <double> n
            list_linked = group_sum(&linked[first], n) / <double> n
            for k in range(n):
                at = first + k
                out[at, 0], out[at, 1], out[at, 2] = log_count[g], min(k, 5), min(n - 1 - k, 5)
                out[at, 3], out[at, 4] = logs[at, 0], logs[at, 0] - log_means[g, 0]
                out[at, 5] = logs[at, 1] - log_means[g, 1]
                out[at, 6], out[at, 7] = similarity[at], list_similarity
                out[at, 8] = similarity[at] - list_similarity
                for c in range(MEMBER_SHARES):
                    out[at, 9 + c] = equal[c, at]
                for c in range(MEMBER_KINDS):
                    out[at, 9 + MEMBER_SHARES + 3 * c] = logs[at, c + 2]
                    out[at, 10 + MEMBER_SHARES + 3 * c] = shares[g, c]
                    out[at, 11 + MEMBER_SHARES + 3 * c] = logs[at, c + 2] - log_means[g, c + 2]
                out[at, 9 + MEMBER_SHARES + 3 * MEMBER_KINDS] = linked[at]
                out[at, 10 + MEMBER_SHARES + 3 * MEMBER_KINDS] = linked[at] - list_linked
            first += n
    return table
