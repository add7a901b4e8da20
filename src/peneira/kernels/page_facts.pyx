# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""What is counted once per page for its candidate lists, in one pass over the rows and the characters of their texts.

``lists/page_features.py`` and ``ml/running_sums.py`` have the same in numpy; the tests compare the results.
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_Substring
from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memchr

import numpy as np

from peneira.kernels.int_map cimport IntMap, map_code, map_free, map_init

cdef extern from "Python.h":
    Py_UCS4 PyUnicode_READ(int kind, const void *data, Py_ssize_t index) nogil
    bint PyUnicode_IS_ASCII(object text)
    bint Py_UNICODE_ISSPACE(Py_UCS4 character) nogil
    bint Py_UNICODE_ISDECIMAL(Py_UCS4 character) nogil
    bint Py_UNICODE_ISALNUM(Py_UCS4 character) nogil
    bint Py_UNICODE_ISUPPER(Py_UCS4 character) nogil
    int Py_UNICODE_TODECIMAL(Py_UCS4 character) nogil

# The columns of the running sums, in this order
SUMS = (
    "links", "images", "texts", "numbers", "headings", "prices", "dates", "bolds", "longs", "controls", "breaks",
    "containers", "hidden", "headers", "stops", "chars", "link_chars", "titles", "nodes", "capitals",
    "repeated_chars", "repeated_shapes", "repeated_tags", "large_repeated_tags", "after_break", "pagers",
)  # fmt: skip
# The kinds of tags that are counted, a bit each
TAG_KINDS = ("links", "images", "headings", "titles", "bolds", "controls", "breaks", "containers", "headers")

cdef enum:
    LINKS, IMAGES, TEXTS, NUMBERS, HEADINGS, PRICES, DATES, BOLDS, LONGS, CONTROLS, BREAKS
    CONTAINERS, HIDDEN, HEADERS, STOPS, CHARS, LINK_CHARS, TITLES, NODES, CAPITALS
    REPEATED_CHARS, REPEATED_SHAPES, REPEATED_TAGS, LARGE_REPEATED_TAGS, AFTER_BREAK, PAGERS
    WIDTH


cdef inline bint is_invisible(Py_UCS4 character) noexcept nogil:
    return character >= 0xAD and (
        character == 0xAD or 0x200B <= character <= 0x200F or character == 0x2060 or character == 0xFEFF
    )


cdef inline bint is_digit(Py_UCS4 character) noexcept nogil:
    if character < 128:
        return 48 <= character <= 57
    return Py_UNICODE_ISDECIMAL(character)


cdef inline bint is_space(Py_UCS4 character) noexcept nogil:
    if character < 128:
        return character == 32 or 9 <= character <= 13 or 28 <= character <= 31
    return Py_UNICODE_ISSPACE(character)


cdef inline bint is_date_separator(Py_UCS4 character) noexcept nogil:
    return 45 <= character <= 47


cdef struct Facts:
    int chars
    bint has_digit
    bint has_price
    bint has_date
    bint is_long
    bint is_sentence
    bint is_capital
    int number


cdef bint is_date_at(int kind, const void *data, Py_ssize_t at, Py_ssize_t end) noexcept nogil:
    """Return whether a date in digits, or a year, begins at a digit."""
    cdef Py_ssize_t k = at, digits, part
    cdef Py_UCS4 first
    if at + 4 <= end:
        first = PyUnicode_READ(kind, data, at)
        if (first == 49 and PyUnicode_READ(kind, data, at + 1) == 57) or (
            first == 50 and PyUnicode_READ(kind, data, at + 1) == 48
        ):
            if is_digit(PyUnicode_READ(kind, data, at + 2)) and is_digit(PyUnicode_READ(kind, data, at + 3)) and (
                at + 4 == end or not is_digit(PyUnicode_READ(kind, data, at + 4))
            ):
                return True
    for part in range(2):
        digits = 0
        while digits < 2 and k < end and is_digit(PyUnicode_READ(kind, data, k)):
            k += 1
            digits += 1
        if digits == 0 or k >= end or not is_date_separator(PyUnicode_READ(kind, data, k)):
            return False
        k += 1
    return k + 1 < end and is_digit(PyUnicode_READ(kind, data, k)) and is_digit(PyUnicode_READ(kind, data, k + 1))


