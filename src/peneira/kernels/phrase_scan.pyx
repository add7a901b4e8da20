# cython: language_level=3, boundscheck=False, wraparound=False
"""Phrases of word lists in texts, in any case, in one pass over the characters of a text; and the bare form of texts.

``peneira.phrase_search`` says what is searched for, ``peneira.items.claims`` what the bare form is, and
``peneira.items.lines`` what a digit is; they do the same without a compiler.
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ
from libc.stdlib cimport calloc, free, malloc

cdef extern from "Python.h":
    bint Py_UNICODE_ISALNUM(unsigned int ch) nogil
    bint Py_UNICODE_ISDECIMAL(unsigned int ch) nogil
    bint Py_UNICODE_ISDIGIT(unsigned int ch) nogil
    unsigned int Py_UNICODE_TOLOWER(unsigned int ch) nogil
    object PyUnicode_FromKindAndData(int kind, const void *buffer, Py_ssize_t size)

cdef Py_ssize_t TABLE_CHARS = 0x10000
cdef int NONE = 0x7FFFFFFF
cdef int ANY = NONE - 1
cdef Py_ssize_t STACK_CHARS = 512


# Letters that match another one in any case although their lower case differs: the i without a dot, the long s, the
# forms of Greek and Cyrillic letters
cdef dict OTHER_FORMS = {
    0x131: 0x69, 0x17F: 0x73, 0xB5: 0x3BC, 0x345: 0x3B9, 0x3C2: 0x3C3, 0x3D0: 0x3B2, 0x3D1: 0x3B8, 0x3D5: 0x3C6,
    0x3D6: 0x3C0, 0x3F0: 0x3BA, 0x3F1: 0x3C1, 0x3F5: 0x3B5, 0x1C80: 0x432, 0x1C81: 0x434, 0x1C82: 0x43E, 0x1C83: 0x441,
    0x1C84: 0x442, 0x1C85: 0x442, 0x1C86: 0x44A, 0x1C87: 0x463, 0x1C88: 0xA64B, 0x1E9B: 0x1E61, 0x1FBE: 0x3B9,
}
cdef unsigned int LOWER[0x10000]


cdef void fill_lower():
    cdef unsigned int ch
    for ch in range(0x10000):
        LOWER[ch] = Py_UNICODE_TOLOWER(ch)
    for form, letter in OTHER_FORMS.items():
        LOWER[<unsigned int> form] = letter


fill_lower()


cdef inline unsigned int folded(unsigned int ch) noexcept nogil:
    """Return what the forms of a letter have in common."""
    return LOWER[ch] if ch < 0x10000 else Py_UNICODE_TOLOWER(ch)


cdef inline bint is_word(unsigned int ch) noexcept nogil:
    if ch < 128:
        return 48 <= ch <= 57 or 65 <= ch <= 90 or 97 <= ch <= 122 or ch == 95
    return Py_UNICODE_ISALNUM(ch)


cdef class PhraseSearch:
    """A call returns the least number of the phrases that a text has, -1 if it has none of them.

    The phrases are a tree of characters, the children of a node one after the other.
    """

    cdef int *roots  # by first character: its node, 0 for none
    cdef unsigned int *chars
    cdef int *first_child
    cdef int *children
    # the least number of the phrases that end in a node, four for each: whatever stands around them, that no letter may
    # follow, that no letter may stand before, neither
    cdef int *ends
    cdef unsigned char *starts_word  # of the first characters: no letter may stand before any of their phrases

    def __cinit__(self, phrases):
        self.roots = self.first_child = self.children = self.ends = NULL
        self.chars = NULL
        self.starts_word = NULL

    def __init__(self, phrases):
        """``phrases``: text, number, whether it must begin and whether it must end with a whole word"""
        tree = [({}, [NONE] * 4)]  # children by character, ends
        bounded = {}
        for text, number, is_start, is_end in phrases:
            node = 0
            for character in text:
                key = chr(folded(ord(character)))
                if key not in tree[node][0]:
                    tree[node][0][key] = len(tree)
                    tree.append(({}, [NONE] * 4))
                node = tree[node][0][key]
            ends, kind = tree[node][1], 2 * is_start + is_end
            ends[kind] = min(ends[kind], number)
            first = chr(folded(ord(text[0])))
            bounded[first] = bounded.get(first, True) and is_start
        self._flatten(tree, bounded)

    cdef _flatten(self, list tree, dict bounded):
        cdef Py_ssize_t count = len(tree), k
        self.roots = <int *> calloc(TABLE_CHARS, sizeof(int))
        self.chars = <unsigned int *> malloc(count * sizeof(unsigned int))
        self.first_child = <int *> malloc(count * sizeof(int))
        self.children = <int *> malloc(count * sizeof(int))
        self.ends = <int *> malloc(4 * count * sizeof(int))
        self.starts_word = <unsigned char *> malloc(count)
        if not (self.roots and self.chars and self.first_child and self.children and self.ends and self.starts_word):
            raise MemoryError
        order, own = [0], [0] * count
        for node in order:  # which grows: the children of a node follow each other
            for key, child in tree[node][0].items():
                own[child] = ord(key)
                order.append(child)
        place = {node: k for k, node in enumerate(order)}
        for node in order:
            k = place[node]
            inner, ends = tree[node]
            self.chars[k] = own[node]
            self.children[k] = len(inner)
            self.first_child[k] = min((place[child] for child in inner.values()), default=0)
            for kind in range(4):
                self.ends[4 * k + kind] = ends[kind]
            self.starts_word[k] = 0
        for key, child in tree[0][0].items():
            if ord(key) >= TABLE_CHARS:
                raise ValueError(f"{key!r}: a phrase begins with a character of the basic plane")
            self.roots[<Py_ssize_t> ord(key)] = place[child]
            self.starts_word[<Py_ssize_t> place[child]] = bounded[key]

    def __dealloc__(self):
        free(self.roots)
        free(self.chars)
        free(self.first_child)
        free(self.children)
        free(self.ends)
        free(self.starts_word)

    def __call__(self, str text not None):
        cdef int found = self.least(text, 0)
        return found if found != NONE else -1

    def any_of(self, texts):
        """Return whether one of some texts has a phrase."""
        cdef str text
        for text in texts:
            if text is None:
                raise TypeError("a text is None")
            if self.least(text, ANY) != NONE:
                return True
        return False

    def which(self, texts):
        """Return the places of the texts that have a phrase."""
        cdef Py_ssize_t k = 0
        cdef str text
        found = []
        for text in texts:
            if text is None:
                raise TypeError("a text is None")
            if self.least(text, ANY) != NONE:
                found.append(k)
            k += 1
        return found

    cdef int least(self, str text, int enough) noexcept:
        """Return the least number of the phrases of a text, or the first that is at most ``enough``."""
        cdef int kind = PyUnicode_KIND(text)
        cdef void *data = PyUnicode_DATA(text)
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), k, j
        cdef unsigned int ch
        cdef int node, child, last, best = NONE
        cdef bint starts, stops
        cdef int *ends
        for k in range(length):
            ch = folded(PyUnicode_READ(kind, data, k))
            node = self.roots[ch] if ch < 0x10000 else 0
            if node == 0:
                continue
            starts = k == 0 or not is_word(PyUnicode_READ(kind, data, k - 1))
            if self.starts_word[node] and not starts:
                continue
            j = k + 1
            while True:
                ends = self.ends + 4 * node
                best = min(best, ends[0])
                if ends[1] < best or (starts and (ends[2] < best or ends[3] < best)):
                    stops = j == length or not is_word(PyUnicode_READ(kind, data, j))
                    if stops:
                        best = min(best, ends[1])
                    if starts:
                        best = min(best, ends[2])
                    if starts and stops:
                        best = min(best, ends[3])
                if j == length:
                    break
                ch = folded(PyUnicode_READ(kind, data, j))
                child = self.first_child[node]
                last = child + self.children[node]
                while child < last and self.chars[child] != ch:
                    child += 1
                if child == last:
                    break
                node = child
                j += 1
            if best <= enough:
                break
        return best


cdef inline bint is_letter(unsigned int ch) noexcept nogil:
    """Return whether a character is one of words, and neither a decimal digit nor an underscore."""
    if ch < 128:
        return 65 <= ch <= 90 or 97 <= ch <= 122
    return Py_UNICODE_ISALNUM(ch) and not Py_UNICODE_ISDECIMAL(ch)


cdef class WordSearch:
    """A call returns whether a text has one of some words: all of the letters between two other characters."""

    cdef frozenset words
    cdef unsigned long long *lengths  # by first character: the lengths of its words, as bits

    def __cinit__(self, words):
        self.lengths = NULL

    def __init__(self, words):
        """``words``: of at most 63 characters each, the first of the basic plane"""
        self.words = frozenset(words)
        self.lengths = <unsigned long long *> calloc(TABLE_CHARS, sizeof(unsigned long long))
        if self.lengths == NULL:
            raise MemoryError
        for word in self.words:
            if not 0 < len(word) < 64 or ord(word[0]) >= TABLE_CHARS:
                raise ValueError(f"{word!r}: a word has 1 to 63 characters, the first of the basic plane")
            self.lengths[<Py_ssize_t> ord(word[0])] |= <unsigned long long> 1 << <int> len(word)

    def __dealloc__(self):
        free(self.lengths)

    def __call__(self, str text not None):
        cdef int kind = PyUnicode_KIND(text)
        cdef void *data = PyUnicode_DATA(text)
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), k = 0, start
        cdef unsigned int first
        while k < length:
            first = PyUnicode_READ(kind, data, k)
            start = k
            k += 1
            if not is_letter(first):
                continue
            while k < length and is_letter(PyUnicode_READ(kind, data, k)):
                k += 1
            if first < 0x10000 and k - start < 64 and self.lengths[first] >> (k - start) & 1:
                if text[start:k] in self.words:
                    return True
        return False


def has_digit(str text not None):
    """Return whether a text has a digit, of any script."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t k
    cdef unsigned int ch
    for k in range(PyUnicode_GET_LENGTH(text)):
        ch = PyUnicode_READ(kind, data, k)
        if ch <= 57:
            if ch >= 48:
                return True
        elif ch >= 128 and Py_UNICODE_ISDIGIT(ch):
            return True
    return False


def letters_and_digits(str text not None):
    """Return the letters and digits of a text of ASCII characters, in lower case."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), k, size = 0
    cdef const unsigned char *data = <const unsigned char *> PyUnicode_DATA(text)
    cdef unsigned char stack[512]
    cdef unsigned char *kept = &stack[0]
    cdef unsigned char ch
    if length > STACK_CHARS:
        kept = <unsigned char *> malloc(length)
    if kept == NULL:
        raise MemoryError
    for k in range(length):
        ch = data[k]
        if 97 <= ch <= 122 or 48 <= ch <= 57:
            kept[size] = ch
            size += 1
        elif 65 <= ch <= 90:
            kept[size] = ch + 32
            size += 1
    try:
        return PyUnicode_FromKindAndData(1, kept, size)
    finally:
        if length > STACK_CHARS:
            free(kept)
