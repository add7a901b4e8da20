"""A table as an Excel workbook: a sheet of the records, and one for each column of nested records, the headers frozen.

The ``record_id`` of a nested record is that of the record it belongs to.

Numbers, dates and times are real ones where Excel holds them exactly, else texts in ISO 8601: numbers beyond 15 digits,
days before March 1900 (Excel has a 29 February 1900), fractions of seconds, times with a zone. Lists are JSON
arrays. Texts are always texts, never formulas or links; a text that starts like a formula is marked with Excel's
own quote prefix, which is not part of it, so that it stays a text when it is edited.
"""

from __future__ import annotations

import datetime
import io
import json
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, BinaryIO

from peneira.account import NO_COLUMN, Account, Tally
from peneira.budget import check_budget, spend
from peneira.errors import MissingExtra, OutputError
from peneira.output.characters import XML
from peneira.output.formulas import is_formula
from peneira.output.schema import Relation, is_exact, relations, seconds, unused_name
from peneira.table import Table
from peneira.values import Scalar

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.workbook import Workbook
    from xlsxwriter.worksheet import Worksheet

MAX_ROWS = 1_048_576
MAX_COLUMNS = 16_384
MAX_CHARS = 32_767
_MAX_WIDTH_CHARS = 60
_MIN_WIDTH_CHARS = 8
_FIRST_DAY = datetime.date(1900, 3, 1)
_PATTERNS = {
    datetime.date: "yyyy-mm-dd",
    datetime.datetime: "yyyy-mm-dd hh:mm:ss",
    datetime.time: "hh:mm:ss",
    datetime.timedelta: "[h]:mm:ss",
}
_RETURN_REASON = "a return, which readers of XLSX change, became a newline"
_CUT_REASON = f"cut to {MAX_CHARS:,} characters, the most that a cell of XLSX holds"
_ROWS_REASON = f"a sheet of XLSX holds {MAX_ROWS - 1:,} and a header"
_NESTED_ROWS_REASON = f"nested in others; {_ROWS_REASON}"
_MAIN_SHEET = "records"
MAX_SHEET_NAME_CHARS = 31
_NUMBER_ROOM = "_999"  # what two sheets of one name may add
# https://support.microsoft.com/office/rename-a-worksheet-3f1f7148-ee83-404d-8ef0-9ff99fbad1f9
_NOT_IN_SHEET_NAMES = re.compile(r"[\[\]:*?/\\]|^'|'$")
_RESERVED_SHEET_NAME = "history"


def write_xlsx(table: Table, file: BinaryIO, *, raw: bool = False) -> Account:
    """Write a workbook and return the account. ``raw`` leaves out the quote prefix. Raises ``MissingExtra``."""
    try:
        from xlsxwriter import Workbook
    except ImportError as error:
        raise MissingExtra("xlsx", "writing XLSX") from error
    data = io.BytesIO()  # a ZIP file that fails halfway complains again when it is collected
    with Workbook(data, {"in_memory": True}) as book:
        book.set_properties({"created": datetime.datetime(1980, 1, 1)})  # equal tables give equal bytes
        account = _Book(book, raw).fill(table)
    file.write(data.getbuffer())
    return account


