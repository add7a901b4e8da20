# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The blocks of text of a page and what each of them is, in one pass over its nodes.

``texts/text_blocks.py``, ``text_outline.py`` and ``text_rendering.py`` have the same in plain Python; the tests compare
the results.
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free, malloc

import numpy as np

from peneira.kernels.int_map cimport IntMap, map_code, map_free, map_init

cdef extern from "Python.h":
    Py_UCS4 PyUnicode_READ(int kind, const void *data, Py_ssize_t index) nogil
    bint Py_UNICODE_ISSPACE(Py_UCS4 character) nogil

cdef enum:
    # bits of the kinds of tags: see KINDS of `text_tables.pyx`
    UNREAD = 512
    EDGE = 1024
    BREAK = 2048
    SEPARATE = 8192
    CODE = 16384
    # what stands around a text, by the numbers of PLACES
    HEADING_1 = 1
    HEADING_6 = 6
    PRE = 7
    BLOCKQUOTE = 8
    ITEM = 9
    LIST = 10
    CELL = 11
    TABLE_ROW = 12
    TABLE = 13
    PROSE = 14
    # numbers of kinds of lines
    PARAGRAPH_LINE = 0
    HEADING_LINE = 1
    ITEM_LINE = 2
    CELL_LINE = 3
    CODE_LINE = 4
    QUOTE_LINE = 5

# The tags of each number above
PLACES = (
    (), ("h1",), ("h2",), ("h3",), ("h4",), ("h5",), ("h6",), ("pre",), ("blockquote",), ("li", "dd", "dt"), ("ul", "ol"),
    ("td", "th"), ("tr",), ("table",), ("p",),
)  # fmt: skip

cdef struct Place:
    int heading
    int is_code
    int quote
    int item
    int list
    int depth
    int cell
    int row
    int table


def shown_texts(
    const int[::1] tag, const int[::1] parent, const uint8_t[::1] silent, str text, const int[::1] starts,
    const int[::1] ends,
):
    """Return the rows of the texts that a reader may see and are not blank, and their strings.

    ``text``: that of the page; ``starts``, ``ends``: per row, where its text starts and where that before it ends.
    """
    cdef Py_ssize_t size = tag.shape[0], i, used = 0
    cdef list strings = []
    if starts.shape[0] <= size or ends.shape[0] <= size:
        raise ValueError("a row has no place in the text of the page")
    rows = np.empty(size, dtype=np.int64)
    cdef int64_t[::1] row = rows
    for i in range(size):
        if tag[i] == 0 and not silent[i] and parent[i] >= 0 and starts[i] < ends[i + 1]:
            strings.append(text[starts[i] : ends[i + 1]])
            row[used] = i
            used += 1
    return rows[:used].copy(), strings


def text_blocks(
    const int[::1] tag, const int[::1] end, const uint8_t[::1] silent, const uint32_t[::1] kinds,
    const int64_t[::1] rows,
):
    """Return which of the texts are read, where among these the blocks begin, and the block of each."""
    cdef Py_ssize_t size = tag.shape[0], count = rows.shape[0], i, k = 0, used = 0, blocks = 0
    cdef int64_t unread_end = 0, edges = 0, before = -1
    flags = np.zeros(count, dtype=np.bool_)
    starts, owners = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    cdef uint8_t[::1] read = flags.view(np.uint8)
    cdef int64_t[::1] start = starts, owner = owners
    cdef int *ending = <int *> calloc(size + 1, sizeof(int))
    if ending == NULL:
        raise MemoryError
    for i in range(size):
        if k == count:
            break
        if kinds[tag[i]] & UNREAD and end[i] > unread_end:
            unread_end = end[i]
        edges += ending[i]
        if kinds[tag[i]] & EDGE and not silent[i]:
            ending[end[i]] += 1
            edges += 1
        if rows[k] == i:
            if i >= unread_end:
                read[k] = True
                if edges != before or used == 0:
                    start[blocks] = used
                    blocks += 1
                before = edges
                owner[used] = blocks - 1
                used += 1
            k += 1
    free(ending)
    return flags, starts[:blocks].copy(), owners[:used].copy()


cdef inline bint begins_with_space(str text):
    return PyUnicode_GET_LENGTH(text) > 0 and Py_UNICODE_ISSPACE(
        PyUnicode_READ(PyUnicode_KIND(text), PyUnicode_DATA(text), 0)
    )


cdef inline bint ends_with_space(str text):
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text)
    return size > 0 and Py_UNICODE_ISSPACE(PyUnicode_READ(PyUnicode_KIND(text), PyUnicode_DATA(text), size - 1))


