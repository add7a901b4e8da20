# A hash table from whole numbers to small codes, for loops without the interpreter
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free

cdef struct IntMap:
    size_t mask
    size_t used
    int64_t *keys
    int *values  # code + 1; 0: the slot is free

cdef inline uint64_t mixed(uint64_t bits) noexcept nogil:
    """Return a number with its bits mixed (the finaliser of MurmurHash3)."""
    bits ^= bits >> 33
    bits *= <uint64_t> 0xFF51AFD7ED558CCD
    bits ^= bits >> 33
    bits *= <uint64_t> 0xC4CEB9FE1A85EC53
    bits ^= bits >> 33
    return bits

cdef inline bint map_init(IntMap *map, size_t expected) noexcept nogil:
    """Make an empty map for about so many keys; false if there is no memory. It grows by itself."""
    cdef size_t size = 16
    while size < 2 * expected:
        size *= 2
    map.mask = size - 1
    map.used = 0
    map.keys = <int64_t *> calloc(size, sizeof(int64_t))
    map.values = <int *> calloc(size, sizeof(int))
    if map.keys == NULL or map.values == NULL:
        map_free(map)
        return False
    return True

cdef inline void map_free(IntMap *map) noexcept nogil:
    free(map.keys)
    free(map.values)
    map.keys = NULL
    map.values = NULL

cdef inline int map_get(IntMap *map, int64_t key) noexcept nogil:
    """Return the code of a key, -1 if it has none."""
    cdef size_t at = mixed(<uint64_t> key) & map.mask
    while map.values[at] != 0:
        if map.keys[at] == key:
            return map.values[at] - 1
        at = (at + 1) & map.mask
    return -1

cdef inline bint map_grow(IntMap *map) noexcept nogil:
    cdef IntMap larger
    cdef size_t k, at
    if not map_init(&larger, map.mask + 1):
        return False
    for k in range(map.mask + 1):
        if map.values[k] != 0:
            at = mixed(<uint64_t> map.keys[k]) & larger.mask
            while larger.values[at] != 0:
                at = (at + 1) & larger.mask
            larger.keys[at] = map.keys[k]
            larger.values[at] = map.values[k]
    larger.used = map.used
    map_free(map)
    map[0] = larger
    return True

cdef inline int map_code(IntMap *map, int64_t key, int fresh) noexcept nogil:
    """Return the code of a key, which is ``fresh`` if it has none yet; -1 if there is no memory."""
    cdef size_t at = mixed(<uint64_t> key) & map.mask
    while map.values[at] != 0:
        if map.keys[at] == key:
            return map.values[at] - 1
        at = (at + 1) & map.mask
    if 2 * (map.used + 1) > map.mask + 1:
        if not map_grow(map):
            return -1
        at = mixed(<uint64_t> key) & map.mask
        while map.values[at] != 0:
            at = (at + 1) & map.mask
    map.keys[at] = key
    map.values[at] = fresh + 1
    map.used += 1
    return fresh
