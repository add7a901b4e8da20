"""What the models of ``peneira.columns.roles`` see of a column: its values, its place, and what it is called."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from itertools import islice
from math import log1p
from typing import NamedTuple

from peneira.columns.column_evidence import (
    ATTRIBUTES,
    NO_NAMES,
    TAGS,
    TYPES,
    ColumnEvidence,
    ColumnNames,
    Hits,
)
from peneira.columns.link_paths import named_by_path, path_words, roles_of_path, url_parts
from peneira.columns.raw_columns import WHOLE, RawColumn
from peneira.columns.role_words import best_roles, named_roles, roles_of_property, tells_title_of_person
from peneira.columns.slot_alignment import Slot
from peneira.columns.text_counts import (
    MAX_COMPARED_CHARS,
    MAX_COUNTED_CHARS,
    long_words,
    slug_share,
    value_features,
)
from peneira.columns.value_looks import LOOKS, look_shares
from peneira.kernels import compiled
from peneira.page import INLINE_TAGS
from peneira.types.column_types import InferredType
from peneira.values import ColumnType, Role

column_values = compiled("column_values")

# This many values show what a column is like
MAX_SAMPLED = 20
MAX_LOOKED_AT = 6
MAX_COMPARED_SLUGS = 12
NO_HEADING = 7
_NO_PARTS = (0, 0)
_NO_LOOKS = dict.fromkeys(LOOKS, 0.0)
_NO_CONTAINER = (0.0, 0.0, 0.0, float(NO_HEADING), 0.0)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_TAG_GROUP = {"th": "td", "strong": "b", "em": "b", "i": "b", "dd": "td"}
_TYPE_GROUPS: Mapping[ColumnType, str] = {"datetime": "date", "integer": "number", "email": "phone"}
_INLINE = INLINE_TAGS | {"#text"}
_FILE_ENDS = (".pdf", ".doc", ".docx", ".xls", ".xlsx", ".zip", ".mp3", ".rtf")


def _one_hot(names: Sequence[str]) -> dict[str, tuple[float, ...]]:
    """Return the flags of each name: one for every name, 1.0 for itself."""
    return {name: tuple(float(name == other) for other in names) for name in names}


_ATTRIBUTE_FLAGS, _TAG_FLAGS, _TYPE_FLAGS = _one_hot(ATTRIBUTES), _one_hot(TAGS), _one_hot(TYPES)
_NO_ATTRIBUTE, _NO_TAG, _NO_TYPE = ((0.0,) * len(names) for names in (ATTRIBUTES, TAGS, TYPES))

_NO_COLUMN_NAMES = ColumnNames("", "", "", (), (), "")


def column_evidence(
    columns: Sequence[RawColumn],
    types: Sequence[InferredType],
    names: Sequence[ColumnNames],
    judged: Sequence[int],
    linked: set[int],
    records: int,
) -> list[ColumnEvidence]:
    """Return the evidence of some columns of a region, given by number.

    ``linked``: ids of the slots that are links or texts of links.
    """
    region = _RegionFacts(columns, types, linked, records)
    roles_of_names = cache(best_roles)  # the columns of an element have the same names
    are_of_person = cache(tells_title_of_person)
    evidence = []
    for k in judged:
        looks, own = region.looks(k), names[k]
        words = region.path_words(k)
        features = region.features(k, own, looks)
        of_person = bool(own.prop or own.near or own.far) and are_of_person(own.prop, (*own.near, *own.far))
        hits = _hits(own, words, roles_of_names)
        path_word = named_by_path(words) if words else ""
        evidence.append(ColumnEvidence(features, hits, types[k].type, looks, path_word, of_person))
    return evidence


def _hits(
    names: ColumnNames, path_words: Collection[str], roles_of_names: Callable[[tuple[str, ...]], Hits]
) -> tuple[Hits, ...]:
    if names == _NO_COLUMN_NAMES and not path_words:
        return NO_NAMES
    label, header, prop, near, far, attribute = names
    return (
        named_roles(label) if label else {},
        named_roles(header) if header else {},
        roles_of_property(prop) if prop else {},
        roles_of_names(near) if near else {},
        roles_of_names(far) if far else {},
        roles_of_path(path_words) if path_words else {},
        named_roles(attribute) if attribute else {},
    )


class _Place(NamedTuple):
    """Where a slot stands: the level of the heading that it lies in within the record, or that it or the record lies
    in; its column of a table, -1 outside; the elements around it; and the links that it is or lies in, by number,
    innermost first."""

    heading: int
    heading_or_record: int
    column: int
    depth: int
    links: tuple[int, ...]


_NOWHERE = _Place(NO_HEADING, NO_HEADING, -1, 0, ())


class _RegionFacts:
    """What the features of all columns of a region share."""

    def __init__(
        self, columns: Sequence[RawColumn], types: Sequence[InferredType], linked: set[int], records: int
    ) -> None:
        self.columns, self.types, self.linked, self.records = columns, types, linked, records
        self.samples = [_sample(column.first_texts()) for column in columns]
        self.is_text = [column.attribute in ("", WHOLE) for column in columns]
        self.chars = [sum(map(len, sample.values())) / len(sample) for sample in self.samples]
        text_chars = sorted({chars for chars, is_text in zip(self.chars, self.is_text, strict=True) if is_text})
        self.length_rank = {chars: rank / len(text_chars) for rank, chars in enumerate(text_chars)}
        self.number_of = {id(column): k for k, column in enumerate(columns)}
        self._set_links()
        self._set_slugs()
        self._path_words: dict[int, frozenset[str]] = {}
        self._log_sizes = log1p(len(columns)), log1p(records)
        self.alts = self._alts()
        # by container: how many texts are in it, and how many of them have a typed value
        self.parts: dict[int, tuple[int, int]] = {}
        for column, column_type in zip(columns, types, strict=True):
            if column.container is not None and column.attribute in ("", WHOLE):
                parts, typed = self.parts.get(id(column.container), _NO_PARTS)
                is_typed = column_type.type not in ("text", "list")
                self.parts[id(column.container)] = parts + 1, typed + is_typed
        self.first_values = [_first_values(sample) for sample in self.samples]
        self.twins = Counter(self.first_values)
        self.orders = self._orders()

    def looks(self, k: int) -> Mapping[Role, float]:
        """Return what share of the values look like those of some roles."""
        if self.columns[k].attribute in ("href", "src"):
            return _NO_LOOKS
        return look_shares(list(islice(self.samples[k].values(), MAX_LOOKED_AT)))

    def path_words(self, k: int) -> frozenset[str]:
        """Return the words that all addresses of the link around a text have and those of the records have not."""
        links = self.links_around[k]
        if not links or not self.is_text[k]:
            return frozenset()
        link = links[0]
        if link not in self._path_words:
            own = path_words(list(self.samples[link].values()))
            of_records = [words for record in self.samples[link] if (words := self.slugs.get(record))]
            self._path_words[link] = own - frozenset.intersection(*of_records) if of_records else own
        return self._path_words[link]

    def _orders(self) -> list[tuple[int, int, int, int]]:
        """Return for each column how many columns, texts, links and images stand before it."""
        texts = links = images = 0
        orders = []
        for k, column in enumerate(self.columns):
            orders.append((k, texts, links, images))
            texts += column.attribute == "" and not column.part
            links += column.attribute == "href"
            images += column.attribute == "src"
        return orders

    def _set_links(self) -> None:
        """Find for each record how often each address occurs, and for each link what it contains."""
        self.link_of_slot: dict[int, int] = {}
        self.address_counts: dict[int, dict[str, int]] = {}
        self.shares_of_link: dict[int, tuple[float, float]] = {}
        hosts: Counter[str] = Counter()
        for k, (column, sample) in enumerate(zip(self.columns, self.samples, strict=True)):
            if column.attribute == "href":
                self.link_of_slot[id(column.slot)] = k
                for record, url in sample.items():
                    counts = self.address_counts.setdefault(record, {})
                    counts[url] = counts.get(url, 0) + 1
                hosts[_host(next(iter(sample.values())))] += 1
        self.usual_host = max(hosts.items(), key=lambda item: item[1])[0] if hosts else ""
        self._places: dict[int, _Place] = {}
        self.places = [self._place(column.slot) for column in self.columns]
        self.links_around = [place.links for place in self.places]
        self.link_chars: dict[int, float] = defaultdict(float)
        self.link_heading: dict[int, int] = {}
        self.link_images: dict[int, int] = {}
        for k, column in enumerate(self.columns):
            for link in self.links_around[k]:
                if column.attribute == "" and not column.part:
                    self.link_chars[link] += self.chars[k]
                    heading = self.places[k].heading_or_record
                    self.link_heading[link] = min(self.link_heading.get(link, NO_HEADING), heading)
                if column.attribute == "src":
                    self.link_images[link] = self.link_images.get(link, 0) + 1
        self.most_link_chars = max(self.link_chars.values(), default=0.0)

    def _place(self, slot: Slot) -> _Place:
        """Return where a slot stands; those around it are looked at once."""
        places, inner = self._places, []
        outer: Slot | None = slot
        while outer is not None and id(outer) not in places:
            inner.append(outer)
            outer = outer.parent
        place = places[id(outer)] if outer is not None else _NOWHERE
        for own in reversed(inner):
            heading = _HEADINGS.get(own.features.tag, NO_HEADING)
            links = (self.link_of_slot[id(own)], *place.links) if id(own) in self.link_of_slot else place.links
            if own.parent is None:
                place = _Place(NO_HEADING, heading, -1, 0, links)
            else:
                around, around_or_record, column, depth, _ = place
                place = _Place(
                    heading if heading < around else around,
                    heading if heading < around_or_record else around_or_record,
                    own.column if own.column >= 0 else column,
                    depth + 1,
                    links,
                )
            places[id(own)] = place
        return place

    def _set_slugs(self) -> None:
        """Find the words of the address that stands for each record: the most frequent, the one with most text."""
        best: dict[int, tuple[int, float]] = {}
        urls: dict[int, str] = {}
        for k, column in enumerate(self.columns):
            if column.attribute == "href":
                for record, url in self.samples[k].items():
                    points = (self.address_counts[record][url], self.link_chars[k])
                    if record not in best or points > best[record]:
                        best[record] = points
                        urls[record] = url
        self.slugs = {record: _slug_words(url) for record, url in urls.items()}

    def _alts(self) -> dict[int, set[str]]:
        alts: dict[int, set[str]] = {}
        for column, sample in zip(self.columns, self.samples, strict=True):
            if column.attribute in ("alt", "title", "aria-label"):
                for record, text in sample.items():
                    alts.setdefault(record, set()).add(text[:MAX_COMPARED_CHARS].lower())
        return alts

    def features(self, k: int, names: ColumnNames, looks: Mapping[Role, float]) -> tuple[float, ...]:
        """Return the features of a column, in the order of ``COLUMN_FEATURES``."""
        column, column_type = self.columns[k], self.types[k]
        tag = column.slot.features.tag
        tag = _TAG_GROUP.get(tag, tag)
        type_name = _TYPE_GROUPS.get(column_type.type, column_type.type)
        return (
            *self._value_features(k),
            *self._place_features(k),
            *self._link_features(k),
            float(bool(names.header)),
            float(bool(names.label)),
            float(bool(names.prop)),
            float(bool(names.near)),
            float(column.is_label),
            *_ATTRIBUTE_FLAGS.get(column.attribute, _NO_ATTRIBUTE),
            *_TAG_FLAGS.get(tag, _NO_TAG),
            *_TYPE_FLAGS.get(type_name, _NO_TYPE),
            *looks.values(),
        )

    def _value_features(self, k: int) -> tuple[float, ...]:
        texts, fill = list(self.samples[k].values()), len(self.columns[k].values) / self.records
        make = value_features if column_values is None else column_values.value_features
        features: tuple[float, ...] = make(texts, fill, self.types[k].confidence, MAX_COMPARED_CHARS, MAX_COUNTED_CHARS)
        return features

    def _place_features(self, k: int) -> tuple[float, ...]:
        column, place = self.columns[k], self.places[k]
        order, texts, _, _ = self.orders[k]
        parts, typed_parts = self.parts.get(id(column), _NO_PARTS)
        return (
            float(place.heading),
            float(id(column.slot) in self.linked),
            float(column.is_list),
            order / len(self.columns),
            float(texts),
            float(texts == 0 and self.is_text[k]),
            float(place.column),
            float(place.depth),
            self.length_rank.get(self.chars[k], 0.0),
            float(parts),
            float(typed_parts),
            _inline_share(column.slot) if column.attribute == WHOLE else 0.0,
            *(_NO_CONTAINER if column.container is None else self._container_features(k, column.container)),
            float(bool(column.part)),
            float(self.twins[self.first_values[k]] - 1),
            *self._log_sizes,
            float(column.slot.features.tag in ("img", "picture", "svg")),
        )

    def _container_features(self, k: int, container: RawColumn) -> tuple[float, ...]:
        number = self.number_of[id(container)]
        return (
            self.chars[k] / max(self.chars[number], 1.0),
            float(self.parts.get(id(container), _NO_PARTS)[0]),
            _inline_share(container.slot) if container.attribute == WHOLE else 1.0,
            float(self.places[number].heading_or_record),
            float(bool(self.links_around[number])),
        )

    def _address_shares(self, link: int) -> tuple[float, float]:
        """Return how often the addresses of a link occur in their records on average, and the share that differs."""
        if link not in self.shares_of_link:
            urls = self.samples[link]
            count = sum([self.address_counts[record][url] for record, url in urls.items()]) / len(urls)
            self.shares_of_link[link] = count, len(set(urls.values())) / len(urls)
        return self.shares_of_link[link]

    def _slug_shares(self, sample: Mapping[int, str]) -> list[float]:
        """Return the share of the words of each of some texts that the address of its record has too."""
        slugs = [self.slugs.get(record) for record in islice(sample, MAX_COMPARED_SLUGS)]
        texts = list(islice(sample.values(), MAX_COMPARED_SLUGS))
        if column_values is not None:
            shares: list[float] = column_values.slug_shares(texts, slugs, MAX_COMPARED_CHARS)
            return shares
        return [slug_share(text, slug) for text, slug in zip(texts, slugs, strict=True)]

    def _link_features(self, k: int) -> tuple[float, ...]:
        column, sample = self.columns[k], self.samples[k]
        _, _, link_number, image_number = self.orders[k]
        links = self.links_around[k]
        link = links[0] if links else -1
        size = len(sample)
        count = distinct = 0.0
        if link >= 0:
            count, distinct = self._address_shares(link)
        query = depth = file = host = 0.0
        is_text = column.attribute not in ("href", "src")
        if not is_text:
            addresses = list(islice(sample.values(), 8))
            queries = slashes = files = hosts = 0
            for own_host, path, own_query in map(url_parts, addresses):
                queries += own_query != ""
                slashes += path.strip("/").count("/")
                files += path.lower().endswith(_FILE_ENDS)
                hosts += own_host == self.usual_host
            query, depth = queries / len(addresses), slashes / len(addresses)
            file, host = files / len(addresses), hosts / len(addresses)
        agrees = slug = 0.0
        if is_text and self.alts:
            agrees = sum(
                [
                    text[:MAX_COMPARED_CHARS].lower() in self.alts[record]
                    for record, text in sample.items()
                    if record in self.alts
                ]
            )
        if is_text and self.slugs:
            shares = self._slug_shares(sample)
            slug = sum(shares) / len(shares)
        chars = self.link_chars[link] if link >= 0 else 0.0
        return (
            count,
            distinct,
            slug,
            float(link_number),
            float(image_number),
            float(len(self.link_of_slot)),
            query,
            depth,
            file,
            host,
            log1p(chars),
            float(self.link_heading.get(link, NO_HEADING)),
            float(self.link_images.get(link, 0)),
            agrees / size,
            float(link >= 0 and chars >= self.most_link_chars),
        )


def _sample(texts: dict[int, str]) -> dict[int, str]:
    return texts if len(texts) <= MAX_SAMPLED else dict(islice(texts.items(), MAX_SAMPLED))


def _inline_share(slot: Slot) -> float:
    """Return the share of the parts of a block that stand in a line."""
    inline = sum([child.features.tag in _INLINE for child in slot.children])
    return inline / max(len(slot.children), 1)


def _host(url: str) -> str:
    return url_parts(url)[0]


def _first_values(sample: Mapping[int, str]) -> tuple[tuple[int, str], ...]:
    return tuple([(record, text[:MAX_COMPARED_CHARS]) for record, text in islice(sample.items(), 4)])


def _slug_words(url: str) -> frozenset[str]:
    path = url_parts(url[:500])[1]
    if column_values is not None:
        words: frozenset[str] = column_values.long_words(path)
        return words
    return long_words(path)
