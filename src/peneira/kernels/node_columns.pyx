# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Columns that are derived from the node table: codes of tag paths and of shapes, and the visible text.

``page.py`` and ``node_loops.py`` have the same in plain Python; the tests compare the results.
"""

from cpython.unicode cimport (
    PyUnicode_DATA, PyUnicode_FromKindAndData, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ,
)
from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free, malloc

import numpy as np

from peneira.kernels.int_map cimport IntMap, map_code, map_free, map_init
from peneira.kernels.untracked cimport untracked

cdef extern from "Python.h":
    bint Py_UNICODE_ISSPACE(Py_UCS4 character) nogil


def as_lists(*columns):
    """Return the columns as lists of numbers."""
    return tuple([untracked(column.tolist()) for column in columns])


def path_codes(const int[::1] tag, const int[::1] parent, styles):
    """Return a code per row, equal for equal tags (and styles, if given) on the path from the root to the row."""
    cdef Py_ssize_t rows = tag.shape[0], i
    column = np.empty(rows, dtype=np.int32)
    cdef int[::1] out = column
    cdef const int[::1] style = styles if styles is not None else tag
    cdef bint has_style = styles is not None
    cdef int64_t width = 1, height = 1, key
    cdef int fresh = 0, code = 0
    cdef IntMap codes
    if not map_init(&codes, 256):
        raise MemoryError
    with nogil:
        for i in range(rows):
            width = max(width, tag[i] + 1)
            if has_style:
                height = max(height, style[i] + 1)
        for i in range(rows):
            key = ((out[parent[i]] + 1 if parent[i] >= 0 else 0) * width + tag[i]) * height
            if has_style:
                key += style[i]
            code = map_code(&codes, key, fresh)
            if code < 0:
                break
            fresh += code == fresh
            out[i] = code
        map_free(&codes)
    if code < 0:
        raise MemoryError
    return column


def shape_ids(const int[::1] tag, const int[::1] parent):
    """Return an id per row, equal for equal subtrees of tags. A row with parent -1 is part of no other shape.

    The state of a row is a node of a trie over its tag and the ids of its children, last child first.
    """
    cdef Py_ssize_t rows = tag.shape[0], i
    column = np.empty(rows, dtype=np.int32)
    cdef int[::1] out = column
    cdef int *state = <int *> malloc((rows + 1) * sizeof(int))
    cdef IntMap steps, ids
    cdef int states = 1, fresh = 0, code = 0
    if state == NULL or not map_init(&steps, 256):
        free(state)
        raise MemoryError
    if not map_init(&ids, 256):
        free(state)
        map_free(&steps)
        raise MemoryError
    with nogil:
        for i in range(rows):
            state[i] = 0
        for i in range(rows - 1, -1, -1):
            if state[i] == 0:  # no children: the key is the tag alone
                code = map_code(&ids, -1 - <int64_t> tag[i], fresh)
            else:
                code = map_code(&steps, (<int64_t> state[i] << 32) | (<int64_t> 1 << 31) | tag[i], states)
                if code < 0:
                    break
                states += code == states
                code = map_code(&ids, code, fresh)
            if code < 0:
                break
            fresh += code == fresh
            out[i] = code
            if parent[i] >= 0:
                code = map_code(&steps, (<int64_t> state[parent[i]] << 32) | code, states)
                if code < 0:
                    break
                states += code == states
                state[parent[i]] = code
        free(state)
        map_free(&steps)
        map_free(&ids)
    if code < 0:
        raise MemoryError
    return column


cdef inline bint is_zero_width(Py_UCS4 character) noexcept nogil:
    return character >= 0xAD and (
        character == 0xAD or 0x200B <= character <= 0x200F or character == 0x2060 or character == 0xFEFF
    )


def visible_text(
    list texts, const int[::1] tag, const int[::1] end, const unsigned char[::1] visible,
    const unsigned char[::1] is_block, list spaced,
):
    """Return the text of the visible rows; per row boundary, where the text after it starts and that before it ends.

    ``is_block``: by the code of a tag, whether the edges of its elements are word boundaries.
    """
    cdef Py_ssize_t rows = tag.shape[0], i, k, length, room = 1, used = 0
    cdef int kind
    cdef void *data
    cdef Py_UCS4 character
    cdef bint is_pending, is_first, is_space, opens, has_words, open_space = False
    cdef Py_ssize_t begin
    starts = np.empty(rows + 1, dtype=np.int32)
    ends = np.empty(rows + 1, dtype=np.int32)
    edges = np.zeros(rows + 1, dtype=np.int32)
    cdef int[::1] start = starts, stop = ends, edge = edges
    cdef int crossed = 0, before = 0, last = 0
    cdef str text
    for i in range(rows):
        if tag[i] == 0:
            if visible[i]:
                room += PyUnicode_GET_LENGTH(texts[i]) + 1
        elif visible[i] and is_block[tag[i]]:
            edge[i] += 1
            edge[end[i]] += 1
        if spaced[i]:
            edge[i] += 1
    cdef Py_UCS4 *out = <Py_UCS4 *> malloc(room * sizeof(Py_UCS4))
    if out == NULL:
        raise MemoryError
    try:
        for i in range(rows):
            stop[i] = last
            start[i] = -1
            crossed += edge[i]
            if tag[i] != 0 or not visible[i]:
                continue
            text = texts[i]
            length = PyUnicode_GET_LENGTH(text)
            kind = PyUnicode_KIND(text)
            data = PyUnicode_DATA(text)
            begin = used + (used > 0)  # a space may come first
            room = begin
            is_pending = False
            is_first = True
            is_space = opens = has_words = False
            for k in range(length):
                character = PyUnicode_READ(kind, data, k)
                if is_zero_width(character):
                    continue
                is_space = Py_UNICODE_ISSPACE(character)
                if is_first:
                    is_first = False
                    opens = is_space
                if is_space:
                    is_pending = has_words
                    continue
                if is_pending:
                    out[room] = 32
                    room += 1
                    is_pending = False
                has_words = True
                out[room] = character
                room += 1
            if not has_words:
                continue
            # a word boundary: the text before ends with a space, this one begins with one, or a block has its edge here
            if used and (open_space or opens or crossed > before):
                out[used] = 32
                used = room
            elif used:
                # no space: move the words one to the left
                for k in range(begin, room):
                    out[k - 1] = out[k]
                begin -= 1
                used = room - 1
            else:
                used = room
            start[i] = <int> begin
            last = <int> used
            before = crossed
            open_space = is_space
        stop[rows] = last
        start[rows] = <int> used
        for i in range(rows - 1, -1, -1):
            if start[i] < 0:
                start[i] = start[i + 1]
        return PyUnicode_FromKindAndData(4, out, used), starts, ends
    finally:
        free(out)


def ordinals(const int[::1] tag, const int[::1] parent, int64_t tags):
    """Return each row's position, from 1, among the siblings of its tag, and among all elements or all texts."""
    cdef Py_ssize_t rows = tag.shape[0], i
    same, every = np.empty(rows, dtype=np.int32), np.empty(rows, dtype=np.int32)
    cdef int[::1] among_same = same, among_all = every
    cdef int *counts = <int *> calloc(rows + 1, sizeof(int))
    cdef int *elements = <int *> calloc(rows + 1, sizeof(int))
    cdef int *texts = <int *> calloc(rows + 1, sizeof(int))
    cdef IntMap codes
    cdef int fresh = 0, code = 0, up
    if counts == NULL or elements == NULL or texts == NULL or not map_init(&codes, rows):
        free(counts)
        free(elements)
        free(texts)
        raise MemoryError
    with nogil:
        for i in range(rows):
            up = parent[i] + 1
            if tag[i] == 0:
                texts[up] += 1
                among_same[i] = among_all[i] = texts[up]
                continue
            elements[up] += 1
            among_all[i] = elements[up]
            code = map_code(&codes, up * tags + tag[i], fresh)
            if code < 0:
                break
            fresh += code == fresh
            counts[code] += 1
            among_same[i] = counts[code]
        free(counts)
        free(elements)
        free(texts)
        map_free(&codes)
    if code < 0:
        raise MemoryError
    return same, every
