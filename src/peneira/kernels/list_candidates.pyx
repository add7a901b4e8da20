# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Candidate lists of a page: groups of repeated nodes, and what each group is cut into.

``lists/candidates.py`` has the same in numpy, and explains it; the tests compare the results, which are equal and come
in the same order.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp, memset

import numpy as np

from peneira.kernels.int_map cimport IntMap, map_code, map_free, map_init, mixed

cdef enum:
    NODES, LIFTED, RUNS, TRIMMED
    KINDS

# How two lists relate, in the order of ``relations.RELATIONS``; each has so many statistics, after some plain ones
cdef enum:
    FULLER, THINNER, COARSER, FINER, LONGER, SHORTER, DISJOINT, OVERLAPPING
    RELATIONS
cdef enum:
    PLAIN = 5
    STATISTICS = 5
# What one list is to another, from which the relations follow
cdef enum:
    IS_LONGER = 1
    IS_ONE_TO_ONE = 2
    IS_COARSER = 4
    IS_TOUCHING = 8


cdef struct Groups:
    int *members
    int *counts
    Py_ssize_t member_count
    Py_ssize_t group_count
    Py_ssize_t member_room
    Py_ssize_t group_room


cdef bint add_group(Groups *groups, const int *rows, Py_ssize_t count, IntMap *hashes) noexcept nogil:
    """Add a group, unless there is one of the same rows; false if there is no memory."""
    cdef uint64_t hashed = 0
    cdef Py_ssize_t k
    cdef int fresh = <int> groups.group_count
    cdef int *larger
    for k in range(count):
        hashed += mixed(<uint64_t> rows[k])
    k = map_code(hashes, <int64_t> hashed, fresh)
    if k < 0:
        return False
    if k != fresh:
        return True
    if groups.member_count + count > groups.member_room:
        groups.member_room = 2 * (groups.member_count + count) + 256
        larger = <int *> realloc(groups.members, groups.member_room * sizeof(int))
        if larger == NULL:
            return False
        groups.members = larger
    if groups.group_count + 1 > groups.group_room:
        groups.group_room = 2 * groups.group_count + 256
        larger = <int *> realloc(groups.counts, groups.group_room * sizeof(int))
        if larger == NULL:
            return False
        groups.counts = larger
    for k in range(count):
        groups.members[groups.member_count + k] = rows[k]
    groups.member_count += count
    groups.counts[groups.group_count] = <int> count
    groups.group_count += 1
    return True


cdef void sort_by(const int *rows, int *out, Py_ssize_t count, const int *key, int *slots, int keys) noexcept nogil:
    """Sort rows by their keys, rows of equal keys in the order in which they are."""
    cdef Py_ssize_t k
    cdef int at = 0, own
    memset(slots, 0, keys * sizeof(int))
    for k in range(count):
        slots[key[rows[k]]] += 1
    for k in range(keys):
        own = slots[k]
        slots[k] = at
        at += own
    for k in range(count):
        own = key[rows[k]]
        out[slots[own]] = rows[k]
        slots[own] += 1


cdef bint add_groups(
    Groups *groups, int *rows, Py_ssize_t count, const int *key, const int *second, const int *third,
    const int *end, bint only_outer, IntMap *hashes
) noexcept nogil:
    """Add the groups of sorted rows whose keys are all equal, if there are two or more."""
    cdef Py_ssize_t first = 0, last, k, kept
    cdef int reached
    while first < count:
        last = first + 1
        while last < count and key[rows[last]] == key[rows[first]] and (
            second == NULL or second[rows[last]] == second[rows[first]]
        ) and (third == NULL or third[rows[last]] == third[rows[first]]):
            last += 1
        kept = last - first
        if only_outer and kept > 1:
            # members that lie inside another are left out
            kept = 0
            reached = -1
            for k in range(first, last):
                if rows[k] >= reached:
                    rows[first + kept] = rows[k]
                    kept += 1
                    reached = max(reached, end[rows[k]])
                else:
                    reached = max(reached, end[rows[k]])
        if kept > 1 and not add_group(groups, rows + first, kept, hashes):
            return False
        first = last
    return True


