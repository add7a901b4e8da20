"""Links to a file of each record that say the same in all of them: "Agenda", "Minutes". They are no controls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from peneira.columns.raw_columns import RawColumn
from peneira.columns.slot_alignment import with_ancestors
from peneira.late_patterns import late_pattern


@dataclass(frozen=True, slots=True)
class DocumentOptions:
    """When addresses are those of documents."""

    # This many records show it
    min_records: int = 3
    # More than this share of the addresses are those of files, as of different ones
    min_share: float = 0.8
    # The text that the links stand in differs in at most so many ways: records have one, another or both
    max_kinds: int = 4


OPTIONS = DocumentOptions()
_FILE = late_pattern(r"\.(?:pdf|docx?|xlsx?|odt|ods|rtf|csv|zip|mp3)(?:[?#]|$)", re.IGNORECASE)


def document_names(columns: Sequence[RawColumn]) -> dict[int, str]:
    """Return what links to documents say, by the number of the column of their addresses."""
    numbers = [k for k, column in enumerate(columns) if _leads_to_files(column)]
    if not numbers:
        return {}
    texts: dict[int, list[RawColumn]] = {}
    for column in columns:
        if not column.attribute:
            for slot in islice(with_ancestors(column.slot), 2):
                texts.setdefault(id(slot), []).append(column)
    return dict(_named(columns, numbers, texts))


def _named(
    columns: Sequence[RawColumn], numbers: Sequence[int], texts: dict[int, list[RawColumn]]
) -> Iterator[tuple[int, str]]:
    for k in numbers:
        inside = texts.get(id(columns[k].slot), ())
        if len(inside) == 1 and inside[0].distinct == 1:
            around = inside[0].container
            if around is None or around.distinct <= OPTIONS.max_kinds:
                yield k, next(iter(inside[0].first_texts().values()))


def _leads_to_files(column: RawColumn) -> bool:
    """Return whether the addresses of a column are those of files, another for each record."""
    if column.attribute != "href" or column.is_list or len(column.values) < OPTIONS.min_records:
        return False
    least = OPTIONS.min_share * len(column.values)
    return column.distinct > least and sum(_FILE.search(text) is not None for text in column.all_texts()) > least
