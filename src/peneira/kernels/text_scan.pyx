# cython: language_level=3, boundscheck=False, wraparound=False
"""Searches for single characters in texts, in place of a regular expression for each.

``peneira.character_search`` and ``peneira.types.notation`` say what is searched for, and do the same without a compiler.
"""

from cpython.unicode cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ, PyUnicode_Substring,
)

cdef extern from "Python.h":
    bint Py_UNICODE_ISDECIMAL(Py_UCS4 ch)
    bint Py_UNICODE_ISSPACE(Py_UCS4 ch)

cdef Py_ssize_t TABLE_CHARS = 0x10000
cdef int LAST_ASCII = 127


cdef class CharacterSearch:
    """A call returns whether a text has one of some characters."""

    cdef bytes table
    cdef frozenset wide  # the characters beyond the table
    cdef bint has_digits

    def __init__(self, str characters, *, bint digits):
        """``digits``: whether to search for the decimal digits of all scripts, too"""
        own = bytearray(TABLE_CHARS)
        wide = {ord(character) for character in characters if ord(character) >= TABLE_CHARS}
        for character in characters + ("0123456789" if digits else ""):
            if ord(character) < TABLE_CHARS:
                own[ord(character)] = 1
        self.table, self.wide, self.has_digits = bytes(own), frozenset(wide), digits

    def __call__(self, str text):
        cdef int kind = PyUnicode_KIND(text)
        cdef void *data = PyUnicode_DATA(text)
        cdef const unsigned char *table = self.table
        cdef Py_ssize_t k
        cdef Py_UCS4 ch
        for k in range(PyUnicode_GET_LENGTH(text)):
            ch = PyUnicode_READ(kind, data, k)
            # a character is a string to Python, and the set has numbers
            if table[ch] if ch < <Py_UCS4> TABLE_CHARS else <long> ch in self.wide:
                return True
            if ch > <Py_UCS4> LAST_ASCII and self.has_digits and Py_UNICODE_ISDECIMAL(ch):
                return True
        return False

    def in_most(self, texts, double least):
        """Return whether at least ``least`` texts have one of the characters."""
        cdef Py_ssize_t possible = len(texts)
        for text in texts:
            if not self(text):
                possible -= 1
                if possible < least:
                    return False
        return possible >= least

    def starts_most(self, texts, double least):
        """Return whether at least ``least`` texts start with one of the characters."""
        cdef Py_ssize_t possible = len(texts)
        cdef const unsigned char *table = self.table
        cdef Py_UCS4 ch
        cdef str text
        for text in texts:
            if PyUnicode_GET_LENGTH(text):
                ch = PyUnicode_READ(PyUnicode_KIND(text), PyUnicode_DATA(text), 0)
                if ch <= <Py_UCS4> LAST_ASCII:
                    if table[ch]:
                        continue
                elif self(PyUnicode_Substring(text, 0, 1)):
                    continue
            possible -= 1
            if possible < least:
                return False
        return possible >= least


cdef class SettledTexts:
    """A call returns whether normalization leaves a text as it is: single spaces inside, none of some characters."""

    cdef bytes table

    def __init__(self, str replaced):
        """``replaced``: the characters that normalization replaces, all below U+10000"""
        own = bytearray(TABLE_CHARS)
        for character in replaced:
            own[ord(character)] = 1
        self.table = bytes(own)

    def __call__(self, str text):
        return self.has(text)

    def counts(self, texts, normalized):
        """Return the distinct texts, normalized by the function where they need it, with their counts."""
        cdef dict counts = {}
        cdef str text
        for text in texts:
            own = text if self.has(text) else normalized(text)
            known = counts.get(own)
            counts[own] = 1 if known is None else known + 1
        return counts

    cdef bint has(self, str text):
        cdef int kind = PyUnicode_KIND(text)
        cdef void *data = PyUnicode_DATA(text)
        cdef const unsigned char *table = self.table
        cdef Py_ssize_t k
        cdef Py_UCS4 ch
        cdef bint follows_space = True
        for k in range(PyUnicode_GET_LENGTH(text)):
            ch = PyUnicode_READ(kind, data, k)
            if ch == 32:
                if follows_space:
                    return False
                follows_space = True
                continue
            follows_space = False
            if Py_UNICODE_ISSPACE(ch) or (ch < <Py_UCS4> TABLE_CHARS and table[ch]):
                return False
        return not follows_space or PyUnicode_GET_LENGTH(text) == 0


