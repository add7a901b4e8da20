# C types for the compiled version of editing.py
cimport cython

cdef Py_ssize_t SHIFT

cpdef Py_ssize_t pair_of(Py_ssize_t a, Py_ssize_t b)

@cython.locals(order=list, pending=list, shape=Py_ssize_t, own_children=tuple, firsts=list, stack=list, i=Py_ssize_t,
               child_count=Py_ssize_t, first=Py_ssize_t)
cpdef tuple post_order(list children, Py_ssize_t root, bint mirrored)

@cython.locals(highest=dict, i=Py_ssize_t)
cpdef list key_roots(list firsts)

@cython.locals(total=Py_ssize_t, i=Py_ssize_t)
cpdef Py_ssize_t path_work(list firsts, list roots) except -1

@cython.locals(width=Py_ssize_t, trees=list, i=Py_ssize_t, j=Py_ssize_t)
cpdef Py_ssize_t fill_distances(
    list labels, list order_a, list order_b, list firsts_a, list firsts_b, list roots_a, list roots_b, dict known,
    Py_ssize_t rename, Py_ssize_t remove
) except -1

@cython.locals(a=Py_ssize_t, b=Py_ssize_t, distance=Py_ssize_t, key=object)
cpdef bint recall(
    list order_a, list order_b, list firsts_a, list firsts_b, Py_ssize_t i, Py_ssize_t j, dict known, list trees,
    Py_ssize_t width
) except -1

@cython.locals(
    first_a=Py_ssize_t, first_b=Py_ssize_t, row_length=Py_ssize_t, above=list, forests=list, row=list, row_before=list,
    a=Py_ssize_t, b=Py_ssize_t, y=Py_ssize_t, best=Py_ssize_t, matched=Py_ssize_t, on_path_a=bint
)
cpdef fill_forests(
    list labels, list order_a, list order_b, list firsts_a, list firsts_b, Py_ssize_t i, Py_ssize_t j, dict known,
    list trees, Py_ssize_t width, Py_ssize_t rename, Py_ssize_t remove
)
