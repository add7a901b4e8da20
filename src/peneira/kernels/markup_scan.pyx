# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Looks for markup that takes a parser very long, without regular expressions.

``sources/parser_limits.py`` has the same as patterns; the tests compare the results.
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_Substring
from libc.stdlib cimport free, malloc
from libc.string cimport memchr

cdef extern from "Python.h":
    Py_UCS4 PyUnicode_READ(int kind, const void *data, Py_ssize_t index) nogil
    bint Py_UNICODE_ISSPACE(Py_UCS4 character) nogil
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 character) nogil

cdef struct Html:
    int kind
    const void *data
    Py_ssize_t length


cdef inline Html html_of(str text):
    cdef Html html
    html.kind = PyUnicode_KIND(text)
    html.data = PyUnicode_DATA(text)
    html.length = PyUnicode_GET_LENGTH(text)
    return html


cdef inline Py_UCS4 at(const Html *html, Py_ssize_t k) noexcept nogil:
    return PyUnicode_READ(html.kind, html.data, k)


cdef inline bint is_space(Py_UCS4 character) noexcept nogil:
    if character < 128:
        return character == 32 or 9 <= character <= 13 or 28 <= character <= 31
    return Py_UNICODE_ISSPACE(character)


cdef inline Py_ssize_t find(const Html *html, Py_UCS4 character, Py_ssize_t start) noexcept nogil:
    """Return where an ASCII character comes next, the length of the text if it does not."""
    cdef const char *found
    if start >= html.length:
        return html.length
    if html.kind == 1:
        found = <const char *> memchr(<const char *> html.data + start, <int> character, html.length - start)
        return found - <const char *> html.data if found != NULL else html.length
    while start < html.length and at(html, start) != character:
        start += 1
    return start


cdef inline Py_ssize_t after_spaces(const Html *html, Py_ssize_t k) noexcept nogil:
    """Return where white space and slashes end."""
    cdef Py_UCS4 character
    while k < html.length:
        character = at(html, k)
        if character != 47 and not is_space(character):
            break
        k += 1
    return k


cdef Py_ssize_t after_attributes(const Html *html, Py_ssize_t k, Py_ssize_t most, Py_ssize_t *count) noexcept nogil:
    """Return where at most so many attributes end, and how many there are: the pattern ``_ATTRIBUTE``, repeated."""
    cdef Py_UCS4 character, quote
    cdef Py_ssize_t ahead
    count[0] = 0
    k = after_spaces(html, k)
    while k < html.length and count[0] < most:
        character = at(html, k)
        if character == 62:  # >
            break
        k += 1
        while k < html.length:
            character = at(html, k)
            if character == 61 or character == 47 or character == 62 or is_space(character):
                break
            k += 1
        ahead = k
        while ahead < html.length and is_space(at(html, ahead)):
            ahead += 1
        if ahead < html.length and at(html, ahead) == 61:
            k = ahead + 1
            while k < html.length and is_space(at(html, k)):
                k += 1
            if k < html.length:
                quote = at(html, k)
                if quote == 34 or quote == 39:
                    k = find(html, quote, k + 1)
                    if k < html.length:
                        k += 1
                elif quote != 62:
                    while k < html.length:
                        character = at(html, k)
                        if character == 62 or is_space(character):
                            break
                        k += 1
        k = after_spaces(html, k)
        count[0] += 1
    return k


def attributes_end(str text, Py_ssize_t start):
    """Return where the attributes end that begin at a place."""
    cdef Html html = html_of(text)
    cdef Py_ssize_t count
    return after_attributes(&html, start, html.length, &count)


def may_have_too_many_attributes(str text, Py_ssize_t most, Py_ssize_t step):
    """Return whether a tag may have too many attributes: a long stretch, in quotes or not, reads as attributes."""
    cdef Html html = html_of(text)
    cdef Py_ssize_t place, start, end, count
    cdef Py_UCS4 quote
    cdef int turn
    with nogil:
        for turn in range(3):
            quote = 34 if turn == 1 else 39
            place = 0
            while place < html.length:
                start = place
                if turn:
                    start = find(&html, quote, place) + 1
                    if start > html.length:
                        break
                end = after_attributes(&html, start, html.length, &count)
                if end - start > 2 * most and count >= most:
                    with gil:
                        return True
                place = max(place + step, end)
    return False


