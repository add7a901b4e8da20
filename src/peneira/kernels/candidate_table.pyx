# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The columns of the table of candidates beside those of ``list_features``: stated counts, tags, kinds, logarithms.

``lists/features.py`` has the same in numpy; the tests compare the results.
"""

from libc.stdint cimport int64_t

import numpy as np


def first_records(const int64_t[::1] counts):
    """Return the number of the first record of each list, given how many each has."""
    cdef Py_ssize_t k
    cdef int64_t first = 0
    found = np.empty(counts.shape[0], dtype=np.int64)
    cdef int64_t[::1] out = found
    for k in range(counts.shape[0]):
        out[k] = first
        first += counts[k]
    return found


def gathered(const double[:, ::1] table, const int64_t[::1] columns):
    """Return some columns of a table."""
    cdef Py_ssize_t rows = table.shape[0], width = columns.shape[0], i, k
    values = np.empty((rows, width))
    cdef double[:, ::1] out = values
    for i in range(rows):
        for k in range(width):
            out[i, k] = table[i, columns[k]]
    return values


def scatter(double[:, ::1] table, const int64_t[::1] columns, const double[:, ::1] values):
    """Write some columns of a table."""
    cdef Py_ssize_t i, k
    for i in range(table.shape[0]):
        for k in range(columns.shape[0]):
            table[i, columns[k]] = values[i, k]


def write_stated(double[:, ::1] table, Py_ssize_t at, const int64_t[::1] counts, ranges, numbers):
    """Write whether each list has as many records as the page states as a range, as a number, and whether it states any."""
    cdef Py_ssize_t i
    cdef bint any_range = bool(ranges), any_number = bool(numbers)
    for i in range(counts.shape[0]):
        table[i, at] = any_range and counts[i] in ranges
        table[i, at + 1] = any_number and counts[i] in numbers
        table[i, at + 2] = any_range


def write_tags(
    double[:, ::1] table, Py_ssize_t at, const int[::1] parent, const int[::1] tag, const int[::1] frames, int frame_count,
    const int64_t[::1] first, const int64_t[::1] counts, const int64_t[::1] starts, const int[::1] columns, int tag_count,
):
    """Write which elements each list lies in, and the tag of its middle record.

    ``frames``: a bit for each kind of element, by tag; ``columns``: the column of each tag, -1: none.
    """
    cdef Py_ssize_t i, k
    cdef int row, bits, column
    for i in range(counts.shape[0]):
        row, bits = <int> starts[first[i]], 0
        while row >= 0:
            bits |= frames[tag[row]]
            row = parent[row]
        for k in range(frame_count):
            table[i, at + k] = bits >> k & 1
        for k in range(tag_count):
            table[i, at + frame_count + k] = 0
        column = columns[tag[starts[first[i] + counts[i] // 2]]]
        if column >= 0:
            table[i, at + frame_count + column] = 1


def write_kinds(
    double[:, ::1] table, Py_ssize_t at, const int64_t[::1] kind, int kinds, const int64_t[::1] support,
    const double[::1] log_support,
):
    """Write by what each list was cut, and how many times it came up."""
    cdef Py_ssize_t i, k
    cdef int64_t most = 1
    for i in range(kind.shape[0]):
        most = max(most, support[i])
    for i in range(kind.shape[0]):
        for k in range(kinds):
            table[i, at + k] = kind[i] == k
        table[i, at + kinds] = log_support[i]
        table[i, at + kinds + 1] = <double> support[i] / <double> most


def taken(
    const int64_t[::1] which, const int64_t[::1] first, const int64_t[::1] counts, const int64_t[::1] starts,
    const int64_t[::1] ends, const int64_t[::1] kind, const int64_t[::1] support,
):
    """Return some of the candidates, in the order of ``which``: starts, ends, counts, kinds and support."""
    cdef Py_ssize_t lists = which.shape[0], i, k, at = 0
    cdef int64_t total = 0, begin
    for i in range(lists):
        total += counts[which[i]]
    new_starts, new_ends = np.empty(total, dtype=np.int64), np.empty(total, dtype=np.int64)
    of_lists = np.empty((3, lists), dtype=np.int64)
    cdef int64_t[::1] start = new_starts, end = new_ends
    cdef int64_t[:, ::1] own = of_lists
    for i in range(lists):
        begin = first[which[i]]
        own[0, i], own[1, i], own[2, i] = counts[which[i]], kind[which[i]], support[which[i]]
        for k in range(begin, begin + counts[which[i]]):
            start[at], end[at] = starts[k], ends[k]
            at += 1
    return new_starts, new_ends, of_lists[0], of_lists[1], of_lists[2]
