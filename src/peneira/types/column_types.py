"""The type of a column, inferred from all its cells, and the value of each cell.

A value is never guessed: a cell that can be read in two ways, with nothing on the page to decide, has no value and
stays text, and so does a cell with anything beside the value ("from $12", "12 reviews", "10-12 May").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress

from peneira.kernels import compiled
from peneira.late_patterns import late_pattern
from peneira.types.notation import MAX_VALUE_CHARS, PLAIN_NOTATION, Notation, normalized, normalized_counts
from peneira.types.reading_marks import ANY, DIGIT, reading_marks, with_mark
from peneira.types.type_readers import MAX_URL_CHARS, TYPE_READERS, ColumnCells, possible_readers
from peneira.values import ColumnType, Value

# Texts in place of a missing value, which do not count for the type
_MISSING = "n/a n/i na n.a. n.d. k.a. s/d none null nil tbd tba tbc ? ... … . # *"
_NO_PRICE = (
    "free|gratis|grátis|gratuit|kostenlos|бесплатно|無料|sold out|esgotado|agotado|ausverkauft|épuisé|esaurito|call|"
    "call for price|price on request|on request|poa|sob consulta|a consultar|consultar|auf anfrage|sur demande"
)
_PLACEHOLDERS = frozenset([*_MISSING.split(), *_NO_PRICE.split("|"), ""])
_MAX_PLACEHOLDER_CHARS = max(map(len, _PLACEHOLDERS))
_AROUND_PLACEHOLDERS = "-()[] "
# What may stand around every value of a column: (14), [14], 14. or a label, which does not end with https:
_WRAPPINGS = (("(", ")"), ("[", "]"), ("", "."))
_WRAPPING_ENDS = frozenset(after for _, after in _WRAPPINGS)
_UNWRAPPED = ("", "")
_LABEL = late_pattern(r"[^\d:]{0,30}:(?!/)")
_NUMBER_TYPES = frozenset({"integer", "number"})
_READER_OF_TYPE = {reader.type: reader for reader in TYPE_READERS}

_NONE_KNOWN: Mapping[str, Value] = {}

text_scan = compiled("text_scan")


@dataclass(frozen=True, slots=True)
class InferredType:
    """The type of a column, and the notation that its cells are read in; both can be kept for later pages."""

    type: ColumnType
    confidence: float
    notation: Notation = PLAIN_NOTATION
    # the values that the type was inferred from, by the text of the cell
    known: Mapping[str, Value] = field(default_factory=lambda: _NONE_KNOWN, compare=False, repr=False)

    def value(self, text: str) -> Value:
        """Return the value of a cell, None if its text cannot be read as the type."""
        reader = _READER_OF_TYPE.get(self.type)
        if reader is None:
            return None
        if (known := self.known.get(text)) is not None:
            return known
        bare = _unwrapped(" ".join(text.split()) if reader.is_literal else normalized(text), self.notation.wrapping)
        return None if _is_missing(bare) or len(bare) > reader.max_chars else reader.read(bare, self.notation)


def infer_type(texts: Sequence[str], *, caption: str = "", language: str = "") -> InferredType:
    """Return the type of a column of cells.

    ``caption`` is the column's heading and ``language`` the language tag of the page ("pt-BR"): both decide where the
    cells are ambiguous. The order of the cells does not matter. Empty cells, and texts in place of a missing value
    ("n/a", "free"), do not count. The confidence is the share of cells that read as the type, by Laplace's rule.
    """
    cells = _values_of(normalized_counts(texts))
    wrapping = _wrapping(cells)
    bare = cells if wrapping == _UNWRAPPED else _bare(cells, wrapping)
    if not bare:
        return InferredType("text", 0.0)
    inferred = _infer(ColumnCells(bare, sum(bare.values()), f"{caption} {wrapping[0]}", language))
    if inferred.type == "text":
        return inferred
    if inferred.type in _NUMBER_TYPES and _LABEL.fullmatch(wrapping[0]) and not any(": " in text for text in cells):
        return InferredType("text", inferred.confidence)  # arXiv:2603.05498 is a code
    notation = inferred.notation if wrapping == _UNWRAPPED else replace(inferred.notation, wrapping=wrapping)
    # the values of literal types are texts of the page, and those of wrapped cells are by the text without wrapping
    is_known = wrapping == _UNWRAPPED and not _READER_OF_TYPE[inferred.type].is_literal
    return InferredType(inferred.type, inferred.confidence, notation, inferred.known if is_known else _NONE_KNOWN)


def read_as(type: ColumnType, texts: Sequence[str], *, caption: str = "", language: str = "") -> InferredType:
    """Return how cells are read as a type that a user chose, however few of them can be read so."""
    reader = _READER_OF_TYPE.get(type)
    cells = _values_of(normalized_counts(texts))
    if reader is None or not cells:
        return InferredType(type, 1.0)
    wrapping = _wrapping(cells)
    bare = _bare(cells, wrapping)
    notation = reader.notation_of(ColumnCells(bare, sum(bare.values()), f"{caption} {wrapping[0]}", language))
    return InferredType(type, 1.0, replace(notation or PLAIN_NOTATION, wrapping=wrapping))


def _values_of(counts: dict[str, int]) -> dict[str, int]:
    """Return the counts of the texts that are not in place of a missing value."""
    if text_scan is not None:
        values: dict[str, int] = text_scan.values_of(
            counts, _MAX_PLACEHOLDER_CHARS, _AROUND_PLACEHOLDERS, _PLACEHOLDERS
        )
        return values
    return {text: count for text, count in counts.items() if not _is_missing(text)}


def _bare(cells: Mapping[str, int], wrapping: tuple[str, str]) -> dict[str, int]:
    """Return the cells without their wrapping, with their counts."""
    bare: Counter[str] = Counter()
    for text, count in cells.items():
        bare[_unwrapped(text, wrapping)] += count
    return {text: count for text, count in bare.items() if not _is_missing(text)}


def _is_missing(text: str) -> bool:
    around = _AROUND_PLACEHOLDERS
    if len(text) > _MAX_PLACEHOLDER_CHARS and text[0] not in around and text[-1] not in around:
        return False
    bare = text.strip(around)
    return len(bare) <= _MAX_PLACEHOLDER_CHARS and bare.lower() in _PLACEHOLDERS


def _wrapping(cells: Collection[str]) -> tuple[str, str]:
    """Return what stands around every value of a column: brackets, a point, or a label such as "Posted:".

    A single cell has no label: "Ocean: 12" may be a title.
    """
    if not cells:
        return _WRAPPINGS[0]
    first = next(iter(cells))
    for pair in _WRAPPINGS if first[-1] in _WRAPPING_ENDS else ():
        if _unwrapped(first, pair) and all(_unwrapped(text, pair) for text in cells):
            return pair
    label = _shared_label(first, cells) if len(cells) > 1 and ":" in first else ""
    return (label, "") if label and all(_unwrapped(text, (label, "")) for text in cells) else _UNWRAPPED


def _shared_label(first: str, cells: Collection[str]) -> str:
    label = _LABEL.match(first)
    if label is None:
        return ""
    return label[0] if all((match := _LABEL.match(text)) and match[0] == label[0] for text in cells) else ""


def _unwrapped(text: str, wrapping: tuple[str, str]) -> str:
    """Return the text without its wrapping, "" if it has another; a point is removed only after digits (14.)."""
    before, after = wrapping
    if not (text.startswith(before) and text.endswith(after)) or (after == "." and not text[:-1].isdigit()):
        return ""
    return text[len(before) : len(text) - len(after)].strip()


def _infer(column: ColumnCells) -> InferredType:
    """Return the first type that enough cells read as. Long cells can only be URLs."""
    marks, every = reading_marks(column.cells)
    longest = max(map(len, column.cells))
    short, long = _within(column, longest, MAX_VALUE_CHARS), _within(column, longest, MAX_URL_CHARS)
    has_digits = bool(every & DIGIT) and column.is_enough(
        sum(compress(column.cells.values(), [mark & DIGIT for mark in marks]))
    )
    joined = ""
    most = 0
    notations: dict[Callable[[ColumnCells], Notation | None], Notation | None] = {}  # dates and moments share one
    for reader in possible_readers(every, has_digits=has_digits):
        mark = reader.mark
        cells = short if reader.max_chars == MAX_VALUE_CHARS else long
        if reader.hint is not None:
            joined = joined or "\n".join((column.caption, *short.cells))
            if not reader.hint(joined):
                continue
        if reader.must_read_all and not all(reader.read(text, PLAIN_NOTATION) is not None for text in cells.cells):
            continue
        readable = cells
        if mark != ANY:
            marked = with_mark(column.cells, marks, mark, reader.max_chars)
            readable = ColumnCells(marked, column.total, column.caption, column.language)
        if reader.notation_of not in notations:
            notations[reader.notation_of] = reader.notation_of(readable)
        notation = notations[reader.notation_of]
        if notation is None:
            continue
        values = {text: value for text in readable.cells if (value := reader.read(text, notation)) is not None}
        read = list(values)
        if not read or not reader.is_plausible(cells, read, notation):
            continue
        if cells.are_enough(read):
            return InferredType(reader.type, _confidence(cells.count(read), column.total), notation, values)
        most = max(most, cells.count(read))
    return InferredType("text", _confidence(column.total - most, column.total))


def _within(column: ColumnCells, longest: int, max_chars: int) -> ColumnCells:
    """Return the column without the cells that are longer, which still count in its total."""
    if longest <= max_chars:
        return column
    cells = {text: count for text, count in column.cells.items() if len(text) <= max_chars}
    return ColumnCells(cells, column.total, column.caption, column.language)


def _confidence(agreeing: int, total: int) -> float:
    return round((agreeing + 1) / (total + 2), 3)
