# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The node table of a page, read from lexbor's own nodes.

selectolax makes a Python object for every node that is looked at; this kernel follows the pointers of lexbor's tree
instead. The layout of the nodes is that of lexbor 3.1; ``peneira.sources.lexbor_tree`` compares the table of a
probe with the plain walk before it is used, and names of tags and attributes are asked of lexbor's own functions.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy

from os import urandom

import numpy as np

from peneira.kernels.int_map cimport IntMap, map_code, map_free, map_get, map_init, mixed
from peneira.kernels.untracked cimport untracked

ctypedef unsigned long long uint64

cdef uint64 HASH_SEED = int.from_bytes(urandom(8), "little")

cdef struct Str:
    unsigned char *data
    size_t length

cdef struct Node:
    void *events
    size_t local_name
    size_t prefix
    size_t ns
    void *owner
    Node *next
    Node *prev
    Node *parent
    Node *first_child
    Node *last_child
    void *user
    int type

cdef struct Text:
    Node node
    Str data

cdef struct Attr:
    Node node
    size_t upper_name
    size_t qualified_name
    Str *value
    void *owner
    Attr *next
    Attr *prev

ctypedef Attr *(*FirstAttribute)(Node *) noexcept nogil
ctypedef const unsigned char *(*AttributeName)(Attr *, size_t *) noexcept nogil
ctypedef const unsigned char *(*ElementName)(Node *, size_t *) noexcept nogil
ctypedef unsigned int (*OfDocument)(void *) noexcept nogil
ctypedef unsigned int (*ParsePart)(void *, const unsigned char *, size_t) noexcept nogil

# lexbor's tag ids: 2 is text, ids up to 5 are the document, its doctype and comments; elements follow
cdef size_t TEXT_ID = 2
cdef size_t LAST_SPECIAL_ID = 5
cdef size_t HTML_NS = 2
cdef size_t MATH_NS = 3
cdef int TEXT_TYPE = 3
cdef int FRAGMENT_TYPE = 11

cdef struct Functions:
    FirstAttribute first_attribute
    AttributeName attribute_name
    ElementName element_name
    OfDocument parse_begin
    ParsePart parse_part
    OfDocument parse_end

cdef Functions lexbor
lexbor.first_attribute = NULL


def set_functions(
    uintptr_t first_attribute, uintptr_t attribute_name, uintptr_t element_name,
    uintptr_t parse_begin, uintptr_t parse_part, uintptr_t parse_end,
):  # fmt: skip
    """Tell the addresses of lexbor's functions ``lxb_dom_element_first_attribute_noi`` and so on."""
    lexbor.first_attribute = <FirstAttribute> first_attribute
    lexbor.attribute_name = <AttributeName> attribute_name
    lexbor.element_name = <ElementName> element_name
    lexbor.parse_begin = <OfDocument> parse_begin
    lexbor.parse_part = <ParsePart> parse_part
    lexbor.parse_end = <OfDocument> parse_end


def parse_in_parts(uintptr_t root, const unsigned char[::1] html, Py_ssize_t part, is_over):
    """Parse HTML into the document of a root node, so many bytes at a time until ``is_over()``; return how many bytes
    were parsed, -1 where the parser failed. What was in the document before is gone."""
    cdef void *document = (<Node *> root).owner
    cdef Py_ssize_t place = 0, length
    cdef unsigned int status = lexbor.parse_begin(document)
    while not status and place < html.shape[0]:
        length = min(part, html.shape[0] - place)
        with nogil:
            status = lexbor.parse_part(document, &html[place], length)
        place += length
        if is_over():
            break
    return -1 if lexbor.parse_end(document) or status else place


cdef struct Buffer:
    char *data
    size_t used
    size_t size


