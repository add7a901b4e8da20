# Sums as numpy makes them: in eight parts, of halves where there are many


cdef inline double of_few(const double *values, Py_ssize_t count) noexcept nogil:
    """Return the sum of at most 128 values."""
    cdef double parts[8]
    cdef double total = 0
    cdef Py_ssize_t k, j
    if count < 8:
        for k in range(count):
            total += values[k]
        return total
    for j in range(8):
        parts[j] = values[j]
    k = 8
    while k + 8 <= count:
        for j in range(8):
            parts[j] += values[k + j]
        k += 8
    total = ((parts[0] + parts[1]) + (parts[2] + parts[3])) + ((parts[4] + parts[5]) + (parts[6] + parts[7]))
    while k < count:
        total += values[k]
        k += 1
    return total


cdef inline double pairwise(const double *values, Py_ssize_t count) noexcept nogil:
    """Return the sum of any number of values."""
    cdef Py_ssize_t half
    if count <= 128:
        return of_few(values, count)
    half = count // 2
    half -= half % 8
    return pairwise(values, half) + pairwise(values + half, count - half)