cdef Facts facts_of(
    int kind, const void *data, Py_ssize_t length, Py_ssize_t *first, Py_ssize_t *stop, int min_long
) noexcept nogil:
    """Return what is counted of a text; ``first:stop`` is the text without white space around it."""
    cdef Facts facts
    cdef Py_ssize_t begin = 0, end = length, k, inner, outer
    cdef Py_UCS4 character
    cdef int digits
    facts.has_digit = facts.has_price = facts.has_date = facts.is_sentence = facts.is_capital = False
    facts.number = -1
    while begin < end and is_space(PyUnicode_READ(kind, data, begin)):
        begin += 1
    while end > begin and is_space(PyUnicode_READ(kind, data, end - 1)):
        end -= 1
    first[0] = begin
    stop[0] = end
    inner, outer = begin, end
    while inner < outer and is_invisible(PyUnicode_READ(kind, data, inner)):
        inner += 1
    while outer > inner and is_invisible(PyUnicode_READ(kind, data, outer - 1)):
        outer -= 1
    facts.chars = <int> (outer - inner)
    facts.is_long = end - begin > min_long
    if begin == end:
        return facts
    for k in range(begin, end):
        character = PyUnicode_READ(kind, data, k)
        if character < 128:
            if 48 <= character <= 57:
                facts.has_digit = True
            elif character != 36:  # $
                continue
            else:
                facts.has_price = True
                continue
        elif character == 0x20AC or character == 0xA3 or character == 0xA5:
            facts.has_price = True
            continue
        elif not Py_UNICODE_ISDECIMAL(character):
            continue
        if not facts.has_date and is_date_at(kind, data, k, end):
            facts.has_date = True
    character = PyUnicode_READ(kind, data, end - 1)
    facts.is_sentence = character == 46 or character == 0x2026
    facts.is_capital = Py_UNICODE_ISUPPER(PyUnicode_READ(kind, data, begin))
    # up to two signs, then a number of at most four digits
    k = begin
    while k < end and k < begin + 3:
        character = PyUnicode_READ(kind, data, k)
        if character == 95 or Py_UNICODE_ISALNUM(character):
            break
        k += 1
    if k - begin <= 2:
        digits = 0
        inner = 0
        while k < end and digits < 5 and is_digit(PyUnicode_READ(kind, data, k)):
            inner = 10 * inner + Py_UNICODE_TODECIMAL(PyUnicode_READ(kind, data, k))
            digits += 1
            k += 1
        if 1 <= digits <= 4:
            facts.number = <int> inner
    return facts


