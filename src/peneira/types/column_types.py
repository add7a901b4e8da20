"""The type of a column, decided over all its cells, and the value of each cell in it.

A value is never invented: a cell that can be read in two ways, with nothing on the page to tell which, has no value and
stays text, and so does a cell with anything beside the value ("from $12", "12 reviews", "10-12 May").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from peneira.types.notation import MAX_CHARS, Notation, plain
from peneira.types.type_readers import KINDS, MAX_LINK_CHARS, ColumnCells
from peneira.values import ColumnType, Value

# Cells that stand for a missing value say nothing about the type
_MISSING = "n/a n/i na n.a. n.d. k.a. s/d none null nil tbd tba tbc ? ... … . # *"
_NO_PRICE = (
    "free|gratis|grátis|gratuit|kostenlos|бесплатно|無料|sold out|esgotado|agotado|ausverkauft|épuisé|esaurito|call|"
    "call for price|price on request|on request|poa|sob consulta|a consultar|consultar|auf anfrage|sur demande"
)
_STAND_INS = frozenset([*_MISSING.split(), *_NO_PRICE.split("|"), ""])
_AROUND_STAND_INS = "-()[] "
_DIGIT = re.compile(r"\d")
# What may stand around every value of a column: (14), [14], 14. or a label; the colon of https:// ends none
_WRAPPINGS = (("(", ")"), ("[", "]"), ("", "."))
_UNWRAPPED = ("", "")
_LABEL = re.compile(r"[^\d:]{0,30}:(?!/)")
_BY_TYPE = {kind.type: kind for kind in KINDS}


@dataclass(frozen=True, slots=True)
class InferredType:
    """The type of a column. ``notation`` is how its cells are to be read; both can be kept for later pages."""

    type: ColumnType
    confidence: float
    notation: Notation = field(default_factory=Notation)

    def value(self, text: str) -> Value:
        """Return the value of a cell, None where it does not read as the type: then there is only its text."""
        kind = _BY_TYPE.get(self.type)
        if kind is None:
            return None
        bare = _unwrapped(" ".join(text.split()) if kind.is_literal else plain(text), self.notation.wrapping)
        return None if _is_missing(bare) or len(bare) > kind.max_chars else kind.read(bare, self.notation)


def infer_type(texts: Sequence[str], *, caption: str = "", language: str = "") -> InferredType:
    """Return the type of a column of cells.

    ``caption`` is the column's heading and ``language`` the language tag of the page ("pt-BR"): both settle what the
    cells leave open. The order of the cells does not matter. Empty cells, and cells that stand for a missing value
    ("n/a", "free"), do not count. The confidence is the share of cells that bear the type out, by Laplace's rule.
    """
    counts = Counter(map(plain, texts))
    cells = [text for text in counts if not _is_missing(text)]
    wrapping = _wrapping(cells)
    bare = {text: counts[text] for text in cells} if wrapping == _UNWRAPPED else _bare(counts, cells, wrapping)
    if not bare:
        return InferredType("text", 0.0)
    typing = _decide(ColumnCells(bare, sum(bare.values()), f"{caption} {wrapping[0]}", language))
    return typing if typing.type == "text" else replace(typing, notation=replace(typing.notation, wrapping=wrapping))


def _bare(counts: Mapping[str, int], cells: Sequence[str], wrapping: tuple[str, str]) -> dict[str, int]:
    """Return the cells without what stands around them, with their counts."""
    bare: Counter[str] = Counter()
    for text in cells:
        bare[_unwrapped(text, wrapping)] += counts[text]
    return {text: count for text, count in bare.items() if not _is_missing(text)}


def _is_missing(text: str) -> bool:
    return text.strip(_AROUND_STAND_INS).lower() in _STAND_INS


def _wrapping(cells: Sequence[str]) -> tuple[str, str]:
    """Return what stands around every value of a column: brackets, a point, or a label such as "Posted:".

    One cell alone shows no label: "Ocean: 12" may be a title.
    """
    label = _shared_label(cells) if len(cells) > 1 else ""
    signs = (*_WRAPPINGS, (label, "")) if label else _WRAPPINGS
    return next((each for each in signs if all(_unwrapped(text, each) for text in cells)), _UNWRAPPED)


def _shared_label(cells: Sequence[str]) -> str:
    first = _LABEL.match(cells[0])
    if first is None:
        return ""
    return first[0] if all((found := _LABEL.match(text)) and found[0] == first[0] for text in cells) else ""


def _unwrapped(text: str, wrapping: tuple[str, str]) -> str:
    """Return what stands within the signs, empty if the text does not; a point is set apart only from digits (14.)."""
    before, after = wrapping
    if not (text.startswith(before) and text.endswith(after)) or (after == "." and not text[:-1].isdigit()):
        return ""
    return text[len(before) : len(text) - len(after)].strip()


def _decide(column: ColumnCells) -> InferredType:
    """Return the first type that enough cells read as. Only links are looked for in cells too long for a value."""
    short, longer = _within(column, MAX_CHARS), _within(column, MAX_LINK_CHARS)
    look = "\n".join(short.cells)
    longer_look = look if longer is short else "\n".join(longer.cells)
    digits = short.enough([text for text in short.cells if _DIGIT.search(text)])
    most = 0
    for kind in KINDS:
        looked, shown = (short, look) if kind.max_chars == MAX_CHARS else (longer, longer_look)
        if (kind.has_digits and not digits) or not kind.signs.search(shown):
            continue
        notation = kind.settle(looked)
        read = [text for text in looked.cells if kind.read(text, notation) is not None]
        if not read or not kind.plausible(looked, read, notation):
            continue
        if looked.enough(read):
            return InferredType(kind.type, _confidence(looked.count(read), column.total), notation)
        most = max(most, looked.count(read))
    return InferredType("text", _confidence(column.total - most, column.total))


def _within(column: ColumnCells, max_chars: int) -> ColumnCells:
    """Return the column without the cells that are longer; they still count as cells."""
    if all(len(text) <= max_chars for text in column.cells):
        return column
    return replace(column, cells={text: count for text, count in column.cells.items() if len(text) <= max_chars})


def _confidence(agreeing: int, total: int) -> float:
    return round((agreeing + 1) / (total + 2), 3)
