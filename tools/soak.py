"""Many pages in one process, and many kills of writers: ``make soak``.

``python tools/soak.py pages --count 50000``: memory within 5 % after the warm-up, handles and threads constant.
``python tools/soak.py kills --count 1000``: commands that write files are killed at random moments; no file under its
final name is half-written, and what was there before is whole.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import random
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
MAX_GROWTH = 0.05
WARM_UP_SHARE = 0.2


def _memory_bytes() -> int:
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) * 1024


def _handles() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def pages(count: int, seed: int) -> int:
    """Run pages of all kinds through all front doors; return 1 if memory, handles or threads grow."""
    from fuzzing import TARGETS, page_of
    from peneira import PeneiraError

    targets = [TARGETS[name] for name in ("extract", "texts", "html", "wrappers")]
    warm_up = int(count * WARM_UP_SHARE)
    before = (0, 0, 0)
    for number in range(count):
        if number == warm_up:
            gc.collect()
            before = (_memory_bytes(), _handles(), threading.active_count())
        with contextlib.suppress(PeneiraError):
            targets[number % len(targets)](page_of(seed, number), number)
        if number % 1000 == 999:
            print(f"{number + 1} pages, {_memory_bytes() / 1024**2:.0f} MB, {_handles()} handles", flush=True)
    gc.collect()
    after = (_memory_bytes(), _handles(), threading.active_count())
    growth = after[0] / before[0] - 1
    print(
        f"{count} pages, seed {seed}: memory {before[0] / 1024**2:.0f} MB after {warm_up} pages, "
        f"{after[0] / 1024**2:.0f} MB at the end ({growth:+.1%}); "
        f"handles {before[1]} and {after[1]}, threads {before[2]} and {after[2]}"
    )
    return int(growth > MAX_GROWTH or after[1:] != before[1:])


def _is_csv(path: Path) -> bool:
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    return len(lines) == _RECORDS + 1


def _is_json_lines(path: Path) -> bool:
    return len([json.loads(line) for line in path.read_text().splitlines()]) == _RECORDS


def _is_json(path: Path) -> bool:
    return bool(json.loads(path.read_text()))


def _is_html(path: Path) -> bool:
    return path.read_text().rstrip().endswith("</html>")


def _is_sqlite(path: Path) -> bool:
    import sqlite3

    with sqlite3.connect(path) as database:
        (name,) = database.execute("select name from sqlite_master where type='table'").fetchone()
        (rows,) = database.execute(f'select count(*) from "{name}"').fetchone()
    return bool(rows >= _RECORDS)


def _is_zip(path: Path) -> bool:
    import zipfile

    return zipfile.ZipFile(path).testzip() is None


_RECORDS = 400
WRITERS: dict[str, tuple[tuple[str, ...], str, Callable[[Path], bool]]] = {
    "csv": (("extract",), "records.csv", _is_csv),
    "jsonl": (("extract",), "records.jsonl", _is_json_lines),
    "json": (("extract",), "records.json", _is_json),
    "sqlite": (("extract",), "records.sqlite", _is_sqlite),
    "xlsx": (("extract",), "records.xlsx", _is_zip),
    "wrapper": (("learn",), "site.json", _is_json),
    "clean": (("clean",), "cleaned.html", _is_html),
}


def kills(count: int, seed: int) -> int:
    """Kill writers at random moments; return 1 if one left a half-written file under its final name."""
    chance = random.Random(seed)
    rows = "".join(f"<li><a href=/p/{k}>Item {k}</a> <b>R$ {k},90</b></li>" for k in range(_RECORDS))
    broken = ended = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        page = folder / "page.html"
        page.write_text(f"<!doctype html><ul>{rows}</ul></html>")
        took: dict[str, float] = {}
        for number in range(count):
            writer = list(WRITERS)[number % len(WRITERS)]
            arguments, target, is_whole = WRITERS[writer]
            path = folder / target
            command = [sys.executable, "-m", "peneira", *arguments, str(page), "-o", str(path)]
            started = monotonic()
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if writer not in took:  # the first run is whole: it tells how long a run takes
                process.wait()
                took[writer] = monotonic() - started
            else:
                # files are written at the end of a run
                sleep(took[writer] * chance.uniform(0.5, 1.1))
                process.send_signal(chance.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGINT)))
                ended += process.wait() == 0
            if not path.exists() or not is_whole(path):
                broken += 1
                print(f"{writer}: {target} is not whole after run {number}", flush=True)
    print(f"{count} runs of {len(WRITERS)} writers, seed {seed}: {ended} ended before the kill, {broken} broken files")
    return int(broken > 0)


def main() -> int:
    """Run one of the two."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("pages", "kills"))
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    return (pages if options.what == "pages" else kills)(options.count, options.seed)


if __name__ == "__main__":
    sys.exit(main())
