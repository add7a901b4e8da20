"""Running text that stands in other markup in some records than in the others: posts with and without a quotation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from peneira.columns.candidate_columns import CandidateColumns
from peneira.columns.merged_columns import is_same_field, merge_values
from peneira.columns.raw_columns import WHOLE, RawColumn
from peneira.columns.slot_alignment import with_ancestors
from peneira.columns.vocabulary import naming_words
from peneira.late_patterns import late_pattern
from peneira.values import Role


@dataclass(frozen=True, slots=True)
class ProseOptions:
    """When texts are forms of one."""

    # Running texts have so many words on average; where no spaces stand between words, each has so many characters
    min_words: int = 8
    chars_of_unspaced_word: float = 2.0
    # This many records have each form, and this share of the records any of them
    min_records: int = 2
    min_filled: float = 0.95
    # A class that names a text is that of an element so many levels further out
    max_levels: int = 2


OPTIONS = ProseOptions()
_MAY_BE_FORM: frozenset[Role | None] = frozenset({None, "summary", "description", "title"})
# Letters of writing without spaces between words: Chinese, Japanese, Thai, Lao, Burmese, Khmer
_UNSPACED = late_pattern(r"[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


def with_forms_of_prose(
    candidates: CandidateColumns, roles: Sequence[Role | None], shown: Sequence[int], language: str
) -> list[int]:
    """Return the shown columns with running texts as one column where no record has two of them, and nearly all have
    one: that with a role, or with the most records."""
    columns = candidates.columns
    prose = [k for k in shown if roles[k] in _MAY_BE_FORM and _is_prose(columns[k], candidates, k)]
    if len(prose) < 2:
        return list(shown)
    prose.sort(key=lambda k: (roles[k] is None, -len(columns[k].values), k))
    for n, host in enumerate(prose):
        records, forms = set(columns[host].values), []
        for k in prose[n + 1 :]:
            is_free = roles[k] is None and records.isdisjoint(columns[k].values)
            is_free = is_free and not _are_named_apart(columns[host], columns[k])
            if is_free and is_same_field(columns[host], columns[k], language):
                forms.append(k)
                records.update(columns[k].values)
        if forms and len(records) >= OPTIONS.min_filled * candidates.records:
            for k in forms:
                merge_values(columns[host], columns[k])
            return [k for k in shown if k not in forms]
    return list(shown)


def _is_prose(column: RawColumn, candidates: CandidateColumns, k: int) -> bool:
    names = candidates.names[k]
    is_text = column.attribute in ("", WHOLE) and not (column.is_list or column.nested or column.part)
    if not is_text or names.label or names.header or len(column.values) < OPTIONS.min_records:
        return False
    if column.distinct < len(column.values):  # a signature is below all posts of its author
        return False
    texts = column.first_texts().values()
    return sum(map(_words, texts)) >= OPTIONS.min_words * len(texts)


def _words(text: str) -> float:
    """Return how many words a text has, nearly so where it is written without spaces between words."""
    return len(text.split()) + len(_UNSPACED.findall(text)) / OPTIONS.chars_of_unspaced_word


def _are_named_apart(first: RawColumn, second: RawColumn) -> bool:
    """Return whether classes say of two texts what they are, and not the same: "pros" and "cons"."""
    own, other = _name(first), _name(second)
    return bool(own and other) and own.isdisjoint(other)


def _name(column: RawColumn) -> set[str]:
    """Return the words of the nearest element around a text that has classes that name something."""
    for slot in islice(with_ancestors(column.slot), 1 + OPTIONS.max_levels):
        words = {word for name in slot.features.words for word in naming_words(name)}
        if slot.parent is None or words:
            return words if slot.parent is not None else set()
    return set()