cdef inline void *pushed(Buffer *buffer, size_t width) noexcept nogil:
    """Return where the next entry of a buffer goes, NULL if there is no memory."""
    cdef size_t size
    cdef char *data
    if buffer.used + width > buffer.size:
        size = 2 * buffer.size + 4096
        data = <char *> realloc(buffer.data, size)
        if data == NULL:
            return NULL
        buffer.data = data
        buffer.size = size
    buffer.used += width
    return buffer.data + buffer.used - width


cdef inline bint push_int(Buffer *buffer, int value) noexcept nogil:
    cdef int *at = <int *> pushed(buffer, sizeof(int))
    if at == NULL:
        return False
    at[0] = value
    return True


cdef inline bint push_pointer(Buffer *buffer, const void *value) noexcept nogil:
    cdef const void **at = <const void **> pushed(buffer, sizeof(void *))
    if at == NULL:
        return False
    at[0] = value
    return True


cdef inline bint is_blank(const unsigned char *data, size_t length) noexcept nogil:
    cdef size_t k
    for k in range(length):
        if data[k] != 32 and data[k] != 10 and data[k] != 9 and data[k] != 13 and data[k] != 12:
            return False
    return True


cdef object int_array(Buffer *buffer):
    array = np.empty(buffer.used // sizeof(int), dtype=np.int32)
    cdef int[::1] view = array
    if buffer.used:
        memcpy(&view[0], buffer.data, buffer.used)
    return array


cdef struct Value:
    const unsigned char *data
    int64_t length


cdef inline bint push_value(Buffer *buffer, Text *text) noexcept nogil:
    cdef Value *at = <Value *> pushed(buffer, sizeof(Value))
    if at == NULL:
        return False
    at.data = text.data.data
    at.length = <int64_t> text.data.length
    return True


cdef enum Outcome:
    GOES_ON, IS_DONE, NO_MEMORY, UNKNOWN_NODE


cdef class NodeWalk:
    """A walk over the nodes of a tree in document order, which collects the columns of the node table.

    ``root``: the address of the root node, which the caller keeps alive; ``contents``: that of the content of each
    template by that of the template.
    """

    cdef Node *node
    cdef Node *root
    cdef Node *run
    cdef bint space
    cdef int level
    cdef int rows
    cdef int templates_seen
    cdef IntMap codes
    cdef IntMap names
    cdef IntMap contents
    # the tag id of `pre`, the level of the last one that began and is open, the white space in it before the next text
    cdef size_t pre_name
    cdef int pre_level
    cdef Buffer blanks
    cdef Buffer tag, parent, end, depth, spaced, open_rows, hosts
    cdef Buffer first_of_tag, first_of_name
    cdef Buffer part_rows, parts
    cdef Buffer attr_first, attr_name, attr_value
    cdef Buffer foreign
    cdef int attrs
    cdef Node **content_nodes

    def __cinit__(self, uintptr_t root, dict contents):
        cdef int k = 0
        self.root = <Node *> root
        self.node = self.root
        self.pre_level = -1
        self.content_nodes = <Node **> malloc((len(contents) + 1) * sizeof(Node *))
        if not (map_init(&self.codes, 64) and map_init(&self.names, 64) and map_init(&self.contents, len(contents) + 1)):
            raise MemoryError
        for host, content in contents.items():
            self.content_nodes[k] = <Node *> <uintptr_t> content
            map_code(&self.contents, <int64_t> <uintptr_t> host, k)
            k += 1

    def __dealloc__(self):
        map_free(&self.codes)
        map_free(&self.names)
        map_free(&self.contents)
        free(self.content_nodes)
        free(self.blanks.data)
        free(self.tag.data)
        free(self.parent.data)
        free(self.end.data)
        free(self.depth.data)
        free(self.spaced.data)
        free(self.open_rows.data)
        free(self.hosts.data)
        free(self.first_of_tag.data)
        free(self.first_of_name.data)
        free(self.part_rows.data)
        free(self.parts.data)
        free(self.attr_first.data)
        free(self.attr_name.data)
        free(self.attr_value.data)
        free(self.foreign.data)

    @property
    def row_count(self):
        return self.rows

    @property
    def attribute_count(self):
        return self.attrs

    @property
    def template_count(self):
        """How many of the given templates were met."""
        return self.templates_seen

    def advance(self, int rows):
        """Walk on for at least so many rows; return whether there may be more."""
        cdef Outcome outcome
        with nogil:
            outcome = self.walk(self.rows + rows)
        if outcome == NO_MEMORY:
            raise MemoryError
        if outcome == UNKNOWN_NODE:
            raise ValueError("a node that is not of the kinds of an HTML tree")
        return outcome == GOES_ON

    def has_more(self):
        """Return whether an element or a text that is not blank is left; the walk is over then."""
        cdef Node *node = self.node
        while node != NULL:
            if node.local_name > LAST_SPECIAL_ID:
                return True
            if node.local_name == TEXT_ID and not is_blank((<Text *> node).data.data, (<Text *> node).data.length):
                return True
            node = self.following(node, False)
        self.node = NULL  # what was passed here has closed its ancestors and is not walked again
        return False

    cdef Outcome walk(self, int stop) noexcept nogil:
        cdef Node *node = self.node
        cdef bint is_element
        cdef Text *text
        while node != NULL:
            is_element = False
            if node.local_name == TEXT_ID:
                if node.type != TEXT_TYPE:
                    return UNKNOWN_NODE
                text = <Text *> node
                if is_blank(text.data.data, text.data.length):
                    self.space = True
                    if self.pre_level >= 0 and not push_value(&self.blanks, text):
                        return NO_MEMORY
                    node = self.following(node, False)
                    continue
                if node.parent != self.run or self.space:  # other parsers merge neighbouring texts
                    self.run = node.parent
                    if not self.add_row(0) or (self.blanks.used and not self.add_blanks()):
                        return NO_MEMORY
                if not push_value(&self.parts, text) or not push_int(&self.part_rows, self.rows - 1):
                    return NO_MEMORY
            elif node.local_name > LAST_SPECIAL_ID:
                self.run = NULL
                if not self.add_element(node):
                    return NO_MEMORY
                is_element = True
            else:
                self.run = NULL
                node = self.following(node, False)
                continue
            node = self.following(node, is_element)
            if self.rows >= stop:
                self.node = node
                return GOES_ON
        self.node = NULL
        return IS_DONE

    cdef bint add_row(self, int code) noexcept nogil:
        cdef int parent = (<int *> self.open_rows.data)[self.level - 1] if self.level else -1
        if not (
            push_int(&self.tag, code) and push_int(&self.parent, parent) and push_int(&self.depth, self.level)
            and push_int(&self.end, self.rows + 1) and push_int(&self.spaced, self.space)
            and push_int(&self.attr_first, self.attrs)
        ):
            return False
        self.space = False
        self.rows += 1
        return True

    cdef bint add_blanks(self) noexcept nogil:
        """Make the white space before it the beginning of the last row, a text."""
        cdef size_t k
        cdef Value *part
        for k in range(self.blanks.used // sizeof(Value)):
            part = <Value *> pushed(&self.parts, sizeof(Value))
            if part == NULL or not push_int(&self.part_rows, self.rows - 1):
                return False
            part[0] = (<Value *> self.blanks.data)[k]
        self.blanks.used = 0
        return True

    cdef bint add_element(self, Node *node) noexcept nogil:
        cdef int known = <int> (self.first_of_tag.used // sizeof(void *))
        cdef int code = map_code(&self.codes, <int64_t> node.local_name, known)
        cdef Attr *attr
        cdef Value *value
        if code < 0 or (code == known and not push_pointer(&self.first_of_tag, node)) or not self.add_row(code + 1):
            return False
        if code == known and self.is_pre(node):
            self.pre_name = node.local_name
        if node.local_name == self.pre_name:
            self.blanks.used = 0
            self.pre_level = self.level if node.first_child != NULL else -1
        if node.ns > HTML_NS and not push_int(&self.foreign, -self.rows if node.ns == MATH_NS else self.rows):
            return False
        attr = lexbor.first_attribute(node)
        while attr != NULL:
            known = <int> (self.first_of_name.used // sizeof(void *))
            code = map_code(&self.names, <int64_t> (attr.qualified_name or attr.node.local_name), known)
            if code < 0 or (code == known and not push_pointer(&self.first_of_name, attr)):
                return False
            value = <Value *> pushed(&self.attr_value, sizeof(Value))
            if value == NULL or not push_int(&self.attr_name, code):
                return False
            value.data = NULL
            value.length = 0
            if attr.value != NULL and attr.value.data != NULL:
                value.data = attr.value.data
                value.length = <int64_t> attr.value.length
            self.attrs += 1
            attr = attr.next
        return True

    cdef bint is_pre(self, Node *node) noexcept nogil:
        cdef size_t length = 0
        cdef const unsigned char *name = lexbor.element_name(node, &length)
        return name != NULL and length == 3 and memcmp(name, b"pre", 3) == 0

    cdef Node *following(self, Node *node, bint is_row) noexcept nogil:
        """Return the node after this one; ``is_row``: it is the element of the last row."""
        cdef int content = -1
        if is_row:
            if self.contents.used:
                content = map_get(&self.contents, <int64_t> <uintptr_t> node)
                if content >= 0:
                    self.templates_seen += 1
                    if self.content_nodes[content].first_child != NULL and push_pointer(&self.hosts, node):
                        return self.opened(self.content_nodes[content].first_child)
            if node.first_child != NULL:
                return self.opened(node.first_child)
        while node != self.root:
            if node.next != NULL:
                return node.next
            node = node.parent
            if node == NULL:
                return NULL
            if node.type == FRAGMENT_TYPE:
                if not self.hosts.used:
                    return NULL
                self.hosts.used -= sizeof(void *)
                node = (<Node **> (self.hosts.data + self.hosts.used))[0]
                if node.first_child != NULL:
                    return node.first_child
            self.level -= 1
            if self.level == self.pre_level:
                self.pre_level = -1
                self.blanks.used = 0
            (<int *> self.end.data)[(<int *> self.open_rows.data)[self.level]] = self.rows
            self.open_rows.used -= sizeof(int)
        return NULL

    cdef Node *opened(self, Node *first) noexcept nogil:
        """Return the first child of the last row, whose children come now; NULL ends the walk: no memory."""
        if not push_int(&self.open_rows, self.rows - 1):
            return NULL
        self.level += 1
        return first

    def columns(self):
        """Return tag, parent, end and depth of the rows so far as arrays, the names of the tags, which rows have space
        before them, their texts, their attributes and their namespaces (0 HTML, 1 SVG, 2 MathML)."""
        cdef int k
        cdef int *foreign = <int *> self.foreign.data
        namespaces = np.zeros(self.rows, dtype=np.int8)
        cdef signed char[::1] namespace = namespaces
        for k in range(<int> (self.foreign.used // sizeof(int))):  # rows from 1, those of MathML below 0
            namespace[abs(foreign[k]) - 1] = 1 if foreign[k] > 0 else 2
        for k in range(self.level):
            (<int *> self.end.data)[(<int *> self.open_rows.data)[k]] = self.rows
        spaced = untracked(int_array(&self.spaced).astype(np.bool_).tolist())
        return (
            int_array(&self.tag), int_array(&self.parent), int_array(&self.end), int_array(&self.depth),
            self.tag_names(), spaced, untracked(self.texts()), self.attributes(), namespaces,
        )  # fmt: skip

    cdef list tag_names(self):
        cdef size_t k, length = 0
        cdef const unsigned char *name
        names = []
        for k in range(self.first_of_tag.used // sizeof(void *)):
            name = lexbor.element_name((<Node **> self.first_of_tag.data)[k], &length)
            names.append((PyUnicode_DecodeUTF8(<char *> name, length, "replace") if name != NULL else "") or "unknown")
        return names

    cdef list texts(self):
        cdef size_t k
        cdef int row, before = -1
        cdef int *rows = <int *> self.part_rows.data
        cdef Value *parts = <Value *> self.parts.data
        cdef list texts = [""] * self.rows
        for k in range(self.part_rows.used // sizeof(int)):
            row = rows[k]
            text = PyUnicode_DecodeUTF8(<char *> parts[k].data, parts[k].length, "replace")
            texts[row] = texts[row] + text if row == before else text
            before = row
        return texts

    cdef Attributes attributes(self):
        cdef size_t k, length = 0
        cdef int64_t total = 0
        cdef const unsigned char *name
        cdef Value *values = <Value *> self.attr_value.data
        cdef Attributes table = Attributes.__new__(Attributes)
        names = []
        for k in range(self.first_of_name.used // sizeof(void *)):
            name = lexbor.attribute_name((<Attr **> self.first_of_name.data)[k], &length)
            names.append(PyUnicode_DecodeUTF8(<char *> name, length, "replace") if name != NULL else "")
        starts = np.empty(self.attrs + 1, dtype=np.int64)
        cdef int64_t[::1] start = starts
        for k in range(<size_t> self.attrs):
            start[k] = total
            total += values[k].length
        start[self.attrs] = total
        blob = PyBytes_FromStringAndSize(NULL, total)
        cdef char *data = PyBytes_AS_STRING(blob)
        for k in range(<size_t> self.attrs):
            if values[k].length:
                memcpy(data + start[k], values[k].data, values[k].length)
        table.names = tuple(names)
        first = np.empty(self.rows + 1, dtype=np.int32)
        first[: self.rows] = int_array(&self.attr_first)
        first[self.rows] = self.attrs
        table.first = first
        table.name = int_array(&self.attr_name)
        table.start = starts
        table.blob = blob
        table.made = untracked([None] * self.rows)  # of texts by text
        return table


NO_ATTRS = {}


cdef Py_ssize_t escaped(const char *text, int64_t size, char *out) noexcept nogil:
    """Write the value of an attribute with its special characters escaped to ``out``, unless that is NULL; return its
    length. A space that does not break is C2 A0 in UTF-8."""
    cdef int64_t i = 0
    cdef Py_ssize_t used = 0, length
    cdef const char *escape
    while i < size:
        length = 0
        if text[i] == c'&':
            escape, length = b"&amp;", 5
        elif text[i] == c'"':
            escape, length = b"&quot;", 6
        elif text[i] == c'<':
            escape, length = b"&lt;", 4
        elif text[i] == c'>':
            escape, length = b"&gt;", 4
        elif text[i] == c'\r':
            escape, length = b"&#13;", 5
        elif <unsigned char> text[i] == 0xC2 and i + 1 < size and <unsigned char> text[i + 1] == 0xA0:
            escape, length = b"&nbsp;", 6
            i += 1
        if length:
            if out != NULL:
                memcpy(out + used, escape, length)
            used += length
        else:
            if out != NULL:
                out[used] = text[i]
            used += 1
        i += 1
    return used


cdef class Attributes:
    """The attributes of all rows of a page, a mapping for each; the mapping of a row is made when it is asked for."""

    cdef readonly tuple names
    cdef int[::1] first
    cdef int[::1] name
    cdef int64_t[::1] start
    cdef bytes blob
    cdef list made
    cdef bint is_made
    cdef list encoded
    # the attributes by their names, and where those of each name begin; the row of each attribute
    cdef int[::1] by_name
    cdef int[::1] first_of_name
    cdef int[::1] row_of
    cdef bint is_sorted

    cdef int sort_by_name(self) except -1:
        """Sort the attributes by their names, in the order of the rows, when a name is first asked for."""
        cdef Py_ssize_t names = len(self.names), row, count = self.first[len(self.made)]
        cdef int k, name
        if self.is_sorted:
            return 0
        self.row_of, self.by_name = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int32)
        self.first_of_name = np.zeros(names + 2, dtype=np.int32)
        for row in range(len(self.made)):
            for k in range(self.first[row], self.first[row + 1]):
                self.row_of[k] = <int> row
                self.first_of_name[self.name[k] + 2] += 1
        for name in range(names):
            self.first_of_name[name + 2] += self.first_of_name[name + 1]
        for k in range(count):
            self.by_name[self.first_of_name[self.name[k] + 1]] = k
            self.first_of_name[self.name[k] + 1] += 1
        self.is_sorted = True
        return 0

    def __len__(self):
        return len(self.made)

    def __getitem__(self, key):
        if isinstance(key, slice):
            return [self.row(k) for k in range(*key.indices(len(self.made)))]
        cdef Py_ssize_t row = key
        if row < 0:
            row += len(self.made)
        if row < 0 or row >= len(self.made):
            raise IndexError("the page has no such row")
        return self.row(row)

    cdef object row(self, Py_ssize_t row):
        cdef int k
        cdef const char *data
        attrs = self.made[row]
        if attrs is not None:
            return attrs
        if self.first[row] == self.first[row + 1]:
            attrs = NO_ATTRS
        else:
            data = PyBytes_AS_STRING(self.blob)
            attrs = {}
            for k in range(self.first[row], self.first[row + 1]):
                attrs[self.names[self.name[k]]] = PyUnicode_DecodeUTF8(
                    data + self.start[k], self.start[k + 1] - self.start[k], "replace"
                )
        self.made[row] = attrs
        return attrs

    def __iter__(self):
        cdef Py_ssize_t row
        if not self.is_made:
            for row in range(len(self.made)):
                self.row(row)
            self.is_made = True
        return iter(self.made)

    def __contains__(self, attrs):
        return any(own == attrs for own in self)

    def __eq__(self, other):
        return list(self) == list(other)

    def __reduce__(self):
        return list, (list(self),)

    def column(self, str name):
        """Return the rows that have an attribute, the code of its value in each, and the value of each code."""
        cdef int code = self.names.index(name) if name in self.names else -1
        cdef Py_ssize_t count, found = 0, slots = 64, at, place
        cdef int k, j, row = -1
        cdef int64_t length
        cdef list values = []
        cdef const char *data = PyBytes_AS_STRING(self.blob)
        if code < 0:
            return np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32), values
        self.sort_by_name()
        count = self.first_of_name[code + 1] - self.first_of_name[code]
        own_rows, own_codes = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int32)
        cdef int[::1] out_row = own_rows, out_code = own_codes
        while slots < 2 * count:
            slots *= 2
        # where the first attribute with each value is, and the code of the value
        cdef int *seen = <int *> calloc(2 * slots, sizeof(int))
        if seen == NULL:
            raise MemoryError
        try:
            for place in range(self.first_of_name[code], self.first_of_name[code + 1]):
                k = self.by_name[place]
                if self.row_of[k] == row:
                    continue
                row = self.row_of[k]
                length = self.start[k + 1] - self.start[k]
                at = <Py_ssize_t> (hash_bytes(data + self.start[k], length) & <uint64> (slots - 1))
                while seen[2 * at]:
                    j = seen[2 * at] - 1
                    if self.start[j + 1] - self.start[j] == length and memcmp(
                        data + self.start[j], data + self.start[k], length
                    ) == 0:
                        break
                    at = (at + 1) & (slots - 1)
                if not seen[2 * at]:
                    seen[2 * at] = k + 1
                    seen[2 * at + 1] = <int> len(values)
                    values.append(PyUnicode_DecodeUTF8(data + self.start[k], length, "replace"))
                out_row[found] = row
                out_code[found] = seen[2 * at + 1]
                found += 1
        finally:
            free(seen)
        return own_rows[:found], own_codes[:found], values

    def markup(self, Py_ssize_t row):
        """Return the attributes of a row as they are written in its start tag, each after a space."""
        cdef int k, first = self.first[row], last = self.first[row + 1]
        cdef const char *data = PyBytes_AS_STRING(self.blob)
        cdef Py_ssize_t total = 0, used = 0, size
        cdef char *out
        if first == last:
            return ""
        if self.encoded is None:
            self.encoded = [f' {name}="'.encode("utf-8", "surrogatepass") for name in self.names]
        for k in range(first, last):
            total += PyBytes_GET_SIZE(<bytes> self.encoded[self.name[k]]) + 1
            total += escaped(data + self.start[k], self.start[k + 1] - self.start[k], NULL)
        out = <char *> malloc(total)
        if out == NULL:
            raise MemoryError
        try:
            for k in range(first, last):
                size = PyBytes_GET_SIZE(<bytes> self.encoded[self.name[k]])
                memcpy(out + used, PyBytes_AS_STRING(<bytes> self.encoded[self.name[k]]), size)
                used += size
                used += escaped(data + self.start[k], self.start[k + 1] - self.start[k], out + used)
                out[used] = c'"'
                used += 1
            return PyUnicode_DecodeUTF8(out, used, "replace")
        finally:
            free(out)

    def values(self, list rows, tuple names):
        """Return, of each of the rows, the values of these attributes that it has, in the order of their names."""
        cdef Py_ssize_t row
        cdef int k, place
        cdef const char *data = PyBytes_AS_STRING(self.blob)
        cdef int[::1] rank = np.array(
            [names.index(name) if name in names else -1 for name in self.names] or [-1], dtype=np.int32
        )
        cdef list found = [], own
        for row in rows:
            own = [None] * len(names)
            for k in range(self.first[row], self.first[row + 1]):
                place = rank[self.name[k]]
                if place >= 0:
                    own[place] = PyUnicode_DecodeUTF8(data + self.start[k], self.start[k + 1] - self.start[k], "replace")
            found.append(tuple([value for value in own if value is not None]))
        return found

    def counts(self):
        """Return how many attributes each row has."""
        return np.diff(self.first)

    def rows_with(self, names):
        """Return the rows that have one of these attributes."""
        if not any([name in names for name in self.names]):
            return []
        cdef unsigned char[::1] wanted = np.array([name in names for name in self.names] or [False], dtype=np.uint8)
        cdef Py_ssize_t row
        cdef int k
        cdef list found = []
        for row in range(len(self.made)):
            for k in range(self.first[row], self.first[row + 1]):
                if wanted[self.name[k]]:
                    found.append(row)
                    break
        return found

    cdef object codes_of_one(self, int code):
        """Return a code per row, equal for equal values of one attribute; 0 for rows without it."""
        cdef Py_ssize_t count, slots = 64, at, place
        cdef int k, j, row = -1, fresh = 1
        cdef int64_t length
        cdef const char *data = PyBytes_AS_STRING(self.blob)
        column = np.zeros(len(self.made), dtype=np.int32)
        cdef int[::1] out = column
        self.sort_by_name()
        count = self.first_of_name[code + 1] - self.first_of_name[code]
        while slots < 2 * count:
            slots *= 2
        # where the first attribute with each value is
        cdef int *seen = <int *> calloc(slots, sizeof(int))
        if seen == NULL:
            raise MemoryError
        for place in range(self.first_of_name[code], self.first_of_name[code + 1]):
            k = self.by_name[place]
            if self.row_of[k] == row:
                continue
            row = self.row_of[k]
            length = self.start[k + 1] - self.start[k]
            at = <Py_ssize_t> (hash_bytes(data + self.start[k], length) & <uint64> (slots - 1))
            while seen[at]:
                j = seen[at] - 1
                if self.start[j + 1] - self.start[j] == length and memcmp(
                    data + self.start[j], data + self.start[k], length
                ) == 0:
                    break
                at = (at + 1) & (slots - 1)
            if not seen[at]:
                seen[at] = k + 1
                out[row] = fresh
                fresh += 1
            else:
                out[row] = out[self.row_of[seen[at] - 1]]
        free(seen)
        return column

    def codes(self, names):
        """Return a code per row, equal for rows that have equal values for all of these attributes, in any order; 0 for
        rows that have none of them. Codes are numbered in the order of the rows."""
        cdef list present = [k for k, name in enumerate(self.names) if name in names]
        if not present:
            return np.zeros(len(self.made), dtype=np.int32)
        if len(present) == 1:
            return self.codes_of_one(present[0])
        cdef Py_ssize_t row, rows = len(self.made)
        cdef int k, held, fresh = 1
        cdef uint64 hashed
        cdef int[::1] rank = np.array(
            [sorted(names).index(name) + 1 if name in names else 0 for name in self.names] or [0], dtype=np.int32
        )
        column = np.zeros(rows, dtype=np.int32)
        cdef int[::1] out = column
        cdef const char *data = PyBytes_AS_STRING(self.blob)
        cdef Py_ssize_t slots = 64, at
        while slots < 2 * rows:
            slots *= 2
        # the first row with each code, by the hash of its values
        cdef int *seen = <int *> calloc(slots, sizeof(int))
        if seen == NULL:
            raise MemoryError
        try:
            for row in range(rows):
                held = 0
                hashed = 0
                for k in range(self.first[row], self.first[row + 1]):
                    if rank[self.name[k]]:
                        hashed += mixed(hash_bytes(data + self.start[k], self.start[k + 1] - self.start[k]) + <uint64> rank[self.name[k]])
                        held += 1
                if not held:
                    continue
                at = <Py_ssize_t> (mixed(hashed) & <uint64> (slots - 1))
                while seen[at] and not self.are_equal(row, seen[at] - 1, rank):
                    at = (at + 1) & (slots - 1)
                if not seen[at]:
                    seen[at] = <int> row + 1
                    out[row] = fresh
                    fresh += 1
                else:
                    out[row] = out[seen[at] - 1]
        finally:
            free(seen)
        return column

    cdef bint are_equal(self, Py_ssize_t row, Py_ssize_t other, int[::1] rank) noexcept:
        """Return whether two rows have the same values for the attributes with a rank."""
        cdef int k, j, held = 0, wanted = 0
        cdef const char *data = PyBytes_AS_STRING(self.blob)
        cdef int64_t length
        for j in range(self.first[other], self.first[other + 1]):
            wanted += rank[self.name[j]] != 0
        for k in range(self.first[row], self.first[row + 1]):
            if not rank[self.name[k]]:
                continue
            held += 1
            length = self.start[k + 1] - self.start[k]
            for j in range(self.first[other], self.first[other + 1]):
                if self.name[j] == self.name[k]:
                    if self.start[j + 1] - self.start[j] != length:
                        return False
                    if memcmp(data + self.start[k], data + self.start[j], length) != 0:
                        return False
                    break
            else:
                return False
        return held == wanted


cdef inline uint64 hash_bytes(const char *data, int64_t length) noexcept nogil:
    """Return a hash of some bytes (FNV-1a, eight at a time), another one in each process.

    Pages cannot bring values of one hash, which would cost the square of their number.
    """
    cdef uint64 bits = HASH_SEED ^ <uint64> length
    cdef uint64 word
    cdef int64_t k = 0
    while k + 8 <= length:
        memcpy(&word, data + k, 8)
        bits = mixed(bits ^ word)
        k += 8
    word = 0
    if k < length:
        memcpy(&word, data + k, length - k)
        bits = mixed(bits ^ word)
    return bits


def links(uintptr_t address):
    """Return the tag id of a node, and the addresses of the nodes that it links to: next, previous, parent, children."""
    cdef Node *node = <Node *> address
    return (
        node.local_name, <uintptr_t> node.next, <uintptr_t> node.prev, <uintptr_t> node.parent,
        <uintptr_t> node.first_child, <uintptr_t> node.last_child,
    )
