"""What became of records since a time: new, gone, or changed from one text to another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from peneira.store.history import Event, History, SeenCell

ChangeKind = Literal["new", "gone", "changed"]
_TITLES = ("title", "name", "product")


@dataclass(frozen=True, slots=True)
class Change:
    """One change of one record; ``name``, ``old`` and ``new`` are those of a cell, empty for new and gone records."""

    kind: ChangeKind
    tracker: str
    key: str
    title: str
    at: datetime
    name: str = ""
    old: str | None = None
    new: str | None = None

    def to_dict(self) -> dict[str, str | None]:
        """Return the change as JSON has it."""
        made: dict[str, str | None] = {
            "kind": self.kind,
            "tracker": self.tracker,
            "key": self.key,
            "title": self.title,
            "at": self.at.isoformat(timespec="seconds"),
        }
        return {**made, "column": self.name, "old": self.old, "new": self.new} if self.kind == "changed" else made

    def __str__(self) -> str:
        if self.kind != "changed":
            return f"{self.kind}: {self.title}"
        if self.old is None:
            return f"{self.title}: {self.name} is now {self.new}"
        if self.new is None:
            return f"{self.title}: {self.name} was {self.old} and is gone"
        return f"{self.title}: {self.name} from {self.old} to {self.new}"


def changes_since(history: History, since: datetime, tracker: str | None = None) -> list[Change]:
    """Return the difference between then and now: what came and went in between is not in it."""
    by_record: dict[tuple[str, str], list[Event]] = {}
    for event in history.events(since, tracker):
        by_record.setdefault((event.tracker, event.key), []).append(event)
    cells = {name: history.cells(name) for name in {name for name, _ in by_record}}
    changes = [
        change
        for (name, key), events in by_record.items()
        for change in _net_changes(events, _title(cells[name].get(key, {}), key))
    ]
    order = ("new", "gone", "changed")
    return sorted(changes, key=lambda each: (each.tracker, order.index(each.kind), each.title, each.key, each.name))


def _net_changes(events: list[Event], title: str) -> Iterable[Change]:
    presence = [event for event in events if event.kind != "changed"]
    was_there = not presence or presence[0].kind == "gone"
    is_there = not presence or presence[-1].kind != "gone"
    if was_there != is_there:
        last = presence[-1]
        yield Change("new" if is_there else "gone", last.tracker, last.key, title, last.at)
    elif is_there and was_there:
        cells: dict[str, list[Event]] = {}
        for event in events:
            if event.kind == "changed":
                cells.setdefault(event.name, []).append(event)
        for name, own in cells.items():
            if own[0].old != own[-1].new:
                yield Change("changed", own[0].tracker, own[0].key, title, own[-1].at, name, own[0].old, own[-1].new)


def _title(cells: Mapping[str, SeenCell], key: str) -> str:
    return next((cells[name].text for name in _TITLES if name in cells), key)
