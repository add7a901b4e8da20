# cython: language_level=3, boundscheck=False, wraparound=False
"""The cells of a column, one object after the other, and their texts with a space between those that are glued.

``columns/deferred_cells.py`` and ``columns/spaced_texts.py`` have the same in plain Python. The first says what a cell
has; the tests compare the cells and the texts.
"""

from peneira.kernels.untracked cimport PyObject_GC_UnTrack

cdef extern from "Python.h":
    object PyType_GenericAlloc(type owner, Py_ssize_t items)

cdef extern from *:
    """
    static CYTHON_INLINE int set_slot(PyObject *slot, PyObject *owner, PyObject *value) {
        descrsetfunc set = Py_TYPE(slot)->tp_descr_set;
        if (set == NULL) {
            PyErr_SetString(PyExc_TypeError, "not a slot of a class");
            return -1;
        }
        return set(slot, owner, value);
    }
    static CYTHON_INLINE PyObject *get_slot(PyObject *slot, PyObject *owner) {
        descrgetfunc get = Py_TYPE(slot)->tp_descr_get;
        if (get == NULL) {
            PyErr_SetString(PyExc_TypeError, "not a slot of a class");
            return NULL;
        }
        return get(slot, owner, (PyObject *) Py_TYPE(owner));
    }
    """
    int set_slot(object slot, object owner, object value) except -1
    object get_slot(object slot, object owner)


cdef extern from "Python.h":
    bint Py_UNICODE_ISALNUM(Py_UCS4 character)


def spaced_text(str text, Py_ssize_t row, Py_ssize_t end, list tags, list texts, are_apart, page):
    """Return the text of the element of the rows up to ``end`` with a space between texts that are glued, as
    ``columns/spaced_texts.py`` has it. ``are_apart``: whether the texts of two rows of the page are."""
    cdef Py_ssize_t i, count = 0, done = 0, last_end = 0, last_row = -1, start, length = len(text)
    cdef str piece
    cdef list parts = None
    for i in range(row + 1, end):
        if not tags[i]:
            count += 1
    if count < 2:
        return text
    for i in range(row + 1, end):
        if tags[i]:
            continue
        piece = " ".join((<str> texts[i]).split())
        if not piece:
            continue
        start = text.find(piece, last_end)
        if start < 0:  # not visible
            continue
        if 0 < start == last_end and start < length and Py_UNICODE_ISALNUM(text[start - 1]) and Py_UNICODE_ISALNUM(text[start]):
            if are_apart(page, last_row, i):
                if parts is None:
                    parts = []
                parts.append(text[done:start])
                done = start
        last_end, last_row = start + len(piece), i
    if parts is None:
        return text
    parts.append(text[done:])
    return " ".join(parts)


def filled(type owner, tuple slots, tuple values):
    """Return an object of a class with these values in its slots."""
    made = PyType_GenericAlloc(owner, 0)
    for slot, value in zip(slots, values):
        set_slot(slot, made, value)
    return made


def cells_of_values(
    type cell_type, tuple cell_slots, type node_type, tuple node_slots, paths, dict values, str own_type, read,
    dict machine_texts, spaced, list ends, Py_ssize_t min_rows, bint are_lists,
):
    """Return the cells by record of a column.

    ``cell_slots``, ``node_slots``: the slots of both classes, in the order of their fields, which are set without
    looking them up by name. ``read``: gives the value of a text, None where
    texts are their own values; ``spaced``: gives the text of a row whose element has at least ``min_rows``, None where
    texts stay as they are; ``are_lists``: whether a single value is a list, too.
    """
    cdef dict cells = {}, known = {}
    cdef list own
    cdef tuple first, items
    cdef Py_ssize_t row
    cdef bint is_text = own_type == "text", is_literal = read is None and not is_text
    text_slot, xpath_slot, type_slot, value_slot, items_slot, confidence_slot, source_slot, table_slot, node_slot = (
        cell_slots
    )
    paths_slot, row_slot = node_slots
    for record, own in values.items():
        if not own:
            raise IndexError("a record without values")
        first = <tuple> own[0]  # a named tuple: text, row, confidence, item
        confidence, items, kind = first[2], (), own_type
        if are_lists or len(own) > 1:
            items = tuple([(<tuple> each)[0] for each in own])
            confidence = min([(<tuple> each)[2] for each in own])
            text, value, kind = ", ".join(items), items, "list"
        else:
            text, row = first[0], first[1]
            if spaced is not None and text and <Py_ssize_t> ends[row] - row >= min_rows:
                text = spaced(row, text)
            value = text if is_literal else None
            if read is not None:
                if text in known:
                    value = known[text]
                else:
                    value = known[text] = read(text)
                if value is None and machine_texts:
                    machine_text = machine_texts.get(record)
                    if machine_text:
                        value = read(machine_text)
            if value is None:
                value, kind = text, "text"
        node = PyType_GenericAlloc(node_type, 0)
        set_slot(paths_slot, node, paths)
        set_slot(row_slot, node, first[1])
        cell = PyType_GenericAlloc(cell_type, 0)
        set_slot(text_slot, cell, text)
        set_slot(xpath_slot, cell, "")
        set_slot(type_slot, cell, kind)
        set_slot(value_slot, cell, value)
        set_slot(items_slot, cell, items)
        set_slot(confidence_slot, cell, confidence)
        set_slot(source_slot, cell, "page")
        set_slot(table_slot, cell, None)
        set_slot(node_slot, cell, node)
        # neither is in a cycle: a cell leads to the paths of its page, which lead to no cell
        PyObject_GC_UnTrack(node)
        PyObject_GC_UnTrack(cell)
        cells[record] = cell
    return cells


def add_cells(list rows, str name, dict cells):
    """Set the cells of a column, given by record, in the rows of the records under its name."""
    for record, cell in cells.items():
        (<dict> rows[record])[name] = cell


def records_with_cells(type record_type, tuple slots, records, list fields, list inner):
    """Return the records with other cells and nested records. ``slots``: those of the class, in the order of fields."""
    cdef list made = []
    ranges, text, xpath, confidence, cells, nested, node = slots
    for record, own_cells, own_nested in zip(records, fields, inner):
        other = PyType_GenericAlloc(record_type, 0)
        for slot in (ranges, text, xpath, confidence, node):
            set_slot(slot, other, get_slot(slot, record))
        set_slot(cells, other, own_cells)
        set_slot(nested, other, own_nested)
        made.append(other)
    return tuple(made)
