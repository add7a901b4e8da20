"""What the state of a page's scripts says about its item: the object in it that has the name of the item."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator, Mapping

from peneira.columns.embedded_properties import property_name
from peneira.embedded.flat_properties import flat_properties
from peneira.embedded.literals import Json
from peneira.embedded.script_data import ScriptValue, state_values
from peneira.items.brands import brand_claims
from peneira.items.claims import Claim, normal_form
from peneira.items.page_view import PageView
from peneira.items.typed_claims import amount_of, claim_of

SOURCE = "script-state"
MIN_HEADING_CHARS = 4
_PLAIN = re.compile(r"[A-Za-z0-9 ]+")
MAX_VALUES = 200_000
MAX_DEPTH = 30
MAX_OBJECTS = 6
MAX_NAME_CHARS = 400
_NAMES = ("name", "title", "productname", "producttitle", "displayname", "itemname", "productdisplayname", "fullname")
# Roles that are read, and how often an object of the item's name is right about them: it may be one of its variants
_ROLES: Mapping[str, float] = {"brand": 0.7, "sku": 0.4, "gtin": 0.6, "mpn": 0.5, "price": 0.35}
_CODE_KEYS = frozenset({"productid", "productcode", "itemid", "articlenumber", "partnumber"})


def state_claims(view: PageView) -> Iterator[Claim]:
    """Yield the claims of the objects that have the name of the item."""
    heading = normal_form(view.heading.text) if view.heading else ""
    if view.heading is None or len(heading) < MIN_HEADING_CHARS:
        return
    seen: set[tuple[str, str]] = set()
    for row, thing in _namesakes(state_values(view.page, containing=_needles(view.heading.text)), heading):
        for role, text in _properties(thing):
            if (role, text) in seen:
                continue
            seen.add((role, text))
            if role == "brand":
                yield from brand_claims(view, [text], SOURCE, _ROLES[role], row)
            elif role == "price":
                amount = amount_of(text)
                if amount is not None and amount > 0:
                    yield claim_of(role, text, SOURCE, _ROLES[role], row, amount=amount)
            else:
                yield claim_of(role, text, SOURCE, _ROLES[role], row)


def _needles(heading: str) -> tuple[str, ...]:
    """Return what a script with the heading in it has: the heading, or as JSON without other characters than ASCII."""
    plain = max(_PLAIN.findall(heading), key=len, default="").strip()
    return (plain,) if len(plain) >= MIN_HEADING_CHARS else (heading, json.dumps(heading)[1:-1])


def _properties(thing: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """Yield role and text of the properties that an item has, the first of each role."""
    found: set[str] = set()
    for path, value in flat_properties(thing).items():
        if path.count(".") > 1 or isinstance(value, bool):
            continue
        name = property_name(path).name
        role = "sku" if normal_form(path) in _CODE_KEYS and "sku" not in found else name
        if role in _ROLES and role not in found:
            found.add(role)
            yield role, str(value).strip()


def _namesakes(values: list[ScriptValue], heading: str) -> Iterator[tuple[int, Mapping[str, Json]]]:
    """Yield the objects with the name of the item, wherever they stand in the state, and the row of their script."""
    left, count = MAX_VALUES, 0
    for script in values:
        pending: deque[tuple[Json, int]] = deque([(script.value, 0)])
        visited: set[int] = set()
        while pending and left > 0 and count < MAX_OBJECTS:
            value, depth = pending.popleft()
            if not isinstance(value, (dict, list)) or depth > MAX_DEPTH or id(value) in visited:
                continue
            visited.add(id(value))
            left -= len(value)
            if isinstance(value, dict):
                if _is_called(value, heading):
                    count += 1
                    yield script.row, value
                pending.extend((entry, depth + 1) for entry in value.values() if isinstance(entry, (dict, list)))
            else:
                pending.extend((entry, depth + 1) for entry in value if isinstance(entry, (dict, list)))


def _is_called(thing: Mapping[str, Json], heading: str) -> bool:
    for key, text in thing.items():
        is_name = isinstance(text, str) and 3 < len(text) <= MAX_NAME_CHARS and key.lower().replace("_", "") in _NAMES
        if is_name and normal_form(str(text)) == heading:
            return True
    return False
