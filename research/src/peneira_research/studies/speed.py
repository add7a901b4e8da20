"""Speed as a ratio: our CPU time over that of lexbor's parse alone, of the same page in the same process.

Seconds differ between machines and between minutes on one machine; the ratio hardly does, as the stages of a page are
measured in turns and the best of several turns counts. CPU time is that of all threads, of which there is one.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from time import process_time

import numpy as np
from selectolax.lexbor import LexborHTMLParser

import peneira
from peneira.errors import PeneiraError
from peneira.methods import DEFAULT_METHOD
from peneira.methods import method as method_named
from peneira.page import Page
from peneira.sources.encoding import decode
from peneira.sources.html import read_page
from peneira_research.peers import SPEED_PEERS, run_peer
from peneira_research.studies.kept_results import NOTHING_KEPT, KeptResults
from peneira_research.workers import in_processes

PARSE = "parse"

# A stage that took longer than this is not timed on a page twice the size
_MAX_GROWTH_S = 30.0


@dataclass(frozen=True, slots=True)
class Stage:
    """A use of peneira, or of another extractor, that is timed, from the bytes of a page on.

    ``prepare``: makes what is timed in place of ``run``, before the clock starts; None if the page has no such thing.
    """

    name: str
    run: Callable[[bytes], object]
    prepare: Callable[[bytes], Callable[[], object] | None] | None = None


@dataclass(frozen=True, slots=True)
class SpeedOptions:
    """What is timed: ``stages`` by name (all if there are none) and peers; the best of ``repeat`` turns counts."""

    methods: Sequence[str] = (DEFAULT_METHOD,)
    stages: Sequence[str] = ()
    repeat: int = 5
    with_peers: bool = field(default=False, kw_only=True)


def stages(options: SpeedOptions) -> list[Stage]:
    """Return the stages that are timed: the node table, each verb, each method, and others where they are asked for."""
    every = [
        Stage("page", _node_table),
        Stage("text", peneira.text),
        Stage("clean", peneira.clean),
        Stage("content", peneira.content),
        Stage("item", peneira.item),
        Stage("wrapper", peneira.extract, _own_wrapper),
        *(stage for name in options.methods for stage in _method_stages(name)),
        *(Stage(name, partial(run_peer, name)) for name in SPEED_PEERS if options.with_peers),
    ]
    known = {stage.name for stage in every}
    if unknown := [name for name in options.stages if name not in known]:
        raise PeneiraError(f"no stage {unknown[0]!r}; there are: {', '.join(sorted(known))}")
    wanted = (*options.stages, *(SPEED_PEERS if options.with_peers else ()))
    return [stage for stage in every if not options.stages or stage.name in wanted]


def records_stage(method: str = DEFAULT_METHOD) -> str:
    """Return the name of the stage that finds the records and makes no columns."""
    return f"records {method}"


def cells_stage(method: str = DEFAULT_METHOD) -> str:
    """Return the name of the stage that reads every typed cell of the main list."""
    return f"cells {method}"


def _method_stages(name: str) -> list[Stage]:
    """Return the stages of a method: its records alone; the main list with its columns; and with every cell read."""
    find = method_named(name).findings
    return [
        Stage(records_stage(name), lambda body: find(read_page(body))),
        Stage(f"extract {name}", partial(peneira.extract, method=name)),
        Stage(cells_stage(name), partial(_every_cell, method=name)),
    ]


def _every_cell(body: bytes, method: str) -> list[object]:
    """Return the values of the cells of the main list, none where the page has no main list."""
    main = peneira.extract(body, method=method).main
    return [cell.value for row in main.table.rows for cell in row if cell is not None] if main is not None else []


def _own_wrapper(body: bytes) -> Callable[[], object] | None:
    """Return what applies a wrapper to the page that it was learned from, None if there is nothing to learn."""
    try:
        wrapper = peneira.learn([body])
    except PeneiraError:
        return None
    return partial(wrapper.extract, body)


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


def time_pages(
    bodies: Sequence[tuple[str, bytes]], options: SpeedOptions, keep: KeptResults = NOTHING_KEPT
) -> Iterator[Timing]:
    """Yield the timing of each named page, all taken in one fresh process of one thread."""
    stages(options)
    task = partial(_time_page, options=options)
    return keep.each("speed", Timing, task, bodies, key=operator.itemgetter(0), chunk=1, spread=in_processes)


def time_growth(pages: Iterable[tuple[str, bytes]], options: SpeedOptions) -> Iterator[Timing]:
    """Yield the timings of pages that grow, each in a process of its own.

    A stage that takes longer than ``_MAX_GROWTH_S`` is not timed on larger pages.
    """
    names = [stage.name for stage in stages(options)]
    for page in pages:
        own = SpeedOptions(options.methods, names, options.repeat, with_peers=options.with_peers)
        for timing in in_processes(partial(_time_page, options=own), [page], jobs=1):
            yield timing
            names = [name for name in names if timing.cpu_s.get(name, 0.0) <= _MAX_GROWTH_S]
        if not names:
            return


def grown(body: bytes, *, max_nodes: int) -> Iterator[tuple[str, bytes]]:
    """Yield pages that hold the page's body 1, 2, 4, 8... times, as long as they have at most ``max_nodes`` nodes."""
    return _grown(read_page(body), max_nodes)


