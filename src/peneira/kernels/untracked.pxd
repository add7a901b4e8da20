"""Objects that the garbage collector need not look at: of numbers and texts, which are in no cycle.

The collector visits all that it tracks, and each item of it, several times a page.
"""

cdef extern from "Python.h":
    void PyObject_GC_UnTrack(object items)


cdef inline list untracked(list items):
    PyObject_GC_UnTrack(items)
    return items
