"""What was seen of records at each visit, and what changed between visits.

A tracker is one list of one site. Its records have keys that stay; their cells are kept with the time from which they
had their text and, where it changed, until when. A visit is recorded in one transaction, and recording it twice changes
nothing. Times are those at which pages were fetched, in UTC.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from peneira.errors import StoreError
from peneira.store.database import Database, Session

EventKind = Literal["new", "gone", "returned", "changed"]
FORMAT, VERSION = "peneira history", "1"
# A visit that lacks more than this share of the records, and at least so many, is taken for a broken site
MAX_GONE_SHARE = 0.5
MIN_GONE = 10
_SETUP = "setup"


@dataclass(frozen=True, slots=True)
class Tracker:
    """How a list is read: the wrappers of its pages and of the records' own pages as text, and the key columns."""

    name: str
    wrapper: str
    detail_wrapper: str = ""
    key: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeenCell:
    """The text of a cell as the page shows it, its typed value as text, and its type."""

    text: str
    value: str | None
    type: str


@dataclass(frozen=True, slots=True)
class Visit:
    """The records of a list at a time, by key. Where it is not ``is_complete``, what is missing is not gone."""

    tracker: Tracker
    at: datetime
    records: Mapping[str, Mapping[str, SeenCell]]
    is_complete: bool = True
    accept_losses: bool = False


