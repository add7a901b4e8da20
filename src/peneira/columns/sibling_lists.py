"""Lists whose items alignment took for fields: tags that every record has the same number of, or of several forms.

Elements side by side that share a class word, of which one is a list already, are one list. So are three or more whose
values change places: what is the second tag of one record is the fifth of another, and no record has a tag twice; links
to pages called like their texts; and list items that are sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from peneira.columns.link_paths import url_parts
from peneira.columns.raw_columns import RawColumn
from peneira.columns.vocabulary import naming_words


@dataclass(frozen=True, slots=True)
class SiblingOptions:
    """When columns side by side are one list."""

    min_columns: int = 3
    # This share of the values are in another of the columns too, in another record
    min_shared: float = 0.4
    # Fewer distinct values are answers such as "yes" and "no"
    min_distinct: int = 4
    # Tags are short, and have letters
    max_mean_chars: float = 40.0
    min_letters: float = 0.8
    # Items of a list with more words on average are sentences, unless more than this share begin alike or have a colon
    min_sentence_words: float = 4.0
    max_starts_alike: float = 0.5
    # A record may have the same value twice in this share of the records
    max_repeating: float = 0.1
    # The last step of this share of the addresses of topics is their text
    min_called_alike: float = 0.9


OPTIONS = SiblingOptions()

# The element around a column, its tag if it has no class that means something, and the words of such a class
_Key = tuple[int, str, tuple[str, ...]]


def join_siblings(columns: Sequence[RawColumn]) -> list[RawColumn]:
    """Return the columns, those that are the items of one list joined into the first of them."""
    links = {id(column.slot): column for column in columns if column.attribute == "href"}
    groups: dict[_Key, list[RawColumn]] = {}
    for column in columns:
        if _may_be_item(column):
            for key in _keys(column):
                groups.setdefault(key, []).append(column)
    joined: set[int] = set()
    for (_, _, words), group in groups.items():
        left = [column for column in group if id(column) not in joined]
        has_list = bool(words) and any(column.is_list for column in left)
        if len(left) > 1 and (has_list or _change_places(left) or _are_topics(left, links) or _are_sentences(left)):
            _join(left)
            joined.update(id(column) for column in left[1:])
    return [column for column in columns if id(column) not in joined]


def _may_be_item(column: RawColumn) -> bool:
    slot = column.slot
    is_field = bool(slot.label or slot.features.label or slot.features.prop) or slot.column >= 0
    return not column.attribute and not column.nested and not is_field and slot.parent is not None


def _keys(column: RawColumn) -> list[_Key]:
    """Return what shows that columns stand side by side: the element around them, and a class or else the tag."""
    slot = column.slot
    names = list(dict.fromkeys(filter(None, map(naming_words, slot.features.ordered_words))))
    return [(id(slot.parent), "", words) for words in names] or [(id(slot.parent), slot.features.tag, ())]


def _change_places(columns: Sequence[RawColumn]) -> bool:
    """Return whether the values of the columns are found at other places in other records, and never twice in one."""
    if len(columns) < OPTIONS.min_columns:
        return False
    places: dict[str, set[int]] = {}
    by_record: dict[int, list[str]] = {}
    for k, column in enumerate(columns):
        for record, text in column.first_texts().items():
            places.setdefault(text, set()).add(k)
            by_record.setdefault(record, []).append(text)
    texts = [text for own in by_record.values() for text in own]
    if len(places) < max(OPTIONS.min_distinct, len(columns)) or len(by_record) < OPTIONS.min_columns:
        return False
    if sum(map(len, texts)) > OPTIONS.max_mean_chars * len(texts):
        return False
    if sum(any(map(str.isalpha, text)) for text in texts) < OPTIONS.min_letters * len(texts):
        return False
    repeating = sum(len(set(own)) < len(own) for own in by_record.values())
    if repeating > OPTIONS.max_repeating * len(by_record):
        return False
    return sum(len(places[text]) > 1 for text in texts) >= OPTIONS.min_shared * len(texts)


def _are_topics(columns: Sequence[RawColumn], links: Mapping[int, RawColumn]) -> bool:
    """Return whether the columns are links to pages of one folder that are called like their texts, as topics are:
    "python" leads to /topics/python."""
    if len(columns) < OPTIONS.min_columns:
        return False
    addresses = [link for column in columns if (link := _link_of(column, links)) is not None]
    if len(addresses) < len(columns):
        return False
    folders: set[str] = set()
    called_alike = total = 0
    for column, link in zip(columns, addresses, strict=True):
        hrefs = link.first_texts()
        for record, text in column.first_texts().items():
            _, path, _ = url_parts(hrefs.get(record, ""))
            folder, _, step = path.rstrip("/").rpartition("/")
            folders.add(folder)
            called_alike += _signs(unquote(step)) == _signs(text)
            total += 1
    return len(folders) == 1 and called_alike >= OPTIONS.min_called_alike * total


def _link_of(column: RawColumn, links: Mapping[int, RawColumn]) -> RawColumn | None:
    """Return the addresses of the links that the texts of a column are."""
    return links.get(id(column.slot)) or links.get(id(column.slot.parent))


def _signs(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _are_sentences(columns: Sequence[RawColumn]) -> bool:
    """Return whether columns are what is said of each record in a list of several sentences, none of them a field."""
    if len(columns) < OPTIONS.min_columns or any(column.slot.features.tag != "li" for column in columns):
        return False
    return all(_is_sentence(list(column.first_texts().values())) for column in columns)


def _is_sentence(texts: Sequence[str]) -> bool:
    words = [text.split() for text in texts]
    if len(texts) < OPTIONS.min_columns or sum(map(len, words)) < OPTIONS.min_sentence_words * len(texts):
        return False
    starts = Counter(tuple(own[:2]) for own in words)
    with_colon = sum(":" in text for text in texts)
    return max(max(starts.values()), with_colon) <= OPTIONS.max_starts_alike * len(texts)


def _join(columns: Sequence[RawColumn]) -> None:
    """Give the first of the columns the values of all, in the order of the page."""
    first = columns[0]
    records = sorted({record for column in columns for record in column.values})
    first.values = {
        record: sorted(
            [value for column in columns for value in column.values.get(record, ())], key=lambda value: value.row
        )
        for record in records
    }
    first.is_list = any(len(values) > 1 for values in first.values.values())
