# Bits of numbers as the rows of a table: most bits are the same for all texts of a page
from libc.stdint cimport uint64_t
from libc.string cimport memset

cdef inline void write_bits(
    double *out, Py_ssize_t width, const uint64_t *numbers, Py_ssize_t count, int first, int last
) noexcept nogil:
    """Write the bits ``first`` to ``last`` of each number, a row each of so many cells, as 0 and 1."""
    cdef uint64_t some = 0, every = ~<uint64_t> 0
    cdef Py_ssize_t k
    cdef double *row
    cdef int bit
    for k in range(count):
        some |= numbers[k]
        every &= numbers[k]
    for bit in range(first, last + 1):
        row = out + (bit - first) * width
        if not some >> bit & 1:
            memset(row, 0, count * sizeof(double))
        elif every >> bit & 1:
            for k in range(count):
                row[k] = 1.0
        else:
            for k in range(count):
                row[k] = <double> <int> (numbers[k] >> bit & 1)