def joined(
    list strings, const int64_t[::1] rows, const int64_t[::1] starts, list texts, list spaced, const int[::1] tag,
    const int[::1] parent, const int[::1] end, const uint32_t[::1] kinds,
):
    """Return the text of each block: of one text, or of several with a space where a reader sees one."""
    cdef Py_ssize_t count = rows.shape[0], blocks = starts.shape[0], k, at, last, i
    cdef int64_t before, row
    cdef int own, other
    cdef bint space
    cdef list found = [], parts
    for k in range(blocks):
        at, last = starts[k], starts[k + 1] if k + 1 < blocks else count
        if last == at + 1:
            found.append(strings[at])
            continue
        parts = [strings[at]]
        for i in range(at + 1, last):
            before, row = rows[i - 1], rows[i]
            space = spaced[row] or begins_with_space(texts[row]) or ends_with_space(texts[before])
            own = before + 1
            while not space and own < row:
                space = spaced[own] or kinds[tag[own]] & BREAK != 0
                own += 1
            if not space:
                # two texts that end and begin elements of their own, outside code
                own, other = parent[before], parent[row]
                if own != other and kinds[tag[own]] & SEPARATE and kinds[tag[other]] & SEPARATE:
                    if end[own] <= row and other > before:
                        space = not is_in_code(row, tag, parent, kinds) and not are_joined(texts[before], texts[row])
            if space:
                parts.append(" ")
            parts.append(strings[i])
        found.append("".join(parts))
    return found


cdef bint are_joined(str ended, str begun):
    """Return whether the signs at the end of a text and at the beginning of the next stand against words."""
    cdef str before = ended.rstrip(), text = begun.lstrip()
    cdef Py_UCS4 last, first
    if not before or not text:
        return False
    last, first = before[len(before) - 1], text[0]
    if last in "([{$€£" or before == "#" or before == "@" or first in ",;:!?%)]}…’”":
        return True
    if first == ".":
        return len(text) == 1 or not text[1].isupper()
    return last == "." and first.islower() and " " not in before


cdef bint is_in_code(int64_t row, const int[::1] tag, const int[::1] parent, const uint32_t[::1] kinds) noexcept:
    while row >= 0:
        if kinds[tag[row]] & CODE:
            return True
        row = parent[row]
    return False


def line_places(
    const int64_t[::1] elements, const int[::1] tag, const int[::1] parent, int body, const uint8_t[::1] places,
):
    """Return what the blocks in these elements are: rows of kind, level, list, item, table, row, cell, quote, prose.

    ``places``: what each tag is, a number of ``PLACES``. Elements are in document order.
    """
    cdef Py_ssize_t count = elements.shape[0], k, size
    cdef int i, last = body
    for k in range(count):
        last = max(last, <int> elements[k])
    lines = np.full((9, count), -1, dtype=np.int32)
    cdef int[:, ::1] line = lines
    cdef Place *known = <Place *> malloc((last + 1) * sizeof(Place))
    cdef Place *own
    cdef Place outside = Place(0, 0, -1, -1, -1, 0, -1, -1, -1)
    if known == NULL:
        raise MemoryError
    with nogil:
        for i in range(last + 1):
            own = &known[i]
            if i <= body:
                own[0] = outside
                continue
            own[0] = known[parent[i]]
            if places[tag[i]] == 0:
                continue
            if places[tag[i]] <= HEADING_6:
                own.heading = places[tag[i]]
            elif places[tag[i]] == PRE:
                own.is_code = True
            elif places[tag[i]] == BLOCKQUOTE:
                if own.quote < 0:
                    own.quote = i
            elif places[tag[i]] == ITEM:
                own.item = i
            elif places[tag[i]] == LIST:
                own.list = i
                own.depth += 1
            elif places[tag[i]] == CELL:
                own.cell = i
            elif places[tag[i]] == TABLE_ROW:
                own.row = i
            elif places[tag[i]] == TABLE:
                own.table = i
                own.item = own.list = -1
                own.depth = 0
        for k in range(count):
            own = &known[elements[k]]
            line[1, k] = 0
            line[3, k] = own.item
            line[8, k] = 0
            if own.is_code:
                line[0, k] = CODE_LINE
                line[7, k] = own.quote
                continue
            if own.heading:
                line[0, k] = HEADING_LINE
                line[1, k] = own.heading
                continue
            line[7, k] = own.quote
            line[8, k] = places[tag[elements[k]]] == PROSE
            if own.cell >= 0 and own.row >= 0 and own.table >= 0:
                line[0, k] = CELL_LINE
                line[4, k], line[5, k], line[6, k] = own.table, own.row, own.cell
            elif own.item >= 0 and own.depth:
                line[0, k] = ITEM_LINE
                line[1, k] = own.depth
                line[2, k] = own.list
            else:
                line[0, k] = QUOTE_LINE if own.quote >= 0 else PARAGRAPH_LINE
        free(known)
    return lines


