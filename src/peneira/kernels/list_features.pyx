# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The features of candidate lists, all in one pass over their records.

``lists/features.py`` has the same in numpy, family by family, with what each feature means; the tests compare the
results, which are equal to the last bit: sums of fractions are added up in the order in which numpy adds them.
"""

from libc.math cimport fabs, sqrt
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

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
    cdef Py_ssize_t k, lane, d, half
    if count < 8:
        for d in range(DIMENSIONS):
            total[d] = 0
        for k in range(count):
            for d in range(DIMENSIONS):
                total[d] += units[which[k] * DIMENSIONS + d]
        return
    if count <= 128:
        for lane in range(8):
            for d in range(DIMENSIONS):
                lanes[lane][d] = units[which[lane] * DIMENSIONS + d]
        k = 8
        while k < count - count % 8:
            for lane in range(8):
                for d in range(DIMENSIONS):
                    lanes[lane][d] += units[which[k + lane] * DIMENSIONS + d]
            k += 8
        for d in range(DIMENSIONS):
            total[d] = ((lanes[0][d] + lanes[1][d]) + (lanes[2][d] + lanes[3][d])) + (
                (lanes[4][d] + lanes[5][d]) + (lanes[6][d] + lanes[7][d])
            )
        while k < count:
            for d in range(DIMENSIONS):
                total[d] += units[which[k] * DIMENSIONS + d]
            k += 1
        return
    half = count // 2
    half -= half % 8
    vectors_sum(units, which, half, total)
    vectors_sum(units, which + half, count - half, upper)
    for d in range(DIMENSIONS):
        total[d] += upper[d]


cdef inline void sum_of_units(const float *units, const int *which, Py_ssize_t count, float *total) noexcept nogil:
    """Add up the vectors of a group, as ``numpy.add.reduceat`` does."""
    cdef Py_ssize_t d
    if count > 1:
        vectors_sum(units, which + 1, count - 1, total)
        for d in range(DIMENSIONS):
            total[d] = units[which[0] * DIMENSIONS + d] + total[d]
    else:
        for d in range(DIMENSIONS):
            total[d] = units[which[0] * DIMENSIONS + d]


cdef inline float product(const float *left, const float *right) noexcept nogil:
    """Return the inner product of two vectors, in the order of ``features._products``."""
    cdef float lanes[4]
    cdef Py_ssize_t k
    for k in range(4):
        lanes[k] = left[12 + k] * right[12 + k] + left[8 + k] * right[8 + k]
        lanes[k] = lanes[k] + left[4 + k] * right[4 + k]
        lanes[k] = lanes[k] + left[k] * right[k]
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])


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
    cdef double length = sqrt(<double> product(vector, vector))
    cdef Py_ssize_t d
    if length < 1e-9:
        length = 1e-9
    for d in range(DIMENSIONS):
        out[d] = <float> (<double> vector[d] / length)


cdef struct Tally:
    int stamp
    int count


cdef struct Spread:
    int distinct
    int most


cdef inline Spread tallied(
    Tally *tallies, const int *values, const int *which, Py_ssize_t count, int stamp
) noexcept nogil:
    """Return how many different values there are, and how often the most common one occurs; values are from -1."""
    cdef Spread spread
    cdef Py_ssize_t k
    cdef Tally *tally
    spread.distinct = spread.most = 0
    for k in range(count):
        tally = &tallies[values[which[k]] + 1]
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


def units_of(const float[:, ::1] vectors, const int[::1] starts, const int[::1] ends):
    """Return the vector of each range of rows, scaled to length 1."""
    cdef Py_ssize_t count = starts.shape[0], r, d
    units = np.empty((count, DIMENSIONS), dtype=np.float32)
    cdef float[:, ::1] unit = units
    cdef float vector[DIMENSIONS]
    with nogil:
        for r in range(count):
            for d in range(DIMENSIONS):
                vector[d] = vectors[ends[r], d] - vectors[starts[r], d]
            direction(vector, &unit[r, 0])
    return units


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

    cdef int times(self, int path, int start, int end) noexcept nogil:
        """Return how many nodes of a tag path there are in a range of rows."""
        return self.before(path, end) - self.before(path, start)

    cdef inline int before(self, int path, int row) noexcept nogil:
        cdef int low = self.path_first[path], high = self.path_first[path + 1], middle
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
        cdef Py_ssize_t candidates = counts.shape[0], ranges = starts.shape[0], r, k, c, d, n, position = 0, longest = 1
        cdef int rows = <int> self.tag.shape[0], s, e
        table = np.zeros((candidates, table_width))
        cdef double[:, ::1] out = table
        for c in range(candidates):
            longest = max(longest, counts[c])
        # per range
        diffs = np.empty((ranges, <int> SUMS), dtype=np.int32)
        cdef int[:, ::1] diff = diffs
        units = units_of(self.vectors, starts, ends)
        cdef const float[:, ::1] unit = units
        columns = np.empty((16, ranges), dtype=np.int32)
        cdef int[:, ::1] column = columns
        cdef int *shape = &column[0, 0] if ranges else NULL
        if ranges == 0:
            return table
        cdef int *path = &column[1, 0]
        cdef int *styled = &column[2, 0]
        cdef int *text_path = &column[3, 0]
        cdef int *link_path = &column[4, 0]
        cdef int *text_times = &column[5, 0]
        cdef int *link_times = &column[6, 0]
        cdef int *first_code = &column[7, 0]
        cdef int *target = &column[8, 0]
        cdef int *number = &column[9, 0]
        cdef int *tail = &column[10, 0]
        cdef int *head = &column[11, 0]
        cdef int *flags = &column[12, 0]
        cdef int *contents = &column[13, 0]
        cdef int *children = &column[14, 0]
        cdef int *words = &column[15, 0]
        halves = np.empty(ranges)
        cdef double[::1] half = halves
        child_counts = np.bincount(np.asarray(self.parent)[1:], minlength=rows)
        cdef const int64_t[::1] child_count = child_counts
        text_keys = text_sums(self.text_code)
        cdef const uint64_t[::1] text_key = text_keys
        cdef IntMap known
        cdef int fresh = 0, code = 0, text, link, last_row, middle, width = 0
        cdef float left[DIMENSIONS]
        cdef float right[DIMENSIONS]
        cdef double length
        cdef int bits
        if not map_init(&known, ranges + 1):
            raise MemoryError
        with nogil:
            for r in range(ranges):
                s, e = starts[r], ends[r]
                for k in range(SUMS):
                    diff[r, k] = self.sums[e, k] - self.sums[s, k]
                shape[r] = self.shape[s]
                path[r] = self.path[s]
                styled[r] = self.styled_path[s]
                children[r] = <int> child_count[s]
                text, link = self.next_text[s], self.next_link[s]
                text_path[r] = link_path[r] = first_code[r] = target[r] = number[r] = -1
                text_times[r] = link_times[r] = 0
                if text < e:
                    text_path[r] = self.path[text]
                    text_times[r] = self.times(text_path[r], s, e)
                    first_code[r] = self.text_code[text]
                    number[r] = self.number_at[text]
                if link < e:
                    link_path[r] = self.path[link]
                    link_times[r] = self.times(link_path[r], s, e)
                    target[r] = self.target[link]
                code = map_code(&known, <int64_t> (text_key[e] - text_key[s]), fresh)
                if code < 0:
                    break
                fresh += code == fresh
                contents[r] = code
                last_row = s
                if self.end[s] < e:
                    last_row = at_level(self.parent, self.depth, e - 1, self.depth[s])
                head[r] = self.look[s]
                tail[r] = self.look[last_row]
                bits = 0
                if self.end[s] < e:  # several siblings
                    bits |= 1
                    if self.subtree(BOLDS, s) + self.subtree(HEADINGS, s) > 0:
                        bits |= 2
                    if self.subtree(BOLDS, last_row) + self.subtree(HEADINGS, last_row) > 0:
                        bits |= 4
                    if self.subtree(LINKS, s) > 0:
                        bits |= 8
                    if self.subtree(LINKS, last_row) > 0:
                        bits |= 16
                    if self.subtree(IMAGES, s) > 0:
                        bits |= 32
                    if self.subtree(IMAGES, last_row) > 0:
                        bits |= 64
                if self.parent[s] == s - 1:
                    bits |= 128
                if self.end[self.parent[s]] == e:
                    bits |= 256
                k = self.sums[s + 1, AFTER_BREAK] - self.sums[s, AFTER_BREAK]
                if k:
                    bits |= 512
                if diff[r, AFTER_BREAK] - k > 0:
                    bits |= 1024
                flags[r] = bits
                words[r] = self.words[s, 0] | self.words[s, 1] << 1 | self.words[s, 2] << 2 | self.words[s, 3] << 3
                # what repeats inside: without the first row
                for k in range(REPEATED_SHAPES, LARGE_REPEATED_TAGS + 1):
                    diff[r, k] = self.sums[e, k] - self.sums[min(s + 1, e), k]
                middle = (s + e) // 2
                for d in range(DIMENSIONS):
                    left[d] = self.vectors[middle, d] - self.vectors[s, d]
                    right[d] = self.vectors[e, d] - self.vectors[middle, d]
                length = sqrt(<double> product(left, left)) * sqrt(<double> product(right, right))
                half[r] = <double> product(left, right) / max(length, 1e-9)
            map_free(&known)
        if code < 0:
            raise MemoryError
        # per candidate
        width = max(rows, <int> ranges) + 2
        cdef Tally *tallies = <Tally *> calloc(width, sizeof(Tally))
        cdef double *values = <double *> malloc(4 * longest * sizeof(double))
        cdef double *similarities = values + longest
        cdef double *halves_of = similarities + longest
        cdef double *lagged = halves_of + longest
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
                    &out[c, 0], n, &starts[0], &ends[0], &which[position], &diff[0, 0], &unit[0, 0], &column[0, 0],
                    ranges, &half[0], &sizes[0], &ranks[0], <int> ancestors[c], tallies, <int> c + 1, values,
                    similarities, halves_of, lagged,
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

    cdef inline int subtree(self, int kind, int row) noexcept nogil:
        return self.sums[self.end[row], kind] - self.sums[row, kind]

    cdef void candidate(
        self, double *out, Py_ssize_t n, const int *starts, const int *ends, const int *which, const int *diff,
        const float *unit, const int *column, Py_ssize_t ranges, const double *half, const double *sizes,
        const int *ranks, int ancestor, Tally *tallies, int number, double *values, double *similarities,
        double *halves, double *lagged,
    ) noexcept nogil:
        """Write the features of one candidate."""
        cdef int rows = <int> self.tag.shape[0]
        cdef const int *shape = column
        cdef const int *path = column + ranges
        cdef const int *styled = column + 2 * ranges
        cdef const int *text_path = column + 3 * ranges
        cdef const int *link_path = column + 4 * ranges
        cdef const int *text_times = column + 5 * ranges
        cdef const int *link_times = column + 6 * ranges
        cdef const int *first_code = column + 7 * ranges
        cdef const int *target = column + 8 * ranges
        cdef const int *numbers = column + 9 * ranges
        cdef const int *tail = column + 10 * ranges
        cdef const int *head = column + 11 * ranges
        cdef const int *flags = column + 12 * ranges
        cdef const int *contents = column + 13 * ranges
        cdef const int *children = column + 14 * ranges
        cdef const int *words = column + 15 * ranges
        cdef double count = <double> n, others = <double> max(n - 1, 1), total, squares, mean, length
        cdef int64_t sums[SUMS]
        cdef int64_t anys[SUMS]
        cdef int64_t ones[SUMS]
        cdef int64_t square[SUMS]
        cdef int64_t chars, nodes_total = 0, nodes_squares = 0, gap, gap_total = 0, gap_any = 0, gap_max = 0
        cdef int64_t gap_nodes = 0
        cdef int64_t chars_min, chars_max, nodes, nodes_min
        cdef int64_t depth_min, depth_max, changes = 0, child_total = 0, several = 0
        cdef int64_t text_total = 0, text_once = 0, link_total = 0, link_once = 0, follows = 0, increases = 0
        cdef int64_t tail_before = 0, start_before = 0, start_after = 0, tail_after = 0, tail_last = 0
        cdef int64_t bit_counts[11]
        cdef int64_t word_counts[4]
        cdef Py_ssize_t k, j, d, lag
        cdef int r, b = 0, begin, stop, inside, row, before_row, after_row, last_row, level, beside, heading
        cdef const int *own
        cdef const int[:, ::1] page = self.sums
        cdef float vector[DIMENSIONS]
        cdef float summed[DIMENSIONS]
        cdef float toward[DIMENSIONS]
        cdef float other[DIMENSIONS]
        cdef double means[DIMENSIONS]
        cdef Spread spread
        cdef double *feature = out
        cdef double similarity[4]
        cdef double step[4]
        cdef double lowest, left
        cdef int64_t total_chars = max(page[rows, CHARS], 1)
        begin, stop = starts[which[0]], ends[which[n - 1]]
        for k in range(SUMS):
            sums[k] = anys[k] = ones[k] = square[k] = 0
        for k in range(11):
            bit_counts[k] = 0
        for k in range(4):
            word_counts[k] = 0
        chars_min = nodes_min = depth_min = 1 << 60
        chars_max = depth_max = -1
        last_row = self.parent[starts[(which - 1)[0]]] if number > 1 else -1
        for k in range(n):
            r = which[k]
            own = diff + r * SUMS
            for j in range(SUMS):
                sums[j] += own[j]
                anys[j] += own[j] > 0
            for j in range(ONE_COUNT):
                ones[j] += own[j] == 1
                square[j] += <int64_t> own[j] * own[j]
            square[CHARS] += <int64_t> own[CHARS] * own[CHARS]
            chars_min = min(chars_min, own[CHARS])
            chars_max = max(chars_max, own[CHARS])
            nodes = max(own[NODES], 1)
            nodes_total += nodes
            nodes_squares += nodes * nodes
            nodes_min = min(nodes_min, nodes)
            row = starts[r]
            depth_min = min(depth_min, self.depth[row])
            depth_max = max(depth_max, self.depth[row])
            # the first record is compared with the last one of the candidate before
            changes += self.parent[row] != last_row
            last_row = self.parent[row]
            child_total += children[r]
            several += self.end[row] < ends[r]
            # what lies between this record and the next
            inside = starts[which[k + 1]] if k + 1 < n else ends[r]
            gap = max(page[inside, CHARS] - page[ends[r], CHARS], 0)
            gap_total += gap
            gap_any += gap > 0
            gap_max = max(gap_max, gap)
            gap_nodes += max(page[inside, NODES] - page[ends[r], NODES], 0)
            text_total += text_times[r]
            text_once += text_times[r] == 1
            link_total += link_times[r]
            link_once += link_times[r] == 1
            if k:
                follows += numbers[b] >= 0 and numbers[r] == numbers[b] + 1
                increases += ranks[r] > ranks[b]
            b = r
            for j in range(11):
                bit_counts[j] += flags[r] >> j & 1
            for j in range(4):
                word_counts[j] += words[r] >> j & 1
            halves[k] = half[r]
        chars = sums[CHARS]
        total = <double> chars
        mean = total / count
        # size
        feature[0] = count
        feature[2] = total / <double> total_chars
        feature[4] = <double> (sums[CHARS] - sums[LINK_CHARS]) / <double> max(
            page[rows, CHARS] - page[rows, LINK_CHARS], 1
        )
        feature[6] = mean
        feature[7] = spread_of(total, <double> square[CHARS], count)
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
        feature[9] = <double> child_total / count
        feature[10] = <double> several / count
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
        for d in range(DIMENSIONS):
            vector[d] = 0
        for k in range(n):
            for d in range(DIMENSIONS):
                vector[d] += self.vectors[ends[which[k]], d] - self.vectors[starts[which[k]], d]
        for d in range(DIMENSIONS):
            other[d] = self.vectors[self.end[ancestor], d] - self.vectors[inside, d] - vector[d]
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
        spread = tallied(tallies, contents, which, n, number)
        feature[0] = spread.distinct / count
        spread = tallied(tallies, shape, which, n, number + 1)
        feature[1] = spread.distinct / count
        feature[2] = spread.most / count
        spread = tallied(tallies, path, which, n, number + 2)
        feature[3] = spread.distinct / count
        spread = tallied(tallies, styled, which, n, number + 3)
        feature[4] = spread.most / count
        feature += 5
        # first texts and links
        spread = tallied(tallies, text_path, which, n, number + 4)
        feature[0] = spread.most / count
        spread = tallied(tallies, first_code, which, n, number + 5)
        feature[1] = spread.distinct / count
        feature[2] = <double> text_total / count
        feature[3] = <double> text_once / count
        row = max(text_path[which[0]], 0)
        inside = self.path_first[row + 1] - self.path_first[row]
        feature[4] = max(<double> inside - <double> text_total, 0.0) / count
        spread = tallied(tallies, link_path, which, n, number + 6)
        feature[5] = spread.most / count
        feature[6] = <double> link_total / count
        feature[7] = <double> link_once / count
        spread = tallied(tallies, target, which, n, number + 7)
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
            similarities[k] = product(unit + which[k] * DIMENSIONS, toward)
            lowest = min(lowest, similarities[k])
            values[k] = 1 - similarities[k]
        feature[1] = lowest
        feature[2] = similarities[0]
        feature[3] = similarities[n - 1]
        feature[4] = group_sum(values, n) / count
        feature += 5
        # alternation
        for lag in range(1, 4):
            for k in range(n):
                values[k] = lagged[k] = 0
                if k + lag < n:
                    values[k] = product(unit + which[k + lag] * DIMENSIONS, unit + which[k] * DIMENSIONS)
                    lagged[k] = fabs(sizes[which[k + lag]] - sizes[which[k]])
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
        if stop < rows and self.parent[stop] == self.parent[starts[which[n - 1]]]:
            after_row = stop
        for k in range(n):
            r = which[k]
            if k < n - 1:
                tail_before += tail[r] == self.look[before_row]
                tail_last += tail[r] != tail[which[n - 1]]
            start_before += head[r] == self.look[before_row]
            start_after += head[r] == self.look[after_row]
            tail_after += tail[r] == self.look[after_row]
        feature[0] = <double> tail_before / others * (before_row > 0)
        feature[1] = <double> start_before / count * (before_row > 0)
        feature[2] = <double> start_after / count * (after_row > 0)
        feature[3] = <double> tail_after / count * (after_row > 0)
        feature[4] = <double> tail_last / others
        spread = tallied(tallies, tail, which, n, -number)
        feature[5] = spread.most / count
        spread = tallied(tallies, head, which, n, -number - 1)
        feature[6] = spread.most / count
        for k in range(6):
            feature[7 + k] = <double> bit_counts[1 + k] / count
        feature[13] = <double> bit_counts[7] / count
        feature[14] = <double> bit_counts[8] / count
        feature[15] = <double> bit_counts[9] / count
        feature[16] = <double> bit_counts[10] / count
        feature[17] = flags[which[0]] >> 7 & 1
        feature[18] = flags[which[n - 1]] >> 8 & 1
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
            feature[0] = <double> word_counts[j] / count
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
    cdef Py_ssize_t members = starts.shape[0], g, k, d, n, first = 0
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
            for d in range(DIMENSIONS):
                vector[d] = vectors[ends[k], d] - vectors[starts[k], d]
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
