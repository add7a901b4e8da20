# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The features of the texts of a page, written into one table: a row per feature, a column per text.

``texts/wording_features.py``, ``position_features.py``, ``repetition_features.py`` and ``keyword_features.py`` have the
same in numpy; the tests compare the results. Where numpy takes logarithms, so do its callers here, of whole rows.
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.math cimport sqrt
from libc.stdlib cimport calloc, free, malloc

import numpy as np

from peneira.kernels.bit_rows cimport write_bits
from peneira.kernels.int_map cimport IntMap, map_code, map_free, map_init
from peneira.kernels.pairwise cimport pairwise

cdef extern from "Python.h":
    Py_UCS4 PyUnicode_READ(int kind, const void *data, Py_ssize_t index) nogil

# What the kinds of a tag say, bit by bit; above them are its numbers among the tags that are features
KINDS = (
    "link", "image", "heading", "input", "skipped", "repeating", "wrapper", "inline", "title", "unread", "edge", "break",
    "item", "separate", "code",
)

cdef enum:
    LINK = 1
    IMAGE = 2
    HEADING = 4
    INPUT = 8
    SKIPPED = 16
    REPEATING = 32
    WRAPPER = 64
    INLINE = 128
    TITLE = 256
    SUMS = 9
    # columns of the sums
    CHARS = 0
    LINK_CHARS = 1
    TEXTS = 2
    LINK_TEXTS = 3
    LONG_TEXTS = 4
    IMAGES = 5
    ELEMENTS = 6
    HEADINGS = 7
    INPUTS = 8


def means_and_spreads(const double[:, ::1] table, const uint8_t[::1] wanted):
    """Return the mean and the standard deviation of the rows that are wanted: those of the others are 0."""
    cdef Py_ssize_t rows = table.shape[0], count = table.shape[1], row, k
    found = np.zeros(2 * rows)
    cdef double[::1] out = found
    cdef double mean, apart
    cdef const double *values
    cdef double *squares = <double *> malloc((count + 1) * sizeof(double))
    if squares == NULL:
        raise MemoryError
    with nogil:
        for row in range(rows):
            if not wanted[row]:
                continue
            values = &table[row, 0]
            mean = pairwise(values, count) / count
            for k in range(count):
                apart = values[k] - mean
                squares[k] = apart * apart
            out[row] = mean
            out[rows + row] = sqrt(pairwise(squares, count) / count)
        free(squares)
    return found


def text_sums(
    const int[::1] tag, const int[::1] end, const uint8_t[::1] silent, const uint32_t[::1] kinds,
    const int64_t[::1] rows, const int64_t[::1] lengths, int64_t long_chars,
):
    """Return running sums over the rows of a page, nine columns, and which rows are in links."""
    cdef Py_ssize_t size = tag.shape[0], i, k = 0, c
    cdef int64_t link_end = 0
    cdef double chars, is_text, in_link
    cdef uint32_t kind
    table, links = np.empty((size + 1, SUMS)), np.zeros(size, dtype=np.bool_)
    cdef double[:, ::1] sums = table
    cdef uint8_t[::1] link = links.view(np.uint8)
    cdef double *now
    cdef const double *before
    for c in range(SUMS):
        sums[0, c] = 0
    for i in range(size):
        kind = kinds[tag[i]]
        if kind & LINK and end[i] > link_end:
            link_end = end[i]
        link[i] = i < link_end
        chars = is_text = 0
        if k < rows.shape[0] and rows[k] == i:
            chars, is_text = lengths[k], 1
            k += 1
        in_link = link[i]
        before, now = &sums[i, 0], &sums[i + 1, 0]
        now[CHARS] = before[CHARS] + chars
        now[LINK_CHARS] = before[LINK_CHARS] + chars * in_link
        now[TEXTS] = before[TEXTS] + is_text
        now[LINK_TEXTS] = before[LINK_TEXTS] + is_text * in_link
        now[LONG_TEXTS] = before[LONG_TEXTS] + (chars >= long_chars)
        now[IMAGES] = before[IMAGES] + (kind & IMAGE != 0)
        now[ELEMENTS] = before[ELEMENTS] + (tag[i] != 0 and not silent[i])
        now[HEADINGS] = before[HEADINGS] + (kind & HEADING != 0)
        now[INPUTS] = before[INPUTS] + (kind & INPUT != 0)
    return table, links


