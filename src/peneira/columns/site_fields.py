"""Which columns of several pages are one field: by their place, by the label that the page gives them, by their role.

Place comes before role: what stands at the same place of the same template is the same field, even if only some pages
have enough records to tell what it is. Two columns of one page are never one field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal, TypeAlias

from peneira.columns.names import base_name
from peneira.late_patterns import late_pattern
from peneira.table import Cell, Column
from peneira.trees.alignment import increasing_pairs
from peneira.values import Role

Key: TypeAlias = tuple[str, ...]

_WORDS = late_pattern(r"\.[^/]*")
_POSITION = late_pattern(r"\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class FieldOptions:
    """When columns of the same place are one field, and what is given to a role."""

    # Of several columns at one place, at most this many are compared, by this many values
    max_compared: int = 40
    max_values: int = 40
    # The least similarity of two columns, of several at one place, and what an equal number of columns adds to it
    min_similarity: float = 0.75
    equal_count_bonus: float = 0.5
    # Two columns share values if this share of the fewer is common
    min_common_values: float = 0.2
    # A role counts if this share of the pages of its column has a column of the role
    min_role_share: float = 0.3
    # The least share of the pages with a column that show it
    min_shown_share: float = 0.5


OPTIONS = FieldOptions()


@dataclass(frozen=True, slots=True)
class PageColumns:
    """The columns of the list of one page, and the cells of each record by column name."""

    columns: Sequence[Column]
    cells: Sequence[Mapping[str, Cell]]

    def sample(self, name: str) -> list[Cell]:
        """Return some cells of a column."""
        found = (cell for cells in self.cells if (cell := cells.get(name)) is not None)
        return list(islice(found, OPTIONS.max_values))


@dataclass(slots=True, eq=False)
class SiteField:
    """A field of a site: its column on each page that has it, by the number of the page.

    ``outvoted``: on how many pages it has a role that is another field's on the whole, which the page has too.
    """

    columns: dict[int, Column] = field(default_factory=dict)
    role: Role | Literal[""] = ""
    outvoted: int = 0

    @property
    def first(self) -> Column:
        """The column of the first page that has the field."""
        return self.columns[min(self.columns)]

    @property
    def is_shown(self) -> bool:
        """Whether the table has the field: it has a role, or enough of its pages show it."""
        shown = sum(not column.is_template for column in self.columns.values()) - self.outvoted
        return bool(self.role) or shown >= OPTIONS.min_shown_share * len(self.columns)

    @property
    def label(self) -> str:
        """The label that the first page that has one gives the field, in lower case."""
        return next((column.label.casefold() for column in self.columns.values() if column.label), "")


@dataclass(frozen=True, slots=True)
class _Look:
    """What the values of a column look like."""

    column: Column
    chars: float
    digit_share: float
    texts: frozenset[str]
    position: tuple[int, ...]


def site_fields(pages: Sequence[PageColumns]) -> list[SiteField]:
    """Return the fields of the pages in the order in which they first appear, each with its role."""
    matcher = _Matcher(pages)
    for number in range(len(pages)):
        matcher.add(number)
    return _with_roles(matcher.fields, [len(page.cells) for page in pages])


class _Matcher:
    """Collects the columns of page after page into fields."""

    def __init__(self, pages: Sequence[PageColumns]) -> None:
        self.fields: list[SiteField] = []
        self._pages = pages
        self._by_key: dict[Key, dict[int, SiteField]] = {}
        self._looks: dict[tuple[int, str], _Look] = {}

    def add(self, page: int) -> None:
        """Add the columns of a page, to the fields that there are or as new ones."""
        columns = list(self._pages[page].columns)
        matched: list[tuple[SiteField, Column]] = []
        for key_of in _KEYS:
            columns = self._match(page, columns, key_of, matched)
        for column in columns:
            self.fields.append(SiteField())
            matched.append((self.fields[-1], column))
        for site_field, column in matched:
            site_field.columns[page] = column
            for key_of in _KEYS:
                if (key := key_of(column)) is not None:
                    self._by_key.setdefault(key, {})[id(site_field)] = site_field

    def _match(
        self,
        page: int,
        columns: Sequence[Column],
        key_of: Callable[[Column], Key | None],
        matched: list[tuple[SiteField, Column]],
    ) -> list[Column]:
        """Add to the matched those columns whose field is known by a key; return the others."""
        groups: dict[Key, list[Column]] = {}
        for column in columns:
            key = key_of(column)
            if key in self._by_key and key is not None:
                groups.setdefault(key, []).append(column)
        taken = {id(site_field) for site_field, _ in matched}
        found: set[str] = set()
        for key, group in groups.items():
            known = self._by_key[key].values()
            free = list(islice((each for each in known if id(each) not in taken), OPTIONS.max_compared))
            for site_field, column in self._pairs(page, free, group[: OPTIONS.max_compared]):
                matched.append((site_field, column))
                taken.add(id(site_field))
                found.add(column.name)
        return [column for column in columns if column.name not in found]

    def _pairs(
        self, page: int, fields: Sequence[SiteField], columns: Sequence[Column]
    ) -> list[tuple[SiteField, Column]]:
        """Return the fields with their columns; where there are several, those that look alike, in order."""
        if len(fields) == len(columns) == 1:
            return [(fields[0], columns[0])]
        looks = [self._look(max(each.columns), each.columns[max(each.columns)]) for each in fields]
        own = [self._look(page, column) for column in columns]
        by_position = sorted(range(len(fields)), key=lambda k: looks[k].position)
        in_order = sorted(range(len(columns)), key=lambda k: own[k].position)
        pairs = _aligned([looks[k] for k in by_position], [own[k] for k in in_order])
        return [(fields[by_position[a]], columns[in_order[b]]) for a, b in pairs]

    def _look(self, page: int, column: Column) -> _Look:
        key = page, column.name
        if key not in self._looks:
            cells = self._pages[page].sample(column.name)
            texts = [cell.text for cell in cells]
            chars = sum(map(len, texts))
            digits = sum(char.isdigit() for text in texts for char in text)
            position = max((tuple(map(int, _POSITION.findall(cell.xpath)[-3:])) for cell in cells[:5]), default=())
            self._looks[key] = _Look(
                column, chars / max(len(texts), 1), digits / max(chars, 1), frozenset(texts), position
            )
        return self._looks[key]


def _place_key(column: Column) -> Key | None:
    """Return where a column stands: equal for the columns of one field, and for others at the same place."""
    return "place", column.source, column.path or base_name(column.name), column.part, column.label.casefold()


def _label_key(column: Column) -> Key | None:
    if not column.label:
        return None
    address = column.type if column.type in ("url", "image") else ""
    return "label", column.label.casefold(), address, column.part


def _look_key(column: Column) -> Key | None:
    """Return the tags around a column with the class words of the innermost alone: outer ones differ between pages."""
    path, _, attribute = column.path.partition("/@")
    steps = path.removesuffix("/#text").split("/")
    if column.label or column.role or "." not in steps[-1]:
        return None
    return "look", _WORDS.sub("", path), steps[-1], attribute, column.part, column.type, base_name(column.name)


_KEYS: tuple[Callable[[Column], Key | None], ...] = (_place_key, _label_key, _look_key)


def _aligned(first: Sequence[_Look], second: Sequence[_Look]) -> list[tuple[int, int]]:
    """Return the pairs of the alignment in order that is most similar. O(|first| * |second|) time."""
    bonus = OPTIONS.equal_count_bonus * (len(first) == len(second))
    similarity = [[_similarity(a, b) + bonus for b in second] for a in first]
    return increasing_pairs([[own if own >= OPTIONS.min_similarity else 0.0 for own in row] for row in similarity])


def _similarity(a: _Look, b: _Look) -> float:
    """Return how alike the columns of two pages look: roles, types, lengths, digits and common values."""
    score = 1.0 if a.column.type == b.column.type else -1.0
    if a.column.role and b.column.role:
        score += 2.0 if a.column.role == b.column.role else -1.0
    score += min(a.chars, b.chars) / max(a.chars, b.chars, 1.0)
    score += 0.5 - abs(a.digit_share - b.digit_share)
    common = len(a.texts & b.texts)
    return score + (common > OPTIONS.min_common_values * min(len(a.texts), len(b.texts)))


def _with_roles(fields: Sequence[SiteField], records: Sequence[int]) -> list[SiteField]:
    """Return the fields with their roles: each role has one field, the one that has it on the most pages.

    Of two that have it on as many pages, the one with more pages wins, then with more records. Fields of the same role
    that no page has together are one: pages of other forms.
    """
    pages_of_role: dict[str, set[int]] = {}
    votes: list[tuple[int, int, int, int, Role]] = []
    for k, site_field in enumerate(fields):
        for role, pages in _pages_by_role(site_field).items():
            pages_of_role.setdefault(role, set()).update(pages)
            votes.append((-len(pages), -len(site_field.columns), -sum(records[page] for page in pages), k, role))
    owner: dict[str, SiteField] = {}
    for *_, k, role in sorted(votes):
        own_pages = fields[k].columns.keys()
        share = len(pages_of_role[role] & own_pages) / len(own_pages)
        if role not in owner and not fields[k].role and share >= OPTIONS.min_role_share:
            fields[k].role, owner[role] = role, fields[k]
    kept = [each for each in fields if not _is_merged(each, owner)]
    for each in kept:
        each.outvoted = sum(
            column.role in owner and page in owner[column.role].columns and column.role != each.role
            for page, column in each.columns.items()
        )
        if not each.is_shown:
            _give_up_roles(each, owner)
    return [each for each in kept if each.columns]


def _pages_by_role(site_field: SiteField) -> dict[Role, list[int]]:
    pages: dict[Role, list[int]] = {}
    for page, column in site_field.columns.items():
        if column.role:
            pages.setdefault(column.role, []).append(page)
    return pages


def _is_merged(site_field: SiteField, owner: Mapping[str, SiteField]) -> bool:
    """Return whether a field without a role is that of another, and if so, add its columns there."""
    roles = Counter(column.role for column in site_field.columns.values() if column.role)
    target = owner.get(roles.most_common(1)[0][0]) if roles else None
    if target is None or site_field.role or target.columns.keys() & site_field.columns.keys():
        return False
    if not _may_join(site_field, target):
        return False
    target.columns.update(site_field.columns)
    return True


def _give_up_roles(site_field: SiteField, owner: Mapping[str, SiteField]) -> None:
    """Add columns of a field that is not shown to the field of their role, on pages that have no other of the role."""
    for page, column in list(site_field.columns.items()):
        target = owner.get(column.role)
        if target is not None and page not in target.columns and _may_join(site_field, target):
            target.columns[page] = site_field.columns.pop(page)


def _may_join(site_field: SiteField, target: SiteField) -> bool:
    """Return whether the page does not tell the fields apart by their labels."""
    return not (site_field.label and target.label) or site_field.label == target.label
