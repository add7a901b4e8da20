# C types for the compiled twin of matching.py
cimport cython

cdef unsigned long long SHIFT
cdef unsigned long long MASK
cdef Py_ssize_t PAIR_CELLS

cpdef object pair_of(unsigned long long a, unsigned long long b)

@cython.locals(c=Py_ssize_t, d=Py_ssize_t)
cpdef push_missing(list labels, tuple ones, tuple others, dict known, list stack)

@cython.locals(
    stack=list, opened=set, one=Py_ssize_t, other=Py_ssize_t, ones=tuple, others=tuple, cells=Py_ssize_t
)
cpdef object simple_match(
    list labels, list children, list sizes, dict scores, Py_ssize_t a, Py_ssize_t b, list left
)

@cython.locals(
    above=list, row=list, best=Py_ssize_t, matched=Py_ssize_t, c=Py_ssize_t, d=Py_ssize_t, j=Py_ssize_t
)
cpdef Py_ssize_t best_alignment(list labels, list sizes, dict scores, tuple ones, tuple others) except -1

@cython.locals(
    level_of=dict, levels=list, lowest=list, state=Py_ssize_t, level=Py_ssize_t, found=set, reach=Py_ssize_t, k=Py_ssize_t
)
cpdef set repeated_symbols(list string)

cpdef Py_ssize_t root_of(dict links, Py_ssize_t shape) except -1

@cython.locals(one=Py_ssize_t, other=Py_ssize_t)
cpdef link(dict links, Py_ssize_t a, Py_ssize_t b)

@cython.locals(found=tuple)
cpdef double score_of(dict matches, Py_ssize_t a, Py_ssize_t b) except -1.0

@cython.locals(found=tuple, score=double, ones=double, others=double)
cpdef double share_of(list own, dict matches, Py_ssize_t a, Py_ssize_t b) except -1.0

@cython.locals(links=dict, i=Py_ssize_t, j=Py_ssize_t, c=Py_ssize_t, d=Py_ssize_t)
cpdef dict group_children(list labels, list own, dict matches, tuple kinds, double least)

@cython.locals(repeated=set, nodes=double, sums=dict, counts=dict, c=Py_ssize_t)
cpdef double own_nodes(tuple children, dict groups, list own) except -1.0

@cython.locals(stack=list, opened=set, one=Py_ssize_t, other=Py_ssize_t, cells=Py_ssize_t, links=dict, found=tuple)
cpdef tuple generalised_match(
    list labels, list children, list kinds, list own, list groups, dict matches, Py_ssize_t a, Py_ssize_t b,
    double tau1, double tau2, list left
)

@cython.locals(links=dict, best=dict, shares=dict, share=double, c=Py_ssize_t, d=Py_ssize_t)
cpdef dict detect_lists(
    list labels, list kinds, list own, list groups, dict matches, Py_ssize_t a, Py_ssize_t b, double tau1, double tau2
)

@cython.locals(
    ones=list, others=list, repeated=set, averages=dict, nodes_a=double, nodes_b=double, firsts_a=list, firsts_b=list,
    above=list, row=list, best=double, matched=double, i=Py_ssize_t, j=Py_ssize_t, k=Py_ssize_t, c=Py_ssize_t,
    d=Py_ssize_t, tree_a=tuple, tree_b=tuple
)
cpdef tuple matched_lists(
    list labels, list children, list own, dict matches, dict links, Py_ssize_t a, Py_ssize_t b, list left
)

@cython.locals(nodes=double, seen=set, i=Py_ssize_t)
cpdef double without_repeats(tuple children, list string, set repeated, list own, list firsts) except -1.0

@cython.locals(
    counts_a=dict, counts_b=dict, averages=dict, items_a=dict, items_b=dict, total=double, weights=Py_ssize_t,
    score=double, c=Py_ssize_t, d=Py_ssize_t, many=Py_ssize_t, more=Py_ssize_t
)
cpdef dict list_averages(
    list labels, list own, dict matches, tuple children_a, tuple children_b, list ones, list others, set repeated
)

@cython.locals(counts=dict, items=dict, i=Py_ssize_t)
cpdef dict item_counts(tuple children, list string, set repeated)

@cython.locals(total=double, count=Py_ssize_t, many=Py_ssize_t)
cpdef double mean_nodes(dict items, list own) except -1.0
