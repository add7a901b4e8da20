"""The thing that a page is about, among those that it describes, and its variants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from peneira.items.claims import normal_form
from peneira.items.kinds import KIND_OF_TYPE, PRECEDENCE
from peneira.items.page_view import PageView
from peneira.items.things import Thing
from peneira.result import ItemKind

# Names of a thing, in the order in which they count
NAMES = ("name", "headline", "title", "alternativeheadline")
# What a thing of the page shares with it: its name, its address; a thing with neither and with a namesake is another
_NAME_POINTS, _PART_POINTS, _ADDRESS_POINTS = 3.0, 1.5, 1.5
MIN_POINTS = 1.0


class MainThing(NamedTuple):
    """The thing that a page is about, its kind, and all descriptions of it: of other sources, and of its variants."""

    thing: Thing
    kind: ItemKind
    points: float
    same: tuple[Thing, ...]


def main_thing(view: PageView, things: Sequence[Thing]) -> MainThing | None:
    """Return the thing that the page is about, None if it describes none of a known kind."""
    known = [
        (thing, kind) for thing in things if (kind := KIND_OF_TYPE.get(thing.type)) and not _is_listed(view, thing)
    ]
    if not known:
        return None
    names: dict[ItemKind, set[str]] = {}
    for thing, kind in known:
        names.setdefault(kind, set()).add(normal_form(thing.text(*NAMES)))
    scored = [
        (_points(view, thing, kind, is_one_of_several=len(names[kind]) > 1), -k, thing, kind)
        for k, (thing, kind) in enumerate(known)
    ]
    points, _, best, kind = max(scored, key=lambda entry: entry[:2])
    if kind in ("person", "place") and points < MIN_POINTS + PRECEDENCE[kind]:
        return None
    name = normal_form(best.text(*NAMES))
    others = {normal_form(thing.text(*NAMES)) for thing, other in known if other == kind} - {name, ""}
    if others and points < PRECEDENCE[kind]:
        return None  # a list of such things, and the page is named after none of them
    same = [thing for thing, other in known if other == kind and thing is not best and _is_same(name, thing)]
    return MainThing(best, kind, points, (best, *same))


def _is_listed(view: PageView, thing: Thing) -> bool:
    """Return whether the page marks the thing in a list of others, or beside what it is about."""
    if thing.source == "json-ld" or thing.row <= view.heading_row < view.ends[thing.row]:
        return False
    return bool(view.listed[thing.row] or view.around[thing.row])


def _points(view: PageView, thing: Thing, kind: ItemKind, *, is_one_of_several: bool) -> float:
    points = PRECEDENCE[kind]
    name = normal_form(thing.text(*NAMES))
    heading = normal_form(view.heading.text) if view.heading else ""
    titles = heading + " " + normal_form(view.document_title) + " " + normal_form(view.metadata.get("og:title", ""))
    if name and name == heading:
        points += _NAME_POINTS
    elif len(name) > 2 and (name in titles or (heading and heading in name)):
        points += _PART_POINTS
    elif is_one_of_several:
        points -= _PART_POINTS  # one of several, and the page is not named after it
    elif kind == "recipe":
        points += _NAME_POINTS  # a post with a recipe in it is often called otherwise
    own = {_address(view.url), _address(view.canonical_url)} - {""}
    addresses = {
        _address(text) for key in ("url", "@id", "mainentityofpage") for text in thing.texts(key, "@id", "url")
    }
    if own & addresses:
        points += _ADDRESS_POINTS
    if kind in ("person", "place") and name and name in view.site_names:
        points -= _NAME_POINTS  # who runs the site
    filled = sum(
        thing.has(key) for key in ("offers", "recipeingredient", "articlebody", "description", "image", "author")
    )
    return points + 0.1 * filled


def _address(url: str) -> str:
    """Return what equal addresses have in common."""
    bare = url.split("#")[0].split("?")[0].rstrip("/").lower()
    return bare.removeprefix("https://").removeprefix("http://").removeprefix("www.")


def _is_same(name: str, thing: Thing) -> bool:
    """Return whether a thing is another description of that name, or one without any."""
    other = normal_form(thing.text(*NAMES))
    return other == name or (len(other) > 4 and len(name) > 4 and (other.startswith(name) or name.startswith(other)))
