"""The quality gate: no metric of the default method may fall below its pinned floor, or rise above its ceiling.

Floors are in a data file, each with the hash of the corpus it was measured on. ``--update`` raises them; lowering one
takes a second flag, so that it is always a decision. What should be small, as redundant columns, has a ceiling.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean

from peneira.errors import CorpusError, PeneiraError
from peneira_research.corpora.gold_pages import Corpora
from peneira_research.corpora.typed_pages import PageType
from peneira_research.scores.item_score import Answers
from peneira_research.scores.paging_score import PagingMetrics
from peneira_research.studies.item_outcomes import BODY, FieldScore
from peneira_research.studies.list_quality import ListQuality
from peneira_research.studies.scoreboard import Metrics
from peneira_research.studies.speed import Timing, cells_stage, ratios, records_stage
from peneira_research.studies.table_outcomes import TableMetrics
from peneira_research.studies.text_outcomes import OURS, TextOutcome
from peneira_research.studies.type_outcomes import TypeMetrics

FORMAT = "peneira-floors"
VERSION = 1
FLOORS = Path(__file__).parents[1] / "data" / "floors.json"
# Of models that have not seen the host and the template of a page
UNSEEN_FLOORS = FLOORS.with_name("floors_unseen.json")
# Differences of rounding that are not a fall
TOLERANCE = 1e-9
# Floors are rounded down to this many, ceilings up
DECIMALS = 4

# Pages of each type that are looked at: 232 pages in all, 28 s of CPU time with unpacking the archives
PAGES_PER_TYPE = 28
# Pages that should have a main list, and that should have none. A forum may be either: one question, or a list of posts
LIST_TYPES: tuple[PageType, ...] = ("collection", "listing")
OTHER_TYPES: tuple[PageType, ...] = ("article", "documentation", "service", "product", "detail", "other")

# What stands for a method in the floors of items, and the attributes of products that have floors
ITEMS = "item"
ITEM_ATTRIBUTES = ("price", "sku", "availability", "brand")
# Every so many of the detail pages is looked at
DETAIL_STEP = 6
# What stands for a method in the floors of main texts; every so many of their pages is looked at, 125 in all
TEXTS = "text"
TEXT_STEP = 12

# The corpora and stages whose speed has a ceiling, on every so many pages, as the best of so many turns
SPEED_CORPORA = ("tpsf", "modern", "modern2")
SPEED_STAGES = (records_stage(), cells_stage())
SPEED_STEP = 12
SPEED_TURNS = 5
# A ceiling is so many times what was measured: on a busy machine the ratios of all stages rise by a third
SPEED_MARGIN = 1.6
SPEED = "speed"

ALL = "all"
NEGATIVES = "negatives"


@dataclass(frozen=True, slots=True)
class Floor:
    """The lowest allowed value of a metric of a method, or the highest; ``hash`` is that of the corpora behind it."""

    method: str
    floor: float
    hash: str
    is_ceiling: bool = False

    def allows(self, value: float) -> bool:
        """Return whether a value is at least the floor, or at most the ceiling."""
        return value <= self.floor + TOLERANCE if self.is_ceiling else value >= self.floor - TOLERANCE

    def rounded(self) -> Floor:
        """Return the floor rounded so that what was measured is allowed."""
        if self.is_ceiling:
            return replace(self, floor=-_rounded_down(-self.floor))
        return replace(self, floor=_rounded_down(self.floor))


@dataclass(frozen=True, slots=True)
class Check:
    """A metric against its floor or ceiling. ``problem`` states what is wrong, "" if nothing."""

    name: str
    value: float | None
    floor: float | None
    problem: str = ""
    is_ceiling: bool = False

    @property
    def margin(self) -> float | None:
        """How far the value is above its floor, or below its ceiling."""
        if self.value is None or self.floor is None:
            return None
        return self.floor - self.value if self.is_ceiling else self.value - self.floor


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


def list_floors(method: str, qualities: Mapping[str, ListQuality], corpora: Corpora) -> dict[str, Floor]:
    """Return the floors of the cut of records where gold has fields, and of the F1 of corpora that are not default."""
    floors: dict[str, Floor] = {}
    for name in (name for name in corpora.all_names if name in qualities):
        quality, digest = qualities[name], corpora.digest(name)
        if name not in corpora.names:
            floors[name] = Floor(method, quality.f1, digest)
        if quality.cut is not None:
            floors[f"records {name} whole"] = Floor(method, quality.cut.whole, digest)
            floors[f"records {name} perfect"] = Floor(method, quality.cut.perfect, digest)
            floors[f"records {name} out of phase"] = Floor(method, quality.cut.out_of_phase, digest, is_ceiling=True)
    return floors


def type_floors(method: str, metrics: Mapping[PageType, TypeMetrics], digest: str) -> dict[str, Floor]:
    """Return the floors, or ceilings, of the share of pages of each type that have a main list."""
    return {
        f"types {page_type} main list": Floor(method, row.main_list, digest, is_ceiling=page_type in OTHER_TYPES)
        for page_type, row in metrics.items()
        if page_type in (*LIST_TYPES, *OTHER_TYPES)
    }


def table_floors(method: str, metrics: Mapping[str, TableMetrics], corpora: Corpora) -> dict[str, Floor]:
    """Return what the floors and ceilings of the tables of these corpora would be if pinned now, before rounding.

    Shares are pooled over the values, fields and columns of a corpus.
    """
    floors: dict[str, Floor] = {}
    for name, row in metrics.items():
        digest = corpora.digest(name)
        least = {"found": row.pooled.found, "named": row.pooled.named}
        most = {"redundant": row.pooled.redundant, "median columns": row.median_columns}
        for values, is_ceiling in ((least, False), (most, True)):
            for metric, value in values.items():
                if value is not None:
                    floors[f"table {name} {metric}"] = Floor(method, value, digest, is_ceiling)
    return floors


def item_floors(
    products: Mapping[str, Answers], fields: Mapping[str, FieldScore], product_hash: str, detail_hash: str
) -> dict[str, Floor]:
    """Return what the floors of items would be: F1 of products; titles, values and words of recipes and articles."""
    floors = {
        f"items products {name}": Floor(ITEMS, products[name].f1, product_hash) for name in ITEM_ATTRIBUTES if products
    }
    for name, score in fields.items():
        value = score.exact if name == "title" else score.word_f1 if name == BODY else score.found
        floors[f"items detail {name}"] = Floor(ITEMS, value, detail_hash)
    return floors


def text_floors(outcomes: Sequence[TextOutcome], digest: str) -> dict[str, Floor]:
    """Return the floors of the mean word F1 of main texts: of all pages, and of each type."""
    types = sorted({outcome.type for outcome in outcomes})
    groups: dict[str, Sequence[TextOutcome]] = {ALL: outcomes}
    groups |= {name: [row for row in outcomes if row.type == name] for name in types}
    return {
        f"text {name}": Floor(TEXTS, fmean(row.scores[OURS].f1 for row in rows), digest)
        for name, rows in groups.items()
        if rows
    }


def paging_floors(metrics: PagingMetrics, digest: str) -> dict[str, Floor]:
    """Return the floors of the next page and of the numbered pages."""
    values = {"next": metrics.next, "numbered": metrics.numbered}
    return {f"paging {name}": Floor("auto", value, digest) for name, value in values.items() if value is not None}


def speed_floors(method: str, timings: Mapping[str, Sequence[Timing]], corpora: Corpora) -> dict[str, Floor]:
    """Return the medians of the time of stages as multiples of the parse, by corpus."""
    return {
        f"{SPEED} {name} {row.stage}": Floor(method, row.median, corpora.digest(name), is_ceiling=True)
        for name, of_corpus in timings.items()
        for row in ratios(of_corpus)
    }


def with_speed_margin(current: Mapping[str, Floor], pinned: Mapping[str, Floor]) -> dict[str, Floor]:
    """Return what is to be pinned: ceilings of the speed with their margin, and never above those of the same pages."""
    floors = dict(current)
    for name, now in current.items():
        if name.startswith(f"{SPEED} "):
            then = pinned.get(name)
            ceiling = SPEED_MARGIN * now.floor
            is_same = then is not None and then.hash == now.hash
            floors[name] = replace(now, floor=min(ceiling, then.floor) if then is not None and is_same else ceiling)
    return floors


def check(current: Mapping[str, Floor], pinned: Mapping[str, Floor]) -> list[Check]:
    """Return the comparison of every metric that is measured or pinned."""
    return [_check(name, current.get(name), pinned.get(name)) for name in {**pinned, **current}]


def pin(
    path: Path, current: Mapping[str, Floor], pinned: Mapping[str, Floor], *, allow_lower: bool
) -> dict[str, Floor]:
    """Write the current floors, rounded down, and return them; lowering or dropping a pinned floor must be allowed."""
    rounded = {name: now.rounded() for name, now in current.items()}
    lowered = [
        f"{name} {then.floor:.{DECIMALS}f} -> {rounded[name].floor if name in rounded else None}"
        for name, then in pinned.items()
        if name not in rounded or not then.allows(rounded[name].floor)
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
    rows = {name: _row(floor) for name, floor in floors.items()}
    document = {"format": FORMAT, "version": VERSION, "floors": rows}
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def _row(floor: Floor) -> dict[str, object]:
    return {key: value for key, value in asdict(floor).items() if key != "is_ceiling" or value}


def _check(name: str, now: Floor | None, then: Floor | None) -> Check:
    if then is None:
        return Check(name, now.floor if now else None, None, "not pinned; run with --update")
    if now is None:
        return Check(name, None, then.floor, "pinned, but there are no such pages")
    return Check(name, now.floor, then.floor, _problem(now, then), then.is_ceiling)


def _problem(now: Floor, then: Floor) -> str:
    if now.method != then.method:
        return f"pinned for method {then.method}; re-pin with --update"
    if now.is_ceiling != then.is_ceiling:
        return "pinned as the other of floor and ceiling; re-pin with --update"
    if now.hash != then.hash:
        return "the corpus has changed; re-pin with --update"
    if then.allows(now.floor):
        return ""
    return "above its ceiling" if then.is_ceiling else "below its floor"


def _joint_hash(digests: Mapping[str, str], names: Iterable[str]) -> str:
    return hashlib.sha256("".join(digests[name] for name in names).encode()).hexdigest()


def _rounded_down(value: float) -> float:
    scale: int = 10**DECIMALS
    return math.floor(value * scale + TOLERANCE) / scale
