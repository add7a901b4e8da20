"""Where and how a table is written, by the options of the command line."""

from __future__ import annotations

import importlib.util
import io
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, TextIO, TypeAlias

import click

from peneira.account import Account
from peneira.cli.messages import say, write_stdout
from peneira.credentials import hidden_credentials
from peneira.errors import MissingExtra, OutputError
from peneira.files import OwnPath, text_file
from peneira.table import Table

TextWriter: TypeAlias = Callable[[Table, Path | TextIO, "Output"], Account]
BinaryWriter: TypeAlias = Callable[[Table, Path | BinaryIO, "Output"], Account]

_NOT_A_WORD = re.compile(r"\W+")
_NOT_IN_FILE_NAMES = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class Output:
    """Where a table goes and how. Without a path that is standard output; without a format, the one that suits.

    ``address``: that of a PostgreSQL database, in place of a path. ``append``: add to what is there.
    ``folder``: the output is a folder, for a run that writes its tables part by part (``folder_output``).
    """

    path: Path | None = None
    named_format: str | None = None
    bom: bool = False
    raw: bool = False
    table_name: str | None = None
    append: bool = False
    address: str | None = None
    folder: Path | None = None

    @property
    def format(self) -> str:
        """The format by option, by the ending of the file, or by default for standard output."""
        if self.address is not None:
            return "postgres"
        chosen = self.named_format or (_BY_ENDING.get(self.path.suffix.lower()) if self.path else None)
        if chosen is None and self.path is not None:
            raise click.UsageError(f"{self.path}: unknown ending; name the format with --format")
        return chosen or ("table" if sys.stdout.isatty() else "jsonl")

    @property
    def is_stdout(self) -> bool:
        """Whether the table goes to standard output."""
        return self.path is None and self.address is None

    def check(self) -> None:
        """Refuse what cannot be written, before any page is fetched."""
        self._check_usage()
        package, extra = _PACKAGES.get(self.format, ("", ""))
        if package and importlib.util.find_spec(package) is None:
            raise MissingExtra(extra, f"the format {self.format}")
        if self.path is not None and not self.path.parent.is_dir():
            raise OutputError(self.path, "cannot be written: no such folder")
        if self.address is not None:
            from peneira.output.postgres_table import check_postgres

            check_postgres(self.address, table_name=self.table_name, append=self.append)
        if self.path is not None and self.format == "sqlite" and not self.append:
            from peneira.output.database import check_sqlite

            check_sqlite(self.path, table_name=self.table_name)

    def _check_usage(self) -> None:
        if self.folder is not None:
            raise click.UsageError(f"{self.folder}: is a folder; name a file")
        given = {"--bom": self.bom, "--raw": self.raw, "--table": self.table_name is not None}
        for option, is_given in given.items():
            if is_given and self.format not in _FORMATS_WITH[option]:
                raise click.UsageError(f"{option} is for {' and '.join(_FORMATS_WITH[option])}, not for {self.format}")
        if self.append and self.format not in APPENDABLE:
            raise click.UsageError(f"--append is for {', '.join(APPENDABLE)}, not for {self.format}")
        if self.append and self.is_stdout:
            raise click.UsageError("--append adds to a file: name it with -o")
        if self.address is not None and self.named_format is not None:
            raise click.UsageError("a PostgreSQL database has no --format")
        if self.path is None and self.format == "sqlite":
            raise click.UsageError("an SQLite database is a file: name it with -o")
        if self.path is None and self.format in _BINARY and sys.stdout.isatty():
            raise click.UsageError(f"{self.format} is not for a terminal: name a file with -o, or pipe it")

    def for_site(self, site: str) -> Output:
        """Return the output of one site of several: a file of its own, in an SQLite database a table of its own."""
        if self.is_stdout:
            return self
        if self.path is None or self.format == "sqlite":
            from peneira.output.database import table_name_for

            base = table_name_for(self.path, self.table_name) if self.path else self.table_name or "records"
            return replace(self, table_name=f"{base}_{_NOT_A_WORD.sub('_', site)}")
        name = f"{self.path.stem}-{_NOT_IN_FILE_NAMES.sub('_', site)}{self.path.suffix}"
        return replace(self, path=OwnPath(self.path.with_name(name)), named_format=self.format)

    def write(self, table: Table) -> Account:
        """Write the table, say on standard error what came of it, and return the account."""
        if self.address is not None:
            account = table.to_postgres(self.address, table_name=self.table_name, append=self.append)
            say(f"{hidden_credentials(self.address)}: {account}")
            return account
        return self._reported(self._print(table) if self.path is None else self._save(table, self.path))

    def write_text(self, write: Callable[[TextIO], Account]) -> Account:
        """Write what a function writes, in place of a table; report and return the account."""
        if self.path is None:
            return self._reported(_print_text(write))
        with text_file(self.path) as file:
            account = write(file)
        return self._reported(account)

    def _reported(self, account: Account) -> Account:
        if self.path is not None:
            say(f"{self.path}: {account}")
        elif self.format != "table":  # a table for readers says so itself
            for loss in account.losses:
                say(f"standard output: {loss}")
        return account

    def _save(self, table: Table, path: Path) -> Account:
        if self.format == "sqlite":
            return table.to_sqlite(path, table_name=self.table_name, append=self.append)
        if self.append and path.exists() and path.stat().st_size:
            return self._append(table, path)
        if self.format in _BINARY:
            return _BINARY[self.format](table, path, self)
        return _TEXT[self.format](table, path, self)

    def _append(self, table: Table, path: Path) -> Account:
        """Add the records to a file that has the same columns."""
        from peneira.output.appending import append_delimited, append_lines, append_parquet

        if self.format == "parquet":
            return append_parquet(table, path)
        if self.format == "jsonl":
            return append_lines(path, lambda file: table.to_jsonl(file))
        separator = "," if self.format == "csv" else "\t"
        plain = replace(self, bom=False)
        return append_delimited(path, lambda file: _TEXT[self.format](table, file, plain), separator=separator)

    def _print(self, table: Table) -> Account:
        """Write the table to standard output and return the account."""
        if self.format in _BINARY:
            data = io.BytesIO()
            account = _BINARY[self.format](table, data, self)
            sys.stdout.buffer.write(data.getvalue())
            return account
        if self.format == "table" and not table.rows:
            return Account(0, 0)
        if self.format == "table" and sys.stdout.isatty():
            return _write_for_readers(table, sys.stdout, self)
        return _print_text(lambda file: _TEXT[self.format](table, file, self))


