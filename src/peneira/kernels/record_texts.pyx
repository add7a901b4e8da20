# cython: language_level=3, boundscheck=False, wraparound=False
"""The texts of records by number, so that each different text is looked at once; and records of the same shape.

``peneira.columns.skeletons``, ``peneira.columns.prototypes`` and ``peneira.columns.outline_shapes`` do the same in plain
Python.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.dict cimport PyDict_GetItem
from cpython.object cimport PyObject
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp

from peneira.kernels.int_map cimport mixed

cdef int TEXT = 0  # the kind of a node


cdef class RecordTexts:
    """The texts of the nodes of an outline.

    ``texts``: by node, "" for those that are no texts; ``distinct``: the different ones; ``records``: how many records
    have each. Nodes that are no texts have the text "".
    """

    cdef readonly list texts, distinct, records
    cdef int *number
    cdef int *feature

    def __cinit__(self):
        self.number = self.feature = NULL

    def __dealloc__(self):
        free(self.number)
        free(self.feature)

    def __init__(self, outline, reading, hidden, text_of):
        """``reading``: the visible text of the page, where that of each row starts and that before it ends;
        ``hidden``: which rows are hidden, None if none are; ``text_of``: the text of a hidden row."""
        cdef list kinds = outline.kind, rows = outline.row, ends = outline.end, roots = outline.roots
        cdef Py_ssize_t nodes = len(kinds), k, row, record = -1, next_root = 0, known
        cdef str page_text = reading[0], text
        cdef const int[::1] start = reading[1], stop = reading[2]
        cdef const unsigned char[::1] is_hidden
        cdef dict numbers = {}
        cdef PyObject *found
        cdef int *last_record
        if hidden is not None:
            is_hidden = hidden
        self.texts = [""] * nodes
        self.distinct = []
        self.records = []
        self.number = <int *> malloc((nodes + 1) * sizeof(int))
        self.feature = <int *> malloc((nodes + 1) * sizeof(int))
        last_record = <int *> malloc((nodes + 1) * sizeof(int))
        if self.number == NULL or self.feature == NULL or last_record == NULL:
            free(last_record)
            raise MemoryError
        cdef list counts = self.records
        try:
            for k in range(nodes):
                if record + 1 < len(roots) and <Py_ssize_t> roots[record + 1] == k:
                    record += 1
                if <int> kinds[k] == TEXT:
                    row = rows[k]
                    if hidden is not None and is_hidden[row]:
                        text = text_of(rows[k], ends[k])
                    else:
                        text = page_text[start[row] : stop[<Py_ssize_t> ends[k]]]
                    self.texts[k] = text
                else:
                    text = ""
                found = PyDict_GetItem(numbers, text)
                if found == NULL:
                    known = len(self.distinct)
                    numbers[text] = known
                    self.distinct.append(text)
                    counts.append(1)
                    last_record[known] = <int> record
                    self.feature[known] = -1
                else:
                    known = <object> found
                    if last_record[known] != record:
                        last_record[known] = <int> record
                        counts[known] = <Py_ssize_t> counts[known] + 1
                self.number[k] = <int> known
        finally:
            free(last_record)

    def leaves(self, Py_ssize_t root, list nodes, number_of, Py_ssize_t plain, double constant, Py_ssize_t searched):
        """Return the texts of nodes of a record, counted from its root, and the bytes of the numbers of what alignment
        compares of each. ``number_of``: that of a text; ``plain``: that of words without a colon or a digit among the
        first ``searched`` characters, unless more than ``constant`` records have them."""
        cdef Py_ssize_t count = len(nodes), k
        cdef list texts = [None] * count
        cdef bytes key = PyBytes_FromStringAndSize(NULL, count * sizeof(int))
        cdef int *out = <int *> PyBytes_AS_STRING(key)
        cdef int number
        cdef str text
        for k in range(count):
            number = self.number[root + <Py_ssize_t> nodes[k]]
            text = self.distinct[number]
            if self.feature[number] < 0:
                if <Py_ssize_t> self.records[number] > constant or not is_words(text, searched):
                    self.feature[number] = number_of(text)
                else:
                    self.feature[number] = <int> plain
            out[k] = self.feature[number]
            texts[k] = text
        return texts, key


cdef bint is_words(str text, Py_ssize_t searched):
    cdef Py_UCS4 char
    cdef Py_ssize_t k = 0
    for char in text:
        if char == c":" or (k < searched and char.isdecimal()):
            return False
        k += 1
    return True


def numbers_of_key(bytes key):
    """Return the numbers that the bytes of a key stand for."""
    cdef const int *numbers = <const int *> PyBytes_AS_STRING(key)
    cdef Py_ssize_t k
    return [numbers[k] for k in range(<Py_ssize_t> (len(key) // sizeof(int)))]


def shape_numbers(outline):
    """Return for each record of an outline the number of its shape, and for each shape its first record."""
    cdef list signatures = outline.signature, offsets = outline.parent_offset, kinds = outline.kind
    cdef list lines = outline.starts_line, attributes = outline.has_attributes, roots = outline.roots
    cdef Py_ssize_t nodes = len(kinds), records = len(roots), k, record, start, stop, other, shapes = 0, shape
    cdef int64_t *code = <int64_t *> malloc((2 * nodes + 1) * sizeof(int64_t))
    cdef uint64_t *hashed = <uint64_t *> malloc((records + 1) * sizeof(uint64_t))
    cdef uint64_t bits
    cdef list of_record = [], first = []
    cdef dict by_hash = {}
    if code == NULL or hashed == NULL:
        free(code)
        free(hashed)
        raise MemoryError
    try:
        for k in range(nodes):
            code[2 * k] = (<int64_t> signatures[k] << 8) | (<int> kinds[k] << 2)
            code[2 * k] |= ((lines[k] is True) << 1) | (attributes[k] is True)
            code[2 * k + 1] = offsets[k]
        for record in range(records):
            start = roots[record]
            stop = <Py_ssize_t> roots[record + 1] if record + 1 < records else nodes
            bits = <uint64_t> (stop - start)
            for k in range(2 * start, 2 * stop):
                bits = mixed(bits ^ <uint64_t> code[k]) + <uint64_t> 0x9E3779B97F4A7C15
            found = by_hash.get(bits)
            shape = -1
            if found is not None:
                for candidate in <list> found:
                    other = roots[<Py_ssize_t> first[<Py_ssize_t> candidate]]
                    if size_of(roots, first[<Py_ssize_t> candidate], nodes) == stop - start and memcmp(
                        &code[2 * other], &code[2 * start], 2 * (stop - start) * sizeof(int64_t)
                    ) == 0:
                        shape = candidate
                        break
            else:
                found = by_hash[bits] = []
            if shape < 0:
                shape = len(first)
                first.append(record)
                (<list> found).append(shape)
            of_record.append(shape)
    finally:
        free(code)
        free(hashed)
    return of_record, first


cdef Py_ssize_t size_of(list roots, Py_ssize_t record, Py_ssize_t nodes) except -1:
    """Return how many nodes a record has."""
    cdef Py_ssize_t stop = <Py_ssize_t> roots[record + 1] if record + 1 < len(roots) else nodes
    return stop - <Py_ssize_t> roots[record]
