# C types for the compiled version of matching.py
cimport cython

cdef unsigned long long SHIFT
cdef unsigned long long MASK
cdef Py_ssize_t PAIR_CELLS

cpdef object pair_of(unsigned long long a, unsigned long long b)

@cython.locals(c=Py_ssize_t, d=Py_ssize_t)
cpdef push_missing(list labels, tuple shapes_a, tuple shapes_b, dict known, list stack)

@cython.locals(
    stack=list, opened=set, larger=Py_ssize_t, smaller=Py_ssize_t, children_a=tuple, children_b=tuple, cells=Py_ssize_t
)
cpdef object simple_match(
    list labels, list children, list sizes, dict scores, Py_ssize_t a, Py_ssize_t b, list budget
)

@cython.locals(
    above=list, row=list, best=Py_ssize_t, matched=Py_ssize_t, c=Py_ssize_t, d=Py_ssize_t, j=Py_ssize_t
)
cpdef Py_ssize_t best_alignment(list labels, list sizes, dict scores, tuple children_a, tuple children_b) except -1

@cython.locals(
    level_of=dict, levels=list, jump_target=list, state=Py_ssize_t, level=Py_ssize_t, repeated=set, loop_start=Py_ssize_t, k=Py_ssize_t
)
cpdef set repeated_symbols(list string)

cpdef Py_ssize_t root_of(dict links, Py_ssize_t shape) except -1

@cython.locals(root_a=Py_ssize_t, root_b=Py_ssize_t)
cpdef link(dict links, Py_ssize_t a, Py_ssize_t b)

@cython.locals(match=tuple)
cpdef double score_of(dict matches, Py_ssize_t a, Py_ssize_t b) except -1.0

@cython.locals(match=tuple, score=double, nodes_a=double, nodes_b=double)
cpdef double similarity_of(list own, dict matches, Py_ssize_t a, Py_ssize_t b) except -1.0

@cython.locals(links=dict, i=Py_ssize_t, j=Py_ssize_t, c=Py_ssize_t, d=Py_ssize_t)
cpdef dict group_children(list labels, list own, dict matches, tuple kinds, double min_similarity)

@cython.locals(repeated=set, nodes=double, sums=dict, counts=dict, c=Py_ssize_t)
cpdef double own_nodes(tuple children, dict symbol_of, list own) except -1.0

@cython.locals(stack=list, opened=set, larger=Py_ssize_t, smaller=Py_ssize_t, cells=Py_ssize_t, links=dict, match=tuple)
cpdef tuple generalised_match(
    list labels, list children, list kinds, list own, list child_symbols, dict matches, Py_ssize_t a, Py_ssize_t b,
    double tau1, double tau2, list budget
)

@cython.locals(links=dict, best=dict, similarities=dict, similarity=double, c=Py_ssize_t, d=Py_ssize_t)
cpdef dict detect_lists(
    list labels, list kinds, list own, list child_symbols, dict matches, Py_ssize_t a, Py_ssize_t b, double tau1, double tau2
)

@cython.locals(
    symbols_a=list, symbols_b=list, repeated=set, averages=dict, nodes_a=double, nodes_b=double, firsts_a=list, firsts_b=list,
    above=list, row=list, best=double, matched=double, i=Py_ssize_t, j=Py_ssize_t, k=Py_ssize_t, c=Py_ssize_t,
    d=Py_ssize_t, tree_a=tuple, tree_b=tuple
)
cpdef tuple matched_lists(
    list labels, list children, list own, dict matches, dict links, Py_ssize_t a, Py_ssize_t b, list budget
)

@cython.locals(nodes=double, seen=set, i=Py_ssize_t)
cpdef double without_repeats(tuple children, list string, set repeated, list own, list firsts) except -1.0

@cython.locals(
    counts_a=dict, counts_b=dict, averages=dict, items_a=dict, items_b=dict, total=double, pairs=Py_ssize_t,
    score=double, c=Py_ssize_t, d=Py_ssize_t, count_a=Py_ssize_t, count_b=Py_ssize_t
)
cpdef dict list_averages(
    list labels, list own, dict matches, tuple children_a, tuple children_b, list symbols_a, list symbols_b, set repeated
)

@cython.locals(counts=dict, items=dict, i=Py_ssize_t)
cpdef dict item_counts(tuple children, list string, set repeated)

@cython.locals(total=double, count=Py_ssize_t, item_count=Py_ssize_t)
cpdef double mean_nodes(dict items, list own) except -1.0
