"""Run every verb and method on pages made to be slow or large, and say which used more than 1.5 times its limit.

``python tools/adversarial.py --chars 1000000 --seconds 5 --verb extract --verb text --shape "deep list"``

All verbs and methods on all shapes of 20 MB would take hours. So ``make adversarial`` runs all at a small size with a
small limit, and then a sample at the full size: for each verb and method the shapes that were slowest or largest at the
small size (``--sample 12``), and each shape at least once. Results are lines of JSON in a file (``--results``), written
after each call; a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from io import BytesIO, StringIO
from pathlib import Path
from time import process_time
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import peneira
from adversarial_pages import SHAPES
from peneira import Limits
from peneira.budget import Budget
from peneira.output.report import report
from peneira.worker import Failure, WorkerLimits, WorkerPool

MAX_RATIO = 1.5
MAX_MEGABYTES = 1024
# area and area+ need a rendered page, which the browser's own limits bound
METHODS = tuple("mdr mdr-stm tps+mdr main+mdr depta dsre autorm xpath-rank gstm gstm-published".split())


class Measured(NamedTuple):
    """What one call used, and what it said about itself."""

    seconds: float
    megabytes: int
    status: str


def _learned(html: str, limits: Limits, method: str = "auto") -> str:
    """Learn a wrapper and read the page with it, both within one limit."""
    try:
        with Budget(limits).running():
            wrapper = peneira.learn([html, html.replace("x", "y")], limits=limits, method=method)
            return str(getattr(wrapper.extract(html, limits=limits), "status", ""))
    except peneira.PeneiraError as error:
        return type(error).__name__


def _everything(html: str, limits: Limits) -> str:
    result = peneira.extract(html, limits=limits)
    assert result.paging is not None
    assert all(region.columns is not None for region in result.regions)
    return result.status


def _with_wrapper(html: str, limits: Limits, verb: str) -> str:
    """Check or heal a wrapper of a small list with the page."""
    pages = [f"<ul>{''.join(f'<li><a href=/{k}>{k} {word}</a> <b>{k}</b>' for k in range(4))}</ul>" for word in "ab"]
    wrapper = peneira.learn(pages, kind="list")
    try:
        with Budget(limits).running():
            return str(getattr(getattr(wrapper, verb)(html), "verdict", "healed"))
    except peneira.PeneiraError as error:
        return type(error).__name__


def _reported(html: str, limits: Limits) -> str:
    """Extract, and write the result as a report and as CSV and XLSX."""
    try:
        with Budget(limits).running():
            page = peneira.Page.from_html(html, limits=limits)
            result = peneira.extract(page, limits=limits)
            report(page, result, "x", limits=limits)
            for region in result.regions:
                region.table.to_csv(StringIO())
                region.table.to_xlsx(BytesIO())
            return result.status
    except peneira.PeneiraError as error:
        return type(error).__name__


VERBS: dict[str, Callable[[str, Limits], str]] = {
    "extract": lambda html, limits: _everything(html, limits),
    "text": lambda html, limits: peneira.text(html, limits=limits).status,
    "markdown": lambda html, limits: peneira.text(html, markdown=True, limits=limits).status,
    "item": lambda html, limits: peneira.item(html, limits=limits).status,
    "clean": lambda html, limits: peneira.clean(html, limits=limits).status,
    "segment": lambda html, limits: peneira.segment(html, limits=limits).status,
    "content": lambda html, limits: peneira.content(html, limits=limits).status,
    "tps": lambda html, limits: peneira.clean(html, limits=limits, faithful="program").status,
    "inert": lambda html, limits: peneira.clean(html, limits=limits, inert=True).status,
    "report": _reported,
    "check": lambda html, limits: _with_wrapper(html, limits, "check"),
    "heal": lambda html, limits: _with_wrapper(html, limits, "heal"),
    "learn": _learned,
    "learn gstm": lambda html, limits: _learned(html, limits, "gstm"),
    "learn fivatech": lambda html, limits: _learned(html, limits, "fivatech"),
    **{
        method: (lambda html, limits, method=method: peneira.extract(html, limits=limits, method=method).status)
        for method in METHODS
    },
}


def measure(shape: str, verb: str, chars: int, seconds: float) -> Measured:
    """Return what a verb uses of a page of a shape, in this process."""
    html = SHAPES[shape](chars)
    VERBS[verb]("<ul><li>a<li>b<li>c</ul>", Limits())  # loads models
    Path("/proc/self/clear_refs").write_text("5")  # the peak of memory starts again
    started = process_time()
    status = VERBS[verb](html, Limits(seconds=seconds))
    used = process_time() - started
    peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return Measured(used, int(peak.split()[1]) // 1024, status)


class Call(NamedTuple):
    """One verb or method on one shape of a size, with a limit."""

    verb: str
    shape: str
    chars: int
    seconds: float


class Log:
    """The results so far, as lines of JSON in a file where there is one."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.results: dict[Call, Measured | str] = {}
        lines = path.read_text(encoding="utf-8").splitlines() if path is not None and path.exists() else []
        for entry in map(json.loads, lines):
            *call, said, measured = (entry[key] for key in (*Call._fields, "failure", "measured"))
            self.results[Call(*call)] = said or Measured(*measured)

    def add(self, call: Call, result: Measured | str) -> None:
        """Keep the result of a call."""
        self.results[call] = result
        if self.path is not None:
            failure, measured = (result, None) if isinstance(result, str) else (None, result)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({**call._asdict(), "failure": failure, "measured": measured}) + "\n")