def holders(const int[::1] tag, const int[::1] parent, const uint32_t[::1] kinds, const int64_t[::1] rows):
    """Return the nearest ancestor of each row that is not an inline element."""
    cdef Py_ssize_t k
    cdef int node
    found = np.empty(rows.shape[0], dtype=np.int64)
    cdef int64_t[::1] out = found
    for k in range(rows.shape[0]):
        node = parent[rows[k]]
        while kinds[tag[node]] & INLINE and parent[node] >= 0:
            node = parent[node]
        out[k] = node
    return found


def styled_codes(
    const int[::1] path, const int[::1] parent, const int[::1] classes, const int64_t[::1] rows
):
    """Return a code of the path of each row with the classes of its two nearest ancestors, in order of occurrence."""
    cdef Py_ssize_t k, size = path.shape[0]
    cdef int64_t width = 1, node, above
    cdef IntMap first, second
    cdef int code = 0, part, fresh = 0, parts = 0
    found = np.empty(rows.shape[0], dtype=np.int64)
    cdef int64_t[::1] out = found
    for k in range(size):
        width = max(width, classes[k] + 1)
    if not map_init(&first, 64):
        raise MemoryError
    if not map_init(&second, 64):
        map_free(&first)
        raise MemoryError
    for k in range(rows.shape[0]):
        node = parent[rows[k]]
        above = parent[node]
        if above < 0:  # as numpy counts: from the end
            above += size
        part = map_code(&first, path[rows[k]] * width + classes[node], parts)
        if part < 0:
            code = -1
            break
        parts += part == parts
        code = map_code(&second, part * width + classes[above], fresh)
        if code < 0:
            break
        fresh += code == fresh
        out[k] = code
    map_free(&first)
    map_free(&second)
    if code < 0:
        raise MemoryError
    return found


def wording(double[:, ::1] out, list texts, const uint8_t[::1] kinds, str money):
    """Write the length of each text, its shares of kinds of characters, and how it starts and ends; words are logs."""
    cdef Py_ssize_t k, at, size, stop
    cdef int kind, bit
    cdef const void *data
    cdef Py_UCS4 character
    cdef uint8_t own, before, first
    cdef Py_ssize_t last = kinds.shape[0] - 1
    # the bits of a kind as eight counters of a byte each, for up to 255 characters
    cdef uint64_t spread[256]
    cdef uint64_t added
    cdef int64_t counts[8]
    cdef int64_t changes
    cdef double length, spaces
    cdef str text
    for kind in range(256):
        spread[kind] = 0
        for bit in range(8):
            spread[kind] |= <uint64_t> (kind >> bit & 1) << 8 * bit
    for k in range(len(texts)):
        text = texts[k]
        size, kind, data = PyUnicode_GET_LENGTH(text), PyUnicode_KIND(text), PyUnicode_DATA(text)
        before, changes, at = 0, 0, 0
        for bit in range(8):
            counts[bit] = 0
        while at < size:
            stop, added = min(at + 255, size), 0
            while at < stop:
                character = PyUnicode_READ(kind, data, at)
                own = kinds[character] if <Py_ssize_t> character < last else kinds[last]
                added += spread[own]
                # a digit is the second bit, a letter the fourth
                changes += (before >> 1 & own >> 3 | before >> 3 & own >> 1) & 1
                before = own
                at += 1
            for bit in range(8):
                counts[bit] += added >> 8 * bit & 255
        character = PyUnicode_READ(kind, data, 0)
        first = kinds[character] if <Py_ssize_t> character < last else kinds[last]
        length = size
        spaces = counts[0] / length * length
        out[0, k] = length
        out[1, k] = spaces + 1
        out[2, k] = length / (spaces + 1)
        for bit in range(1, 6):
            out[2 + bit, k] = counts[bit] / length
        out[8, k] = changes / length
        out[9, k] = first >> 2 & 1
        out[10, k] = first >> 1 & 1
        out[11, k] = character in money
        out[12, k] = before >> 6 & 1
        out[13, k] = before >> 7 & 1


