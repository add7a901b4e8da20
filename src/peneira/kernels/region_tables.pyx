# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Groups of repeated nodes of a page with their features; ``texts/region_candidates.py`` has the same in numpy."""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.math cimport sqrt
from libc.stdint cimport int64_t, uint8_t, uint16_t
from libc.stdlib cimport calloc, free, malloc, qsort

import numpy as np

from peneira.kernels.int_map cimport IntMap, map_code, map_free, map_init

# The columns of the running sums that are read, in this order
COLUMNS = ("chars", "link_chars", "links", "images", "texts", "numbers", "headings", "titles", "nodes")

cdef enum:
    CHARS = 0
    LINK_CHARS = 1
    LINKS = 2
    IMAGES = 3
    TEXTS = 4
    NUMBERS = 5
    HEADINGS = 6
    TITLES = 7
    NODES = 8
    COUNT = 9

cdef extern from "Python.h":
    Py_UCS4 PyUnicode_READ(int kind, const void *data, Py_ssize_t index) nogil
    bint Py_UNICODE_ISSPACE(Py_UCS4 character) nogil


cdef inline bint is_invisible(Py_UCS4 character) noexcept nogil:
    return character >= 0xAD and (
        character == 0xAD or 0x200B <= character <= 0x200F or character == 0x2060 or character == 0xFEFF
    )


cdef inline int length_without_edges(str text, bint *has_digit):
    """Return the number of characters between spaces and invisible ones, and whether there is a digit."""
    cdef int kind = PyUnicode_KIND(text)
    cdef const void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t first = 0, last = PyUnicode_GET_LENGTH(text), c
    cdef Py_UCS4 character
    has_digit[0] = False
    for c in range(last):
        character = PyUnicode_READ(kind, data, c)
        if 48 <= character <= 57:
            has_digit[0] = True
            break
    while first < last and Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, first)):
        first += 1
    while first < last and Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, last - 1)):
        last -= 1
    while first < last and is_invisible(PyUnicode_READ(kind, data, first)):
        first += 1
    while first < last and is_invisible(PyUnicode_READ(kind, data, last - 1)):
        last -= 1
    return <int> (last - first)


def running_sums(
    list texts, const int[::1] tag, const int[::1] end, const uint8_t[::1] silent, const uint8_t[::1] kinds,
):
    """Return the running sums ``COLUMNS``; ``kinds`` of tags: bits for links, images, headings, titles."""
    cdef Py_ssize_t size = tag.shape[0], i, c
    cdef int kind, link_end = 0, length
    cdef bint has_digit = False
    cdef int now[COUNT]
    table = np.empty((size + 1, COUNT), dtype=np.int32)
    cdef int[:, ::1] sums = table
    for c in range(COUNT):
        sums[0, c] = now[c] = 0
    for i in range(size):
        kind = kinds[tag[i]]
        if kind & 1 and end[i] > link_end:
            link_end = end[i]
        now[LINKS] += kind & 1
        now[IMAGES] += kind >> 1 & 1
        now[HEADINGS] += kind >> 2 & 1
        now[TITLES] += kind >> 3 & 1
        if not silent[i]:
            now[NODES] += 1
            if tag[i] == 0:
                length = length_without_edges(texts[i], &has_digit)
                now[TEXTS] += 1
                now[NUMBERS] += has_digit
                now[CHARS] += length
                now[LINK_CHARS] += length if i < link_end else 0
        for c in range(COUNT):
            sums[i + 1, c] = now[c]
    return table


cdef struct Group:
    int64_t key
    int64_t chars
    int count
    int first
    int filled
    int code


cdef int by_key(const void *left, const void *right) noexcept nogil:
    cdef int64_t a = (<const Group *> left).key, b = (<const Group *> right).key
    return (a > b) - (a < b)


