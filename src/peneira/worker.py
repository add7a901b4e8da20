"""Processes that do one job at a time and can be killed: what a page does to its process, it does to nobody else.

A job is a function that can be pickled, and its arguments. The time it takes is watched from outside, the memory by the
operating system. A job that takes too much of either, or crashes its process, ends as a ``Failure``; the next job gets
a new process. A process that has grown is replaced before it is in the way.

Time is that of the processor, so that a busy machine fails no page; a job that waits and does nothing is ended too,
after ``WAITING_FACTOR`` times as long.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pickle
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import TracebackType
from typing import Generic, Literal, TypeVar, cast

from peneira.errors import PeneiraError

Token = TypeVar("Token")
FailureKind = Literal["error", "crash", "memory", "time", "killed"]

_MEGABYTE = 1024 * 1024
# What numerical libraries read when they are loaded: a worker is one thread, there are as many workers as cores
_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_COMMAND = "import sys; from peneira.worker import serve; serve(int(sys.argv[1]))"
_PR_SET_PDEATHSIG = 1
# How much longer than its time a job may take that does not use the processor
WAITING_FACTOR = 10.0
_EXIT_WAIT_S = 5.0


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """What one job may take. ``recycle_bytes``: a process that has more than this after a job is replaced."""

    seconds: float = 100.0
    memory_bytes: int = 2048 * _MEGABYTE
    recycle_bytes: int = 400 * _MEGABYTE


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a job has no result. "error": it says so itself; else what it did to its process."""

    kind: FailureKind
    message: str


@dataclass(frozen=True, slots=True)
class Done(Generic[Token]):
    """A job that has ended: its token, and its result or a ``Failure``."""

    token: Token
    result: object


@dataclass(slots=True, eq=False)
class _Process(Generic[Token]):
    """A process with the job that it does, None while it does none."""

    popen: subprocess.Popen[bytes]
    connection: Connection
    token: Token | None = None
    seconds: float = 0.0
    # what the processor had done for it when the job began, when that was, when its time is looked at next
    cpu_seconds: float = 0.0
    start: float = 0.0
    deadline: float = 0.0

    def begin(self, token: Token, seconds: float) -> None:
        """Note that a job begins."""
        self.token, self.seconds = token, seconds
        self.start = time.monotonic()
        self.deadline = self.start + seconds

    def is_overdue(self) -> bool:
        """Return whether the job has had its time; if not, look again when it may have."""
        now = time.monotonic()
        if now < self.deadline:
            return False
        passed = now - self.start
        left = self.seconds + self.cpu_seconds - _cpu_seconds(self.popen.pid, otherwise=self.cpu_seconds + passed)
        self.deadline = min(now + left, self.start + self.seconds * WAITING_FACTOR)
        return left <= 0 or passed >= self.seconds * WAITING_FACTOR

    def kill(self) -> None:
        self.connection.close()
        self.popen.kill()
        self.popen.wait()


@dataclass(frozen=True, slots=True)
class _Waiting(Generic[Token]):
    """A job that no process has yet, in the form in which it is sent."""

    token: Token
    message: bytes
    seconds: float


