"""Run every verb and method on pages made to be slow or large, and say which used more than 1.5 times its limit.

``python tools/adversarial.py --chars 1000000 --seconds 5 --verb extract --verb text --shape "deep list"``
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import peneira
from adversarial_pages import SHAPES
from peneira import Limits
from peneira.worker import Failure, WorkerLimits, WorkerPool

MAX_RATIO = 1.5
MAX_MEGABYTES = 1024
METHODS = ("mdr", "tps+mdr", "autorm", "xpath-rank", "gstm", "gstm-published")


class Measured(NamedTuple):
    """What one call used, and what it said about itself."""

    seconds: float
    megabytes: int
    status: str


def _learned(html: str, limits: Limits, method: str = "auto") -> str:
    try:
        wrapper = peneira.learn([html, html.replace("x", "y")], limits=limits, method=method)
        return str(getattr(wrapper.extract(html, limits=limits), "status", ""))
    except peneira.PeneiraError as error:
        return type(error).__name__


def _everything(html: str, limits: Limits) -> str:
    result = peneira.extract(html, limits=limits)
    assert result.paging is not None
    assert all(region.columns is not None for region in result.regions)
    return result.status


VERBS: dict[str, Callable[[str, Limits], str]] = {
    "extract": lambda html, limits: _everything(html, limits),
    "text": lambda html, limits: peneira.text(html, limits=limits).status,
    "markdown": lambda html, limits: peneira.text(html, markdown=True, limits=limits).status,
    "item": lambda html, limits: peneira.item(html, limits=limits).status,
    "clean": lambda html, limits: peneira.clean(html, limits=limits).status,
    "segment": lambda html, limits: peneira.segment(html, limits=limits).status,
    "content": lambda html, limits: peneira.content(html, limits=limits).status,
    "tps": lambda html, limits: peneira.clean(html, limits=limits, faithful="thesis").status,
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
    peneira.extract("<ul><li>a<li>b<li>c</ul>")  # loads models
    Path("/proc/self/clear_refs").write_text("5")  # the peak of memory starts again
    started = process_time()
    status = VERBS[verb](html, Limits(seconds=seconds))
    used = process_time() - started
    peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return Measured(used, int(peak.split()[1]) // 1024, status)


def main() -> int:
    """Print what goes beyond its limits; return how many calls do."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chars", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--verb", action="append", choices=VERBS)
    parser.add_argument("--shape", action="append", choices=SHAPES)
    parser.add_argument("--all", action="store_true", help="print every call")
    options = parser.parse_args()
    calls = [(verb, shape) for verb in options.verb or VERBS for shape in options.shape or SHAPES]
    beyond = 0
    limits = WorkerLimits(seconds=20 * options.seconds + 60, memory_bytes=3 * 1024**3, recycle_bytes=10**9)
    with WorkerPool[tuple[str, str]](1, limits) as pool:
        for verb, shape in calls:
            pool.submit((verb, shape), measure, shape, verb, options.chars, options.seconds)
            (done,) = pool.wait()
            result = done.result
            is_beyond = not isinstance(result, Measured) or (
                result.seconds > MAX_RATIO * options.seconds or result.megabytes > MAX_MEGABYTES
            )
            beyond += is_beyond
            if is_beyond or options.all:
                said = (
                    f"{result.seconds:.1f} s, {result.megabytes} MB, {result.status}"
                    if isinstance(result, Measured)
                    else f"{result.kind}: {result.message}"
                    if isinstance(result, Failure)
                    else str(result)
                )
                print(f"{verb:14} {shape:32} {said}", flush=True)
    print(f"{beyond} of {len(calls)} calls went beyond 1.5 x {options.seconds:g} CPU seconds or {MAX_MEGABYTES} MB")
    return int(beyond > 0)


if __name__ == "__main__":
    # a job is found by its module, which must not be called __main__
    import adversarial

    sys.exit(adversarial.main())
