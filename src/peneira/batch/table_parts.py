"""Part files: the rows of one part of a run as Parquet or JSON Lines, each file written whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Literal, Protocol

from peneira.batch.cell_form import JsonObject
from peneira.batch.row_schema import PAGE_FIELDS, PAGE_KEY, PAGES, FieldSpec, TaskTable, arrow_schema
from peneira.batch.tasks import PageOutcome
from peneira.files import OwnPath, replacing

PartFormat = Literal["parquet", "jsonl"]
# Rows that are in memory at a time, which are also a row group of Parquet
GROUP_ROWS = 2_000


class RowWriter(Protocol):
    """Writes the rows of one file."""

    def write(self, rows: Sequence[JsonObject]) -> None:
        """Write some rows."""


def part_path(folder: Path, number: int, format_: str) -> Path:
    """Return the path of a part file."""
    return folder / f"part-{number:06}.{format_}"


@contextmanager
def row_writer(path: Path, fields: tuple[FieldSpec, ...], format_: PartFormat) -> Iterator[RowWriter]:
    """Give a writer of a new file, which takes its name when all rows are written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(OwnPath(path)) as temporary:
        opened = _ParquetRows if format_ == "parquet" else _JsonRows
        writer = opened(temporary, fields)
        try:
            yield writer
        finally:
            writer.close()


class _ParquetRows:
    def __init__(self, path: Path, fields: tuple[FieldSpec, ...]) -> None:
        self._schema = arrow_schema(fields)
        from pyarrow import parquet

        self._writer = parquet.ParquetWriter(path, self._schema, compression="zstd")

    def write(self, rows: Sequence[JsonObject]) -> None:
        import pyarrow

        self._writer.write_table(pyarrow.Table.from_pylist(list(rows), self._schema))

    def close(self) -> None:
        self._writer.close()


class _JsonRows:
    def __init__(self, path: Path, _fields: tuple[FieldSpec, ...]) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")

    def write(self, rows: Sequence[JsonObject]) -> None:
        for row in rows:
            known = {name: value for name, value in row.items() if value is not None}
            self._file.write(json.dumps(known, ensure_ascii=False) + "\n")

    def close(self) -> None:
        self._file.close()


def task_rows(outcome: PageOutcome) -> Iterator[JsonObject]:
    """Yield the rows of the task's table with the page that they are from."""
    key = {name: outcome.page[name] for name, _ in PAGE_KEY}
    for row in outcome.rows:
        yield {**key, **row}


class Groups:
    """Rows that are written in groups."""

    def __init__(self, writer: RowWriter) -> None:
        self._writer = writer
        self._rows: list[JsonObject] = []

    def add(self, rows: Iterable[JsonObject]) -> None:
        """Add rows, and write a group where there are enough."""
        self._rows.extend(rows)
        if len(self._rows) >= GROUP_ROWS:
            self.flush()

    def flush(self) -> None:
        """Write what there is."""
        if self._rows:
            self._writer.write(self._rows)
            self._rows = []


def write_parts(
    outcomes: Iterable[PageOutcome], folder: Path, number: int, table: TaskTable, format_: PartFormat
) -> None:
    """Write the part files of the task's table and of ``pages``, which gets its name last."""
    with ExitStack() as stack:
        pages = Groups(
            stack.enter_context(row_writer(part_path(folder / PAGES, number, format_), PAGE_FIELDS, format_))
        )
        path = part_path(folder / table.name, number, format_)
        rows = Groups(stack.enter_context(row_writer(path, table.all_fields, format_)))
        for outcome in outcomes:
            rows.add(task_rows(outcome))
            pages.add([outcome.page])
        rows.flush()
        pages.flush()
