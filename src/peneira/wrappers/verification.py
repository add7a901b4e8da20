"""Verification: a wrapper reads its own learning pages, and what does not come back is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from peneira.errors import InputError
from peneira.preview import counted
from peneira.reasons import Reason, ReasonCode
from peneira.wrappers.list_page import ListPage
from peneira.wrappers.record_finder import FoundRecord
from peneira.wrappers.wrapper import Wrapper, fit_of


@dataclass(slots=True)
class _ReadAgain:
    """How many records of the learning pages there are and are read, and cells of those that are, by column."""

    records: int = 0
    read_records: int = 0
    extra_records: int = 0
    cells: Counter[str] = field(default_factory=Counter)
    read_cells: Counter[str] = field(default_factory=Counter)

    def add(self, page: ListPage, found: Sequence[FoundRecord], names: Sequence[str]) -> None:
        """Count the records and cells of a page, and those that are found there."""
        by_head = {record.top_rows[0]: record for record in found}
        right = 0
        for rows, record in zip(page.records, page.region.records, strict=True):
            own = next((by_head[row] for row in rows if row in by_head), None)
            if own is None:
                continue
            right += 1
            for name in names:
                if (cell := record.fields.get(name)) is not None and cell.source == "page":
                    values = own.values.get(name)
                    self.cells[name] += 1
                    self.read_cells[name] += values is not None and values.texts == (cell.items or (cell.text,))
        self.records += len(page.records)
        self.read_records += right
        self.extra_records += max(len(found) - right, 0)

    def notes(self) -> list[Reason]:
        """Return a reason for records that are not read or are read besides, and for each column that lacks cells."""
        notes = []
        if self.extra_records:
            besides = (
                f"{counted(self.extra_records, 'record')} more than the {self.records} of the learning pages are read"
            )
            notes.append(Reason(ReasonCode.RECORDS, besides, float(self.extra_records)))
        if self.read_records < self.records:
            missing = self.records - self.read_records
            detail = f"{missing} of {counted(self.records, 'record')} of the learning pages are not read"
            notes.append(Reason(ReasonCode.RECORDS, detail, round(self.read_records / self.records, 3)))
        for name, cells in self.cells.items():
            if wrong := cells - self.read_cells[name]:
                detail = f"{wrong} of {cells} cells of the column {name} are read otherwise or not"
                notes.append(Reason(ReasonCode.COLUMNS, detail, round(1 - wrong / cells, 3)))
        return notes


def verified(wrapper: Wrapper, pages: Sequence[ListPage]) -> Wrapper:
    """Return a wrapper of lists with notes for records and cells of its pages that it does not read, or reads besides.

    A wrapper that reads nothing of its own pages is an ``InputError``.
    """
    total = _ReadAgain()
    names = [column.name for column in wrapper.fields]
    for page in pages:
        found = wrapper.found_records(page.reader)
        is_other = not found or fit_of(wrapper, found).code == ReasonCode.OTHER_TEMPLATE
        total.add(page, [] if is_other else found, names)
    if not total.read_records or not total.read_cells.total():
        raise InputError(
            "the records of these pages cannot be told apart by selectors, so no wrapper reads them; "
            "use `peneira extract` for such pages"
        )
    return replace(wrapper, notes=(*total.notes(), *wrapper.notes))
