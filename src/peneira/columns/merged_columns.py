"""One field, one column: columns that are the same field in records of different form are merged.

A featured or sponsored record often has other markup than the rest, so that alignment gives its fields slots of their
own. Two columns are the same field if no record has both, and if they have a label, a property or a class word in
common that no column beside them has; or if each is the first of its kind in its records: the first link, image or
heading, the first price or date. Their values must be of one type and of a similar length.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from urllib.parse import urlsplit

from peneira.columns.labels import normalized_label
from peneira.columns.raw_columns import GROUP, WHOLE, RawColumn
from peneira.columns.slot_alignment import Slot, with_ancestors
from peneira.columns.value_patterns import common_pattern
from peneira.columns.vocabulary import naming_words
from peneira.types.column_types import infer_type
from peneira.values import ColumnType

# This many values show what a column is like
MAX_SAMPLED_VALUES = 40
# Forms of one field that a column is compared with, which bounds the time
MAX_FORMS = 4
# An element further out holds other fields too
MAX_HEADING_LEVELS = 3
MAX_PATH_LEVELS = 4
MAX_LINK_LEVELS = 3
_HEADING_TAGS = frozenset("h1 h2 h3 h4 h5 h6".split())
_FIRST_PATTERNS = frozenset({"money", "date"})
_ADDRESSES = frozenset({"href", "src"})
_TYPE_GROUPS: dict[ColumnType, ColumnType] = {"integer": "number", "datetime": "date"}


@dataclass(frozen=True, slots=True)
class MergeOptions:
    """When columns are the same field."""

    # The share of records that may have two of them by mistake
    max_overlap: float = 0.0
    # How many times longer the texts of one may be than those of the other
    max_length_ratio: float = 4.0
    # and of a block with parts against a single text, or the block is more than the field
    max_block_ratio: float = 2.0
    # Columns whose classes mean nothing are one field if together they are in this share of the records
    min_filled_share: float = 0.95
    # A column is the first of its kind if it is in this share of its records
    min_first_share: float = 0.95


OPTIONS = MergeOptions()

Key = Hashable
# What a column was read from, and its table column
Kind = tuple[str, int]
KeysOf = Callable[[RawColumn, Kind], Iterable[Key]]


def merge_columns(columns: Sequence[RawColumn], language: str) -> list[RawColumn]:
    """Return the columns, those that are one field in different records merged into the one with the most records."""
    merger = _Merger([column for column in columns if _can_merge(column)], language)
    if not merger.has_several_forms():
        return list(columns)
    for keys_of in _KEYS:
        merger.merge_by(keys_of)
    merger.merge_by(_first_keys, are_first=True)
    merger.merge_by(_main_link_keys(columns), are_first=True)
    merger.merge_by(_written_keys, fill_all=True)
    for keys_of in _KEYS:
        merger.merge_by(keys_of, with_wholes=True)
    kept = [column for column in columns if id(column) not in merger.merged]
    for column in kept:
        column.is_split |= merger.is_whole_of_merged(column)
    return kept


def is_same_field(first: RawColumn, second: RawColumn, language: str) -> bool:
    """Return whether the values of two columns are of one type and look, and in different records."""
    overlap = len(first.values.keys() & second.values.keys())
    if overlap > OPTIONS.max_overlap * min(len(first.values), len(second.values)) or first.is_list != second.is_list:
        return False
    if first.attribute in _ADDRESSES:
        hosts = {_host(first), _host(second)} - {""}
        return first.attribute == second.attribute and len(hosts) < 2
    ratio = OPTIONS.max_length_ratio if first.attribute == second.attribute else OPTIONS.max_block_ratio
    return _have_one_look(_sample(first), _sample(second), language, ratio)


def merge_values(column: RawColumn, other: RawColumn) -> None:
    """Add the values of another column to those of a column, where it has none."""
    values = {**other.values, **column.values}
    column.values = {record: values[record] for record in sorted(values)}


class _Merger:
    """The columns of a region as they are merged; ``merged``: the ids of those that became part of another."""

    def __init__(self, columns: Sequence[RawColumn], language: str) -> None:
        self.columns, self.language = columns, language
        self.inside = _columns_inside(columns)
        self.records = len({record for column in columns for record in column.values})
        self.merged: set[int] = set()
        # the columns that are missing in some records, and how many had been merged when these were looked for
        self._missing: list[RawColumn] = []
        self._missing_after = -1
        self._kinds: dict[int, Kind] = {}
        self._keys: dict[KeysOf, dict[int, Collection[Key]]] = {}

    def has_several_forms(self) -> bool:
        """Return whether several columns are missing in some records."""
        return sum(len(column.values) < self.records for column in self.columns) > 1

    def merge_by(
        self, keys_of: KeysOf, *, are_first: bool = False, fill_all: bool = False, with_wholes: bool = False
    ) -> None:
        """Merge the columns that have a key in common, if no record has two of them.

        With ``are_first``, only those count that are the first with the key in their records; with ``fill_all``, nearly
        every record must have one of them. Whole texts of blocks come last, since they go where their parts went.
        """
        merged = self.merged
        shared = self._shared_keys(keys_of, with_wholes=with_wholes)
        if not shared:  # as mostly
            return
        columns = [
            column for column in self.columns if id(column) not in merged and (with_wholes or column.attribute != WHOLE)
        ]
        groups: dict[Key, list[RawColumn]] = {}
        for column in columns:
            for key in self._keys_of(column, keys_of):
                if key in shared:
                    groups.setdefault(key, []).append(column)
        for group in groups.values():
            left = [column for column in group if id(column) not in merged]
            if are_first:
                left = _first(left)
            if len(left) > 1 and self._are_apart(left) and (not fill_all or self._fill_all(left)):
                self._merge(left)

    def _shared_keys(self, keys_of: KeysOf, *, with_wholes: bool) -> set[Key]:
        """Return the keys of several columns that are missing in some records: others cannot be merged."""
        if self._missing_after != len(self.merged):
            self._missing, self._missing_after = self._missing_columns(), len(self.merged)
        seen: set[Key] = set()
        shared: set[Key] = set()
        known = self._keys.setdefault(keys_of, {})
        for column in self._missing:
            if with_wholes or column.attribute != WHOLE:
                keys = known.get(id(column))
                for key in self._keys_of(column, keys_of) if keys is None else keys:
                    (shared if key in seen else seen).add(key)
        return shared

    def _missing_columns(self) -> list[RawColumn]:
        """Return the columns that are missing in some records."""
        full, merged = (1.0 + OPTIONS.max_overlap) * self.records, self.merged
        return [column for column in self.columns if len(column.values) < full and id(column) not in merged]

    def _keys_of(self, column: RawColumn, keys_of: KeysOf) -> Collection[Key]:
        known = self._keys.setdefault(keys_of, {})
        keys = known.get(id(column))
        if keys is None:
            keys = known[id(column)] = dict.fromkeys(keys_of(column, self._kind_of(column)))
        return keys

    def _kind_of(self, column: RawColumn) -> Kind:
        kind = self._kinds.get(id(column))
        if kind is None:
            kind = self._kinds[id(column)] = _kind(column)
        return kind

    def _are_apart(self, columns: Sequence[RawColumn]) -> bool:
        """Return whether hardly any record has two of the columns."""
        values = sum([len(column.values) for column in columns])
        if values > (1.0 + OPTIONS.max_overlap) * self.records:  # as most are: no need to look further
            return False
        return values <= (1.0 + OPTIONS.max_overlap) * len({record for column in columns for record in column.values})

    def _fill_all(self, columns: Sequence[RawColumn]) -> bool:
        """Return whether nearly every record has one of the columns."""
        return sum([len(column.values) for column in columns]) >= OPTIONS.min_filled_share * self.records

    def _merge(self, group: Sequence[RawColumn]) -> None:
        """Merge each column of a group into the first that is the same field, those with the most records first."""
        kept: list[RawColumn] = []
        for column in sorted(group, key=lambda column: -len(column.values)):
            hosts = [other for other in kept[:MAX_FORMS] if self._may_host(other, column)]
            target = next((other for other in hosts if is_same_field(other, column, self.language)), None)
            if target is None:
                kept.append(column)
            else:
                merge_values(target, column)
                self.merged.add(id(column))

    def _may_host(self, host: RawColumn, column: RawColumn) -> bool:
        """Return whether a column may take the values of another: the whole text of a block only with all its parts."""
        return host.attribute != WHOLE or self.is_whole_of_merged(column)

    def is_whole_of_merged(self, column: RawColumn) -> bool:
        """Return whether a column is the whole text of a block whose parts have all become part of other columns."""
        own = self.inside.get(id(column))
        return bool(own) and all(id(part) in self.merged for part in own or ())


def _can_merge(column: RawColumn) -> bool:
    is_value = not column.is_label and not column.is_split and not column.nested
    is_cell = column.attribute == WHOLE and column.slot.column >= 0
    return is_value and column.attribute != GROUP and not is_cell


def _first(columns: list[RawColumn]) -> list[RawColumn]:
    """Return the columns that are the first of the given in nearly all their records."""
    if len(columns) < 2:
        return columns
    first: dict[int, int] = {}
    for k, column in enumerate(columns):
        for record in column.values:
            first.setdefault(record, k)
    return [
        column
        for k, column in enumerate(columns)
        if sum(first[record] == k for record in column.values) >= OPTIONS.min_first_share * len(column.values)
    ]


def _label_keys(column: RawColumn, kind: Kind) -> Sequence[Key]:
    """Return the label or the property of a column."""
    if column.label:
        return [("label", kind, normalized_label(column.label))]
    prop = column.slot.features.prop
    return [("property", kind, prop)] if prop else ()


def _class_keys(column: RawColumn, kind: Kind) -> Sequence[Key]:
    """Return the classes of a column's own element that mean something, as they are written."""
    words = column.slot.features.ordered_words
    return [(kind, column.label, word) for word in words if naming_words(word)] if words else ()