def is_beyond(call: Call, result: Measured | str) -> bool:
    """Return whether a call used more than it may."""
    return isinstance(result, str) or (result.seconds > MAX_RATIO * call.seconds or result.megabytes > MAX_MEGABYTES)


def sample(results: Iterable[tuple[Call, Measured | str]], count: int) -> list[tuple[str, str]]:
    """Return for each verb so many shapes, those that were slowest and those that were largest, and all shapes once."""
    by_verb: dict[str, dict[str, tuple[float, float]]] = {}
    for call, result in results:
        costs = (float("inf"), float("inf")) if isinstance(result, str) else (result.seconds, result.megabytes)
        by_verb.setdefault(call.verb, {})[call.shape] = costs
    chosen: list[tuple[str, str]] = []
    for verb, costs in by_verb.items():
        slowest, largest = (sorted(costs, key=lambda shape: -costs[shape][k]) for k in (0, 1))
        both = dict.fromkeys(shape for pair in zip(slowest, largest, strict=True) for shape in pair)
        chosen += [(verb, shape) for shape in list(both)[:count]]
    left = {shape for costs in by_verb.values() for shape in costs} - {shape for _, shape in chosen}
    for shape in sorted(left):
        chosen.append((max(by_verb, key=lambda verb: by_verb[verb].get(shape, (0.0, 0.0))), shape))
    return chosen


def calls_of(options: argparse.Namespace, log: Log) -> list[Call]:
    """Return the calls that were asked for."""
    verbs, shapes = options.verb or list(VERBS), options.shape or list(SHAPES)
    if not options.sample:
        numbered = [(v + s, verb, shape) for s, shape in enumerate(shapes) for v, verb in enumerate(verbs)]
        chosen = [(verb, shape) for number, verb, shape in numbered if number % options.every == 0]
        return [Call(verb, shape, options.chars, options.seconds) for verb, shape in chosen]
    smaller = [call.chars for call in log.results if call.chars < options.chars]
    if not smaller:
        sys.exit("--sample needs --results with calls of a smaller size")
    known = [(call, result) for call, result in log.results.items() if call.chars == max(smaller)]
    chosen = sample(
        ((call, result) for call, result in known if call.verb in verbs and call.shape in shapes), options.sample
    )
    return [Call(verb, shape, options.chars, options.seconds) for verb, shape in chosen]


def run(calls: Sequence[Call], log: Log, *, is_loud: bool) -> None:
    """Run the calls that have no result yet, each in a process with limits."""
    limits = WorkerLimits(
        seconds=20 * max(call.seconds for call in calls) + 60, memory_bytes=3 * 1024**3, recycle_bytes=10**9
    )
    with WorkerPool[Call](1, limits) as pool:
        for call in calls:
            if call in log.results:
                continue
            pool.submit(call, measure, call.shape, call.verb, call.chars, call.seconds)
            (done,) = pool.wait()
            result = done.result
            if isinstance(result, Failure):
                result = f"{result.kind}: {result.message}"
            assert isinstance(result, (Measured, str))
            log.add(call, result)
            if is_loud or is_beyond(call, result):
                print(said(call, result), flush=True)


def said(call: Call, result: Measured | str) -> str:
    """Return a line about a call."""
    used = result if isinstance(result, str) else f"{result.seconds:.1f} s, {result.megabytes} MB, {result.status}"
    return f"{call.verb:14} {call.shape:32} {used}"


def main() -> int:
    """Print what goes beyond its limits; return 1 if a call does."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chars", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--verb", action="append", choices=VERBS)
    parser.add_argument("--shape", action="append", choices=SHAPES)
    parser.add_argument("--results", type=Path, help="file of results, in which those of this run are added")
    parser.add_argument("--sample", type=int, default=0, help="only so many shapes per verb, and each shape once")
    parser.add_argument("--every", type=int, default=1, help="only every so many of the calls, others for each verb")
    parser.add_argument("--all", action="store_true", help="print every call")
    options = parser.parse_args()
    log = Log(options.results)
    calls = calls_of(options, log)
    run(calls, log, is_loud=options.all)
    beyond = [call for call in calls if is_beyond(call, log.results[call])]
    limit = f"1.5 x {options.seconds:g} CPU seconds or {MAX_MEGABYTES} MB"
    print(f"{len(beyond)} of {len(calls)} calls of {options.chars:,} characters went beyond {limit}")
    for call in beyond:
        print(said(call, log.results[call]))
    return int(bool(beyond))


if __name__ == "__main__":
    # a job is found by its module, which must not be called __main__
    import adversarial

    sys.exit(adversarial.main())
