"""The cost of reading a page, from its bytes, as a multiple of lexbor's parse alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from peneira_research.studies.speed import PARSE, Stage, best_cpu_times

REPEAT = 3


def cost_ratios(bodies: Sequence[bytes], read: Callable[[bytes], object]) -> Iterator[float]:
    """Yield the ratio of each page: the best CPU time of several turns over that of the parse."""
    for body in bodies:
        best = best_cpu_times(body, [Stage(read.__name__, read)], repeat=REPEAT)
        yield best[read.__name__] / best[PARSE]