@dataclass(frozen=True, slots=True)
class Counts:
    """What a visit brought: how many records, and how many of them are new, gone, returned or changed."""

    records: int
    new: int = 0
    gone: int = 0
    returned: int = 0
    changed: int = 0

    def __str__(self) -> str:
        counts = f"{self.new} new, {self.gone} gone, {self.returned} returned, {self.changed} changed"
        return f"{self.records} records: {counts}"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a record: ``name``, ``old`` and ``new`` are those of a cell that changed."""

    tracker: str
    key: str
    kind: EventKind
    at: datetime
    name: str = ""
    old: str | None = None
    new: str | None = None


class History:
    """The history in a database, which is made ready when it is first used unless it ``must_exist``."""

    def __init__(self, database: Database, *, must_exist: bool = False) -> None:
        self._database = database
        database.work(self._check if must_exist else self._prepare, lock=_SETUP)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def _prepare(self, session: Session) -> None:
        moment = self._database.time_type
        for statement in (
            "CREATE TABLE IF NOT EXISTS peneira_format (name TEXT PRIMARY KEY, version TEXT NOT NULL)",
            "CREATE TABLE IF NOT EXISTS peneira_trackers (name TEXT PRIMARY KEY, wrapper TEXT NOT NULL,"
            f" detail_wrapper TEXT NOT NULL, key_columns TEXT NOT NULL, last_visit {moment} NOT NULL)",
            "CREATE TABLE IF NOT EXISTS peneira_records (tracker TEXT NOT NULL, key TEXT NOT NULL,"
            f" first_seen {moment} NOT NULL, last_seen {moment} NOT NULL, fetched_at {moment} NOT NULL,"
            f" gone_at {moment}, PRIMARY KEY (tracker, key))",
            "CREATE TABLE IF NOT EXISTS peneira_cells (tracker TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL,"
            f" text TEXT NOT NULL, value TEXT, type TEXT NOT NULL, since {moment} NOT NULL, until {moment},"
            " PRIMARY KEY (tracker, key, name, since))",
            "CREATE TABLE IF NOT EXISTS peneira_events (tracker TEXT NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL,"
            f" at {moment} NOT NULL, name TEXT NOT NULL, old TEXT, new TEXT,"
            " PRIMARY KEY (tracker, at, key, kind, name))",
        ):
            session.run(statement)
        session.run("INSERT INTO peneira_format VALUES (?, ?) ON CONFLICT DO NOTHING", (FORMAT, VERSION))
        self._check(session)

    def _check(self, session: Session) -> None:
        found = session.rows("SELECT version FROM peneira_format WHERE name = ?", (FORMAT,))
        if not found:
            raise StoreError(self._database.name, "has no history; `peneira track` makes one")
        if found[0][0] != VERSION:
            raise StoreError(
                self._database.name, f"has a history of version {found[0][0]}; this peneira reads {VERSION}"
            )

    # --- trackers --------------------------------------------------------------------------------------------------

    def tracker(self, name: str) -> Tracker | None:
        """Return the tracker of a name, None if there is none yet."""
        query = "SELECT wrapper, detail_wrapper, key_columns FROM peneira_trackers WHERE name = ?"
        found = self._database.work(lambda session: session.rows(query, (name,)), lock=name)
        if not found:
            return None
        wrapper, detail_wrapper, key = found[0]
        return Tracker(name, wrapper, detail_wrapper, tuple(key.split("\n")) if key else ())

    def tracker_names(self) -> list[str]:
        """Return the names of all trackers."""
        query = "SELECT name FROM peneira_trackers ORDER BY name"
        return [row[0] for row in self._database.work(lambda session: session.rows(query), lock=_SETUP)]

    def last_visit(self, name: str | None = None) -> datetime | None:
        """Return the time of the last visit of a tracker, or the earliest of the last visits of all."""
        query = "SELECT min(last_visit) FROM peneira_trackers" + (" WHERE name = ?" if name else "")
        found = self._database.work(lambda session: session.rows(query, (name,) if name else ()), lock=_SETUP)
        return None if found[0][0] is None else _moment(found[0][0])

    # --- visits ----------------------------------------------------------------------------------------------------

    def record(self, visit: Visit) -> Counts:
        """Record a visit, and return what it brought. Raises ``StoreError`` where it cannot be one after the last."""
        return self._database.work(lambda session: self._record(session, visit), lock=visit.tracker.name)

    def _record(self, session: Session, visit: Visit) -> Counts:
        name, at = visit.tracker.name, visit.at.astimezone(UTC)
        last = session.rows("SELECT last_visit FROM peneira_trackers WHERE name = ?", (name,))
        if last and _moment(last[0][0]) > at:
            when = f"{_moment(last[0][0]):%Y-%m-%d %H:%M:%S} UTC"
            raise StoreError(self._database.name, f"{name} has a visit of {when} already; an older one cannot be added")
        known = {
            key: gone_at is not None
            for key, gone_at in session.rows("SELECT key, gone_at FROM peneira_records WHERE tracker = ?", (name,))
        }
        events = _presence_events(visit, known, at)
        self._refuse_losses(visit, known, events)
        cells = self._current_cells(session, name)
        changes = [
            event
            for key, seen in visit.records.items()
            if key in known
            for event in _cell_events(name, key, seen, cells.get(key, {}), at)
            if visit.is_complete or event.new is not None
        ]
        # a column that the list did not have before is no change of each of its records
        known_columns = session.rows("SELECT DISTINCT name FROM peneira_cells WHERE tracker = ?", (name,))
        columns = {row[0] for row in known_columns}
        events += [event for event in changes if event.name in columns]
        self._write(session, visit, events, changes, known)
        return Counts(
            len(visit.records),
            new=sum(event.kind == "new" for event in events),
            gone=sum(event.kind == "gone" for event in events),
            returned=sum(event.kind == "returned" for event in events),
            changed=len({event.key for event in events if event.kind == "changed"}),
        )

    def _refuse_losses(self, visit: Visit, known: Mapping[str, bool], events: Sequence[Event]) -> None:
        there = sum(not is_gone for is_gone in known.values())
        gone = sum(event.kind == "gone" for event in events)
        if gone >= MIN_GONE and gone > MAX_GONE_SHARE * there and not visit.accept_losses:
            raise StoreError(
                self._database.name,
                f"{visit.tracker.name}: {gone} of {there} records are missing, which looks like a broken site; nothing "
                "was recorded. If they are gone indeed, use --accept-losses",
            )

    def _current_cells(self, session: Session, name: str) -> dict[str, dict[str, SeenCell]]:
        query = "SELECT key, name, text, value, type FROM peneira_cells WHERE tracker = ? AND until IS NULL"
        cells: dict[str, dict[str, SeenCell]] = {}
        for key, column, text, value, type_ in session.rows(query, (name,)):
            cells.setdefault(key, {})[column] = SeenCell(text, value, type_)
        return cells

    def _write(
        self,
        session: Session,
        visit: Visit,
        events: Sequence[Event],
        changes: Sequence[Event],
        known: Mapping[str, bool],
    ) -> None:
        tracker, at = visit.tracker, _text(visit.at)
        name = tracker.name
        session.run(
            "INSERT INTO peneira_trackers VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET wrapper ="
            " excluded.wrapper, detail_wrapper = excluded.detail_wrapper, key_columns = excluded.key_columns,"
            " last_visit = excluded.last_visit",
            (name, tracker.wrapper, tracker.detail_wrapper, "\n".join(tracker.key), at),
        )
        session.run_many(
            "INSERT INTO peneira_records VALUES (?, ?, ?, ?, ?, NULL)",
            [(name, key, at, at, at) for key in visit.records if key not in known],
        )
        session.run_many(
            "UPDATE peneira_records SET last_seen = ?, fetched_at = ?, gone_at = NULL WHERE tracker = ? AND key = ?",
            [(at, at, name, key) for key in visit.records if key in known],
        )
        session.run_many(
            "UPDATE peneira_records SET gone_at = ? WHERE tracker = ? AND key = ?",
            [(at, name, event.key) for event in events if event.kind == "gone"],
        )
        ended = [(at, name, event.key, event.name) for event in changes if event.old is not None]
        session.run_many(
            "UPDATE peneira_cells SET until = ? WHERE tracker = ? AND key = ? AND name = ? AND until IS NULL", ended
        )
        changed = {(event.key, event.name) for event in changes if event.new is not None}
        session.run_many(
            # a second visit of the same moment replaces what the first one saw
            "INSERT INTO peneira_cells VALUES (?, ?, ?, ?, ?, ?, ?, NULL) ON CONFLICT (tracker, key, name, since)"
            " DO UPDATE SET text = excluded.text, value = excluded.value, type = excluded.type, until = NULL",
            [
                (name, key, column, cell.text, cell.value, cell.type, at)
                for key, seen in visit.records.items()
                for column, cell in seen.items()
                if key not in known or (key, column) in changed
            ],
        )
        session.run_many(
            "INSERT INTO peneira_events VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [(name, event.key, event.kind, at, event.name, event.old, event.new) for event in events],
        )

    # --- what happened ---------------------------------------------------------------------------------------------

    def events(self, since: datetime, tracker: str | None = None) -> list[Event]:
        """Return what happened after a time, oldest first."""
        query = "SELECT tracker, key, kind, at, name, old, new FROM peneira_events WHERE at > ?"
        values: list[object] = [_text(since)]
        if tracker is not None:
            query += " AND tracker = ?"
            values.append(tracker)
        query += " ORDER BY at, tracker, key, name"
        rows = self._database.work(lambda session: session.rows(query, values), lock=_SETUP)
        return [Event(row[0], row[1], row[2], _moment(row[3]), row[4], row[5], row[6]) for row in rows]

    def cells(self, tracker: str) -> dict[str, dict[str, SeenCell]]:
        """Return the newest cells of all records of a tracker, also of those that are gone."""
        return self._database.work(lambda session: self._current_cells(session, tracker), lock=tracker)


def _presence_events(visit: Visit, known: Mapping[str, bool], at: datetime) -> list[Event]:
    name = visit.tracker.name
    events = [Event(name, key, "new", at) for key in visit.records if key not in known]
    events += [Event(name, key, "returned", at) for key in visit.records if known.get(key)]
    if visit.is_complete:
        missing = (key for key, is_gone in known.items() if not is_gone and key not in visit.records)
        events += [Event(name, key, "gone", at) for key in missing]
    return events


def _cell_events(
    tracker: str, key: str, seen: Mapping[str, SeenCell], before: Mapping[str, SeenCell], at: datetime
) -> list[Event]:
    names = [*seen, *(name for name in before if name not in seen)]
    pairs = [(name, before.get(name), seen.get(name)) for name in names]
    return [
        Event(tracker, key, "changed", at, name, old.text if old else None, new.text if new else None)
        for name, old, new in pairs
        if (old.text if old else None) != (new.text if new else None)
    ]


def _text(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def _moment(value: Any) -> datetime:
    return (value if isinstance(value, datetime) else datetime.fromisoformat(str(value))).astimezone(UTC)
