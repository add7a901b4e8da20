# cython: language_level=3, boundscheck=False, wraparound=False
"""Texts cut at marks and dates into segments, and which cuts most texts have.

``peneira.columns.text_parts`` says what a segment is, and does the same in plain Python.
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ
from libc.stdlib cimport free, malloc

cdef extern from "Python.h":
    bint Py_UNICODE_ISDECIMAL(Py_UCS4 ch)
    bint Py_UNICODE_ISSPACE(Py_UCS4 ch)
    bint Py_UNICODE_ISALNUM(Py_UCS4 ch)
    object PyUnicode_FromKindAndData(int kind, const void *buffer, Py_ssize_t size)


cdef inline bint is_decimal(Py_UCS4 ch) noexcept:
    return c"0" <= ch <= c"9" if ch < 128 else Py_UNICODE_ISDECIMAL(ch)

# What texts are cut at, and the segments that are no words
cdef enum:
    AT_BRACKET = 0
    AT_DASH = 1
    AT_BAR = 2
    AT_SEMICOLON = 3
    AT_COMMA = 4

cdef str BRACKET = "bracket", DATE = "date", CODE = "code", COMMA = "comma", TEXT = "text"
cdef tuple MARKS = (BRACKET, "dash", "bar", "semicolon", COMMA)

cdef Py_ssize_t MAX_BRACKET_CHARS = 200
cdef Py_UCS4 EN_DASH = 0x2013, EM_DASH = 0x2014, MIDDLE_DOT = 0xB7, BULLET = 0x2022


cdef struct Text:
    int kind
    void *data
    Py_ssize_t length


cdef Text text_of(str text) noexcept:
    cdef Text own
    own.kind, own.data, own.length = PyUnicode_KIND(text), PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text)
    return own


cdef inline Py_UCS4 at(const Text *text, Py_ssize_t k) noexcept:
    return PyUnicode_READ(text.kind, text.data, k)


cdef inline bint is_space(const Text *text, Py_ssize_t k) noexcept:
    return Py_UNICODE_ISSPACE(at(text, k))


cdef inline bint is_dash(Py_UCS4 ch) noexcept:
    return ch == c"-" or ch == EN_DASH or ch == EM_DASH


cdef inline bint is_bar(Py_UCS4 ch) noexcept:
    return ch == c"|" or ch == MIDDLE_DOT or ch == BULLET


cdef inline Py_ssize_t after_spaces(const Text *text, Py_ssize_t k) noexcept:
    while k < text.length and is_space(text, k):
        k += 1
    return k


cdef inline bint is_stripped(Py_UCS4 ch) noexcept:
    return (
        ch == c" " or ch == c"\t" or ch == c"\n" or ch == c"," or ch == c";" or ch == c":" or is_bar(ch) or is_dash(ch)
    )


cdef void trim(const Text *text, Py_ssize_t *start, Py_ssize_t *end) noexcept:
    """Leave out the marks at the ends of a part that a text was cut at."""
    cdef Py_ssize_t first = start[0], last = end[0]
    cdef bint is_dangling = False
    while first < last and is_stripped(at(text, first)):
        first += 1
    while last > first and is_stripped(at(text, last - 1)):
        last -= 1
    while first < last and (at(text, first) == c")" or at(text, first) == c"]" or at(text, first) == c"."):
        first += 1
        is_dangling = True
    while last > first and (at(text, last - 1) == c"(" or at(text, last - 1) == c"["):
        last -= 1
        is_dangling = True
    if is_dangling:
        while first < last and is_stripped(at(text, first)):
            first += 1
        while last > first and is_stripped(at(text, last - 1)):
            last -= 1
    start[0], end[0] = first, last


cdef bint has_content(const Text *text, Py_ssize_t start, Py_ssize_t end) noexcept:
    trim(text, &start, &end)
    return start < end


cdef bint is_hinted(const Text *text, Py_ssize_t length) noexcept:
    """Return whether the first characters of a text have a digit or anything to cut at."""
    cdef Py_ssize_t k
    cdef Py_UCS4 ch
    cdef bint is_first_word = True
    for k in range(length):
        ch = at(text, k)
        if ch == c"(" or ch == c"[" or ch == c";" or is_bar(ch) or is_decimal(ch):
            return True
        if ch == c"," and k + 1 < length and is_space(text, k + 1):
            return True
        if Py_UNICODE_ISSPACE(ch):
            if k + 1 < length and (is_dash(at(text, k + 1)) or at(text, k + 1) == c"/"):
                return True
            if is_first_word and k > 1 and at(text, k - 1) in (c".", c":", c"#"):
                return True
            is_first_word = False
    return False


def are_hinted(texts, Py_ssize_t max_chars, double least):
    """Return whether at least ``least`` texts have a digit or anything to cut at among their first characters."""
    cdef Py_ssize_t hinted = 0
    cdef Text own
    cdef str text
    for text in texts:
        own = text_of(text)
        hinted += is_hinted(&own, min(own.length, max_chars))
        if hinted >= least:
            return True
    return False


cdef bint has_mark_or_digit(const Text *text) noexcept:
    cdef Py_ssize_t k
    cdef Py_UCS4 ch
    for k in range(text.length):
        ch = at(text, k)
        if (
            ch == c"(" or ch == c"[" or ch == c"/" or ch == c";" or ch == c"," or is_dash(ch) or is_bar(ch)
        ) or is_decimal(ch):
            return True
    return False


cdef bint may_contain_date(const Text *text) noexcept:
    """Return whether a text has four digits in a row, or two with a sign of dates between them."""
    cdef Py_ssize_t k, digits = 0
    cdef Py_UCS4 ch
    for k in range(text.length):
        ch = at(text, k)
        if is_decimal(ch):
            digits += 1
            if digits == 4:
                return True
            if k > 1 and at(text, k - 1) in (c"-", c"/", c".") and is_decimal(at(text, k - 2)):
                return True
        else:
            digits = 0
    return False


cdef bint may_start_with_code(const Text *text) noexcept:
    """Return whether the first word of a text has a digit, and what follows it starts with a letter."""
    cdef Py_ssize_t k = 0
    cdef Py_UCS4 ch
    cdef bint has_digit = False
    while k < text.length and not is_space(text, k):
        ch = at(text, k)
        if is_decimal(ch):
            has_digit = True
        k += 1
    if not has_digit or k < 4:
        return False
    k = after_spaces(text, k)
    return k < text.length and (Py_UNICODE_ISALNUM(at(text, k)) or at(text, k) == c"_")


cdef Py_ssize_t bracket_end(const Text *text, Py_ssize_t k) noexcept:
    """Return where a bracket that starts at a place ends, -1 if none does."""
    cdef Py_UCS4 opening = at(text, k), closing = c")" if opening == c"(" else c"]"
    cdef Py_ssize_t end = k + 1
    while end < text.length and end - k - 1 <= MAX_BRACKET_CHARS:
        if at(text, end) == closing:
            return end + 1 if end > k + 1 else -1
        if at(text, end) == opening:
            return -1
        end += 1
    return -1


cdef Py_ssize_t mark_end(const Text *text, Py_ssize_t k, int *mark) noexcept:
    """Return where a mark that starts at a place ends, -1 if none does, and set what it is."""
    cdef Py_UCS4 ch = at(text, k)
    cdef bint is_after_space = k > 0 and is_space(text, k - 1)
    cdef Py_ssize_t end, after
    if (ch == c"(" or ch == c"[") and (k == 0 or is_after_space):
        end = bracket_end(text, k)
        if end >= 0:
            mark[0] = AT_BRACKET
            return end
    if not is_after_space:
        end = after_spaces(text, k)
        if end < text.length:
            ch = at(text, end)
            if end > k and is_dash(ch):
                after = end
                while after < text.length and is_dash(at(text, after)):
                    after += 1
                if after < text.length and is_space(text, after):
                    mark[0] = AT_DASH
                    return after_spaces(text, after)
            if is_bar(ch):
                mark[0] = AT_BAR
                return after_spaces(text, end + 1)
            if end > k and ch == c"/" and end + 1 < text.length and is_space(text, end + 1):
                mark[0] = AT_BAR
                return after_spaces(text, end + 1)
    ch = at(text, k)
    if (ch == c";" or ch == c",") and k + 1 < text.length and is_space(text, k + 1):
        mark[0] = AT_SEMICOLON if ch == c";" else AT_COMMA
        return after_spaces(text, k + 1)
    return -1


cdef list cuts_of(const Text *text, Py_ssize_t start):
    """Return the marks of a text from a start on."""
    cdef list cuts = []
    cdef Py_ssize_t k = start, end, space_start = -1
    cdef int mark = 0
    while k < text.length:
        end = mark_end(text, k, &mark)
        if end < 0:
            k += 1
            # within a run of spaces nothing but a bracket starts, which is no space
            while k < text.length and is_space(text, k) and is_space(text, k - 1):
                k += 1
        else:
            cuts.append((k, end, MARKS[mark]))
            k = end
    return cuts


cdef list segments_of(str string, code_end, dates_of):
    """Return a text cut wherever it can be cut. ``code_end``: where a code in front ends, 0 if there is none;
    ``dates_of``: the dates of a text from a start on."""
    cdef Text text = text_of(string)
    cdef Py_ssize_t start = code_end(string) if may_start_with_code(&text) else 0, cut_start
    cdef list segments = [], cuts, dates
    cdef object name = "", own
    cdef tuple cut
    if start:
        segments.append((0, start, CODE))
        name = "after code"
    cuts = cuts_of(&text, start)
    if may_contain_date(&text):
        dates = dates_of(string, start)
        if dates:
            cuts = sorted(cuts + dates)
    cdef Py_ssize_t free_from = start
    for cut in cuts:
        cut_start = cut[0]
        if cut_start < free_from:
            continue
        free_from = cut[1]
        if has_content(&text, start, cut_start):
            segments.append((start, cut_start, name))
        own = cut[2]
        if own == DATE or own == BRACKET:
            segments.append(cut)
            own = "after " + <str> own
        start, name = free_from, own
    if has_content(&text, start, text.length):
        segments.append((start, text.length, name))
    return segments or [(0, text.length, "")]


def segments_of_most(dict texts, Py_ssize_t max_chars, double least, bint is_prose, functions):
    """Return the segments of each text; None, at the text that shows it, if too few of the texts can be cut.

    ``functions``: the segments of a long text; where a code in front of a text ends; the dates of a text."""
    cdef dict segments = {}, cut = {}
    cdef Py_ssize_t possible = 0
    cdef Text own
    cdef str text
    cdef list parts
    cdef bint has_mark
    leading, code_end, dates_of = functions
    for text in texts.values():
        own = text_of(text)
        possible += has_mark_or_digit(&own)
    if possible < least:
        return None
    for record, text in texts.items():
        own = text_of(text)
        has_mark = has_mark_or_digit(&own)
        found = cut.get(text)
        if found is not None:
            parts = found
        else:
            if not has_mark:
                parts = [(0, own.length, "")]
            elif is_prose or own.length > max_chars:
                parts = [tuple(segment) for segment in leading(text)]
            else:
                parts = segments_of(text, code_end, dates_of)
            cut[text] = parts
        segments[record] = parts
        if has_mark and len(parts) == 1:
            possible -= 1
            if possible < least:
                return None
    return segments


cdef str form_of(str string, tuple segment):
    """Return a segment with each number as 0; "" for one without digits, since words have no common form."""
    cdef Text text = text_of(string)
    cdef Py_ssize_t start = segment[0], end = segment[1], k, length = 0
    cdef Py_UCS4 *masked
    cdef Py_UCS4 ch
    cdef bint has_digit = False, differs = False, follows_digit = False
    trim(&text, &start, &end)
    for k in range(start, end):
        if is_decimal(at(&text, k)):
            has_digit = True
            break
    if not has_digit:
        return ""
    masked = <Py_UCS4 *> malloc((end - start) * sizeof(Py_UCS4))
    if masked == NULL:
        raise MemoryError
    for k in range(start, end):
        ch = at(&text, k)
        if is_decimal(ch):
            differs = differs or follows_digit or ch != c"0"
            if not follows_digit:
                masked[length] = c"0"
                length += 1
            follows_digit = True
        else:
            masked[length] = ch
            length += 1
            follows_digit = False
    try:
        return PyUnicode_FromKindAndData(4, masked, length) if differs else ""
    finally:
        free(masked)


cdef list joined(list segments, set kinds):
    """Return the segments, each joined to the one before unless its kind of cut is one of these."""
    cdef list kept = []
    cdef tuple segment, last
    cdef str name
    for segment in segments:
        name = segment[2]
        if not kept or name in kinds or (name.startswith("after ") and name[6:] in kinds):
            kept.append(segment)
        else:
            last = kept[len(kept) - 1]
            kept[len(kept) - 1] = (last[0], segment[1], last[2])
    return kept


def commonly_cut(dict texts, dict segments, double least):
    """Return the segments of each text, joined again where fewer than so many texts are cut."""
    cdef dict counts = {}, forms = {}, joined_of = {}, forms_of = {}, result = {}
    cdef list own, own_forms, kept
    cdef tuple segment, last
    cdef str text
    cdef bint is_common, follows_common, before
    for own in segments.values():
        for name in {segment[2] for segment in own}:
            counts[name] = <Py_ssize_t> counts.get(name, 0) + 1
    kinds = {name for name, count in counts.items() if <Py_ssize_t> count >= least}
    kinds.add(COMMA)
    for record, own in segments.items():
        text = texts[record]
        own = joined(own, kinds)
        joined_of[record] = own
        own_forms = [form_of(text, segment) for segment in own]
        forms_of[record] = own_forms
        for form in set(own_forms):
            forms[form] = <Py_ssize_t> forms.get(form, 0) + 1
    common = {form for form, count in forms.items() if form and <Py_ssize_t> count >= least}
    for record, own in joined_of.items():
        follows_common = False
        kept = []
        for segment, form in zip(own, <list> forms_of[record]):
            before, follows_common = follows_common, form in common
            if not kept or before or follows_common or segment[2] != COMMA:
                kept.append(segment)
            else:
                last = kept[len(kept) - 1]
                kept[len(kept) - 1] = (last[0], segment[1], last[2])
        result[record] = kept
    return result


def keyed(str string, list segments):
    """Return the segments of a text that was cut, each with its kind and its number within the kind, and whether it is
    words with a date right after them, and no mark between."""
    cdef list found = []
    cdef dict counts = {}
    cdef set dates
    cdef tuple segment
    cdef Text text = text_of(string)
    cdef Py_ssize_t start, end
    cdef object name
    if len(segments) < 2:
        return found
    dates = {segment[0] for segment in segments if segment[2] == DATE}
    for segment in segments:
        name, start, end = segment[2], segment[0], segment[1]
        if name == BRACKET:
            if end > start and (at(&text, end - 1) == c")" or at(&text, end - 1) == c"]"):
                start, end = min(start + 1, end - 1), end - 1
        elif name != DATE and name != CODE:
            name = TEXT
        trim(&text, &start, &end)
        if start < end:
            number = <Py_ssize_t> counts.get(name, 0) + 1
            counts[name] = number
            found.append(((name, number), string[start:end], name == TEXT and segment[1] in dates))
    return found
