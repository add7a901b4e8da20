"""Many pages in one process, many in one browser, and many kills of writers: ``make soak``.

``python tools/soak.py pages --count 50000``: memory within 5 % after the warm-up, handles and threads constant.
``python tools/soak.py rendered --count 2000``: pages in one browser, some of which crash it, hang or grow for ever; all
others are read, and the processes that are left at the end are those of a browser that has done nothing.
``python tools/soak.py kills --count 1000``: commands that write are killed at random moments; no file under its final
name is half-written, what was there before is whole, and what was finished is not lost (``tools/kills.py``).
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import sys
import threading
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "tools"))
MAX_GROWTH = 0.05
WARM_UP_SHARE = 0.2
# Pages that must not cost any other: one in so many
_HOSTILE_EVERY = 10
HOSTILE = {
    "crash": "<p>x<script>setTimeout(() => { const a = []; for (;;) a.push(new Array(1e5).fill({})); }, 0)</script>",
    "hang": "<p>x<script>for (;;);</script>",
    "growth": "<p>x<script>setInterval(() => document.body.append(document.createElement('p')), 0)</script>",
    "dialogs": "<p>x<script>for (let k = 0; k < 99; k++) alert(k)</script>",
    "popups": "<p>x<script>for (let k = 0; k < 9; k++) open('about:blank')</script>",
}


def _memory_bytes() -> int:
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) * 1024


def _forget() -> int:
    """Empty the caches that are kept from page to page, and return how many entries they had."""
    from test_caches import caches

    held = [cache for cache in caches() if cache.cache_parameters()["maxsize"] is not None]
    entries = sum(cache.cache_info().currsize for cache in held)
    for cache in held:
        cache.cache_clear()
    return entries


def _handles() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def pages(count: int, seed: int) -> int:
    """Run pages of all kinds through all front doors; return 1 if memory, handles or threads grow."""
    from adversarial_pages import SHAPES
    from fuzzing import SHAPE_CHARS, TARGETS, page_of
    from peneira import PeneiraError
    from peneira.worker import give_back_memory

    # most pages are parsed and written, which is quick; one in ten goes through everything else
    slow = [TARGETS[name] for name in ("extract", "texts", "html", "wrappers")]
    # The largest page comes up once in 30,000, and its peak leaves gaps in the memory of Python that later pages fill:
    # it is part of the warm-up. With no object left, that alone was 6 MB of 90
    for shape in SHAPES.values():
        for run in slow:
            with contextlib.suppress(PeneiraError):
                run(shape(SHAPE_CHARS), 0)
    warm_up = int(count * WARM_UP_SHARE)
    before, bare_before = (0, 0, 0), 0
    for number in range(count):
        if number == warm_up:
            gc.collect()
            give_back_memory()
            before = (_memory_bytes(), _handles(), threading.active_count())
            # what else grows shows with empty caches; they fill again
            print(f"{_forget():,} entries in caches of bounded size after {number} pages", flush=True)
            gc.collect()
            give_back_memory()
            bare_before = _memory_bytes()
        run = slow[number // 10 % len(slow)] if number % 10 == 0 else TARGETS["reread"]
        with contextlib.suppress(PeneiraError):
            run(page_of(seed, number), number)
        if number % 5000 == 4999:
            memory, blocks = _memory_bytes() / 1024**2, sys.getallocatedblocks()
            print(f"{number + 1} pages, {memory:.0f} MB, {blocks:,} blocks, {_handles()} handles", flush=True)
    gc.collect()
    give_back_memory()
    after = (_memory_bytes(), _handles(), threading.active_count())
    growth = after[0] / before[0] - 1
    print(f"{_forget():,} entries in caches of bounded size at the end")
    gc.collect()
    give_back_memory()
    bare = _memory_bytes()
    print(f"without them {bare_before / 1024**2:.1f} MB and {bare / 1024**2:.1f} MB ({bare / bare_before - 1:+.1%})")
    print(
        f"{count} pages, seed {seed}: memory {before[0] / 1024**2:.0f} MB after {warm_up} pages, "
        f"{after[0] / 1024**2:.0f} MB at the end ({growth:+.1%}); "
        f"handles {before[1]} and {after[1]}, threads {before[2]} and {after[2]}"
    )
    return int(growth > MAX_GROWTH or after[1:] != before[1:])


def _descendants(process: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            children = [int(child) for child in task.read_text().split()]
            found += [each for child in children for each in (child, *_descendants(child))]
    return found


def rendered(count: int, seed: int) -> int:
    """Render pages in one browser, hostile ones among them; return 1 if one costs another page or a process."""
    from peneira import PeneiraError
    from peneira.sources.browser import Browser
    from peneira.sources.chromium import RenderOptions

    lost: list[int] = []
    ends: Counter[str] = Counter()
    options = RenderOptions(timeout_s=20, settle_s=1, patience_s=0.3, max_script_mb=64)
    with Browser(options) as browser:
        browser.read("<p>first")
        processes = len(_descendants(os.getpid()))
        for number in range(count):
            if number % _HOSTILE_EVERY == _HOSTILE_EVERY - 1:
                kind = list(HOSTILE)[(number // _HOSTILE_EVERY + seed) % len(HOSTILE)]
                try:
                    ends[f"{kind}: {'partial' if browser.read(HOSTILE[kind]).cuts else 'complete'}"] += 1
                except PeneiraError as error:
                    ends[f"{kind}: {type(error).__name__}"] += 1
                continue
            try:
                text = browser.read(f"<p>page {number}<script>document.body.append('!')</script>").visible_text(0)
            except PeneiraError as error:
                text = str(error)
            if text != f"page {number} !" and text != f"page {number}!":
                lost.append(number)
                print(f"page {number}: {text}", flush=True)
            if number % 200 == 0:
                print(f"{number} pages, {len(_descendants(os.getpid()))} processes, {_handles()} handles", flush=True)
        at_end = len(_descendants(os.getpid()))
    left = len(_descendants(os.getpid()))
    told = ", ".join(f"{name} {times}" for name, times in sorted(ends.items()))
    print(
        f"{count} pages in one browser, seed {seed} ({told}): {len(lost)} other pages lost; "
        f"processes {processes} and {at_end}, {left} after it was closed"
    )
    return int(bool(lost) or at_end > 2 * processes or left > 0)


def main() -> int:
    """Run one of the three."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("pages", "rendered", "kills"))
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--writer", action="append", help="kills: only these writers")
    options = parser.parse_args()
    if options.what == "kills":
        from kills import kills

        return kills(options.count, options.seed, options.writer or ())
    return (pages if options.what == "pages" else rendered)(options.count, options.seed)


if __name__ == "__main__":
    sys.exit(main())
