"""Where the records of a region hold prose, and where they hold lists.

Siblings of one kind whose number changes from record to record are a list; the heading before them is none of its
items. Text with elements scattered through it, differently in each record, is prose; where the elements follow one
sequence, they are fields.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from peneira.columns.element_signatures import FORMATTING_TAGS, SignatureTable
from peneira.columns.outline_shapes import IS_TEXT, STARTS_LINE
from peneira.columns.prose_blocks import HEADING_TAGS, ChildLengths, ProseBlocks
from peneira.columns.skeletons import FLAG_BITS, HAS_LABEL, IS_LABEL, STARTS_WITH_LABEL, Skeleton
from peneira.columns.table_grid import CELL_TAGS

# Repeated children with these tags are a list even if their number takes only two values
LIST_TAGS = frozenset({"li", "p", "tr", "a"})
_NEVER_LIST_TAGS = CELL_TAGS | {"dt", "dd"}

Handling = Literal["single", "list", "join", "prose"]
# From, to, and how the children in between are handled
PlannedChildren = tuple[int, int, Handling]


@dataclass(frozen=True, slots=True)
class ListOptions:
    """When the number of children of one kind is fixed, so that they are fields and not a list."""

    # This share of the parents have the same number of them
    min_fixed_share: float = 0.8
    # Lists are often cut to one length: from this many children on, nearly all parents must have the same number
    long_length: int = 4
    min_fixed_share_of_long: float = 0.95
    # In this share of the parents, the first of the children contains a heading and the others do not
    min_headed_share: float = 0.8


@dataclass(frozen=True, slots=True)
class ProseOptions:
    """When the texts and elements in a line are fields and not prose."""

    # The most frequent sequence of elements makes up this share of the lines
    min_sequence_share: float = 0.6
    # Words in bold or italics follow one sequence by chance more easily than elements with a class
    min_formatting_sequence_share: float = 0.8
    # This share of all parents have it: formatting that is rarer is emphasis in prose
    min_formatting_parents_share: float = 0.5
    # A longer sequence is a paragraph that several records happen to share, unless it is that of this share of the
    # lines, this many at least, and no longer than this
    max_sequence_length: int = 6
    min_long_sequence_share: float = 0.9
    min_long_sequences: int = 5
    max_long_sequence_length: int = 12
    # Lines with this many characters, and this share of them outside of elements, are prose if they repeat emphasis
    min_emphasised_chars: float = 60.0
    min_plain_share: float = 0.5
    # Lines of text are paragraphs where some parent has this many, there are this many different numbers of them, and
    # no number is that of more than this share of the parents; shorter lines than this on average are those of contacts
    min_lines: int = 6
    min_line_numbers: int = 4
    max_lines_share: float = 0.5
    min_line_chars: float = 16.0
    # Lines as long as sentences are paragraphs from these on
    min_sentence_chars: float = 60.0
    min_sentence_lines: int = 5
    min_sentence_line_numbers: int = 3


LIST_OPTIONS = ListOptions()
PROSE_OPTIONS = ProseOptions()


class ProseAndLists:
    """The paths of a region's records where children are a list or texts are prose.

    A path is a number for the signatures from the root down to a node. A sequence is the codes of a node's children.
    """

    def __init__(
        self,
        signatures: SignatureTable,
        skeletons: Sequence[Skeleton],
        lengths: ChildLengths | None = None,
    ) -> None:
        """``lengths``: those of the texts of the skeletons' records; needed to tell prose blocks"""
        self.signatures = signatures
        self._path_numbers: dict[tuple[int, int], int] = {}
        self._plans: dict[tuple[int, tuple[int, ...]], list[PlannedChildren]] = {}
        by_path: dict[int, dict[tuple[int, ...], int]] = {}
        for skeleton in skeletons:
            skeleton.paths = self._paths(skeleton)
            codes = [
                (signature << FLAG_BITS) + flags
                for signature, flags in zip(skeleton.signature, skeleton.flags, strict=True)
            ]
            for path, children in zip(skeleton.paths, skeleton.children, strict=True):
                if children:
                    sequences = by_path.get(path)
                    if sequences is None:
                        sequences = by_path[path] = {}
                    sequence = tuple([codes[child] for child in children])
                    sequences[sequence] = sequences.get(sequence, 0) + skeleton.records
        # single children are neither lists nor prose; where all have the same, their number does not change
        several = {path: own for path, own in by_path.items() if max(map(len, own)) > 1}
        varied = {path: own for path, own in several.items() if len(own) > 1}
        self.lists = {
            (path, signature) for path, sequences in varied.items() for signature in self._list_signatures(sequences)
        }
        # the lists whose first child is their heading, and whether the others are still a list
        self.headed = self._headed_lists(skeletons) if self.lists else {}
        runs = {path: own for path, sequences in several.items() if (own := self._all_mixed_runs(sequences))}
        self.prose = {
            path
            for path, own in runs.items()
            if self._is_prose(by_path[path], own)
            or (lengths is not None and self._is_emphasised(path, by_path[path], own, lengths))
        }
        self.line_prose = {path for path, sequences in varied.items() if _are_lines_of_prose(path, sequences, lengths)}
        self.blocks = ProseBlocks(signatures, by_path, lengths)
        self.paths = self.prose | self.line_prose | self.blocks.paths | {path for path, _ in self.lists}

    def _paths(self, skeleton: Skeleton) -> list[int]:
        """Return the path of each node; all roots have the path 0."""
        numbers = self._path_numbers
        paths = [0] * skeleton.size
        for k, children in enumerate(skeleton.children):
            for child in children:
                paths[child] = numbers.setdefault((paths[k], skeleton.signature[child]), len(numbers) + 1)
        return paths

    def plan(self, path: int, sequence: tuple[int, ...]) -> list[PlannedChildren]:
        """Return how the children of a block at a path are to be handled, from first to last."""
        key = (path, sequence)
        if key not in self._plans:
            self._plans[key] = self._planned(path, sequence)
        return self._plans[key]

    def _planned(self, path: int, sequence: tuple[int, ...]) -> list[PlannedChildren]:
        prose_ends = dict(self._mixed_runs(sequence)) if path in self.prose else {}
        block_ends = self.blocks.runs(path, sequence)
        plan: list[PlannedChildren] = []
        i = 0
        while i < len(sequence):
            signature, end = sequence[i] >> FLAG_BITS, i + 1
            if i in block_ends:
                end = block_ends[i]
                plan.append((i, end, "prose"))
            elif i in prose_ends:
                end = prose_ends[i]
                plan.append((i, end, "join"))
            elif path in self.line_prose and _is_plain_line(sequence[i]):
                while end < len(sequence) and _is_plain_line(sequence[end]):
                    end += 1
                plan.append((i, end, "join" if end - i > 1 else "single"))
            elif (path, signature) in self.lists:
                while end < len(sequence) and sequence[end] >> FLAG_BITS == signature:
                    end += 1
                plan.extend(self._planned_list(path, signature, i, end))
            else:
                plan.append((i, end, "single"))
            i = end
        return plan

    def _planned_list(self, path: int, signature: int, start: int, end: int) -> Iterator[PlannedChildren]:
        """Yield how the children of a list are to be handled: the heading of a list is none of its items."""
        is_list = self.headed.get((path, signature))
        if is_list is None:
            yield start, end, "list"
        else:
            yield start, start + 1, "single"
            if is_list and end > start + 1:
                yield start + 1, end, "list"
            else:
                yield from ((i, i + 1, "single") for i in range(start + 1, end))

    def _headed_lists(self, skeletons: Sequence[Skeleton]) -> dict[tuple[int, int], bool]:
        """Return the lists whose first child contains a heading and whose others do not, and whether these others are
        a list."""
        known = self.signatures.signatures
        headings = {number for number, signature in enumerate(known) if signature.tag in HEADING_TAGS}
        parents: Counter[tuple[int, int]] = Counter()
        headed: Counter[tuple[int, int]] = Counter()
        others: dict[tuple[int, int], Counter[int]] = {key: Counter() for key in self.lists}
        for skeleton in skeletons if headings else ():
            with_heading = _with_heading(skeleton, headings)
            for key, children in self._children_of_lists(skeleton):
                others[key][len(children) - 1] += skeleton.records
                if len(children) > 1:
                    parents[key] += skeleton.records
                    if children[0] in with_heading and with_heading.isdisjoint(children[1:]):
                        headed[key] += skeleton.records
        return {
            key: max(others[key]) > 1 and self._is_list(key[1], others[key])
            for key, count in headed.items()
            if count >= LIST_OPTIONS.min_headed_share * parents[key]
        }

    def _children_of_lists(self, skeleton: Skeleton) -> Iterator[tuple[tuple[int, int], list[int]]]:
        """Yield the path and signature of each list in a skeleton, with the children that it has there."""
        for path, children in zip(skeleton.paths, skeleton.children, strict=True):
            own: dict[int, list[int]] = {}
            for child in children:
                own.setdefault(skeleton.signature[child], []).append(child)
            for signature, items in own.items():
                if (path, signature) in self.lists:
                    yield (path, signature), items

    def _list_signatures(self, sequences: Mapping[tuple[int, ...], int]) -> list[int]:
        """Return the signatures that are lists at a path, given its sequences of children and their counts."""
        repeated = {signature for sequence in sequences if len(sequence) > 1 for signature in _repeated(sequence)}
        known = self.signatures.signatures
        repeated = {signature for signature in repeated if signature and known[signature].tag not in _NEVER_LIST_TAGS}
        if not repeated:
            return []
        lengths: dict[int, Counter[int]] = {signature: Counter() for signature in repeated}
        labelled = set()
        for sequence, count in sequences.items():
            own = [code >> FLAG_BITS for code in sequence]
            for signature in repeated.intersection(own):
                lengths[signature][own.count(signature)] += count
            labelled.update([code >> FLAG_BITS for code in sequence if code & (STARTS_WITH_LABEL | HAS_LABEL)])
        return [signature for signature in sorted(repeated - labelled) if self._is_list(signature, lengths[signature])]

    def _is_list(self, number: int, lengths: Mapping[int, int]) -> bool:
        """Return whether children with a signature are a list. ``lengths``: how many parents have how many of them."""
        length, count = max(lengths.items(), key=lambda item: (item[1], item[0]))
        is_long = length >= LIST_OPTIONS.long_length
        min_share = LIST_OPTIONS.min_fixed_share_of_long if is_long else LIST_OPTIONS.min_fixed_share
        if count >= min_share * sum(lengths.values()):
            return False
        signature = self.signatures.signatures[number]
        return len(lengths) > 2 or signature.tag in LIST_TAGS or bool(signature.words)

    def _all_mixed_runs(self, sequences: Mapping[tuple[int, ...], int]) -> dict[tuple[int, ...], int]:
        """Return the mixed runs of the sequences of children at a path by their signatures, and how many there are."""
        runs: dict[tuple[int, ...], int] = {}
        for sequence, count in sequences.items():
            if len(sequence) > 1:
                for start, end in self._mixed_runs(sequence):
                    run = tuple([code >> FLAG_BITS for code in sequence[start:end]])
                    runs[run] = runs.get(run, 0) + count
        return runs

    def _is_prose(self, sequences: Mapping[tuple[int, ...], int], runs: Mapping[tuple[int, ...], int]) -> bool:
        """Return whether the texts at a path are prose, given its sequences of children and its mixed runs."""
        run, count = max(runs.items(), key=lambda item: (item[1], item[0]))
        options = PROSE_OPTIONS
        is_formatting = all(self.signatures.is_formatting(signature) for signature in run)
        if is_formatting and count < options.min_formatting_parents_share * sum(sequences.values()):
            return True
        min_share = options.min_formatting_sequence_share if is_formatting else options.min_sequence_share
        if len(run) > options.max_sequence_length:
            is_line = len(run) <= options.max_long_sequence_length and count >= options.min_long_sequences
            min_share = options.min_long_sequence_share if is_line else 2.0
        return count < min_share * sum(runs.values())

    def _is_emphasised(
        self,
        path: int,
        sequences: Mapping[tuple[int, ...], int],
        runs: Mapping[tuple[int, ...], int],
        lengths: ChildLengths,
    ) -> bool:
        """Return whether the lines at a path are long texts with emphasis that has a class, as matches of a search."""
        known = self.signatures.signatures
        marked = any(
            count > 1 and known[signature].tag in FORMATTING_TAGS
            for run in runs
            if len(set(run)) < len(run)
            for signature, count in Counter(run).items()
        )
        if not marked:
            return False
        parents, total = sum(sequences.values()), lengths.total(path)
        is_long = total >= PROSE_OPTIONS.min_emphasised_chars * parents
        return is_long and lengths.total_of(path, 0) >= PROSE_OPTIONS.min_plain_share * total

    def _mixed_runs(self, sequence: Sequence[int]) -> list[tuple[int, int]]:
        """Return the runs of texts in one line that are not all elements with a meaning of their own."""
        return [
            (start, end)
            for start, end in _text_runs(sequence)
            if any(self.signatures.is_formatting(code >> FLAG_BITS) for code in sequence[start:end])
        ]