def large_groups(
    const int[::1] tag, const int[::1] parent, const int[::1] end, const int[::1] path, const uint8_t[::1] silent,
    const int[:, ::1] sums, int chars_column, int body, int64_t tags, int min_members, double min_share,
):
    """Return the members of the large groups of siblings of one tag, then of nodes of one path; sizes and kinds of these.

    Groups are in the order of their keys, members in document order.
    """
    cdef Py_ssize_t size = tag.shape[0], i, kind, total = 0
    cdef int64_t key, whole = sums[end[0], chars_column] - sums[0, chars_column] if size else 0, chars
    cdef int code, kept, k, groups
    cdef IntMap codes
    cdef list members = [], counts = [], kinds = []
    whole = max(whole, 1)
    cdef Group *found = <Group *> malloc((size + 1) * sizeof(Group))
    # the group of each row, and the place of each group among those that are kept
    cdef int *group_of = <int *> malloc((size + 1) * sizeof(int))
    cdef int *place_of = <int *> malloc((size + 1) * sizeof(int))
    if found == NULL or group_of == NULL or place_of == NULL:
        free(found)
        free(group_of)
        free(place_of)
        raise MemoryError
    cdef int[::1] rows
    try:
        for kind in range(2):
            if not map_init(&codes, 256):
                raise MemoryError
            groups = 0
            for i in range(body + 1, size):
                group_of[i] = -1
                if tag[i] == 0 or silent[i]:
                    continue
                chars = sums[end[i], chars_column] - sums[i, chars_column]
                if chars <= 0:
                    continue
                key = path[i] if kind else parent[i] * tags + tag[i]
                code = map_code(&codes, key, groups)
                if code < 0:
                    map_free(&codes)
                    raise MemoryError
                if code == groups:
                    found[code] = Group(key, 0, 0, 0, 0, code)
                    groups += 1
                group_of[i] = code
                found[code].chars += chars
                found[code].count += 1
            map_free(&codes)
            kept, total = 0, 0
            for k in range(groups):
                place_of[k] = -1
                if found[k].count >= min_members and found[k].chars / <double> whole >= min_share:
                    found[kept] = found[k]
                    kept += 1
            qsort(found, kept, sizeof(Group), by_key)
            sizes = np.empty(kept, dtype=np.int64)
            for k in range(kept):
                found[k].first = <int> total
                total += found[k].count
                sizes[k] = found[k].count
                place_of[found[k].code] = k
            column = np.empty(total, dtype=np.int32)
            rows = column
            if kept:
                for i in range(body + 1, size):
                    code = place_of[group_of[i]] if group_of[i] >= 0 else -1
                    if code >= 0:
                        rows[found[code].first + found[code].filled] = <int> i
                        found[code].filled += 1
            members.append(column)
            counts.append(sizes)
            kinds.append(np.full(kept, kind, dtype=np.int64))
    finally:
        free(found)
        free(group_of)
        free(place_of)
    return np.concatenate(members), np.concatenate(counts), np.concatenate(kinds)


cdef double spread(double total, double squares, double count, double *mean) noexcept nogil:
    cdef double apart
    mean[0] = total / count
    apart = squares / count - mean[0] * mean[0]
    return sqrt(apart if apart > 0 else 0) / (mean[0] if mean[0] > 1 else 1)