class WorkerPool(Generic[Token]):
    """So many processes, started when there is work for them; in a ``with`` block, at whose end all are gone.

    ``ahead``: jobs that are kept ready, so that no process waits for its next one while a result is being looked at.
    ``peak_bytes``: the most memory that any process has had.
    """

    def __init__(self, jobs: int, limits: WorkerLimits, *, ahead: int = 0) -> None:
        self.jobs, self.limits, self.ahead = jobs, limits, ahead
        self.peak_bytes = 0
        self._idle: list[_Process[Token]] = []
        self._busy: dict[Connection, _Process[Token]] = {}
        self._waiting: deque[_Waiting[Token]] = deque()

    def __enter__(self) -> WorkerPool[Token]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cancel()
        for process in self._idle:
            process.kill()
        self._idle = []

    def cancel(self) -> None:
        """End the jobs that have not ended; their results are gone."""
        self._waiting.clear()
        for process in self._busy.values():
            process.kill()
        self._busy = {}

    @property
    def is_full(self) -> bool:
        """Whether all processes have a job, and as many as are kept ready wait."""
        return len(self._busy) + len(self._waiting) >= self.jobs + self.ahead

    @property
    def is_idle(self) -> bool:
        """Whether none has."""
        return not self._busy

    @property
    def process_ids(self) -> list[int]:
        """The ids of the processes that run now."""
        return [process.popen.pid for process in [*self._busy.values(), *self._idle]]

    def submit(
        self, token: Token, function: Callable[..., object], *args: object, seconds: float | None = None
    ) -> None:
        """Give a job to a process, or keep it until one has none; not to a full pool. ``seconds``: not the limit's."""
        message = pickle.dumps((function, args), protocol=pickle.HIGHEST_PROTOCOL)
        self._waiting.append(_Waiting(token, message, self.limits.seconds if seconds is None else seconds))
        self._begin_waiting()

    def _begin_waiting(self) -> None:
        """Give the jobs that wait to processes that have none."""
        while self._waiting and len(self._busy) < self.jobs:
            self._begin(self._waiting.popleft())

    def _begin(self, job: _Waiting[Token]) -> None:
        while True:
            is_new = not self._idle
            process = self._started() if is_new else self._idle.pop()
            process.begin(job.token, job.seconds)
            try:
                process.connection.send_bytes(job.message)
            except OSError:
                if not is_new:  # it ended while it was idle, which no job is to blame for
                    process.kill()
                    continue
            self._busy[process.connection] = process
            return

    def wait(self) -> list[Done[Token]]:
        """Return the jobs that have ended since; wait for at least one, if there is any."""
        while self._busy:
            soonest = min(process.deadline for process in self._busy.values())
            ready = wait(list(self._busy), timeout=max(soonest - time.monotonic(), 0.0))
            ended = []
            for connection in ready:
                ended.append(self._received(self._busy.pop(cast("Connection", connection))))
                self._begin_waiting()
            for process in [each for each in self._busy.values() if each.is_overdue()]:
                del self._busy[process.connection]
                process.kill()
                ended.append(_failed(process, "time", f"it did not end within {process.seconds:g} s"))
            self._begin_waiting()
            if ended:
                return ended
        return []

    def _received(self, process: _Process[Token]) -> Done[Token]:
        try:
            result, current_bytes, peak_bytes, process.cpu_seconds = pickle.loads(process.connection.recv_bytes())
        except (EOFError, OSError):
            return self._ended(process)
        self.peak_bytes = max(self.peak_bytes, peak_bytes)
        token = process.token
        assert token is not None
        is_used_up = isinstance(result, Failure) and result.kind == "memory"
        if is_used_up or current_bytes > self.limits.recycle_bytes:
            process.kill()
        else:
            process.token = None
            self._idle.append(process)
        return Done(token, result)

    def _ended(self, process: _Process[Token]) -> Done[Token]:
        """Return what became of a job whose process ended before it did."""
        try:
            code = process.popen.wait(_EXIT_WAIT_S)
        except subprocess.TimeoutExpired:
            code = 0
        process.kill()
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        return _failed(process, "killed", f"its process ended with {how}")

    def _started(self) -> _Process[Token]:
        own, other = socket.socketpair()
        with other:
            environment = os.environ | dict.fromkeys(_THREAD_VARIABLES, "1")
            package = str(Path(__file__).resolve().parent.parent)
            environment["PYTHONPATH"] = os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH", ""))))
            handle = other.fileno()
            with _without_interrupts():
                popen = subprocess.Popen(
                    [sys.executable, "-c", _COMMAND, str(handle)],
                    pass_fds=[handle],
                    stdin=subprocess.DEVNULL,
                    env=environment,
                )
        connection = Connection(own.detach())
        with contextlib.suppress(OSError):  # it ended at once: the first job will tell
            connection.send_bytes(pickle.dumps((sys.path, self.limits)))
        return _Process(popen, connection)


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Hold Ctrl-C back: a process that is started meanwhile never gets it. It is for the one who gives the jobs."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _cpu_seconds(process_id: int, *, otherwise: float) -> float:
    """Return how long the processor has worked for a process; another value where the system does not tell."""
    try:
        # the name of the program, in brackets, may have anything in it
        fields = Path(f"/proc/{process_id}/stat").read_bytes().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return otherwise


def _failed(process: _Process[Token], kind: FailureKind, message: str) -> Done[Token]:
    assert process.token is not None
    return Done(process.token, Failure(kind, message))


def serve(handle: int) -> None:
    """Do the jobs that come from the other end, one after the other, until it is closed."""
    _end_with_parent()
    connection = Connection(handle)
    try:
        paths, limits = pickle.loads(connection.recv_bytes())
        sys.path[:] = paths
        _limit_memory(limits.memory_bytes)
        while True:
            message = connection.recv_bytes()
            result = _result(message)
            del message
            reply = _reply(result)
            del result
            connection.send_bytes(reply)
    except (EOFError, OSError):
        return


def _result(message: bytes) -> object:
    try:
        function, args = pickle.loads(message)
        return function(*args)
    except MemoryError:
        return Failure("memory", "it needs more memory than is allowed")
    except PeneiraError as error:
        return Failure("error", str(error))
    except Exception as error:
        return Failure("crash", f"{type(error).__name__}: {error}")


def _reply(result: object) -> bytes:
    give_back_memory()
    try:
        return pickle.dumps((result, *_memory(), time.process_time()), protocol=pickle.HIGHEST_PROTOCOL)
    except MemoryError:
        return pickle.dumps((Failure("memory", "its result needs more memory than is allowed"), 0, 0, 0.0))


def _end_with_parent() -> None:
    """Ask the kernel to kill this process when the one that started it is gone, however that ended."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _limit_memory(limit_bytes: int) -> None:
    with contextlib.suppress(ImportError, OSError, ValueError):  # Windows has no such limits
        import resource

        # what a process has written to or may write to; address space that is only reserved does not count
        resource.setrlimit(resource.RLIMIT_DATA, (limit_bytes, limit_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def give_back_memory() -> None:
    """Return freed memory to the system: else a process keeps for ever what its largest page took (glibc)."""
    with contextlib.suppress(OSError, AttributeError):  # other C libraries have no such function
        ctypes.CDLL(None).malloc_trim(0)


def _memory() -> tuple[int, int]:
    """Return the memory of this process now and at its peak, in bytes; 0 where that is not known."""
    with contextlib.suppress(OSError):
        lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":" in line)
        return int(lines["VmRSS"].split()[0]) * 1024, int(lines["VmHWM"].split()[0]) * 1024
    return 0, 0