cdef object int_array(const int *values, Py_ssize_t count):
    array = np.empty(count, dtype=np.int32)
    cdef int[::1] view = array
    cdef Py_ssize_t k
    for k in range(count):
        view[k] = values[k]
    return array


cdef int most(const int[::1] column) noexcept nogil:
    cdef int largest = 0
    cdef Py_ssize_t k
    for k in range(column.shape[0]):
        largest = max(largest, column[k])
    return largest


def content_rows(
    const int[:, ::1] sums, int chars, int images, int after_break, const int[::1] end,
    const unsigned char[::1] silent, int body,
):
    """Return the rows below the body that show text or images, and for each row whether it stands after a break.

    ``chars``, ``images``, ``after_break``: columns of the running sums.
    """
    cdef Py_ssize_t rows = end.shape[0], i, count = 0
    inside, flags = np.empty(rows, dtype=np.int32), np.empty(rows, dtype=np.uint8)
    cdef int[::1] out = inside
    cdef unsigned char[::1] is_after = flags
    for i in range(rows):
        is_after[i] = sums[i + 1, after_break] > sums[i, after_break]
        if i > body and not silent[i] and (
            sums[end[i], chars] > sums[i, chars] or sums[end[i], images] > sums[i, images]
        ):
            out[count] = <int> i
            count += 1
    return inside[:count], flags


def find_groups(
    const int[::1] inside, const int[::1] tag, const int[::1] parent, const int[::1] end, const int[::1] path,
    const int[::1] styled, const int[::1] style, const unsigned char[::1] after_break,
):
    """Return the nodes of all groups, group after group, and how many are in each. ``inside``: rows with content."""
    cdef Py_ssize_t count = inside.shape[0], rows = tag.shape[0], k, parted = 0
    cdef Groups groups
    cdef IntMap hashes
    cdef int keys = max(most(path), most(styled), most(style), most(tag), <int> rows) + 1
    cdef int *slots = <int *> malloc(keys * sizeof(int))
    cdef int *first = <int *> malloc((count + 1) * sizeof(int))
    cdef int *second = <int *> malloc((count + 1) * sizeof(int))
    cdef int *above = <int *> malloc((rows + 1) * sizeof(int))
    cdef bint done = False
    memset(&groups, 0, sizeof(groups))
    if slots == NULL or first == NULL or second == NULL or above == NULL or not map_init(&hashes, 1024):
        free(slots)
        free(first)
        free(second)
        free(above)
        raise MemoryError
    with nogil:
        for k in range(rows):
            above[k] = tag[parent[k]] if parent[k] >= 0 else 0
        if count:
            sort_by(&inside[0], first, count, &path[0], slots, keys)
            done = add_groups(&groups, first, count, &path[0], NULL, NULL, NULL, False, &hashes)
            sort_by(&inside[0], second, count, &styled[0], slots, keys)
            done = done and add_groups(&groups, second, count, &styled[0], NULL, NULL, NULL, False, &hashes)
            # by parent, and by path within it
            sort_by(first, second, count, &parent[0], slots, keys)
            done = done and add_groups(&groups, second, count, &parent[0], &path[0], NULL, NULL, False, &hashes)
            sort_by(&inside[0], first, count, &styled[0], slots, keys)
            sort_by(first, second, count, &parent[0], slots, keys)
            done = done and add_groups(&groups, second, count, &parent[0], &styled[0], NULL, NULL, False, &hashes)
            # by style, then by the tag above, then by tag
            sort_by(&inside[0], first, count, &tag[0], slots, keys)
            sort_by(first, second, count, above, slots, keys)
            sort_by(second, first, count, &style[0], slots, keys)
            done = done and add_groups(&groups, first, count, &style[0], above, &tag[0], &end[0], True, &hashes)
            for k in range(count):
                if after_break[inside[k]]:
                    first[parted] = inside[k]
                    parted += 1
            sort_by(first, second, parted, &parent[0], slots, keys)
            done = done and add_groups(&groups, second, parted, &parent[0], NULL, NULL, NULL, False, &hashes)
        free(slots)
        free(first)
        free(second)
        free(above)
        map_free(&hashes)
    try:
        if count and not done:
            raise MemoryError
        return int_array(groups.members, groups.member_count), int_array(groups.counts, groups.group_count)
    finally:
        free(groups.members)
        free(groups.counts)


