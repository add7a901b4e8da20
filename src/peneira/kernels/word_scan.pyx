# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The words of the texts of a page as numbers, what is known of them, and their kinds of characters.

A word is a run of letters, digits and underscores, as in the patterns of Python. It is known by a hash of 64 bits.
``texts/text_words.py``, ``text_vocabulary.py`` and ``wording_features.py`` have the same without it; the tests compare
the results.
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

import numpy as np

from peneira.kernels.int_map cimport mixed

cdef extern from "Python.h":
    Py_UCS4 PyUnicode_READ(int kind, const void *data, Py_ssize_t index) nogil
    bint Py_UNICODE_ISALNUM(Py_UCS4 character) nogil

cdef enum:
    # first words of a text that are looked up, and with them the pairs of neighbours
    MOST_KEYS = 64


cdef inline bint is_word(Py_UCS4 character) noexcept nogil:
    if character < 128:
        return 97 <= character <= 122 or 48 <= character <= 57 or 65 <= character <= 90 or character == 95
    return Py_UNICODE_ISALNUM(character)


def scanned(list texts):
    """Return the hash of each word of two characters and more of the texts, in order, and how many each text has."""
    cdef Py_ssize_t total = 0, k, at, size, run, found = 0, before
    cdef int kind
    cdef const void *data
    cdef Py_UCS4 character
    cdef uint64_t code
    cdef str text
    for text in texts:
        total += PyUnicode_GET_LENGTH(text) // 3 + 1
    hashes = np.empty(total, dtype=np.uint64)
    counts = np.zeros(len(texts), dtype=np.int64)
    cdef uint64_t[::1] hash_of = hashes
    cdef int64_t[::1] count_of = counts
    for k in range(len(texts)):
        text = texts[k]
        size, kind, data = PyUnicode_GET_LENGTH(text), PyUnicode_KIND(text), PyUnicode_DATA(text)
        before, run, code = found, 0, 0
        for at in range(size + 1):
            character = <Py_UCS4> 32
            if at < size:
                character = PyUnicode_READ(kind, data, at)
            if is_word(character):
                code = (code ^ <uint64_t> character) * <uint64_t> 0x100000001B3 + <uint64_t> 0x9E3779B9
                run += 1
            elif run:
                if run > 1:
                    hash_of[found] = mixed(code)
                    found += 1
                run, code = 0, 0
        count_of[k] = found - before
    return hashes[:found], counts


def slots(uint64_t[::1] keys):
    """Return a hash table of distinct keys: its keys, and the number of each from 1 on; 0 where a slot is free."""
    cdef size_t size = 16, at
    cdef Py_ssize_t k
    while size < 2 * <size_t> keys.shape[0]:
        size *= 2
    held, number = np.zeros(size, dtype=np.uint64), np.zeros(size, dtype=np.int32)
    cdef uint64_t[::1] key_of = held
    cdef int32_t[::1] number_of = number
    for k in range(keys.shape[0]):
        at = mixed(keys[k]) & (size - 1)
        while number_of[at]:
            at = (at + 1) & (size - 1)
        key_of[at] = keys[k]
        number_of[at] = <int32_t> (k + 1)
    return held, number


cdef inline int32_t found_in(const uint64_t *keys, const int32_t *numbers, size_t mask, uint64_t key) noexcept nogil:
    cdef size_t at = mixed(key) & mask
    while numbers[at]:
        if keys[at] == key:
            return numbers[at]
        at = (at + 1) & mask
    return 0


def source_shares(const uint64_t[::1] hashes, const int64_t[::1] counts, list sources):
    """Return, a row per source, the share of the words of each text that the source has; -1 for an empty source."""
    cdef Py_ssize_t texts = counts.shape[0], k, s, j, total = 0, start
    cdef size_t size = 16, at
    cdef uint64_t key
    cdef const uint64_t[::1] words
    cdef list found = []
    table = np.full((len(sources), texts), -1.0)
    cdef double[:, ::1] out = table
    for source in sources:
        words_of = scanned([source])[0]
        total += len(words_of)
        found.append(words_of)
    while size < 2 * <size_t> total:
        size *= 2
    held, bits = np.zeros(size, dtype=np.uint64), np.zeros(size, dtype=np.uint8)
    cdef uint64_t[::1] key_of = held
    cdef uint8_t[::1] bit_of = bits
    for s in range(len(sources)):
        words = found[s]
        for k in range(words.shape[0]):
            at = mixed(words[k]) & (size - 1)
            while bit_of[at] and key_of[at] != words[k]:
                at = (at + 1) & (size - 1)
            key_of[at] = words[k]
            bit_of[at] |= <uint8_t> (1 << s)
    for s in range(len(sources)):
        if not sources[s]:
            continue
        start = 0
        for k in range(texts):
            out[s, k] = 0
            for j in range(start, start + counts[k]):
                key = hashes[j]
                at = mixed(key) & (size - 1)
                while bit_of[at] and key_of[at] != key:
                    at = (at + 1) & (size - 1)
                out[s, k] += bit_of[at] >> s & 1
            out[s, k] /= <double> max(counts[k], 1)
            start += counts[k]
    return table


