# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Features of the blocks of text of a page: markup, headings, patterns, lists, words around, and a second look.

``texts/block_features.py``, ``block_context.py`` and ``markup_words.py`` have the same in numpy; the tests compare the
results. Where numpy takes logarithms, so do the callers here, of whole rows.
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

import numpy as np

from peneira.kernels.bit_rows cimport write_bits
from peneira.kernels.pairwise cimport pairwise

cdef extern from "Python.h":
    Py_UCS4 PyUnicode_READ(int kind, const void *data, Py_ssize_t index) nogil
    bint Py_UNICODE_ISALNUM(Py_UCS4 character) nogil
    bint Py_UNICODE_ISDECIMAL(Py_UCS4 character) nogil

cdef enum:
    HEADING = 4  # bits of the kinds of tags: see KINDS of `text_tables.pyx`
    INLINE = 128
    TITLE = 256
    ITEM = 4096


def markup(
    double[:, ::1] out, const int[::1] tag, const int[::1] end, const uint32_t[::1] kinds,
    const int64_t[::1] blocks, const uint64_t[::1] inherited, int shift, const int64_t[::1] around, int own_tags,
    list unread, const int64_t[::1] block_of, const double[::1] link_shares, const int64_t[::1] lengths,
):
    """Write the tags of each block and around it, whether it is hidden from readers, its texts and links; texts are logs."""
    cdef Py_ssize_t count = blocks.shape[0], size = tag.shape[0], k, c, at
    cdef int64_t row, unread_end
    cdef double total = 0, share
    hidden = np.zeros(size + 1, dtype=np.uint8)
    cdef uint8_t[::1] is_hidden = hidden
    cdef double *products = <double *> malloc((count + 1) * sizeof(double))
    # the numbers of the tags of the blocks, a bit each, and the bits of the tags around them
    cdef uint64_t *own = <uint64_t *> malloc((2 * count + 1) * sizeof(uint64_t))
    cdef uint64_t *outer = own + count
    if products == NULL or own == NULL:
        free(products)
        free(own)
        raise MemoryError
    unread_end = 0
    for k in range(len(unread)):
        row = unread[k]
        if row >= unread_end:
            unread_end = end[row]
            is_hidden[row:unread_end] = 1
    for k in range(count):
        products[k] = link_shares[k] * lengths[k]
        total += lengths[k]
    share = pairwise(products, count) / (total if total > 1 else 1.0)
    free(products)
    at = own_tags + around.shape[0]
    for k in range(count):
        own[k] = <uint64_t> 1 << (kinds[tag[blocks[k]]] >> 26 & 31)
        outer[k] = inherited[blocks[k]] >> shift
        out[at, k] = is_hidden[blocks[k]]
        out[at + 1, k] = 0
        out[at + 2, k] = link_shares[k]
        out[at + 3, k] = share
    if count:
        write_bits(&out[0, 0], out.shape[1], own, count, 1, own_tags)
        for c in range(around.shape[0]):
            write_bits(&out[own_tags + c, 0], out.shape[1], outer, count, <int> around[c], <int> around[c])
    free(own)
    for k in range(block_of.shape[0]):
        out[at + 1, block_of[k]] += 1


def nearest_headings(
    const int[::1] tag, const int[::1] end, const uint32_t[::1] kinds, const int64_t[::1] blocks,
    const uint8_t[::1] levels,
):
    """Return the block of the nearest heading at or before each block, of any level and of the first two; -1 if none.

    Then the level of the heading that each block is in, 0 if none. ``levels``: of the tags.
    """
    cdef Py_ssize_t count = blocks.shape[0], size = tag.shape[0], k, i
    cdef int64_t heading = -1, section = -1
    cdef int64_t ends[7]
    cdef int level, own
    found = np.empty((3, count), dtype=np.int64)
    cdef int64_t[:, ::1] out = found
    cdef uint8_t *of_row = <uint8_t *> malloc(size + 1)
    if of_row == NULL:
        raise MemoryError
    for level in range(7):
        ends[level] = 0
    for i in range(size):
        own = levels[tag[i]]
        if own and end[i] > ends[own]:
            ends[own] = end[i]
        of_row[i] = 0
        for level in range(1, 7):
            if i < ends[level]:
                # the highest number in the lower bits, whether it is in one of the first two above them
                of_row[i] = <uint8_t> (level | (of_row[i] & 8) | (8 if level <= 2 else 0))
    for k in range(count):
        own = of_row[blocks[k]]
        if own & 7:
            heading = k
        if own & 8:
            section = k
        out[0, k], out[1, k], out[2, k] = heading, section, own & 7
    free(of_row)
    return found