def _with_heading(skeleton: Skeleton, headings: Collection[int]) -> set[int]:
    """Return the nodes of a skeleton that are or contain an element with one of the signatures."""
    found: set[int] = set()
    for node, signature in enumerate(skeleton.signature):
        k = node if signature in headings else 0
        while k > 0 and k not in found:
            found.add(k)
            k = skeleton.parent[k]
    return found


def _are_lines_of_prose(path: int, sequences: Mapping[tuple[int, ...], int], lengths: ChildLengths | None) -> bool:
    """Return whether the lines of text at a path are those of paragraphs: how many there are changes from parent to
    parent, to more than an address has."""
    options = PROSE_OPTIONS
    numbers: dict[int, int] = {}
    for sequence, count in sequences.items():
        number = sum(map(_is_plain_line, sequence))
        numbers[number] = numbers.get(number, 0) + count
    lines = [number for number in numbers if number > 1]
    # lengths are asked for last, as the first question reads all texts
    if not lines or max(lines) < options.min_sentence_lines or len(lines) < options.min_sentence_line_numbers:
        return False
    mean_chars = options.min_line_chars if lengths is None else lengths.mean(path, 0)
    if mean_chars < options.min_line_chars:
        return False
    if mean_chars < options.min_sentence_chars:
        min_lines, min_numbers, counted = options.min_lines, options.min_line_numbers, numbers
    else:  # many posts have one paragraph
        min_lines, min_numbers = options.min_sentence_lines, options.min_sentence_line_numbers
        counted = {number: numbers[number] for number in lines}
    if max(lines) < min_lines or len(lines) < min_numbers:
        return False
    return max(counted.values()) <= options.max_lines_share * sum(counted.values())


def _is_plain_line(code: int) -> bool:
    """Return whether a node is a text that no element contains, without a label."""
    is_text = code >> FLAG_BITS == 0 and bool(code & IS_TEXT)
    return is_text and not code & (IS_LABEL | STARTS_WITH_LABEL | HAS_LABEL)


def _repeated(sequence: Sequence[int]) -> list[int]:
    """Return the signatures that occur more than once in a sequence of codes."""
    signatures = [code >> FLAG_BITS for code in sequence]
    if len(set(signatures)) == len(signatures):
        return []
    return [signature for signature, count in Counter(signatures).items() if count > 1]


def _text_runs(sequence: Sequence[int]) -> list[tuple[int, int]]:
    """Return where two or more texts that are not labels follow each other in one line."""
    runs, start = [], 0
    for i in range(1, len(sequence) + 1):
        if i == len(sequence) or not _is_same_line(sequence[i - 1], sequence[i]):
            if i - start > 1:
                runs.append((start, i))
            start = i
    return runs


def _is_same_line(before: int, after: int) -> bool:
    return bool(before & after & IS_TEXT) and not after & STARTS_LINE and not (before | after) & (IS_LABEL | HAS_LABEL)
