"""The quality gate: no metric of the default method may fall below its pinned floor.

Floors are in a data file, each with the hash of the corpus it was measured on. ``--update`` raises them; lowering one
takes a second flag, so that it is always a decision.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from peneira.errors import CorpusError, PeneiraError
from peneira_research.corpora.gold_pages import Corpora
from peneira_research.studies.scoreboard import Metrics

FORMAT = "peneira-floors"
VERSION = 1
FLOORS = Path(__file__).parents[1] / "data" / "floors.json"
# Differences of rounding that are not a fall
TOLERANCE = 1e-9
# Floors are rounded down to this many
DECIMALS = 4

ALL = "all"
NEGATIVES = "negatives"


@dataclass(frozen=True, slots=True)
class Floor:
    """The lowest allowed value of a metric of a method; ``hash`` is that of the corpora behind it."""

    method: str
    floor: float
    hash: str


@dataclass(frozen=True, slots=True)
class Check:
    """A metric against its floor. ``problem`` states what is wrong, "" if nothing."""

    name: str
    value: float | None
    floor: float | None
    problem: str = ""

    @property
    def margin(self) -> float | None:
        """How far the value is above its floor."""
        return None if self.value is None or self.floor is None else self.value - self.floor


def current_floors(method: str, metrics: Metrics, corpora: Corpora) -> dict[str, Floor]:
    """Return what the floors would be if pinned now, before rounding."""
    negatives = [name for name in corpora.names if any(page.is_negative for page in corpora.pages([name]))]
    digests = {name: corpora.digest(name) for name in corpora.names}
    floors = {name: Floor(method, metric.value, digests[name]) for name, metric in metrics.f1.items()}
    if metrics.all:
        floors[ALL] = Floor(method, metrics.all.value, _joint_hash(digests, metrics.f1))
    if metrics.quiet:
        floors[NEGATIVES] = Floor(method, metrics.quiet.value, _joint_hash(digests, negatives))
    return floors


def check(current: Mapping[str, Floor], pinned: Mapping[str, Floor]) -> list[Check]:
    """Return the comparison of every metric that is measured or pinned."""
    return [_check(name, current.get(name), pinned.get(name)) for name in {**pinned, **current}]


def pin(
    path: Path, current: Mapping[str, Floor], pinned: Mapping[str, Floor], *, allow_lower: bool
) -> dict[str, Floor]:
    """Write the current floors, rounded down, and return them; lowering or dropping a pinned floor must be allowed."""
    rounded = {name: Floor(now.method, _rounded_down(now.floor), now.hash) for name, now in current.items()}
    lowered = [
        f"{name} {then.floor:.{DECIMALS}f} -> {rounded[name].floor if name in rounded else None}"
        for name, then in pinned.items()
        if name not in rounded or rounded[name].floor < then.floor - TOLERANCE
    ]
    if lowered and not allow_lower:
        raise PeneiraError(f"{path}: would lower {', '.join(lowered)}; nothing is written without --allow-lower")
    _write_floors(path, rounded)
    return rounded


def read_floors(path: Path) -> dict[str, Floor]:
    """Return the pinned floors by metric."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["format"] != FORMAT or document["version"] != VERSION:
            raise CorpusError(f"{path}: not a floors file of version {VERSION}")
        floors = {name: Floor(**floor) for name, floor in document["floors"].items()}
        if not all(math.isfinite(floor.floor) for floor in floors.values()):
            raise CorpusError(f"{path}: not a floors file: a floor is not a number")
        return floors
    except FileNotFoundError:
        raise CorpusError(f"{path}: no floors are pinned; run with --update") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorpusError(f"{path}: not a floors file: {error!r}") from error


def _write_floors(path: Path, floors: Mapping[str, Floor]) -> None:
    rows = {name: asdict(floor) for name, floor in floors.items()}
    document = {"format": FORMAT, "version": VERSION, "floors": rows}
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def _check(name: str, now: Floor | None, then: Floor | None) -> Check:
    if then is None:
        return Check(name, now.floor if now else None, None, "not pinned; run with --update")
    if now is None:
        return Check(name, None, then.floor, "pinned, but there are no such pages")
    if now.method != then.method:
        return Check(name, now.floor, then.floor, f"pinned for method {then.method}; re-pin with --update")
    if now.hash != then.hash:
        return Check(name, now.floor, then.floor, "the corpus has changed; re-pin with --update")
    below = now.floor < then.floor - TOLERANCE
    return Check(name, now.floor, then.floor, "below its floor" if below else "")


def _joint_hash(digests: Mapping[str, str], names: Iterable[str]) -> str:
    return hashlib.sha256("".join(digests[name] for name in names).encode()).hexdigest()


def _rounded_down(value: float) -> float:
    scale: int = 10**DECIMALS
    return math.floor(value * scale + TOLERANCE) / scale