def cut_groups(
    const int[::1] members, const int[::1] counts, const int[::1] parent, const int[::1] end, const int[::1] depth
):
    """Return for the members of groups: the lifted nodes, the ends of runs and of trimmed runs, and the lengths of runs
    in siblings."""
    cdef Py_ssize_t total = members.shape[0], rows = parent.shape[0], g, k, first = 0, n
    columns = np.empty((4, total), dtype=np.int32)
    cdef int[:, ::1] out = columns
    positions, children = np.zeros(rows, dtype=np.int32), np.zeros(rows + 1, dtype=np.int32)
    cdef int[::1] position = positions, child = children
    cdef int before, after, node, above, following, level, longest, remaining, stop
    cdef bint closed
    with nogil:
        for k in range(1, rows):
            position[k] = child[parent[k]]
            child[parent[k]] += 1
        for g in range(counts.shape[0]):
            n = counts[g]
            for k in range(first, first + n):
                before = members[k - 1] if k > first else -1
                after = members[k + 1] if k + 1 < first + n else <int> rows
                node = members[k]
                above = parent[node]
                while above > before and end[above] <= after:
                    node = above
                    above = parent[node]
                out[0, k] = node
            longest = 1
            for k in range(first, first + n):
                node = out[0, k]
                level = depth[node]
                following = out[0, k + 1] if k + 1 < first + n else 0
                while depth[following] > level:
                    following = parent[following]
                closed = parent[following] == parent[node] and following > node
                out[1, k] = following if closed else end[parent[node]]
                stop = position[following] if closed else child[parent[node]]
                out[3, k] = stop - position[node]
                out[2, k] = closed
                if closed:
                    longest = max(longest, out[3, k])
            for k in range(first, first + n):
                closed = out[2, k]
                out[2, k] = out[1, k]
                if not closed and out[3, k] > longest:
                    remaining = longest
                    node = out[0, k]
                    while remaining:
                        node = end[node]
                        remaining -= 1
                    out[2, k] = node
            first += n
    return columns[0], columns[1], columns[2], columns[3]


def torn_groups(
    const int[::1] counts, const int[::1] lifted, const int[::1] lengths, const int[::1] tag, int cell, int header
):
    """Return which groups cut the rows of a table into runs of cells of different lengths; 2: it depends on headers."""
    cdef Py_ssize_t g, k, first = 0
    cdef int shortest, longest
    torn = np.zeros(counts.shape[0], dtype=np.int32)
    cdef int[::1] out = torn
    for g in range(counts.shape[0]):
        if tag[lifted[first]] == cell or tag[lifted[first]] == header:
            shortest = longest = lengths[first]
            for k in range(first, first + counts[g]):
                shortest = min(shortest, lengths[k])
                longest = max(longest, lengths[k])
            out[g] = 1 if longest - shortest > 1 else 2 if longest > 1 else 0
        first += counts[g]
    return torn


cdef inline bint are_equal(
    int kind, const int *members, const int *lifted, const int *runs, const int *trimmed, const int *end, Py_ssize_t count
) noexcept nogil:
    """Return whether a group is cut into the same records by one kind as by the kind before it."""
    cdef Py_ssize_t k
    if kind == TRIMMED:
        return memcmp(runs, trimmed, count * sizeof(int)) == 0
    if kind == LIFTED:
        return memcmp(members, lifted, count * sizeof(int)) == 0
    for k in range(count):
        if runs[k] != end[lifted[k]]:
            return False
    return True


