# cython: language_level=3, boundscheck=False, wraparound=False
"""The texts and attributes of records put into the values of columns, record by record.

``peneira.columns.raw_columns`` and ``peneira.columns.data_attributes`` say what is read, and do the same in plain Python.
"""

cimport cython
from cpython.dict cimport PyDict_GetItem, PyDict_SetItem
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_SET_ITEM

from peneira.kernels.untracked cimport PyObject_GC_UnTrack, untracked

cdef extern from "Python.h":
    ctypedef object (*alloc_function)(type kind, Py_ssize_t items)
    ctypedef struct PyTypeObject:
        alloc_function tp_alloc

# What is read of an attribute: nothing; a value that scripts may have made; one for readers; an address. And what the
# element shows or leads to, which comes first: a link, a picture, or something that is played
cdef enum:
    NOTHING = 0
    DATA = 1
    READER = 2
    ADDRESS = 3
    LAZY = 4

cdef enum:
    NO_TARGET = 0
    LINK = 1
    IMAGE = 2
    PLAYED = 3


cdef inline object new_value(type kind, object text, object row, object confidence, object item):
    """Return a named tuple of these four."""
    cdef object value = (<PyTypeObject *> <PyObject *> kind).tp_alloc(kind, 4)
    Py_INCREF(text)
    PyTuple_SET_ITEM(value, 0, text)
    Py_INCREF(row)
    PyTuple_SET_ITEM(value, 1, row)
    Py_INCREF(confidence)
    PyTuple_SET_ITEM(value, 2, confidence)
    Py_INCREF(item)
    PyTuple_SET_ITEM(value, 3, item)
    PyObject_GC_UnTrack(value)  # a text and numbers, of which a page has thousands
    return value