def sections(
    double[:, ::1] out, const int64_t[::1] headings, const int64_t[::1] levels, const int64_t[::1] lengths,
    const double[::1] link_shares,
):
    """Write how far the heading of each block is, its level, and what is between two headings; characters are logs."""
    cdef Py_ssize_t count = headings.shape[0], k
    cdef int64_t section = 0
    cdef double *chars = <double *> calloc(2 * count + 2, sizeof(double))
    if chars == NULL:
        raise MemoryError
    cdef double *links = chars + count + 1
    for k in range(count):
        section += headings[k] == k
        chars[section] += lengths[k]
        links[section] += lengths[k] * link_shares[k]
        out[4, k] = section
    for k in range(count):
        section = <int64_t> out[4, k]
        out[0, k] = k - headings[k] if headings[k] >= 0 else -1
        out[1, k] = levels[headings[k]] if headings[k] >= 0 else 0
        out[2, k] = chars[section]
        out[3, k] = links[section] / max(chars[section], 1.0)
    section = max(<int64_t> out[4, count - 1], 1)
    for k in range(count):
        out[4, k] /= section
    free(chars)


cdef void shared_depth(
    double[:, ::1] out, Py_ssize_t at, int node, const int[::1] parent, const int[::1] end, const int64_t[::1] rows,
) noexcept:
    cdef Py_ssize_t k
    cdef int above, level
    for k in range(rows.shape[0]):
        above, level = node, 0
        while above >= 0 and not above <= rows[k] < end[above]:
            above, level = parent[above], level + 1
        out[at, k] = level if above >= 0 else 99.0


def titles(
    double[:, ::1] out, const int[::1] tag, const int[::1] parent, const int[::1] end, const uint8_t[::1] silent,
    const uint32_t[::1] kinds, int body, const int64_t[::1] rows, const int64_t[::1] lengths,
    const double[::1] link_shares, const double[:, ::1] sums,
):
    """Write where each block is relative to the elements that hold the title and most of the long text."""
    cdef Py_ssize_t count = rows.shape[0], size = tag.shape[0], k, i
    cdef int title = -1, prose = body, child, below
    cdef double total, share
    cdef double *weight = <double *> calloc(size + 2, sizeof(double))
    if weight == NULL:
        raise MemoryError
    for i in range(size):
        if kinds[tag[i]] & TITLE and not silent[i]:
            title = <int> i
            break
    for k in range(count):
        if lengths[k] >= 80 and link_shares[k] < 0.3:
            weight[rows[k] + 1] = lengths[k]
    for i in range(size):
        weight[i + 1] += weight[i]
    total = weight[size]
    below = body if total > 0 else -1
    while below >= 0 and (below == body or tag[below] != 0):
        prose = below
        below = -1
        child = prose + 1
        while child < end[prose]:
            if weight[end[child]] - weight[child] > 0.6 * total:
                below = child
                break
            child = end[child]
    free(weight)
    if title >= 0:
        shared_depth(out, 0, title, parent, end, rows)
    share = (sums[end[prose], 0] - sums[prose, 0]) / max(sums[size, 0], 1.0)
    for k in range(count):
        if title < 0:
            out[0, k] = -1.0
        out[1, k] = prose <= rows[k] < end[prose]
        out[2, k] = share
    shared_depth(out, 3, prose, parent, end, rows)


