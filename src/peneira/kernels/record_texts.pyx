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

cdef extern from "Python.h":
    ctypedef object (*new_function)(type kind, object args, PyObject *named)
    ctypedef struct PyTypeObject:
        new_function tp_new
    PyTypeObject PyTuple_Type

cdef int TEXT = 0  # the kind of a node
cdef int STARTS_LINE = 2  # a flag of a node


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
        if char == c":" or (k < searched and (c"0" <= char <= c"9" if char < 128 else char.isdecimal())):
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


def text_places(type kind, list texts, list signature, list parents, list flags, list is_cell):
    """Return the places of the texts of a shape, of the given type. ``is_cell``: by signature, whether it is a table
    cell."""
    cdef Py_ssize_t size = len(parents), k, parent, previous, text, top, block, before, after, other
    cdef int *memory = <int *> malloc((5 * size + 1) * sizeof(int))
    cdef int *children = memory
    cdef int *index = memory + size
    cdef int *previous_of = memory + 2 * size
    cdef int *next_of = memory + 3 * size
    cdef int *last = memory + 4 * size
    cdef int64_t own
    cdef bint is_beside_own
    cdef list places = [], own_signatures
    cdef tuple of_text
    cdef object group, list_group
    if memory == NULL:
        raise MemoryError
    try:
        for k in range(size):
            children[k] = index[k] = 0
            previous_of[k] = next_of[k] = last[k] = -1
        for k in range(1, size):
            parent = parents[k]
            previous = last[parent]
            index[k], previous_of[k] = children[parent], <int> previous
            if previous >= 0:
                next_of[previous] = <int> k
            last[parent] = <int> k
            children[parent] += 1
        for text in texts:
            top, block, own_signatures = text, parents[text], [signature[text]]
            while block and children[block] == 1:  # blocks that hold nothing but the text, below the record itself
                top, block = block, parents[block]
                own_signatures.append(signature[top])
            own, of_text = signature[top], tuple(own_signatures)
            before, after, group = previous_of[top], next_of[top], None
            # "by" in "by X in Y" is within a line
            if (own or <int> flags[text] & STARTS_LINE) and (block or not is_cell[own]):
                is_beside_own = (before >= 0 and <int64_t> signature[before] == own) or (
                    after >= 0 and <int64_t> signature[after] == own
                )
                group = (signature[block], of_text, 1 + index[top] % 2 if is_beside_own else 0)
            other = next_of[block]
            list_group = None
            if other >= 0 and children[block] == children[other]:
                list_group = (*of_text, signature[block], signature[other])
            places.append(PyTuple_Type.tp_new(kind, ((text, top, before, after, group, list_group),), NULL))
    finally:
        free(memory)
    return places
