"""Speed as a ratio: our CPU time over that of lexbor's parse alone, of the same page in the same process.

Seconds differ between machines and between minutes on one machine; the ratio hardly does, as the stages of a page are
measured in turns and the best of several turns counts. CPU time is that of all threads, of which there is one.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from time import process_time

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from peneira.extraction import extract
from peneira.methods import method as method_named
from peneira.page import Page
from peneira.sources.encoding import decode
from peneira.sources.html import read_page
from peneira.texts.cleaning import clean
from peneira.texts.content import content
from peneira_research.workers import in_processes

PARSE = "parse"

# A stage that took longer than this is not timed on a page twice the size
_MAX_GROWTH_S = 30.0


@dataclass(frozen=True, slots=True)
class Stage:
    """A use of peneira that is timed, from the bytes of a page on."""

    name: str
    run: Callable[[bytes], object]


def stages(methods: Sequence[str]) -> list[Stage]:
    """Return the stages that are timed: the node table, the visible text, cleaning, content, and each method."""
    for name in methods:
        method_named(name)
    return [
        Stage("page", _node_table),
        Stage("text", lambda body: _node_table(body).visible_text(0)),
        Stage("clean", clean),
        Stage("content", content),
        *(stage for name in methods for stage in _method_stages(name)),
    ]


def _method_stages(name: str) -> list[Stage]:
    """Return the stages of a method: its records alone, and with the typed columns of the main list."""
    find = method_named(name).findings
    return [
        Stage(f"records {name}", lambda body: find(read_page(body))),
        Stage(f"extract {name}", partial(extract, method=name)),
    ]


def _node_table(body: bytes) -> Page:
    page = read_page(body)
    operator.attrgetter("path", "styled_path", "shape")(page)
    return page


@dataclass(frozen=True, slots=True)
class Timing:
    """The best CPU time of each stage on one page, ``parse`` among them. A stage that was not timed is missing.

    ``is_partial``: a limit was hit, so our stages processed less than the parser.
    """

    page: str
    nodes: int
    is_partial: bool
    cpu_s: Mapping[str, float]

    def ratio(self, stage: str) -> float | None:
        """Return how many times as long as parsing the stage took."""
        return self.cpu_s[stage] / self.cpu_s[PARSE] if stage in self.cpu_s else None


@dataclass(frozen=True, slots=True)
class Ratio:
    """The ratios of one stage over pages."""

    stage: str
    median: float
    p95: float


def time_pages(bodies: Sequence[tuple[str, bytes]], methods: Sequence[str], *, repeat: int) -> Iterator[Timing]:
    """Yield the timing of each named page, all taken in one fresh process of one thread."""
    names = frozenset(stage.name for stage in stages(methods))
    return in_processes(
        partial(_time_page, methods=tuple(methods), names=names, repeat=repeat), bodies, jobs=1, chunk=1
    )


def time_growth(body: bytes, methods: Sequence[str], *, repeat: int, max_nodes: int) -> Iterator[Timing]:
    """Yield timings of the page's body repeated 1, 2, 4, 8... times, as long as it has at most ``max_nodes`` nodes.

    A stage that takes longer than ``_MAX_GROWTH_S`` is not timed on larger pages.
    """
    names = {stage.name for stage in stages(methods)}
    for name, grown in _grown(read_page(body), max_nodes):
        task = partial(_time_page, methods=tuple(methods), names=frozenset(names), repeat=repeat)
        for timing in in_processes(task, [(name, grown)], jobs=1):
            yield timing
            names -= {stage for stage, cpu_s in timing.cpu_s.items() if cpu_s > _MAX_GROWTH_S}


def _grown(page: Page, max_nodes: int) -> Iterator[tuple[str, bytes]]:
    """Yield pages that hold the page's body once, twice, four times..."""
    content = "".join(page.html(child) for child in page.children(page.body)).encode()
    nodes = max(1, int(page.end[page.body]) - page.body)
    repeats = 1
    while repeats * nodes <= max_nodes:
        yield f"x{repeats}", b"<!doctype html><meta charset=utf-8><body>" + content * repeats
        repeats *= 2


def _time_page(named: tuple[str, bytes], *, methods: Sequence[str], names: frozenset[str], repeat: int) -> Timing:
    name, body = named
    wanted = [stage for stage in stages(methods) if stage.name in names]
    page = read_page(body)
    return Timing(name, len(page), bool(page.cuts), best_cpu_times(body, wanted, repeat=repeat))


def best_cpu_times(body: bytes, stages: Sequence[Stage], *, repeat: int) -> dict[str, float]:
    """Return the best CPU time of each stage and of parsing alone, in seconds, measured in turns."""
    html, _, _ = decode(body)
    turns: list[tuple[str, Callable[[], object]]] = [(PARSE, partial(LexborHTMLParser, html))]
    turns += [(stage.name, partial(stage.run, body)) for stage in stages]
    best: dict[str, float] = {}
    for _ in range(repeat):
        for name, run in turns:
            cpu_s = _cpu_s(run)
            best[name] = min(cpu_s, best.get(name, cpu_s))
    return best


def _cpu_s(run: Callable[[], object]) -> float:
    start = process_time()
    result = run()
    cpu_s = process_time() - start
    del result  # so that freeing it is not timed
    return cpu_s


def ratios(timings: Sequence[Timing]) -> list[Ratio]:
    """Return the median and the 95th percentile of each stage's ratios, parsing left out."""
    names = dict.fromkeys(name for timing in timings for name in timing.cpu_s if name != PARSE)
    by_stage = {name: [ratio for timing in timings if (ratio := timing.ratio(name)) is not None] for name in names}
    return [Ratio(name, float(np.median(rows)), float(np.percentile(rows, 95))) for name, rows in by_stage.items()]


def mid_size(timings: Sequence[Timing]) -> str:
    """Return the name of the page with the median number of nodes."""
    ordered = sorted(timings, key=lambda timing: (timing.nodes, timing.page))
    return ordered[len(ordered) // 2].page


def factors(timings: Sequence[Timing], stage: str) -> list[float | None]:
    """Return how many times as long the stage took on each page as on the one before; None where it was not timed."""
    times = [timing.cpu_s.get(stage) for timing in timings]
    return [None, *(after / before if before and after else None for before, after in pairwise(times))]