cdef inline bint is_word(Py_UCS4 character) noexcept nogil:
    if character < 128:
        return 97 <= character <= 122 or 48 <= character <= 57 or 65 <= character <= 90 or character == 95
    return Py_UNICODE_ISALNUM(character)


cdef inline bint is_digit(Py_UCS4 character) noexcept nogil:
    return 48 <= character <= 57 or (character > 127 and Py_UNICODE_ISDECIMAL(character))


cdef struct Text:
    int kind
    const void *data
    Py_ssize_t size


cdef inline Py_UCS4 at(const Text *text, Py_ssize_t place) noexcept nogil:
    """Return a character of a text, a new line before and after it."""
    return PyUnicode_READ(text.kind, text.data, place) if 0 <= place < text.size else <Py_UCS4> 10


cdef inline bint is_sign(Py_UCS4 character) noexcept nogil:
    return character in (0x24, 0x20AC, 0xA3, 0xA5, 0x20B9)


cdef bint is_currency(const Text *text, Py_ssize_t place) noexcept nogil:
    """Return whether a sign or a code of a currency begins here, after a space or not."""
    cdef Py_UCS4 first
    if at(text, place) == 32:
        place += 1
    first = at(text, place)
    if is_sign(first):
        return True
    if first == 107:  # kr
        return at(text, place + 1) == 114 and not is_word(at(text, place + 2))
    if first == 122:
        return at(text, place + 1) == 0x142
    if first == 69:
        return at(text, place + 1) == 85 and at(text, place + 2) == 82
    return first == 85 and at(text, place + 1) == 83 and at(text, place + 2) == 68


