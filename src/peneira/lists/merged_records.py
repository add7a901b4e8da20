"""Records that are several in truth: a group of rows that spans two groups has pieces of two records in each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from peneira.lists.cell_kinds import CellKind, CellReader
from peneira.lists.cell_lines import Pieces, are_distinct

# What each piece of a record links to
Targets = Sequence[set[str]]


def are_merged(reader: CellReader, kinds: Sequence[CellKind], titles: Sequence[int], records: Sequence[Pieces]) -> bool:
    """Return whether records have pieces of several; ``titles``: the places of texts that differ.

    Each has one picture of its own (buttons and stars are the same in many), and nothing but the picture, or a link
    to the same page, tells that a second text of the kind of the title is not a title.
    """
    pictured = [place for place, kind in enumerate(kinds) if kind is CellKind.PICTURE]
    pictures = sum(_are_own_pictures(reader, [pieces[place] for pieces in records]) for place in pictured)
    links = [[_links(reader, cell) for cell in pieces] for pieces in records]
    others = [place for place in titles[1:] if kinds[place] is kinds[titles[0]]]
    if pictures > 1 or (not pictures and any(_link_apart(links, titles[0], place) for place in others)):
        return True
    return _link_crosswise(links, titles[0]) or _have_two_targets(links, titles[0])


def _are_own_pictures(reader: CellReader, cells: Sequence[int | None]) -> bool:
    """Return whether most of the cells have other images than the rest."""
    page = reader.page
    filled = [cell for cell in cells if cell is not None and reader.kind(cell) is CellKind.PICTURE]
    images = (
        [sorted(page.attrs[row].items()) for row in range(cell, page.lists.end[cell]) if page.name(row) == "img"]
        for cell in filled
    )
    return are_distinct([str(own) for own in images])


def _link_apart(linked: Sequence[Targets], first: int, second: int) -> bool:
    """Return whether the cells at two places do not link to the same pages, in most records."""
    return 2 * sum(not links[first].isdisjoint(links[second]) for links in linked) < len(linked)


def _link_crosswise(linked: Sequence[Targets], title: int) -> bool:
    """Return whether some piece links to the page of the title of another record, but not to that of its own."""
    times = Counter(target for links in linked for target in links[title])
    of_titles = {target for target, count in times.items() if count == 1}
    for links in linked:
        own = links[title]
        if own and any(own.isdisjoint(other) and not of_titles.isdisjoint(other) for other in links):
            return True
    return False


def _have_two_targets(linked: Sequence[Targets], title: int) -> bool:
    """Return whether two pieces of some record link to one page, and its title or two others to another.

    Pages that several records link to, such as the cart, tell nothing.
    """
    times = Counter(target for links in linked for target in set().union(*links))
    for links in linked:
        places: dict[str, set[int]] = {}
        for place, targets in enumerate(links):
            for target in targets:
                if times[target] == 1:
                    places.setdefault(target, set()).add(place)
        shared = [own for own in places.values() if len(own) > 1 or title in own]
        if any(own.isdisjoint(other) for own in shared if title not in own for other in shared):
            return True
    return False


def _links(reader: CellReader, cell: int | None) -> set[str]:
    return set() if cell is None else reader.links(cell)
