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

# The number of codes for what a cell has
cdef enum:
    CODES = 16


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


cdef struct Group:
    int64_t first  # what the cells of its first alike line have
    int lines
    int alike
    bint is_mixed


cdef inline void add_line(Group *group, int64_t contents, int64_t tags) noexcept nogil:
    """Count a line; ``contents``: what its cells have, as bits, of which lines of alike cells have one."""
    group.lines += 1
    if contents > 0 and contents & (contents - 1) == 0:
        if not group.alike:
            group.first = contents | tags
        group.alike += 1
        if contents | tags != group.first:
            group.is_mixed = True


cdef inline bint is_unlike(const Group *group, double min_alike) noexcept nogil:
    """Return whether enough lines have cells of one code each, but not all of the same."""
    return group.is_mixed and group.alike >= 2 and group.alike >= min_alike * group.lines


def unlike_lines(
    const int[::1] parent, const int[::1] end, const int[::1] text_chars, const unsigned char[::1] flags,
    const int64_t[::1] lines, const int64_t[::1] blocks, const int64_t[::1] counts, const int64_t[::1] child_tags,
    const unsigned char[::1] is_element, int max_cells, double min_alike, double min_kind, int min_wide,
):
    """Return which lines are in a block with lines whose cells are alike, but unlike those of other lines.

    ``flags``: what each row is, as bits above the first, which is for text: picture, link, text with a currency sign.
    """
    cdef Py_ssize_t rows = parent.shape[0], count = lines.shape[0], k, i
    cdef int cell, line, code, kind, pairs = 0
    cdef int64_t contents, unlabelled, tags
    cdef int kinds[4]
    has_unlike = np.zeros(count, dtype=np.bool_)
    cdef unsigned char[::1] out = has_unlike.view(np.uint8)
    cdef unsigned char *below = <unsigned char *> malloc(rows + 1)
    # of each block: all cells, and without the first, which may be a label; then of lines of as many cells
    cdef Group *groups = <Group *> calloc(2 * rows + count + 1, sizeof(Group))
    cdef int *pair = <int *> malloc((count + 1) * sizeof(int))
    cdef int *known = <int *> calloc(rows + 1, sizeof(int))
    cdef int *wide = <int *> calloc(rows + 1, sizeof(int))
    cdef IntMap codes
    cdef bint has_room = below != NULL and groups != NULL and pair != NULL and known != NULL and wide != NULL
    if not has_room or not map_init(&codes, count):
        free(below)
        free(groups)
        free(pair)
        free(known)
        free(wide)
        raise MemoryError
    with nogil:
        for i in range(rows):
            below[i] = flags[i]
        for i in range(rows - 1, 0, -1):
            below[parent[i]] |= below[i]
        for k in range(count):
            line = <int> lines[k]
            contents = unlabelled = 0
            kinds[0] = kinds[1] = kinds[2] = kinds[3] = 0
            cell = line + 1
            while cell < end[line]:
                if is_element[cell]:
                    code = below[cell] | (text_chars[cell] > 0)
                    kinds[code % 4] += 1
                    contents |= <int64_t> 1 << code & ~1
                    if cell != line + 1:
                        unlabelled |= <int64_t> 1 << code & ~1
                cell = end[cell]
            add_line(&groups[blocks[k]], contents, 0)
            add_line(&groups[rows + blocks[k]], unlabelled, 0)
            pair[k] = map_code(&codes, blocks[k] * (max_cells + 1) + counts[line], pairs)
            if pair[k] < 0:
                has_room = False
                break
            pairs += pair[k] == pairs
            # heads and bodies are unlike in their tags, and as many
            add_line(&groups[2 * rows + pair[k]], contents, child_tags[line] << CODES)
            kind = max(kinds[1], max(kinds[2], kinds[3]))
            known[blocks[k]] += kind >= min_kind * (kinds[1] + kinds[2] + kinds[3])
            wide[blocks[k]] += counts[line] >= min_wide
        if has_room:
            for k in range(count):
                i = blocks[k]
                if known[i] >= 2 or wide[i] >= min_wide:
                    out[k] = (
                        is_unlike(&groups[i], min_alike) or is_unlike(&groups[rows + i], min_alike)
                        or is_unlike(&groups[2 * rows + pair[k]], min_alike)
                    )
        map_free(&codes)
        free(below)
        free(groups)
        free(pair)
        free(known)
        free(wide)
    if not has_room:
        raise MemoryError
    return has_unlike
