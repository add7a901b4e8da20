# cython: language_level=3, boundscheck=False, wraparound=False
"""The rows of all records of a list read into outlines in one call.

``outline_rows.py`` beside it does the same in plain Python; ``peneira.columns.outline`` says what an outline is.
"""

from cpython.dict cimport PyDict_GetItem
from cpython.object cimport PyObject
from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free, malloc

# The kinds of nodes of an outline
cdef int TEXT = 0, MEDIA = 1, BLOCK = 2
# What an element does to the flow of text around it
cdef int SKIPPED = 0, BREAKING = 1, MEDIUM = 2, BLOCKING = 3, INLINE = 4
# An inline element with two texts, one of them in an element, has at least this many rows, itself included
cdef int MIN_ROWS_OF_FIELDS = 4
# An amount in more rows than this is none
cdef int MAX_ROWS_OF_PRICE = 12


cdef class OutlineScan:
    """Reads the rows of records from first to last into the parallel lists of an outline."""

    cdef const int[::1] tag, ends
    cdef const unsigned char[::1] hidden
    cdef const int64_t[::1] keys
    cdef list texts, spaced, formatting
    cdef dict numbers
    cdef object number_of_row, currency, price
    cdef frozenset separators, decimal_signs, unit_signs
    cdef unsigned char *flow
    cdef unsigned char *has_data
    cdef unsigned char *is_said
    cdef int *blocks_before
    cdef int *texts_before
    cdef list kind, parent_offset, signature, row, end, starts_line, has_attributes
    cdef list attribute_rows
    cdef Py_ssize_t root, last_text

    def __cinit__(self):
        self.flow = self.has_data = self.is_said = NULL
        self.blocks_before = self.texts_before = NULL

    def __dealloc__(self):
        free(self.flow)
        free(self.has_data)
        free(self.is_said)
        free(self.blocks_before)
        free(self.texts_before)

    def __init__(self, columns, list flow, tuple marked, signatures, characters, patterns):
        """``columns``: tags, ends, hidden rows, texts and spaces; ``flow``: that of each tag; ``marked``: the rows
        with attributes that may hold data, and those whose text is said for the second time; ``signatures``: the keys of the rows, the numbers of the keys that are
        known, which numbers are formatting, and who is asked for others; ``characters``: separators, signs in and after
        numbers; ``patterns``: of a currency and of a price."""
        cdef Py_ssize_t rows, k, names = len(flow)
        cdef int blocks = 0, texts = 0, own
        self.tag, self.ends, self.hidden, self.texts, self.spaced = columns
        self.keys, self.numbers, self.formatting, self.number_of_row = signatures
        self.separators, self.decimal_signs, self.unit_signs = characters
        self.currency, self.price = patterns
        rows = self.tag.shape[0]
        self.flow = <unsigned char *> malloc(names + 1)
        self.has_data = <unsigned char *> calloc(rows + 1, 1)
        self.is_said = <unsigned char *> calloc(rows + 1, 1)
        self.blocks_before = <int *> malloc((rows + 1) * sizeof(int))
        self.texts_before = <int *> malloc((rows + 1) * sizeof(int))
        if self.flow == NULL or self.has_data == NULL or self.is_said == NULL or self.blocks_before == NULL or self.texts_before == NULL:
            raise MemoryError
        for k in range(names):
            self.flow[k] = flow[k]
        for row in marked[0]:
            self.has_data[<Py_ssize_t> row] = 1
        for row in marked[1]:
            self.is_said[<Py_ssize_t> row] = 1
        for k in range(rows):
            self.blocks_before[k], self.texts_before[k] = blocks, texts
            own = self.flow[self.tag[k]]
            if self.tag[k] == 0:
                texts += 1
            elif own == BREAKING or own == MEDIUM or own == BLOCKING:
                blocks += 1
        self.blocks_before[rows], self.texts_before[rows] = blocks, texts
        self.last_text = -1

    def read(self, list ranges, spanning_cells, outline, check):
        """Read the records with these ranges of rows. ``spanning_cells``: by table row, the cells that span into it;
        ``check`` is called before each record."""
        cdef list top_rows = [], rows
        cdef Py_ssize_t i, stop, first, root, signature, size = self.ends.shape[0]
        cdef bint is_single = True, is_hidden
        self.kind, self.parent_offset, self.signature = outline.kind, outline.parent_offset, outline.signature
        self.row, self.end = outline.row, outline.end
        self.starts_line, self.has_attributes = outline.starts_line, outline.has_attributes
        self.last_text = -1
        for own in ranges:
            rows = []
            if not own:
                raise IndexError("a record has no rows")
            for pair in own:
                i, stop = pair
                if i < 0 or stop > size or (i >= size and not rows):  # a method of somebody else found the records
                    raise IndexError(f"the page has no rows {i}:{stop}")
                while i < stop:
                    rows.append(i)
                    i = self.ends[i]
            if not rows:
                rows.append(own[0][0])
            top_rows.append(rows)
            if len(rows) > 1 or self.tag[<Py_ssize_t> rows[0]] == 0:
                is_single = False
        for rows in top_rows:
            check()
            first = rows[0]
            signature = self.number_of(first) if is_single else 0
            self.attribute_rows = []
            self.root = root = len(self.kind)
            self.add(BLOCK, root, signature, first, self.ends[<Py_ssize_t> rows[len(rows) - 1]], True)
            is_hidden = self.hidden[first]
            if is_single:
                self.add_attributes(root, first)
                self.scan(root, first + 1, self.ends[first], is_hidden)
            else:
                for i in rows:
                    self.scan(root, i, self.ends[i], is_hidden)
            if spanning_cells:
                for row in rows:
                    for cell in spanning_cells.get(row, ()):
                        i = cell
                        self.scan(root, i, self.ends[i], self.hidden[i])
            outline.roots.append(root)
            outline.attribute_rows.append(self.attribute_rows)
        # the outline goes before the page does
        self.kind = self.parent_offset = self.signature = self.row = self.end = None
        self.starts_line = self.has_attributes = self.attribute_rows = None

    cdef inline bint contains_block(self, Py_ssize_t i) noexcept:
        return self.blocks_before[self.ends[i]] > self.blocks_before[i + 1]

    cdef inline bint has_text(self, Py_ssize_t i) noexcept:
        return not self.is_said[i] and self.texts_before[self.ends[i]] > self.texts_before[i]

    cdef Py_ssize_t add(
        self, int kind, Py_ssize_t parent, Py_ssize_t signature, Py_ssize_t row, Py_ssize_t end, bint starts_line
    ) except -1:
        """Append a node and return its number."""
        cdef Py_ssize_t node = len(self.kind)
        self.kind.append(kind)
        self.parent_offset.append(node - parent)
        self.signature.append(signature)
        self.row.append(row)
        self.end.append(end)
        self.starts_line.append(starts_line)
        self.has_attributes.append(False)
        return node

    cdef int add_attributes(self, Py_ssize_t node, Py_ssize_t row) except -1:
        """Note the attributes of a row that may hold data for a node of the record, if it has any."""
        if self.has_data[row]:
            self.has_attributes[node] = True
            self.attribute_rows.append((node - self.root, row))
        return 0

    cdef Py_ssize_t number_of(self, Py_ssize_t row) except -2:
        """Return the number of a row's signature."""
        cdef object key = self.keys[row]
        cdef PyObject *known = PyDict_GetItem(self.numbers, key)
        if known == NULL:
            number = self.numbers[key] = self.number_of_row(row)
            return number
        return <Py_ssize_t> <object> known

    cdef int scan(self, Py_ssize_t root, Py_ssize_t i, Py_ssize_t stop, bint is_hidden) except -1:
        """Append the nodes of the rows ``i:stop`` below ``root``."""
        cdef list parents = [root], parent_ends = [stop]
        cdef bint starts_line = True
        cdef Py_ssize_t joinable = -1, end, node, parent = root, parent_end = stop
        cdef int tag, flow
        while i < stop:
            while i >= parent_end:
                parents.pop()
                parent_ends.pop()
                parent, parent_end = parents[len(parents) - 1], parent_ends[len(parent_ends) - 1]
                joinable, starts_line = -1, True
            tag, end = self.tag[i], self.ends[i]
            flow = INLINE if tag == 0 else self.flow[tag]
            if flow == SKIPPED or (not is_hidden and self.hidden[i]):
                i = end
            elif flow == BREAKING:
                joinable, starts_line = -1, True
                i += 1
            elif flow == BLOCKING or self.contains_block(i) or (tag and self.holds_fields(i)):
                node = self.add(BLOCK, parent, self.number_of(i), i, end, True)
                self.add_attributes(node, i)
                parents.append(node)
                parent_ends.append(end)
                parent, parent_end = node, end
                joinable, starts_line = -1, True
                i += 1
            elif flow == MEDIUM or not self.has_text(i):
                self.add_media(parent, i, starts_line)
                if self.tag[end - 1] == 0:  # a text that counts as none, between two that do
                    joinable = -1
                i = end
            else:
                joinable = self.add_text(parent, i, joinable, starts_line)
                starts_line = False
                i = end
        return 0

    cdef int add_media(self, Py_ssize_t parent, Py_ssize_t i, bint starts_line) except -1:
        """Append an element with attributes and no text, if any of its attributes may hold data."""
        cdef Py_ssize_t node = -1, row
        for row in range(i, self.ends[i]):
            if self.has_data[row]:
                if node < 0:
                    node = self.add(MEDIA, parent, self.number_of(i), i, self.ends[i], starts_line)
                self.add_attributes(node, row)
        return 0

    cdef Py_ssize_t add_text(self, Py_ssize_t parent, Py_ssize_t i, Py_ssize_t joinable, bint starts_line) except -2:
        """Append a text, or join it to the one before; return the text that the next one may join."""
        cdef Py_ssize_t end = self.ends[i], first = i, signature, node, row
        while self.tag[first] != 0:
            first += 1
        signature = self.number_of(i)
        if joinable >= 0 and self.continues(joinable, signature, first):
            self.end[joinable] = end
            node = joinable
        elif end - first == 1 and self.is_separator(first):
            self.last_text = first
            return joinable
        else:
            node = self.add(TEXT, parent, signature, i, end, starts_line)
        for row in range(i, end):
            if self.tag[row] == 0:
                self.last_text = row
            else:
                self.add_attributes(node, row)
        return node

    cdef bint is_separator(self, Py_ssize_t row) except -1:
        """Return whether a text has nothing but characters that stand between values."""
        cdef str text = self.texts[row]
        cdef Py_UCS4 char
        for char in text:
            if (c"a" <= char <= c"z") or (c"A" <= char <= c"Z") or (c"0" <= char <= c"9") or char not in self.separators:
                return False
        return True

    cdef bint continues(self, Py_ssize_t node, Py_ssize_t signature, Py_ssize_t first) except -1:
        """Return whether a text continues the one before: formatting in a word, digits of a number, an amount."""
        cdef str before = self.texts[self.last_text], after = self.texts[first]
        cdef Py_UCS4 last_char, first_char
        cdef Py_ssize_t row
        if not before or not after:
            return False
        last_char, first_char = before[len(before) - 1], after[0]
        if first_char.isdigit() and self.currency.match(before.lstrip()):
            return True
        if last_char.isspace() or first_char.isspace():
            return False
        for row in range(self.last_text + 1, first + 1):
            if self.spaced[row]:
                return False
        if self.formatting[<Py_ssize_t> self.signature[node]] and self.formatting[signature]:
            return True
        if last_char.isdigit():
            # "12" and "€" are one amount, "$24" and "$29" are two
            if first_char in self.decimal_signs:
                return True
            return first_char in self.unit_signs and not (len(after) > 1 and after[1].isdigit())
        return last_char in self.decimal_signs and first_char.isdigit()

    cdef bint holds_fields(self, Py_ssize_t i) except -1:
        """Return whether an inline element holds several texts, of which one or more are elements with a meaning."""
        cdef Py_ssize_t elements, texts, only, row
        while self.ends[i] - i >= MIN_ROWS_OF_FIELDS:
            elements, texts, only, row = 0, 0, -1, i + 1
            while row < self.ends[i]:
                if self.tag[row] == 0:
                    texts += not self.is_separator(row)
                elif self.has_text(row):
                    if self.formatting[self.number_of(row)]:
                        texts += 1
                    else:
                        elements += 1
                        if only < 0:
                            only = row
                row = self.ends[row]
            if elements > 1 or (elements and texts):
                return not self.is_price(i)
            if not elements:
                return False
            i = only  # an element around another one
        return False

    cdef bint is_price(self, Py_ssize_t i) except -1:
        """Return whether an element is one amount, however its digits are marked up."""
        cdef Py_ssize_t stop = min(<Py_ssize_t> self.ends[i], i + MAX_ROWS_OF_PRICE), row
        texts = [self.texts[row] for row in range(i, stop) if self.tag[row] == 0]
        return self.price.fullmatch("".join(texts)) is not None
