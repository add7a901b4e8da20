"""Records of two things of one kind, such as the teams of a game: its address is not the link of either."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile

from peneira.columns.link_paths import url_parts
from peneira.columns.raw_columns import RawColumn
from peneira.columns.slot_alignment import with_ancestors
from peneira.columns.value_patterns import lead_elsewhere
from peneira.values import Role

# The share of the records that have each of the links, and how many records show it
MIN_FILL = 0.9
MIN_RECORDS = 3
# The links of both things, and that of the record
MIN_LINKS = 3


def with_link_of_both(
    roles: Sequence[Role | None], columns: Sequence[RawColumn], allowed: Sequence[bool], records: int
) -> list[Role | None]:
    """Return the roles with another address, where the one so far leads to one of two things of a kind: a link that
    says the same in all records and leads to another page in each, "Final". ``allowed``: no links in headed tables,
    whose columns are things of their own.
    """
    address = roles.index("url") if "url" in roles else -1
    if address < 0 or records < MIN_RECORDS or columns[address].attribute != "href":
        return list(roles)
    links = [
        k
        for k, column in enumerate(columns)
        if column.attribute == "href" and not column.is_list and len(column.values) >= MIN_FILL * records
    ]
    said = _texts_by_slot(columns) if address in links and len(links) >= MIN_LINKS else {}
    buttons = [k for k in links if k != address and allowed[k] and _is_button_of_each(columns[k], said)]
    if not buttons:  # as on most pages
        return list(roles)
    folders = {k: _folder(columns[k]) for k in links}
    own = folders.get(address)
    if own is None or not any(
        k != address and folders[k] == own and _are_of_a_kind(columns[k], columns[address]) for k in links
    ):
        return list(roles)
    of_both = [k for k in buttons if folders[k] not in (None, own)]
    if len(of_both) != 1:
        return list(roles)
    return ["url" if k == of_both[0] else None if k == address else role for k, role in enumerate(roles)]


def _folder(column: RawColumn) -> tuple[str, str, tuple[str, ...]] | None:
    """Return the host and the folder that all addresses of a column have in common, and the names in the query of the
    first; None without a folder."""
    parts = [url_parts(text) for text in column.first_texts().values()]
    hosts, paths = {host for host, *_ in parts}, [path.split("/") for _, path, _ in parts]
    names = tuple([name.partition("=")[0] for name in parts[0][2].split("&")])
    common = [step for step, _ in takewhile(lambda pair: pair[0] == pair[1], zip(min(paths), max(paths), strict=False))]
    return (hosts.pop(), "/".join(common), names) if len(hosts) == 1 and any(common) else None


def _are_of_a_kind(column: RawColumn, other: RawColumn) -> bool:
    """Return whether links stand in elements of the same tags and lead to different things in each record: no page
    about the page of the other one, as /p/1/photos, /p/1#reviews."""
    if _tags(column) != _tags(other):
        return False
    own, others = column.first_texts(), other.first_texts()
    return not any(
        _is_about(*pair) or _is_about(*reversed(pair))
        for pair in ((own[k], others[k]) for k in own.keys() & others.keys())
    )


def _is_about(url: str, other: str) -> bool:
    return url.startswith(other) and not url[len(other) : len(other) + 1].isalnum()


def _tags(column: RawColumn) -> list[str]:
    return [slot.features.tag for slot in with_ancestors(column.slot)]


def _texts_by_slot(columns: Sequence[RawColumn]) -> Mapping[int, list[RawColumn]]:
    texts: dict[int, list[RawColumn]] = {}
    for column in columns:
        if not column.attribute:
            for slot in with_ancestors(column.slot):
                texts.setdefault(id(slot), []).append(column)
    return texts


def _is_button_of_each(column: RawColumn, said: Mapping[int, list[RawColumn]]) -> bool:
    """Return whether links say the same in all records and lead to a page of this site for each."""
    inside = said.get(id(column.slot), [])
    texts = column.first_texts().values()
    is_own = len(inside) == 1 and inside[0].distinct == 1 and column.distinct == len(texts)
    return is_own and not lead_elsewhere(texts)