def values_of(dict counts, Py_ssize_t max_chars, str around, frozenset placeholders):
    """Return the counts without those of placeholders of up to ``max_chars`` characters, with some signs around them."""
    cdef list missing = None
    cdef str text, bare
    cdef Py_ssize_t length
    for text in counts:
        length = PyUnicode_GET_LENGTH(text)
        if length <= max_chars or text[0] in around or text[length - 1] in around:
            bare = text.strip(around)
            if PyUnicode_GET_LENGTH(bare) <= max_chars and bare.lower() in placeholders:
                if missing is None:
                    missing = []
                missing.append(text)
    if missing is None:
        return counts
    counts = counts.copy()
    for text in missing:
        del counts[text]
    return counts


def with_mark(dict cells, list marks, int mark, Py_ssize_t max_chars):
    """Return the cells of up to ``max_chars`` characters that have a mark. ``marks``: those of the cells, in order."""
    cdef dict kept = {}
    cdef Py_ssize_t k = 0
    if len(marks) != len(cells):
        raise ValueError("each cell has its marks")
    for text, count in cells.items():
        if <int> marks[k] & mark and PyUnicode_GET_LENGTH(text) <= max_chars:
            kept[text] = count
        k += 1
    return kept


cdef enum:
    ANY = 1
    ADDRESS = 2
    AT_SIGN = 4
    DIGIT = 8
    TWO_NUMBERS = 16
    NUMERIC = 32
    PERCENT = 64
    RATING = 128
    QUANTITY = 256
    DURATION = 512
    PHONE = 1024
    TIME = 2048
    SEPARATOR = 4096
    MIN_PHONE_DIGITS = 7
    MAX_STARRED_CHARS = 17
    MAX_UNIT_CHARS = 20
    MAX_WORD_CHARS = 4  # of words in front of times


def reading_marks(texts, Py_ssize_t max_chars, str unit_starts):
    """Return the marks of each text, and those that any has: ``peneira.types.reading_marks`` says what they mean.

    ``unit_starts``: the letters that units of time begin with."""
    cdef list marks = []
    cdef int own, every = 0
    cdef str text
    for text in texts:
        own = _marks(PyUnicode_KIND(text), PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text), max_chars, unit_starts)
        every |= own
        marks.append(own)
    return marks, every


cdef inline bint is_digit_of(unsigned int ch) noexcept:
    return c'0' <= ch <= c'9' or (ch > <unsigned int> LAST_ASCII and Py_UNICODE_ISDECIMAL(ch))


