"""The cells of a wrapper's hidden columns, read when one of them is asked for."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from peneira.table import Cell
from peneira.wrappers.record_finder import TopRows
from peneira.wrappers.saved_columns import ColumnReader, SavedColumn


@dataclass(frozen=True, slots=True)
class HiddenRecordCells:
    """The hidden columns of the records of a page, which are given by their topmost rows, and their names."""

    reader: ColumnReader
    columns: tuple[SavedColumn, ...]
    records: tuple[TopRows, ...]
    names: frozenset[str]

    def has_any(self, names: Collection[object]) -> bool:
        """Return whether a hidden column has one of the names."""
        return not self.names.isdisjoint(names)

    def cells(self, record: int) -> dict[str, Cell]:
        """Return the cells of a record by column."""
        found = ((column, self.reader.values(column, self.records[record])) for column in self.columns)
        return {column.name: self.reader.cell(column, values) for column, values in found if values is not None}