def _word_keys(column: RawColumn, kind: Kind) -> Sequence[Key]:
    """Return the words in those classes."""
    words = column.slot.features.ordered_words
    return [(kind, column.label, names) for word in words if (names := naming_words(word))] if words else ()


def _path_keys(column: RawColumn, kind: Kind) -> Sequence[Key]:
    """Return the elements of a column out to the first that has class words that mean something."""
    path: list[Key] = [kind, column.label]
    slot: Slot | None = column.slot
    for _ in range(MAX_PATH_LEVELS):
        if slot is None or slot.parent is None:
            return ()
        features = slot.features
        path.append((features.tag, features.words))
        if features.words and any(map(naming_words, features.words)):
            return [tuple(path)]
        slot = slot.parent
    return ()


def _written_keys(column: RawColumn, kind: Kind) -> Sequence[Key]:
    """Return the elements of a column out to the first that has classes, whatever these mean."""
    path: list[Key] = [kind, column.label]
    for slot in islice(with_ancestors(column.slot), MAX_PATH_LEVELS):
        if slot.parent is None:
            return ()
        path.append((slot.features.tag, slot.features.words))
        if slot.features.words:
            return [tuple(path)]
    return ()


def _first_keys(column: RawColumn, kind: Kind) -> Iterator[Key]:
    """Yield what the first of its kind says enough of: a link, an image, a heading, a price, a date."""
    attribute, cell = kind
    if attribute in _ADDRESSES:
        yield attribute, cell
    elif not column.attribute and not column.label:
        around = islice(with_ancestors(column.slot), MAX_HEADING_LEVELS)
        if any(slot.features.tag in _HEADING_TAGS for slot in around):
            yield "heading", cell
        pattern = common_pattern(_sample(column))
        if pattern in _FIRST_PATTERNS:
            yield pattern, cell


