# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The tables that the forests of columns score, filled from the evidence on the columns.

``columns/roles.py`` has the same in plain Python; the tests compare the tables.
"""

cdef enum:
    NAMES = 7  # kinds of names that may stand for a role; the first four also say which role is named best
    BEST_NAMES = 4


def fill_role_rows(
    double[:, ::1] table, list evidence, list pairs, Py_ssize_t first_role, dict number_of_role, dict usual_types,
    frozenset text_types,
):
    """Write the features of each pair of a column's number and a role into a row of zeros."""
    cdef Py_ssize_t row, n, width
    cdef tuple own, features
    cdef str role
    for row in range(len(pairs)):
        n, role = pairs[row]
        own = <tuple> evidence[n]  # a named tuple
        features = own[0]
        width = copy_features(table, row, features)
        fill_hits(table, row, width, own[1], role)
        table[row, width + NAMES + 2] = own[2] in usual_types.get(role, text_types)
        table[row, width + NAMES + 3] = own[3].get(role, 0.0)
        table[row, first_role + <Py_ssize_t> number_of_role[role]] = 1.0


def fill_interest_rows(double[:, ::1] table, list evidence, dict usual_types, frozenset text_types):
    """Write the features of each column, and how clearly its names stand for any role and for one of its type."""
    cdef Py_ssize_t row, width, k
    cdef double points, best, best_typed
    cdef tuple own, hits
    for row in range(len(evidence)):
        own = <tuple> evidence[row]
        width = copy_features(table, row, own[0])
        hits, best, best_typed = own[1], 0.0, 0.0
        for k in range(BEST_NAMES):
            for role, value in (<dict> hits[k]).items():
                points = value
                best = max(best, points)
                if points > best_typed and own[2] in usual_types.get(role, text_types):
                    best_typed = points
        table[row, width], table[row, width + 1] = best, best_typed


cdef Py_ssize_t copy_features(double[:, ::1] table, Py_ssize_t row, tuple features) except -1:
    cdef Py_ssize_t k, width = len(features)
    for k in range(width):
        table[row, k] = features[k]
    return width


cdef int fill_hits(double[:, ::1] table, Py_ssize_t row, Py_ssize_t start, tuple all_hits, str role) except -1:
    """Write how clearly each kind of name stands for the role, the best of them, and its lead over other roles."""
    cdef double best = 0.0, rival = 0.0, points
    cdef Py_ssize_t k
    cdef dict hits
    for k in range(NAMES):
        hits = all_hits[k]
        if not hits:
            continue
        for other, value in hits.items():
            points = value
            if other == role:
                table[row, start + k] = points
                if k < BEST_NAMES:
                    best = max(best, points)
            elif k < BEST_NAMES:
                rival = max(rival, points)
    table[row, start + NAMES] = best
    table[row, start + NAMES + 1] = best - rival
    return 0
