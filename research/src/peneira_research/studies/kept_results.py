"""Results of single pages in a file, so that an interrupted run goes on where it stopped."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from peneira_research.studies.run_meta import command_line, commit
from peneira_research.workers import each

Item = TypeVar("Item")
Result = TypeVar("Result")
# A function over items, as ``workers.each`` and ``workers.in_processes``
Spread = Callable[..., Iterator[Any]]


class KeptResults:
    """A file of JSON lines: the run that they are of, then for each item its part of the run, its key, its result.

    A file of another run is begun anew. Without a file nothing is kept.
    """

    def __init__(self, file: Path | None = None, run: str = "") -> None:
        self.file, self.run = file, run

    def each(
        self,
        part: str,
        kind: Any,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        *,
        key: Callable[[Item], str],
        jobs: int = 1,
        chunk: int = 4,
        spread: Spread = each,
    ) -> Iterator[Result]:
        """Yield ``function(item)`` for each item, in order, computed by ``spread``; kept ones are not computed again.

        ``kind``: the type of the results, made of dataclasses, sequences, mappings and plain values.
        """
        if self.file is None:
            yield from spread(function, items, jobs=jobs, chunk=chunk)
            return
        kept = self._read(part)
        fresh = spread(function, [item for item in items if key(item) not in kept], jobs=jobs, chunk=chunk)
        with self.file.open("a", encoding="utf-8") as file:
            for item in items:
                if key(item) in kept:
                    yield restored(kept[key(item)], kind)
                    continue
                result = next(fresh)
                file.write(json.dumps([part, key(item), result], ensure_ascii=False, default=_plain) + "\n")
                file.flush()
                yield result

    def _read(self, part: str) -> dict[str, Any]:
        """Return the kept results of a part by key; the line that a kill cut short is left out."""
        if self.file is None:
            return {}
        try:
            # not splitlines, which cuts at line separators that texts of pages have; what a kill cut short is last
            first, *lines, _ = self.file.read_text(encoding="utf-8").split("\n")
            is_own = json.loads(first) == {"run": self.run}
        except (OSError, ValueError):
            is_own, lines = False, []
        whole = lines if is_own else []
        self.file.parent.mkdir(parents=True, exist_ok=True)
        header = json.dumps({"run": self.run})
        self.file.write_text("".join(f"{line}\n" for line in (header, *whole)), encoding="utf-8")
        return {name: result for of_part, name, result in map(json.loads, whole) if of_part == part}


NOTHING_KEPT = KeptResults()


def kept_in(file: Path | None) -> KeptResults:
    """Return the results that are kept for this command line at this commit; none where files were changed since."""
    version = commit()
    if file and (version == "unknown" or version.endswith("+")):
        file.unlink(missing_ok=True)
    return KeptResults(file, f"{version} {command_line(sys.argv)}")


def _plain(value: object) -> object:
    if is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be kept")


def restored(value: Any, kind: Any) -> Any:
    """Return a value read from JSON as the type that it had."""
    origin, arguments = get_origin(kind), get_args(kind)
    if value is None or kind is Any:
        return value
    if isinstance(kind, type) and is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{name: restored(part, hints[name]) for name, part in value.items()})
    if origin in (Union, UnionType):
        return restored(value, next(part for part in arguments if part is not type(None)))
    if origin is tuple and arguments[-1] is not Ellipsis:
        return tuple(restored(part, own) for part, own in zip(value, arguments, strict=True))
    if origin is tuple:
        return tuple(restored(part, arguments[0]) for part in value)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {name: restored(part, arguments[1]) for name, part in value.items()}
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return [restored(part, arguments[0]) for part in value]
    return value
