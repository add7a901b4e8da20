"""Run random inputs through every front door: ``make fuzz``, and a slice of it in ``.ci/run``.

Each target runs three times, with two hash seeds and with the kernels as plain Python: the outputs must be byte-equal.
Nothing but ``PeneiraError`` may be raised, and every invariant of ``tests/fuzzing.py`` must hold.

``python tools/fuzz.py --count 2000 --seed 7 --target wrappers``
"""

from __future__ import annotations

import argparse
import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
KERNELS = "peneira.kernels."
# name -> (hash seed, whether the kernels are plain Python)
RUNS = {"compiled": ("1", False), "other hash seed": ("2", False), "plain": ("1", True)}


class _PlainKernels:
    """Finds the kernels as the Python files that they are compiled from."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> importlib.machinery.ModuleSpec | None:
        if not name.startswith(KERNELS):
            return None
        file = ROOT / "src" / "peneira" / "kernels" / f"{name.removeprefix(KERNELS)}.py"
        loader = importlib.machinery.SourceFileLoader(name, str(file))
        return importlib.util.spec_from_file_location(name, file, loader=loader)


def run(target: str, seed: int, numbers: range, log: Path, *, is_plain: bool) -> int:
    """Run one target in this process, print what went wrong, and return how much did."""
    if is_plain:
        sys.meta_path.insert(0, _PlainKernels())  # type: ignore[arg-type]
    from fuzzing import failures

    found = 0
    for failure in failures(target, seed, numbers, log):
        found += 1
        print(failure, flush=True)
    return found


def differences(logs: dict[str, Path]) -> list[str]:
    """Return which runs did not give the output of the first."""
    first, *others = logs.items()
    return [f"{name} differs from {first[0]}" for name, log in others if log.read_bytes() != first[1].read_bytes()]


def main() -> int:
    """Run all targets; return 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200, help="inputs of each target")
    parser.add_argument("--start", type=int, default=0, help="the number of the first input")
    parser.add_argument("--target", action="append")
    parser.add_argument("--once", action="store_true", help="do not compare runs with each other")
    parser.add_argument("--log", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--plain", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.log:
        numbers = range(options.start, options.start + options.count)
        return int(run(options.target[0], options.seed, numbers, options.log, is_plain=options.plain) > 0)
    targets = options.target or ["extract", "texts", "html", "wrappers", "wrapper files"]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for target in targets:
            logs: dict[str, Path] = {}
            for name, (hash_seed, is_plain) in list(RUNS.items())[: 1 if options.once else None]:
                log = logs[name] = Path(folder) / f"{target} {name}.txt"
                command = [
                    sys.executable, __file__, "--target", target, "--seed", str(options.seed),
                    "--count", str(options.count), "--start", str(options.start), "--log", str(log),
                    *(["--plain"] if is_plain else []),
                ]  # fmt: skip
                environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
                wrong += subprocess.run(command, env=environment, check=False).returncode != 0
            for difference in differences(logs):
                wrong += 1
                print(f"{target}: {difference}; seed {options.seed}, {options.count} inputs from {options.start}")
            print(f"{target}: {options.count} inputs of seed {options.seed}, {len(logs)} runs", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