def judge_candidates(
    const int[::1] counts, const int[::1] members, const int[::1] lifted, const int[::1] runs, const int[::1] trimmed,
    const int[::1] torn, const unsigned char[::1] framed, const int[::1] tag, const int[::1] parent,
    const int[::1] end, const int[:, ::1] sums, int chars, int texts, int links, int images, int cell, int header,
    double min_share, double min_image_share, double min_bare, double min_per_row,
):
    """Return for each kind and group whether it is a candidate: 0 no, 1 yes, 2 if it is a gallery.

    ``framed``: rows in the frame of the page; ``sums``: running sums, with the numbers of their columns.
    """
    cdef Py_ssize_t groups = counts.shape[0], rows = tag.shape[0], g, k, n, first
    cdef int kind, s, e, inside, row, last_row
    verdicts = np.zeros((KINDS, groups), dtype=np.int32)
    cdef int[:, ::1] out = verdicts
    cdef int64_t in_frame, bare, lines, own_chars, least_images
    cdef double total_chars = <double> max(sums[rows, chars], 1), total_images = <double> max(sums[rows, images], 1)
    with nogil:
        for kind in range(KINDS):
            first = 0
            for g in range(groups):
                n = counts[g]
                if torn[g] and kind >= RUNS:
                    first += n
                    continue
                if kind > 0 and are_equal(
                    kind, &members[first], &lifted[first], &runs[first], &trimmed[first], &end[0], n
                ):
                    out[kind, g] = out[kind - 1, g]
                    first += n
                    continue
                in_frame = bare = lines = own_chars = 0
                least_images = 1 << 60
                last_row = -2
                for k in range(first, first + n):
                    s = members[k] if kind == 0 else lifted[k]
                    e = end[s] if kind < RUNS else runs[k] if kind == RUNS else trimmed[k]
                    in_frame += framed[s]
                    own_chars += sums[e, chars] - sums[s, chars]
                    least_images = min(least_images, sums[e, images] - sums[s, images])
                    inside = s
                    if tag[s] != cell and tag[s] != header:
                        inside = parent[s]
                    bare += (
                        sums[e, texts] - sums[s, texts] <= 1 and sums[e, links] == sums[s, links]
                        and sums[e, images] == sums[s, images] and (tag[inside] == cell or tag[inside] == header)
                        and end[inside] >= e
                    )
                    row = parent[inside]
                    lines += row != last_row
                    last_row = row
                first += n
                if in_frame > 0 and in_frame < n:
                    continue
                if <double> bare > min_bare * <double> n and <double> n > min_per_row * <double> lines:
                    continue
                if <double> own_chars >= min_share * total_chars:
                    out[kind, g] = 1
                if own_chars == 0 and <double> (least_images * n) >= min_image_share * total_images:
                    out[kind, g] = 2
    return verdicts


def distinct_candidates(
    const int[:, ::1] verdicts, const int[::1] counts, const int[::1] members, const int[::1] lifted,
    const int[::1] runs, const int[::1] trimmed, const int[::1] end,
):
    """Return starts and ends of the records of the candidates, each list once; their number, kind and support."""
    cdef Py_ssize_t groups = counts.shape[0], g, k, n, first, total = 0, chosen = 0
    cdef int kind, code = 0, s, e
    cdef uint64_t hashed
    for kind in range(KINDS):
        for g in range(groups):
            if verdicts[kind, g]:
                total += counts[g]
                chosen += 1
    starts, ends = np.empty(total, dtype=np.int64), np.empty(total, dtype=np.int64)
    table = np.zeros((3, chosen), dtype=np.int64)
    cdef int64_t[::1] start = starts, stop = ends
    cdef int64_t[:, ::1] out = table
    cdef IntMap known
    cdef Py_ssize_t used = 0, fresh = 0
    if not map_init(&known, chosen + 1):
        raise MemoryError
    with nogil:
        for kind in range(KINDS):
            first = 0
            for g in range(groups):
                n = counts[g]
                if verdicts[kind, g]:
                    hashed = 0
                    for k in range(n):
                        s = members[first + k] if kind == 0 else lifted[first + k]
                        e = end[s] if kind < RUNS else runs[first + k] if kind == RUNS else trimmed[first + k]
                        start[used + k] = s
                        stop[used + k] = e
                        hashed += mixed((<uint64_t> (s + 1) << 32) + <uint64_t> e)
                    code = map_code(&known, <int64_t> hashed, <int> fresh)
                    if code < 0:
                        break
                    if code == fresh:
                        out[0, fresh] = n
                        out[1, fresh] = kind
                        fresh += 1
                        used += n
                    out[2, code] += 1
                first += n
            if code < 0:
                break
        map_free(&known)
    if code < 0:
        raise MemoryError
    return starts[:used].copy(), ends[:used].copy(), *(table[row, :fresh].copy() for row in range(3))


