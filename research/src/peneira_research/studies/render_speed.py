"""What rendering costs beyond Chromium's own part, and whether memory stays flat over many pages.

Chromium's own part is measured with bare playwright, in turns with ours on the same page: opening a tab, then loading
the page and taking the snapshot. Wall time, best of several: Chromium works in processes of its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

from peneira.layout import PROPERTIES
from peneira.sources import chromium
from peneira.sources.browser import NO_URL, Browser
from peneira.sources.encoding import decode
from peneira.sources.snapshot import Snapshot, page_of
from peneira_research.corpora.rendered_pages import OPTIONS

if TYPE_CHECKING:
    from playwright.sync_api import Browser as Chromium

_PROC = Path("/proc")
_MB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class RenderTiming:
    """Seconds for one page: bare Chromium opening a tab, and loading with a snapshot; ours in total, and of that the
    reading of the snapshot into a page."""

    page: str
    nodes: int
    tab_s: float
    load_s: float
    total_s: float
    reading_s: float

    @property
    def total_ratio(self) -> float:
        """Our total time as a multiple of load and snapshot. The next tab is opened while a page is read."""
        return self.total_s / self.load_s

    @property
    def reading_share(self) -> float:
        """The time of reading as a share of load and snapshot."""
        return self.reading_s / self.load_s


def time_rendering(bodies: Sequence[tuple[str, bytes]], *, repeat: int) -> Iterator[RenderTiming]:
    """Yield the timing of each named page."""
    from playwright.sync_api import sync_playwright

    with Browser(OPTIONS) as ours, sync_playwright() as playwright:
        bare = playwright.chromium.launch(
            executable_path=chromium.find(playwright.chromium.executable_path),
            args=chromium.flags(OPTIONS),
            chromium_sandbox=chromium.has_sandbox(OPTIONS),
        )
        ours.read("<p>warm")
        for name, body in bodies:
            yield _timed(name, body, bare, ours, repeat)
        bare.close()


def _timed(name: str, body: bytes, bare: Chromium, ours: Browser, repeat: int) -> RenderTiming:
    best: dict[str, float] = {}
    nodes = 0
    for _ in range(repeat):
        tab_s, load_s, snapshot = _bare(bare, body)
        total_s, nodes = _ours(ours, body)
        turn = {"tab_s": tab_s, "load_s": load_s, "total_s": total_s, "reading_s": _reading(snapshot)}
        best = {key: min(seconds, best.get(key, seconds)) for key, seconds in turn.items()}
    return RenderTiming(name, nodes, **best)


def _bare(browser: Chromium, body: bytes) -> tuple[float, float, Snapshot]:
    """Return the seconds of a tab, of load and snapshot, and the snapshot, with playwright alone."""
    html, _, _ = decode(body)
    start = perf_counter()
    viewport = {"width": OPTIONS.width_px, "height": OPTIONS.height_px}
    context = browser.new_context(viewport=viewport, java_script_enabled=False, offline=True)  # type: ignore[arg-type]
    page = context.new_page()
    session = context.new_cdp_session(page)
    page.route(NO_URL, lambda route: route.fulfill(body=html, content_type="text/html; charset=utf-8"))
    opened = perf_counter()
    page.goto(NO_URL, wait_until="domcontentloaded")
    answer = session.send("DOMSnapshot.captureSnapshot", {"computedStyles": list(PROPERTIES)})
    done = perf_counter()
    context.close()
    return opened - start, done - opened, Snapshot([answer])


def _ours(browser: Browser, body: bytes) -> tuple[float, int]:
    start = perf_counter()
    page = browser.read(body)
    return perf_counter() - start, len(page)


def _reading(snapshot: Snapshot) -> float:
    start = perf_counter()
    page_of(snapshot)
    return perf_counter() - start


def medians(timings: Sequence[RenderTiming]) -> dict[str, float]:
    """Return the median of each metric."""
    return {
        "tab_s": median(timing.tab_s for timing in timings),
        "load_s": median(timing.load_s for timing in timings),
        "total_s": median(timing.total_s for timing in timings),
        "reading_s": median(timing.reading_s for timing in timings),
        "total_ratio": median(timing.total_ratio for timing in timings),
        "reading_share": median(timing.reading_share for timing in timings),
    }


@dataclass(frozen=True, slots=True)
class Memory:
    """Megabytes in use after a number of pages: of our own process, and of all processes that it started."""

    pages: int
    own_mb: float
    browser_mb: float


def watch_memory(bodies: Sequence[bytes], *, pages: int, every: int) -> Iterator[Memory]:
    """Render ``pages`` pages, cycling through the bodies, and yield the memory in use after every ``every`` of them."""
    with Browser(OPTIONS) as browser:
        for number, body in enumerate(islice(cycle(bodies), pages), start=1):
            browser.read(body)
            if number % every == 0 or number == pages:
                yield Memory(number, _resident_mb("self"), sum(map(_resident_mb, _descendants())))


def _resident_mb(process: str) -> float:
    """Return the resident memory of a process, 0 where it cannot be read."""
    try:
        lines = (_PROC / process / "status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    sizes = [line.split()[1] for line in lines if line.startswith("VmRSS:")]
    return int(sizes[0]) * 1024 / _MB if sizes else 0.0


def _descendants() -> list[str]:
    """Return the child processes of ours, at any depth. Shared memory is counted in each."""
    children: dict[str, list[str]] = {}
    for folder in _PROC.glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(fields[1], []).append(folder.name)
    found: list[str] = []
    waiting = [str(os.getpid())]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found
