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
from libc.math cimport log1p
from libc.stdlib cimport free, malloc

# What a text has or is, by bits; of the looks that only a regular expression can decide, which are possible
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
    # the kinds of the words of a text
    FIRST_WORD_BIT = 16
    STREET_WORD = 1 << 16
    COMPANY_WORD = 1 << 17
    TIME_AGO_WORD = 1 << 18
    DAY_WORD = 1 << 19
    CURRENCY_WORD = 1 << 20
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


def value_features(
    list texts, double fill, double type_confidence, Py_ssize_t max_start, Py_ssize_t max_counted,
):
    """Return the features of the values of a column, in the order of ``VALUE_FEATURES``."""
    cdef double size = len(texts)
    cdef Py_ssize_t distinct, most = 1, count, chars, longest, spaces, with_digit, digit_first, capital_first, commas
    cdef Py_ssize_t sentences, capitals, digits, codes
    cdef dict times = {}
    distinct = len(set(texts))
    if distinct < len(texts):
        for text in texts:
            count = <Py_ssize_t> times.get(text, 0) + 1
            times[text] = count
            most = max(most, count)
    (
        chars, longest, spaces, with_digit, digit_first, capital_first, commas, sentences, capitals, digits, codes,
    ) = value_counts(texts, max_start, max_counted)
    return (
        fill,
        distinct / size,
        most / size,
        log1p(chars / size),
        log1p(longest),
        log1p((spaces + size) / size),
        with_digit / size,
        digit_first / size,
        capital_first / size,
        commas / size,
        sentences / size,
        capitals / size,
        <double> digits / max(min(chars, max_counted), 1) if with_digit else 0.0,
        codes / size,
        type_confidence,
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


cdef str compared(str text, plain):
    return compared_text(text) if text.isascii() else plain(text)


def compared_cells(dict cells, Py_ssize_t most, plain):
    """Return the first cells of a column as they are compared; ``plain`` does the same for texts not in ASCII."""
    cdef dict found = {}
    for record, text in cells.items():
        if len(found) == most:
            break
        found[record] = compared(text if isinstance(text, str) else "".join(text), plain)
    return found


cdef str compared_of(dict known, dict texts, record, plain):
    """Return the text of a record as it is compared; those that were asked for are known."""
    text = known.get(record)
    if text is None:
        text = known[record] = compared(texts[record], plain)
    return text


def retold_chars(Py_ssize_t own, list texts, list known, list skipped, Py_ssize_t most, double min_share, plain):
    """Return of columns, given by their texts by record: how many have their texts in that of column ``own`` in nearly
    all records of both, the characters of these, and those of the column. ``known``: texts as they are compared, which
    are kept here."""
    cdef Py_ssize_t k, told = 0, chars = 0, chars_of_other, chars_of_text = 0, possible, both
    cdef dict own_texts = texts[own], others, inside = {}
    cdef str text
    for record in own_texts:
        if len(inside) == most:
            break
        text = inside[record] = compared_of(known[own], own_texts, record, plain)
        chars_of_text += len(text)
    for k in range(len(texts)):
        if skipped[k] or k == own:
            continue
        others, chars_of_other, both = texts[k], 0, 0
        for record in inside:
            both += record in others
        possible = both
        for record, own_text in inside.items():
            if record not in others:
                continue
            text = compared_of(known[k], others, record, plain)
            if len(text) > 1 and text in <str> own_text:
                chars_of_other += len(text)
            else:
                possible -= 1
                if possible < min_share * both:
                    break
        else:
            told += both > 0
            chars += chars_of_other
    return told, chars, chars_of_text


def look_counts(
    list texts, dict kinds_of_words, tuple street_ends, tuple patterns, months, Py_ssize_t max_chars,
    Py_ssize_t max_place_chars, Py_ssize_t min_prose_chars,
):
    """Return how many texts, of which the first ``max_chars`` characters count, look like a value of each role.

    ``kinds_of_words``: bits of words in lower case; ``patterns``: those that decide what the characters cannot.
    """
    cdef Py_ssize_t address = 0, company = 0, author = 0, location = 0, date = 0, price = 0, rating = 0, prose = 0
    cdef Py_ssize_t code = 0
    cdef int mask
    cdef bint is_ascii
    cdef str whole, text
    (
        person, place, eastern_company, postcode, eastern_street, currency_code, rating_pattern, code_pattern,
        eastern_time_ago, count_of_day, time_ago, numeric_date, month_and_day,
    ) = patterns
    for whole in texts:
        text = whole[:max_chars] if len(whole) > max_chars else whole
        mask = look_mask(text, kinds_of_words, street_ends, max_place_chars)
        is_ascii = mask & IS_ASCII
        prose += len(text) >= min_prose_chars
        author += mask & IS_PERSON != 0 or (mask & MAY_BE_PERSON and person.match(text) is not None)
        location += mask & IS_PLACE != 0 or (mask & MAY_BE_PLACE and place.match(text) is not None)
        if not is_ascii or mask & (COMPANY_WORD | TIME_AGO_WORD | DAY_WORD | HAS_DIGIT):
            company += mask & COMPANY_WORD != 0 or (not is_ascii and eastern_company.search(text) is not None)
            date += (
                mask & TIME_AGO_WORD != 0
                or (not is_ascii and eastern_time_ago.match(text) is not None)
                or (mask & DAY_WORD and count_of_day.match(text) is None)
                or (mask & STARTS_WITH_DIGIT and time_ago.match(text) is not None)
                or (mask & MAY_HAVE_DATE and numeric_date.search(text) is not None)
                or (mask & MAY_BE_MONTH_AND_DAY and has_month(month_and_day.match(text), months))
            )
        if mask & HAS_DIGIT:
            address += (
                mask & (STREET_WORD | HAS_STREET_END) != 0
                or (mask & HAS_COMMA and postcode.search(text) is not None)
                or (not is_ascii and eastern_street.search(text) is not None)
            )
            price += mask & HAS_CURRENCY_SIGN != 0 or (
                mask & (HAS_STOP | CURRENCY_WORD) and currency_code.search(text) is not None
            )
            rating += mask & MAY_BE_RATING and rating_pattern.match(text) is not None
            code += mask & IS_CODE and (is_ascii or code_pattern.match(text) is not None)
    return address, company, author, location, date, price, rating, prose, prose, code


cdef bint has_month(match, months) except -1:
    return match is not None and (match[1] or match[2]).lower() in months


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
    if mask & IS_ASCII:
        return mask | ascii_kinds_in(text, kinds_of_words, street_ends, mask & HAS_DIGIT)
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


# Of the words that were asked for last: by their first letter, a bit for each length; and whether a street may end so.
# Most words of a text are none of them, and need not be cut out of it
cdef dict asked_words = None
cdef unsigned long long LENGTHS_OF_WORDS[128]
cdef bint ENDS_STREETS[128]


cdef int remember_words(dict kinds_of_words, tuple street_ends) except -1:
    global asked_words
    cdef Py_UCS4 char
    cdef str word
    for char in range(128):
        LENGTHS_OF_WORDS[char] = 0
        ENDS_STREETS[char] = False
    for word in kinds_of_words:
        char = word[0]
        if char < 128:
            LENGTHS_OF_WORDS[char] |= <unsigned long long> 1 << min(len(word), 63)
    for word in street_ends:
        char = word[len(word) - 1]
        if char < 128:
            ENDS_STREETS[char] = True
    asked_words = kinds_of_words
    return 0


cdef int ascii_kinds_in(str text, dict kinds_of_words, tuple street_ends, bint may_be_street) except -1:
    """Return the same as ``kinds_in`` for a text in ASCII, in any case."""
    cdef Py_ssize_t length = len(text), i = 0, start
    cdef const unsigned char *chars = <const unsigned char *> PyUnicode_DATA(text)
    cdef int bits = 0, mask = 0
    cdef unsigned char first, last
    cdef bint is_abbreviation
    cdef str word
    if asked_words is not kinds_of_words:
        remember_words(kinds_of_words, street_ends)
    while i < length:
        if not ASCII_KINDS[chars[i]] & LETTER:
            i += 1
            continue
        start, is_abbreviation = i, False
        while i < length and ASCII_KINDS[chars[i]] & LETTER:
            i += 1
            if i + 1 < length and chars[i] == c"." and ASCII_KINDS[chars[i + 1]] & LETTER:
                is_abbreviation = True
                i += 1
        first, last = chars[start] | 32, chars[i - 1] | 32  # letters in lower case
        if (
            is_abbreviation
            or LENGTHS_OF_WORDS[first] >> min(i - start, 63) & 1
            or (may_be_street and not mask and ENDS_STREETS[last])
        ):
            word = PyUnicode_Substring(text, start, i).lower()
            if is_abbreviation:
                word = word.replace(".", "")
            known = kinds_of_words.get(word)
            if known is not None:
                bits |= <int> known
            if may_be_street and not mask and word.endswith(street_ends):
                mask = HAS_STREET_END
    return mask | bits << FIRST_WORD_BIT


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