def overlaps(const int64_t[::1] starts, const int64_t[::1] ends, const int64_t[::1] counts, Py_ssize_t rows):
    """Return, per candidate (row) and candidate (column), how many records of the column's candidate lie inside one of
    the row's, touch one, are the same as one, and how many of the row's they hit."""
    cdef Py_ssize_t candidates = counts.shape[0], total = starts.shape[0], a, b, k, first, own
    tables = np.zeros((4, candidates, candidates))
    cdef double[:, :, ::1] out = tables
    cdef int *record_at = <int *> malloc((rows + 1) * sizeof(int))
    # the rows of each list, from the first of its records to the last
    cdef int64_t *lows = <int64_t *> malloc((2 * candidates + 1) * sizeof(int64_t))
    cdef int64_t *highs = lows + candidates
    cdef int begin, last, before, inside, touched, same, hit
    cdef int64_t low, high
    if record_at == NULL or lows == NULL:
        free(record_at)
        free(lows)
        raise MemoryError
    with nogil:
        memset(record_at, 255, (rows + 1) * sizeof(int))
        own = 0
        for a in range(candidates):
            lows[a], highs[a] = rows, 0
            for k in range(own, own + counts[a]):
                lows[a], highs[a] = min(lows[a], starts[k]), max(highs[a], ends[k])
            own += counts[a]
        own = 0
        for a in range(candidates):
            low, high = lows[a], highs[a]
            for k in range(own, own + counts[a]):
                for first in range(starts[k], ends[k]):
                    record_at[first] = <int> k
            first = 0
            for b in range(candidates):
                if lows[b] >= high or highs[b] <= low:
                    first += counts[b]
                    continue
                before = -2
                inside = touched = same = hit = 0
                for k in range(first, first + counts[b]):
                    if starts[k] >= high or ends[k] <= low:  # beside the whole list
                        before = -1
                        continue
                    begin, last = record_at[starts[k]], record_at[ends[k] - 1]
                    touched += begin >= 0 or last >= 0
                    if begin != last or begin < 0:
                        before = -1
                        continue
                    inside += 1
                    same += starts[begin] == starts[k] and ends[begin] == ends[k]
                    hit += begin != before
                    before = begin
                out[0, a, b], out[1, a, b], out[2, a, b], out[3, a, b] = inside, touched, same, hit
                first += counts[b]
            for k in range(own, own + counts[a]):
                memset(record_at + starts[k], 255, (ends[k] - starts[k]) * sizeof(int))
            own += counts[a]
        free(record_at)
        free(lows)
    return tables


cdef inline unsigned char overlap_of(
    const double[:, :, ::1] overlap, Py_ssize_t a, Py_ssize_t b, double own, double other, double min_inside,
    double min_same,
) noexcept nogil:
    """Return what a list is to another, as bits; ``own``, ``other``: how many records they have."""
    cdef unsigned char bits = 0
    cdef bint is_same = overlap[2, a, b] / other >= min_same
    if is_same and own > other:
        bits |= IS_LONGER
    if overlap[0, a, b] / other >= min_inside:
        if overlap[3, a, b] < min_inside * other:
            bits |= IS_COARSER
        elif not is_same:
            bits |= IS_ONE_TO_ONE
    return bits | IS_TOUCHING if overlap[1, a, b] > 0 else bits


cdef inline bint is_fuller(unsigned char bits, unsigned char reverse) noexcept nogil:
    return bits & IS_ONE_TO_ONE and not (bits | reverse) & IS_LONGER