def positions(
    double[:, ::1] out, const int[::1] tag, const int[::1] parent, const int[::1] end, const int[::1] depth,
    const uint8_t[::1] silent, const uint8_t[::1] hidden, const uint32_t[::1] kinds,
    const int64_t[::1] rows, const int64_t[::1] blocks, const int64_t[::1] lengths,
    const double[:, ::1] sums, const int[::1] attribute_counts, int parent_tags, int block_tags,
    const int64_t[::1] levels,
):
    """Write where each text is: on the page, in its parent, its block and the elements around that.

    Return how many texts stand before the title; the logarithm of how far they are from it is negative.
    """
    cdef Py_ssize_t count = rows.shape[0], size = tag.shape[0], i, k, at, c, level, step
    cdef int64_t row, title = -1, skipped_end = 0, node, elements = 0, before_title = 0
    cdef uint32_t kind
    cdef bint has_text
    cdef double total = max(sums[size, CHARS], 1.0), chars, texts, share
    cdef double totals[SUMS]
    cdef int *running = <int *> malloc((size + 1) * sizeof(int))
    # the numbers of the tags of parents and blocks, a bit each
    cdef uint64_t *of_parents = <uint64_t *> malloc((2 * count + 1) * sizeof(uint64_t))
    cdef uint64_t *of_blocks = of_parents + count
    if running == NULL or of_parents == NULL:
        free(running)
        free(of_parents)
        raise MemoryError
    for i in range(size):
        kind = kinds[tag[i]]
        if kind & SKIPPED and end[i] > skipped_end:
            skipped_end = end[i]
        if tag[i] != 0 and not kind & (SKIPPED | REPEATING) and i >= skipped_end:
            has_text = i + 1 < size and tag[i + 1] == 0 and parent[i + 1] == i
            elements += has_text or not kind & WRAPPER
        running[i] = <int> elements
        if title < 0 and kind & TITLE and not silent[i] and not hidden[i]:
            title = i
    for k in range(count):
        row = rows[k]
        out[0, k] = k / <double> count
        out[1, k] = sums[row, CHARS] / total
        out[2, k] = running[row] / <double> max(elements, 1)
        out[3, k] = k
        out[4, k] = depth[row]
        if title >= 0:
            out[5, k] = (sums[row, CHARS] - sums[title, CHARS]) / total
            out[6, k] = abs(sums[row, TEXTS] - sums[title, TEXTS])
            before_title += row < title
        else:
            out[5, k] = -1.0 / total
            out[6, k] = 1.0
        out[7, k] = hidden[row]
        out[8, k] = count
        out[9, k] = total
        out[10, k] = sums[size, LINK_CHARS] / total
        out[11, k] = sums[size, LONG_TEXTS]
        # the parent and the block
        of_parents[k] = <uint64_t> 1 << (kinds[tag[parent[row]]] >> 16 & 31)
        of_blocks[k] = <uint64_t> 1 << (kinds[tag[blocks[k]]] >> 21 & 31)
        at = 12 + parent_tags + block_tags
        out[at, k] = attribute_counts[parent[row]]
        at += 1
        node = blocks[k]
        for c in range(SUMS):
            totals[c] = sums[end[node], c] - sums[node, c]
        chars, texts = max(totals[CHARS], 1.0), max(totals[TEXTS], 1.0)
        out[at, k] = chars
        out[at + 1, k] = lengths[k] / chars
        out[at + 2, k] = totals[LINK_CHARS] / chars
        out[at + 3, k] = totals[TEXTS]
        out[at + 4, k] = (sums[row, TEXTS] - sums[node, TEXTS]) / texts
        at += 5
        step = 0
        for level in range(levels.shape[0]):
            while step < levels[level]:
                node = parent[node] if parent[node] >= 0 else node
                step += 1
            for c in range(SUMS):
                totals[c] = sums[end[node], c] - sums[node, c]
            chars, texts = max(totals[CHARS], 1.0), max(totals[TEXTS], 1.0)
            out[at, k] = chars
            out[at + 1, k] = chars / total
            out[at + 2, k] = totals[LINK_CHARS] / chars
            out[at + 3, k] = totals[LINK_TEXTS] / texts
            out[at + 4, k] = totals[CHARS] / texts
            out[at + 5, k] = totals[LONG_TEXTS] / texts
            out[at + 6, k] = totals[IMAGES] / texts
            out[at + 7, k] = totals[HEADINGS] / texts
            out[at + 8, k] = totals[INPUTS] / texts
            out[at + 9, k] = totals[ELEMENTS] / texts
            at += 10
    if count:
        write_bits(&out[12, 0], out.shape[1], of_parents, count, 1, parent_tags)
        write_bits(&out[12 + parent_tags, 0], out.shape[1], of_blocks, count, 1, block_tags)
    free(running)
    free(of_parents)
    return before_title if title >= 0 else count


