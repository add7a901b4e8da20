"""Texts that hold several labelled values: "Type: Full time Pay: 10" and "3 beds, 2 baths" are two values each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from peneira.columns.label_pairs import are_units, is_label_like, number_and_unit, plural_names, recur_like_labels
from peneira.columns.labels import MAX_LABEL_WORDS
from peneira.columns.text_parts import TextPart
from peneira.late_patterns import late_pattern
from peneira.types.quantities import parse_quantity

# The kind of a part that has a label of its own
LABELLED = "labelled"
# Longer texts are prose
MAX_CHARS = 600
# Where a text has labels, more colons are those of a table of contents
MAX_LABELS = 20
_COLON = late_pattern(r"\s?[:：](?=\s)")
_SEPARATORS = " \t\n,;|·•/-–—"
_UNIT_CUT = late_pattern(r"(?<!\s)\s*+[;|·•/]\s*|,\s+")
_STARTS_WITH_NUMBER = late_pattern(r"[\s;|·•/,]*[+~<>≥≤]?\d")


@dataclass(frozen=True, slots=True)
class LabelledOptions:
    """Which labels within texts are labels."""

    # At least this many texts, and this share of them, have the label
    min_texts: int = 2
    min_share: float = 0.2
    # A word more belongs to the label if this share of the texts that have the rest have it too
    min_word_share: float = 0.8
    # This share of the texts has several labels, and begins with one
    min_several_share: float = 0.5
    min_whole_share: float = 0.8


OPTIONS = LabelledOptions()


@dataclass(frozen=True, slots=True)
class LabelledTexts:
    """The labelled parts of texts; ``are_all``: nearly all texts hold nothing else."""

    parts: tuple[TextPart, ...] = ()
    are_all: bool = False


class _Label(NamedTuple):
    """Where a label starts, where its value starts, and the label."""

    start: int
    end: int
    label: str


Texts = Mapping[int, str]


def labelled_texts(texts: Texts) -> LabelledTexts:
    """Return the labelled parts of texts of which most hold several."""
    if len(texts) < OPTIONS.min_texts or max(map(len, texts.values())) > MAX_CHARS:
        return LabelledTexts()
    return _after_labels(texts) or _before_units(texts) or LabelledTexts()


def _after_labels(texts: Texts) -> LabelledTexts | None:
    """Return the values after labels with a colon."""
    with_colon = sum([":" in text or "：" in text for text in texts.values()])
    if with_colon < OPTIONS.min_several_share * len(texts):
        return None
    colons = {record: [match.span() for match in _COLON.finditer(text)] for record, text in texts.items()}
    several = sum(len(own) > 1 for own in colons.values())
    if several < OPTIONS.min_several_share * len(texts) or max(map(len, colons.values())) > MAX_LABELS:
        return None
    counts = Counter(
        ending for record, own in colons.items() for ending in {e for at in own for e in _endings(texts[record], at[0])}
    )
    found = {
        record: [label for at in own if (label := _label(texts[record], at, counts, len(texts)))]
        for record, own in colons.items()
    }
    named = [(record, label.label) for record, labels in found.items() for label in labels]
    if not named or not recur_like_labels(named):
        return None
    values = {record: list(_values(texts[record], labels)) for record, labels in found.items()}
    starts = sum(
        bool(labels) and not texts[record][: labels[0].start].strip(_SEPARATORS) for record, labels in found.items()
    )
    return LabelledTexts(_by_label(values), starts >= OPTIONS.min_whole_share * len(texts))


def _endings(text: str, end: int) -> Iterator[str]:
    """Yield what could be the label that ends here: the last word, the last two, and so on."""
    words = text[max(0, end - MAX_CHARS) : end].split()[-MAX_LABEL_WORDS:]
    for k in range(1, len(words) + 1):
        yield " ".join(words[-k:])


def _label(text: str, colon: tuple[int, int], counts: Counter[str], records: int) -> _Label | None:
    """Return the label before a colon: the words that texts with its last word have in common."""
    label, count = "", 0
    for ending in _endings(text, colon[0]):
        if label and counts[ending] < OPTIONS.min_word_share * count:
            break
        label, count = ending, counts[ending]
    if not is_label_like(label) or count < max(OPTIONS.min_texts, OPTIONS.min_share * records):
        return None
    start = text.rfind(label.split()[0], 0, colon[0])
    return _Label(start, colon[1], label)


def _values(text: str, labels: Sequence[_Label]) -> Iterator[tuple[str, str]]:
    for k, label in enumerate(labels):
        end = labels[k + 1].start if k + 1 < len(labels) else len(text)
        value = text[label.end : end].strip(_SEPARATORS)
        if value:
            yield label.label, value


def _before_units(texts: Texts) -> LabelledTexts | None:
    """Return the numbers before units, where texts hold nothing else; a measure keeps its unit."""
    numbers = sum([_STARTS_WITH_NUMBER.match(text) is not None for text in texts.values()])
    if numbers < OPTIONS.min_whole_share * len(texts):
        return None
    cut = {record: [number_and_unit(part) for part in _UNIT_CUT.split(text) if part] for record, text in texts.items()}
    whole = {record: [match for match in own if match] for record, own in cut.items() if own and all(own)}
    if len(whole) < OPTIONS.min_whole_share * len(texts):
        return None
    found = [(record, match) for record, own in whole.items() for match in own]
    names = plural_names([(match[1], match[2]) for _, match in found])
    if not are_units([(record, names[match[2]]) for record, match in found]):
        return None
    values = {
        record: [(names[match[2]], match[0] if parse_quantity(match[0]) else match[1]) for match in own]
        for record, own in whole.items()
    }
    return LabelledTexts(_by_label(values), are_all=True)


def _by_label(values: Mapping[int, Sequence[tuple[str, str]]]) -> tuple[TextPart, ...]:
    by_label: dict[str, dict[int, str]] = {}
    for record, own in values.items():
        for label, value in own:
            by_label.setdefault(label, {}).setdefault(record, value)
    return tuple(
        TextPart(LABELLED, "" if parse_quantity(f"1 {label}") else label, texts) for label, texts in by_label.items()
    )