cdef class ValueReader:
    """Reads the values of the records of one outline.

    ``kind``: the type of a value; ``edges``: the characters that ``trimmed`` may cut off a text; ``text_of``: the text
    of a row; ``attributes``: those of the page by row; ``tags``: the code of each row's tag; ``targets``: by code, what
    its elements show or lead to; ``kind_of``: what is read of an attribute, by the code of the tag and its name;
    ``texts_of``: functions for the texts of data, readers' values and addresses, links, pictures without a lazy loader
    (None if these are shown until the real one is there); ``image_of``: the picture of a row, however it is loaded;
    ``rows``: those of the nodes; ``reading``, ``end`` and ``hidden``: the visible text of the page, and columns of it.
    """

    cdef type kind
    cdef frozenset edges
    cdef object trimmed, text_of, attributes, kind_of, image_of
    cdef list tags, targets, rows, kinds
    cdef str page_text
    cdef const int[::1] start, stop, end
    cdef const unsigned char[::1] hidden
    cdef bint is_read
    cdef object data_of, reader_of, address_of, link_of, source_of
    cdef dict data, readers, addresses, links, sources, bare

    def __init__(self, type kind, frozenset edges, trimmed, text_of, attributes, list tags, list targets, kind_of, tuple texts_of, image_of, list rows, reading, end, hidden):
        if not issubclass(kind, tuple):
            raise TypeError("a value is a tuple")
        self.kind, self.edges, self.trimmed, self.text_of = kind, edges, trimmed, text_of
        self.attributes, self.tags, self.targets, self.kind_of, self.image_of = attributes, tags, targets, kind_of, image_of
        self.data_of, self.reader_of, self.address_of, self.link_of, self.source_of = texts_of
        self.rows = rows
        self.is_read = isinstance(reading[1], memoryview)
        if self.is_read:
            self.page_text, self.start, self.stop = reading
            self.end, self.hidden = end, hidden
        self.kinds = [None] * len(targets)
        self.data, self.readers, self.addresses, self.links, self.sources, self.bare = {}, {}, {}, {}, {}, {}

    def text_entries(self, list entries, Py_ssize_t text_kind):
        """Return what ``add_texts`` takes of the places and columns of a prototype's nodes."""
        cdef list found = []
        cdef Py_ssize_t number = 0, position = 0, offset
        cdef bint is_text
        cdef object place, column, whole
        for place, column, whole, _ in entries:
            is_text = <Py_ssize_t> place[2] == text_kind
            if column is not None or whole is not None:
                offset = place[3]
                found.append(
                    (
                        number if is_text else -1,
                        position,
                        place[1],
                        position - offset if offset >= 0 else -1,
                        None if column is None else column.values,
                        None if whole is None else whole.values,
                    )
                )
            number += is_text
            position += 1
        return found

    def add_texts(self, record, Py_ssize_t root, tuple nodes, list texts, list entries):
        """Add the texts of a record, given in the order of its mapping."""
        cdef tuple entry
        cdef Py_ssize_t number, item_position
        cdef str text, own
        cdef object row, item, value
        cdef PyObject *known
        for entry in entries:
            number, item_position = entry[0], entry[3]
            row = self.rows[root + <Py_ssize_t> nodes[<Py_ssize_t> entry[1]]]
            text = texts[number] if number >= 0 else ""
            item = self.rows[root + <Py_ssize_t> nodes[item_position]] if item_position >= 0 else -1
            if entry[4] is not None:
                if text and (text[0] in self.edges or text[len(text) - 1] in self.edges):
                    text = remembered(self.bare, self.trimmed, text)
                if text:
                    value = new_value(self.kind, text, row, entry[2], item)
                    known = PyDict_GetItem(<dict> entry[4], record)
                    if known != NULL:
                        (<list> known).append(value)
                    else:
                        PyDict_SetItem(<dict> entry[4], record, untracked([value]))
            if entry[5] is not None:
                if not text:
                    text = self.text_of_row(row)
                if text:
                    value = new_value(self.kind, text, row, entry[2], item)
                    known = PyDict_GetItem(<dict> entry[5], record)
                    if known != NULL:
                        (<list> known).append(value)
                    else:
                        PyDict_SetItem(<dict> entry[5], record, untracked([value]))

    cdef str text_of_row(self, row):
        cdef Py_ssize_t k = row
        if not self.is_read or self.hidden[k]:
            return self.text_of(row)
        return self.page_text[self.start[k] : self.stop[self.end[k]]]

    def add_attributes(self, record, Py_ssize_t root, tuple nodes, tuple positions, list found, list entries, column_of):
        """Add the attributes of a record: ``found`` are its nodes and rows with any. ``column_of``: the values of the
        column of a slot and attribute."""
        cdef tuple pair
        cdef Py_ssize_t position, offset
        cdef object entry, place, row, item
        for pair in found:
            position = positions[<Py_ssize_t> pair[0]]
            if position < 0:
                continue
            entry = entries[position]
            place = entry[0]
            offset = place[3]
            item = self.rows[root + <Py_ssize_t> nodes[position - offset]] if offset >= 0 else -1
            self.add_row(record, pair[1], place, item, <dict> entry[3], column_of)

    cdef int add_row(self, record, row, place, item, dict by_attribute, column_of) except -1:
        cdef Py_ssize_t code = self.tags[<Py_ssize_t> row]
        cdef int target = self.targets[code], kind
        cdef object attrs = self.attributes[row]
        cdef dict own = attrs if type(attrs) is dict else dict(attrs)
        cdef dict kinds = self.kinds[code]
        cdef list names = None, texts = None
        cdef bint is_lazy = False
        cdef Py_ssize_t k
        cdef PyObject *known
        cdef object text = None
        if kinds is None:
            kinds = self.kinds[code] = {}
        for name, value in own.items():
            known = PyDict_GetItem(kinds, name)
            if known == NULL:
                kinds[name] = self.kind_of(code, name)
                known = PyDict_GetItem(kinds, name)
            kind = <object> known
            if kind == NOTHING:
                continue
            if kind == LAZY:
                is_lazy = True
                continue
            if kind == DATA:
                text = remembered(self.data, self.data_of, value)
            elif kind == READER:
                text = remembered(self.readers, self.reader_of, value)
            else:
                text = remembered(self.addresses, self.address_of, value)
            if text:
                if names is None:
                    names, texts = [], []
                names.append(name)
                texts.append(text)
        if target == LINK:
            if text := remembered(self.links, self.link_of, own.get("href", "")):
                self.add(record, row, place, item, by_attribute, column_of, "href", text)
        elif target == PLAYED:
            if text := remembered(self.links, self.link_of, own.get("src", "")):
                self.add(record, row, place, item, by_attribute, column_of, "src", text)
        elif target == IMAGE:
            text = None if is_lazy else remembered(self.sources, self.source_of, own.get("src", ""))
            if text is None:
                text = self.image_of(row)
            if text:
                self.add(record, row, place, item, by_attribute, column_of, "src", text)
        if names is not None:
            for k in range(len(names)):
                self.add(record, row, place, item, by_attribute, column_of, names[k], texts[k])
        return 0

    cdef int add(self, record, row, place, item, dict by_attribute, column_of, name, text) except -1:
        cdef PyObject *known = PyDict_GetItem(by_attribute, name)
        cdef dict values
        cdef list own
        cdef object last
        if known == NULL:
            values = by_attribute[name] = column_of(place[0], name)
        else:
            values = <dict> known
        known = PyDict_GetItem(values, record)
        if known == NULL:
            PyDict_SetItem(values, record, untracked([new_value(self.kind, text, row, place[1], item)]))
            return 0
        own = <list> known
        last = own[len(own) - 1]
        if last[0] != text or last[3] != item:  # nested elements repeat their attributes
            own.append(new_value(self.kind, text, row, place[1], item))
        return 0


cdef inline object remembered(dict known, function, value):
    """Return the result of a function, which is called once for each value."""
    cdef PyObject *own = PyDict_GetItem(known, value)
    if own != NULL:
        return <object> own
    text = function(value)
    known[value] = text
    return text


def first_texts(dict values):
    """Return the first text of each record. ``values``: by record, its values, of which a text is the first part."""
    cdef dict first = {}
    cdef list own
    for record, own in values.items():
        if not own:
            raise IndexError("a record without values")
        first[record] = (<tuple> own[0])[0]
    return first