def count_page(
    list texts, const int[::1] tag, const int[::1] parent, const int[::1] end, const unsigned char[::1] silent,
    const unsigned char[::1] hidden, const int[::1] shape, const int[::1] tag_kinds, int line_tag, int rule_tag,
    int min_long, int min_rows, int min_large_rows,
):
    """Return running sums (a column for each of ``SUMS``, but for pagers), and of the texts that count: their rows, the
    texts without white space around them, a code for each, equal for equal texts, the text of each code, and the number that
    each text begins with.

    ``tag_kinds``: a bit for each of ``TAG_KINDS``, by tag.
    """
    cdef Py_ssize_t rows = tag.shape[0], i, k, first = 0, stop = 0, length, found = 0, end_of_link = 0
    sums = np.zeros((rows + 1, <int> WIDTH), dtype=np.int32)
    cdef int[:, ::1] own = sums
    cdef Facts facts
    cdef int kinds
    cdef Py_ssize_t before
    cdef list stripped = [], codes = [], text_rows = [], numbers = []
    cdef dict known = {}
    cdef str text
    cdef int *last_child = <int *> malloc((rows + 1) * sizeof(int))
    if last_child == NULL:
        raise MemoryError
    try:
        for i in range(rows + 1):
            last_child[i] = -1
        for i in range(rows):
            kinds = tag_kinds[tag[i]]
            own[i + 1, LINKS] = kinds & 1
            own[i + 1, IMAGES] = kinds >> 1 & 1
            own[i + 1, HEADINGS] = kinds >> 2 & 1
            own[i + 1, TITLES] = kinds >> 3 & 1
            own[i + 1, BOLDS] = kinds >> 4 & 1
            own[i + 1, CONTROLS] = kinds >> 5 & 1
            own[i + 1, BREAKS] = kinds >> 6 & 1
            own[i + 1, CONTAINERS] = kinds >> 7 & 1
            own[i + 1, HEADERS] = kinds >> 8 & 1
            own[i + 1, NODES] = not silent[i]
            own[i + 1, HIDDEN] = tag[i] == 0 and hidden[i]
            if kinds & 1 and end[i] > end_of_link:
                end_of_link = end[i]
            before = last_child[parent[i]] if parent[i] >= 0 else -1
            if parent[i] >= 0:
                last_child[parent[i]] = <int> i
            if before >= 0 and tag[i] != 0 and tag[i] == tag[before] and end[i] - i >= min_rows:
                own[i + 1, REPEATED_TAGS] = 1
                own[i + 1, REPEATED_SHAPES] = shape[i] == shape[before]
                own[i + 1, LARGE_REPEATED_TAGS] = end[i] - i >= min_large_rows
            if before >= 0 and tag[i] != line_tag and tag[i] != rule_tag and end[before] == i and (
                tag[before] == rule_tag
                or (tag[before] == line_tag and follows_line(tag, parent, end, before, line_tag))
            ):
                # after a rule or the second of two line breaks; what opens the element counts too
                own[i + 1, AFTER_BREAK] = 1
                own[parent[i] + 2, AFTER_BREAK] = 1
            if tag[i] != 0 or silent[i]:
                continue
            text = texts[i]
            length = PyUnicode_GET_LENGTH(text)
            facts = facts_of(PyUnicode_KIND(text), PyUnicode_DATA(text), length, &first, &stop, min_long)
            own[i + 1, CHARS] = facts.chars
            if i < end_of_link:
                own[i + 1, LINK_CHARS] = facts.chars
            own[i + 1, TEXTS] = 1
            own[i + 1, NUMBERS] = facts.has_digit
            own[i + 1, PRICES] = facts.has_price
            own[i + 1, DATES] = facts.has_date
            own[i + 1, LONGS] = facts.is_long
            own[i + 1, STOPS] = facts.is_sentence
            own[i + 1, CAPITALS] = facts.is_capital
            if first > 0 or stop < length:
                text = PyUnicode_Substring(text, first, stop)
            code = known.get(text)
            if code is None:
                code = known[text] = len(known)
            stripped.append(text)
            codes.append(code)
            text_rows.append(i)
            numbers.append(facts.number)
        text_codes = np.array(codes, dtype=np.int32)
        count_repeated(own, text_rows, text_codes, stripped, len(known))
        add_up(own)
    finally:
        free(last_child)
    return sums, np.array(text_rows, dtype=np.int64), stripped, text_codes, list(known), np.array(numbers, dtype=np.int32)


cdef bint follows_line(
    const int[::1] tag, const int[::1] parent, const int[::1] end, Py_ssize_t line, int line_tag
) noexcept:
    """Return whether the sibling right before a line break is a line break too."""
    cdef Py_ssize_t before = line - 1
    # a line break has no children, but an element before it may end here
    while before > parent[line] and parent[before] != parent[line]:
        before = parent[before]
    return before > parent[line] and tag[before] == line_tag and end[before] == line


cdef count_repeated(int[:, ::1] own, list rows, int[::1] codes, list texts, Py_ssize_t known):
    """Note the characters of the texts that occur more than once."""
    cdef Py_ssize_t k
    times = np.bincount(codes, minlength=known + 1) if len(rows) else np.zeros(1, dtype=np.int64)
    cdef int64_t[::1] time = times
    for k in range(len(rows)):
        if time[codes[k]] > 1:
            own[<Py_ssize_t> rows[k] + 1, REPEATED_CHARS] = <int> PyUnicode_GET_LENGTH(texts[k])


cdef void add_up(int[:, ::1] own) noexcept:
    cdef Py_ssize_t i, k
    for i in range(1, own.shape[0]):
        for k in range(own.shape[1]):
            own[i, k] += own[i - 1, k]


