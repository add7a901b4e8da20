"""Jobs in processes of their own: results, and every way in which a job can end without one."""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import worker_jobs
from peneira.worker import Failure, WorkerLimits, WorkerPool

MEGABYTE = 1024 * 1024
LIMITS = WorkerLimits(seconds=100, memory_bytes=600 * MEGABYTE, recycle_bytes=150 * MEGABYTE)


def results(
    jobs: list[tuple[Callable[..., object], tuple[object, ...]]], *, processes: int = 2, ahead: int = 0
) -> list[object]:
    found: dict[int, object] = {}
    with WorkerPool[int](processes, LIMITS, ahead=ahead) as pool:
        for number, (function, args) in enumerate(jobs):
            while pool.is_full:
                found.update({done.token: done.result for done in pool.wait()})
            pool.submit(number, function, *args)
        while not pool.is_idle:
            found.update({done.token: done.result for done in pool.wait()})
    return [found[number] for number in range(len(jobs))]


def test_each_job_gives_its_result():
    assert results([(worker_jobs.square, (number,)) for number in range(5)]) == [0, 1, 4, 9, 16]


@pytest.mark.parametrize("ahead", [0, 1, 5])
def test_errors_crashes_and_memory_cost_one_job_each(ahead: int):
    jobs = [worker_jobs.fail, worker_jobs.crash, worker_jobs.take_all_memory, worker_jobs.kill_own_process]
    found = results([*((job, ()) for job in jobs), (worker_jobs.square, (3,))], ahead=ahead)
    assert found == [
        Failure("error", "no such page"),
        Failure("crash", "RuntimeError: a bug"),
        Failure("memory", "it needs more memory than is allowed"),
        Failure("killed", "its process ended with signal SIGKILL"),
        9,
    ]


def test_a_job_that_loops_for_ever_is_killed():
    with WorkerPool[str](1, LIMITS) as pool:
        pool.submit("loop", worker_jobs.loop_for_ever, seconds=0.2)
        assert [(done.token, done.result) for done in pool.wait()] == [
            ("loop", Failure("time", "it did not end within 0.2 s"))
        ]
        pool.submit("next", worker_jobs.square, 2)
        assert [done.result for done in pool.wait()] == [4]


def test_a_job_that_waits_begins_before_the_result_of_another_is_looked_at():
    with WorkerPool[str](1, LIMITS, ahead=1) as pool:
        pool.submit("first", worker_jobs.square, 2)
        assert not pool.is_full
        pool.submit("second", worker_jobs.loop_for_ever, seconds=0.2)
        assert pool.is_full
        assert [(done.token, done.result) for done in pool.wait()] == [("first", 4)]
        assert not pool.is_full and not pool.is_idle
        assert [done.result for done in pool.wait()] == [Failure("time", "it did not end within 0.2 s")]
        assert pool.is_idle


def test_a_process_that_has_grown_is_replaced():
    first, second, third = results([(worker_jobs.process_id, (size,)) for size in (0, 200 * MEGABYTE, 0)], processes=1)
    assert first == second != third


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="another C library")
def test_a_process_gives_back_what_a_large_page_took():
    limits = WorkerLimits(seconds=60, recycle_bytes=200 * 1024**2)
    with WorkerPool[str](1, limits) as pool:
        pool.submit("large", worker_jobs.take_and_free, 300_000_000)
        assert [done.result for done in pool.wait()] == [300_000_000]
        assert pool.peak_bytes > 300_000_000
        (process,) = pool.process_ids  # it is not replaced
        pool.submit("next", worker_jobs.length, b"x")
        pool.wait()
        assert pool.process_ids == [process]


def test_a_process_that_is_killed_while_it_is_idle_costs_no_job():
    with WorkerPool[int](1, LIMITS) as pool:
        pool.submit(0, worker_jobs.process_id)
        idle = pool.wait()[0].result
        assert isinstance(idle, int) and pool.process_ids == [idle]
        os.kill(idle, signal.SIGKILL)
        os.waitid(os.P_PID, idle, os.WEXITED | os.WNOWAIT)
        pool.submit(1, worker_jobs.square, 5)
        assert [done.result for done in pool.wait()] == [25]


def test_a_job_too_large_for_its_process_fails_and_starts_no_other():
    with WorkerPool[int](1, WorkerLimits(seconds=100, memory_bytes=40 * MEGABYTE)) as pool:
        pool.submit(0, worker_jobs.length, bytes(80 * MEGABYTE))
        assert isinstance(pool.wait()[0].result, Failure)


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux ends the processes of a killed parent")
def test_processes_end_with_the_one_that_started_them():
    code = (
        "import sys, worker_jobs\n"
        "from peneira.worker import WorkerLimits, WorkerPool\n"
        "pool = WorkerPool(1, WorkerLimits())\n"
        "pool.submit(0, worker_jobs.process_id)\n"
        "print(pool.wait()[0].result, flush=True)\n"
        "pool.submit(1, worker_jobs.loop_for_ever)\n"
        "sys.stdin.read()\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent)},
    )
    assert parent.stdin is not None and parent.stdout is not None
    worker = int(parent.stdout.readline())
    watched = os.pidfd_open(worker)
    try:
        parent.kill()
        parent.wait()
        assert select.select([watched], [], [], 60)[0]  # readable once the process has ended
    finally:
        os.close(watched)
        parent.stdin.close()
        parent.stdout.close()