cdef inline int relations_of(unsigned char bits, unsigned char reverse) noexcept nogil:
    """Return the relations of a list to another, a bit for each, from what each is to the other."""
    cdef bint fuller = is_fuller(bits, reverse), fuller_reversed = is_fuller(reverse, bits)
    cdef int found = 0
    if fuller:
        found |= 1 << FULLER
    elif fuller_reversed:
        found |= 1 << THINNER
    if bits & IS_COARSER:
        found |= 1 << COARSER
    if reverse & IS_COARSER and not fuller and not fuller_reversed:
        found |= 1 << FINER
    if bits & IS_LONGER:
        found |= 1 << LONGER
    elif reverse & IS_LONGER:
        found |= 1 << SHORTER
    if not (bits | reverse) & IS_TOUCHING:
        found |= 1 << DISJOINT
    return found if found else 1 << OVERLAPPING


def related(
    const int64_t[::1] starts, const int64_t[::1] ends, const int64_t[::1] counts, Py_ssize_t rows,
    const double[::1] scores, const double[::1] share, double min_inside, double min_same, double no_score,
    double[:, :] out,
):
    """Write the features of how candidates relate (``relations.RELATION_FEATURES``) to a table, and return which of
    them are disjoint. The columns of text and records are ratios, of which the caller takes the logarithm."""
    cdef Py_ssize_t count = counts.shape[0], a, b, kind, best, at
    cdef const double[:, :, ::1] overlap = overlaps(starts, ends, counts, rows)
    disjoint = np.zeros((count, count), dtype=np.bool_)
    cdef unsigned char[:, ::1] is_disjoint = disjoint.view(np.uint8)
    cdef unsigned char *bits = <unsigned char *> malloc(count * count + 1)
    cdef int best_of[RELATIONS]
    cdef int times[RELATIONS]
    cdef double highest = scores[0], rival
    cdef int found
    if bits == NULL:
        raise MemoryError
    with nogil:
        for a in range(count):
            highest = max(highest, scores[a])
            for b in range(count):
                bits[a * count + b] = overlap_of(
                    overlap, a, b, <double> counts[a], <double> counts[b], min_inside, min_same
                )
        for b in range(count):
            rival = -INFINITY
            for kind in range(RELATIONS):
                best_of[kind] = -1
                times[kind] = 0
            for a in range(count):
                if a == b:
                    continue
                rival = max(rival, scores[a])
                found = relations_of(bits[a * count + b], bits[b * count + a])
                is_disjoint[a, b] = found >> DISJOINT & 1
                for kind in range(RELATIONS):
                    if found >> kind & 1:
                        times[kind] += 1
                        if best_of[kind] < 0 or scores[a] > scores[best_of[kind]]:
                            best_of[kind] = <int> a
            out[b, 0], out[b, 1], out[b, 2], out[b, 3] = scores[b], scores[b] - highest, b, count
            out[b, 4] = rival if count > 1 else no_score
            for kind in range(RELATIONS):
                at = PLAIN + kind * STATISTICS
                best = best_of[kind]
                out[b, at] = scores[best] if best >= 0 else no_score
                out[b, at + 1] = scores[b] - scores[best] if best >= 0 else 0
                out[b, at + 2] = (share[best] + 1e-4) / (share[b] + 1e-4) if best >= 0 else 1
                out[b, at + 3] = <double> counts[best] / <double> counts[b] if best >= 0 else 1
                out[b, at + 4] = times[kind]
        free(bits)
    return disjoint


def put_best_list_first(int64_t[::1] order, const double[::1] quality, const unsigned char[:, ::1] disjoint):
    """Move the best cut of the list with the highest quality to the front of an order by scores.

    The quality of a list is the highest of its cuts, which are the candidates that are not disjoint from its best cut.
    """
    cdef Py_ssize_t count = order.shape[0], place, other, best = 0
    cdef double best_quality = -INFINITY, list_quality
    cdef int64_t cut
    cdef unsigned char *is_left = <unsigned char *> malloc(count + 1)
    if is_left == NULL:
        raise MemoryError
    memset(is_left, 1, count + 1)
    for place in range(count):
        cut = order[place]
        if not is_left[cut]:
            continue
        list_quality = -INFINITY
        for other in range(count):
            if not disjoint[cut, other]:
                is_left[other] = 0
                list_quality = max(list_quality, quality[other])
        if list_quality > best_quality:
            best, best_quality = place, list_quality
    free(is_left)
    cut = order[best] if count else 0
    for place in range(best, 0, -1):
        order[place] = order[place - 1]
    if count:
        order[0] = cut


