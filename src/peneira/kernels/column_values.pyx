# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""What the texts of a column are like, in one pass over their characters.

``columns/text_counts.py``, ``value_looks.py`` and ``repetitions.py`` have the same in plain Python, and explain it;
the tests compare the results. Characters are of the kinds that regular expressions know: ``\\w`` is a letter, a digit or "_",
``\\d`` a decimal digit, ``\\s`` a space.
"""

from cpython.unicode cimport (
    PyUnicode_DATA, PyUnicode_DecodeASCII, PyUnicode_KIND, PyUnicode_READ, PyUnicode_Substring, Py_UNICODE_ISALNUM,
    Py_UNICODE_ISDECIMAL, Py_UNICODE_ISDIGIT, Py_UNICODE_ISSPACE, Py_UNICODE_ISUPPER,
)
from libc.stdlib cimport free, malloc

# What a text has or is, by bits; of the looks that only a regular expression can decide, which are possible.
# ``columns/value_looks.py`` has the same numbers
cdef enum:
    HAS_DIGIT = 1 << 0
    IS_ASCII = 1 << 1
    HAS_COMMA = 1 << 2
    HAS_STOP = 1 << 3
    HAS_CURRENCY_SIGN = 1 << 4
    MAY_HAVE_DATE = 1 << 5
    MAY_BE_MONTH_AND_DAY = 1 << 6
    STARTS_WITH_DIGIT = 1 << 7
    IS_PERSON = 1 << 8
    MAY_BE_PERSON = 1 << 9
    IS_PLACE = 1 << 10
    MAY_BE_PLACE = 1 << 11
    MAY_BE_RATING = 1 << 12
    IS_CODE = 1 << 13
    HAS_STREET_END = 1 << 14
    FIRST_WORD_BIT = 16  # the kinds of the words of a text are from this bit on
    MAX_PERSON_WORDS = 4
    MIN_MONTH_CHARS = 3
    MAX_MONTH_CHARS = 12
    CODE_DIGITS = 4
    MIN_SLUG_CHARS = 3


# Kinds of a character: ``\\w``, ``\\d``, ``[^\\W\\d_]`` and ``\\s``
cdef enum:
    WORD = 1
    DECIMAL = 2
    LETTER = 4
    SPACE = 8

# Those of ASCII, of which most texts are: asking for each takes several calls
cdef unsigned char ASCII_KINDS[128]
for _code in range(128):
    ASCII_KINDS[_code] = found_kinds(_code)


cdef unsigned char found_kinds(Py_UCS4 char) noexcept:
    if Py_UNICODE_ISDECIMAL(char):
        return WORD | DECIMAL
    if Py_UNICODE_ISALNUM(char):
        return WORD | LETTER
    if char == u"_":
        return WORD
    return SPACE if Py_UNICODE_ISSPACE(char) else 0


cdef inline unsigned char kinds_of(Py_UCS4 char) noexcept:
    return ASCII_KINDS[char] if char < 128 else found_kinds(char)


cdef inline bint is_letter(Py_UCS4 char) noexcept:
    return kinds_of(char) & LETTER


def value_counts(list texts, Py_ssize_t max_start, Py_ssize_t max_counted):
    """Return of texts: all characters, those of the longest, spaces, the texts with a digit, that start with a digit or
    a capital, with a comma, that end as sentences do; capitals that begin a word within ``max_start`` characters;
    ASCII digits among the first ``max_counted`` characters of all texts; texts with four digits in a row."""
    cdef Py_ssize_t chars = 0, longest = 0, spaces = 0, with_digit = 0, digit_first = 0, capital_first = 0, commas = 0
    cdef Py_ssize_t sentences = 0, capitals = 0, digits = 0, codes = 0, length, i
    cdef int kind, run, longest_run
    cdef bint has_comma
    cdef unsigned char kinds, kinds_before
    cdef void *data
    cdef Py_UCS4 char = 0
    cdef str text
    for text in texts:
        length, kind, data = len(text), PyUnicode_KIND(text), PyUnicode_DATA(text)
        if length == 0:
            continue
        run = longest_run = 0
        has_comma, kinds_before = False, 0
        for i in range(length):
            char = PyUnicode_READ(kind, data, i)
            kinds = kinds_of(char)
            if kinds & DECIMAL:
                run += 1
                longest_run = max(longest_run, run)
                digits += char < 128 and chars + i < max_counted
            else:
                run = 0
                if char == u" ":
                    spaces += 1
                elif char == u",":
                    has_comma = True
                elif u"A" <= char <= u"Z" and not kinds_before & WORD and i < max_start:
                    capitals += 1
            kinds_before = kinds
        sentences += char == u"." or char == u"!" or char == u"?" or char == u"…"
        char = PyUnicode_READ(kind, data, 0)
        digit_first += Py_UNICODE_ISDIGIT(char)
        capital_first += Py_UNICODE_ISUPPER(char)
        with_digit += longest_run > 0
        codes += longest_run >= CODE_DIGITS
        commas += has_comma
        chars += length
        longest = max(longest, length)
    return (
        chars, longest, spaces, with_digit, digit_first, capital_first, commas, sentences, capitals, digits, codes,
    )


def slug_shares(list texts, list slugs, Py_ssize_t max_start):
    """Return for each text the share of its words of three letters or more that the slug has; 0.0 without a slug."""
    cdef Py_ssize_t i, start, length, words, hits
    cdef int kind
    cdef bint is_ascii
    cdef void *data
    cdef str text, word
    shares = []
    for text, slug in zip(texts, slugs):
        if not slug:
            shares.append(0.0)
            continue
        is_ascii = text.isascii()
        if is_ascii:  # the lower case of some other letters are several
            text = text.lower()
        length, kind, data = min(len(text), max_start), PyUnicode_KIND(text), PyUnicode_DATA(text)
        words = hits = i = 0
        while i < length:
            start = i
            while i < length and is_letter(PyUnicode_READ(kind, data, i)):
                i += 1
            if i - start >= MIN_SLUG_CHARS:
                word = PyUnicode_Substring(text, start, i)
                hits += (word if is_ascii else word.lower()) in slug
                words += 1
            i += 1
        shares.append(<double> hits / <double> words if words else 0.0)
    return shares


def long_words(str text):
    """Return the words of three letters or more of a text, in lower case."""
    cdef Py_ssize_t i = 0, start, length = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void *data = PyUnicode_DATA(text)
    words = []
    while i < length:
        start = i
        while i < length and is_letter(PyUnicode_READ(kind, data, i)):
            i += 1
        if i - start >= MIN_SLUG_CHARS:
            words.append(PyUnicode_Substring(text, start, i).lower())
        i += 1
    return frozenset(words)


cpdef str compared_text(str text):
    """Return a text in ASCII in lower case, without spaces and without zeros before a number that starts there."""
    cdef Py_ssize_t length = len(text), i = 0, kept = 0, zeros
    cdef const unsigned char *chars = <const unsigned char *> PyUnicode_DATA(text)
    cdef unsigned char char, before = 0
    cdef unsigned char *result = <unsigned char *> malloc(length + 1)
    if result == NULL:
        raise MemoryError
    while i < length:
        char = chars[i]
        if char == c"0" and not (c"0" <= before <= c"9" or before == c"." or before == c","):
            zeros = 1
            while i + zeros < length and chars[i + zeros] == c"0":
                zeros += 1
            # the last zero stays where no other digit follows
            i += zeros if i + zeros < length and c"1" <= chars[i + zeros] <= c"9" else zeros - 1
            char = chars[i]
        if char != c" ":
            result[kept] = char + 32 if c"A" <= char <= c"Z" else char
            kept += 1
        before = char
        i += 1
    try:
        return PyUnicode_DecodeASCII(<char *> result, kept, NULL)
    finally:
        free(result)


def compared_texts(list texts, plain):
    """Return texts as they are compared; ``plain`` does the same for those that are not in ASCII."""
    cdef str text
    return [compared_text(text) if text.isascii() else plain(text) for text in texts]


def look_masks(list texts, dict kinds_of_words, tuple street_ends, Py_ssize_t max_chars, Py_ssize_t max_place_chars):
    """Return for each text, of which the first ``max_chars`` characters count, what it has or is as bits.

    ``kinds_of_words``: bits of words in lower case; those of all words of a text are in its mask from bit
    ``FIRST_WORD_BIT`` on.
    """
    cdef str text
    return [
        look_mask(text[:max_chars] if len(text) > max_chars else text, kinds_of_words, street_ends, max_place_chars)
        for text in texts
    ]


cdef int look_mask(str text, dict kinds_of_words, tuple street_ends, Py_ssize_t max_place_chars) except -1:
    cdef Py_ssize_t length = len(text), i, end
    cdef int kind = PyUnicode_KIND(text), mask = 0, run = 0, words = 0
    cdef void *data = PyUnicode_DATA(text)
    cdef Py_UCS4 char, first, before = 0, two_before = 0
    cdef bint at_start = True, is_person, is_place, may_be_place, is_code, last_is_capital = False
    cdef unsigned char kinds
    if length == 0:
        return IS_ASCII
    first = PyUnicode_READ(kind, data, 0)
    # the end of a regular expression also matches before a line feed at the end
    end = length - 1 if PyUnicode_READ(kind, data, length - 1) == u"\n" else length
    is_person = is_place = may_be_place = end > 0 and is_letter(first)
    is_code = end > 0 and (kinds_of(first) & WORD or first == u"#")
    for i in range(length):
        char = PyUnicode_READ(kind, data, i)
        if char == u",":
            mask |= HAS_COMMA
        elif char == u".":
            mask |= HAS_STOP
        elif is_currency_sign(char):
            mask |= HAS_CURRENCY_SIGN
        kinds = kinds_of(char)
        if kinds & DECIMAL:
            mask |= HAS_DIGIT
            run += 1
            if run >= 4 or ((before == u"-" or before == u"/" or before == u".") and Py_UNICODE_ISDECIMAL(two_before)):
                mask |= MAY_HAVE_DATE
        else:
            run = 0
        two_before, before = before, char
        if i >= end:
            break
        if kinds & SPACE:
            at_start = True
            is_code = False
            is_place = is_place and char == u" "
            continue
        if at_start:
            at_start = False
            words += 1
            is_person = is_person and kinds & LETTER
            last_is_capital = Py_UNICODE_ISUPPER(char)
        elif not (kinds & WORD or char == u"'" or char == u"’" or char == u"." or char == u"-"):
            is_person = False
        if not kinds & WORD:
            if not (char == u"'" or char == u"’" or char == u"." or char == u"-"):
                is_place = False
                if not (char == u"," or char == u"–" or char == u"/" or char == u"(" or char == u")"):
                    may_be_place = False
            if not (
                char == u"." or char == u"/" or char == u":" or char == u"#" or char == u"(" or char == u")"
                or char == u"-"
            ):
                is_code = False
    if kind == 1 and text.isascii():
        mask |= IS_ASCII
    if is_person and not at_start and words > 1 and last_is_capital:
        if words <= MAX_PERSON_WORDS:
            mask |= IS_PERSON
        elif words == MAX_PERSON_WORDS + 1:
            mask |= MAY_BE_PERSON  # "by" and a name
    if may_be_place and length <= max_place_chars and Py_UNICODE_ISUPPER(first):
        mask |= IS_PLACE if is_place else MAY_BE_PLACE
    if mask & HAS_DIGIT:
        if is_code:
            mask |= IS_CODE
        if Py_UNICODE_ISDECIMAL(first):
            mask |= STARTS_WITH_DIGIT | MAY_BE_RATING | MAY_BE_MONTH_AND_DAY
        elif first == u"(" and length > 1 and Py_UNICODE_ISDECIMAL(PyUnicode_READ(kind, data, 1)):
            mask |= MAY_BE_RATING
        elif is_letter(first) and starts_with_month_and_day(kind, data, length):
            mask |= MAY_BE_MONTH_AND_DAY
    return mask | kinds_in(text.lower(), kinds_of_words, street_ends if mask & HAS_DIGIT else None)


cdef inline bint is_currency_sign(Py_UCS4 char) noexcept:
    return char == u"$" or (
        char > 127 and (
            char == u"€" or char == u"£" or char == u"¥" or char == u"₹" or char == u"₽" or char == u"₩"
            or char == u"₺" or char == u"₴" or char == u"₫" or char == u"฿"
        )
    )


cdef bint starts_with_month_and_day(int kind, void *data, Py_ssize_t length) noexcept:
    """Return whether a text starts with a word as long as a month, and a number after a space: "Sept., 3"."""
    cdef Py_ssize_t i = 0
    while i < length and is_letter(PyUnicode_READ(kind, data, i)):
        i += 1
    if i < MIN_MONTH_CHARS or i > MAX_MONTH_CHARS:
        return False
    if i < length and PyUnicode_READ(kind, data, i) == u".":
        i += 1
    if i < length and PyUnicode_READ(kind, data, i) == u",":
        i += 1
    return (
        i + 1 < length
        and Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, i))
        and Py_UNICODE_ISDECIMAL(PyUnicode_READ(kind, data, i + 1))
    )


cdef int kinds_in(str lower, dict kinds_of_words, tuple street_ends) except -1:
    """Return the bits of the words of a text in lower case; abbreviations count without their points."""
    cdef Py_ssize_t length = len(lower), i = 0, start
    cdef int kind = PyUnicode_KIND(lower), bits = 0, mask = 0
    cdef void *data = PyUnicode_DATA(lower)
    cdef bint is_abbreviation
    cdef str word
    while i < length:
        if not is_letter(PyUnicode_READ(kind, data, i)):
            i += 1
            continue
        start, is_abbreviation = i, False
        while i < length and is_letter(PyUnicode_READ(kind, data, i)):
            i += 1
            if (
                i + 1 < length
                and PyUnicode_READ(kind, data, i) == u"."
                and is_letter(PyUnicode_READ(kind, data, i + 1))
            ):
                is_abbreviation = True
                i += 1
        word = PyUnicode_Substring(lower, start, i)
        if is_abbreviation:
            word = word.replace(".", "")
        known = kinds_of_words.get(word)
        if known is not None:
            bits |= <int> known
        if street_ends is not None and not mask and word.endswith(street_ends):
            mask = HAS_STREET_END
    return mask | bits << FIRST_WORD_BIT
