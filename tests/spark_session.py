"""A real Spark for tests: one session in this process, or a master and a worker as processes of their own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

MIN_JAVA = 17
_ADDRESS = re.compile(r"Starting Spark master at (spark://\S+)")
_REGISTERED = "Registering worker"


def require_java() -> None:
    """Skip a test where there is no Java that Spark runs on; say what is missing."""
    java = shutil.which("java", path=str(Path(os.environ["JAVA_HOME"]) / "bin") if "JAVA_HOME" in os.environ else None)
    if java is None:
        pytest.skip(f"Spark needs a Java, version {MIN_JAVA} or newer: none is on the path or at JAVA_HOME")
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(\d+)', said)
    if found is None or int(found[1]) < MIN_JAVA:
        pytest.skip(f"Spark needs a Java, version {MIN_JAVA} or newer: this is {said.splitlines()[:1]}")


def environment() -> dict[str, str]:
    """Return what the processes of Spark need: our Python, no name look-ups, the modules of the tests."""
    return {
        **os.environ,
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_NO_DAEMONIZE": "1",
        "PYTHONPATH": str(Path(__file__).parent),
    }


@contextmanager
def standalone_master(folder: Path) -> Iterator[str]:
    """Give the address of a master with one worker of one core, each a process of its own, on loopback."""
    import pyspark

    spark_class = Path(pyspark.__file__).parent / "bin" / "spark-class"
    base = "org.apache.spark.deploy"
    options = ["--host", "127.0.0.1", "--webui-port", "0"]
    processes: list[subprocess.Popen[str]] = []

    def started(*args: str) -> subprocess.Popen[str]:
        env = environment() | {"SPARK_HOME": str(spark_class.parent.parent), "SPARK_DAEMON_MEMORY": "256m"}
        process = subprocess.Popen([str(spark_class), *args], stderr=subprocess.PIPE, env=env, text=True)
        processes.append(process)
        return process

    try:
        master = started(f"{base}.master.Master", *options, "--port", "0")
        address = _line_with(master, _ADDRESS)[1]
        started(f"{base}.worker.Worker", *options, "--cores", "1", "--memory", "1g", "--work-dir", str(folder), address)
        _line_with(master, re.compile(_REGISTERED))
        yield address
    finally:
        for process in reversed(processes):
            process.terminate()
            assert process.stderr is not None
            process.stderr.close()
            process.wait()


def _line_with(process: subprocess.Popen[str], pattern: re.Pattern[str]) -> re.Match[str]:
    assert process.stderr is not None
    for line in process.stderr:
        if found := pattern.search(line):
            return found
    pytest.fail("the process of Spark ended")
