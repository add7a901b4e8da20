# cython: language_level=3, boundscheck=False, wraparound=False
"""Searches for single characters in texts, in place of a regular expression for each.

``peneira.character_search`` and ``peneira.types.notation`` say what is searched for, and do the same without a compiler.
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ

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


def values_of(texts, Py_ssize_t max_chars, str around, frozenset placeholders):
    """Return the texts that are no placeholders of up to ``max_chars`` characters, with some signs around them."""
    cdef list kept = []
    cdef str text, bare
    cdef Py_ssize_t length
    for text in texts:
        length = PyUnicode_GET_LENGTH(text)
        if length <= max_chars or text[0] in around or text[length - 1] in around:
            bare = text.strip(around)
            if PyUnicode_GET_LENGTH(bare) <= max_chars and bare.lower() in placeholders:
                continue
        kept.append(text)
    return kept


def have_digits(texts, double least):
    """Return whether at least so many texts have a decimal digit."""
    cdef Py_ssize_t possible = len(texts), k
    cdef int kind
    cdef void *data
    cdef Py_UCS4 ch
    cdef str text
    for text in texts:
        kind, data = PyUnicode_KIND(text), PyUnicode_DATA(text)
        for k in range(PyUnicode_GET_LENGTH(text)):
            ch = PyUnicode_READ(kind, data, k)
            if u"0" <= ch <= u"9" or (ch > <Py_UCS4> LAST_ASCII and Py_UNICODE_ISDECIMAL(ch)):
                break
        else:
            possible -= 1
            if possible < least:
                return False
    return possible >= least


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
    MIN_PHONE_DIGITS = 7
    MAX_STARRED_CHARS = 17


def reading_marks(list texts, Py_ssize_t max_chars):
    """Return the marks of each text, and those that any has: ``peneira.types.reading_marks`` says what they mean."""
    cdef list marks = []
    cdef int own, every = 0
    cdef str text
    for text in texts:
        own = _marks(PyUnicode_KIND(text), PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text), max_chars)
        every |= own
        marks.append(own)
    return marks, every


cdef int _marks(int kind, void *data, Py_ssize_t length, Py_ssize_t max_chars) noexcept:
    cdef int marks = ANY, digits = 0
    cdef bint is_numeric = True, is_digit = False, follows_digit = False, has_gap = False
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
        marks |= ADDRESS
    for k in range(length):
        ch = <unsigned int> PyUnicode_READ(kind, data, k)
        is_digit = c'0' <= ch <= c'9' or (ch > <unsigned int> LAST_ASCII and Py_UNICODE_ISDECIMAL(ch))
        if is_digit:
            digits += 1
            if has_gap:
                marks |= TWO_NUMBERS
            follows_digit = True
            continue
        has_gap = follows_digit
        if ch == c'/' or ch == c'?':
            marks |= ADDRESS
            if length > max_chars:
                break
        elif ch == c'@':
            marks |= AT_SIGN
        elif ch == c'%':
            marks |= PERCENT
        if is_numeric and not (ch == c'+' or ch == c'-' or ch == c'.' or ch == c',' or ch == c"'" or ch == c' '):
            is_numeric = False
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
    if c'0' <= first <= c'9' or (first > <unsigned int> LAST_ASCII and Py_UNICODE_ISDECIMAL(first)):
        marks |= QUANTITY if is_numeric else QUANTITY | DURATION
        if not is_numeric and (marks & TWO_NUMBERS or length <= MAX_STARRED_CHARS):
            marks |= RATING
    elif first == c'+' or first == c'-':
        marks |= QUANTITY
    elif not is_numeric and marks & TWO_NUMBERS and (first | 32) in (c'r', c'a', c'c', c'v', c'b', c'n'):
        marks |= RATING
    if is_digit and digits >= MIN_PHONE_DIGITS:
        marks |= PHONE
    return marks
