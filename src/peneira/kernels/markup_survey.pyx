# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Counts what may make a page slow to parse, in one pass over its bytes in UTF-8: nearly every page has little of it.

``sources/parser_limits.py`` reads the same from the text, step by step; a page of which this counts few of everything is
left by all of them as it is, which the tests compare.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memchr, memcmp, memcpy

cdef enum:
    PLAIN
    SPACE
    SLASH
    CLOSE  # >
    EQUALS
    MAYBE_SPACE  # the first byte of a space outside ASCII

cdef unsigned char CLASSES[256]
for _byte in range(256):
    CLASSES[_byte] = SPACE if _byte == 32 or 9 <= _byte <= 13 or 28 <= _byte <= 31 else PLAIN
CLASSES[47] = SLASH
CLASSES[62] = CLOSE
CLASSES[61] = EQUALS
for _byte in (0xC2, 0xE1, 0xE2, 0xE3):
    CLASSES[_byte] = MAYBE_SPACE

# What a tag may be to the levels of formatting elements: one of them, raw text, or neither
cdef enum:
    FORMATTING_COUNT = 12
    RAW_COUNT = 8
    LONGEST_NAME = 8
    OTHER = -1
    COMMENT = FORMATTING_COUNT + RAW_COUNT
    SCRIPT = FORMATTING_COUNT + 3

cdef const char *NAMES[FORMATTING_COUNT + RAW_COUNT]
NAMES[:] = [
    b"b", b"big", b"code", b"em", b"font", b"i", b"s", b"small", b"strike", b"strong", b"tt", b"u",
    b"iframe", b"noembed", b"noframes", b"script", b"style", b"textarea", b"title", b"xmp",
]  # fmt: skip
cdef int LENGTHS[FORMATTING_COUNT + RAW_COUNT]
LENGTHS[:] = [1, 3, 4, 2, 4, 1, 1, 5, 6, 6, 2, 1, 6, 7, 8, 6, 5, 8, 5, 3]

cdef struct Bytes:
    const unsigned char *data
    Py_ssize_t length


cdef Py_ssize_t wide_space(const Bytes *html, Py_ssize_t k) noexcept nogil:
    """Return how many bytes a space outside ASCII has that begins at a place, 0 if there is none."""
    cdef unsigned char first = html.data[k], second, third
    if k + 1 >= html.length:
        return 0
    second = html.data[k + 1]
    if first == 0xC2:
        return 2 if second == 0x85 or second == 0xA0 else 0
    if k + 2 >= html.length:
        return 0
    third = html.data[k + 2]
    if first == 0xE1:
        return 3 if second == 0x9A and third == 0x80 else 0
    if first == 0xE3:
        return 3 if second == 0x80 and third == 0x80 else 0
    if second == 0x80:
        return 3 if 0x80 <= third <= 0x8A or third == 0xA8 or third == 0xA9 or third == 0xAF else 0
    return 3 if second == 0x81 and third == 0x9F else 0


cdef inline Py_ssize_t space_at(const Bytes *html, Py_ssize_t k) noexcept nogil:
    """Return how many bytes the space at a place has, 0 if there is none."""
    cdef unsigned char own = CLASSES[html.data[k]]
    if own == SPACE:
        return 1
    return wide_space(html, k) if own == MAYBE_SPACE else 0


cdef inline Py_ssize_t after_spaces(const Bytes *html, Py_ssize_t k, bint slashes) noexcept nogil:
    """Return where white space ends, and slashes with it."""
    cdef unsigned char own
    cdef Py_ssize_t wide
    while k < html.length:
        own = CLASSES[html.data[k]]
        if own == SPACE or (slashes and own == SLASH):
            k += 1
        elif own == MAYBE_SPACE:
            wide = wide_space(html, k)
            if not wide:
                break
            k += wide
        else:
            break
    return k


cdef inline Py_ssize_t after_short_name(const Bytes *html, Py_ssize_t k) noexcept nogil:
    """Return where a tag name ends, or some place too far on for one of ``NAMES``: "<b<b<b" is one long name."""
    cdef Bytes near
    near.data = html.data
    near.length = min(html.length, k + 3 * LONGEST_NAME + 1)
    return after_name(&near, k, False)


cdef inline Py_ssize_t after_name(const Bytes *html, Py_ssize_t k, bint equals) noexcept nogil:
    """Return where a name ends: before white space, a slash, ``>``, and ``=`` if it ends there."""
    cdef unsigned char own
    while k < html.length:
        own = CLASSES[html.data[k]]
        if own == PLAIN or (own == EQUALS and not equals) or (own == MAYBE_SPACE and not wide_space(html, k)):
            k += 1
        else:
            break
    return k


