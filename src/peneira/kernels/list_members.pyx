# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Where the members of lists end, which of them are records, and which elements these are.

``lists/members.py`` has the same in numpy, rule by rule, with the reasons for them; the tests compare the results.
"""

from libc.stdint cimport int64_t

import numpy as np

cdef extern from "Python.h":
    int PyObject_GenericSetAttr(object owner, object name, object value) except -1


def without_interruptions(
    const int64_t[::1] starts, const int64_t[::1] ends, const int64_t[::1] counts, const int[::1] end,
    const int[:, ::1] sums, Py_ssize_t chars, double max_share,
):
    """Return the ends of the members without the siblings that follow only a few of them, and of which lists they are."""
    cdef Py_ssize_t g, k, first = 0
    cdef int64_t more, own, between
    cdef int stop
    new_ends, are_rare = np.array(ends), np.zeros(counts.shape[0], dtype=np.bool_)
    cdef int64_t[::1] out = new_ends
    cdef unsigned char[::1] rare = are_rare.view(np.uint8)
    for g in range(counts.shape[0]):
        more = own = between = 0
        for k in range(first, first + counts[g]):
            stop = end[starts[k]]
            more += stop < ends[k]
            own += sums[stop, chars] - sums[starts[k], chars]
            between += sums[ends[k], chars] - sums[stop, chars]
        if 0 < more and <double> more <= max_share * <double> counts[g] and between < own:
            rare[g] = True
            for k in range(first, first + counts[g]):
                out[k] = end[starts[k]]
        first += counts[g]
    return new_ends, are_rare


def without_trailing_headings(
    const int64_t[::1] starts, const int64_t[::1] ends, const int64_t[::1] counts, const int[::1] tag,
    const int[::1] parent, const unsigned char[::1] is_heading,
):
    """Return the ends of the members without the headings that some of them end with; ``is_heading``: by tag."""
    cdef Py_ssize_t g, k, first = 0
    cdef int64_t headings
    cdef int last, level
    new_ends = np.array(ends)
    cdef int64_t[::1] out = new_ends
    for g in range(counts.shape[0]):
        headings = 0
        for k in range(first, first + counts[g]):
            last, level = <int> ends[k] - 1, parent[starts[k]]
            while parent[last] > level:
                last = parent[last]
            if last > starts[k] and is_heading[tag[last]]:
                headings += 1
                out[k] = last
        if headings >= counts[g] - 1:  # they are part of the records
            for k in range(first, first + counts[g]):
                out[k] = ends[k]
        first += counts[g]
    return new_ends


cdef struct Columns:
    int chars
    int texts
    int numbers
    int links
    int headers


cdef class MemberJudge:
    """Tells members that are no records: headers of tables, and ends that lack what all others have.

    ``columns``: those of characters, texts, numbers, links and header cells among the running sums; ``lacked``: pairs of
    columns of which an end lacks both; the codes of rows and cells of tables are -1 where a page has none.
    """

    cdef const int[::1] tag, end
    cdef const int[:, ::1] sums
    cdef const unsigned char[::1] is_bold
    cdef Columns column
    cdef int row, cell
    cdef list lacked

    def __init__(self, page, sums, columns, int row, int cell, is_bold, list lacked):
        self.tag, self.end, self.sums = page.tag, page.end, sums
        self.column.chars, self.column.texts, self.column.numbers, self.column.links, self.column.headers = columns
        self.row, self.cell, self.is_bold, self.lacked = row, cell, is_bold, lacked

    cdef inline int count(self, int column, int64_t start, int64_t end) noexcept:
        return self.sums[end, column] - self.sums[start, column]

    cdef bint is_row(self, int64_t start, int64_t end) noexcept:
        return self.tag[start] == self.row and self.end[start] == end

    cdef bint is_plain(self, int64_t start, int64_t end, int max_chars) noexcept:
        """Return whether the words of a member are short and have no digits."""
        return self.count(self.column.numbers, start, end) == 0 and (
            self.count(self.column.chars, start, end) <= max_chars * self.count(self.column.texts, start, end)
        )

    cdef bint is_all_bold(self, int64_t start, int64_t end) noexcept:
        """Return whether all text of a member is in bold elements; ``is_bold``: which rows lie in one."""
        cdef int64_t i
        for i in range(start, end):
            if not self.is_bold[i] and self.sums[i + 1, self.column.chars] > self.sums[i, self.column.chars]:
                return False
        return True

    def judged(
        self, double[::1] probability, const int64_t[::1] starts, const int64_t[::1] ends, const int64_t[::1] counts,
        int min_captions, int max_caption_chars, int min_captioned, int min_others, double min_probability,
        int min_records, double max_left_out,
    ):
        """Return which members are kept; ``probability`` is 0 afterwards where one is surely no record, else 0..1."""
        cdef Py_ssize_t g, k, first = 0, last, kept_count
        kept = np.empty(starts.shape[0], dtype=np.bool_)
        cdef unsigned char[::1] out = kept.view(np.uint8)
        for g in range(counts.shape[0]):
            last = first + counts[g] - 1
            for k in range(first, last + 1):
                probability[k] = min(max(probability[k], 0.0), 1.0)
                if self.is_row(starts[k], ends[k]) and self.count(self.column.headers, starts[k], ends[k]) > 0:
                    if not self.has_cells(starts[k], ends[k]):
                        probability[k] = 0.0
            if counts[g] > min_captioned and self.is_caption(starts, ends, first, last, min_captions, max_caption_chars):
                probability[first] = 0.0
            if counts[g] > min_others:
                for k in (first, last):
                    for left, right in self.lacked:
                        if self.lacks_alone(left, starts, ends, first, last, k) and (
                            self.lacks_alone(right, starts, ends, first, last, k)
                        ):
                            probability[k] = 0.0
            kept_count = 0
            for k in range(first, last + 1):
                out[k] = probability[k] >= min_probability
                kept_count += out[k]
            if kept_count < min_records or <double> kept_count < (1 - max_left_out) * <double> counts[g]:
                for k in range(first, last + 1):
                    out[k] = True
            first = last + 1
        return kept

    cdef bint has_cells(self, int64_t start, int64_t end) noexcept:
        cdef int64_t i
        for i in range(start, end):
            if self.tag[i] == self.cell:
                return True
        return False

    cdef bint is_caption(
        self, const int64_t[::1] starts, const int64_t[::1] ends, Py_ssize_t first, Py_ssize_t last, int min_captions,
        int max_chars,
    ) noexcept:
        """Return whether the first member, and no other, is made of short words, all bold or without links."""
        cdef Py_ssize_t k
        cdef bint is_bold, is_unlinked
        if not self.is_row(starts[first], ends[first]) or self.count(self.column.headers, starts[first], ends[first]):
            return False
        if self.count(self.column.texts, starts[first], ends[first]) < min_captions:
            return False
        if not self.is_plain(starts[first], ends[first], max_chars):
            return False
        is_bold = self.is_all_bold(starts[first], ends[first])
        is_unlinked = self.count(self.column.links, starts[first], ends[first]) == 0
        for k in range(first + 1, last + 1):
            if not (is_bold or is_unlinked):
                return False
            if self.is_plain(starts[k], ends[k], max_chars):
                is_bold = is_bold and not self.is_all_bold(starts[k], ends[k])
                is_unlinked = is_unlinked and self.count(self.column.links, starts[k], ends[k]) > 0
        return is_bold or is_unlinked

    cdef bint lacks_alone(
        self, int column, const int64_t[::1] starts, const int64_t[::1] ends, Py_ssize_t first, Py_ssize_t last,
        Py_ssize_t member,
    ) noexcept:
        """Return whether a member, and no other, has nothing of a kind."""
        cdef Py_ssize_t k
        for k in range(first, last + 1):
            if (self.count(column, starts[k], ends[k]) == 0) != (k == member):
                return False
        return True


def whole_records(
    const int64_t[::1] starts, const int64_t[::1] ends, const int[::1] tag, const int[::1] parent, const int[::1] end,
    const int[:, ::1] sums, int chars, int images, int body, const unsigned char[::1] is_item, int min_records,
):
    """Return the records of a list, grown to the elements that have no other text, and to the items around them.

    ``is_item``: which tags are items.
    """
    cdef Py_ssize_t records = starts.shape[0], k
    cdef bint by_images = True
    cdef int above, item, outer = -1
    cdef int64_t own
    first, last = np.array(starts), np.array(ends)
    if records < min_records:
        return first, last
    cdef int64_t[::1] start = first, stop = last
    for k in range(records):
        by_images = by_images and sums[stop[k], chars] <= sums[start[k], chars]
    while True:
        for k in range(records):
            above = parent[start[k]]
            if above <= body or end[start[k]] != stop[k]:
                break
            own = sums[stop[k], chars] - sums[start[k], chars]
            if by_images:
                own += sums[stop[k], images] - sums[start[k], images]
            if own <= 0:
                break
            own -= sums[end[above], chars] - sums[above, chars]
            if by_images:
                own -= sums[end[above], images] - sums[above, images]
            if own:
                break
        else:
            for k in range(records):
                start[k] = parent[start[k]]
                stop[k] = end[start[k]]
            continue
        break
    items = np.empty(records, dtype=np.int64)
    cdef int64_t[::1] found = items
    cdef set seen = set()
    for k in range(records):
        item = <int> start[k]
        while item >= 0 and not is_item[tag[item]]:
            item = parent[item]
        if item < 0 or end[item] < stop[k] or (k and parent[item] != outer) or item in seen:
            return first, last
        outer = parent[item]
        seen.add(item)
        found[k] = item
    for k in range(records):
        start[k] = found[k]
        stop[k] = end[found[k]]
    return first, last


def node_records(type record_type, str xpath_slot, type node_type, paths, list ranges, list texts, list confidences):
    """Return the records of ranges of rows, each with its text and confidence, as ``result.node_record`` makes them."""
    cdef list records = []
    cdef tuple rows
    cdef Py_ssize_t k
    make = object.__new__
    for k in range(len(ranges)):
        rows = <tuple> ranges[k]
        node = make(node_type)
        PyObject_GenericSetAttr(node, "_paths", paths)
        PyObject_GenericSetAttr(node, "row", rows[0])
        record = make(record_type)
        PyObject_GenericSetAttr(record, "ranges", (rows,))
        PyObject_GenericSetAttr(record, "text", texts[k])
        PyObject_GenericSetAttr(record, xpath_slot, "")
        PyObject_GenericSetAttr(record, "confidence", round(confidences[k], 3))
        PyObject_GenericSetAttr(record, "fields", {})
        PyObject_GenericSetAttr(record, "records", ())
        PyObject_GenericSetAttr(record, "node", node)
        records.append(record)
    return records
