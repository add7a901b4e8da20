"""What whole processes cost: CPU time from the start of a command, memory per node, instructions of a stage."""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import peneira
from peneira.errors import PeneiraError
from peneira.sources.html import read_page
from peneira_research.studies.speed import PARSE, SpeedOptions, cells_stage, records_stage, stages
from peneira_research.workers import THREAD_VARIABLES, in_processes

SMALL_PAGE = b"<ul><li><a href=/a>Ana</a> 31<li><a href=/b>Bia</a> 27<li><a href=/c>Cid</a> 45</ul>"
_COMMAND = (sys.executable, "-m", "peneira")
_COLLECTED = re.compile(r"Collected\s*:\s*(\d+)")
# What callgrind counts: the same stage once and three times, in processes that are otherwise the same
_COUNTED_RUNS = (1, 3)
_COUNTED_STAGES = (PARSE, records_stage(), cells_stage())


@dataclass(frozen=True, slots=True)
class Memory:
    """The most memory that an extraction with all its cells took beyond that of the process before, per node."""

    page: str
    nodes: int
    bytes_per_node: float


def start_up_ms(*, repeat: int) -> dict[str, float]:
    """Return the CPU milliseconds of commands from the start of their process, the best of several.

    As in an installation, all modules are compiled to bytecode: each command runs once before it is timed.
    """
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "small.html")
        page.write_bytes(SMALL_PAGE)
        commands: Mapping[str, Sequence[str]] = {
            "python": (sys.executable, "-c", "pass"),
            "python, numpy": (sys.executable, "-c", "import numpy"),
            "peneira --version": (*_COMMAND, "--version"),
            "peneira extract small.html": (*_COMMAND, "extract", str(page)),
        }
        environment = {**_single_threaded(), "PYTHONPYCACHEPREFIX": str(Path(folder, "bytecode"))}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for command in commands.values():
            _cpu_ms(command, environment)
        return {name: min(_cpu_ms(command, environment) for _ in range(repeat)) for name, command in commands.items()}


def _cpu_ms(command: Sequence[str], environment: Mapping[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def _single_threaded() -> dict[str, str]:
    return {**os.environ, **dict.fromkeys(THREAD_VARIABLES, "1")}


def memory_per_node(pages: Sequence[tuple[str, bytes]]) -> Iterator[Memory]:
    """Yield what the extraction of each page takes, in a process of its own that has extracted from a small page."""
    for page in pages:
        yield from in_processes(_memory, [page], jobs=1)


def _memory(named: tuple[str, bytes]) -> Memory:
    name, body = named
    _read_all(SMALL_PAGE)
    before = _most_bytes()
    result = _read_all(body)
    nodes = max(1, len(read_page(body)))
    del result
    return Memory(name, nodes, max(0, _most_bytes() - before) / nodes)


def _read_all(body: bytes) -> object:
    result = peneira.extract(body)
    return result, [region.table for region in result.regions[:1]]


def _most_bytes() -> int:
    """Return the most memory that the process had at any time."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def instructions(body: bytes) -> dict[str, int]:
    """Return how many instructions stages execute on a page, as valgrind's callgrind counts them; takes minutes."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise PeneiraError("callgrind counts instructions: install valgrind")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        page.write_bytes(body)
        return {stage: _counted(valgrind, page, stage) for stage in _COUNTED_STAGES}


def _counted(valgrind: str, page: Path, stage: str) -> int:
    few, many = (_collected(valgrind, page, stage, runs) for runs in _COUNTED_RUNS)
    return (many - few) // (_COUNTED_RUNS[1] - _COUNTED_RUNS[0])


def _collected(valgrind: str, page: Path, stage: str, runs: int) -> int:
    """Return the instructions of a process that runs a stage so many times, after one run that fills all caches."""
    code = f"from {__name__} import repeat_stage; repeat_stage({str(page)!r}, {stage!r}, {runs})"
    options = ("--tool=callgrind", f"--callgrind-out-file={os.devnull}")
    run = subprocess.run(
        (valgrind, *options, sys.executable, "-c", code),
        check=True,
        capture_output=True,
        text=True,
        env={**_single_threaded(), "PYTHONHASHSEED": "0"},
    )
    match = _COLLECTED.search(run.stderr)
    if match is None:
        raise PeneiraError("valgrind printed no count of instructions")
    return int(match[1])


def repeat_stage(path: str, name: str, runs: int) -> None:
    """Run a stage on the page in a file once, and so many times more."""
    from selectolax.lexbor import LexborHTMLParser

    from peneira.sources.encoding import decode

    body = Path(path).read_bytes()
    run = (
        partial(LexborHTMLParser, decode(body)[0])
        if name == PARSE
        else partial(stages(SpeedOptions(stages=[name]))[0].run, body)
    )
    for _ in range(runs + 1):
        run()