cdef Py_ssize_t after_attributes(const Bytes *html, Py_ssize_t k, Py_ssize_t *count) noexcept nogil:
    """Return where the attributes end that begin at a place, and how many there are."""
    cdef Py_ssize_t ahead
    cdef unsigned char quote
    cdef const void *found
    count[0] = 0
    k = after_spaces(html, k, True)
    while k < html.length and html.data[k] != 62:
        # the first character is part of the name, whatever it is
        k = after_name(html, k + 1, True)
        ahead = after_spaces(html, k, False)
        if ahead < html.length and html.data[ahead] == 61:
            k = after_spaces(html, ahead + 1, False)
            if k < html.length:
                quote = html.data[k]
                if quote == 34 or quote == 39:
                    found = memchr(html.data + k + 1, quote, html.length - k - 1)
                    k = <const unsigned char *> found - html.data + 1 if found != NULL else html.length
                elif quote != 62:
                    while k < html.length and html.data[k] != 62 and not space_at(html, k):
                        k += 1
        k = after_spaces(html, k, True)
        count[0] += 1
    return k


cdef inline bint is_letter(const Bytes *html, Py_ssize_t k) noexcept nogil:
    """Return whether a tag name begins at a place: with a letter, as IGNORECASE has them."""
    cdef unsigned char first
    if k >= html.length:
        return False
    first = html.data[k]
    if first < 0x80:
        return 97 <= (first | 32) <= 122
    if k + 1 < html.length and (
        (first == 0xC4 and (html.data[k + 1] == 0xB0 or html.data[k + 1] == 0xB1))
        or (first == 0xC5 and html.data[k + 1] == 0xBF)
    ):
        return True
    return first == 0xE2 and k + 2 < html.length and html.data[k + 1] == 0x84 and html.data[k + 2] == 0xAA