def drop_layout_tables(int[:, ::1] line, double max_blocks):
    """Make the lines of tables that only lay out a page paragraphs: of one row, one column, or long cells."""
    cdef Py_ssize_t count = line.shape[1], k
    cdef int code = 0, tables = 0, rows = 0, cells = 0
    cdef IntMap of_tables, of_rows, of_cells
    cdef int *totals = <int *> calloc(3 * count + 3, sizeof(int))  # lines, rows and cells of each table
    cdef bint is_ready = totals != NULL and map_init(&of_tables, 16)
    if is_ready and not map_init(&of_rows, 64):
        map_free(&of_tables)
        is_ready = False
    if is_ready and not map_init(&of_cells, 64):
        map_free(&of_tables)
        map_free(&of_rows)
        is_ready = False
    if not is_ready:
        free(totals)
        raise MemoryError
    for k in range(count):
        if line[0, k] != CELL_LINE:
            continue
        code = map_code(&of_tables, line[4, k], tables)
        if code < 0:
            break
        tables += code == tables
        line[2, k] = code
        totals[3 * code] += 1
        code = map_code(&of_rows, <int64_t> line[4, k] << 32 | line[5, k], rows)
        if code < 0:
            break
        totals[3 * line[2, k] + 1] += code == rows
        rows += code == rows
        code = map_code(&of_cells, <int64_t> line[4, k] << 32 | line[6, k], cells)
        if code < 0:
            break
        totals[3 * line[2, k] + 2] += code == cells
        cells += code == cells
    map_free(&of_tables)
    map_free(&of_rows)
    map_free(&of_cells)
    if code >= 0:
        for k in range(count):
            if line[0, k] != CELL_LINE:
                continue
            code = line[2, k]
            line[2, k] = -1
            rows, cells = totals[3 * code + 1], totals[3 * code + 2]
            if rows <= 1 or cells <= rows or totals[3 * code] > max_blocks * cells:
                line[0, k] = PARAGRAPH_LINE
                line[3, k] = line[4, k] = line[7, k] = -1
        code = 0
    free(totals)
    if code < 0:
        raise MemoryError


cdef inline Py_ssize_t count_below(const int64_t[::1] rows, int64_t bound) noexcept nogil:
    cdef Py_ssize_t low = 0, high = rows.shape[0], middle
    while low < high:
        middle = (low + high) // 2
        if rows[middle] < bound:
            low = middle + 1
        else:
            high = middle
    return low


def are_broken(const int[::1] tag, const uint32_t[::1] kinds, const int64_t[::1] rows, const int64_t[::1] ends):
    """Return, for each block, whether there is a line break between its first text and its last."""
    cdef Py_ssize_t k
    cdef int64_t row
    cdef list found = [False] * rows.shape[0]
    for k in range(rows.shape[0]):
        for row in range(rows[k], ends[k] - 1):
            if kinds[tag[row]] & BREAK:
                found[k] = True
                break
    return found


cdef inline bint is_apart(int kind, int64_t chars, bint is_prose, bint by_item, int64_t max_chars) noexcept nogil:
    """Return whether a line of plain text always stands between empty lines."""
    if chars >= max_chars:
        return True
    if by_item:
        return kind != PARAGRAPH_LINE and kind != HEADING_LINE
    return kind != PARAGRAPH_LINE or is_prose


cdef bint are_close(const int64_t[::1] rows, Py_ssize_t k, const int[::1] parent, const int[::1] end) noexcept nogil:
    """Return whether what holds a line and the one before it holds neither with others beside it."""
    cdef int left = <int> rows[k - 1], right = <int> rows[k]
    cdef int joint = parent[left]
    while end[joint] <= rows[k]:
        left, joint = joint, parent[joint]
    while parent[right] != joint:
        right = parent[right]
    return (
        count_below(rows, end[left]) - count_below(rows, left) <= 1
        and count_below(rows, end[right]) - count_below(rows, right) <= 1
    )


def separators(
    const int64_t[::1] rows, list kinds, list is_prose, list chars, const int[::1] parent, const int[::1] end,
    bint by_item, int64_t max_chars,
):
    """Return what stands in plain text between each line and the one before it: a new line, or an empty one.

    ``max_chars``: lines as long as that stand apart.
    """
    cdef Py_ssize_t count = rows.shape[0], k
    cdef bint apart, before = True
    cdef int kind, last = PARAGRAPH_LINE
    cdef list found = ["\n\n"] * count
    for k in range(count):
        kind = kinds[k]
        apart = is_apart(kind, chars[k], is_prose[k], by_item, max_chars)
        if k and ((kind == ITEM_LINE and last == ITEM_LINE) or not (
            apart or before or not are_close(rows, k, parent, end)
        )):
            found[k] = "\n"
        before, last = apart, kind
    return found