cdef int _marks(int kind, void *data, Py_ssize_t length, Py_ssize_t max_chars, str unit_starts) except -1:
    cdef int marks = ANY, digits = 0
    cdef bint is_numeric = True, is_digit = False, follows_digit = False, has_gap = False
    cdef bint is_ascii = True, has_space = False, may_be_address = False
    cdef Py_ssize_t k
    # as numbers: a character is a string to Python
    cdef unsigned int ch, first = <unsigned int> PyUnicode_READ(kind, data, 0) if length else 0
    if (
        length >= 4
        and (first | 32) == c'w'
        and (<unsigned int> PyUnicode_READ(kind, data, 1) | 32) == c'w'
        and (<unsigned int> PyUnicode_READ(kind, data, 2) | 32) == c'w'
        and <unsigned int> PyUnicode_READ(kind, data, 3) == c'.'
    ):
        may_be_address = True
    for k in range(length):
        ch = <unsigned int> PyUnicode_READ(kind, data, k)
        is_digit = is_digit_of(ch)
        if ch > <unsigned int> LAST_ASCII:
            is_ascii = False
        if is_digit:
            digits += 1
            if has_gap:
                marks |= TWO_NUMBERS
            follows_digit = True
            continue
        has_gap = follows_digit
        if ch == c'/' or ch == c'?':
            may_be_address = True
        elif ch == c'@':
            marks |= AT_SIGN
        elif ch == c'%':
            marks |= PERCENT
        elif ch == c',' or ch == c';' or ch == c'|' or ch == 0xB7 or ch == 0x2022:
            marks |= SEPARATOR
        elif Py_UNICODE_ISSPACE(ch):
            has_space = True
        if is_numeric and not (ch == c'+' or ch == c'-' or ch == c'.' or ch == c',' or ch == c"'" or ch == c' '):
            is_numeric = False
    if may_be_address and (not has_space or first == c'h' or first == c'H' or first == c'/'):
        marks |= ADDRESS
    if length > max_chars:
        return marks & (ANY | ADDRESS)
    if first == 0x2605 or first == 0x2B50 or first == 0x1F31F:
        marks |= RATING
    if first == c'P':
        marks |= DURATION
    if not digits:
        return marks & ~PERCENT
    marks |= DIGIT
    if is_numeric:
        marks |= NUMERIC
    if is_digit_of(first):
        if not is_numeric:
            if (marks & TWO_NUMBERS or length <= MAX_STARRED_CHARS) and starts_with_score(kind, data, length):
                marks |= RATING
            if starts_with_length(kind, data, length, unit_starts):
                marks |= DURATION
    elif not is_numeric and marks & TWO_NUMBERS and starts_with_rated(kind, data, length):
        marks |= RATING
    if (is_digit_of(first) or first == c'+' or first == c'-') and has_short_unit(kind, data, length):
        marks |= QUANTITY
    if not is_ascii or starts_with_hour(kind, data, length):
        marks |= TIME
    if is_digit and digits >= MIN_PHONE_DIGITS and (
        is_digit_of(first) or first in (c'+', c'(', 0x260E, 0x1F4DE) or (first | 32) in (c't', c'p', c'f', c'm')
    ):
        marks |= PHONE
    return marks


cdef Py_ssize_t after_digits(int kind, void *data, Py_ssize_t length, Py_ssize_t k) noexcept:
    """Return where the digits from a place on end."""
    while k < length and is_digit_of(<unsigned int> PyUnicode_READ(kind, data, k)):
        k += 1
    return k


cdef Py_ssize_t after_decimal(int kind, void *data, Py_ssize_t length, Py_ssize_t most) noexcept:
    """Return where a number of up to so many digits in front, one or two decimals and a space after it end, or -1."""
    cdef Py_ssize_t k = after_digits(kind, data, length, 0), end
    cdef unsigned int ch
    if k == 0 or k > most:
        return -1
    if k < length:
        ch = <unsigned int> PyUnicode_READ(kind, data, k)
        if ch == c'.' or ch == c',':
            end = after_digits(kind, data, length, k + 1)
            if not 0 < end - k - 1 <= 2:
                return -1
            k = end
    if k < length and <unsigned int> PyUnicode_READ(kind, data, k) == c' ':
        k += 1
    return k


cdef bint starts_with_score(int kind, void *data, Py_ssize_t length) noexcept:
    cdef Py_ssize_t k = after_decimal(kind, data, length, 3)
    cdef unsigned int ch
    if k < 0 or k >= length:
        return False
    ch = <unsigned int> PyUnicode_READ(kind, data, k)
    if ch < 128:
        return ch == c'/' or (ch | 32) in (c'o', c'v', c's', c'd', c'a', c'z', c'e', c'g')
    # the long s, and what a pattern for any case takes
    return ch in (0x17F, 0x438, 0x418, 0xE9, 0xC9, 0x2605, 0x2B50, 0x2606)


