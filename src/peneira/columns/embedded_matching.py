"""Which item of an embedded list is which record: by address, title, identifier, or the place of the element."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import unescape

from peneira.columns.deferred_cells import texts_of
from peneira.columns.value_forms import address_forms, is_address, text_form
from peneira.embedded.items import EmbeddedItem, EmbeddedList
from peneira.kept_property import kept_property
from peneira.late_patterns import late_pattern
from peneira.page import Page, rows_with, rows_with_other_than
from peneira.result import Record

# An item list belongs to the records if it has at least this share of them, on average by this weight
MIN_MATCHED_SHARE = 0.6
MIN_MATCHED = 2
MIN_WEIGHT = 2.0
# How much a thing in common says: the element itself, an address, an identifier, a text, a short text
_PLACE, _ADDRESS, _IDENTIFIER, _TEXT, _SHORT_TEXT = 5, 3, 2, 2, 1
_MIN_TEXT_CHARS, _MIN_LONG_TEXT_CHARS, _MAX_TEXT_CHARS = 4, 8, 300
_CODE = late_pattern(r"[A-Za-z0-9]{5,64}")
_DIGIT = late_pattern(r"\d")
_SLUG = late_pattern(r"[\w%]+(?:-[\w%]+)+$")
_MAX_ATTRIBUTE_CHARS = 400
_CODE_ATTRIBUTES = frozenset({"id", "href", "src", "value", "name"})
# Most elements have no other attributes than these
_SILENT_ATTRIBUTES = frozenset({"class", "style", "alt", "title", "width", "height", "itemprop", "target", "rel"})

Keys = Mapping[str, int]


class KeyedList:
    """A list with the keys of its items, which are made when it is first compared with records."""

    def __init__(self, embedded: EmbeddedList) -> None:
        self.embedded = embedded

    @kept_property
    def keys(self) -> list[Keys]:
        """What may tell each item from others, with its weight."""
        return [_item_keys(item) for item in self.embedded.items]


class RecordKeys:
    """What tells the records of a region apart: their elements, and the keys that exactly one record has."""

    def __init__(self, page: Page, records: Sequence[Record]) -> None:
        self.page = page
        self.records = records

    def match(self, keyed: KeyedList) -> dict[int, EmbeddedItem]:
        """Return the items by record if the list is that of the records, else nothing."""
        items = keyed.embedded.items
        if keyed.embedded.source in ("microdata", "rdfa"):
            return self._assigned(items, [Counter(self._places(item)) for item in items])
        times = Counter(key for keys in keyed.keys for key in keys)
        votes: list[Counter[int]] = []
        for keys in keyed.keys:
            own: Counter[int] = Counter()
            for key, weight in keys.items():
                record = self._record_of.get(key, -1)
                if record >= 0 and times[key] == 1:
                    own[record] += weight
            votes.append(own)
        return self._assigned(items, votes)

    @kept_property
    def _starts(self) -> list[tuple[int, int, int]]:
        return sorted((*rows, number) for number, record in enumerate(self.records) for rows in record.ranges)

    @kept_property
    def _telling_rows(self) -> Sequence[int]:
        """The rows with attributes that may hold an identifier."""
        names = getattr(self.page.attrs, "names", None)
        if names is None:
            return rows_with_other_than(self.page, _SILENT_ATTRIBUTES)
        return rows_with(self.page, frozenset(filter(_may_tell, names)))

    @kept_property
    def _record_of(self) -> dict[str, int]:
        """The record of each key, -1 where several have it."""
        record_of: dict[str, int] = {}
        for number, keys in (*self._keys_of_texts(), *self._keys_of_attributes()):
            for key in keys:
                if record_of.setdefault(key, number) != number:
                    record_of[key] = -1
        return record_of

    def _keys_of_texts(self) -> Iterator[tuple[int, Sequence[str]]]:
        """Yield records with the keys of a text of theirs."""
        known: tuple[dict[str, Sequence[str]], dict[str, Sequence[str]]] = {}, {}  # of texts, and of addresses
        for number, text, is_address_text in texts_of([record.fields for record in self.records]):
            keys = known[is_address_text].get(text)
            if keys is None:
                keys = known[is_address_text][text] = (
                    tuple(_address_keys(text)) if is_address_text else _text_keys(text)
                )
            if keys:
                yield number, keys

    def _keys_of_attributes(self) -> Iterator[tuple[int, Sequence[str]]]:
        """Yield records with the keys of an attribute of theirs."""
        rows, attrs = self._telling_rows, self.page.attrs
        known: dict[tuple[str, str], Sequence[str]] = {}  # most records have the same attributes
        for number, record in enumerate(self.records):
            for start, end in record.ranges:
                for row in rows[bisect_left(rows, start) : bisect_left(rows, end)]:
                    for attribute in attrs[row].items():
                        keys = known.get(attribute)
                        if keys is None:
                            keys = known[attribute] = _attribute_keys(*attribute)
                        if keys:
                            yield number, keys

    def _assigned(self, items: Sequence[EmbeddedItem], votes: Sequence[Counter[int]]) -> dict[int, EmbeddedItem]:
        """Return the pairs of which each is the other's best, if there are enough of them."""
        claims: dict[int, list[tuple[int, int]]] = {}
        for number, own in enumerate(votes):
            best = own.most_common(2)
            if best and (len(best) == 1 or best[0][1] > best[1][1]):
                claims.setdefault(best[0][0], []).append((best[0][1], number))
        pairs, weight = {}, 0
        for record, claimed in claims.items():
            claimed.sort(reverse=True)
            if len(claimed) == 1 or claimed[0][0] > claimed[1][0]:
                pairs[record] = items[claimed[0][1]]
                weight += claimed[0][0]
        is_enough = len(pairs) >= min_matched(len(self.records))
        return pairs if is_enough and weight >= MIN_WEIGHT * len(pairs) else {}

    def _places(self, item: EmbeddedItem) -> dict[int, int]:
        """Return the record whose element an item marks or lies in; two if the item holds more than one."""
        starts = self._starts
        after = bisect_right(starts, (item.row, len(self.page), 0))
        places = {}
        if after and item.row < starts[after - 1][1]:
            places[starts[after - 1][2]] = _PLACE
        first = bisect_left(starts, (item.row, 0, 0))
        for start, _, number in starts[first : first + 2]:
            if start < self.page.lists.end[item.row]:
                places[number] = _PLACE
        return places