cdef bint is_date(const Text *text, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Return whether a year, a time or a day stands in the number ``start:end``, at the edge of a word."""
    cdef Py_ssize_t place, next_place
    cdef Py_UCS4 first, second
    for place in range(start, end):
        if not is_digit(at(text, place)) or is_word(at(text, place - 1)):
            continue
        first, second = at(text, place), at(text, place + 1)
        if place + 4 <= end and ((first == 49 and second == 57) or (first == 50 and second == 48)):
            if is_digit(at(text, place + 2)) and is_digit(at(text, place + 3)) and not is_word(at(text, place + 4)):
                return True
        next_place = place + 1 + is_digit(second)
        first = at(text, next_place)
        if first == 58:
            if is_digit(at(text, next_place + 1)) and is_digit(at(text, next_place + 2)):
                if not is_word(at(text, next_place + 3)):
                    return True
        elif first == 47 or first == 46 or first == 45:
            if not is_digit(at(text, next_place + 1)):
                continue
            next_place += 2 + is_digit(at(text, next_place + 2))
            first = at(text, next_place)
            if first == 47 or first == 46 or first == 45:
                if is_digit(at(text, next_place + 1)) and is_digit(at(text, next_place + 2)):
                    return True
    return False


cdef bint ends_with_count(const Text *text) noexcept nogil:
    """Return whether a text ends with a number in brackets: a choice of a filter."""
    cdef Py_ssize_t place = text.size - 1
    if at(text, place) != 41 and at(text, place) != 93:
        return False
    place -= 1
    if at(text, place) == 32:
        place -= 1
    while is_digit(at(text, place)) or at(text, place) == 46 or at(text, place) == 44:
        place -= 1
    if not is_digit(at(text, place + 1)):
        return False
    if at(text, place) == 32:
        place -= 1
    return at(text, place) == 40 or at(text, place) == 91


def patterns(double[:, ::1] out, list texts, const int64_t[::1] rows, const int[::1] path):
    """Write which blocks look like a choice of a filter, a price or a date, and how many of the same path do."""
    cdef Py_ssize_t count = rows.shape[0], k, start, end, c
    cdef Text text
    cdef Py_UCS4 character, before
    cdef str string
    cdef int64_t most = 0
    for k in range(count):
        most = max(most, path[rows[k]])
    cdef double *sums = <double *> calloc(4 * (most + 1), sizeof(double))
    if sums == NULL:
        raise MemoryError
    for k in range(count):
        string = texts[k]
        text = Text(PyUnicode_KIND(string), PyUnicode_DATA(string), PyUnicode_GET_LENGTH(string))
        out[0, k] = ends_with_count(&text)
        out[2, k] = out[4, k] = 0
        start = 0
        while start < text.size:
            if not is_digit(at(&text, start)):
                start += 1
                continue
            end = start + 1
            while end < text.size:
                character = at(&text, end)
                # digits, and : / . , - between them
                if not (44 <= character <= 47 or character == 58 or is_digit(character)):
                    break
                end += 1
            before = at(&text, start - 1)
            if is_sign(before) or (before == 32 and is_sign(at(&text, start - 2))):
                out[2, k] = 1
            elif is_digit(at(&text, end - 1)) and is_currency(&text, end):
                out[2, k] = 1
            if end - start > 3 and is_date(&text, start, end):
                out[4, k] = 1
            start = end
        sums[4 * path[rows[k]]] += 1
        for c in range(3):
            sums[4 * path[rows[k]] + c + 1] += out[2 * c, k]
    for k in range(count):
        for c in range(3):
            out[2 * c + 1, k] = sums[4 * path[rows[k]] + c + 1] / sums[4 * path[rows[k]]]
    free(sums)


cdef inline Py_ssize_t first_from(const int64_t[::1] rows, int64_t bound) noexcept nogil:
    cdef Py_ssize_t low = 0, high = rows.shape[0], middle
    while low < high:
        middle = (low + high) // 2
        if rows[middle] < bound:
            low = middle + 1
        else:
            high = middle
    return low


def lists(
    double[:, ::1] out, const int64_t[::1] rows, const int64_t[::1] lengths, const double[::1] link_shares,
    const int64_t[::1] slots, const double[:, ::1] has_price, const int64_t[::1] starts, const int64_t[::1] ends,
    const int64_t[::1] ancestors, const double[::1] scores, const int[::1] end,
):
    """Write how good the regions around each block are as the main list, and where it is in its record.

    Return the blocks ``low:high`` of the main list and the first and last of its ancestor; of these the characters and
    the blocks of a record are logs, and everywhere their number.
    """
    cdef Py_ssize_t count = rows.shape[0], k, j, low, high, best = 0, at, last, children = 0, records = 0, since
    cdef double total = 0, inside = 0, prices = 0, chars, before
    cdef int64_t child, ancestor, number
    for k in range(count):
        out[0, k] = -1.0
        total += lengths[k]
    order = np.argsort(scores, kind="stable")
    cdef int64_t[::1] rank = order
    for j in range(scores.shape[0]):
        low, high = first_from(rows, starts[rank[j]]), first_from(rows, ends[rank[j]])
        for k in range(low, high):
            out[0, k] = scores[rank[j]]
        if scores[j] > scores[best]:
            best = j
    low, high = first_from(rows, starts[best]), first_from(rows, ends[best])
    for k in range(low, high):
        inside += lengths[k]
        prices += has_price[0, k]
    for k in range(count):
        out[1, k] = -1.0 if k < low else (1.0 if k < high else 0.0)
        out[2, k] = scores[best]
        out[3, k] = inside / max(total, 1.0)
        out[4, k] = prices / <double> max(high - low, 1)
        for j in range(6, 13):
            out[j, k] = -1.0
    ancestor = ancestors[best]
    at, last = first_from(rows, ancestor), first_from(rows, end[ancestor])
    cdef int64_t most = 0
    for k in range(at, last):
        most = max(most, slots[k])
    cdef int64_t *numbers = <int64_t *> calloc(last - at + 1, sizeof(int64_t))
    cdef int64_t *of_slot = <int64_t *> calloc(most + 1, sizeof(int64_t))
    if numbers == NULL or of_slot == NULL:
        free(numbers)
        free(of_slot)
        raise MemoryError
    k, child = at, ancestor + 1
    while child < end[ancestor]:
        while k < last and rows[k] < end[child]:
            numbers[k - at] = children
            k += 1
        children += 1
        child = end[child]
    before = 0
    k = at
    while k < last:
        j, chars, inside = k, 0, 0
        number = numbers[k - at]
        while j < last and numbers[j - at] == number:
            chars += lengths[j]
            inside += lengths[j] * link_shares[j]
            of_slot[slots[j]] += 1
            j += 1
        records += 1
        since = k
        total = before
        while k < j:
            out[6, k] = chars
            out[7, k] = j - since
            out[8, k] = inside / max(chars, 1.0)
            out[9, k] = lengths[k] / max(chars, 1.0)
            out[10, k] = (before - total) / max(chars, 1.0)
            out[11, k] = number / <double> max(children, 1)
            before += lengths[k]
            k += 1
    records = max(records, 1)
    for k in range(at, last):
        out[12, k] = of_slot[slots[k]] / <double> records
    for k in range(count):
        out[5, k] = records
    free(numbers)
    free(of_slot)
    return at, last


def words_around(
    const int[::1] tag, const int[::1] parent, const int[::1] codes, int body, const int64_t[::1] rows,
    const double[:, ::1] known, double unknown,
):
    """Return what the words of the elements around each row say: the nearest, the lowest, the highest and the mean.

    ``known``: of the names of each code the lowest, the highest, the sum and the number of the known shares.
    """
    cdef Py_ssize_t count = rows.shape[0], k, i, size = tag.shape[0], last = -1
    table = np.empty((4, count))
    cdef double[:, ::1] out = table
    for k in range(count):
        last = max(last, <Py_ssize_t> rows[k])
    # near, low, high, total, number
    cdef double *state = <double *> malloc(5 * (last + 2) * sizeof(double))
    cdef double *own
    cdef const double *above
    cdef double none[5]
    none[0], none[1], none[2], none[3], none[4] = unknown, 1.0, 0.0, 0.0, 0.0
    if state == NULL:
        raise MemoryError
    for i in range(last + 1):
        if tag[i] == 0:
            continue
        own = state + 5 * i
        above = state + 5 * parent[i] if i > body and parent[i] >= 0 else none
        for k in range(5):
            own[k] = above[k]
        if i > body and codes[i] > 0 and known[codes[i], 3] > 0:
            own[0] = known[codes[i], 2] / known[codes[i], 3]
            own[1] = min(own[1], known[codes[i], 0])
            own[2] = max(own[2], known[codes[i], 1])
            own[3] += known[codes[i], 2]
            own[4] += known[codes[i], 3]
    for k in range(count):
        above = state + 5 * parent[rows[k]] if parent[rows[k]] >= 0 else none
        out[0, k], out[1, k], out[2, k] = above[0], above[1], above[2]
        out[3, k] = above[3] / max(above[4], 1.0)
    free(state)
    return table


def of_headings(double[:, ::1] rows, const int64_t[::1] headings, const int64_t[::1] sections):
    """Write the lowest and the mean share of the words of each block's heading and section, rows 4 and 6 of them."""
    cdef Py_ssize_t k
    for k in range(headings.shape[0]):
        rows[7, k] = rows[4, headings[k]] if headings[k] >= 0 else -1.0
        rows[8, k] = rows[6, headings[k]] if headings[k] >= 0 else -1.0
        rows[9, k] = rows[4, sections[k]] if sections[k] >= 0 else -1.0
        rows[10, k] = rows[6, sections[k]] if sections[k] >= 0 else -1.0


def group_codes(
    list texts, const int[::1] path, const int[::1] parent, const int64_t[::1] rows, const int64_t[::1] blocks,
    const int64_t[::1] slots, const int64_t[::1] headings, const int64_t[::1] sections,
    const double[::1] record_number, const double[::1] in_list, const int64_t[::1] levels,
):
    """Return which blocks belong together, a row per kind; of each the first block with its text, and its turn.

    The kinds: slot, path, heading, section, record, list, and the element at each level above.
    """
    cdef Py_ssize_t count = rows.shape[0], k, c, level
    cdef int64_t heading = 0, section = 0, record = 0, node
    cdef double before = -1.0
    cdef dict known = {}
    found, repeats = np.empty((6 + levels.shape[0], count), dtype=np.int64), np.zeros((2, count), dtype=np.int64)
    cdef int64_t[:, ::1] out = found, repeat = repeats
    turns = np.zeros(count, dtype=np.int64)
    cdef int64_t[::1] turn = turns
    for k in range(count):
        heading += headings[k] == k
        section += sections[k] == k
        out[0, k], out[1, k], out[2, k], out[3, k] = slots[k], path[rows[k]], heading, section
        if record_number[k] < 0:
            out[4, k] = 0
        else:
            if record_number[k] != before:
                record += 1
                before = record_number[k]
            out[4, k] = record
        out[5, k] = <int64_t> in_list[k] + 1
        node, level = blocks[k], 0
        for c in range(levels.shape[0]):
            while level < levels[c]:
                node = parent[node] if parent[node] >= 0 else node
                level += 1
            out[6 + c, k] = node
        c = known.setdefault(texts[k], k)
        repeat[0, k], repeat[1, k] = c, turn[c]
        turn[c] += 1
    return found, repeats


def word_means(
    double[:, ::1] out, const double[:, ::1] table, const int64_t[::1] places, const double[::1] words,
    const int64_t[:, ::1] codes, const int64_t[::1] kinds, const int64_t[::1] widths, double unknown, double no_weight,
    int64_t size,
):
    """Write what the known words of the blocks of the same kinds, and of the blocks around, say, and the whole page.

    ``places``: the rows of the lowest and the mean share of the words of a text, of that of the words of its markup,
    and of what is compared with the page. ``size``: more than any code.
    """
    cdef Py_ssize_t count = words.shape[0], k, c, row = 0
    cdef const double *low = &table[places[0], 0]
    cdef const double *mean = &table[places[1], 0]
    cdef const double *markup = &table[places[2], 0]
    cdef const double *column
    cdef double total, page
    cdef double *sums = <double *> calloc(2 * size + 5 * count + 8, sizeof(double))
    if sums == NULL:
        raise MemoryError
    cdef double *weights = sums + 2 * size
    cdef double *is_known = weights + count
    cdef double *known_weights = is_known + count
    cdef double *running = known_weights + count
    cdef double *totals = running + count + 1
    for k in range(count):
        weights[k] = max(words[k], 1.0)
        is_known[k] = mean[k] >= 0
        known_weights[k] = is_known[k] + no_weight
    known_means(out, row, &codes[0, 0], count, low, is_known, unknown, sums)
    row += 1
    for c in range(kinds.shape[0]):
        known_means(out, row, &codes[kinds[c], 0], count, mean, is_known, unknown, sums)
        row += 1
    for c in range(widths.shape[0]):
        window_means(out, row, mean, known_weights, count, widths[c], running, totals)
        window_means(out, row + 1, markup, weights, count, widths[c], running, totals)
        row += 2
    total = pairwise(weights, count)
    for c in range(3, places.shape[0]):
        column = &table[places[c], 0]
        for k in range(count):
            running[k] = column[k] * weights[k]
        page = pairwise(running, count) / total
        for k in range(count):
            out[row, k] = column[k] - page
        row += 1
    free(sums)


cdef void known_means(
    double[:, ::1] out, Py_ssize_t row, const int64_t *codes, Py_ssize_t count, const double *values,
    const double *is_known, double unknown, double *sums,
) noexcept:
    """Write the mean of each block's group over the blocks with known words; ``sums`` are zeros before and after."""
    cdef Py_ssize_t k
    for k in range(count):
        sums[2 * codes[k]] += values[k] * is_known[k]
        sums[2 * codes[k] + 1] += is_known[k]
    for k in range(count):
        out[row, k] = sums[2 * codes[k]] / sums[2 * codes[k] + 1] if sums[2 * codes[k] + 1] > 0 else unknown
    for k in range(count):
        sums[2 * codes[k]] = sums[2 * codes[k] + 1] = 0


cdef void window_means(
    double[:, ::1] out, Py_ssize_t row, const double *values, const double *weights, Py_ssize_t count,
    Py_ssize_t width, double *sums, double *totals,
) noexcept:
    """Write the weighted mean over each block and so many blocks before and after."""
    cdef Py_ssize_t k, low, high
    sums[0] = totals[0] = 0
    for k in range(count):
        sums[k + 1] = sums[k] + values[k] * weights[k]
        totals[k + 1] = totals[k] + weights[k]
    for k in range(count):
        low, high = max(k - width, 0), min(k + width + 1, count)
        out[row, k] = (sums[high] - sums[low]) / max(totals[high] - totals[low], 1e-9)


def whole_lists(
    const double[::1] probability, const double[::1] words, const int[::1] tag, const int[::1] parent,
    const uint32_t[::1] kinds, const int64_t[::1] rows, double max_words,
):
    """Return the probabilities with those of the short items of a list replaced by their mean, weighted by words."""
    cdef Py_ssize_t count = rows.shape[0], size = tag.shape[0], k
    cdef int64_t node
    found = np.empty(count)
    cdef double[::1] out = found
    cdef int64_t *lists = <int64_t *> malloc((count + 1) * sizeof(int64_t))
    cdef double *sums = <double *> calloc(3 * (size + 1), sizeof(double))
    if lists == NULL or sums == NULL:
        free(lists)
        free(sums)
        raise MemoryError
    for k in range(count):
        node = parent[rows[k]]
        while not kinds[tag[node]] & ITEM and kinds[tag[node]] & INLINE and parent[node] >= 0:
            node = parent[node]
        lists[k] = parent[node] if kinds[tag[node]] & ITEM else -1
        if lists[k] >= 0:
            sums[3 * lists[k]] += probability[k] * max(words[k], 1.0)
            sums[3 * lists[k] + 1] += max(words[k], 1.0)
            sums[3 * lists[k] + 2] = max(sums[3 * lists[k] + 2], words[k])
    for k in range(count):
        node = lists[k]
        out[k] = probability[k]
        if node >= 0 and sums[3 * node + 2] <= max_words:
            out[k] = sums[3 * node] / sums[3 * node + 1]
    free(lists)
    free(sums)
    return found


cdef void weighted_means(
    double[:, ::1] out, Py_ssize_t row, const int64_t *codes, Py_ssize_t count, const double *values,
    const double *weights, double *sums,
) noexcept:
    """Write the weighted mean of each block's group; ``sums`` are zeros before and after."""
    cdef Py_ssize_t k
    for k in range(count):
        sums[2 * codes[k]] += values[k] * weights[k]
        sums[2 * codes[k] + 1] += weights[k]
    for k in range(count):
        out[row, k] = sums[2 * codes[k]] / max(sums[2 * codes[k] + 1], 1e-9)
    for k in range(count):
        sums[2 * codes[k]] = sums[2 * codes[k] + 1] = 0


cdef Py_ssize_t picked(
    double *out, const double *values, const uint8_t[::1] flags, const int64_t *lists, int wanted, Py_ssize_t count,
) noexcept:
    """Copy the values of blocks with a flag, and in (1), outside (0) or anywhere near the main list; how many they are."""
    cdef Py_ssize_t k, used = 0
    for k in range(count):
        if (flags[k] or wanted == 1) and (wanted == 2 or (lists[k] == 2) == (wanted == 1)):
            out[used] = values[k]
            used += 1
    return used


def second_look(
    double[:, ::1] out, const double[::1] probability, const double[::1] words, const int64_t[:, ::1] codes,
    const int64_t[::1] headings, const int64_t[::1] sections, const int64_t[:, ::1] repeats,
    const uint8_t[::1] is_prose, const int64_t[::1] order, const int64_t[::1] widths, int64_t size,
):
    """Write what the first look says about the blocks around each block, of the same kinds, and of the page.

    ``order``: the blocks, the most probable first; ``size``: more than any code. Counts are logs.
    """
    cdef Py_ssize_t count = probability.shape[0], k, c, row, used, kinds = codes.shape[0], prose = 0
    cdef double expected, total, running, share, f1, best, ordered
    cdef double *scratch = <double *> calloc(2 * size + 6 * count + 8, sizeof(double))
    if scratch == NULL:
        raise MemoryError
    cdef double *sums = scratch
    cdef double *weights = sums + 2 * size + 2
    cdef double *content = weights + count
    cdef double *of_words = content + count
    cdef double *values = of_words + count + 1
    cdef double *totals = values + count + 1
    for k in range(count):
        weights[k] = max(words[k], 1.0)
        content[k] = probability[k] * words[k]
        out[0, k] = probability[k]
        prose += is_prose[k]
    row = 1
    for c in (-2, -1, 1, 2):
        for k in range(count):
            out[row, k] = probability[k + c] if 0 <= k + c < count else -1.0
        row += 1
    for c in range(widths.shape[0]):
        window_means(out, row, &probability[0], weights, count, widths[c], values, totals)
        row += 1
    for c in range(kinds):
        weighted_means(out, row, &codes[c, 0], count, &probability[0], weights, sums)
        row += 1
    for k in range(count):
        of_words[k] = 1.0
    weighted_means(out, row, &codes[0, 0], count, &probability[0], of_words, sums)
    for k in range(count):
        out[row + 1, k] = probability[headings[k]] if headings[k] >= 0 else -1.0
        out[row + 2, k] = probability[sections[k]] if sections[k] >= 0 else -1.0
        out[row + 3, k] = repeats[1, k]
        out[row + 4, k] = probability[repeats[0, k]] if repeats[1, k] > 0 else -1.0
    row += 5
    # ranks
    total, expected = pairwise(&words[0], count), pairwise(content, count)
    running = share = 0
    for k in range(count):
        running += words[order[k]]
        share += content[order[k]]
        out[row, order[k]] = running / max(total, 1.0)
        out[row + 1, order[k]] = share / max(expected, 1e-9)
        values[k] = content[order[k]]
    ordered = pairwise(values, count)
    running = share = f1 = 0
    best = -1.0
    if ordered > 0:
        for k in range(count):
            running += words[order[k]]
            share += values[k]
            f1 = 2 * share / (running + ordered)
            if f1 > best:
                best = f1
    share = 0
    for k in range(count):
        share += content[k]
        out[row + 2, k] = share / max(expected, 1e-9)
        sums[2 * codes[0, k]] += content[k]
        sums[2 * codes[0, k] + 1] += words[k]
    for k in range(count):
        out[row + 3, k] = sums[2 * codes[0, k]]
        out[row + 4, k] = sums[2 * codes[0, k] + 1] / max(total, 1.0)
    row += 5
    # the page
    cdef double page[14]
    cdef double prose_content, prose_words, list_content, list_words
    used = picked(values, content, is_prose, &codes[5, 0], 2, count)
    prose_content = pairwise(values, used)
    used = picked(values, &words[0], is_prose, &codes[5, 0], 2, count)
    prose_words = pairwise(values, used)
    used = picked(values, content, is_prose, &codes[5, 0], 1, count)
    list_content = pairwise(values, used)
    used = picked(values, &words[0], is_prose, &codes[5, 0], 1, count)
    list_words = pairwise(values, used)
    used = picked(values, content, is_prose, &codes[5, 0], 0, count)
    page[0], page[1], page[2] = expected, total, expected / max(total, 1.0)
    page[3] = best if ordered > 0 else 0.0
    page[4], page[5] = prose_content, prose_words
    page[6], page[7] = prose_content / max(expected, 1e-9), prose_content / max(prose_words, 1.0)
    page[8], page[9] = pairwise(values, used), prose
    page[10], page[11] = list_content, list_words
    page[12], page[13] = list_content / max(list_words, 1.0), list_content / max(expected, 1e-9)
    for c in range(14):
        for k in range(count):
            out[row + c, k] = page[c]
    free(scratch)
