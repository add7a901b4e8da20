"""A table as the bytes of a file, for downloads and answers over HTTP."""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from peneira.errors import ArgumentError, MissingExtra
from peneira.table import Table


@dataclass(frozen=True, slots=True)
class TableFormat:
    """A format that tables can be downloaded in: its name for readers, its media type, the ending of its files."""

    label: str
    media_type: str
    ending: str
    written: Callable[[Table], bytes]
    package: str = ""
    extra: str = ""

    @property
    def is_available(self) -> bool:
        """Whether the package that it needs is installed."""
        return not self.package or importlib.util.find_spec(self.package) is not None


def table_file(table: Table, name: str) -> bytes:
    """Return a table in the format of that name."""
    if name not in FORMATS:
        raise ArgumentError(f"format={name!r} is unknown; write one of {', '.join(FORMATS)}")
    format_ = FORMATS[name]
    if not format_.is_available:
        raise MissingExtra(format_.extra, f"the format {name}")
    return format_.written(table)


def _text(write: Callable[[Table, io.StringIO], object]) -> Callable[[Table], bytes]:
    def written(table: Table) -> bytes:
        file = io.StringIO()
        write(table, file)
        return file.getvalue().encode("utf-8", "replace")

    return written


def _binary(write: Callable[[Table, io.BytesIO], object]) -> Callable[[Table], bytes]:
    def written(table: Table) -> bytes:
        file = io.BytesIO()
        write(table, file)
        return file.getvalue()

    return written


def _sqlite(table: Table) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "records.sqlite"
        table.to_sqlite(path, table_name="records")
        return path.read_bytes()


_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
FORMATS: dict[str, TableFormat] = {
    "csv": TableFormat("CSV", "text/csv", "csv", _text(Table.to_csv)),
    "xlsx": TableFormat("Excel", _XLSX, "xlsx", _binary(Table.to_xlsx), "xlsxwriter", "xlsx"),
    "json": TableFormat("JSON", "application/json", "json", _text(Table.to_json)),
    "jsonl": TableFormat("JSON Lines", "application/x-ndjson", "jsonl", _text(Table.to_jsonl)),
    "tsv": TableFormat("TSV", "text/tab-separated-values", "tsv", _text(Table.to_tsv)),
    "md": TableFormat("Markdown", "text/markdown", "md", _text(Table.to_markdown)),
    "parquet": TableFormat(
        "Parquet", "application/vnd.apache.parquet", "parquet", _binary(Table.to_parquet), "pyarrow", "parquet"
    ),
    "arrow": TableFormat(
        "Arrow", "application/vnd.apache.arrow.file", "arrow", _binary(Table.to_feather), "pyarrow", "parquet"
    ),
    "sqlite": TableFormat("SQLite", "application/vnd.sqlite3", "sqlite", _sqlite),
}
