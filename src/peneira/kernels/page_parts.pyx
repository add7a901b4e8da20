# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Which parts of a page its rows lie in, how its text is made up of them, and which texts may state a number of records.

``lists/page_type_features.py``, ``lists/page_words.py`` and ``ml/running_sums.py`` have the same in numpy and patterns;
the tests compare the results.
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free

import numpy as np

cdef extern from "Python.h":
    Py_UCS4 PyUnicode_READ(int kind, const void *data, Py_ssize_t index) nogil
    bint Py_UNICODE_ISSPACE(Py_UCS4 character) nogil
    bint Py_UNICODE_ISDECIMAL(Py_UCS4 character) nogil
    bint Py_UNICODE_ISALNUM(Py_UCS4 character) nogil

# The kinds of elements whose number and text is asked for, a bit each; those before ``SHARED`` are counted
COUNTED = ("h1", "article", "blockquote", "time", "form", "button")
SHARED = (("nav", "header", "footer", "aside"), ("article",), ("main",), ("li",), ("pre", "code"))

cdef enum:
    COUNTED_KINDS = 6
    SHARED_KINDS = 5
    PARAGRAPH = 1 << (COUNTED_KINDS + SHARED_KINDS)
    TABLE_ROW = 1 << (COUNTED_KINDS + SHARED_KINDS + 1)


def kinds_of(str name):
    """Return the bits of the kinds that the elements of a name are of."""
    bits = sum(1 << k for k, other in enumerate(COUNTED) if name == other)
    bits += sum(1 << (COUNTED_KINDS + k) for k, others in enumerate(SHARED) if name in others)
    return bits + PARAGRAPH * (name == "p") + TABLE_ROW * (name == "tr")


def inside_flagged(const unsigned char[::1] flags, const int[::1] end):
    """Return which rows have the flag, or lie inside a row that has it."""
    cdef Py_ssize_t rows = flags.shape[0], i
    cdef int reached = 0
    inside = np.empty(rows, dtype=np.bool_)
    cdef unsigned char[::1] out = inside.view(np.uint8)
    for i in range(rows):
        if flags[i] and end[i] > reached:
            reached = end[i]
        out[i] = i < reached
    return inside


def inside_tags(const int[::1] tag, const int[::1] end, const unsigned char[::1] wanted):
    """Return which rows are elements of the tags that are wanted, by code, or lie inside one."""
    cdef Py_ssize_t rows = tag.shape[0], i
    cdef int reached = 0
    inside = np.empty(rows, dtype=np.bool_)
    cdef unsigned char[::1] out = inside.view(np.uint8)
    for i in range(rows):
        if wanted[tag[i]] and end[i] > reached:
            reached = end[i]
        out[i] = i < reached
    return inside


def make_up(
    const int[::1] tag, const int[::1] parent, const int[::1] end, const unsigned char[::1] silent,
    const int[:, ::1] sums, Py_ssize_t chars, const int[::1] kinds, int min_prose, int max_row, int min_table_rows,
):
    """Return how many elements of each of ``COUNTED`` there are that are not silent; the first of ``h1`` among them, -1:
    none; the characters in the outermost elements of each of ``SHARED``; those of each long paragraph; and those in the
    rows of tables of data.

    ``chars``: the column of the running sums; ``kinds``: the bits of each tag, by code.
    """
    cdef Py_ssize_t rows = tag.shape[0], i, k
    cdef int bits, own
    cdef int64_t counts[COUNTED_KINDS]
    cdef int64_t shares[SHARED_KINDS]
    cdef int reached[SHARED_KINDS]
    cdef int64_t in_tables = 0
    cdef int title = -1, table_rows = 0
    cdef list paragraphs = []
    cdef int *siblings = NULL
    for k in range(COUNTED_KINDS):
        counts[k] = 0
    for k in range(SHARED_KINDS):
        shares[k] = reached[k] = 0
    for i in range(rows):
        bits = kinds[tag[i]]
        if not bits:
            continue
        own = sums[end[i], chars] - sums[i, chars]
        for k in range(SHARED_KINDS):
            if bits >> (COUNTED_KINDS + k) & 1 and i >= reached[k]:
                reached[k] = end[i]
                shares[k] += own
        if silent[i]:
            continue
        for k in range(COUNTED_KINDS):
            counts[k] += bits >> k & 1
        if bits & 1 and title < 0:
            title = <int> i
        if bits & PARAGRAPH and own >= min_prose:
            paragraphs.append(own)
        table_rows += bits & TABLE_ROW and 0 < own <= max_row
    if table_rows >= min_table_rows:
        siblings = <int *> calloc(rows + 1, sizeof(int))
        if siblings == NULL:
            raise MemoryError
        for k in range(2):
            for i in range(rows):
                if kinds[tag[i]] & TABLE_ROW and not silent[i]:
                    own = sums[end[i], chars] - sums[i, chars]
                    if 0 < own <= max_row:
                        if k == 0:
                            siblings[parent[i] + 1] += 1
                        elif siblings[parent[i] + 1] >= min_table_rows:
                            in_tables += own
        free(siblings)
    return (
        [counts[k] for k in range(COUNTED_KINDS)], title, [shares[k] for k in range(SHARED_KINDS)], paragraphs, in_tables
    )