def made_lists(*, least: int, most: int) -> Iterator[tuple[str, bytes]]:
    """Yield list pages of so many records, four times as many each time; all records differ."""
    records = least
    while records <= most:
        items = "".join(map(_made_record, range(records)))
        yield f"{records} records", f"<!doctype html><meta charset=utf-8><body><ul>{items}</ul>".encode()
        records *= 4


def _made_record(k: int) -> str:
    return (
        f'<li class=offer><h3><a href="/offer/{k}">Offer number {k} of the catalogue</a></h3><p class=price>'
        f"${10 + k % 90}.{k % 100:02d}</p><span class=date>2024-{1 + k % 12:02d}-{1 + k % 28:02d}</span>"
        f"<div class=place>Street {k % 500}, Recife</div><img src='/i/{k}.jpg' alt='Picture {k}'></li>"
    )


def _grown(page: Page, max_nodes: int) -> Iterator[tuple[str, bytes]]:
    """Yield pages that hold the page's body once, twice, four times..."""
    content = "".join(page.html(child) for child in page.children(page.body)).encode()
    nodes = max(1, int(page.end[page.body]) - page.body)
    repeats = 1
    while repeats * nodes <= max_nodes:
        yield f"x{repeats}", b"<!doctype html><meta charset=utf-8><body>" + content * repeats
        repeats *= 2


def _time_page(named: tuple[str, bytes], *, options: SpeedOptions) -> Timing:
    name, body = named
    page = read_page(body)
    return Timing(name, len(page), bool(page.cuts), best_cpu_times(body, stages(options), repeat=options.repeat))


def best_cpu_times(body: bytes, stages: Sequence[Stage], *, repeat: int) -> dict[str, float]:
    """Return the best CPU time of each stage and of parsing alone, in seconds, measured in turns."""
    html, _, _ = decode(body)
    turns: list[tuple[str, Callable[[], object]]] = [(PARSE, partial(LexborHTMLParser, html))]
    for stage in stages:
        run = partial(stage.run, body) if stage.prepare is None else stage.prepare(body)
        if run is not None:
            turns.append((stage.name, run))
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


def per_node(timings: Sequence[Timing], stage: str) -> list[float | None]:
    """Return the cost per node of each page as a multiple of that of the first; None where it was not timed."""
    costs = [timing.cpu_s[stage] / timing.nodes if stage in timing.cpu_s else None for timing in timings]
    first = costs[0] if costs else None
    return [cost / first if cost is not None and first else None for cost in costs]