def next_excess(str text, Py_ssize_t place, Py_ssize_t most):
    """Return where the next start tag with too many attributes begins, where these begin to be too many, where they end,
    and how many there are; all -1 where there is no such tag."""
    cdef Html html = html_of(text)
    cdef Py_ssize_t start, end, count, first
    cdef Py_UCS4 character
    while True:
        place = find(&html, 60, place)
        if place + 1 >= html.length:
            return -1, -1, -1, -1
        character = at(&html, place + 1)
        # letters as IGNORECASE has them
        if not (
            97 <= character <= 122 or 65 <= character <= 90
            or character == 0x130 or character == 0x131 or character == 0x17F or character == 0x212A
        ):
            place += 1
            continue
        start = place + 2
        while start < html.length:
            character = at(&html, start)
            if character == 47 or character == 62 or is_space(character):
                break
            start += 1
        end = after_attributes(&html, start, html.length, &count)
        if end - start > 2 * most and count >= most:
            return place, after_attributes(&html, start, most, &first), end, count
        place = end


cdef inline unsigned int lower(unsigned int character) noexcept nogil:
    return character + 32 if 65 <= character <= 90 else character


cdef Py_ssize_t name_end(const Html *html, Py_ssize_t start, const char *name, bint may_close) noexcept nogil:
    """Return where a name in any case ends that begins at a place and is a whole tag name, -1 if it is not there."""
    cdef Py_ssize_t k = start
    cdef Py_UCS4 character
    while name[0]:
        if k >= html.length or lower(<unsigned int> at(html, k)) != <unsigned int> name[0]:
            return -1
        k += 1
        name += 1
    if k >= html.length:
        return -1
    character = at(html, k)
    return k if character == 47 or is_space(character) or (may_close and character == 62) else -1


cdef const char *FORMATTING[12]
FORMATTING[:] = [b"b", b"big", b"code", b"em", b"font", b"i", b"s", b"small", b"strike", b"strong", b"tt", b"u"]


def count_repeatable(str text):
    """Return how many body and html tags with attributes there are."""
    cdef Html html = html_of(text)
    cdef Py_ssize_t place = 0, count = 0
    while True:
        place = find(&html, 60, place) + 1
        if place >= html.length:
            return count
        if name_end(&html, place, "body", False) >= 0 or name_end(&html, place, "html", False) >= 0:
            count += 1


def formatting_tags(str text, Py_ssize_t most):
    """Return the different start tags of formatting elements, at most one more than ``most``."""
    cdef Html html = html_of(text)
    cdef Py_ssize_t place = 0, end, count
    cdef int k
    cdef set tags = set()
    while len(tags) <= most:
        place = find(&html, 60, place)
        if place + 1 >= html.length:
            break
        for k in range(12):
            end = name_end(&html, place + 1, FORMATTING[k], True)
            if end >= 0:
                end = after_attributes(&html, end, html.length, &count)
                tags.add(PyUnicode_Substring(text, place, end))
                place = end
                break
        else:
            place += 1
    return tags


cdef inline Py_UCS4 folded(Py_UCS4 character) noexcept nogil:
    """Return a letter as IGNORECASE compares it with one of ASCII."""
    if character < 128:
        return lower(character)
    character = Py_UNICODE_TOLOWER(character)
    if character == 0x131:
        character = 105
    elif character == 0x17F:
        character = 115
    return character


cdef bint is_name(
    const Html *html, Py_ssize_t start, Py_ssize_t end, const unsigned char[::1] names, bint fold
) noexcept nogil:
    """Return whether a name is one of several, which stand in one array with a zero after each."""
    cdef Py_ssize_t k = 0, i
    cdef Py_UCS4 character
    while k < names.shape[0]:
        i = start
        while names[k] and i < end:
            character = folded(at(html, i)) if fold else at(html, i)
            if character != names[k]:
                break
            i += 1
            k += 1
        if not names[k] and i == end:
            return True
        while names[k]:
            k += 1
        k += 1
    return False


cdef bint is_same(const Html *html, Py_ssize_t first, Py_ssize_t second, Py_ssize_t length, bint fold) noexcept nogil:
    """Return whether two stretches have the same characters."""
    cdef Py_ssize_t k
    cdef Py_UCS4 one, other
    for k in range(length):
        one, other = at(html, first + k), at(html, second + k)
        if one != other and not (fold and Py_UNICODE_TOLOWER(one) == Py_UNICODE_TOLOWER(other)):
            return False
    return True