cdef enum:
    # of what stands between the first and the last number of a range, and between the last and the total
    MAX_BETWEEN = 9
    MIN_BEFORE_TOTAL = 2
    MAX_BEFORE_TOTAL = 16
    # of a text that is looked at
    MAX_RUNS = 32


cdef inline bint is_digit(Py_UCS4 character) noexcept nogil:
    return 48 <= character <= 57 or (character >= 128 and Py_UNICODE_ISDECIMAL(character))


cdef inline bint is_space(Py_UCS4 character) noexcept nogil:
    return character == 32 or 9 <= character <= 13 or 28 <= character <= 31 or (
        character >= 128 and Py_UNICODE_ISSPACE(character)
    )


cdef bint may_join(int kind, const void *data, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Return whether only white space, dashes and parts of words stand between two numbers, and few of them."""
    cdef Py_ssize_t k
    cdef Py_UCS4 character
    if end - start > MAX_BETWEEN:
        return False
    for k in range(start, end):
        character = PyUnicode_READ(kind, data, k)
        if not (
            is_space(character) or character == 45 or character == 0x2013 or character == 0x2014 or character == 95
            or Py_UNICODE_ISALNUM(character)
        ):
            return False
    return True


def stating_texts(list texts, Py_ssize_t most):
    """Return the texts that may state a number of records, and those that may state a range of them.

    Both are at most so long and have a digit of ASCII. The first have one number of at most four digits with a space after
    it. The others have two numbers, which may stand together, a space, and a third.
    """
    cdef list numbers = [], ranges = []
    cdef str text
    cdef Py_ssize_t length, k
    cdef Py_ssize_t starts[MAX_RUNS]
    cdef Py_ssize_t ends[MAX_RUNS]
    cdef int kind, runs, run
    cdef const void *data
    cdef Py_UCS4 character
    cdef bint has_ascii, in_run
    for text in texts:
        length = PyUnicode_GET_LENGTH(text)
        if length > min(most, 2 * MAX_RUNS) or length < 3:
            continue
        kind = PyUnicode_KIND(text)
        data = PyUnicode_DATA(text)
        runs = 0
        has_ascii = in_run = False
        for k in range(length):
            character = PyUnicode_READ(kind, data, k)
            if is_digit(character):
                has_ascii |= character < 128
                if not in_run:
                    starts[runs] = k
                    runs += 1
                ends[runs - 1] = k + 1
                in_run = True
            else:
                in_run = False
        if not has_ascii:
            continue
        if runs == 1:
            if ends[0] - starts[0] <= 4 and ends[0] < length and is_space(PyUnicode_READ(kind, data, ends[0])):
                numbers.append(text)
            continue
        for run in range(runs - 1):
            if (
                MIN_BEFORE_TOTAL <= starts[run + 1] - ends[run] <= MAX_BEFORE_TOTAL
                and is_space(PyUnicode_READ(kind, data, ends[run]))
                and (ends[run] - starts[run] > 2 or (run and may_join(kind, data, ends[run - 1], starts[run])))
            ):
                ranges.append(text)
                break
    return numbers, ranges


# What a tag is to the facts of the rows: bits, and from the fifth on the level of a heading
cdef enum:
    LINK = 1
    MAIN = 2
    DIALOG = 4
    LEVEL = 4

HEADING_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def roles_of(str name):
    """Return what the elements of a name are to ``RowFacts``."""
    if name in HEADING_TAGS:
        return int(name[1]) << LEVEL
    return {"a": LINK, "main": MAIN, "dialog": DIALOG}.get(name, 0)


cdef class RowFacts:
    """What is known of each row, or of what comes next after it, for the features of lists.

    ``text_code``, ``number_at``: the code of a text and the number that it begins with, -1: none; ``next_text``,
    ``next_link``: for each row boundary the next text and link, the number of rows where there is none; ``target``: equal
    for links with the same target, -1: no link; ``is_outside_main``, ``is_in_frame_role``: whether a row lies outside the
    main part of the page, or in a part beside it; ``heading_rows``, ``heading_level``: the headings.
    """

    cdef readonly object text_code, number_at, next_text, next_link, target, is_outside_main, is_in_frame_role
    cdef readonly object heading_rows, heading_level

    def __init__(
        self, const int[::1] tag, const int[::1] end, const unsigned char[::1] silent, const int[::1] tag_roles,
        const int64_t[::1] text_rows, const int[::1] codes, const int[::1] numbers,
        const int[::1] link_rows, const int[::1] link_codes, int empty_code,
        const int[::1] role_rows, const int[::1] role_codes, const unsigned char[::1] roles,
    ):
        """Fill the columns. ``tag_roles``: see ``roles_of``, by tag; ``link_rows``, ``link_codes``: the rows with an
        address and its code, ``empty_code``: that of the empty one; ``role_rows``, ``role_codes``: the rows with a role
        and its code; ``roles``: 1 for that of the main part, 2 for those beside it, by code."""
        cdef Py_ssize_t rows = tag.shape[0], i, k = text_rows.shape[0], j = link_rows.shape[0], r = 0
        cdef int upcoming_text = <int> rows, upcoming_link = <int> rows, main_end = 0, frame_end = 0, own, count = 0
        cdef bint has_main = False
        columns = np.empty((5, rows + 1), dtype=np.int32)
        self.text_code, self.number_at, self.target = columns[0, :rows], columns[1, :rows], columns[2, :rows]
        self.next_text, self.next_link = columns[3], columns[4]
        cdef int[:, ::1] out = columns
        self.is_outside_main, self.is_in_frame_role = np.empty(rows, dtype=np.uint8), np.empty(rows, dtype=np.uint8)
        cdef unsigned char[::1] outside = self.is_outside_main, in_frame = self.is_in_frame_role
        out[3, rows] = out[4, rows] = <int> rows
        for i in range(rows - 1, -1, -1):
            out[0, i] = out[1, i] = out[2, i] = -1
            if k and text_rows[k - 1] == i:
                k -= 1
                upcoming_text = <int> i
                out[0, i], out[1, i] = codes[k], numbers[k]
            while j and link_rows[j - 1] > i:
                j -= 1
            own = tag_roles[tag[i]]
            if own & LINK and not silent[i]:
                upcoming_link = <int> i
                out[2, i] = 0
                if j and link_rows[j - 1] == i and link_codes[j - 1] != empty_code:
                    out[2, i] = link_codes[j - 1] + 1
            count += own >> LEVEL > 0 and not silent[i]
            out[3, i], out[4, i] = upcoming_text, upcoming_link
        heading_rows, heading_level = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int32)
        self.heading_rows, self.heading_level = heading_rows, heading_level
        cdef int[::1] heading = heading_rows, level = heading_level
        count = 0
        for i in range(rows):
            own = tag_roles[tag[i]]
            if own >> LEVEL and not silent[i]:
                heading[count], level[count] = <int> i, own >> LEVEL
                count += 1
            if r < role_rows.shape[0] and role_rows[r] == i:
                own |= MAIN * (roles[role_codes[r]] & 1) | DIALOG * (roles[role_codes[r]] >> 1 & 1)
                r += 1
            if own & MAIN:
                has_main = True
                main_end = max(main_end, end[i])
            if own & DIALOG:
                frame_end = max(frame_end, end[i])
            outside[i] = i >= main_end
            in_frame[i] = i < frame_end
        if not has_main:
            for i in range(rows):
                outside[i] = False


def write_pagers(
    int[:, ::1] sums, Py_ssize_t column, const int[::1] bits, int bit, const unsigned char[::1] silent,
    const int[::1] relation_rows, const int[::1] relation_codes, const unsigned char[::1] relations,
):
    """Write running sums of the rows that are not silent and have a bit, or a relation of those that count, by code."""
    cdef Py_ssize_t i, r = 0
    cdef bint own
    sums[0, column] = 0
    for i in range(bits.shape[0]):
        own = bits[i] >> bit & 1
        if r < relation_rows.shape[0] and relation_rows[r] == i:
            own = own or relations[relation_codes[r]]
            r += 1
        sums[i + 1, column] = sums[i, column] + (own and not silent[i])


def longest_count(
    list texts, const int[::1] tag, const int[::1] end, const unsigned char[::1] silent, int link_tag,
    const int[::1] next_text, const int[::1] number_at, Py_ssize_t max_digits,
):
    """Return the length of the longest run of links whose texts count up, one number of so many digits each: 1 2 3."""
    cdef Py_ssize_t rows = tag.shape[0], i, row, longest = 0, run = 0
    cdef int before = -1
    for i in range(rows):
        if tag[i] != link_tag or silent[i] or next_text[i] >= end[i]:
            continue
        row = next_text[i]
        if number_at[row] < 0 or not is_number(<str> texts[row], max_digits):
            run, before = 0, -1
            continue
        run = run + 1 if number_at[row] == before + 1 else 1
        before = number_at[row]
        longest = max(longest, run)
    return longest


cdef bint is_number(str text, Py_ssize_t max_digits):
    """Return whether a text is a number of so many digits at most, and white space."""
    cdef int kind = PyUnicode_KIND(text)
    cdef const void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t first = 0, last = PyUnicode_GET_LENGTH(text), k
    while first < last and is_space(PyUnicode_READ(kind, data, first)):
        first += 1
    while first < last and is_space(PyUnicode_READ(kind, data, last - 1)):
        last -= 1
    for k in range(first, last):
        if k - first >= max_digits or not is_digit(PyUnicode_READ(kind, data, k)):
            return False
    return first < last