cdef void shift(double[:, ::1] out, Py_ssize_t at, const double *column, Py_ssize_t count, Py_ssize_t offset) noexcept:
    cdef Py_ssize_t k
    for k in range(count):
        out[at, k] = column[k + offset] if 0 <= k + offset < count else -1.0


cdef void window(
    double[:, ::1] out, Py_ssize_t at, const double *column, Py_ssize_t count, Py_ssize_t width, double *sums,
) noexcept:
    cdef Py_ssize_t k, low, high
    sums[0] = 0
    for k in range(count):
        sums[k + 1] = sums[k] + column[k]
    for k in range(count):
        low, high = max(k - width, 0), min(k + width + 1, count)
        out[at, k] = (sums[high] - sums[low]) / <double> max(high - low, 1)


def neighbours(
    double[:, ::1] out, list texts, const int64_t[::1] rows, const double[::1] log_lengths,
    const uint8_t[::1] in_link, const int64_t[::1] widths,
):
    """Write what stands before and after each text; gaps are logs."""
    cdef Py_ssize_t count = rows.shape[0], k, size, at = 8
    cdef str text
    cdef double *links = <double *> malloc((3 * count + 1) * sizeof(double))
    if links == NULL:
        raise MemoryError
    cdef double *colons = links + count
    cdef double *sums = colons + count
    for k in range(count):
        text = texts[k]
        size = PyUnicode_GET_LENGTH(text)
        links[k] = in_link[rows[k]]
        colons[k] = PyUnicode_READ(PyUnicode_KIND(text), PyUnicode_DATA(text), size - 1) == 58
        out[7, k] = rows[k] - rows[k - 1] if k else 0
    shift(out, 0, &log_lengths[0], count, -2)
    shift(out, 1, &log_lengths[0], count, -1)
    shift(out, 2, &log_lengths[0], count, 1)
    shift(out, 3, &log_lengths[0], count, 2)
    shift(out, 4, links, count, -1)
    shift(out, 5, links, count, 1)
    shift(out, 6, colons, count, -1)
    for k in range(widths.shape[0]):
        window(out, at, &log_lengths[0], count, widths[k], sums)
        window(out, at + 1, links, count, widths[k], sums)
        at += 2
    free(links)


