"""Lists that the garbage collector need not look at: long ones of numbers and texts, which are in no cycle.

The collector visits each item of each list that it tracks, several times a page.
"""

cdef extern from "Python.h":
    void PyObject_GC_UnTrack(object items)


cdef inline list untracked(list items):
    PyObject_GC_UnTrack(items)
    return items