cdef Py_ssize_t after_comment(const Html *html, Py_ssize_t k) noexcept nogil:
    """Return where a comment ends whose text begins at a place."""
    cdef Py_ssize_t dash
    if k < html.length and at(html, k) == 62:
        return k + 1
    if k + 1 < html.length and at(html, k) == 45 and at(html, k + 1) == 62:
        return k + 2
    while True:
        dash = find(html, 45, k)
        if dash + 2 >= html.length:
            return html.length
        if at(html, dash + 1) == 45:
            if at(html, dash + 2) == 62:
                return dash + 3
            if at(html, dash + 2) == 33 and dash + 3 < html.length and at(html, dash + 3) == 62:
                return dash + 4
        k = dash + 1


cdef Py_ssize_t after_raw_text(const Html *html, Py_ssize_t k, Py_ssize_t name, Py_ssize_t length) noexcept nogil:
    """Return where the end tag of raw text has its name, or the end of the text."""
    while True:
        k = find(html, 60, k)
        if k + 2 + length > html.length:
            return html.length
        if at(html, k + 1) == 47 and is_same(html, name, k + 2, length, True):
            return k + 2 + length
        k += 1


def depth_bound(str text, Py_ssize_t limit, const unsigned char[::1] void_names, const unsigned char[::1] raw_names):
    """Return how deep tags nest if an end tag closes only the element opened last, at most one more than ``limit``.

    Of the names, those of void elements and of raw text, each has a zero after it.
    """
    cdef Html html = html_of(text)
    cdef Py_ssize_t place = 0, name, end, count, open_tags = 0, deepest = 0
    cdef Py_UCS4 character
    cdef bint closes
    cdef Py_ssize_t room = min(limit, <Py_ssize_t> count_tags(text)) + 2  # whatever limit the user set
    cdef Py_ssize_t *starts = <Py_ssize_t *> malloc(room * sizeof(Py_ssize_t))
    cdef Py_ssize_t *ends = <Py_ssize_t *> malloc(room * sizeof(Py_ssize_t))
    if starts == NULL or ends == NULL:
        free(starts)
        free(ends)
        raise MemoryError
    with nogil:
        while deepest <= limit:
            place = find(&html, 60, place) + 1
            if place >= html.length:
                break
            character = at(&html, place)
            if character == 33 and place + 2 < html.length and at(&html, place + 1) == 45 and at(&html, place + 2) == 45:
                place = after_comment(&html, place + 3)
                continue
            closes = character == 47
            name = place + closes
            if name >= html.length:
                break
            character = at(&html, name)
            if not (97 <= character <= 122 or 65 <= character <= 90):
                continue
            end = name + 1
            while end < html.length:
                character = at(&html, end)
                if character == 47 or character == 62 or is_space(character):
                    break
                end += 1
            if end < html.length and at(&html, end) == 62:
                place = end
            else:
                place = after_attributes(&html, end, html.length, &count)
            if closes:
                if (
                    open_tags and ends[open_tags - 1] - starts[open_tags - 1] == end - name
                    and is_same(&html, starts[open_tags - 1], name, end - name, False)
                ):
                    open_tags -= 1
            elif place < html.length and is_name(&html, name, end, raw_names, True):
                place = after_raw_text(&html, place + 1, name, end - name)
            elif not is_name(&html, name, end, void_names, False):
                starts[open_tags], ends[open_tags] = name, end
                open_tags += 1
                deepest = max(deepest, open_tags)
    free(starts)
    free(ends)
    return deepest


def utf8_bytes(const unsigned char[::1] body):
    """Return how many bytes lie in well-formed UTF-8 sequences of several bytes, and how many are not ASCII."""
    cdef Py_ssize_t k = 0, j, length = body.shape[0], inside = 0, high = 0, more
    cdef unsigned char first
    with nogil:
        while k < length:
            first = body[k]
            if first < 0x80:
                k += 1
                continue
            more = 1 if 0xC2 <= first <= 0xDF else 2 if 0xE0 <= first <= 0xEF else 3 if 0xF0 <= first <= 0xF4 else 0
            j = 1
            while j <= more and k + j < length and 0x80 <= body[k + j] <= 0xBF:
                j += 1
            if more and j > more:
                inside += more + 1
                high += more + 1
                k += more + 1
            else:
                high += 1
                k += 1
    return inside, high


def count_tags(str text):
    """Return how many ``<`` there are."""
    cdef Html html = html_of(text)
    cdef const unsigned char *data = <const unsigned char *> html.data
    cdef Py_ssize_t k, count = 0
    if html.kind == 1:
        for k in range(html.length):
            count += data[k] == 60
    else:
        for k in range(html.length):
            count += at(&html, k) == 60
    return count