def repetitions(
    double[:, ::1] out, list texts, const int[::1] path, const int[::1] parent, const int[::1] tag, int64_t tags,
    const int64_t[::1] rows, const int64_t[::1] blocks, const int64_t[::1] styled, const double[::1] log_lengths,
):
    """Write how many texts share the path, the styled path, the string and the siblings of each text; counts are logs.

    Return the code of each string, in order of occurrence.
    """
    cdef Py_ssize_t count = rows.shape[0], k
    cdef int code = 0, fresh = 0
    cdef dict known = {}
    cdef Py_ssize_t first
    cdef int before
    cdef IntMap codes
    strings = np.empty(count, dtype=np.int64)
    cdef int64_t[::1] equal = strings
    # groups: of paths, styled paths, strings, siblings; then how many distinct strings a path has
    cdef int64_t *of_path = <int64_t *> calloc(8 * count + 1, sizeof(int64_t))
    cdef double *means = <double *> calloc(2 * count + 1, sizeof(double))
    if of_path == NULL or means == NULL or not map_init(&codes, count):
        free(of_path)
        free(means)
        raise MemoryError
    cdef int64_t *path_sizes = of_path + count
    cdef int64_t *styled_sizes = path_sizes + count
    cdef int64_t *equal_sizes = styled_sizes + count
    cdef int64_t *distinct = equal_sizes + count
    cdef int64_t *siblings = distinct + count
    cdef int64_t *sibling_sizes = siblings + count
    cdef double *styled_means = means + count
    try:
        for k in range(count):
            first = known.setdefault(texts[k], k)
            equal[k] = fresh if first == k else equal[first]
            fresh += first == k
            code = map_code(&codes, path[rows[k]], <int> codes.used)
            if code < 0:
                raise MemoryError
            of_path[k] = code
            out[2, k] = path_sizes[code]
            path_sizes[code] += 1
            means[code] += log_lengths[k]
            styled_sizes[styled[k]] += 1
            styled_means[styled[k]] += log_lengths[k]
            out[7, k] = equal_sizes[equal[k]]
            equal_sizes[equal[k]] += 1
        map_free(&codes)
        if not map_init(&codes, count):
            raise MemoryError
        for k in range(count):
            before = <int> codes.used
            code = map_code(&codes, of_path[k] * fresh + equal[k], before)
            if code < 0:
                raise MemoryError
            distinct[of_path[k]] += code == before
        map_free(&codes)
        if not map_init(&codes, count):
            raise MemoryError
        for k in range(count):
            code = map_code(&codes, parent[blocks[k]] * tags + tag[blocks[k]], <int> codes.used)
            if code < 0:
                raise MemoryError
            siblings[k] = code
            sibling_sizes[code] += 1
        for k in range(count):
            out[0, k] = path_sizes[of_path[k]]
            out[1, k] = styled_sizes[styled[k]]
            out[2, k] = out[2, k] / path_sizes[of_path[k]]
            out[3, k] = means[of_path[k]] / path_sizes[of_path[k]]
            out[4, k] = styled_means[styled[k]] / styled_sizes[styled[k]]
            out[5, k] = distinct[of_path[k]] / <double> path_sizes[of_path[k]]
            out[6, k] = equal_sizes[equal[k]]
            out[8, k] = sibling_sizes[siblings[k]]
    finally:
        map_free(&codes)
        free(of_path)
        free(means)
    return strings


def keyword_bits(
    const int[::1] tag, const int[::1] parent, const int[::1] codes, const uint64_t[::1] of_tags,
    const uint64_t[::1] of_names, int body,
):
    """Return the bits of the tag and the names of each element below the body, and those of it and all around it."""
    cdef Py_ssize_t size = tag.shape[0], i
    found = np.zeros((2, size), dtype=np.uint64)
    cdef uint64_t[:, ::1] bits = found
    for i in range(body + 1, size):
        if tag[i]:
            bits[0, i] = of_tags[tag[i]] | of_names[codes[i]]
            bits[1, i] = bits[0, i] | (bits[1, parent[i]] if parent[i] >= 0 else 0)
    return found[0], found[1]


def keywords(
    double[:, ::1] out, const uint64_t[::1] own, const uint64_t[::1] inherited, const int[::1] parent,
    const int64_t[::1] rows, int groups, int tags, const int64_t[::1] page_groups,
):
    """Write the keyword groups of the two nearest elements around each text, of all around it, and of the page."""
    cdef Py_ssize_t count = rows.shape[0], size = own.shape[0], width = out.shape[1], k, c
    cdef int64_t node, above
    cdef uint64_t page = 0
    cdef uint64_t *near = <uint64_t *> malloc((2 * count + 1) * sizeof(uint64_t))
    cdef uint64_t *around = near + count
    if near == NULL:
        raise MemoryError
    for k in range(size):
        page |= own[k]
    for k in range(count):
        node = parent[rows[k]]
        above = parent[node]
        if above < 0:  # as numpy counts: from the end
            above += size
        near[k], around[k] = own[node] | own[above], inherited[node]
    write_bits(&out[0, 0], width, near, count, 0, groups - 1)
    write_bits(&out[groups, 0], width, around, count, 0, groups + tags - 1)
    for c in range(page_groups.shape[0]):
        for k in range(count):
            out[2 * groups + tags + c, k] = page >> page_groups[c] & 1
    free(near)