cdef bint starts_with_length(int kind, void *data, Py_ssize_t length, str unit_starts) except -1:
    cdef Py_ssize_t k = after_decimal(kind, data, length, 6)
    cdef Py_UCS4 ch
    if k < 0 or k >= length:
        return False
    ch = PyUnicode_READ(kind, data, k)
    return ch == c':' or ch in unit_starts


cdef bint starts_with_rated(int kind, void *data, Py_ssize_t length) noexcept:
    cdef unsigned int first, second
    if length < 2:
        return False
    first, second = PyUnicode_READ(kind, data, 0), PyUnicode_READ(kind, data, 1)
    if first > <unsigned int> LAST_ASCII or second > <unsigned int> LAST_ASCII:
        return False
    first, second = first | 32, second | 32
    return (
        (first == c'r' and second == c'a')
        or (first == c'a' and second == c'v')
        or (first == c'c' and second == c'u')
        or (first == c'v' and second == c'a')
        or (first == c'b' and second == c'e')
        or (first == c'n' and second == c'o')
    )


cdef bint has_short_unit(int kind, void *data, Py_ssize_t length) noexcept:
    cdef Py_ssize_t k = 0
    cdef unsigned int ch = <unsigned int> PyUnicode_READ(kind, data, 0)
    if ch == c'+' or ch == c'-':
        k = 1
    while k < length:
        ch = <unsigned int> PyUnicode_READ(kind, data, k)
        if not (is_digit_of(ch) or ch == c'.' or ch == c',' or ch == c"'" or ch == c' '):
            break
        k += 1
    return length - k <= MAX_UNIT_CHARS


cdef bint starts_with_hour(int kind, void *data, Py_ssize_t length) noexcept:
    """Return whether an ASCII text starts with an hour and what may follow it, or with a word before a number."""
    cdef Py_ssize_t k = after_digits(kind, data, length, 0), dots = 0
    cdef unsigned int ch
    if k:
        if k > 2 or k >= length:
            return False
        ch = <unsigned int> PyUnicode_READ(kind, data, k)
        if ch == c' ':
            ch = <unsigned int> PyUnicode_READ(kind, data, k + 1) if k + 1 < length else 0
        elif ch == c'.' or ch == c':':
            return True
        return (ch | 32) in (c'h', c'a', c'p')
    while k < length and k < MAX_WORD_CHARS and c'a' <= (<unsigned int> PyUnicode_READ(kind, data, k) | 32) <= c'z':
        k += 1
    if not k:
        return False
    while k < length and dots < 2 and <unsigned int> PyUnicode_READ(kind, data, k) == c'.':
        k += 1
        dots += 1
    return (
        k + 1 < length
        and <unsigned int> PyUnicode_READ(kind, data, k) == c' '
        and is_digit_of(<unsigned int> PyUnicode_READ(kind, data, k + 1))
    )


cdef class TextEscapes:
    """Writes texts as HTML. ``escapes``: the special characters and what is written for them, for ``str.translate``."""

    cdef dict escapes

    def __init__(self, dict escapes):
        self.escapes = escapes

    def __call__(self, str text):
        cdef Py_ssize_t k
        cdef int kind = PyUnicode_KIND(text)
        cdef void *data = PyUnicode_DATA(text)
        cdef Py_UCS4 character
        for k in range(PyUnicode_GET_LENGTH(text)):
            character = PyUnicode_READ(kind, data, k)
            # below this, most characters are letters
            if character <= 62 or character == 0xA0:
                if character == 38 or character == 60 or character == 62 or character == 13 or character == 0xA0:
                    return text.translate(self.escapes)
        return text
