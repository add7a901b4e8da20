# C types for the compiled version of descent.py
cimport cython

@cython.locals(row=Py_ssize_t, tree=Py_ssize_t, node=int, child=int)
cpdef descend(
    const double[:, ::1] table, const int[::1] roots, const int[::1] feature, const double[::1] threshold,
    const int[::1] left, const double[::1] value, double[::1] scores
)
