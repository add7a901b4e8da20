"""Groups of lines: the ways to divide the rows of a block into groups whose rows are of the same kinds, in order.

A group may lack a line, such as that of the prices. Lines that are left out before and after the groups (sorting,
pages) must not look like lines of a group, as records would be missing that nobody is told of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from peneira.lists.cell_kinds import CellKind
from peneira.lists.cell_lines import MIN_ALIKE, Line

# Lines per group, and lines before and after the groups that may be left out
MAX_GROUP_LINES = 6
MAX_TRIMMED_LINES = 2
# A line alone is no group that lacks its other lines: it may be anything
MIN_GROUP_LINES = 2

Items = Sequence[Line | None]
Kinds = Mapping[int, CellKind | None]
# A line for each place of the group, None where the group lacks it
Group = tuple[Line | None, ...]
# Groups with nothing between them
Segment = list[Group]


@dataclass(frozen=True, slots=True)
class _Cut:
    """Lines that may be groups, and those left out before and after them."""

    run: Items
    before: list[Line]
    after: list[Line]


def groupings(items: Items, kinds: Kinds) -> Iterator[list[Segment]]:
    """Yield the ways to divide lines into groups, with the fewest lines left out first, then of the fewest lines."""
    for cut in _cuts(items):
        run = _Run(cut.run, kinds)
        for size in range(2, MAX_GROUP_LINES + 1):
            for segments in (_whole_groups(run, size), *_short_groups(run, size, kinds)):
                if segments and not _leaves_out_groups(cut, segments, kinds):
                    yield segments


def lines_at(segments: Sequence[Segment], place: int) -> list[Line]:
    """Return the lines at one place of the groups."""
    lines = (group[place] for segment in segments for group in segment)
    return [line for line in lines if line is not None]


def _cuts(items: Items) -> Iterator[_Cut]:
    """Yield the lines without the first and last few, the fewest left out first."""
    cuts = [(start, stop) for start in range(MAX_TRIMMED_LINES + 1) for stop in range(MAX_TRIMMED_LINES + 1)]
    places = [k for k, item in enumerate(items) if item is not None]
    lines = [item for item in items if item is not None]
    for start, stop in sorted(cuts, key=sum):
        last = len(lines) - 1 - stop
        if last > start:
            yield _Cut(items[places[start] : places[last] + 1], lines[:start], lines[last + 1 :])


class _Run:
    """Lines, some of which may be groups, and what stands between them. ``single``: how many at the end have a single
    cell."""

    def __init__(self, items: Items, kinds: Kinds) -> None:
        self.single = _last_single_cells(items)
        self._items, self._kinds = items, kinds
        self._segments: dict[int, tuple[list[list[Line]], list[list[CellKind | None]]]] = {}

    def segments(self, last: int) -> tuple[list[list[Line]], list[list[CellKind | None]]]:
        """Return the lines between separators, and their kinds; looked for once.

        A row with a single cell is a separator too, except among the ``last`` lines: the last group may be one record.
        """
        if last not in self._segments:
            segments = _segments(self._items, last)
            self._segments[last] = segments, [[self._kinds[line.node] for line in own] for own in segments]
        return self._segments[last]


def _segments(items: Items, last: int) -> list[list[Line]]:
    segments: list[list[Line]] = [[]]
    for k, item in enumerate(items):
        if item is None or (len(item.cells) == 1 and k < len(items) - last):
            segments.append([])
        else:
            segments[-1].append(item)
    return [segment for segment in segments if segment]


def _last_single_cells(items: Items) -> int:
    """Return how many lines at the end have a single cell."""
    count = 0
    while count < len(items) and (item := items[-1 - count]) is not None and len(item.cells) == 1:
        count += 1
    return count


def _whole_groups(run: _Run, size: int) -> list[Segment]:
    """Return groups of that many lines, nothing if there are other lines or the groups are not alike."""
    if MIN_GROUP_LINES <= run.single < size:
        return []
    segments, kinds = run.segments(size if run.single >= size else 0)
    if not segments or any(len(segment) % size for segment in segments):
        return []
    if not all(_are_alike([kind for own in kinds for kind in own[place::size]]) for place in range(size)):
        return []
    return [[tuple(own[k : k + size]) for k in range(0, len(own), size)] for own in segments]


def _are_alike(kinds: Sequence[CellKind | None]) -> bool:
    """Return whether most lines are of one kind."""
    return max(map(kinds.count, set(kinds))) >= MIN_ALIKE * len(kinds)


def _short_groups(run: _Run, size: int, kinds: Kinds) -> Iterator[list[Segment]]:
    """Yield groups of up to that many lines, of the kinds of the first lines or of the last.

    Where two lines of a group are of one kind, nothing tells which of them a group lacks.
    """
    if size <= MIN_GROUP_LINES:
        return
    segments, kinds_of_segments = run.segments(run.single if MIN_GROUP_LINES <= run.single <= size else 0)
    every = [kind for own in kinds_of_segments for kind in own]
    if len(every) <= size:
        return
    for pattern in dict.fromkeys((tuple(every[:size]), tuple(every[-size:]))):
        is_clear = None not in pattern and len(set(pattern)) == size
        groups = [_groups_like(segment, pattern, kinds) for segment in segments] if is_clear else []
        if groups and all(groups) and _are_mostly_whole(groups, size):
            yield groups


def _are_mostly_whole(segments: Sequence[Segment], size: int) -> bool:
    """Return whether each place of the groups has a line in half of them or more."""
    count = sum(map(len, segments))
    return all(2 * len(lines_at(segments, place)) >= count for place in range(size))


def _groups_like(lines: Sequence[Line], pattern: Sequence[CellKind | None], kinds: Kinds) -> Segment:
    """Return groups of lines of these kinds, some of which may lack a line; nothing if some line fits nowhere."""
    groups: list[list[Line | None]] = []
    place = len(pattern)
    for line in lines:
        kind = kinds[line.node]
        later = [k for k in range(place, len(pattern)) if kind in (pattern[k], None)]
        if not later:
            groups.append([None] * len(pattern))
            later = [k for k in range(len(pattern)) if kind in (pattern[k], None)]
            if not later:
                return []
        groups[-1][later[0]] = line
        place = later[0] + 1
    if any(len(group) - group.count(None) < MIN_GROUP_LINES for group in groups):
        return []
    return [tuple(group) for group in groups]


def _leaves_out_groups(cut: _Cut, segments: Sequence[Segment], kinds: Kinds) -> bool:
    """Return whether the lines before or after groups are of the kinds of a group, which lacks other lines."""
    if not cut.before and not cut.after:
        return False
    lines = [lines_at(segments, place) for place in range(len(segments[0][0]))]
    pattern = [Counter(kinds[line.node] for line in own).most_common(1)[0][0] for own in lines]
    width = max(len(line.cells) for own in lines for line in own)
    ends = {pattern[0], pattern[-1]}
    for left_out in (cut.before, cut.after):
        own = [kinds[line.node] for line in left_out]
        if len(own) == 1 and own[0] in ends and len(left_out[0].cells) == width:
            return True
        if len(own) > 1 and None not in own and _are_in_order(own, pattern):
            return True
    return False


def _are_in_order(kinds: Sequence[CellKind | None], pattern: Sequence[CellKind | None]) -> bool:
    """Return whether kinds are some of those of a group, in their order, or the end of a group and the next."""
    rest = iter(pattern)
    if all(kind in rest for kind in kinds):
        return True
    return list(kinds) == [pattern[-1], pattern[0]]