def vector_codes(const int[::1] tag, const int[::1] parent, int64_t tags):
    """Return a code per row for its tag and the two tags above it, numbered by these, and how many codes there are."""
    cdef Py_ssize_t rows = tag.shape[0], i
    codes = np.empty(rows, dtype=np.int32)
    cdef int[::1] code = codes
    cdef int fresh = 0, own = 0
    cdef Py_ssize_t up, above
    cdef int64_t key
    cdef IntMap known
    if not map_init(&known, 256):
        raise MemoryError
    for i in range(rows):
        up = parent[i] if parent[i] > 0 else 0
        above = parent[up] if parent[up] > 0 else 0
        key = (tag[above] * tags + tag[up]) * tags + tag[i]
        own = map_code(&known, key, fresh)
        if own < 0:
            map_free(&known)
            raise MemoryError
        fresh += own == fresh
        code[i] = own
    keys = np.empty(fresh, dtype=np.int64)
    cdef int64_t[::1] view = keys
    cdef size_t at
    for at in range(known.mask + 1):
        if known.values[at]:
            view[known.values[at] - 1] = known.keys[at]
    map_free(&known)
    ranks = np.empty(fresh, dtype=np.int32)
    ranks[np.argsort(keys)] = np.arange(fresh, dtype=np.int32)
    cdef int[::1] rank = ranks
    for i in range(rows):
        code[i] = rank[code[i]]
    return codes, fresh


def vector_sums(const int[::1] codes, const float[:, ::1] signs, const unsigned char[::1] silent):
    """Return the running sums of the vectors of the rows: a row of ``signs`` each, nothing for silent rows."""
    cdef Py_ssize_t rows = codes.shape[0], width = signs.shape[1], i, k
    sums = np.empty((rows + 1, width), dtype=np.float32)
    cdef float[:, ::1] out = sums
    with nogil:
        for k in range(width):
            out[0, k] = 0
        for i in range(rows):
            if silent[i]:
                for k in range(width):
                    out[i + 1, k] = out[i, k]
            else:
                for k in range(width):
                    out[i + 1, k] = out[i, k] + signs[codes[i], k]
    return sums


def following(const int64_t[::1] rows, Py_ssize_t count):
    """Return for each of ``count + 1`` row boundaries the next of the rows, ``count`` where there is none."""
    column = np.empty(count + 1, dtype=np.int32)
    cdef int[::1] out = column
    cdef Py_ssize_t i, k = rows.shape[0]
    cdef int upcoming = <int> count
    out[count] = upcoming
    for i in range(count - 1, -1, -1):
        if k and rows[k - 1] == i:
            upcoming = <int> i
            k -= 1
        out[i] = upcoming
    return column


def rows_by_code(const int[::1] codes):
    """Return the rows of each code, code after code, and where those of each begin."""
    cdef Py_ssize_t rows = codes.shape[0], i
    cdef int most = -1
    for i in range(rows):
        most = max(most, codes[i])
    firsts, ordered = np.zeros(most + 2, dtype=np.int32), np.empty(rows, dtype=np.int32)
    cdef int[::1] first = firsts, order = ordered
    cdef int *filled
    for i in range(rows):
        first[codes[i] + 1] += 1
    for i in range(most + 1):
        first[i + 1] += first[i]
    filled = <int *> calloc(most + 2, sizeof(int))
    if filled == NULL:
        raise MemoryError
    for i in range(rows):
        order[first[codes[i]] + filled[codes[i]]] = <int> i
        filled[codes[i]] += 1
    free(filled)
    return ordered, firsts


def pair_codes(const int[::1] left, const int[::1] right, int64_t width):
    """Return a code per row, equal for equal pairs of codes; ``width``: more than any on the right."""
    cdef Py_ssize_t rows = left.shape[0], i
    codes = np.empty(rows, dtype=np.int32)
    cdef int[::1] out = codes
    cdef int fresh = 0, code = 0
    cdef IntMap known
    if not map_init(&known, 256):
        raise MemoryError
    for i in range(rows):
        code = map_code(&known, left[i] * width + right[i], fresh)
        if code < 0:
            map_free(&known)
            raise MemoryError
        fresh += code == fresh
        out[i] = code
    map_free(&known)
    return codes


cdef enum:
    LETTERS = 128


