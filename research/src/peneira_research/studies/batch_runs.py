"""Batch runs measured from outside: memory, processor time, kills and going on, and Spark beside the local engine."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_POLL_S = 0.25
_TICKS = os.sysconf("SC_CLK_TCK")
_MEGABYTE = 1024 * 1024


@dataclass(slots=True)
class RunMeasures:
    """One run: its last line, seconds by the clock, processor seconds of the parent and of its workers, and memory.

    ``quarters_mb``: the most memory of the parent and of any worker in each quarter of the run. ``idle_share``: the
    share of their life in which workers neither ran nor waited for the processor: a busy machine changes it little.
    """

    last_line: str = ""
    exit_code: int = 0
    seconds: float = 0.0
    parent_cpu_s: float = 0.0
    worker_cpu_s: float = 0.0
    parent_mb: float = 0.0
    worker_mb: float = 0.0
    quarters_mb: list[tuple[float, float]] = field(default_factory=list)
    idle_share: float = 0.0

    def accounted_speed(self, jobs: int) -> float:
        """Return how many times as fast as one worker so many are on as many free cores, with the parent beside them.

        By processor time: one worker is held up by nothing else, and the parent takes its share of the same cores.
        """
        cpu = self.parent_cpu_s + self.worker_cpu_s
        return jobs * (1 - self.idle_share) * self.worker_cpu_s / cpu if cpu else 0.0


def batch_command(source: Path, folder: Path, options: Sequence[str]) -> list[str]:
    """Return the command of a run."""
    return [sys.executable, "-m", "peneira", "batch", str(source), "-o", str(folder), *options]


def measured_run(source: Path, folder: Path, options: Sequence[str]) -> RunMeasures:
    """Do a run and return what it took."""
    start = time.monotonic()
    process = subprocess.Popen(batch_command(source, folder, options), stderr=subprocess.PIPE, text=True)
    samples: list[tuple[float, float, float]] = []
    cpu: dict[int, float] = {}
    lives: dict[int, _Life] = {}
    while process.poll() is None:
        children = _descendants(process.pid)
        workers = [_sample(child) for child in children]
        own = _sample(process.pid)
        if own is not None:
            samples.append((time.monotonic() - start, own[1], max((each[1] for each in workers if each), default=0.0)))
            cpu[process.pid] = own[0]
        for child, each in zip(children, workers, strict=True):
            if each is not None:
                cpu[child] = each[0]
                lives.setdefault(child, _Life(child)).look()
        time.sleep(_POLL_S)
    assert process.stderr is not None
    lines = process.stderr.read().splitlines()
    process.stderr.close()
    seconds = time.monotonic() - start
    measures = RunMeasures(
        lines[-1] if lines else "", process.returncode, seconds, cpu.pop(process.pid, 0.0), sum(cpu.values())
    )
    alive_s = sum(life.seconds for life in lives.values())
    measures.idle_share = sum(life.idle_s for life in lives.values()) / alive_s if alive_s else 0.0
    measures.parent_mb = max((own for _, own, _ in samples), default=0.0)
    measures.worker_mb = max((worker for _, _, worker in samples), default=0.0)
    for quarter in range(4):
        bounds = seconds * quarter / 4, seconds * (quarter + 1) / 4
        inside = [(own, worker) for moment, own, worker in samples if bounds[0] <= moment < bounds[1]]
        measures.quarters_mb.append(
            (max((o for o, _ in inside), default=0.0), max((w for _, w in inside), default=0.0))
        )
    return measures


def killed_run(source: Path, folder: Path, options: Sequence[str], *, pages: int, kills: int, seed: int) -> list[int]:
    """Do a run that is killed at random moments, go on after each, and return after how many pages it was killed."""
    moments = sorted(random.Random(seed).sample(range(1, max(pages, kills + 1)), kills))
    killed_at = []
    for moment in moments:
        process = subprocess.Popen(batch_command(source, folder, options), stderr=subprocess.DEVNULL)
        while process.poll() is None and finished_pages(folder) < moment:
            time.sleep(_POLL_S / 5)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            killed_at.append(finished_pages(folder))
        process.wait()
    subprocess.run(batch_command(source, folder, options), stderr=subprocess.DEVNULL, check=False)
    return killed_at


def finished_pages(folder: Path) -> int:
    """Return how many pages of a run have an outcome."""
    state = folder / ".peneira"
    count = 0
    with contextlib.suppress(OSError):
        count += sum(json.loads(line)["pages"] for line in (state / "chunks.jsonl").read_text().splitlines())
    for journal in (state / "journal").glob("*.jsonl"):
        with contextlib.suppress(OSError):
            count += journal.read_bytes().count(b"\n")
    return count


def sorted_digest(files: Iterable[Path], *, by_value: bool = False) -> str:
    """Return a digest of all lines of files of JSON Lines, sorted: equal for equal rows in any order.

    ``by_value``: equal also where another program has written the same values, in another order of the keys.
    """
    lines = (line for path in files for line in path.read_bytes().split(b"\n") if line)
    if by_value:
        lines = (json.dumps(json.loads(line), sort_keys=True).encode() for line in lines)
    return hashlib.sha256(b"\n".join(sorted(lines))).hexdigest()


class _Life:
    """A process between the first and the last look at it."""

    def __init__(self, process_id: int) -> None:
        self._path = Path(f"/proc/{process_id}/schedstat")
        self._first = self._last = (time.monotonic(), self._scheduled_s() or 0.0)

    def look(self) -> None:
        scheduled_s = self._scheduled_s()
        if scheduled_s is not None:
            self._last = (time.monotonic(), scheduled_s)

    @property
    def seconds(self) -> float:
        return self._last[0] - self._first[0]

    @property
    def idle_s(self) -> float:
        return max(self.seconds - (self._last[1] - self._first[1]), 0.0)

    def _scheduled_s(self) -> float | None:
        """Return the seconds on the processor and in line for it, None if the process is gone."""
        try:
            running_ns, waiting_ns, _ = map(int, self._path.read_text().split())
        except (OSError, ValueError):
            return None
        return (running_ns + waiting_ns) / 1e9


def _descendants(process_id: int) -> list[int]:
    """Return the processes below a process: those of Spark are below Java, which starts them from any thread."""
    found = []
    for task in Path(f"/proc/{process_id}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            children = [int(child) for child in task.read_text().split()]
            found += [each for child in children for each in (child, *_descendants(child))]
    return found


def _sample(process_id: int) -> tuple[float, float] | None:
    """Return the processor seconds and the memory in megabytes of a process, None if it is gone."""
    try:
        fields = Path(f"/proc/{process_id}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / _TICKS, int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / _MEGABYTE
