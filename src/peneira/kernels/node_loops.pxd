# C types for the compiled version of node_loops.py
cimport cython

@cython.locals(codes=dict, row_of=dict, space=bint, kind=size_t, row=Py_ssize_t, stop=Py_ssize_t, template=Py_ssize_t,
               pre_code=Py_ssize_t, pre=Py_ssize_t)
cpdef walk(
    nodes, list names, list tags, list parents, list texts, list all_attrs, list spaced, no_attrs,
    Py_ssize_t check_every, is_over
)

cpdef bint is_inside(list parents, Py_ssize_t row, Py_ssize_t element)

@cython.locals(depths=list, parent=Py_ssize_t)
cpdef list depths_of(list parents)

@cython.locals(ends=list, i=Py_ssize_t, parent=Py_ssize_t, end=Py_ssize_t)
cpdef list ends_of(list parents)

@cython.locals(as_written=dict, column=list, pairs=list)
cpdef list style_codes(all_attrs, frozenset style_attributes)

@cython.locals(labels=dict, column=list)
cpdef tuple label_codes(all_attrs)

@cython.locals(codes=dict, column=list, parent=Py_ssize_t, width=Py_ssize_t, height=Py_ssize_t, i=Py_ssize_t, key=Py_ssize_t)
cpdef list path_codes(list tags, list parents, list styles)

@cython.locals(ids=dict, column=list, shapes_below=list, i=Py_ssize_t, parent=Py_ssize_t)
cpdef list shape_ids(list tags, list parents)

@cython.locals(
    open_ends=list, open_tags=list, after_text=bint, root=Py_ssize_t, i=Py_ssize_t, tag=Py_ssize_t, parent=Py_ssize_t,
    end=Py_ssize_t, name=str, pre=Py_ssize_t, pre_end=Py_ssize_t, next_text=Py_ssize_t, taken=Py_ssize_t, space=str,
    start=str, is_eaten=bint, text=str, after=Py_ssize_t, is_spaced=bint, above=Py_ssize_t
)
cpdef write_rows(
    list rows, list tags, list ends, list parents, list spaced, list texts, list names, frozenset void,
    frozenset special, list out, as_text, as_escaped, as_attributes
)