cdef class WordFinder:
    """Finds literal words in texts, all at once (Aho and Corasick 1975); a word has a bit.

    ``words``: ASCII words with their bits, and whether a word must end there.
    """

    cdef int *moves
    cdef int *found
    cdef int *at_ends

    def __cinit__(self, words):
        cdef Py_ssize_t size = 1 + sum(len(word) for word, _, _ in words), state, below, letter
        cdef int known = 1
        self.moves = <int *> calloc(size * LETTERS, sizeof(int))
        self.found = <int *> calloc(size, sizeof(int))
        self.at_ends = <int *> calloc(size, sizeof(int))
        cdef int *back = <int *> calloc(size, sizeof(int))
        if self.moves == NULL or self.found == NULL or self.at_ends == NULL or back == NULL:
            free(back)
            raise MemoryError
        for word, bit, must_end in words:
            state = 0
            for character in word:
                letter = ord(character)
                if not self.moves[state * LETTERS + letter]:
                    self.moves[state * LETTERS + letter] = known
                    known += 1
                state = self.moves[state * LETTERS + letter]
            if must_end:
                self.at_ends[state] |= bit
            else:
                self.found[state] |= bit
        # states in the order of their depth: the root's children fall back to the root
        queue = [self.moves[letter] for letter in range(LETTERS) if self.moves[letter]]
        for state in queue:
            self.found[state] |= self.found[back[state]]
            self.at_ends[state] |= self.at_ends[back[state]]
            for letter in range(LETTERS):
                below = self.moves[state * LETTERS + letter]
                if below:
                    back[below] = self.moves[back[state] * LETTERS + letter]
                    queue.append(below)
                else:
                    self.moves[state * LETTERS + letter] = self.moves[back[state] * LETTERS + letter]
        free(back)

    def __dealloc__(self):
        free(self.moves)
        free(self.found)
        free(self.at_ends)

    def bits_of(self, list texts):
        """Return the bits of the words that each text contains, in any case."""
        cdef Py_ssize_t k
        found = np.empty(len(texts), dtype=np.int32)
        cdef int[::1] out = found
        for k in range(len(texts)):
            out[k] = self.bits((<str> texts[k]).lower())
        return found

    cpdef int bits(self, str text):
        """Return the bits of the words that a text in lower case contains."""
        cdef int kind = PyUnicode_KIND(text), bits = 0
        cdef const void *data = PyUnicode_DATA(text)
        cdef Py_ssize_t k, length = PyUnicode_GET_LENGTH(text), state = 0
        cdef Py_UCS4 character
        for k in range(length):
            character = PyUnicode_READ(kind, data, k)
            if self.at_ends[state] and not (character == 95 or Py_UNICODE_ISALNUM(character)):
                bits |= self.at_ends[state]
            state = self.moves[state * LETTERS + <Py_ssize_t> character] if character < LETTERS else 0
            bits |= self.found[state]
        return bits | self.at_ends[state]


def bits_from_root(const int[::1] bits, const int[::1] parent, int kinds):
    """Return the bits of each row as flags, and how many rows from the root down to each have each bit."""
    cdef Py_ssize_t rows = bits.shape[0], i, k
    flags, above = np.empty((rows, kinds), dtype=np.uint8), np.empty((rows, kinds), dtype=np.int32)
    cdef unsigned char[:, ::1] flag = flags
    cdef int[:, ::1] out = above
    for i in range(rows):
        for k in range(kinds):
            flag[i, k] = bits[i] >> k & 1
            out[i, k] = flag[i, k] + (out[parent[i], k] if parent[i] >= 0 else 0)
    return flags, above


def texts_with(list texts, const int[::1] tag, const unsigned char[::1] silent, str signs):
    """Return which rows are texts that count and have one of a few characters."""
    cdef Py_ssize_t rows = tag.shape[0], i, k, j, length, sign_count = PyUnicode_GET_LENGTH(signs)
    cdef int kind
    cdef const void *data
    cdef Py_UCS4 character
    cdef Py_UCS4 wanted[16]
    cdef str text
    flags = np.zeros(rows, dtype=np.bool_)
    cdef unsigned char[::1] out = flags.view(np.uint8)
    for k in range(sign_count):
        wanted[k] = signs[k]
    for i in range(rows):
        if tag[i] != 0 or silent[i]:
            continue
        text = texts[i]
        kind = PyUnicode_KIND(text)
        data = PyUnicode_DATA(text)
        length = PyUnicode_GET_LENGTH(text)
        if PyUnicode_IS_ASCII(text):
            for j in range(sign_count):
                if wanted[j] < 128 and memchr(data, <int> wanted[j], length) != NULL:
                    out[i] = True
            continue
        for k in range(length):
            character = PyUnicode_READ(kind, data, k)
            for j in range(sign_count):
                if character == wanted[j]:
                    out[i] = True
                    break
            if out[i]:
                break
    return flags
