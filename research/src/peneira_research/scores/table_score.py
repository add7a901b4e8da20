"""The table score: are records whole, is every value in a cell of its own, are the columns those a person would make?

All texts are compared squeezed. Per page:

- *whole*: share of the gold texts (not addresses, not of groups, not very short) in the text of the record that holds
  their anchor; *astray*: share in the text of the record before or after it instead.
- *found*: share of all gold values that are a cell of their own: equal to it, or containing it and at most 1.7 times as
  long; an address may also end with it.
- *named*: of the fields that have a role and were found, the share whose most frequent column has that role or name.
- *redundant*: share of the columns that tell nothing new, as their text is the same in most records or part of another
  column's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from peneira.result import Region
from peneira.table import Column
from peneira_research.corpora.gold_pages import FieldValue, value_texts
from peneira_research.scores.record_score import match
from peneira_research.squeezed_text import squeeze

# Fields whose column should have the role or name of the field
ROLES = frozenset(
    "title url image price date author summary location company rating address description".split()
)  # fmt: skip
# How many times as long as the value the cell that holds it may be
MAX_LENGTH = 1.7
# Shorter gold texts occur in a record by chance
MIN_WHOLE_CHARS = 4
# Of a page that is cut out of phase, this share of the gold texts or more is in the record beside theirs: a record then
# begins with the end of the one before it, or ends with the beginning of the next
MIN_OUT_OF_PHASE_SHARE = 0.1
# A column tells nothing new from these shares on: of the records with the same text, of cells that another holds
MAX_SAME_SHARE = 0.8
MIN_REPEATED_SHARE = 0.9
# In a table of so few records, equal texts mean nothing
MAX_FEW_RECORDS = 2

Cells = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class TableRecord:
    """The text of a record, and by column the texts of its cell: one of a plain cell, one per item of a list."""

    text: str
    cells: Cells


@dataclass(frozen=True, slots=True)
class FieldTally:
    """A field of a page: its gold values, those found, and the column that most of them are in.

    ``is_named``: that column has the field's role or name; None for a field without a role or not found.
    """

    values: int = 0
    found: int = 0
    column: str = ""
    is_named: bool | None = None


@dataclass(frozen=True, slots=True)
class TableScore:
    """The counts of one page, and its shares. ``texts``: gold values that may be whole; ``fields``: by name."""

    texts: int
    whole: int
    astray: int
    columns: int
    redundant: tuple[str, ...]
    fields: Mapping[str, FieldTally]

    @property
    def values(self) -> int:
        """The number of gold values."""
        return sum(field.values for field in self.fields.values())

    @property
    def found(self) -> int:
        """The number of gold values that are a cell of their own."""
        return sum(field.found for field in self.fields.values())

    @property
    def role_fields(self) -> int:
        """The number of fields found that have a role."""
        return sum(field.is_named is not None for field in self.fields.values())

    @property
    def named(self) -> int:
        """The number of fields found whose column has their role or name."""
        return sum(bool(field.is_named) for field in self.fields.values())

    @property
    def whole_share(self) -> float | None:
        """The share of gold texts in their record, None without any; so for the others."""
        return _share(self.whole, self.texts)

    @property
    def astray_share(self) -> float | None:
        """The share of gold texts in a record beside theirs."""
        return _share(self.astray, self.texts)

    @property
    def is_out_of_phase(self) -> bool:
        """Whether the records are cut out of phase with the gold: too many texts are in a record beside theirs."""
        return bool(self.texts) and self.astray >= MIN_OUT_OF_PHASE_SHARE * self.texts

    @property
    def found_share(self) -> float | None:
        """The share of gold values found."""
        return _share(self.found, self.values)

    @property
    def named_share(self) -> float | None:
        """The share of found fields with a role that are named by it."""
        return _share(self.named, self.role_fields)

    @property
    def redundant_share(self) -> float | None:
        """The share of columns that tell nothing new."""
        return _share(len(self.redundant), self.columns)


def table_records(region: Region | None, columns: Iterable[Column]) -> list[TableRecord]:
    """Return the records of a region with the cells of these columns, in the order of the columns."""
    names = [column.name for column in columns]
    records = region.records if region else ()
    return [
        TableRecord(
            record.text,
            {name: cell.items or (cell.text,) for name in names if (cell := record.fields.get(name)) is not None},
        )
        for record in records
    ]


def column_roles(columns: Iterable[Column]) -> dict[str, str]:
    """Return the role of each column that has one, by its name."""
    return {column.name: column.role for column in columns if column.role}


def score_table(
    anchors: Sequence[str],
    gold: Sequence[Mapping[str, FieldValue]],
    records: Sequence[TableRecord],
    roles: Mapping[str, str],
) -> TableScore:
    """Return the score of a page's table. ``gold``: the fields of each anchor; ``roles``: by column name."""
    texts = [squeeze(record.text) for record in records]
    rows = [_squeezed(record.cells) for record in records]
    owner = _owners([record.text for record in records], anchors)
    tally: Counter[str] = Counter()
    columns_of: dict[str, Counter[str]] = {}
    values: Counter[str] = Counter()
    for k, field, wanted in _wanted(gold):
        values[field] += 1
        is_text = is_plain(field, wanted)
        tally["texts"] += is_text
        own = owner.get(k)
        if own is None:
            continue
        if is_text:
            tally[_place(wanted, texts, own)] += 1
        column = _column_of(wanted, rows[own], is_address=_is_address(field))
        if column is not None:
            columns_of.setdefault(field, Counter())[column] += 1
    shown = sorted({name for row in rows for name, own_texts in row.items() if own_texts})
    return TableScore(
        texts=tally["texts"],
        whole=tally["whole"],
        astray=tally["astray"],
        columns=len(shown),
        redundant=tuple(_redundant(shown, rows)),
        fields={field: _field(field, n, columns_of.get(field, Counter()), roles) for field, n in values.items()},
    )


