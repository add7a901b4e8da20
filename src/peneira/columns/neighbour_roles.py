"""Roles that follow from the column beside: the higher of two prices is the old one, a number after a rating counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice

from peneira.columns.candidate_columns import CandidateColumns
from peneira.columns.raw_columns import RawColumn
from peneira.columns.role_words import named_roles, words_of
from peneira.columns.slot_alignment import Slot, with_ancestors
from peneira.columns.value_patterns import are_counts, are_in_brackets, are_unit_prices
from peneira.values import Money, Role


@dataclass(frozen=True, slots=True)
class NeighbourOptions:
    """When a column has a role by its neighbour."""

    # This many records show which of two prices is higher
    min_records: int = 3
    min_higher_share: float = 0.95
    # The share of the amounts that are at least half of the price, if they are paid instead and no part of it
    min_near_share: float = 0.85
    # An amount this many times as high is another thing; nothing on sale was so many times as high
    max_ratio: int = 5
    max_reduction: int = 4
    # Elements around two texts that stand beside each other
    max_levels: int = 4


OPTIONS = NeighbourOptions()
_STRUCK_TAGS = frozenset({"del", "s", "strike"})
_STRUCK_WORDS = frozenset({"strike", "striked", "strikethrough", "crossout", "crossed", "linethrough"})
_STRUCK_PHRASES = ({"line", "through"}, {"strike", "through"}, {"crossed", "out"})
# Words of what is paid for reduced items; those that say so of a price alone; those of what is paid by only some people
# or in some cases; and those of amounts that are no prices
_SALE_WORDS = frozenset("sale sales reduced promo discounted".split())
_SALE_WORDS_OF_PRICES = frozenset("special offer now final".split())
_CONDITIONS = frozenset(
    "member members club card subscription subscribe used refurbished month monthly coupon prime vip loyalty student "
    "students trade".split()
)
_NO_PRICES = frozenset(
    "delivery shipping postage deposit reserve pay trade rent finance fee fees tax taxes save saved saving "
    "savings".split()
)


def with_neighbour_roles(
    roles: Sequence[Role | None], candidates: CandidateColumns, kept: Sequence[bool]
) -> list[Role | None]:
    """Return the roles with an old price beside the price and the number of reviews after the rating."""
    found = list(roles)
    free = [k for k, column in enumerate(candidates.columns) if kept[k] and _is_free(candidates, column, k, roles[k])]
    if "price" in found and "old_price" not in found:
        price = found.index("price")
        old = next(
            (k for k in free if _is_struck_price(candidates, k, price) or _is_higher_price(candidates, price, k)), None
        )
        new = next((k for k in free if _is_paid_instead(candidates, price, k)), None) if old is None else None
        reduced = next((k for k in free if _is_reduced(candidates, price, k)), None) if old is None else None
        plain = [k for k, role in enumerate(roles) if kept[k] and role is None and _is_plain(candidates.columns[k])]
        sale = next((k for k in plain if _is_sale_price(candidates, price, k)), None) if old is None else None
        paid = next((k for k in free if _is_called_old(candidates, price, k) and _is_lower(candidates, price, k)), None)
        if paid is not None:
            found[price], found[paid] = "old_price", "price"
        elif old is not None:
            found[old] = "old_price"
        elif new is not None:
            found[price], found[new] = "old_price", "price"
        elif reduced is not None:
            found[price], found[reduced] = None, "price"
            found[_of_reduced_items(candidates, price, reduced)] = "old_price"
        elif sale is not None:
            _exchange(candidates, price, sale)
            found[sale] = "old_price"
    if "rating" in found and "reviews" not in found:
        rating = found.index("rating")
        after = [k for k in range(rating + 1, len(kept)) if kept[k] and candidates.columns[k].attribute == ""]
        if after and after[0] in free and _are_reviews(candidates, rating, after[0]):
            found[after[0]] = "reviews"
    return found


def _is_free(candidates: CandidateColumns, column: RawColumn, k: int, role: Role | None) -> bool:
    """Return whether nothing says yet what a text is."""
    names = candidates.names[k]
    return _is_plain(column) and role in (None, "count", "id") and not (names.label or names.header)


def _is_plain(column: RawColumn) -> bool:
    return column.attribute == "" and not (column.is_list or column.part or column.nested)


def _is_struck_price(candidates: CandidateColumns, k: int, other: int) -> bool:
    """Return whether amounts are struck out, and the other ones beside them are not: by a tag, or a class close to
    them: "line-through"."""
    if candidates.types[k].type != "money":
        return False
    slots = _slots_around(candidates.columns[k], candidates.columns[other])
    # of the elements around, those that hold both amounts come last
    inner = [words_of(name) for slot in slots[:2] for name in slot.features.words]
    return any(slot.features.tag in _STRUCK_TAGS for slot in slots) or any(
        not _STRUCK_WORDS.isdisjoint(words) or any(phrase <= set(words) for phrase in _STRUCK_PHRASES)
        for words in inner
    )


def _is_higher_price(candidates: CandidateColumns, price: int, k: int) -> bool:
    """Return whether amounts beside the price are higher in nearly all records that have both."""
    columns, types = candidates.columns, candidates.types
    if types[price].type != "money" or types[k].type != "money":
        return False
    if not (_are_beside(columns[price], columns[k]) or _are_adjacent(candidates, price, k)):
        return False
    if are_unit_prices(columns[k].first_texts().values()):
        return False
    pairs = list(_amounts(candidates, price, k))
    if len(pairs) < min(OPTIONS.min_records, candidates.records):
        return False
    higher = sum(own < other <= OPTIONS.max_ratio * own for own, other in pairs)
    return higher >= OPTIONS.min_higher_share * len(pairs)


def _is_called_old(candidates: CandidateColumns, price: int, k: int) -> bool:
    """Return whether the label of an amount says that it was the price ("Original price"), or the class of an element
    around it, but not around the other one ("old-price")."""
    if "old_price" in named_roles(candidates.names[price].label):
        return True
    columns = candidates.columns
    own = _names_around(columns[price], columns[k])
    is_price = any("price" in words for words in _names_around(columns[k], columns[price]))
    return (is_price or _are_near(candidates, price, k)) and any(
        "old_price" in named_roles(" ".join(words)) for words in own
    )


def _is_lower(candidates: CandidateColumns, price: int, k: int) -> bool:
    """Return whether nearly all records have an amount, wherever it stands, that is at most the price."""
    if candidates.types[price].type != "money" or candidates.types[k].type != "money":
        return False
    pairs = list(_amounts(candidates, k, price))
    least = max(OPTIONS.min_records, OPTIONS.min_higher_share * len(candidates.columns[price].values))
    return len(pairs) >= least and all(own <= other for own, other in pairs)


def _is_paid_instead(candidates: CandidateColumns, price: int, k: int) -> bool:
    """Return whether all records have an amount beside the price that is lower, but no mere part of it; or the price
    is struck out, and the other is not."""
    columns = candidates.columns
    if _is_struck_price(candidates, price, k):
        return candidates.types[k].type == "money" and not _is_struck_price(candidates, k, price)
    if len(columns[k].values) < OPTIONS.min_higher_share * len(columns[price].values):
        return False
    if not _is_higher_price(candidates, k, price):
        return False
    return _are_near(candidates, price, k)


def _are_near(candidates: CandidateColumns, price: int, k: int) -> bool:
    """Return whether an amount is no mere part of the price: a deposit, an instalment."""
    pairs = list(_amounts(candidates, k, price))
    return sum(2 * own >= other for own, other in pairs) >= OPTIONS.min_near_share * len(pairs)


def _is_reduced(candidates: CandidateColumns, price: int, k: int) -> bool:
    """Return whether all records have an amount beside the price that is lower in some of them, and equal in the
    others: what is paid, where all items have a regular price, and some are on sale. A deposit is named otherwise."""
    columns, types = candidates.columns, candidates.types
    if types[price].type != "money" or types[k].type != "money" or not _are_beside(columns[price], columns[k]):
        return False
    if not (_is_named(columns[k], columns[price], "price") or _is_named(columns[price], columns[k], "old_price")):
        return False
    if len(columns[k].values) < OPTIONS.min_higher_share * len(columns[price].values):
        return False
    pairs = list(_amounts(candidates, k, price))
    lower = sum(own < other for own, other in pairs)
    return OPTIONS.min_records <= len(pairs) and lower > 0 and all(own <= other <= 2 * own for own, other in pairs)


def _is_sale_price(candidates: CandidateColumns, price: int, k: int) -> bool:
    """Return whether some records have a lower amount beside the price, in an element with a class that says that it
    is what is paid ("sale-price"), or the price is in one that says that it was."""
    columns, types = candidates.columns, candidates.types
    if types[price].type != "money" or types[k].type != "money":
        return False
    some, all_of_them = columns[k].values.keys(), columns[price].values.keys()
    if not some <= all_of_them or len(some) >= OPTIONS.min_higher_share * len(all_of_them):
        return False
    if candidates.names[k].header or are_unit_prices(columns[k].first_texts().values()):
        return False
    own, others = (_words_around(candidates, *pair) for pair in ((k, price), (price, k)))
    words, words_of_other = set().union(*own), set().union(*others)
    if not words.isdisjoint(_CONDITIONS) or not (words - words_of_other).isdisjoint(_NO_PRICES):
        return False
    called = [phrase for phrase in own if _says_sale(phrase - words_of_other, is_price="price" in phrase)]
    was = any("old_price" in named_roles(word) for word in words_of_other - words)
    # one amount is enough if it is called the price
    if not (called or was) or (len(some) < 2 and not any("price" in phrase for phrase in called)):
        return False
    pairs = list(_amounts(candidates, price, k))
    return len(pairs) == len(some) and all(paid < was <= OPTIONS.max_reduction * paid for was, paid in pairs)


def _says_sale(words: set[str], *, is_price: bool) -> bool:
    """Return whether words say that an amount is paid for reduced items; "now" and "special" only of a price."""
    return not words.isdisjoint(_SALE_WORDS | _SALE_WORDS_OF_PRICES if is_price else _SALE_WORDS)


def _words_around(candidates: CandidateColumns, k: int, other: int) -> list[set[str]]:
    """Return the words of the label of a text, and of the classes of each element around it but not around the other
    one."""
    slots = _slots_around(candidates.columns[k], candidates.columns[other])
    classes = [{word for name in slot.features.words for word in words_of(name)} for slot in slots]
    return [*classes, set(words_of(candidates.names[k].label))]


def _exchange(candidates: CandidateColumns, price: int, sale: int) -> None:
    """Make the amount that is paid the price of each record, and the other column the amounts in its place."""
    columns, names = candidates.columns, candidates.names
    reduced, regular = columns[sale], columns[price]
    was = {record: regular.values[record] for record in reduced.values}
    regular.values = {record: reduced.values.get(record, values) for record, values in regular.values.items()}
    reduced.values = was
    reduced.label, regular.label = regular.label, reduced.label
    labels = names[sale].label, names[price].label
    names[price], names[sale] = (names[k]._replace(label=text) for k, text in zip((price, sale), labels, strict=True))


def _is_named(column: RawColumn, other: RawColumn, role: Role) -> bool:
    """Return whether a name of an element around a text, but not around the other one, stands for a role and nothing
    else: no "member-price"."""
    names = _names_around(column, other)
    return any(words and all(role in named_roles(word) for word in words) for words in names)


def _names_around(column: RawColumn, other: RawColumn) -> list[tuple[str, ...]]:
    """Return the words of the classes of the elements around a text, but not around the other one."""
    return [words_of(name) for slot in _slots_around(column, other) for name in slot.features.words]


def _slots_around(column: RawColumn, other: RawColumn) -> list[Slot]:
    """Return the slots of a text and of the elements around it, but not around the other one."""
    shared = {id(slot) for slot in with_ancestors(other.slot)}
    return [slot for slot in islice(with_ancestors(column.slot), OPTIONS.max_levels) if id(slot) not in shared]


def _of_reduced_items(candidates: CandidateColumns, regular: int, price: int) -> int:
    """Return the column that has the regular price where it is not what is paid, else that of all regular prices."""
    reduced = {record for record, own, other in _amounts_by_record(candidates, price, regular) if own < other}
    columns = candidates.columns
    for k, other in candidates.twin_of.items():
        if other == regular and columns[k].attribute == "" and columns[k].values.keys() == reduced:
            return k
    return regular


def _amounts(candidates: CandidateColumns, price: int, k: int) -> Iterator[tuple[Decimal, Decimal]]:
    return ((own, other) for _, own, other in _amounts_by_record(candidates, price, k))


def _amounts_by_record(candidates: CandidateColumns, price: int, k: int) -> Iterator[tuple[int, Decimal, Decimal]]:
    prices, others = (candidates.columns[number].first_texts() for number in (price, k))
    for record, text in others.items():
        if record in prices:
            own, other = candidates.types[price].value(prices[record]), candidates.types[k].value(text)
            if isinstance(own, Money) and isinstance(other, Money) and own.currency == other.currency:
                yield record, own.amount, other.amount


def _are_reviews(candidates: CandidateColumns, rating: int, k: int) -> bool:
    """Return whether the text after a rating is a number: how many people gave it."""
    column = candidates.columns[k]
    texts = column.first_texts().values()
    is_number = candidates.types[k].type == "integer" or are_counts(texts)
    return is_number and (are_in_brackets(texts) or _are_beside(candidates.columns[rating], column))


def _are_adjacent(candidates: CandidateColumns, k: int, other: int) -> bool:
    """Return whether two texts of the record itself follow each other, with no other text between them."""
    first, second = sorted((k, other))
    columns = candidates.columns
    between = [column for column in columns[first + 1 : second] if column.attribute == "" and not column.part]
    return not between and columns[k].slot.parent is columns[other].slot.parent


def _are_beside(column: RawColumn, other: RawColumn) -> bool:
    """Return whether two texts are in one block inside the record."""
    around = [
        {id(slot) for slot in islice(with_ancestors(own.slot), OPTIONS.max_levels) if slot.parent is not None}
        for own in (column, other)
    ]
    return not around[0].isdisjoint(around[1])
