# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Lines of alike cells and the blocks that they are in, in one pass over the rows of a page.

``lists/line_blocks.py`` has the same in numpy, and explains it; the tests compare the results.
"""

from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free, malloc

import numpy as np

from peneira.kernels.int_map cimport IntMap, map_code, map_free, map_init

cdef enum:
    TEXT_NODE, BREAK, CELL, NO_CELL, FRAME


def find_lines(
    const int[::1] tag, const int[::1] parent, const int[::1] end, const unsigned char[::1] silent,
    const int[::1] roles, const int[::1] cell_tags, const int[::1] text_chars, int max_cells, int max_lines,
    int max_wrappers, double min_chars,
):
    """Return the rows that are lines in blocks, the outermost element around each that holds nothing else, and the
    block of each; then of all rows how many elements are among their children, whether they have text of their own,
    whether they are elements that may be cells, and the tag of their last such child.

    ``roles``, ``cell_tags``: by tag, what a row may be, and the tag that it counts as.
    """
    cdef Py_ssize_t rows = tag.shape[0], i, found = 0, kept = 0
    cdef int k, role, up, frame_end = 0
    counts = np.zeros(rows, dtype=np.int64)
    has_texts, are_elements = np.zeros(rows, dtype=np.bool_), np.zeros(rows, dtype=np.bool_)
    tags = np.zeros(rows, dtype=np.int64)
    cdef int64_t[::1] count = counts, child_tag = tags
    cdef unsigned char[::1] has_text = has_texts.view(np.uint8), is_element = are_elements.view(np.uint8)
    cdef unsigned char *is_mixed = <unsigned char *> calloc(rows + 1, 1)
    cdef unsigned char *is_framed = <unsigned char *> calloc(rows + 1, 1)
    cdef int *lines_of = <int *> calloc(rows + 1, sizeof(int))
    cdef int *top_of = <int *> malloc((rows + 1) * sizeof(int))
    if is_mixed == NULL or is_framed == NULL or lines_of == NULL or top_of == NULL:
        free(is_mixed)
        free(is_framed)
        free(lines_of)
        free(top_of)
        raise MemoryError
    with nogil:
        for i in range(rows):
            role = roles[tag[i]]
            if role == FRAME and end[i] > frame_end:
                frame_end = end[i]
            is_framed[i] = i < frame_end
            if silent[i]:
                continue
            if role == TEXT_NODE:
                if parent[i] >= 0:
                    has_text[parent[i]] = True
            elif role > BREAK and i:
                is_element[i] = True
                up = parent[i]
                if count[up] and cell_tags[tag[i]] != child_tag[up]:
                    is_mixed[up] = True
                if role == NO_CELL:
                    is_mixed[up] = True
                child_tag[up] = cell_tags[tag[i]]
                count[up] += 1
        for i in range(1, rows):
            top_of[i] = -1
            if 2 <= count[i] <= max_cells and not has_text[i] and not is_mixed[i]:
                k = 0
                up = <int> i
                while k < max_wrappers and parent[up] > 0 and count[parent[up]] == 1 and not has_text[parent[up]]:
                    up = parent[up]
                    k += 1
                top_of[i] = up
                lines_of[parent[up]] += 1
                found += 1
    lines, tops, parents = (np.empty(found, dtype=np.int64) for _ in range(3))
    cdef int64_t[::1] line = lines, top = tops, block = parents
    with nogil:
        for i in range(1, rows):
            if top_of[i] < 0:
                continue
            up = parent[top_of[i]]
            if lines_of[up] > 1 and lines_of[up] <= max_lines and not is_framed[up] and text_chars[up] >= min_chars:
                line[kept] = i
                top[kept] = top_of[i]
                block[kept] = up
                kept += 1
        free(is_mixed)
        free(is_framed)
        free(lines_of)
        free(top_of)
    return lines[:kept], tops[:kept], parents[:kept], counts, has_texts, are_elements, tags