def group_features(
    const int[::1] members, const int64_t[::1] counts, const int64_t[::1] kinds, const int[::1] tag,
    const int[::1] parent, const int[::1] end, const int[::1] depth, const uint8_t[::1] hidden,
    const int[:, ::1] sums, const int64_t[::1] columns, const uint16_t[::1] tag_numbers, int around, int own,
    int64_t min_chars, int64_t long_chars, int width,
):
    """Return start, end and common ancestor of each group, and its features, before logarithms.

    ``tag_numbers``: of a tag, its number among ``own`` tags times eight, plus that among ``around`` tags.
    """
    cdef Py_ssize_t groups = counts.shape[0], size = tag.shape[0], g, m, at = 0, last, c
    cdef int64_t row, step, max_step, chars, value, links, plain_all
    cdef int64_t total[COUNT]
    cdef int64_t whole[COUNT]
    cdef int64_t start_of, end_of, before, blank, long
    cdef double count, mean, steps, step_squares, size_total, size_squares, char_total, char_squares
    cdef int node, top, code, parents, distinct, sizes, place, bits, joint
    cdef IntMap of_chars
    starts, ends, ancestors = np.empty((3, groups), dtype=np.int64)
    table = np.zeros((groups, width))
    cdef int64_t[::1] start = starts, stop = ends, ancestor = ancestors
    cdef double[:, ::1] out = table
    cdef int col[COUNT]
    for c in range(COUNT):
        col[c] = <int> columns[c]
        whole[c] = sums[size, col[c]]
    plain_all = max(whole[CHARS] - whole[LINK_CHARS], 1)
    # the last group, from 1 on, that a parent and a size occurred in
    cdef Py_ssize_t *of_parent = <Py_ssize_t *> calloc(2 * size + 2, sizeof(Py_ssize_t))
    cdef Py_ssize_t *of_size = of_parent + size + 1
    if of_parent == NULL:
        raise MemoryError
    for g in range(groups):
        last = at + counts[g] - 1
        count = counts[g]
        row = members[at]
        if not map_init(&of_chars, 16):
            free(of_parent)
            raise MemoryError
        for c in range(COUNT):
            total[c] = 0
        max_step = blank = long = 0
        steps = step_squares = size_total = size_squares = char_total = char_squares = 0
        parents = distinct = sizes = code = 0
        for m in range(at, last + 1):
            node = members[m]
            step = members[m + 1] - node if m < last else 0
            max_step = max(max_step, step)
            steps += step
            step_squares += <double> step * step
            for c in range(COUNT):
                total[c] += sums[end[node], col[c]] - sums[node, col[c]]
            chars = sums[end[node], col[CHARS]] - sums[node, col[CHARS]]
            char_total += chars
            char_squares += <double> chars * chars
            blank += chars < min_chars
            long += chars > long_chars
            value = end[node] - node
            size_total += value
            size_squares += <double> value * value
            parents += of_parent[parent[node] + 1] != g + 1
            sizes += of_size[value] != g + 1
            of_parent[parent[node] + 1] = of_size[value] = g + 1
            code = map_code(&of_chars, chars, distinct)
            distinct += code == distinct
            if code < 0:
                break
        map_free(&of_chars)
        if code < 0:
            free(of_parent)
            raise MemoryError
        # a record may start before its repeated node and end after it, by at most the largest step between members
        before = end[members[last]]
        joint = parent[row]
        while end[joint] < before and parent[joint] >= 0:
            joint = parent[joint]
        top = <int> row
        while parent[top] != joint:
            top = parent[top]
        start_of = top if row - top <= max_step else row
        end_of = min(max(before, members[last] + max_step), <int64_t> end[joint])
        start[g], stop[g], ancestor[g] = start_of, end_of, joint
        # sizes
        out[g, 0] = count
        out[g, 1] = total[CHARS] / <double> max(whole[CHARS], 1)
        out[g, 3] = spread(char_total, char_squares, count, &mean)
        out[g, 2] = mean
        out[g, 5] = spread(size_total, size_squares, count, &mean)
        out[g, 4] = mean
        out[g, 6] = total[LINKS] / count
        out[g, 7] = total[LINK_CHARS] / <double> max(total[CHARS], 1)
        out[g, 8] = total[IMAGES] / count
        out[g, 9] = total[TEXTS] / count
        out[g, 10] = total[NUMBERS] / count
        # positions
        out[g, 11] = row / <double> size
        out[g, 12] = end_of / <double> size
        out[g, 13] = (end_of - row) / <double> size
        out[g, 14] = total[NODES] / <double> max(sums[end_of, col[NODES]] - sums[row, col[NODES]], 1)
        out[g, 15] = sums[row, col[CHARS]] / <double> max(whole[CHARS], 1)
        out[g, 16] = 1 - sums[end_of, col[CHARS]] / <double> max(whole[CHARS], 1)
        out[g, 17] = depth[row]
        # variety
        out[g, 18] = parents / count
        out[g, 19] = spread(steps, step_squares, count, &mean)
        out[g, 20] = distinct / count
        out[g, 21] = sizes / count
        out[g, 22] = blank / count
        out[g, 23] = long / count
        out[g, 24] = hidden[row]
        out[g, 25] = kinds[g]
        # what is in the whole range
        out[g, 26] = (total[CHARS] - total[LINK_CHARS]) / <double> plain_all
        out[g, 27] = (sums[end_of, col[CHARS]] - sums[row, col[CHARS]]) / <double> max(whole[CHARS], 1)
        links = sums[end_of, col[LINK_CHARS]] - sums[row, col[LINK_CHARS]]
        out[g, 28] = (sums[end_of, col[CHARS]] - sums[row, col[CHARS]] - links) / <double> plain_all
        out[g, 29] = (sums[end_of, col[NUMBERS]] - sums[row, col[NUMBERS]]) / <double> max(whole[NUMBERS], 1)
        out[g, 30] = (sums[end_of, col[IMAGES]] - sums[row, col[IMAGES]]) / <double> max(whole[IMAGES], 1)
        out[g, 31] = (sums[end_of, col[LINKS]] - sums[row, col[LINKS]]) / <double> max(whole[LINKS], 1)
        out[g, 32] = total[HEADINGS] / count
        out[g, 33] = (sums[end_of, col[HEADINGS]] - sums[row, col[HEADINGS]]) / <double> max(whole[HEADINGS], 1)
        out[g, 34] = sums[row, col[TITLES]] > 0
        # tags
        node = <int> row
        while node >= 0:
            bits = tag_numbers[tag[node]] & 7
            if bits:
                out[g, 34 + bits] = 1
            node = parent[node]
        place = tag_numbers[tag[row]] >> 3
        if place:
            out[g, 34 + around + place] = 1
        at = last + 1
    free(of_parent)
    return starts, ends, ancestors, table