def _print_text(write: Callable[[TextIO], Account]) -> Account:
    """Print what a function writes, and return the account."""
    text = io.StringIO()
    account = write(text)
    write_stdout(text.getvalue(), end="")
    return account


def _write_for_readers(table: Table, file: Path | TextIO, _output: Output) -> Account:
    from peneira.output.terminal import print_table  # imports rich

    with text_file(file) as opened:
        return print_table(table, opened)


_TEXT: dict[str, TextWriter] = {
    "table": _write_for_readers,
    "jsonl": lambda table, file, _: table.to_jsonl(file),
    "json": lambda table, file, _: table.to_json(file),
    "csv": lambda table, file, output: table.to_csv(file, bom=output.bom, raw=output.raw),
    "tsv": lambda table, file, output: table.to_tsv(file, bom=output.bom, raw=output.raw),
    "md": lambda table, file, _: table.to_markdown(file),
}
_BINARY: dict[str, BinaryWriter] = {
    "parquet": lambda table, file, _: table.to_parquet(file),
    "arrow": lambda table, file, _: table.to_feather(file),
    "xlsx": lambda table, file, output: table.to_xlsx(file, raw=output.raw),
}
FORMATS = (*_TEXT, *_BINARY, "sqlite")
# Formats to which records can be added
APPENDABLE = ("csv", "tsv", "jsonl", "parquet", "sqlite", "postgres")
_ENDINGS = {
    "jsonl": (".jsonl", ".ndjson"),
    "json": (".json",),
    "csv": (".csv",),
    "tsv": (".tsv", ".tab"),
    "md": (".md", ".markdown"),
    "parquet": (".parquet", ".pq"),
    "arrow": (".arrow", ".feather"),
    "xlsx": (".xlsx",),
    "sqlite": (".sqlite", ".sqlite3", ".db"),
}
_BY_ENDING = {ending: format_ for format_, endings in _ENDINGS.items() for ending in endings}
_FORMATS_WITH = {"--bom": ("csv", "tsv"), "--raw": ("csv", "tsv", "xlsx"), "--table": ("sqlite", "postgres")}
# The package that a format needs, and the extra that brings it
_PACKAGES = {"parquet": ("pyarrow", "parquet"), "arrow": ("pyarrow", "parquet"), "xlsx": ("xlsxwriter", "xlsx")}
