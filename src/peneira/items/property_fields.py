"""The label/value pairs of a page's property tables as fields of their own, under the names of their labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from peneira.columns.names import written_name
from peneira.columns.role_words import named_roles
from peneira.items.claims import normal_form
from peneira.items.labelled_values import MIN_ROWS, Pair, role_of_label
from peneira.items.page_view import PageView
from peneira.items.typed_claims import typed
from peneira.table import Cell
from peneira.values import Role

MAX_FIELDS = 80
_FIELDS: tuple[Role, ...] = ("price", "availability", "rating", "reviews")
_CONTACTS = frozenset({"phone", "email"})
# Set by hand: how often such a pair is a property of the item
CONFIDENCE = 0.7


def property_fields(
    view: PageView, pairs: Sequence[Pair], fields: Mapping[str, Cell], values: Collection[str], *, is_sold: bool = False
) -> Iterator[tuple[str, str, Cell]]:
    """Yield name, label and cell of each property; none that repeats a field, or a label with several values.

    ``values``: the texts of the fields, in normal form. ``is_sold``: numbers of phones and addresses of mail under
    other labels ("Toll-free") are the shop's.
    """
    if len(pairs) < MIN_ROWS:
        return
    times = Counter(normal_form(pair.label) for pair in pairs)
    taken = {*fields}
    count = 0
    for pair in pairs:
        role, _ = role_of_label(pair.label)
        name = written_name(pair.label) or pair.label
        is_known = role in fields or normal_form(pair.value) in values or name in taken or _is_other_role(pair, fields)
        if is_known or times[normal_form(pair.label)] > 1 or count >= MAX_FIELDS:
            continue
        cell = _cell(view, pair)
        if is_sold and cell.type in _CONTACTS and role not in _CONTACTS:
            continue
        taken.add(name)
        count += 1
        yield name, pair.label, cell


def _is_other_role(pair: Pair, fields: Mapping[str, Cell]) -> bool:
    """Return whether a label names a field that the item has from better sources."""
    named = named_roles(pair.label)
    return any(role in fields and named.get(role, 0.0) == 1.0 for role in _FIELDS)


def _cell(view: PageView, pair: Pair) -> Cell:
    kind, value = typed(pair.value, pair.label, view.language)
    if value is None or kind in ("list", "boolean", "text"):
        kind, value = "text", None
    return Cell(pair.value, view.page.xpath(pair.row), kind, value, confidence=CONFIDENCE)