def score_cut(anchors: Sequence[str], gold: Sequence[Mapping[str, FieldValue]], texts: Sequence[str]) -> TableScore:
    """Return the score of the texts of a page's records alone: whole and astray, nothing on columns."""
    return score_table(anchors, gold, [TableRecord(text, {}) for text in texts], {})


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _squeezed(cells: Cells) -> dict[str, list[str]]:
    return {name: [squeeze(text) for text in texts if text] for name, texts in cells.items()}


def _owners(texts: Sequence[str], anchors: Sequence[str]) -> dict[int, int]:
    """Return the right record of each anchor that has one."""
    matching = match(texts, anchors)
    return {matching.paired[record]: record for record in matching.right}


def _wanted(gold: Sequence[Mapping[str, FieldValue]]) -> Iterator[tuple[int, str, str]]:
    """Yield the anchor, the field and the squeezed text of each gold value."""
    for k, fields in enumerate(gold):
        for field, value in fields.items():
            for text in filter(None, map(squeeze, value_texts(value))):
                yield k, field, text


def _is_address(field: str) -> bool:
    return "url" in field or field in ("image", "link")


def is_plain(field: str, wanted: str) -> bool:
    """Return whether a gold value can be looked for in a record's text: no address, nothing short, no group heading."""
    return not _is_address(field) and not field.startswith("group") and len(wanted) >= MIN_WHOLE_CHARS


def _place(wanted: str, texts: Sequence[str], own: int) -> str:
    if wanted in texts[own]:
        return "whole"
    neighbours = [texts[k] for k in (own - 1, own + 1) if 0 <= k < len(texts)]
    return "astray" if any(wanted in text for text in neighbours) else "lost"


def _column_of(wanted: str, row: Cells, *, is_address: bool) -> str | None:
    """Return the first column with a cell that is the value, else the first with one that holds little else."""
    equal = next((name for name, texts in row.items() if wanted in texts), None)
    if equal is not None:
        return equal
    if is_address:
        ending = wanted.lstrip("./")
        return next((name for name, texts in row.items() if any(text.endswith(ending) for text in texts)), None)
    return next((name for name, texts in row.items() if any(_is_mostly(wanted, text) for text in texts)), None)


def _is_mostly(wanted: str, text: str) -> bool:
    return wanted in text and len(text) <= MAX_LENGTH * len(wanted)


def _field(field: str, values: int, columns: Counter[str], roles: Mapping[str, str]) -> FieldTally:
    if not columns:
        return FieldTally(values)
    column = columns.most_common(1)[0][0]
    is_named = roles.get(column, column) == field if field in ROLES else None
    return FieldTally(values, columns.total(), column, is_named)


def _redundant(shown: Sequence[str], rows: Sequence[Cells]) -> Iterator[str]:
    """Yield the columns that tell nothing new; of two columns with the same texts it is the second by name."""
    joined = [{name: "".join(texts) for name, texts in row.items() if texts} for row in rows]
    for name in shown:
        own_rows = [row for row in joined if name in row]
        is_constant = _is_constant([row[name] for row in own_rows], len(rows))
        if is_constant or any(_repeats(name, other, own_rows) for other in shown if other != name):
            yield name


def _is_constant(texts: Sequence[str], records: int) -> bool:
    return records > MAX_FEW_RECORDS and max(Counter(texts).values()) > MAX_SAME_SHARE * records


def _repeats(name: str, other: str, rows: Sequence[Mapping[str, str]]) -> bool:
    """Return whether another column holds the text of this one in nearly all rows."""
    held = 0
    for row in rows:
        text, other_text = row[name], row.get(other, "")
        held += text in other_text and (other < name or text != other_text)
    return held >= MIN_REPEATED_SHARE * len(rows)