def parts_of(str title, list texts):
    """Return which texts of three characters or more are part of a title."""
    cdef Py_ssize_t k, size = len(title), length
    found = np.zeros(len(texts), dtype=np.bool_)
    cdef uint8_t[::1] out = found.view(np.uint8)
    for k in range(len(texts)):
        length = len(<str> texts[k])
        if 2 < length <= size:
            out[k] = (<str> texts[k]) in title
    return found


def known_shares(
    const uint64_t[::1] hashes,
    const int64_t[::1] counts,
    const uint64_t[::1] word_keys,
    const int32_t[::1] word_numbers,
    const double[::1] shares,
    const uint64_t[::1] pair_keys,
    const int32_t[::1] pair_numbers,
    const double[::1] pair_shares,
    uint64_t width,
    Py_ssize_t most,
    double unknown,
):
    """Return the lowest, the highest and the mean of the known shares of each text, a column each.

    The first ``most`` words of a text and the pairs of neighbours among them count, each once.
    """
    cdef Py_ssize_t k, j, i, start = 0, size, found
    cdef uint64_t seen[MOST_KEYS]
    cdef uint64_t numbers[MOST_KEYS]
    cdef uint64_t key, before, number
    cdef int32_t pair
    cdef double share, low, high, total
    if 2 * most > MOST_KEYS:
        raise ValueError("too many words are looked up")
    table = np.full((counts.shape[0], 3), unknown)
    cdef double[:, ::1] row = table
    for k in range(counts.shape[0]):
        size = counts[k] if counts[k] < most else most
        found, before, low, high, total = 0, 0, 2.0, -2.0, 0.0
        for j in range(2 * size):
            # the words first, then the pairs
            if j < size:
                number = found_in(&word_keys[0], &word_numbers[0], word_keys.shape[0] - 1, hashes[start + j])
                numbers[j] = number
                if number == 0 or shares[number] == unknown:
                    continue
                key, share = number, shares[number]
            else:
                if j == size:
                    before = 0
                number = numbers[j - size]
                key = before * width + number
                if before == 0 or number == 0:
                    before = number
                    continue
                before = number
                pair = found_in(&pair_keys[0], &pair_numbers[0], pair_keys.shape[0] - 1, key)
                if pair == 0:
                    continue
                share = pair_shares[pair - 1]
            for i in range(found):
                if seen[i] == key:
                    break
            else:
                seen[found] = key
                found += 1
                total += share
                low = share if share < low else low
                high = share if share > high else high
        if found:
            row[k, 0], row[k, 1], row[k, 2] = low, high, total / found
        start += counts[k]
    return table


def characters(list texts, const uint8_t[::1] kinds):
    """Return per text how many characters it has of each of eight kinds, and more.

    A column per bit of ``kinds``, whose last entry is for all further characters; then how often a digit and a letter
    follow each other, and the kinds of the first and of the last character.
    """
    cdef Py_ssize_t k, at, size
    cdef int kind, bit
    cdef const void *data
    cdef Py_UCS4 character
    cdef uint8_t own, before
    cdef Py_ssize_t last = kinds.shape[0] - 1
    cdef int64_t of_kind[256]
    cdef str text
    table = np.zeros((11, len(texts)), dtype=np.int64)
    cdef int64_t[:, ::1] column = table
    for k in range(len(texts)):
        text = texts[k]
        size, kind, data = PyUnicode_GET_LENGTH(text), PyUnicode_KIND(text), PyUnicode_DATA(text)
        for bit in range(256):
            of_kind[bit] = 0
        before = 0
        for at in range(size):
            character = PyUnicode_READ(kind, data, at)
            own = kinds[character] if <Py_ssize_t> character < last else kinds[last]
            of_kind[own] += 1
            # a digit is the second bit, a letter the fourth
            if (before & 2 and own & 8) or (before & 8 and own & 2):
                column[8, k] += 1
            if at == 0:
                column[9, k] = own
            before = own
        column[10, k] = before
        for at in range(256):
            own = <uint8_t> at
            if of_kind[own]:
                for bit in range(8):
                    if own >> bit & 1:
                        column[bit, k] += of_kind[own]
    return table


def word_counts(list texts):
    """Return the number of words of each text, also of one character; those beyond the basic plane are in none."""
    cdef Py_ssize_t k, at, size
    cdef int kind
    cdef const void *data
    cdef Py_UCS4 character
    cdef bint own, before
    cdef str text
    counts = np.zeros(len(texts))
    cdef double[::1] count_of = counts
    for k in range(len(texts)):
        text = texts[k]
        size, kind, data = PyUnicode_GET_LENGTH(text), PyUnicode_KIND(text), PyUnicode_DATA(text)
        before = False
        for at in range(size):
            character = PyUnicode_READ(kind, data, at)
            own = character < 0x10000 and is_word(character)
            if own and not before:
                count_of[k] += 1
            before = own
    return counts
