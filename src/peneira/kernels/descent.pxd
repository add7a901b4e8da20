# C types for the compiled version of descent.py
cimport cython

@cython.locals(row=Py_ssize_t, tree=Py_ssize_t, node=Py_ssize_t, total=double)
cpdef descend(
    const double[:, :] table, const int[::1] roots, const int[::1] feature, const double[::1] threshold,
    const int[::1] left, const double[::1] value, double[::1] scores
)
