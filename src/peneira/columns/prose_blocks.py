"""Prose blocks: where records hold running text of several paragraphs, which is one value however it is marked up.

A post is paragraphs, quotes, lists and code in an order of its own. Aligned with those of other posts, its third
paragraph is a field that nobody wants. So all of an element whose content differs from record to record and is mostly
long lines is one text; and elsewhere all from the first to the last paragraph, where the number of paragraphs changes
from record to record. What stands between two paragraphs in most records is a field of the template, and ends the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from peneira.columns.element_signatures import SignatureTable
from peneira.columns.outline import TEXT, Outline
from peneira.columns.outline_shapes import IS_TEXT, STARTS_LINE
from peneira.columns.skeletons import FLAG_BITS, STARTS_WITH_LABEL, Skeleton
from peneira.kept_property import kept_property
from peneira.page import Page

PARAGRAPH_TAGS = frozenset({"p", "blockquote", "pre"})
QUOTE_TAGS = frozenset({"blockquote", "pre"})
# Whole names of boxes around quotes in the software of forums; a "price-quote" is none
QUOTE_CLASSES = frozenset({"quotebox", "quoteblock", "bbcode_quote", "bbcode-quote", "blockquote"})
HEADING_TAGS = frozenset("h1 h2 h3 h4 h5 h6".split())
FLOW_TAGS = HEADING_TAGS | frozenset("a ul ol figure hr p blockquote pre img picture #text".split())


@dataclass(frozen=True, slots=True)
class ProseBlockOptions:
    """When children of a block are paragraphs."""

    # Their mean length in characters: shorter ones are facts in lines
    min_mean_chars: float = 80.0
    # The most frequent number of them makes up at most this share of the parents
    max_fixed_share: float = 0.7
    # This share of them may start with a label, as "Note: ..."
    max_labelled_share: float = 0.2
    # An element between paragraphs in at least this share of the parents is a field
    min_field_share: float = 0.5
    # An element is prose as a whole if at most this share of its records have the same children, at least this share of
    # the children have no class, and at least this share of its text is in long children; and if it has this much text
    max_same_share: float = 0.5
    min_plain_share: float = 0.8
    min_long_share: float = 0.5
    min_whole_chars: float = 200.0
    min_parents: int = 3


OPTIONS = ProseBlockOptions()

Sequences = Mapping[tuple[int, ...], int]


class ChildLengths:
    """The lengths of the texts of nodes, by the path of their parent; computed when first asked for."""

    def __init__(self, page: Page, outline: Outline, texts: Sequence[str], of_record: Sequence[Skeleton]) -> None:
        """``texts``: of the nodes of the outline that are texts; ``of_record``: the skeletons of the records"""
        self._page, self._outline, self._texts, self._of_record = page, outline, texts, of_record

    def mean(self, path: int, signature: int) -> float:
        """Return the mean length of children with a signature."""
        lengths = self._by_path.get(path, {}).get(signature, ())
        return sum(lengths) / len(lengths) if lengths else 0.0

    def total_of(self, path: int, signature: int) -> int:
        """Return the length of all children with a signature."""
        return sum(self._by_path.get(path, {}).get(signature, ()))

    def total(self, path: int) -> int:
        """Return the length of all children."""
        return sum(map(sum, self._by_path.get(path, {}).values()))

    def total_of_long(self, path: int) -> int:
        """Return the length of all children that are as long as paragraphs."""
        lengths = self._by_path.get(path, {}).values()
        return sum(chars for own in lengths for chars in own if chars >= OPTIONS.min_mean_chars)

    @kept_property
    def _by_path(self) -> dict[int, dict[int, list[int]]]:
        outline, chars = self._outline, self._page.text_chars.tolist()
        lengths: dict[int, dict[int, list[int]]] = {}
        for record, skeleton in enumerate(self._of_record):
            root = outline.roots[record]
            for k in range(1, skeleton.size):
                is_text = outline.kind[root + k] == TEXT
                length = len(self._texts[root + k]) if is_text else chars[outline.row[root + k]]
                of_path = lengths.setdefault(skeleton.paths[skeleton.parent[k]], {})
                of_path.setdefault(skeleton.signature[k], []).append(length)
        return lengths


@dataclass(slots=True)
class _Tally:
    """Children of one signature: how many parents have how many, how many there are, and how many with a label."""

    lengths: Counter[int] = field(default_factory=Counter)
    labelled: int = 0
    total: int = 0


class ProseBlocks:
    """The paths of a region's records with prose blocks.

    Of a path that is prose as a whole, all children are one text; of another, those between paragraphs.
    """

    def __init__(
        self, signatures: SignatureTable, by_path: Mapping[int, Sequences], lengths: ChildLengths | None
    ) -> None:
        """``by_path``: the sequences of children by path; without ``lengths``, nothing is prose"""
        self._signatures = signatures
        self._paragraphs: dict[int, frozenset[int]] = {}
        self._fields: dict[int, frozenset[int]] = {}
        self._wholes: set[int] = set()
        for path, sequences in by_path.items() if lengths is not None else ():
            assert lengths is not None
            if len(sequences) == 1:  # as most are: what is the same in all records is no prose
                continue
            if path and self._is_whole(path, sequences, lengths):
                self._wholes.add(path)
                continue
            variable = self._variable_paragraphs(sequences)
            paragraphs = {k for k in variable if lengths.mean(path, k) >= OPTIONS.min_mean_chars}
            if paragraphs:
                self._paragraphs[path] = frozenset(paragraphs)
                self._fields[path] = _frequent(sequences)

    @property
    def paths(self) -> set[int]:
        """The paths that have prose blocks."""
        return self._wholes | self._paragraphs.keys()

    def signature(self, path: int) -> int:
        """Return the signature that the text of a prose block has, whatever it starts with."""
        return min(self._paragraphs[path]) if path in self._paragraphs else 0

    def runs(self, path: int, sequence: Sequence[int]) -> dict[int, int]:
        """Return the prose blocks among the children of a block at a path: where each starts, and where it ends."""
        if path in self._wholes:
            return {0: len(sequence)} if sequence else {}
        runs: dict[int, int] = {}
        start = end = -1
        quoted = -1  # where quotes and code before the first paragraph start
        for k, code in enumerate(sequence if path in self._paragraphs else ()):
            signature = code >> FLAG_BITS
            if signature in self._paragraphs[path]:
                start, end = (quoted if quoted >= 0 else k, k + 1) if start < 0 else (start, k + 1)
            elif start < 0:
                quoted = (k if quoted < 0 else quoted) if self._is_quote(signature) else -1
            elif self._is_field(path, signature):
                runs[start], start, quoted = end, -1, -1
        if start >= 0:
            runs[start] = end
        return runs

    def _is_whole(self, path: int, sequences: Sequences, lengths: ChildLengths) -> bool:
        """Return whether all children of the blocks at a path are one text."""
        parents = sum(sequences.values())
        if parents < OPTIONS.min_parents or max(sequences.values()) > OPTIONS.max_same_share * parents:
            return False
        children = sum(len(sequence) * count for sequence, count in sequences.items())
        plain = sum(
            count * sum([self._is_plain(code >> FLAG_BITS) for code in sequence])
            for sequence, count in sequences.items()
        )
        if plain < OPTIONS.min_plain_share * children:
            return False
        headed = sum(count for sequence, count in sequences.items() if self._is_heading(sequence[0] >> FLAG_BITS))
        if headed > OPTIONS.max_same_share * parents:
            return False  # a title stands above what follows
        total = lengths.total(path)
        is_long = total >= OPTIONS.min_whole_chars * parents
        return is_long and lengths.total_of_long(path) >= OPTIONS.min_long_share * total

    def _is_heading(self, signature: int) -> bool:
        return self._signatures.signatures[signature].tag in HEADING_TAGS

    def _is_plain(self, signature: int) -> bool:
        """Return whether a signature is that of text, of a quote, or of running text without a class."""
        own = self._signatures.signatures[signature]
        is_flow = own.tag in FLOW_TAGS and not own.words
        return is_flow or self._is_quote(signature) or self._signatures.is_formatting(signature)

    def _is_quote(self, signature: int) -> bool:
        own = self._signatures.signatures[signature]
        return own.tag in QUOTE_TAGS or (own.tag == "div" and not QUOTE_CLASSES.isdisjoint(own.words))

    def _is_field(self, path: int, signature: int) -> bool:
        return signature in self._fields[path] and not self._is_plain(signature)

    def _variable_paragraphs(self, sequences: Sequences) -> list[int]:
        """Return the signatures of paragraphs whose number changes from parent to parent."""
        tallies: dict[int, _Tally] = {}
        for sequence, count in sequences.items():
            lines = [code for code in sequence if self._may_be_paragraph(code)]
            if not lines:
                continue
            for signature, length in Counter([code >> FLAG_BITS for code in lines]).items():
                tally = tallies.setdefault(signature, _Tally())
                tally.lengths[length] += count
                tally.total += length * count
            for code in lines:
                tallies[code >> FLAG_BITS].labelled += count * bool(code & STARTS_WITH_LABEL)
        parents = sum(sequences.values())
        return [
            signature
            for signature, tally in sorted(tallies.items())
            if len(tally.lengths) > 1
            and max(tally.lengths.values()) <= OPTIONS.max_fixed_share * parents
            and tally.labelled <= OPTIONS.max_labelled_share * tally.total
        ]

    def _may_be_paragraph(self, code: int) -> bool:
        own = self._signatures.signatures[code >> FLAG_BITS]
        if own.tag == "#text":
            return bool(code & IS_TEXT and code & STARTS_LINE)
        return own.tag in PARAGRAPH_TAGS


def _frequent(sequences: Sequences) -> frozenset[int]:
    """Return the signatures that most parents have exactly once."""
    counts: Counter[int] = Counter()
    for sequence, count in sequences.items():
        for signature, number in Counter(code >> FLAG_BITS for code in sequence).items():
            counts[signature] += count * (number == 1)
    parents = sum(sequences.values())
    return frozenset(signature for signature, count in counts.items() if count >= OPTIONS.min_field_share * parents)