def min_matched(records: int) -> float:
    """Return how many of the records a list must have an item for."""
    return max(MIN_MATCHED, MIN_MATCHED_SHARE * records)


def _item_keys(item: EmbeddedItem) -> Keys:
    """Return what may tell an item from others, with the weight of each."""
    keys: dict[str, int] = {}
    for value in item.properties.values():
        if isinstance(value, str) and _MIN_TEXT_CHARS <= len(value) <= _MAX_TEXT_CHARS:
            _add_keys(unescape(value) if "&" in value else value, keys)
    return keys


def _add_keys(value: str, keys: dict[str, int]) -> None:
    if is_address(value):
        keys.update(dict.fromkeys(address_forms(value), _ADDRESS))
        return
    form = text_form(value)
    keys[f"t:{form}"] = _TEXT if len(form) >= _MIN_LONG_TEXT_CHARS else _SHORT_TEXT
    if " " not in form:
        if _CODE.fullmatch(form) and _DIGIT.search(form):
            keys[f"i:{form}"] = _IDENTIFIER
        elif "-" in form and _SLUG.match(form):
            keys[f"s:{form}"] = _ADDRESS


def _text_keys(text: str) -> tuple[str, ...]:
    """Return what a text says that may tell a record from others."""
    return (f"t:{text_form(text)}",) if _MIN_TEXT_CHARS <= len(text) <= _MAX_TEXT_CHARS else ()


def _may_tell(name: str) -> bool:
    """Return whether an attribute may hold an identifier."""
    return name in _CODE_ATTRIBUTES or name.startswith("data-")


def _attribute_keys(name: str, value: str) -> tuple[str, ...]:
    """Return what an attribute says that may tell an element from others."""
    if len(value) > _MAX_ATTRIBUTE_CHARS or not _may_tell(name):
        return ()
    codes = _code_keys(value) if _DIGIT.search(value) else ()
    return (*codes, *(_address_keys(value) if name == "href" else ()))


def _address_keys(url: str) -> Iterator[str]:
    for form in address_forms(url):
        yield form
        if "?" not in form:
            slug = form.rpartition("/")[2].partition(".")[0]
            if _SLUG.match(slug):
                yield f"s:{slug}"


def _code_keys(value: str) -> Iterator[str]:
    for token in _CODE.findall(value):
        if not token.isalpha():
            yield f"i:{token.lower()}"