def _main_link_keys(columns: Sequence[RawColumn]) -> KeysOf:
    """Return a function that yields a key for texts of links to where the link of most records leads."""
    links = [column for column in columns if column.attribute == "href"]
    main = max(links, key=lambda column: len(column.values), default=None)
    slots = {id(link.slot) for link in links if main is not None and _repeats(link, main)}

    def keys_of(column: RawColumn, kind: Kind) -> Sequence[Key]:
        if column.attribute or column.label or not slots:
            return ()
        around = islice(with_ancestors(column.slot), MAX_LINK_LEVELS)
        return [("main link", kind)] if any(id(slot) in slots for slot in around) else ()

    return keys_of


def _repeats(column: RawColumn, other: RawColumn) -> bool:
    """Return whether a column has the values of another in nearly all its records."""
    sample = list(islice(column.values, MAX_SAMPLED_VALUES))
    equal = sum(
        record in other.values and column.values[record][0][0] == other.values[record][0][0] for record in sample
    )
    return equal >= OPTIONS.min_first_share * len(sample)


# What shows that columns are one field, the surest first
_KEYS: tuple[KeysOf, ...] = (_label_keys, _class_keys, _word_keys, _path_keys)


def _kind(column: RawColumn) -> Kind:
    """Return what a column was read from, and its table column; a text and the text of a block are of one kind."""
    slot: Slot | None = column.slot
    while slot is not None and slot.column < 0:
        slot = slot.parent
    return "" if column.attribute == WHOLE else column.attribute, -1 if slot is None else slot.column


def _sample(column: RawColumn) -> list[str]:
    return [values[0].text for values in islice(column.values.values(), MAX_SAMPLED_VALUES)]


def _host(column: RawColumn) -> str:
    """Return the host that most addresses of a column have, "" if there is none."""
    counts = Counter(map(_host_of, _sample(column)))
    host, count = max(counts.items(), key=lambda item: (item[1], item[0]))
    return host if 2 * count > counts.total() else ""


def _host_of(url: str) -> str:
    try:
        return urlsplit(url).netloc
    except ValueError:
        return ""


def _have_one_look(first: Sequence[str], second: Sequence[str], language: str, max_ratio: float) -> bool:
    """Return whether texts are of one type, and of a similar length if that is text."""
    types = [infer_type(texts, language=language).type for texts in (first, second)]
    groups = {_TYPE_GROUPS.get(own, own) for own in types}
    if len(groups) > 1:
        return False
    lengths = sorted(_median_length(texts) for texts in (first, second))
    return groups != {"text"} or lengths[1] <= max_ratio * lengths[0]


def _median_length(texts: Sequence[str]) -> float:
    lengths = sorted(map(len, texts))  # the module of statistics takes 4 ms to import
    middle = len(lengths) // 2
    return lengths[middle] if len(lengths) % 2 else (lengths[middle - 1] + lengths[middle]) / 2


def _columns_inside(columns: Sequence[RawColumn]) -> dict[int, list[RawColumn]]:
    """Return for each column of a whole text the columns of the texts inside."""
    wholes = {id(column.slot): column for column in columns if column.attribute == WHOLE}
    inside: dict[int, list[RawColumn]] = {}
    for column in columns:
        if not column.attribute and not column.is_label:
            for slot in with_ancestors(column.slot):
                if id(slot) in wholes:
                    inside.setdefault(id(wholes[id(slot)]), []).append(column)
    return inside