class _Book:
    """The workbook while it is written."""

    def __init__(self, book: Workbook, raw: bool) -> None:
        self.book = book
        self.raw = raw
        self.tally = Tally()
        self.header = book.add_format({"bold": True})
        self.quoted_header = book.add_format({"bold": True, "quote_prefix": True})
        self.blank = book.add_format({"num_format": "@"})
        self.quoted = book.add_format({"quote_prefix": True})
        self.formats = {type_: book.add_format({"num_format": pattern}) for type_, pattern in _PATTERNS.items()}

    def fill(self, table: Table) -> Account:
        tables = relations(table)
        names: list[str] = []
        for relation in tables:
            names.append(_sheet_name(relation, names))
            self.fill_sheet(self.book.add_worksheet(names[-1]), relation)
        written = min(len(table.rows), MAX_ROWS - 1) if tables[0].fields else 0
        self.tally.lose("records", _ROWS_REASON if tables[0].fields else NO_COLUMN, len(table.rows) - written)
        return self.tally.account(len(table.rows), written)

    def fill_sheet(self, sheet: Worksheet, relation: Relation) -> None:
        """Write a table without nested records into a sheet."""
        if len(relation.fields) > MAX_COLUMNS:
            raise OutputError(
                "XLSX", f"{len(relation.fields):,} columns are more than the {MAX_COLUMNS:,} that a sheet holds"
            )
        self.sheet = sheet
        for k, field in enumerate(relation.fields):
            check_budget()
            widths = [self.write_text(0, k, field.name, self.header, self.quoted_header)]
            widths += [self.write(row, k, value) for row, value in enumerate(field.values[: MAX_ROWS - 1], start=1)]
            sheet.set_column(k, k, min(max(*widths, _MIN_WIDTH_CHARS), _MAX_WIDTH_CHARS) + 2)
        last = min(relation.rows, MAX_ROWS - 1)
        if last and relation.fields and all(field.values[last - 1] is None for field in relation.fields):
            sheet.write_blank(last, 0, None, self.blank)  # readers see no rows beyond the last cell
        if relation.fields:
            sheet.freeze_panes(1, 0)
            sheet.ignore_errors({"number_stored_as_text": f"A1:XFD{MAX_ROWS}"})
        if relation.path:
            self.tally.lose("records", _NESTED_ROWS_REASON, max(relation.rows - MAX_ROWS + 1, 0))

    def write(self, row: int, column: int, value: Scalar) -> int:
        """Write one value and return about how wide it is, in characters."""
        match value:
            case None:
                return 0
            case bool():
                self.sheet.write_boolean(row, column, value)
            case int() | Decimal() if is_exact(Decimal(value)):
                self.sheet.write_number(row, column, value)
            case datetime.date() | datetime.time() | datetime.timedelta() if _is_exact_in_excel(value):
                self.sheet.write_datetime(row, column, value, self.formats[type(value)])
            case _:
                return self.write_text(row, column, _text(value), None, self.quoted)
        return len(str(value))

    def write_text(self, row: int, column: int, text: str, plain: Format | None, quoted: Format) -> int:
        """Write a text and return the length of its longest line."""
        text = self.fitted(text)
        spend("output_bytes", len(text))
        self.sheet.write_string(row, column, text, quoted if not self.raw and is_formula(text) else plain)
        return max(map(len, text.split("\n")))

    def fitted(self, text: str) -> str:
        """Return the text as a cell can hold it."""
        if "\r" in text:
            self.tally.lose("cells", _RETURN_REASON)
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        text = XML.replace_forbidden(text, self.tally)
        cut = _cut(text, MAX_CHARS)
        if len(cut) < len(text):
            self.tally.lose("cells", _CUT_REASON)
        return cut


def _sheet_name(relation: Relation, names: Sequence[str]) -> str:
    """Return the name of the sheet: that of the column of nested records, as Excel takes it."""
    name = _NOT_IN_SHEET_NAMES.sub("_", XML.replace_forbidden("_".join(relation.path) or _MAIN_SHEET, Tally()))
    name = _cut(name, MAX_SHEET_NAME_CHARS - len(_NUMBER_ROOM))
    return unused_name(name, {_RESERVED_SHEET_NAME, *(other.casefold() for other in names)})


def _cut(text: str, max_units: int) -> str:
    """Return the text cut to a length as Excel counts it: an emoji is two."""
    return text.encode("utf-16-le")[: 2 * max_units].decode("utf-16-le", errors="ignore")


def _is_exact_in_excel(value: datetime.date | datetime.time | datetime.timedelta) -> bool:
    """Return whether Excel holds the value exactly."""
    if isinstance(value, datetime.timedelta):
        return value >= datetime.timedelta() and not value.microseconds
    if isinstance(value, datetime.time):
        return not value.microsecond
    if isinstance(value, datetime.datetime):
        return value.date() >= _FIRST_DAY and value.tzinfo is None and not value.microsecond
    return value >= _FIRST_DAY


def _text(value: Scalar) -> str:
    match value:
        case datetime.timedelta():
            return str(seconds(value))
        case datetime.date() | datetime.time():
            return value.isoformat()
        case tuple():
            return json.dumps(value, ensure_ascii=False)
        case _:
            return str(value)
