# cython: language_level=3, boundscheck=False, wraparound=False
"""The cells of a column, one object after the other.

``columns/deferred_cells.py`` has the same in plain Python, and says what a cell has; the tests compare the cells.
"""

cdef extern from "Python.h":
    int PyObject_GenericSetAttr(object owner, object name, object value) except -1


def cells_of_values(
    type cell_type, str xpath_slot, type node_type, paths, dict values, str own_type, read, dict machine_texts, spaced,
    list ends, Py_ssize_t min_rows, several,
):
    """Return the cells by record of a column without lists.

    ``read``: gives the value of a text, None where texts are their own values; ``spaced``: gives the text of a row whose
    element has at least ``min_rows``, None where texts stay as they are; ``several``: makes the cell of a record with
    several values.
    """
    cdef dict cells = {}, known = {}
    cdef list own
    cdef tuple first
    cdef Py_ssize_t row
    cdef bint is_text = own_type == "text", is_literal = read is None and not is_text
    make = object.__new__
    for record, own in values.items():
        if len(own) > 1:
            cells[record] = several(own, record)
            continue
        first = <tuple> own[0]  # a named tuple: text, row, confidence, item
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
        node = make(node_type)
        PyObject_GenericSetAttr(node, "_paths", paths)
        PyObject_GenericSetAttr(node, "row", first[1])
        cell = make(cell_type)
        PyObject_GenericSetAttr(cell, "text", text)
        PyObject_GenericSetAttr(cell, xpath_slot, "")
        PyObject_GenericSetAttr(cell, "type", "text" if value is None else own_type)
        PyObject_GenericSetAttr(cell, "value", text if value is None else value)
        PyObject_GenericSetAttr(cell, "items", ())
        PyObject_GenericSetAttr(cell, "confidence", first[2])
        PyObject_GenericSetAttr(cell, "source", "page")
        PyObject_GenericSetAttr(cell, "table", None)
        PyObject_GenericSetAttr(cell, "node", node)
        cells[record] = cell
    return cells
