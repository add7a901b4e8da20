"""Run random inputs through every front door: ``make fuzz``, and a slice of it in ``.ci/run``.

Each target runs three times, with two hash seeds and with the kernels as plain Python: the outputs must be byte-equal.
Nothing but ``PeneiraError`` may be raised, and every invariant of ``tests/fuzzing.py`` must hold. A run is one process
for all its inputs, so that little is spent on starting; quick targets get more of them (``WEIGHTS``): all take about as
long.

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
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import process_time

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
KERNELS = "peneira.kernels."
# The plain form of ``outline_scan``, which is never compiled itself
PLAIN_TWIN = KERNELS + "outline_rows"
# name -> (hash seed, whether the kernels are plain Python)
RUNS = {"compiled": ("1", False), "other hash seed": ("2", False), "plain": ("1", True)}


class _PlainKernels:
    """Finds the kernels as the Python files that they are compiled from; those that have none are not there."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> importlib.machinery.ModuleSpec | None:
        if not name.startswith(KERNELS):
            return None
        file = ROOT / "src" / "peneira" / "kernels" / f"{name.removeprefix(KERNELS)}.py"
        if not file.exists():
            raise ModuleNotFoundError(f"{name} is not compiled", name=name)
        loader = importlib.machinery.SourceFileLoader(name, str(file))
        return importlib.util.spec_from_file_location(name, file, loader=loader)


def run(targets: Sequence[str], seed: int, start: int, count: int, logs: Path, *, is_plain: bool) -> int:
    """Run targets in this process, print what went wrong and how long each took, and return how much went wrong."""
    from fuzzing import WEIGHTS, failures

    kernels = [
        module
        for name, module in sys.modules.items()
        if name.startswith(KERNELS) and name != PLAIN_TWIN and module.__file__
    ]
    assert {str(module.__file__).endswith(".py") for module in kernels} == {is_plain}, "the wrong kernels are loaded"

    found = 0
    for target in targets:
        started, inputs = process_time(), count * WEIGHTS[target]
        numbers = range(start * WEIGHTS[target], start * WEIGHTS[target] + inputs)
        for failure in failures(target, seed, numbers, logs / target):
            found += 1
            print(failure, flush=True)
        rate = inputs / (process_time() - started)
        print(f"{target}: {inputs} inputs of seed {seed} from {numbers.start}, {rate:.0f} a CPU second", flush=True)
    return found


def differences(targets: Sequence[str], folders: Mapping[str, Path]) -> list[str]:
    """Return which runs did not give the output of the first."""
    first, *others = folders.items()
    return [
        f"{target}: {name} differs from {first[0]}"
        for target in targets
        for name, folder in others
        if not (folder / target).exists() or (folder / target).read_bytes() != (first[1] / target).read_bytes()
    ]


def main() -> int:
    """Run all targets; return 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200, help="inputs of the slowest targets")
    parser.add_argument("--start", type=int, default=0, help="how many of such counts were done before")
    parser.add_argument("--target", action="append")
    parser.add_argument("--once", action="store_true", help="do not compare runs with each other")
    parser.add_argument("--log", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--plain", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.plain:  # before anything of the package is imported
        sys.meta_path.insert(0, _PlainKernels())  # type: ignore[arg-type]
    from fuzzing import TARGETS, WEIGHTS

    targets = options.target or list(TARGETS)
    if options.log:
        found = run(targets, options.seed, options.start, options.count, options.log, is_plain=options.plain)
        return int(found > 0)
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folders: dict[str, Path] = {}
        for kind, (hash_seed, is_plain) in list(RUNS.items())[: 1 if options.once else None]:
            folders[kind] = Path(name) / kind
            folders[kind].mkdir()
            command = [
                sys.executable, __file__, "--seed", str(options.seed), "--count", str(options.count),
                "--start", str(options.start), "--log", str(folders[kind]), *(["--plain"] if is_plain else []),
                *(part for target in targets for part in ("--target", target)),
            ]  # fmt: skip
            print(f"{kind}:", flush=True)
            wrong += (
                subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": hash_seed}, check=False).returncode != 0
            )
        different = differences(targets, folders)
    print("".join(f"{each}\n" for each in different), end="")
    inputs = sum(options.count * WEIGHTS[target] for target in targets)
    print(f"{inputs} inputs of seed {options.seed}, {len(folders)} runs: {wrong} failed, {len(different)} differences")
    return int(wrong > 0 or bool(different))


if __name__ == "__main__":
    sys.exit(main())
