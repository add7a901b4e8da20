# C types for the compiled version of outline_rows.py
cimport cython

cdef int TEXT
cdef int MEDIA
cdef int BLOCK
cdef int SKIPPED
cdef int BREAKING
cdef int MEDIUM
cdef int BLOCKING
cdef int INLINE
cdef Py_ssize_t MIN_ROWS_OF_FIELDS
cdef Py_ssize_t MAX_ROWS_OF_PRICE

cdef class RowScanner:
    cdef list tags, ends, hidden, flow, contains_block, has_text, has_data, keys, formatting
    cdef dict numbers
    cdef object texts, spaced, number_of_row, currency, price
    cdef frozenset separators, decimal_signs, unit_signs
    cdef list kind, parent_offset, signature, row, end, starts_line, has_attributes
    cdef public list attribute_rows
    cdef Py_ssize_t root, last_text

    cpdef Py_ssize_t begin(self, Py_ssize_t signature, Py_ssize_t row, Py_ssize_t end) except -1

    @cython.locals(node=Py_ssize_t)
    cdef Py_ssize_t add(
        self, int kind, Py_ssize_t parent, Py_ssize_t signature, Py_ssize_t row, Py_ssize_t end, bint starts_line
    ) except -1

    cpdef add_attributes(self, Py_ssize_t node, Py_ssize_t row)

    cpdef Py_ssize_t number_of(self, Py_ssize_t row) except -2

    @cython.locals(
        tags=list, ends=list, parents=list, parent_ends=list, starts_line=bint, joinable=Py_ssize_t, tag=Py_ssize_t,
        end=Py_ssize_t, flow=int, node=Py_ssize_t
    )
    cpdef scan(self, Py_ssize_t root, Py_ssize_t i, Py_ssize_t stop, bint is_hidden)

    @cython.locals(node=Py_ssize_t, row=Py_ssize_t)
    cdef add_media(self, Py_ssize_t parent, Py_ssize_t i, bint starts_line)

    @cython.locals(end=Py_ssize_t, first=Py_ssize_t, signature=Py_ssize_t, node=Py_ssize_t, row=Py_ssize_t)
    cdef Py_ssize_t add_text(self, Py_ssize_t parent, Py_ssize_t i, Py_ssize_t joinable, bint starts_line) except -2

    @cython.locals(before=str, after=str, last_char=str, first_char=str, row=Py_ssize_t)
    cdef bint continues(self, Py_ssize_t node, Py_ssize_t signature, Py_ssize_t first) except -1

    @cython.locals(
        tags=list, ends=list, elements=Py_ssize_t, texts=Py_ssize_t, only=Py_ssize_t, row=Py_ssize_t
    )
    cdef bint holds_fields(self, Py_ssize_t i) except -1

    @cython.locals(stop=Py_ssize_t, texts=list, row=Py_ssize_t)
    cdef bint is_price(self, Py_ssize_t i) except -1
