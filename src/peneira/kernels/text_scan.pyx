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