cdef int tag_of(const Bytes *html, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Return which of ``NAMES`` a tag name is in lower case, ``OTHER`` if it is none."""
    cdef char name[LONGEST_NAME]
    cdef int length = 0, k
    cdef unsigned char letter
    if end - start > 3 * LONGEST_NAME:
        return OTHER
    while start < end:
        letter = html.data[start]
        if letter >= 0x80:
            if letter != 0xE2 or end - start < 3 or html.data[start + 1] != 0x84 or html.data[start + 2] != 0xAA:
                return OTHER
            letter = 107  # the sign of kelvin is a k
            start += 2
        if length == LONGEST_NAME:
            return OTHER
        name[length] = letter + 32 if 65 <= letter <= 90 else letter
        length += 1
        start += 1
    for k in range(FORMATTING_COUNT + RAW_COUNT):
        if LENGTHS[k] == length and name[0] == NAMES[k][0] and memcmp(name, NAMES[k], length) == 0:
            return k
    return OTHER


cdef inline bint is_tag(const Bytes *html, Py_ssize_t k, const char *name, bint may_close) noexcept nogil:
    """Return whether a tag of a name in any case begins at a place."""
    while name[0]:
        if k >= html.length or (html.data[k] | 32) != <unsigned char> name[0]:
            return False
        k += 1
        name += 1
    if k >= html.length:
        return False
    return html.data[k] == 47 or (may_close and html.data[k] == 62) or space_at(html, k) > 0


cdef inline Py_ssize_t next_mark(const Bytes *html, Py_ssize_t k, bint in_comment) noexcept nogil:
    """Return where ``<`` comes next, or in a comment ``-``; the length where there is none."""
    cdef const void *found
    if k >= html.length:
        return html.length
    if in_comment:
        while k < html.length and html.data[k] != 60 and html.data[k] != 45:
            k += 1
        return k
    found = memchr(html.data + k, 60, html.length - k)
    return <const unsigned char *> found - html.data if found != NULL else html.length


cdef Py_ssize_t after_comment(const Bytes *html, Py_ssize_t k) noexcept nogil:
    """Return where a comment ends whose text begins at a place."""
    cdef const void *found
    if k < html.length and html.data[k] == 62:
        return k + 1
    if k + 1 < html.length and html.data[k] == 45 and html.data[k + 1] == 62:
        return k + 2
    while k < html.length:
        found = memchr(html.data + k, 45, html.length - k)
        if found == NULL:
            return html.length
        k = <const unsigned char *> found - html.data
        if k + 2 < html.length and html.data[k + 1] == 45:
            if html.data[k + 2] == 62:
                return k + 3
            if html.data[k + 2] == 33 and k + 3 < html.length and html.data[k + 3] == 62:
                return k + 4
        k += 1
    return html.length


cdef Py_ssize_t after_raw_text(const Bytes *html, Py_ssize_t k, const char *name) noexcept nogil:
    """Return where the end tag of raw text has its name, or the end of the text."""
    cdef Py_ssize_t at, j
    while True:
        k = next_mark(html, k, False)
        if k + 1 >= html.length:
            return html.length
        if html.data[k + 1] == 47:
            at, j = k + 2, 0
            while name[j] and at < html.length:
                if (html.data[at] | 32) == <unsigned char> name[j]:
                    at += 1
                elif name[j] == 105 and at + 1 < html.length and html.data[at] == 0xC4 and html.data[at + 1] == 0xB0:
                    at += 2  # a capital i with a dot
                else:
                    break
                j += 1
            if not name[j]:
                return at
        k += 1


cdef bint find_script(const Bytes *html, Py_ssize_t place, Py_ssize_t *at, Py_ssize_t *end) noexcept nogil:
    """Return whether a place lies in a script, by the tags alone from ``at`` on, and where that ends.

    ``at`` is moved to the last tag or script before the place. A name outside ASCII may be that of raw text: then nothing
    is said.
    """
    cdef Py_ssize_t k = at[0], name, stop, count = 0, j
    cdef int tag
    cdef bint closes
    while True:
        k = next_mark(html, k, False)
        if k >= place:
            at[0] = k
            return False
        name = k + 1
        if html.data[name] == 33 and k + 3 < html.length and html.data[k + 2] == 45 and html.data[k + 3] == 45:
            k = after_comment(html, k + 4)
            continue
        closes = html.data[name] == 47
        name += closes
        if name >= html.length or not 97 <= (html.data[name] | 32) <= 122:
            k += 1
            continue
        stop = after_name(html, name + 1, False)
        for j in range(name, min(stop, name + 2 * LONGEST_NAME)):
            if html.data[j] >= 0x80:
                return False
        tag = OTHER if closes else tag_of(html, name, stop)
        at[0] = k
        k = after_attributes(html, stop, &count)
        if tag >= FORMATTING_COUNT and k < html.length:
            k = after_raw_text(html, k + 1, NAMES[tag])
            if k > place:
                end[0] = k
                return tag == SCRIPT


def survey(const unsigned char[::1] text, Py_ssize_t many, double max_script_cost):
    """Return how many ``<`` there are, how many body and html tags with attributes, tags of options and start tags of
    formatting elements, and whether a tag may have too many attributes, ``many`` or more.

    In scripts, where "i<n" looks like a tag with all the words after it, their squares may add up to ``max_script_cost``.
    """
    cdef Bytes html
    cdef Py_ssize_t k = 0, tag_end = 0, count = 0, repeatable = 0, options = 0, script_at = 0, script_end = 0
    cdef Py_ssize_t tags = 0, formatting = 0
    cdef unsigned char first
    cdef double cost = 0
    cdef bint is_excessive = False
    html.length = text.shape[0]
    if not html.length:
        return 0, 0, 0, 0, False
    html.data = &text[0]
    with nogil:
        while True:
            k = next_mark(&html, k, False) + 1
            tags += k <= html.length
            if k >= html.length:
                break
            first = html.data[k] | 32
            if first == 98 or 99 <= first <= 102 or first == 105 or 115 <= first <= 117:
                formatting += 0 <= tag_of(&html, k, after_short_name(&html, k + 1)) < FORMATTING_COUNT
            if first == 98:
                repeatable += is_tag(&html, k, "body", False)
            elif first == 104:
                repeatable += is_tag(&html, k, "html", False)
            elif first == 111:
                options += is_tag(&html, k, "option", True)
            if k <= tag_end or is_excessive or not is_letter(&html, k):
                continue
            tag_end = after_name(&html, k + 1, False)
            if tag_end < html.length and html.data[tag_end] != 62:
                tag_end = after_attributes(&html, tag_end, &count)
                if count >= many:
                    cost += <double> count * <double> count
                    if find_script(&html, k - 1, &script_at, &script_end) and cost <= max_script_cost:
                        tag_end = script_end
                    else:
                        is_excessive = True
    return tags, repeatable, options, formatting, is_excessive


def formatting_level(const unsigned char[::1] text):
    """Return how many formatting elements are open at most, if each is closed only by its own end tag.

    In a comment, raw text or attributes an end tag closes only what was opened there.
    """
    cdef Bytes html
    cdef Py_ssize_t k = 0, name, end, count = 0, tag_start = 0, tag_end = 0, zone = 0, own, last_zone = 0
    cdef int inside = OTHER, tag, level = 0, deepest = 0, j
    cdef int outer[FORMATTING_COUNT]
    cdef int inner[FORMATTING_COUNT]
    cdef int *opened
    cdef bint closes
    html.length = text.shape[0]
    if not html.length:
        return 0
    html.data = &text[0]
    for j in range(FORMATTING_COUNT):
        outer[j] = inner[j] = 0
    with nogil:
        while True:
            k = next_mark(&html, k, inside == COMMENT)
            if k + 1 >= html.length:
                break
            if html.data[k] == 45:  # --> or --!>
                if html.data[k + 1] != 45 or k + 2 >= html.length:
                    k += 1
                elif html.data[k + 2] == 62:
                    k += 3
                    inside, zone = OTHER, 0
                elif html.data[k + 2] == 33 and k + 3 < html.length and html.data[k + 3] == 62:
                    k += 4
                    inside, zone = OTHER, 0
                else:
                    k += 1
                continue
            closes = html.data[k + 1] == 47
            name = k + 1 + closes
            if not is_letter(&html, name):
                if k + 3 < html.length and html.data[k + 1] == 33 and html.data[k + 2] == 45 and html.data[k + 3] == 45:
                    end = k + 4
                    if end < html.length and html.data[end] == 62:
                        end += 1
                    elif end + 1 < html.length and html.data[end] == 45 and html.data[end + 1] == 62:
                        end += 2
                    if end > k + 4:
                        if inside == COMMENT:
                            inside, zone = OTHER, 0
                    elif inside == OTHER and k >= tag_end:
                        inside, zone = COMMENT, end
                    k = end
                else:
                    k += 1
                continue
            end = after_name(&html, name + 1, False)
            tag = tag_of(&html, name, end)
            if closes and tag >= FORMATTING_COUNT and tag == inside:
                inside, zone = OTHER, 0
            if 0 <= tag < FORMATTING_COUNT:
                own = zone if zone else tag_start if k < tag_end else 0
                # what lies in a comment, raw text or attributes comes one after the other
                if own and own != last_zone:
                    last_zone = own
                    for j in range(FORMATTING_COUNT):
                        inner[j] = 0
                opened = &inner[0] if own else &outer[0]
                if not closes:
                    opened[tag] += 1
                    level += 1
                    deepest = max(deepest, level)
                elif opened[tag]:
                    opened[tag] -= 1
                    level -= 1
            if not closes and k >= tag_end:
                tag_start = end
                tag_end = after_attributes(&html, end, &count)
                if tag >= FORMATTING_COUNT and inside == OTHER:
                    inside, zone = tag, end
            k = end
    return deepest


def is_utf8(const unsigned char[::1] text):
    """Return whether bytes are well-formed UTF-8, as Python decodes it."""
    cdef Py_ssize_t k = 0, length = text.shape[0]
    cdef const unsigned char *data
    cdef uint64_t eight
    cdef unsigned char first, second, low, high
    cdef int more, j
    if not length:
        return True
    data = &text[0]
    with nogil:
        while k < length:
            first = data[k]
            if first < 0x80:
                k += 1
                while k + 8 <= length:
                    memcpy(&eight, data + k, 8)
                    if eight & <uint64_t> 0x8080808080808080:
                        break
                    k += 8
                continue
            low, high = 0x80, 0xBF
            if 0xC2 <= first <= 0xDF:
                more = 1
            elif 0xE0 <= first <= 0xEF:
                more = 2
                if first == 0xE0:
                    low = 0xA0
                elif first == 0xED:
                    high = 0x9F
            elif 0xF0 <= first <= 0xF4:
                more = 3
                if first == 0xF0:
                    low = 0x90
                elif first == 0xF4:
                    high = 0x8F
            else:
                break
            if k + more >= length:
                break
            second = data[k + 1]
            if second < low or second > high:
                break
            j = 2
            while j <= more and 0x80 <= data[k + j] <= 0xBF:
                j += 1
            if j <= more:
                break
            k += more + 1
    return k == length


# What a name is to the levels of nesting, as ``nesting_level`` is told: bits, and above them its rank
cdef enum:
    UNCOUNTED = 1
    IN_SVG = 2
    IS_SVG = 4
    IS_RAW = 8
    RANK = 4
    RANKS = 8


def nesting_level(const unsigned char[::1] text, int limit, dict kinds):
    """Return how deep tags nest, ``limit + 1`` if it is more than ``limit``, or may be, as a name is not of ASCII.

    ``kinds``: what the names are that are not just any name. In a comment, raw text or attributes an end tag closes only
    what was opened there, and none closes what lies around an element of higher rank.
    """
    cdef Bytes html
    cdef Py_ssize_t k = 0, name, end, j, count = 0, tag_start = 0, tag_end = 0, zone = 0, own, last_zone = 0
    cdef int inside = -1, tag, kind, rank, level, floor = 0, open_tags = 0, deepest = 0, other
    cdef bint closes, is_in_svg = False, is_above, is_closed
    cdef dict numbers = {}
    cdef list kind_of = [], last_of = []
    cdef int last_of_rank[RANKS]
    cdef bytes spelled
    stack, same, same_rank = [0] * (limit + 2), [0] * (limit + 2), [0] * (limit + 2)
    html.length = text.shape[0]
    if not html.length:
        return 0
    html.data = &text[0]
    for j in range(RANKS):
        last_of_rank[j] = -1
    while True:
        k = next_mark(&html, k, inside == -2)
        if k + 1 >= html.length:
            return deepest
        if html.data[k] == 45:  # --> or --!>
            if html.data[k + 1] == 45 and k + 2 < html.length and html.data[k + 2] == 62:
                k += 3
                inside, zone = -1, 0
            elif (
                html.data[k + 1] == 45 and k + 3 < html.length and html.data[k + 2] == 33 and html.data[k + 3] == 62
            ):
                k += 4
                inside, zone = -1, 0
            else:
                k += 1
            continue
        closes = html.data[k + 1] == 47
        name = k + 1 + closes
        if not is_letter(&html, name):
            if k + 3 < html.length and html.data[k + 1] == 33 and html.data[k + 2] == 45 and html.data[k + 3] == 45:
                end = k + 4
                if end < html.length and html.data[end] == 62:
                    end += 1
                elif end + 1 < html.length and html.data[end] == 45 and html.data[end + 1] == 62:
                    end += 2
                if end > k + 4:
                    if inside == -2:
                        inside, zone = -1, 0
                elif inside == -1 and k >= tag_end:
                    inside, zone = -2, end
                k = end
            else:
                k += 1
            continue
        end = after_name(&html, name + 1, False)
        spelled = html.data[name:end]
        known = numbers.get(spelled)
        if known is None:
            if not spelled.isascii():
                return limit + 1
            lowered = spelled.lower()
            known = numbers.get(lowered)
            if known is None:
                known = numbers[lowered] = len(kind_of)
                kind_of.append(kinds.get(lowered, 0))
                last_of.append(-1)
            numbers[spelled] = known
        tag = known
        kind = kind_of[tag]
        if closes and tag == inside:
            inside, zone = -1, 0
        own = zone if zone else tag_start if k < tag_end else 0
        if own != last_zone:
            last_zone, floor = own, open_tags if own else 0
        is_in_svg = not own and (not closes if kind & IS_SVG else is_in_svg and (kind & IN_SVG) != 0)
        # of start tags alone, which are read once: "</g </g </g" has attributes to the end after every name
        is_closed = is_in_svg and not closes and html.data[after_attributes(&html, end, &count) - 1] == 47
        if not kind & UNCOUNTED and not is_closed:
            rank = kind >> RANK
            if not closes:
                if open_tags == limit:
                    return limit + 1
                stack[open_tags], same[open_tags], same_rank[open_tags] = tag, last_of[tag], last_of_rank[rank]
                last_of[tag] = last_of_rank[rank] = open_tags
                open_tags += 1
                deepest = max(deepest, open_tags)
            else:
                level = last_of[tag]
                is_above = False
                for j in range(rank + 1, RANKS):
                    is_above = is_above or last_of_rank[j] > level
                if level >= 0 and level >= floor and not is_above:
                    while open_tags > level:
                        open_tags -= 1
                        other = stack[open_tags]
                        last_of[other] = same[open_tags]
                        last_of_rank[<int> kind_of[other] >> RANK] = same_rank[open_tags]
        if not closes and k >= tag_end:
            tag_start = end
            tag_end = after_attributes(&html, end, &count)
            if kind & IS_RAW and inside == -1:
                inside, zone = tag, end
        k = end
