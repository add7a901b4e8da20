"""The cost of an item, from the bytes of a page, as a multiple of lexbor's parse alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from peneira.items.single_item import item
from peneira_research.studies.speed import PARSE, Stage, best_cpu_times

STAGE = "item"
REPEAT = 3


def item_ratios(bodies: Sequence[bytes]) -> Iterator[float]:
    """Yield the ratio of each page: the best CPU time of several turns over that of the parse."""
    for body in bodies:
        best = best_cpu_times(body, [Stage(STAGE, item)], repeat=REPEAT)
        yield best[STAGE] / best[PARSE]