def leads(const double[::1] values, const unsigned char[:, ::1] disjoint, double no_rival):
    """Return by how much each candidate leads over the best of those that are disjoint from it."""
    cdef Py_ssize_t count = values.shape[0], own, other
    found = np.empty(count)
    cdef double[::1] out = found
    cdef double rival
    cdef bint has_rival
    for own in range(count):
        rival, has_rival = -INFINITY, False
        for other in range(count):
            if disjoint[other, own]:
                rival, has_rival = max(rival, values[other]), True
        out[own] = values[own] - rival if has_rival else no_rival
    return found


def first_disjoint(
    const int64_t[::1] starts, const int64_t[::1] ends, const int64_t[::1] counts, const int64_t[::1] order,
    unsigned char[::1] taken, Py_ssize_t limit,
):
    """Return the first candidates in this order that overlap neither taken rows nor each other; take their rows."""
    cdef Py_ssize_t rows = taken.shape[0], candidates = counts.shape[0], k, i, at, place
    cdef int *sums = <int *> malloc((rows + 1) * sizeof(int))
    cdef int64_t *first = <int64_t *> malloc((candidates + 1) * sizeof(int64_t))
    cdef list chosen = []
    cdef bint is_free
    if sums == NULL or first == NULL:
        free(sums)
        free(first)
        raise MemoryError
    first[0] = 0
    for k in range(candidates):
        first[k + 1] = first[k] + counts[k]
    place = 0
    add_up_flags(taken, sums)
    while place < order.shape[0] and len(chosen) < limit:
        k = order[place]
        place += 1
        is_free = True
        for at in range(first[k], first[k + 1]):
            if sums[ends[at]] > sums[starts[at]]:
                is_free = False
                break
        if is_free:
            chosen.append(k)
            for at in range(first[k], first[k + 1]):
                for i in range(starts[at], ends[at]):
                    taken[i] = True
            add_up_flags(taken, sums)
    free(sums)
    free(first)
    return chosen


cdef void add_up_flags(const unsigned char[::1] flags, int *sums) noexcept nogil:
    """Write the running sums of flags."""
    cdef Py_ssize_t i
    sums[0] = 0
    for i in range(flags.shape[0]):
        sums[i + 1] = sums[i] + flags[i]


def equal_shares(const int64_t[:, ::1] values, const int64_t[::1] counts):
    """Return, row by row of the values of records, the share of the list of each record that has the same value."""
    cdef Py_ssize_t columns = values.shape[0], records = values.shape[1], c, k, group, first
    shares = np.empty((columns, records))
    cdef double[:, ::1] out = shares
    cdef int *code = <int *> malloc((records + 1) * sizeof(int))
    cdef int *times = <int *> malloc((records + 1) * sizeof(int))
    cdef IntMap codes
    cdef bint has_room = code != NULL and times != NULL
    cdef int fresh
    with nogil:
        for c in range(columns):
            first = 0
            for group in range(counts.shape[0]):
                has_room = has_room and map_init(&codes, 16)
                if not has_room:
                    break
                fresh = 0
                for k in range(first, first + counts[group]):
                    code[k] = map_code(&codes, values[c, k], fresh)
                    if code[k] < 0:
                        has_room = False
                        break
                    if code[k] == fresh:
                        times[fresh] = 0
                        fresh += 1
                    times[code[k]] += 1
                if has_room:
                    for k in range(first, first + counts[group]):
                        out[c, k] = <double> times[code[k]] / <double> counts[group]
                map_free(&codes)
                first += counts[group]
        free(code)
        free(times)
    if not has_room:
        raise MemoryError
    return shares
